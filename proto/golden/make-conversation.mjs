#!/usr/bin/env node
// Makes conversation.json: three complete conversations of a client that watches a body, with coding 1
// and with chains of codings 2 and 3. Every binary message has the poses that it leads to. The poses are
// computed here by matrices from the numbers that the packets contain, by no decoder and no
// program under test.
//
// usage: node proto/golden/make-conversation.mjs [--check]
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Chain } from './chain-writer.mjs';
import { begin, frame, hex, makePacket, section, svarint, varint } from './packet-writer.mjs';

const TICK_HZ = 10;
const TICK_TIME = 12000;
const FIRST_TICK = 300;
const TICKS = 20;
const AGE_US = 12300;
const BODY = 3;
const SPACE = 1;

// ---- rotations as matrices -------------------------------------------------

const product = (...all) => all.reduce((a, b) => a.map((row) => [0, 1, 2].map((j) => row.reduce((sum, v, k) => sum + v * b[k][j], 0))));
const transposed = (a) => a[0].map((_, j) => a.map((row) => row[j]));
const applied = (a, v) => a.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
const IDENTITY = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

function matrixOf([x, y, z, w]) {
  const n = x * x + y * y + z * z + w * w;
  return [
    [1 - 2 * (y * y + z * z) / n, 2 * (x * y - z * w) / n, 2 * (x * z + y * w) / n],
    [2 * (x * y + z * w) / n, 1 - 2 * (x * x + z * z) / n, 2 * (y * z - x * w) / n],
    [2 * (x * z - y * w) / n, 2 * (y * z + x * w) / n, 1 - 2 * (x * x + y * y) / n],
  ];
}

/** The quaternion of a rotation matrix, with w not negative. */
function quaternionOf(m) {
  const squares = [1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2],
    1 - m[0][0] - m[1][1] + m[2][2], 1 + m[0][0] + m[1][1] + m[2][2]];
  const most = squares.indexOf(Math.max(...squares));
  const w = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]];
  const q = most === 3 ? [...w, squares[3]]
    : [...[0, 1, 2].map((j) => (j === most ? squares[most] : m[most][j] + m[j][most])), w[most]];
  const length = Math.hypot(...q) * (q[3] < 0 ? -1 : 1);
  return q.map((v) => v / length);
}

/** The quaternion of a turn about an axis of length 1, in degrees. */
function about([x, y, z], degrees) {
  const half = degrees * Math.PI / 360;
  return [x, y, z].map((v) => v * Math.sin(half)).concat(Math.cos(half));
}

const rounded = (numbers, digits) => numbers.map((v) => Math.round(v * 10 ** digits) / 10 ** digits + 0);
const written = (q) => rounded(q, 7);

// ---- the figure --------------------------------------------------------------

// As a tool exports it: Z up and centimetres under a root that turns and scales, facing -Z of glTF,
// arms 30 degrees below the T-pose, rest rotations that are not identity.
const armDirection = [-Math.cos(Math.PI / 6), 0, -Math.sin(Math.PI / 6)];
/** The shortest turn from +Y to the arm. */
const alongArm = (() => {
  const [x, y, z] = armDirection;
  const q = [z, 0, -x, 1 + y];
  return q.map((v) => v / Math.hypot(...q));
})();
const raise = about([0, 0, 1], -30);

const descriptor = {
  name: 'example',
  facing: [0, 1, 0, 0],
  nodes: [
    { name: 'root', rotation: written(about([1, 0, 0], -90)), scale: [0.01, 0.01, 0.01] },
    { name: 'pelvis', parent: 0, translation: [0, 0, 96] },
    { name: 'back', parent: 1, translation: [0, -1, 10], rotation: written(about([1, 0, 0], 5)) },
    { name: 'skull', parent: 2, translation: [0, 0, 45], rotation: written(about([0, 0, 1], 90)) },
    { name: 'hat', parent: 3, translation: [0, 0, 20] },
    { name: 'arm', parent: 2, translation: [-18, 0, 35], rotation: written(alongArm) },
    { name: 'forearm', parent: 5, translation: [0, 28, 0] },
    { name: 'wrist', parent: 6, translation: [0, 25, 0], rotation: written(about([0, 1, 0], 20)) },
  ],
  bones: { hips: 1, spine: 2, head: 3, leftUpperArm: 5, leftLowerArm: 6, leftHand: 7 },
  corrections: { leftUpperArm: written(raise), leftLowerArm: written(raise), leftHand: written(raise) },
  offsets: { leftLowerArm: written(about([0, 1, 0], 10)) },
};
const BONES = Object.keys(descriptor.bones);
const HASH = createHash('sha256').update(JSON.stringify(descriptor)).digest('hex');

