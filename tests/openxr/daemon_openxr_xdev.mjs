// Trackers by XR_MNDX_xdev_space: their roles from the configuration and from a calibration, the resulting
// pose, and trackers that come and go.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Client } from '../e2e/support/client.mjs';
import { until } from '../e2e/support/until.mjs';
import { ERROR, scratch, subscribe } from './mock.mjs';
import { CALIBRATED, HEAD, LIST, MOVED, ROLES, STANDING, STILL, UNKNOWN, WORN, addition, apart, begin, calibrate, motion, says, stands } from './xdev.mjs';

test('roles by serial and by name from the configuration', async (t) => {
	const { daemon, move } = await begin(t, { options: '&tracker=LHR-1:waist&tracker=LHR-2:left_foot'
		+ '&tracker=SolarXR Tracker right:right_foot' });
	const client = await subscribe(t, daemon);
	await says(daemon, `${HEAD}, 3 trackers: ${ROLES}; trackers are not calibrated: run jointcast calibrate`);
	await stands(client, STANDING);
	await move(MOVED);
	const { hips, foot, way } = await stands(client, MOVED);
	t.diagnostic(`hips ${hips.toFixed(3)}, foot ${foot.toFixed(3)} degrees, ${(way * 1000).toFixed(1)} mm`);
});

