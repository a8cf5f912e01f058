#!/usr/bin/env node
// Makes the golden vectors of BUNDLES.md, "Bundles".
//
// usage: node proto/golden/make.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import { fromDouble, single, toJson } from './exact.mjs';
import { BONES, begin, expectRotation, frame, hex, little, makePacket, pack, section, svarint, varint } from './packet-writer.mjs';

function canonical(name, head, inputs, before) {
  const packets = inputs.map(makePacket);
  const bytes = packets.flatMap((p, i) => p.bytes(i === packets.length - 1));
  return { name, canonical: true, hex: hex([...begin(head, before), ...bytes]),
    ...(before && { before }), head, inputs, packets: packets.map((p) => p.expected) };
}

// ---- the vectors: what an encoder writes ----------------------------------

/** Park and Miller's generator, seeded: 0 … 1. */
let seed = 20220913;
function random() {
  seed = (seed * 48271) % 2147483647;
  return seed / 2147483647;
}

function randomRotation() {
  for (;;) {
    const q = [0, 1, 2, 3].map(() => 2 * random() - 1);
    const length = Math.hypot(...q);
    if (length > 0.1 && length < 1) return q.map((v) => Math.fround(v / length));
  }
}

const f = Math.fround;
const half = f(Math.SQRT1_2);
const home = { space: 1, tick: 300 };
const only = (rotations, rest = {}) => [{ body: 3, sequence: 11, ageUs: 12300, rotations, ...rest }];

const vectors = [
  canonical('the worked example', home, only(
    { head: [0, 0.5, 0, f(0.8660254)], leftUpperArm: [half, 0, 0, half] },
    { hips: [f(0.012), f(-0.305), 0], placement: { position: [1.5, 0, -2], yaw: f(Math.PI / 2) } })),
  canonical('nobody in the space', { space: 0, tick: 0 }, []),
  canonical('a body at rest has no sections', home, only({})),
  canonical('every bone moved', home, only(Object.fromEntries(BONES.map(({ name }) => [name, randomRotation()])))),
  canonical('the face alone', home, only({ leftEye: randomRotation(), rightEye: randomRotation(), jaw: randomRotation() })),
  canonical('the hands alone', home, only({ leftThumbMetacarpal: randomRotation(), rightLittleDistal: randomRotation() })),
  canonical('the first and the last body bone', home, only({ hips: randomRotation(), rightToes: randomRotation() })),
  canonical('equal components: the first is the largest', home, only({
    hips: [0.5, 0.5, 0.5, 0.5], spine: [0.5, -0.5, 0.5, -0.5], chest: [-0.5, 0.5, 0.5, 0.5],
    neck: [0, half, -half, 0], head: [0, 0, half, -half], leftFoot: [0, -half, 0, half] })),
  canonical('half turns', home, only({ hips: [1, 0, 0, 0], spine: [0, 1, 0, 0], chest: [0, 0, 1, 0], neck: [-1, 0, 0, 0] })),
  canonical('a whole turn is rest', home, only({ hips: [0, 0, 0, -1], spine: [0, 0, 0, 1] })),
  canonical('where rest ends', home, only({
    hips: [f(0.0000432), 0, 0, 1], spine: [f(0.0000215), 0, 0, 1], chest: [0, f(-0.0000220), 0, 1] })),
  canonical('not quite unit', home, only({ hips: [f(0.1001), f(0.2002), f(0.3003), f(0.9282)] })),
  canonical('numbers of one byte', { space: 127, tick: 127 }, [{ body: 127, ageUs: 6300 }]),
  canonical('numbers of two bytes', { space: 128, tick: 16383 }, [{ body: 128, ageUs: 6400 }]),
  canonical('numbers of three bytes', { space: 16384, tick: 2097151 }, [{ body: 16384, ageUs: 1638400 }]),
  canonical('numbers of five bytes', { space: 4294967295, tick: 4294967295 },
    [{ body: 4294967295, ageUs: 2147483647, relayUs: 4294967200 }]),
  canonical('a capture long after its tick', home, [{ body: 1, ageUs: -2147483647 }]),
  canonical('a bundle that follows another', home, [{ body: 2, sequence: 3 }], { space: 1, tick: 299 }),
  canonical('one that follows without packets', home, [], { space: 1, tick: 299 }),
  canonical('the last tick in reach', { space: 7, tick: 427 }, [{ body: 2 }], { space: 7, tick: 300 }),
  canonical('a tick in reach across a border of seven bits', { space: 7, tick: 256 }, [{ body: 2 }],
    { space: 7, tick: 255 }),
  canonical('ages round to the nearest 100 us', home, [{ body: 1, ageUs: 49 }, { body: 2, ageUs: 50 },
    { body: 3, ageUs: 149, relayUs: 49 }, { body: 4, ageUs: 150, relayUs: 50 }, { body: 5, ageUs: -49 },
    { body: 6, ageUs: -50 }, { body: 7, ageUs: -149 }, { body: 8, ageUs: -150 }]),
  canonical('flags', home, [{ body: 1, cut: true, incarnation: 7, sequence: 15 },
    { body: 2, cut: true, incarnation: 1, relayUs: 2500 }, { body: 3, incarnation: 5, relayUs: 100, sequence: 8 },
    { body: 4, incarnation: 2, ageUs: 700, relayUs: 300, sequence: 1 }]),
  canonical('lengths', home, only({}, { hips: [f(1.0004), f(-0.0006), f(-12.3456)],
    placement: { position: [f(999999.5), f(-1000000), f(0.0004)], yaw: f(-Math.PI / 2) } })),
  canonical('a yaw that rounds up to a whole turn', home, only({}, { placement: { position: [0, 0, 0], yaw: f(-0.00001) } })),
  canonical('yaws beyond a turn', home, [7, -7, 100.25, 3.1415927].map((yaw, i) => (
    { body: i, placement: { position: [0, 0, 0], yaw: f(yaw) } }))),
];

