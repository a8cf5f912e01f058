// Registration of skeletons: order of requests, answers, refusals, lost connections.
import assert from 'node:assert/strict';
import test from 'node:test';
import { loadCommands } from '../connection/commands-loader.js';
import { ProtocolError } from '../index.js';
import { WELCOME, live } from './fake-server.mjs';

await loadCommands(); // commands are then sent at once

const FIGURE = { nodes: [{ translation: [0, 1, 0] }], bones: { hips: 0 } };
const answer = (name) => ({ type: 'registered', name, hash: 'cc', stored: true, lint: [] });
const names = (world) => world.sent('skeleton').map(({ name }) => name);

test('registers a skeleton and returns the answer', async () => {
  const { world, client } = live();
  const registered = client.registerSkeleton('avatar', FIGURE);
  assert.deepEqual(world.sent('skeleton'), [{ type: 'skeleton', name: 'avatar', descriptor: FIGURE }]);
  world.say(answer('avatar'));
  assert.deepEqual(await registered, answer('avatar'));
});

test('sends the next request after the previous answer, at a limited rate', async () => {
  const { world, client } = live();
  const all = ['a', 'b', 'c'].map((name) => client.registerSkeleton(name, FIGURE));
  world.pass(1000);
  assert.deepEqual(names(world), ['a']);
  world.say(answer('a'));
  assert.deepEqual(names(world), ['a', 'b']);
  world.say(answer('b'));
  assert.deepEqual(names(world), ['a', 'b']);
  world.pass(125);
  assert.deepEqual(names(world), ['a', 'b', 'c']);
  world.say(answer('c'));
  assert.deepEqual((await Promise.all(all)).map(({ name }) => name), ['a', 'b', 'c']);
});

test('a refusal rejects, without an error event', async () => {
  const { world, client, log } = live();
  const bad = client.registerSkeleton('a', {});
  const good = client.registerSkeleton('b', FIGURE);
  world.say({ type: 'error', code: 'bad-skeleton', message: 'nodes are missing', ref: 'skeleton', name: 'a' });
  world.pass(125);
  world.say(answer('b'));
  await assert.rejects(bad, (error) => error instanceof ProtocolError &&
    error.code === 'bad-skeleton' && error.message === 'nodes are missing');
  assert.equal((await good).name, 'b');
  assert.equal(log.filter((entry) => entry instanceof Error).length, 0);
  world.say({ type: 'error', code: 'too-many', message: 'late', ref: 'skeleton', name: 'b' });
  assert.equal(log.filter((entry) => entry instanceof Error).length, 1);
});

test('an answer or error of another request settles nothing', async () => {
  const { world, client, log } = live();
  const registered = client.registerSkeleton('a', FIGURE);
  const lists = [client.registeredSkeletons(), client.registeredSkeletons()];
  const [own, first, second] = world.socket.requests.slice(-3);
  world.say({ ...answer('a'), request: 'another' });
  world.say({ type: 'error', code: 'failed', message: 'no', ref: 'skeleton', name: 'a', request: 'another' });
  assert.equal(log.filter((entry) => entry instanceof Error).length, 1);
  world.say({ type: 'wardrobe', skeletons: [2], request: second });
  world.say({ type: 'error', code: 'too-many', message: 'no', ref: 'skeletons', request: first });
  world.say({ ...answer('a'), hash: 'dd', request: own });
  assert.equal((await registered).hash, 'dd');
  await assert.rejects(lists[0], { code: 'too-many' });
  assert.deepEqual(await lists[1], [2]);
});

test('registers skeletons again after a reconnection, before their use', async () => {
  const { world, client } = live();
  for (const name of ['a', 'b', 'c']) {
    const registered = client.registerSkeleton(name, FIGURE);
    world.pass(125);
    world.say(answer(name));
    await registered;
  }
  const given = client.unregisterSkeleton('b');
  world.pass(125);
  world.say({ type: 'unregistered', name: 'b' });
  await given;
  client.subscribe({ skeleton: 'cc' });
  client.publish({ name: 'Ada', kind: 'poses', skeleton: 'cc' });

  // A line that is lost meanwhile asks for nothing twice.
  for (let line = 0; line < 2; line++) {
    world.drop();
    world.pass(2000);
    world.open();
    world.say(WELCOME);
    assert.deepEqual(names(world), ['a']);
  }
  world.say(answer('a'));
  world.pass(125);
  assert.deepEqual(names(world), ['a', 'c']);
  await null;
  assert.deepEqual([world.sent('subscribe'), world.sent('publish')], [[], []]);
  // The last registration may be refused; its publication then gets an error.
  world.say({ type: 'error', code: 'too-many', message: 'no room', ref: 'skeleton', name: 'c' });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(world.sent('subscribe').map(({ skeleton }) => skeleton), ['cc']);
  assert.equal(world.sent('publish').length, 1);
});

test('an invalid name rejects, and the next request is sent', async () => {
  const { world, client, log } = live();
  const refusal = { type: 'error', code: 'bad-field', message: 'name is 1 to 63 bytes', ref: 'skeleton' };
  const bad = client.registerSkeleton('a'.repeat(64), FIGURE);
  world.say({ ...refusal, ref: 'unregister' });
  assert.equal(log.filter((entry) => entry instanceof Error).length, 1);
  world.say(refusal);
  await assert.rejects(bad, { code: 'bad-field' });
  assert.equal(log.filter((entry) => entry instanceof Error).length, 1);
  const good = client.registerSkeleton('b', FIGURE);
  world.pass(125);
  world.say(answer('b'));
  assert.equal((await good).name, 'b');
});

test('a descriptor above the message limit is not sent, and the next is', async () => {
  const { world, client } = live();
  world.say({ ...WELCOME, limits: { message: 300 } });
  const large = client.registerSkeleton('a', { ...FIGURE, name: 'ä'.repeat(140) });
  await assert.rejects(large, { code: 'too-large' });
  const small = client.registerSkeleton('b', FIGURE);
  assert.deepEqual(names(world), ['b']);
  world.say(answer('b'));
  assert.equal((await small).name, 'b');
});

test('repeats an unanswered request after a reconnection', async () => {
  const { world, client } = live();
  const registered = client.registerSkeleton('a', FIGURE);
  const list = client.registeredSkeletons();
  world.drop();
  world.pass(1000);
  world.open();
  world.say(WELCOME);
  assert.deepEqual(names(world), ['a']);
  assert.equal(world.sent('skeletons').length, 1);
  world.say({ type: 'wardrobe', skeletons: [] });
  world.say(answer('a'));
  assert.equal((await registered).hash, 'cc');
  assert.deepEqual(await list, []);
});

test('removes a skeleton and lists the others', async () => {
  const { world, client } = live();
  const gone = client.unregisterSkeleton('a');
  assert.deepEqual(world.sent('unregister'), [{ type: 'unregister', name: 'a' }]);
  world.say({ type: 'unregistered', name: 'a' });
  assert.equal(await gone, undefined);
  const list = client.registeredSkeletons();
  const left = [{ name: 'b', hash: 'dd', bytes: 9, worn: false }];
  world.say({ type: 'wardrobe', skeletons: left });
  assert.deepEqual(await list, left);
});

test('closing the client rejects waiting requests', async () => {
  const { client } = live();
  const registered = client.registerSkeleton('a', FIGURE);
  client.close();
  await assert.rejects(registered, { code: 'closed' });
  await assert.rejects(client.registeredSkeletons(), { code: 'closed' });
});
