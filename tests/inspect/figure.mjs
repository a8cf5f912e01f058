// A motion or figure file as frames of a body: joints by the names of EXT_skeleton_humanoid, +Y up.
import { degreesBetween, length, middle, minus, unit } from './affine.mjs';
import { readBvh } from './bvh.mjs';
import { readGltf } from './gltf.mjs';
import { readHanim } from './hanim.mjs';
import { bonesByName, countFingers } from './names.mjs';

// The axes that may point up, each with the rotation that brings it to +Y. +Z is the habit of Blender:
// X stays, Y goes to -Z.
export const upAxes = {
	'+Y': ([x, y, z]) => [x, y, z], '-Y': ([x, y, z]) => [x, -y, -z],
	'+Z': ([x, y, z]) => [x, z, -y], '-Z': ([x, y, z]) => [x, -z, y],
	'+X': ([x, y, z]) => [-y, x, z], '-X': ([x, y, z]) => [y, -x, z],
};

function reader(path) {
	if (/\.bvh$/i.test(path)) {
		return readBvh(path);
	}
	if (/\.(wrl|x3dv?|x3dvz)$/i.test(path)) {
		return readHanim(path);
	}
	if (/\.(glb|gltf|vrm|vrma)$/i.test(path)) {
		return readGltf(path);
	}
	throw new Error('these tests have no reader for the format');
}

export async function open(path) {
	// The reader of recordings needs npm packages that the others do not.
	const file = /\.mcap$/i.test(path)
		? await (await import('./recording.mjs')).readRecording(path) : reader(path);
	const bones = file.bones ?? bonesByName(file.joints);
	return { ...file, bones, fingers: file.bones
		? Object.keys(file.bones).filter((bone) => /Thumb|Index|Middle|Ring|Little/.test(bone)).length
		: countFingers(file.joints) };
}

// The joint below another one that is the farthest along, for the crown of the head.
function childOf({ joints }, index, pattern) {
	return joints.findIndex(({ name, parent }) => parent === index && pattern.test(name));
}

// Points that show where sole and crown are: what hangs below feet and head.
function landmarks(file) {
	const { joints, bones } = file;
	const below = (index, ancestor) => index >= 0
		&& (index === ancestor || below(joints[index].parent, ancestor));
	const feet = ['leftFoot', 'rightFoot'].map((bone) => bones[bone]).filter((i) => i !== undefined);
	return { feet: ['leftFoot', 'rightFoot'].map((bone) => joints.flatMap((_, i) =>
		(i !== bones[bone] && bones[bone] !== undefined && below(i, bones[bone]) ? [i] : []))),
		soles: joints.flatMap((_, i) => (feet.some((foot) => below(i, foot)) ? [i] : [])),
		crown: bones.head === undefined ? -1 : childOf(file, bones.head, /(end|tip|leaf|nub)/i) };
}

// Some poses of the file: its rest, or frames all over its first clip.
function samples({ rest, clips: [clip] }) {
	if (rest) {
		return [rest()];
	}
	const count = Math.min(20, clip.times.length);
	return Array.from({ length: count }, (_, i) => clip.pose(Math.floor((i * clip.times.length) / count)));
}

// The farthest joint below each ankle, if it lies ahead of the ankle and not only below it.
function tipsOf(file) {
	const { bones, marks } = file;
	const poses = samples(file);
	return ['left', 'right'].map((side, k) => {
		const [knee, ankle] = [bones[`${side}LowerLeg`], bones[`${side}Foot`]];
		const [first] = poses;
		const tip = marks.feet[k].reduce((far, i) => (far !== undefined
			&& length(minus(first[far], first[ankle])) >= length(minus(first[i], first[ankle])) ? far : i), undefined);
		const ahead = tip === undefined || knee === undefined ? [] : poses.filter((p) =>
			degreesBetween(minus(p[tip], p[ankle]), minus(p[ankle], p[knee])) > 30
			&& length(minus(p[tip], p[ankle])) > 0.05 * length(minus(p[knee], p[ankle])));
		return ahead.length > poses.length / 2 ? tip : undefined;
	});
}

// Positions of all joints as a frame of the body.
export function frameOf(file, positions) {
	if (!file.marks) {
		file.marks = landmarks(file);
		file.marks.tips = tipsOf(file);
	}
	const frame = Object.fromEntries(Object.entries(file.bones).map(([bone, i]) => [bone, positions[i]]));
	if (file.marks.soles.length) {
		frame.soles = file.marks.soles.map((i) => positions[i]);
	}
	if (file.marks.crown >= 0) {
		frame.crown = positions[file.marks.crown];
	}
	['left', 'right'].forEach((side, k) => {
		if (file.marks.tips[k] !== undefined) {
			frame[`${side}Tip`] = positions[file.marks.tips[k]];
		}
	});
	return frame;
}

export const changed = (frame, map) => Object.fromEntries(Object.entries(frame).map(([bone, value]) =>
	[bone, bone === 'soles' ? value.map(map) : map(value)]));

// The axis along which trunk and legs stand in most frames: the sum of the cosines of their angles.
export function findUp(frames) {
	const score = (map) => frames.reduce((sum, frame) => {
		const [hips, feet] = ['UpperLeg', 'Foot'].map((part) => middle(frame[`left${part}`], frame[`right${part}`]));
		return sum + map(unit(minus(frame.head, hips)))[1] + map(unit(minus(hips, feet)))[1];
	}, 0);
	return Object.keys(upAxes).map((name) => [name, score(upAxes[name])]).sort((a, b) => b[1] - a[1])[0][0];
}

export const isBody = ({ bones }) => ['head', 'leftUpperLeg', 'rightUpperLeg', 'leftFoot', 'rightFoot',
	'leftUpperArm', 'rightUpperArm', 'leftLowerArm', 'rightLowerArm',
	'leftLowerLeg', 'rightLowerLeg'].every((bone) => bones[bone] !== undefined);

