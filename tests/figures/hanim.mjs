// An H-Anim 2.0 figure in its I-pose with the motion as interpolators, X3D
// Classic. All joint frames are those of the humanoid, so a joint is its centre.
import { bodyAt, keys } from './body.mjs';
import { bonesOf, makeNodes, mappedParent, poseNodes } from './rig.mjs';

const middle = { hips: 'humanoid_root', spine: 'vl5', chest: 'vl1', upperChest: 'vt6', neck: 'vc7',
	head: 'skullbase' };
const sides = { Shoulder: 'sternoclavicular', UpperArm: 'shoulder', LowerArm: 'elbow',
	Hand: 'radiocarpal', ThumbMetacarpal: 'carpometacarpal_1',
	ThumbProximal: 'metacarpophalangeal_1', ThumbDistal: 'carpal_interphalangeal_1',
	MiddleProximal: 'metacarpophalangeal_3',
	MiddleIntermediate: 'carpal_proximal_interphalangeal_3',
	MiddleDistal: 'carpal_distal_interphalangeal_3', UpperLeg: 'hip', LowerLeg: 'knee',
	Foot: 'talocrural', Toes: 'metatarsophalangeal_2' };

export function jointName(bone) {
	const [, side, rest] = /^(left|right)?(.*)$/.exec(bone);
	return side ? `${side[0]}_${sides[rest]}` : middle[bone];
}

const round = (v) => Number(v.toFixed(9)) + 0;
const list = (values) => values.map(round).join(' ');

// Axis and angle, as SFRotation wants it.
function axisAngle([x, y, z, w]) {
	const sine = Math.sqrt(x * x + y * y + z * z);
	return sine === 0 ? [0, 0, 1, 0] : [x / sine, y / sine, z / sine, 2 * Math.atan2(sine, w)];
}

export function writeHanim(rig, hipJoints) {
	const figure = makeNodes(rig);
	const joint = (name, indent) => {
		const children = bonesOf(rig).filter((child) => mappedParent(rig, child) === name);
		const { p } = figure.worlds[figure.bones[name]];
		return `${indent}DEF hanim_${jointName(name)} HAnimJoint { name "${jointName(name)}" center ${
			list(p)}${children.length === 0 ? '' : ` children [\n${children.map((child) =>
			joint(child, `${indent}\t`)).join('')}${indent}]`} }\n`;
	};
	const poses = keys.map((t) => poseNodes(rig, figure, bodyAt(t), hipJoints[1], hipJoints));
	const rest = figure.worlds[figure.bones.hips].p;
	const route = (track, joint, field) => `ROUTE clock.fraction_changed TO ${track}.set_fraction\n`
		+ `ROUTE ${track}.value_changed TO hanim_${joint}.${field}\n`;
	const tracks = bonesOf(rig).map((name) => {
		const track = `turn_${jointName(name)}`;
		return `DEF ${track} OrientationInterpolator { key [ ${list(keys)} ] keyValue [ ${poses
			.map((pose) => list(axisAngle(pose[name].rotation))).join(', ')} ] }\n`
			+ route(track, jointName(name), 'set_rotation');
	});
	const way = poses.map(({ hips }) => list(hips.worldPosition.map((v, i) => v - rest[i])));
	return `#X3D V3.3 utf8
PROFILE Immersive
DEF hanim_figure HAnimHumanoid { name "figure" version "2.0" skeleton [
${joint('hips', '\t')}] }
DEF clock TimeSensor { cycleInterval ${keys.at(-1)} loop TRUE }
${tracks.join('')}DEF way PositionInterpolator { key [ ${list(keys)} ] keyValue [ ${way.join(', ')} ] }
${route('way', 'humanoid_root', 'set_translation')}`;
}

