// The figures that wear the motion, each with one thing about it that a
// retargeter may get wrong, and what has to come out.
import { about, fromAxes, identity, inverse, turn } from './arithmetic.mjs';
import { bodyAt, part } from './body.mjs';
import { Buffers, documentOf, toText } from './documents.mjs';
import { writeHanim } from './hanim.mjs';
import { anyRotation, makeNodes, makeRig, poseNodes, referenceAxes } from './rig.mjs';

const x = [1, 0, 0];
const y = [0, 1, 0];
const z = [0, 0, 1];
const anyRest = (name) => anyRotation(name, 7);

// Arms 45 degrees down and legs 10 degrees apart: by so much back to the T-pose,
// the left ones to the other side than the right.
export function aPose(name) {
	const side = name.startsWith('left') ? 1 : -1;
	if (/Arm|Hand|Thumb|Middle/.test(name)) {
		return about(z, -45 * side);
	}
	return /Leg|Foot|Toes/.test(name) ? about(z, 10 * side) : identity;
}

// Arms hanging, upper arms 5 degrees off the vertical.
function iPose(name) {
	const side = name.startsWith('left') ? 1 : -1;
	if (/UpperArm/.test(name)) {
		return about(z, -85 * side);
	}
	return /LowerArm|Hand|Thumb|Middle/.test(name) ? about(z, -90 * side) : identity;
}

// At rest all joint frames of H-Anim are the humanoid's.
const iPoseRig = makeRig({ bind: iPose, rest: (name) => inverse(iPose(name)),
	place: ({ name, at }) => (name === 'hips' ? [0, 0.85, 0.02] : at) });
const hipJoints = [0, part.leftUpperLeg.at[1], part.leftUpperLeg.at[2]];

const reference = (name) => {
	const axes = referenceAxes(name);
	const [a, b] = [axes.x, axes.y];
	return fromAxes(a, b, [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
		a[0] * b[1] - a[1] * b[0]]);
};
const lean = about([1, 0.3, -0.5], 35);
const turnedBetween = (name) => (/spine|head|leftUpperArm|rightHand|leftLowerLeg|rightFoot/.test(name)
	? [{ name: `${name} offset`, q: anyRotation(name, 3), t: [0.02, 0.03, -0.01] },
		{ name: `${name} twist`, q: anyRotation(name, 5) }] : []);

const recipes = [
	{ name: 'folded', format: 'vrm1', rig: { without: ['chest', 'upperChest', 'neck', 'leftShoulder',
		'rightShoulder', 'leftToes', 'rightToes', 'leftThumbMetacarpal'] } },
	{ name: 'between', format: 'vrm1', rig: { rest: anyRest, above: turnedBetween } },
	{ name: 'reference', format: 'ext', rig: { rest: reference, above: (name) => (name === 'head'
		? [{ name: 'collar', q: anyRotation(name, 3), t: [0, 0.05, 0] }] : []) } },
	{ name: 'a_pose', format: 'plain', rig: { bind: aPose, rest: anyRest } },
	{ name: 'i_pose', format: 'hanim', rig: iPoseRig },
	{ name: 'tilted', format: 'vrm1', rig: { rest: () => lean, place: ({ at }) => turn(lean, at) } },
	{ name: 'tilted_above', format: 'vrm1', rig: { rest: anyRest, roots: [
		{ name: 'armature', q: about(x, -90) }, { name: 'lean', q: about(y, 25), t: [0.3, 0.1, 0] }] } },
	{ name: 'scaled', format: 'vrm1', rig: { rest: anyRest, size: 0.6,
		roots: [{ name: 'armature', s: 0.01 }, { name: 'export', q: about(x, -90), s: 2 }],
		above: (name) => (/chest|leftLowerArm/.test(name)
			? [{ name: `${name} scale`, s: 1.25, q: anyRotation(name, 11) }] : []) } },
	{ name: 'vrm0_facing', format: 'vrm0', rig: { facing: about(y, 180) } },
];

const meta = { vrm1: { licenseUrl: 'https://vrm.dev/licenses/1.0/', authors: ['jointcast'] },
	vrm0: { licenseName: 'CC0' } };

function writeVrm1({ name }, { nodes, bones }) {
	return toText(documentOf(nodes, { extensionsUsed: ['VRMC_vrm'], extensions: { VRMC_vrm: {
		specVersion: '1.0', meta: { name, ...meta.vrm1 }, humanoid: { humanBones:
			Object.fromEntries(Object.entries(bones).map(([bone, node]) => [bone, { node }])) } } } }));
}

