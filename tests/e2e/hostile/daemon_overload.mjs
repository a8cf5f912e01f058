// Conversations that once ended the daemon, filled its memory or disturbed a space.
// tests/bench/attacks.mjs measures their cost.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { encodePose, captureMessage, PoseFrame, TRACKED } from '../../../clients/js/body-frame.js';
import { Bundle, decodeBundle } from '../../../clients/js/index.js';
import { channels, closeDuringCalibration, endTwoAtOnce, endWhilePublishing } from './closing_sequences.mjs';
import { scratch, start } from '../support/daemon.mjs';
import { burst, frameOf, SocketClient } from '../support/socket_client.mjs';
import { sleep, until } from '../support/until.mjs';
import { exchange } from '../support/websocket_bytes.mjs';

// Freed memory that the sanitizer keeps does not count.
process.env.ASAN_OPTIONS = [process.env.ASAN_OPTIONS, 'quarantine_size_mb=1', 'thread_local_quarantine_size_kb=64']
	.filter(Boolean).join(':');

const SOURCES = ['walk', 'wave', 'sit', 'idle'].flatMap((name) => ['--source', `demo:${name}`]);
const CHANGE_MS = 250; // between two changes of a roster, at least
const space = 'lobby';
const join = { type: 'join', space };
const subscribe = { type: 'subscribe', space };
const many = (count, entry) => Array.from({ length: count }, (_, i) => entry(i));

/** A daemon for one test; it has to end in order. */
async function begin(t, ...options) {
	const daemon = await start(...options);
	t.after(() => daemon.child.kill('SIGKILL'));
	return daemon;
}

async function end(daemon) {
	assert.equal(await daemon.stop(), 0, daemon.log);
	assert.doesNotMatch(daemon.log, /ERROR: AddressSanitizer|runtime error/);
}

async function enter(t, daemon, ...messages) {
	const wire = await SocketClient.greeted(daemon.port, {}, ...messages);
	t.after(() => wire.end());
	return wire;
}

async function status(daemon) {
	assert.equal(daemon.child.signalCode ?? daemon.child.exitCode, null, `the daemon ended: ${daemon.log}`);
	return JSON.parse((await exchange(daemon.admin, 'GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n')).body);
}

const statusOf = async (daemon, name = space) => (await status(daemon)).spaces.find((entry) => entry.name === name);

const names = async (daemon) => (await statusOf(daemon)).bodies.map(({ name }) => name);

/** The daemon answers a new client. */
async function assertAnswers(t, daemon) {
	const client = await enter(t, daemon, join);
	await client.get('roster');
	await client.settled();
	client.end();
}

/** The roster that a client keeps; fails after a missing revision. */
class Roster {
	complete = 0; // rosters of either kind
	changes = 0;
	bodies = new Map();

	take({ type, revision, bodies, joined = [], changed = [], left = [] }) {
		if (type !== 'roster')
			return;
		if (bodies) {
			this.complete++;
			this.bodies = new Map(bodies.map((body) => [body.id, body]));
			this.revision = revision;
		} else if (revision > this.revision) {
			assert.equal(revision, this.revision + 1, 'a revision of the roster was left out');
			this.changes++;
			this.revision = revision;
			[...joined, ...changed].forEach((body) => this.bodies.set(body.id, body));
			left.forEach((id) => this.bodies.delete(id));
		}
	}

	list() {
		return [...this.bodies.values()].sort((a, b) => a.id - b.id);
	}
}

/** A client that keeps the roster. Its assertions fail the test in `check`. */
async function follow(t, daemon, { onBinary, ...hello } = {}, ...messages) {
	const roster = new Roster();
	const failures = [];
	const wire = await SocketClient.greeted(daemon.port, { hello, onBinary: onBinary && ((bytes) => onBinary(bytes, roster)),
		onText(text) {
			const message = JSON.parse(text);
			this.messages.push(message);
			try {
				roster.take(message);
			} catch (error) {
				failures.push(error);
			}
		} }, join, ...messages);
	t.after(() => wire.end());
	await wire.get('roster');
	return { wire, roster, check: () => failures.forEach((error) => assert.fail(error)) };
}

