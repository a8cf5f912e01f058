// Writes the hand-made seeds of fuzz_upload.corpus: what a client may send as a skeleton,
// in every format, and what it should not. Files with other names are findings and stay.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toGlb } from '../../e2e/support/glb.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../fuzz_upload.corpus');
mkdirSync(folder, { recursive: true });
const write = (name, content) => writeFileSync(join(folder, name),
	typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content));

const limbs = [
	['hips', -1, [0, 1, 0]], ['spine', 0, [0, 0.2, 0]], ['head', 1, [0, 0.4, 0]],
	['leftUpperArm', 1, [0.2, 0.3, 0]], ['leftLowerArm', 3, [0.3, 0, 0]], ['leftHand', 4, [0.3, 0, 0]],
	['rightUpperArm', 1, [-0.2, 0.3, 0]], ['rightLowerArm', 6, [-0.3, 0, 0]], ['rightHand', 7, [-0.3, 0, 0]],
	['leftUpperLeg', 0, [0.1, -0.1, 0]], ['leftLowerLeg', 9, [0, -0.4, 0]], ['leftFoot', 10, [0, -0.4, 0]],
	['rightUpperLeg', 0, [-0.1, -0.1, 0]], ['rightLowerLeg', 12, [0, -0.4, 0]], ['rightFoot', 13, [0, -0.4, 0]],
];
const nodes = limbs.map(([name, parent, translation]) => ({ name, parent, translation }));
const bones = Object.fromEntries(limbs.map(([name], i) => [name, i]));
const figure = (more) => ({ nodes, bones, ...more });
const tree = limbs.map(([name, , translation], i) => {
	const children = limbs.flatMap(([, parent], child) => (parent === i ? [child] : []));
	return { name, translation, ...(children.length ? { children } : {}) };
});
const asset = { version: '2.0' };

// Valid files.
write('figure.json', figure());
write('turned.json', figure({ facing: [0, 1, 0, 0], floor: -0.1, format: 'vrm-0.x', name: 'Ä',
	nodes: nodes.map((node) => ({ ...node, rotation: [0.5, 0.5, 0.5, 0.5], scale: [1, 2, 0.5] })),
	corrections: { leftUpperArm: [0, 0, 0.38268343, 0.92387953] }, offsets: { head: [0, 0, 0.6, 0.8] },
	virtualTransforms: [{ name: 'grip', parent: 5, translation: [0, 0.1, 0], tags: ['weapon_socket'] }] }));
write('vrm1.glb', toGlb({ asset, nodes: tree, extensions: { VRMC_vrm: { specVersion: '1.0', meta: { name: 'f' },
	humanoid: { humanBones: Object.fromEntries(limbs.map(([name], node) => [name, { node }])) } } } }));
write('vrm0.gltf', { asset, nodes: tree, extensions: { VRM: { meta: { title: 'f' },
	humanoid: { humanBones: limbs.map(([bone], node) => ({ bone, node })) } } } });
write('names.gltf', { asset, nodes: tree, skins: [{ joints: limbs.map((_, i) => i) }] });
write('figure.x3d', `<X3D version='4.0'><Scene><HAnimHumanoid name='h' version='1.0'><HAnimJoint containerField='skeleton' name='humanoid_root' center='0 1 0'>${
	['l_hip', 'r_hip'].map((name, i) => `<HAnimJoint name='${name}' center='${i ? -0.1 : 0.1} 0.9 0'/>`).join('')}</HAnimJoint></HAnimHumanoid></Scene></X3D>`);
write('figure.x3dv', '#X3D V3.3 utf8\nDEF h HAnimHumanoid { name "h" skeleton [ HAnimJoint { name "humanoid_root" center 0 1 0 children [ HAnimJoint { name "l_hip" center 0.1 0.9 0 } ] } ] }\n');

