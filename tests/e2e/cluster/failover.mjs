// An origin ends, and its standby takes over: clients of an edge go on with the bodies of the
// standby, under a new epoch, and come back when the origin does.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Cluster } from '../support/cluster.mjs';
import { sleep, until } from '../support/until.mjs';

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

test('a lobby that no configuration names takes the name from no other origin', async (t) => {
	const cluster = await Cluster.start(t);
	await cluster.origin('hall', ['--source', 'demo:walk?name=ada']);
	await cluster.edge('edge');
	const client = await cluster.watch('edge', { hello: { codings: [1, 2] } });
	/** Which origins serve the lobby, by their own status. */
	const serving = async (...names) => {
		const states = await Promise.all(names.map(async (name) => (await cluster.status(name)).cluster.spaces.find(({ space }) => space === 'lobby')));
		return names.filter((_, i) => states[i]?.state === 'exported').join();
	};
	// They begin later, so each of them would have the higher epoch.
	await cluster.origin('attic', ['--source', 'demo:sit?name=eve&space=attic']);
	await cluster.origin('cellar', ['--source', 'demo:sit?name=fay&space=cellar']);
	for (const space of ['attic', 'cellar'])
		(await cluster.watch('edge', { space, hello: { codings: [1, 2] } })).end();
	await until('hall alone serves the lobby', async () => await serving('hall', 'attic', 'cellar') === 'hall');
	assert.deepEqual([...new Set(client.all('roster').flatMap(({ bodies }) => bodies ?? []).map(({ name }) => name))], ['ada']);
	const before = client.bundles.length;
	await client.until('motion', () => client.bundles.length > before + 30);

	// Without it, the default lobby that opened first is the one, also where another took over before.
	cluster.freeze('attic');
	await cluster.kill('hall');
	await until('cellar serves the lobby meanwhile', async () => await serving('cellar') === 'cellar');
	cluster.thaw('attic');
	await until('attic serves the lobby', async () => await serving('attic', 'cellar') === 'attic');
	await client.until('an empty lobby', () => rosterOf(client).bodies.length === 0);
	await cluster.restart('attic'); // it is the later one now
	await until('cellar serves the lobby', async () => await serving('attic', 'cellar') === 'cellar');
	await cluster.restart('hall');
	await until('hall has it again', async () => await serving('hall', 'attic', 'cellar') === 'hall');
	await client.until('its body', () => rosterOf(client).bodies.some(({ name }) => name === 'ada'));
	client.end();
});
