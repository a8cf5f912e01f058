// Recordings that play in a space: opening, seeking, notice to all members, and permission to
// see the recorded space.
//
// usage: daemon_replay.mjs JOINTCASTD JOINTCAST
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { BodyFrame, TRACKED, captureMessage, encodeBodyFrame } from '../../../clients/js/body-frame.js';
import { Client } from '../support/client.mjs';
import { scratch, start } from '../support/daemon.mjs';
import { now, secret, sign } from '../support/token.mjs';
import { sleep } from '../support/until.mjs';

const jointcast = process.argv[3];

function tool(...parameters) {
	const { status, stdout, stderr } = spawnSync(jointcast, parameters, { encoding: 'utf8' });
	assert.equal(status, 0, stderr);
	return stdout;
}

/** A folder with walk.mcap and wave.mcap, and a daemon that has it. */
async function stage(t, ...options) {
	const folder = scratch(t);
	for (const name of ['walk', 'wave'])
		tool('convert', `demo:${name}`, path.join(folder, `${name}.mcap`));
	writeFileSync(path.join(folder, 'conf'), `recording { folder = "${folder}" }`);
	const daemon = await start('--config', path.join(folder, 'conf'), ...options);
	return { folder, daemon };
}

const ask = async (line, message) => {
	line.send({ type: 'replay', space: 'lobby', ...message });
	return line.take(({ type, answers }) => type === 'error' || (type === 'replaying' && answers !== undefined));
};
/** Resolves once bodies of all these names have joined, in one roster change or in several. */
async function joined(line, ...names) {
	for (const missing = new Set(names); missing.size > 0;)
		(await line.take(({ type, joined }) => type === 'roster' && joined?.some(({ name }) => missing.has(name))))
			.joined.forEach(({ name }) => missing.delete(name));
}
const told = (wanted) => ({ type, answers, replays }) => type === 'replaying' && answers === undefined && wanted(replays);

test('a recording plays beside live bodies, and all members receive its state', async (t) => {
	const { daemon } = await stage(t, '--source', 'demo:sit');
	const watcher = await Client.greeted(daemon);
	watcher.send({ type: 'join', space: 'lobby' });
	const roster = await watcher.take(({ type }) => type === 'roster');
	assert.deepEqual(roster.bodies.map(({ name }) => name), ['sit']);
	const operator = await Client.greeted(daemon);
	const serverTime = async (t) => {
		operator.send({ type: 'ping', t });
		return (await operator.find('pong', (pong) => pong.t === t)).time;
	};
	const before = await serverTime(1);
	const opened = await ask(operator, { action: 'open', file: 'walk.mcap', speed: 2, loop: true });
	assert.equal(opened.answers, 'open');
	const { replays: [replay] } = opened;
	assert.equal(replay.time, 0);
	assert.ok(replay.at >= before && replay.at <= await serverTime(2), `${replay.at} after ${before}`);
	assert.equal(opened.opened, replay.id);
	assert.deepEqual([replay.file, replay.state, replay.speed, replay.loop, replay.markers],
		['walk.mcap', 'playing', 2, true, []]);
	await joined(watcher, 'walk');
	await watcher.take(told(([first]) => first?.id === replay.id));
	const act = (action, more) => ask(operator, { action, id: replay.id, ...more });
	assert.equal((await act('pause')).replays[0].state, 'paused');
	assert.ok(Math.abs((await act('seek', { time: 0.5 })).replays[0].time - 0.5) < 1e-3);
	await watcher.take(told(([first]) => first.state === 'paused' && Math.abs(first.time - 0.5) < 1e-3));
	assert.equal((await act('speed', { speed: 0.25 })).replays[0].speed, 0.25);
	assert.equal((await act('loop', { loop: false })).replays[0].loop, false);
	const { from, until } = (await act('range', { from: 0.25, until: 0.75 })).replays[0];
	assert.ok(Math.abs(from - 0.25) < 1e-3 && Math.abs(until - 0.75) < 1e-3);
	assert.equal((await act('play')).replays[0].state, 'playing');
	await act('speed', { speed: 10 });
	const ended = await watcher.take(told(([first]) => first.state === 'ended'));
	assert.ok(Math.abs(ended.replays[0].time - 0.75) < 1e-3);
	// A later member receives the state at once.
	const late = await Client.greeted(daemon);
	late.send({ type: 'join', space: 'lobby' });
	assert.equal((await late.take(({ type }) => type === 'replaying')).replays[0].id, replay.id);
	// The loop restarts at its end.
	assert.equal((await act('play')).replays[0].state, 'playing');
	assert.deepEqual((await act('close')).replays, []);
	await watcher.take(told((replays) => replays.length === 0));
	await watcher.take(({ type, left }) => type === 'roster' && left !== undefined);
	assert.equal((await act('play')).code, 'unknown-replay');
	assert.equal(await daemon.stop(), 0);
});

