// The connection against a WebSocket and a clock that the test drives.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ChainEncoder, ProtocolError, connect } from '../index.js';

/** Time that passes when told to. */
class World {
  time = 1000;
  #timers = [];
  #next = 1;
  sockets = [];
  random = () => 0.5;

  options(more = {}) {
    const world = this;
    class FakeWebSocket {
      constructor(url, protocol) {
        Object.assign(this, { url, protocol, readyState: 0, sent: [], closed: null });
        world.sockets.push(this);
      }
      send(text) {
        this.sent.push(JSON.parse(text));
      }
      close(code) {
        this.readyState = 3;
        this.closed = code ?? null;
      }
    }
    return { WebSocket: FakeWebSocket, now: () => this.time, random: () => this.random(),
      setTimeout: (run, ms) => {
        this.#timers.push({ id: this.#next, at: this.time + ms, run });
        return this.#next++;
      },
      clearTimeout: (id) => {
        this.#timers = this.#timers.filter((timer) => timer.id !== id);
      }, ...more };
  }

  pass(ms) {
    const end = this.time + ms;
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at || a.id - b.id)[0];
      if (!due) {
        break;
      }
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.time = Math.max(this.time, due.at);
      due.run();
    }
    this.time = end;
  }

  get pending() {
    return this.#timers.length;
  }

  get socket() {
    return this.sockets.at(-1);
  }

  open() {
    this.socket.readyState = 1;
    this.socket.onopen({});
  }

  say(message) {
    this.socket.onmessage({ data: JSON.stringify(message) });
  }

  cast(bytes) {
    this.socket.onmessage({ data: Uint8Array.from(bytes).buffer });
  }

  drop(code = 1006) {
    this.socket.readyState = 3;
    this.socket.onclose({ code, reason: '' });
  }

  sent(type) {
    return this.socket.sent.filter((message) => message.type === type);
  }
}

const WELCOME = { type: 'welcome', protocol: 'jointcast.v1', server: 'test', time: 0, wall: 0, codings: [], spaces: ['lobby'], limits: { message: 65536 } };
const SKELETON = { type: 'skeleton', hash: 'aa', descriptor: { nodes: [{ name: 'hips', translation: [0, 1, 0] }], bones: { hips: 0 } } };
const body = (id, more = {}) => ({ id, name: `body ${id}`, skeleton: 'aa', incarnation: 0,
  placement: { position: [id, 0, 0], yaw: 0 }, state: 'live', ...more });
const roster = (more = {}) => ({ type: 'roster', space: 'lobby', id: 9, epoch: 'e1', revision: 4,
  tickHz: 60, tickTime: 0, bodies: [body(1), body(2)], ...more });

/** A client that is live, with a log of what it told its listeners. */
function live(options) {
  const world = new World();
  const client = connect('ws://test', world.options(options));
  const log = [];
  for (const name of ['enter', 'leave', 'change']) {
    client.on(name, ({ id }) => log.push(`${name} ${id}`));
  }
  client.on('state', ({ state }) => log.push(state));
  client.on('error', (error) => log.push(error));
  world.pass(0);
  world.open();
  world.say(WELCOME);
  world.say(SKELETON);
  world.say(roster());
  return { world, client, log };
}

/** A bundle of space 9: one packet of a body, at rest but for its sequence. */
const bundle = (tick, id, sequence) => [0x11, 9, tick & 0x7f | 0x80, tick >> 7, 0xc0 | (sequence & 15), 8, id];

test('says hello, joins and subscribes in one go', () => {
  const { world, client } = live({ space: 'lobby', client: 'me' });
  assert.equal(world.socket.url, 'ws://test');
  assert.equal(world.socket.protocol, 'jointcast.v1');
  assert.equal(world.socket.binaryType, 'arraybuffer');
  assert.deepEqual(world.socket.sent.slice(0, 3), [
    { type: 'hello', codings: [2, 1], credit: true, client: 'me' },
    { type: 'join', space: 'lobby' },
    { type: 'subscribe', space: 'lobby' },
  ]);
  assert.equal(client.welcome.server, 'test');
});

