// Motion files that a client sends: they play to this client alone, in a private space, and are refused
// in one line where they cannot be played.
//
// usage: daemon_motion.mjs JOINTCASTD JOINTCAST
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import WebSocket from 'ws';
import { BONES, connect } from '../../../clients/js/index.js';
import { Client } from '../support/client.mjs';
import { scratch, start } from '../support/daemon.mjs';
import { makeBvh } from '../support/fixtures.mjs';
import { secret, token } from '../support/token.mjs';
import { until } from '../support/until.mjs';
import { exchange } from '../support/websocket_bytes.mjs';

const JOINTCAST = process.argv[3];
/** Degrees: precision 'fine', poses as recordings store them. */
const ROTATION_ERROR = 0.06 + 0.02;

async function stage(t, ...options) {
	const daemon = await start(...options);
	t.after(() => daemon.child.kill('SIGKILL'));
	return daemon;
}

/** The status and the text of an answer to PUT. */
async function put(daemon, target, bytes, headers = {}) {
	const response = await fetch(`http://127.0.0.1:${daemon.port}/motions/${target}`, { method: 'PUT', body: bytes, headers });
	return [response.status, await response.text()];
}

/** Joins a space; resolves when it has a replay. */
async function watch(t, daemon, space) {
	const client = connect(daemon.url, { WebSocket, space, precision: 'local' });
	t.after(() => client.close());
	await until('the replay is listed', () => client.replays.list.length === 1);
	return client;
}

/** Degrees between two rotations. */
function angle(a, b, at) {
	const dot = Math.abs(a.reduce((sum, x, i) => sum + x * b[at + i], 0));
	return 2 * Math.acos(Math.min(1, dot)) * (180 / Math.PI);
}

/** Degrees between the pose of the only body and that of the command line at a time of the file. */
function difference(client, file, time) {
	const text = execFileSync(JOINTCAST, ['retarget', file, 'humanoid', '--json', '--times', String(time)]);
	const [{ bones }] = JSON.parse(text).frames;
	const { rotations } = [...client.bodies.values()][0]?.sample() ?? {};
	return rotations ? Math.max(...Object.entries(bones)
		.map(([bone, { relative }]) => angle(relative, rotations, 4 * BONES.indexOf(bone)))) : Infinity;
}

function makeFiles(t) {
	const folder = scratch(t);
	const bvh = path.join(folder, 'walk.bvh');
	const vrma = path.join(folder, 'wave.vrma');
	writeFileSync(bvh, makeBvh());
	execFileSync(JOINTCAST, ['convert', 'demo:wave', vrma], { stdio: 'ignore' });
	return [bvh, vrma];
}

const spacesOf = async (daemon) => JSON.parse((await exchange(daemon.admin,
	`GET /status HTTP/1.1\r\nHost: localhost:${daemon.port}\r\n\r\n`)).body).spaces.map(({ name }) => name);

test('BVH and VRMA play in a loop as the command line poses them, and the space ends with the connection', async (t) => {
	const daemon = await stage(t);
	const played = [];
	for (const file of makeFiles(t)) {
		const [status, answer] = await put(daemon, `lobby?name=${path.basename(file)}`, readFileSync(file));
		assert.equal(status, 201, answer);
		const { space } = JSON.parse(answer);
		assert.match(space, /^lobby~\d+$/);
		const client = await watch(t, daemon, space);
		await until('the replay is listed', () => client.replays.list.length > 0); // its module is loaded on demand
		const [replay] = client.replays.list;
		const { duration } = JSON.parse(execFileSync(JOINTCAST, ['inspect', file, '--json'])).motions[0];
		assert.ok(Math.abs(replay.duration - duration) < 0.001, `${replay.duration} s, not ${duration} s`);
		assert.deepEqual([replay.file, replay.loop, replay.state], [path.basename(file), true, 'playing']);
		await until('the body has entered', () => client.bodies.size === 1);
		assert.equal([...client.bodies.values()][0].name, path.parse(file).name);
		await client.replays.pause(replay);
		for (const time of [0.25, 1.5]) {
			await client.replays.seek(replay, time);
			let apart;
			await until(() => `the pose of ${time} s arrives, ${apart} degrees off`, () => {
				apart = difference(client, file, time);
				return apart < ROTATION_ERROR;
			});
		}
		played.push([client, space]);
	}
	// No other visitor learns of the spaces.
	const other = await Client.greeted(daemon);
	assert.deepEqual(other.welcome.spaces, ['lobby']);
	// A third one is one too many, until one closes.
	const [bvh] = makeFiles(t);
	assert.deepEqual(await put(daemon, 'lobby', readFileSync(bvh)), [429, 'too many private spaces\n']);
	played.forEach(([client]) => client.close());
	other.ws.close();
	await until('the spaces are closed', async () =>
		(await spacesOf(daemon)).every((name) => played.every(([, space]) => space !== name)));
	assert.equal(await daemon.stop(), 0);
});

