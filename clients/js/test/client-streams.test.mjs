// Streams of coding 2 as a client follows them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ChainEncoder, ProtocolError } from '../index.js';
import { bundle, live } from './fake-server.mjs';
import { assertSame, fromHex, golden } from './golden.mjs';

/** A bundle of space 9 with a packet of coding 2: the hips of a body, by their chain. */
function chainBundle(tick, id, sequence, needsState, content) {
  const flags = 0xc0 | (sequence & 15);
  const section = content.length === 0 ? [] : needsState ? [0x08, ...content]
    : [0x42, content.length, ...content];
  return [0x11, 9, (tick & 0x7f) | 0x80, tick >> 7,
    ...(needsState ? [flags & 0x7f] : [flags, 8]), id, ...section];
}

/** The section of the hips' chain for the position x. */
function hipsWriter() {
  const chain = new ChainEncoder('hips');
  const out = new Uint8Array(600);
  return {
    start: (x) => chain.start('fine', [x, 0, 0]),
    step: (x) => out.slice(0, chain.encode([x, 0, 0], false, out)),
    rejoin: () => out.slice(0, chain.writeRejoin(out)),
  };
}

test('requests the stream spec of the options', () => {
  const { world } = live({ precision: 'coarse', rate: 2, sections: ['body'], codings: [2] });
  assert.deepEqual(world.sent('subscribe'),
    [{ type: 'subscribe', space: 'lobby', precision: 'coarse', rate: 2, sections: ['body'] }]);
  assert.deepEqual(world.sent('hello')[0].codings, [2]);
});

test('requests a keyframe after a lost packet, at most twice a second', () => {
  const { world, client } = live();
  const hips = hipsWriter();
  const { timeline } = client.bodies.get(1);
  const shown = () => timeline.at(timeline.newest).hips[0];
  const cast = (tick, needsState, content) => {
    world.pass(17);
    world.cast(chainBundle(tick, 1, tick, needsState, content));
  };
  hips.start(0.1);
  cast(200, false, hips.rejoin());
  cast(201, true, hips.step(0.2));
  assert.ok(Math.abs(shown() - 0.2) < 0.001);
  hips.step(0.3); // lost
  for (let tick = 203; tick < 263; tick++) {
    cast(tick, true, hips.step(0.3 + tick / 1000));
  }
  assert.ok(Math.abs(shown() - 0.2) < 0.001, 'keeps the pose that it has');
  assert.equal(world.sent('keyframe').length, 2); // in a second
  assert.deepEqual(world.sent('keyframe')[0], { type: 'keyframe', space: 'lobby' });
  hips.step(0.7);
  cast(263, false, hips.rejoin());
  assert.ok(Math.abs(shown() - 0.7) < 0.001);
  cast(264, true, hips.step(0.8));
  assert.ok(Math.abs(shown() - 0.8) < 0.001);
  assert.equal(world.sent('keyframe').length, 2);
  assert.equal(client.traffic.damaged, 0);
});

test('waits for a rejoin packet after a damaged bundle, which may have been sixteen packets', () => {
  const { world, client } = live();
  const hips = hipsWriter();
  const { timeline } = client.bodies.get(1);
  const shown = () => timeline.at(timeline.newest).hips[0];
  hips.start(0.1);
  world.cast(chainBundle(200, 1, 0, false, hips.rejoin()));
  world.cast(chainBundle(201, 1, 1, true, hips.step(0.11)));
  world.cast([0x11, 9, 0xca, 1, 0xc0]);
  assert.equal(client.traffic.damaged, 1);
  for (let lost = 2; lost < 18; lost++) {
    hips.step(0.11 + lost / 1000);
  }
  world.pass(500);
  world.cast(chainBundle(218, 1, 18, true, hips.step(0.13)));
  assert.ok(Math.abs(shown() - 0.11) < 0.001, 'keeps the pose that it has');
  assert.equal(world.sent('keyframe').length, 1);
  world.cast(chainBundle(219, 1, 19, false, hips.rejoin()));
  assert.ok(Math.abs(shown() - 0.13) < 0.001);
});