test('another variant is asked for at once, and again after a line dropped', () => {
  const { world, client } = live({ precision: 'fine', rate: 2 });
  client.subscribe({ precision: 'coarse' });
  const wanted = { type: 'subscribe', space: 'lobby', precision: 'coarse', rate: 2 };
  assert.deepEqual(world.sent('subscribe').at(-1), wanted);
  world.drop();
  client.subscribe({ sections: ['body'] });
  world.pass(1000);
  world.open();
  assert.deepEqual(world.sent('subscribe'), [{ ...wanted, sections: ['body'] }]);
});

test('who hears that a line is there can use it', () => {
  const world = new World();
  const client = connect('ws://test', world.options());
  client.on('state', ({ state }) => {
    if (state === 'connected')
      client.publish({ name: 'Ada', kind: 'body-frames' });
  });
  world.pass(0);
  world.open();
  assert.deepEqual(world.socket.sent.slice(0, 4).map(({ type }) => type),
    ['hello', 'join', 'subscribe', 'publish']);
});

test('listeners added after connect hear of everything, in order', () => {
  const { log } = live();
  assert.deepEqual(log, ['connecting', 'connected', 'enter 1', 'enter 2', 'live']);
});

test('a body enters once its skeleton is there', () => {
  const { world, client, log } = live();
  log.length = 0;
  world.say({ type: 'roster', space: 'lobby', revision: 5, joined: [body(3, { skeleton: 'bb' })] });
  assert.deepEqual(log, []);
  assert.equal(client.bodies.get(3).skeleton, null);
  world.say({ ...SKELETON, hash: 'bb' });
  assert.deepEqual(log, ['enter 3']);
  assert.equal(client.bodies.get(3).skeleton.hash, 'bb');
});

