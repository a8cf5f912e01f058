// Makes VRM animations with features that public ones lack: arbitrary rest rotations, a parent
// scaled to centimetres, hips beside the axis, keys at uneven times that differ from bone to bone.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { BONES, BONE_PARENTS } from '../../clients/js/tables.js';
import { toGlb } from '../e2e/support/glb.mjs';
import { makeRandom, randomRotation } from './random.mjs';

const recipes = [
	{ name: 'vrma_plain' },
	{ name: 'vrma_random_rest', rest: 1 },
	{ name: 'vrma_centimetres', rest: 0.5, scale: 0.01, aside: true },
	{ name: 'vrma_few_bones', rest: 1, only: ['hips', 'spine', 'head', 'leftUpperArm', 'leftHand'] },
];

const duration = 2;

// A figure that stands on y = 0 with bones a hand's breadth apart: where they
// are does not matter to rotations, how high the hips are does to their way.
function place(bone, index) {
	return bone === 'hips' ? [0, 0.9, 0]
		: [0.02 * (index % 7) - 0.06, /Foot|Toes/.test(bone) ? 0 : 0.9 + 0.01 * index, 0.01];
}

function makeTimes(random) {
	const times = [0];
	while (times.at(-1) < duration) {
		times.push(Math.min(duration, times.at(-1) + 0.02 + 0.3 * random()));
	}
	return times.map(Math.fround);
}

// Accessors in one buffer, each with its own view.
export class Numbers {
	bytes = [];
	accessors = [];

	add(values, type) {
		const size = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 }[type];
		this.bytes.push(Buffer.from(Float32Array.from(values.flat()).buffer));
		this.accessors.push({ bufferView: this.accessors.length, componentType: 5126, type,
			count: values.flat().length / size });
		return this.accessors.length - 1;
	}

	members() {
		let at = 0;
		const bufferViews = this.bytes.map((bytes) => {
			const view = { buffer: 0, byteOffset: at, byteLength: bytes.length };
			at += bytes.length;
			return view;
		});
		return { accessors: this.accessors, bufferViews, buffers: [{ byteLength: at }] };
	}
}

function animate(document, numbers, random, node, path, makeValue) {
	const times = makeTimes(random);
	const [animation] = document.animations;
	animation.channels.push({ sampler: animation.samplers.length, target: { node, path } });
	animation.samplers.push({ input: numbers.add(times, 'SCALAR'),
		output: numbers.add(times.map(makeValue), path === 'rotation' ? 'VEC4' : 'VEC3') });
}

function write(path, recipe, random) {
	const numbers = new Numbers();
	const scale = recipe.scale ?? 1;
	const worlds = [new Matrix4().makeScale(scale, scale, scale)];
	const nodes = [{ name: 'root', scale: [scale, scale, scale] }];
	const indices = {};
	const document = { asset: { version: '2.0', generator: 'jointcast tests' }, nodes, scene: 0,
		scenes: [{ nodes: [0] }], animations: [{ channels: [], samplers: [] }],
		extensionsUsed: ['VRMC_vrm_animation'] };

	BONES.forEach((bone, index) => {
		// Eyes look by the expression of a gaze in this format.
		if (/Eye$/.test(bone) || (recipe.only && !recipe.only.includes(bone))) {
			return;
		}
		let above = BONE_PARENTS[index];
		while (above >= 0 && indices[BONES[above]] === undefined) {
			above = BONE_PARENTS[above];
		}
		const parent = above < 0 ? 0 : indices[BONES[above]];
		const [x, y, z] = place(bone, index);
		const turn = random() < (recipe.rest ?? 0) ? randomRotation(random) : [0, 0, 0, 1];
		const world = new Matrix4().compose(new Vector3(x + (recipe.aside ? 0.2 : 0), y, z),
			new Quaternion(...turn), new Vector3(scale, scale, scale));
		const [t, q, s] = [new Vector3(), new Quaternion(), new Vector3()];
		worlds[parent].clone().invert().multiply(world).decompose(t, q, s);
		indices[bone] = nodes.length;
		worlds.push(world);
		nodes.push({ name: `node ${bone}`, translation: t.toArray(), rotation: q.toArray() });
		(nodes[parent].children ??= []).push(indices[bone]);
		animate(document, numbers, random, indices[bone], 'rotation', () => randomRotation(random));
		if (bone === 'hips') {
			animate(document, numbers, random, indices[bone], 'translation', () =>
				t.toArray().map((value) => value + (0.4 * random() - 0.2) / scale));
		}
	});
	document.extensions = { VRMC_vrm_animation: { specVersion: '1.0', humanoid: { humanBones:
		Object.fromEntries(Object.entries(indices).map(([bone, node]) => [bone, { node }])) } } };
	writeFileSync(path, toGlb({ ...document, ...numbers.members() }, Buffer.concat(numbers.bytes)));
}

// Writes every animation into the folder and returns their paths.
export function writeAnimations(folder) {
	mkdirSync(folder, { recursive: true });
	return recipes.map((recipe, index) => {
		const path = join(folder, `${recipe.name}.vrma`);
		write(path, recipe, makeRandom(100 + index));
		return path;
	});
}
