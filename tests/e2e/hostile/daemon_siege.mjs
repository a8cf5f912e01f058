// Attacks on an exposed daemon with keys, TLS and limits. Each ends in the documented answer
// while a bystander receives its bundles; in the end memory, descriptors and connections are as
// before. Attacks with valid messages are in daemon_abuse.mjs, with invalid frames in
// rfc6455.mjs, with skeletons in daemon_skeleton_abuse.mjs.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import test, { after, afterEach, before } from 'node:test';
import tls from 'node:tls';
import zlib from 'node:zlib';
import { PoseFrame, TRACKED, captureMessage, encodePose } from '../../../clients/js/body-frame.js';
import { scratch, start, writer } from '../support/daemon.mjs';
import { clientsOf } from '../support/raw_client.mjs';
import { now, part, sign } from '../support/token.mjs';
import { sleep } from '../support/until.mjs';
import { closeCode, exchange, frame, frames, handshake, open, Raw, text } from '../support/websocket_bytes.mjs';

// Freed memory that the sanitizer keeps does not count.
process.env.ASAN_OPTIONS = [process.env.ASAN_OPTIONS, 'quarantine_size_mb=1', 'thread_local_quarantine_size_kb=64']
	.filter(Boolean).join(':');

const folder = scratch();
const secret = crypto.randomBytes(32);
const rsa = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });
const elliptic = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (pair) => pair.publicKey.export({ type: 'spki', format: 'pem' });
const file = writer(folder);
const daemon = await start('--config', file('jointcastd.conf', `
server { state = "${folder}/state" hosts = {"room.example"} origins = {"https://world.example"} }
tls { listen = "127.0.0.1:0" development = true }
auth {
	key "shared" { algorithm = "HS256" file = "${file('shared', secret)}" }
	key "old" { algorithm = "HS256" file = "${file('old', secret)}" revoked = true }
	key "rsa" { algorithm = "RS256" file = "${file('rsa.pem', pem(rsa))}" }
	key "ec" { algorithm = "ES256" file = "${file('ec.pem', pem(elliptic))}" }
}
limits { connections = 1300 connections_per_address = 1200 }
spaces { open = {"role:watch"} }
source "walker" { uri = "demo:walk" }
`));
const secure = { ca: fs.readFileSync(path.join(folder, 'state', 'dev-certificate.pem')) };
const claimed = (claims) => ({ sub: 'ada', aud: 'jointcast', exp: now() + 600, roles: ['watch', 'publish'], spaces: '*', bodies: ['Ada'], ...claims });

const keys = { HS256: secret, RS256: rsa.privateKey, ES256: elliptic.privateKey };

/** A token; each part of it can be made wrong. */
const token = (claims = {}, { kid = 'shared', alg = 'HS256', signed = alg, key = keys[signed], header = {} } = {}) =>
	sign({ alg, kid, typ: 'JWT', ...header }, typeof claims === 'string' ? claims : claimed(claims), key, signed);

const { Client, Bystander } = clientsOf(daemon, undefined, { token: token() });
const eye = new Bystander();
const proc = (name) => fs.readFileSync(`/proc/${daemon.child.pid}/${name}`, 'utf8');
const measure = () => ({ resident: Number(/^VmRSS:\s+(\d+) kB$/m.exec(proc('status'))[1]),
	threads: Number(/^Threads:\s+(\d+)$/m.exec(proc('status'))[1]), descriptors: fs.readdirSync(`/proc/${daemon.child.pid}/fd`).length });
const status = async () => JSON.parse((await exchange(daemon.admin, 'GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n')).body);
const many = (count, entry) => Array.from({ length: count }, (_, i) => entry(i));
const request = (line, headers = {}, body = '') => [line, ...Object.entries({ Host: 'localhost', ...headers })
	.map(([name, value]) => `${name}: ${value}`), '', body].join('\r\n');
const put = (name, body, headers = {}) => exchange(daemon.port, Buffer.concat([Buffer.from(request(`PUT /skeletons/${name} HTTP/1.1`,
	{ Authorization: `Bearer ${token()}`, 'Content-Length': body.length, ...headers })), Buffer.from(body)]), undefined, 40000);
