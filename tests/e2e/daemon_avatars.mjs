// Tests avatars of the configuration: who sees them in the roster, who may fetch them, and how.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { utimesSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import test, { after } from 'node:test';
import { Client } from './support/client.mjs';
import { scratch, start, writer } from './support/daemon.mjs';
import { makeExt, makeVrm } from './support/fixtures.mjs';
import { secret, token as makeToken } from './support/token.mjs';
import { until } from './support/until.mjs';

const folder = scratch();
const file = writer(folder);
const knight = makeVrm(1);
const squire = makeExt({ scale: 0.8, degrees: 0 });
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');
const HEADERS = {
	'cache-control': 'private, no-cache', 'x-content-type-options': 'nosniff',
	'content-disposition': 'attachment', 'content-security-policy': "sandbox; default-src 'none'",
	'cross-origin-resource-policy': 'same-origin', vary: 'Origin', 'content-type': 'model/gltf-binary',
};
const key = `auth { audience = "world" key "shared" { algorithm = "HS256" file = "${file('key', secret)}" } }\n`;
const skeletons = `skeleton "knight" { file = "${file('knight.vrm', knight)}" serve = "true" }
	skeleton "squire" { file = "${file('squire.glb', squire)}" serve = "true" }
	skeleton "private" { file = "${file('private.vrm', makeVrm(1, 0.7))}" }\n`;
const source = (name, skeleton, space) => `source "${name}" { uri = "demo:walk" skeleton = "${skeleton}" space = "${space}" }\n`;
const conf = (name, ...parts) => file(name, parts.join(''));
const keyed = await start('--config', conf('keyed', key, skeletons, source('k', 'knight', 'hall'), source('s', 'squire', 'cellar'),
	source('p', 'private', 'hall'), 'server { origins = {"https://world.example"} }\n', 'space "garden" { watch = {"anyone"} }\n'));
after(async () => assert.equal(await keyed.stop(), 0));

/** One request with all its headers, which fetch would not send; fetch forbids Origin. */
function request(daemon, target, { method = 'GET', headers = {}, body } = {}) {
	return new Promise((resolve, reject) => {
		const sent = http.request({ host: '127.0.0.1', port: daemon.port, path: target, method, headers, agent: false }, (answer) => {
			const parts = [];
			answer.on('data', (part) => parts.push(part));
			answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(parts) }));
		});
		sent.on('error', reject);
		sent.end(body);
	});
}
const token = (claims) => makeToken({ sub: 'guest', ...claims });
const bearer = (claims) => ({ authorization: `Bearer ${token(claims)}` });
const get = (daemon, bytes, options) => request(daemon, `/avatars/${hashOf(bytes)}`, options);

/** The entries of a space, by name. */
async function roster(daemon, space, hello = {}) {
	const client = await Client.connect(daemon, hello, { type: 'join', space });
	const { bodies } = await client.find('roster');
	client.ws.close();
	return Object.fromEntries(bodies.map((body) => [body.name, body]));
}

test('the roster names the avatar of each body whose file is served', async () => {
	const bodies = await roster(keyed, 'hall', { token: token({}) });
	assert.deepEqual(bodies.k.avatar, { hash: hashOf(knight), bytes: knight.length, index: 0 });
	assert.equal(bodies.p.avatar, undefined);
});

test('a client that may watch the space gets the file unchanged, with all headers', async () => {
	const { status, headers, bytes } = await get(keyed, knight, { headers: bearer({ spaces: ['hall'] }) });
	assert.equal(status, 200);
	assert.ok(bytes.equals(knight));
	for (const [name, value] of Object.entries({ ...HEADERS, etag: `"${hashOf(knight)}"`, 'content-length': String(knight.length) }))
		assert.equal(headers[name], value, name);
	assert.equal(headers['access-control-allow-origin'], undefined);
});