test('waits for a rejoin packet of each body behind a damaged packet', () => {
  const { world, client } = live();
  const [first, second] = [hipsWriter(), hipsWriter()];
  first.start(0);
  second.start(0);
  world.cast(chainBundle(200, 1, 0, false, first.rejoin()));
  world.cast(chainBundle(201, 2, 0, false, second.rejoin()));
  world.cast([0x11, 9, 0xca, 1, 0x80, 8, 1, 2, 0x41, 9, 0xc0, 8, 2]);
  assert.equal(client.traffic.damaged, 1);
  assert.equal(client.bodies.get(1).stream.synchronized, false);
  assert.equal(client.bodies.get(2).stream.synchronized, false);
});

test('a body missing in a bundle stands still with coding 2, but not with coding 1', () => {
  const { world, client } = live();
  const hips = hipsWriter();
  const [a, b] = [client.bodies.get(1).timeline, client.bodies.get(2).timeline];
  const time = (tick) => Math.floor((tick * 1e6) / 60);
  hips.start(0.1);
  world.cast(chainBundle(200, 1, 0, false, hips.rejoin()));
  world.cast(bundle(201, 2, 0));
  assert.equal(a.newest, time(201));
  world.cast([0x11, 9, (210 & 0x7f) | 0x80, 1]);
  assert.equal(a.newest, time(210));
  assert.equal(b.newest, time(201));
  // No bundle until 240: it stood still until the tick before.
  world.cast(chainBundle(240, 1, 1, true, hips.step(0.5)));
  assert.ok(Math.abs(a.at(time(239)).hips[0] - 0.1) < 0.001);
  assert.ok(Math.abs(a.at(time(240)).hips[0] - 0.5) < 0.001);
  assert.equal(a.lost, 0);
  assert.equal(a.received, 2);
  // A bundle that had a packet, then a tick that the server never had: it moved on evenly.
  world.cast(chainBundle(243, 1, 2, true, hips.step(0.8)));
  assert.ok(Math.abs(a.at(time(241)).hips[0] - 0.6) < 0.001);
});

test('reports a damaged stream and requests a keyframe', () => {
  const { world, log } = live();
  const hips = hipsWriter();
  hips.start(0.1);
  world.cast(chainBundle(200, 1, 0, false, hips.rejoin()));
  world.cast(chainBundle(201, 1, 1, true, [1, 2, 3, 4, 5, 6, 7, 8]));
  assert.ok(log.at(-1) instanceof ProtocolError);
  assert.equal(world.sent('keyframe').length, 1);
});

test('of discarded bundles, all streams wait for a rejoin packet, also if sequence shows no gap', () => {
  const [{ space, body, steps }] = golden('discarded.json');
  const { world, client, log } = live();
  const { stream, timeline } = client.bodies.get(body);
  assert.equal(space, 9);
  for (const [i, { hex, error, waits, hips }] of steps.entries()) {
    const count = log.length;
    world.pass(17);
    world.cast(fromHex(hex));
    assert.equal(log.slice(count).find((entry) => entry instanceof ProtocolError)?.code, error, `message ${i}`);
    assert.equal(stream.synchronized, !waits, `message ${i}`);
    assertSame(timeline.at(timeline.newest).hips, hips, `message ${i}`);
  }
  assert.ok(world.sent('keyframe').length >= 1);
});

test('streams restart after a reconnection', () => {
  const { world, client } = live();
  const hips = hipsWriter();
  hips.start(0.1);
  world.cast(chainBundle(200, 1, 0, false, hips.rejoin()));
  assert.ok(client.bodies.get(1).stream.synchronized);
  world.drop();
  world.pass(1000);
  world.open();
  assert.ok(!client.bodies.get(1).stream.synchronized);
});
