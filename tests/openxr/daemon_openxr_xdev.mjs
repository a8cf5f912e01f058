// Trackers by XR_MNDX_xdev_space: which devices count, their roles from the configuration and from
// a calibration, and the resulting pose, which is worked out here from how a limb is turned.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Figure } from '../../clients/js/index.js';
import { Client } from '../e2e/support/client.mjs';
import { BONES, devices, ERROR, frames, HEADLESS, jointcast, META, Mock, newest, scratch, subscribe, under } from './mock.mjs';
import { until } from '../e2e/support/until.mjs';

const XDEV = 'XR_MNDX_xdev_space';
const HALF = Math.SQRT1_2;
const DEGREE = Math.PI / 180;

/* Rotations as quaternions [x, y, z, w]. */
const multiply = ([a, b, c, d], [e, f, g, h]) => [d * e + a * h + b * g - c * f,
	d * f - a * g + b * h + c * e, d * g + a * f - b * e + c * h, d * h - a * e - b * f - c * g];
const conjugate = ([x, y, z, w]) => [-x, -y, -z, w];
const rotate = (q, [x, y, z]) => multiply(multiply(q, [x, y, z, 0]), conjugate(q)).slice(0, 3);
const about = ([x, y, z], degrees) => {
	const sine = Math.sin(degrees * DEGREE / 2);
	return [x * sine, y * sine, z * sine, Math.cos(degrees * DEGREE / 2)];
};
const add = (a, b) => a.map((x, i) => x + b[i]);
const less = (a, b) => a.map((x, i) => x - b[i]);

/** The built-in figure of 1.75 m in the T-pose, facing +Z (proto/joints.json), metres. */
const HIPS = [0, 0.96, 0];
const KNEE = [0.09, 0.5, 0];
const ANKLE = [0.09, 0.08, -0.03];

/** Head and controllers of a person in the T-pose. */
const HELD = {
	view: () => [0, 1.63, 0.085, 0, 1, 0, 0],
	'/user/hand/left/input/grip/pose': () => [0.785, 1.39, 0, HALF, -HALF, 0, 0],
	'/user/hand/right/input/grip/pose': () => [-0.785, 1.39, 0, HALF, HALF, 0, 0],
};

/** Where trackers are worn in the T-pose, and turned like that on their strap. */
const WORN = {
	waist: [[0.02, 1.02, 0.12], about([0, 0, 1], 75)],
	left: [[0.10, 0.11, 0.05], about([0.6, 0.8, 0], 130)],
	right: [[-0.09, 0.10, 0.06], about([0, 0.6, -0.8], 210)],
};
/** On the joint, upright, -Z to the front: as the daemon takes them before calibration. */
const UPRIGHT = {
	waist: [HIPS, [0, 1, 0, 0]],
	left: [ANKLE, [0, 1, 0, 0]],
	right: [[-ANKLE[0], ANKLE[1], ANKLE[2]], [0, 1, 0, 0]],
};

/** How limbs move: the left shin swings back about the knee, the hips turn on their spot. */
const SWING = about([1, 0, 0], 35);
const TURN = about([0, 1, 0], 20);
const STILL = [0, 0, 0, 1];
const MOVED = { waist: [TURN, HIPS], left: [SWING, KNEE], right: [STILL, HIPS] };
const STANDING = { waist: [STILL, HIPS], left: [STILL, KNEE], right: [STILL, HIPS] };

const place = ([position, orientation], [turn, pivot]) => [
	...add(pivot, rotate(turn, less(position, pivot))), ...multiply(turn, orientation)];

/** A file of head, controllers and trackers. */
function motion(folder, worn, how, { without = [] } = {}) {
	return devices(folder, { ...HELD, ...Object.fromEntries(Object.entries(worn)
		.filter(([name]) => !without.includes(name))
		.map(([name, lies]) => [`/xdev/${name}`, () => place(lies, how[name] ?? [STILL, HIPS])])) });
}

