// Writes the hand-made seeds of fuzz_gltf.corpus and fuzz_descriptor.corpus.
// Files with other names in those folders are findings and stay.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toGlb } from '../../e2e/support/glb.mjs';

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const asset = { version: '2.0' };

function write(folder, name, content) {
	const path = join(here, `${folder}.corpus`, name);
	mkdirSync(dirname(path), { recursive: true });
	const isRaw = typeof content === 'string' || content instanceof Uint8Array;
	writeFileSync(path, isRaw ? content : JSON.stringify(content));
}

function glb(json, binary, change = () => {}) {
	const bytes = toGlb(json, binary);
	change(bytes);
	return bytes;
}

const limbs = [
	['hips', -1, [0, 1, 0]],
	['spine', 0, [0, 0.2, 0]],
	['head', 1, [0, 0.4, 0]],
	['leftUpperArm', 1, [0.2, 0.3, 0]],
	['leftLowerArm', 3, [0.3, 0, 0]],
	['leftHand', 4, [0.3, 0, 0]],
	['leftThumbProximal', 5, [0.05, 0, 0.05]],
	['leftUpperLeg', 0, [0.1, -0.1, 0]],
	['leftLowerLeg', 7, [0, -0.4, 0]],
	['leftFoot', 8, [0, -0.4, 0]],
];

function nodes() {
	return limbs.map(([name, , translation], index) => {
		const children = limbs.flatMap(([, parent], child) => (parent === index ? [child] : []));
		return { name, translation, ...(children.length ? { children } : {}) };
	});
}

function vrm1(extra = {}, humanBones = Object.fromEntries(limbs.map(([n], i) => [n, { node: i }]))) {
	return {
		asset,
		nodes: nodes(),
		extensionsUsed: ['VRMC_vrm'],
		extensions: { VRMC_vrm: { specVersion: '1.0', meta: { name: 'seed' }, humanoid: { humanBones } } },
		...extra,
	};
}

function vrm0(humanBones = limbs.map(([bone], node) => ({ bone, node }))) {
	return { asset, nodes: nodes(), extensions: { VRM: { meta: { title: 'seed' }, humanoid: { humanBones } } } };
}

const floats = Buffer.alloc(128);
for (let i = 0; i < 32; i++) {
	floats.writeFloatLE(i % 5 === 0 ? 1 : 0, i * 4);
}
const skinned = {
	...vrm1(),
	skins: [{ joints: [0, 1], inverseBindMatrices: 0, skeleton: 0 }],
	accessors: [
		{ bufferView: 0, componentType: 5126, count: 2, type: 'MAT4' },
		{ bufferView: 1, componentType: 5120, normalized: true, count: 4, type: 'VEC3' },
		{
			componentType: 5126, count: 4, type: 'SCALAR',
			sparse: {
				count: 2,
				indices: { bufferView: 2, componentType: 5121 },
				values: { bufferView: 0, byteOffset: 4 },
			},
		},
	],
	bufferViews: [
		{ buffer: 0, byteLength: 128 },
		{ buffer: 0, byteOffset: 8, byteLength: 64, byteStride: 4 },
		{ buffer: 0, byteOffset: 1, byteLength: 4 },
	],
	buffers: [{ byteLength: 128 }],
};
const virtualTransforms = [
	{ name: 'grip', parent: 5, translation: [0, 0.1, 0], tags: ['weapon_socket'] },
	{ parent: 99 },
	{ name: 'ui', rotation: [0, 1, 0, 0], respectParentScale: false },
];

write('fuzz_gltf', 'vrm1.gltf', vrm1());
write('fuzz_gltf', 'vrm0.gltf', vrm0());
write('fuzz_gltf', 'vrm1-skinned.glb', glb(skinned, floats));
write('fuzz_gltf', 'vrm1-beta-thumbs.gltf', vrm1({}, { leftThumbProximal: { node: 5 }, leftThumbIntermediate: { node: 6 } }));
write('fuzz_gltf', 'virtual-transforms.gltf', vrm1({
	extensions: { ...vrm1().extensions, KHR_virtual_transforms: { virtualTransforms } },
}));
write('fuzz_gltf', 'ext-no-skeletons.gltf', { asset, nodes: nodes(), extensions: { EXT_skeleton_humanoid: { humanoidSkeletons: [] } } });
write('fuzz_gltf', 'data-uri.gltf', {
	...skinned,
	buffers: [{ byteLength: 128, uri: `data:application/octet-stream;base64,${floats.toString('base64')}` }],
});
for (const [name, uri] of Object.entries({ there: 'a%78.bin', 'cut-escape': 'x%2', 'nul-escape': 'x%00', 'bad-escape': 'x%zz', up: '../x', absolute: '/etc/x' }))
	write('fuzz_gltf', `external-${name}.gltf`, { ...skinned, buffers: [{ byteLength: 128, uri }] });
