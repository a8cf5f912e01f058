#!/usr/bin/env node
// Makes the golden vectors of PUBLISHING.md, "Captures", from its text: a second
// implementation, bit by bit as strings and in whole numbers of any size.
//
// usage: node proto/golden/make-captures.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import { POINT, ONE, abs, fromDouble, nearest, over, root, single, times, toJson } from './exact.mjs';

const { bones, joints } = JSON.parse(readFileSync(new URL('../joints.json', import.meta.url), 'utf8'));
const KINDS = { 'body-frame': { byte: 0x31, items: joints }, pose: { byte: 0x41, items: bones } };
const STATES = { tracked: 2, estimated: 1 };

// ---- fields, each as a string of bits with the greatest first -----------------

const bits = (value, width) => BigInt.asUintN(width, BigInt(value)).toString(2).padStart(width, '0');

/** Fields in a row, least significant bit first, in bytes filled with zeros. */
function packed(fields) {
  const row = fields.map((field) => [...field].reverse().join('')).join('');
  return Array.from({ length: Math.ceil(row.length / 8) },
    (_, i) => parseInt([...row.slice(8 * i, 8 * i + 8).padEnd(8, '0')].reverse().join(''), 2));
}

const little = (value, count) => Array.from({ length: count }, (_, i) => Number((BigInt(value) >> BigInt(8 * i)) & 255n));
const hex = (bytes) => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');

const place = (position) => position.map((x) => nearest(fromDouble(x) * 10000n));
const expectPlace = (steps) => steps.map((n) => single((n << POINT) / 10000n));

function positionField(to, from) {
  const way = to.map((n, i) => n - from[i]);
  let width = 0;
  while (way.some((n) => (width === 0 ? n !== 0n : BigInt.asIntN(width, n) !== n))) width++;
  return [bits(width, 5), ...way.map((n) => (width ? bits(n, width) : ''))];
}

const STEPS = 32767n * fromDouble(1.4142135623730951);

function quantize(quaternion) {
  const q = quaternion.map(fromDouble);
  const length = root(q.reduce((sum, v) => sum + times(v, v), 0n));
  let index = 0;
  for (let i = 1; i < 4; i++) if (abs(q[i]) > abs(q[index])) index = i;
  const sign = q[index] < 0n ? -1n : 1n;
  const three = q.filter((_, i) => i !== index).map((v) => nearest(times(over(sign * v, length), STEPS)) + 32768n);
  return { three, index };
}

const IDENTITY = [0, 0, 0, 1];
const isIdentity = ({ three, index }) => index === 3 && three.every((n) => n === 32768n);
const rotationField = ({ three, index }) => [...three.map((n) => bits(n, 16)), bits(index, 2)];

function expectRotation({ three, index }) {
  const parts = three.map((n) => over((n - 32768n) << POINT, STEPS));
  const left = ONE - parts.reduce((sum, v) => sum + times(v, v), 0n);
  const all = [...parts];
  all.splice(index, 0, root(left));
  return all.map(single);
}

const valueSteps = (value) => {
  const n = nearest(fromDouble(value) * 16384n);
  return n > 32767n ? 32767n : n < -32768n ? -32768n : n;
};

// ---- captures ----------------------------------------------------------------

/** The joint that a joint's place is told from: above it, known, and before it in the order. */
function anchor(known, index) {
  let above = joints.findIndex(({ name }) => name === joints[index].parent);
  while (above >= 0 && (above > index || !known[above])) {
    above = joints.findIndex(({ name }) => name === joints[above].parent);
  }
  return above;
}

function head(input) {
  const { byte, items } = KINDS[input.kind];
  const states = items.map(({ name }) => STATES[input.items[name]?.state] ?? 0);
  const all = states.every((state) => state > 0);
  const some = states.some((state) => state === 1);
  const mask = (is) => little(states.reduce((m, state, i) => (is(state) ? m | (1n << BigInt(i)) : m), 0n), Math.ceil(items.length / 8));
  return [byte, (input.cut ? 1 : 0) | (input.rest ? 2 : 0) | (all ? 4 : 0) | (some ? 8 : 0), ...little(input.time, 6),
    ...(input.kind === 'pose' ? [] : [Number(nearest(fromDouble(input.confidence) * 255n))]),
    ...(all ? [] : mask((state) => state > 0)), ...(some ? mask((state) => state === 1) : []),
    ...little(input.values.length, 2)];
}

function bodyFrame(input, expected) {
  const known = joints.map(({ name }) => name in input.items);
  const places = [];
  return joints.flatMap(({ name }, i) => {
    if (!known[i]) return [];
    const { state, position, rotation } = input.items[name];
    const from = anchor(known, i);
    const turn = quantize(rotation);
    places[i] = place(position);
    expected.items[name] = { state, position: expectPlace(places[i]), rotation: expectRotation(turn) };
    return [...positionField(places[i], from < 0 ? [0n, 0n, 0n] : places[from]), ...rotationField(turn)];
  });
}

