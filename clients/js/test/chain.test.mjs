// Chains against the golden vectors, number by number and byte by byte, against
// noise, and against their guarantees: the bound, and the same state in all decoders after
// a rejoin section.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import {
  BONES, BONE_SECTIONS, CHAIN_BYTES, ChainDecoder, ChainEncoder, PRECISIONS, PRECISION_DEGREES, PoseFrame, ProtocolError,
  TRACKED, decodePose, encodePose, writeRejoin,
} from '../index.js';
import { COSET, ODDS, TAIL } from '../coding/chain-table.js';
import { fromHex, golden, toHex } from './golden.mjs';
import { xorshift } from './random.mjs';

/** The vector's motion as an encoder takes it. */
function motionOf(vector, { motion }) {
  if (vector.section === 'hips') {
    return motion.translation;
  }
  if (vector.section === 'channels' || vector.section === 'virtual') {
    // v0, v1 … in their order; of virtual transforms t0, r0, t1, r1 …
    return Object.entries(motion).map(([name, value]) => [name.slice(1) + (name[0] === 'r'), value])
      .sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, value]) => value);
  }
  const rotations = new Float32Array(4 * BONES.length).fill(NaN); // of the others none is looked at
  for (const [name, q] of Object.entries(motion)) {
    rotations.set(q, 4 * BONES.indexOf(name));
  }
  return rotations;
}

/** Numbers of an item in the vectors, whose pace is the last step, as a chain keeps them. */
const kept = (item) => [...item.slice(0, 3), ...item.slice(3, 6).map((step) => 16 * step), ...item.slice(6), 0, 0, 0];

function assertShows(chain, { state, shown }, what) {
  assert.deepEqual([...chain.state.subarray(0, 12 * chain.count)], state.flatMap(kept), what);
  const points = chain.points(new Float32Array(90));
  const turns = chain.rotations(new Float32Array(4 * BONES.length));
  if (chain.section === 'hips' || chain.isCounted) {
    for (const [name, value] of Object.entries(shown)) {
      const i = Number(name.slice(1)) || 0;
      assert.deepEqual(Array.from(name[0] === 'r' ? turns.subarray(4 * i, 4 * i + 4)
        : points.subarray(3 * i, 3 * i + 3), (v) => v + 0), value, `${what}: ${name}`);
    }
    return;
  }
  const rotations = chain.rotations(new Float32Array(4 * BONES.length).fill(NaN));
  BONES.forEach((name, bone) => assert.deepEqual(
    Array.from(rotations.subarray(4 * bone, 4 * bone + 4), (v) => v + 0), shown[name] ?? [NaN, NaN, NaN, NaN], `${what}: ${name}`));
}

for (const vector of golden('chains.json')) {
  test(`follows ${vector.name}`, () => {
    const chain = new ChainDecoder(vector.section);
    vector.steps.forEach((step, i) => {
      const what = `step ${i}, ${step.do}`;
      if (step.do === 'rejoin') {
        const before = chain.started ? [...chain.state] : null;
        chain.readRejoin(fromHex(step.hex));
        assert.equal(PRECISIONS[chain.precision], vector.precision);
        if (before) assert.deepEqual([...chain.state], before, what);
        assertShows(chain, vector.steps.slice(0, i).findLast(({ state }) => state), what);
        assert.equal(toHex(writtenBy(chain)), step.hex, what);
      } else if (step.do !== 'start') {
        step.do === 'hold' ? chain.hold() : chain.decode(fromHex(step.hex));
        assertShows(chain, step, what);
      }
    });
  });

  test(`encodes ${vector.name}`, () => {
    const chain = new ChainEncoder(vector.section);
    const out = new Uint8Array(CHAIN_BYTES);
    vector.steps.forEach((step, i) => {
      const what = `step ${i}, ${step.do}`;
      if (step.do === 'rejoin') {
        assert.equal(toHex(writtenBy(chain)), step.hex, what);
        return;
      }
      if (step.do === 'start') {
        chain.start(vector.precision, motionOf(vector, step), chain.isCounted ? vector.bones.map((name) => Number(name.slice(1)))
          : vector.bones.map((name) => BONES.indexOf(name)));
      } else {
        const length = chain.encode(motionOf(vector, step), step.settle, out);
        assert.equal(toHex(out.subarray(0, length)), step.hex, what);
      }
      assertShows(chain, step, what);
    });
  });
}

function writtenBy(chain) {
  const out = new Uint8Array(CHAIN_BYTES);
  return out.subarray(0, writeRejoin(chain, out));
}

for (const vector of golden('broken-chains.json')) {
  test(`refuses ${vector.name} as ${vector.error}`, () => {
    const chain = new ChainDecoder(vector.section);
    const bytes = fromHex(vector.hex);
    if (vector.after) chain.readRejoin(fromHex(vector.after));
    assert.throws(() => (vector.do === 'rejoin' ? chain.readRejoin(bytes) : chain.decode(bytes)),
      (thrown) => thrown instanceof ProtocolError && thrown.code === vector.error);
    assert.equal(chain.started, false);
    assert.throws(() => chain.decode(bytes), { name: 'ProtocolError' });
    assert.throws(() => chain.hold(), { name: 'ProtocolError' });
  });
}