test('HEAD has the headers alone, and a known tag is answered with 304', async () => {
	const head = await get(keyed, knight, { method: 'HEAD', headers: bearer({}) });
	assert.deepEqual([head.status, head.bytes.length, head.headers['content-length']], [200, 0, String(knight.length)]);
	for (const tag of [`"${hashOf(knight)}"`, `"other", W/"${hashOf(knight)}"`]) {
		const known = await get(keyed, knight, { headers: { ...bearer({}), 'if-none-match': tag } });
		assert.deepEqual([known.status, known.bytes.length, known.headers.etag], [304, 0, `"${hashOf(knight)}"`]);
	}
	assert.equal((await get(keyed, knight, { headers: { ...bearer({}), 'if-none-match': '"other"' } })).status, 200);
});

const unknown = 'no such avatar, or no body that you may watch wears it now\n';
for (const [what, target, headers] of [
	['an unknown hash', `/avatars/${'0'.repeat(64)}`, bearer({})],
	['an avatar in another space', `/avatars/${hashOf(squire)}`, bearer({ spaces: ['hall'] })],
	['a client that may only publish', `/avatars/${hashOf(knight)}`, bearer({ roles: ['publish'] })],
	['a client without a token', `/avatars/${hashOf(knight)}`, {}],
	['a file that is not served', `/avatars/${hashOf(makeVrm(1, 0.7))}`, bearer({})],
	['a hash in capitals', `/avatars/${hashOf(knight).toUpperCase()}`, bearer({})],
	['a shorter hash', `/avatars/${hashOf(knight).slice(1)}`, bearer({})],
	['a query', `/avatars/${hashOf(knight)}?x`, bearer({})],
	['a path below it', `/avatars/${hashOf(knight)}/..`, bearer({})],
	['a path beside it', '/avatars/../knight.vrm', bearer({})],
	['an escaped path', '/avatars/%2e%2e%2fknight.vrm', bearer({})],
	['a path of the disk', `/avatars/${folder}/knight.vrm`, bearer({})],
]) {
	test(`${what} is not found, with the same answer`, async () => {
		const { status, bytes, headers: { etag } } = await request(keyed, target, { headers });
		assert.deepEqual([status, String(bytes), etag], [404, unknown, undefined]);
	});
}

test('an invalid token is refused', async () => {
	const { status, bytes } = await get(keyed, knight, { headers: { authorization: `Bearer ${token({ exp: 1 })}` } });
	assert.deepEqual([status, String(bytes)], [401, 'expired\n']);
});

test('an admitted page of another origin may read the answer, others may not', async () => {
	const page = { origin: 'https://world.example' };
	const { status, headers } = await get(keyed, knight, { headers: { ...bearer({}), ...page } });
	assert.equal(status, 200);
	assert.equal(headers['access-control-allow-origin'], page.origin);
	assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
	assert.equal(headers.vary, 'Origin');
	const missing = await request(keyed, `/avatars/${'0'.repeat(64)}`, { headers: { ...bearer({}), ...page } });
	assert.deepEqual([missing.status, missing.headers['access-control-allow-origin']], [404, page.origin]);
	for (const origin of ['https://evil.example', 'null', 'https://world.example.evil', `http://127.0.0.1:${keyed.port + 1}`]) {
		const refused = await get(keyed, knight, { headers: { ...bearer({}), origin } });
		assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [403, undefined], origin);
	}
	const own = await get(keyed, knight, { headers: { ...bearer({}), origin: `http://127.0.0.1:${keyed.port}` } });
	assert.deepEqual([own.status, own.headers['cross-origin-resource-policy']], [200, 'same-origin']);
});