test('several recordings play at once, with chosen names and skeleton', async (t) => {
	const { daemon } = await stage(t);
	const line = await Client.greeted(daemon);
	line.send({ type: 'join', space: 'lobby' });
	line.send({ type: 'subscribe', space: 'lobby' });
	await line.take(({ type }) => type === 'roster');
	const first = await ask(line, { action: 'open', file: 'walk.mcap', names: { walk: 'Ada' }, prefix: 'then-' });
	const second = await ask(line, { action: 'open', file: 'walk.mcap', prefix: 'then-', paused: true });
	const third = await ask(line, { action: 'open', file: 'wave.mcap', prefix: 'then-' });
	await joined(line, 'Ada', 'then-walk', 'then-wave');
	assert.deepEqual(third.replays.map(({ id, state }) => [id, state]),
		[[first.opened, 'playing'], [second.opened, 'paused'], [third.opened, 'playing']]);
	assert.deepEqual((await ask(line, { action: 'state' })).replays.map(({ markers }) => markers), [[], [], []]);
	assert.equal((await ask(line, { action: 'open', file: 'walk.mcap', skeleton: 'f'.repeat(64) })).code, 'unknown-skeleton');
	assert.equal(await daemon.stop(), 0);
});

test('invalid requests and files that are not recordings are refused', async (t) => {
	const { daemon, folder } = await stage(t);
	const line = await Client.greeted(daemon);
	const put = (name, bytes) => writeFileSync(path.join(folder, name), bytes);
	put('empty.mcap', '');
	put('text.mcap', 'no recording at all\n'.repeat(100));
	put('torn.mcap', readFileSync(path.join(folder, 'walk.mcap')).subarray(0, 20));
	const { opened: id } = await ask(line, { action: 'open', file: 'wave.mcap' });
	for (const [message, code] of [
		[{ action: 'open' }, 'bad-field'],
		[{ action: 'open', file: '../walk.mcap' }, 'bad-field'],
		[{ action: 'open', file: '.mcap' }, 'bad-field'],
		[{ action: 'open', file: 'conf' }, 'bad-field'],
		[{ action: 'open', file: `${'x'.repeat(255)}.mcap` }, 'bad-field'],
		[{ action: 'open', file: 'nothing.mcap' }, 'cannot-replay'],
		[{ action: 'open', file: 'empty.mcap' }, 'cannot-replay'],
		[{ action: 'open', file: 'text.mcap' }, 'cannot-replay'],
		[{ action: 'open', file: 'torn.mcap' }, 'cannot-replay'],
		[{ action: 'open', file: 'walk.mcap', from: 1e6 }, 'cannot-replay'],
	]) {
		const answer = await ask(line, message);
		assert.equal(answer.code, code, JSON.stringify(message));
		assert.ok(!answer.message.includes(folder), answer.message);
	}
	const other = await Client.greeted(daemon);
	for (const [message, code] of [
		[{ action: 'begin' }, 'bad-field'],
		[{}, 'bad-field'],
		[{ action: 'play' }, 'bad-field'],
		[{ action: 'play', id: 'x' }, 'bad-field'],
		[{ action: 'play', id: id + 1 }, 'unknown-replay'],
		[{ action: 'seek', id }, 'bad-field'],
		[{ action: 'seek', id, time: -1 }, 'bad-field'],
		[{ action: 'speed', id, speed: 10.5 }, 'bad-field'],
		[{ action: 'speed', id }, 'bad-field'],
		[{ action: 'loop', id, loop: 1 }, 'bad-field'],
		[{ action: 'range', id, from: 2, until: 1 }, 'bad-field'],
		[{ action: 'play', id, space: 'nowhere' }, 'unknown-space'],
	])
		assert.equal((await ask(other, message)).code, code, JSON.stringify(message));
	const third = await Client.greeted(daemon);
	for (const message of [{ speed: 0.05 }, { speed: '1' }, { loop: 1 }, { paused: 'no' }, { names: [] },
		{ names: { a: '' } }, { names: { a: 'x'.repeat(64) } }, { prefix: 5 }, { until: -1 }, { skeleton: 1 }])
		assert.equal((await ask(third, { action: 'open', file: 'wave.mcap', ...message })).code, 'bad-field',
			JSON.stringify(message));
	assert.equal(await daemon.stop(), 0);
});