// ---- what no encoder of this version writes, and every decoder reads ------

function readable(name, payload, expected, { shape = 0, more = 0x0c, times = [0xf6, 0x01], last = true } = {}) {
  const packet = frame({ body: 3, sequence: 11, shape, more, times }, payload, last);
  return { name, canonical: false, hex: hex([...begin(home), ...packet]), head: home,
    packets: [{ body: 3, incarnation: 0, sequence: 11, cut: false, needsState: !(more & 8), shape,
      ageUs: more & 4 ? 12300 : 0, relayUs: 0, rotations: {}, ...expected }] };
}

const rotation = (a, b, c, largest) => ({ stored: [a, b, c].map(BigInt), largest });
const oneBone = (r, bone = 1) => section(1, 1, [...little(bone, 3), ...little(pack(r), 6)]);
const turned = rotation(16384, 20000, 12000, 3);
const misnamed = rotation(32766, 27968, 16384, 2);
const states = (known, estimated) => section(6, 1, [...little(known, 7), ...little(estimated, 7)]);

vectors.push(
  readable('an unknown section is skipped', [...section(9, 1, [1, 2, 3]), ...oneBone(turned)],
    { rotations: { hips: expectRotation(turned) } }),
  readable('an empty unknown section is skipped', section(15, 15, []), {}),
  readable('an unknown coding is skipped', [...section(1, 2, [255, 255]), ...section(4, 1, [2, 0, 0])],
    { hips: [single(fromDouble(0.001)), '=0', '=0'] }),
  readable('sections in another order', [...section(4, 1, [0, 2, 0]), ...oneBone(turned)],
    { rotations: { hips: expectRotation(turned) }, hips: ['=0', single(fromDouble(0.001)), '=0'] }),
  readable('hips that are said to be at rest', section(4, 1, [0, 0, 0]), { hips: ['=0', '=0', '=0'] }),
  readable('a mask without bones', section(1, 1, [0, 0, 0]), {}),
  readable('a bone that is said to be at rest', oneBone(rotation(16384, 16384, 16384, 3)),
    { rotations: { hips: ['=0', '=0', '=0', '=1'] } }),
  readable('the lowest stored number', oneBone(rotation(0, 16384, 16384, 0)),
    { rotations: { hips: expectRotation(rotation(0, 16384, 16384, 0)) } }),
  readable('a largest component that is not', oneBone(misnamed), { rotations: { hips: expectRotation(misnamed) } }),
  readable('states of three bones', states(0x23n, 0x20n),
    { states: { hips: 'tracked', spine: 'tracked', head: 'estimated' } }),
  readable('states of the first and the last bone', states((1n << 54n) | 1n, 1n << 54n),
    { states: { hips: 'tracked', rightLittleDistal: 'estimated' } }),
  readable('states of no bone', states(0n, 0n), { states: {} }),
  readable('flags of the future', [], {}, { more: 0x1c }),
  readable('a second byte of flags that says nothing', [], { shape: 4 }, { more: 0x10, times: [] }),
  readable('an age and a relay age of nothing', [], { ageUs: 0 }, { more: 0x0e, times: [0, 0] }),
  readable('a last packet that has a size', [], {}, { last: false }),
  readable('a packet that needs state, with nothing to say', [], { shape: 4 }, { more: 0, times: [] }),
  readable('a step of the body', [1, 2, 3], {}, { shape: 1, more: 0, times: [] }),
  readable('steps of hips and body', [2, 8, 9, 1, 2, 3], {}, { shape: 3, more: 0, times: [] }),
  readable('a step of one byte of the hips', [8, 1, 2, 3], {}, { shape: 2, more: 0, times: [] }),
  readable('a step of nothing of the hips', [0, 1, 2, 3], {}, { shape: 3, more: 0, times: [] }),
  readable('a list in a packet that needs state', [0, ...section(9, 3, [1]), ...states(1n, 0n)],
    { shape: 4, states: { hips: 'tracked' } }, { more: 0, times: [] }),
  readable('a mask of one section', [0x20, ...little(0x23n, 7), ...little(0x20n, 7)],
    { shape: 4, states: { hips: 'tracked', spine: 'tracked', head: 'estimated' } }, { more: 0, times: [] }),
  readable('a mask of four sections', [0x99, 1, 7, 2, 8, 8, 5, 0, 0, 0, 0, 0, 9, 9],
    { shape: 4, placement: { position: ['=0', '=0', '=0'], yaw: '=0' } }, { more: 0, times: [] }),
  readable('an empty list in a packet that needs state', [0], { shape: 4 }, { more: 0, times: [] }),
);