test('changes are taken in by revision', () => {
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

test('a missing change is mended with the whole roster', () => {
  const { world, client, log } = live();
  log.length = 0;
  world.say({ type: 'roster', space: 'lobby', revision: 7, left: [1] });
  assert.ok(client.bodies.has(1));
  assert.equal(world.sent('join').length, 2);
  world.say(roster({ revision: 7, bodies: [body(2)] }));
  assert.deepEqual(log, ['leave 1', 'change 2']);
});

test('another skeleton is another figure', () => {
  const { world, log } = live();
  log.length = 0;
  world.say({ ...SKELETON, hash: 'bb' });
  world.say({ type: 'roster', space: 'lobby', revision: 5, changed: [body(2, { skeleton: 'bb', incarnation: 1 })] });
  assert.deepEqual(log, ['leave 2', 'enter 2']);
});

test('bundles move the bodies they name', () => {
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

test('acknowledges the newest tick every 200 ms and once more when bundles stop', () => {
  const { world } = live();
  for (let tick = 0; tick < 60; tick++) {
    world.cast(bundle(128 + tick, 1, tick));
    world.pass(1000 / 60);
  }
  world.pass(1000);
  const ticks = world.sent('ack').map((ack) => ack.tick);
  assert.ok(ticks.length >= 5 && ticks.length <= 7, `${ticks}`);
  assert.equal(ticks[0], 128);
  assert.equal(ticks.at(-1), 187);
  assert.ok(ticks.every((tick, i) => i === 0 || tick > ticks[i - 1]));
});

test('acknowledges what is old at once, so that the server goes on', () => {
  const { world } = live();
  for (const { t } of world.sent('ping'))
    world.say({ type: 'pong', t, time: 10e6 }); // server time is 10 s
  world.cast(bundle(570, 1, 0)); // 9.5 s
  world.pass(5);
  world.cast(bundle(571, 1, 1));
  world.pass(5);
  assert.deepEqual(world.sent('ack').map((ack) => ack.tick), [570]);
  world.pass(15);
  assert.deepEqual(world.sent('ack').map((ack) => ack.tick), [570, 571]);
  world.cast(bundle(601, 1, 2)); // of now
  world.pass(100);
  assert.equal(world.sent('ack').length, 2);
  world.pass(100);
  assert.equal(world.sent('ack').at(-1).tick, 601);
});

test('shows a token, and another one before it ends', () => {
  const { world, client } = live({ token: 'abc' });
  assert.equal(world.sent('hello')[0].token, 'abc');
  client.renew('def');
  assert.deepEqual(world.sent('token'), [{ type: 'token', token: 'def' }]);
});

test('a token that is refused ends a client that has no other', () => {
  const { world, client, log } = live({ token: 'abc' });
  log.length = 0;
  world.say({ type: 'error', code: 'refused', reason: 'expired', message: 'no' });
  assert.equal(log[0].code, 'refused');
  assert.equal(client.state, 'closed');
});

test('a function is asked for a token anew for each connection', async () => {
  const world = new World();
  const tokens = ['one', 'two'];
  const client = connect('ws://test', world.options({ token: async () => tokens.shift() }));
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  world.pass(0);
  world.open();
  assert.deepEqual(world.socket.sent, []);
  await settle();
  assert.equal(world.sent('hello')[0].token, 'one');
  world.say({ type: 'error', code: 'refused', reason: 'expired', message: 'no' });
  client.on('error', () => {});
  world.drop(1008);
  world.pass(1000);
  world.open();
  await settle();
  assert.equal(world.sent('hello')[0].token, 'two');
});

test('a token that comes after its connection went is not shown to the next', async () => {
  const world = new World();
  const pending = [];
  connect('ws://test', world.options({ token: () => new Promise((resolve) => pending.push(resolve)) }));
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  world.pass(0);
  world.open();
  await settle();
  world.drop();
  world.pass(1000);
  world.open();
  await settle();
  pending[0]('late');
  await settle();
  assert.deepEqual(world.socket.sent, []);
  pending[1]('right');
  await settle();
  assert.equal(world.sent('hello')[0].token, 'right');
});

test('comes back when the server that goes away says so', () => {
  const { world } = live();
  world.say({ type: 'going_away', retryAfter: 7000 });
  world.drop(1001);
  world.pass(6999);
  assert.equal(world.sockets.length, 1);
  world.pass(1);
  assert.equal(world.sockets.length, 2);
  world.drop();
  world.pass(500); // as ever after that
  assert.equal(world.sockets.length, 3);
});

test('without credit nothing is acknowledged', () => {
  const { world } = live({ credit: false });
  assert.equal(world.sent('hello')[0].credit, false);
  world.cast(bundle(128, 1, 0));
  world.pass(1000);
  assert.equal(world.sent('ack').length, 0);
});

test('pings in quick succession at first, and knows the clock from the answers', () => {
  const { world, client } = live();
  world.pass(1000);
  assert.equal(world.sent('ping').length, 6);
  world.pass(4000);
  assert.equal(world.sent('ping').length, 8);
  const { t } = world.sent('ping').at(-1);
  world.time = t + 20;
  world.say({ type: 'pong', t, time: (t + 10 + 500) * 1000 });
  assert.equal(client.clock.at(world.time), (world.time + 500) * 1000);
  world.cast(bundle(128, 1, 0));
  client.bodies.get(1).sample(world.time);
  // tick 128 was at 2.133333 s
  assert.equal(client.bodies.get(1).latency(world.time), ((world.time + 500) * 1000 - 2133333) / 1000);
});

test('comes back with exponential back-off and full jitter, and subscribes again', () => {
  const { world, client, log } = live();
  world.random = () => 0.999;
  const waits = [];
  client.on('state', ({ state, delay }) => state === 'waiting' && waits.push(Math.round(delay)));
  for (let i = 0; i < 9; i++) {
    world.drop();
    assert.equal(client.state, 'waiting');
    world.pass(waits.at(-1) - 2);
    assert.equal(client.state, 'waiting');
    world.pass(3);
    assert.equal(client.state, 'connecting');
  }
  assert.deepEqual(waits, [500, 999, 1998, 3996, 7992, 15984, 29970, 29970, 29970]);
  world.random = () => 0;
  world.drop();
  assert.equal(waits.at(-1), 0);
  world.pass(1);
  world.open();
  assert.deepEqual(world.socket.sent.slice(0, 3).map(({ type }) => type), ['hello', 'join', 'subscribe']);
  log.length = 0;
  world.say(SKELETON);
  world.say(roster());
  // the same epoch: the same bodies, nothing enters twice
  assert.deepEqual(log, ['change 1', 'change 2', 'live']);
});

test('a connection that lasted starts the back-off anew', () => {
  const { world, client } = live();
  world.random = () => 1;
  const waits = [];
  client.on('state', ({ state, delay }) => state === 'waiting' && waits.push(delay));
  world.drop();
  world.pass(500);
  world.drop();
  world.pass(1000);
  world.open();
  for (let i = 0; i < 12; i++) {
    world.pass(1000);
    world.say({ type: 'pong', t: world.time, time: 0 });
  }
  world.drop();
  assert.deepEqual(waits, [500, 1000, 500]);
});

test('another epoch sends everybody out and in again', () => {
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

test('a line that is silent for ten seconds is dead', () => {
  const { world, client } = live();
  world.pass(9999);
  assert.equal(client.state, 'live');
  world.pass(1);
  assert.equal(client.state, 'waiting');
  assert.equal(world.sockets[0].readyState, 3);
});

test('a socket that was given up is no longer heard', () => {
  const { world, client } = live();
  world.random = () => 0;
  const [old] = world.sockets;
  world.drop();
  world.pass(1);
  old.onmessage({ data: JSON.stringify(roster({ bodies: [] })) });
  old.onclose({ code: 1000 });
  assert.equal(client.bodies.size, 2);
  assert.equal(client.state, 'connecting');
});

test('close ends everything and no timer is left', () => {
  for (const end of [0, 1, 2]) {
    const { world, client, log } = live();
    if (end > 0) {
      world.drop();
    }
    if (end > 1) {
      world.pass(500);
    }
    client.close();
    client.close();
    assert.equal(client.state, 'closed');
    assert.equal(log.filter((entry) => entry === 'closed').length, 1);
    assert.equal(world.pending, 0);
    const { length } = world.sockets;
    world.pass(100000);
    assert.equal(world.sockets.length, length);
  }
});

test('errors of the server and damage on the line are events, not ends', () => {
  const { world, client, log } = live();
  log.length = 0;
  world.say({ type: 'error', code: 'unknown-space', message: 'no such space', ref: 'join' });
  world.socket.onmessage({ data: '{' });
  world.socket.onmessage({ data: '3' });
  world.cast([0x11]);
  world.cast([0x21, 0, 0, 0]);
  world.say({ type: 'roster', space: 'lobby', revision: 5, joined: [{ id: -1 }] });
  world.say({ type: 'skeleton', hash: 'cc', descriptor: { nodes: 1 } });
  world.say({ type: 'skeleton', descriptor: {} });
  assert.deepEqual(log.map((error) => error.code ?? error.name),
    ['unknown-space', 'SyntaxError', 'invalid', 'truncated', 'unsupported', 'invalid', 'invalid', 'invalid']);
  assert.equal(client.traffic.damaged, 7);
  assert.equal(client.state, 'live');
  world.say({ type: 'of-a-later-version' });
  assert.equal(log.length, 8);
});

test('rosters that make no sense are refused whole', () => {
  const bad = [{ id: 'x' }, { id: -1 }, { revision: 1.5 }, { tickHz: 0 }, { tickHz: 60.5 }, { tickTime: null }, { bodies: 3 },
    { bodies: [null] }, { bodies: [body(1), body(2.5)] }, { bodies: [body(1, { skeleton: 5 })] },
    { bodies: [body(1, { placement: { position: [0, 0], yaw: 0 } })] },
    { bodies: [body(1, { placement: { position: [0, 0, 'x'], yaw: 0 } })] },
    { bodies: [body(1, { placement: { position: [0, 0, 0] } })] }, { bodies: [body(1, { seat: {} })] }];
  for (const more of bad) {
    const { world, client, log } = live();
    log.length = 0;
    world.say(roster({ revision: 9, ...more }));
    assert.ok(log.length === 1 && log[0] instanceof ProtocolError, JSON.stringify(more));
    assert.deepEqual([...client.bodies.keys()], [1, 2]);
  }
});

test('another protocol ends the connection for good', () => {
  const { world, client, log } = live();
  log.length = 0;
  world.say({ ...WELCOME, protocol: 'jointcast.v2' });
  assert.equal(log[0].code, 'unsupported');
  assert.equal(client.state, 'closed');
});

test('an address that cannot be is an error, not a loop', () => {
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

test('a listener that was taken away is not called', () => {
  const { world, client } = live();
  const heard = [];
  const listen = () => heard.push(1);
  client.on('roster', listen);
  world.say(roster({ revision: 5 }));
  client.off('roster', listen);
  world.say(roster({ revision: 6 }));
  assert.equal(heard.length, 1);
});

test('tick times stay exact to the microsecond for years', async () => {
  const { Roster } = await import('../roster.js');
  const list = new Roster(null);
  list.tickHz = 60;
  list.tickTime = 5;
  for (const tick of [0, 1, 59, 60, 4294967295]) {
    assert.equal(BigInt(list.timeOf(tick)), (BigInt(tick) * 1000000n) / 60n + 5n);
  }
});

test('skeletons that nobody wears are forgotten past a limit', () => {
  const { world, client } = live();
  for (let i = 0; i < 600; i++) {
    world.say({ ...SKELETON, hash: `unworn ${i}` });
  }
  assert.ok(client.skeletons.size <= 256);
  assert.ok(client.skeletons.has('aa'));
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

/** A bundle of space 9 with a packet of coding 2: the hips of a body, by their chain. */
function chainBundle(tick, id, sequence, needsState, content) {
  const flags = 0xc0 | (sequence & 15);
  const section = content.length === 0 ? [] : needsState ? [0x08, ...content]
    : [0x42, content.length, ...content];
  return [0x11, 9, (tick & 0x7f) | 0x80, tick >> 7,
    ...(needsState ? [flags & 0x7f] : [flags, 8]), id, ...section];
}

/** What the hips' chain writes where they stand at x. */
function hipsWriter() {
  const chain = new ChainEncoder('hips');
  const out = new Uint8Array(600);
  return {
    start: (x) => chain.start('fine', [x, 0, 0]),
    step: (x) => out.slice(0, chain.encode([x, 0, 0], false, out)),
    rejoin: () => out.slice(0, chain.writeRejoin(out)),
  };
}

test('asks for the variant that was wanted', () => {
  const { world } = live({ precision: 'coarse', rate: 2, sections: ['body'], codings: [2] });
  assert.deepEqual(world.sent('subscribe'),
    [{ type: 'subscribe', space: 'lobby', precision: 'coarse', rate: 2, sections: ['body'] }]);
  assert.deepEqual(world.sent('hello')[0].codings, [2]);
});

test('a hole in a stream is mended by a keyframe, asked for twice a second at most', () => {
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

test('a body of coding 2 that bundles leave out stands still, one of coding 1 does not', () => {
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

test('damage to a stream is told and a keyframe asked for', () => {
  const { world, log } = live();
  const hips = hipsWriter();
  hips.start(0.1);
  world.cast(chainBundle(200, 1, 0, false, hips.rejoin()));
  world.cast(chainBundle(201, 1, 1, true, [1, 2, 3, 4, 5, 6, 7, 8]));
  assert.ok(log.at(-1) instanceof ProtocolError);
  assert.equal(world.sent('keyframe').length, 1);
});

test('after coming back streams begin anew', () => {
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
