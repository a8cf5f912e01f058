// EXT_skeleton_humanoid worked out a second time: the pseudo-code of "Animation
// remapping" in three's matrices, on figures whose nodes stand anyhow, whose
// bones are spread over two skins, with turned nodes between them that no skin
// has, below a root that is turned and scaled.
//
// usage: ext_agrees.mjs JOINTCAST FOLDER     (files of our own go to FOLDER)
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { BONES, BONE_PARENTS } from '../../clients/js/tables.js';
import { Numbers } from './animations.mjs';
import { degreesBetween } from './compare.mjs';
import { makeRandom, randomRotation } from './random.mjs';
import { runJson } from '../cli/tool.mjs';

const degreesAllowed = 0.01;
const positionAllowed = 1e-5; // metres, of a figure about as high

const recipes = [
	{ name: 'ext_plain', seed: 1 },
	{ name: 'ext_posed', seed: 2, posed: true },
	{ name: 'ext_between', seed: 3, posed: true, between: 0.5 },
	{ name: 'ext_centimetres', seed: 4, posed: true, between: 0.3, scale: 0.01 },
	{ name: 'ext_few_bones', seed: 5, posed: true, between: 0.3, keep: 0.6 },
];

function compose(t, q, scale) {
	return new Matrix4().compose(new Vector3(...t), new Quaternion(...q),
		new Vector3(scale, scale, scale));
}

// A figure upright and facing +Z, judged by hips, head and hands.
function place(bone, index, random) {
	const side = bone.startsWith('left') ? 1 : bone.startsWith('right') ? -1 : 0;
	const high = { hips: 1, head: 1.6 }[bone] ?? (/Foot|Toes/.test(bone) ? 0.05 : 1.1 + 0.006 * index);
	return [side * (0.2 + 0.2 * random()), high, 0.05 * random()];
}

function addNode(figure, parent, json, bind) {
	const index = figure.nodes.push(json) - 1;
	figure.binds.push(bind);
	figure.parents.push(parent);
	if (parent >= 0) {
		(figure.nodes[parent].children ??= []).push(index);
	}
	return index;
}

// Nodes as the file has them, and world matrices of the bind pose.
function build(recipe, random) {
	const figure = { nodes: [], binds: [], parents: [], bones: {} };
	const scale = recipe.scale ?? 1;
	const turn = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
	addNode(figure, -1, { name: 'armature', rotation: turn, scale: [scale, scale, scale] },
		compose([0, 0, 0], turn, scale));
	BONES.forEach((bone, index) => {
		if (bone !== 'hips' && random() > (recipe.keep ?? 1)) {
			return;
		}
		let above = BONE_PARENTS[index];
		while (above >= 0 && figure.bones[BONES[above]] === undefined) {
			above = BONE_PARENTS[above];
		}
		let parent = above < 0 ? 0 : figure.bones[BONES[above]];
		if (random() < (recipe.between ?? 0)) {
			const [t, q] = [[0.1 / scale, 0.2 / scale, 0], randomRotation(random)];
			parent = addNode(figure, parent, { name: `between ${bone}`, translation: t, rotation: q },
				figure.binds[parent].clone().multiply(compose(t, q, 1)));
		}
		const bind = compose(place(bone, index, random), randomRotation(random), scale);
		const local = figure.binds[parent].clone().invert().multiply(bind);
		const [t, q, s] = [new Vector3(), new Quaternion(), new Vector3()];
		local.decompose(t, q, s);
		figure.bones[bone] = addNode(figure, parent, recipe.posed
			? { name: bone, rotation: randomRotation(random), translation: [3 * random(), 0, 0] }
			: { name: bone, rotation: q.toArray(), translation: t.toArray() }, bind);
	});
	return figure;
}

