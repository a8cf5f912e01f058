// Tokens on a daemon with keys: admission, permissions and expiry.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import fs from 'node:fs';
import test, { after, before } from 'node:test';
import { run, scratch, start, writer } from './support/daemon.mjs';
import { now, sign } from './support/token.mjs';
import { exchange, frames, handshake, open, text } from './support/websocket_bytes.mjs';

const folder = scratch();
const secret = crypto.randomBytes(32);
const rsa = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });
const pair = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicPem = (keys) => keys.publicKey.export({ type: 'spki', format: 'pem' });
let daemon, config;

const file = writer(folder);

const keys = { HS256: secret, HS512: secret, RS256: rsa.privateKey, PS256: rsa.privateKey, ES256: pair.privateKey };
const token = (claims, { kid = 'shared', algorithm = 'HS256', header = {}, key = keys[algorithm] } = {}) =>
	sign({ alg: algorithm, kid, ...header }, { sub: 'ada', aud: 'world', exp: now() + 600,
		roles: ['watch', 'publish'], spaces: ['lobby'], bodies: ['Ada'], ...claims }, key, algorithm);

before(async () => {
	const shared = file('shared', secret);
	file('rsa.pem', publicPem(rsa));
	config = file('jointcastd.conf', `
server { hosts = {"room.example"} origins = {"https://world.example"} }
auth {
	audience = "world"
	key "shared" { algorithm = "HS256" file = "${shared}" }
	key "old" { algorithm = "HS256" file = "${shared}" revoked = true }
	key "public" { algorithm = "ES256" file = "${file('public.pem', publicPem(pair))}" }
	key "rsa" { algorithm = "RS256" file = "${folder}/rsa.pem" }
	key "leaving" { algorithm = "HS256" file = "${shared}" }
}
space "attic" {}
source "walker" { uri = "demo:walk" }
`);
	daemon = await start('--config', config);
});

after(async () => {
	assert.equal(await daemon.stop(), 0);
	assert.doesNotMatch(daemon.log, /eyJ/, 'a token is in the log');
});

/** A connection, and a way to ask for the next message of a type. */
async function connect(...messages) {
	const raw = await open(daemon.port);
	for (const message of messages)
		raw.send(text(message));
	const all = () => frames(raw.bytes).filter((frame) => frame.opcode === 1)
		.map((frame) => JSON.parse(frame.payload.toString()));
	return {
		raw,
		all,
		say: (message) => raw.send(text(message)),
		get: (type, which = () => true) => raw.until(
			() => all().find((message) => message.type === type && which(message))),
		closed: () => raw.until(() => {
			const close = frames(raw.bytes).find((frame) => frame.opcode === 8);
			return close && { code: close.payload.readUInt16BE(0),
				reason: close.payload.subarray(2).toString() };
		}),
		end: () => raw.socket.destroy(),
	};
}

for (const [name, hello, reason] of [
	['no token', {}, 'no-token'],
	['a token that is a number', { token: 7 }, 'no-token'],
	['a token that is none', { token: 'x' }, 'malformed'],
	['a token of which more has to be understood', { token: token({}, { header: { crit: ['b64'], b64: false } }) }, 'malformed'],
	['an old token', { token: token({ exp: now() - 100 }) }, 'expired'],
	['a token for others', { token: token({ aud: 'chat' }) }, 'wrong-audience'],
	['a token of a revoked key', { token: token({}, { kid: 'old' }) }, 'revoked'],
	['a token of another key', { token: token({}, { kid: 'public' }) }, 'wrong-algorithm'],
	['a token without a signature', { token: token({}, { algorithm: 'none' }) }, 'wrong-algorithm'],
	['a token of HS512 with the secret', { token: token({}, { algorithm: 'HS512' }) }, 'wrong-algorithm'],
	['a token of PS256 with the key of RS256', { token: token({}, { kid: 'rsa', algorithm: 'PS256' }) }, /wrong-algorithm|malformed/],
	['a token signed with the public key as a secret', { token: token({}, { kid: 'rsa', key: publicPem(rsa) }) }, 'wrong-algorithm'],
	['the same for a curve', { token: token({}, { kid: 'public', key: publicPem(pair) }) }, 'wrong-algorithm'],
	['a token that says RS256 and is signed as HS256', { token: token({}, { kid: 'rsa', header: { alg: 'RS256' }, key: publicPem(rsa) }) }, 'bad-signature'],
	['a token of a key that nobody knows', { token: token({}, { kid: 'other' }) }, 'unknown-key'],
	['a token of no key', { token: token({}, { header: { kid: undefined } }) }, 'unknown-key'],
	['a token with another secret', { token: token({}, { key: crypto.randomBytes(32) }) }, 'bad-signature'],
	['a token for later', { token: token({ nbf: now() + 600 }) }, 'too-early'],
	['a token without an end', { token: token({ exp: undefined }) }, 'malformed'],
	['a token of nobody', { token: token({ sub: '' }) }, 'malformed'],
	['a token that was changed', { token: token().replace(/\.([^.]*)\./, (_, claims) =>
		`.${Buffer.from(Buffer.from(claims, 'base64url').toString().replace('ada', 'eve')).toString('base64url')}.`) }, 'bad-signature'],
]) {
	test(`${name} is refused: ${reason}`, async () => {
		const client = await connect({ type: 'hello', ...hello });
		const error = await client.get('error');
		assert.equal(error.code, 'refused');
		assert.match(error.reason, new RegExp(`^(${reason.source ?? reason})$`));
		assert.equal(error.ref, 'hello');
		assert.equal(error.message, reason === 'no-token' ? 'a token is required'
			: `invalid token: ${error.reason}`);
		assert.deepEqual(await client.closed(), { code: 1008, reason: error.reason });
		client.end();
	});
}