test('a symbolic link and a pipe in the folder are not opened, and the folder may be a link', async (t) => {
	const { daemon, folder } = await stage(t);
	const moved = `${folder}-moved`;
	t.after(() => rmSync(moved, { recursive: true, force: true }));
	t.after(() => daemon.child.kill('SIGKILL'));
	renameSync(folder, moved);
	symlinkSync(moved, folder);
	const elsewhere = path.join(scratch(t), 'walk.mcap');
	writeFileSync(elsewhere, readFileSync(path.join(folder, 'walk.mcap')));
	symlinkSync(elsewhere, path.join(folder, 'outside.mcap'));
	symlinkSync('walk.mcap', path.join(folder, 'inside.mcap'));
	assert.equal(spawnSync('mkfifo', [path.join(folder, 'pipe.mcap')]).status, 0);
	const { recordings } = await ask(await Client.greeted(daemon), { action: 'list' });
	assert.deepEqual(recordings.map(({ file }) => file).sort(), ['walk.mcap', 'wave.mcap']);
	for (const [file, message] of [['outside', /symbolic link/], ['inside', /symbolic link/], ['pipe', /regular file/]]) {
		const answer = await ask(await Client.greeted(daemon), { action: 'open', file: `${file}.mcap` });
		assert.equal(answer.code, 'cannot-replay', file);
		assert.match(answer.message, message);
	}
	assert.equal((await ask(await Client.greeted(daemon), { action: 'open', file: 'walk.mcap' })).answers, 'open');
	assert.equal(await daemon.stop(), 0);
});

test('a daemon without a folder has nothing to open', async () => {
	const daemon = await start('--source', 'demo:walk');
	const line = await Client.greeted(daemon);
	assert.equal((await ask(line, { action: 'open', file: 'walk.mcap' })).code, 'cannot-replay');
	assert.equal((await ask(line, { action: 'list' })).code, 'cannot-replay');
	assert.equal(line.welcome.rooms[0].recordings, false);
	assert.equal(await daemon.stop(), 0);
});

test('lists the current recordings, at a limited rate', async (t) => {
	const { folder, daemon } = await stage(t);
	const line = await Client.greeted(daemon);
	assert.equal(line.welcome.rooms[0].recordings, true);
	const { recordings } = await ask(line, { action: 'list' });
	assert.deepEqual(recordings.map(({ file }) => file).sort(), ['walk.mcap', 'wave.mcap']);
	for (const { file, space, duration, bytes, changed } of recordings) {
		const { size, mtimeMs } = statSync(path.join(folder, file));
		const { motions } = JSON.parse(tool('inspect', '--json', path.join(folder, file)));
		assert.deepEqual([space, bytes, changed], ['lobby', size, Math.floor(mtimeMs / 1000)]);
		assert.ok(Math.abs(duration - motions[0].duration) < 0.05, `${duration} and ${motions[0].duration}`);
	}
	rmSync(path.join(folder, 'walk.mcap'));
	assert.deepEqual((await ask(line, { action: 'list' })).recordings.map(({ file }) => file), ['wave.mcap']);
	rmSync(folder, { recursive: true });
	const { code, message } = await ask(line, { action: 'list' });
	assert.deepEqual([code, message], ['cannot-replay', 'the folder of recordings cannot be read: No such file or directory']);
	const flood = await Promise.all(Array.from({ length: 12 }, () => ask(line, { action: 'list' })));
	assert.ok(flood.some((answer) => answer.code === 'too-many'));
	assert.equal(await daemon.stop(), 0);
});

