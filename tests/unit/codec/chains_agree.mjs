#!/usr/bin/env node
// Chains in C and in JavaScript follow the same random motion: every byte, every
// number of the state and every bit of what it shows must be the same, whichever
// of them encodes. Of damaged sections they follow the same ones to the same
// states, and refuse the others for the same reason.
//
// usage: chains_agree.mjs CHAIN_SERVER [FRAMES]
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { BONES, BONE_SECTIONS } from '../../../clients/js/tables.js';
import { ChainDecoder, PRECISIONS } from '../../../clients/js/chain.js';
import { ChainEncoder } from '../../../clients/js/chain-encoder.js';
import { ITEM } from '../../../clients/js/coding/chain-model.js';
import { ProtocolError } from '../../../clients/js/error.js';
import { xorshift } from '../../../clients/js/test/random.mjs';

const [server, frames = '10000'] = process.argv.slice(2);
const SECTIONS = { body: 1, face: 2, hands: 3, hips: 4 };

// ---- motion ----------------------------------------------------------------

function turn(q, i, axis, angle) {
  const length = Math.hypot(...axis) || 1;
  const [x, y, z] = axis.map((v) => (v / length) * Math.sin(angle / 2));
  const w = Math.cos(angle / 2);
  const [a, b, c, d] = q.subarray(i, i + 4);
  q[i] = w * a + x * d + y * c - z * b;
  q[i + 1] = w * b - x * c + y * d + z * a;
  q[i + 2] = w * c + x * b - y * a + z * d;
  q[i + 3] = w * d - x * a - y * b - z * c;
  const norm = Math.hypot(...q.subarray(i, i + 4));
  for (let k = i; k < i + 4; k++) q[k] /= norm;
}

/** A body that stands, drifts, swings round and round, and jumps. */
class Motion {
  constructor(section, seed) {
    this.random = xorshift(seed);
    this.isHips = section === 'hips';
    this.value = new Float32Array(this.isHips ? 3 : 4 * BONES.length);
    this.speed = new Float64Array(this.isHips ? 3 : 3 * BONES.length);
    for (let i = 3; !this.isHips && i < this.value.length; i += 4) this.value[i] = 1;
  }

  step() {
    const { random, value, speed } = this;
    const mood = random();
    if (mood > 0.9) return value; // stands
    for (let i = 0; i < speed.length; i++) {
      speed[i] = 0.9 * speed[i] + 0.05 * random() ** 3;
      if (mood < -0.98) speed[i] = 0.4 * random();
    }
    if (this.isHips) {
      for (let c = 0; c < 3; c++) value[c] += speed[c];
      if (mood < -0.995) value.forEach((_, c) => { value[c] = 3990 * random(); });
      return value;
    }
    for (let bone = 0; bone < BONES.length; bone++) {
      const axis = speed.subarray(3 * bone, 3 * bone + 3);
      const jump = random() > 0.999 ? 3 : 0;
      turn(value, 4 * bone, [...axis], Math.hypot(...axis) + jump);
      if (random() > 0.5) for (let k = 0; k < 4; k++) value[4 * bone + k] *= -1;
    }
    return value;
  }
}

// ---- the other side --------------------------------------------------------

