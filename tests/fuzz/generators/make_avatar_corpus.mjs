// Makes the corpus of fuzz_avatar: files with each part that the check of avatars reads, and what is
// wrong in hostile ones. Files with other names in that folder are findings and stay.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toGlb } from '../../e2e/support/glb.mjs';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'fuzz_avatar.corpus');
mkdirSync(folder, { recursive: true });
const write = (name, bytes) => writeFileSync(join(folder, name), bytes);
const hex = (text) => Buffer.from(text.replace(/ /g, ''), 'hex');

const png = hex('89504e470d0a1a0a 0000000d49484452 00000003 00000005 0802000000 00000000 0000000049444154 00000000');
const apng = Buffer.concat([png.subarray(0, 33), hex('00000008 6163544c 00000001 00000000 00000000'), png.subarray(33)]);
const jpeg = hex('ffd8 ffe00004 6162 ffc2000b 08 0102 0304 01000000');
const lossy = hex('52494646 16000000 57454250 56503820 0a000000 000000 9d012a 2c01 0700');
const lossless = hex('52494646 12000000 57454250 5650384c 05000000 2f 2b810100 00');
const extended = hex('52494646 28000000 57454250 56503858 0a000000 10000000 2b0100 060000 56503820 0a000000 000000 9d012a 2c01 0700');

// A buffer of several parts; each gets a view.
function figure({ images = [['image/png', png]], edit } = {}) {
	const indices = hex('0000 0100 0200 0000 0200 0300');
	const joints = Buffer.alloc(16);
	joints[0] = 1;
	const positions = Buffer.alloc(48);
	positions.writeFloatLE(1.5, 16); // y of the second vertex
	const parts = [positions, joints, Buffer.alloc(64), Buffer.alloc(48), indices, ...images.map(([, bytes]) => bytes)];
	let length = 0;
	const bufferViews = parts.map((part) => {
		const view = { buffer: 0, byteOffset: length, byteLength: part.length };
		length += part.length;
		return view;
	});
	const accessor = (bufferView, componentType, count, type) => ({ bufferView, componentType, count, type });
	const document = {
		asset: { version: '2.0', copyright: 'CC0-1.0' },
		nodes: [{ children: [1, 2, 3] }, {}, { mesh: 0, skin: 0 }, { mesh: 0, skin: 0 }],
		skins: [{ joints: [0, 1] }],
		meshes: [{ primitives: [{ attributes: { POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2 }, targets: [{ POSITION: 3 }], indices: 4 }] }],
		accessors: [accessor(0, 5126, 4, 'VEC3'), accessor(1, 5121, 4, 'VEC4'), accessor(2, 5126, 4, 'VEC4'),
			accessor(3, 5126, 4, 'VEC3'), accessor(4, 5123, 6, 'SCALAR')],
		bufferViews,
		buffers: [{ byteLength: length }],
		images: images.map(([mimeType], i) => ({ bufferView: 5 + i, mimeType })),
		samplers: [{}],
		textures: [...images.map((_, source) => ({ source })), { source: 0, sampler: 0 }],
		materials: [{}],
	};
	edit?.(document);
	return { document, binary: Buffer.concat(parts) };
}

// JSON, a NUL and a binary chunk, of which the target makes a GLB.
const seed = ({ document, binary }) => Buffer.concat([Buffer.from(`#${JSON.stringify(document)}\0`), binary]);
const edited = (edit) => seed(figure({ edit }));
const plain = figure();

const vrm1 = { VRMC_vrm: { meta: { name: 'a', authors: ['b', 'c'], licenseUrl: 'd', avatarPermission: 'everyone', allowRedistribution: true, modification: 'allowModification' } },
	VRMC_springBone: { colliders: [{}], colliderGroups: [{ colliders: [0] }], springs: [{ joints: [{ node: 0 }], colliderGroups: [0, 0] }] } };
const vrm0 = { VRM: { meta: { title: 'a', author: 'b', allowedUserName: 'Everyone', licenseName: 'Other', otherLicenseUrl: 'c' },
	secondaryAnimation: { boneGroups: [{ bones: [0, 1], colliderGroups: [0] }], colliderGroups: [{ colliders: [{}, {}] }] } } };

write('glb', toGlb(plain.document, plain.binary));
write('data_uris', JSON.stringify({ ...plain.document,
	buffers: [{ byteLength: plain.binary.length, uri: `data:application/octet-stream;base64,${plain.binary.toString('base64')}` }],
	images: [{ uri: `data:image/png;base64,${png.toString('base64')}` }] }));