test('a daemon replays its own recording, with its markers', async (t) => {
	const { daemon, folder } = await stage(t, '--source', 'demo:idle');
	const line = await Client.greeted(daemon);
	const record = async (message) => {
		line.send({ type: 'record', space: 'lobby', ...message });
		return line.take(({ type }) => type === 'recording');
	};
	await record({ action: 'start', name: 'take' });
	await record({ action: 'marker', label: 'a bow' });
	while ((await record({ action: 'state' })).captures < 60)
		await sleep(50);
	await record({ action: 'stop' });
	const takes = () => readdirSync(folder).filter((name) => /^take.*\.mcap$/.test(name));
	while (takes().length === 0)
		await sleep(20);
	const { replays: [replay] } = await ask(line, { action: 'open', file: takes()[0] });
	assert.deepEqual(replay.markers.map(({ text }) => text), ['a bow']);
	assert.ok(replay.duration > 0.9 && statSync(path.join(folder, takes()[0])).size > 0);
	assert.equal(await daemon.stop(), 0);
});

/** `jointcast play`, and how it ends. */
function play(...parameters) {
	const child = spawn(jointcast, ['play', ...parameters], { stdio: ['ignore', 'ignore', 'pipe'] });
	let stderr = '';
	child.stderr.on('data', (bytes) => (stderr += bytes));
	return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr }))) };
}

test('the tool plays all bodies of a recording to another daemon, and ends with Ctrl-C', async (t) => {
	const { daemon, folder } = await stage(t, '--source', 'demo:walk', '--source', 'demo:wave');
	const here = await Client.greeted(daemon);
	const record = async (message) => {
		here.send({ type: 'record', space: 'lobby', ...message });
		return here.take(({ type }) => type === 'recording');
	};
	await record({ action: 'start', name: 'both' });
	while ((await record({ action: 'state' })).captures < 120)
		await sleep(50);
	await record({ action: 'stop' });
	assert.equal(await daemon.stop(), 0);
	const file = path.join(folder, readdirSync(folder).find((name) => name.startsWith('both')));
	const elsewhere = await start('--record', folder);
	const watcher = await Client.greeted(elsewhere);
	watcher.send({ type: 'join', space: 'lobby' });
	await watcher.take(({ type }) => type === 'roster');
	const once = play(file, '--to', elsewhere.url, '--may-record');
	await joined(watcher, 'walk', 'wave');
	for (let left = 0; left < 2;)
		left += (await watcher.take((message) => message.type === 'roster' && message.left)).left.length;
	assert.deepEqual(await once.ended, { code: 0, stderr: '' });
	const over = play(file, '--to', elsewhere.url, '--loop', '--speed', '3', '--from', '0.2', '--until', '0.6');
	await joined(watcher, 'walk', 'wave');
	await sleep(500); // some turns
	over.child.kill('SIGINT');
	for (let left = 0; left < 2;)
		left += (await watcher.take((message) => message.type === 'roster' && message.left)).left.length;
	assert.deepEqual(await over.ended, { code: 0, stderr: '' });
	// A body that leaves within 250 ms may be in no roster: this one stays until it was seen.
	const one = play(file, '--to', elsewhere.url, '--motion-index', '1', '--name', 'Ada', '--until', '0.2', '--loop');
	await joined(watcher, 'Ada');
	one.child.kill('SIGINT');
	assert.equal((await one.ended).code, 0);
	const late = play(file, '--to', elsewhere.url, '--from', '100');
	const { code, stderr } = await late.ended;
	assert.equal(code, 1);
	assert.match(stderr, /^jointcast: \S+: contains nothing from 100 to \S+ s: its length is \S+ s\n$/);
	assert.equal(await elsewhere.stop(), 0);
	// The other daemon received what this one sent.
	const again = path.join(folder, readdirSync(folder).find((name) => name.startsWith('lobby') && name.endsWith('.mcap')));
	const look = (recording) => JSON.parse(tool('inspect', recording, '--json')).motions;
	const [before, after] = [look(file), look(again)];
	for (const { name, frames, duration } of before) {
		const same = after.find((motion) => motion.name === name);
		// On a busy machine captures are left out, none is made up.
		assert.ok(same.frames > 5 && same.frames <= frames && same.duration < duration + 0.3,
			`${name}: ${same.frames} of ${frames}, ${same.duration} s of ${duration}`);
	}
});