test('files and requests that cannot be played are refused in one line', async (t) => {
	const daemon = await stage(t);
	const [bvh] = makeFiles(t);
	const whole = readFileSync(bvh);
	const external = JSON.stringify({ asset: { version: '2.0' }, buffers: [{ uri: 'http://example.com/a.bin', byteLength: 4 }],
		animations: [{ channels: [], samplers: [] }] });
	for (const [bytes, reason] of [['', /./], ['no motion', /./], [whole.subarray(0, 300), /./], [whole.subarray(0, whole.length / 2), /./],
		[Buffer.alloc(1 << 20), /./], [Buffer.concat([whole.subarray(0, 40), Buffer.from([0xff, 0xfe, 0])]), /./], [external, /./],
		['\x89MCAP0\r\n', /./], [Buffer.concat([Buffer.from('\x89MCAP0\r\n', 'latin1'), whole]), /./]]) {
		const [status, text] = await put(daemon, 'lobby', bytes);
		assert.equal(status, 400, `${String(bytes).slice(0, 20)}: ${text}`);
		assert.match(text, reason);
		assert.equal(text.trim().split('\n').length, 1, text);
	}
	assert.deepEqual(await spacesOf(daemon), ['lobby']);
	for (const [target, status] of [['none', 404], ['lobby~1', 404], ['lobby%00', 400], ['lobby?size=1', 400], [`lobby?name=${'a'.repeat(64)}`, 400],
		['lobby?name=', 400], ['lobby?name=%ff', 400], ['..%2flobby', 404]])
		assert.equal((await put(daemon, target, whole))[0], status, target);
	const large = await exchange(daemon.port,
		`PUT /motions/lobby HTTP/1.1\r\nHost: localhost:${daemon.port}\r\nContent-Length: ${33 << 20}\r\n\r\n`);
	assert.equal(large.status, 413);
	const foreign = await exchange(daemon.port,
		`PUT /motions/lobby HTTP/1.1\r\nHost: localhost:${daemon.port}\r\nOrigin: https://evil.example\r\nContent-Length: 0\r\n\r\n`);
	assert.equal(foreign.status, 403);
	assert.equal((await fetch(`http://127.0.0.1:${daemon.port}/motions/lobby`)).status, 405);
	assert.equal(await daemon.stop(), 0);
});

test('a motion of more frames than the limit is refused', async (t) => {
	const daemon = await stage(t);
	const file = path.join(scratch(t), 'long.csv');
	execFileSync(JOINTCAST, ['convert', 'demo:idle', file, '--fps', '1'], { stdio: 'ignore' });
	// Time and hips: the columns of all bones would exceed the limit of bytes.
	const [head, pose] = readFileSync(file, 'utf8').split('\n').map((line) => line.split(',').slice(0, 8));
	const rows = Array.from({ length: 108001 }, (_, i) => [i, ...pose.slice(1).map((number) => Number(number).toFixed(3))]);
	const [status, text] = await put(daemon, 'lobby', `${[head, ...rows].map((row) => row.join()).join('\n')}\n`);
	assert.equal(status, 400);
	assert.match(text, /108001 frames, more than 108000/);
	assert.equal(await daemon.stop(), 0);
});

test('a motion that would be played too much of in one tick is refused', async (t) => {
	const daemon = await stage(t);
	const [figure, motion] = makeBvh().split('MOTION\n');
	const frame = motion.trim().split('\n')[2];
	const [status, text] = await put(daemon, 'lobby',
		`${figure}MOTION\nFrames: 5000\nFrame Time: 0.00001\n${`${frame}\n`.repeat(5000)}`);
	assert.equal(status, 400);
	assert.equal(text, 'more than 2048 messages or 4 MiB in 0.1 s\n');
	assert.equal(await daemon.stop(), 0);
});

/** A record of an MCAP file. */
function record(opcode, ...fields) {
	const content = Buffer.concat(fields);
	const frame = Buffer.alloc(9);
	frame[0] = opcode;
	frame.writeBigUInt64LE(BigInt(content.length), 1);
	return Buffer.concat([frame, content]);
}
const u64 = (...numbers) => Buffer.from(BigUint64Array.from(numbers, BigInt).buffer);
const MAGIC = Buffer.from('\x89MCAP0\r\n', 'latin1');
const CHUNK_INDEX = 8;

/** The places of the records of one kind, from the beginning of the summary. */
function entriesOf(bytes, opcode) {
	const found = [];
	for (let at = Number(bytes.readBigUInt64LE(bytes.length - 8 - 20)); at < bytes.length - 8; at += 9 + Number(bytes.readBigUInt64LE(at + 1)))
		if (bytes[at] === opcode)
			found.push(at);
	return found;
}

