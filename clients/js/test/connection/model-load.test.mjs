// A client loads what coding 3 needs while it connects, and connects without it where it cannot be loaded.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { until } from '../../../../tests/e2e/support/until.mjs';

const folder = mkdtempSync(join(tmpdir(), 'jointcast-load-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const gate = join(folder, 'gate');
// The module is not found twice (for fake-server.mjs and for one client); then it comes when the file exists.
register(`data:text/javascript,${encodeURIComponent(`import { existsSync } from 'node:fs';
let left = 2;
export async function resolve(name, context, next) {
  if (name === './coding/model-chain.js') {
    if (left-- > 0)
      throw new Error('not found');
    while (!existsSync(${JSON.stringify(gate)}))
      await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return next(name, context);
}`)}`);
const { World, WELCOME, roster, SKELETON } = await import('../fake-server.mjs');
const { connect } = await import('../../index.js');

/** A client whose socket has opened. */
function opened(options) {
  const world = new World();
  const client = connect('ws://test', world.options(options));
  const errors = [];
  client.on('error', (error) => errors.push(error));
  world.pass(0);
  world.open();
  return { world, client, errors, codings: () => world.sent('hello').map(({ codings }) => codings) };
}

test('without its module a client connects with the other codings', async () => {
  const { world, client, errors, codings } = opened();
  assert.deepEqual(world.socket.sent, [], 'nothing before it is known what the client decodes');
  client.subscribe({ precision: 'fine' });
  client.renew('a token');
  assert.deepEqual(world.socket.sent, []);
  await until('the greeting', () => {
    world.pass(0);
    return codings().length > 0;
  });
  assert.deepEqual(codings(), [[2, 1]]);
  assert.deepEqual(world.socket.sent.slice(0, 3).map(({ type }) => type), ['hello', 'join', 'subscribe']);
  assert.equal(world.sent('subscribe')[0].precision, 'fine');
  for (const message of [WELCOME, SKELETON, roster()])
    world.say(message);
  assert.equal(client.state, 'live');
  assert.deepEqual(errors, []);
  client.close();
});

test('a client without coding 3 does not load it', () => {
  const { client, codings } = opened({ codings: [2, 1] });
  assert.deepEqual(codings(), [[2, 1]]);
  client.close();
});

test('a module that does not come delays the greeting by three seconds, and serves the next connection', async () => {
  const late = opened();
  const waiting = opened({ codings: [3, 1] });
  const closed = opened();
  const dropped = opened();
  late.world.pass(2999);
  assert.deepEqual(late.codings(), []);
  late.world.pass(1);
  assert.deepEqual(late.codings(), [[2, 1]]);
  closed.client.close();
  dropped.world.drop();
  dropped.world.pass(500);
  dropped.world.open();
  writeFileSync(gate, '');
  await until('the module', () => {
    waiting.world.pass(0);
    return waiting.codings().length > 0;
  });
  assert.deepEqual(waiting.codings(), [[3, 1]]);
  dropped.world.pass(0);
  assert.deepEqual(dropped.codings(), [[3, 2, 1]], 'one greeting for one socket');
  assert.deepEqual(dropped.world.sockets[0].sent, []);
  late.world.drop();
  late.world.pass(500);
  late.world.open();
  assert.deepEqual(late.codings(), [[3, 2, 1]]);
  closed.world.pass(5000);
  assert.deepEqual(closed.world.socket.sent, []);
  for (const { client } of [late, waiting, dropped])
    client.close();
});
