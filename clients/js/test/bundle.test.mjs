// The decoder against the golden vectors, to the last bit, and against noise.
import assert from 'node:assert/strict';
import test from 'node:test';
import { BONES, Bundle, Payload, ProtocolError, decodeBundle, decodePayload, readSections, splitBundles } from '../index.js';
import { assertSame, fromHex, golden, toHex } from './golden.mjs';

function decodeAll(message, bundle = new Bundle()) {
  decodeBundle(message, bundle);
  return Array.from({ length: bundle.count }, (_, i) =>
    decodePayload(message, bundle.start[i], bundle.end[i], new Payload(), bundle.shape[i]));
}

for (const vector of golden('bundles.json')) {
  test(`decodes ${vector.name}`, () => {
    const bundle = Object.assign(new Bundle(), vector.before && { ...vector.before, follows: true });
    const payloads = decodeAll(fromHex(vector.hex), bundle);
    const { space, tick } = bundle;
    assert.deepEqual({ space, tick }, vector.head);
    assert.equal(bundle.count, vector.packets.length);
    vector.packets.forEach((packet, i) => {
      const payload = payloads[i];
      assert.equal(bundle.body[i], packet.body);
      assert.equal(bundle.incarnation[i], packet.incarnation);
      assert.equal(bundle.sequence[i], packet.sequence);
      assert.equal(bundle.cut[i] === 1, packet.cut);
      assert.equal(bundle.needsState[i] === 1, packet.needsState);
      assert.equal(bundle.shape[i], packet.shape);
      assert.equal(bundle.age[i], packet.ageUs);
      assert.equal(bundle.relay[i], packet.relayUs);
      BONES.forEach((name, bone) => assertSame(payload.rotations.subarray(4 * bone, 4 * bone + 4),
        packet.rotations[name] ?? [0, 0, 0, 1], name));
      assert.equal(payload.hasStates, packet.states !== undefined);
      BONES.forEach((name, bone) => assert.equal(['absent', 'estimated', 'tracked'][payload.states[bone]],
        packet.states?.[name] ?? 'absent', name));
      assert.equal(payload.hasHips, packet.hips !== undefined);
      assertSame(payload.hips, packet.hips ?? [0, 0, 0], 'hips');
      assert.equal(payload.hasPlacement, packet.placement !== undefined);
      assertSame(payload.placement,
        packet.placement ? [...packet.placement.position, packet.placement.yaw] : [0, 0, 0, 0],
        'placement');
    });
  });
}

for (const { name, hex, error } of golden('broken.json')) {
  test(`refuses ${name} as ${error}`, () => {
    assert.throws(() => decodeAll(fromHex(hex)),
      (thrown) => thrown instanceof ProtocolError && thrown.code === error);
  });
}

test('reports which rotations the packet contains', () => {
  const [payload] = decodeAll(fromHex(golden('bundles.json')[0].hex));
  assert.deepEqual([...payload.masks], [(1 << 5) | (1 << 7), 0, 0]);
});

test('a reused payload contains no data of the previous packet', () => {
  const payload = new Payload();
  const message = fromHex(golden('bundles.json')[0].hex);
  const bundle = decodeBundle(message, new Bundle());
  decodePayload(message, bundle.start[0], bundle.end[0], payload);
  assert.ok(payload.hasHips && payload.hasPlacement);
  decodePayload(message, 0, 0, payload);
  assert.deepEqual(payload, new Payload());
});

test('a short head means the next tick with these low bits in the same space', () => {
  const bundle = decodeBundle(Uint8Array.of(0x11, 9, 0xac, 0x02), new Bundle());
  for (const [byte, tick] of [[0xad, 301], [0xac, 428], [0x80, 512], [0xff, 639]]) {
    decodeBundle(Uint8Array.of(byte), bundle);
    assert.deepEqual([bundle.space, bundle.tick], [9, tick]);
  }
  decodeBundle(Uint8Array.of(0x11, 9, 0xff, 0xff, 0xff, 0xff, 0x0f), bundle);
  decodeBundle(Uint8Array.of(0x80), bundle);
  assert.equal(bundle.tick, 0);
  bundle.reset();
  assert.throws(() => decodeBundle(Uint8Array.of(0x81), bundle), { code: 'invalid' });
});

test('sections have the order of their shape, with their content', () => {
  const read = (bytes, shape) => {
    const found = [];
    readSections(Uint8Array.from(bytes), 0, bytes.length, shape,
      (section, coding, start, end) => found.push([section, coding, ...bytes.slice(start, end)]));
    return found;
  };
  assert.deepEqual(read([5, 6], 1), [[1, 16, 5, 6]]);
  assert.deepEqual(read([5, 6, 7], 2), [[4, 16, 5], [1, 16, 6, 7]]);
  assert.deepEqual(read([1, 5, 6, 7], 3), [[4, 16, 5], [1, 16, 6, 7]]);
  assert.deepEqual(read([0x91, 1, 5, 0, 6, 7], 4), [[1, 16, 5], [5, 1], [8, 16, 6, 7]]);
  assert.deepEqual(read([], 4), []);
  assert.deepEqual(read([0x91, 1, 5, 0xf3, 0], 0), [[9, 1, 5], [15, 3]]);
});