let floor; // state of the daemon before the attacks
let slow;  // attacks that take their time, from the first test on

before(async () => {
	await eye.enter();
	const client = await Client.greeted({ type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' });
	await client.settled();
	client.close();
	await exchange(daemon.tlsPort, request('GET /healthz HTTP/1.1'), secure);
	await put('first', JSON.stringify({ nodes: [{ name: 'hips', translation: [0, 1, 0] }], bones: { hips: 0 } }));
	await sleep(500);
	floor = measure();
	slow = besiege();
});

afterEach(async () => {
	const seen = eye.bundles().length;
	await eye.client.raw.until(() => eye.bundles().length > seen + 5);
	assert.deepEqual(eye.client.errors(), []);
});

after(async () => {
	assert.equal(await daemon.stop(), 0);
	assert.doesNotMatch(daemon.log, /eyJ/, 'a token is in the log');
	assert.doesNotMatch(daemon.log, /ERROR: AddressSanitizer|runtime error/);
});

// ---- slowness -----------------------------------------------------------------------

/** All that is slow, at a time; each resolves with how it ended. */
function besiege() {
	/** Sends a byte every so often until the connection ends. */
	const drip = async (port, beginning, byte, ms) => {
		const raw = new Raw(port);
		const began = Date.now();
		raw.send(beginning);
		const timer = setInterval(() => raw.closed || raw.send(byte), ms);
		const answer = await raw.all(60000);
		clearInterval(timer);
		return { answer, seconds: (Date.now() - began) / 1000 };
	};
	const upload = request('PUT /skeletons/slow HTTP/1.1', { Authorization: `Bearer ${token()}`, 'Content-Length': 100000 });
	return {
		headers: Promise.all(many(30, () => drip(daemon.port, 'GET / HTTP/1.1\r\nHost: localhost\r\nX: ', 'x', 300))),
		silence: Promise.all(many(60, () => drip(daemon.port, '', '', 1000))),
		handshakes: Promise.all(many(60, (i) => drip(daemon.tlsPort, i % 2 ? Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]) : '',
			i % 2 ? '\0' : '', 700))),
		body: drip(daemon.port, upload, 'x', 500),
		closing: (async () => {
			const raw = await open(daemon.port);
			raw.send(frame(1, '[', { mask: false }));
			await closeCode(raw);
			const began = Date.now();
			await raw.all(20000);
			return (Date.now() - began) / 1000;
		})(),
		hello: (async () => closeCode(await open(daemon.port), 20000))(),
	};
}

// ---- HTTP -----------------------------------------------------------------------------

for (const [name, wanted, sent] of [
	['a head without end', 431, `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20000)}`],
	['200 headers', 431, request('GET / HTTP/1.1', Object.fromEntries(many(200, (i) => [`X-${i}`, 'x'])))],
	['a request line of 9 kB', 431, request(`GET /${'a'.repeat(9000)} HTTP/1.1`)],
	['a length beside chunks', 411, request('PUT /skeletons/x HTTP/1.1', { 'Content-Length': 5, 'Transfer-Encoding': 'chunked' }, '0\r\n\r\n')],
	['two lengths', 400, request('PUT /skeletons/x HTTP/1.1', { 'Content-Length': '5\r\nContent-Length: 6' }, 'hello')],
	['a length below zero', 400, request('PUT /skeletons/x HTTP/1.1', { 'Content-Length': -1 })],
	['a length beyond 64 bits', 400, request('PUT /skeletons/x HTTP/1.1', { 'Content-Length': '99999999999999999999999' })],
	['10 GB are announced', 413, request('PUT /skeletons/x HTTP/1.1', { 'Content-Length': 10e9 })],
	['a body without a token', 401, request('PUT /skeletons/x HTTP/1.1', { 'Content-Length': 5 }, 'hello')],
	['a body with a token of nobody', 401, request('PUT /skeletons/x HTTP/1.1', { 'Content-Length': 5, Authorization: 'Bearer x.y.z' }, 'hello')],
	['a bare line feed', 400, 'GET / HTTP/1.1\nHost: localhost\n\n'],
	['a header in the target', 400, request('GET /\rSet-Cookie:x HTTP/1.1')],
	['a method of 5,000 letters', 405, request(`${'X'.repeat(5000)} / HTTP/1.1`)],
	['CONNECT to elsewhere', 405, request('CONNECT evil.example:443 HTTP/1.1')],
	['a target with a host', 400, request('GET http://evil.example/ HTTP/1.1')],
	['bytes that are no text', 400, Buffer.from([0, 1, 2, 0xff, 0xfe, 13, 10, 13, 10])],
]) {
	test(`HTTP: ${name}: ${wanted}`, async () => {
		const answer = await exchange(daemon.port, sent);
		assert.equal(answer.status, wanted, answer.body);
		assert.equal(answer.headers.get('set-cookie'), undefined);
	});
}

