// Options of a subscription, and the resulting bodies.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ChainEncoder, Fitting, Payload, ProtocolError, Skeleton, viewpointOf } from '../index.js';
import { SKELETON, WELCOME, body, live, roster } from './fake-server.mjs';

const TALL = { type: 'skeleton', hash: 'bb', descriptor: { nodes: [
  { name: 'hips', translation: [0, 3, 0] }], bones: { hips: 0 } } };
const worn = (...entries) => ({ type: 'worn', space: 'lobby',
  bodies: entries.map(([id, skeleton]) => ({ id, skeleton })) });

/** A bundle of space 9 with the hips of body 1 at x, in a rejoin packet with a pace. */
function start(tick, x, pace) {
  const chain = new ChainEncoder('hips');
  const out = new Uint8Array(600);
  chain.start('fine', [x, 0, 0]);
  const content = out.slice(0, chain.writeRejoin(out));
  return { chain, bytes: [0x11, 9, (tick & 0x7f) | 0x80, tick >> 7, 0xc0, 8, 1,
    0x42, content.length, ...content, ...(pace > 1 ? [0xa1, 1, pace] : [])] };
}

test('subscribes to bodies, a skeleton and a budget, and changes them later', () => {
  const { world, client } = live({ bodies: [1], skeleton: 'humanoid', budget: 9000 });
  client.subscribe({ bodies: undefined, ignore: [2] });
  assert.deepEqual(world.sent('subscribe'), [
    { type: 'subscribe', space: 'lobby', bodies: [1], skeleton: 'humanoid', budget: 9000 },
    { type: 'subscribe', space: 'lobby', ignore: [2], skeleton: 'humanoid', budget: 9000 }]);
});

test('a body enters with the skeleton in use', () => {
  const { world, client, log } = live({ skeleton: 'bb' });
  log.length = 0;
  world.say(TALL);
  world.say(worn([1, 'bb'], [3, 'bb']));
  assert.deepEqual(log, ['leave 1', 'enter 1']);
  assert.equal(client.bodies.get(1).skeleton.hash, 'bb');
  assert.equal(client.bodies.get(1).skeletonHash, 'aa');
  // The earlier `worn` message applies, so the body enters only once.
  world.say({ type: 'roster', space: 'lobby', revision: 5, joined: [body(3)] });
  assert.equal(client.bodies.get(3).skeleton.hash, 'bb');
  assert.deepEqual(log.slice(2), ['enter 3']);
});

test('a body without motion reports it and stays', () => {
  const { world, client, log } = live({ budget: 100 });
  world.cast(start(200, 0.1, 1).bytes);
  log.length = 0;
  world.say(worn([1, null]));
  const { timeline } = client.bodies.get(1);
  assert.equal(client.bodies.get(1).sent, false);
  assert.deepEqual(log, ['change 1']);
  const { newest } = timeline;
  world.cast([0x80 | (210 & 127)]);
  assert.equal(timeline.newest, newest, 'nobody knows whether it stands still');
  world.say(worn([1, 'aa']));
  assert.equal(client.bodies.get(1).sent, true);
  world.say({ type: 'worn', space: 'lobby', bodies: [{ id: 1 }] });
  assert.ok(log.at(-1) instanceof ProtocolError);
});

test('retargets in the client when the server has no capacity', () => {
  const { world, client } = live({ skeleton: 'bb' });
  world.say(TALL);
  world.say(worn([1, 'aa'])); // instead
  const shown = client.bodies.get(1);
  assert.equal(shown.skeleton.hash, 'bb');
  world.cast(start(200, 0.1, 1).bytes);
  const { hips } = shown.timeline.at(shown.timeline.newest);
  assert.ok(Math.abs(hips[0] - 0.3) < 0.002, `${hips[0]}: hips three times as high`);
});

test('only ticks in the pace of a stream imply that a body stood still', () => {
  const { world, client } = live();
  const { timeline } = client.bodies.get(1);
  const time = (tick) => Math.floor((tick * 1e6) / 60);
  world.cast(start(200, 0.1, 4).bytes);
  for (const [tick, until] of [[201, 200], [203, 200], [204, 204], [206, 204]]) {
    world.cast([0x80 | (tick & 127)]);
    assert.equal(timeline.newest, time(until), `${tick}`);
  }
  world.cast(start(207, 0.2, 1).bytes); // another stream of it
  world.cast([0x80 | (209 & 127)]);
  assert.equal(timeline.newest, time(209));
  assert.equal(timeline.lost, 0);
});

test('sends viewpoints at most thirty times a second, and always the last one', () => {
  const { world, client } = live();
  for (let ms = 0; ms < 1000; ms += 5) {
    client.setViewpoints([{ position: [ms, 0, 0] }]);
    world.pass(5);
  }
  world.pass(100);
  const sent = world.sent('viewpoint');
  assert.ok(sent.length >= 25 && sent.length <= 33, `${sent.length}`);
  assert.deepEqual(sent.at(-1),
    { type: 'viewpoint', space: 'lobby', viewpoints: [{ position: [995, 0, 0] }] });
  world.drop();
  world.pass(1000);
  world.open();
  assert.deepEqual(world.sent('subscribe')[0].viewpoints, [{ position: [995, 0, 0] }]);
});

