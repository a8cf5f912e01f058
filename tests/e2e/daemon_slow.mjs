// Clients that stop reading: what becomes of them, and that the others do not notice.
import assert from 'node:assert/strict';
import test from 'node:test';
import WebSocket from 'ws';
import { Bundle, decodeBundle } from '../../clients/js/index.js';
import { exchange, frames, open, sleep, start, text } from './daemon_process.mjs';
import { until } from './until.mjs';

const sources = ['walk', 'wave', 'sit', 'idle'].flatMap((name) => ['--source', `demo:${name}`]);
const CREDIT_TICKS = 9; // 150 ms at 60 Hz

/** One that acknowledges ten times a second, as browsers do, until it stops reading. */
class Client {
	ticks = [];
	rejoined = []; // ticks of bundles in which no packet needs what was before
	#bundle = new Bundle();

	static async open(t, daemon, view = {}) {
		const client = new Client();
		t.after(() => {
			clearInterval(client.timer);
			client.ws.terminate();
		});
		client.ws = new WebSocket(daemon.url, 'jointcast.v1');
		client.ws.on('message', (data, binary) => (binary ? client.#take(data) : client.#hear(JSON.parse(data))));
		client.closed = new Promise((resolve) => client.ws.on('close', resolve));
		client.closed.then(() => (client.isClosed = true));
		await new Promise((resolve, reject) => client.ws.on('open', resolve).on('error', reject));
		for (const message of [{ type: 'hello', codings: [2, 1], credit: true },
			{ type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby', ...view }])
			client.ws.send(JSON.stringify(message));
		client.timer = setInterval(() => client.#acknowledge(), 100);
		return client;
	}

	#take(data) {
		const { tick, count, needsState } = decodeBundle(data, this.#bundle);
		this.ticks.push(tick);
		if (count > 0 && needsState.subarray(0, count).every((needs) => needs === 0))
			this.rejoined.push(tick);
	}

	#hear({ type, body }) {
		if (type === 'published')
			this.body = body;
		assert.notEqual(type, 'error');
	}

	#acknowledge() {
		if (!this.isPaused && this.ticks.length > 0)
			this.ws.send(JSON.stringify({ type: 'ack', space: 'lobby', tick: this.newest }));
	}

	get newest() {
		return this.ticks.at(-1) ?? -1;
	}

	pause() {
		this.isPaused = true;
		this.ws.pause();
	}

	resume() {
		this.isPaused = false;
		this.ws.resume();
	}

}

test('who stops reading comes back by a rejoin, with few old bundles, and nobody is cut off', { timeout: 50000 }, async (t) => {
	const daemon = await start(...sources);
	// Shared views, and some of their own.
	const clients = await Promise.all(Array.from({ length: 20 },
		(_, i) => Client.open(t, daemon, i % 2 ? {} : { viewpoints: [{ position: [0, 1.6, 2] }] })));
	await until('bundles', () => clients.every(({ ticks }) => ticks.length > 20));
	const stopped = clients.slice(0, 4);
	const others = clients.slice(4);
	stopped.forEach((client) => client.pause());
	const begin = Math.max(...clients.map(({ newest }) => newest));
	await until('a long time', () => others.every(({ newest }) => newest > begin + 240));
	const counts = stopped.map(({ ticks }) => ticks.length);
	const end = Math.max(...others.map(({ newest }) => newest));
	stopped.forEach((client) => client.resume());
	await until('those that stopped', () => stopped.every(({ newest }) => newest > end + 30));
	for (const [i, { ticks, rejoined }] of stopped.entries()) {
		// What was on its way when it stopped, and what was due while it began to read again.
		const old = ticks.slice(counts[i]).filter((tick) => tick <= end - CREDIT_TICKS).length;
		assert.ok(old <= 4 * CREDIT_TICKS, `${old} old bundles of ${end - begin} ticks`);
		const gap = ticks.findIndex((tick, k) => k >= counts[i] && tick - ticks[k - 1] > 60);
		assert.ok(gap > 0 && rejoined.includes(ticks[gap]), `tick ${ticks[gap]} after ${ticks[gap - 1]}`);
	}
	const got = others.map(({ ticks }) => ticks.filter((tick) => tick > begin && tick <= end).length);
	assert.ok(Math.min(...got) > (end - begin) / 2, `${got} of ${end - begin} ticks`);
	assert.ok(!clients.some(({ isClosed }) => isClosed));
	assert.equal(await daemon.stop(), 0, daemon.log);
});

test('who does not take what it has to know is cut off, and nobody else', { timeout: 50000 }, async (t) => {
	const daemon = await start(...sources);
	const status = async () => JSON.parse((await exchange(daemon.port,
		'GET /status HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')).body);
	const other = await Client.open(t, daemon);
	const slow = await open(daemon.port);
	t.after(() => slow.socket.destroy());
	slow.send(...[{ type: 'hello' }, { type: 'join', space: 'lobby' },
		{ type: 'subscribe', space: 'lobby' }].map(text));
	await slow.until(() => frames(slow.bytes).some(({ opcode }) => opcode === 2));
	slow.socket.pause();
	// Motion fills what the system keeps for it; from then on bundles are left out.
	for (let i = 0, dropped = 0; dropped < 60; i++) {
		assert.ok(i < 200, 'the socket is never full');
		await sleep(100);
		[{ dropped }] = (await status()).spaces;
	}
	// Whoever is in the space is told where everybody stands.
	other.ws.send(JSON.stringify({ type: 'publish', space: 'lobby', publication: 0, name: 'Ada', kind: 'poses' }));
	await until('a body', () => other.body !== undefined);
	let watching = 2;
	for (let i = 0; watching === 2; i++) {
		assert.ok(i < 100, 'it is never cut off');
		for (let k = 0; k < 5; k++)
			other.ws.send(JSON.stringify({ type: 'place', space: 'lobby', body: other.body,
				position: [k, 0, i % 2], yaw: 0, teleport: true }));
		await sleep(210);
		[{ subscribers: watching }] = (await status()).spaces;
	}
	assert.equal(watching, 1);
	slow.socket.resume();
	await slow.ended;
	const { newest } = other;
	await until('bundles after that', () => other.newest > newest + 30);
	assert.ok(!other.isClosed);
	assert.equal(await daemon.stop(), 0, daemon.log);
});
