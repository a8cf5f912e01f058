// Streams of coding 2: packets made by the encoder of chains against the decoder
// that keeps them in step.
import assert from 'node:assert/strict';
import test from 'node:test';
import { BONES, ChainEncoder, Payload, ProtocolError, Skeleton, StreamDecoder } from '../index.js';
import { angle, multiply, conjugate } from '../quat.js';

const HALF = Math.SQRT1_2;
const HEAD = BONES.indexOf('head');
const CODING = 2;

// Hips, and a head whose node lies on its side, with a correction and an offset.
const skeleton = new Skeleton('aa', {
  nodes: [{ name: 'hips', translation: [0, 1, 0], rotation: [0, HALF, 0, HALF] },
    { name: 'head', parent: 0, translation: [0, 0.6, 0], rotation: [HALF, 0, 0, HALF] }],
  bones: { hips: 0, head: 1 },
  corrections: { head: [0, 0, HALF, HALF] },
  offsets: { head: [0, 0.6, 0, 0.8] },
});

const varint = (value) => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7]);

/** Packets of a figure with a head that turns about +X and hips that move along +X. */
class Publisher {
  chains = { body: new ChainEncoder('body'), hips: new ChainEncoder('hips') };
  sequence = 15;

  motion(section, radians) {
    const rotations = new Float32Array(4 * BONES.length);
    for (let i = 3; i < rotations.length; i += 4)
      rotations[i] = 1;
    rotations.set([Math.sin(radians / 2), 0, 0, Math.cos(radians / 2)], 4 * HEAD);
    return section === 'hips' ? [radians, 0, 0] : rotations;
  }

  section(name, write) {
    const out = new Uint8Array(700);
    const length = write(out);
    const number = name === 'body' ? 1 : 4;
    return length ? [(number << 4) | CODING, ...varint(length), ...out.subarray(0, length)] : [];
  }

  packet(needsState, bytes) {
    return { head: { needsState, sequence: this.sequence, incarnation: 0 }, bytes: Uint8Array.from(bytes) };
  }

  start(radians) {
    this.chains.body.start('fine', this.motion('body', radians), [0, HEAD]);
    this.chains.hips.start('fine', this.motion('hips', radians));
    this.sequence = (this.sequence + 1) & 15;
    return this.rejoin();
  }

  step(radians) {
    const bytes = Object.entries(this.chains).flatMap(([name, chain]) =>
      this.section(name, (out) => chain.encode(this.motion(name, radians), false, out)));
    this.sequence = (this.sequence + 1) & 15;
    return this.packet(true, bytes);
  }

  rejoin() {
    return this.packet(false, Object.entries(this.chains).flatMap(([name, chain]) =>
      this.section(name, (out) => chain.writeRejoin(out))));
  }
}

const give = (decoder, { head, bytes }, payload, more = {}) =>
  decoder.decode(bytes, 0, bytes.length, { ...head, ...more }, skeleton, payload);

/** Degrees by which the head of a payload is off, local rotations against P⁻¹ · N · O · W. */
function off(payload, radians) {
  const node = skeleton.bones[HEAD];
  const n = [Math.sin(radians / 2), 0, 0, Math.cos(radians / 2)];
  const expected = conjugate(skeleton.parentTPose, 4 * node, [0, 0, 0, 1], 0);
  multiply(expected, 0, n, 0, expected, 0);
  multiply(expected, 0, [0, 0.6, 0, 0.8], 0, expected, 0);
  multiply(expected, 0, skeleton.tPose, 4 * node, expected, 0);
  const local = skeleton.localRotation(HEAD, payload.rotations, [0, 0, 0, 1]);
  return angle(local, 0, expected, 0) * (180 / Math.PI);
}

test('decodes a stream within its error bound, as R of the skeleton', () => {
  const publisher = new Publisher();
  const decoder = new StreamDecoder();
  const payload = new Payload();
  for (let i = 0; i < 300; i++) {
    const radians = 2 * Math.sin(i / 20);
    const packet = i === 0 ? publisher.start(radians) : publisher.step(radians);
    assert.equal(give(decoder, packet, payload), true);
    assert.ok(decoder.isFollowing);
    assert.ok(off(payload, radians) <= 0.06 + 1e-4, `${off(payload, radians)} at ${i}`);
    assert.ok(Math.abs(payload.hips[0] - radians) <= 0.0005 + 1e-6);
    assert.ok(payload.hasHips);
    assert.deepEqual([...payload.masks], [1 | (1 << HEAD), 0, 0]);
    assert.deepEqual([...payload.rotations.subarray(4, 8)], [0, 0, 0, 1]);
  }
});

