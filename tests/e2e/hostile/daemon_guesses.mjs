// Hostile use of invitations: guessed codes and secrets, reused links, forged tokens, requests of
// other pages and over plain connections, malformed bodies, a full disk, damaged files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Client } from '../support/client.mjs';
import { run, start } from '../support/daemon.mjs';
import { ask, claims, create, enter, list, mia, redeem, revoke, world } from '../support/invitation_requests.mjs';
import { guestKey, now, sign, token } from '../support/token.mjs';
import { until } from '../support/until.mjs';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const pair = async (daemon) => (await create(daemon, { pair: true })).json.code;
/** Another code of the same slot. */
const wrong = (code, i = 1) => code.slice(0, -1) + ALPHABET[(ALPHABET.indexOf(code.at(-1)) + i) % 32];

async function refusal(daemon, text) {
	const client = await Client.connect(daemon, { token: text });
	const error = await client.find('error');
	client.end();
	return error.reason;
}

test('a pairing code has one use, however it is typed, and five failures void it alone', async () => {
	const daemon = await world().start();
	const first = await create(daemon, { pair: true, role: 'publish' });

	assert.deepEqual(Object.keys(first.json).sort(), ['code', 'codeSeconds', 'expires', 'id', 'role', 'space', 'uses']);
	assert.deepEqual([first.json.codeSeconds, first.json.uses], [120, 1]);
	assert.match(first.json.code, /^[0-9A-HJKMNP-TV-Z]{2}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
	const typed = first.json.code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
	const guest = await redeem(daemon, { code: typed });
	assert.equal(guest.status, 200, guest.body);
	assert.equal(claims(guest.json.token).inv, first.json.id);
	assert.equal((await redeem(daemon, { code: first.json.code })).status, 410, 'used up');
	(await enter(daemon, guest.json.token)).end();

	const [guessed, other] = [await pair(daemon), await pair(daemon)];
	for (let i = 1; i <= 5; i++)
		assert.equal((await redeem(daemon, { code: wrong(guessed, i) })).status, 410);
	assert.equal((await redeem(daemon, { code: guessed })).status, 410, 'void after five failures');
	assert.equal((await redeem(daemon, { code: other })).status, 200, 'its neighbour is not');
	const four = await pair(daemon);
	for (let i = 1; i <= 4; i++)
		await redeem(daemon, { code: wrong(four, i) });
	assert.equal((await redeem(daemon, { code: four })).status, 200, 'after four failures it holds');
	const revoked = (await create(daemon, { pair: true })).json;
	await revoke(daemon, revoked.id);
	assert.equal((await redeem(daemon, { code: revoked.code })).status, 410);
	assert.equal((await create(daemon, { pair: true, uses: 2 })).status, 400);
	assert.equal(await daemon.stop(), 0);
	assert.ok(!daemon.log.includes(other), 'no code is in the log');
});

test('failures are limited for each address, and those of codes in total; no guesses stop links', async () => {
	const daemon = await world().start();
	const { invitation } = (await create(daemon, { uses: 10 })).json;
	const fail = (from, body) => redeem(daemon, body, { from });
	const guess = { code: '00-0000-0000' };
	/** Whether other addresses redeem the link. One may share a bucket with an address that failed. */
	const goesOn = async (...addresses) =>
		(await Promise.all(addresses.map((from) => fail(from, { invitation })))).some(({ status }) => status === 200);

	for (let i = 0; i < 20; i++)
		assert.equal((await fail('127.0.0.2', { invitation: 'no' })).status, 410, i);
	const limited = await fail('127.0.0.2', { invitation: 'no' });
	assert.deepEqual([limited.status, limited.body], [429, 'too many failed attempts: try again later\n']);
	assert.equal((await fail('127.0.0.2', { invitation })).status, 429, 'also with the right secret: nothing is compared');
	assert.ok(await goesOn('127.0.0.3', '127.0.1.3'), 'another address');

	/** The number of 280 attempts of 14 addresses that the daemon compares. */
	const compared = async (network, attempt) => {
		const statuses = [];
		for (let i = 4; i < 18; i++)
			statuses.push(...(await Promise.all(Array.from({ length: 20 }, () => fail(`${network}.${i}`, attempt)))).map(({ status }) => status));
		const failed = statuses.filter((status) => status === 410).length;
		assert.equal(statuses.length, failed + statuses.filter((status) => status === 429).length);
		return failed;
	};
	const codes = await compared('127.0.2', guess);
	assert.ok(codes >= 180 && codes < 280, `${codes} codes of 280 were compared`);
	assert.ok(await goesOn('127.0.0.97', '127.0.0.98', '127.0.0.99'), 'links go on');
	const links = await compared('127.0.3', { invitation: 'no' });
	assert.ok(links > 220, `${links} links of 280 were compared`);
	assert.ok(await goesOn('127.0.1.97', '127.0.1.98', '127.0.1.99'), 'links still go on');
	const { body } = await ask(daemon, 'GET', '/metrics', { port: daemon.admin });
	const refused = Number(/^jointcast_refusals_total\{reason="invitation"\} (\d+)$/m.exec(body)[1]);
	assert.ok(refused >= 582 && refused <= 587, `${refused} failures: 20, 2, 280, 280 and at most 5`);
	assert.equal(await daemon.stop(), 0);
	assert.doesNotMatch(daemon.log, /127\.0\.0\.[2-9]\b/, 'no address is in the log');
});

test('tokens of guests cannot be forged, and need their invitation', async () => {
	const place = world();
	const daemon = await place.start();
	const { json: made } = await create(daemon);
	const key = fs.readFileSync(path.join(place.state, 'invite.key'));
	const forge = (rest, secret = key) => sign({ alg: 'ES256', kid: 'invite' },
		{ aud: 'world', sub: 'guest-x', exp: now() + 60, roles: ['watch'], spaces: '*', ...rest }, guestKey(secret), 'ES256');

	assert.equal(key.length, 32);
	assert.equal(fs.statSync(path.join(place.state, 'invite.key')).mode & 0o777, 0o600);
	assert.equal(await refusal(daemon, forge({ inv: made.id }, crypto.randomBytes(32))), 'bad-signature');
	assert.equal(await refusal(daemon, sign({ alg: 'HS256', kid: 'invite' }, { aud: 'world', sub: 'guest-x', exp: now() + 60, roles: ['watch'],
		spaces: '*', inv: made.id }, key)), 'wrong-algorithm', 'the secret itself');
	assert.equal(await refusal(daemon, forge({})), 'malformed', 'without an invitation');
	assert.equal(await refusal(daemon, forge({ inv: made.id.replace(/./, 'g') })), 'revoked', 'of an unknown one');
	assert.equal(await refusal(daemon, forge({ inv: 'x'.repeat(17) })), 'malformed');
	(await enter(daemon, forge({ inv: made.id }))).end();
	(await enter(daemon, token({ ...mia, inv: 'unknown' }))).end(); // of another key, the claim has no meaning
	assert.equal(await daemon.stop(), 0);
});

test('pages of other sites, other hosts and plain connections redeem nothing', async () => {
	const place = world({ server: 'hosts = {"room.example"} }\nproxy { listen = "127.0.0.1:0" forwarded = true' });
	const daemon = await place.start('--tls-listen', '127.0.0.1:0', '--dev-certificate');
	const { invitation } = (await create(daemon, { uses: 100 })).json;
	const proxy = Number(/behind a proxy on 127\.0\.0\.1:(\d+)/.exec(daemon.log)[1]);
	const status = async (headers, rest) => (await redeem(daemon, { invitation }, { headers, ...rest })).status;
	const passed = (client, proto) => ({ Host: 'room.example', 'X-Forwarded-For': client, ...(proto && { 'X-Forwarded-Proto': proto }) });

	assert.equal(await status({ Origin: 'https://evil.example' }), 403);
	assert.equal(await status({ Origin: 'null' }), 403);
	assert.equal(await status({ Host: 'evil.example' }), 403);
	assert.equal(await status({ Host: null }), 400);
	assert.equal((await create(daemon, {}, token(mia))).status, 201);
	assert.equal((await ask(daemon, 'POST', '/invitations', { as: token(mia), body: {}, headers: { Origin: 'https://evil.example' } })).status, 403);
	assert.equal(await status({ Origin: `http://localhost:${daemon.port}`, Host: `localhost:${daemon.port}` }), 200);

	const plain = await redeem(daemon, { invitation }, { port: proxy, headers: passed('192.0.2.1', 'http') });
	assert.deepEqual([plain.status, plain.body], [403, 'invitations are redeemed over TLS\n']);
	assert.equal(await status(passed('192.0.2.1', 'https, http'), { port: proxy }), 403, 'the last proxy counts');
	assert.equal(await status({ 'X-Forwarded-For': '192.0.2.1', 'X-Forwarded-Proto': 'http' }), 403, 'of a proxy in front of the plain port');
	assert.equal(await status(passed('192.0.2.1', 'https'), { port: proxy }), 200);
	assert.equal(await status(passed('192.0.2.1'), { port: proxy }), 200, 'a proxy that does not say is believed on its port');
	assert.equal(await status(passed('127.0.0.1', 'http'), { port: proxy }), 200, 'a client of this machine');
	assert.equal(await status({}, { port: daemon.tlsPort, secure: { rejectUnauthorized: false } }), 200);
	assert.equal(await daemon.stop(), 0);
});

test('malformed requests are refused, each with its reason', async () => {
	const daemon = await world().start();
	const as = token(mia);
	const wish = { space: 'lobby', role: 'watch', expires: 60 };
	const answer = async (target, body, rest) => {
		const { status, body: text } = await ask(daemon, 'POST', target, { body, ...rest });
		return [status, text.trim()];
	};
	const deep = '['.repeat(2000) + ']'.repeat(2000);

	for (const body of ['', '{', '[]', 'null', '"x"', deep, '\u0000', '{"space":"lobby","space":"attic"}', '{"space":"\\ud800"}'])
		for (const target of ['/invitations', '/invitations/redeem'])
			assert.equal((await answer(target, body, { as }))[0], 400, `${target} ${body.slice(0, 40)}`);
	for (const [change, reason] of [
		[{ space: undefined }, /^space: missing/], [{ space: 7 }, /space/], [{ space: 'x'.repeat(64) }, /^space: more than 63 bytes/],
		[{ role: undefined }, /^role: not watch or publish/], [{ role: 'moderate' }, /^role: not/], [{ role: 1 }, /role/],
		[{ expires: undefined }, /^expires: missing/], [{ expires: 0 }, /expires/], [{ expires: 31536001 }, /expires/],
		[{ expires: 1.5 }, /expires/], [{ expires: '60' }, /expires/], [{ uses: 0 }, /uses/], [{ uses: 1001 }, /uses/],
		[{ note: 'x'.repeat(128) }, /^note: more than 127 bytes/], [{ note: 'a\nb' }, /^note: /], [{ note: '\u202e' }, /^note: /],
		[{ pair: 1 }, /pair/], [{ pair: true, uses: 2 }, /^uses: a pairing code has one use/],
	]) {
		const [status, text] = await answer('/invitations', { ...wish, ...change }, { as });
		assert.equal(status, 400, JSON.stringify(change));
		assert.match(text, reason);
	}
	for (const body of [{}, { invitation: 'x', code: 'y' }, { invitation: 7 }, { code: null }, { invitation: 'x'.repeat(129) }])
		assert.equal((await answer('/invitations/redeem', body))[0], 400, JSON.stringify(body));

	assert.equal((await answer('/invitations', 'x'.repeat(4097), { as }))[0], 413);
	assert.equal((await answer('/invitations/redeem', 'x'.repeat(4097)))[0], 413);
	assert.equal((await answer('/invitations/redeem', undefined))[0], 411);
	assert.equal((await answer('/invitations', wish))[0], 401);
	for (const [method, target, allow] of [['PUT', '/invitations', 'GET, HEAD, POST'], ['GET', '/invitations/redeem', 'POST'],
		['GET', '/invitations/0000000000000000', 'DELETE'], ['POST', '/skeletons', 'GET, HEAD'], ['POST', '/', 'GET, HEAD']]) {
		const { status, headers } = await ask(daemon, method, target, { as, body: method === 'GET' ? undefined : '{}' });
		assert.deepEqual([status, headers.get('allow')], [405, allow], `${method} ${target}`);
	}
	for (const id of ['', 'x', '0'.repeat(16), '0'.repeat(4000), '..%2f', 'redeem/'])
		assert.equal((await ask(daemon, 'DELETE', `/invitations/${id}`, { as })).status, 404, id);
	for (const query of ['?', '?space=', '?space', `?space=${'x'.repeat(64)}`, '?other=lobby'])
		assert.equal((await ask(daemon, 'GET', `/invitations${query}`, { as })).status, 400, query);
	assert.deepEqual((await ask(daemon, 'GET', '/invitations', { as })).json, { invitations: [] });
	assert.equal(await daemon.stop(), 0);
});

test('one creator cannot take all pairing codes or fill the table, and all codes do not stop links', async () => {
	const daemon = await world().start();
	const eve = token({ ...mia, sub: 'eve' });
	const pairs = (as) => Promise.all(Array.from({ length: 32 }, () => create(daemon, { pair: true }, as)));
	const full = [429, 'too many invitations or pairing codes\n'];

	const codes = [];
	for (const sub of ['eve', 'kim', 'lee', 'noa']) {
		const answers = await pairs(token({ ...mia, sub }));
		const made = answers.filter(({ status }) => status === 201);
		assert.equal(made.length, 16, sub);
		for (const { status, body } of answers.filter((answer) => !made.includes(answer)))
			assert.deepEqual([status, body], full);
		codes.push(...made);
	}
	assert.equal(new Set(codes.map(({ json }) => json.code.slice(0, 2))).size, 64, 'each code has a slot of its own');
	const more = await create(daemon, { pair: true });
	assert.deepEqual([more.status, more.body], full);
	await Promise.all(Array.from({ length: 240 }, () => create(daemon, {}, eve)));
	assert.equal((await create(daemon, {}, eve)).status, 429);
	assert.equal((await create(daemon)).status, 201, 'another creator');
	assert.equal((await list(daemon)).length, 305);
	assert.equal(await daemon.stop(), 0);
});

test('on a full disk nothing is given that a restart would forget', async () => {
	const place = world();
	let daemon = await place.start();
	const limit = (bytes) => execFileSync('prlimit', ['--pid', String(daemon.child.pid), `--fsize=${bytes}:`]);
	const { invitation, id } = (await create(daemon)).json;

	limit(0);
	const refused = await create(daemon);
	assert.deepEqual([refused.status, refused.body], [503, 'the disk does not take the change\n']);
	assert.equal((await redeem(daemon, { invitation })).status, 503);
	assert.deepEqual((await list(daemon)).map((one) => [one.id, one.used]), [[id, 0]], 'the use is not spent');
	assert.match((await ask(daemon, 'GET', '/readyz', { port: daemon.admin })).body, /^invitations: the newest are not on the disk: /m);
	limit('unlimited');
	await until('ready again', async () => (await ask(daemon, 'GET', '/readyz', { port: daemon.admin })).body === 'ready\n');
	assert.equal((await redeem(daemon, { invitation })).status, 200);
	await daemon.stop('SIGKILL');
	daemon = await place.start();
	assert.equal((await redeem(daemon, { invitation })).status, 410, 'a reused link, after a crash');
	assert.equal(await daemon.stop(), 0);
});

test('without keys or a state directory there are no invitations; damaged files end the start', async () => {
	const open = await start();
	assert.equal((await create(open, {}, 'x')).status, 404);
	assert.equal((await redeem(open, { invitation: 'x' })).status, 404);
	assert.equal(await open.stop(), 0);

	const place = world();
	const config = fs.readFileSync(place.config, 'utf8');
	fs.writeFileSync(place.config, config.replace(/state = "[^"]*"/, ''));
	const forgetful = await place.start();
	const answer = await create(forgetful);
	assert.deepEqual([answer.status, answer.body], [404, 'no such path: invitations need keys and a state directory\n']);
	const moderator = await enter(forgetful, token(mia));
	assert.deepEqual(moderator.welcome.rooms.map(({ invite }) => invite), [false, false]);
	moderator.end();
	assert.equal(await forgetful.stop(), 0);

	fs.writeFileSync(place.config, config);
	fs.mkdirSync(place.state);
	for (const [name, bytes, reason] of [['invitations.json', '{', /not a file of format 'invitations', .*invitations\.json$/m],
		['invitations.json', '{"jointcast":"invitations","version":2,"invitations":[]}', /a newer jointcastd wrote/],
		['invitations.json', '{"jointcast":"invitations","invitations":[{}]}', /invitation 0 is invalid/],
		['invite.key', 'short', /not 32 bytes, .*invite\.key$/m],
		['invite.key', 'x'.repeat(33), /invite\.key$/m]]) {
		fs.writeFileSync(path.join(place.state, name), bytes);
		for (const check of [[], ['--check-config']]) {
			const { code, stderr } = await run('--config', place.config, ...check);
			assert.equal(code, 1, stderr);
			assert.match(stderr, reason);
		}
		fs.rmSync(path.join(place.state, name));
	}
	fs.mkdirSync(path.join(place.state, 'invite.key.new')); // in place of the file that becomes the key
	const keyless = await place.start();
	assert.equal((await create(keyless)).status, 404);
	assert.match(keyless.log, /without invitations: .*invite\.key/);
	fs.rmdirSync(path.join(place.state, 'invite.key.new'));
	keyless.child.kill('SIGHUP');
	await until('a reload', () => /was read again/.test(keyless.log));
	assert.equal((await create(keyless)).status, 201, 'a reload tries again');
	assert.equal(await keyless.stop(), 0);
	fs.rmSync(place.state, { recursive: true });
	fs.mkdirSync(place.state);
	assert.equal((await run('--config', place.config, '--check-config')).code, 0);
	assert.deepEqual(fs.readdirSync(place.state), [], 'a check makes no key');
	place.configure('key "invite" { algorithm = "HS256" file = "KEY" }');
	assert.match((await run('--config', place.config, '--check-config')).stderr, /the name 'invite' is that of the daemon's own key/);
});
