// Figures that test posing: virtual transforms with all combinations of flags below parents with
// any rotation and scale, and H-Anim spines from a few vertebrae to all 24.
import { makeRandom, randomRotation } from './random.mjs';

const VERTEBRAE = ['vl5', 'vl4', 'vl3', 'vl2', 'vl1',
	...Array.from({ length: 12 }, (_, i) => `vt${12 - i}`), ...Array.from({ length: 7 }, (_, i) => `vc${7 - i}`)];
const SPINE = { vl5: 'spine', vl1: 'chest', vt6: 'upperChest', vc7: 'neck' };

const around = (random, size) => [0, 1, 2].map(() => size * (2 * random() - 1));

// Each combination of flags at each of the parents; and roots.
export function makeVirtuals(parents, random, { uneven = true } = {}) {
	const virtuals = [-1, ...parents].flatMap((parent) => Array.from({ length: 8 }, (_, flags) => ({
		name: `point ${parent} ${flags}`, parent,
		translation: around(random, 0.3), rotation: randomRotation(random),
		scale: uneven ? [0.5 + random(), 0.5 + random(), 0.5 + random()] : [1, 1, 1],
		respectParentPosition: (flags & 1) !== 0, respectParentRotation: (flags & 2) !== 0,
		respectParentScale: (flags & 4) !== 0,
		tags: flags % 2 ? ['seating', 'ui'] : ['weapon_socket'],
	})));
	return virtuals;
}

// A trunk, one arm and one leg; every node is turned and `uneven` ones are stretched.
function makeFigure(seed, { uneven, facing }) {
	const random = makeRandom(seed);
	const place = { hips: [0, 1, 0], spine: [0, 0.1, 0], chest: [0, 0.1, 0], head: [0, 0.3, 0],
		leftUpperArm: [0.2, 0.2, 0], leftLowerArm: [0.3, 0, 0], leftHand: [0.3, 0, 0],
		leftUpperLeg: [0.1, 0, 0], leftFoot: [0, -0.9, 0] };
	const above = { spine: 'hips', chest: 'spine', head: 'chest', leftUpperArm: 'chest',
		leftLowerArm: 'leftUpperArm', leftHand: 'leftLowerArm', leftUpperLeg: 'hips', leftFoot: 'leftUpperLeg' };
	const nodes = [{ name: 'armature', translation: [0.1, 0, 0.2] }];
	const bones = {};
	for (const [bone, translation] of Object.entries(place)) {
		const stretched = uneven && bone !== 'hips';
		bones[bone] = nodes.push({ name: bone, parent: above[bone] ? bones[above[bone]] : 0, translation,
			rotation: randomRotation(random),
			scale: stretched ? [0.7 + 0.6 * random(), 0.7 + 0.6 * random(), 0.7 + 0.6 * random()] : [1, 1, 1] }) - 1;
	}
	nodes.push({ name: 'socket', parent: bones.leftHand, translation: [0.1, 0, 0], rotation: randomRotation(random),
		scale: uneven ? [1, 2, -1] : [1, 1, 1] });
	return { format: 'gltf', nodes, bones, facing: facing ?? [0, 0, 0, 1],
		virtualTransforms: makeVirtuals([0, bones.hips, bones.head, bones.leftHand, nodes.length - 1], random, { uneven }) };
}

// HumanoidRoot, vertebrae and skullbase, with arms and a point on the head.
function makeHumanoid(seed, { names, shoulders, turned }) {
	const random = makeRandom(seed);
	const nodes = [{ name: 'HumanoidRoot', translation: [0, 0.9, 0] }];
	const bones = { hips: 0 };
	const add = (node) => nodes.push(node) - 1;
	for (const name of [...names, 'skullbase']) {
		const node = add({ name, parent: nodes.length - 1, translation: [0, 0.01 + 0.04 * random(), 0.01 * random()],
			rotation: turned ? randomRotation(random) : [0, 0, 0, 1] });
		const bone = name === 'skullbase' ? 'head' : SPINE[name];
		if (bone) {
			bones[bone] = node;
		}
	}
	for (const [side, x] of [['left', 1], ['right', -1]]) {
		const base = nodes.findIndex(({ name }) => name === shoulders);
		bones[`${side}UpperArm`] = add({ name: `${side[0]}_shoulder`, parent: base, translation: [0.2 * x, 0, 0] });
		bones[`${side}Hand`] = add({ name: `${side[0]}_wrist`, parent: bones[`${side}UpperArm`], translation: [0.5 * x, 0, 0] });
	}
	return { format: 'h-anim', nodes, bones, virtualTransforms: makeVirtuals([bones.head], random) };
}

// A trunk that ends in two branches: chest and neck have the same bone below them, which shares its
// rotation once.
function makeBranches() {
	const { nodes, bones, ...descriptor } = makeHumanoid(8, { shoulders: 'vl1',
		names: ['vl5', 'vl4', 'vl3', 'vl2', 'vl1', 'vc7', 'vc6', 'vc5'] });
	nodes.find(({ name }) => name === 'vc7').parent = nodes.findIndex(({ name }) => name === 'vl3');
	return { ...descriptor, nodes, bones };
}

export function makeDescriptors() {
	return [
		{ name: 'points', descriptor: makeFigure(1, {}) },
		{ name: 'points_uneven', descriptor: makeFigure(2, { uneven: true }) },
		{ name: 'points_backward', descriptor: makeFigure(3, { uneven: true, facing: [0, 1, 0, 0] }) },
		{ name: 'hanim_all', descriptor: makeHumanoid(4, { names: VERTEBRAE, shoulders: 'vt1' }) },
		{ name: 'hanim_turned', descriptor: makeHumanoid(5, { names: VERTEBRAE, shoulders: 'vt4', turned: true }) },
		{ name: 'hanim_missing', descriptor: makeHumanoid(6, { shoulders: 'vt6', turned: true,
			names: ['vl5', 'vl3', 'vl1', 'vt10', 'vt6', 'vt2', 'vc7', 'vc4', 'vc2'] }) },
		{ name: 'hanim_few', descriptor: makeHumanoid(7, { names: ['vl5', 'vt6', 'vc7'], shoulders: 'vt6' }) },
		{ name: 'hanim_branches', descriptor: makeBranches() },
	];
}
