// Does three's BVHLoader see in a BVH of `jointcast convert` the motion that
// `jointcast retarget` prints: every bone turned and the hips placed alike?
//
// usage: written_bvh_agrees.mjs JOINTCAST FOLDER     (files of our own go to FOLDER)
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Quaternion, Vector3 } from 'three';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';
import { degreesBetween, minus } from './compare.mjs';
import { writeRandomMotion } from './random_motion.mjs';
import { run, runJson } from '../cli/tool.mjs';

const degreesAllowed = 0.01;
const metresAllowed = 1e-5;
const framesCompared = 40;

// Usual joint names, derived from the bones' names.
const limbs = { Shoulder: 'Shoulder', UpperArm: 'Arm', LowerArm: 'ForeArm', Hand: 'Hand', UpperLeg: 'UpLeg',
	LowerLeg: 'Leg', Foot: 'Foot', Toes: 'ToeBase', Eye: 'Eye' };
const trunk = { hips: 'Hips', spine: 'Spine', chest: 'Spine1', upperChest: 'Spine2', neck: 'Neck', head: 'Head',
	jaw: 'Jaw' };
const phalanges = ['Metacarpal', 'Proximal', 'Intermediate', 'Distal'];

function jointName(bone) {
	if (trunk[bone]) {
		return trunk[bone];
	}
	const [, side, part] = /^(left|right)(.*)$/.exec(bone);
	const prefix = side === 'left' ? 'Left' : 'Right';
	if (limbs[part]) {
		return prefix + limbs[part];
	}
	const [, finger, phalanx] = /^(Thumb|Index|Middle|Ring|Little)(.*)$/.exec(part);
	const chain = phalanges.filter((name) => name !== (finger === 'Thumb' ? 'Intermediate' : 'Metacarpal'));
	return `${prefix}Hand${finger === 'Little' ? 'Pinky' : finger}${chain.indexOf(phalanx) + 1}`;
}

// Puts three's bones where a key of the clip has them.
function pose({ skeleton, clip }, key) {
	for (const { name, values } of clip.tracks) {
		const [joint, property] = name.split('.');
		const bone = skeleton.bones.find((candidate) => candidate.name === joint);
		const target = property === 'quaternion' ? bone.quaternion : bone.position;
		target.fromArray(values, key * (property === 'quaternion' ? 4 : 3));
	}
	skeleton.bones[0].updateMatrixWorld(true);
}

function compare(jointcast, motion, path) {
	const { status, stderr } = run(jointcast, 'convert', motion, path);
	if (status !== 0) {
		throw new Error(stderr);
	}
	const loaded = new BVHLoader().parse(readFileSync(path, 'utf8'));
	const bones = new Map(loaded.skeleton.bones.map((bone) => [bone.name, bone]));
	const { frames, skeleton: { bones: rest, hipsHeight } } =
		runJson(jointcast, 'retarget', motion, 'humanoid');
	// Limbs are laid straight, which makes a leg a little longer.
	const height = -['LeftUpLeg', 'LeftLeg', 'LeftFoot', 'LeftToeBase']
		.reduce((sum, name) => sum + bones.get(name).position.y, 0) / 100;
	// The end sites of toes lie on the floor, and the floor at y = 0.
	const sole = -bones.get('LeftToeBase').children[0].position.y / 100;
	let degrees = 0;
	let metres = 0;
	for (let i = 0; i < frames.length; i += Math.max(1, Math.floor(frames.length / framesCompared))) {
		pose(loaded, i);
		for (const [name, { worldRotation, state }] of Object.entries(frames[i].bones)) {
			if (state !== 'absent') {
				const theirs = bones.get(jointName(name)).getWorldQuaternion(new Quaternion());
				degrees = Math.max(degrees, degreesBetween(worldRotation, theirs.toArray()));
			}
		}
		const ours = minus(frames[i].bones.hips.worldPosition, rest.hips.restWorldPosition)
			.map((v) => (v * height) / hipsHeight);
		const hips = bones.get('Hips').getWorldPosition(new Vector3()).multiplyScalar(0.01).toArray();
		metres = Math.max(metres, Math.hypot(...minus(ours, minus(hips, [0, height + sole, 0]))));
	}
	return { degrees, metres };
}

function main([jointcast, folder]) {
	mkdirSync(folder, { recursive: true });
	const random = join(folder, 'random.bvh');
	writeRandomMotion(random, framesCompared, 3);
	let failed = false;
	for (const motion of ['demo:walk', 'demo:wave', 'demo:sit', 'demo:idle', random]) {
		const { degrees, metres } = compare(jointcast, motion, join(folder, 'written.bvh'));
		const good = degrees <= degreesAllowed && metres <= metresAllowed;
		failed ||= !good;
		console.log(`${good ? 'ok    ' : 'FAILED'} ${degrees.toExponential(2)} degrees, `
			+ `${metres.toExponential(2)} m  ${motion}`);
	}
	return failed ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
