#!/usr/bin/env node
// Makes the golden vectors of AVATARS.md: one small file with each part that the rules are about, and
// files that break one rule each. The facts are counted by hand.
//
// usage: node proto/golden/make-avatars.mjs [--check]
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const hex = (text) => Buffer.from(text.replace(/ /g, ''), 'hex');
const png = (width, height) => hex(`89504e470d0a1a0a 0000000d49484452 ${[width, height].map((n) => n.toString(16).padStart(8, '0')).join('')} 0802000000 00000000 0000000049444154 00000000`);
const animated = Buffer.concat([png(3, 5).subarray(0, 33), hex('00000008 6163544c 00000001 00000000 00000000'), png(3, 5).subarray(33)]);
const jpeg = hex('ffd8 ffe00004 6162 ffc2000b 08 0005 0003 01000000');
const dataUri = (type, bytes) => `data:${type};base64,${bytes.toString('base64')}`;

/** Two joints, two nodes with the mesh: a quad of two triangles with one morph target, 1.5 m high. */
function figure() {
  const positions = Buffer.alloc(48);
  positions.writeFloatLE(1.5, 16); // y of the second vertex
  const joints = Buffer.alloc(16);
  joints[0] = 1;
  const parts = [positions, joints, Buffer.alloc(64), Buffer.alloc(48), hex('0000 0100 0200 0000 0200 0300'), png(3, 5)];
  const accessor = (bufferView, componentType, count, type) => ({ bufferView, componentType, count, type });
  const document = {
    asset: { version: '2.0' },
    extensionsUsed: ['VRMC_vrm', 'VRMC_springBone'],
    nodes: [{ children: [1, 2, 3] }, {}, { mesh: 0, skin: 0 }, { mesh: 0, skin: 0 }],
    skins: [{ joints: [0, 1] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2 }, targets: [{ POSITION: 3 }], indices: 4, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    textures: [{ source: 0 }, { source: 0, sampler: 0 }, { source: 0 }],
    samplers: [{}],
    images: [{ bufferView: 5, mimeType: 'image/png' }],
    accessors: [accessor(0, 5126, 4, 'VEC3'), accessor(1, 5121, 4, 'VEC4'), accessor(2, 5126, 4, 'VEC4'), accessor(3, 5126, 4, 'VEC3'),
      accessor(4, 5123, 6, 'SCALAR')],
    bufferViews: [],
    buffers: [{}],
    extensions: { VRMC_vrm: { specVersion: '1.0', meta: { avatarPermission: 'everyone' } },
      VRMC_springBone: { colliders: [{}, {}, {}], colliderGroups: [{ colliders: [0, 1, 2] }],
        springs: [{ joints: [{ node: 0 }, { node: 1 }], colliderGroups: [0, 0] }] } },
  };
  return { document, parts };
}

const FACTS = { nodes: 4, joints: 2,
  primitives: 2, // one for each node with the mesh
  triangles: 4, vertices: 8, geometry: 48 + 16 + 64 + 48 + 12, materials: 1, textures: 3, images: 1,
  pixels: 2 * 3 * 5, // with a sampler and without
  side: 5, springs: 2 * (1 + 2 * 3), extent: 1500 };

/** Values of JSON. */
const count = (value) => 1 + (typeof value === 'object' && value !== null ? Object.values(value).reduce((sum, of) => sum + count(of), 0) : 0);

function chunk(type, bytes, filler) {
  const head = Buffer.alloc(8);
  const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, filler)]);
  head.writeUInt32LE(padded.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, padded]);
}

