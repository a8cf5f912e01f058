// Errors of connect in clients/js, each against a daemon: the code, and the remedy.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import test from 'node:test';
import { WebSocket } from 'ws';
import { connect } from '../../../clients/js/index.js';
import { scratch, start } from '../support/daemon.mjs';
import { exchange } from '../support/websocket_bytes.mjs';

const folder = scratch();
const conf = path.join(folder, 'conf');
fs.writeFileSync(conf, 'server { hosts = {"known.example"} }\nspace "stage" { }\nspace "hall" { }\n');
const daemon = await start('--config', conf, '--tls-listen', '127.0.0.1:0', '--dev-certificate',
  '--state', path.join(folder, 'state'));
test.after(async () => assert.equal(await daemon.stop(), 0));

/** A WebSocket as a page of that origin, or with other headers, sends it. */
const socketWith = (options) => class extends WebSocket {
  constructor(url, protocol) {
    super(url, protocol, options);
  }
};

/** The first error of a client. */
function errorOf(url, options = {}) {
  return new Promise((resolve) => {
    const client = connect(url, { WebSocket, ...options }).on('error', (error) => {
      client.close();
      assert.equal(error.name, 'ConnectError');
      assert.ok(error.message && error.remedy);
      resolve(error);
    });
  });
}

test('connection-refused: nothing listens', async () => {
  const server = http.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  const { code, message } = await errorOf(`ws://127.0.0.1:${port}`);
  assert.equal(code, 'connection-refused');
  assert.match(message, new RegExp(`127.0.0.1:${port}`));
});

test('tls: the certificate is not known to this machine', async () => {
  const { code, remedy } = await errorOf(`wss://127.0.0.1:${daemon.tlsPort}`);
  assert.equal(code, 'tls');
  assert.match(remedy, /NODE_EXTRA_CA_CERTS/);
});

test('tls: the port is not for TLS', async () => {
  assert.equal((await errorOf(`wss://127.0.0.1:${daemon.port}`)).code, 'tls');
});

test('origin-refused: the remedy is a line for jointcastd.conf', async () => {
  const { code, remedy } = await errorOf(`ws://127.0.0.1:${daemon.port}`,
    { WebSocket: socketWith({ origin: 'https://page.example' }) });
  assert.equal(code, 'origin-refused');
  assert.match(remedy, /server \{ origins = \{"/);
});

test('a page may read that its origin is the reason, and nothing else', async () => {
  const ask = (target, origin, method = 'GET') => exchange(daemon.port,
    `${method} ${target} HTTP/1.1\r\nHost: localhost:${daemon.port}\r\nOrigin: ${origin}\r\n\r\n`);
  const refused = await ask('/healthz', 'https://page.example');
  assert.equal(refused.status, 403);
  assert.equal(refused.body, 'this Origin may not connect\n');
  assert.equal(refused.headers.get('access-control-allow-origin'), '*');
  for (const [target, origin, method] of [['/', 'https://page.example'], ['/skeletons', 'https://page.example'],
    ['/healthz', 'https://page.example', 'OPTIONS'], ['/healthz', `http://localhost:${daemon.port}`]]) {
    const { headers } = await ask(target, origin, method);
    assert.ok(!headers.has('access-control-allow-origin'), `${method} ${target} of ${origin}`);
  }
  const rebound = await exchange(daemon.port,
    'GET /healthz HTTP/1.1\r\nHost: evil.example\r\nOrigin: https://page.example\r\n\r\n');
  assert.ok(!rebound.headers.has('access-control-allow-origin'));
});

test('host-refused: the name in the address is not served', async () => {
  const headers = { host: 'other.example' };
  const asked = [];
  const { code, remedy } = await errorOf(`ws://127.0.0.1:${daemon.port}`, { WebSocket: socketWith({ headers }),
    // fetch sets Host itself
    fetch: async (url) => {
      asked.push(url);
      const { status, body } = await exchange(daemon.port, 'GET /healthz HTTP/1.1\r\nHost: other.example\r\n\r\n');
      return new Response(body, { status });
    } });
  assert.equal(code, 'host-refused');
  assert.match(remedy, /server \{ hosts = \{"/);
  // The next attempt may have failed before the answer came.
  assert.deepEqual([...new Set(asked)], [`http://127.0.0.1:${daemon.port}/healthz`]);
});

test('no-websocket: another server answers', async () => {
  const server = http.createServer((request, response) => response.end('hello')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  assert.equal((await errorOf(`ws://127.0.0.1:${server.address().port}`)).code, 'no-websocket');
  server.close();
});

test('unreachable: the reason is hidden', async () => {
  const fetch = async () => {
    throw new TypeError('Failed to fetch');
  };
  class Silent extends EventTarget {
    constructor() {
      super();
      setTimeout(() => {
        this.onerror({});
        this.onclose({ code: 1006, reason: '' });
      });
    }
    close() {}
  }
  assert.equal((await errorOf('ws://192.0.2.1:9', { WebSocket: Silent, fetch })).code, 'unreachable');
});

test('invalid-url: the address has another scheme', async () => {
  assert.equal((await errorOf('ftp://127.0.0.1')).code, 'invalid-url');
});

test('lost: an open connection fails', async () => {
  let socket;
  class Kept extends WebSocket {
    constructor(url, protocol) {
      super(url, protocol);
      socket = this;
    }
  }
  const client = connect(`ws://127.0.0.1:${daemon.port}`, { WebSocket: Kept, space: 'hall' });
  await new Promise((resolve) => client.on('roster', resolve));
  const failed = new Promise((resolve) => client.on('error', resolve));
  socket.emit('error', new Error('read ECONNRESET'));
  assert.equal((await failed).code, 'lost');
  client.close();
});

test('unknown-space: the error lists the spaces', async () => {
  const { code, spaces, remedy } = await errorOf(`ws://127.0.0.1:${daemon.port}`, { space: 'cellar' });
  assert.equal(code, 'unknown-space');
  assert.ok(spaces.includes('stage') && spaces.includes('hall'));
  assert.match(remedy, /stage/);
});