for (const target of ['/../shared', '/%2e%2e/shared', '/..%2fshared', '/%252e%252e/shared', '/....//shared', '/.%00/shared', '/\\..\\shared',
	'//shared', '/etc/passwd', '/%2fetc%2fpasswd', `/${'../../'.repeat(40)}etc/passwd`, '/./../../../../etc/passwd', '/%c0%ae%c0%ae/shared']) {
	test(`HTTP: ${target.slice(0, 24)} leads nowhere`, async () => {
		const { status: answer, body } = await exchange(daemon.port, request(`GET ${target} HTTP/1.1`));
		assert.ok([400, 404].includes(answer), String(answer));
		assert.doesNotMatch(body, /root:|BEGIN/);
	});
}

test('HTTP: answers one of a thousand requests on one connection', async () => {
	const raw = new Raw(daemon.port);
	raw.send(request('GET /healthz HTTP/1.1').repeat(1000));
	assert.equal((await raw.all()).match(/HTTP\/1\.1/g).length, 1);
});

// ---- where from -------------------------------------------------------------------------

for (const origin of ['null', 'http://evil.example', 'https://world.example.evil.example', 'https://world.exampleevil', 'http://world.example',
	'https://world.example:444', 'https://world.example/', 'https://evil@world.example', 'http://localhost.evil.example', 'http://localhost:1',
	'http://localhost:9871@evil.example', 'file://', 'chrome-extension://x', '']) {
	test(`Origin '${origin}' is refused`, async () => {
		const { status: answer } = await exchange(daemon.port, handshake({ Host: 'localhost:9871', Origin: origin }));
		assert.equal(answer, 403);
	});
}

test('two Origins, of which one is served, are refused', async () => {
	const { status: answer } = await exchange(daemon.port, handshake({ Origin: 'https://world.example\r\nOrigin: http://evil.example' }));
	assert.equal(answer, 400);
});

for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'room.example.evil.example', 'evil.example:9871', '0.0.0.0',
	'[::]', '2130706433', '127.1', 'localhost@evil.example']) {
	test(`Host '${host}' is refused`, async () => {
		assert.equal((await exchange(daemon.port, handshake({ Host: host }))).status, 403);
	});
}

// ---- tokens -------------------------------------------------------------------------------

