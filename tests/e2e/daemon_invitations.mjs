// Invitations: a link or a pairing code gives a guest a token of its own, never more than its
// creator has, until it expires or is revoked.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Client } from './support/client.mjs';
import { ask, claims, create, enter, list, mia, redeem, revoke, world } from './support/invitation_requests.mjs';
import { now, secret, token } from './support/token.mjs';
import { until } from './support/until.mjs';

process.setMaxListeners(20); // one for each daemon

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

test('nobody gives more than they have: role, space, bodies, time', async () => {
	const daemon = await world().start();
	const refused = async (body, as) => {
		const answer = await create(daemon, body, token({ ...mia, ...as }));
		return [answer.status, answer.body.trim()];
	};
	const role = 'your token does not have the role for this';
	const more = 'your token does not have what the invitation would give';

	assert.deepEqual(await refused({}, { roles: ['watch', 'publish', 'record'] }), [403, role]);
	assert.deepEqual(await refused({}, { roles: ['moderate'] }), [403, more]);
	assert.deepEqual(await refused({ role: 'publish' }, { roles: ['watch', 'moderate'] }), [403, more]);
	assert.deepEqual(await refused({ role: 'publish' }, { bodies: ['Ada'] }), [403, more], 'a guest may use any name');
	assert.deepEqual(await refused({ space: 'attic' }, { spaces: ['lobby'] }), [404, 'there is no such space']);
	assert.deepEqual(await refused({ space: 'cellar' }), [404, 'there is no such space']);
	assert.deepEqual(await refused({}, { exp: now() - 60 }), [401, 'expired']);
	assert.equal((await create(daemon, {}, token({ ...mia, roles: ['watch', 'administer'] }))).status, 201);

	const end = now() + 90;
	assert.equal((await create(daemon, { expires: 3600 }, token({ ...mia, exp: end }))).json.expires, end, 'the end of the creator');
	const guest = await invite(daemon, { role: 'publish' });
	assert.equal((await create(daemon, {}, guest.token)).status, 403, 'a guest invites nobody');
	assert.deepEqual(await list(daemon, '/invitations', guest.token), []);
	assert.equal((await revoke(daemon, guest.id, guest.token)).status, 404);

	const made = (await create(daemon, { space: 'attic' })).json.id;
	const lobby = token({ ...mia, spaces: ['lobby'] });
	assert.ok(!(await list(daemon, '/invitations', lobby)).some(({ id }) => id === made), 'of another space');
	assert.equal((await revoke(daemon, made, lobby)).status, 404);
	assert.deepEqual((await list(daemon, '/invitations?space=attic')).map(({ id }) => id), [made]);
	assert.deepEqual((await list(daemon, '/invitations?space=%61ttic')).map(({ id }) => id), [made]);
	for (const query of ['space=attic&role=watch', 'space', 'space=', 'role=watch', `space=${'a'.repeat(64)}`, 'space=%zz'])
		assert.equal((await ask(daemon, 'GET', `/invitations?${query}`, { as: token(mia) })).status, 400, query);

	const moderator = await enter(daemon, token(mia), { type: 'moderate', space: 'lobby', action: 'ban', subject: 'bob' });
	await moderator.find('moderated');
	assert.deepEqual(await refused({}, { sub: 'bob' }), [403, role], 'a banned moderator');
	moderator.end();
	assert.equal(await daemon.stop(), 0);
});

test('a guest invites nobody, also where its role may moderate', async () => {
	const daemon = await world({ spaces: 'moderate = {"role:moderate", "role:publish"}' }).start();
	const guest = await invite(daemon, { role: 'publish' });
	assert.equal((await create(daemon, { role: 'publish' }, guest.token)).status, 403);
	assert.deepEqual(await list(daemon, '/invitations', guest.token), []);
	assert.equal((await revoke(daemon, guest.id, guest.token)).status, 404);

	const client = await Client.greeted(daemon, { token: guest.token });
	const lobby = client.welcome.rooms.find(({ name }) => name === 'lobby');
	assert.deepEqual([lobby.roles.includes('moderate'), lobby.invite], [true, false]);
	client.end();
	assert.equal(await daemon.stop(), 0);
});

