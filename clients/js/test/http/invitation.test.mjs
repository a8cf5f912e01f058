// Invitations: requests as the server expects them, answers and refusals, and pairing codes as people type them.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { readPairingCode, redeemInvitation } from '../../index.js';
import { live } from '../fake-server.mjs';

const heard = [];
/** Status and body of the next answer. */
let answer = [200, '{}'];
let server;
let url;

before(async () => {
  server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const { authorization, 'content-type': type } = request.headers;
    heard.push({ method: request.method, url: request.url, authorization, type, body: Buffer.concat(chunks).toString() });
    const [status, body, headers] = answer;
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `ws://127.0.0.1:${server.address().port}/cast/`;
});
after(() => server.close());

const TICKET = { token: 'a.b.c', space: 'lobby', role: 'watch', sub: 'guest-1', expires: 99 };
const LOST = { name: 'ConnectError', code: 'unreachable' };

/** A live client with a token; its requests go to the server of this test. */
function moderator() {
  const { client } = live({ token: 't.o.k', fetch: (to, options) => fetch(String(to).replace(/^http:\/\/test\//, url.replace(/^ws/, 'http')), options) });
  return client;
}

test('a secret or a code is sent in the body, to the path beside the WebSocket, without a token', async () => {
  answer = [200, JSON.stringify({ ...TICKET, later: true })];
  assert.deepEqual(await redeemInvitation(url, { invitation: 'c2VjcmV0' }), TICKET);
  assert.deepEqual(await redeemInvitation(new URL(url), { code: 'ab cdeo-gh1j' }), TICKET);
  const common = { method: 'POST', url: '/cast/invitations/redeem', authorization: undefined, type: 'application/json' };
  assert.deepEqual(heard.splice(0), [{ ...common, body: '{"invitation":"c2VjcmV0"}' },
    { ...common, body: '{"code":"AB-CDE0-GH1J"}' }]);
});

test('a text that is no pairing code is not sent', async () => {
  await assert.rejects(redeemInvitation(url, { code: 'AB-CDEF-GHJ' }), { name: 'ProtocolError', code: 'bad-field' });
  assert.deepEqual(heard.splice(0), []);
});

test('refusals have the code of their status and the first line of the server', async () => {
  for (const [status, code] of [[410, 'gone'], [429, 'too-many'], [403, 'not-allowed'], [404, 'unknown'], [400, 'bad-field'], [503, 'unavailable']]) {
    answer = [status, 'this \u0007is why\nmore'];
    await assert.rejects(redeemInvitation(url, { invitation: 'x' }), { name: 'ProtocolError', code, message: 'this  is why' });
  }
  answer = [500, ''];
  await assert.rejects(redeemInvitation(url, { invitation: 'x' }), { code: 'unavailable', message: /status 500/ });
});

test('an answer without a usable token, a redirection and no answer are errors', async () => {
  for (const body of ['', '[]', 'null', '7', '{}', JSON.stringify({ ...TICKET, token: 3 }), JSON.stringify({ ...TICKET, role: 'administer' }),
    JSON.stringify({ ...TICKET, expires: 'soon' })]) {
    answer = [200, body];
    await assert.rejects(redeemInvitation(url, { invitation: 'x' }), { name: 'ProtocolError', code: 'invalid' }, body);
  }
  heard.length = 0;
  answer = [307, '', { Location: '/elsewhere' }];
  await assert.rejects(redeemInvitation(url, { invitation: 'x' }), LOST);
  assert.equal(heard.splice(0).length, 1, 'the redirection was not followed');
  await assert.rejects(redeemInvitation('ws://127.0.0.1:1/', { invitation: 'x' }), LOST);
});

test('a moderator creates, lists and revokes with the token of the connection', async () => {
  const { invitations } = moderator();
  const made = { id: 'i1', invitation: 's', space: 'lobby', role: 'watch', expires: 9, uses: 1 };
  answer = [201, JSON.stringify(made)];
  assert.deepEqual(await invitations.create(), made);
  await invitations.create({ role: 'publish', expires: 60, uses: 3, note: 'Ü', pair: true });
  answer = [200, JSON.stringify({ invitations: [{ ...made, used: 1 }] })];
  assert.deepEqual((await invitations.list()).map(({ used }) => used), [1]);
  answer = [204, ''];
  await invitations.revoke('a/b');
  assert.deepEqual(heard.splice(0).map(({ authorization, method, url: path, body }) => [authorization, method, path, body && JSON.parse(body)]), [
    ['Bearer t.o.k', 'POST', '/cast/invitations', { space: 'lobby', role: 'watch', expires: 7200, uses: 1 }],
    ['Bearer t.o.k', 'POST', '/cast/invitations', { space: 'lobby', role: 'publish', expires: 60, uses: 3, note: 'Ü', pair: true }],
    ['Bearer t.o.k', 'GET', '/cast/invitations?space=lobby', ''],
    ['Bearer t.o.k', 'DELETE', '/cast/invitations/a%2Fb', '']]);
});

test('a renewed token replaces that of the connection; without fetch the request is an error', async () => {
  const client = moderator();
  client.renew('n.e.w');
  answer = [200, '{"invitations":7}'];
  assert.deepEqual(await client.invitations.list(), []);
  assert.equal(heard.splice(0)[0].authorization, 'Bearer n.e.w');
  await assert.rejects(live().client.invitations.list(), { code: 'unsupported' });
});

test('pairing codes are read in lower case, without hyphens, and with letters in place of digits', () => {
  assert.equal(readPairingCode('0a-bcde-1fg1'), '0A-BCDE-1FG1');
  for (const text of ['oabcdeifgl', ' OA BCDE LFGI ', 'oA–bcde—1Fg1', '0\u2011abcde1fg1']) {
    assert.equal(readPairingCode(text), '0A-BCDE-1FG1', text);
  }
  for (const text of ['', '0a-bcde-1fg', '0a-bcde-1fg11', '0a-bcde-1fgu', '0a-bcde-1fgß', '0a_bcde_1fg1', '０a-bcde-1fg1']) {
    assert.equal(readPairingCode(text), null, text);
  }
});