const good = token();
const [head, body, signature] = good.split('.');
const tokens = {
	'alg none': ['wrong-algorithm', token({}, { alg: 'none' })],
	'alg None': ['wrong-algorithm', token({}, { alg: 'None', signed: 'none' })],
	'alg NONE, signed': ['wrong-algorithm', token({}, { alg: 'NONE', signed: 'HS256' })],
	'no alg': ['malformed', token({}, { header: { alg: undefined } })],
	'an alg that is a number': ['malformed', token({}, { header: { alg: 256 } })],
	'HS512': ['wrong-algorithm', token({}, { alg: 'HS512', signed: 'HS256' })],
	'HS256 by the public RSA key': ['wrong-algorithm', token({}, { kid: 'rsa', key: pem(rsa) })],
	'HS256 by the public EC key': ['wrong-algorithm', token({}, { kid: 'ec', key: pem(elliptic) })],
	'RS256 by its key for another': ['wrong-algorithm', token({}, { alg: 'RS256', kid: 'shared' })],
	'ES256 under the RSA key': ['wrong-algorithm', token({}, { alg: 'ES256', kid: 'rsa' })],
	'ES256 of r = s = 0': ['bad-signature', `${token({}, { alg: 'ES256', kid: 'ec' }).split('.').slice(0, 2).join('.')}.${Buffer.alloc(64).toString('base64url')}`],
	'another secret': ['bad-signature', token({}, { key: crypto.randomBytes(32) })],
	'an empty secret': ['bad-signature', token({}, { key: Buffer.alloc(0) })],
	'no signature': ['bad-signature', `${head}.${body}.`],
	'half a signature': ['bad-signature', `${head}.${body}.${signature.slice(0, 20)}`],
	'a signature of another': ['bad-signature', `${head}.${part(claimed({ sub: 'eve' }))}.${signature}`],
	'two parts': ['malformed', `${head}.${body}`],
	'four parts': ['bad-signature', `${good}.${signature}`],
	'nothing': ['malformed', ''],
	'20,000 bytes': ['malformed', 'x'.repeat(20000)],
	'claims that are a list': ['malformed', token('[]')],
	'claims that are no JSON': ['malformed', token('{"sub":')],
	'no kid': ['unknown-key', token({}, { header: { kid: undefined } })],
	'a kid that is a path': ['unknown-key', token({}, { kid: '../../../../../dev/null' })],
	'a kid that is SQL': ['unknown-key', token({}, { kid: "x' UNION SELECT 'secret" })],
	'a key that it brings itself': ['unknown-key', token({}, { kid: 'mine', alg: 'RS256', header: { jwk: rsa.publicKey.export({ format: 'jwk' }) } })],
	'a key from elsewhere': ['unknown-key', token({}, { kid: 'theirs', header: { jku: 'https://evil.example/keys' } })],
	'more to be understood': ['malformed', token({}, { header: { crit: ['b64'], b64: false } })],
	'a revoked key': ['revoked', token({}, { kid: 'old' })],
	'ended': ['expired', token({ exp: now() - 60 })],
	'no end': ['malformed', token({ exp: undefined })],
	'an end that is a text': ['malformed', token({ exp: '9999999999' })],
	'too early': ['too-early', token({ nbf: now() + 600 })],
	'for others': ['wrong-audience', token({ aud: 'chat' })],
	'for nobody': ['wrong-audience', token({ aud: undefined })],
	'without a subject': ['malformed', token({ sub: undefined })],
	'a subject of 5,000 bytes': ['malformed', token({ sub: 'x'.repeat(5000) })],
	'a role that there is not': ['malformed', token({ roles: 'administer' })],
	'a number': ['no-token', 7],
	'an object': ['no-token', { token: good }],
};

for (const [name, [reason, value]] of Object.entries(tokens)) {
	test(`a token: ${name}: ${reason}`, async () => {
		const client = await Client.open({ type: 'hello', token: value });
		assert.equal((await client.get('error')).reason, reason);
		assert.equal(await closeCode(client.raw), 1008);
		client.close();
	});
}

test('ignores a token in the address', async () => {
	const raw = new Raw(daemon.port);
	raw.send(handshake({}, `GET /?token=${good} HTTP/1.1`));
	await raw.until(() => raw.bytes.includes('\r\n\r\n'));
	raw.send(text({ type: 'hello' }));
	const [{ payload }] = await raw.until(() => frames(raw.bytes).length && frames(raw.bytes));
	assert.equal(JSON.parse(payload).reason, 'no-token');
	raw.socket.destroy();
});

test('the token of another subject does not take over a connection', async () => {
	const client = await Client.greeted({ type: 'token', token: token({ sub: 'eve' }) });
	assert.equal((await client.get('error')).reason, 'another-subject');
	assert.equal(await closeCode(client.raw), 1008);
	client.close();
});

// ---- objects of other clients ----------------------------------------------------------------

