#!/usr/bin/env node
// Makes the golden vectors of SMALL-PACKETS.md, "Chains".
//
// usage: node proto/golden/make-chains.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import { BONES, Chain, PRECISIONS, TABLE, THREE, square } from './chain-writer.mjs';
import { begin, frame as framePacket, hex, section as frameSection } from './packet-writer.mjs';

// ---- motion ----------------------------------------------------------------

/** The rotation by tan(angle / 4) · axis, to single precision. */
function rotation(v) {
  const s = square(v);
  return [...v.map((at) => (2 * at) / (1 + s)), (1 - s) / (1 + s)].map(Math.fround);
}

const negative = (q) => q.map((v) => -v);

/** Points in the chart that swing, each bone in its own way; wave(t) from -1 to 1 with period 2. */
const wave = (t) => {
  const x = t - 2 * Math.floor((t + 1) / 2);
  return 4 * x * (1 - Math.abs(x));
};
const swing = (bone, t) => THREE.map((c) => 0.25 * wave(0.05 * t + 0.37 * bone + 0.61 * c) * wave(0.013 * t * (c + 1) + 0.11 * bone));

const posesOf = (names, at) => Object.fromEntries(names.map((name, i) => [name, rotation(at(i))]));

// ---- vectors ---------------------------------------------------------------

/** A chain and what happens to it, step by step. */
function vector(name, section, precision, bones, script, coding = 2) {
  const steps = [];
  let chain = null;
  const show = () => ({ state: chain.state(), shown: chain.shown() });
  const tools = {
    start(motion) {
      chain = new Chain(section, precision, bones, motion, coding);
      steps.push({ do: 'start', motion, ...show() });
      tools.rejoin();
    },
    frame(motion, settle = false) {
      const bytes = chain.frame(motion, settle);
      steps.push({ do: bytes.length ? 'frame' : 'hold', motion, settle, hex: hex(bytes), ...show() });
    },
    rejoin() {
      steps.push({ do: 'rejoin', settled: chain.isSettled(), hex: hex(chain.rejoin()) });
    },
  };
  script(tools, (at) => posesOf(chain?.names ?? bones, at));
  return { name, ...(coding === 2 ? {} : { coding }), section, precision, bones, steps };
}

const bonesOf = (section) => BONES.filter((bone) => bone.section === section).map((bone) => bone.name);

/** Still, moving, settled and not, jumping: every kind of section. */
function routine(section, bones) {
  return ({ start, frame, rejoin }) => {
    const pose = (t) => posesOf(bones, (i) => swing(i, t));
    start(pose(0));
    frame(pose(0));
    for (let t = 1; t <= 4; t++) frame(pose(t));
    rejoin();
    frame(pose(5), true);
    rejoin();
    frame(pose(5));
    frame(pose(45));
    frame(pose(46));
    rejoin();
  };
}

function hipsRoutine({ start, frame, rejoin }) {
  const at = (x, y, z) => ({ translation: [x, y, z].map(Math.fround) });
  start(at(0.01, -0.02, 0.5));
  frame(at(0.01, -0.02, 0.5));
  for (let t = 1; t <= 5; t++) frame(at(0.01 + 0.011 * t, -0.02 + 0.003 * t * t, 0.5 - 0.02 * t));
  rejoin();
  frame(at(0.07, 0.06, 0.39), true);
  rejoin();
  frame(at(-3.5, 0.9, 120));
  frame(at(-3.5, 0.9, 120.01));
  frame(at(3999, -3999, 3999));
  frame(at(-3999, 3999, -3999));
  rejoin();
}

/** Once round and on, past 240 degrees, where the other point is taken. */
function flips({ start, frame, rejoin }) {
  const pose = (turn, sign) => {
    const q = rotation([0.3 * turn, 0.2 * turn, turn]);
    return { leftHand: sign < 0 ? negative(q) : q, head: rotation([0, turn, 0]) };
  };
  start(pose(0.9, 1));
  for (let t = 1; t <= 9; t++) frame(pose(0.9 + 0.1 * t, t % 2 ? -1 : 1));
  rejoin();
  frame(pose(1.9, 1), true);
  frame(pose(2.5, 1));
  frame(pose(9, 1));
  rejoin();
}

/** A mouth that speaks and a gaze, as values; up to the ends of what they may be. */
function faceRoutine({ start, frame, rejoin }) {
  const at = (t) => Object.fromEntries([0, 1, 2].map((i) => [`v${i}`,
    THREE.map((c) => Math.fround(i === 2 && c > 0 ? 0 : 0.5 + 0.5 * wave(0.07 * t + 0.3 * i + 0.5 * c)))]));
  start({ v0: [0, 0, 0], v1: [1, -1, 0], v2: [0.5, 0, 0] });
  frame({ v0: [0, 0, 0], v1: [1, -1, 0], v2: [0.5, 0, 0] });
  for (let t = 0; t <= 6; t++) frame(at(t));
  rejoin();
  frame(at(7), true);
  rejoin();
  frame({ v0: [0, 0, 0], v1: [-1, 1, 0], v2: [1, 0, 0] });
  frame(at(8));
  rejoin();
}

