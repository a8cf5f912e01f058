#!/usr/bin/env node
// Soak test over minutes or hours: subscribers that connect, leave, vanish and request
// keyframes, publishers with bodies that enter and leave, scrapes, pages, invalid input, and a
// recording. At the end memory must not have grown with time and no descriptor may be left.
//
//   node tests/bench/soak.mjs JOINTCASTD [--minutes 10] [--subscribers 200] [--json]
//
// Exit 1 when resident memory rises by more than 1 % of itself an hour (of at least a
// quarter of a MB, the resolution of 10 minutes), when descriptors are left, or when the daemon
// dies.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BodyFrame, TRACKED, captureMessage, encodeBodyFrame } from '../../clients/js/body-frame.js';

const WebSocket = createRequire(new URL('../e2e/package.json', import.meta.url))('ws');
const { values, positionals: [program] } = parseArgs({ allowPositionals: true, options: {
	minutes: { type: 'string', default: '10' },
	subscribers: { type: 'string', default: '200' },
	json: { type: 'boolean', default: false },
} });
const MINUTES = Number(values.minutes);
const SUBSCRIBERS = Number(values.subscribers);
const PUBLISHERS = 4;
const HZ = 30;
const WARM_UP = 0.2; // of the time: buffers and pools find their size

if (!program || !(MINUTES > 0) || !(SUBSCRIBERS > 0)) {
	console.error('usage: node tests/bench/soak.mjs JOINTCASTD [--minutes 10] [--subscribers 200] [--json]');
	process.exit(2);
}

/** Park and Miller's generator, seeded, so that two runs do the same. */
let seed = 2026;
const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const folder = mkdtempSync(join(tmpdir(), 'jointcast-soak-'));
const daemon = spawn(program, ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--source', 'demo:walk', '--source', 'demo:wave',
	'--record', `${folder}?split_seconds=60`], {
	stdio: ['ignore', 'ignore', 'pipe'],
	env: { ...process.env, JOINTCAST_CONNECTIONS: '4096', JOINTCAST_CONNECTIONS_PER_ADDRESS: '4096' },
});
let ending = false;
daemon.on('exit', (code, signal) => {
	if (!ending) {
		console.error(`the daemon ended by itself: ${code ?? signal}`);
		process.exit(1);
	}
});
process.on('exit', () => {
	daemon.kill('SIGKILL');
	rmSync(folder, { recursive: true, force: true });
});
const [port, admin] = await new Promise((resolve) => {
	let log = '';
	daemon.stderr.on('data', (bytes) => {
		const found = /listening on \S+:(\d+)/.exec((log = (log + bytes).slice(-4096)));
		if (found)
			resolve([found[1], /status and metrics on \S+:(\d+)/.exec(log)[1]]);
	});
});

const residentKb = () => Number(readFileSync(`/proc/${daemon.pid}/statm`, 'utf8').split(' ')[1]) * 4;
const descriptors = () => readdirSync(`/proc/${daemon.pid}/fd`).length;

function open(...messages) {
	const ws = new WebSocket(`ws://127.0.0.1:${port}`, 'jointcast.v1');
	ws.on('error', () => {});
	ws.on('open', () => {
		for (const message of [{ type: 'hello', codings: [2, 1] }, ...messages])
			ws.send(JSON.stringify(message));
	});
	return ws;
}

let received = 0;

function subscriber() {
	const precision = ['fine', 'standard', 'coarse'][random(3)];
	const ws = open({ type: 'join', space: 'lobby' },
		{ type: 'subscribe', space: 'lobby', precision, rate: [1, 2, 4][random(3)] });
	ws.on('message', (_, binary) => (received += binary));
	return ws;
}

/** A publisher whose body comes and goes. */
function publisher(index) {
	const ws = open();
	const frame = new BodyFrame();
	const publish = () => ws.send(JSON.stringify({ type: 'publish', space: 'lobby', publication: 0,
		name: `person ${index}`, kind: 'body-frames', mayRecord: index % 2 === 0 }));
	let offset = 0, live = false, step = random(1000);

	for (let joint = 0; joint < frame.states.length; joint++) {
		frame.states[joint] = TRACKED;
		frame.positions.set([0.01 * joint, 1 + 0.005 * joint, 0], 3 * joint);
		frame.rotations.set([0, 0, 0, 1], 4 * joint);
	}
	ws.on('message', (data, binary) => {
		const message = binary ? {} : JSON.parse(data);
		if (message.type === 'welcome') {
			offset = message.time - performance.now() * 1000;
			publish();
		} else if (message.type === 'published') {
			live = true;
		} else if (message.type === 'unpublished') {
			publish();
		}
	});
	const timer = setInterval(() => {
		if (!live || ws.readyState !== 1)
			return;
		frame.positions[0] = 0.05 * Math.sin(step++ / 10);
		frame.time = Math.floor(performance.now() * 1000 + offset);
		ws.send(captureMessage(0, encodeBodyFrame(frame)));
		if (random(HZ * 10) === 0) {
			live = false;
			ws.send(JSON.stringify({ type: 'unpublish', publication: 0 }));
		}
	}, 1000 / HZ);
	ws.on('close', () => clearInterval(timer));
	return ws;
}

