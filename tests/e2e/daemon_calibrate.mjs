// Trackers that lie anyhow, calibrated from outside: by control messages, and by
// `jointcast calibrate`; kept over a restart and undone.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test, { after } from 'node:test';
import WebSocket from 'ws';
import { BodyFrame, TRACKED, captureMessage, encodeBodyFrame } from '../../clients/js/body-frame.js';
import { BONES, connect } from '../../clients/js/index.js';
import { JOINTS } from '../../clients/js/tables.js';
import { Client } from './support/client.mjs';
import { scratch, start } from './support/daemon.mjs';
import { until } from './support/until.mjs';

const jointcast = process.argv[3];
const folder = scratch();
const file = path.join(folder, 'calibration', 'Ada%20L.json');
let daemon = await start('--state', folder, '--source', 'demo:idle?name=idle');
after(async () => assert.equal(await daemon.stop(), 0));

// The built-in figure in the T-pose (proto/joints.json), under axes that lie along the
// world's in every joint but the trunk's bone: those of the draft. The tracker of the
// hips is turned by a right angle about the bone.
const HALF = Math.SQRT1_2;
const WORN = {
	head: [[0, 1.56, 0.01], [-HALF, 0, 0, HALF]],
	'left-hand-wrist': [[0.705, 1.42, -0.005], [0, -HALF, 0, HALF]],
	'right-hand-wrist': [[-0.705, 1.42, -0.005], [0, HALF, 0, HALF]],
	hips: [[0, 1.0, 0.08], [0.5, 0.5, 0.5, 0.5]],
};

/** A person with these trackers, published sixty times a second. */
class Person extends Client {
	worn = structuredClone(WORN);

	static async enter(name = 'Ada L') {
		const person = await Person.greeted(daemon);
		person.send({ type: 'publish', space: 'lobby', publication: 0, name, kind: 'body-frames', height: 1.75 });
		person.id = (await person.find('published')).body;
		person.timer = setInterval(() => person.sendFrame(), 16).unref(); // a failed test does not leave
		return person;
	}

	sendFrame() {
		const frame = new BodyFrame();
		if (this.sways) // from frame to frame: the daemon compares each of them
			this.worn.head[0][0] = 0.2 - this.worn.head[0][0];
		frame.time = this.now();
		for (const [joint, [position, rotation]] of Object.entries(this.worn)) {
			const index = JOINTS.indexOf(joint);
			frame.states[index] = TRACKED;
			frame.positions.set(position, 3 * index);
			frame.rotations.set(rotation, 4 * index);
		}
		this.ws.send(captureMessage(0, encodeBodyFrame(frame)));
	}

	/** Asks for it and waits for the end. */
	async calibrate(fields) {
		this.messages = [];
		this.send({ type: 'calibrate', space: 'lobby', body: this.id, ...fields });
		await until('an answer', () => this.messages.some(({ type, state }) => type === 'error' ||
			(type === 'calibration' && state !== 'counting')));
		return this.messages.filter(({ type }) => type === 'error' || type === 'calibration');
	}

	leave() {
		clearInterval(this.timer);
		this.ws.close();
	}
}

/** Degrees that the hips of a body are turned, as a subscriber sees them. */
function watchHips(id) {
	const client = connect(daemon.url, { WebSocket, codings: [1] });
	return {
		angle() {
			const body = client.bodies.get(id);
			const slot = 4 * BONES.indexOf('hips');
			const w = body?.sample()?.rotations?.[slot + 3];
			return w === undefined ? NaN : 2 * Math.acos(Math.min(1, Math.abs(w))) * 180 / Math.PI;
		},
		close: () => client.close(),
	};
}

/** Runs the tool. */
function run(...parameters) {
	const child = spawn(jointcast, ['calibrate', `http://127.0.0.1:${daemon.port}`, ...parameters],
		{ stdio: ['ignore', 'pipe', 'pipe'] });
	const result = { stdout: '', stderr: '' };
	child.stdout.on('data', (bytes) => (result.stdout += bytes));
	child.stderr.on('data', (bytes) => (result.stderr += bytes));
	return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...result })));
}

const stored = () => JSON.parse(fs.readFileSync(file));

test('a person who stands still in the pose is calibrated, and the calibration is stored', async () => {
	const ada = await Person.enter();
	const eye = watchHips(ada.id);
	await until('hips that are turned', () => eye.angle() > 60);
	const heard = await ada.calibrate({ height: 1.75, countdown: 1 });
	assert.deepEqual(heard.map(({ state, left }) => [state, left]),
		[['counting', 1], ['counting', 0], ['done', undefined]]);
	assert.equal(heard[2].stored, true);
	await until('hips that are straight', () => eye.angle() < 1);
	assert.deepEqual(Object.keys(stored().current.joints).sort(), Object.keys(WORN).sort());
	assert.equal(stored().before, null);
	eye.close();
	ada.leave();
});