test('roles from a calibration, which survive a restart and can be undone', async (t) => {
	const { daemon, move, state } = await begin(t, { worn: WORN });
	const client = await subscribe(t, daemon);
	await says(daemon, `${HEAD}; 3 trackers without a role (${UNKNOWN}): calibrate or set roles`);
	assert.deepEqual(await calibrate(daemon), CALIBRATED);
	await says(daemon, `${HEAD}, 3 trackers: ${ROLES}`);
	await stands(client, STANDING);
	await move(MOVED);
	await stands(client, MOVED);
	const stored = JSON.parse(readFileSync(path.join(state, 'calibration', 'OpenXR.json')));
	assert.deepEqual(stored.current.trackers,
		{ 'LHR-1': 'waist', 'LHR-2': 'left_foot', 'SolarXR Tracker right': 'right_foot' });
	await daemon.end();

	const again = await begin(t, { worn: WORN, how: MOVED, state, list: LIST.toReversed() });
	await says(again.daemon, `${HEAD}, 3 trackers: right foot, left foot, waist`);
	await stands(await subscribe(t, again.daemon), MOVED);
	assert.equal((await calibrate(again.daemon, '--undo')).code, 0);
	await again.daemon.is('live', /; 3 trackers without a role \(.*'\): calibrate or set roles$/);
});

test('a later calibration finds the roles anew', async (t) => {
	const { mock, daemon } = await begin(t, { worn: WORN });
	assert.deepEqual(await calibrate(daemon), CALIBRATED);
	await says(daemon, `${HEAD}, 3 trackers: ${ROLES}`);
	const { waist, left, right } = WORN;
	await mock.tell(`play devices ${motion(scratch(t), { waist, left: right, right: left }, {})}`);
	// A slow machine shows the trackers on their way while the person should stand still.
	let result;
	await until(() => `the new calibration ends: ${JSON.stringify(result)}`, async () => {
		result = await calibrate(daemon);
		return !/did not stay still/.test(result.stderr);
	});
	assert.deepEqual(result, CALIBRATED);
	await says(daemon, `${HEAD}, 3 trackers: waist, right foot, left foot`);
});

for (const [what, lies] of [
	['a quaternion of length 3', [WORN.left[0], [0, 3, 0, 0]]],
	['a distance of 2 km', [[0, 0, 2000], STILL]],
])
	test(`a tracker with ${what} counts as off, and no calibration stores it`, async (t) => {
		const worn = { ...WORN, left: lies };
		const { daemon, state } = await begin(t, { worn });
		await says(daemon, `${HEAD}; 2 trackers without a role ('LHR-1', 'SolarXR Tracker right'): calibrate or set roles`);
		assert.deepEqual(await calibrate(daemon), CALIBRATED);
		await says(daemon, `${HEAD}, 2 trackers: waist, right foot`);
		await daemon.end();
		const again = await begin(t, { worn, state });
		await says(again.daemon, `${HEAD}, 2 trackers: waist, right foot`);
		assert.doesNotMatch(again.daemon.log, /cannot be used/);
	});

test('the configuration goes before a calibration', async (t) => {
	const { daemon, state } = await begin(t, { worn: WORN });
	assert.deepEqual(await calibrate(daemon), CALIBRATED);
	await daemon.end();
	const again = await begin(t, { worn: WORN, state, options: '&tracker=LHR-1:left_foot' });
	await says(again.daemon, `${HEAD}, 2 trackers: left foot, right foot; `
		+ "1 tracker without a role ('LHR-2'): calibrate or set roles");
});

for (const [generations, knob] of [['generations of each list', 'xdev_live 0'],
	['generations of the runtime', 'xdev_live 1'], ['a constant generation', 'xdev_fixed 1']])
	test(`a tracker leaves and returns; ${generations}`, async (t) => {
		const { mock, daemon, move } = await begin(t, { worn: WORN, script: [`set ${knob}`] });
		const client = await subscribe(t, daemon);
		assert.deepEqual(await calibrate(daemon), CALIBRATED);
		await says(daemon, `${HEAD}, 3 trackers: ${ROLES}`);
		await mock.tell('xdev remove /xdev/left');
		await says(daemon, `${HEAD}, 2 trackers: waist, right foot`);
		await mock.tell(addition(LIST[1]));
		await says(daemon, `${HEAD}, 3 trackers: waist, right foot, left foot`);
		await move(MOVED);
		await stands(client, MOVED);
		await mock.tell('xdev remove /xdev/waist');
		await mock.tell('xdev remove /xdev/right');
		await mock.tell('xdev remove /xdev/left');
		await says(daemon, HEAD);
	});

for (const result of [0, ERROR.RUNTIME_FAILURE])
	test(`a tracker that is switched off, locate gives ${result}`, async (t) => {
		const { daemon, move } = await begin(t, { worn: WORN, script: [`set xdev_result ${result}`] });
		assert.deepEqual(await calibrate(daemon), CALIBRATED);
		await says(daemon, `${HEAD}, 3 trackers: ${ROLES}`);
		await move(STANDING, { without: ['left'] });
		await says(daemon, `${HEAD}, 2 trackers: waist, right foot, off: left foot`);
		await move(STANDING, { without: ['waist', 'left', 'right'] });
		await says(daemon, `${HEAD}; 3 trackers without a pose (${UNKNOWN}): switch them on`);
		await move(STANDING);
		await says(daemon, `${HEAD}, 3 trackers: ${ROLES}`);
	});

test('a tracker that is hidden for a moment gives no line in the log', async (t) => {
	const { daemon, move } = await begin(t, { worn: WORN });
	const all = `${HEAD}; 3 trackers without a role (${UNKNOWN}): calibrate or set roles`;
	const some = `${HEAD}; 2 trackers without a role ('LHR-1', 'SolarXR Tracker right'): calibrate or set roles`;
	const lines = () => daemon.log.split('\n').filter((line) => line.includes('openxr: ')).length;
	await says(daemon, all);
	await until('the log', () => daemon.log.includes(all));
	const before = lines();
	for (let i = 0; i < 3; i++) {
		await move(STANDING, { without: ['left'] });
		await says(daemon, some);
		await move(STANDING);
		await says(daemon, all);
	}
	assert.equal(lines(), before, daemon.log);
});

test('an unchanged list is not read again', async (t) => {
	const { mock, daemon } = await begin(t);
	await daemon.is('live', /3 trackers/);
	await mock.called('xrCreateXDevListMNDX', 2);
	const { calls } = await mock.ask();
	assert.equal(calls.xrGetXDevPropertiesMNDX, 3);
	assert.equal(calls.xrCreateXDevSpaceMNDX, 3);
});

test('equal serials: the names tell trackers apart', async (t) => {
	const { daemon } = await begin(t, { options: '&tracker=Tracker A:waist',
		list: [['Tracker%20A', 'LHR-1', 'waist'], ['Tracker%20B', 'LHR-1', 'left']] });
	await says(daemon, `${HEAD}, 1 tracker: waist; 1 tracker without a role ('Tracker B'): `
		+ 'calibrate or set roles; trackers are not calibrated: run jointcast calibrate');
});

test('equal serials and names: no role, and the status says why', async (t) => {
	const { mock, daemon } = await begin(t, { worn: WORN, options: '&tracker=LHR-1:waist',
		list: [['Tracker', 'LHR-1', 'waist'], ['Tracker', 'LHR-1', 'left']] });
	const same = `${HEAD}; 2 trackers with the same serial and name ('LHR-1', 'LHR-1'): switch one of them off`;
	await says(daemon, same);
	assert.deepEqual(await calibrate(daemon), CALIBRATED);
	await says(daemon, same);
	await mock.tell('xdev remove /xdev/left');
	await says(daemon, `${HEAD}, 1 tracker: waist`);
});

test('without a serial the name identifies a tracker', async (t) => {
	const { daemon } = await begin(t, { worn: WORN, list: [['Tracker%20A', '-', 'waist'], ['Tracker%20B', '-', 'left']] });
	await says(daemon, `${HEAD}; 2 trackers without a role ('Tracker A', 'Tracker B'): calibrate or set roles`);
	assert.deepEqual(await calibrate(daemon), CALIBRATED);
	await says(daemon, `${HEAD}, 2 trackers: waist, left foot`);
});

test('a tracker that nobody wears gets no role', async (t) => {
	const { daemon } = await begin(t, { worn: { ...WORN, right: [[0.3, 0.7, 1.2], STILL] } });
	await daemon.is('live', /3 trackers without a role/);
	assert.deepEqual(await calibrate(daemon), CALIBRATED);
	await says(daemon, `${HEAD}, 2 trackers: waist, left foot; `
		+ "1 tracker without a role ('SolarXR Tracker right'): calibrate or set roles");
});

for (const [name, lies, reason] of [
	['between two joints', [0.32, 1.5, 0],
		'the tracker 1.50 m over the floor is 0.16 m from the left elbow and 0.17 m from the left '
		+ 'shoulder: wear it nearer to one of them, or set its role'],
	['beside another one', [0.05, 0.9, -0.1],
		'two trackers are nearest to the waist: move one of them, or set its role'],
])
	test(`a tracker worn ${name}: the calibration is refused with the reason`, async (t) => {
		const { daemon } = await begin(t, { worn: { ...WORN, right: [lies, STILL] } });
		await daemon.is('live', /3 trackers without a role/);
		assert.deepEqual(await calibrate(daemon), { code: 1, stdout: '    stand still\n',
			stderr: `jointcast: OpenXR: ${reason}\n` });
		await says(daemon, `${HEAD}; 3 trackers without a role (${UNKNOWN}): calibrate or set roles`);
	});

test('subscribers learn no serial', async (t) => {
	const { daemon } = await begin(t, { worn: WORN, options: '&tracker=LHR-1:waist' });
	const client = await Client.greeted(daemon);
	t.after(() => client.ws.close());
	client.send({ type: 'join', space: 'lobby' });
	client.send({ type: 'subscribe', space: 'lobby' });
	await client.find('roster');
	assert.deepEqual(await calibrate(daemon), CALIBRATED);
	await says(daemon, `${HEAD}, 3 trackers: ${ROLES}`);
	assert.doesNotMatch(JSON.stringify(client.messages), /LHR|SolarXR/);
});
