// Writes the hand-made seeds of fuzz_gltf_motion.corpus, and of fuzz_gltf.corpus
// those of EXT_skeleton_humanoid. Files with other names are findings and stay.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(dirname(fileURLToPath(import.meta.url)));

function write(folder, name, document) {
	const path = join(here, `${folder}.corpus`, `${name}.gltf`);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, JSON.stringify(document));
}

// Accessors 0 to 4: times 0, 1, 3; three rotations; three vectors; two matrices; nine vectors
// (a cubic spline with three keys).
const half = Math.SQRT1_2;
const parts = [
	['SCALAR', [0, 1, 3]],
	['VEC4', [0, 0, 0, 1, half, 0, 0, half, 1, 0, 0, 0]],
	['VEC3', [0, 1, 0, 1, 2, 3, 0, 1, 0]],
	['MAT4', [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1,
		0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, -1.5, 0, 0, 1]],
	['VEC3', Array.from({ length: 27 }, (_, i) => (i % 5) / 4)],
];
const sizes = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 };

function document(change) {
	let at = 0;
	const accessors = parts.map(([type, values]) => {
		const accessor = { bufferView: 0, byteOffset: at, componentType: 5126, type,
			count: values.length / sizes[type] };
		at += 4 * values.length;
		return accessor;
	});
	const bytes = Buffer.from(Float32Array.from(parts.flatMap(([, values]) => values)).buffer);
	return {
		asset: { version: '2.0' },
		buffers: [{ byteLength: at,
			uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
		bufferViews: [{ buffer: 0, byteLength: at }],
		accessors,
		...change,
	};
}

const sampler = (output, interpolation, input = 0) => ({ input, output, interpolation });
const node = (sampler_, path, index) => ({ sampler: sampler_, target: { path, node: index } });
const bone = (sampler_, path, humanoidBoneName) => ({ sampler: sampler_,
	target: { path, extensions: { EXT_skeleton_humanoid: { humanoidBoneName } } } });
const samplers = [sampler(1, 'LINEAR'), sampler(2, 'STEP'), sampler(4, 'CUBICSPLINE')];
const nodes = [
	{ name: 'root', scale: [0.01, 0.01, 0.01], children: [1] },
	{ name: 'hips', translation: [0, 100, 0], children: [2, 4] },
	{ name: 'between', rotation: [0.6, 0, 0, 0.8], children: [3] },
	{ name: 'spine' },
	{ name: 'leg' },
	{ name: 'happy', translation: [0.5, 0, 0] },
];
const named = { samplers, channels: [bone(0, 'rotation', 'spine'), bone(1, 'translation', 'hips'),
	bone(2, 'scale', 'head')] };
const plain = { name: 'plain', samplers, channels: [node(0, 'rotation', 2), node(2, 'translation', 0),
	node(1, 'scale', 1), node(0, 'rotation', 5)] };
const bones = { hips: 1, spine: 3, leftUpperLeg: 4 };
const skeleton = { rootNode: 0, humanoidBones: bones };
const skins = [{ joints: [1, 3], inverseBindMatrices: 3 }, { joints: [4, 3], inverseBindMatrices: 3 }];
const ext = { nodes, skins, extensions: { EXT_skeleton_humanoid: { humanoidSkeletons: [skeleton] } } };
const humanBones = Object.fromEntries(Object.entries(bones).map(([name, index]) =>
	[name, { node: index }]));

const seeds = {
	named: document({ animations: [named, plain] }),
	'named-own': document({ ...ext, animations: [named, plain] }),
	'nodes-own': document({ ...ext, animations: [plain] }),
	'nodes-vrm': document({ nodes, animations: [plain],
		extensions: { VRMC_vrm: { humanoid: { humanBones } } } }),
	vrma: document({ nodes, animations: [{ samplers, channels: [node(0, 'rotation', 1),
		node(2, 'translation', 1), node(2, 'translation', 5), node(0, 'rotation', 5)] }],
		extensions: { VRMC_vrm_animation: { specVersion: '1.0', humanoid: { humanBones },
			expressions: { preset: { happy: { node: 5 } }, custom: { own: { node: 2 } } },
			lookAt: { node: 5 } } } }),
	shared: document({ animations: [{ samplers, channels: [bone(0, 'rotation', 'spine'),
		bone(0, 'rotation', 'spine'), node(0, 'rotation', 0)] }], nodes }),
	weights: document({ animations: [{ samplers, channels: [bone(0, 'weights', 'spine')] }] }),
	backwards: document({ animations: [{ samplers: [sampler(1, 'LINEAR', 4)],
		channels: [bone(0, 'rotation', 'spine')] }] }),
	unmatched: document({ animations: [{ samplers: [sampler(2, 'LINEAR')],
		channels: [bone(0, 'rotation', 'spine')] }] }),
};
for (const [name, seed] of Object.entries(seeds)) {
	write('fuzz_gltf_motion', name, seed);
}

write('fuzz_gltf', 'ext', document(ext));
write('fuzz_gltf', 'ext-schema', document({ ...ext, extensions: { EXT_skeleton_humanoid: skeleton } }));
write('fuzz_gltf', 'ext-two', document({ ...ext, extensions: {
	EXT_skeleton_humanoid: { humanoidSkeletons: [skeleton, { rootNode: 4, humanoidBones: { hips: 4 } }] },
	KHR_virtual_transform: { virtualTransforms: [{ name: 'a', parent: 3 }, { name: 'b' }] } } }));
write('fuzz_gltf', 'ext-between', document({ ...ext, extensions: { EXT_skeleton_humanoid: {
	humanoidSkeletons: [{ rootNode: 0, humanoidBones: { hips: 1, chest: 2, spine: 3 } }] } } }));
