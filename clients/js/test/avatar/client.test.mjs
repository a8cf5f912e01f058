// Avatars of the roster, and the requests for their files.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { ProtocolError } from '../../index.js';
import { WELCOME, body, live, roster } from '../fake-server.mjs';

const FILE = Buffer.from('glTF, as far as this test is concerned');
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');
const HASH = hashOf(FILE);
const AVATAR = { hash: HASH, bytes: FILE.length, index: 0 };

/** A server of files that records requests; `answer` may replace its answers. */
function files(answer = () => new Response(FILE)) {
  const asked = [];
  const fetch = async (url, { method, headers, body: sent, redirect, credentials }) => {
    asked.push({ url, method, headers, sent, redirect, credentials });
    return answer(url, method);
  };
  return { asked, fetch };
}

test('the roster gives a body its avatar, changes and removes it', () => {
  const { world, client, log } = live();
  assert.equal(client.bodies.get(1).avatar, null);
  world.say(roster({ revision: 5, bodies: [body(1, { avatar: { hash: HASH, bytes: 9 } }), body(2)] }));
  assert.deepEqual(client.bodies.get(1).avatar, { hash: HASH, bytes: 9, index: 0 });
  log.length = 0;
  world.say({ type: 'roster', space: 'lobby', revision: 6, changed: [body(1, { avatar: { ...AVATAR, index: 2 } })] });
  assert.deepEqual(client.bodies.get(1).avatar, { ...AVATAR, index: 2 });
  world.say({ type: 'roster', space: 'lobby', revision: 7, changed: [body(1)] });
  assert.equal(client.bodies.get(1).avatar, null);
  assert.deepEqual(log, ['change 1', 'change 1']);
});

test('rejects a roster with an invalid avatar', () => {
  for (const avatar of [null, 'x', {}, { hash: HASH }, { ...AVATAR, hash: `../${HASH}` }, { ...AVATAR, hash: HASH.toUpperCase() },
    { ...AVATAR, bytes: -1 }, { ...AVATAR, bytes: 0.5 }, { ...AVATAR, index: -1 }]) {
    const { world, client, log } = live();
    log.length = 0;
    world.say({ type: 'roster', space: 'lobby', revision: 5, changed: [body(1, { avatar })] });
    assert.ok(log.at(-1) instanceof ProtocolError, JSON.stringify(avatar));
    assert.equal(client.bodies.get(1).avatar, null);
  }
});

test('welcome states what the client may do with avatars', () => {
  const { world, client } = live();
  assert.equal(client.avatars, null);
  world.say({ ...WELCOME, avatars: { upload: false, bytes: 1000 } });
  assert.deepEqual(client.avatars, { upload: false, bytes: 1000 });
});

test('fetches the file beside the WebSocket with the token, and checks it', async () => {
  const { asked, fetch } = files();
  const { client } = live({ fetch, token: 'secret' });
  assert.deepEqual(Buffer.from(await client.fetchAvatar(HASH)), FILE);
  assert.deepEqual(asked, [{ url: `http://test/avatars/${HASH}`, method: 'GET', headers: { Authorization: 'Bearer secret' },
    sent: undefined, redirect: 'error', credentials: 'omit' }]);
  await assert.rejects(client.fetchAvatar('../status'), ProtocolError);
  assert.equal(asked.length, 1);
});

test('refuses another file, a larger one than the roster states, and a refusal in one line', async () => {
  const answers = [[() => new Response('another'), /another file/], [() => new Response(Buffer.concat([FILE, FILE])), /more than/],
    [() => new Response('no avatar\nsecond line', { status: 404 }), /^no avatar$/]];
  for (const [answer, reason] of answers) {
    const { fetch } = files(answer);
    const { world, client } = live({ fetch });
    world.say(roster({ revision: 5, bodies: [body(1, { avatar: AVATAR })] }));
    await assert.rejects(client.fetchAvatar(HASH), (error) => error instanceof ProtocolError && reason.test(error.message));
  }
});

test('uploads with the declaration of the person, and removes', async () => {
  const answer = { hash: HASH, bytes: FILE.length, skeleton: 'cc', expires: 5 };
  const { asked, fetch } = files((url, method) => (method === 'PUT' ? Response.json(answer) : new Response(null, { status: 200 })));
  const { client } = live({ fetch, token: 'secret' });
  assert.deepEqual(await client.uploadAvatar(FILE, { rights: 'public', licence: 'CC-BY 4.0', index: 1 }), answer);
  await client.removeAvatar(HASH);
  assert.deepEqual(asked.map(({ url, method, sent }) => [url, method, sent]), [
    ['http://test/avatars?rights=public&licence=CC-BY+4.0&index=1', 'PUT', FILE],
    [`http://test/avatars/${HASH}`, 'DELETE', undefined]]);
});

test('a body wears an avatar from the start, later, and again after a reconnection', () => {
  const { world, client } = live();
  const publication = client.publish({ name: 'Ada', kind: 'poses', skeleton: 'dd' });
  const number = () => world.sent('publish').at(-1).publication;
  world.say({ type: 'published', publication: number(), body: 7, name: 'Ada' });
  publication.amend({ avatar: HASH });
  assert.deepEqual(world.sent('amend').at(-1), { type: 'amend', publication: number(), avatar: HASH });
  world.say({ type: 'amended', publication: number(), body: 8 });
  assert.equal(publication.bodyId, 8);
  const again = () => {
    world.drop();
    world.pass(500);
    world.open();
    world.say(WELCOME);
    return world.sent('publish').at(-1);
  };
  const { avatar, skeleton } = again();
  assert.deepEqual([avatar, skeleton], [HASH, undefined]);
  world.say({ type: 'published', publication: number(), body: 9, name: 'Ada' });
  publication.amend({ avatar: null });
  assert.equal(world.sent('amend').at(-1).avatar, null);
  assert.equal('avatar' in again(), false);
});
