// The body of all figures and its motion, both independent of a skeleton: positions of the
// joints in the T-pose, and the rotation of each part from it in space.
import { about, add, identity, scaled, slerp, times } from './arithmetic.mjs';

// Facing +Z with the left at +X, metres; the toes stand on the floor. Left and
// middle; the right is the mirror image.
const half = [
	['hips', null, [0, 0.9, 0]],
	['spine', 'hips', [0, 1.0, -0.01]],
	['chest', 'spine', [0, 1.1, -0.015]],
	['upperChest', 'chest', [0, 1.22, -0.01]],
	['neck', 'upperChest', [0, 1.4, 0]],
	['head', 'neck', [0, 1.5, 0.02]],
	['leftShoulder', 'upperChest', [0.03, 1.36, 0]],
	['leftUpperArm', 'leftShoulder', [0.16, 1.36, 0]],
	['leftLowerArm', 'leftUpperArm', [0.42, 1.36, 0]],
	['leftHand', 'leftLowerArm', [0.66, 1.36, 0]],
	['leftThumbMetacarpal', 'leftHand', [0.69, 1.36, 0.03]],
	['leftThumbProximal', 'leftThumbMetacarpal', [0.72, 1.36, 0.06]],
	['leftThumbDistal', 'leftThumbProximal', [0.74, 1.36, 0.08]],
	['leftMiddleProximal', 'leftHand', [0.75, 1.36, 0]],
	['leftMiddleIntermediate', 'leftMiddleProximal', [0.79, 1.36, 0]],
	['leftMiddleDistal', 'leftMiddleIntermediate', [0.815, 1.36, 0]],
	['leftUpperLeg', 'hips', [0.09, 0.9, 0]],
	['leftLowerLeg', 'leftUpperLeg', [0.09, 0.48, 0]],
	['leftFoot', 'leftLowerLeg', [0.09, 0.07, 0]],
	['leftToes', 'leftFoot', [0.09, 0, 0.12]],
];
const right = (name) => name?.replace('left', 'right') ?? null;

export const body = half.flatMap(([name, parent, at]) => (name.startsWith('left')
	? [{ name, parent, at }, { name: right(name), parent: right(parent), at: [-at[0], at[1], at[2]] }]
	: [{ name, parent, at }]));

export const part = Object.fromEntries(body.map((one) => [one.name, one]));

export const keys = [0, 0.5, 1];

// The rotation of a part relative to its parent at each key: about an axis of its own, with
// different angles left and right. The hips rotate little and face +Z first, because a BVH does
// not define where its world faces.
const wild = (index, key) => Math.sin(12.9898 * (index + 1) + 78.233 * key);

function turnAtKey(index, key) {
	const axis = [wild(index, 0.1), wild(index, 0.2), wild(index, 0.3)];
	return about(axis, (index === 0 ? 12 : 55) * wild(index, 1 + key));
}

// The way of the hips from where they stand, in heights of the hips.
const ways = [[0, 0, 0], [0.05, -0.08, 0.2], [-0.1, 0.02, 0.45]];

// At t: D, the turn of each part from the T-pose in space, which is that of the
// part below it and then its own; and the way of the hips.
export function bodyAt(t) {
	const key = Math.min(Math.floor(t / 0.5), keys.length - 2);
	const between = t / 0.5 - key;
	const turned = {};
	body.forEach(({ name, parent }, index) => {
		turned[name] = times(parent ? turned[parent] : identity,
			slerp(turnAtKey(index, key), turnAtKey(index, key + 1), between));
	});
	return { turned, way: add(scaled(ways[key], 1 - between), scaled(ways[key + 1], between)) };
}