const raw = (view) => Buffer.from(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
const maskOf = (bones) => bones.reduce((mask, bone) => mask | (1n << BigInt(bone)), 0n);

const commands = {
  start(section, precision, bones, motion) {
    const how = Buffer.alloc(16);
    how.writeBigUInt64LE(maskOf(bones), 0);
    how[8] = SECTIONS[section];
    how[9] = PRECISIONS.indexOf(precision);
    return [Buffer.from('S'), how, raw(motion)];
  },
  encode: (motion, settle) => [Buffer.from('E'), Buffer.of(settle ? 1 : 0), raw(motion)],
  write: () => [Buffer.from('W')],
  read: (section, bytes) => [Buffer.from('R'), Buffer.of(SECTIONS[section], bytes.length & 255, bytes.length >> 8), bytes],
  decode: (bytes) => [Buffer.from('D'), Buffer.of(bytes.length & 255, bytes.length >> 8), bytes],
  hold: () => [Buffer.from('H')],
  state: () => [Buffer.from('P')],
};

/** Reads the server's answers in order. */
class Answers {
  constructor(script) {
    const { status, stdout, stderr } = spawnSync(server, [], { input: Buffer.concat(script), maxBuffer: 2 ** 30 });
    assert.equal(status, 0, `${stderr}`);
    this.bytes = stdout;
    this.at = 0;
  }

  take(length) {
    this.at += length;
    assert.ok(this.at <= this.bytes.length, 'the server says too little');
    return this.bytes.subarray(this.at - length, this.at);
  }

  status() { return this.take(4).readInt32LE(0); }

  written() {
    const length = this.status();
    return length > 0 ? this.take(length) : length;
  }

  finish() { assert.equal(this.at, this.bytes.length, 'the server says too much'); }
}

/** The state of the server's chain in the form of a chain here. */
function stateOf(chain) {
  if (!chain.started) return Buffer.of(0);
  const shown = chain.section === 'hips'
    ? chain.points(new Float32Array(3))
    : chain.rotations(new Float32Array(4 * BONES.length));
  return Buffer.concat([
    Buffer.of(chain.started ? 1 : 0, chain.precision, chain.count),
    raw(chain.bones.subarray(0, chain.count)),
    raw(chain.state.subarray(0, ITEM * chain.count)),
    raw(shown),
  ]);
}

function assertSameState(answers, expected, what) {
  assert.ok(answers.take(expected.length).equals(expected), `${what}: the state is another`);
}

// ---- both ways -------------------------------------------------------------

function bonesOf(section, random, all) {
  const { first, count } = BONE_SECTIONS[section] ?? { first: 0, count: 0 };
  return Array.from({ length: count }, (_, i) => first + i).filter(() => all || random() > -0.3);
}

/** One chain here and there; gives the number of bytes that it took. */
function follow(section, precision, count, seed, all) {
  const random = xorshift(seed + 1000);
  const motion = new Motion(section, seed);
  const bones = bonesOf(section, random, all);
  const here = new ChainEncoder(section);
  const reader = new ChainDecoder(section);
  const out = new Uint8Array(600);
  const first = motion.step();
  const encoding = [...commands.start(section, precision, bones, first), ...commands.state(), ...commands.write()];
  const decoding = [];
  const expected = []; // of each frame: bytes or 0, states, rejoin

  const rejoin = () => Buffer.from(out.slice(0, here.writeRejoin(out)));
  here.start(precision, first, bones);
  const begun = { state: stateOf(here), rejoin: rejoin() };
  reader.readRejoin(begun.rejoin);
  decoding.push(...commands.read(section, begun.rejoin), ...commands.state());
  for (let frame = 0; frame < count; frame++) {
    const value = motion.step();
    const settle = random() > 0.97;
    const writes = settle || random() > 0.95;
    encoding.push(...commands.encode(value, settle), ...commands.state(), ...(writes ? commands.write() : []));
    const length = here.encode(value, settle, out);
    const bytes = Buffer.from(out.slice(0, length));
    length ? reader.decode(bytes) : reader.hold();
    const state = stateOf(here);
    assert.ok(stateOf(reader).equals(state), `frame ${frame}: the reader here has another state`);
    expected.push({ bytes, state, rejoin: writes ? rejoin() : null });
    decoding.push(...(length ? commands.decode(bytes) : commands.hold()), ...commands.state());
    if (writes && random() > 0) { // a decoder joins on both sides
      const late = expected[frame].rejoin;
      reader.readRejoin(late);
      assert.ok(stateOf(reader).equals(state), `frame ${frame}: a rejoin gives another state`);
      decoding.push(...commands.read(section, late), ...commands.state());
      expected[frame].joined = true;
    }
  }

  const encoder = new Answers(encoding);
  assert.equal(encoder.status(), 0);
  assertSameState(encoder, begun.state, 'start');
  assert.deepEqual(encoder.written(), begun.rejoin);
  const decoder = new Answers(decoding);
  assert.equal(decoder.status(), begun.rejoin.length);
  assertSameState(decoder, begun.state, 'first rejoin');
  expected.forEach(({ bytes, state, rejoin: whole, joined }, frame) => {
    const what = `${section} ${precision} frame ${frame}`;
    const written = encoder.written();
    assert.ok(bytes.length === 0 ? written === 0 : bytes.equals(written), `${what}: other bytes`);
    assertSameState(encoder, state, what);
    if (whole) assert.deepEqual(encoder.written(), whole, `${what}: rejoin`);
    if (bytes.length) assert.equal(decoder.status(), bytes.length, what);
    assertSameState(decoder, state, what);
    if (joined) {
      assert.equal(decoder.status(), whole.length, what);
      assertSameState(decoder, state, `${what}, rejoined`);
    }
  });
  encoder.finish();
  decoder.finish();
  return expected.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

// ---- damage ----------------------------------------------------------------

const ERRORS = { truncated: -2, limit: -3, invalid: -4, unsupported: -5 }; // enum jc_error

/** The result of `act` in the server's form: the length, or the error. */
function statusOf(length, act) {
  try {
    act();
    return length;
  } catch (error) {
    assert.ok(error instanceof ProtocolError, error.stack);
    return ERRORS[error.code];
  }
}

/** Some bytes changed, left out or added. */
function damaged(bytes, random) {
  const any = (below) => Math.floor((random() + 1) / 2 * below);
  const copy = [...bytes];
  for (let n = any(3); n >= 0 && copy.length; n--) copy[any(copy.length)] = any(256);
  if (random() > 0.6) copy.splice(any(copy.length), 1 + any(4));
  if (random() > 0.6) copy.push(...Array.from({ length: 1 + any(4) }, () => any(256)));
  return Buffer.from(copy);
}

/** Sends damaged rejoin sections and frames; returns the number of accepted ones. */
function endure(section, precision, count, seed) {
  const random = xorshift(seed + 2000);
  const motion = new Motion(section, seed);
  const encoder = new ChainEncoder(section);
  const out = new Uint8Array(600);
  const script = [];
  const expected = [];
  let followed = 0;

  encoder.start(precision, motion.step());
  for (let i = 0; i < count; i++) {
    const reader = new ChainDecoder(section);
    const whole = Buffer.from(out.slice(0, encoder.writeRejoin(out)));
    const frame = Buffer.from(out.slice(0, encoder.encode(motion.step(), random() > 0.9, out)));
    const rejoin = random() > 0 ? damaged(whole, random) : whole;
    const first = statusOf(rejoin.length, () => reader.readRejoin(rejoin));
    script.push(...commands.read(section, rejoin));
    expected.push({ status: first, state: stateOf(reader) });
    script.push(...commands.state());
    if (reader.started) {
      const bytes = damaged(frame, random);
      const status = statusOf(bytes.length, () => reader.decode(bytes));
      script.push(...commands.decode(bytes), ...commands.state());
      expected.push({ status, state: stateOf(reader) });
      followed += reader.started ? 1 : 0;
    }
  }
  const answers = new Answers(script);
  expected.forEach(({ status, state }, i) => {
    assert.equal(answers.status(), status, `${section} ${precision}: answer ${i}`);
    assertSameState(answers, state, `${section} ${precision}: damaged ${i}`);
  });
  answers.finish();
  return followed;
}

const sections = Object.keys(SECTIONS);
const each = Math.ceil(Number(frames) / (PRECISIONS.length * sections.length));
let seed = 1;
for (const section of sections) {
  for (const precision of PRECISIONS) {
    const bytes = follow(section, precision, each, seed, precision !== 'coarse');
    const followed = endure(section, precision, each, seed++);
    assert.ok(followed > 0.02 * each && followed < 0.98 * each, `${followed} of ${each} damaged ones followed`);
    console.log(`${section}, ${precision}: ${each} frames, ${bytes} bytes, the same in both; ${followed} damaged ones followed`);
  }
}
