// Files with EXT_skeleton_humanoid: nodes that stand anyhow, bones spread over two skins, turned
// nodes between them that no skin has, a root that is turned and scaled.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { BONES, BONE_PARENTS } from '../../clients/js/tables.js';
import { toGlb } from '../e2e/support/glb.mjs';
import { Numbers } from './animations.mjs';
import { makeVirtuals } from './posed_figures.mjs';
import { makeRandom, randomRotation } from './random.mjs';

export const extRecipes = [
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
export function buildExt(recipe, random) {
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

export function writeExt(folder, recipe, figure, rotations) {
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

// Turns and shrinks the space of a skin, as some exporters do for the armature.
const baked = compose([0, 0, 0], [-Math.SQRT1_2, 0, 0, Math.SQRT1_2], 0.01);

// Adds a figure to a document with its own nodes, skins and skeleton.
function addFigure(document, numbers, figure, recipe) {
	const first = document.nodes.length;
	const at = (node) => (node < 0 ? -1 : node + first);
	document.nodes.push(...figure.nodes.map(({ children, name, ...node }) =>
		({ ...node, name: `${recipe.name} ${name}`, ...(children && { children: children.map(at) }) })));
	document.scenes[0].nodes.push(first);
	const joints = Object.values(figure.bones);
	const third = Math.ceil(joints.length / 3);
	for (let from = 0; from < joints.length; from += third) {
		const list = joints.slice(from, from + third);
		document.skins.push({ joints: list.map(at), inverseBindMatrices: numbers.add(list.map((joint) => {
			const inverse = figure.binds[joint].clone().invert();
			return (recipe.baked ? inverse.multiply(baked) : inverse).toArray();
		}), 'MAT4') });
	}
	document.extensions.EXT_skeleton_humanoid.humanoidSkeletons.push({ rootNode: first,
		humanoidBones: Object.fromEntries(Object.entries(figure.bones).map(([bone, node]) => [bone, at(node)])),
		extras: { floor: recipe.floor ?? 0 } });
	return at;
}

const people = [
	{ name: 'ada', seed: 11, posed: true, between: 0.4 },
	{ name: 'ben', seed: 12, posed: true, between: 0.2, keep: 0.7, floor: 0.01 },
	{ name: 'cas', seed: 13, between: 0.3, baked: true },
];

// A .glb with three humanoids on nine skins, points at bones and at nodes between them, and
// points that are invalid; its path and the number of humanoids.
export function writePeople(folder) {
	const numbers = new Numbers();
	const random = makeRandom(14);
	const document = { asset: { version: '2.0', generator: 'jointcast tests' }, nodes: [], skins: [],
		extensionsUsed: ['EXT_skeleton_humanoid', 'KHR_virtual_transform'], scene: 0, scenes: [{ nodes: [] }],
		extensions: { EXT_skeleton_humanoid: { humanoidSkeletons: [] }, KHR_virtual_transform: { virtualTransforms: [] } } };
	const points = document.extensions.KHR_virtual_transform.virtualTransforms;
	for (const recipe of people) {
		const figure = buildExt(recipe, makeRandom(recipe.seed));
		const at = addFigure(document, numbers, figure, recipe);
		const between = figure.nodes.findIndex(({ name }) => name.startsWith('between'));
		points.push(...makeVirtuals([figure.bones.hips, figure.bones.leftHand ?? 0, between].map(at), random));
	}
	points.push({ name: 'no such node', parent: document.nodes.length }, { name: 'no rotation', rotation: [0, 0, 0, 2] },
		{ name: 'bare' }, { tags: [7] }, null, { name: 'x'.repeat(300) });
	document.extensions.KHR_virtual_transforms = { virtualTransforms: [{ name: 'plural', scale: [2, 2, 2] }] };
	const path = join(folder, 'people.glb');
	writeFileSync(path, toGlb({ ...document, ...numbers.members() }, Buffer.concat(numbers.bytes)));
	return { path, count: people.length };
}
