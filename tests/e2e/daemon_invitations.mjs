// Invitations: a link or a pairing code gives a guest a token of its own, never more than its
// creator has, until it expires or is revoked.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Client } from './support/client.mjs';
import { run, scratch, start, writer } from './support/daemon.mjs';
import { now, part, secret, sign, token } from './support/token.mjs';
import { until } from './support/until.mjs';
import { exchange } from './support/websocket_bytes.mjs';

/** A state directory and a configuration with it, for several runs. */
function world({ spaces = '', keys = '', server = '' } = {}) {
	const folder = scratch();
	const state = path.join(folder, 'state');
	const write = writer(folder);
	const key = write('key', secret);
	const text = (more = keys) => `
server { state = "${state}" ${server} }
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${key}" } ${more.replaceAll('KEY', key)} }
spaces { ${spaces} }
space "attic" {}
source "walker" { uri = "demo:walk" }
`;
	const config = write('jointcastd.conf', text());
	return { folder, state, config, configure: (more) => write('jointcastd.conf', text(more)),
		start: (...options) => start('--config', config, ...options) };
}

const mia = { sub: 'mia', roles: ['watch', 'publish', 'moderate'] };
const wish = { space: 'lobby', role: 'watch', expires: 300, uses: 1 };

/** A request; `body` is sent as JSON, text and bytes unchanged. */
async function ask(daemon, method, target, { as, body, headers = {}, port = daemon.port, secure } = {}) {
	const bytes = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
	const lines = { Host: 'localhost', ...(as && { Authorization: `Bearer ${as}` }),
		...(body !== undefined && { 'Content-Length': Buffer.byteLength(bytes) }), ...headers };
	const head = Object.entries(lines).filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value}\r\n`);
	const answer = await exchange(port, `${method} ${target} HTTP/1.1\r\n${head.join('')}\r\n${bytes}`, secure);
	const isJson = answer.headers.get('content-type') === 'application/json';
	return { ...answer, json: isJson ? JSON.parse(answer.body) : undefined };
}

const create = (daemon, body = {}, as = token(mia)) => ask(daemon, 'POST', '/invitations', { as, body: { ...wish, ...body } });
const redeem = (daemon, body, rest) => ask(daemon, 'POST', '/invitations/redeem', { body, ...rest });
const list = async (daemon, target = '/invitations', as = token(mia)) => (await ask(daemon, 'GET', target, { as })).json.invitations;
const revoke = (daemon, id, as = token(mia)) => ask(daemon, 'DELETE', `/invitations/${id}`, { as });
const claims = (text) => JSON.parse(Buffer.from(text.split('.')[1], 'base64url'));
const enter = (daemon, text, ...messages) => Client.greeted(daemon, { token: text }, ...messages);

/** The reason with which the daemon refuses a token. */
async function refusal(daemon, text) {
	const client = await Client.connect(daemon, { token: text });
	const error = await client.find('error');
	client.end();
	return error.reason;
}

/** Creates and redeems. */
async function invite(daemon, body, as) {
	const made = await create(daemon, body, as);
	assert.equal(made.status, 201, made.body);
	const { status, json, body: text } = await redeem(daemon, { invitation: made.json.invitation });
	assert.equal(status, 200, text);
	return { id: made.json.id, ...json };
}

test('a guest gets a personal token for the space, the role and the time of the invitation', async () => {
	const place = world();
	const daemon = await place.start();
	const made = await create(daemon, { role: 'publish', uses: 2, note: 'for the band' });

	assert.equal(made.status, 201);
	assert.match(made.json.id, /^[0-9a-f]{16}$/);
	assert.match(made.json.invitation, /^[\w-]{22}$/, '128 bits in base64url');
	assert.deepEqual({ ...made.json, id: '', invitation: '', expires: 0 },
		{ id: '', invitation: '', space: 'lobby', role: 'publish', expires: 0, uses: 2 });
	assert.ok(Math.abs(made.json.expires - now() - 300) <= 5);

	const first = (await redeem(daemon, { invitation: made.json.invitation })).json;
	const second = (await redeem(daemon, { invitation: made.json.invitation })).json;
	assert.match(first.sub, /^guest-[0-9a-f]{20}$/);
	assert.notEqual(first.sub, second.sub, 'each guest has a subject of its own');
	assert.deepEqual({ ...first, token: '', sub: '' },
		{ token: '', space: 'lobby', role: 'publish', sub: '', expires: made.json.expires });
	const { iat, ...rest } = claims(first.token);
	assert.ok(Math.abs(iat - now()) <= 5);
	assert.deepEqual(rest, { sub: first.sub, aud: 'world', exp: made.json.expires, spaces: ['lobby'],
		roles: ['watch', 'publish'], bodies: '*', inv: made.json.id });

	const guest = await enter(daemon, first.token, { type: 'join', space: 'lobby' },
		{ type: 'publish', space: 'lobby', publication: 0, name: 'Eve', kind: 'poses' });
	assert.deepEqual(guest.welcome.rooms.map(({ name, roles, invite: may }) => ({ name, roles, may })),
		[{ name: 'lobby', roles: ['watch', 'publish'], may: false }]);
	await guest.find('published');
	guest.send({ type: 'join', space: 'attic' });
	assert.equal((await guest.find('error')).code, 'unknown-space');
	guest.end();

	const watcher = claims((await invite(daemon)).token);
	assert.deepEqual([watcher.roles, watcher.bodies], [['watch'], undefined]);
	const moderator = await enter(daemon, token(mia));
	assert.deepEqual(moderator.welcome.rooms.map(({ invite: may }) => may), [true, true]);
	moderator.end();
	assert.deepEqual((await list(daemon)).map(({ note, by, uses, used, revoked }) => ({ note, by, uses, used, revoked })), [
		{ note: 'for the band', by: 'mia', uses: 2, used: 2, revoked: false },
		{ note: '', by: 'mia', uses: 1, used: 1, revoked: false }]);
	assert.equal(await daemon.stop(), 0);
	assert.doesNotMatch(daemon.log, new RegExp(made.json.invitation), 'the secret is not in the log');
	assert.match(daemon.log, new RegExp(`invitation '${made.json.id}' was redeemed: 2 of 2 uses`));
});