test('the computed tables are those of chain-table.json', () => {
  const { tail, coset, odds } = JSON.parse(readFileSync(new URL('../../../proto/chain-table.json', import.meta.url), 'utf8'));
  assert.deepEqual([...TAIL], tail);
  assert.deepEqual([...ODDS.subarray(127)], odds);
  ODDS.forEach((value, i) => assert.equal(value + ODDS[254 - i], 2 * odds[0], `sum ${i - 127}`));
  for (let row = 0; row < COSET.length / 9; row++) {
    const numbers = [...COSET.subarray(9 * row, 9 * row + 9)];
    assert.deepEqual(numbers.slice(0, 5), coset[row] ?? [0, 0, 0, 0, 0], `scale ${row}`);
    numbers.forEach((value, i) => assert.equal(value + numbers[8 - i], 0, `scale ${row}`));
  }
});

/** Uniform over all rotations: a point in the unit ball of four dimensions. */
function randomRotations(random) {
  const rotations = new Float32Array(4 * BONES.length);
  for (let i = 0; i < rotations.length; i += 4) {
    let q, length;
    do {
      q = [random(), random(), random(), random()];
      length = Math.hypot(...q);
    } while (length > 1 || length < 0.1);
    rotations.set(q.map((v) => v / length), i);
  }
  return rotations;
}

/** Angle between two rotations, degrees, by the chord: precise where it is small. */
function degreesBetween(a, b, i) {
  let same = 0, opposite = 0;
  for (let k = i; k < i + 4; k++) {
    same += (a[k] - b[k]) ** 2;
    opposite += (a[k] + b[k]) ** 2;
  }
  return 4 * Math.asin(Math.sqrt(Math.min(same, opposite)) / 2) * (180 / Math.PI);
}

for (const [number, precision] of PRECISIONS.entries()) {
  test(`decodes any rotation within ${PRECISION_DEGREES[number]} degrees`, () => {
    const random = xorshift(11 + number);
    const out = new Uint8Array(CHAIN_BYTES);
    const shown = new Float32Array(4 * BONES.length);
    const encoder = new ChainEncoder('hands');
    const decoder = new ChainDecoder('hands');
    const { first, count } = BONE_SECTIONS.hands;
    encoder.start(precision, randomRotations(random));
    decoder.readRejoin(writtenBy(encoder));
    for (let frame = 0; frame < 300; frame++) {
      const rotations = randomRotations(random);
      decoder.decode(out, 0, encoder.encode(rotations, false, out));
      decoder.rotations(shown);
      for (let bone = first; bone < first + count; bone++) {
        assert.ok(degreesBetween(rotations, shown, 4 * bone) <= PRECISION_DEGREES[number]);
      }
    }
  });
}

test('a decoder that missed frames has the common state after a rejoin section', () => {
  const random = xorshift(5);
  const out = new Uint8Array(CHAIN_BYTES);
  const encoder = new ChainEncoder('body');
  const always = new ChainDecoder('body');
  const often = new ChainDecoder('body');
  const rotations = randomRotations(random);
  encoder.start('standard', rotations);
  always.readRejoin(writtenBy(encoder));
  let rejoins = 0;
  for (let frame = 0; frame < 400; frame++) {
    for (let i = 0; i < rotations.length; i += 4) {
      const nudged = [0, 1, 2, 3].map((k) => rotations[i + k] + 0.01 * random());
      rotations.set(nudged.map((v) => v / Math.hypot(...nudged)), i);
    }
    const length = encoder.encode(rotations, frame % 10 === 0, out);
    always.decode(out, 0, length);
    if (random() > 0) {
      often.isStarted = false; // it missed this one
    } else if (often.started) {
      often.decode(out, 0, length);
    } else {
      often.readRejoin(writtenBy(frame % 2 ? encoder : always));
      rejoins++;
    }
    assert.deepEqual(always.state, encoder.state);
    if (often.started) assert.deepEqual(often.state, encoder.state);
  }
  assert.ok(rejoins > 50);
});

test('refuses invalid motion and leaves the chain unchanged', () => {
  const bad = [NaN, Infinity, 0.998, -1.002];
  const out = new Uint8Array(CHAIN_BYTES);
  const rotations = new Float32Array(4 * BONES.length);
  for (let i = 3; i < rotations.length; i += 4) rotations[i] = 1;
  const chain = new ChainEncoder('body');
  chain.start('fine', rotations);
  const before = [...chain.state];
  for (const value of bad) {
    const changed = rotations.slice();
    changed[4 * 7 + 3] = value;
    assert.throws(() => chain.encode(changed, false, out), { name: 'RangeError', message: /leftUpperArm/ });
    assert.throws(() => chain.start('coarse', changed), { name: 'RangeError' });
    assert.deepEqual([...chain.state], before);
    assert.equal(PRECISIONS[chain.precision], 'fine');
  }
  const hips = new ChainEncoder('hips');
  assert.throws(() => hips.start('fine', [0, NaN, 0]), { name: 'RangeError' });
  hips.start('fine', [0, 0, 0]);
  assert.throws(() => hips.encode([0, 4001, 0], false, out), { name: 'RangeError' });
  assert.deepEqual(hips.points([]), [0, 0, 0]);
});

