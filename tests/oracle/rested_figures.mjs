// Figures that have everything there is to keep when a rest is mended: a skin
// over all nodes, vertices held by one joint and by two, morph targets, a rigid
// mesh and a camera on bones, hair that is scaled, and animations of all kinds of
// keys; at rests with any axes, turned, scaled, in an A-pose, bound elsewhere, with
// two skins over one mesh, with tracks that name bones.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { Numbers } from './animations.mjs';
import { toGlb } from '../e2e/support/glb.mjs';
import { makeFigure } from './figures.mjs';
import { makeRandom, randomRotation } from './random.mjs';
import { addVrm, addVrmNodes } from './rested_vrm.mjs';

// Angle by which the arms hang; all joints below the shoulder turn with them.
function lowerArms(degrees) {
	const hanging = /(Arm|Hand|Thumb|Index)/;
	return (bone, at) => {
		const side = Math.sign(at.x);
		if (hanging.test(bone) && !/Shoulder/.test(bone)) {
			const shoulder = new Vector3(0.17 * side, 1.36, 0);
			at.sub(shoulder).applyAxisAngle(new Vector3(0, 0, 1),
				(-side * degrees * Math.PI) / 180).add(shoulder);
		}
	};
}

const recipes = [
	{ name: 'rested_plain', version: 1 },
	{ name: 'rested_axes', version: 1, rest: 1, between: 0.5 },
	{ name: 'rested_centimetres', version: 1, rest: 1, between: 0.3, scale: 0.01 },
	{ name: 'rested_vrm0', version: 0, rest: 1, between: 0.3 },
	{ name: 'rested_a_pose', version: 1, rest: 1, place: lowerArms(40) },
	{ name: 'rested_bound_elsewhere', version: 1, rest: 0.5, between: 0.3, baked: true },
	{ name: 'rested_two_skins', version: 0, rest: 1, shared: true },
	{ name: 'rested_ext', version: 1, rest: 1, between: 0.3, ext: true },
];

// Below the head, no bones; the second is scaled and turned.
function addHair({ document: { nodes }, worlds, bones }) {
	const [tuft, tip] = [nodes.length, nodes.length + 1];
	const locals = [
		{ name: 'tuft', translation: [0, 0.1, 0], rotation: [0.6, 0, 0, 0.8], scale: [0.5, 0.5, 0.5] },
		{ name: 'tip', translation: [0, 0.2, 0.1], rotation: [0, 0.28, 0, 0.96] },
	];
	nodes.push({ ...locals[0], children: [tip] }, locals[1]);
	(nodes[bones.head].children ??= []).push(tuft);
	locals.forEach(({ translation, rotation, scale = [1, 1, 1] }, i) => worlds.push(
		worlds[i ? tuft : bones.head].clone().multiply(new Matrix4().compose(
			new Vector3(...translation), new Quaternion(...rotation), new Vector3(...scale)))));
	return { tuft, tip };
}

// A triangle near each joint, held by it, and one on the way to the next.
function addSkin({ document, worlds }, numbers, recipe, random) {
	const at = worlds.map((world) => new Vector3().setFromMatrixPosition(world));
	const baked = recipe.baked
		? new Matrix4().compose(new Vector3(0.3, -0.2, 0.1), new Quaternion(...randomRotation(random)),
			new Vector3(1, 1, 1))
		: new Matrix4();
	const [positions, normals, joints, weights, morphs] = [[], [], [], [], []];
	const jitter = () => new Vector3(random(), random(), random()).subScalar(0.5).multiplyScalar(0.1);
	const put = (point, held, shares) => {
		positions.push(point.clone().applyMatrix4(baked.clone().invert()).toArray());
		normals.push(new Vector3(random() - 0.5, random() - 0.5, random() + 0.1).normalize().toArray());
		morphs.push(jitter().toArray());
		joints.push(held);
		weights.push(shares);
	};
	worlds.forEach((_, joint) => {
		for (let i = 0; i < 3; i++) {
			put(at[joint].clone().add(jitter()), [joint, 0, 0, 0], [1, 0, 0, 0]);
		}
		const next = (joint + 1) % worlds.length;
		for (const share of [0.25, 0.5, 0.625]) {
			put(at[joint].clone().lerp(at[next], share), [joint, next, 0, 0],
				[1 - share, share, 0, 0]);
		}
	});
	document.skins = [{ joints: worlds.map((_, i) => i), inverseBindMatrices: numbers.add(
		worlds.map((world) => world.clone().invert().multiply(baked).toArray()), 'MAT4') }];
	document.meshes = [{ primitives: [{ attributes: {
		POSITION: numbers.add(positions, 'VEC3'), NORMAL: numbers.add(normals, 'VEC3'),
		JOINTS_0: numbers.addBytes(joints, 'VEC4'), WEIGHTS_0: numbers.add(weights, 'VEC4') },
	targets: [{ POSITION: numbers.add(morphs, 'VEC3') }] }], weights: [0.5] }];
	for (const [accessor, values] of [[document.meshes[0].primitives[0].attributes.POSITION, positions],
		[document.meshes[0].primitives[0].targets[0].POSITION, morphs]]) {
		setBounds(numbers, accessor, values);
	}
	document.nodes.push({ name: 'body', mesh: 0, skin: 0 });
	document.scenes[0].nodes.push(document.nodes.length - 1);
	return document.nodes.length - 1;
}

// The same mesh once more, held by a skin that is bound a hand's breadth away.
function addSecondSkin({ document, worlds }, numbers) {
	const aside = new Matrix4().makeTranslation(0.1, 0, 0);
	document.skins.push({ ...document.skins[0], inverseBindMatrices: numbers.add(
		worlds.map((world) => world.clone().invert().multiply(aside).toArray()), 'MAT4') });
	document.nodes.push({ name: 'twin', mesh: 0, skin: 1 });
	document.scenes[0].nodes.push(document.nodes.length - 1);
}

