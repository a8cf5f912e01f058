// Writes input files for the tests, valid and damaged ones.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toGlb } from '../e2e/support/glb.mjs';

// A folder for one test in the build folder.
export function scratch(name) {
	const folder = join(process.env.JOINTCAST_SCRATCH, name);
	mkdirSync(folder, { recursive: true });
	return folder;
}

export function write(folder, name, content) {
	const path = join(folder, name);
	writeFileSync(path, content);
	return path;
}

// A descriptor with trunk, one arm and two legs. The rest of the arm is rotated by 45 degrees about
// Z, and a twist node is between upper and lower arm.
const half = Math.SQRT1_2;
export const descriptor = {
	name: 'mannequin',
	nodes: [
		{ name: 'root' },
		{ name: 'Hips', parent: 0, translation: [0, 1, 0] },
		{ name: 'Spine', parent: 1, translation: [0, 0.2, 0] },
		{ name: 'Head', parent: 2, translation: [0, 0.5, 0] },
		{ name: 'Arm', parent: 2, translation: [0.2, 0.3, 0], rotation: [0, 0, half, half] },
		{ name: 'Twist', parent: 4, translation: [0, -0.1, 0], rotation: [half, 0, 0, half] },
		{ name: 'Forearm', parent: 5, translation: [0, 0, 0.2] },
		{ name: 'LeftLeg', parent: 1, translation: [0.1, -0.05, 0] },
		{ name: 'LeftFoot', parent: 7, translation: [0, -0.9, 0] },
		{ name: 'RightLeg', parent: 1, translation: [-0.1, -0.05, 0] },
		{ name: 'RightFoot', parent: 9, translation: [0, -0.9, 0] },
	],
	bones: { hips: 1, spine: 2, head: 3, leftUpperArm: 4, leftLowerArm: 6, leftUpperLeg: 7,
		leftFoot: 8, rightUpperLeg: 9, rightFoot: 10 },
	virtualTransforms: [
		{ name: 'crown', parent: 3, translation: [0, 0.25, 0], tags: ['hat', 'halo'] },
		{ name: 'origin', translation: [1, 2, 3] },
	],
};

// Two seconds at two frames per second: the spine rotates 0, 10, … 40 degrees about Y while the hips
// move 10 cm per frame along Z.
export const bvh = [
	'HIERARCHY', 'ROOT Hips', '{', 'OFFSET 0 100 0',
	'CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation',
	'JOINT Spine', '{', 'OFFSET 0 20 0', 'CHANNELS 3 Zrotation Xrotation Yrotation',
	'JOINT Neck', '{', 'OFFSET 0 40 0', 'CHANNELS 3 Zrotation Xrotation Yrotation',
	'JOINT Head', '{', 'OFFSET 0 10 0', 'CHANNELS 3 Zrotation Xrotation Yrotation',
	'End Site', '{', 'OFFSET 0 15 0', '}', '}', '}',
	...[['Left', 1], ['Right', -1]].flatMap(([side, x]) => [
		`JOINT ${side}Arm`, '{', `OFFSET ${20 * x} 30 0`, 'CHANNELS 3 Zrotation Xrotation Yrotation',
		`JOINT ${side}ForeArm`, '{', `OFFSET ${30 * x} 0 0`,
		'CHANNELS 3 Zrotation Xrotation Yrotation',
		`JOINT ${side}Hand`, '{', `OFFSET ${25 * x} 0 0`, 'CHANNELS 3 Zrotation Xrotation Yrotation',
		'End Site', '{', `OFFSET ${10 * x} 0 0`, '}', '}', '}', '}',
	]),
	'}',
	...[['Left', 1], ['Right', -1]].flatMap(([side, x]) => [
		`JOINT ${side}UpLeg`, '{', `OFFSET ${10 * x} -5 0`,
		'CHANNELS 3 Zrotation Xrotation Yrotation',
		`JOINT ${side}Leg`, '{', 'OFFSET 0 -45 0', 'CHANNELS 3 Zrotation Xrotation Yrotation',
		`JOINT ${side}Foot`, '{', 'OFFSET 0 -45 0', 'CHANNELS 3 Zrotation Xrotation Yrotation',
		'End Site', '{', 'OFFSET 0 -5 12', '}', '}', '}', '}',
	]),
	'}',
	'MOTION', 'Frames: 5', 'Frame Time: 0.5',
	...[0, 1, 2, 3, 4].map((frame) =>
		[0, 100, 10 * frame, 0, 0, 0, 0, 0, 10 * frame, ...Array(3 * 14).fill(0)].join(' ')),
	'',
].join('\n');

// A GLB whose header or chunk may lie.
export function glb(json, lie = {}) {
	const bytes = toGlb(json);
	bytes.writeUInt32LE(lie.version ?? 2, 4);
	bytes.writeUInt32LE(lie.length ?? bytes.length, 8);
	bytes.writeUInt32LE(lie.chunkLength ?? bytes.length - 20, 12);
	return bytes;
}

// A VRM 1.0 document with hips, spine and head on a chain of nodes.
export function vrm(change = {}) {
	return {
		asset: { version: '2.0' },
		extensionsUsed: ['VRMC_vrm'],
		nodes: [
			{ name: 'hips', translation: [0, 1, 0], children: [1] },
			{ name: 'spine', translation: [0, 0.2, 0], children: [2] },
			{ name: 'head', translation: [0, 0.4, 0] },
		],
		extensions: { VRMC_vrm: { specVersion: '1.0', meta: { name: 'stick' }, humanoid: {
			humanBones: { hips: { node: 0 }, spine: { node: 1 }, head: { node: 2 } } } } },
		...change,
	};
}
