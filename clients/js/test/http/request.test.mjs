// Answers of any length over HTTP: a refusal is read to its first line, JSON and the reason of a failed
// connection up to a limit.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test from 'node:test';
import { diagnose } from '../../connection/diagnosis.js';
import { request, requestJson } from '../../connection/http.js';

const PART = Buffer.alloc(65536, 'x');

/** A server that answers with `status` and `first`, and then sends x until the client ends the connection; counts what it sends. */
async function flood(t, status, first, headers = {}) {
  const server = createServer((_, response) => {
    response.writeHead(status, headers);
    response.write(first);
    const more = () => {
      while (!response.destroyed && response.write(PART));
    };
    response.on('drain', more);
    more();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  t.after(() => server.closeAllConnections());
  const ended = new Promise((resolve) => server.on('connection', (socket) => {
    socket.on('error', () => {}); // the client ends it while the server sends
    socket.on('close', () => socket.bytesWritten > 0 && resolve(socket.bytesWritten));
  }));
  return { url: new URL(`http://127.0.0.1:${server.address().port}/`), ended };
}

test('of a refusal without end the first line is the reason, and the connection ends', async (t) => {
  const { url, ended } = await flood(t, 503, 'the disk is full\n', { 'Retry-After': '17' });
  await assert.rejects(request(url, { fetch }), { code: 'unavailable', message: 'the disk is full', retryAfter: 17 });
  assert.ok(await ended < 64 * 1024 * 1024);
  const long = await flood(t, 429, 'y');
  await assert.rejects(request(long.url, { fetch }), ({ code, message, retryAfter }) => code === 'too-many' && message.length === 200 && retryAfter === 0);
  await long.ended;
});

test('an answer in JSON has a limit', async (t) => {
  const { url, ended } = await flood(t, 200, '{"a":"');
  await assert.rejects(requestJson(url, { fetch }), { code: 'too-large', message: /^the answer of 127\.0\.0\.1:\d+ has more than 4194304 bytes$/ });
  await ended;
});

test('the reason of a failed connection is found in the beginning of an answer', async (t) => {
  const { url, ended } = await flood(t, 403, 'this Host is not served\n');
  assert.equal((await diagnose(url, undefined, fetch)).code, 'host-refused');
  await ended;
});