const nodes = descriptor.nodes.map(({ parent = -1, translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] }) =>
  ({ parent, translation, rotation: matrixOf(rotation), scale }));
const bySort = (record) => Object.fromEntries(Object.entries(record).map(([name, q]) => [name, matrixOf(q)]));
const K = bySort(descriptor.corrections);
const O = bySort(descriptor.offsets);
const F = matrixOf(descriptor.facing);

const restWorld = nodes.reduce((world, { parent, rotation }) =>
  [...world, parent < 0 ? rotation : product(world[parent], rotation)], []);
/** The bone of a node or of the nearest node above that is one. */
const boneOf = (node) => (node < 0 ? undefined : BONES.find((name) => descriptor.bones[name] === node) ?? boneOf(nodes[node].parent));
const worldOf = (node) => product(transposed(F), node < 0 ? IDENTITY : product(K[boneOf(node)] ?? IDENTITY, restWorld[node]));
const W = (bone) => worldOf(descriptor.bones[bone]);
const P = (bone) => worldOf(nodes[descriptor.bones[bone]].parent);
const L = (bone) => nodes[descriptor.bones[bone]].rotation;

/** R of a bone for its N, and N for R, as matrices. */
const relativeOf = (bone, N) => product(transposed(L(bone)), transposed(P(bone)), N, O[bone] ?? IDENTITY, W(bone));
const normalOf = (bone, R) => product(P(bone), L(bone), R, transposed(W(bone)), transposed(O[bone] ?? IDENTITY));

/** Positions of the joints in the space: matrices from the root down, the hips moved. */
function positionsOf(locals, hips, { position, yaw }) {
  const hipsNode = descriptor.bones.hips;
  const walk = (turns, at) => nodes.reduce((found, { parent, translation, scale }, i) => {
    const above = found[parent] ?? { part: IDENTITY, at: [0, 0, 0] };
    const part = product(above.part, turns[i], scale.map((s, j) => [0, 1, 2].map((k) => (j === k ? s : 0))));
    const down = applied(above.part, translation).map((v, c) => v + above.at[c]);
    return [...found, { part, at: (i === hipsNode && at) || down }];
  }, []);
  const rest = walk(nodes.map(({ rotation }) => rotation))[hipsNode].at;
  const posed = walk(locals, applied(F, hips).map((v, c) => v + rest[c]));
  const turn = product(matrixOf(about([0, 1, 0], yaw * 180 / Math.PI)), transposed(F));
  return (bone) => applied(turn, posed[descriptor.bones[bone]].at).map((v, c) => v + position[c]);
}

/** The pose that follows from N of each bone, as a client prints it. */
function poseOf(tick, normal, hips, placement) {
  const locals = nodes.map(({ rotation }) => rotation);
  for (const bone of BONES)
    locals[descriptor.bones[bone]] = product(transposed(P(bone)), normal(bone), O[bone] ?? IDENTITY, W(bone));
  const at = positionsOf(locals, hips, placement);
  const turn = matrixOf(about([0, 1, 0], placement.yaw * 180 / Math.PI));
  const bones = Object.fromEntries(BONES.map((bone) => [bone, {
    rotation: rounded(quaternionOf(bone === 'hips' ? product(turn, normal(bone)) : normal(bone)), 6),
    position: rounded(at(bone), 5) }]));
  return { time: TICK_TIME + Math.floor(tick * 1e6 / TICK_HZ) - AGE_US, body: BODY, bones };
}

