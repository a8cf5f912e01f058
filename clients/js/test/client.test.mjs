// A client on one line: the conversation, listeners, errors and what is hostile.
import assert from 'node:assert/strict';
import test from 'node:test';
import { connect } from '../index.js';
import { body, bundle, live, roster, SKELETON, WELCOME, World } from './fake-server.mjs';

test('sends hello, join and subscribe without waiting', () => {
  const { world, client } = live({ space: 'lobby', client: 'me' });
  assert.equal(world.socket.url, 'ws://test');
  assert.equal(world.socket.protocol, 'jointcast.v1');
  assert.equal(world.socket.binaryType, 'arraybuffer');
  assert.deepEqual(world.socket.sent.slice(0, 3), [
    { type: 'hello', codings: [3, 2, 1], credit: true, client: 'me' },
    { type: 'join', space: 'lobby' },
    { type: 'subscribe', space: 'lobby' },
  ]);
  assert.equal(client.welcome.server, 'test');
});

test('listeners added after connect receive all events in order', () => {
  const { log } = live();
  assert.deepEqual(log, ['connecting', 'connected', 'enter 1', 'enter 2', 'live']);
});

test('bundles move the bodies that they contain', () => {
  const { world, client } = live();
  // tick 300 of 60 Hz is 5 s; hips 1 m up; captured 10 ms before
  world.cast([0x11, 9, 0xac, 0x02, 0xc7, 0x0c, 2, 0xc8, 0x01, 0x41, 4, 0, 0xd0, 0x0f, 0]);
  const sample = client.bodies.get(2).sample();
  assert.equal(sample.hips[1], 1);
  assert.deepEqual([...sample.position], [2, 0, 0]); // where the roster put it
  assert.equal(client.bodies.get(2).timeline.newest, 4990000);
  assert.equal(client.bodies.get(1).sample(), null);
  assert.deepEqual(client.traffic, { bundles: 1, bytes: 15, packets: 1, damaged: 0 });
  world.cast([0x11, 8, 0xac, 0x02, 0xc7, 8, 1]); // another epoch's
  assert.equal(client.traffic.bundles, 1);
  world.cast([0x11, 9, 0xac, 0x02, 0xc7, 8, 77]); // a body not in the roster
  assert.equal(client.traffic.packets, 1);
});

test('server errors and damaged messages are events and do not end the connection', () => {
  const { world, client, log } = live();
  log.length = 0;
  world.say({ type: 'error', code: 'unknown-space', message: 'no such space', ref: 'join' });
  world.say({ type: 'error', code: 'unknown-space', message: 'no such space', ref: 'subscribe' }); // the same fault
  world.socket.onmessage({ data: '{' });
  world.socket.onmessage({ data: '3' });
  world.cast([0x11]);
  world.say({ type: 'roster', space: 'lobby', revision: 5, joined: [{ id: -1 }] });
  world.say({ type: 'skeleton', hash: 'cc', descriptor: { nodes: 1 } });
  world.say({ type: 'skeleton', descriptor: {} });
  assert.deepEqual(log.map((error) => error.code ?? error.name),
    ['unknown-space', 'SyntaxError', 'invalid', 'truncated', 'invalid', 'invalid', 'invalid']);
  assert.equal(client.traffic.damaged, 6);
  assert.equal(client.state, 'live');
  world.say({ type: 'of-a-later-version' });
  assert.equal(log.length, 7);
});

test('joins again a space that the server does not know yet, and reports it once', () => {
  const { world, client, log } = live();
  world.drop();
  world.pass(1000);
  world.open();
  world.say(WELCOME);
  log.length = 0;
  const refuse = () => ['join', 'subscribe'].forEach((ref) => world.say({ type: 'error', code: 'unknown-space', message: '', ref }));
  const times = [world.time];
  for (const joins of [2, 3, 4, 5, 6, 7]) {
    refuse();
    assert.equal(world.sent('join').length, joins - 1);
    world.pass(5000);
    assert.deepEqual([world.sent('join').length, world.sent('subscribe').length], [joins, joins]);
    times.push(world.sentAt('join').at(-1));
  }
  assert.deepEqual(log.map(({ code }) => code), ['unknown-space']);
  assert.equal(client.state, 'connected');
  const waits = times.slice(1).map((time, i) => time - (times[0] + 5000 * i));
  assert.deepEqual(waits, [250, 500, 1000, 2000, 2500, 2500]); // the middle of each bound
  world.say(roster({ epoch: 'e2', id: 10 }));
  assert.equal(client.state, 'live');
  world.pass(5000);
  assert.equal(world.sent('join').length, 7);
});

test('ignores binary messages of an unknown kind or version', () => {
  const { world, client, log } = live();
  world.cast(bundle(128, 1, 0));
  const before = { ...client.traffic };
  log.length = 0;
  for (const first of [0x01, 0x10, 0x12, 0x21, 0x42, 0x7f])
    world.cast([first, 9, 0, 0]);
  assert.deepEqual(log, []);
  assert.deepEqual(client.traffic, before);
  world.cast(bundle(129, 1, 1));
  assert.deepEqual([client.traffic.packets, client.bodies.get(1).timeline.lost], [2, 0]);
});

