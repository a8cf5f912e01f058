// A process with clients of clients/js: how long each was without motion, and when all are live
// again. usage: node crowd.mjs URL COUNT, started by `startCrowd` of this file.
import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { connect } from '../../../clients/js/index.js';

const self = fileURLToPath(import.meta.url);
const MOVES_MS = 500; // a client without a bundle for so long is not live

/** Runs in the process of its own. */
function runCrowd(url, count) {
	const WebSocket = createRequire(new URL('../../e2e/package.json', import.meta.url))('ws');
	const heard = new Float64Array(count);  // time of the last bundle
	const longest = new Float64Array(count); // time without one since the last question
	const places = new Set(Array.from({ length: count }, (_, i) => i)); // of clients that are not live
	const errors = new Map();
	let moves = 0;
	const clients = Array.from({ length: count }, (_, i) => connect(url, { WebSocket })
		.on('bundle', () => {
			const now = performance.now();
			longest[i] = Math.max(longest[i], now - heard[i]);
			heard[i] = now;
			places.delete(i);
		})
		.on('state', ({ state }) => {
			moves += state === 'waiting';
			if (state !== 'live')
				places.add(i);
		})
		.on('error', ({ message }) => errors.set(message, (errors.get(message) ?? 0) + 1)));
	process.on('message', (question) => {
		const now = performance.now();
		if (question === 'begin') {
			heard.fill(now);
			longest.fill(0);
			moves = 0;
			errors.clear();
		}
		// A client that still waits counts with the time until now.
		const gaps = Array.from(longest, (gap, i) => Math.max(gap, now - heard[i]));
		const live = heard.filter((at, i) => now - at < MOVES_MS && !places.has(i)).length;
		process.send({ live, moves, gaps, errors: [...errors] });
		if (question === 'end') {
			clients.forEach((client) => client.close());
			process.disconnect();
		}
	});
}

/** Starts the process; `ask('begin' | 'look' | 'end')` resolves with { live, moves, gaps (ms),
 * errors }. */
export async function startCrowd(url, count) {
	const child = fork(self, [url, String(count)]);
	process.on('exit', () => child.kill('SIGKILL'));
	const ended = new Promise((_, reject) => child.once('exit', () => reject(new Error('the crowd ended'))));
	ended.catch(() => {});
	const ask = (question) => Promise.race([ended, new Promise((resolve) => {
		child.once('message', resolve);
		child.send(question);
	})]);
	return { count, ask, child };
}

if (process.argv[1] === self)
	runCrowd(process.argv[2], Number(process.argv[3]));
