// The roster: bodies, their skeletons, revisions and epochs.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ProtocolError } from '../index.js';
import { body, live, roster, SKELETON } from './fake-server.mjs';

test('a body enters when its skeleton has arrived', () => {
  const { world, client, log } = live();
  log.length = 0;
  world.say({ type: 'roster', space: 'lobby', revision: 5, joined: [body(3, { skeleton: 'bb' })] });
  assert.deepEqual(log, []);
  assert.equal(client.bodies.get(3).skeleton, null);
  world.say({ ...SKELETON, hash: 'bb' });
  assert.deepEqual(log, ['enter 3']);
  assert.equal(client.bodies.get(3).skeleton.hash, 'bb');
});

test('applies changes by revision', () => {
  const { world, client, log } = live();
  log.length = 0;
  world.say({ type: 'roster', space: 'lobby', revision: 5, joined: [body(3)], left: [1], changed: [body(2, { name: 'new', state: 'stale', seat: { height: 0.45 } })] });
  assert.deepEqual(log, ['leave 1', 'enter 3', 'change 2']);
  assert.deepEqual([...client.bodies.keys()], [2, 3]);
  assert.equal(client.bodies.get(2).name, 'new');
  assert.equal(client.bodies.get(2).state, 'stale');
  assert.deepEqual(client.bodies.get(2).seat, { height: 0.45 });
  // known already
  world.say({ type: 'roster', space: 'lobby', revision: 5, left: [2] });
  assert.ok(client.bodies.has(2));
});

test('reports each start and end of a recording', () => {
  const { world, client } = live();
  const told = [];
  client.on('recording', ({ recording }) => told.push(recording));
  assert.equal(client.recording, false);
  world.say({ type: 'roster', space: 'lobby', revision: 5, recording: true });
  assert.equal(client.recording, true);
  world.say({ type: 'roster', space: 'lobby', revision: 6, left: [1] });
  assert.equal(client.recording, true);
  world.say({ type: 'roster', space: 'lobby', revision: 7, recording: false });
  world.say(roster({ revision: 8, bodies: [], recording: true }));
  world.say(roster({ revision: 9, bodies: [] }));
  assert.deepEqual(told, [true, false, true, false]);
});

const OPENXR = { name: 'Ada', source: 'openxr', reason: 'no OpenXR runtime' };

test('reports the sources that wait, and their reasons', () => {
  const { world, client } = live();
  const told = [];
  client.on('waiting', (waiting) => told.push(waiting.map(({ source, reason }) => `${source}: ${reason}`)));
  assert.deepEqual(client.waiting, []);
  world.say({ type: 'roster', space: 'lobby', revision: 5, waiting: [OPENXR, { name: 'B', source: 'vmc', later: 1 }] });
  assert.deepEqual(client.waiting, [OPENXR, { name: 'B', source: 'vmc', reason: '' }]);
  world.say({ type: 'roster', space: 'lobby', revision: 6, left: [1] });
  assert.equal(client.waiting.length, 2);
  world.say({ type: 'roster', space: 'lobby', revision: 7, joined: [body(3)], waiting: [OPENXR] });
  world.say(roster({ revision: 8, bodies: [], waiting: [OPENXR] }));
  world.say({ type: 'roster', space: 'lobby', revision: 9, waiting: [{ ...OPENXR, reason: 'no headset' }] });
  world.say(roster({ revision: 10, bodies: [] }));
  assert.deepEqual(told, [['openxr: no OpenXR runtime', 'vmc: '], ['openxr: no OpenXR runtime'],
    ['openxr: no headset'], []]);
});

test('a body enters with its first motion', () => {
  const { world, client, log } = live();
  log.length = 0;
  world.say({ type: 'roster', space: 'lobby', revision: 5, joined: [body(3, { waiting: true, state: 'stale' })] });
  assert.deepEqual(log, []);
  assert.equal(client.bodies.get(3).waiting, true);
  world.say({ type: 'roster', space: 'lobby', revision: 6, changed: [body(3)] });
  assert.deepEqual(log, ['enter 3']);
  assert.equal(client.bodies.get(3).waiting, false);
  world.say({ type: 'roster', space: 'lobby', revision: 7, joined: [body(4, { waiting: true })], left: [3] });
  world.say({ type: 'roster', space: 'lobby', revision: 8, left: [4] });
  assert.deepEqual(log, ['enter 3', 'leave 3']);
});