/** The roster equals that of a new member. */
async function assertAgrees(t, daemon, { wire, roster, check }) {
	const other = await enter(t, daemon, join);
	const { revision, bodies } = await other.get('roster');
	await wire.until(() => `revision ${revision} of the roster, not ${roster.revision}`, () => roster.revision >= revision);
	check();
	assert.deepEqual(roster.list(), bodies.sort((a, b) => a.id - b.id));
	other.end();
}

/** Publishers with the longest permitted channel names, up to this many bytes. */
async function publishLong(t, daemon, count, bytes) {
	const wires = [];
	for (let i = 0; wires.length < count; i++) {
		const wire = await enter(t, daemon);
		for (let size = bytes; wire.all('published').length === 0; size = Math.floor(size / 2)) {
			wire.messages.length = 0;
			wire.say({ type: 'publish', space, publication: 0, kind: 'poses', name: `long ${i}`, channels: channels(size) });
			await wire.until('an answer to publish', () => wire.all('published').length + wire.all('error').length > 0);
		}
		wire.messages.length = 0;
		wires.push(wire);
	}
	return wires;
}

/** Each publisher toggles its consent this often, at most at the permitted rate. */
async function toggle(publishers, times) {
	for (let i = 0; i < times; i++) {
		publishers.forEach((wire, k) => wire.say({ type: 'consent', publication: 0, mayRecord: (i + k) % 2 === 0 }));
		await sleep(25);
	}
	await Promise.all(publishers.map((wire) => wire.until('each consent', () => wire.all('consented').length === times)));
	publishers.forEach((wire) => {
		assert.deepEqual(wire.all('error'), []);
		wire.messages.length = 0;
	});
}

// ---- regressions: crashes ---------------------------------------------------------------

test('ends two sessions within one roster change', { timeout: 120000 }, async (t) => {
	const daemon = await begin(t, ...SOURCES);
	const wires = await endTwoAtOnce(daemon);
	t.after(() => wires.forEach((wire) => wire.end()));
	await until('the body that left', async () => !(await names(daemon)).includes('changer 0'));
	await assertAnswers(t, daemon);
	await end(daemon);
});

for (const short of [0, 1, 2]) {
	test(`a session that ends while it publishes, muted, with ${short} more answers in its queue`, { timeout: 120000 }, async (t) => {
		const daemon = await begin(t, ...SOURCES);
		const wires = await endWhilePublishing(daemon.port, { short });
		t.after(() => wires.forEach((wire) => wire.end()));
		await until('the body, or the end of the session', async () => {
			const there = await names(daemon);
			return there.includes('muted too') || !there.includes('muted');
		});
		await assertAnswers(t, daemon);
		await end(daemon);
	});
}

test('closes a space during a calibration', { timeout: 120000 }, async (t) => {
	const folder = scratch(t);
	fs.writeFileSync(path.join(folder, 'conf'), 'spaces { open = {"anyone"} }');
	const daemon = await begin(t, '--config', path.join(folder, 'conf'));
	for (let round = 0; round < 3; round++) {
		const [wire] = await closeDuringCalibration(daemon.port, { space: `cellar${round}` });
		t.after(() => wire.end());
		await until('the end of the space', async () => !await statusOf(daemon, `cellar${round}`));
		await sleep(600); // the calibration goes on four times a second
		await wire.settled();
	}
	await assertAnswers(t, daemon);
	await end(daemon);
});

