// The list of trackers by XR_MNDX_xdev_space: which devices count, long lists and names, and a runtime that
// fails to list them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from '../e2e/support/until.mjs';
import { ERROR, frames, META, scratch, subscribe } from './mock.mjs';
import { CALIBRATED, HEAD, MOVED, ROLES, WORN, XDEV, addition, begin, calibrate, says, stands } from './xdev.mjs';

test('headset, controllers and hands are no trackers, unless the configuration names them', async (t) => {
	const list = [['Remote%20HMD', 'Remote%20HMD', 'waist'], ['Remote%20Left%20Controller', 'LC', 'left'],
		['Left%20Camera%20based%20Hand%20Tracker%20Hand', 'hand%20(0)', 'right'],
		['Generic%20Inside-Out%20Head%20Tracker', 'slam', 'right'],
		['WiVRn%20Eye%20Tracker', 'WiVRn%20Eye%20Tracker', '-']];
	const { daemon, mock } = await begin(t, { list });
	await mock.called('xrLocateSpace', 20);
	await says(daemon, HEAD);
	assert.equal(await mock.count('xrCreateXDevSpaceMNDX'), 0);
	await daemon.end();
	const named = await begin(t, { list, options: '&tracker=LC:left_foot' });
	await says(named.daemon, `${HEAD}, 1 tracker: left foot; trackers are not calibrated: run jointcast calibrate`);
});

/** "@" and the hash FNV-1a of bytes. */
const mark = (bytes) => '@' + [...Buffer.from(bytes)]
	.reduce((hash, byte) => Math.imul(hash ^ byte, 16777619) >>> 0, 2166136261).toString(16).padStart(8, '0');

test('texts of 256 bytes, other characters and many trackers', async (t) => {
	assert.equal(mark('foobar'), '@bf9cf968');
	const serial = 'S'.repeat(54) + mark('S'.repeat(256));
	const other = '________' + mark("';?&%\u5de6");
	const { mock, daemon } = await begin(t, { options: `&tracker=${serial}:waist`, list: [
		[`Tracker${'x'.repeat(300)}`, 'S'.repeat(300), 'waist'],
		["Tracker%20%ff%c3%28'\"%0a%00hidden", "%27;%3f%26%25%e5%b7%a6", 'left']] });
	await says(daemon, `${HEAD}, 1 tracker: waist; 1 tracker without a role ('${other}'): `
		+ 'calibrate or set roles; trackers are not calibrated: run jointcast calibrate');
	for (let i = 0; i < 40; i++)
		await mock.tell(`xdev add Tracker LHR-${i} /xdev/right`);
	await says(daemon, `${HEAD}, 1 tracker: waist; 31 trackers without a role ('${other}', 'LHR-0', 'LHR-1', ...): `
		+ 'calibrate or set roles; 10 trackers beyond 32 are ignored; trackers are not calibrated: run jointcast calibrate');
});

test('names that differ in other characters, or behind the 63rd, are different', async (t) => {
	const long = 'Tracker ' + 'x'.repeat(60);
	const names = ['Tracker \u5de6', 'Tracker \u53f3', `${long}1`, `${long}2`];
	const shown = names.map((name, i) => (i < 2 ? 'Tracker ___' : long.slice(0, 54)) + mark(name));
	const list = names.map((name, i) => [encodeURIComponent(name), '-', ['waist', 'left', 'right', 'waist'][i]]);
	const { daemon } = await begin(t, { list, options: `&tracker=${shown[0]}:waist&tracker=${shown[1]}:left_foot`
		+ `&tracker=${shown[2]}:right_foot` });
	await says(daemon, `${HEAD}, 3 trackers: ${ROLES}; 1 tracker without a role ('${shown[3]}'): `
		+ 'calibrate or set roles; trackers are not calibrated: run jointcast calibrate');
});

test('three trackers with long serials: the names are cut, the remedy is not', async (t) => {
	const list = ['waist', 'left', 'right'].map((key, i) => ['Tracker', `${i}${'s'.repeat(54)}`, key]);
	const { daemon } = await begin(t, { list });
	const shown = list.map(([, serial]) => `'${serial.slice(0, 24)}…'`).join(', ');
	await says(daemon, `${HEAD}; 3 trackers without a role (${shown}): calibrate or set roles`);
});

