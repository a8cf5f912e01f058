// A runtime reports joints although nobody is there: the body holds its pose, goes to rest and leaves
// the space, and enters again with the next motion of a person. A client checks each step.
import assert from 'node:assert/strict';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import test from 'node:test';
import { connect } from '../../clients/js/index.js';
import { angle, begin, BONES, ERROR, frames, HEADLESS, LIVE, META, Mock, newest, scratch, stance, stands,
	startThrough, subscribe, under, binary } from './mock.mjs';
import { until } from '../e2e/support/until.mjs';

const MOTION = 'demo:wave';
const PRESENCE = 'XR_EXT_user_presence';
/** Seconds, the least that the configuration takes. */
const LIMIT = 2;
const SINE = Math.sin((74 / 2) * (Math.PI / 180));
const COSINE = Math.cos((74 / 2) * (Math.PI / 180));
/** Upper arms of a person at rest hang 74 degrees below the T-pose. */
const REST = { leftUpperArm: [0, 0, -SINE, COSINE], rightUpperArm: [0, 0, SINE, COSINE] };

/** A configuration file with the time after which bodies leave. */
function limited(t, seconds = LIMIT) {
	const file = path.join(scratch(t), 'jointcastd.conf');
	writeFileSync(file, `spaces { leave_after = ${seconds} }\n`);
	return file;
}

/** A mock that holds one pose, a daemon whose bodies leave soon, and a client that follows the roster. */
async function scene(t, { stream = 'fb', profile = 'meta', offer = META, script = [], live = LIVE,
	seconds = LIMIT, options = [], check } = {}) {
	const played = frames(scratch(t), MOTION, profile);
	const moment = played.times[1];
	const hold = `hold ${moment}`;
	const mock = await Mock.begin(t, `offer ${HEADLESS} ${offer} ${PRESENCE}`,
		`play ${stream} ${played.file}`, hold, ...script);
	const config = limited(t, seconds);
	const daemon = await under(t, mock, { options: ['--config', config, ...options], check });
	await daemon.is('live', live);
	const client = await follow(t, daemon);
	const wanted = stance(MOTION, moment);
	const isCounted = (bone) => /(Upper|Lower)(Arm|Leg)$|hips/.test(bone);
	return { mock, daemon, client, config, hold, stands: () => stands(client, wanted, isCounted) };
}

/** A client with the changes of its roster, in their order. */
async function follow(t, daemon) {
	const client = await subscribe(t, daemon);
	client.seen = [];
	client.on('roster', ({ joined, left, changed }) => {
		client.seen.push(...left.map(({ id }) => `left ${id}`), ...joined.map(({ id }) => `joined ${id}`),
			...changed.map(({ id, state }) => `${state} ${id}`));
	});
	return client;
}

/** The body goes to rest, is stale, and leaves; its last packets show it at rest. */
async function leaves(client) {
	const { id } = client.body;
	await until('the body leaves', () => client.seen.includes(`left ${id}`));
	assert.equal(client.bodies.size, 0);
	assert.deepEqual(client.seen, [`stale ${id}`, `left ${id}`]);
	const { rotations } = newest(client);
	for (const [bone, rest] of Object.entries(REST)) {
		const i = BONES.indexOf(bone);
		const off = angle(rest, [...rotations.subarray(4 * i, 4 * i + 4)]);
		assert.ok(off < 0.5, `${bone} is ${off} degrees from rest`);
	}
}

/** Another body of that name enters, with the pose of the person. */
async function returns(client, stood) {
	const before = client.body;
	client.body = await until('a body enters', () => [...client.bodies.values()][0]);
	assert.notEqual(client.body.id, before.id);
	assert.equal(client.body.name, before.name);
	assert.deepEqual(client.body.placement, before.placement);
	await until('it is live', () => client.body.state === 'live');
	await until('it has a pose', () => client.body.timeline.received > 0);
	await stood();
}