// ---- what every decoder refuses -------------------------------------------

const bundle = (packets) => hex([...begin(home), ...packets]);
const packet = (payload, { more = 8, times = [], shape = 0, last = true } = {}) =>
  frame({ body: 3, sequence: 11, more, times, shape }, payload, last);
const broken = (name, error, text) => ({ name, error, hex: text });
const worked = vectors[0].hex;

const refused = [
  broken('nothing', 'truncated', ''),
  broken('a kind and nothing else', 'truncated', '11'),
  broken('a head without a tick', 'truncated', '1101'),
  broken('a short head with no bundle before it', 'invalid', 'ac'),
  broken('a head that ends inside a varint', 'truncated', '1101ac'),
  broken('another kind', 'unsupported', `21${worked.slice(2)}`),
  broken('another version', 'unsupported', `12${worked.slice(2)}`),
  broken('a varint in more bytes than it needs', 'invalid', '11810000'),
  broken('a varint of 33 bits', 'invalid', '11ffffffff1f00'),
  broken('a varint of six bytes', 'invalid', '11808080808001' + '00'),
  broken('a varint of five bytes whose last is zero', 'invalid', '118080808000' + '00'),
  broken('a packet that ends early', 'truncated', worked.slice(0, -2)),
  broken('flags and nothing after them', 'truncated', bundle([0x00])),
  broken('flags without the second byte', 'truncated', bundle([0xc0])),
  broken('a packet without an id', 'truncated', bundle([0xc0, 8])),
  broken('a packet without a size', 'truncated', bundle([0x80, 8, 3])),
  broken('a size and nothing after it', 'truncated', bundle([0x80, 8, 3, 4])),
  broken('a packet without the age it announces', 'truncated', bundle(packet([], { more: 0x0c }))),
  broken('a packet without the relay age it announces', 'truncated', bundle(packet([], { more: 0x0a }))),
  broken('a packet whose age lies beyond it', 'truncated', bundle([...packet([], { more: 0x0c, last: false }), 0, 0])),
  broken('a packet of 1025 bytes', 'limit', bundle(packet(section(9, 1, Array(1022).fill(0)), { last: false }))),
  broken('a last packet of 1025 bytes', 'limit', bundle(packet(section(9, 1, Array(1022).fill(0))))),
  broken('an age past 31 bits of microseconds', 'limit', bundle(packet([], { more: 0x0c, times: svarint(21474837) }))),
  broken('an age as far before', 'limit', bundle(packet([], { more: 0x0c, times: svarint(-21474837) }))),
  broken('a relay age past 32 bits of microseconds', 'limit', bundle(packet([], { more: 0x0a, times: varint(42949673) }))),
  broken('an id that is no varint', 'invalid', bundle([0xc0, 8, 0x80, 0x00])),
  broken('a shape without its size', 'truncated', bundle(packet([], { shape: 3 }))),
  broken('a shape without its byte', 'truncated', bundle(packet([], { shape: 2 }))),
  broken('a section of a shape longer than its packet', 'truncated', bundle(packet([3, 1, 2], { shape: 3 }))),
  broken('a mask of two sections without a size', 'truncated', bundle(packet([0x03], { more: 0 }))),
  broken('a list behind a mask that ends', 'truncated', bundle(packet([0, 0x91], { more: 0 }))),
  broken('bytes behind the sections of a mask', 'invalid', bundle(packet([0x10, ...Array(6).fill(0)], { more: 0 }))),
  broken('a mask of states that end', 'truncated', bundle(packet([0x20, 0, 0], { more: 0 }))),
  broken('a section without a size', 'truncated', bundle(packet([0x11]))),
  broken('a section longer than its packet', 'truncated', bundle(packet([0x11, 4, 0, 0, 0]))),
  broken('an unknown section longer than its packet', 'truncated', bundle(packet([0x91, 1]))),
  broken('a section twice', 'invalid', bundle(packet([...section(4, 1, [0, 0, 0]), ...section(4, 1, [0, 0, 0])]))),
  broken('a section twice, once in another coding', 'invalid', bundle(packet([...section(1, 2, []), ...oneBone(turned)]))),
  broken('an unknown section twice', 'invalid', bundle(packet([...section(9, 1, []), ...section(9, 2, [])]))),
  broken('a rotation section without a mask', 'truncated', bundle(packet(section(1, 1, [])))),
  broken('half a mask', 'truncated', bundle(packet(section(3, 1, [0, 0])))),
  broken('a mask with a bit past the body', 'invalid', bundle(packet(section(1, 1, [0, 0, 0x40])))),
  broken('a mask with a bit past the face', 'invalid', bundle(packet(section(2, 1, [0x08])))),
  broken('a mask with a bit past the hands', 'invalid', bundle(packet(section(3, 1, [0, 0, 0, 0x40])))),
  broken('a rotation cut short', 'truncated', bundle(packet(section(1, 1, [1, 0, 0, 0, 64, 0, 32, 0])))),
  broken('a bone more than the mask says', 'invalid', bundle(packet(section(1, 1, [0, 0, 0, ...little(pack(turned), 6)])))),
  broken('bit 47 of a rotation', 'invalid', bundle(packet(section(1, 1, [1, 0, 0, ...little(pack(turned) | (1n << 47n), 6)])))),
  broken('components longer than one', 'invalid', bundle(packet(oneBone(rotation(32767, 32767, 32767, 3))))),
  broken('hips cut short', 'truncated', bundle(packet(section(4, 1, [0, 0])))),
  broken('hips with a byte too many', 'invalid', bundle(packet(section(4, 1, [0, 0, 0, 0])))),
  broken('hips in a varint of 33 bits', 'invalid', bundle(packet(section(4, 1, [0, 0, 255, 255, 255, 255, 31])))),
  broken('a placement without yaw', 'truncated', bundle(packet(section(5, 1, [0, 0, 0])))),
  broken('a placement with half a yaw', 'truncated', bundle(packet(section(5, 1, [0, 0, 0, 0])))),
  broken('a placement with a byte too many', 'invalid', bundle(packet(section(5, 1, [0, 0, 0, 0, 0, 0])))),
  broken('states that end', 'truncated', bundle(packet(section(6, 1, Array(13).fill(0))))),
  broken('states with a byte too many', 'invalid', bundle(packet(section(6, 1, Array(15).fill(0))))),
  broken('states with padding set', 'invalid', bundle(packet(states(1n << 55n, 0n)))),
  broken('states of a bone that is estimated and not known', 'invalid', bundle(packet(states(1n, 2n)))),
  broken('a damaged packet after a good one', 'truncated', bundle([...packet([], { last: false }), ...packet([0x11])])),
];