/** A grip and a seat: rotations and translations by turns. */
function virtualRoutine({ start, frame, rejoin }) {
  const at = (t) => ({ r0: rotation(swing(3, t)), t0: [0.1 * t, 1.2, -0.01 * t * t].map(Math.fround),
    r1: rotation(swing(9, t / 2)), t1: [0.5, 0.45, 0].map(Math.fround) });
  start(at(0));
  frame(at(0));
  for (let t = 1; t <= 5; t++) frame(at(t));
  rejoin();
  frame(at(6), true);
  rejoin();
  frame(at(60));
  rejoin();
}

const extremes = ({ start, frame, rejoin }) => {
  const root = Math.fround(Math.sqrt(0.5));
  const pose = (hips, jaw) => ({ leftEye: hips, jaw });
  start(pose([0, 0, 0, 1], [0, 0, 0, -1]));
  frame(pose([1, 0, 0, 0], [0, -1, 0, 0]));
  frame(pose([-root, 0, 0, root], [0, 0, root, -root]));
  frame(pose([0, 0, 0, 1.0009], [0.5, 0.5, 0.5, 0.4999]));
  frame(pose([0, 0, 0, 0.9991], [0.5, 0.5, 0.5, 0.5]));
  rejoin();
};

function makeVectors() {
  const some = { body: ['hips', 'head', 'leftLowerArm', 'rightToes'], face: bonesOf('face'), hands: ['leftThumbMetacarpal', 'leftIndexDistal', 'rightLittleDistal'] };
  const vectors = [];
  for (const precision of Object.keys(PRECISIONS)) {
    for (const section of ['body', 'face', 'hands']) {
      vectors.push(vector(`${section}, ${precision}`, section, precision, some[section], routine(section, some[section])));
    }
    vectors.push(vector(`hips, ${precision}`, 'hips', precision, [], hipsRoutine));
    vectors.push(vector(`channels, ${precision}`, 'channels', precision, ['v0', 'v1', 'v2'], faceRoutine));
    vectors.push(vector(`virtual transforms, ${precision}`, 'virtual', precision, ['r0', 't0', 'r1', 't1'], virtualRoutine));
    vectors.push(vector(`past 240 degrees, ${precision}`, 'body', precision, ['head', 'leftHand'], flips));
  }
  const whole = ({ start, frame, rejoin }, pose) => {
    start(pose((i) => swing(i, 10)));
    frame(pose((i) => swing(i, 10.5)));
    rejoin();
  };
  vectors.push(vector('all of the body', 'body', 'standard', bonesOf('body'),
    (tools) => whole(tools, (at) => posesOf(bonesOf('body'), at))));
  vectors.push(vector('all of the hands', 'hands', 'standard', bonesOf('hands'),
    (tools) => whole(tools, (at) => posesOf(bonesOf('hands'), at))));
  vectors.push(vector('half turns and lengths that are not quite one', 'face', 'fine', ['leftEye', 'jaw'], extremes));
  vectors.push(vector('no channels', 'channels', 'fine', [], ({ start, frame, rejoin }) => {
    start({});
    frame({});
    frame({}, true);
    rejoin();
  }));
  vectors.push(vector('no bones', 'hands', 'fine', [], ({ start, frame, rejoin }) => {
    start({});
    frame({});
    frame({}, true);
    rejoin();
  }));
  return vectors;
}

/** The trunk sways and stands still, and the arms hang on it. */
function swaying({ start, frame, rejoin }, posesAt) {
  const pose = (t) => posesAt((i) => THREE.map((c) => (i % 3 === 1 ? 0.1 : 0.0004) * wave(0.02 * t + 0.37 * i + 0.61 * c)));
  start(pose(0));
  for (let t = 1; t <= 12; t++) frame(pose(t < 9 ? t : 9));
  frame(pose(10), true);
  rejoin();
  frame(pose(40));
  frame(pose(41));
  rejoin();
}

/** Hips that sway over feet that nearly stand, then walk off and stand again. */
function standing({ start, frame, rejoin }, posesAt) {
  const pose = (t) => ({
    ...posesAt((i) => THREE.map((c) => 0.004 * wave(0.04 * t + 0.31 * i + 0.5 * c))),
    translation: [0.012 * wave(0.03 * t), 0.002 * wave(0.05 * t), 0.009 * wave(0.02 * t + 0.4)].map(Math.fround),
  });
  start(pose(0));
  for (let t = 1; t <= 8; t++) frame(pose(t));
  frame(pose(8));
  frame(pose(9), true);
  frame(pose(40));
  frame(pose(41));
  frame(pose(42));
  rejoin();
}