// Nesting, circular references, and excessive counts.
write('deep_array.json', '['.repeat(2000));
write('deep_object.json', '{"a":'.repeat(2000));
write('deep_extras.json', figure({ extras: JSON.parse('['.repeat(300) + ']'.repeat(300)) }));
write('chain.json', { nodes: Array.from({ length: 600 }, (_, i) => ({ parent: i - 1 })), bones: { hips: 599 } });
write('circle.json', figure({ nodes: nodes.map((node, i) => ({ ...node, parent: (i + 1) % nodes.length })) }));
write('own_parent.json', { nodes: [{ parent: 0 }], bones: { hips: 0 } });
write('far_parent.json', { nodes: [{ parent: 4294967295 }], bones: { hips: 0 } });
write('parent_wraps.json', '{"nodes":[{"parent":18446744073709551615}],"bones":{"hips":0}}');
write('parent_fraction.json', '{"nodes":[{"parent":-1.0}],"bones":{"hips":0}}');
write('bone_before.json', { nodes: [{}], bones: { hips: -1 } });
write('circle.gltf', { asset, nodes: [{ children: [1] }, { children: [0] }] });
write('two_parents.gltf', { asset, nodes: [{ children: [2] }, { children: [2] }, {}] });
write('circle.x3dv', '#X3D V3.3 utf8\nDEF h HAnimHumanoid { skeleton [ DEF j HAnimJoint { name "humanoid_root" children [ USE j ] } ] }\n');

// Numbers that are none, or that multiply to none.
write('huge.json', '{"nodes":[{"translation":[1e308,0,0]}],"bones":{"hips":0}}');
write('beyond.json', '{"nodes":[{"translation":[1e999,0,0]}],"bones":{"hips":0}}');
write('scales.json', { nodes: Array.from({ length: 20 }, (_, i) => ({ parent: i - 1, scale: [1e5, 1e5, 1e5], translation: [1, 1, 1] })), bones: { hips: 19 } });
write('flat.json', { nodes: [{ scale: [0, 0, 0] }, { parent: 0, translation: [0, 1, 0] }], bones: { hips: 0, spine: 1 } });
write('tiny.json', { nodes: [{ scale: [1e-30, 1e-30, 1e-30] }, { parent: 0, translation: [0, 1e-30, 0] }], bones: { hips: 0, spine: 1 } });
write('no_turn.json', { nodes: [{ rotation: [1e-30, 0, 0, 1e-30] }], bones: { hips: 0 } });
write('hips_height.json', figure({ hipsHeight: 1e-300, floor: 1e6 }));
write('matrices.gltf', { asset, nodes: [{ matrix: Array(16).fill(1e38) }], extensions: { VRMC_vrm: { humanoid: { humanBones: { hips: { node: 0 } } } } } });

// The same twice, and texts that are none.
write('key_twice.json', '{"nodes":[{}],"nodes":[{"translation":[0,1,0]}],"bones":{"hips":0,"hips":0}}');
write('bone_twice.json', { nodes: [{}], bones: { hips: 0, spine: 0 } });
write('names_alike.json', figure({ nodes: nodes.map((node) => ({ ...node, name: 'x' })) }));
write('name_long.json', figure({ name: 'x'.repeat(256) }));
write('name_control.json', figure({ name: '\u0000\u001b[2J\n"' }));
write('not_utf8.json', Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0xff, 0xfe, 0xc0, 0x80), Buffer.from('","nodes":[{}],"bones":{"hips":0}}')]));
write('surrogate.json', '{"name":"\\ud800","nodes":[{}],"bones":{"hips":0}}');
write('wrong_types.json', { nodes: { length: 1, 0: {} }, bones: [['hips', 0]], facing: 1, virtualTransforms: {} });

// Compressed files, and references to other files.
write('packed.json.gz', Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3));
write('archive.zip', Buffer.of(0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0));
write('laughs.x3d', `<!DOCTYPE X3D [<!ENTITY a "ha">${Array.from('bcdefghij', (name, i) =>
	`<!ENTITY ${name} "${`&${'abcdefghij'[i]};`.repeat(10)}">`).join('')}]><X3D><Scene><HAnimHumanoid name='&j;'/></Scene></X3D>`);
write('entity.x3d', '<!DOCTYPE X3D [<!ENTITY a SYSTEM "file:///etc/hostname">]><X3D><Scene><HAnimHumanoid name="&a;">&a;</HAnimHumanoid></Scene></X3D>');
write('inline.x3dv', '#X3D V3.3 utf8\nInline { url [ "../../etc/hostname" "http://127.0.0.1/" ] }\n');
write('others.gltf', { asset, nodes: tree, skins: [{ joints: [0, 1], inverseBindMatrices: 0 }],
	accessors: [{ bufferView: 0, componentType: 5126, count: 2, type: 'MAT4' }], bufferViews: [{ buffer: 0, byteLength: 128 }],
	buffers: [{ byteLength: 128, uri: '../../../etc/hostname' }] });
