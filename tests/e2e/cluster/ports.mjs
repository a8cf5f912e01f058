// Processes that share a port (server.reuse_port): the kernel spreads connections over them, and a
// process that ends moves its clients to the others without losing a connection.
import assert from 'node:assert/strict';
import net from 'node:net';
import test from 'node:test';
import { run, scratch, writer } from '../support/daemon.mjs';
import { Cluster } from '../support/cluster.mjs';
import { SocketClient } from '../support/socket_client.mjs';
import { sleep, until } from '../support/until.mjs';

const CLIENTS = 200;
const conf = writer(scratch())('jointcastd.conf', 'server { reuse_port = true }\n');

/** Two processes on one port. */
async function pair(t) {
	const cluster = await Cluster.start(t);
	let port = 0;
	for (const name of ['one', 'two']) {
		await cluster.launch(name, (last) => ['--config', conf, '--listen', `127.0.0.1:${last || port}`,
			'--admin', '127.0.0.1:0', '--source', 'demo:walk']);
		({ port } = cluster.processes.get(name));
	}
	return { cluster, port };
}

/** A client that counts its bundles. */
async function watch(port) {
	const client = new SocketClient(port, { onBinary: () => client.bundles++ });
	client.bundles = 0;
	await client.opened;
	client.say({ type: 'hello' }, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' });
	await client.until('a bundle', () => client.bundles > 0);
	return client;
}

const connections = async (cluster, name) => (await cluster.status(name)).connections.open;

test('a process that ends sends its clients to the other, one after another, and motion goes on', async (t) => {
	const { cluster, port } = await pair(t);
	const clients = await Promise.all(Array.from({ length: CLIENTS }, () => watch(port)));
	const moved = await connections(cluster, 'one');
	assert.ok(moved > 0 && moved < CLIENTS, `${moved} of ${CLIENTS} clients are at the first process`);
	const stopped = cluster.stop('one');
	const back = await Promise.all(clients.map(async (client) => {
		const farewell = await Promise.race([client.get('going_away'), stopped]);
		if (!farewell)
			return null;
		const before = client.bundles;
		await client.ended;
		assert.deepEqual([farewell.retryAfter, client.closeCode], [0, 1001]);
		return { before, client: await watch(port) };
	}));
	assert.equal(back.filter(Boolean).length, moved);
	await stopped;
	assert.equal(await connections(cluster, 'two'), CLIENTS);
	// The first client that left had received less than the last.
	const bundles = back.filter(Boolean).map(({ before }) => before);
	assert.ok(Math.max(...bundles) > Math.min(...bundles), 'all left at once');

	await cluster.restart('one');
	const late = await Promise.all(Array.from({ length: 40 }, () => watch(port)));
	assert.ok(await connections(cluster, 'one') > 0, 'a process that starts again gets clients');
	[...clients, ...back.filter(Boolean).map(({ client }) => client), ...late].forEach((client) => client.end());
});

test('connections that wait in the queue of a process when it ends are served', async (t) => {
	const { cluster, port } = await pair(t);
	cluster.freeze('one');
	const clients = Array.from({ length: 60 }, () => new SocketClient(port));
	await until('the kernel has accepted all', () => clients.every(({ socket }) => !socket.connecting));
	const served = await until('the other answers some', () => connections(cluster, 'two'));
	const stopped = cluster.stop('one');
	cluster.thaw('one');
	await Promise.all(clients.map(async (client) => {
		await client.opened;
		assert.equal(client.status, 101);
		client.say({ type: 'hello' });
		await client.until('an answer', () => client.all('welcome').length || client.all('going_away').length);
	}));
	assert.ok(served < clients.length);
	clients.forEach((client) => client.end());
	await stopped;
});

test('a second signal ends a process that waits for clients', async (t) => {
	const { cluster, port } = await pair(t);
	// A drain waits some time for requests of connections that have just begun.
	const idle = Array.from({ length: 20 }, () => net.connect(port, '127.0.0.1'));
	await until('one has some', async () => await connections(cluster, 'one') > 0);
	const { child, exited } = cluster.processes.get('one');
	child.kill('SIGTERM');
	await until('it drains', () => cluster.processes.get('one').log.includes('draining on SIGTERM'));
	child.kill('SIGINT');
	assert.equal(await exited, 0);
	assert.match(cluster.processes.get('one').log, /stopping on SIGINT/);
	idle.forEach((socket) => socket.destroy());
});

test('an edge that has just started sends a client away whose space it does not know yet', async (t) => {
	const cluster = await Cluster.start(t);
	const { port } = await cluster.edge('edge');
	for (let refused = false; !refused;) {
		const client = await SocketClient.greeted(port, {}, { type: 'join', space: 'nowhere' });
		refused = await Promise.race([client.ended.then(() => false), client.get('error').then(() => true, () => false)]);
		if (refused)
			assert.equal(client.all('error')[0].code, 'unknown-space');
		else
			assert.equal(client.closeCode, 1013);
		client.end();
	}
	// It knows none without NATS, however long it runs.
	await cluster.kill('nats');
	await cluster.restart('edge');
	await sleep(3500);
	const client = await SocketClient.greeted(port, {}, { type: 'join', space: 'nowhere' });
	const refusal = await client.get('error').then(({ code }) => code, () => client.closeCode);
	assert.equal(refusal, 1013);
	client.end();
});

test('without reuse_port in both, the second process does not start', async (t) => {
	const { port } = await pair(t);
	const { code, stderr } = await run('--listen', `127.0.0.1:${port}`);
	assert.deepEqual([code, /cannot listen on [^\n]*Address already in use/.test(stderr)], [3, true], stderr);
});
