// Tests many, slow and short-lived clients, and the end of the daemon among them.
import assert from 'node:assert/strict';
import test from 'node:test';
import WebSocket from 'ws';
import { start } from '../support/daemon.mjs';
import { sleep, until } from '../support/until.mjs';
import { frames, open, text } from '../support/websocket_bytes.mjs';

const sources = ['walk', 'wave', 'sit', 'idle'].flatMap((name) => ['--source', `demo:${name}`]);
const conversation = (credit) => [{ type: 'hello', credit }, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' }];

function subscribe(daemon, credit = false) {
	return new Promise((resolve, reject) => {
		const ws = new WebSocket(daemon.url, 'jointcast.v1');
		ws.times = [];
		ws.control = [];
		ws.on('message', (data, binary) => {
			if (binary) {
				ws.times.push(performance.now());
				ws.tick = tickOf(data, ws.tick);
			} else {
				ws.control.push(JSON.parse(data));
			}
		});
		ws.on('open', () => {
			for (const message of conversation(credit))
				ws.send(JSON.stringify(message));
			resolve(ws);
		}).on('error', reject);
	});
}

/** Tick of a bundle (proto/BUNDLES.md, "Bundle head"), from the previous one. */
function tickOf(bundle, before) {
	let at = 1;
	const varint = () => {
		let value = 0;
		for (let shift = 0; ; shift += 7) {
			const byte = bundle[at++];
			value += (byte & 0x7f) * 2 ** shift;
			if (byte < 0x80)
				return value;
		}
	};
	if (bundle[0] & 0x80)
		return before + 1 + ((bundle[0] - before - 1) & 127);
	varint();
	return varint();
}

test('a client that stops acknowledging gets its window and no more', async () => {
	const daemon = await start(...sources);
	const silent = await subscribe(daemon, true);
	const diligent = await subscribe(daemon, true);
	const timer = setInterval(() => {
		if (diligent.tick !== undefined)
			diligent.send(JSON.stringify({ type: 'ack', space: 'lobby', tick: diligent.tick }));
	}, 100);
	await until('bundles of the other client', () => diligent.times.length > 75);
	// 150 ms at 60 Hz; its round trip was never measured. A busy daemon skips ticks.
	const window = silent.times.length;
	assert.ok(window >= 1 && window <= 9, `${window} bundles`);
	silent.send(JSON.stringify({ type: 'ack', space: 'lobby', tick: silent.tick }));
	await until('an ack opens it again', () => silent.times.length > window);
	clearInterval(timer);
	silent.terminate();
	diligent.terminate();
	assert.equal(await daemon.stop(), 0);
});

test('a client that does not read does not affect others and gets few stale bundles', async () => {
	const daemon = await start(...sources);
	const stalled = await open(daemon.port);
	stalled.send(...conversation(false).map(text));
	await stalled.until(() => frames(stalled.bytes).some(({ opcode }) => opcode === 2));
	stalled.socket.pause();
	const others = await Promise.all(Array.from({ length: 5 }, () => subscribe(daemon)));
	await until('bundles of the others', () => others.every(({ times }) => times.length > 100));
	others.forEach((ws) => ws.terminate());
	assert.equal(await daemon.stop(), 0, 'a stalled client does not hold up the end');
	stalled.socket.destroy();
});

test('two hundred clients connect and end, with and without close', async () => {
	const daemon = await start(...sources);
	let bundles = 0;
	const one = async (i) => {
		const ws = await subscribe(daemon, i % 2 === 0);
		await sleep((i * 37) % 200);
		bundles += ws.times.length;
		if (i % 3 === 0) {
			ws.terminate();
		} else {
			ws.close(1000);
			await new Promise((resolve) => ws.on('close', resolve));
		}
	};
	for (let batch = 0; batch < 4; batch++)
		await Promise.all(Array.from({ length: 50 }, (_, i) => one(batch * 50 + i)));
	assert.ok(bundles > 200, `${bundles} bundles`);
	assert.equal(await daemon.stop(), 0, daemon.log);
});

test('SIGTERM sends going_away to every client and exits with 0', async () => {
	const daemon = await start(...sources);
	const clients = await Promise.all(Array.from({ length: 20 }, () => subscribe(daemon)));
	await Promise.all(clients.map(async (ws) => {
		while (ws.times.length < 5)
			await sleep(10);
	}));
	const closed = clients.map((ws) => new Promise((resolve) => ws.on('close', resolve)));
	const status = daemon.stop();
	assert.deepEqual(await Promise.all(closed), Array(20).fill(1001));
	assert.equal(await status, 0, daemon.log);
	const after = clients.map((ws) => ws.control.at(-1));
	assert.ok(after.every((message) => message.type === 'going_away'));
	assert.equal(new Set(after.map((message) => message.retryAfter)).size, 20, 'all come back at once');
});

test('limits the connections of an address and frees them at their end', async () => {
	const daemon = await start();
	const sockets = [];
	for (let i = 0; i < 512; i++)
		sockets.push(await open(daemon.port));
	const refused = await open(daemon.port);
	assert.match(refused.bytes.toString('latin1'), /^HTTP\/1\.1 503 /);
	sockets.pop().socket.destroy();
	await sleep(100);
	const welcome = await open(daemon.port);
	assert.match(welcome.bytes.toString('latin1'), /^HTTP\/1\.1 101 /);
	for (const { socket } of [...sockets, welcome])
		socket.destroy();
	assert.equal(await daemon.stop(), 0, daemon.log);
});
