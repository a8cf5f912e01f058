// Recordings by a subscriber (`jointcast record URL`): as exact as packets, readable however
// they end, and without bodies that have not given consent.
//
// usage: daemon_record_remote.mjs JOINTCASTD JOINTCAST
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { scratch, start } from '../support/daemon.mjs';
import { captures, json, readMessages } from '../support/mcap_messages.mjs';
import { relay } from '../support/relay.mjs';
import { publish } from '../support/still_bodies.mjs';
import { sleep, until } from '../support/until.mjs';

const jointcast = process.argv[3];

/** The command under way, and how it ends. */
function record(t, daemon, file, ...options) {
	const child = spawn(jointcast, ['record', daemon.url, '-o', file, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
	t.after(() => child.kill('SIGKILL'));
	const heard = { stdout: '', stderr: '' };
	child.stdout.on('data', (text) => (heard.stdout += text));
	child.stderr.on('data', (text) => (heard.stderr += text));
	const ended = new Promise((resolve) => child.on('close', (status) => resolve({ status, ...heard })));
	return { child, ended };
}

/** Once so much is in a file that is being written; a chunk comes every second. */
async function grown(file, bytes) {
	while (!existsSync(`${file}.part`) || statSync(`${file}.part`).size < bytes)
		await sleep(20);
	return statSync(`${file}.part`).size;
}

const frames = (motion, times) => JSON.parse(spawnSync(jointcast, ['retarget', motion, 'humanoid', '--loop',
	'--times', times.join(), '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout).frames;

function degrees(a, b) {
	return Math.max(...Object.keys(a.bones).map((name) => {
		const [p, q] = [a.bones[name].normalized, b.bones[name].normalized];
		const chord = (sign) => Math.hypot(...p.map((v, i) => v - sign * q[i]));
		return (4 * Math.asin(Math.min(1, Math.min(chord(1), chord(-1)) / 2)) * 180) / Math.PI;
	}));
}

for (const options of [[], ['--ticks', '2']]) test(`Ctrl-C ends the recording with a complete file ${options.join(' ')}`, async (t) => {
	const folder = scratch(t);
	const file = path.join(folder, 'take.mcap');
	const daemon = await start('--source', 'demo:wave', '--source', 'demo:sit?space=attic');
	const { child, ended } = record(t, daemon, file, ...options);
	await grown(file, 80000);
	child.kill('SIGINT');
	const { status, stdout, stderr } = await ended;
	assert.equal(status, 0, stderr);
	assert.match(stdout, /take\.mcap: \d+\.\d s, \d+ captures\n$/);
	const metrics = await (await fetch(`http://127.0.0.1:${daemon.admin}/metrics`)).text();
	assert.equal(/^jointcast_bundle_pairs_total\{space="lobby"\} [1-9]/m.test(metrics), options.includes('--ticks'));
	assert.equal(await daemon.stop(), 0);
	assert.deepEqual(readdirSync(folder), ['take.mcap']);
	const messages = await readMessages(file);
	const [session] = json(messages, 'session');
	assert.deepEqual([session.space, session.tickHz], ['lobby', 60]);
	const [roster] = json(messages, 'roster');
	assert.deepEqual(roster.bodies.map(({ name, recorded, kind }) => [name, recorded, kind]), [['wave', 'anonymous', 'poses']]);
	assert.ok(json(messages, 'skeleton').some(({ hash }) => hash === roster.bodies[0].skeleton));
	// Where it began in the motion is found by trying; from there on each capture is within the
	// bound of fine packets and of captures. A busy machine skips ticks.
	const ticks = [...new Set(captures(messages).map(({ tick }) => tick))];
	assert.ok(ticks.length > 50);
	const neighbours = ticks.filter((tick, i) => tick === ticks[i - 1] + 1);
	assert.ok(neighbours.length > 10, 'both ticks of a message are recorded');
	const chosen = ticks.slice(30, 50);
	const seen = frames(file, chosen.map((tick) => (tick - ticks[0]) / 60));
	const { duration } = JSON.parse(spawnSync(jointcast, ['inspect', 'demo:wave', '--json'], { encoding: 'utf8' }).stdout).motions[0];
	const span = chosen.at(-1) - chosen[0];
	const all = frames('demo:wave', Array.from({ length: Math.ceil(duration * 60) + span + 1 }, (_, i) => i / 60));
	// Of all begins the one that fits the last capture too: a hand that waves passes each place twice.
	const offOf = (first, i) => degrees(seen[i], all[first + chosen[i] - chosen[0]]);
	const begins = all.slice(0, Math.ceil(duration * 60)).map((_, first) => offOf(first, 0) + offOf(first, seen.length - 1));
	const first = begins.indexOf(Math.min(...begins));
	const off = seen.map((_, i) => offOf(first, i));
	assert.ok(off.filter((value) => value < 0.2).length > off.length / 2, off.join());
});

test('-o - writes the recording to a pipe', async (t) => {
	const file = path.join(scratch(t), 'piped.mcap');
	const daemon = await start('--source', 'demo:wave');
	const command = '"$0" record "$1" --reconnect 0 -o - | tee "$2" | wc -c; exit ${PIPESTATUS[0]}';
	const child = spawn('bash', ['-c', command, jointcast, daemon.url, file], { stdio: ['ignore', 'pipe', 'pipe'] });
	t.after(() => child.kill('SIGKILL'));
	const heard = { stdout: '', stderr: '' };
	child.stdout.on('data', (text) => (heard.stdout += text));
	child.stderr.on('data', (text) => (heard.stderr += text));
	const ended = new Promise((resolve) => child.on('close', resolve));
	await until('a chunk', () => existsSync(file) && statSync(file).size > 25000);
	assert.equal(await daemon.stop(), 0);
	assert.equal(await ended, 3); // the daemon has ended
	assert.equal(Number(heard.stdout), statSync(file).size);
	assert.match(heard.stderr, /^jointcast: ws:[^\n]*\nstandard output: \d+\.\d s, \d+ captures\n$/);
	const messages = await readMessages(file);
	assert.ok(captures(messages).length > 30);
	assert.ok(json(messages, 'scene').length > 0);
});

test('a reader that closes the pipe ends the recording without a message', async (t) => {
	const daemon = await start('--source', 'demo:wave');
	const command = '"$0" record "$1" -o - | head -c 100 | wc -c; exit ${PIPESTATUS[0]}';
	const { status, stdout, stderr } = await new Promise((resolve) => {
		const child = spawn('bash', ['-c', command, jointcast, daemon.url], { stdio: ['ignore', 'pipe', 'pipe'] });
		const heard = { stdout: '', stderr: '' };
		child.stdout.on('data', (text) => (heard.stdout += text));
		child.stderr.on('data', (text) => (heard.stderr += text));
		child.on('close', (code) => resolve({ status: code, ...heard }));
	});
	assert.deepEqual([status, Number(stdout), stderr], [3, 100, '']);
	assert.equal(await daemon.stop(), 0);
});

test('an unrequested complete roster interrupts no stream', async (t) => {
	const folder = scratch(t);
	const file = path.join(folder, 'take.mcap');
	const daemon = await start('--source', 'demo:wave');
	const between = await relay(t, daemon.url);
	const { child, ended } = record(t, { url: between.url }, file);
	await grown(file, 20000);
	between.join();
	await until('the roster', () => between.heard('roster').filter(({ bodies }) => bodies).length === 2);
	await grown(file, statSync(`${file}.part`).size + 10000);
	child.kill('SIGINT');
	const { status, stderr } = await ended;
	assert.equal(status, 0, stderr);
	// A client without the state of a stream requests a keyframe.
	assert.deepEqual(between.said('keyframe'), []);
	assert.equal(await daemon.stop(), 0);
	const rosters = json(await readMessages(file), 'roster');
	assert.ok(rosters.length >= 2 && rosters.every(({ bodies }) => bodies.length === 1));
});

test('a terminal that is closed leaves a file that is whole', async (t) => {
	const folder = scratch(t);
	const file = path.join(folder, 'take.mcap');
	const daemon = await start('--source', 'demo:wave');
	const { child, ended } = record(t, daemon, file);
	await grown(file, 25000);
	child.kill('SIGHUP');
	const { status, stderr } = await ended;
	assert.equal(status, 0, stderr);
	assert.equal(await daemon.stop(), 0);
	assert.deepEqual(readdirSync(folder), ['take.mcap']);
	assert.ok(captures(await readMessages(file)).length > 20);
});

test('a body without consent is present and not recorded', async (t) => {
	const folder = scratch(t);
	const file = path.join(folder, 'take.mcap');
	const daemon = await start();
	const people = await publish(daemon.url, { name: 'ada', mayRecord: true }, { name: 'bob' });
	const { child, ended } = record(t, daemon, file);
	// Chunks that were open at either moment have been closed since.
	const twice = async () => {
		for (let i = 0; i < 2; i++)
			await grown(file, (await grown(file, 1)) + 300);
	};
	await twice();
	people.ws.send(JSON.stringify({ type: 'consent', publication: 1, mayRecord: true }));
	people.ws.send(JSON.stringify({ type: 'consent', publication: 0 }));
	await twice();
	child.kill('SIGTERM');
	assert.equal((await ended).status, 0);
	people.end();
	assert.equal(await daemon.stop(), 0);
	const messages = await readMessages(file);
	let allowed = [];
	const seen = new Set();
	for (const { topic, data } of messages) {
		if (topic === 'roster') {
			const { bodies } = JSON.parse(data);
			allowed = bodies.filter(({ recorded }) => recorded !== 'nothing').map(({ id }) => id);
			assert.ok(bodies.every(({ recorded, name }) => name === '' || recorded !== 'nothing'));
		}
		for (const { body } of captures([{ topic, data }])) {
			assert.ok(allowed.includes(body));
			seen.add(body);
		}
	}
	assert.equal(seen.size, 2);
	let names = [];
	for (const { topic, data } of messages) {
		const message = /^(roster|scene|transforms)$/.test(topic) ? JSON.parse(data) : {};
		names = message.bodies?.filter(({ name }) => name).map(({ name }) => `lobby/${name}`) ?? names;
		for (const id of [...message.entities?.map(({ id }) => id) ?? [],
			...message.transforms?.slice(1).map(({ child_frame_id: id }) => id) ?? []])
			assert.ok(names.includes(id.split('/').slice(0, 2).join('/')), `${topic}: ${id}`);
	}
	assert.ok(json(messages, 'scene').length >= 3);
	assert.ok(json(messages, 'roster').some(({ bodies }) => bodies.length === 2 && bodies.filter(({ name }) => name === 'ada').length === 1));
});

test('a daemon that ends leaves a complete recording of what it sent', async (t) => {
	const folder = scratch(t);
	const file = path.join(folder, 'take.mcap');
	const daemon = await start('--source', 'demo:walk');
	const { ended } = record(t, daemon, file, '--reconnect', '0');
	await grown(file, 25000);
	assert.equal(await daemon.stop('SIGKILL'), 'SIGKILL');
	const { status, stderr } = await ended;
	assert.equal(status, 3);
	assert.match(stderr, /^jointcast: ws:.*\n$/);
	assert.ok(captures(await readMessages(file)).length > 20);
});

test('the tool starts a recording of the daemon and adds markers', async (t) => {
	const folder = scratch(t);
	const config = path.join(folder, 'conf');
	writeFileSync(config, `recording { folder = "${folder}" }`);
	const daemon = await start('--config', config, '--source', 'demo:walk');
	const order = (...parameters) => spawnSync(jointcast, ['record', daemon.url, ...parameters], { encoding: 'utf8' });
	assert.equal(order('--state').stdout, 'stopped\n');
	assert.equal(order('--start', '--name', 'take-7').stdout, 'recording: 0 captures, 0 bytes, 0 dropped\n');
	assert.match(order('--start').stderr, /^jointcast: ws:.*recorded already\n$/);
	let said = '';
	while (!/^recording take-7-\d{8}T\d{6}Z-0\.mcap\.part: \d+ captures, \d+ bytes, 0 dropped\n$/.test(said)) {
		await sleep(100);
		said = order('--state').stdout;
	}
	assert.equal(order('--mark', 'a "bow"').status, 0);
	assert.match(order('--stop').stdout, /^stopped take-7-\d{8}T\d{6}Z-0\.mcap\n$/);
	assert.equal(order('--raw', '--start').status, 3); // the configuration does not
	for (const parameters of [['--start', '--stop'], ['--mark'], ['--state', '--name', 'x'], ['--raw', '-o', 'x'], ['--start', '-o', 'x']])
		assert.equal(order(...parameters).status, 2, parameters.join(' '));
	assert.equal(await daemon.stop(), 0);
	const [name] = readdirSync(folder).filter((entry) => entry.startsWith('take-7'));
	const messages = await readMessages(path.join(folder, name));
	assert.deepEqual(json(messages, 'event').map(({ event, text }) => [event, text]), [['marker', 'a "bow"']]);
});

test('a failure is reported in one line and leaves no file', async (t) => {
	const folder = scratch(t);
	const daemon = await start('--source', 'demo:walk');
	writeFileSync(path.join(folder, 'left.mcap.part'), 'x');
	for (const [status, ...parameters] of [[2], [2, daemon.url], [2, daemon.url, 'b', '-o', 'c'],
		[3, daemon.url, '-o', path.join(folder, 'left.mcap')], [3, daemon.url, '-o', path.join(folder, 'no', 'where.mcap')],
		[3, daemon.url, '--space', 'nowhere', '-o', path.join(folder, 'new.mcap')],
		[3, 'ws://127.0.0.1:1', '-o', path.join(folder, 'new.mcap')]]) {
		const result = spawnSync(jointcast, ['record', ...parameters], { encoding: 'utf8' });
		assert.equal(result.status, status, parameters.join(' '));
		assert.match(result.stderr, /^jointcast: .*\n$/);
	}
	assert.deepEqual(readdirSync(folder), ['left.mcap.part']);
	assert.equal(await daemon.stop(), 0);
});