function pose(input, expected) {
  const hips = place(input.hips);
  expected.hips = expectPlace(hips);
  return [...positionField(hips, [0n, 0n, 0n]), ...bones.flatMap(({ name }) => {
    if (!(name in input.items)) return [];
    const { state, rotation } = input.items[name];
    const turn = quantize(rotation);
    expected.items[name] = { state, rotation: isIdentity(turn) ? IDENTITY : expectRotation(turn) };
    return isIdentity(turn) ? ['0'] : ['1', ...rotationField(turn)];
  })];
}

function vector(name, input) {
  const full = { cut: false, rest: false, confidence: 1, values: [], ...input };
  const steps = full.values.map(valueSteps);
  const expected = { ...full, items: {}, values: steps.map((n) => single((n << POINT) / 16384n)) };
  expected.confidence = single((nearest(fromDouble(full.confidence) * 255n) << POINT) / 255n);
  const fields = full.kind === 'pose' ? pose(full, expected) : bodyFrame(full, expected);
  const values = steps.flatMap((n) => (n ? ['1', bits(n, 16)] : ['0']));
  const bytes = [...head(full), ...packed([...fields, ...values])];
  return { name, hex: hex(bytes), expected, input: full };
}

// ---- inputs, all of them single-precision numbers -----------------------------

let seed = 12;
/** xorshift32, from -1 to 1. */
function random() {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return (seed | 0) / 2 ** 31;
}
const around = (middle, by) => Math.fround(middle + by * random());
function randomRotation() {
  for (;;) {
    const q = Array.from({ length: 4 }, random);
    const size = Math.hypot(...q);
    if (size > 0.1 && size < 1) return q.map((x) => Math.fround(x / size));
  }
}
const joint = (state, position, rotation = randomRotation()) => ({ state, position: position.map(Math.fround), rotation });
const randomJoint = (state = 'tracked') => joint(state, [around(0, 0.5), around(1, 0.5), around(0, 0.3)]);
const bone = (state, rotation = randomRotation()) => ({ state, rotation });
const every = (items, make) => Object.fromEntries(items.map(({ name }, i) => [name, make(i)]));
const frame = (items, more = {}) => ({ kind: 'body-frame', time: 5012345678, items, ...more });
const poseOf = (items, more = {}) => ({ kind: 'pose', time: 5012345678, hips: [0, 0, 0], items, ...more });
const HALF = Math.fround(Math.SQRT1_2);

const vectors = [
  vector('the head alone, half a turn about +Y', frame({ head: joint('tracked', [0.125, 1.6, -0.0625], [0, 1, 0, 0]) })),
  vector('nobody is there', frame({}, { confidence: 0 })),
  vector('a head and two wrists', frame({ head: joint('tracked', [0, 1.6, 0]), 'left-hand-wrist': joint('tracked', [0.3, 1.1, 0.25]), 'right-hand-wrist': joint('tracked', [-0.3, 1.1, 0.25]) })),
  vector('every joint', frame(every(joints, () => randomJoint()))),
  vector('every joint, some estimated', frame(every(joints, (i) => randomJoint(i % 3 ? 'tracked' : 'estimated')), { confidence: 0.5 })),
  vector('every other joint', frame(Object.fromEntries(joints.filter((_, i) => i % 2).map(({ name }, i) => [name, randomJoint(i % 5 ? 'tracked' : 'estimated')])))),
  vector('a palm before its wrist', frame({ 'left-arm-lower': joint('tracked', [0.5, 1.4, 0]), 'left-hand-palm': joint('tracked', [0.7, 1.4, 0]), 'left-hand-wrist': joint('tracked', [0.65, 1.4, 0]) })),
  vector('joints all in one place', frame(every(joints.slice(0, 7), () => joint('tracked', [1, 1, 1])))),
  vector('halves of a step, rounded away from zero', frame({ hips: joint('tracked', [0.00390625, -0.00390625, 0.01171875], IDENTITY) })),
  vector('from one end of space to the other', frame({ hips: joint('tracked', [1000, -1000, 1000]), 'left-upper-leg': joint('tracked', [-1000, 1000, -1000]) })),
  vector('all turns by a half', frame(every(joints.slice(0, 4), (i) => joint('tracked', [0, 1, 0], IDENTITY.map((_, k) => (k === i ? 1 : 0)))))),
  vector('components that are equal', frame({ hips: joint('tracked', [0, 1, 0], [0.5, -0.5, 0.5, -0.5]), head: joint('tracked', [0, 1.6, 0], [0, HALF, 0, HALF]), neck: joint('tracked', [0, 1.5, 0], [-HALF, 0, 0, HALF]) })),
  vector('a cut', frame({ hips: randomJoint() }, { cut: true, time: 0 })),
  vector('a T-pose, and the last of all times', frame(every(joints, () => randomJoint()), { rest: true, time: 2 ** 48 - 1 })),
  vector('channels beside joints', frame({ hips: randomJoint() }, { values: [0, 1, 0.5, 0, -2, 3, -7, 1.9999, 0.00001, 0.0001].map(Math.fround) })),
  vector('a lone arm', poseOf({ leftUpperArm: bone('tracked', [0, 0, HALF, HALF]) })),
  vector('no bone at all', poseOf({})),
  vector('every bone', poseOf(every(bones, () => bone('tracked')), { hips: [0.1, -0.31, 2.75].map(Math.fround) })),
  vector('every bone, few turned, some estimated', poseOf(every(bones, (i) => bone(i % 4 ? 'tracked' : 'estimated', i % 7 ? IDENTITY : randomRotation())))),
  vector('the body without hands', poseOf(every(bones.slice(0, 22), () => bone('tracked')))),
  vector('identity from the other side', poseOf({ hips: bone('tracked', [0, 0, 0, -1]), head: bone('estimated', [0, 0, 0, -1]) })),
  vector('a turn too small to be told', poseOf({ head: bone('tracked', [0.00001, 0, 0, 1].map(Math.fround)) })),
  vector('bones that jump, with channels', poseOf({ hips: bone('tracked') }, { cut: true, hips: [-1000, 1000, 0], values: [1, 0, 0, 0.25] })),
  vector('as many values as there may be', poseOf({}, { values: Array.from({ length: 1024 }, (_, i) => (i % 3 ? 0 : Math.fround(i / 1024))) })),
];