test('a body that the token does not name is not-allowed, and its captures are dropped', async () => {
	const client = await Client.greeted({ type: 'publish', space: 'lobby', publication: 0, name: 'Eve', kind: 'poses' });
	assert.equal((await client.get('error')).code, 'not-allowed');
	client.put(encodePose(Object.assign(new PoseFrame(), { time: client.now(), states: new Uint8Array(55).fill(TRACKED) })));
	await client.settled();
	assert.deepEqual(client.errors(), ['not-allowed', 'unknown-publication']);
	assert.ok((await status()).spaces[0].bodies.every(({ name }) => name !== 'Eve'));
	client.close();
});

test('captures for a publication of another connection are unknown-publication', async () => {
	const owner = await Client.greeted();
	await owner.publish('Ada', { kind: 'poses' });
	const thief = await Client.greeted();
	thief.raw.send(frame(2, captureMessage(0, encodePose(Object.assign(new PoseFrame(), { time: 1 })))));
	thief.say({ type: 'unpublish', publication: 0 });
	await thief.settled();
	assert.deepEqual(thief.errors(), ['unknown-publication', 'unknown-publication']);
	assert.ok((await status()).spaces[0].bodies.some(({ name }) => name === 'Ada'));
	[owner, thief].forEach((client) => client.close());
});

for (const [name, message] of Object.entries({
	'recording': { type: 'record', space: 'lobby', action: 'start' },
	'a replay': { type: 'replay', space: 'lobby', action: 'open', file: 'x.mcap' },
	'moderation': { type: 'moderate', space: 'lobby', action: 'kick', body: 1 },
})) {
	test(`${name} without the role is not-allowed`, async () => {
		const client = await Client.greeted(message);
		assert.equal((await client.get('error')).code, 'not-allowed');
		client.close();
	});
}

// ---- more than there is ------------------------------------------------------------------------

test('spaces beyond the limit are too-many, and empty spaces close', async () => {
	const client = await Client.greeted();
	let opened = 0;
	for (let i = 0; i < 400 && !client.errors().length; i++) {
		client.say({ type: 'join', space: `s${i}` }, { type: 'leave', space: `s${i}` });
		opened++;
		if (i % 4 === 3)
			await client.settled();
	}
	assert.ok(client.errors().includes('too-many'), `${opened} spaces were opened`);
	client.close();
});

test('limits the number of views', async () => {
	const client = await Client.greeted();
	for (let i = 0; i < 12; i++) {
		client.say({ type: 'join', space: 'lobby' });
		client.say({ type: 'join', space: `v${i}` });
	}
	await client.get('error');
	assert.ok(client.errors().every((code) => code === 'too-many'));
	client.close();
});

test('a flood of bytes waits in the sender', async () => {
	const before = measure().resident;
	const raw = await open(daemon.port);
	const chunk = Buffer.concat(many(2000, () => frame(10, 'x'.repeat(125))));
	let taken = 0;
	for (const end = Date.now() + 2500; Date.now() < end;) {
		taken += chunk.length;
		if (!raw.socket.write(chunk))
			await Promise.race([once(raw.socket, 'drain'), sleep(100)]);
	}
	assert.ok(measure().resident - before < 16 << 10, `${measure().resident - before} kB for ${taken} bytes`);
	raw.socket.destroy();
});

test('limits the bytes of all connections of an address', async () => {
	const PURSE = 64 << 20; // a second, and twice that at once
	const began = performance.now();
	const before = (await status()).bytes.received;
	const raws = await Promise.all(many(24, () => open(daemon.port, undefined, '127.0.0.3')));
	const chunk = Buffer.concat(many(2000, () => frame(10, 'x'.repeat(125))));
	const end = Date.now() + 2500;
	await Promise.all(raws.map(async (raw) => {
		while (Date.now() < end)
			if (!raw.socket.write(chunk))
				await Promise.race([once(raw.socket, 'drain'), sleep(100)]);
	}));
	const { bytes: { received } } = await status();
	const seconds = (performance.now() - began) / 1000;
	const most = PURSE * (seconds + 2) + raws.length * (1 << 20);
	assert.ok(received - before < most, `${received - before} bytes in ${seconds} s`);
	raws.forEach((raw) => raw.socket.destroy());
});

