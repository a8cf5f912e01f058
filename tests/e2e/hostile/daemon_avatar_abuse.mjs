// Attacks with uploaded avatars: false types and sizes, addresses, each cap, paths, lengths, slow
// bodies and many files. Each ends in one line that gives the reason, while a bystander receives its
// bundles; nothing is kept and nothing is fetched.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import test, { after, afterEach, before } from 'node:test';
import WebSocket from 'ws';
import { connect } from '../../../clients/js/index.js';
import { avatarFile, hostile, servable, tooLarge } from '../support/avatar_files.mjs';
import { scratch, start, writer } from '../support/daemon.mjs';
import { secret, token as makeToken } from '../support/token.mjs';
import { sleep, until } from '../support/until.mjs';
import { exchange, Raw } from '../support/websocket_bytes.mjs';

const folder = scratch();
const file = writer(folder);
const state = path.join(folder, 'state');
// A server that must receive no request.
let asked = 0;
const bait = net.createServer((socket) => {
	asked++;
	socket.destroy();
});
await new Promise((resolve) => bait.listen(0, '127.0.0.1', resolve));
file('secret.bin', 'the secret of the house');

const QUOTA = 1 << 20;
const daemon = await start('--state', state, '--source', 'demo:walk', '--config', file('conf',
	`auth { audience = "world" key "shared" { algorithm = "HS256" file = "${file('key', secret)}" } }
	avatars { upload = "true" quota_bytes = ${QUOTA} }\n`));
const token = (claims) => makeToken({ sub: 'ada', ...claims });
const bearer = (claims) => ({ authorization: `Bearer ${token(claims)}` });
const eye = connect(daemon.url, { WebSocket, space: 'lobby', token: token() });
const complaints = [];
eye.on('error', (error) => complaints.push(error));
eye.on('state', ({ state: now }) => now === 'waiting' && complaints.push(now));

/** One request whose path is sent as it is; fetch would tidy it. */
function request(method, target, { headers = bearer(), body } = {}) {
	return new Promise((resolve, reject) => {
		const sent = http.request({ host: '127.0.0.1', port: daemon.port, path: target, method, headers, agent: false }, (answer) => {
			const parts = [];
			answer.on('data', (part) => parts.push(part));
			answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(parts), text: String(Buffer.concat(parts)) }));
		});
		sent.on('error', reject);
		sent.end(body);
	});
}

const declared = '/avatars?rights=author&licence=CC0-1.0';
const put = (body, { target = declared, ...claims } = {}) => request('PUT', target, { headers: { ...bearer(claims), 'content-length': body.length }, body });
const own = async (claims) => JSON.parse((await request('GET', '/avatars', { headers: bearer(claims) })).text).avatars;
const remove = (hash, claims) => request('DELETE', `/avatars/${hash}`, { headers: bearer(claims) });
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');
const kept = () => fs.readdirSync(state, { recursive: true }).filter((name) => fs.statSync(path.join(state, name)).isFile()).map(String).sort();

let files;
before(async () => {
	await until('bundles', () => eye.traffic.bundles > 5);
	const first = await put(avatarFile());
	assert.equal(first.status, 201, first.text);
	assert.equal((await remove(JSON.parse(first.text).hash)).status, 200);
	files = kept();
});

afterEach(async () => {
	const { bundles } = eye.traffic;
	await until('more bundles', () => eye.traffic.bundles > bundles);
	for (const { hash } of await own())
		await remove(hash);
	assert.deepEqual(complaints, []);
	assert.equal(asked, 0, 'the daemon asked an address of a file');
});

after(async () => {
	eye.close();
	bait.close();
	assert.equal(await daemon.stop(), 0);
});

/** Nothing of a refused upload is left. */
async function assertNothing() {
	assert.deepEqual(await own(), []);
	assert.deepEqual(kept(), files);
}

// ---- files -------------------------------------------------------------------------------------

for (const [what, [bytes, pattern]] of Object.entries(hostile(`http://127.0.0.1:${bait.address().port}/x`))) {
	test(`${what}: refused in one line`, async () => {
		const { status, text } = await put(bytes);
		assert.equal(status, 422, text);
		assert.match(text, /^[^\n]{3,}\n$/);
		assert.match(text, pattern);
		await assertNothing();
	});
}