/** Chains of coding 3. */
function makeModelVectors() {
  const vectors = [];
  const add = (name, section, precision, bones, script) => vectors.push(vector(name, section, precision, bones, script, 3));
  const legs = bonesOf('body').filter((name) => /Leg|Foot|Toes/.test(name));
  const without = (...absent) => bonesOf('body').filter((name) => !absent.includes(name));
  const some = { body: ['hips', 'chest', 'leftShoulder', 'leftUpperArm', 'leftHand', 'rightToes'], face: bonesOf('face'),
    hands: ['leftThumbMetacarpal', 'leftIndexDistal', 'rightLittleDistal'] };
  const arm = ['hips', 'spine', 'chest', 'upperChest', 'leftShoulder', 'leftUpperArm', 'leftLowerArm', 'leftHand'];
  for (const precision of Object.keys(PRECISIONS)) {
    for (const section of ['body', 'face', 'hands']) {
      add(`${section}, ${precision}`, section, precision, some[section], routine(section, some[section]));
    }
    add(`sways, ${precision}`, 'body', precision, arm, swaying);
    add(`feet that stand, ${precision}`, 'body', precision, ['hips', 'head', ...legs], standing);
    add(`past 240 degrees, ${precision}`, 'body', precision, ['head', 'leftHand'], flips);
    add(`hips, ${precision}`, 'hips', precision, [], hipsRoutine);
  }
  add('all of the body', 'body', 'standard', bonesOf('body'), swaying);
  add('without chest and shoulders', 'body', 'standard', without('upperChest', 'chest', 'leftShoulder', 'rightShoulder', ...legs), swaying);
  add('without hips', 'body', 'fine', without('hips', 'neck', ...legs), swaying);
  add('a hand', 'hands', 'standard', bonesOf('hands').slice(0, 15), swaying);
  add('fingers without those beside them', 'hands', 'fine', ['leftIndexIntermediate', 'leftIndexDistal', 'leftMiddleProximal', 'leftRingIntermediate',
    'leftLittleIntermediate', 'rightThumbDistal', 'rightMiddleIntermediate', 'rightRingIntermediate'], swaying);
  add('channels', 'channels', 'standard', ['v0', 'v1', 'v2'], faceRoutine);
  add('virtual transforms', 'virtual', 'standard', ['r0', 't0', 'r1', 't1'], virtualRoutine);
  return vectors;
}

// ---- damage ----------------------------------------------------------------

