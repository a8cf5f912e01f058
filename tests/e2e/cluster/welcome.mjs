// What an edge states about the spaces of an origin: what the origin grants, not what the
// configuration of the edge would.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Client } from '../support/client.mjs';
import { Cluster } from '../support/cluster.mjs';
import { scratch } from '../support/daemon.mjs';
import { secret, token } from '../support/token.mjs';
import { until } from '../support/until.mjs';

const [WEST, OPEN, STAGE] = ['west', 'open', 'stage'];

/** The rooms of the welcome; null: the daemon refuses the client. */
async function rooms(cluster, host, hello) {
	const client = await Client.connect(cluster.processes.get(host), hello);
	const answer = await client.take(({ type }) => type === 'welcome' || type === 'error').catch(() => null);
	client.end();
	return answer?.rooms ?? null;
}

test('an edge states the roles and the recordings that the origin grants', async (t) => {
	const folder = scratch(t);
	const key = path.join(folder, 'key');
	writeFileSync(key, secret);
	const auth = `auth { audience = "world" key "shared" { algorithm = "HS256" file = "${key}" } }`;
	const cluster = await Cluster.start(t);
	await cluster.origin(STAGE, [], { config: `${auth}\nrecording { folder = "${folder}" }
space "lobby" { moderate = "subject:mia" record = "role:moderate" }` });
	await cluster.edge(WEST, [], { config: auth }); // without a folder
	await cluster.edge(OPEN, [], { config: `recording { folder = "${folder}" }` }); // without keys
	const mia = { token: token({ sub: 'mia', roles: ['watch', 'moderate'] }) };
	const bo = { token: token({ sub: 'bo', roles: ['watch', 'moderate', 'record'] }) };
	const eve = { token: token({ sub: 'eve', roles: ['watch', 'record'] }) };
	for (const hello of [mia, bo, eve]) {
		const at = await rooms(cluster, STAGE, hello);
		let here;
		await until(() => `the same at the edge: ${JSON.stringify({ at, here })}`, async () => {
			here = await rooms(cluster, WEST, hello);
			return here?.length === at.length;
		});
		for (const [i, { name, roles, recordings, precision }] of at.entries())
			assert.deepEqual([here[i].name, here[i].roles, here[i].recordings, here[i].precision], [name, roles, recordings, precision]);
	}
	const [{ roles, recordings }] = await rooms(cluster, WEST, mia);
	assert.deepEqual([roles, recordings], [['watch', 'record', 'moderate'], true]);
	// Where the edge has no keys, nobody has more rights than the origin gives to anyone.
	await until(() => 'the edge serves the space', async () => (await cluster.status(OPEN)).cluster.spaces.some(({ state }) => state === 'live'));
	assert.deepEqual(await rooms(cluster, OPEN, {}), []);
	const client = await Client.greeted(cluster.processes.get(OPEN), {}, { type: 'ping', t: 1 }, { type: 'join', space: 'lobby' });
	const answer = await client.find('error').catch(() => null);
	assert.ok(!answer || answer.code === 'unknown-space', JSON.stringify(answer));
	client.end();
});