test('the tool repeats changes of properties, placement and consent', async (t) => {
	const folder = scratch(t);
	const daemon = await start('--record', `${folder}?raw=true`);
	const line = await Client.greeted(daemon);
	const offset = line.welcome.time - performance.now() * 1000;
	const frame = new BodyFrame();
	frame.states[0] = TRACKED;
	frame.positions[1] = 1;
	frame.rotations[3] = 1;
	// A body that moves a little is live, and captures are counted.
	const enough = async (count) => {
		for (let taken = 0; taken < count;) {
			frame.time = Math.floor(performance.now() * 1000 + offset);
			frame.positions[0] = Math.sin(frame.time * 1e-6) / 10;
			line.ws.send(captureMessage(0, encodeBodyFrame(frame)));
			line.send({ type: 'record', space: 'lobby', action: 'state' });
			taken = (await line.take(({ type }) => type === 'recording')).captures;
			await sleep(30);
		}
		return count + 40;
	};
	line.send({ type: 'join', space: 'lobby' });
	line.send({ type: 'publish', space: 'lobby', publication: 0, name: 'ada', kind: 'body-frames', mayRecord: 'raw', display: 'Ada',
		meta: { team: 'red' } });
	const { body } = await line.take(({ type }) => type === 'published');
	let count = await enough(40);
	line.send({ type: 'amend', publication: 0, display: 'Countess', meta: { team: 'blue' } });
	await line.take(({ type }) => type === 'amended');
	count = await enough(count);
	line.send({ type: 'place', space: 'lobby', body, position: [2, 0, 1], yaw: 0.5, seat: { height: 0.5 } });
	await line.take(({ type, changed }) => type === 'roster' && changed?.some(({ id, seat }) => id === body && seat));
	count = await enough(count);
	for (const mayRecord of [true, 'raw']) {
		line.send({ type: 'consent', publication: 0, mayRecord });
		await line.take(({ type }) => type === 'consented');
		count = await enough(count);
	}
	assert.equal(await daemon.stop(), 0);

	const elsewhere = await start();
	const watcher = await Client.greeted(elsewhere);
	watcher.send({ type: 'join', space: 'lobby' });
	const once = play(path.join(folder, readdirSync(folder)[0]), '--to', elsewhere.url);
	const heard = [];
	for (let left = 0; left < 3;) {
		const roster = await watcher.take((message) => message.type === 'roster' && !message.bodies);
		heard.push(...(roster.joined ?? []), ...(roster.changed ?? []));
		left += (roster.left ?? []).length;
	}
	assert.deepEqual(await once.ended, { code: 0, stderr: '' });
	const told = heard.map(({ id, display, meta, placement, seat, state }) =>
		JSON.stringify([id, display, meta.team, placement.position.map(Math.round), seat?.height, state]));
	// Frames, poses and frames again: three publications, each of which moves.
	for (const wanted of [[1, 'Ada', 'red', [0, 0, 0], undefined, 'live'], [1, 'Countess', 'blue', [2, 0, 1], 0.5, 'live'],
		[2, 'Countess', 'blue', [2, 0, 1], 0.5, 'live'], [3, 'Countess', 'blue', [2, 0, 1], 0.5, 'live']])
		assert.ok(told.includes(JSON.stringify(wanted)), `${JSON.stringify(wanted)} in ${told.join('\n')}`);
	assert.equal(await elsewhere.stop(), 0);
});