// ---- the motion ---------------------------------------------------------------

/** N of each bone and the displacement of the hips at the n-th tick; still from 8 to 10, a jump at 15. */
function motionAt(n) {
  const t = n < 8 ? n : n < 11 ? 8 : n - 2 + (n < 15 ? 0 : 6);
  const swing = (period) => Math.sin(2 * Math.PI * t / period);
  const rotations = {
    spine: about([1, 0, 0], 12 * swing(17)),
    head: about([0, 1, 0], 40 * swing(20)),
    leftUpperArm: about([0, 0, 1], -35 + 30 * swing(13)),
    leftLowerArm: about([0, 1, 0], -45 - 40 * swing(11)),
  };
  return { rotations, hips: [0.05 * swing(19), -0.03 + 0.02 * swing(9), 0.01 * t].map(Math.fround) };
}

const HOME = { position: [1.5, 0, -2], yaw: 1.5707963705062866 };
const AWAY = { position: [1.25, 0, -2.5], yaw: Math.fround(2.2) };
const MOVE = 10;
const JUMP = 15;
const SKIPPED = 5; // the server sends no bundle

// ---- conversations --------------------------------------------------------------

const client = (message) => ({ from: 'client', message });
const server = (message) => ({ from: 'server', message });
const bundle = (bytes, poses) => ({ from: 'server', hex: hex(bytes), poses });

function opening(codings, credit, coding) {
  return [
    client({ type: 'hello', codings, ...(credit && { credit }), client: 'example' }),
    server({ type: 'welcome', protocol: 'jointcast.v1', server: 'golden 1', time: 30012000, wall: 1790000000000000,
      codings: ['smallest-three', 'chains', 'model-chains'].slice(0, coding).map((name, i) => ({ id: i + 1, name })),
      spaces: ['lobby'], rooms: [{ name: 'lobby', tickHz: TICK_HZ, bodies: 1, watched: 0, roles: ['watch'], rewind: 0, recordings: false }],
      limits: { message: 65536, errors: 16, spaces: 8, publications: 8, ignored: 64, bytes: 8388608, rosters: 8, keyframes: 4,
        publishes: 8, amendments: 8, captures: 1000, captureBytes: 1048576, registrations: 8, replays: 4 } }),
    client({ type: 'join', space: 'lobby' }),
    server({ type: 'roster', space: 'lobby', id: SPACE, epoch: '5f1c9a7e', revision: 4, tickHz: TICK_HZ, tickTime: TICK_TIME,
      recording: false, bodies: [{ id: BODY, name: 'walker', skeleton: HASH, incarnation: 0, placement: HOME, state: 'live' }] }),
    client({ type: 'subscribe', space: 'lobby' }),
    server({ type: 'skeleton', hash: HASH, descriptor }),
  ];
}

const ending = [client({ type: 'leave', space: 'lobby' })];

/** The long head first, then short ones. */
const headOf = (n) => begin({ space: SPACE, tick: FIRST_TICK + n }, n > 0);

/** The decimals of makePacket() as numbers. */
const numbers = (list) => list.map((text) => Number(text.slice(1)));

function smallestThree() {
  const messages = opening([1], false, 1);
  for (let n = 0; n < TICKS; n++) {
    if (n === SKIPPED) continue;
    const { rotations, hips } = motionAt(n);
    const inputs = Object.fromEntries(BONES.map((bone) =>
      [bone, quaternionOf(relativeOf(bone, matrixOf(rotations[bone] ?? [0, 0, 0, 1])))]));
    const packet = makePacket({ body: BODY, sequence: n % 16, ageUs: AGE_US, rotations: inputs, hips, cut: n === JUMP,
      ...(n === MOVE && { placement: AWAY }) });
    const decoded = Object.fromEntries(Object.entries(packet.expected.rotations).map(([bone, q]) => [bone, matrixOf(numbers(q))]));
    const pose = poseOf(FIRST_TICK + n, (bone) => normalOf(bone, decoded[bone] ?? IDENTITY),
      packet.expected.hips ? numbers(packet.expected.hips) : [0, 0, 0], placementAt(n));
    messages.push(bundle([...headOf(n), ...packet.bytes(true)], [pose]));
  }
  return { name: 'coding 1', codings: [1], messages: [...messages, ...ending] };
}

