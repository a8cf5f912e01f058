// Adds what makes a VRM more than a skeleton to a figure of rested_figures.mjs: expressions,
// first person, look-at, materials, spring bones with colliders of all shapes, and constraints of
// all kinds between nodes whose new axes differ in all ways.
import { Matrix4, Quaternion, Vector3 } from 'three';
import { randomRotation } from './random.mjs';

// A node below another one at a place relative to it, with axes of its own.
function addNode({ document: { nodes }, worlds }, name, parent, offset, random) {
	const at = new Vector3().setFromMatrixPosition(worlds[parent]).add(new Vector3(...offset));
	const scale = new Vector3().setFromMatrixScale(worlds[parent]);
	const world = new Matrix4().compose(at, new Quaternion(...randomRotation(random)), scale);
	const [t, q, s] = [new Vector3(), new Quaternion(), new Vector3()];
	worlds[parent].clone().invert().multiply(world).decompose(t, q, s);
	nodes.push({ name, translation: t.toArray(), rotation: q.toArray(), scale: s.toArray() });
	(nodes[parent].children ??= []).push(nodes.length - 1);
	worlds.push(world);
	return nodes.length - 1;
}

// Call it before the skin is added: the nodes become joints.
export function addVrmNodes(figure, random) {
	const { bones } = figure;
	const add = (name, parent, offset) => addNode(figure, name, parent, offset, random);
	const tail = [add('tail', bones.hips, [0, 0, -0.1])];
	tail.push(add('tail 1', tail[0], [0, -0.1, -0.05]), 0);
	tail[2] = add('tail 2', tail[1], [0, -0.1, 0]);
	const parts = { tail,
		twist: add('twist', bones.leftLowerArm, [0.1, 0, 0]),
		farRoll: add('far roll', bones.spine, [0, 0.1, 0.1]),
		copy: add('copy', bones.head, [0, 0.2, 0]),
		aimer: add('aimer', bones.spine, [0.1, 0, 0.1]) };
	parts.second = add('second', parts.copy, [0, 0.1, 0]);
	return parts;
}

const constraintsOf = (bones, { twist, farRoll, copy, aimer, second }) => [
	[twist, 'roll', { source: bones.leftHand, rollAxis: 'X', weight: 0.5 }],
	[farRoll, 'roll', { source: bones.rightHand, rollAxis: 'Z' }],
	[copy, 'rotation', { source: bones.leftUpperArm, weight: 0.75 }],
	[second, 'rotation', { source: copy }],
	[aimer, 'aim', { source: bones.rightHand, aimAxis: 'NegativeY', weight: 0.8 }],
	[bones.jaw, 'aim', { source: bones.leftHand, aimAxis: 'PositiveX' }],
	[bones.rightToes, 'rotation', { source: bones.leftUpperLeg }],
	[bones.leftIndexDistal, 'roll', { source: bones.leftHand, rollAxis: 'Y' }],
];

const collidersOf = (bones) => [
	{ node: bones.head, shape: { sphere: { offset: [0.02, 0.05, -0.01], radius: 0.12 } } },
	{ node: bones.leftUpperArm, shape: { capsule: { offset: [0, 0.02, 0], radius: 0.06, tail: [0.2, 0.01, 0] } } },
	{ node: bones.hips, shape: { sphere: { offset: [0, -0.1, 0], radius: 0.01 } },
		extensions: { VRMC_springBone_extended_collider: { specVersion: '1.0',
			shape: { plane: { offset: [0, -0.5, 0.1], normal: [0, 0.6, 0.8] } } } } },
	{ node: bones.spine, shape: { sphere: { offset: [0, 0, 0], radius: 0.01 } },
		extensions: { VRMC_springBone_extended_collider: { specVersion: '1.0',
			shape: { sphere: { offset: [0.1, 0, 0.02], radius: 2, inside: true } } } } },
];

const range = (outputScale) => ({ inputMaxValue: 90, outputScale });

