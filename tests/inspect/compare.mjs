// Compares the output of `jointcast retarget` on the built-in skeleton with the positions of the
// file's own joints: the directions of all limbs, in degrees.
import { spawnSync } from 'node:child_process';
import { degreesBetween, dot, length, minus, unit } from './affine.mjs';
import { turn } from '../figures/arithmetic.mjs';
import { mean, sides } from './verdicts.mjs';

export function run(jointcast, ...parameters) {
	const { status, signal, stdout, stderr, error } = spawnSync(jointcast, parameters,
		{ maxBuffer: 1 << 29, encoding: 'utf8' });
	if (error) {
		throw error;
	}
	return { status: status ?? signal, stdout, stderr };
}

export function runJson(jointcast, ...parameters) {
	const { status, stdout, stderr } = run(jointcast, ...parameters, '--json');
	if (status !== 0) {
		throw new Error(stderr.trim());
	}
	return JSON.parse(stdout);
}

// The frames of a motion on a skeleton: positions of bones and their normalised rotations. Or the
// reason why there are none.
export function retargeted(jointcast, motion, skeleton, times, ...more) {
	const { status, stdout, stderr } = run(jointcast, 'retarget', motion, skeleton, '--json',
		'--times', times.map((t) => t.toFixed(6)).join(','), ...more);
	if (status !== 0) {
		return { refused: stderr.trim().replace(/^jointcast: [^:]*: /, '') };
	}
	return { frames: JSON.parse(stdout).frames.map(({ bones }) => ({
		positions: Object.fromEntries(Object.entries(bones).map(([bone, { worldPosition }]) =>
			[bone, worldPosition])),
		turns: Object.fromEntries(Object.entries(bones).map(([bone, { worldRotation }]) =>
			[bone, worldRotation])),
		rotations: Object.fromEntries(Object.entries(bones).map(([bone, { normalized }]) =>
			[bone, normalized])),
		absent: Object.keys(bones).filter((bone) => bones[bone].state === 'absent') })) };
}

// The limbs: from which joint to which, and along which axis they lie in the T-pose.
export const limbs = Object.fromEntries(sides.flatMap((side) => {
	const out = side === 'left' ? [1, 0, 0] : [-1, 0, 0];
	const down = [0, -1, 0];
	return [['UpperArm', 'LowerArm', out], ['LowerArm', 'Hand', out], ['UpperLeg', 'LowerLeg', down],
		['LowerLeg', 'Foot', down]].map(([from, to, axis]) =>
		[side + from, { from: side + from, to: side + to, axis }]);
}));

// The direction of a limb from joint to joint.
export const byPosition = (frames) => (i, limb) => {
	const [a, b] = [frames[i][limbs[limb].from], frames[i][limbs[limb].to]];
	return a && b && length(minus(b, a)) > 0 ? unit(minus(b, a)) : undefined;
};

// The turn part of a map, applied to a vector; and its inverse, for maps without shear.
export const linear = (m, v) => [0, 4, 8].map((row) => m[row] * v[0] + m[row + 1] * v[1] + m[row + 2] * v[2]);
export const inverseOf = (m, v) => {
	const size = m[0] * m[0] + m[4] * m[4] + m[8] * m[8];
	return [0, 1, 2].map((k) => (m[k] * v[0] + m[4 + k] * v[1] + m[8 + k] * v[2]) / size);
};

// The direction of a limb by its turn from the rest, for formats that define the rest as the T-pose.
export const byTurn = (bones, rest, maps) => (i, limb) => {
	const bone = bones[limbs[limb].from];
	return bone === undefined ? undefined : unit(linear(maps[i][bone], inverseOf(rest[bone], limbs[limb].axis)));
};

const turnedAboutY = ([x, y, z], angle) => [x * Math.cos(angle) + z * Math.sin(angle), y,
	z * Math.cos(angle) - x * Math.sin(angle)];

// The directions of all limbs of the file and of the output, frame by frame. The output's are the axes
// of the T-pose, turned as the bones are: limbs of the built-in skeleton are not quite straight.
// `directionOf` gives the file's, or nothing where it lacks the limb.
function directionsOf(count, directionOf, turns) {
	return Array.from({ length: count }, (_, i) => Object.entries(limbs).flatMap(([limb, { from, axis }]) => {
		const own = directionOf(i, limb);
		return own && turns[i][from] ? [{ limb, own, output: turn(turns[i][from], axis) }] : [];
	}));
}

// The turn about the vertical, in radians, that brings the file's limbs onto the output's: a reader may
// let a body face another way than its file, but not bend it.
function headingBetween(directions) {
	let [sine, cosine] = [0, 0];
	for (const { own: u, output: v } of directions.flat()) {
		cosine += u[0] * v[0] + u[2] * v[2];
		sine += u[2] * v[0] - u[0] * v[2];
	}
	return Math.atan2(sine, cosine);
}

// Mean and largest angle of each limb over all frames, and the angle of heading.
export function compareLimbs(count, directionOf, turns) {
	const directions = directionsOf(count, directionOf, turns);
	const heading = headingBetween(directions);
	const angles = {};
	for (const { limb, own, output } of directions.flat()) {
		(angles[limb] ??= []).push(degreesBetween(turnedAboutY(own, heading), output));
	}
	for (const [limb, each] of Object.entries(angles)) {
		angles[limb] = { mean: mean(each), max: each.reduce((m, v) => Math.max(m, v), 0) };
	}
	return { heading: (heading * 180) / Math.PI, angles };
}

// The direction in which the joints of the output bend, seen in the frame of the bone above, where a
// T-pose has elbows bend towards +Z and knees towards -Z: the share of the bent frames in which a
// joint bends the other way.
export function bendsBackward(frames, joint, axis, forward) {
	const bent = frames.map(({ rotations }) => rotations[joint] && turn(rotations[joint], axis))
		.filter((bone) => bone && degreesBetween(bone, axis) > 30);
	const wrong = bent.filter((bone) => {
		const away = minus(bone, axis.map((v) => v * dot(bone, axis)));
		return dot(unit(away), forward) < -0.5;
	});
	return { bent: bent.length, wrong: wrong.length };
}

export function hinges(frames) {
	const all = [['leftLowerArm', [1, 0, 0], [0, 0, 1]], ['rightLowerArm', [-1, 0, 0], [0, 0, 1]],
		['leftLowerLeg', [0, -1, 0], [0, 0, -1]], ['rightLowerLeg', [0, -1, 0], [0, 0, -1]]];
	return Object.fromEntries(all.map(([joint, axis, forward]) =>
		[joint, bendsBackward(frames, joint, axis, forward)]));
}

