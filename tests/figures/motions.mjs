// The one motion in formats whose figures rest in different ways. The H-Anim one
// stands in the file of the I-pose figure.
import { about, fromAxes, identity, inverse, minus, product, scaled, turn, zxyDegrees } from './arithmetic.mjs';
import { body, bodyAt, keys, part } from './body.mjs';
import { Buffers, documentOf, toText } from './documents.mjs';
import { toGlb } from '../e2e/support/glb.mjs';
import { aPose, motionBuilderName } from './figures.mjs';
import { anyRotation, makeNodes, makeRig, poseNodes, referenceAxes } from './rig.mjs';

// VRM animation of a taller body whose bones rest turned anyhow.
function writeVrma() {
	const rig = makeRig({ size: 1.2, rest: (name) => anyRotation(name, 2) });
	const { nodes, bones } = makeNodes(rig);
	const poses = keys.map((t) => poseNodes(rig, { nodes, bones }, bodyAt(t), part.hips.at[1] * rig.size));
	const buffers = new Buffers();
	const input = buffers.add('SCALAR', keys, true);
	const tracks = [['hips', 'translation', 'VEC3'], ...body.map(({ name }) => [name, 'rotation', 'VEC4'])]
		.map(([name, path, type]) => ({ target: { node: bones[name], path },
			output: buffers.add(type, poses.map((pose) => pose[name][path])) }));
	return toGlb(documentOf(nodes, {
		animations: [{ channels: tracks.map(({ target }, sampler) => ({ sampler, target })),
			samplers: tracks.map(({ output }) => ({ input, output })) }],
		...buffers.members(), extensionsUsed: ['VRMC_vrm_animation'],
		extensions: { VRMC_vrm_animation: { specVersion: '1.0', humanoid: { humanBones:
			Object.fromEntries(Object.entries(bones).map(([bone, node]) => [bone, { node }])) } } },
	}), buffers.bytes());
}

// EXT_skeleton_humanoid by name, with no skeleton of its own: R = W^-1 N W with W
// of the reference pose, N the turn of a part within the part that carries it.
function writeNamed() {
	const buffers = new Buffers();
	const input = buffers.add('SCALAR', keys, true);
	const outputs = body.map(({ name, parent }) => {
		const { x, y } = referenceAxes(name);
		const w = fromAxes(x, y, [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2],
			x[0] * y[1] - x[1] * y[0]]);
		return buffers.add('VEC4', keys.map((t) => {
			const { turned } = bodyAt(t);
			const n = product(parent ? inverse(turned[parent]) : [0, 0, 0, 1], turned[name]);
			return product(inverse(w), n, w);
		}));
	});
	return toText(documentOf([], { extensionsUsed: ['EXT_skeleton_humanoid'],
		animations: [{ samplers: outputs.map((output) => ({ input, output })),
			channels: body.map(({ name }, sampler) => ({ sampler, target: { path: 'rotation',
				extensions: { EXT_skeleton_humanoid: { humanoidBoneName: name } } } })) }],
		...buffers.members(buffers.dataUri()) }));
}

