// An origin ends, and its standby takes over: clients of an edge go on with the bodies of the
// standby, under a new epoch, and come back when the origin does.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Cluster } from '../support/cluster.mjs';
import { sleep } from '../support/until.mjs';

const STALL_MS = 2500; // an origin counts as gone after 1.5 s, a connection as lost after 4 s
const AFTER_MS = 700;

/** The complete roster of a client with the newest epoch. */
const rosterOf = (client) => client.messages.findLast(({ type, epoch }) => type === 'roster' && epoch);

test('clients of an edge follow their space from origin to standby and back', async (t) => {
	const cluster = await Cluster.start(t);
	await cluster.origin('stage', [], { config: 'source "ada" { uri = "demo:walk" }' });
	await cluster.origin('standby', [], { cluster: 'standby = "true"', config: 'source "bea" { uri = "demo:wave" }' });
	await cluster.edge('edge');
	const client = await cluster.watch('edge', { hello: { codings: [1, 2] } });
	const names = () => rosterOf(client).bodies.map(({ name }) => name);
	assert.deepEqual(names(), ['ada']);
	const epochs = [BigInt(`0x${rosterOf(client).epoch}`)];

	/** Ends or begins a process; then the client has the body of that name alone, and its motion. */
	const follows = async (name, act) => {
		const from = client.messages.length;
		await act();
		await client.until(`a roster with '${name}'`, () => client.messages.slice(from).some(({ type, epoch, bodies }) =>
			type === 'roster' && epoch && bodies.some((body) => body.name === name)));
		epochs.push(BigInt(`0x${rosterOf(client).epoch}`));
		const before = client.bundles.length;
		await client.until('its motion', () => client.bundles.length > before + 30);
		assert.deepEqual(names(), [name]);
	};
	// What stalls and goes on is no reason: a standby hears nothing meanwhile, as of an origin that ended.
	for (const name of ['standby', 'nats']) {
		cluster.freeze(name);
		await sleep(STALL_MS);
		cluster.thaw(name);
		await sleep(AFTER_MS);
		const { cluster: { spaces } } = await cluster.status('standby');
		assert.deepEqual(spaces.map(({ state, origin }) => [state, origin]), [['yielded', 'stage']], `${name} stalled`);
	}
	assert.deepEqual(names(), ['ada']);
	await follows('bea', () => cluster.kill('stage'));
	await follows('ada', () => cluster.restart('stage'));
	await follows('bea', () => cluster.stop('stage'));
	assert.ok(epochs.every((epoch, i) => i === 0 || epoch > epochs[i - 1]), epochs.join(' '));
	client.end();
});