test('opening a recording needs the record role here and in the recorded space', async (t) => {
	const { folder } = await stage(t).then(async ({ folder, daemon }) => {
		assert.equal(await daemon.stop(), 0);
		return { folder };
	});
	writeFileSync(path.join(folder, 'secret'), secret);
	writeFileSync(path.join(folder, 'conf'), `recording { folder = "${folder}" }
auth { audience = "world" key "k" { algorithm = "HS256" file = "${folder}/secret" } }
space "hall" { record = {"role:record", "subject:carl"} }`);
	const token = (claims) => sign({ alg: 'HS256', kid: 'k' }, { sub: 'ada', aud: 'world', exp: now() + 600, ...claims }, secret);
	const daemon = await start('--config', path.join(folder, 'conf'), '--source', 'demo:walk');
	const open = { action: 'open', file: 'wave.mcap' }; // which is of the lobby
	const watcher = await Client.greeted(daemon, { token: token({ roles: ['watch'], spaces: ['lobby'] }) });
	assert.equal((await ask(watcher, open)).code, 'not-allowed');
	assert.equal((await ask(watcher, { action: 'state' })).code, 'not-allowed');
	assert.equal((await ask(watcher, { action: 'list' })).code, 'not-allowed');
	assert.equal(watcher.welcome.rooms.find(({ name }) => name === 'lobby').recordings, false);
	const hall = await Client.greeted(daemon, { token: token({ roles: ['record'], spaces: ['hall'] }) });
	assert.equal((await ask(hall, open)).code, 'unknown-space');
	// A recording of a space where it may do nothing is as one that is not there.
	assert.deepEqual(await ask(hall, { ...open, space: 'hall' }), await ask(hall, { action: 'open', file: 'none.mcap', space: 'hall' }));
	const carl = await Client.greeted(daemon, { token: token({ sub: 'carl', spaces: ['hall', 'lobby'] }) });
	assert.equal((await ask(carl, { ...open, space: 'hall' })).code, 'not-allowed', 'he may watch the lobby');
	assert.deepEqual((await ask(hall, { action: 'list', space: 'hall' })).recordings, []);
	const both = await Client.greeted(daemon, { token: token({ roles: ['record'], spaces: ['hall', 'lobby'] }) });
	assert.deepEqual((await ask(both, { action: 'list', space: 'hall' })).recordings.map(({ file }) => file).sort(),
		['walk.mcap', 'wave.mcap']);
	const { opened } = await ask(both, { ...open, space: 'hall' });
	// A replay is of its space: another cannot have it.
	assert.equal((await ask(both, { action: 'pause', id: opened })).code, 'unknown-replay');
	assert.equal((await ask(both, { action: 'pause', id: opened, space: 'hall' })).replays[0].state, 'paused');
	assert.equal(await daemon.stop(), 0);
});

test('a replay ends with the daemon, even while files are being opened', async (t) => {
	const { daemon } = await stage(t);
	const line = await Client.greeted(daemon);
	for (let i = 0; i < 4; i++)
		line.send({ type: 'replay', space: 'lobby', action: 'open', file: 'walk.mcap' });
	await line.take(({ type }) => type === 'replaying');
	assert.equal(await daemon.stop(), 0);
	const gone = await stage(t);
	const other = await Client.greeted(gone.daemon);
	other.send({ type: 'replay', space: 'lobby', action: 'open', file: 'walk.mcap' });
	other.ws.terminate();
	const next = await Client.greeted(gone.daemon);
	assert.deepEqual((await ask(next, { action: 'state' })).replays.length <= 1, true);
	assert.equal(await gone.daemon.stop(), 0);
});