// BVH in centimetres of these frames. The joints of the zero pose have the axes of the world. A limb
// may be split into two joints: split(name) gives the share of its length up to the second, and the
// rotations of both from that of the limb.
function writeBvh(rig, frames, split = () => null) {
	const { nodes, bones } = makeNodes(rig);
	const number = (v) => (v.toFixed(6) === '-0.000000' ? '0.000000' : v.toFixed(6));
	const line = (values) => values.map(number).join(' ');
	const order = []; // of the rotations: of a bone, or of the second joint of a split one
	const open = (kind, name, offset, indent) => `${indent}${kind} ${name}\n${indent}{\n`
		+ `${indent}\tOFFSET ${line(offset)}\n`
		+ `${indent}\tCHANNELS ${kind === 'ROOT' ? '6 Xposition Yposition Zposition' : '3'}`
		+ ' Zrotation Xrotation Yrotation\n';
	const joint = (name, indent, share = 1) => {
		const children = body.filter(({ parent }) => parent === name);
		order.push((pose) => product(inverse(split(part[name].parent)?.second ?? identity),
			pose[name].rotation, split(name)?.first ?? identity));
		const head = open(name === 'hips' ? 'ROOT' : 'JOINT', motionBuilderName(name),
			name === 'hips' ? [0, 0, 0] : scaled(nodes[bones[name]].t, 100 * share), indent);
		return `${head}${split(name) ? second(name, children[0], `${indent}\t`)
			: children.length ? children.map((child) => joint(child.name, `${indent}\t`)).join('')
				: `${indent}\tEnd Site\n${indent}\t{\n${indent}\t\tOFFSET ${line(turn(inverse(rig.rest(name)), ends(name)))}\n${indent}\t}\n`}${indent}}\n`;
	};
	const second = (name, child, indent) => {
		const parts = split(name);
		order.push(() => product(inverse(parts.first), parts.second));
		return open('JOINT', `${motionBuilderName(name)}Roll`,
			scaled(nodes[bones[child.name]].t, 100 * parts.share), indent)
			+ `${joint(child.name, `${indent}\t`, 1 - parts.share)}${indent}}\n`;
	};
	const hierarchy = joint('hips', '');
	const lines = frames.map((posed) => {
		const pose = poseNodes(rig, { nodes, bones }, posed, part.hips.at[1]);
		return line([...scaled(pose.hips.worldPosition, 100), ...order.flatMap((rotation) => zxyDegrees(rotation(pose)))]);
	});
	return `HIERARCHY\n${hierarchy}MOTION\nFrames: ${lines.length}\nFrame Time: 0.5\n${lines.join('\n')}\n`;
}

// Arms and legs of two joints for each bone, as in the figures of MakeHuman. The first turns by a
// degrees, the second back by b, so that the next bone stays where it is: share sin a = (1 - share)
// sin b.
function splitLimb(name) {
	if (!/(Upper|Lower)(Arm|Leg)$/.test(name ?? '')) {
		return null;
	}
	const share = 0.4;
	const a = 10 + name.length;
	const b = (Math.asin((share / (1 - share)) * Math.sin((a * Math.PI) / 180)) * 180) / Math.PI;
	const axis = /Arm/.test(name) ? [0, 3, 4] : [4, 0, -3];
	return { share, first: about(axis, a), second: about(axis, -b) };
}

// The T-pose of bodyAt.
const tPose = { turned: Object.fromEntries(body.map(({ name }) => [name, identity])), way: [0, 0, 0] };

// The axes of a bone that lies along its own -Y, rolled by quarter turns: in the zero pose the
// trunk hangs below the hips like the legs, as in the exports of Rokoko.
function foldedAxes(name) {
	const child = body.find(({ parent }) => parent === name);
	const along = child ? minus(child.at, part[name].at) : ends(name);
	const y = scaled(along, -1 / Math.hypot(...along));
	const aside = Math.abs(y[0]) > 0.9 ? [0, 0, 1] : [1, 0, 0];
	const x = minus(aside, scaled(y, y.reduce((sum, v, i) => sum + v * aside[i], 0)));
	const unit = scaled(x, 1 / Math.hypot(...x));
	const z = [unit[1] * y[2] - unit[2] * y[1], unit[2] * y[0] - unit[0] * y[2], unit[0] * y[1] - unit[1] * y[0]];
	const quarters = name.length % 4;
	return name === 'hips' ? identity : product(fromAxes(unit, y, z), about([0, 1, 0], 90 * quarters));
}

// Joint axes are those of the world in the zero pose, K of it in the T-pose.
const aPoseBack = (name) => inverse(aPose(name));

// Tips on from the joints, seen in the T-pose.
function ends(name) {
	const side = name.startsWith('left') ? 1 : -1;
	if (/Toes/.test(name)) {
		return [0, 0, 6];
	}
	return name === 'head' ? [0, 15, 0] : [2 * side, 0, 0];
}

export function motions() {
	return [{ name: 'motion.vrma', content: writeVrma() }, { name: 'motion.gltf', content: writeNamed() },
		{ name: 'a_pose.bvh', content: writeBvh(makeRig({ bind: aPose, rest: aPoseBack }), keys.map(bodyAt)) },
		{ name: 'folded.bvh', content: writeBvh(makeRig({ rest: foldedAxes }), [tPose, ...keys.map(bodyAt)]) },
		{ name: 'split.bvh', content: writeBvh(makeRig({}), keys.map(bodyAt), splitLimb) }];
}
