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
	const parts = [Buffer.alloc(48), joints, Buffer.alloc(64), Buffer.alloc(48), indices, ...images.map(([, bytes]) => bytes)];
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