test('a calibration applies when the body returns, also after a restart', async () => {
	assert.equal(await daemon.stop(), 0);
	daemon = await start('--state', folder, '--source', 'demo:idle?name=idle');
	const ada = await Person.enter();
	const eye = watchHips(ada.id);
	await until('hips that are straight', () => eye.angle() < 1);
	eye.close();
	ada.leave();
});

test('jointcast calibrate counts down, prints the result, and undoes it', async () => {
	const ada = await Person.enter();
	const eye = watchHips(ada.id);
	ada.worn.hips[1] = WORN.head[1].map((value) => value);
	await until('hips that are turned', () => eye.angle() > 60);
	const done = await run('--body', 'Ada L', '--height', '1.75', '--countdown', '1');
	assert.deepEqual(done, { code: 0, stderr: '', stdout: ' 1  stand in the T-pose\n    stand still\ncalibrated, kept\n' });
	await until('hips that are straight', () => eye.angle() < 1);
	const undone = await run('--body', 'Ada L', '--undo');
	assert.deepEqual(undone, { code: 0, stderr: '', stdout: 'undone, kept\n' });
	await until('hips that are turned', () => eye.angle() > 60);
	const again = await run('--body', 'Ada L', '--undo');
	assert.equal(again.code, 1);
	assert.equal(again.stderr, 'jointcast: Ada L: there is no calibration before this one\n');
	eye.close();
	ada.leave();
});

test('a calibration reports a wrong pose, a moving person and missing frames', async () => {
	const ada = await Person.enter();
	const before = fs.readFileSync(file);
	ada.send({ type: 'join', space: 'lobby' });
	await ada.find('roster', ({ bodies = [], joined = [], changed = [] }) =>
		[...bodies, ...joined, ...changed].some(({ id, state }) => id === ada.id && state === 'live'));
	const why = async (fields) => (await ada.calibrate(fields)).at(-1).reason;
	assert.match(await why({ height: 1.75, pose: 'i', countdown: 0 }), /is \d\.\d\d m from where the I-pose has it$/);
	ada.sways = true;
	assert.equal(await why({ height: 1.75, countdown: 0 }), 'head did not stay still');
	ada.sways = false;
	clearInterval(ada.timer);
	await new Promise((resolve) => setTimeout(resolve, 400));
	assert.equal(await why({ height: 1.75, countdown: 0 }), 'nothing comes from the trackers');
	assert.deepEqual(fs.readFileSync(file), before);
	const told = await run('--body', 'Ada L', '--height', '1.75', '--countdown', '0');
	assert.equal(told.code, 1);
	assert.equal(told.stderr, 'jointcast: Ada L: nothing comes from the trackers\n');
	ada.leave();
});

test('answers invalid requests with an error', async () => {
	const ada = await Person.enter('Bob');
	const code = async (fields) => (await ada.calibrate(fields)).at(-1).code;
	assert.equal(await code({ body: 99, height: 1.75 }), 'unknown-body');
	assert.equal(await code({ body: 1, height: 1.75 }), 'unsupported');
	assert.equal(await code({ space: 'attic', height: 1.75 }), 'unknown-space');
	for (const fields of [{}, { height: 0.4 }, { height: '1.7' }, { height: 1.7, pose: 'a' }, { height: 1.7, pose: 1 },
		{ height: 1.7, countdown: 61 }, { height: 1.7, countdown: 1.5 }, { height: 1.7, body: 'Bob' },
		{ height: 1.7, undo: 1 }])
		assert.equal(await code(fields), 'bad-field', JSON.stringify(fields));
	assert.equal((await run('--body', 'idle', '--height', '1.75')).stderr,
		'jointcast: idle: the source of this body has no joints to calibrate\n');
	assert.equal((await run('--body', 'Cy', '--undo')).stderr,
		'jointcast: Cy: no body has that name in this space\n');
	assert.equal((await run('--body', 'Cy', '--undo', '--space', 'attic')).code, 1);
	ada.leave();
});

test('one calibration runs at a time and ends with its connection', async () => {
	const ada = await Person.enter();
	const before = fs.readFileSync(file);
	ada.send({ type: 'calibrate', space: 'lobby', body: ada.id, height: 1.75, countdown: 1 });
	await ada.find('calibration');
	ada.send({ type: 'calibrate', space: 'lobby', body: ada.id, height: 1.75, countdown: 1 });
	assert.equal((await ada.find('error')).code, 'too-many');
	ada.leave();
	const eva = await Person.enter('Eva');
	await eva.calibrate({ height: 1.75, countdown: 2 });
	assert.deepEqual(fs.readFileSync(file), before);
	eva.leave();
});

test('damaged files are named in the log and ignored', async () => {
	assert.equal(await daemon.stop(), 0);
	fs.writeFileSync(file, '{"jointcast":"calibration","current":{"profile":"x"}}');
	daemon = await start('--state', folder, '--source', 'demo:idle?name=idle');
	const ada = await Person.enter();
	const eye = watchHips(ada.id);
	await until('hips that are turned', () => eye.angle() > 60);
	assert.match(daemon.log, /the calibration of 'Ada L' cannot be used: /);
	eye.close();
	ada.leave();
});