test('a flood of captures is dropped and reported', async () => {
	const client = await Client.greeted();
	await client.publish('Ada', { kind: 'poses' });
	const capture = captureMessage(0, encodePose(Object.assign(new PoseFrame(), { time: client.now(), states: new Uint8Array(55).fill(TRACKED) })));
	client.raw.send(...many(6000, () => frame(2, capture)));
	await client.get('error', ({ code }) => code === 'too-many');
	await client.settled();
	client.close();
});

test('limits the number of registered skeletons', async () => {
	const client = await Client.greeted();
	const descriptor = { nodes: [{ name: 'hips', translation: [0, 1, 0] }], bones: { hips: 0 } };
	client.say(...many(60, (i) => ({ type: 'skeleton', name: `s${i}`, descriptor })));
	await client.get('error', ({ code }) => code === 'too-many');
	assert.ok(client.errors().every((code) => code === 'too-many'));
	client.close();
});

test('closes with 1009 for messages above 64 KiB, also announced or fragmented ones', async () => {
	for (const bytes of [frame(1, ' '.repeat(65537)), Buffer.from([0x82, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]),
		Buffer.concat(many(9, (i) => frame(i ? 0 : 2, 'x'.repeat(8000), { fin: false })))]) {
		const raw = await open(daemon.port);
		raw.send(bytes);
		assert.equal(await closeCode(raw), 1009);
		raw.socket.destroy();
	}
});

// ---- compression --------------------------------------------------------------------------------

test('closes with 1002 for a compressed message', async () => {
	const raw = new Raw(daemon.port);
	raw.send(handshake({ 'Sec-WebSocket-Extensions': 'permessage-deflate' }));
	await raw.until(() => raw.bytes.includes('\r\n\r\n'));
	assert.doesNotMatch(raw.bytes.toString('latin1'), /extensions/i);
	raw.send(frame(1, zlib.deflateRawSync(Buffer.alloc(30 << 20)), { rsv: 4 }));
	assert.equal(await closeCode(raw), 1002);
	raw.socket.destroy();
});

// ---- TLS ----------------------------------------------------------------------------------------

test('TLS: handshakes by the hundred, each broken off', async () => {
	const sockets = many(100, () => tls.connect({ port: daemon.tlsPort, host: '127.0.0.1', ...secure }));
	await Promise.all(sockets.map((socket, i) => new Promise((resolve) => {
		socket.on(i % 2 ? 'secureConnect' : 'connect', () => {
			socket.destroy();
			resolve();
		});
		socket.on('error', resolve);
	})));
});

test('TLS: renegotiation is refused', async () => {
	const socket = tls.connect({ port: daemon.tlsPort, host: '127.0.0.1', maxVersion: 'TLSv1.2', ...secure });
	await once(socket, 'secureConnect');
	socket.on('error', () => {});
	const error = await new Promise((resolve) => {
		socket.on('close', () => resolve(new Error('closed')));
		socket.renegotiate({}, resolve);
	});
	assert.ok(error);
	socket.destroy();
});

test('TLS: the same refusals as in the clear', async () => {
	assert.equal((await exchange(daemon.tlsPort, handshake({ Origin: 'http://evil.example' }), secure)).status, 403);
	assert.equal((await exchange(daemon.tlsPort, request('GET /../shared HTTP/1.1'), secure)).status, 404);
	const { Client: Through } = clientsOf(daemon, secure);
	const client = await Through.open({ type: 'hello', token: token({}, { alg: 'none' }) });
	assert.equal((await client.get('error')).reason, 'wrong-algorithm');
	client.close();
});

