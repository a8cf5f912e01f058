// Writes the hand-made seeds of fuzz_rerest.corpus: figures with everything that is
// kept when a rest is mended, and with what cannot be. Files with other names in
// that folder are findings and stay.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { figure, turn } from '../../cli/lint_figures.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../fuzz_rerest.corpus');
const write = (name, document) => writeFileSync(join(folder, name), JSON.stringify(document));

// A skin of three joints over one triangle with a morph target, a rigid copy of it
// on the head, and an animation of every path and kind of keys.
function dress(document, index) {
	const parts = [];
	const add = (values, type, componentType = 5126) => {
		const size = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 }[type];
		const bytes = componentType === 5126 ? Buffer.from(Float32Array.from(values).buffer)
			: Buffer.from(values);
		const byteOffset = parts.reduce((sum, { length }) => sum + length, 0);
		parts.push(bytes);
		document.bufferViews.push({ buffer: 0, byteOffset, byteLength: bytes.length });
		return document.accessors.push({ bufferView: document.bufferViews.length - 1, componentType,
			type, count: values.length / size }) - 1;
	};
	document.bufferViews = [];
	document.accessors = [];
	const triangle = [0, 1, 0, 0.1, 1, 0, 0, 1.1, 0];
	const joints = [index.hips, index.leftUpperArm, index.leftHand];
	const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
	const attributes = { POSITION: add(triangle, 'VEC3'), NORMAL: add(triangle, 'VEC3'),
		JOINTS_0: add([0, 1, 0, 0, 1, 2, 0, 0, 2, 0, 0, 0], 'VEC4', 5121),
		WEIGHTS_0: add([0.5, 0.5, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], 'VEC4') };
	const target = { POSITION: add(triangle, 'VEC3'), NORMAL: attributes.NORMAL };
	document.meshes = [{ primitives: [{ attributes, targets: [target] }] }];
	document.skins = [{ joints, inverseBindMatrices: add([...identity, ...identity, ...identity], 'MAT4') }];
	document.nodes.push({ mesh: 0, skin: 0 });
	document.scenes[0].nodes.push(document.nodes.length - 1);
	document.nodes[index.head].mesh = 0;
	const times = add([0, 1], 'SCALAR');
	const samplers = [
		{ input: times, output: add([0, 0, 0, 1, 0, 0, 1, 0], 'VEC4') },
		{ input: times, output: add([0, 1, 0, 0, 2, 0], 'VEC3'), interpolation: 'STEP' },
		{ input: times, output: add([1, 2, 1, 1, 1, 1], 'VEC3') },
		{ input: times, output: add([0, 1], 'SCALAR') },
		{ input: times, output: add(Array(6).fill([0, 0, 0, 1]).flat(), 'VEC4'), interpolation: 'CUBICSPLINE' },
	];
	document.animations = [{ samplers, channels: [
		{ sampler: 0, target: { node: index.leftUpperArm, path: 'rotation' } },
		{ sampler: 1, target: { node: index.hips, path: 'translation' } },
		{ sampler: 2, target: { node: index.leftHand, path: 'scale' } },
		{ sampler: 3, target: { node: index.head, path: 'weights' } },
		{ sampler: 4, target: { node: index.leftLowerLeg, path: 'rotation' } },
	] }];
	const bytes = Buffer.concat(parts);
	document.buffers = [{ byteLength: bytes.length,
		uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }];
}

const aPose = (at) => turn(at, /^left(LowerArm|Hand|Thumb|Middle)/, at.leftUpperArm, 'z', -40);

function asExt(document, index) {
	dress(document, index);
	document.extensions = { EXT_skeleton_humanoid: { humanoidSkeletons: [{ rootNode: 0,
		humanoidBones: { hips: index.hips, spine: index.spine, leftUpperArm: index.leftUpperArm,
			leftLowerArm: index.leftLowerArm } }] } };
	document.animations[0].channels[0].target = { path: 'rotation',
		extensions: { EXT_skeleton_humanoid: { humanoidBoneName: 'leftUpperArm' } } };
}