write('fuzz_gltf', 'external.gltf', { ...skinned, buffers: [{ byteLength: 128, uri: 'a%20file.bin' }] });
write('fuzz_gltf', 'matrices.gltf', {
	...vrm0(),
	nodes: nodes().map((node, i) => (i % 2 ? { children: node.children, matrix: [0, 2, 0, 0, -3, 0, 0, 0, 0, 0, -4, 0, 7, 8, 9, 1] } : node)),
});
write('fuzz_gltf', 'truncated.glb', glb(skinned, floats).subarray(0, 900));
write('fuzz_gltf', 'long-chunk.glb', glb(vrm1(), floats, (b) => b.writeUInt32LE(0x80000000, 12)));
write('fuzz_gltf', 'long-file.glb', glb(vrm1(), floats, (b) => b.writeUInt32LE(0xffffffff, 8)));
write('fuzz_gltf', 'version-1.glb', glb(vrm1(), floats, (b) => b.writeUInt32LE(1, 4)));
write('fuzz_gltf', 'many-elements.glb', glb({ ...skinned, accessors: [{ bufferView: 0, componentType: 5121, count: 2147483648, type: 'MAT4' }] }, floats));
write('fuzz_gltf', 'sparse-wild.glb', glb({
	...skinned,
	accessors: [{ componentType: 5126, count: 2, type: 'VEC4', sparse: { count: 2, indices: { bufferView: 1, componentType: 5125 }, values: { bufferView: 0 } } }],
}, Buffer.alloc(128, 0xee)));
write('fuzz_gltf', 'not-finite.glb', glb(skinned, Buffer.alloc(128, 0xff)));
write('fuzz_gltf', 'cycle.gltf', { asset, nodes: [{ children: [1] }, { children: [2] }, { children: [1] }] });
write('fuzz_gltf', 'self.gltf', { asset, nodes: [{ children: [0] }] });
write('fuzz_gltf', 'required.gltf', { ...vrm1(), extensionsRequired: ['KHR_texture_basisu', 'ACME_nodes'] });
write('fuzz_gltf', 'required-absent.gltf', { ...vrm0(), extensionsRequired: ['VRMC_vrm'] });
write('fuzz_gltf', 'bone-out-of-range.gltf', vrm0([{ bone: 'spine', node: 12345 }]));
write('fuzz_gltf', 'bone-order.gltf', vrm0([{ bone: 'spine', node: 0 }, { bone: 'hips', node: 1 }]));
write('fuzz_gltf', 'no-bones.gltf', vrm1({}, {}));
write('fuzz_gltf', 'plain.gltf', { asset, nodes: [{}] });
write('fuzz_gltf', 'flat-parent.gltf', { ...vrm0([{ bone: 'hips', node: 1 }]), nodes: [{ scale: [0, 1, 1], children: [1] }, {}] });
write('fuzz_gltf', 'far-away.gltf', { ...vrm0([{ bone: 'hips', node: 1 }]), nodes: [{ scale: [1e6, 1e6, 1e6], children: [1] }, { translation: [1e6, 0, 0] }] });

// Figures without bone names: both sides of the limbs, in skins.
const sides = [['L', 1], ['R', -1]];
const body = [
	['root', -1, [0, 0, 0]], ['hips', 0, [0, 1, 0]], ['spine', 1, [0, 0.2, 0]], ['chest', 2, [0, 0.2, 0]],
	['neck', 3, [0, 0.2, 0]], ['head', 4, [0, 0.1, 0]],
];
for (const [side, x] of sides) {
	const at = body.length;
	body.push([`clavicle.${side}`, 3, [0.05 * x, 0.1, 0]], [`upperarm.${side}`, at, [0.13 * x, 0, 0]],
		[`lowerarm.${side}`, at + 1, [0.28 * x, 0, -0.01]], [`hand.${side}`, at + 2, [0.26 * x, 0, 0.01]],
		[`upperleg.${side}`, 1, [0.1 * x, -0.05, 0]], [`lowerleg.${side}`, at + 4, [0, -0.43, 0.01]],
		[`foot.${side}`, at + 5, [0, -0.43, -0.01]], [`toes.${side}`, at + 6, [0, -0.06, 0.12]]);
	for (const [finger, z] of [['thumb', 0.05], ['index', 0.03], ['middle', 0.01], ['ring', -0.01]]) {
		const away = finger === 'thumb' ? 0.03 : 0.09;
		body.push([`${finger}1.${side}`, at + 3, [away * x, 0, z]], [`${finger}2.${side}`, body.length, [0.03 * x, 0, finger === 'thumb' ? 0.02 : 0]],
			[`${finger}3.${side}`, body.length + 1, [0.02 * x, 0, 0]]);
	}
}
function plain(nameOf, skins) {
	return { asset, skins, nodes: body.map(([name, , translation], index) => {
		const children = body.flatMap(([, parent], child) => (parent === index ? [child] : []));
		return { name: nameOf(name), translation, ...(children.length ? { children } : {}) };
	}) };
}
const every = body.map((_, index) => index);
write('fuzz_gltf', 'figure-named.gltf', plain((name) => name, [{ joints: every }]));
write('fuzz_gltf', 'figure-nameless.gltf', plain(() => '', [{ joints: every.slice(1) }]));
write('fuzz_gltf', 'figure-two-skins.gltf', plain((name) => `x ${name}`, [{ joints: every.slice(1, 9) }, { joints: every.slice(7) }]));
write('fuzz_gltf', 'figure-no-skin.gltf', plain((name) => `DEF-${name}`, undefined));

