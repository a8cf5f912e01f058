// Why a WebSocket did not open: addresses, late answers and exceptions of listeners.
import assert from 'node:assert/strict';
import test from 'node:test';
import '../../connection/diagnosis.js'; // the client loads it on demand: no waiting for the disk
import { connect } from '../../index.js';
import { roster, WELCOME, World } from '../fake-server.mjs';

const settle = () => new Promise((resolve) => setTimeout(resolve));

/** Runs a test with global names of a browser. */
async function inPage(globals, run) {
  const names = Object.keys(globals);
  const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  names.forEach((name) =>
    Object.defineProperty(globalThis, name, { value: globals[name], configurable: true, writable: true }));
  try {
    await run();
  } finally {
    names.forEach((name, i) => {
      if (before[i])
        Object.defineProperty(globalThis, name, before[i]);
      else
        delete globalThis[name];
    });
  }
}

/** A client whose first socket does not open: its world, its errors, the addresses asked. */
async function refused(address, answer = async () => new Response('hello')) {
  const world = new World();
  const errors = [];
  const asked = [];
  const client = connect(address, world.options({ fetch: (url) => {
    asked.push(url);
    return answer();
  } }));
  client.on('error', (error) => errors.push(error));
  world.pass(0);
  world.sockets[0]?.onclose({ code: 1006, reason: '' });
  await settle();
  return { world, client, errors, asked };
}

test('a reason is reported while the client is not connected', async () => {
  const { world, errors } = await refused('ws://test');
  world.pass(0);
  assert.deepEqual(errors.map(({ code }) => code), ['no-websocket']);
});

test('a reason that is known only after a later socket opened is not reported', async () => {
  for (const isLost of [false, true]) {
    let give;
    const { world, client, errors, asked } = await refused('ws://test',
      () => new Promise((resolve) => (give = resolve)));
    world.pass(1000);
    world.open();
    world.say(WELCOME);
    world.say(roster({ bodies: [] }));
    assert.equal(client.state, 'live');
    if (isLost) {
      world.drop();
      world.pass(1000);
    }
    give(new Response('hello'));
    await settle();
    world.pass(0);
    assert.equal(asked.length, 1);
    assert.deepEqual(errors, []);
  }
});

test('a reason that is known after the client was closed is not reported', async () => {
  const { world, client, errors } = await refused('ws://test');
  client.close();
  world.pass(0);
  assert.deepEqual(errors, []);
});

test('an exception of a listener leaves the timer that calls it, not a promise', async () => {
  const { world, client } = await refused('ws://test');
  client.on('error', () => {
    throw new RangeError('of the listener');
  });
  assert.throws(() => world.pass(0), RangeError);
});

test('asks over https about wss and https, over http about ws and http', async () => {
  for (const [address, page] of [['ws://h:9871', 'http://h:9871/healthz'], ['http://h/a/ws?x', 'http://h/a/healthz'],
    ['wss://h/a/ws', 'https://h/a/healthz'], ['https://h:8443', 'https://h:8443/healthz']]) {
    assert.deepEqual((await refused(address)).asked, [page]);
  }
});

test('asks beside an address that is relative to the page', async () => {
  await inPage({ location: { href: 'https://page.example/app/' } }, async () => {
    const { world, errors, asked } = await refused('ws');
    assert.deepEqual(asked, ['https://page.example/app/healthz']);
    world.pass(0);
    assert.match(errors[0].message, /page\.example/);
  });
  await inPage({ document: { baseURI: 'https://base.example/' }, location: { href: 'https://page.example/' } },
    async () => assert.deepEqual((await refused('/ws')).asked, ['https://base.example/healthz']));
});

test('an address that cannot be read is an error without a retry, whatever the WebSocket accepts', async () => {
  for (const address of ['/ws', 'peer:7']) {
    const { world, client, errors } = await refused(address);
    assert.deepEqual(errors.map(({ code }) => code), ['invalid-url']);
    assert.equal(client.state, 'closed');
    assert.equal(world.sockets.length + world.pending, 0);
  }
});

test('the remedy for a refused page names the origin that the browser sends', async () => {
  const answer = async () => new Response('this Origin may not connect\n', { status: 403 });
  const errorOf = async () => {
    const { world, errors } = await refused('ws://test', answer);
    world.pass(0);
    assert.equal(errors.length, 1);
    assert.equal(errors[0].code, 'origin-refused');
    return errors[0];
  };
  const location = { href: 'https://page.example/', origin: 'https://page.example' };
  await inPage({ location, origin: location.origin }, async () => {
    const { message, remedy } = await errorOf();
    assert.match(message, /https:\/\/page\.example$/);
    assert.match(remedy, /origins = \{"https:\/\/page\.example"\}.*--origin https:\/\/page\.example/);
  });
  // a sandboxed frame: its location has the origin of the address
  await inPage({ location, origin: 'null' }, async () => {
    const { message, remedy } = await errorOf();
    assert.match(message, / null$/);
    assert.match(remedy, /Serve the page over http or https/);
    assert.doesNotMatch(remedy, /origins =|--origin|page\.example/);
  });
});