test('a file beyond the cap of bytes is refused before it is received', async () => {
	const bytes = tooLarge();
	const raw = await exchange(daemon.port, `PUT ${declared} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${bearer().authorization}\r\nContent-Length: ${bytes.length}\r\n\r\n`);
	assert.equal(raw.status, 413);
	await assertNothing();
});

for (const [what, bytes] of Object.entries(servable())) {
	test(`${what}: served unchanged, with headers that keep a browser from showing it`, async () => {
		const { status, text } = await put(bytes);
		assert.equal(status, 201, text);
		assert.equal(JSON.parse(text).hash, hashOf(bytes));
		const got = await request('GET', `/avatars/${hashOf(bytes)}`);
		assert.equal(got.status, 200);
		assert.ok(got.bytes.equals(bytes));
		assert.equal(got.headers['content-type'], bytes.toString('latin1', 0, 4) === 'glTF' ? 'model/gltf-binary' : 'model/gltf+json');
		assert.equal(got.headers['x-content-type-options'], 'nosniff');
		assert.equal(got.headers['content-disposition'], 'attachment');
		assert.match(got.headers['content-security-policy'], /sandbox; default-src 'none'/);
		assert.match(got.headers['cache-control'], /private/);
		assert.equal((await remove(hashOf(bytes))).status, 200);
		assert.equal((await request('GET', `/avatars/${hashOf(bytes)}`)).status, 404);
		await assertNothing();
	});
}

test('text that is glTF and a page is served as glTF', async () => {
	const bytes = Buffer.from(servable()['JSON with data: URIs'].toString().replace('{', '{"extras":"<html><script>alert(1)</script>",'));
	assert.equal((await put(bytes)).status, 201);
	const { headers } = await request('GET', `/avatars/${hashOf(bytes)}`);
	assert.deepEqual([headers['content-type'], headers['x-content-type-options'], headers['content-disposition']],
		['model/gltf+json', 'nosniff', 'attachment']);
	await remove(hashOf(bytes));
});

// ---- declarations ------------------------------------------------------------------------------

const closed = avatarFile(undefined, { meta: {} }); // VRM 1.0 permits the author alone by default
const lent = avatarFile(undefined, { meta: { avatarPermission: 'onlySeparatelyLicensedPerson', allowRedistribution: true } });
const kept0 = avatarFile(undefined, { version: 0, meta: { allowedUserName: 'Everyone', licenseName: 'Redistribution_Prohibited' } });
for (const [what, bytes, rights, pattern] of [
	['licensed, of an avatar for its author', closed, 'licensed', /only its author/],
	['public, of an avatar for its author', closed, 'public', /only its author/],
	['public, of an avatar for licensed persons', lent, 'public', /only licensed persons/],
	['public, of an avatar without redistribution', kept0, 'public', /redistribution/],
]) {
	test(`${what}: the file contradicts`, async () => {
		const { status, text } = await put(bytes, { target: `/avatars?rights=${rights}&licence=CC0-1.0` });
		assert.equal(status, 422, text);
		assert.match(text, pattern);
		await assertNothing();
	});
}

for (const query of ['', '?', '?rights=author', '?licence=CC0-1.0', '?rights=mine&licence=a', '?rights=author&licence=', `?rights=author&licence=${'x'.repeat(64)}`,
	'?rights=author&licence=a%0ab', '?rights=author&licence=a%00', '?rights=author&licence=%ff', '?rights=author&rights=public&licence=a', '?rights=author&licence=a&index=-1',
	'?rights=author&licence=a&index=4294967296000', '?rights=author&licence=a&path=../x']) {
	test(`the declaration '${query}' is refused`, async () => {
		assert.equal((await put(avatarFile(), { target: `/avatars${query}` })).status, 400);
		await assertNothing();
	});
}

test('who may not publish may not upload, and nobody removes the file of another', async () => {
	assert.equal((await put(avatarFile(), { roles: ['watch'] })).status, 403);
	assert.equal((await request('PUT', declared, { headers: {}, body: avatarFile() })).status, 401);
	const { hash } = JSON.parse((await put(avatarFile())).text);
	assert.equal((await remove(hash, { sub: 'mallory' })).status, 404);
	assert.equal((await request('GET', `/avatars/${hash}`, { headers: bearer({ sub: 'mallory' }) })).status, 404);
	assert.deepEqual(await own({ sub: 'mallory' }), []);
	assert.equal((await own()).length, 1);
	assert.equal((await remove(hash)).status, 200);
});