/** One second of what else happens. */
async function disturb(subscribers) {
	for (let i = 0; i < 5; i++) {
		const at = random(subscribers.length);
		subscribers[at][random(2) ? 'close' : 'terminate']();
		subscribers[at] = subscriber();
	}
	for (let i = 0; i < 10; i++) {
		const ws = subscribers[random(subscribers.length)];
		const words = ['{"type":"keyframe","space":"lobby"}', '{"type":"join","space":"lobby"}',
			'{"type":"subscribe","space":"lobby","precision":"fine"}', '{"type":"ping","t":1}', '{', '[]'];
		if (ws.readyState === 1)
			ws.send(words[random(words.length)]);
	}
	for (const path of ['/', '/nothing', '/main.js'])
		await (await fetch(`http://127.0.0.1:${port}${path}`)).arrayBuffer();
	for (const path of ['/status', '/metrics'])
		await (await fetch(`http://127.0.0.1:${admin}${path}`)).arrayBuffer();
}

/** Least squares: kB an hour. */
function slope(points) {
	const mean = (of) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
	const [t, kb] = [mean((point) => point.hours), mean((point) => point.kb)];
	const spread = points.reduce((sum, point) => sum + (point.hours - t) ** 2, 0);
	return points.reduce((sum, point) => sum + (point.hours - t) * (point.kb - kb), 0) / spread;
}

const before = { kb: residentKb(), descriptors: descriptors() };
const subscribers = Array.from({ length: SUBSCRIBERS }, subscriber);
const publishers = Array.from({ length: PUBLISHERS }, (_, i) => publisher(i));
const begin = performance.now();
const points = [];
let most = 0;

while (performance.now() - begin < MINUTES * 60000) {
	const second = performance.now();
	await disturb(subscribers);
	const hours = (performance.now() - begin) / 3600000;
	points.push({ hours, kb: residentKb() });
	most = Math.max(most, descriptors());
	if (process.stderr.isTTY)
		process.stderr.write(`\r${(hours * 60).toFixed(1)} of ${MINUTES} minutes, ${points.at(-1).kb} kB `);
	await sleep(Math.max(0, 1000 - (performance.now() - second)));
}
for (const ws of [...subscribers, ...publishers])
	ws.terminate();
for (let i = 0; i < 100 && descriptors() > before.descriptors + 1; i++)
	await sleep(100);
const after = { kb: residentKb(), descriptors: descriptors() };

const tail = points.slice(Math.floor(points.length * WARM_UP));
const result = {
	minutes: MINUTES, subscribers: SUBSCRIBERS, bundles: received,
	residentKb: { before: before.kb, warm: tail[0].kb, most: Math.max(...points.map(({ kb }) => kb)), after: after.kb },
	kbAnHour: Math.round(slope(tail)),
	descriptors: { before: before.descriptors, most, after: after.descriptors },
};
ending = true;
daemon.kill('SIGTERM');
const code = await new Promise((resolve) => daemon.on('exit', (value, signal) => resolve(value ?? signal)));
const grown = slope(tail) * MINUTES / 60; // in all of the time
const flat = grown < Math.max(256, tail[0].kb * 0.01 * MINUTES / 60);
// A file of the recording may have been opened since.
const clean = after.descriptors <= before.descriptors + 1 && code === 0;

if (values.json) {
	console.log(JSON.stringify({ ...result, flat, clean }));
} else {
	console.log(`${MINUTES} minutes, ${SUBSCRIBERS} subscribers, ${received} bundles
  resident     ${before.kb} kB alone, ${tail[0].kb} when warm, at most ${result.residentKb.most}, ${after.kb} when all had gone
  slope        ${result.kbAnHour} kB an hour after the first ${100 * WARM_UP} %: ${flat ? 'flat' : 'IT GROWS'}
  descriptors  ${before.descriptors} alone, at most ${most}, ${after.descriptors} when all had gone: ${clean ? 'clean' : 'SOME ARE LEFT'}`);
}
process.exit(flat && clean ? 0 : 1);