// ---- what is refused -----------------------------------------------------------

const bytesOf = (name) => [...Buffer.from(vectors.find((v) => v.name === name).hex, 'hex')];
const lone = bytesOf('the head alone, half a turn about +Y');
const three = bytesOf('a head and two wrists');
const arm = bytesOf('a lone arm');
const full = bytesOf('every joint');
const some = bytesOf('every joint, some estimated');
const changed = (bytes, at, ...values) => bytes.map((byte, i) => (i >= at && i < at + values.length ? values[i - at] : byte));
const broken = (name, error, bytes, kind = 'body-frame') => ({ name, kind, error, hex: hex(bytes) });
const HEAD = [0x31, 0, 1, 0, 0, 0, 0, 0, 255];
const mask = (...items) => little(items.reduce((m, i) => m | (1n << BigInt(i)), 0n), 11);
/** A body frame with the hips alone, from its bits. */
const hipsOf = (...fields) => [...HEAD, ...mask(0), 0, 0, ...packed(fields)];
const turn = ['1000000000000000', '1000000000000000', '1000000000000000', '11'];
const metres = (n) => bits(n * 10000, 26);

const refused = [
  ...lone.map((_, i) => broken(`the head alone, cut after ${i} bytes`, 'truncated', lone.slice(0, i))),
  ...arm.map((_, i) => broken(`a lone arm, cut after ${i} bytes`, 'truncated', arm.slice(0, i), 'pose')),
  broken('three joints and a byte too many', 'invalid', [...three, 0]),
  broken('an arm and a byte too many', 'invalid', [...arm, 0], 'pose'),
  broken('a pose for a body frame', 'unsupported', arm),
  broken('a body frame for a pose', 'unsupported', lone, 'pose'),
  broken('a bundle', 'unsupported', [0x11, 1, 0, 0]),
  broken('version 2', 'unsupported', changed(lone, 0, 0x32)),
  ...[4, 5, 6, 7].map((bit) => broken(`bit ${bit} of the flags`, 'invalid', changed(lone, 1, 1 << bit))),
  broken('a pose that is a rest', 'invalid', changed(arm, 1, 2), 'pose'),
  broken('a mask with a bit past the joints', 'invalid', changed(lone, 19, 8)),
  broken('a mask with a bit past the bones', 'invalid', changed(arm, 14, 0x80), 'pose'),
  broken('estimated past the joints', 'invalid', changed(some, 19, 0x10)),
  broken('estimated and not known', 'invalid', [0x31, 8, ...little(1, 6), 255, ...mask(0), ...mask(1), 0, 0, ...packed([bits(0, 5), ...turn])]),
  broken('1025 values', 'limit', [0x41, 0, ...little(1, 6), ...little(0, 7), 1, 4, ...Array(200).fill(0)], 'pose'),
  broken('a capture of 4097 bytes', 'limit', [...full, ...Array(4097 - full.length).fill(0)]),
  broken('a position of 27 bits', 'invalid', hipsOf(bits(27, 5), ...Array(3).fill(bits(0, 27)), ...turn)),
  broken('beyond 1000 m', 'invalid', hipsOf(bits(26, 5), bits(10000001, 26), bits(0, 26), bits(0, 26), ...turn)),
  broken('beyond 1000 m by a step from a joint at its edge', 'invalid', [...HEAD, ...mask(0, 1), 0, 0,
    ...packed([bits(26, 5), metres(0), metres(-1000), metres(0), ...turn, bits(1, 5), '0', '1', '0', ...turn])]),
  broken('three components that are no rotation', 'invalid', hipsOf(bits(0, 5), ...Array(3).fill(bits(65535, 16)), '00')),
  broken('padding that is set', 'invalid', changed(lone, lone.length - 1, lone[lone.length - 1] | 0x80)),
];

let stale = 0;
for (const [name, value] of [['captures.json', vectors], ['broken-captures.json', refused]]) {
  const file = new URL(name, import.meta.url);
  const text = toJson(value);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`proto/golden/${name} is not what make-captures.mjs makes`);
    stale = 1;
  }
}
process.exit(stale);
