// Captures against the golden vectors, both ways and to the last bit, against noise,
// and against what no publisher should send.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ABSENT, BodyFrame, CAPTURE_BYTES, ESTIMATED, PoseFrame, TRACKED, captureMessage,
  decodeBodyFrame, decodePose, encodeBodyFrame, encodePose } from '../body-frame.js';
import { ProtocolError } from '../error.js';
import { BONES, JOINTS } from '../tables.js';
import { assertSame, fromHex, golden, toHex } from './golden.mjs';

const KINDS = {
  'body-frame': { names: JOINTS, Frame: BodyFrame, encode: encodeBodyFrame, decode: decodeBodyFrame },
  pose: { names: BONES, Frame: PoseFrame, encode: encodePose, decode: decodePose },
};
const STATES = { tracked: TRACKED, estimated: ESTIMATED };

/** The frame that a vector's input describes. */
function frameOf(input) {
  const { names, Frame } = KINDS[input.kind];
  const frame = new Frame();
  Object.assign(frame, { time: input.time, cut: input.cut, values: Float32Array.from(input.values) });
  if (input.kind === 'body-frame') {
    Object.assign(frame, { isRest: input.rest, confidence: input.confidence });
  } else {
    frame.hips.set(input.hips);
  }
  for (const [name, { state, position, rotation }] of Object.entries(input.items)) {
    const i = names.indexOf(name);
    frame.states[i] = STATES[state];
    frame.rotations.set(rotation, 4 * i);
    if (position) {
      frame.positions.set(position, 3 * i);
    }
  }
  return frame;
}

for (const { name, hex, expected, input } of golden('captures.json')) {
  const { names, Frame, encode, decode } = KINDS[input.kind];

  test(`encodes ${name}`, () => assert.equal(toHex(encode(frameOf(input))), hex));

  test(`decodes ${name}`, () => {
    const frame = decode(fromHex(hex), new Frame());
    assert.equal(frame.time, expected.time);
    assert.equal(frame.cut, expected.cut);
    assertSame(frame.values, expected.values, 'values');
    if (input.kind === 'body-frame') {
      assert.equal(frame.isRest, expected.rest);
      assert.equal(frame.confidence, expected.confidence);
    } else {
      assertSame(frame.hips, expected.hips, 'hips');
    }
    names.forEach((item, i) => {
      const { state, position, rotation } = expected.items[item] ?? {};
      assert.equal(frame.states[i], STATES[state] ?? ABSENT, item);
      assertSame(frame.rotations.subarray(4 * i, 4 * i + 4), rotation ?? [0, 0, 0, 1], item);
      if (input.kind === 'body-frame') {
        assertSame(frame.positions.subarray(3 * i, 3 * i + 3), position ?? [0, 0, 0], item);
      }
    });
  });
}

for (const { name, kind, hex, error } of golden('broken-captures.json')) {
  test(`refuses ${name} as ${error}`, () => {
    const { Frame, decode } = KINDS[kind];
    assert.throws(() => decode(fromHex(hex), new Frame()),
      (thrown) => thrown instanceof ProtocolError && thrown.code === error);
  });
}

const bodyFrame = () => Object.assign(new BodyFrame(), { time: 1 });
function withHips(frame, position, rotation) {
  frame.states[0] = TRACKED;
  frame.positions.set(position);
  frame.rotations.set(rotation);
  return frame;
}

test('rejects invalid body frames when encoding', () => {
  const rotation = [0, 0, 0, 1];
  for (const [what, frame] of [
    ['a NaN in a position', withHips(bodyFrame(), [0, NaN, 0], rotation)],
    ['a joint a kilometre and a step away', withHips(bodyFrame(), [0, 0, 1000.1], rotation)],
    ['a rotation of zeros', withHips(bodyFrame(), [0, 0, 0], [0, 0, 0, 0])],
    ['a rotation of NaN', withHips(bodyFrame(), [0, 0, 0], [NaN, 0, 0, 1])],
    ['a rotation too long', withHips(bodyFrame(), [0, 0, 0], [0, 0, 0, 1.002])],
    ['a confidence of NaN', Object.assign(bodyFrame(), { confidence: NaN })],
    ['a confidence above 1', Object.assign(bodyFrame(), { confidence: 1.1 })],
    ['a time before the daemon began', Object.assign(bodyFrame(), { time: -1 })],
    ['a time of NaN', Object.assign(bodyFrame(), { time: NaN })],
    ['a time of 49 bits', Object.assign(bodyFrame(), { time: 2 ** 48 })],
    ['a value of NaN', Object.assign(bodyFrame(), { values: Float32Array.of(NaN) })],
  ]) {
    assert.throws(() => encodeBodyFrame(frame), { name: 'ProtocolError', code: 'invalid' }, what);
  }
  assert.throws(() => encodeBodyFrame(Object.assign(bodyFrame(), { values: new Float32Array(1025) })),
    { code: 'limit' });
  const pose = new PoseFrame();
  pose.hips[1] = Infinity;
  assert.throws(() => encodePose(pose), { code: 'invalid' });
});

test('ignores the data of absent joints when encoding', () => {
  const frame = bodyFrame();
  frame.positions.fill(NaN);
  frame.rotations.fill(NaN);
  assert.equal(encodeBodyFrame(frame).length, 22);
});

test('a failed encoding does not affect the next one', () => {
  const good = toHex(encodeBodyFrame(withHips(bodyFrame(), [0, 1, 0], [0, 0, 0, 1])));
  assert.throws(() => encodeBodyFrame(withHips(bodyFrame(), [0, 1, 0], [0, 0, 0, 2])));
  assert.equal(toHex(encodeBodyFrame(withHips(bodyFrame(), [0, 1, 0], [0, 0, 0, 1]))), good);
});

test('the largest capture is within the maximum length', () => {
  const frame = bodyFrame();
  frame.values = new Float32Array(1024).fill(1);
  JOINTS.forEach((_, i) => {
    frame.states[i] = i % 2 ? TRACKED : ESTIMATED;
    frame.positions.fill(i % 2 ? 1000 : -1000, 3 * i, 3 * i + 3);
    frame.rotations[4 * i + 3] = 1;
  });
  assert.ok(encodeBodyFrame(frame).length <= CAPTURE_BYTES);
});

test('a message consists of kind, publication and capture', () => {
  assert.deepEqual([...captureMessage(255, Uint8Array.of(7, 8))], [0x21, 255, 7, 8]);
});

test('random bytes are decoded or rejected without other errors', () => {
  let state = 4711;
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const seeds = golden('captures.json').map(({ hex, input }) => [fromHex(hex), KINDS[input.kind]]);
  let read = 0;
  for (let n = 0; n < 20000; n++) {
    const [seed, { Frame, decode }] = seeds[random() % seeds.length];
    const bytes = seed.slice(0, random() % 4 ? seed.length : random() % (seed.length + 1));
    for (let k = random() % 4; k > 0 && bytes.length > 0; k--) {
      bytes[random() % bytes.length] = random();
    }
    try {
      decode(bytes, new Frame());
      read++;
    } catch (error) {
      assert.ok(error instanceof ProtocolError, error.stack);
    }
  }
  assert.ok(read > 2000 && read < 20000);
});