test('answers nothing before a valid token', async () => {
	const client = await connect({ type: 'join', space: 'lobby' });
	assert.equal((await client.get('error')).code, 'no-hello');
	client.say({ type: 'token', token: token() });
	assert.equal((await client.get('error', (error) => error.ref === 'token')).code, 'no-hello');
	client.end();
});

for (const [kid, algorithm] of [['shared', 'HS256'], ['public', 'ES256'], ['rsa', 'RS256']]) {
	test(`a token of key ${kid} permits only the spaces that it names`, async () => {
		const client = await connect({ type: 'hello', token: token({}, { kid, algorithm }) });
		assert.deepEqual((await client.get('welcome')).spaces, ['lobby']);
		client.say({ type: 'join', space: 'lobby' });
		assert.equal((await client.get('roster')).bodies[0].name, 'walker');
		client.say({ type: 'join', space: 'attic' });
		const error = await client.get('error');
		assert.equal(error.code, 'unknown-space');
		client.end();
	});
}

test('the watch role cannot publish, and the publish role cannot watch', async () => {
	const watcher = await connect({ type: 'hello', token: token({ roles: ['watch'] }) },
		{ type: 'publish', space: 'lobby', publication: 0, name: 'Ada', kind: 'poses' });
	assert.equal((await watcher.get('error')).code, 'not-allowed');
	watcher.end();
	const publisher = await connect({ type: 'hello', token: token({ roles: ['publish'] }) },
		{ type: 'join', space: 'lobby' });
	assert.equal((await publisher.get('error')).code, 'not-allowed');
	publisher.end();
});

test('the publish role cannot ignore bodies', async () => {
	const ada = await connect({ type: 'hello', token: token() }, { type: 'publish', space: 'lobby', publication: 0, name: 'Ada', kind: 'poses' });
	const { body } = await ada.get('published');
	const bob = await connect({ type: 'hello', token: token({ sub: 'bob', roles: ['publish'], bodies: ['Bob'] }) },
		{ type: 'publish', space: 'lobby', publication: 0, name: 'Bob', kind: 'poses' }, { type: 'ignore', space: 'lobby', body });
	assert.equal((await bob.get('error')).code, 'not-joined');
	ada.end();
	bob.end();
});

// Each message that names a space, valid for a client with all roles.
const naming = [
	...['join', 'leave', 'subscribe', 'unsubscribe', 'keyframe'].map((type) => ({ type })),
	{ type: 'viewpoint', viewpoints: [] }, { type: 'ignore', body: 1 }, { type: 'ack', tick: 1 },
	{ type: 'publish', publication: 0, name: 'Ada', kind: 'poses' },
	{ type: 'place', body: 1, position: [0, 0, 0], yaw: 0 }, { type: 'stage', body: 1 },
	{ type: 'calibrate', body: 1, height: 1.7 }, { type: 'calibrate', body: 1, undo: true },
	...['start', 'stop', 'marker', 'state', 'x'].map((action) => ({ type: 'record', action, label: 'x' })),
	...['list', 'open', 'play', 'pause', 'seek', 'speed', 'loop', 'range', 'close', 'state', 'rewind', 'x']
		.map((action) => ({ type: 'replay', action, file: 'a.mcap', id: 1, time: 0, speed: 1, loop: true })),
	...['hide', 'show', 'mute', 'unmute', 'kick', 'ban', 'unban', 'list', 'x'].map((action) => ({ type: 'moderate', action, body: 1 })),
	...['limit', 'close', 'x'].map((action) => ({ type: 'administer', action, bodies: 1 })),
];

