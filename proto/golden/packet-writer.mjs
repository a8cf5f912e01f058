// Writes bundles with packets of coding 1 for golden vectors: in whole numbers of any size, without
// floating point, so that the vectors do not depend on the decoders that they test.
import { readFileSync } from 'node:fs';
import { POINT, ONE, abs, fromDouble, nearest, over, root, single, times } from './exact.mjs';

export const BONES = JSON.parse(readFileSync(new URL('../joints.json', import.meta.url), 'utf8'))
  .bones.map(({ name, section }) => ({ name, section }));

const SQRT2 = fromDouble(1.4142135623730951);
const STEPS = 16383n * SQRT2;
const TURN = fromDouble(6.283185307179586);

// ---- bytes ---------------------------------------------------------------

export function varint(value) {
  const bytes = [];
  for (let n = BigInt(value); ; n >>= 7n) {
    if (n < 128n) return [...bytes, Number(n)];
    bytes.push(Number(n & 127n) | 128);
  }
}

export const svarint = (value) => varint(BigInt(value) < 0n ? -2n * BigInt(value) - 1n : 2n * BigInt(value));
export const little = (value, bytes) => Array.from({ length: bytes }, (_, i) => Number((BigInt(value) >> BigInt(8 * i)) & 255n));
const sized = (bytes) => [...varint(bytes.length), ...bytes];
export const section = (id, coding, bytes) => [id * 16 + coding, ...sized(bytes)];
export const hex = (bytes) => bytes.map((b) => b.toString(16).padStart(2, '0')).join('');

// ---- rotations -----------------------------------------------------------

/** The three stored numbers and the index of a quaternion of doubles. */
function quantize(quaternion) {
  const q = quaternion.map(fromDouble);
  const length = root(q.reduce((sum, v) => sum + times(v, v), 0n));
  let largest = 0;
  for (let i = 1; i < 4; i++) if (abs(q[i]) > abs(q[largest])) largest = i;
  const sign = q[largest] < 0n ? -1n : 1n;
  const stored = q.filter((_, i) => i !== largest)
    .map((v) => nearest(times(over(sign * v, length), STEPS)) + 16384n);
  return { stored, largest };
}

export const pack = ({ stored: [a, b, c], largest }) => a | (b << 15n) | (c << 30n) | (BigInt(largest) << 45n);
const isRest = (packed) => packed === pack({ stored: [16384n, 16384n, 16384n], largest: 3 });

/** The decoded rotation, as exact decimals. */
export function expectRotation({ stored, largest }) {
  const parts = stored.map((n) => over((n - 16384n) << POINT, STEPS));
  const left = ONE - parts.reduce((sum, v) => sum + times(v, v), 0n);
  const all = [...parts];
  all.splice(largest, 0, root(left));
  return all.map(single);
}

// ---- packets -------------------------------------------------------------

const SECTIONS = [['body', 1], ['face', 2], ['hands', 3]];
const millimetres = (metres) => nearest(fromDouble(metres) * 1000n);
const expectMetres = (mm) => single((BigInt(mm) << POINT) / 1000n);

function yawSteps(yaw) {
  const turns = over(fromDouble(yaw), TURN);
  return ((nearest(turns * 65536n) % 65536n) + 65536n) % 65536n;
}

/** A packet from an input: its bytes and what decoding it gives. */
export function makePacket(input) {
  const bytes = [];
  const rotations = {};
  const packed = new Map(Object.entries(input.rotations ?? {})
    .map(([name, q]) => [name, quantize(q)]).filter(([, r]) => !isRest(pack(r))));
  for (const [kind, id] of SECTIONS) {
    const members = BONES.filter((bone) => bone.section === kind);
    const moved = members.filter(({ name }) => packed.has(name));
    if (!moved.length) continue;
    const mask = members.reduce((m, { name }, i) => (packed.has(name) ? m | (1n << BigInt(i)) : m), 0n);
    bytes.push(...section(id, 1, [...little(mask, Math.ceil(members.length / 8)),
      ...moved.flatMap(({ name }) => little(pack(packed.get(name)), 6))]));
    for (const { name } of moved) rotations[name] = expectRotation(packed.get(name));
  }
  const expected = { body: input.body, incarnation: input.incarnation ?? 0, sequence: input.sequence ?? 0,
    cut: input.cut ?? false, needsState: false, shape: 0, ageUs: age(input.ageUs) * 100,
    relayUs: relay(input.relayUs) * 100, rotations };
  const hips = (input.hips ?? [0, 0, 0]).map(millimetres);
  if (hips.some((mm) => mm !== 0n)) {
    bytes.push(...section(4, 1, hips.flatMap(svarint)));
    expected.hips = hips.map(expectMetres);
  }
  if (input.placement) {
    const position = input.placement.position.map(millimetres);
    const yaw = yawSteps(input.placement.yaw);
    bytes.push(...section(5, 1, [...position.flatMap(svarint), ...little(yaw, 2)]));
    expected.placement = { position: position.map(expectMetres), yaw: single((yaw * TURN) / 65536n) };
  }
  return { bytes: (last) => framePacket(input, bytes, last), expected };
}

const relay = (us = 0) => Math.min(Math.floor((us + 50) / 100), 42949672);
const age = (us = 0) => Math.sign(us) * Math.min(Math.floor((Math.abs(us) + 50) / 100), 21474836);

/** A packet: its flags, with what they announce, then sections. The last of a bundle has no size. */
export function frame({ body, sequence = 0, shape = 0, more = 0, times = [] }, payload, last) {
  const content = [...times, ...payload];
  return [(more ? 0x80 : 0) | (last ? 0x40 : 0) | (shape << 4) | sequence, ...(more ? [more] : []),
    ...varint(body), ...(last ? [] : varint(content.length)), ...content];
}

function framePacket(input, payload, last) {
  const at = age(input.ageUs);
  const hops = relay(input.relayUs);
  const more = ((input.incarnation ?? 0) << 5) | 8 | (at ? 4 : 0) | (hops ? 2 : 0) | (input.cut ? 1 : 0);
  return frame({ ...input, more, times: [...(at ? svarint(at) : []), ...(hops ? varint(hops) : [])] },
    payload, last);
}

/** The head of a bundle: one byte if the bundle before it is in reach. */
export const begin = ({ space, tick }, before) => (before
  ? [0x80 | (tick & 0x7f)] : [0x11, ...varint(space), ...varint(tick)]);
