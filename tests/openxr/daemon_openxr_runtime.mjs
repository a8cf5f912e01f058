// Faults of real runtimes: they die while reporting success, hang, lose instances, or are
// absent. Tests wait for states instead of times; the mock counts calls, and errors of the
// client fail the test at its end (mock.mjs).
import assert from 'node:assert/strict';
import path from 'node:path';
import { mkdirSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { begin, binary, devices, ERROR, LIVE, newest, scratch, startThrough, subscribe } from './mock.mjs';
import { until } from '../e2e/support/until.mjs';

test('a source becomes stale by its time if its device stops', async (t) => {
	const { mock, daemon } = await begin(t);
	const client = await subscribe(t, daemon);
	await daemon.is('live', LIVE);
	// isActive stays 1, flags 0xf, confidence 1; joints and time stand still.
	await mock.tell('freeze');
	await daemon.is('stale', /^'mock': meta body: joints have not changed for \d+ s: wake the headset, or start SlimeVR$/);
	await until('the body is stale', () => client.body.state === 'stale');
	await mock.tell('run');
	await daemon.is('live', LIVE);
	await until('the body is live', () => client.body.state === 'live');
	assert.equal((await daemon.source()).losses, 0);
});

test('the head stays live while the body is stale', async (t) => {
	const folder = scratch(t);
	const file = devices(folder, { view: () => [0, 1.63, 0.085, 0, 1, 0, 0] });
	const { mock, daemon } = await begin(t, { script: [`play devices ${file}`] });
	await daemon.is('live', /meta body.*, head/);
	await mock.tell('freeze');
	await daemon.is('live', /^'mock': head; meta body: joints have not changed/);
});

test('an inactive body delivers no joints, and old joints are not reused', async (t) => {
	const { mock, daemon } = await begin(t);
	await daemon.is('live', LIVE);
	// Neither time nor confidence nor the legs' flags are written: mock.mjs fails
	// the test when the client did not clear them before.
	await mock.tell('set active 0');
	await daemon.is('stale', /nobody is tracked/);
	const { frames: taken } = await daemon.source();
	await mock.called('xrLocateBodyJointsFB', 5);
	assert.equal((await daemon.source()).frames, taken, 'frames of nobody were taken in');
	await mock.tell('set active 1');
	await daemon.is('live', LIVE);
});

test('BD that claims support but locates nothing counts as no person', async (t) => {
	const { mock, daemon } = await begin(t, { offer: 'XR_BD_body_tracking', script: ['set flags 0'] });
	await daemon.is('waiting', /nobody is tracked/);
	await mock.called('xrLocateBodyJointsBD', 5);
	assert.equal((await daemon.source()).frames, 0);
});

test('a position without its valid bit is not the origin', async (t) => {
	const { mock, daemon } = await begin(t);
	const client = await subscribe(t, daemon);
	await daemon.is('live', LIVE);
	await until('packets come', () => client.body.timeline.received > 5);
	// Orientation valid and tracked, position neither: it reads 0, 0, 0.
	await mock.tell('set flags 5');
	await daemon.is('stale', /nobody is tracked/);
	assert.ok(Math.abs(newest(client).hips[1]) < 0.3, 'the hips fell to the origin');
});

test('joints that are valid but not tracked are estimated', async (t) => {
	const { mock, daemon } = await begin(t, { script: ['set flags 3'] });
	const client = await subscribe(t, daemon);
	await daemon.is('live', LIVE);
	const isTracked = (state) => state === 2;
	await until('no bone is tracked', () => newest(client) && !newest(client).states?.some?.(isTracked));
	await mock.tell('set flags 15');
	await daemon.is('live', LIVE);
});

test('a valid root has no effect', async (t) => {
	const { mock, daemon } = await begin(t, { script: ['hold 0.5'] });
	const client = await subscribe(t, daemon);
	await daemon.is('live', LIVE);
	await until('the body stands', () => client.body.timeline.received > 30);
	const before = [...newest(client).rotations];
	await mock.tell('set root_valid 1');
	await mock.called('xrLocateBodyJointsFB', 20);
	const received = client.body.timeline.received;
	await until('packets come', () => client.body.timeline.received > received + 20);
	assert.deepEqual([...newest(client).rotations], before);
});

for (const [name, code, fade] of [
	['RUNTIME_FAILURE', ERROR.RUNTIME_FAILURE, 0],
	['RUNTIME_UNAVAILABLE', ERROR.RUNTIME_UNAVAILABLE, 0],
	['RUNTIME_UNAVAILABLE, after a frame of flags 0', ERROR.RUNTIME_UNAVAILABLE, 3],
]) {
	test(`a service that is killed and restarted, ${name} meanwhile`, async (t) => {
		const { mock, daemon } = await begin(t, { script: [`set fade ${fade}`] });
		const client = await subscribe(t, daemon);
		await daemon.is('live', LIVE);
		await mock.tell(`down ${code}`);
		await daemon.is('lost', /^'mock' is gone \(XR_ERROR_/);
		await mock.called('xrCreateInstance', 3);
		await daemon.is('lost', /^'mock' is gone/);
		// XrTime restarts: a time of the old epoch fails the test.
		await mock.tell('up');
		await daemon.is('live', LIVE);
		await until('the body is live', () => client.body.state === 'live');
		assert.equal((await daemon.source()).losses, 1);
		assert.equal(daemon.log.match(/openxr: lost/g).length, 1, daemon.log);
	});
}

test('a service that is killed again and again is found again', async (t) => {
	const { mock, daemon } = await begin(t);
	for (let i = 1; i <= 3; i++) {
		await daemon.is('live', LIVE);
		await mock.tell('down -51');
		await daemon.is('lost');
		await mock.tell('up');
		await until('the loss is counted', async () => (await daemon.source()).losses === i);
	}
	await daemon.is('live', LIVE);
});

test('a lost session is created again with the same instance', async (t) => {
	const { mock, daemon } = await begin(t);
	await daemon.is('live', LIVE);
	const instances = await mock.count('xrCreateInstance');
	const sessions = await mock.count('xrCreateSession');
	await mock.tell('lose-session');
	await until('another session', async () => await mock.count('xrCreateSession') > sessions);
	await daemon.is('live', LIVE);
	assert.equal(await mock.count('xrCreateInstance'), instances);
	assert.equal((await daemon.source()).losses, 1);
});

test('without a display the client does not wait for frames', async (t) => {
	const { mock, daemon } = await begin(t);
	await daemon.is('live', LIVE);
	await mock.called('xrLocateBodyJointsFB', 50);
	const { calls } = await mock.ask();
	assert.deepEqual(['xrWaitFrame', 'xrBeginFrame', 'xrEndFrame'].filter((name) => calls[name]), []);
});

/* Calls that hang */

for (const function_ of ['xrLocateBodyJointsFB', 'xrPollEvent', 'xrCreateInstance'])
	test(`a hanging ${function_} stops nothing else`, async (t) => {
		const script = function_ === 'xrCreateInstance' ? [`block ${function_} forever`] : [];
		const { mock, daemon } = await begin(t, { script, options: ['--source', 'demo:wave?name=other'] });
		if (!script.length) {
			await daemon.is('live', LIVE);
			await mock.tell(`block ${function_} forever`);
		}
		await daemon.is('stale', /the runtime does not answer/);
		const client = await subscribe(t, daemon);
		const other = await until('the other enters',
			() => [...client.bodies.values()].find(({ name }) => name === 'other'));
		await until('the other moves on', () => other.timeline.received > 60);
		await mock.tell('release');
		await daemon.is('live', LIVE);
	});

test('a call of a few seconds is a gap, not a loss', async (t) => {
	const { mock, daemon } = await begin(t);
	await daemon.is('live', LIVE);
	await mock.tell('block xrLocateBodyJointsFB 700');
	await mock.called('xrLocateBodyJointsFB', 2);
	await mock.tell('release');
	await daemon.is('live', LIVE);
	assert.equal((await daemon.source()).losses, 0);
});

test('a call that never returns does not keep the daemon from ending', async (t) => {
	const { mock, daemon } = await begin(t, { check: false });
	await daemon.is('live', LIVE);
	await mock.tell('block xrLocateBodyJointsFB forever');
	await daemon.is('stale', /the runtime does not answer/);
	assert.equal(await daemon.stop(), 0, daemon.log);
});

/* Machines without OpenXR */

/** A daemon whose OpenXR source finds nothing, and a demo beside it that runs on. */
async function without(t, environment) {
	const daemon = await startThrough('env', ...environment, binary, '--listen', '127.0.0.1:0',
		'--admin', '127.0.0.1:0', '--source', 'openxr:', '--source', 'demo:wave?name=other');
	t.after(async () => assert.equal(await daemon.stop(), 0, daemon.log));
	const client = await subscribe(t, daemon);
	const other = await until('the other enters',
		() => [...client.bodies.values()].find(({ name }) => name === 'other'));
	await until('the other moves', () => other.timeline.received > 60);
	const ask = async () => (await (await fetch(`http://127.0.0.1:${daemon.admin}/status`)).json())
		.spaces[0].waiting.find(({ source }) => source.kind === 'openxr').source;
	await until('the source has looked', async () => (await ask()).detail);
	assert.equal(daemon.log.match(/openxr:/g).length, 1, `more than one line:\n${daemon.log}`);
	return { daemon, source: await ask() };
}

test('without a loader the daemon continues and reports it once', async (t) => {
	const folder = path.join(scratch(t), 'broken');
	// The dynamic linker takes the first file of that name and finds nothing in it.
	mkdirSync(folder);
	writeFileSync(path.join(folder, 'libopenxr_loader.so.1'), '');
	const { daemon, source } = await without(t, [`LD_LIBRARY_PATH=${folder}`]);
	assert.equal(source.condition, 'waiting');
	assert.match(source.detail, /^no OpenXR loader/);
	assert.match(daemon.log, /openxr: waiting: no OpenXR loader/);
});

test('without a runtime the daemon continues and reports it once', async (t) => {
	const { daemon, source } = await without(t, ['XR_RUNTIME_JSON=/nonexistent/runtime.json']);
	assert.equal(source.condition, 'waiting');
	assert.match(source.detail, /^no OpenXR runtime/);
	assert.match(daemon.log, /openxr: waiting: no OpenXR runtime/);
});