test('a recording is refused before it is unpacked if that could cost more than its size shows', async (t) => {
	const daemon = await stage(t);
	const file = path.join(scratch(t), 'walk.mcap');
	execFileSync(JOINTCAST, ['convert', 'demo:walk', file], { stdio: 'ignore' });
	const whole = readFileSync(file);
	const entries = entriesOf(whole, CHUNK_INDEX);
	assert.ok(entries.length > 1);

	const twice = Buffer.from(whole);
	twice.writeUInt32LE(0, twice.length - 8 - 4); // no CRC of the summary
	const elsewhere = Buffer.from(twice);
	twice.copy(twice, entries[1] + 9 + 16, entries[0] + 9 + 16, entries[0] + 9 + 24);
	elsewhere.writeBigUInt64LE(BigInt(entries[0] + 1), elsewhere.length - 8 - 20);
	const chunk = (bytes) => record(6, u64(0, 0, bytes), Buffer.alloc(4), Buffer.from('\x04\0\0\0zstd'), u64(4), Buffer.alloc(4));
	const large = (count, bytes) => Buffer.concat([MAGIC, record(1, Buffer.alloc(8)), ...Array(count).fill(chunk(bytes)),
		record(15, Buffer.alloc(4)), record(2, Buffer.alloc(20)), MAGIC]);

	for (const [bytes, reason] of [[whole.subarray(0, whole.length - 8), /^was not closed; 'jointcast recover' repairs it$/],
		[whole.subarray(0, whole.length / 2), /^was not closed/], [twice, /^its summary lists no chunk, or one twice/],
		[elsewhere, /^has a summary that begins within a record$/], [large(9, 63 << 20), /^unpacks to more than 512 MiB$/], [large(2, 2 ** 63), /^unpacks to more than 512 MiB$/]]) {
		const [status, text] = await put(daemon, 'lobby', bytes);
		assert.equal(status, 400, text);
		assert.match(text.trim(), reason);
	}
	assert.equal((await put(daemon, 'lobby', whole))[0], 201);
	assert.equal(await daemon.stop(), 0);
});

test('the operator decides whose motions play, without the right to record', async (t) => {
	const folder = scratch(t);
	writeFileSync(path.join(folder, 'key'), secret);
	writeFileSync(path.join(folder, 'conf'), `auth { audience = "world" key "shared" { algorithm = "HS256" file = "${folder}/key" } }
		spaces { motions = {"role:publish", "subject:eve"} }
		space "gallery" { motions = {"nobody"} }`);
	const daemon = await stage(t, '--config', path.join(folder, 'conf'));
	const bytes = readFileSync(makeFiles(t)[0]);
	const as = (sub, ...roles) => ({ Authorization: `Bearer ${token({ sub, roles, spaces: ['lobby', 'gallery'] })}` });
	for (const [headers, status] of [[as('ada', 'watch', 'publish'), 201], [as('eve', 'watch'), 201], [as('bob', 'watch'), 404],
		[as('bob', 'watch', 'record'), 404], [as('bob', 'publish'), 404]])
		assert.equal((await put(daemon, 'lobby', bytes, headers))[0], status);
	assert.equal((await put(daemon, 'gallery', bytes, as('kim', 'watch', 'publish', 'record')))[0], 404);
	const client = await Client.connect(daemon, { token: token({ sub: 'ada', roles: ['watch', 'publish'] }) });
	client.send({ type: 'replay', action: 'list', space: 'lobby' });
	assert.equal((await client.find('error')).code, 'not-allowed', 'recordings stay closed');
	client.end();
	assert.equal(await daemon.stop(), 0);
});

test('with keys, only a token with the role to record plays a motion, and only its subject sees it', async (t) => {
	const folder = scratch(t);
	writeFileSync(path.join(folder, 'key'), secret);
	writeFileSync(path.join(folder, 'conf'), `auth { audience = "world" key "shared" { algorithm = "HS256" file = "${folder}/key" } }`);
	const daemon = await stage(t, '--config', path.join(folder, 'conf'));
	const bytes = readFileSync(makeFiles(t)[0]);
	const as = (sub, ...roles) => ({ Authorization: `Bearer ${token({ sub, roles, spaces: ['lobby'] })}` });
	assert.deepEqual(await put(daemon, 'lobby', bytes), [401, 'no-token\n']);
	for (const headers of [as('ada', 'watch'), as('ada', 'watch', 'publish'), as('ada', 'record')])
		assert.equal((await put(daemon, 'lobby', bytes, headers))[0], 404);
	const [status, answer] = await put(daemon, 'lobby', bytes, as('ada', 'watch', 'record'));
	assert.equal(status, 201, answer);
	const { space } = JSON.parse(answer);
	const roles = ['watch', 'record', 'moderate', 'administer'];
	for (const [sub, type] of [['bob', 'error'], ['ada', 'roster']]) {
		const client = await Client.connect(daemon, { token: token({ sub, roles }) });
		client.send({ type: 'join', space });
		assert.equal((await client.take((message) => ['roster', 'error'].includes(message.type))).type, type, sub);
		client.end();
	}
	assert.equal(await daemon.stop(), 0);
});