test('drops packets after a loss until one needs no state', () => {
  const publisher = new Publisher();
  const decoder = new StreamDecoder();
  const payload = new Payload();
  give(decoder, publisher.start(0), payload);
  give(decoder, publisher.step(0.1), payload);
  publisher.step(0.2); // lost
  assert.equal(give(decoder, publisher.step(0.3), payload), false);
  assert.ok(!decoder.isFollowing);
  assert.equal(give(decoder, publisher.step(0.4), payload), false);
  publisher.step(0.5);
  assert.equal(give(decoder, publisher.rejoin(), payload), true);
  assert.ok(off(payload, 0.5) <= 0.0601);
  assert.equal(give(decoder, publisher.step(0.6), payload), true);
  assert.ok(off(payload, 0.6) <= 0.0601);
});

test('a new incarnation and a new connection restart the stream', () => {
  for (const begin of [(decoder) => decoder.reset(), () => {}]) {
    const publisher = new Publisher();
    const decoder = new StreamDecoder();
    const payload = new Payload();
    give(decoder, publisher.start(0), payload);
    begin(decoder);
    const more = decoder.synchronized ? { incarnation: 1 } : {};
    assert.equal(give(decoder, publisher.step(0.1), payload, more), false);
    assert.equal(give(decoder, publisher.rejoin(), payload, more), true);
    assert.equal(give(decoder, publisher.step(0.2), payload, more), true);
  }
});

test('a rejoin packet removes the chains that it does not contain', () => {
  const publisher = new Publisher();
  const decoder = new StreamDecoder();
  const payload = new Payload();
  give(decoder, publisher.start(0.5), payload);
  publisher.step(0.5);
  const whole = publisher.rejoin();
  const hips = publisher.packet(false, publisher.section('hips', (out) => publisher.chains.hips.writeRejoin(out)));
  assert.ok(whole.bytes.length > hips.bytes.length);
  assert.equal(give(decoder, hips, payload), true);
  assert.deepEqual([...payload.rotations.subarray(4 * HEAD, 4 * HEAD + 4)], [0, 0, 0, 1]);
  assert.ok(payload.hasHips);
});

test('states stay until a packet changes them', () => {
  const publisher = new Publisher();
  const decoder = new StreamDecoder();
  const payload = new Payload();
  const masks = (known, estimated) => [0x61, 14, known, 0, 0, 0, 0, 0, 0, estimated, 0, 0, 0, 0, 0, 0];
  const start = publisher.start(0);
  give(decoder, { ...start, bytes: Uint8Array.from([...start.bytes, ...masks(0x21, 0x20)]) }, payload);
  assert.deepEqual([payload.states[0], payload.states[1], payload.states[HEAD]], [2, 0, 1]);
  give(decoder, publisher.step(0.1), payload);
  assert.deepEqual([payload.states[0], payload.states[HEAD]], [2, 1]);
  const step = publisher.step(0.2);
  give(decoder, { ...step, bytes: Uint8Array.from([...step.bytes, ...masks(0x20, 0)]) }, payload);
  assert.deepEqual([payload.states[0], payload.states[HEAD]], [0, 2]);
});

test('rejects invalid states', () => {
  for (const [bytes, code] of [[[0x61, 2, 1, 0], 'truncated'],
    [[0x61, 14, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0], 'invalid'],
    [[0x61, 14, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0], 'invalid'],
    [[0x61, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 'invalid']]) {
    const head = { needsState: false, sequence: 0, incarnation: 0 };
    assert.throws(() => give(new StreamDecoder(), { head, bytes: Uint8Array.from(bytes) }, new Payload()),
      (error) => error instanceof ProtocolError && error.code === code);
  }
});

test('any damage requires a rejoin packet', () => {
  let state = 12345;
  const random = (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  let refused = 0;
  const payload = new Payload();
  for (let i = 0; i < 500; i++) {
    const publisher = new Publisher();
    const decoder = new StreamDecoder();
    give(decoder, publisher.start(i / 100), payload);
    const { head, bytes } = i % 2 ? publisher.step(i / 90) : publisher.rejoin();
    bytes[random(bytes.length)] ^= 1 << random(8);
    try {
      decoder.decode(bytes, 0, bytes.length - random(2), head, skeleton, payload);
      assert.ok(decoder.synchronized);
    } catch (error) {
      assert.ok(error instanceof ProtocolError, error.stack);
      assert.ok(!decoder.synchronized);
      refused++;
    }
    assert.ok(payload.rotations.every(Number.isFinite));
  }
  assert.ok(refused > 50);
});

test('relativeRotation undoes normalizedRotation', () => {
  for (let i = 0; i < 20; i++) {
    const rotations = new Float64Array(4 * BONES.length);
    const q = [Math.sin(i), Math.cos(3 * i), Math.sin(5 * i + 1), 0.3];
    const length = Math.hypot(...q);
    rotations.set(q.map((x) => x / length), 4 * HEAD);
    const n = new Float64Array(4 * BONES.length);
    skeleton.normalizedRotation(HEAD, rotations, n, 4 * HEAD);
    const back = skeleton.relativeRotation(HEAD, n, [0, 0, 0, 1]);
    assert.ok(angle(back, 0, rotations, 4 * HEAD) < 1e-7);
  }
});