test('survives clients that send after their sessions were closed', { timeout: 120000 }, async (t) => {
	const daemon = await begin(t, ...SOURCES);
	const floods = many(3, () => new SocketClient(daemon.port));
	await Promise.all(floods.map((wire) => wire.opened));
	// Seventeen errors, then valid messages that cost time.
	const list = JSON.stringify({ type: 'ping', t: 1, list: many(20000, () => 1) });
	for (const wire of floods) {
		wire.say({ type: 'hello' }, ...many(17, () => ({ type: 'nothing' })));
		const chunk = burst(many(4, () => list));
		const pump = () => wire.isClosed || wire.socket.write(chunk, () => setImmediate(pump));
		pump();
	}
	await Promise.all(floods.map((wire) => wire.ended));
	floods.forEach((wire) => assert.equal(wire.closeCode, 1008));
	await sleep(500); // turns that would belong to ended sessions
	await assertAnswers(t, daemon);
	await end(daemon);
});

// ---- regressions: memory ----------------------------------------------------------------

test('complete rosters for forty clients that read none take little memory', { timeout: 180000 }, async (t) => {
	const daemon = await begin(t, ...SOURCES);
	const proc = (name) => fs.readFileSync(`/proc/${daemon.child.pid}/${name}`, 'utf8');
	const peak = () => Number(/^VmHWM:\s+(\d+) kB$/m.exec(proc('status'))[1]) / 1024;
	const honest = await follow(t, daemon, {}, subscribe);
	await publishLong(t, daemon, 40, 60000);
	const wires = [];
	for (let i = 0; i < 40; i++) {
		wires.push(await enter(t, daemon));
		wires.at(-1).pause();
	}
	await honest.wire.settled();
	fs.writeFileSync(`/proc/${daemon.child.pid}/clear_refs`, '5');
	const before = peak();
	for (const wire of wires)
		wire.say(...many(8, () => join));
	// All messages are processed when the memory no longer grows.
	for (let most = 0; most !== peak(); await sleep(1500)) {
		most = peak();
		await honest.wire.settled();
	}
	assert.ok(peak() - before < 64, `${Math.round(peak() - before)} MB more`);
	await assertAgrees(t, daemon, honest);
	assert.ok(!honest.wire.isClosed);
	await end(daemon);
});

// ---- regressions: disturbed spaces ------------------------------------------------------

test('changes of a roster arrive combined, and a watcher ends with the complete roster', { timeout: 120000 }, async (t) => {
	const daemon = await begin(t, ...SOURCES);
	const watchers = await Promise.all(many(4, () => follow(t, daemon, {}, subscribe)));
	const publishers = await publishLong(t, daemon, 3, 60000);
	await Promise.all(watchers.map(({ wire }) => wire.settled()));
	const began = performance.now();
	const before = watchers.map(({ roster }) => roster.changes + roster.complete);
	await toggle(publishers, 120);
	for (const watcher of watchers)
		await assertAgrees(t, daemon, watcher);
	const most = (performance.now() - began) / CHANGE_MS + 8;
	for (const [i, { wire, roster, check }] of watchers.entries()) {
		check();
		const changes = roster.changes + roster.complete - before[i];
		assert.ok(changes > 0 && changes <= most, `${changes} changes, at most ${Math.round(most)} were due`);
		assert.ok(!wire.isClosed);
	}
	await end(daemon);
});

test('a watcher that stopped reading gets one complete roster, then changes, and stays', { timeout: 120000 }, async (t) => {
	const daemon = await begin(t, ...SOURCES);
	const publishers = await publishLong(t, daemon, 3, 60000);
	const watcher = await follow(t, daemon, { codings: [1] }, subscribe);
	const { wire, roster } = watcher;
	wire.pause();
	const { dropped } = await statusOf(daemon);
	await until('a socket that is full', async () => (await statusOf(daemon)).dropped > dropped + 60);
	await toggle(publishers, 160);
	const { complete } = roster;
	wire.resume();
	await assertAgrees(t, daemon, watcher);
	// The system may have taken a little meanwhile.
	assert.ok(roster.complete > complete && roster.complete <= complete + 3, `${roster.complete - complete} complete rosters`);
	const { changes } = roster;
	await toggle(publishers, 10);
	await assertAgrees(t, daemon, watcher);
	assert.ok(roster.changes > changes, 'changes again');
	assert.ok(!wire.isClosed);
	await end(daemon);
});