test('requests the whole roster after a missing change', () => {
  const { world, client, log } = live();
  log.length = 0;
  world.say({ type: 'roster', space: 'lobby', revision: 7, left: [1] });
  assert.ok(client.bodies.has(1));
  assert.equal(world.sent('join').length, 2);
  world.say(roster({ revision: 7, bodies: [body(2)] }));
  assert.deepEqual(log, ['leave 1', 'change 2']);
});

test('an unrequested complete roster keeps the bodies that stay', () => {
  const { world, client, log } = live();
  const before = client.bodies.get(2);
  log.length = 0;
  world.say(roster({ revision: 9, bodies: [body(2, { name: 'new' }), body(3)] }));
  assert.deepEqual(log, ['leave 1', 'enter 3', 'change 2']);
  assert.equal(client.bodies.get(2), before);
  world.say({ type: 'roster', space: 'lobby', revision: 10, joined: [body(4)], left: [1, 3] });
  assert.deepEqual([...client.bodies.keys()], [2, 4]);
  assert.equal(world.sent('join').length, 1);
});

test('a changed skeleton replaces the skeleton of the body', () => {
  const { world, log } = live();
  log.length = 0;
  world.say({ ...SKELETON, hash: 'bb' });
  world.say({ type: 'roster', space: 'lobby', revision: 5, changed: [body(2, { skeleton: 'bb', incarnation: 1 })] });
  assert.deepEqual(log, ['leave 2', 'enter 2']);
});

test('in another epoch all bodies leave and enter again', () => {
  const { world, client, log } = live();
  world.random = () => 0;
  const before = client.bodies.get(1);
  world.drop();
  world.pass(1);
  world.open();
  log.length = 0;
  world.say(roster({ epoch: 'e2', id: 10, revision: 0, bodies: [body(1)] }));
  assert.deepEqual(log, ['leave 1', 'leave 2', 'enter 1', 'live']);
  assert.notEqual(client.bodies.get(1), before);
});

test('refuses invalid rosters completely', () => {
  const bad = [{ id: 'x' }, { id: -1 }, { revision: 1.5 }, { tickHz: 0 }, { tickHz: 60.5 }, { tickTime: null }, { bodies: 3 },
    { bodies: [null] }, { bodies: [body(1), body(2.5)] }, { bodies: [body(1, { skeleton: 5 })] },
    { bodies: [body(1, { placement: { position: [0, 0], yaw: 0 } })] },
    { bodies: [body(1, { placement: { position: [0, 0, 'x'], yaw: 0 } })] },
    { bodies: [body(1, { placement: { position: [0, 0, 0] } })] }, { bodies: [body(1, { seat: {} })] },
    { bodies: [], waiting: {} }, { bodies: [], waiting: [null] }, { bodies: [], waiting: [{ ...OPENXR, name: 1 }] },
    { bodies: [], waiting: [{ ...OPENXR, reason: 5 }] }];
  for (const more of bad) {
    const { world, client, log } = live();
    log.length = 0;
    world.say(roster({ revision: 9, ...more }));
    assert.ok(log.length === 1 && log[0] instanceof ProtocolError, JSON.stringify(more));
    assert.deepEqual([...client.bodies.keys()], [1, 2]);
  }
});

test('tick times stay exact to the microsecond for years', async () => {
  const { Roster } = await import('../connection/roster.js');
  const list = new Roster(null);
  list.tickHz = 60;
  list.tickTime = 5;
  for (const tick of [0, 1, 59, 60, 4294967295]) {
    assert.equal(BigInt(list.timeOf(tick)), (BigInt(tick) * 1000000n) / 60n + 5n);
  }
});

test('removes unused skeletons beyond a limit', () => {
  const { world, client } = live();
  for (let i = 0; i < 600; i++) {
    world.say({ ...SKELETON, hash: `unworn ${i}` });
  }
  assert.ok(client.skeletons.size <= 256);
  assert.ok(client.skeletons.has('aa'));
});
