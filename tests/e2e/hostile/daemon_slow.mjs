// Clients that stop reading: what becomes of them, and that the others do not notice.
import assert from 'node:assert/strict';
import test from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import WebSocket from 'ws';
import { Bundle, decodeBundle } from '../../../clients/js/index.js';
import { start } from '../support/daemon.mjs';
import { follow } from '../support/roster.mjs';
import { sleep, until } from '../support/until.mjs';
import { exchange, frames, open, text } from '../support/websocket_bytes.mjs';

const sources = ['walk', 'wave', 'sit', 'idle'].flatMap((name) => ['--source', `demo:${name}`]);
const CREDIT_TICKS = 9; // 150 ms at 60 Hz

/** A client that acknowledges ten times a second, as browsers do, until it stops reading. */
class Client {
	ticks = [];
	rejoined = []; // ticks of bundles whose packets need no earlier state
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

	#hear({ type, code }) {
		// The body of a client that is cut off leaves while messages about it are on their way.
		assert.ok(type !== 'error' || code === 'unknown-body', code);
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

test('a client that stops reading returns by a rejoin, with few old bundles, and no connection is closed', { timeout: 50000 }, async (t) => {
	const daemon = await start(...sources);
	// Shared views and private views.
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
		// Bundles in flight when it stopped, and those sent when it began to read again.
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

const statusOf = async (daemon) => JSON.parse((await exchange(daemon.admin,
	'GET /status HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')).body);
const control = (raw) => frames(raw.bytes).filter(({ opcode }) => opcode === 1)
	.map(({ payload }) => JSON.parse(payload.toString()));

/** A subscriber on a raw socket that sent these messages and then stopped reading; its socket is full. */
async function openFull(t, daemon, ...messages) {
	const slow = await open(daemon.port);
	t.after(() => slow.socket.destroy());
	slow.send(...[{ type: 'hello' }, { type: 'join', space: 'lobby' },
		{ type: 'subscribe', space: 'lobby' }, ...messages].map(text));
	await slow.until(() => frames(slow.bytes).some(({ opcode }) => opcode === 2) &&
		(messages.length === 0 || control(slow).some(({ type }) => type === 'published')));
	slow.socket.pause();
	// Motion fills the socket buffers; later bundles are skipped.
	for (let i = 0, dropped = 0; dropped < 60; i++) {
		assert.ok(i < 200, 'the socket is never full');
		await sleep(100);
		[{ dropped }] = (await statusOf(daemon)).spaces;
	}
	return slow;
}

test('a client that does not read required messages is closed, and no other', { timeout: 50000 }, async (t) => {
	const daemon = await start(...sources);
	const other = await Client.open(t, daemon);
	const slow = await openFull(t, daemon,
		{ type: 'publish', space: 'lobby', publication: 0, name: 'Ada', kind: 'poses' });
	const { body } = control(slow).find(({ type }) => type === 'published');
	// Each request notifies the client that it concerns.
	let watching = 2;
	for (let i = 0; watching === 2; i++) {
		assert.ok(i < 100, 'it is never cut off');
		for (let k = 0; k < 5; k++)
			other.ws.send(JSON.stringify({ type: 'moderate', space: 'lobby', action: 'mute', body, reason: `${i} ${k}` }));
		await sleep(210);
		[{ subscribers: watching }] = (await statusOf(daemon)).spaces;
	}
	assert.equal(watching, 1);
	slow.socket.resume();
	await slow.ended;
	const orders = control(slow).filter(({ type }) => type === 'moderated');
	assert.ok(orders.length > 100, `${orders.length} orders waited`);
	const { newest } = other;
	await until('bundles after that', () => other.newest > newest + 30);
	assert.ok(!other.isClosed);
	assert.equal(await daemon.stop(), 0, daemon.log);
});

test('roster changes fill no queue: a client that reads again gets one complete roster', { timeout: 50000 }, async (t) => {
	const daemon = await start(...sources);
	const slow = await openFull(t, daemon);
	const other = await open(daemon.port);
	t.after(() => other.socket.destroy());
	const rosters = (raw) => control(raw).filter(({ type }) => type === 'roster');
	const published = () => control(other).filter(({ type }) => type === 'published').map(({ body }) => body);
	const place = (x) => text({ type: 'place', space: 'lobby', body: published()[0], position: [x, 0, 0], yaw: 0, teleport: true });
	/** Resolves once a roster change has Ada at this place. */
	const stands = (raw, x) => raw.until(() => follow(rosters(raw)).get(published()[0])?.placement.position[0] === x, 20000);
	const publish = (name, publication) => text({ type: 'publish', space: 'lobby', publication, name, kind: 'poses' });
	other.send(...[{ type: 'hello' }, { type: 'join', space: 'lobby' }].map(text), publish('Ada', 0), publish('Bob', 1));
	await other.until(() => published().length === 2);
	for (let x = 1; x <= 10; x++) {
		other.send(place(x));
		await stands(other, x); // each is a separate roster change
	}
	other.send(text({ type: 'unpublish', publication: 1 }));
	await other.until(() => !follow(rosters(other)).has(published()[1]));
	const { length } = rosters(slow);
	slow.socket.resume();
	await stands(slow, 10);
	other.send(place(11));
	await stands(slow, 11);
	await slow.until(() => isDeepStrictEqual(follow(rosters(slow)), follow(rosters(other))));
	// The change that came first may have been written before anything waited.
	const kinds = rosters(slow).slice(length).map(({ bodies }) => (bodies ? 'complete' : 'change'));
	assert.equal(kinds.filter((kind) => kind === 'complete').length, 1, kinds.join());
	assert.ok(kinds.length < 6, kinds.join());
	assert.equal(await daemon.stop(), 0, daemon.log);
});