test('TLS: a client that does not read is skipped', async () => {
	const { Client: Through } = clientsOf(daemon, secure, { token: token() });
	const deaf = await Promise.all(many(5, () => Through.greeted({ type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' })));
	deaf.forEach(({ raw }) => raw.socket.pause());
	const before = measure().resident;
	await sleep(1500);
	assert.ok(measure().resident - before < 8 << 10);
	deaf.forEach((client) => client.close());
});

// ---- all at once -----------------------------------------------------------------------------------

test('a thousand clients connect, watch and end at once, twice', async () => {
	for (let round = 0; round < 2; round++) {
		const raws = [];
		// In four waves: a slow machine must hear each hello within its ten seconds.
		for (let wave = 0; wave < 4; wave++)
			await Promise.all(many(250, async (i) => {
				const raw = new Raw(daemon.port);
				raws.push(raw);
				raw.send(handshake());
				await raw.until(() => raw.bytes.includes('\r\n\r\n'), 30000);
				raw.send(text({ type: 'hello', token: token({ sub: `s${wave}-${i}` }) }));
				await raw.until(() => frames(raw.bytes).length > 0, 30000);
			}));
		await Promise.all(raws.map(async (raw) => {
			raw.send(...[{ type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' }].map((message) => text(message)));
			await raw.until(() => frames(raw.bytes).some(({ opcode }) => opcode === 2), 30000);
		}));
		raws.forEach(({ socket }) => (round ? socket.resetAndDestroy() : socket.destroy()));
		for (const end = Date.now() + 15000; (await status()).spaces[0].subscribers > 1; await sleep(50))
			assert.ok(Date.now() < end, 'some are left');
	}
});

test('limits the connections of a subject: too-many, and 1008', async () => {
	const clients = [];
	let refused;
	for (let i = 0; i < 600 && !refused; i++) {
		clients.push(await Client.open({ type: 'hello', token: token({ sub: 'greedy' }) }));
		await clients[i].raw.until(() => clients[i].all('welcome').length || clients[i].errors().length);
		refused = clients[i].errors()[0] && clients[i];
	}
	assert.deepEqual(refused?.errors(), ['too-many']);
	assert.equal(await closeCode(refused.raw), 1008);
	clients.forEach((client) => client.close());
});

test('limits the connections of an address: 503', async () => {
	const raws = many(1250, () => new Raw(daemon.port));
	const refused = () => raws.filter(({ bytes, error }) => bytes.includes('HTTP/1.1 503 ') || error).length;
	for (const end = Date.now() + 20000; refused() < 40; await sleep(20))
		assert.ok(Date.now() < end, `${refused()} were refused`);
	assert.match(raws.map(({ bytes }) => bytes.toString('latin1')).find((bytes) => bytes), /^HTTP\/1\.1 503 .*Retry-After: \d+/s);
	// Another address still has room.
	const other = net.connect({ port: daemon.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
	other.write(request('GET /healthz HTTP/1.1'));
	assert.match(String((await once(other, 'data'))[0]), /^HTTP\/1\.1 200 /);
	other.destroy();
	raws.forEach(({ socket }) => socket.destroy());
});

// ---- in the end ----------------------------------------------------------------------------------------

test('slow clients were closed in time: 408 for a head or a body, no answer for silence', async () => {
	for (const { answer, seconds } of await slow.headers) {
		assert.match(answer, /^HTTP\/1\.1 408 /);
		assert.ok(seconds < 20, `${seconds} s`);
	}
	for (const { answer, seconds } of await slow.silence) {
		assert.equal(answer, '');
		assert.ok(seconds < 20, `${seconds} s`);
	}
	for (const { answer, seconds } of await slow.handshakes) {
		assert.doesNotMatch(answer, /HTTP/);
		assert.ok(seconds < 20, `${seconds} s`);
	}
	assert.match((await slow.body).answer, /^HTTP\/1\.1 408 /);
	assert.ok(await slow.closing < 15);
	assert.equal(await slow.hello, 1008);
});

test('memory, threads and descriptors are as before, and the bystander missed no tick that was sent', async () => {
	const grown = () => measure().resident - floor.resident;
	for (const end = Date.now() + 15000; measure().descriptors > floor.descriptors || grown() > 32 << 10; await sleep(50))
		assert.ok(Date.now() < end, `${grown()} kB more, ${measure().descriptors} descriptors, ${floor.descriptors} at first`);
	assert.ok(measure().threads <= floor.threads + 4, 'libuv\'s pool is all that there may be more');
	const { spaces } = await status();
	assert.deepEqual(spaces[0].bodies.map(({ name }) => name), ['walker']);
	assert.equal(eye.client.raw.closed, undefined);
});