/** The answer to a message, every byte of every frame. */
async function answer(hello, message) {
	const client = await connect({ type: 'hello', ...hello });
	await client.get('welcome');
	const heard = () => frames(client.raw.bytes).map(({ payload }) => payload.toString('latin1'));
	const before = heard().length;
	client.say(message);
	client.say({ type: 'ping', t: 1 });
	await client.get('pong');
	client.end();
	return heard().slice(before).filter((text) => !/"type":"pong"/.test(text));
}

test('a space without permission gives the same bytes as a missing space', async () => {
	const roles = ['watch', 'publish', 'record', 'moderate', 'administer'];
	const hello = { token: token({ roles, bodies: '*' }) };
	// The space has a subscriber and a body.
	const ada = await connect({ type: 'hello', token: token({ spaces: ['attic'] }) }, { type: 'join', space: 'attic' },
		{ type: 'publish', space: 'attic', publication: 0, name: 'Ada', kind: 'poses' });
	await ada.get('published');
	for (const message of naming) {
		const forbidden = await answer(hello, { ...message, space: 'attic' });
		assert.deepEqual(forbidden, await answer(hello, { ...message, space: 'nowhere' }), JSON.stringify(message));
		assert.deepEqual(forbidden.map((text) => JSON.parse(text)),
			[{ type: 'error', code: 'unknown-space', message: 'no space of that name', ref: message.type }]);
	}
	ada.end();
});

test('refuses a body name that the token does not have', async () => {
	const client = await connect({ type: 'hello', token: token() },
		{ type: 'publish', space: 'lobby', publication: 0, name: 'Eve', kind: 'poses' },
		{ type: 'publish', space: 'lobby', publication: 1, name: 'Ada', kind: 'poses' });
	assert.match((await client.get('error')).message, /does not name this body/);
	assert.equal((await client.get('published')).publication, 1);
	client.end();
});

test('a token is renewed on the connection, for the same subject only', async () => {
	const client = await connect({ type: 'hello', token: token() });
	await client.get('welcome');
	const expires = now() + 1200;
	client.say({ type: 'token', token: token({ exp: expires, roles: ['watch'] }) });
	assert.equal((await client.get('renewed')).expires, expires);
	client.say({ type: 'publish', space: 'lobby', publication: 0, name: 'Ada', kind: 'poses' });
	assert.equal((await client.get('error')).code, 'not-allowed', 'the new token counts');
	client.say({ type: 'token', token: token({ sub: 'eve' }) });
	assert.equal((await client.closed()).reason, 'another-subject');
	client.end();
});

test('a new token ends memberships and bodies that it does not permit', async () => {
	const both = { spaces: ['lobby', 'attic'], bodies: ['Ada', 'Bob'], roles: ['watch', 'publish'] };
	const eye = await connect({ type: 'hello', token: token() }, { type: 'join', space: 'lobby' });
	const client = await connect({ type: 'hello', token: token(both) },
		{ type: 'join', space: 'attic' }, { type: 'subscribe', space: 'attic' }, { type: 'join', space: 'lobby' },
		{ type: 'publish', space: 'lobby', publication: 0, name: 'Ada', kind: 'poses' },
		{ type: 'publish', space: 'lobby', publication: 1, name: 'Bob', kind: 'poses' },
		{ type: 'publish', space: 'attic', publication: 2, name: 'Ada', kind: 'poses' });
	const { body } = await client.get('published', ({ publication }) => publication === 1);
	await client.get('published', ({ publication }) => publication === 2);
	// A body that leaves before its announcement is in no roster change.
	await eye.get('roster', ({ bodies, joined }) => (bodies ?? joined)?.some(({ id }) => id === body));
	client.say({ type: 'token', token: token() });
	await client.get('renewed');
	await client.get('unpublished', ({ publication }) => publication === 1);
	await client.get('unpublished', ({ publication }) => publication === 2);
	assert.equal((await client.get('error')).code, 'not-allowed');
	assert.equal((await client.get('error')).ref, 'token');
	await eye.get('roster', ({ left }) => left?.includes(body));
	client.say({ type: 'subscribe', space: 'attic' });
	assert.equal((await client.get('error', ({ ref }) => ref === 'subscribe')).code, 'unknown-space');
	client.say({ type: 'unpublish', publication: 0 });
	await client.get('unpublished', ({ publication }) => publication === 0);
	assert.ok(!client.all().some(({ ref }) => ref === 'unpublish'), 'what is still allowed went on');
	client.end();
	eye.end();
});

