// How old captures are when they are on their way: a body that publishes frames of 83
// joints at 90 Hz, some subscribers, and what the daemon counted. A capture waits for
// its tick, so that half of 16.7 ms is the least mean there can be.
//
//   node tests/bench/ingest.mjs JOINTCASTD [SECONDS [SUBSCRIBERS]]
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { BodyFrame, TRACKED, captureMessage, encodeBodyFrame } from '../../clients/js/body-frame.js';

const WebSocket = createRequire(new URL('../e2e/', import.meta.url))('ws');
const [, , program, seconds = '20', subscribers = '8'] = process.argv;
const HZ = 90;

const daemon = spawn(program, ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'] });
process.on('exit', () => daemon.kill());
const [port, admin] = await new Promise((resolve, reject) => {
	let log = '';
	daemon.on('exit', () => reject(new Error(log)));
	daemon.stderr.on('data', (bytes) => {
		const found = /listening on \S+:(\d+)/.exec((log += bytes));
		if (found)
			resolve([found[1], /status and metrics on \S+:(\d+)/.exec(log)[1]]);
	});
});

async function open(...messages) {
	const ws = new WebSocket(`ws://127.0.0.1:${port}`, 'jointcast.v1');
	const heard = new Promise((resolve) => ws.on('message', (data, binary) => {
		const message = binary ? {} : JSON.parse(data);
		if (message.type === 'welcome')
			resolve({ ws, offset: message.time - performance.now() * 1000 });
	}));
	await new Promise((resolve) => ws.on('open', resolve));
	for (const message of [{ type: 'hello', codings: [2, 1] }, ...messages])
		ws.send(JSON.stringify(message));
	return heard;
}

const { ws, offset } = await open({ type: 'publish', space: 'lobby', publication: 0, name: 'x', kind: 'body-frames' });
for (let i = 0; i < Number(subscribers); i++)
	await open({ type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' });

const frame = new BodyFrame();
for (let joint = 0; joint < frame.states.length; joint++) {
	frame.states[joint] = TRACKED;
	frame.positions.set([0.01 * joint, 1 + 0.005 * joint, 0], 3 * joint);
	frame.rotations.set([0, 0, 0, 1], 4 * joint);
}
const begin = performance.now();
for (let i = 0; performance.now() - begin < 1000 * seconds; i++) {
	const due = begin + (1000 * i) / HZ;
	await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
	frame.positions[0] = 0.05 * Math.sin(i / 20);
	frame.time = Math.floor(performance.now() * 1000 + offset);
	ws.send(captureMessage(0, encodeBodyFrame(frame)));
}

const { spaces: [space], ticks } = await (await fetch(`http://127.0.0.1:${admin}/status`)).json();
const ms = ({ count, p50, p99 }) => `${(1000 * p50).toFixed(2)} ms, 99 % ${(1000 * p99).toFixed(2)} ms (${count})`;
console.log(`capture to socket  ${ms(space.bodies[0].source.latency)}`);
console.log(`fan-out of a tick  ${ms(space.fanout)}, ${space.subscribers} subscribers`);
console.log(`tick late by       ${ms(ticks.lateness)}, ${ticks.missed} missed`);
process.exit();
