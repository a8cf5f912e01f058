// `jointcast record` and `jointcast watch` go on after a lost connection and after a farewell of the
// daemon: in the same file, with the gap, and without a body under the name of another one.
//
// usage: daemon_reconnect.mjs JOINTCASTD JOINTCAST
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import test from 'node:test';
import { binary, scratch, start, startThrough } from '../support/daemon.mjs';
import { captures, json, readMessages } from '../support/mcap_messages.mjs';
import { until } from '../support/until.mjs';

const jointcast = process.argv[3];

/** The running tool, its output so far, and its exit status. */
function tool(t, ...words) {
	const child = spawn(jointcast, words, { stdio: ['ignore', 'pipe', 'pipe'] });
	t.after(() => child.kill('SIGKILL'));
	const running = { child, stdout: '', stderr: '' };
	child.stdout.on('data', (text) => (running.stdout += text));
	child.stderr.on('data', (text) => (running.stderr += text));
	running.ended = new Promise((resolve) => child.on('close', resolve));
	running.interrupt = () => {
		child.kill('SIGINT');
		return running.ended;
	};
	return running;
}

/** A daemon with one body of that name, at a port that the next one may have again. */
const daemonWith = (name, port = 0, ...options) => startThrough(binary, '--listen', `127.0.0.1:${port}`, '--admin', '127.0.0.1:0',
	'--source', `demo:walk?name=${name}`, ...options);

