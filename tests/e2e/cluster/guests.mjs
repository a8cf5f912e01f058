// Guests through edges: the origin has the invitations, and its edges redeem them, admit the guests
// and cut them off.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Client } from '../support/client.mjs';
import { Cluster } from '../support/cluster.mjs';
import { scratch } from '../support/daemon.mjs';
import { create, redeem, revoke } from '../support/invitation_requests.mjs';
import { secret } from '../support/token.mjs';
import { until } from '../support/until.mjs';

const [WEST, EAST, STAGE, ATTIC] = ['west', 'east', 'stage', 'attic'];
const publish = { type: 'publish', space: 'lobby', publication: 0, name: 'Eve', kind: 'poses' };

/** Two origins, of the spaces lobby and attic, and two edges, with the same keys. */
async function start(t) {
	const folder = scratch(t);
	const key = path.join(folder, 'key');
	writeFileSync(key, secret);
	const auth = `auth { audience = "world" key "shared" { algorithm = "HS256" file = "${key}" } }`;
	const cluster = await Cluster.start(t);
	// The later origin serves the lobby, which every daemon has.
	await cluster.origin(ATTIC, [], { config: `${auth}
server { state = "${path.join(folder, 'attic')}" }
space "attic" {}
source "walker" { uri = "demo:walk" space = "attic" }` });
	await cluster.origin(STAGE, ['--source', 'demo:walk'], { config: `${auth}\nserver { state = "${path.join(folder, 'state')}" }` });
	await cluster.edge(WEST, [], { config: auth });
	await cluster.edge(EAST, [], { config: auth });
	return cluster;
}

const daemonOf = (cluster, name) => cluster.processes.get(name);

/** Redeems at an edge; retried until the edge reaches the origins. */
async function redeemAt(cluster, name, body) {
	let answer;
	await until(() => `an answer of '${name}': ${answer?.status} ${answer?.body}`, async () => {
		answer = await redeem(daemonOf(cluster, name), body);
		return answer.status !== 503;
	});
	return answer;
}

/** A guest who has joined the lobby; retried while the edge learns. */
async function enter(cluster, name, token, space = 'lobby') {
	let client;
	await until(() => `'${name}' admits the guest: ${JSON.stringify(client?.messages)}`, async () => {
		client?.end();
		client = await Client.greeted(daemonOf(cluster, name), { token }, { type: 'join', space }).catch(() => null);
		const answer = await client?.take(({ type, ref }) => type === 'roster' || (type === 'error' && ref === 'join')).catch(() => null);
		return answer?.type === 'roster';
	});
	client.send({ type: 'subscribe', space });
	return client;
}

/** The reason with which a daemon refuses a token; an edge that has just started closes the connection. */
async function refusal(daemon, token) {
	let error;
	await until(() => 'a refusal', async () => {
		const client = await Client.connect(daemon, { token });
		error = await client.find('error').catch(() => null);
		client.end();
		return error;
	});
	return error.reason;
}

test('a guest redeems a link and a code at an edge, watches and publishes through any edge, and a revocation cuts the guest off', async (t) => {
	const cluster = await start(t);
	for (const name of [STAGE, ATTIC, WEST, EAST])
		await cluster.ready(name);
	for (const name of [WEST, EAST]) {
		await until(() => `'${name}' serves both spaces`, async () => (await cluster.status(name)).cluster.spaces
			.filter(({ state }) => state === 'live').length === 2);
	}
	const stage = daemonOf(cluster, STAGE);
	const made = (await create(stage, { role: 'publish', uses: 1, expires: 3600 })).json;
	const first = await redeemAt(cluster, WEST, { invitation: made.invitation });
	assert.equal(first.status, 200, first.body);
	assert.deepEqual([first.json.space, first.json.role, first.json.expires], ['lobby', 'publish', made.expires]);
	const again = await redeemAt(cluster, EAST, { invitation: made.invitation });
	assert.deepEqual([again.status, again.body.trim()], [410, 'this invitation is not valid, or no longer']);
	const pairing = (await create(stage, { pair: true, expires: 3600 })).json;
	const second = await redeemAt(cluster, EAST, { code: pairing.code });
	assert.equal(second.status, 200, second.body);

	// Both are admitted at edges that did not redeem their invitations.
	const eve = await enter(cluster, EAST, first.json.token);
	assert.deepEqual(eve.welcome.rooms.map(({ name, roles }) => ({ name, roles })), [{ name: 'lobby', roles: ['watch', 'publish'] }]);
	await eve.until('bundles', () => eve.bundles.length > 0);
	eve.send(publish);
	const { body } = await eve.find('published');
	const bob = await enter(cluster, WEST, second.json.token);
	await bob.until('the body of the other guest', () => bob.messages.some(({ type, bodies = [], joined = [] }) =>
		type === 'roster' && [...bodies, ...joined].some(({ id }) => id === body)));
	bob.send({ ...publish, request: 1 });
	assert.equal((await bob.find('error')).code, 'not-allowed');
	// A guest of the other origin, at the same edge.
	const guest = (await create(daemonOf(cluster, ATTIC), { space: 'attic', expires: 3600 })).json;
	const third = await redeemAt(cluster, WEST, { invitation: guest.invitation });
	assert.deepEqual([third.status, third.json?.space], [200, 'attic'], third.body);
	const cleo = await enter(cluster, WEST, third.json.token, 'attic');

	// Revoked: cut off at the edges, publishing or watching; the others stay.
	assert.equal((await revoke(stage, made.id)).status, 200);
	assert.equal((await eve.find('error', ({ code }) => code === 'refused')).reason, 'revoked');
	await eve.closed;
	await bob.until('the body has left', () => bob.all('roster').some(({ left = [] }) => left.includes(body)));
	assert.equal((await revoke(stage, pairing.id)).status, 200);
	assert.equal((await bob.find('error', ({ code }) => code === 'refused')).reason, 'revoked');
	for (const name of [EAST, WEST]) {
		assert.equal(await refusal(daemonOf(cluster, name), first.json.token), 'revoked');
		assert.equal(await refusal(daemonOf(cluster, name), second.json.token), 'revoked');
	}
	const seen = cleo.bundles.length;
	await cleo.until('the third guest still sees motion', () => cleo.bundles.length > seen);
	// An edge has no secret that signs tokens: a token that another key signed is refused.
	const [head, claims, signature] = third.json.token.split('.');
	const forged = `${head}.${claims}.${signature.slice(0, -8)}AAAAAAAA`;
	assert.equal(await refusal(daemonOf(cluster, WEST), forged), 'bad-signature');
	// Wrong codes are limited at the edge, as at the origin.
	let status;
	for (let i = 0; i < 30 && status !== 429; i++)
		({ status } = await redeemAt(cluster, WEST, { invitation: 'AAAAAAAAAAAAAAAAAAAAAA' }));
	assert.equal(status, 429);
	// What travels: no secret of an invitation, in any state or change.
	for (const { log } of cluster.processes.values())
		assert.ok(!/eyJ|AAAAAAAA/.test(log), log);
	cleo.end();
});
