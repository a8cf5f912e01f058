// Clients go on through restarts of edges: one that is drained moves them to the other, one that begins
// while the origin is away gets them back when the space is announced.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import test from 'node:test';
import WebSocket from 'ws';
import { PoseFrame, TRACKED, connect } from '../../../clients/js/index.js';
import { captures, json, readMessages } from '../support/mcap_messages.mjs';
import { Cluster } from '../support/cluster.mjs';
import { JOINTCAST, scratch } from '../support/daemon.mjs';
import { SocketClient } from '../support/socket_client.mjs';
import { until } from '../support/until.mjs';

const SHARED = { config: 'server { reuse_port = true }\n' };
const CLIENTS = 60;

/** A command of the tool, with its output so far. */
function tool(t, ...words) {
	const child = spawn(process.argv[3] ?? JOINTCAST, words, { stdio: ['ignore', 'pipe', 'pipe'] });
	t.after(() => child.kill('SIGKILL'));
	const running = { stdout: '', stderr: '' };
	child.stdout.on('data', (text) => (running.stdout += text));
	child.stderr.on('data', (text) => (running.stderr += text));
	const ended = new Promise((resolve) => child.on('close', resolve));
	running.interrupt = () => {
		child.kill('SIGINT');
		return ended;
	};
	return running;
}