/** Forwards connections to a daemon, until `cut` breaks them all. */
async function forwarder(t, to) {
	const sockets = new Set();
	const server = net.createServer((client) => {
		const daemon = net.connect(to, '127.0.0.1');
		client.pipe(daemon).pipe(client);
		for (const socket of [client, daemon]) {
			sockets.add(socket);
			socket.on('error', () => {}).on('close', () => [client, daemon].forEach((each) => each.destroy()));
		}
	});
	t.after(() => {
		sockets.forEach((socket) => socket.destroy());
		server.close();
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { url: `ws://127.0.0.1:${server.address().port}`, cut: () => sockets.forEach((socket) => socket.destroy()) };
}

const size = (file) => (existsSync(`${file}.part`) ? statSync(`${file}.part`).size : 0);
const grown = (file, bytes) => until(`${bytes} bytes`, () => size(file) >= bytes);

/** The names in each roster of a recording, and the times and ids of its captures. */
async function contents(file) {
	const messages = await readMessages(file);
	const rosters = json(messages, 'roster');
	const moved = captures(messages).map(({ body, bytes }) => ({ body, isCut: (bytes[1] & 1) === 1, time: bytes.readUIntLE(2, 6) }));
	return { rosters, moved, names: rosters.map(({ bodies }) => bodies.map(({ name }) => name).join()),
		nameOf: new Map(rosters.flatMap(({ bodies }) => bodies.map(({ id, name }) => [id, name]))) };
}

test('a recording goes on at the daemon that follows, whose bodies have their own ids in it', async (t) => {
	const file = path.join(scratch(t), 'take.mcap');
	const first = await daemonWith('ada');
	const { port } = first;
	const record = tool(t, 'record', first.url, '-o', file);
	await grown(file, 25000);
	assert.equal(await first.stop(), 0); // it says goodbye
	await until('that it says so', () => record.stderr.includes('\n'));
	const next = await daemonWith('bea', port);
	await grown(file, size(file) + 40000);
	assert.equal(await record.interrupt(), 0, record.stderr);
	assert.match(record.stderr, /^jointcast: ws:\S+: the daemon is shutting down; connecting again\n$/);
	assert.equal(await next.stop(), 0);

	const { rosters, moved, names, nameOf } = await contents(file);
	assert.deepEqual([...new Set(names)], ['ada', '', 'bea']);
	assert.deepEqual([...nameOf.values()].sort(), ['ada', 'bea'], 'each has an id');
	const gap = rosters.find(({ bodies }) => bodies.length === 0).time;
	const back = rosters.find(({ bodies }) => bodies[0]?.name === 'bea').time;
	assert.ok(back > gap);
	for (const [id, name] of nameOf) {
		const own = moved.filter(({ body }) => body === id);
		assert.ok(own.length > 20, `${own.length} captures of ${name}`);
		assert.ok(own.every(({ time }, i) => i === 0 || time > own[i - 1].time), 'times ascend');
		assert.ok(own.every(({ time }) => (name === 'ada' ? time <= gap : time > gap)), `${name}: all on its side of the gap`);
	}
});

test('a body that is still there after a lost connection keeps its id, and its motion is cut', async (t) => {
	const file = path.join(scratch(t), 'take.mcap');
	const daemon = await daemonWith('ada');
	const { url, cut } = await forwarder(t, daemon.port);
	const record = tool(t, 'record', url, '-o', file);
	await grown(file, 25000);
	cut();
	await until('that it says so', () => record.stderr.includes('\n'));
	await grown(file, size(file) + 40000);
	assert.equal(await record.interrupt(), 0, record.stderr);
	assert.match(record.stderr, /^jointcast: ws:\S+: the connection was closed; connecting again\n$/);
	assert.equal(await daemon.stop(), 0);
	const { rosters, moved, names, nameOf } = await contents(file);
	assert.deepEqual(names.filter((name, i) => name !== names[i - 1]), ['ada', '', 'ada']);
	assert.equal(nameOf.size, 1);
	const gap = rosters.find(({ bodies }) => bodies.length === 0).time;
	const resumed = moved.findIndex(({ time }) => time > gap);
	assert.ok(resumed > 20 && moved.length - resumed > 20, `${resumed} of ${moved.length} captures`);
	assert.deepEqual(moved.flatMap(({ isCut }, i) => (isCut && i > 0 ? [i] : [])), [resumed]);
	assert.ok(moved.every(({ time }, i) => i === 0 || time > moved[i - 1].time), 'times ascend');
});

test('watch shows the bodies of the daemon that follows', async (t) => {
	const first = await daemonWith('ada');
	const watch = tool(t, 'watch', first.url);
	const json = tool(t, 'watch', first.url, '--json');
	const poses = tool(t, 'watch', first.url, '--poses');
	const all = [watch, json, poses];
	await until('the first body', () => all.every(({ stdout }) => stdout.includes('ada')));
	assert.equal(await first.stop(), 0);
	await until('that they say so', () => all.every(({ stderr }) => stderr.includes('\n')));
	const next = await daemonWith('bea', first.port);
	await until('the other body', () => all.every(({ stdout }) => stdout.includes('bea')));
	await until('its motion', () => /^ +1 +live {5,7}\d+\.\d\/s .*'bea'$/m.test(watch.stdout));
	for (const each of all) {
		assert.equal(await each.interrupt(), 0, each.stderr);
		// This process reads poses late on a busy machine.
		assert.match(each.stderr, /^jointcast: ws:\S+: the daemon is shutting down; connecting again\n(jointcast: ws:\S+: \d+ poses were left out: .*\n)?$/);
	}
	assert.deepEqual(watch.stdout.match(/^[+-] .*$/gm).map((line) => line.replace(/ +/g, ' ')),
		["+ 1 'ada'", "- 1 'ada'", "+ 1 'bea'"]);
	const named = poses.stdout.trim().split('\n').map((line) => JSON.parse(line).name);
	assert.ok(named.lastIndexOf('ada') < named.indexOf('bea'));
	assert.equal(await next.stop(), 0);
});

test('a space that the daemon gets later is joined then', async (t) => {
	const first = await daemonWith('ada', 0, '--source', 'demo:sit?name=eve&space=attic');
	const watch = tool(t, 'watch', first.url, '--space', 'attic');
	await until('the body', () => watch.stdout.includes('eve'));
	await first.stop();
	const without = await daemonWith('ada', first.port);
	await until('it asked there', () => without.log.includes("client 'jointcast' sent hello"));
	await without.stop();
	const next = await daemonWith('ada', first.port, '--source', 'demo:sit?name=fay&space=attic');
	await until('the other body', () => watch.stdout.includes('fay'));
	assert.equal(await watch.interrupt(), 0, watch.stderr);
	assert.equal(await next.stop(), 0);
});

test('--reconnect bounds it', async (t) => {
	for (const [seconds, lines] of [['0', 1], ['0.5', 2]]) {
		const daemon = await daemonWith('ada');
		const watch = tool(t, 'watch', daemon.url, '--reconnect', seconds);
		await until('the body', () => watch.stdout.includes('ada'));
		await daemon.stop();
		assert.equal(await watch.ended, 3);
		assert.equal(watch.stderr.trim().split('\n').length, lines, watch.stderr);
	}
	const daemon = await start();
	for (const wrong of ['-1', 'x'])
		assert.equal(await tool(t, 'watch', daemon.url, '--reconnect', wrong).ended, 2);
	// Before the first greeting there is nothing to return to.
	const never = tool(t, 'watch', 'ws://127.0.0.1:1');
	assert.equal(await never.ended, 3);
	assert.match(never.stderr, /^jointcast: \S+: cannot connect: nothing listens there\n$/);
	await daemon.stop();
});