test('rejects a bundle truncated within a packet', () => {
  const whole = fromHex(golden('bundles.json').find((v) => v.name === 'flags').hex);
  const bundle = decodeBundle(whole, new Bundle());
  const ends = new Set(bundle.end.subarray(0, bundle.count));
  ends.add(4); // the head alone
  for (let length = 0; length < whole.length; length++) {
    const prefix = whole.subarray(0, length);
    if (ends.has(length)) {
      decodeAll(prefix);
    } else {
      assert.throws(() => decodeAll(prefix), { name: 'ProtocolError', code: 'truncated' });
    }
  }
});

test('rejects bundles above the maximum length or number of packets', () => {
  const head = [0x11, 1, 0];
  const packets = (count) => Uint8Array.from([...head, ...Array(count).fill([0, 1, 0]).flat()]);
  assert.equal(decodeAll(packets(512)).length, 512);
  assert.throws(() => decodeAll(packets(513)), { code: 'limit' });
  assert.throws(() => decodeAll(new Uint8Array(65537).fill(0x11)), { code: 'limit' });
});

/** Marsaglia's xorshift, seeded. */
function generator(seed) {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function assertDecodesOrRefuses(message) {
  try {
    for (const payload of decodeAll(message, Object.assign(new Bundle(), { follows: true }))) {
      for (let i = 0; i < payload.rotations.length; i += 4) {
        const length = Math.hypot(...payload.rotations.subarray(i, i + 4));
        assert.ok(Math.abs(length - 1) < 1e-6, `a rotation of length ${length}`);
      }
      assert.ok(payload.hips.every(Number.isFinite) && payload.placement.every(Number.isFinite));
    }
    return true;
  } catch (error) {
    assert.ok(error instanceof ProtocolError, `${error.stack}`);
    return false;
  }
}

test('hostile: 100000 damaged bundles decode to rotations or are refused', () => {
  const random = generator(0x2545f491);
  const seeds = golden('bundles.json').map(({ hex }) => fromHex(hex)).filter((b) => b.length < 400);
  let decoded = 0;
  for (let i = 0; i < 100000; i++) {
    const message = Uint8Array.from(seeds[random(seeds.length)]);
    for (let hits = 1 + random(3); hits > 0; hits--) {
      message[random(message.length)] = random(256);
    }
    decoded += assertDecodesOrRefuses(message.subarray(0, random(8) ? undefined : random(message.length)));
  }
  assert.ok(decoded > 1000 && decoded < 99000, `${decoded} decoded`);
});

test('hostile: 100000 random messages decode to rotations or are refused', () => {
  const random = generator(0x9e3779b9);
  for (let i = 0; i < 100000; i++) {
    const message = Uint8Array.from({ length: random(64) }, () => random(256));
    if (message.length) {
      message[0] = i % 2 ? 0x11 : 0x80 | message[0];
    }
    assertDecodesOrRefuses(message);
  }
});

for (const { name, hex, bundles, error } of golden('pairs.json')) {
  test(`splits ${name}`, () => {
    if (error) {
      assert.throws(() => splitBundles(fromHex(hex)), { code: error });
    } else {
      assert.deepEqual(splitBundles(fromHex(hex)).map(toHex), bundles);
    }
  });
}

test('a message has one bundle, or two of neighbouring ticks', () => {
  const pair = Uint8Array.of(0x31, 4, 0x11, 1, 0xac, 0x02, 0x80 | 301 % 128);
  const parts = splitBundles(pair);
  assert.deepEqual(parts.map((part) => [...part]), [[0x11, 1, 0xac, 0x02], [0x80 | 301 % 128]]);
  const bundle = new Bundle();
  assert.deepEqual(parts.map((part) => decodeBundle(part, bundle).tick), [300, 301]);
  const one = pair.subarray(2, 6);
  assert.deepEqual(splitBundles(one), [one]);
  assert.deepEqual(splitBundles(new Uint8Array(0)).length, 1);
  assert.throws(() => splitBundles(pair.subarray(0, 5)), { code: 'truncated' });
  assert.throws(() => splitBundles(pair.subarray(0, 1)), { code: 'truncated' });
  assert.throws(() => splitBundles(Uint8Array.of(0x31, 0x80, 0, 0x80)), { code: 'invalid' });
  assert.throws(() => splitBundles(Uint8Array.of(0x31, 0x81, 0x80, 4, 0x80)), { code: 'limit' });
  assert.throws(() => splitBundles(new Uint8Array(65540).fill(0x31, 0, 1)), { code: 'limit' });
});