function makeBroken() {
  const broken = [];
  const identity = [0, 0, 0, 1];
  const jaw = () => new Chain('face', 'fine', ['jaw'], { jaw: identity });
  const hips = () => new Chain('hips', 'standard', [], { translation: [0, 0, 0] });
  const good = jaw().rejoin();
  const rejoin = (name, error, bytes, section = 'face') => broken.push({ name, section, do: 'rejoin', hex: hex(bytes), error });
  const frame = (name, error, chain, bytes) => broken.push({ name, section: chain.section, do: 'frame', after: hex(chain.rejoin()), hex: hex(bytes), error });
  const changed = (index, value) => good.map((byte, i) => (i === index ? value : byte));
  const stateWith = (change) => {
    const chain = jaw();
    Object.assign(chain.items[0], change);
    return chain;
  };

  rejoin('a rejoin section of no bytes', 'truncated', []);
  rejoin('a rejoin section of a head', 'truncated', good.slice(0, 2));
  rejoin('a rejoin section of the hips of a head', 'truncated', hips().rejoin().slice(0, 1), 'hips');
  rejoin('another table', 'unsupported', changed(0, 4 * (TABLE.table + 1)));
  rejoin('another table and no such precision', 'unsupported', changed(0, 4 * (TABLE.table + 1) + 3));
  rejoin('no such precision', 'invalid', changed(0, 4 * TABLE.table + 3));
  rejoin('a bone that the section has not', 'invalid', changed(1, good[1] | 8));
  rejoin('a rejoin section with bytes left over', 'invalid', [...good, 1, 2, 3, 4, 5]);
  rejoin('a rejoin section of 601 bytes', 'limit', [...good, ...Array(601 - good.length).fill(0)]);
  rejoin('a place out of range', 'invalid', stateWith({ p: [0n, 30002n, 0n] }).rejoin());
  rejoin('a place far out of range', 'invalid', stateWith({ p: [0n, 0n, -(1n << 40n)] }).rejoin());
  rejoin('a miss that is too great', 'invalid', stateWith({ m: [6401n, 0n, 0n] }).rejoin(false));
  rejoin('a settled miss above the last', 'invalid', jaw().rejoin(true, 5n));
  rejoin('a settled miss below the first', 'invalid', jaw().rejoin(true, -1n));
  rejoin('a step that is too long', 'invalid', stateWith({ pace: [1025n * 16n, 0n, 0n], m: [65n, 65n, 65n] }).rejoin());
  rejoin('a step that is too long backwards', 'invalid', stateWith({ pace: [0n, 0n, -1024n * 16n], m: [65n, 65n, 65n] }).rejoin());
  rejoin('ones without end', 'invalid', [...good.slice(0, 2), ...Array(300).fill(255)]);
  const far = hips();
  far.items[0].p = [0n, 4000001n, 0n];
  rejoin('hips out of range', 'invalid', far.rejoin(), 'hips');

  const values = () => new Chain('channels', 'standard', ['v0'], { v0: [0, 0, 0] });
  const beyond = values();
  beyond.items[0].p = [0n, 201n, 0n];
  rejoin('a rejoin section of channels of a head', 'truncated', values().rejoin().slice(0, 2), 'channels');
  rejoin('a value out of range', 'invalid', beyond.rejoin(), 'channels');
  rejoin('31 triples of values', 'invalid', [values().rejoin()[0], 31, 1, 2, 3], 'channels');
  rejoin('16 virtual transforms', 'invalid', [values().rejoin()[0], 16, 1, 2, 3], 'virtual');
  rejoin('255 virtual transforms', 'invalid', [values().rejoin()[0], 255, 1, 2, 3], 'virtual');
  frame('a value goes out of range', 'invalid', values(), values().frame(null, false, [0n, -201n, 0n]));

  frame('a frame of 601 bytes', 'limit', jaw(), Array(601).fill(0));
  frame('a frame with bytes left over', 'invalid', jaw(), [...jaw().frame({ jaw: rotation([0.1, 0, 0]) }, false), 1, 2, 3, 4, 5]);
  frame('a bone goes out of range', 'invalid', jaw(), jaw().frame(null, false, [0n, 30002n, 0n]));
  frame('hips go out of range', 'invalid', hips(), hips().frame(null, false, [0n, 0n, 4000001n]));
  frame('a frame of ones without end', 'invalid', hips(), Array(200).fill(255));
  return broken;
}

// ---- discarded bundles --------------------------------------------------------

/** A stream of one body of which a reader refuses sixteen bundles: `sequence` shows no gap then. */
function makeDiscarded() {
  const [space, body, hips, K] = [9, 1, 4, 8];
  const place = (i) => ({ translation: [0.1 * i, 1 - 0.03 * i, -0.2 * i].map(Math.fround) });
  const chain = new Chain('hips', 'standard', [], place(0));
  const messages = [];
  let [tick, sequence, shown] = [300, 0, null];
  const add = (packet, { error, waits } = {}) => {
    const bytes = [...begin({ space, tick: tick++ }), ...packet];
    if (error) {
      bytes.splice(1, 1, 0x80 | space, 0); // a varint longer than its shortest form
    }
    shown = error || waits ? shown : chain.shown().translation;
    messages.push({ hex: hex(bytes), ...(error ? { error } : {}), waits: Boolean(error || waits), hips: shown });
  };
  const rejoin = () => add(framePacket({ body, sequence: sequence % 16, more: K }, frameSection(hips, 2, chain.rejoin()), true));
  const step = (what) => {
    const bytes = chain.frame(place(++sequence), false);
    add(framePacket({ body, sequence: sequence % 16 }, [1 << (hips - 1), ...bytes], true), what);
  };
  rejoin();
  step();
  step();
  for (let i = 0; i < 16; i++) {
    step({ error: 'invalid' });
  }
  step({ waits: true });
  step({ waits: true });
  rejoin();
  step();
  return [{ name: 'sixteen packets of a stream are discarded', space, body, steps: messages }];
}

// ---- files -----------------------------------------------------------------

/** One step a line. */
function print(vectors) {
  const one = ({ steps, ...rest }) => (steps
    ? `{${JSON.stringify(rest).slice(1, -1)},"steps":[\n${steps.map((step) => JSON.stringify(step)).join(',\n')}]}`
    : JSON.stringify(rest));
  return `[\n${vectors.map(one).join(',\n')}\n]\n`;
}

let stale = 0;
for (const [name, vectors] of [['chains.json', makeVectors()], ['model-chains.json', makeModelVectors()], ['broken-chains.json', makeBroken()], ['discarded.json', makeDiscarded()]]) {
  const text = print(vectors);
  const file = new URL(name, import.meta.url);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`proto/golden/${name} is not what make-chains.mjs makes`);
    stale += 1;
  }
}
process.exit(stale ? 1 : 0);
