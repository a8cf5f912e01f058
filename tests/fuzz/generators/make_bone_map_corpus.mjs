// Makes the corpus of fuzz_bone_map: a map, a NUL and the file to which it applies.
// Usage: node make_bone_map_corpus.mjs
import { mkdirSync, writeFileSync } from 'node:fs';
import { bvh } from '../../cli/files.mjs';

const folder = new URL('../fuzz_bone_map.corpus/', import.meta.url);
mkdirSync(folder, { recursive: true });
const write = (name, map, file) => writeFileSync(new URL(name, folder),
	file === undefined ? map : `${map}\0${file}`);

const bones = { hips: 'Hips', spine: 'Spine', neck: 'Neck', head: 'Head', leftUpperArm: 'LeftArm',
	leftLowerArm: 'LeftForeArm', leftHand: 'LeftHand', rightUpperArm: 'RightArm',
	rightLowerArm: 'RightForeArm', rightHand: 'RightHand', leftUpperLeg: 'LeftUpLeg',
	leftLowerLeg: 'LeftLeg', leftFoot: 'LeftFoot', rightUpperLeg: 'RightUpLeg',
	rightLowerLeg: 'RightLeg', rightFoot: 'RightFoot' };
const lines = (map) => Object.entries(map).map(([bone, joint]) => `${bone} = ${joint}\n`).join('');
const without = (map, ...names) => Object.fromEntries(Object.entries(map)
	.filter(([bone]) => !names.includes(bone)));

write('map-alone', lines(bones));
write('comments', '\ufeff# one\r\n\r\n  # two = three\r\nhips\t=\tHips \r\n');
write('bvh', lines(bones), bvh);
write('bvh-numbers', 'hips = #0\nspine = #1\nleftUpperArm = #4\n', bvh);
write('bvh-only-hips', 'hips = LeftForeArm\n', bvh);
write('bvh-without-hips', lines(without(bones, 'hips')), bvh);
write('bvh-crossed', lines({ ...bones, leftFoot: 'RightFoot', rightFoot: 'LeftFoot' }), bvh);
write('bvh-above', lines({ ...bones, leftHand: 'LeftArm', leftUpperArm: 'LeftHand' }), bvh);
write('bvh-twice', lines({ ...bones, jaw: 'Head' }), bvh);
write('bvh-misspelt', lines({ ...bones, jaw: 'Haed' }), bvh);
write('bvh-namesakes', lines(bones), bvh.replaceAll('RightLeg', 'LeftLeg'));
write('bvh-nonsense', lines(without(bones, 'hips')) + 'hips = q#=y\n', bvh.replace('ROOT Hips', 'ROOT q#=y'));
write('vertebra', `${lines(bones)}vl4 = Neck\n`, bvh);
for (const [name, line] of Object.entries({ 'no-equals': 'hips', 'no-joint': 'hips =', 'no-bone': '= Hips',
	'unknown-bone': 'leftUperArm = a', 'bone-twice': 'hips = a\nhips = b', 'number-large': 'hips = #99999999',
	'name-long': `hips = ${'n'.repeat(300)}` }))
	write(name, line, bvh);

// glTF: a chain of nodes with a body, the same with EXT_skeleton_humanoid and with VRM 1.0.
const names = Object.values(bones);
const parents = [-1, 0, 1, 2, 1, 4, 5, 1, 7, 8, 0, 10, 11, 0, 13, 14];
const places = [[0, 1, 0], [0, 0.2, 0], [0, 0.3, 0], [0, 0.1, 0], [0.2, 0.25, 0], [0.3, 0, 0], [0.25, 0, 0],
	[-0.2, 0.25, 0], [-0.3, 0, 0], [-0.25, 0, 0], [0.1, 0, 0], [0, -0.45, 0], [0, -0.45, 0], [-0.1, 0, 0],
	[0, -0.45, 0], [0, -0.45, 0]];
