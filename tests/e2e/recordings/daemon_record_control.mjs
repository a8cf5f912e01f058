// Recordings that a client starts: permission, content, notice to all members, and full
// disks.
//
// usage: daemon_record_control.mjs JOINTCASTD JOINTCAST
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync, utimesSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { BodyFrame, TRACKED, captureMessage, encodeBodyFrame } from '../../../clients/js/body-frame.js';
import { Client } from '../support/client.mjs';
import { scratch, start } from '../support/daemon.mjs';
import { captures, json, readMessages } from '../support/mcap_messages.mjs';
import { sleep, until } from '../support/until.mjs';
import { exchange } from '../support/websocket_bytes.mjs';

const jointcast = process.argv[3];
const files = (folder, ending = '.mcap') => readdirSync(folder).filter((name) => name.endsWith(ending)).sort()
	.map((name) => path.join(folder, name));

function inspect(file) {
	const { status, stdout, stderr } = spawnSync(jointcast, ['inspect', file, '--json'], { encoding: 'utf8' });
	assert.equal(status, 0, stderr);
	return JSON.parse(stdout);
}

/** A client that can request recordings and publish bodies, until the test ends. */
async function converse(t, url) {
	const line = await Client.greeted({ url });
	t.after(() => line.end());
	const offset = line.welcome.time - performance.now() * 1000;
	return Object.assign(line, {
		ask(message) {
			line.send(message);
			return line.take(({ type }) => type === 'recording' || type === 'error');
		},
		/** Sends a body frame of a few joints. */
		capture(publication) {
			const frame = new BodyFrame();
			frame.time = Math.floor(performance.now() * 1000 + offset);
			for (let joint = 0; joint < 3; joint++) {
				frame.states[joint] = TRACKED;
				frame.positions[3 * joint + 1] = 1 + joint / 10;
				frame.rotations[4 * joint + 3] = 1;
			}
			line.ws.send(captureMessage(publication, encodeBodyFrame(frame)));
		},
	});
}

/** How it does once that is as wanted; asks not more often than a client may. */
function stateOnce(line, wanted) {
	return until(() => `a state as ${wanted}`, async () => {
		const state = await line.ask({ type: 'record', space: 'lobby', action: 'state' });
		return wanted(state) ? state : sleep(20);
	});
}

/** Waits for a line in the log of a daemon. */
function logged(daemon, pattern) {
	return until(() => `${pattern} in the log`, () => pattern.test(daemon.log));
}

test('a space is recorded while a client requests it, and all watchers are notified', async (t) => {
	const folder = scratch(t);
	const config = path.join(folder, 'conf');
	writeFileSync(config, `recording { folder = "${folder}" }`);
	const daemon = await start('--config', config, '--source', 'demo:walk');
	const watcher = await converse(t, daemon.url);
	const operator = await converse(t, daemon.url);
	watcher.send({ type: 'join', space: 'lobby' });
	const roster = await watcher.take(({ type }) => type === 'roster');
	assert.equal(roster.recording, false);
	assert.equal((await operator.ask({ type: 'record', space: 'lobby', action: 'state' })).state, 'stopped');
	assert.equal((await operator.ask({ type: 'record', space: 'lobby', action: 'start', name: 'take.mcap' })).state,
		'recording');
	assert.equal((await watcher.take(({ type }) => type === 'roster')).recording, true);
	assert.equal((await operator.ask({ type: 'record', space: 'lobby', action: 'start' })).code, 'cannot-record');
	assert.equal((await operator.ask({ type: 'record', space: 'lobby', action: 'marker', label: 'here "it" is' })).state,
		'recording');
	const state = await stateOnce(operator, ({ captures, bytes }) => captures > 40 && bytes > 2000);
	assert.match(state.file, /^take\.mcap-\d{8}T\d{6}Z-0\.mcap\.part$/);
	const status = JSON.parse((await exchange(daemon.admin,
		`GET /status HTTP/1.1\r\nHost: localhost:${daemon.port}\r\n\r\n`)).body);
	assert.equal(status.spaces[0].recording.state, 'recording');
	const stopped = await operator.ask({ type: 'record', space: 'lobby', action: 'stop' });
	assert.equal(stopped.state, 'stopped');
	assert.equal((await watcher.take(({ type }) => type === 'roster')).recording, false);
	await until('a recording', () => files(folder).length > 0);
	const [file] = files(folder);
	assert.equal(stopped.file, path.basename(file));
	assert.equal((await stateOnce(operator, ({ bytes }) => bytes === statSync(file).size)).file, stopped.file, 'after the last write');
	assert.equal(inspect(file).motions[0].name, 'walk');
	// Ids are those that watchers received.
	assert.equal(json(await readMessages(file), 'session')[0].epoch, roster.epoch);
	// Another one of the same name, in the same second or not.
	assert.equal((await operator.ask({ type: 'record', space: 'lobby', action: 'start', name: 'take.mcap' })).state,
		'recording');
	await stateOnce(operator, ({ bytes }) => bytes > 2000);
	assert.equal(await daemon.stop(), 0);
	assert.equal(files(folder).length, 2);
});