test('calibration needs a token that names the body', async () => {
	const bob = await connect({ type: 'hello', token: token({ sub: 'bob', bodies: ['Bob'] }) },
		{ type: 'publish', space: 'lobby', publication: 0, name: 'Bob', kind: 'body-frames' });
	const { body } = await bob.get('published');
	for (const [asks, claims] of [
		[{ height: 1.75, countdown: 0 }, {}], [{ undo: true }, {}],
		[{ undo: true }, { bodies: ['Bob'], roles: ['watch'] }],
	]) {
		const ada = await connect({ type: 'hello', token: token(claims) },
			{ type: 'calibrate', space: 'lobby', body, ...asks });
		const { code, ref } = await ada.get('error');
		assert.deepEqual({ code, ref }, { code: 'not-allowed', ref: 'calibrate' });
		ada.end();
	}
	bob.say({ type: 'calibrate', space: 'lobby', body, undo: true });
	assert.match((await bob.get('calibration')).reason, /no calibration before/);
	bob.say({ type: 'calibrate', space: 'lobby', body, height: 1.75, countdown: 60 });
	await bob.get('calibration', ({ state }) => state === 'counting');
	bob.say({ type: 'token', token: token({ sub: 'bob', bodies: ['Bob'], roles: ['watch'] }) });
	await bob.get('unpublished');
	assert.equal((await bob.get('calibration', ({ state, reason }) => state === 'refused' && !/before/.test(reason))).reason,
		'the body left');
	bob.end();
});

test('a connection ends with its token', async () => {
	// Clocks may differ by 30 s, so this one ends within three seconds, and not within two.
	const client = await connect({ type: 'hello', token: token({ exp: now() - 27 }) });
	await client.get('welcome');
	assert.equal((await client.get('error')).reason, 'expired');
	assert.equal((await client.closed()).code, 1008);
	client.end();
});

test('a token renewed in time keeps the connection past the end of the first', async () => {
	const client = await connect({ type: 'hello', token: token({ exp: now() - 28 }) }, { type: 'token', token: token() });
	await client.get('renewed');
	const other = await connect({ type: 'hello', token: token({ exp: now() - 28 }) });
	await other.closed(); // the one that was not renewed
	client.say({ type: 'join', space: 'lobby' });
	await client.get('roster');
	client.end();
});

test('removing a key closes the connections that used it, and no others', async () => {
	const gone = await connect({ type: 'hello', token: token({}, { kid: 'leaving' }) }, { type: 'join', space: 'lobby' });
	const stays = await connect({ type: 'hello', token: token() }, { type: 'join', space: 'lobby' });
	await gone.get('roster');
	await stays.get('roster');
	const text = fs.readFileSync(config, 'utf8');
	fs.writeFileSync(config, text.replace(/\tkey "leaving".*\n/, ''));
	daemon.child.kill('SIGHUP');
	assert.equal((await gone.get('error')).reason, 'revoked');
	assert.deepEqual(await gone.closed(), { code: 1008, reason: 'revoked' });
	const again = await connect({ type: 'hello', token: token({}, { kid: 'leaving' }) });
	assert.equal((await again.get('error')).reason, 'unknown-key');
	stays.say({ type: 'join', space: 'lobby' });
	await stays.raw.until(() => stays.all().filter(({ type }) => type === 'roster').length > 1);
	[gone, stays, again].forEach((client) => client.end());
});

test('hosts and origins that are configured are served, and not the status', async () => {
	const ask = (target, headers) => exchange(daemon.port,
		[`GET ${target} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
	assert.equal((await ask('/healthz', ['Host: room.example'])).status, 200);
	assert.equal((await ask('/healthz', ['Host: evil.example'])).status, 403);
	assert.equal((await ask('/healthz', ['Host: room.example', 'Origin: https://evil.example'])).status, 403);
	for (const target of ['/status', '/metrics', '/readyz']) {
		for (const host of ['room.example', 'localhost', '127.0.0.1'])
			assert.equal((await ask(target, [`Host: ${host}`])).status, 404, `${host}${target}`);
	}
	const raw = await open(daemon.port);
	raw.socket.destroy();
	const upgrade = await exchange(daemon.port, handshake({ Host: 'room.example', Origin: 'https://evil.example' }));
	assert.equal(upgrade.status, 403);
});

for (const [name, auth, expected] of [
	['a key file that there is not', 'key "k" { algorithm = "HS256" file = "/nonexistent" }', /key 'k': cannot be opened[^\n]*\/nonexistent/],
	['a short secret', `key "k" { algorithm = "HS256" file = "${file('short', 'secret')}" }`, /key 'k': HS256 needs a secret of 32 bytes/],
	['an algorithm that is not taken', 'key "k" {\n algorithm = "none"\n}', /an algorithm is HS256, RS256 or ES256, not 'none', line 3/],
	['a key without a file', 'key "k" { algorithm = "HS256" }', /key 'k' has no 'file'/],
]) {
	test(`${name} keeps the daemon from starting`, async () => {
		const result = await run('--config', file('bad.conf', `\nauth { ${auth} }\n`));
		assert.equal(result.code, 1);
		assert.match(result.stderr, expected);
		assert.match(result.stderr, /^[^\n]+\n$/);
	});
}
