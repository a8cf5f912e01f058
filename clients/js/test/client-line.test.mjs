// The line: acknowledgements, tokens, the clock, coming back and ending.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { connect } from '../index.js';
import { bundle, live, roster, SKELETON, World } from './fake-server.mjs';
import { parkMiller } from './random.mjs';

test('requests another view at once, and again after a reconnection', () => {
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

test('a listener of the connected state can send', () => {
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

test('acknowledges the newest tick every 100 ms and once more when bundles stop', () => {
  const { world } = live();
  for (let tick = 0; tick < 60; tick++) {
    world.cast(bundle(128 + tick, 1, tick));
    world.pass(1000 / 60);
  }
  world.pass(1000);
  const ticks = world.sent('ack').map((ack) => ack.tick);
  assert.ok(ticks.length >= 10 && ticks.length <= 12, `${ticks}`);
  assert.equal(ticks[0], 128);
  assert.equal(ticks.at(-1), 187);
  assert.ok(ticks.every((tick, i) => i === 0 || tick > ticks[i - 1]));
});

test('acknowledges the ticks of a new epoch, which begin anew', () => {
  const { world } = live();
  world.cast(bundle(5000, 1, 0));
  world.pass(200);
  world.say(roster({ id: 10, epoch: 'e2', revision: 1 }));
  for (let tick = 128; tick < 188; tick++) {
    world.cast([0x11, 10, ...bundle(tick, 1, tick).slice(2)]);
    world.pass(1000 / 60);
  }
  world.pass(1000);
  const ticks = world.sent('ack').map((ack) => ack.tick);
  assert.deepEqual(ticks.slice(0, 2), [5000, 128]);
  assert.equal(ticks.at(-1), 187);
  assert.ok(ticks.length >= 11, `${ticks}`);
});

test('acknowledges the first bundle after a pause at once, and old ones as often as others', () => {
  const { world } = live();
  for (const { t } of world.sent('ping'))
    world.say({ type: 'pong', t, time: 10e6 }); // server time is 10 s
  world.cast(bundle(570, 1, 0)); // 9.5 s
  world.pass(5);
  world.cast(bundle(571, 1, 1));
  world.pass(90);
  assert.deepEqual(world.sent('ack').map((ack) => ack.tick), [570]);
  world.pass(5);
  assert.deepEqual(world.sent('ack').map((ack) => ack.tick), [570, 571]);
  world.pass(100);
  world.cast(bundle(607, 1, 2)); // of now
  world.pass(0);
  assert.equal(world.sent('ack').at(-1).tick, 607);
});

test('acknowledges the ticks of another epoch, which are lower', () => {
  const { world } = live();
  world.cast(bundle(3000, 1, 0));
  world.pass(1000);
  world.cast(bundle(3001, 1, 1));
  world.say(roster({ epoch: 'e2', id: 10, revision: 0 }));
  world.pass(1000); // no acknowledgement of a tick that the new epoch does not have
  world.cast([0x11, 10, 2, 0xc0, 8, 1]);
  world.pass(1000);
  assert.deepEqual(world.sent('ack').map((ack) => ack.tick), [3000, 2]);
});

for (const roundTrip of [20, 120, 300]) {
  test(`acknowledges ten times a second over a round trip of ${roundTrip} ms with jitter`, () => {
    const { world } = live();
    const SECONDS = 20;
    const start = world.time; // tick 0
    const random = parkMiller(roundTrip);
    const arrivals = [];
    const bundles = [];
    let pings = 0;
    let last = 0;
    // A line delays by up to half a round trip more, and keeps the order.
    const arrive = (sent, run) => {
      last = Math.max(last, sent + roundTrip / 2 * (1 + random()));
      arrivals.push({ at: last, run });
    };
    for (let ms = 0, tick = 0; ms < SECONDS * 1000; ms++) {
      for (; start + tick * 1000 / 60 <= world.time; tick++) {
        const bytes = bundle(128 + tick, 1, tick);
        arrive(world.time, () => { bundles.push(world.time); world.cast(bytes); });
      }
      for (const { t } of world.sent('ping').slice(pings)) {
        arrive(world.time + roundTrip / 2, () => world.say({ type: 'pong', t,
          time: 128e6 / 60 + (t - start + roundTrip / 2) * 1000 }));
        pings++;
      }
      while (arrivals[0]?.at <= world.time)
        arrivals.shift().run();
      world.pass(1);
    }
    const times = world.sentAt('ack');
    assert.ok(bundles.length > 55 * SECONDS);
    assert.ok(times.length >= 9 * (SECONDS - 1), `${times.length}`);
    times.slice(1).forEach((time, i) => assert.ok(time - times[i] > 99.999, `${time - times[i]} ms`));
    const newest = Math.max(...world.sent('ack').map((ack) => ack.tick));
    assert.ok(newest >= 128 + 60 * SECONDS - 60 * (roundTrip + 120) / 1000, `${newest}`);
  });
}

test('sends a token, and a new one before the first expires', () => {
  const { world, client } = live({ token: 'abc' });
  assert.equal(world.sent('hello')[0].token, 'abc');
  client.renew('def');
  assert.deepEqual(world.sent('token'), [{ type: 'token', token: 'def' }]);
});

test('a refused token ends a client without another token', () => {
  const { world, client, log } = live({ token: 'abc' });
  log.length = 0;
  world.say({ type: 'error', code: 'refused', reason: 'expired', message: 'no' });
  assert.equal(log[0].code, 'refused');
  assert.equal(client.state, 'closed');
});

/** Lets promises of tokens settle, and the timers that they start. */
async function settle(world) {
  await setImmediate();
  world.pass(0);
}

test('calls the token function for each connection', async () => {
  const world = new World();
  const tokens = ['one', 'two'];
  const client = connect('ws://test', world.options({ token: async () => tokens.shift() }));
  world.pass(0);
  assert.equal(world.sockets.length, 0, 'none is opened without one');
  await settle(world);
  world.open();
  assert.equal(world.sent('hello')[0].token, 'one');
  world.say({ type: 'error', code: 'refused', reason: 'expired', message: 'no' });
  client.on('error', () => {});
  world.drop(1008);
  world.pass(1000);
  await settle(world);
  world.open();
  assert.equal(world.sent('hello')[0].token, 'two');
});

test('connects when a slow token arrives, unless the client was closed', async () => {
  for (const closes of [false, true]) {
    const world = new World();
    let give;
    const client = connect('ws://test', world.options({ token: () => new Promise((resolve) => (give = resolve)) }));
    world.pass(0);
    await settle(world);
    world.pass(60000);
    if (closes) {
      client.close();
    }
    give('late');
    await settle(world);
    assert.equal(world.sockets.length, closes ? 0 : 1);
    assert.equal(world.pending, closes ? 0 : 1);
  }
});

test('a failed token request is an error and is repeated', async () => {
  const world = new World();
  const errors = [];
  let asked = 0;
  const client = connect('ws://test', world.options({ token: () => Promise.reject(new Error(`no ${++asked}`)) }));
  client.on('error', ({ message }) => errors.push(message));
  world.pass(0);
  await settle(world);
  assert.equal(client.state, 'waiting');
  world.pass(1000);
  await settle(world);
  assert.deepEqual(errors, ['no 1', 'no 2']);
  assert.equal(world.sockets.length, 0);
});

test('an exception of a listener does not keep a client without a token from trying again, and a client closed by one ends', async () => {
  const world = new World();
  let asked = 0;
  const client = connect('ws://test', world.options({ token: () => Promise.reject(new Error(`no ${++asked}`)) }));
  client.on('error', ({ message }) => {
    if (message === 'no 2') {
      client.close();
    }
    throw new RangeError('a listener');
  });
  world.pass(0);
  await assert.rejects(settle(world), /a listener/);
  assert.equal(client.state, 'waiting');
  world.pass(1000);
  await assert.rejects(settle(world), /a listener/);
  assert.equal(asked, 2);
  assert.equal(client.state, 'closed');
  assert.equal(world.pending, 0);
});

test('reconnects after the delay that a stopping server requests', () => {
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

test('moves that servers request do not delay the connection after a failure', () => {
  const { world, client } = live();
  world.random = () => 0.999;
  const waits = [];
  client.on('state', ({ state, delay }) => state === 'waiting' && waits.push(Math.round(delay)));
  for (let i = 0; i < 3; i++) {
    world.say({ type: 'going_away', retryAfter: 0 });
    world.drop(1001);
    world.pass(1);
    world.open();
  }
  world.drop();
  assert.deepEqual(waits, [0, 0, 0, 500]);
});

test('without credit nothing is acknowledged', () => {
  const { world } = live({ credit: false });
  assert.equal(world.sent('hello')[0].credit, false);
  world.cast(bundle(128, 1, 0));
  world.pass(1000);
  assert.equal(world.sent('ack').length, 0);
});

test('sends several pings at first and computes the clock from the answers', () => {
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

test('reconnects with exponential back-off and full jitter, and subscribes again', () => {
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

test('a long connection resets the back-off', () => {
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

test('closes a connection after ten seconds of silence', () => {
  const { world, client } = live();
  world.pass(9999);
  assert.equal(client.state, 'live');
  world.pass(1);
  assert.equal(client.state, 'waiting');
  assert.equal(world.sockets[0].readyState, 3);
});

test('ignores events of an abandoned socket', () => {
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

test('close ends the connection and all timers', () => {
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