write('figure', seed(plain));
write('images', seed(figure({ images: [['image/png', png], ['image/jpeg', jpeg], ['image/webp', lossy], ['image/webp', lossless], ['image/webp', extended]] })));
write('animated_png', seed(figure({ images: [['image/png', apng]] })));
write('webp_texture', edited((d) => { d.textures[0] = { extensions: { EXT_texture_webp: { source: 0 } } }; }));
write('vrm_1', edited((d) => { d.extensions = vrm1; }));
write('vrm_0', edited((d) => { d.extensions = vrm0; }));
write('both_vrm', edited((d) => { d.extensions = { ...vrm0, ...vrm1 }; }));
write('sparse', edited((d) => {
	d.accessors[0].sparse = { count: 1, indices: { bufferView: 4, componentType: 5123 }, values: { bufferView: 3 } };
}));
write('zeros', edited((d) => { delete d.accessors[3].bufferView; }));
write('strided', edited((d) => { d.bufferViews[2].byteStride = 16; }));
write('matrices', edited((d) => { d.skins[0].inverseBindMatrices = d.accessors.push({ bufferView: 2, componentType: 5126, count: 1, type: 'MAT4' }) - 1; }));
write('lines', edited((d) => { d.meshes[0].primitives[0].mode = 1; }));
write('strip', edited((d) => { d.meshes[0].primitives[0].mode = 5; }));
write('external', edited((d) => { d.images[0] = { uri: 'https://a.example/a.png' }; }));
write('hidden_external', edited((d) => { d.extras = { a: [{ schemaUri: 'x' }] }; }));
write('draco', edited((d) => { d.extensionsUsed = ['KHR_draco_mesh_compression']; }));
write('meshopt', edited((d) => { d.bufferViews[0].extensions = { EXT_meshopt_compression: {} }; }));
write('instances', edited((d) => { d.nodes[1].extensions = { EXT_mesh_gpu_instancing: { attributes: {} } }; }));
write('false_type', edited((d) => { d.images[0].mimeType = 'image/webp'; }));
write('index_out_of_range', edited((d) => { d.accessors[0].count = 3; }));
write('cycle', edited((d) => { d.nodes[1].children = [0]; }));
write('nested', `{"asset":{"version":"2.0"},"extras":${'['.repeat(70)}${']'.repeat(70)}}`);
write('huge_accessor', edited((d) => { d.accessors[3] = { componentType: 5126, count: 5592405, type: 'VEC3' }; }));

// Faults of one part each.
const edits = {
	no_positions: (d) => { delete d.meshes[0].primitives[0].attributes.POSITION; },
	no_joints: (d) => { delete d.meshes[0].primitives[0].attributes.JOINTS_0; },
	few_joints: (d) => { d.skins[0].joints = [0]; },
	with_and_without_skin: (d) => { delete d.nodes[3].skin; },
	mode_7: (d) => { d.meshes[0].primitives[0].mode = 7; },
	no_indices: (d) => { delete d.meshes[0].primitives[0].indices; },
	long_indices: (d) => { d.meshes[0].primitives[0].indices = 1; },
	short_target: (d) => { d.meshes[0].primitives[0].targets = [{ POSITION: 4 }]; },
	sparse_past_the_end: (d) => { d.accessors[4].sparse = { count: 1, indices: { bufferView: 5, componentType: 5121 }, values: { bufferView: 4 } }; },
	not_finite: (d) => { Object.assign(d.accessors[3], { bufferView: 5, count: 3, byteOffset: 0 }); },
	long_buffer: (d) => { d.buffers[0].byteLength += 4; },
	short_buffer: (d) => { d.buffers[0].byteLength -= 4; },
	no_buffer: (d) => { for (const name of ['buffers', 'bufferViews', 'accessors', 'meshes', 'images', 'textures', 'skins', 'nodes']) delete d[name]; },
	second_buffer: (d) => { d.buffers.push({ byteLength: 4, uri: 'data:;base64,AAAA' }); },
	not_base64: (d) => { d.images[0] = { uri: 'data:image/png,abc' }; },
	damaged_base64: (d) => { d.images[0] = { uri: 'data:image/png;base64,a*b=' }; },
	two_places: (d) => { d.images[0].uri = 'data:image/png;base64,AAAA'; },
	no_type: (d) => { delete d.images[0].mimeType; },
	basis: (d) => { d.extensionsRequired = ['KHR_texture_basisu']; },
	many_nodes: (d) => { d.nodes.push(...Array(70).fill({})); },
	many_materials: (d) => { d.materials = Array(9).fill({}); },
	many_images: (d) => { d.images = Array(9).fill(d.images[0]); },
	many_textures: (d) => { d.textures = Array(9).fill({}); },
	many_samplers: (d) => { d.textures = Array.from({ length: 8 }, (_, sampler) => ({ sampler, extensions: { EXT_texture_avif: { source: 0 } } })); },
	many_primitives: (d) => { d.meshes[0].primitives = Array(9).fill(d.meshes[0].primitives[0]); },
	vrm_1_licensed: (d) => { d.extensions = { VRMC_vrm: { meta: { avatarPermission: 'onlySeparatelyLicensedPerson', modification: 'allowModificationRedistribution', authors: [1] } } }; },
	vrm_0_licensed: (d) => { d.extensions = { VRM: { meta: { allowedUserName: 'ExplicitlyLicensedPerson', licenseName: 'CC_BY_ND' } } }; },
	vrm_0_closed: (d) => { d.extensions = { VRM: { meta: { allowedUserName: 'Everyone', licenseName: 'Redistribution_Prohibited' } } }; },
	many_springs: (d) => { d.extensions = { VRMC_springBone: { colliderGroups: [{ colliders: Array(40).fill(0) }], springs: [{ joints: Array(40).fill({ node: 0 }), colliderGroups: [0] }] } }; },
};
for (const [name, edit] of Object.entries(edits))
	write(name, edited(edit));

