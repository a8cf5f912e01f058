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