test('a preflight permits the token, for avatars alone', async () => {
	const headers = { origin: 'https://world.example', 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' };
	const { status, headers: said } = await get(keyed, knight, { method: 'OPTIONS', headers });
	assert.equal(status, 200);
	assert.equal(said['access-control-allow-origin'], headers.origin);
	assert.match(said['access-control-allow-methods'], /\bGET\b/);
	assert.match(said['access-control-allow-headers'], /\bAuthorization\b/);
	assert.equal((await get(keyed, knight, { method: 'OPTIONS', headers: { ...headers, origin: 'https://evil.example' } })).status, 403);
	const elsewhere = await request(keyed, '/skeletons', { method: 'OPTIONS', headers });
	assert.deepEqual([elsewhere.status, elsewhere.headers['access-control-allow-origin']], [405, undefined]);
});

test('who is banned from the space, or sees the body hidden, does not get the file', async () => {
	const admin = await Client.greeted(keyed, { token: token({ sub: 'admin', roles: ['moderate', 'watch'] }) }, { type: 'join', space: 'hall' });
	const { bodies } = await admin.find('roster');
	const { id } = bodies.find(({ name }) => name === 'k');
	const status = async (claims) => (await get(keyed, knight, { headers: bearer(claims) })).status;
	const moderate = async (action) => {
		admin.send({ type: 'moderate', space: 'hall', ...action });
		await admin.next('moderated', (message) => message.action === action.action);
	};
	await moderate({ action: 'ban', subject: 'mallory' });
	assert.deepEqual([await status({ sub: 'mallory' }), await status({ sub: 'ada' })], [404, 200]);
	await moderate({ action: 'unban', subject: 'mallory' });
	assert.equal(await status({ sub: 'mallory' }), 200);
	await moderate({ action: 'hide', body: id });
	assert.equal(await status({ sub: 'ada' }), 404);
	await moderate({ action: 'show', body: id });
	assert.equal(await status({ sub: 'ada' }), 200);
	admin.ws.close();
});

test('a publisher wears an avatar of the server, changes it and takes it off', async () => {
	const client = await Client.greeted(keyed, { token: token({ sub: 'ada' }) }, { type: 'join', space: 'garden' });
	const publish = { type: 'publish', space: 'garden', publication: 0, name: 'ada', kind: 'poses' };
	assert.equal((await get(keyed, squire)).status, 404);
	const [{ skeleton }] = Object.values(await roster(keyed, 'hall', { token: token({}) }));
	client.send({ ...publish, avatar: hashOf(squire), skeleton });
	assert.equal((await client.next('error')).code, 'bad-field');
	client.send({ ...publish, avatar: '0'.repeat(64) });
	assert.equal((await client.next('error')).code, 'unknown-avatar');
	client.send({ ...publish, avatar: hashOf(squire) });
	const { body } = await client.find('published');
	client.capture(0);
	const entered = await client.next('roster', ({ changed, joined }) => [...changed ?? [], ...joined ?? []].some(({ waiting }) => !waiting));
	const first = [...entered.joined ?? [], ...entered.changed ?? []][0];
	assert.deepEqual([first.id, first.avatar.hash], [body, hashOf(squire)]);
	// Anyone may watch this space: no token is needed there.
	assert.ok((await get(keyed, squire)).bytes.equals(squire));
	client.send({ type: 'amend', publication: 0, avatar: hashOf(knight), display: 'Ada' });
	const amended = await client.next('amended');
	assert.notEqual(amended.body, body);
	const changed = await client.next('roster', ({ joined }) => joined);
	assert.deepEqual(changed.left, [body]);
	assert.deepEqual([changed.joined[0].id, changed.joined[0].name, changed.joined[0].display, changed.joined[0].avatar.hash],
		[amended.body, 'ada', 'Ada', hashOf(knight)]);
	assert.notEqual(changed.joined[0].skeleton, first.skeleton);
	client.send({ type: 'amend', publication: 0, avatar: null });
	assert.equal((await client.next('amended')).body, amended.body);
	const bare = (await client.next('roster', (message) => message.changed)).changed[0];
	assert.deepEqual([bare.id, bare.avatar, bare.skeleton], [amended.body, undefined, changed.joined[0].skeleton]);
	assert.equal((await get(keyed, squire)).status, 404);
	client.send({ type: 'unpublish', publication: 0 });
	await client.find('unpublished');
	client.ws.close();
});

test('a file that has changed since the start is not sent, and a warning says so', async () => {
	const changing = file('changing.vrm', knight);
	const daemon = await start('--config', conf('changing', `skeleton "c" { file = "${changing}" serve = "true" }\n`, source('c', 'c', 'lobby')));
	assert.equal((await get(daemon, knight)).status, 200);
	utimesSync(changing, 1, 1);
	assert.equal((await get(daemon, knight)).status, 404);
	await until("the log names it", () => daemon.log.includes("has changed since it was read: it is not served"));
	assert.equal(await daemon.stop(), 0);
});

test('a file that cannot be an avatar is a warning with the reason, and its skeleton is used', async () => {
	const json = JSON.parse(knight.subarray(20, 20 + knight.readUInt32LE(12)));
	json.buffers[0].uri = 'mesh.bin';
	file('mesh.bin', knight.subarray(28 + knight.readUInt32LE(12)));
	const outside = file('outside.gltf', JSON.stringify(json));
	const daemon = await start('--config', conf('outside', `skeleton "o" { file = "${outside}" serve = "true" }\n`, source('o', 'o', 'lobby')));
	assert.match(daemon.log, /warning[^\n]*outside\.gltf' is not served as an avatar: [^\n]+/);
	assert.equal((await roster(daemon, 'lobby')).o.avatar, undefined);
	assert.equal(await daemon.stop(), 0);
});

test('files of --skeleton are served while only this machine can connect', async () => {
	const options = ['--skeleton', path.join(folder, 'knight.vrm'), '--source', 'demo:walk?name=w'];
	const local = await start(...options);
	assert.equal((await roster(local, 'lobby')).w.avatar.hash, hashOf(knight));
	assert.ok((await get(local, knight)).bytes.equals(knight));
	// A page of this machine that may watch may also show the avatars.
	const page = { origin: 'http://localhost:5173' };
	const shown = await get(local, knight, { headers: page });
	assert.deepEqual([shown.status, shown.headers['access-control-allow-origin']], [200, page.origin]);
	assert.equal((await request(local, '/skeletons', { headers: page })).status, 403);
	assert.equal((await get(local, knight, { headers: { ...page, 'x-forwarded-for': '192.0.2.1' } })).status, 403);
	assert.equal(await local.stop(), 0);
	for (const [name, exposed] of [['hosts', 'server { hosts = {"room.example"} }\n'], ['proxy', 'proxy { listen = "127.0.0.1:0" }\n']]) {
		const daemon = await start('--config', conf(name, exposed), ...options);
		assert.equal((await roster(daemon, 'lobby')).w.avatar, undefined, name);
		assert.equal((await get(daemon, knight)).status, 404, name);
		assert.equal(await daemon.stop(), 0);
	}
});

test('a reload takes an avatar off the bodies of publishers', async () => {
	const config = conf('reloaded', `skeleton "a" { file = "${path.join(folder, 'knight.vrm')}" serve = "true" }\n`);
	const daemon = await start('--config', config);
	const client = await Client.greeted(daemon, {}, { type: 'join', space: 'lobby' },
		{ type: 'publish', space: 'lobby', publication: 0, name: 'ada', kind: 'poses', avatar: hashOf(knight) });
	client.capture(0);
	await client.find('roster', ({ joined, changed }) => [...joined ?? [], ...changed ?? []].some(({ avatar, waiting }) => avatar && !waiting));
	writeFileSync(config, '');
	daemon.child.kill('SIGHUP');
	const { changed } = await client.find('roster', ({ changed }) => changed?.some(({ avatar }) => !avatar));
	assert.equal(changed[0].name, 'ada');
	assert.equal((await get(daemon, knight)).status, 404);
	client.ws.close();
	assert.equal(await daemon.stop(), 0);
});
