#!/usr/bin/env node
// Sends recorded packets of a mocopi app to a daemon and checks that a figure stands. The packets are
// no part of this project: JC_MOCOPI_PACKETS names a folder with sample_skdf.bin and sample_fram.bin,
// as t-34400/mocopi_protocol_supplement has them (parser/sample).
//
// usage: JC_MOCOPI_PACKETS=FOLDER node tests/live/suit_packets.mjs DAEMON [SECONDS [LOST]]
//
// Sends for SECONDS (10) and leaves out the share LOST (0.1) of the packets, and swaps some.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [daemon, seconds = '10', lost = '0.1'] = process.argv.slice(2);
const folder = process.env.JC_MOCOPI_PACKETS;
if (!daemon || !folder) {
	console.error('usage: JC_MOCOPI_PACKETS=FOLDER node tests/live/suit_packets.mjs DAEMON [SECONDS [LOST]]');
	process.exit(2);
}
const skeleton = readFileSync(path.join(folder, 'sample_skdf.bin'));
const frame = readFileSync(path.join(folder, 'sample_fram.bin'));
const number = frame.indexOf('fnum') + 4;

const server = spawn(daemon, ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--source', 'mocopi:0?name=suit'],
	{ stdio: ['ignore', 'inherit', 'pipe'] });
let log = '';
server.stderr.on('data', (text) => { log += text; });
const found = async (pattern) => {
	for (;;) {
		const match = pattern.exec(log);
		if (match) return match[1];
		assert.equal(server.exitCode, null, log);
		await sleep(50);
	}
};
try {
	const port = Number(await found(/mocopi 127\.0\.0\.1:(\d+): waiting/));
	const admin = await found(/status and metrics on (127\.0\.0\.1:\d+)/);
	const socket = createSocket('udp4');
	const send = (bytes) => new Promise((resolve) => socket.send(bytes, port, '127.0.0.1', resolve));
	const status = async () => (await (await fetch(`http://${admin}/status`)).json())
		.spaces.flatMap((space) => [...space.bodies, ...space.waiting ?? []]).find(({ name }) => name === 'suit');
	let random = 1;
	const chance = () => (random = (random * 48271) % 2147483647) / 2147483647;
	const pending = [];
	for (let i = 0; i < Number(seconds) * 60; i++) {
		frame.writeUInt32LE(i + 1, number);
		pending.push(i % 180 === 20 ? skeleton : Buffer.from(frame));
		// Every 50th packet waits for the next one, which overtakes it.
		if (i % 50 !== 0) {
			for (const packet of pending.splice(0).reverse())
				if (packet === skeleton || chance() >= Number(lost)) await send(packet);
		}
		await sleep(1000 / 60);
	}
	const body = await status();
	console.log(JSON.stringify(body));
	assert.equal(body.source.condition, 'live');
	assert.equal(body.source.refused, 0);
	socket.close();
} finally {
	server.kill();
}