// ---- paths -------------------------------------------------------------------------------------

test('no path leads out of the avatars', async () => {
	const { hash } = JSON.parse((await put(avatarFile())).text);
	for (const name of ['..', '../key', '../../secret.bin', '%2e%2e', '%2e%2e%2f%2e%2e%2fsecret.bin', `..%2favatars%2f${hash}`, `%2e/${hash}`, `/${hash}`,
		`${hash}/`, `${hash}.json`, `${hash}%00`, `${hash}%00.glb`, `${hash}/../${hash}`, `${hash.slice(0, 63)}`, `${hash}0`, hash.toUpperCase().replace(/[0-9]/g, 'A'),
		`${path.join(folder, 'secret.bin')}`, `file://${folder}/secret.bin`, '\\..\\key', '*', '%', '%zz']) {
		for (const method of ['GET', 'HEAD', 'DELETE', 'PUT']) {
			const { status, text } = await request(method, `/avatars/${name}`);
			assert.ok([400, 404, 405].includes(status), `${method} ${name}: ${status}`);
			assert.ok(!text.includes('the secret of the house'), name);
		}
	}
	assert.equal((await own()).length, 1);
	assert.equal((await remove(hash)).status, 200);
	await assertNothing();
});

// ---- lengths and times -------------------------------------------------------------------------

const head = (length, more = '') => `PUT ${declared} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${bearer().authorization}\r\nContent-Length: ${length}\r\n${more}\r\n`;

test('refuses an invalid length', async () => {
	for (const length of ['-1', '1e3', '0x10', '5, 5', '99999999999999999999', '4294967297', ''])
		assert.ok([400, 413].includes((await exchange(daemon.port, head(length))).status), length);
	assert.equal((await exchange(daemon.port, `${head(5, 'Content-Length: 6\r\n')}123456`)).status, 400);
	assert.ok((await exchange(daemon.port, `${head(5, 'Transfer-Encoding: chunked\r\n')}0\r\n\r\n`)).status >= 400);
	await assertNothing();
});

test('bodies that end at any byte leave nothing', async () => {
	const whole = Buffer.concat([Buffer.from(head(avatarFile().length)), avatarFile()]);
	for (let cut = 10; cut < whole.length; cut += 997) {
		const raw = new Raw(daemon.port);
		raw.send(whole.subarray(0, cut));
		await sleep(2);
		cut % 2 ? raw.socket.resetAndDestroy() : raw.socket.destroy();
	}
	await assertNothing();
});

test('bodies that come slowly do not delay others', async () => {
	const slow = Array.from({ length: 20 }, () => new Raw(daemon.port));
	slow.forEach((raw) => raw.send(head(8 << 20), Buffer.alloc(10)));
	await until('they are all there', () => slow.every(({ socket }) => !socket.connecting));
	const drip = setInterval(() => slow.forEach(({ socket, closed: gone }) => gone || socket.write('x')), 50);
	const { status, text } = await put(avatarFile()).finally(() => {
		clearInterval(drip);
		slow.forEach(({ socket }) => socket.destroy());
	});
	assert.equal(status, 201, text);
	assert.equal((await remove(hashOf(avatarFile()))).status, 200);
	await assertNothing();
});

test('many uploads at once stay within the quota of a person', async () => {
	const large = (i) => avatarFile((document, _, at) => { at.view(Buffer.alloc(200_000, i)); });
	const answers = await Promise.all(Array.from({ length: 24 }, (_, i) => put(large(i)).catch(() => ({ status: 'closed' }))));
	for (const { status, text } of answers)
		assert.ok(status === 201 || status === 'closed' || (status >= 400 && /^[^\n]{3,}\n$/.test(text)), `${status}: ${text}`);
	const list = await own();
	assert.ok(list.length > 0 && list.reduce((sum, { bytes }) => sum + bytes, 0) <= QUOTA, JSON.stringify(list));
	assert.ok(answers.some(({ status }) => status !== 201));
	for (const { hash } of list)
		assert.equal((await remove(hash)).status, 200);
	await assertNothing();
});