const FADES = [
	{ name: 'nobody wears the headset', gone: 'present 0', back: ['present 1'],
		condition: 'stale', says: /^'mock': nobody wears the headset: put it on$/ },
	{ name: 'joints stand still', gone: 'freeze', back: ['run', 'HOLD'],
		condition: 'stale', says: /: joints have not changed for \d+ s: wake the headset, or start SlimeVR$/ },
	{ name: 'the calibration is invalid', gone: 'set calibration 3', back: ['set calibration 1'],
		condition: 'stale', says: /^'mock': the runtime's body calibration is invalid: calibrate in the headset$/ },
	{ name: 'nobody is tracked', gone: 'set active 0', back: ['set active 1'],
		condition: 'stale', says: /nobody is tracked/ },
	{ name: 'the runtime has ended', gone: 'down', back: ['up'], condition: 'lost', says: /is gone/ },
	{ name: 'the trackers of PICO are not calibrated', gone: 'set bd_status 0',
		back: ['set bd_status 1'], condition: 'stale',
		says: /^'mock': the body trackers are not calibrated: calibrate in the headset$/,
		stream: 'bd', profile: 'pico', offer: 'XR_BD_body_tracking XR_BD_body_tracking_auxiliary_metrics',
		script: ['set bd_message 1'], live: /bd body, 24 joints/ },
];

for (const { name, gone, back, condition, says, ...rest } of FADES)
	test(`a body rests, leaves and returns: ${name}`, async (t) => {
		const { mock, daemon, client, hold, stands: stood } = await scene(t, rest);
		await stood();
		await mock.tell(gone);
		await daemon.is(condition, says);
		const { frames: taken } = await daemon.source();
		await leaves(client);
		assert.equal((await daemon.source()).frames, taken, 'frames of nobody were taken');
		for (const command of back)
			await mock.tell(command === 'HOLD' ? hold : command);
		await daemon.is('live', rest.live ?? LIVE);
		await returns(client, stood);
	});

test('each state of the trackers of PICO has its remedy', async (t) => {
	const played = frames(scratch(t), MOTION, 'pico');
	const mock = await Mock.begin(t,
		`offer ${HEADLESS} XR_BD_body_tracking XR_BD_body_tracking_auxiliary_metrics`,
		`play bd ${played.file}`, 'set bd_status 0');
	const daemon = await under(t, mock);
	for (const [message, remedy] of [
		[0, /tracking is invalid: calibrate/], [1, /not calibrated: calibrate/], [2, /missing: connect/],
		[3, /not in tracking mode: end its charging/], [4, /does not see a body tracker: look/],
		[5, /wrong data: restart/], [6, /another person .*: calibrate/], [7, /tracking is invalid: calibrate/],
	]) {
		await mock.tell(`set bd_message ${message}`);
		await daemon.is('waiting', remedy);
	}
	assert.equal((await daemon.source()).frames, 0);
	await mock.tell('set bd_status 2');
	await daemon.is('live', /bd body, 24 joints/);
});

test('a person who returns before the limit keeps the body', async (t) => {
	const { mock, daemon, client, stands: stood } = await scene(t, { seconds: 86400 });
	const { id } = client.body;
	await mock.tell('present 0');
	await daemon.is('stale', /nobody wears/);
	await until('the body is stale', () => client.seen.includes(`stale ${id}`));
	await mock.tell('present 1');
	await daemon.is('live', LIVE);
	await until('the body is live', () => client.seen.includes(`live ${id}`));
	await stood();
	assert.deepEqual(client.seen, [`stale ${id}`, `live ${id}`]);
});

test('a session that begins without a person waits for one', async (t) => {
	const played = frames(scratch(t), MOTION, 'meta');
	const mock = await Mock.begin(t, `offer ${HEADLESS} ${META} ${PRESENCE}`, `play fb ${played.file}`,
		'present 0');
	const daemon = await under(t, mock);
	await daemon.is('waiting', /^'mock': nobody wears the headset: put it on$/);
	await mock.called('xrLocateBodyJointsFB', 3);
	assert.equal((await daemon.source()).frames, 0);
	await mock.tell('present 1');
	await daemon.is('live', LIVE);
});

test('without the extension a person counts as present', async (t) => {
	const { mock, daemon } = await begin(t);
	await daemon.is('live', LIVE);
	await mock.tell('present 0');
	await mock.called('xrLocateBodyJointsFB', 90);
	await daemon.is('live', LIVE);
	assert.ok(!(await mock.ask()).enabled.includes(PRESENCE));
});

test('a runtime that lists the extension but refuses it is used without it', async (t) => {
	const { mock, daemon } = await begin(t, { offer: `${META} ${PRESENCE}`, script: [`deny ${PRESENCE}`] });
	await daemon.is('live', LIVE);
	assert.equal((await daemon.source()).detail, '\'mock\': meta body, 84 joints, high fidelity, calibrated; '
		+ `without ${PRESENCE} (XR_ERROR_EXTENSION_NOT_PRESENT)`);
	assert.deepEqual((await mock.ask()).enabled.sort(), `${HEADLESS} ${META}`.split(' ').sort());
});

test('a reload changes the limit', async (t) => {
	const { mock, daemon, client, config } = await scene(t, { seconds: 86400 });
	const { id } = client.body;
	await mock.tell('present 0');
	await until('the body is stale', () => client.seen.includes(`stale ${id}`));
	writeFileSync(config, `spaces { leave_after = ${LIMIT} }\n`);
	daemon.child.kill('SIGHUP');
	await leaves(client);
});

test('a recording and its replay contain the absence', async (t) => {
	const folder = path.join(scratch(t), 'recordings');
	const { mock, daemon, client, stands: stood } = await scene(t, { options: ['--record', folder], check: false });
	await mock.tell('present 0');
	await leaves(client);
	await mock.tell('present 1');
	await returns(client, stood);
	await daemon.end();
	const [file] = readdirSync(folder);
	const replay = await startThrough(binary, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0',
		'--source', `replay:${path.join(folder, file)}?loop=0`);
	t.after(() => replay.stop());
	const watcher = await follow(t, replay);
	const { id, name } = watcher.body;
	await until('the first body leaves', () => watcher.seen.includes(`left ${id}`));
	watcher.body = await until('the second one enters', () => [...watcher.bodies.values()][0]);
	assert.equal(watcher.body.name, name);
	await until('it moves', () => watcher.body.timeline.received > 0);
});

test('a VMC program gets no pose of a body that has left', async (t) => {
	const socket = dgram.createSocket('udp4').unref();
	socket.bind(0, '127.0.0.1');
	await once(socket, 'listening');
	t.after(() => socket.close());
	let count = 0;
	let tracked;
	socket.on('message', (packet) => {
		const at = packet.indexOf('/VMC/Ext/OK\0');
		if (at >= 0) {
			// Address and ",iiii" in multiples of four bytes; the last integer is the tracking status.
			tracked = packet.readInt32BE(at + 12 + 8 + 12);
		}
		count++;
	});
	const { mock, client, stands: stood } = await scene(t,
		{ options: ['--vmc-out', `127.0.0.1:${socket.address().port}`] });
	await until('packets say that it is tracked', () => tracked === 1);
	await mock.tell('present 0');
	await leaves(client);
	assert.equal(tracked, 0);
	await mock.called('xrPollEvent', 2); // packets may still be on their way
	const before = count;
	await mock.called('xrPollEvent', 5);
	assert.equal(count, before, 'packets of nobody');
	await mock.tell('present 1');
	await returns(client, stood);
	await until('packets say that it is tracked again', () => tracked === 1);
});

// Packages stand where the end-to-end tests are.
const WebSocket = createRequire(new URL('../e2e/package.json', import.meta.url))('ws');
const SOURCES = 'XR_EXT_hand_tracking XR_EXT_hand_tracking_data_source';
const FINGER = BONES.indexOf('leftIndexProximal');

/** A daemon under a mock that plays hands alone, and a client. */
async function hands(t, offer, ...script) {
	const played = frames(scratch(t), MOTION, 'webxr-spec');
	const mock = await Mock.begin(t, `offer ${HEADLESS} ${offer}`, `play hands ${played.file}`, ...script);
	const daemon = await under(t, mock);
	await daemon.is('live', /hands/);
	// Only coding 2 has the states of bones.
	const client = connect(daemon.url, { WebSocket, codings: [2] });
	t.after(() => client.close());
	const becomes = (state) => until(`the state of a finger is ${state}`, () => {
		client.body = [...client.bodies.values()][0];
		return client.body && newest(client)?.states[FINGER] === state;
	});
	return { mock, daemon, becomes };
}

test('hands that the runtime derives from controllers are estimated', async (t) => {
	const { mock, becomes } = await hands(t, SOURCES);
	await becomes(2);
	await mock.tell('set hand_source 2');
	await becomes(1);
	await mock.tell('set hand_source 1');
	await becomes(2);
});

test('hands of no accepted source are no hands', async (t) => {
	const { mock, daemon, becomes } = await hands(t, SOURCES);
	await becomes(2);
	await mock.tell('set hand_source 0');
	await daemon.is('stale', /nobody is tracked/);
});

test('the source of hands is not asked for without the extension', async (t) => {
	const { mock, becomes } = await hands(t, 'XR_EXT_hand_tracking', 'set hand_source 2');
	await becomes(2);
	assert.deepEqual((await mock.ask()).chained, ['hand_properties']);
});

for (const structure of ['hand_source_info', 'hand_source_state'])
	test(`hands arrive although ${structure} is refused`, async (t) => {
		const { mock, daemon, becomes } = await hands(t, SOURCES, 'set hand_source 2',
			`refuse ${structure} ${ERROR.FEATURE_UNSUPPORTED}`);
		await becomes(2);
		assert.equal((await daemon.source()).detail,
			'\'mock\': hands, without data source (XR_ERROR_FEATURE_UNSUPPORTED)');
		const { refused } = await mock.ask();
		await mock.called('xrLocateHandJointsEXT', 20);
		assert.equal((await mock.ask()).refused, refused);
	});