test('a message with two ticks counts as two bundles; damage in the first leaves the second', () => {
  const { world, client, log } = live({ ticks: 2 });
  assert.equal(world.sent('subscribe')[0].ticks, 2);
  const [first, second, third, fourth] = [128, 129, 130, 131].map((tick, i) => bundle(tick, 1, i));
  world.cast([0x31, first.length, ...first, ...second]);
  assert.deepEqual([client.traffic.bundles, client.traffic.packets, client.bodies.get(1).timeline.lost], [2, 2, 0]);
  log.length = 0;
  const damaged = [...third.slice(0, 4), 0xff];
  world.cast([0x31, damaged.length, ...damaged, ...fourth]);
  assert.equal(client.traffic.packets, 3);
  assert.equal(log.length > 0 && client.traffic.damaged, 1);
  world.cast([0x31, 200, 0x11]);
  assert.equal(client.traffic.damaged, 2);
  // A pair in a pair is a message of an unknown kind.
  world.cast([0x31, 3, 0x31, 1, 0x80, ...bundle(132, 1, 4)]);
  assert.deepEqual([client.traffic.damaged, client.traffic.packets], [2, 4]);
});

test('another protocol ends the connection without a retry', () => {
  const { world, client, log } = live();
  log.length = 0;
  world.say({ ...WELCOME, protocol: 'jointcast.v2' });
  assert.equal(log[0].code, 'unsupported');
  assert.equal(client.state, 'closed');
});

test('an invalid address is an error without a retry', () => {
  const world = new World();
  class Throws {
    constructor() {
      throw new SyntaxError('not an address');
    }
  }
  const errors = [];
  const client = connect('nonsense', world.options({ WebSocket: Throws })).on('error', (error) => errors.push(error));
  world.pass(0);
  assert.equal(client.state, 'closed');
  assert.equal(errors.length, 1);
  assert.equal(world.pending, 0);
});

test('a removed listener is not called', () => {
  const { world, client } = live();
  const heard = [];
  const listen = () => heard.push(1);
  client.on('roster', listen);
  world.say(roster({ revision: 5 }));
  client.off('roster', listen);
  world.say(roster({ revision: 6 }));
  assert.equal(heard.length, 1);
});

/** Park and Miller's generator, seeded. */
function generator(seed) {
  return (below) => (seed = (seed * 48271) % 2147483647) % below;
}

/** Puts `value` in place of a random part of a message. */
function damage(message, random, value) {
  let holder = message;
  for (;;) {
    const keys = Object.keys(holder);
    const key = keys[random(keys.length)];
    const part = holder[key];
    if (typeof part !== 'object' || part === null || Object.keys(part).length === 0 || random(4) === 0) {
      holder[key] = value;
      return;
    }
    holder = part;
  }
}

test('hostile: 20000 damaged control messages are taken or refused', () => {
  const random = generator(77);
  const { world, client } = live();
  const messages = [WELCOME, SKELETON, roster(), { type: 'roster', space: 'lobby', revision: 5, joined: [body(9)], left: [1],
    changed: [body(2, { seat: { height: 1 } })] }, { type: 'error', code: 'a', message: 'b', ref: 'c' }, { type: 'pong', t: 1, time: 2 }];
  const values = [null, true, -1, 0, 1e300, 4294967296, 0.5, '', 'text', [], [null], {}, { toString: 1, valueOf: 1 }, [[], {}],
    { height: null }, Array(300).fill(0), 'type', '__proto__'];
  let refused = 0;
  client.on('error', () => { refused++; });
  for (let i = 0; i < 20000 && client.state === 'live'; i++) {
    const message = structuredClone(messages[random(messages.length)]);
    damage(message, random, values[random(values.length)]);
    if (message.type !== 'welcome') { // a wrong protocol would be the end
      world.say(message);
      world.time += 10;
    }
    client.bodies.forEach((one) => one.sample(world.time));
  }
  assert.equal(client.state, 'live');
  assert.ok(refused > 1000, `${refused}`);
});

test('a body has a skeleton from enter until leave, whatever arrives in between', () => {
  const world = new World();
  const client = connect('ws://test', world.options());
  const heard = [];
  for (const name of ['enter', 'change', 'leave']) {
    client.on(name, ({ id, skeleton }) => heard.push(`${name} ${id} ${skeleton?.hash}`));
  }
  const other = { ...SKELETON, hash: 'bb' };
  world.pass(0);
  world.open();
  world.say(WELCOME);
  world.say(roster()); // before any skeleton
  assert.deepEqual(heard, []);
  world.say(SKELETON);
  world.say({ type: 'roster', space: 'lobby', revision: 5, changed: [body(1, { skeleton: 'bb' })] });
  world.say({ type: 'worn', space: 'lobby', bodies: [{ id: 2, skeleton: 'bb' }] });
  world.say(other);
  world.say({ type: 'roster', space: 'lobby', revision: 6, changed: [body(1, { skeleton: 'bb', hidden: true })] });
  world.say({ type: 'roster', space: 'lobby', revision: 7, changed: [body(1, { skeleton: 'bb' })], left: [2] });
  world.drop();
  world.pass(500);
  world.open();
  world.say(roster({ epoch: 'e2', bodies: [body(1)] }));
  assert.deepEqual(heard, ['enter 1 aa', 'enter 2 aa', 'leave 1 aa', 'leave 2 aa', 'enter 1 bb', 'enter 2 bb',
    'leave 1 bb', 'leave 2 bb', 'enter 1 bb', 'leave 1 bb', 'enter 1 aa']);
});