/** A client of the tests that counts its bundles, and notes how its connection ends. */
async function watch(port) {
	const client = new SocketClient(port, { onBinary: () => client.bundles++ });
	client.bundles = 0;
	await client.opened;
	client.say({ type: 'hello' }, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' });
	await client.until('a bundle', () => client.bundles > 0);
	return client;
}

/** A client of clients/js that moves: it counts the bundles of its connections. */
function shown(t, url) {
	const client = connect(url, { space: 'lobby', WebSocket });
	t.after(() => client.close());
	const log = { client, states: [], errors: [], bundles: 0 };
	client.on('state', ({ state }) => log.states.push(state));
	client.on('error', (error) => log.errors.push(error.code));
	client.on('bundle', () => log.bundles++);
	return log;
}

const moves = (what, log) => {
	const before = log.bundles;
	return until(what, () => log.bundles > before + 20);
};
const connections = async (cluster, name) => (await cluster.status(name)).connections.open;

test('an edge that is drained says goodbye to each client, and all go on at the other', async (t) => {
	const cluster = await Cluster.start(t);
	await cluster.origin('stage', ['--source', 'demo:walk?name=ada']);
	const { port } = await cluster.edge('west', [], SHARED);
	await cluster.edge('east', ['--listen', `127.0.0.1:${port}`], SHARED);
	await cluster.ready('west');
	await cluster.ready('east');
	await Promise.all(['west', 'east'].map((name) => until(`'${name}' has the space`,
		async () => (await cluster.status(name)).cluster.spaces.some(({ state }) => state === 'live'))));
	const url = `ws://127.0.0.1:${port}`;
	const file = path.join(scratch(t), 'take.mcap');
	const record = tool(t, 'record', url, '-o', file);
	const json1 = tool(t, 'watch', url, '--json');
	const clients = await Promise.all(Array.from({ length: CLIENTS }, () => watch(port)));
	const shows = Array.from({ length: 20 }, () => shown(t, url));
	await Promise.all(shows.map((log) => moves('motion', log)));
	await until('watch sees the body', () => json1.stdout.includes('ada'));

	for (const name of ['west', 'east']) {
		const here = await connections(cluster, name);
		const states = shows.map(({ states }) => states.length);
		const tap = await cluster.tap();
		let drains = false;
		tap.subscribe('jc.report.h.*', ({ bytes }) => {
			const { report } = JSON.parse(bytes);
			drains ||= report.name === name && report.draining;
		});
		const asking = setInterval(() => tap.publish('jc.status.h.tap', JSON.stringify({ request: Math.random().toString(36).slice(2, 10), from: 'abc' })), 100);
		// A daemon that is being drained stays until its clients have moved.
		await cluster.stop(name);
		clearInterval(asking);
		tap.close();
		assert.ok(drains, `'${name}' reports that it drains`);
		// The end of a connection may reach its client after the daemon's process has ended.
		await Promise.all(clients.map((client) => {
			const before = client.bundles;
			return client.until('motion of the other edge, or the end', () => client.isClosed || client.bundles > before + 10);
		}));
		const left = clients.filter(({ isClosed }) => isClosed);
		assert.ok(here > 0 && left.length > 0, `clients at '${name}': ${here}`);
		for (const client of left) {
			assert.deepEqual([client.all('going_away').map(({ retryAfter }) => retryAfter), client.closeCode], [[0], 1001]);
			clients[clients.indexOf(client)] = await watch(port);
		}
		for (const client of clients) {
			const before = client.bundles;
			await client.until('motion at the other edge', () => client.bundles > before + 10);
		}
		await Promise.all(shows.map((log) => moves('motion in clients/js', log)));
		const moved = shows.filter((log, i) => log.states.length > states[i]);
		for (const { states: all } of moved)
			assert.deepEqual(all.slice(-4), ['waiting', 'connecting', 'connected', 'live']);
		assert.deepEqual(shows.flatMap(({ errors }) => errors), []);
		await cluster.restart(name);
		await cluster.ready(name);
		await until(`'${name}' has the space again`, async () => (await cluster.status(name)).cluster.spaces.some(({ state }) => state === 'live'));
	}
	const count = () => json1.stdout.split('\n').length;
	const before = count();
	await until('watch goes on', () => count() > before + 1);
	assert.equal(await record.interrupt(), 0, record.stderr);
	assert.equal(await json1.interrupt(), 0, json1.stderr);
	// Both were at one of the edges, so each was moved at least once.
	for (const { stderr } of [record, json1])
		assert.match(stderr, /^(jointcast: \S+: the daemon is shutting down; connecting again\n){1,2}$/);
	const messages = await readMessages(file);
	const bodies = json(messages, 'roster').flatMap((roster) => roster.bodies);
	assert.deepEqual([...new Set(bodies.map(({ id, name }) => `${id} ${name}`))].length, 1);
	assert.ok(captures(messages).length > 60);
	clients.forEach((client) => client.end());
});

test('an edge that was restarted while the origin was away gets its clients back with the origin', async (t) => {
	const cluster = await Cluster.start(t);
	await cluster.origin('stage', ['--source', 'demo:walk?name=ada']);
	const { url } = await cluster.edge('edge');
	const log = shown(t, url);
	const watching = tool(t, 'watch', url);
	await until('the space is there', () => log.client.state === 'live');
	await moves('motion', log);
	const publication = log.client.publish({ name: 'bo', kind: 'poses' });
	const pose = new PoseFrame();
	pose.states.fill(TRACKED);
	const sending = setInterval(() => {
		pose.time = Math.round(log.client.clock.at(log.client.now()));
		publication.send(pose);
	}, 50);
	t.after(() => clearInterval(sending));
	const has = (...names) => [...log.client.bodies.values()].map(({ name }) => name).sort().join() === names.join();
	await until('both bodies', () => has('ada', 'bo'));
	await until('the tool sees them', () => watching.stdout.includes("'bo'"));

	await cluster.kill('stage');
	await cluster.restart('edge');
	const from = log.states.length;
	// At first the edge closes connections, for it may not know all spaces; then it knows none.
	await until('the space is unknown', () => log.errors.includes('unknown-space'));
	assert.ok(!log.states.slice(from).includes('live'));
	await cluster.restart('stage');
	await until('the space is back', () => log.client.state === 'live');
	await until('both bodies again', () => has('ada', 'bo'));
	await moves('motion again', log);
	assert.equal(publication.state, 'open');
	await until('the tool sees them again', () => watching.stdout.match(/^\+ .*'bo'$/gm)?.length >= 2);
	assert.equal(await watching.interrupt(), 0, watching.stderr);
});