test('invalid and unsupported requests are refused', async (t) => {
	const folder = scratch(t);
	const daemon = await start('--source', 'demo:walk');
	const line = await converse(t, daemon.url);
	for (const [message, code] of [
		[{ action: 'start' }, 'cannot-record'], // no folder
		[{ action: 'stop' }, 'cannot-record'],
		[{ action: 'marker', label: 'x' }, 'cannot-record'],
		[{ action: 'begin' }, 'bad-field'],
		[{}, 'bad-field'],
		[{ action: 'start', name: '../x' }, 'bad-field'],
		[{ action: 'start', kind: 'all' }, 'bad-field'],
		[{ action: 'start', kind: 'raw' }, 'not-allowed'],
		[{ action: 'start', space: 'nowhere' }, 'unknown-space'],
	])
		assert.equal((await line.ask({ type: 'record', space: 'lobby', ...message })).code, code, JSON.stringify(message));
	assert.equal(await daemon.stop(), 0);
	const second = await start('--source', 'demo:walk', '--record', folder);
	const other = await converse(t, second.url);
	for (const label of [undefined, '', 5, 'x'.repeat(256), 'a\nb'])
		assert.equal((await other.ask({ type: 'record', space: 'lobby', action: 'marker', label })).code, 'bad-field');
	assert.equal(await second.stop(), 0);
});

test('body frames are recorded with consent for them, else poses, else nothing', async (t) => {
	for (const raw of [true, false]) {
		const folder = scratch(t);
		const daemon = await start('--record', `${folder}?raw=${raw}`);
		const line = await converse(t, daemon.url);
		const bodies = [['all', 'raw'], ['some', true], ['none', false]];
		for (const [publication, [name, mayRecord]] of bodies.entries()) {
			line.send({ type: 'publish', space: 'lobby', publication, name, kind: 'body-frames', mayRecord });
			await line.take(({ type }) => type === 'published');
		}
		let state;
		do {
			for (let i = 0; i < bodies.length; i++)
				line.capture(i);
			await sleep(30);
			state = await line.ask({ type: 'record', space: 'lobby', action: 'state' });
		} while (!(state.captures > 20 && state.bytes > 1500));
		assert.equal(await daemon.stop(), 0);
		const { motions } = inspect(files(folder)[0]);
		assert.deepEqual(motions.map(({ name, kind }) => [name, kind]),
			[['all', raw ? 'body-frames' : 'poses'], ['some', 'poses']]);
		rmSync(folder, { recursive: true, force: true });
	}
});