test('sends priorities with the current viewpoints', () => {
  const { world, client } = live({ priority: [7] });
  assert.deepEqual(world.sent('subscribe').at(-1).priority, [7]);
  client.setPriority([client.bodies.get(1)]);
  client.setPriority([]);
  client.setViewpoints([{ position: [1, 2, 3] }]);
  world.pass(100);
  const viewpoint = { type: 'viewpoint', space: 'lobby' };
  assert.deepEqual(world.sent('viewpoint'), [{ ...viewpoint, viewpoints: [], priority: [1] },
    { ...viewpoint, viewpoints: [{ position: [1, 2, 3] }], priority: [] }]);
});

test('ignores present bodies again after a reconnection', () => {
  const { world, client } = live();
  client.ignore(client.bodies.get(1));
  client.ignore(client.bodies.get(2));
  client.ignore(client.bodies.get(2), false);
  assert.deepEqual(world.sent('ignore').map((message) => [message.body, message.ignore]),
    [[1, true], [2, true], [2, false]]);
  world.drop();
  world.pass(1000);
  world.open();
  world.say(WELCOME);
  world.say(SKELETON);
  world.say(roster());
  assert.deepEqual(world.sent('ignore'),
    [{ type: 'ignore', space: 'lobby', body: 1, ignore: true }]);
});

test('a camera of three.js looks along its -Z', () => {
  // Turned a quarter to its left, at (1, 2, 3): it looks along -X.
  const elements = [0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 2, 3, 1];
  const { position, direction, fov } = viewpointOf({ matrixWorld: { elements }, fov: 90, aspect: 1 });
  assert.deepEqual(position, [1, 2, 3]);
  assert.deepEqual(direction.map((x) => x + 0), [-1, 0, 0]);
  assert.ok(Math.abs(fov - 2 * Math.atan(Math.SQRT2)) < 1e-12);
});

test('a bone that a skeleton lacks turns those below it', () => {
  const node = (name, parent, translation) => ({ name, parent, translation });
  const from = new Skeleton('from', { nodes: [node('hips', -1, [0, 1, 0]),
    node('spine', 0, [0, 0.2, 0]), node('chest', 1, [0, 0.2, 0])],
  bones: { hips: 0, spine: 1, chest: 2 } });
  const to = new Skeleton('to', { nodes: [node('hips', -1, [0, 2, 0]),
    node('chest', 0, [0, 0.4, 0])], bones: { hips: 0, chest: 1 } });
  const payload = new Payload();
  const s = Math.sin(0.1), c = Math.cos(0.1);
  payload.rotations.set([0, s, 0, c], 4); // spine and chest, each 0.2 about +Y
  payload.rotations.set([0, s, 0, c], 8);
  payload.hips.set([0.1, 0, 0]);
  new Fitting(from, to).apply(payload);
  assert.deepEqual([...payload.rotations.subarray(4, 8)], [0, 0, 0, 1]);
  assert.ok(Math.abs(payload.rotations[9] - Math.sin(0.2)) < 1e-6);
  assert.ok(Math.abs(payload.hips[0] - 0.2) < 1e-6);
});

test('`subscribed` decides which virtual transforms the packets have', () => {
  const { world, client } = live({ virtual: ['seating', 2] });
  const seen = [];
  client.on('subscribed', (granted) => seen.push(granted));
  assert.deepEqual(world.sent('subscribe')[0].virtual, ['seating', 2]);
  world.say({ type: 'skeleton', hash: 'bb', descriptor: { nodes: [{ name: 'hips' }], bones: { hips: 0 },
    virtualTransforms: Array.from({ length: 20 }, (_, i) => ({ parent: 0, tags: i === 17 ? ['seating'] : [] })) } });
  world.say(worn([1, 'bb']));
  const indices = () => client.bodies.get(1).virtualIndices;
  assert.deepEqual(indices(), Array.from({ length: 15 }, (_, i) => i), 'until then the first fifteen');
  world.say({ type: 'subscribed', space: 'lobby', precision: 'standard', virtual: [2, 'seating'] });
  assert.deepEqual(indices(), [2, 17]);
  world.say({ type: 'subscribed', space: 'attic', precision: 'coarse' });
  assert.deepEqual(indices(), [2, 17]);
  world.say({ type: 'subscribed', space: 'lobby', precision: 'coarse' });
  assert.equal(indices().length, 15);
  assert.deepEqual(seen, [{ precision: 'standard', virtual: [2, 'seating'], ticks: 1, delay: 0 },
    { precision: 'coarse', virtual: undefined, ticks: 1, delay: 0 }]);
  const errors = [];
  client.on('error', (error) => errors.push(error.code));
  for (const wrong of [{ precision: 2 }, { precision: 'fine', virtual: 'ui' }, { precision: 'fine', delay: '4' }]) {
    world.say({ type: 'subscribed', space: 'lobby', ...wrong });
  }
  assert.deepEqual(errors, ['invalid', 'invalid', 'invalid']);
  world.say({ type: 'subscribed', space: 'lobby', precision: 'fine', virtual: [7] });
  assert.deepEqual(indices(), [7]);
  world.drop();
  world.pass(30000);
  world.open();
  assert.equal(indices().length, 15, 'the server has not answered the new subscription yet');
});