mkdirSync(folder, { recursive: true });
write('dressed.gltf', figure({ edit: dress }));
write('a-pose.gltf', figure({ change: aPose, edit: dress }));
write('turned.gltf', figure({ change: (at) => turn(at, /./, [0, 0, 0], 'x', 70), edit: dress }));
write('ext.gltf', figure({ edit: asExt }));
write('two-roots.gltf', figure({ edit: (document, index) => {
	document.nodes[index.hips].children = document.nodes[index.hips].children
		.filter((child) => child !== index.leftUpperLeg);
	document.scenes[0].nodes.push(index.leftUpperLeg);
} }));
write('scaled.gltf', figure({ edit: (document, index) => {
	dress(document, index);
	document.nodes[index.spine].scale = [1, 2, -1];
	document.nodes[index.head].matrix = [1, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1];
	delete document.nodes[index.head].translation;
} }));
write('draco.gltf', figure({ edit: (document, index) => {
	dress(document, index);
	document.meshes[0].primitives[0].extensions = { KHR_draco_mesh_compression: { bufferView: 0 } };
} }));
write('constrained.gltf', figure({ edit: (document, index) => {
	document.nodes[index.leftHand].extensions = { VRMC_node_constraint: { specVersion: '1.0',
		constraint: { roll: { source: index.rightHand, rollAxis: 'X' } } } };
	document.extensions.KHR_virtual_transform = { virtualTransforms: [{ name: 'grip',
		parent: index.leftHand, translation: [0.1, 0, 0], respectParentRotation: false, tags: ['a'] }] };
} }));
const range = { inputMaxValue: 90, outputScale: 10 };
write('vrm1.gltf', figure({ change: aPose, edit: (document, index) => {
	dress(document, index);
	document.extensions.VRMC_vrm.lookAt = { type: 'bone', offsetFromHeadBone: [0, 0.06, 0.03], rangeMapVerticalUp: range };
	document.extensions.VRMC_vrm.firstPerson = { meshAnnotations: [{ node: index.head, type: 'both' }] };
	document.extensions.VRMC_vrm.expressions = { preset: { aa: { morphTargetBinds: [{ node: index.head, index: 0, weight: 1 }] } } };
	document.extensions.VRMC_springBone = { specVersion: '1.0', colliders: [
		{ node: index.head, shape: { capsule: { offset: [0, 0.1, 0], radius: 0.1, tail: [0, 0.2, 0] } },
			extensions: { VRMC_springBone_extended_collider: { specVersion: '1.0',
				shape: { plane: { offset: [0, 0.1, 0], normal: [0, 0, 1] } } } } }],
	springs: [{ joints: [{ node: index.leftToes, gravityDir: [1, 0, 0] }], colliderGroups: [0] }] };
	const constrain = (node, kind, value) => {
		document.nodes[node].extensions = { VRMC_node_constraint: { specVersion: '1.0', constraint: { [kind]: value } } };
	};
	document.nodes.push({ name: 'a' }, { name: 'b' }, { name: 'c' });
	const last = document.nodes.length - 1;
	document.nodes[index.leftLowerArm].children.push(last - 2, last - 1);
	document.scenes[0].nodes.push(last);
	constrain(last - 2, 'roll', { source: index.rightHand, rollAxis: 'Y' });
	constrain(last - 1, 'rotation', { source: last - 2 });
	constrain(last, 'aim', { source: index.head, aimAxis: 'NegativeX' });
	constrain(index.rightToes, 'rotation', { source: index.leftUpperArm });
} }));
write('vrm0.gltf', figure({ change: (at) => turn(at, /./, [0, 0, 0], 'y', 150), edit: (document, index) => {
	dress(document, index);
	document.skins.push(document.skins[0]);
	document.nodes.push({ mesh: 0, skin: 1 });
	document.extensions = { VRM: { meta: { title: 'old' }, humanoid: { humanBones:
		Object.entries(index).map(([bone, node]) => ({ bone, node })) },
	firstPerson: { firstPersonBone: index.head, firstPersonBoneOffset: { x: 0, y: 0.06, z: 0.1 },
		meshAnnotations: [{ mesh: 0, firstPersonFlag: 'Auto' }] },
	blendShapeMaster: { blendShapeGroups: [{ name: 'A', binds: [{ mesh: 0, index: 0, weight: 100 }] }] },
	secondaryAnimation: { boneGroups: [{ bones: [index.leftToes], gravityDir: { x: 1, y: 0, z: 0 } }],
		colliderGroups: [{ node: index.head, colliders: [{ offset: { x: 0, y: 0.1, z: 0.1 }, radius: 0.1 }] }] } } };
	document.extensionsUsed = ['VRM'];
} }));
write('character.gltf', figure({ edit: (document, index) => {
	dress(document, index);
	const weights = document.animations[0].samplers[3];
	document.animations[0].extensions = { KHR_character_reference_pose: { poseType: 'TPose' } };
	document.animations.push({ samplers: [weights], channels: [{ sampler: 0, target: { node: index.head, path: 'weights' } }] });
	document.extensions = { KHR_character: { rootNode: 0 },
		KHR_character_expression: { expressions: [{ expression: 'aa', animation: 1,
			extensions: { KHR_character_expression_morphtarget: { channels: [0] } } }] },
		KHR_character_skeleton_mapping: { skeletalRigMappings: {
			'https://github.com/vrm-c/vrm-specification/blob/70ae16e93abd6da727fdf641b67aa41010c6d933/specification/VRMC_vrm-1.0/humanoid.md':
				Object.fromEntries(Object.entries(index).map(([bone, node]) => [bone, { node, name: `J_${bone}` }])),
			'https://www.web3d.org/documents/specifications/19774/V2.0/Architecture/concepts.html': { l_elbow: { node: index.leftLowerArm } } } } };
	document.extensionsUsed = ['KHR_character'];
	document.nodes[index.head].extensions = { KHR_node_lookat_target: { hint: 'eyes' } };
} }));
const tPose = document => {
	document.animations = [{ extensions: { KHR_character_reference_pose: {} },
		samplers: [{ input: 0, output: 1, interpolation: 'STEP' }], channels: [{ sampler: 0, target: { node: 1, path: 'rotation' } }] }];
	const bytes = Buffer.from(Float32Array.from([0, 0, 0, 0.6, 0.8]).buffer);
	document.buffers = [{ byteLength: 20, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }];
	document.bufferViews = [{ buffer: 0, byteLength: 4 }, { buffer: 0, byteOffset: 4, byteLength: 16 }];
	document.accessors = [{ bufferView: 0, componentType: 5126, type: 'SCALAR', count: 1 }, { bufferView: 1, componentType: 5126, type: 'VEC4', count: 1 }];
};
write('character-pose.gltf', figure({ edit: (document, index) => {
	tPose(document);
	document.extensions = { KHR_character: { rootNode: 0 }, KHR_character_skeleton_mapping: { skeletalRigMappings: {
		'https://www.web3d.org/documents/specifications/19774/V2.0/Architecture/concepts.html': { humanoid_root: { node: index.hips },
			vl5: { node: index.spine }, skullbase: { node: index.head }, l_hip: { node: index.leftUpperLeg }, r_hip: { node: index.rightUpperLeg } } } } };
} }));