test('properties of a body and their changes are in the recording and in its replay', async (t) => {
	const folder = scratch(t);
	const daemon = await start('--record', folder);
	const line = await converse(t, daemon.url);
	const told = (publication, rest) => line.send({ type: 'publish', space: 'lobby', publication, kind: 'body-frames', ...rest });
	told(0, { name: 'ada', display: 'Ada', meta: { team: 'red', size: 1.5, host: true }, mayRecord: true });
	told(1, { name: 'eve', display: 'Eve', meta: { secret: 'x' } });
	await line.take(({ type }) => type === 'published');
	await line.take(({ type }) => type === 'published');
	const enough = (count) => until('captures', async () => {
		line.capture(0);
		line.capture(1);
		const { captures: taken, bytes } = await line.ask({ type: 'record', space: 'lobby', action: 'state' });
		return taken > count && bytes > 1500 ? taken : sleep(30);
	});
	const before = await enough(10);
	line.send({ type: 'amend', publication: 0, display: 'Countess', meta: {} });
	await line.take(({ type }) => type === 'amended');
	await enough(before + 10);
	assert.equal(await daemon.stop(), 0);
	const [file] = files(folder);
	const messages = await readMessages(file);
	for (const { data } of messages)
		assert.doesNotMatch(data.toString('latin1'), /eve|Eve|secret/);
	const rosters = json(messages, 'roster').map(({ bodies }) => bodies);
	const ada = rosters.map((bodies) => bodies.find(({ name }) => name === 'ada')).filter(Boolean);
	assert.deepEqual([ada[0].display, ada[0].meta], ['Ada', { team: 'red', size: 1.5, host: true }]);
	assert.deepEqual([ada.at(-1).display, ada.at(-1).meta ?? {}], ['Countess', {}]);
	assert.ok(rosters.flat().filter(({ name }) => name !== 'ada').every((body) => !body.display && !body.meta));

	const replayed = await start('--source', `replay:${file}`);
	const watcher = await Client.greeted(replayed);
	t.after(() => watcher.end());
	watcher.send({ type: 'join', space: 'lobby' });
	const entry = ({ bodies, joined, changed }) => [bodies, joined, changed].flat().find((body) => body);
	const called = (name) => (message) => message.type === 'roster' && entry(message)?.display === name;
	assert.deepEqual(entry(await watcher.take(called('Ada'))).meta, { team: 'red', size: 1.5, host: true });
	assert.equal(entry(await watcher.take(called('Countess'))).meta, undefined);
	assert.equal(await replayed.stop(), 0);
});