// VRM 0.x counts the bones of a thumb as those of a finger.
const vrm0Name = (bone) => bone.replace('ThumbProximal', 'ThumbIntermediate')
	.replace('ThumbMetacarpal', 'ThumbProximal');

function writeVrm0({ name }, { nodes, bones }) {
	return toText(documentOf(nodes, { extensionsUsed: ['VRM'], extensions: { VRM: {
		specVersion: '0.0', meta: { title: name, ...meta.vrm0 }, humanoid: { humanBones:
			Object.entries(bones).map(([bone, node]) => ({ bone: vrm0Name(bone), node })) } } } }));
}

// Columns of the inverse of a rotation and a translation.
function inverseBind({ q, p }) {
	const rows = [x, y, z].map((axis) => turn(q, axis));
	const at = rows.map((row) => -row.reduce((sum, v, i) => sum + v * p[i], 0));
	return [rows[0][0], rows[1][0], rows[2][0], 0, rows[0][1], rows[1][1], rows[2][1], 0,
		rows[0][2], rows[1][2], rows[2][2], 0, ...at, 1];
}

// The nodes of bones have any pose: the skin defines the bind pose.
function writeExt(_, { nodes, bones, worlds }) {
	const buffers = new Buffers();
	const joints = Object.values(bones);
	const inverseBindMatrices = buffers.add('MAT4', joints.map((node) => inverseBind(worlds[node])));
	const posed = nodes.map((node, index) => (joints.includes(index) && node.parent >= 0
		? { ...node, q: anyRotation(node.name, 1) } : node));
	return toText(documentOf(posed, { skins: [{ joints, inverseBindMatrices }],
		...buffers.members(buffers.dataUri()), extensionsUsed: ['EXT_skeleton_humanoid'],
		extensions: { EXT_skeleton_humanoid: { humanoidSkeletons: [
			{ rootNode: bones.hips, humanoidBones: bones }] } } }));
}

const limbs = { Shoulder: 'Shoulder', UpperArm: 'Arm', LowerArm: 'ForeArm', Hand: 'Hand',
	UpperLeg: 'UpLeg', LowerLeg: 'Leg', Foot: 'Foot', Toes: 'ToeBase', ThumbMetacarpal: 'HandThumb1',
	ThumbProximal: 'HandThumb2', ThumbDistal: 'HandThumb3', MiddleProximal: 'HandMiddle1',
	MiddleIntermediate: 'HandMiddle2', MiddleDistal: 'HandMiddle3' };
const trunk = { hips: 'Hips', spine: 'Spine', chest: 'Spine1', upperChest: 'Spine2', neck: 'Neck',
	head: 'Head' };

export function motionBuilderName(bone) {
	const [, side, rest] = /^(left|right)?(.*)$/.exec(bone);
	return side ? `${side === 'left' ? 'Left' : 'Right'}${limbs[rest]}` : trunk[bone];
}

function writePlain(_, { nodes, bones }) {
	const names = new Map(Object.entries(bones).map(([bone, node]) => [node, bone]));
	return toText(documentOf(nodes.map((node, index) =>
		({ ...node, name: `mixamorig:${motionBuilderName(names.get(index))}` })),
	{ skins: [{ joints: Object.values(bones) }] }));
}

const writers = { vrm1: writeVrm1, vrm0: writeVrm0, ext: writeExt, plain: writePlain,
	hanim: (recipe) => writeHanim(makeRig(recipe.rig), hipJoints) };
const endings = { vrm1: 'vrm', vrm0: 'vrm', ext: 'gltf', plain: 'gltf', hanim: 'x3dv' };

// At the first and last key, and at a quarter of the way between two.
const times = [0, 0.125, 1];

function expectation(recipe, rig, figure) {
	const point = recipe.format === 'hanim' ? hipJoints : undefined;
	const height = point?.[1] ?? rig.place(part.hips)[1] * rig.size;
	const frames = times.map((t) => ({ t, hipsHeight: height, bones: Object.fromEntries(
		Object.entries(poseNodes(rig, figure, bodyAt(t), height, point)).map(
			([name, { rotation, worldPosition }]) => [name, { rotation, worldPosition }])) }));
	return toText(frames);
}

export function figures() {
	return recipes.flatMap((recipe) => {
		const rig = makeRig(recipe.rig);
		const figure = makeNodes(rig);
		return [
			{ name: `${recipe.name}.${endings[recipe.format]}`, content: writers[recipe.format](recipe, figure) },
			{ name: `${recipe.name}.expected.json`, content: expectation(recipe, rig, figure) },
		];
	});
}