const whole = {
	name: 'seed', format: 'descriptor', hipsHeight: 1, facing: [0, 1, 0, 0],
	nodes: limbs.map(([name, parent, translation]) => ({ name, parent, translation, rotation: [0.5, 0.5, 0.5, 0.5], scale: [1, 2, 0.5] })),
	bones: { hips: 0, spine: 1, head: 2, leftUpperArm: 3, leftHand: 5, leftFoot: 9 },
	corrections: { leftUpperArm: [0, 0, 0.38268343, 0.92387953] },
	virtualTransforms: [virtualTransforms[0], virtualTransforms[2]],
};
write('fuzz_descriptor', 'whole.json', whole);
write('fuzz_descriptor', 'corrected.json', { ...whole, format: 'vrm-1.0', floor: -0.25, offsets: { spine: [0, 0, 0.6, 0.8], jaw: [0, 1, 0, 0] } });
write('fuzz_descriptor', 'body.json', { nodes: [{}, { parent: 0 }], bones: { hips: 0 }, limits: [{ node: 1, lower: [-1, 0, 0], upper: [1, 2, 0], orientation: [0, 0.6, 0, 0.8] }, { node: 0, stiffness: [1, 0, 0] }], segments: [{ node: 1, name: 'shin', mass: 3, centerOfMass: [0, 1, 0], momentsOfInertia: [1, 0, 0, 0, 2, 0, 0, 0, 3] }] });
write('fuzz_descriptor', 'body-wild.json', { nodes: [{}], bones: { hips: 0 }, limits: [{ node: 5, lower: [0, 0, 0] }], segments: [{ node: 0, mass: -1 }] });
write('fuzz_descriptor', 'least.json', { nodes: [{}], bones: { hips: 0 } });
write('fuzz_descriptor', 'names.json', { name: 'ü"\\\u0001', nodes: [{ name: '\u{1f9cd}' }], bones: { head: 0 } });
write('fuzz_descriptor', 'numbers.json', { nodes: [{ translation: [-0, 1e-42, 1e6], scale: [1e-30, 1, -1] }, { rotation: [0.7071, 0, 0, 0.7071] }], bones: { hips: 0, jaw: 1 } });
write('fuzz_descriptor', 'parents-last.json', { nodes: [{ parent: 2 }, { parent: 0 }, {}], bones: { hips: 0, spine: 1 } });
write('fuzz_descriptor', 'cycle.json', { nodes: [{ parent: 1 }, { parent: 0 }], bones: { hips: 0 } });
write('fuzz_descriptor', 'no-bone.json', { nodes: [{}], bones: {} });
write('fuzz_descriptor', 'foreign-bone.json', { nodes: [{}], bones: { tail: 0 } });
write('fuzz_descriptor', 'bone-twice.json', { nodes: [{}], bones: { hips: 0, spine: 0 } });
write('fuzz_descriptor', 'bone-order.json', { nodes: [{}, { parent: 0 }], bones: { spine: 0, hips: 1 } });
write('fuzz_descriptor', 'zero-rotation.json', { nodes: [{ rotation: [0, 0, 0, 0] }], bones: { hips: 0 } });
write('fuzz_descriptor', 'wrong-types.json', { nodes: [{ name: 1, parent: '0', rotation: {} }], bones: [] });
write('fuzz_descriptor', 'huge-number.json', '{"nodes":[{"translation":[1e300,0,0]}],"bones":{"hips":0}}');
write('fuzz_descriptor', 'deep.json', '['.repeat(3000));
write('fuzz_descriptor', 'truncated.json', JSON.stringify(whole).slice(0, 500));