function toGlb(document, binary) {
  const chunks = [chunk('JSON', Buffer.from(JSON.stringify(document)), ' '), chunk('BIN\0', binary, 0)];
  const head = Buffer.from('glTF\x02\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt32LE(12 + chunks[0].length + chunks[1].length, 8);
  return Buffer.concat([head, ...chunks]);
}

/** The document and the buffer of the figure, after edit(document, parts) has changed them. */
function build(edit) {
  const { document, parts } = figure();
  const early = edit?.(document, parts);
  let length = 0;
  document.bufferViews = parts.map((part) => {
    const view = { buffer: 0, byteOffset: length, byteLength: part.length };
    length += part.length;
    return view;
  });
  document.buffers[0].byteLength = length;
  early?.(document); // what depends on the views
  return { document, binary: Buffer.concat(parts) };
}

const vectors = [];
function add(name, bytes, rest) {
  vectors.push({ name, hash: createHash('sha256').update(bytes).digest('hex'), base64: bytes.toString('base64'), ...rest });
}
function takes(name, edit, facts = {}) {
  const { document, binary } = build(edit);
  const bytes = toGlb(document, binary);
  add(name, bytes, { facts: { bytes: bytes.length, values: count(document), ...FACTS, ...facts } });
}
const refuses = (name, edit) => {
  const { document, binary } = build(edit);
  add(name, toGlb(document, binary), { error: 'refused' });
};

// ---- files that can be shown

takes('a figure');
{
  const { document, binary } = build();
  document.buffers[0].uri = dataUri('application/octet-stream', binary);
  const bytes = Buffer.from(JSON.stringify(document));
  add('JSON with a data: URI', bytes, { facts: { bytes: bytes.length, values: count(document), ...FACTS } });
}
takes('a strip without indices', ({ meshes: [{ primitives: [part] }] }) => {
  part.mode = 5;
  delete part.indices;
});
takes('points', ({ meshes: [{ primitives: [part] }] }) => { part.mode = 0; }, { triangles: 2 * 6 });
takes('a JPEG', ({ images: [image] }, parts) => {
  image.mimeType = 'image/jpeg';
  parts[5] = jpeg;
});
takes('a root of the height 2', ({ nodes: [root] }) => { root.scale = [1, 2, 1]; }, { extent: 3000 });
takes('a joint 7 m below', ({ nodes: [, joint] }) => { joint.translation = [0, -7, 0]; }, { extent: 8500 });
takes('a node of a skinned mesh that is elsewhere', ({ nodes: [, , node] }) => { node.translation = [99, 0, 0]; });
takes('a mesh without a skin', ({ nodes: [, , one, other] }) => {
  delete one.skin;
  delete other.skin;
  other.translation = [0, 0, -2.5];
}, { extent: 2500 });
takes('morph targets with a weight', ({ meshes: [mesh] }, parts) => {
  mesh.weights = [-3];
  parts[3].writeFloatLE(0.5, 4);
}, { extent: 3000 });
takes('bind matrices that halve', ({ nodes: [root], skins: [skin], accessors }, parts) => {
  root.scale = [2, 2, 2];
  skin.inverseBindMatrices = accessors.push({ bufferView: 6, componentType: 5126, count: 2, type: 'MAT4' }) - 1;
  const matrix = Buffer.alloc(64);
  [0, 20, 40].forEach((at) => matrix.writeFloatLE(0.5, at));
  matrix.writeFloatLE(1, 60);
  parts.push(Buffer.concat([matrix, matrix]));
}, { geometry: FACTS.geometry + 128 });

// ---- containers

const { document: plain, binary: plainBinary } = build();
const whole = toGlb(plain, plainBinary);
const withLength = (bytes) => {
  const copy = Buffer.from(bytes);
  copy.writeUInt32LE(copy.length, 8);
  return copy;
};
add('a web page', Buffer.from('<!doctype html><script>1</script>'), { error: 'refused' });
add('a GLB that is cut', whole.subarray(0, -4), { error: 'refused' });
add('a GLB with bytes behind it', Buffer.concat([whole, Buffer.from('tail')]), { error: 'refused' });
add('a GLB with a third chunk', withLength(Buffer.concat([whole, chunk('JSON', Buffer.from('{}  '), ' ')])), { error: 'refused' });
refuses('glTF 1.0', ({ asset }) => { asset.version = '1.0'; });

// ---- JSON

refuses('values 65 deep', (document) => { document.extras = JSON.parse('['.repeat(64) + ']'.repeat(64)); });
refuses('a mesh that is not there', ({ nodes: [, , node] }) => { node.mesh = 1; });
refuses('nodes in a circle', ({ nodes: [, node] }) => { node.children = [0]; });
refuses('a node with two parents', ({ nodes: [, node] }) => { node.children = [2]; });
refuses('a required extension that nobody knows', (document) => { document.extensionsRequired = ['EXT_unheard_of']; });

// ---- addresses

refuses('a buffer in another file', () => ({ buffers: [buffer] }) => { buffer.uri = 'body.bin'; });
refuses('an image at an address', (document) => { document.images = [{ uri: 'https://a.example/a.png' }]; });
refuses('an address in extras', (document) => { document.extras = { a: [{ schemaUri: 'https://a.example' }] }; });
refuses('an address in an extension, in capitals', ({ extensions }) => { extensions.KHR_audio_emitter = { audio: [{ URI: '//a.example' }] }; });
refuses('a data: URI without base64', (document) => { document.images = [{ uri: 'data:image/png,abc' }]; });

// ---- sizes

refuses('a buffer that is longer than its chunk', () => ({ buffers: [buffer] }) => { buffer.byteLength += 64; });
refuses('a view past its buffer', () => ({ bufferViews: [view] }) => { view.byteLength += 1024; });
refuses('an accessor past its view', ({ accessors: [, , , , indices] }) => { indices.count = 9; });
refuses('a position that is no number', (_, [positions]) => { positions.writeFloatLE(NaN, 0); });

// ---- compression

refuses('Draco', ({ extensionsUsed }) => { extensionsUsed.push('KHR_draco_mesh_compression'); });
refuses('a view with meshopt', () => ({ bufferViews: [view] }) => { view.extensions = { EXT_meshopt_compression: {} }; });
refuses('images that need Basis', (document) => { document.extensionsRequired = ['KHR_texture_basisu']; });

// ---- meshes

const part = (edit) => ({ meshes: [{ primitives: [primitive] }] }) => { edit(primitive); };
refuses('no positions', part(({ attributes }) => { delete attributes.POSITION; }));
refuses('an unknown mode', part((primitive) => { primitive.mode = 7; }));
refuses('a morph target of another length', part((primitive) => { primitive.targets = [{ POSITION: 4 }]; }));
refuses('an index past the vertices', (_, [, , , , indices]) => { indices.writeUInt16LE(4, 0); });
refuses('a joint past the skin', (_, [, joints]) => { joints[0] = 2; });
refuses('joints that are floats', (document) => { document.meshes[0].primitives[0].attributes.JOINTS_0 = 2; });
refuses('joints that are normalised', ({ accessors: [, joints] }) => { joints.normalized = true; });
refuses('indices that are floats', ({ accessors }, parts) => {
  Object.assign(accessors[4], { bufferView: 6, componentType: 5126 });
  parts.push(Buffer.alloc(24));
});
refuses('indices with a sign', ({ accessors: [, , , , indices] }) => { indices.componentType = 5122; });
refuses('a skin without joints at the vertices', part(({ attributes }) => { delete attributes.JOINTS_0; }));
refuses('a mesh with and without a skin', ({ nodes: [, , node] }) => { delete node.skin; });
refuses('instances', ({ nodes: [, , node] }) => { node.extensions = { EXT_mesh_gpu_instancing: {} }; });
refuses('bind matrices that are no matrices', ({ skins: [skin] }) => { skin.inverseBindMatrices = 2; });

// ---- images

refuses('an animated PNG', (_, parts) => { parts[5] = animated; });
refuses('an SVG', ({ images: [image] }, parts) => {
  image.mimeType = 'image/svg+xml';
  parts[5] = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
});
refuses('a JPEG that states PNG', (_, parts) => { parts[5] = jpeg; });
refuses('an image without a type', ({ images: [image] }) => { delete image.mimeType; });
refuses('an image of two places', ({ images: [image] }) => { image.uri = dataUri('image/png', png(3, 5)); });

// ---- caps

refuses('too many draw calls', ({ nodes }) => {
  nodes[0].children = nodes[0].children.concat(Array.from({ length: 127 }, () => nodes.push({ mesh: 0, skin: 0 }) - 1));
});
refuses('too many materials', ({ materials }) => { materials.push(...Array.from({ length: 64 }, () => ({}))); });
refuses('an image that is too wide', (_, parts) => { parts[5] = png(4097, 1); });
refuses('a figure that reaches 21 m', ({ nodes: [, joint] }) => { joint.translation = [0, -19.5, 0]; });
refuses('a figure of 45 mm', ({ nodes: [root] }) => { root.scale = [0.03, 0.03, 0.03]; });

// ---- another file than the roster names

add('a figure in place of another', whole, { hash: createHash('sha256').update('another').digest('hex'), error: 'hash' });
add('a damaged figure', Buffer.concat([whole.subarray(0, -1), hex('01')]), { hash: createHash('sha256').update(whole).digest('hex'), error: 'hash' });

const text = `[\n${vectors.map((vector) => `  ${JSON.stringify(vector)}`).join(',\n')}\n]\n`;
const file = new URL('avatars.json', import.meta.url);
if (process.argv[2] === '--check') {
  if (readFileSync(file, 'utf8') !== text) {
    console.error('proto/golden/avatars.json is not what make-avatars.mjs makes');
    process.exit(1);
  }
} else {
  writeFileSync(file, text);
}