const nodes = (name) => names.map((_, i) => {
	const children = parents.flatMap((parent, j) => (parent === i ? [j] : []));
	return { name: name(i), translation: places[i], ...children.length ? { children } : {} };
});
const times = Buffer.from(Float32Array.from([0, 1, 0, 0, 0, 1, 0, 0.6, 0, 0.8]).buffer);
const animation = {
	buffers: [{ byteLength: times.length, uri: `data:application/octet-stream;base64,${times.toString('base64')}` }],
	bufferViews: [{ buffer: 0, byteLength: times.length }],
	accessors: [{ bufferView: 0, componentType: 5126, type: 'SCALAR', count: 2, min: [0], max: [1] },
		{ bufferView: 0, byteOffset: 8, componentType: 5126, type: 'VEC4', count: 2 }],
	animations: [{ samplers: [{ input: 0, output: 1 }], channels: [{ sampler: 0, target: { node: 1, path: 'rotation' } }] }],
};
const gltf = (name, more = {}) => JSON.stringify({ asset: { version: '2.0' }, nodes: nodes(name), ...more });
const humanBones = Object.fromEntries(Object.keys(bones).map((bone, node) => [bone, { node }]));
const plain = (i) => names[i];
const nonsense = (i) => `n${i}`;

write('gltf', lines(bones), gltf(plain, animation));
write('gltf-nonsense', lines(Object.fromEntries(Object.keys(bones).map((bone, i) => [bone, `n${i}`]))), gltf(nonsense, animation));
write('gltf-nameless', 'hips = #0\nspine = #1\n', gltf(() => '', animation));
write('gltf-skin', lines(bones), gltf(plain, { skins: [{ joints: [0, 1, 2, 3] }] }));
write('gltf-ext', lines(without(bones, 'neck')), gltf(plain, { ...animation, extensionsUsed: ['EXT_skeleton_humanoid'],
	extensions: { EXT_skeleton_humanoid: { humanoidSkeletons: [{ rootNode: 0, humanoidBones: Object.fromEntries(Object.keys(bones).map((bone, i) => [bone, i])) }] } } }));
write('vrm', lines(without(bones, 'neck')), gltf(plain, { extensionsUsed: ['VRMC_vrm'],
	extensions: { VRMC_vrm: { specVersion: '1.0', humanoid: { humanBones } } } }));
write('vrma', lines(without(bones, 'neck')), gltf(plain, { ...animation, extensionsUsed: ['VRMC_vrm_animation'],
	extensions: { VRMC_vrm_animation: { specVersion: '1.0', humanoid: { humanBones } } } }));

// H-Anim with a vertebra between two bones, with its names and with others.
const wrl = (hips, vl5, vl4, skull) => `#VRML V2.0 utf8
PROTO Joint [ field SFVec3f center 0 0 0 exposedField MFNode children [] exposedField SFRotation rotation 0 0 1 0 exposedField SFString name "" ] { Transform { center IS center rotation IS rotation children IS children } }
PROTO Humanoid [ exposedField MFNode humanoidBody [] field SFString name "" ] { Transform { children IS humanoidBody } }
DEF H Humanoid { name "h" humanoidBody [ DEF A Joint { name "${hips}" center 0 0.9 0 children [
 DEF B Joint { name "${vl5}" center 0 1 0 children [ DEF C Joint { name "${vl4}" center 0 1.2 0 children [
 DEF D Joint { name "${skull}" center 0 1.5 0 } ] } ] } ] } ] }
DEF T TimeSensor { cycleInterval 2 }
DEF I OrientationInterpolator { key [ 0 1 ] keyValue [ 0 0 1 0 0 0 1 1 ] }
ROUTE T.fraction_changed TO I.set_fraction
ROUTE I.value_changed TO B.set_rotation
`;
write('hanim', 'hips = HumanoidRoot\nspine = vl5\nhead = skullbase\nvl4 = vl4\n', wrl('HumanoidRoot', 'vl5', 'vl4', 'skullbase'));
write('hanim-nonsense', 'hips = a\nspine = b\nhead = d\nvl4 = c\n', wrl('a', 'b', 'c', 'd'));
write('hanim-humanoid', 'hips = #0\n', wrl('a', 'b', 'c', 'd'));
write('hanim-def', 'hips = A\n', wrl('', '', '', ''));
