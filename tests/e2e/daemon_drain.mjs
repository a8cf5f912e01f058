// The daemon drains on SIGTERM: every client is notified, nothing is lost.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import test from 'node:test';
import { scratch, start } from './support/daemon.mjs';
import { frames, open, text } from './support/websocket_bytes.mjs';

const jointcast = process.argv[3];
const folder = scratch();

const controls = (raw) => frames(raw.bytes).filter(({ opcode }) => opcode === 1)
	.map(({ payload }) => JSON.parse(payload.toString()));

test('200 clients get different times to reconnect, and the recording is finished', async () => {
	const daemon = await start('--source', 'demo:walk', '--record', folder);
	const crowd = await Promise.all(Array.from({ length: 200 }, async () => {
		const raw = await open(daemon.port);
		raw.send(text({ type: 'hello' }), text({ type: 'join', space: 'lobby' }), text({ type: 'subscribe', space: 'lobby' }));
		await raw.until(() => frames(raw.bytes).some(({ opcode }) => opcode === 2), 30000);
		return raw;
	}));
	crowd[7].socket.pause(); // a client that does not read delays nothing
	const stopped = daemon.stop();
	const others = crowd.filter((raw) => raw !== crowd[7]);
	await Promise.all(others.map((raw) => raw.ended));
	const after_ms = others.map((raw) => {
		const farewell = controls(raw).find(({ type }) => type === 'going_away');
		assert.equal(frames(raw.bytes).find(({ opcode }) => opcode === 8)?.payload.readUInt16BE(0), 1001);
		return farewell.retryAfter;
	}).sort((a, b) => a - b);
	// Two hundred a second at most.
	for (let i = 1; i < after_ms.length; i++)
		assert.ok(after_ms[i] - after_ms[i - 1] >= 5, `${after_ms[i - 1]} ms and ${after_ms[i]} ms`);
	const refused = net.connect(daemon.port, '127.0.0.1');
	assert.equal(await new Promise((resolve) => refused.on('error', ({ code }) => resolve(code)).on('connect', resolve)), 'ECONNREFUSED');
	assert.equal(await stopped, 0);
	const [name] = fs.readdirSync(folder);
	const { status, stdout, stderr } = spawnSync(jointcast, ['inspect', path.join(folder, name)], { encoding: 'utf8' });
	assert.equal(status, 0, stderr);
	assert.doesNotMatch(stdout, /recover|not closed|truncated/i);
	crowd[7].socket.destroy();
});
