// Commands and messages before their module is at hand. All clients begin before the module can arrive.
import assert from 'node:assert/strict';
import test from 'node:test';
import { METHODS } from '../../connection/commands-loader.js';
import { Invitations, Moderation, Replays } from '../../index.js';
import { WELCOME, live } from '../fake-server.mjs';

const TOLD = { id: 7, file: 'take.mcap', duration: 60, state: 'playing', time: 10, at: 0, speed: 1, loop: false, from: 0, until: 60 };
const FIGURE = { nodes: [{ translation: [0, 1, 0] }], bones: { hips: 0 } };
const say = (world, replays, more = {}) => world.say({ type: 'replaying', space: 'lobby', replays, ...more });
const code = (promise) => promise.then(() => 'none', (error) => error.code);

/** A client whose list of replays is logged at each change. */
function logged() {
  const { world, client } = live();
  const states = [];
  client.on('replays', (replays) => states.push(replays.list.map(({ state }) => state)));
  return { world, client, states };
}

const told = logged();
say(told.world, [TOLD]);
say(told.world, [{ ...TOLD, state: 'paused' }]);
const listAtOnce = told.client.replays.list;
say(told.world, []);

const quiet = logged();
say(quiet.world, []);

const asking = live();
const hide = asking.client.moderation.hide({ name: 'a' });
const kick = asking.client.moderation.kick({ name: 'b' });
const registered = asking.client.registerSkeleton('figure', FIGURE);
const sentAtOnce = asking.world.sent('moderate').length + asking.world.sent('skeleton').length;

const dropping = live();
const late = dropping.client.moderation.hide({ name: 'a' });
const kept = dropping.client.registerSkeleton('figure', FIGURE);
say(dropping.world, [TOLD]);
dropping.world.drop();
dropping.world.pass(1000);
dropping.world.open();
dropping.world.say(WELCOME);

const closing = live();
const closed = code(closing.client.registeredSkeletons());
closing.client.close();

const kicked = live();
kicked.world.say({ type: 'moderated', space: 'lobby', action: 'kick', concerned: 1 }); // answers nothing
const stateAfterAnswer = kicked.client.state;
kicked.world.say({ type: 'moderated', space: 'lobby', action: 'kick' });

test('the objects of a client have the methods of their classes', () => {
  const inner = ['constructor', 'greet', 'drop', 'end', 'answered', 'told', 'refused', 'get'];
  for (const [name, { prototype }] of Object.entries({ replays: Replays, moderation: Moderation, invitations: Invitations })) {
    const methods = Object.entries(Object.getOwnPropertyDescriptors(prototype))
      .filter(([method, { value }]) => value && !inner.includes(method)).map(([method]) => method);
    assert.deepEqual(METHODS[name].split(' ').sort(), methods.sort(), name);
    methods.forEach((method) => assert.equal(typeof told.client[name][method], 'function', `${name}.${method}`));
  }
});

test('commands are sent in their order, and answered', async () => {
  assert.equal(sentAtOnce, 0);
  while (asking.world.sent('skeleton').length === 0) await new Promise(setImmediate);
  assert.deepEqual(asking.world.sent('moderate').map(({ action }) => action), ['hide', 'kick']);
  asking.world.say({ type: 'moderated', space: 'lobby', action: 'hide', concerned: 1 });
  asking.world.say({ type: 'error', code: 'not-allowed', message: 'no', ref: 'moderate' });
  asking.world.say({ type: 'registered', name: 'figure', hash: 'cc', stored: true, lint: [] });
  assert.equal((await hide).action, 'hide');
  await assert.rejects(kick, { code: 'not-allowed' });
  assert.equal((await registered).hash, 'cc');
});

test('the states of replays arrive in their order; a space without any needs no module', () => {
  assert.deepEqual(listAtOnce, []);
  assert.deepEqual(told.states, [['playing'], ['paused'], []]);
  assert.deepEqual(quiet.states, []);
});

test('after a connection lost meanwhile, the next one gets the commands once, and its replays count', async () => {
  assert.deepEqual(dropping.client.replays.list, []);
  assert.deepEqual([dropping.world.sent('moderate').length, dropping.world.sent('skeleton').length], [1, 1]);
  dropping.world.say({ type: 'moderated', space: 'lobby', action: 'hide', concerned: 1 });
  dropping.world.say({ type: 'registered', name: 'figure', hash: 'cc', stored: true, lint: [] });
  assert.equal((await late).action, 'hide');
  assert.equal((await kept).hash, 'cc');
});

test('a client closed meanwhile rejects', async () => {
  assert.equal(await closed, 'closed');
  assert.equal(await code(closing.client.replays.recordings()), 'closed');
});

test('an action of a moderator concerns a client that has sent no command', () => {
  assert.equal(stateAfterAnswer, 'live');
  assert.equal(kicked.client.state, 'closed');
});