test('twelve trackers with roles, others without: the line is complete', async (t) => {
	const roles = ['waist', 'chest', ...['shoulder', 'elbow', 'knee', 'foot', 'wrist']
		.flatMap((role) => [`left_${role}`, `right_${role}`])];
	const list = [...roles, 'none', 'other'].map((role, i) => ['Tracker', `LHR-1A2B3C${10 + i}`, 'waist']);
	const { daemon } = await begin(t, { list,
		options: roles.map((role, i) => `&tracker=${list[i][1]}:${role}`).join('') });
	await says(daemon, `${HEAD}, 12 trackers: ${roles.join(', ').replaceAll('_', ' ')}; `
		+ "2 trackers without a role ('LHR-1A2B3C22', 'LHR-1A2B3C23'): calibrate or set roles; "
		+ 'trackers are not calibrated: run jointcast calibrate');
});

test('beside a body tracker no other trackers are needed, and the status asks for nothing', async (t) => {
	const played = frames(scratch(t), 'demo:idle', 'meta');
	const { daemon } = await begin(t, { offer: `${META} ${XDEV}`, script: [`play fb ${played.file}`] });
	await says(daemon, "'mock': meta body, 84 joints, high fidelity, calibrated, head and controllers");
});

test('beside a body tracker a tracker with a role needs no calibration, and the tool agrees', async (t) => {
	const played = frames(scratch(t), 'demo:idle', 'meta');
	const { daemon } = await begin(t, { offer: `${META} ${XDEV}`, script: [`play fb ${played.file}`],
		options: '&tracker=LHR-1:waist' });
	await says(daemon, "'mock': meta body, 84 joints, high fidelity, calibrated, head and controllers, 1 tracker: waist");
	const { code, stderr } = await calibrate(daemon);
	assert.equal(code, 1);
	assert.match(stderr, /a whole body is tracked, which needs no calibration/);
});

for (const name of ['xrCreateXDevListMNDX', 'xrGetXDevListGenerationNumberMNDX', 'xrEnumerateXDevsMNDX'])
	test(`${name} fails: the status says so, and trackers come later`, async (t) => {
		const { mock, daemon } = await begin(t, { script: [`result ${name} ${ERROR.RUNTIME_FAILURE}`] });
		await says(daemon, `${HEAD}; trackers fails (XR_ERROR_RUNTIME_FAILURE): read the log of the runtime`);
		await mock.tell(`result ${name} 0`);
		await daemon.is('live', /; 3 trackers without a role/);
	});

for (const name of ['xrCreateXDevListMNDX', 'xrGetXDevListGenerationNumberMNDX', 'xrEnumerateXDevsMNDX'])
	test(`${name} fails later: the trackers stay, and the status says so`, async (t) => {
		const { mock, daemon, move } = await begin(t, { options: '&tracker=LHR-1:waist&tracker=LHR-2:left_foot'
			+ '&tracker=SolarXR Tracker right:right_foot' });
		const client = await subscribe(t, daemon);
		await daemon.is('live', /3 trackers: waist/);
		await mock.tell(`result ${name} ${ERROR.RUNTIME_FAILURE}`);
		await mock.tell(addition(['Tracker', 'LHR-4', 'waist']));
		const fails = `${HEAD}, 3 trackers: ${ROLES}; listing trackers fails (XR_ERROR_RUNTIME_FAILURE): `
			+ 'read the log of the runtime; trackers are not calibrated: run jointcast calibrate';
		await says(daemon, fails);
		await mock.called(name, 3);
		await move(MOVED);
		await stands(client, MOVED);
		await says(daemon, fails);
		assert.equal((await mock.ask()).calls.xrCreateXDevSpaceMNDX, 3);
		await mock.tell(`result ${name} 0`);
		await daemon.is('live', /3 trackers: waist, left foot, right foot; 1 tracker without a role \('LHR-4'\)/);
	});

for (const name of ['xrGetXDevPropertiesMNDX', 'xrCreateXDevSpaceMNDX'])
	test(`${name} fails for one device: the others are there`, async (t) => {
		const { daemon } = await begin(t, { script: [`result ${name} ${ERROR.VALIDATION_FAILURE} 1`] });
		await daemon.is('live', /; 2 trackers without a role \('LHR-2', 'SolarXR Tracker right'\)/);
	});

test('a system without the feature is not asked', async (t) => {
	const { mock, daemon } = await begin(t, { script: ['set supports_xdev 0'] });
	await mock.called('xrLocateSpace', 20);
	await says(daemon, HEAD);
	assert.equal(await mock.count('xrCreateXDevListMNDX'), 0);
});

test('a session that is lost and created again has the trackers again', async (t) => {
	const { mock, daemon } = await begin(t, { worn: WORN });
	assert.deepEqual(await calibrate(daemon), CALIBRATED);
	await says(daemon, `${HEAD}, 3 trackers: ${ROLES}`);
	await mock.tell('lose-session');
	await until('the session is lost', async () => (await daemon.source()).losses === 1);
	await says(daemon, `${HEAD}, 3 trackers: ${ROLES}`);
});
