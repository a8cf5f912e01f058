#!/usr/bin/env node
// Clients that are stopped altogether (SIGSTOP) and woken again, beside others that go on:
// how late what comes to the others is, and how soon the stopped are where those are. Clients
// are those of clients/js, in two processes. Exits with 1 where a goal does not hold.
//
//   node tests/bench/fanout_stop.mjs JOINTCASTD [CLIENTS [STOPPED [SECONDS]]]     200, 20, 8
import { fork, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { connect } from '../../clients/js/index.js';

const HZ = 60;
const CURRENT_MS = 100;
const OLD_MS = 250;
const CALM_MS = 8000;
const WOKEN_MS = 3000;
const now = () => performance.timeOrigin + performance.now();
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A process with some clients: records which bundles arrive when, and reports on request. */
async function crowd(url, count) {
	const WebSocket = createRequire(new URL('../e2e/package.json', import.meta.url))('ws');
	let arrivals = []; // [when, client, tick]
	let lost = 0;
	const clients = Array.from({ length: count }, (_, i) => connect(url, { WebSocket })
		.on('bundle', ({ tick }) => arrivals.push([now(), i, tick]))
		.on('state', ({ state }) => (lost += state === 'waiting'))
		.on('error', () => {}));
	while (!clients.every(({ state }) => state === 'live'))
		await sleep(20);
	process.on('message', () => {
		process.send({ arrivals, lost });
		arrivals = [];
	});
	process.send('ready');
}

if (process.argv[2] === '--crowd') {
	await crowd(process.argv[3], Number(process.argv[4]));
	await new Promise(() => {});
}

const [program, ...numbers] = process.argv.slice(2);
const [total = 200, stopped = 20, seconds = 8] = numbers.map(Number);
if (!program || !(total > stopped && stopped > 0 && seconds > 0)) {
	console.error('usage: node tests/bench/fanout_stop.mjs JOINTCASTD [CLIENTS [STOPPED [SECONDS]]]');
	process.exit(2);
}

const daemon = spawn(program, ['--listen', '127.0.0.1:0',
	...['walk', 'wave', 'sit', 'idle'].flatMap((name) => ['--source', `demo:${name}`])], {
	stdio: ['ignore', 'ignore', 'pipe'],
	env: { ...process.env, JOINTCAST_CONNECTIONS_PER_ADDRESS: '4096' } });
process.on('exit', () => daemon.kill('SIGKILL'));
const port = await new Promise((resolve, reject) => {
	let log = '';
	daemon.stderr.on('data', (bytes) => {
		log += bytes;
		const found = /listening on 127\.0\.0\.1:(\d+)/.exec(log);
		if (found)
			resolve(found[1]);
	});
	daemon.on('exit', () => reject(new Error(log)));
});

async function begin(count) {
	const child = fork(fileURLToPath(import.meta.url), ['--crowd', `ws://127.0.0.1:${port}`, String(count)]);
	process.on('exit', () => child.kill('SIGKILL'));
	await new Promise((resolve) => child.once('message', resolve));
	return child;
}
const report = (child) => new Promise((resolve) => {
	child.once('message', resolve);
	child.send('report');
});

const others = await begin(total - stopped);
const sleepers = await begin(stopped);
await sleep(1000);
await report(others);

await sleep(CALM_MS);
const calm = await report(others);
sleepers.kill('SIGSTOP');
await sleep(seconds * 1000);
const meanwhile = await report(others);
const wokenAt = now();
sleepers.kill('SIGCONT');
await sleep(WOKEN_MS);
const after = await report(sleepers);
const beside = await report(others);

/** A tick's time: that of the soonest arrival of any, the same for all. */
const all = [...calm.arrivals, ...meanwhile.arrivals, ...beside.arrivals];
const origin = all.reduce((least, [when, , tick]) => Math.min(least, when - tick * 1000 / HZ), Infinity);
const late = ([when, , tick]) => when - tick * 1000 / HZ - origin;
const p99 = ({ arrivals }) => arrivals.map(late).sort((a, b) => a - b)[Math.floor(arrivals.length * 0.99)];

let oldMost = 0;
let currentMost = 0;
for (let client = 0; client < stopped; client++) {
	const woken = after.arrivals.filter(([when, i]) => i === client && when >= wokenAt);
	const current = woken.find((arrival) => late(arrival) < CURRENT_MS);
	oldMost = Math.max(oldMost, woken.filter((arrival) => late(arrival) > OLD_MS).length);
	currentMost = Math.max(currentMost, current ? current[0] - wokenAt : Infinity);
}
let failed = false;
for (const [name, value, most] of [
	['others: 99 % of lateness while those are stopped, ms (calm, and a quarter)', p99(meanwhile), p99(calm) * 1.25 + 0.5],
	['old frames of a stopped client after waking', oldMost, 10],
	['until it is current, ms', currentMost, CURRENT_MS],
	['connections lost', calm.lost + meanwhile.lost + after.lost + beside.lost, 0]]) {
	failed ||= !(value <= most);
	console.log(`${value <= most ? 'holds ' : 'FAILS '} ${name}: ${value.toFixed(1)}, at most ${most.toFixed(1)}`);
}
process.exit(failed ? 1 : 0);