// RLIMIT_FSIZE limits the size of a file, like a full disk.
test('on a full disk drops are counted and reported, and live bodies move on', async (t) => {
	const folder = scratch(t);
	const bash = `ulimit -f 40; exec "$0" "$@"`;
	const child = spawn('bash', ['-c', bash, process.argv[2], '--listen', '127.0.0.1:0', '--source', 'demo:walk',
		'--record', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
	t.after(() => child.kill('SIGKILL'));
	let log = '';
	const said = (pattern) => new Promise((resolve) => {
		const look = () => pattern.test(log) && resolve(pattern.exec(log));
		child.stderr.on('data', look);
		look();
	});
	child.stderr.on('data', (bytes) => (log += bytes));
	const [, port] = await said(/listening on 127\.0\.0\.1:(\d+)/);
	const line = await converse(t, `ws://127.0.0.1:${port}/`);
	let bundles = 0;
	line.ws.on('message', (data, binary) => (bundles += binary));
	line.send({ type: 'join', space: 'lobby' });
	line.send({ type: 'subscribe', space: 'lobby' });
	await said(/a recording broke off: File too large/);
	await stateOnce(line, ({ state, dropped }) => state === 'failing' && dropped > 0);
	const before = bundles;
	await until('bundles', () => bundles >= before + 10);
	child.kill('SIGTERM');
	await new Promise((resolve) => child.on('close', resolve));
	assert.equal(files(folder, '.part').length, 1);
	assert.ok(statSync(files(folder, '.part')[0]).size <= 40960);
});

test('removes only recordings, the oldest first', async (t) => {
	const folder = scratch(t);
	const first = await start('--source', 'demo:walk', '--record', folder);
	await until('some of a recording', () => files(folder, '.part').some((file) => statSync(file).size > 3000));
	assert.equal(await first.stop(), 0);
	const recording = readFileSync(files(folder)[0]);
	rmSync(files(folder)[0]);
	const put = (name, bytes = recording) => writeFileSync(path.join(folder, name), bytes);
	put('lobby-20200101T000000Z-0.mcap');
	put('lobby-20200102T000000Z-0.mcap');
	put('lobby-20200103T000000Z-0-1.mcap');
	put('my-own-20200101T000000Z-0.txt');
	put('take.mcap');
	put('lobby-20200101T000000Z-0.mcap.bak');
	put('lobby-20200101T000000Z-1.mcap', Buffer.from('no recording at all, whatever it is called; long enough to be looked at'));
	utimesSync(path.join(folder, 'lobby-20200103T000000Z-0-1.mcap'), 1, 1); // names count
	const second = await start('--source', 'demo:walk', '--record',
		`${folder}?keep_bytes=${Math.floor(recording.length * 2.5)}`);
	await logged(second, /is removed: more than keep_bytes/);
	assert.equal(await second.stop(), 0);
	const left = readdirSync(folder).filter((name) => /2020|take/.test(name)).sort();
	assert.ok(!left.includes('lobby-20200101T000000Z-0.mcap'));
	assert.ok(left.includes('lobby-20200103T000000Z-0-1.mcap'));
	const third = await start('--source', 'demo:walk', '--record', `${folder}?keep_days=30`);
	await logged(third, /'lobby-20200103T000000Z-0-1\.mcap' is removed: older than keep_days/);
	assert.equal(await third.stop(), 0);
	assert.deepEqual(readdirSync(folder).filter((name) => /2020|take/.test(name)).sort(),
		['lobby-20200101T000000Z-0.mcap.bak', 'lobby-20200101T000000Z-1.mcap', 'my-own-20200101T000000Z-0.txt', 'take.mcap']);
});

// Consent that changes while a recording runs: the recording states the right consent at
// every tick, in the next file too.
test('a body whose consent ends stays present and is not recorded from that tick on', async (t) => {
	const folder = scratch(t);
	const daemon = await start('--record', `${folder}?raw=true&split_bytes=65536`);
	const line = await converse(t, daemon.url);
	line.send({ type: 'join', space: 'lobby' });
	line.send({ type: 'publish', space: 'lobby', publication: 0, name: 'ada', kind: 'body-frames', mayRecord: 'raw' });
	const { body } = await line.take(({ type }) => type === 'published');
	const send = async (wanted) => {
		let state;
		do {
			line.capture(0);
			await sleep(20);
			state = await line.ask({ type: 'record', space: 'lobby', action: 'state' });
		} while (!wanted(state));
		return state;
	};
	const first = await send(({ captures }) => captures > 15);
	for (const [consent, mayRecord] of [[{}, false], [{ mayRecord: true }, true], [{ mayRecord: 'raw' }, 'raw'], [{ mayRecord: false }, false]]) {
		line.send({ type: 'consent', publication: 0, ...consent });
		const answer = await line.take(({ type }) => type === 'consented');
		assert.deepEqual([answer.mayRecord, answer.mayRebroadcast], [mayRecord, false]);
		await line.take(({ type, changed }) => type === 'roster'
			&& changed?.some((one) => one.id === body && (one.mayRecord === true) === (mayRecord !== false)));
		// One more tick, whose captures are either or not.
		let count = 0;
		const until = mayRecord ? (state) => state.captures > first.captures && ++count > 15 : () => ++count > 15;
		await send(until);
	}
	assert.equal(await daemon.stop(), 0);
	const messages = (await Promise.all(files(folder).map(readMessages))).flat();
	const told = json(messages, 'roster').map(({ time, bodies }) => ({ time, ...bodies.find(({ id }) => id === body) }));
	assert.deepEqual(told.map(({ recorded }) => recorded).filter((recorded, i, all) => recorded !== all[i - 1]),
		['raw', 'nothing', 'anonymous', 'raw', 'nothing']);
	for (const { recorded, ...entry } of told.filter(({ recorded }) => recorded === 'nothing'))
		assert.deepEqual(Object.keys(entry).sort(), ['id', 'name', 'time']);
	assert.ok(told.every(({ recorded, name }) => !recorded || name === (recorded === 'nothing' ? '' : 'ada')));
	// Captures stand behind the roster that they go by.
	const kinds = { raw: 0x31, anonymous: 0x41 };
	let holds;
	const seen = new Set();
	for (const { topic, data } of messages) {
		if (topic === 'roster')
			holds = JSON.parse(data).bodies.find(({ id }) => id === body)?.recorded;
		for (const { bytes } of captures([{ topic, data }])) {
			assert.equal(bytes[0], kinds[holds], holds);
			seen.add(holds);
		}
	}
	assert.deepEqual([...seen].sort(), ['anonymous', 'raw']);
	// A publication of another client, and invalid requests.
	const next = await start('--source', 'demo:walk');
	const other = await converse(t, next.url);
	for (const [message, code] of [[{ publication: 0 }, 'unknown-publication'], [{}, 'bad-field']]) {
		other.send({ type: 'consent', ...message });
		assert.equal((await other.take(({ type }) => type === 'error')).code, code);
	}
	assert.equal(await next.stop(), 0);
});