function write(folder, recipe, figure, rotations) {
	const numbers = new Numbers();
	const joints = Object.values(figure.bones);
	const half = Math.ceil(joints.length / 2);
	const skins = [joints.slice(0, half), joints.slice(half)].map((list) => ({ joints: list,
		inverseBindMatrices: numbers.add(
			list.map((joint) => figure.binds[joint].clone().invert().toArray()), 'MAT4') }));
	const input = numbers.add([0], 'SCALAR');
	const animation = { samplers: [], channels: [] };
	for (const [humanoidBoneName, rotation] of Object.entries(rotations)) {
		animation.channels.push({ sampler: animation.samplers.length, target: { path: 'rotation',
			extensions: { EXT_skeleton_humanoid: { humanoidBoneName } } } });
		animation.samplers.push({ input, output: numbers.add([rotation], 'VEC4') });
	}
	const members = numbers.members();
	members.buffers[0].uri = `${recipe.name}.bin`;
	const path = join(folder, `${recipe.name}.gltf`);
	writeFileSync(join(folder, `${recipe.name}.bin`), Buffer.concat(numbers.bytes));
	writeFileSync(path, JSON.stringify({ asset: { version: '2.0', generator: 'jointcast tests' },
		extensionsUsed: ['EXT_skeleton_humanoid'], nodes: figure.nodes, scene: 0,
		scenes: [{ nodes: [0] }], skins, animations: [animation], ...members,
		extensions: { EXT_skeleton_humanoid: { humanoidSkeletons: [
			{ rootNode: 0, humanoidBones: figure.bones }] } } }));
	return path;
}

// animatedLocal = parentInverseBind * bindWorld * R, and where that leads.
function expect(figure, rotations) {
	const worlds = [];
	const expected = {};
	const names = new Map(Object.entries(figure.bones).map(([bone, node]) => [node, bone]));
	figure.nodes.forEach((_, node) => {
		const parent = figure.parents[node];
		const bone = names.get(node);
		const local = parent < 0 ? figure.binds[node].clone()
			: figure.binds[parent].clone().invert().multiply(figure.binds[node]);
		if (bone) {
			local.multiply(new Matrix4().makeRotationFromQuaternion(
				new Quaternion(...rotations[bone])));
		}
		worlds[node] = parent < 0 ? local : worlds[parent].clone().multiply(local);
		const rotation = new Quaternion();
		local.decompose(new Vector3(), rotation, new Vector3());
		expected[bone] = { rotation: rotation.toArray(),
			position: new Vector3().setFromMatrixPosition(worlds[node]).toArray() };
	});
	return expected;
}

function check(jointcast, folder, recipe) {
	const random = makeRandom(recipe.seed);
	const figure = build(recipe, random);
	const rotations = Object.fromEntries(
		Object.keys(figure.bones).map((bone) => [bone, randomRotation(random)]));
	const path = write(folder, recipe, figure, rotations);
	const { frames: [frame] } = runJson(jointcast, 'retarget', path, path, '--times', '0');
	const expected = expect(figure, rotations);
	const worst = { degrees: 0, position: 0, bones: Object.keys(frame.bones).length };
	for (const [bone, { rotation, relative, worldPosition }] of Object.entries(frame.bones)) {
		worst.degrees = Math.max(worst.degrees, degreesBetween(relative, rotations[bone]),
			degreesBetween(rotation, expected[bone].rotation));
		worst.position = Math.max(worst.position, Math.hypot(
			...worldPosition.map((value, i) => value - expected[bone].position[i])));
	}
	return { ...worst, all: Object.keys(rotations).length };
}

function main([jointcast, folder]) {
	let failures = 0;
	mkdirSync(folder, { recursive: true });
	console.log('figure'.padEnd(20), 'bones', 'rotation deg', 'position m');
	for (const recipe of recipes) {
		const worst = check(jointcast, folder, recipe);
		const good = worst.bones === worst.all && worst.degrees <= degreesAllowed &&
			worst.position <= positionAllowed;
		failures += good ? 0 : 1;
		console.log(recipe.name.padEnd(20), String(worst.bones).padStart(5),
			worst.degrees.toExponential(1).padStart(12),
			worst.position.toExponential(1).padStart(10), good ? 'ok' : 'NOT OK');
	}
	return failures > 0 ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
