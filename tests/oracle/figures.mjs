// Makes VRM files with features that public ones lack: arbitrary rest rotations, rotated nodes
// between bones, scaled parents, missing bones. As a program it writes them into a folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { makeRandom, randomRotation } from './random.mjs';
import { toGlb } from '../e2e/support/glb.mjs';

// A T-pose facing +Z, metres: bone, parent bone, position. Left side only; the
// right one is its mirror image.
const middle = [
	['hips', null, [0, 0.92, 0.01]],
	['spine', 'hips', [0, 1.0, 0]],
	['chest', 'spine', [0, 1.12, -0.01]],
	['upperChest', 'chest', [0, 1.24, -0.01]],
	['neck', 'upperChest', [0, 1.42, 0]],
	['head', 'neck', [0, 1.51, 0.02]],
	['jaw', 'head', [0, 1.54, 0.05]],
];
const left = [
	['Shoulder', 'upperChest', [0.04, 1.36, 0]],
	['UpperArm', 'Shoulder', [0.17, 1.36, 0]],
	['LowerArm', 'UpperArm', [0.44, 1.36, 0]],
	['Hand', 'LowerArm', [0.68, 1.36, 0]],
	['ThumbMetacarpal', 'Hand', [0.7, 1.35, 0.03]],
	['ThumbProximal', 'ThumbMetacarpal', [0.73, 1.35, 0.06]],
	['ThumbDistal', 'ThumbProximal', [0.76, 1.35, 0.08]],
	['IndexProximal', 'Hand', [0.77, 1.36, 0.03]],
	['IndexIntermediate', 'IndexProximal', [0.81, 1.36, 0.03]],
	['IndexDistal', 'IndexIntermediate', [0.83, 1.36, 0.03]],
	['UpperLeg', 'hips', [0.09, 0.88, 0]],
	['LowerLeg', 'UpperLeg', [0.09, 0.48, 0.01]],
	['Foot', 'LowerLeg', [0.09, 0.08, -0.02]],
	['Toes', 'Foot', [0.09, 0.02, 0.1]],
	['Eye', 'head', [0.03, 1.57, 0.08]],
];

const onSide = (side, name) => (middle.some(([bone]) => bone === name) ? name : side + name);

const body = [
	...middle,
	...left.map(([bone, parent, at]) => [`left${bone}`, onSide('left', parent), at]),
	...left.map(([bone, parent, [x, y, z]]) => [
		`right${bone}`, onSide('right', parent), [-x, y, z]]),
];

const optional = ['chest', 'upperChest', 'neck', 'leftShoulder', 'rightToes', 'jaw'];

// Properties of each figure; `rest` and `between` are probabilities of a rotation.
const recipes = [
	{ name: 'vrm1_plain', version: 1 },
	{ name: 'vrm1_random_rest', version: 1, rest: 1 },
	{ name: 'vrm1_between', version: 1, rest: 1, between: 0.5 },
	{ name: 'vrm1_centimetres', version: 1, rest: 0.5, between: 0.2, scale: 0.01 },
	{ name: 'vrm1_missing', version: 1, rest: 1, without: optional },
	{ name: 'vrm1_missing_between', version: 1, rest: 1, between: 0.5, without: optional },
	{ name: 'vrm0_plain', version: 0 },
	{ name: 'vrm0_random_rest', version: 0, rest: 1 },
	{ name: 'vrm0_between', version: 0, rest: 0.5, between: 0.5, scale: 0.01 },
	{ name: 'vrm0_missing', version: 0, without: optional },
];

// Adds a node whose world transform is given, its local one worked out.
function addNode(nodes, name, parent, world) {
	const local = new Matrix4();
	const [t, q, s] = [new Vector3(), new Quaternion(), new Vector3()];
	if (parent >= 0) {
		local.copy(nodes[parent].world).invert();
	}
	local.multiply(world).decompose(t, q, s);
	nodes.push({ world, parent, json: { name, translation: t.toArray(), rotation: q.toArray(),
		scale: s.toArray() } });
	return nodes.length - 1;
}

function buildNodes(recipe, random) {
	const scale = new Vector3().setScalar(recipe.scale ?? 1);
	const turn = (chance) =>
		new Quaternion(...(random() < (chance ?? 0) ? randomRotation(random) : [0, 0, 0, 1]));
	const nodes = [];
	const bones = {};
	const parents = Object.fromEntries(body.map(([bone, parent]) => [bone, parent]));
	const root = addNode(nodes, 'Armature', -1,
		new Matrix4().compose(new Vector3(0, 0, 0), turn(recipe.between), scale));
	for (const [bone, , [x, y, z]] of body) {
		if (recipe.without?.includes(bone)) {
			continue;
		}
		// VRM 0.x figures face -Z.
		const at = recipe.version === 0 ? new Vector3(-x, y, -z) : new Vector3(x, y, z);
		recipe.place?.(bone, at);
		let above = parents[bone];
		while (above && !(above in bones)) {
			above = parents[above];
		}
		let parent = above ? bones[above] : root;
		if (random() < (recipe.between ?? 0)) {
			const half = new Vector3().setFromMatrixPosition(nodes[parent].world).lerp(at, 0.4);
			parent = addNode(nodes, `between ${bone}`, parent,
				new Matrix4().compose(half, turn(1), scale));
		}
		bones[bone] = addNode(nodes, `node ${bone}`, parent,
			new Matrix4().compose(at, turn(recipe.rest), scale));
	}
	return { nodes, bones };
}

// VRM 0.x counts a thumb's bones from the wrist as fingers' are counted.
const vrm0Name = (bone) => bone.replace('ThumbProximal', 'ThumbIntermediate')
	.replace('ThumbMetacarpal', 'ThumbProximal');

function describe(recipe, { nodes, bones }) {
	const children = nodes.map(() => []);
	nodes.forEach(({ parent }, index) => parent >= 0 && children[parent].push(index));
	const entries = Object.entries(bones);
	const vrm = recipe.version === 0
		? { VRM: { specVersion: '0.0', meta: { title: recipe.name, licenseName: 'CC0' },
			humanoid: { humanBones: entries.map(([bone, node]) => ({ bone: vrm0Name(bone), node })) } } }
		: { VRMC_vrm: { specVersion: '1.0',
			meta: { name: recipe.name, authors: ['jointcast'],
				licenseUrl: 'https://vrm.dev/licenses/1.0/' },
			humanoid: { humanBones: Object.fromEntries(
				entries.map(([bone, node]) => [bone, { node }])) } } };
	return {
		asset: { version: '2.0', generator: 'jointcast tests' },
		extensionsUsed: Object.keys(vrm),
		extensions: vrm,
		scene: 0,
		scenes: [{ nodes: [0] }],
		nodes: nodes.map(({ json }, index) =>
			children[index].length ? { ...json, children: children[index] } : json),
	};
}

// One figure as a document, with the world matrices of its nodes.
export function makeFigure(recipe, seed) {
	const figure = buildNodes(recipe, makeRandom(seed));
	return { document: describe(recipe, figure), worlds: figure.nodes.map(({ world }) => world),
		bones: figure.bones };
}

// Writes every figure into the folder and returns their paths.
export function writeFigures(folder) {
	mkdirSync(folder, { recursive: true });
	return recipes.map((recipe, index) => {
		const path = join(folder, `${recipe.name}.vrm`);
		writeFileSync(path, toGlb(describe(recipe, buildNodes(recipe, makeRandom(index + 1)))));
		return path;
	});
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	console.log(writeFigures(process.argv[2] ?? '.').join('\n'));
}