const placementAt = (n) => (n < MOVE ? HOME : { ...AWAY, yaw: Math.round(AWAY.yaw / (2 * Math.PI) * 65536) * (2 * Math.PI / 65536) });
const placementBytes = [...AWAY.position.flatMap((v) => svarint(Math.round(v * 1000))),
  ...[0, 8].map((shift) => (Math.round(AWAY.yaw / (2 * Math.PI) * 65536) >> shift) & 255)];

/** A packet that steps the chains of the body and of the hips, in the shape that is the shortest. */
function stepPacket(n, sequence, body, hips) {
  const times = svarint(AGE_US / 100);
  const more = 4 | (n === JUMP ? 1 : 0);
  const cast = (shape, payload) => frame({ body: BODY, sequence, shape, more, times }, payload, true);
  const sized = (bytes) => [...varint(bytes.length), ...bytes];
  if (n === MOVE) { // a mask of the sections present: hips (4), placement (5), body (1)
    const present = [[1, body], [4, hips], [5, placementBytes]].filter(([, bytes]) => bytes.length);
    const mask = present.reduce((bits, [number]) => bits | (1 << (number - 1)), 0);
    return cast(0, [mask, ...present.flatMap(([, bytes], i) => (i === present.length - 1 ? bytes : sized(bytes)))]);
  }
  if (!body.length && !hips.length) return cast(0, []);
  if (!hips.length) return cast(1, body);
  if (!body.length) return cast(0, [8, ...hips]);
  return hips.length === 1 ? cast(2, [...hips, ...body]) : cast(3, [...sized(hips), ...body]);
}

function chains(codings) {
  const [coding] = codings;
  const messages = opening(codings, true, coding);
  const first = motionAt(0);
  const moving = Object.keys(first.rotations);
  const body = new Chain('body', 'standard', moving, first.rotations, coding);
  const hips = new Chain('hips', 'standard', [], { translation: first.hips }, coding);
  const rejoin = (sequence) => frame({ body: BODY, sequence, more: 8 | 4, times: svarint(AGE_US / 100) },
    [...section(1, coding, body.rejoin()), ...section(4, coding, hips.rejoin())], true);
  let sequence = 7;
  for (let n = 0; n < TICKS; n++) {
    if (n === SKIPPED) continue; // nothing was encoded either
    if (n === 9) { // the body is still: the bundle has no packet of it
      messages.push(bundle(headOf(n), []));
      continue;
    }
    const { rotations, hips: translation } = motionAt(n);
    let packet;
    if (n === 0) {
      packet = rejoin(sequence);
    } else {
      sequence = (sequence + 1) % 16;
      packet = stepPacket(n, sequence, body.frame(rotations, n === 8), hips.frame({ translation }, n === 8));
      if (n === 13) packet = rejoin(sequence); // in place of the step
    }
    const shown = body.shown();
    const pose = poseOf(FIRST_TICK + n, (bone) => (shown[bone] ? matrixOf(shown[bone]) : IDENTITY),
      hips.shown().translation, placementAt(n));
    messages.push(bundle([...headOf(n), ...packet], [pose]));
    if (n === 2 || n === 12) messages.push(client({ type: 'ack', space: 'lobby', tick: FIRST_TICK + n }));
  }
  return { name: `coding ${coding}`, codings, messages: [...messages, ...ending] };
}

/** One message a line. */
const print = (conversations) => `[\n${conversations.map(({ messages, ...rest }) =>
  `{${JSON.stringify(rest).slice(1, -1)},"messages":[\n${messages.map((message) => JSON.stringify(message)).join(',\n')}]}`).join(',\n')}\n]\n`;

const file = new URL('conversation.json', import.meta.url);
const text = print([smallestThree(), chains([2, 1]), chains([3, 2, 1])]);
if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('proto/golden/conversation.json is not what make-conversation.mjs makes');
  process.exit(1);
}