// EXT_skeleton_humanoid in place of VRM, and a nod relative to its bind pose.
function asExt({ document, bones }, numbers, random) {
	document.extensionsUsed = ['EXT_skeleton_humanoid'];
	document.extensions = { EXT_skeleton_humanoid: { humanoidSkeletons: [
		{ rootNode: 0, humanoidBones: bones }] } };
	const times = numbers.addTimes([0, 0.5, 1]);
	document.animations.unshift({ name: 'named', samplers: [], channels: [] });
	for (const [i, humanoidBoneName] of ['head', 'leftUpperArm', 'rightLowerLeg'].entries()) {
		document.animations[0].samplers.push({ input: times, output: numbers.add(
			[0, 1, 2].map(() => randomRotation(random)), 'VEC4') });
		document.animations[0].channels.push({ sampler: i, target: { path: 'rotation',
			extensions: { EXT_skeleton_humanoid: { humanoidBoneName } } } });
	}
}

function setBounds(numbers, accessor, values) {
	const along = (pick) => [0, 1, 2].map((i) => pick(...values.map((v) => Math.fround(v[i]))));
	Object.assign(numbers.accessors[accessor], { min: along(Math.min), max: along(Math.max) });
}

// A hat that no skin holds, with a morph target of its own, and a camera.
function addProps({ document, bones }, numbers) {
	const corners = [[0, 0, 0], [0.1, 0.2, 0], [0, 0.2, 0.1]];
	const lifted = [[0, 0.1, 0], [0, 0.1, 0], [0, 0.1, 0]];
	const [position, target] = [numbers.add(corners, 'VEC3'), numbers.add(lifted, 'VEC3')];
	setBounds(numbers, position, corners);
	setBounds(numbers, target, lifted);
	document.meshes.push({ primitives: [{ attributes: { POSITION: position },
		targets: [{ POSITION: target }] }], weights: [0] });
	document.nodes[bones.head].mesh = 1;
	document.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }];
	document.nodes[bones.leftHand].camera = 0;
}

function animate({ document, bones }, numbers, hair, parts, random) {
	const animation = { name: 'everything', channels: [], samplers: [] };
	const times = [0, 0.4, 0.7, 1.5];
	const track = (node, path, type, interpolation, value) => {
		const per = interpolation === 'CUBICSPLINE' ? 3 : 1;
		animation.channels.push({ sampler: animation.samplers.length, target: { node, path } });
		animation.samplers.push({ input: numbers.addTimes(times), interpolation,
			output: numbers.add(times.flatMap(() => Array.from({ length: per }, value)), type) });
	};
	const near = (rotation) => new Quaternion(...(rotation ?? [0, 0, 0, 1]))
		.slerp(new Quaternion(...randomRotation(random)), 0.3).toArray();
	Object.entries(bones).forEach(([, node], i) => {
		if (i % 3 !== 2) {
			track(node, 'rotation', 'VEC4', ['LINEAR', 'STEP', 'CUBICSPLINE'][i % 3 ? i % 2 : 2],
				() => near(document.nodes[node].rotation));
		}
	});
	const hips = document.nodes[bones.hips].translation ?? [0, 0, 0];
	track(bones.hips, 'translation', 'VEC3', 'CUBICSPLINE', () => hips.map((v) => v * (1 + 0.1 * random())));
	track(hair.tuft, 'scale', 'VEC3', 'LINEAR', () => Array(3).fill(0.4 + 0.2 * random()));
	track(hair.tip, 'translation', 'VEC3', 'LINEAR', () => [0.1 * random(), 0.2, 0.1]);
	if (parts) {
		track(parts.copy, 'translation', 'VEC3', 'CUBICSPLINE', () => [0.1 * random(), 0.2, 0.1]);
	}
	track(bones.head, 'weights', 'SCALAR', 'LINEAR', () => random());
	document.animations = [animation, { name: 'nod', channels: [{ sampler: 0,
		target: { node: bones.head, path: 'rotation' } }],
	samplers: [{ input: numbers.addTimes(times), output: numbers.add(
		times.map(() => near(document.nodes[bones.head].rotation)), 'VEC4') }] }];
}

class Buffers extends Numbers {
	addBytes(values, type) {
		this.bytes.push(Buffer.from(values.flat()));
		this.accessors.push({ bufferView: this.accessors.length, componentType: 5121, type,
			count: values.length });
		return this.accessors.length - 1;
	}

	addTimes(times) {
		const index = this.add(times, 'SCALAR');
		Object.assign(this.accessors[index], { min: [0], max: [Math.fround(times.at(-1))] });
		return index;
	}
}

// Writes every figure into the folder and returns their paths.
export function makeFigures(folder) {
	mkdirSync(folder, { recursive: true });
	return recipes.map((recipe, index) => {
		const random = makeRandom(500 + index);
		const numbers = new Buffers();
		const figure = makeFigure(recipe, 50 + index);
		const path = join(folder, `${recipe.name}.vrm`);
		const hair = addHair(figure);
		const parts = recipe.ext ? null : addVrmNodes(figure, random);
		const body = addSkin(figure, numbers, recipe, random);
		addProps(figure, numbers);
		animate(figure, numbers, hair, parts, random);
		if (recipe.shared) {
			addSecondSkin(figure, numbers);
		}
		if (recipe.ext) {
			asExt(figure, numbers, random);
		} else {
			addVrm(figure, recipe, parts, hair, body);
		}
		writeFileSync(path, toGlb({ ...figure.document, ...numbers.members() },
			Buffer.concat(numbers.bytes)));
		return path;
	});
}