function addVrm1({ document, bones }, parts, hair, body) {
	const { extensions, nodes } = document;
	const joint = (node, more = {}) => ({ node, stiffness: 0.8, gravityPower: 0.6,
		gravityDir: [0.6, -0.8, 0], dragForce: 0.3, hitRadius: 0.02, ...more });
	Object.assign(extensions.VRMC_vrm, {
		firstPerson: { meshAnnotations: [{ node: body, type: 'thirdPersonOnly' },
			{ node: bones.head, type: 'firstPersonOnly' }] },
		lookAt: { type: 'bone', offsetFromHeadBone: [0.01, 0.06, 0.03],
			rangeMapHorizontalInner: range(10), rangeMapHorizontalOuter: range(12),
			rangeMapVerticalDown: range(9), rangeMapVerticalUp: range(11) },
		expressions: {
			preset: { happy: { isBinary: false, morphTargetBinds: [{ node: body, index: 0, weight: 1 }],
				materialColorBinds: [{ material: 0, type: 'color', targetValue: [1, 0, 0, 1] }] },
			aa: { morphTargetBinds: [{ node: bones.head, index: 0, weight: 0.5 }] } },
			custom: { both: { morphTargetBinds: [{ node: bones.head, index: 0, weight: 1 },
				{ node: body, index: 0, weight: 0.25 }] } },
		},
	});
	extensions.VRMC_springBone = { specVersion: '1.0', colliders: collidersOf(bones),
		colliderGroups: [{ name: 'upper', colliders: [0, 1, 3] }, { name: 'plane', colliders: [2] }],
		springs: [{ name: 'hair', joints: [joint(hair.tuft), joint(hair.tip)], colliderGroups: [0] },
			{ name: 'tail', joints: parts.tail.map((node) => joint(node, { stiffness: 0.2 })),
				colliderGroups: [0, 1], center: bones.spine }] };
	for (const [node, kind, value] of constraintsOf(bones, parts)) {
		nodes[node].extensions = { VRMC_node_constraint: { specVersion: '1.0', constraint: { [kind]: value } } };
	}
	document.materials = [{ name: 'toon', extensions: { VRMC_materials_mtoon: { specVersion: '1.0',
		shadeColorFactor: [0.2, 0.3, 0.4], shadingToonyFactor: 0.7 } } }];
	document.extensionsUsed.push('VRMC_springBone', 'VRMC_springBone_extended_collider',
		'VRMC_node_constraint', 'VRMC_materials_mtoon');
}

function addVrm0({ document, bones }, parts, hair) {
	const curve = { curve: [0, 0, 0, 1, 1, 1, 1, 0], xRange: 90, yRange: 10 };
	const group = (bonesOfGroup, more) => ({ stiffiness: 0.8, gravityPower: 0.6, gravityDir: { x: 0.6, y: -0.8, z: 0 },
		dragForce: 0.3, center: -1, hitRadius: 0.02, bones: bonesOfGroup, colliderGroups: [0, 1], ...more });
	Object.assign(document.extensions.VRM, {
		firstPerson: { firstPersonBone: bones.head, firstPersonBoneOffset: { x: 0.01, y: 0.06, z: 0.03 },
			meshAnnotations: [{ mesh: 0, firstPersonFlag: 'ThirdPersonOnly' }, { mesh: 1, firstPersonFlag: 'FirstPersonOnly' }],
			lookAtTypeName: 'Bone', lookAtHorizontalInner: curve, lookAtHorizontalOuter: curve,
			lookAtVerticalDown: curve, lookAtVerticalUp: curve },
		blendShapeMaster: { blendShapeGroups: [
			{ name: 'Joy', presetName: 'joy', binds: [{ mesh: 0, index: 0, weight: 100 }], materialValues: [] },
			{ name: 'A', presetName: 'a', binds: [{ mesh: 1, index: 0, weight: 50 }], materialValues: [] },
			{ name: 'both', presetName: 'unknown', binds: [{ mesh: 0, index: 0, weight: 25 },
				{ mesh: 1, index: 0, weight: 100 }], materialValues: [] }] },
		secondaryAnimation: { boneGroups: [group([hair.tuft]), group([parts.tail[0]], { stiffiness: 0.2, center: bones.spine })],
			colliderGroups: [{ node: bones.head, colliders: [{ offset: { x: 0.02, y: 0.05, z: -0.01 }, radius: 0.12 }] },
				{ node: bones.leftUpperArm, colliders: [{ offset: { x: 0.2, y: 0.01, z: 0.1 }, radius: 0.06 },
					{ offset: { x: 0, y: 0, z: -0.1 }, radius: 0.05 }] }] },
		materialProperties: [{ name: 'toon', shader: 'VRM/MToon', renderQueue: 2000, keywordMap: {}, tagMap: {},
			floatProperties: { _ShadeToony: 0.7 }, textureProperties: {}, vectorProperties: { _ShadeColor: [0.2, 0.3, 0.4, 1] } }],
	});
	document.materials = [{ name: 'toon' }];
}

// Call it when the meshes are there; `body` is the node that shows mesh 0.
export function addVrm(figure, recipe, parts, hair, body) {
	const { document: { meshes } } = figure;
	(recipe.version === 0 ? addVrm0 : addVrm1)(figure, parts, hair, body);
	for (const { primitives } of meshes) {
		primitives[0].material = 0;
	}
}
