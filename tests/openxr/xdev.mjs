// Trackers by XR_MNDX_xdev_space for tests: how they are worn, and the resulting pose, which is worked out
// here from how a limb is turned.
import { spawn } from 'node:child_process';
import { Figure } from '../../clients/js/index.js';
import { until } from '../e2e/support/until.mjs';
import { BONES, devices, HEADLESS, jointcast, Mock, newest, scratch, under } from './mock.mjs';

export const XDEV = 'XR_MNDX_xdev_space';
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
export const WORN = {
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
export const STILL = [0, 0, 0, 1];
export const MOVED = { waist: [TURN, HIPS], left: [SWING, KNEE], right: [STILL, HIPS] };
export const STANDING = { waist: [STILL, HIPS], left: [STILL, KNEE], right: [STILL, HIPS] };

const place = ([position, orientation], [turn, pivot]) => [
	...add(pivot, rotate(turn, less(position, pivot))), ...multiply(turn, orientation)];

/** A file of head, controllers and trackers. */
export function motion(folder, worn, how, { without = [] } = {}) {
	return devices(folder, { ...HELD, ...Object.fromEntries(Object.entries(worn)
		.filter(([name]) => !without.includes(name))
		.map(([name, lies]) => [`/xdev/${name}`, () => place(lies, how[name] ?? [STILL, HIPS])])) });
}

export const LIST = [['Vive%20Tracker%20Gen3', 'LHR-1', 'waist'], ['Vive%20Tracker%20Gen3', 'LHR-2', 'left'],
	['SolarXR%20Tracker%20right', '-', 'right']];
export const addition = ([name, serial, key]) => `xdev add ${name} ${serial} ${key === '-' ? key : `/xdev/${key}`}`;

/** A mock with these trackers, and a daemon under it. */
export async function begin(t, { list = LIST, worn = UPRIGHT, how = STANDING, options = '', script = [],
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
export const says = (daemon, detail) => until(() => `the source says "${detail}": ${daemon.last}`, async () => {
	daemon.last = (await daemon.source()).detail;
	return daemon.last === detail;
});

/** Runs the tool on a body that is tracked; resolves with its exit status and what it printed. */
export async function calibrate(daemon, ...parameters) {
	await daemon.is('live', /tracker/);
	const child = spawn(jointcast, ['calibrate', `http://127.0.0.1:${daemon.port}`, '--body', 'OpenXR',
		...(parameters.length ? parameters : ['--height', '1.75', '--countdown', '0'])],
		{ stdio: ['ignore', 'pipe', 'pipe'] });
	const result = { stdout: '', stderr: '' };
	child.stdout.on('data', (bytes) => (result.stdout += bytes));
	child.stderr.on('data', (bytes) => (result.stderr += bytes));
	return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...result })));
}
export const CALIBRATED = { code: 0, stderr: '', stdout: '    stand still\ncalibrated, kept\n' };

/** The rotation of a bone in the world since the T-pose, and its position, metres. */
function bone(client, name) {
	const figure = new Figure(client.body.skeleton).pose(newest(client));
	const node = client.body.skeleton.bones[BONES.indexOf(name)];
	const m = figure.worlds.subarray(16 * node);
	const w = Math.sqrt(Math.max(0, 1 + m[0] + m[5] + m[10])) / 2;
	return { turn: [(m[6] - m[9]) / (4 * w), (m[8] - m[2]) / (4 * w), (m[1] - m[4]) / (4 * w), w],
		position: figure.position(node, []) };
}

export const apart = (a, b) => 2 * Math.asin(Math.min(1, Math.hypot(...multiply(conjugate(a), b).slice(0, 3)))) / DEGREE;

/** Waits until hips and left foot are turned, and the foot is where the swing brings it. */
export async function stands(client, how) {
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

export const ROLES = 'waist, left foot, right foot';
export const UNKNOWN = "'LHR-1', 'LHR-2', 'SolarXR Tracker right'";
export const HEAD = "'mock': head and controllers";