const change = (bytes, at, text) => Buffer.concat([bytes.subarray(0, at), hex(text), bytes.subarray(at + hex(text).length)]);
const heads = {
	png_cut: ['image/png', png.subarray(0, 40)], png_other_head: ['image/png', change(png, 12, '49454e44')], png_empty: ['image/png', change(png, 16, '00000000')],
	png_long_chunk: ['image/png', change(png, 33, 'ffffffff 74455874')], png_wide: ['image/png', change(png, 16, '00010000')],
	jpeg_lossless: ['image/jpeg', change(jpeg, 8, 'ffc3')], jpeg_scan: ['image/jpeg', hex('ffd8 ffda0002')], jpeg_filled: ['image/jpeg', hex('ffd8 ffff fffe0002 ffc0000b 08 0001 0001 01000000')],
	jpeg_damaged: ['image/jpeg', hex('ffd8 ffe00004 6162 61c00002')], jpeg_short: ['image/jpeg', hex('ffd8 ffc00007 0801020304')], jpeg_cut: ['image/jpeg', jpeg.subarray(0, 12)],
	webp_animated: ['image/webp', change(extended, 20, '02')], webp_frames: ['image/webp', hex('52494646 0c000000 57454250 414e494d 00000000')],
	webp_canvas: ['image/webp', change(extended, 24, '2c')], webp_cut: ['image/webp', lossy.subarray(0, 24)], webp_key: ['image/webp', change(lossy, 20, '01')],
	webp_signature: ['image/webp', change(lossless, 20, '2e')], webp_late_canvas: ['image/webp', hex('52494646 12000000 57454250 56503858 04000000 00000000')], gif: ['image/gif', Buffer.from('GIF89a..')],
};
for (const [name, image] of Object.entries(heads))
	write(`head_${name}`, seed(figure({ images: [image] })));

// Containers whose lengths are false.
const glb = toGlb(plain.document, plain.binary);
const third = Buffer.concat([glb, hex('00000000 42494e00')]);
third.writeUInt32LE(third.length, 8);
for (const [name, bytes] of Object.entries({ head: glb.subarray(0, 12), cut: glb.subarray(0, -4), third, chunk: change(glb, 12, 'ffffff7f'), last: change(glb, 20 + glb.readUInt32LE(12), '00000000'),
	version: change(glb, 4, '01'), list: Buffer.from(' \n[1]'), bom: Buffer.from('\ufeff{"asset":{"version":"2.0"}}'), nothing: Buffer.from('   ') }))
	write(`container_${name}`, bytes);

// How far the meshes reach.
for (const [name, edit] of Object.entries({
	'extent-scale': ({ nodes }) => { nodes[0].scale = [1, 2, 1]; },
	'extent-far': ({ nodes }) => { nodes[1].translation = [0, -20, 0]; },
	'extent-small': ({ nodes }) => { nodes[0].scale = [0.01, 0.01, 0.01]; },
	'extent-matrix': ({ nodes }) => { nodes[0].matrix = [0, 1, 0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 1, 2, 3, 1]; },
	'extent-flat': ({ nodes }) => { nodes[0].scale = [0, 0, 0]; },
	'extent-weights': ({ meshes, nodes }) => { meshes[0].weights = [-2]; nodes[2].weights = [3]; },
	'extent-loose': ({ nodes }) => { delete nodes[2].skin; delete nodes[3].skin; nodes[2].translation = [1, 2, 3]; },
	'extent-binds': ({ skins, accessors }) => {
		skins[0].inverseBindMatrices = accessors.push({ componentType: 5126, count: 2, type: 'MAT4', sparse: { count: 1,
			indices: { bufferView: 4, componentType: 5121 }, values: { bufferView: 2 } } }) - 1;
	},
	'extent-no-binds': ({ skins }) => { skins[0].inverseBindMatrices = 0; },
}))
	write(name, edited(edit));