const LIST = [['Vive%20Tracker%20Gen3', 'LHR-1', 'waist'], ['Vive%20Tracker%20Gen3', 'LHR-2', 'left'],
	['SolarXR%20Tracker%20right', '-', 'right']];
const addition = ([name, serial, key]) => `xdev add ${name} ${serial} ${key === '-' ? key : `/xdev/${key}`}`;

/** A mock with these trackers, and a daemon under it. */
async function begin(t, { list = LIST, worn = UPRIGHT, how = STANDING, options = '', script = [],
	offer = XDEV, state = scratch(t) } = {}) {
	const folder = scratch(t);
	const mock = await Mock.begin(t, `offer ${HEADLESS} ${offer}`, ...list.map(addition),
		`play devices ${motion(folder, worn, how)}`, ...script);
	const daemon = await under(t, mock,
		{ source: `openxr:?height=1.75${options}`, options: ['--state', state] });
	const move = (next, rest) => mock.tell(`play devices ${motion(folder, worn, next, rest)}`);
	return { mock, daemon, move, state };
}

/** Waits for the detail of the source, word for word. */
const says = (daemon, detail) => until(() => `the source says "${detail}": ${daemon.last}`, async () => {
	daemon.last = (await daemon.source()).detail;
	return daemon.last === detail;
});

/** Runs the tool on a body that is tracked; resolves with its exit status and what it printed. */
async function calibrate(daemon, ...parameters) {
	await daemon.is('live', /tracker/);
	const child = spawn(jointcast, ['calibrate', `http://127.0.0.1:${daemon.port}`, '--body', 'OpenXR',
		...(parameters.length ? parameters : ['--height', '1.75', '--countdown', '0'])],
		{ stdio: ['ignore', 'pipe', 'pipe'] });
	const result = { stdout: '', stderr: '' };
	child.stdout.on('data', (bytes) => (result.stdout += bytes));
	child.stderr.on('data', (bytes) => (result.stderr += bytes));
	return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...result })));
}
const CALIBRATED = { code: 0, stderr: '', stdout: '    stand still\ncalibrated, kept\n' };

/** The rotation of a bone in the world since the T-pose, and its position, metres. */
function bone(client, name) {
	const figure = new Figure(client.body.skeleton).pose(newest(client));
	const node = client.body.skeleton.bones[BONES.indexOf(name)];
	const m = figure.worlds.subarray(16 * node);
	const w = Math.sqrt(Math.max(0, 1 + m[0] + m[5] + m[10])) / 2;
	return { turn: [(m[6] - m[9]) / (4 * w), (m[8] - m[2]) / (4 * w), (m[1] - m[4]) / (4 * w), w],
		position: figure.position(node, []) };
}

const apart = (a, b) => 2 * Math.asin(Math.min(1, Math.hypot(...multiply(conjugate(a), b).slice(0, 3)))) / DEGREE;

/** Waits until hips and left foot are turned, and the foot is where the swing brings it. */
async function stands(client, how) {
	let last;
	const ankle = (() => {
		const at = place([ANKLE, STILL], how.left).slice(0, 3);
		return less(at, HIPS);
	})();
	await until(() => `hips and foot are as they should: ${JSON.stringify(last)}`, () => {
		const hips = bone(client, 'hips');
		const foot = bone(client, 'leftFoot');
		last = { hips: apart(hips.turn, how.waist[0]), foot: apart(foot.turn, how.left[0]),
			way: Math.hypot(...less(less(foot.position, hips.position), ankle)) };
		return last.hips < 0.2 && last.foot < 0.2 && last.way < 0.01;
	});
	return last;
}

const ROLES = 'waist, left foot, right foot';
const UNKNOWN = "'LHR-1', 'LHR-2', 'SolarXR Tracker right'";
const HEAD = "'mock': head and controllers";

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