// ---- pairs ---------------------------------------------------------------

const hexOf = (number) => number.toString(16).padStart(2, '0');
const pair = (first, second) => `31${hexOf(first.length / 2)}${first}${second}`;
const next = hexOf(0x80 | 301 % 128);

const pairs = [
  { name: 'one bundle', hex: worked, bundles: [worked] },
  { name: 'two bundles, the second without packets', hex: pair(worked, next), bundles: [worked, next] },
  { name: 'two bundles with short heads', hex: pair('ad', 'ae'), bundles: ['ad', 'ae'] },
  { name: 'the second one missing, which the reader of bundles refuses', hex: `3101ad`, bundles: ['ad', ''] },
  { name: 'a pair in a pair, which the reader of bundles does not know', hex: pair(pair('ad', 'ae'), 'af'), bundles: [pair('ad', 'ae'), 'af'] },
  { name: 'another version', hex: '3201adae', bundles: ['3201adae'] },
  { name: 'a kind and nothing else', hex: '31', error: 'truncated' },
  { name: 'a first bundle that ends early', hex: '3103adae', error: 'truncated' },
  { name: 'a size in more bytes than it needs', hex: '318100adae', error: 'invalid' },
  { name: 'a size beyond the limit', hex: '31818004adae', error: 'limit' },
];

// ---- files ---------------------------------------------------------------

let stale = 0;
for (const [name, value] of [['bundles.json', vectors], ['broken.json', refused], ['pairs.json', pairs]]) {
  const file = new URL(name, import.meta.url);
  const text = toJson(value);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`proto/golden/${name} is not what make.mjs makes`);
    stale = 1;
  }
}
process.exit(stale);