test('refuses a section that does not fit and leaves the chain unchanged', () => {
  const random = xorshift(3);
  const chain = new ChainEncoder('body');
  chain.start('fine', randomRotations(random));
  const before = [...chain.state];
  for (const size of [0, 3, 10]) {
    assert.throws(() => chain.encode(randomRotations(random), false, new Uint8Array(size)), { name: 'RangeError' });
    assert.throws(() => chain.writeRejoin(new Uint8Array(size)), { name: 'RangeError' });
  }
  assert.deepEqual([...chain.state], before);
});

test('reads a section inside a message without the surrounding bytes', () => {
  const encoder = new ChainEncoder('face');
  encoder.start('fine', randomRotations(xorshift(4)));
  const section = writtenBy(encoder);
  const message = new Uint8Array(section.length + 20).fill(0xa5);
  message.set(section, 9);
  const decoder = new ChainDecoder('face');
  decoder.readRejoin(message, 9, 9 + section.length);
  assert.deepEqual(decoder.state, encoder.state);
});

test('any bytes give unit rotations or an error', () => {
  const random = xorshift(77);
  const byte = () => Math.floor((random() + 1) * 128) & 255;
  const shown = new Float32Array(4 * BONES.length);
  let followed = 0;
  let refused = 0;
  for (let round = 0; round < 3000; round++) {
    const section = ['body', 'face', 'hands', 'hips'][round & 3];
    const encoder = new ChainEncoder(section);
    const chain = new ChainDecoder(section);
    encoder.start(PRECISIONS[round % 3], section === 'hips' ? [1, 2, 3] : randomRotations(random));
    const rejoin = writtenBy(encoder);
    for (let i = 0; i < (round >> 2) % 4; i++) rejoin[byte() % rejoin.length] = byte();
    try {
      chain.readRejoin(rejoin);
      for (let frame = 0; frame < 10; frame++) {
        chain.decode(Uint8Array.from({ length: byte() % 120 }, byte));
        followed++;
        chain.rotations(shown);
        for (const bone of section === 'hips' ? [] : chain.bones.subarray(0, chain.count)) {
          assert.ok(Math.abs(Math.hypot(...shown.subarray(4 * bone, 4 * bone + 4)) - 1) < 1e-6);
        }
      }
    } catch (error) {
      assert.ok(error instanceof ProtocolError, `${error.stack}`);
      refused++;
    }
  }
  assert.ok(followed > 100 && refused > 100, `${followed} followed, ${refused} refused`);
});

test('a published pose is within the sum of the bounds of its capture and of each precision', () => {
  const text = readFileSync(new URL('../../../proto/SMALL-PACKETS.md', import.meta.url), 'utf8');
  const [, , ...limits] = /### Accuracy[^]*?\n\| a rotation is off by at most \| ([\d.]+)° \| ([\d.]+)° \| ([\d.]+)° \| ([\d.]+)° \|/
    .exec(text).map(Number);
  const out = new Uint8Array(CHAIN_BYTES);
  for (const [k, precision] of ['fine', 'standard', 'coarse'].entries()) {
    assert.ok(Math.abs(limits[k] - PRECISION_DEGREES[k] - 0.0046) < 1e-9, 'the sum');
    const chains = ['body', 'face', 'hands'].map((section) => new ChainEncoder(section));
    let worst = 0;
    for (let i = 0; i < 200; i++) {
      const source = new PoseFrame();
      source.states.fill(TRACKED);
      BONES.forEach((_, bone) => {
        const axis = [Math.sin(bone + 1), Math.cos(2 * bone), Math.sin(3 * bone + 1)];
        const half = Math.sin(0.037 * i + bone) * Math.PI / 3;
        const scale = Math.sin(half) / Math.hypot(...axis);
        source.rotations.set([...axis.map((x) => x * scale), Math.cos(half)], 4 * bone);
      });
      const captured = decodePose(encodePose(source), new PoseFrame());
      const received = new Float32Array(4 * BONES.length);
      for (const chain of chains) {
        i === 0 ? chain.start(precision, captured.rotations) : chain.encode(captured.rotations, false, out);
        chain.rotations(received);
      }
      BONES.forEach((_, bone) => {
        const [a, b] = [source.rotations, received].map((all) => all.subarray(4 * bone, 4 * bone + 4));
        const sine = Math.hypot(...[0, 1, 2, 3].map((c) => a[c] - Math.sign(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]) * b[c])) / 2;
        worst = Math.max(worst, 4 * Math.asin(sine) * 180 / Math.PI);
      });
    }
    assert.ok(worst <= limits[k] + 1e-4 && worst > 0.5 * limits[k], `${precision}: ${worst} of ${limits[k]} degrees`);
  }
});