test('an invitation ends with its uses and its time', async () => {
	const daemon = await world().start();
	const { invitation } = (await create(daemon, { uses: 2 })).json;
	const gone = 'this invitation is not valid, or no longer\n';

	for (const status of [200, 200, 410, 410])
		assert.equal((await redeem(daemon, { invitation })).status, status);
	const short = (await create(daemon, { expires: 1, uses: 1000 })).json;
	await until('the end', () => now() > short.expires); // the daemon's clock of seconds may be some milliseconds behind
	for (const body of [{ invitation }, { invitation: short.invitation }, { invitation: 'A'.repeat(22) }, { invitation: '' },
		{ code: '00-0000-0000' }, { code: 'x' }]) {
		const answer = await redeem(daemon, body);
		assert.deepEqual([answer.status, answer.body], [410, gone], JSON.stringify(body));
	}
	assert.equal(await daemon.stop(), 0);
});

test('revoking ends redemptions, tokens and connections, also over restarts', async () => {
	const place = world();
	let daemon = await place.start();
	const made = (await create(daemon, { uses: 3 })).json;
	const guest = (await redeem(daemon, { invitation: made.invitation })).json;
	const other = await invite(daemon);

	await daemon.stop('SIGKILL'); // all that was answered is on the disk
	daemon = await place.start();
	assert.deepEqual((await list(daemon)).map(({ id, used }) => [id, used]), [[made.id, 1], [other.id, 1]]);
	assert.equal((await redeem(daemon, { invitation: made.invitation })).status, 200, 'the second use');
	const client = await enter(daemon, guest.token, { type: 'join', space: 'lobby' });
	await client.find('roster');
	const answer = await revoke(daemon, made.id);
	assert.deepEqual([answer.status, answer.json], [200, { id: made.id, revoked: true }]);
	assert.equal((await client.find('error')).reason, 'revoked');
	assert.equal((await client.closed).code, 1008);
	assert.equal(await refusal(daemon, guest.token), 'revoked');
	assert.equal((await redeem(daemon, { invitation: made.invitation })).status, 410);

	await daemon.stop('SIGKILL');
	daemon = await place.start();
	assert.equal(await refusal(daemon, guest.token), 'revoked', 'after the second start too');
	assert.equal((await redeem(daemon, { invitation: made.invitation })).status, 410);
	(await enter(daemon, other.token)).end();
	assert.deepEqual((await list(daemon)).map(({ id, revoked }) => [id, revoked]), [[made.id, true], [other.id, false]]);
	assert.equal(await daemon.stop(), 0);
});

test('an invitation of a revoked or removed key is void, with its tokens', async () => {
	const place = world();
	const daemon = await place.start();
	const reload = async (config) => {
		const count = daemon.log.split('was read again').length;
		place.configure(config);
		daemon.child.kill('SIGHUP');
		await until('a reload', () => daemon.log.split('was read again').length > count);
	};
	await reload('key "second" { algorithm = "HS256" file = "KEY" }');
	const { invitation } = (await create(daemon, { uses: 5 }, token(mia, secret, 'second'))).json;
	const guest = (await redeem(daemon, { invitation })).json;
	const client = await enter(daemon, guest.token);

	await reload('key "second" { algorithm = "HS256" file = "KEY" revoked = true }');
	assert.equal((await client.find('error')).reason, 'revoked');
	await client.closed;
	assert.equal((await redeem(daemon, { invitation })).status, 410);
	await reload('');
	assert.equal(await refusal(daemon, guest.token), 'revoked');
	assert.equal((await redeem(daemon, { invitation })).status, 410);
	assert.equal(await daemon.stop(), 0);
});