test('the roster names each body before its first packet, however recent the last change is', { timeout: 120000 }, async (t) => {
	const daemon = await begin(t, '--source', 'demo:walk');
	const early = new Set();
	const enterAndLook = async (...messages) => {
		const bundle = new Bundle();
		const seen = new Set();
		const watcher = await follow(t, daemon, { onBinary(bytes, roster) {
			decodeBundle(bytes, bundle);
			for (const id of bundle.body.subarray(0, bundle.count)) {
				seen.add(id);
				if (!roster.bodies.has(id))
					early.add(id);
			}
		} }, ...messages);
		return { ...watcher, seen };
	};
	const watchers = [await enterAndLook(subscribe),
		await enterAndLook({ ...subscribe, viewpoints: [{ position: [0, 1.6, 4] }] })];
	const publisher = await enter(t, daemon);
	const offset = publisher.offset();
	const frame = new PoseFrame();
	for (let i = 0; i < 10; i++) {
		publisher.say({ type: 'publish', space, publication: 0, name: `body ${i}`, kind: 'poses' });
		const { body } = await publisher.get('published', ({ name }) => name === `body ${i}`);
		await until('packets of the body', () => {
			frame.time = Math.floor(performance.now() * 1000 + offset);
			frame.states[0] = TRACKED;
			frame.rotations[3] = 1;
			publisher.socket.write(frameOf(captureMessage(0, encodePose(frame)), 2));
			return watchers.every(({ seen }) => seen.has(body));
		});
		publisher.say({ type: 'unpublish', publication: 0 });
		await until('the end of the publication', () => publisher.all('unpublished').length === i + 1);
	}
	watchers.forEach(({ check }) => check());
	assert.deepEqual([...early], []);
	await end(daemon);
});

test('surplus viewpoints, acknowledgements, pings and places are no errors, and the last place holds', { timeout: 120000 }, async (t) => {
	const daemon = await begin(t, ...SOURCES);
	const bundle = new Bundle();
	let tick;
	const wire = await SocketClient.greeted(daemon.port, { hello: { credit: true },
		onBinary(bytes) {
			decodeBundle(bytes, bundle);
			({ tick } = bundle);
		} }, join, { ...subscribe, viewpoints: [{ position: [0, 1.6, 4] }] },
	{ type: 'publish', space, publication: 0, name: 'Ada', kind: 'poses' });
	t.after(() => wire.end());
	const { body } = await wire.get('published');
	await until('a bundle', () => tick !== undefined);
	const place = (i) => ({ type: 'place', space, body, position: [i / 10, 0, 1], yaw: 0, teleport: i % 7 === 0 });
	// Simulates a server that stood still.
	daemon.child.kill('SIGSTOP');
	wire.say(...many(300, (i) => ({ type: 'viewpoint', space, viewpoints: [{ position: [i / 100, 1.6, 4], yaw: 3 }] })),
		...many(100, () => ({ type: 'ack', space, tick })), ...many(300, (i) => ({ type: 'ping', t: -1 - i })), ...many(300, place));
	daemon.child.kill('SIGCONT');
	const last = place(299).position;
	const other = await enter(t, daemon);
	await until('the last place', async () => {
		assert.ok(!wire.isClosed, `closed with ${wire.closeCode}`);
		other.messages.length = 0;
		other.say(join);
		const { bodies } = await other.get('roster', ({ bodies: list }) => list);
		const { position } = bodies.find(({ id }) => id === body)?.placement ?? { position: [] };
		return last.every((x, k) => Math.abs(x - position[k]) < 1e-3) || sleep(200);
	});
	await until('an answer to a ping', async () => {
		const t1 = Math.random();
		wire.say({ type: 'ping', t: t1 });
		await sleep(100);
		return wire.all('pong').some(({ t: t2 }) => t2 === t1);
	});
	assert.deepEqual(wire.all('error'), []);
	assert.ok(!wire.isClosed);
	await end(daemon);
});
