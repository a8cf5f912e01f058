// Files that people could upload as avatars: some that can be served, and one of each form that
// cannot (AVATARS.md, "Files" and "Caps"). All are made here from the small VRM of fixtures.mjs.
import { makeVrm } from './fixtures.mjs';
import { toGlb } from './glb.mjs';

const hex = (text) => Buffer.from(text.replace(/ /g, ''), 'hex');
const u32 = (value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** The head of a PNG of that size, up to its data. */
export const png = (width, height, before = Buffer.alloc(0)) => Buffer.concat([hex('89504e470d0a1a0a 0000000d49484452'),
  u32(width), u32(height), hex('0802000000 00000000'), before, hex('0000000049444154 00000000')]);
const jpeg = hex('ffd8 ffe00004 6162 ffc2000b 08 0020 0040 01000000');
const webp = hex('52494646 16000000 57454250 56503820 0a000000 000000 9d012a 2c01 0700');
const animatedWebp = hex('52494646 28000000 57454250 56503858 0a000000 02000000 2b0100 060000 56503820 0a000000 000000 9d012a 2c01 0700');
const animation = hex('00000008 6163544c 00000001 00000000 00000000');
const dataUri = (type, bytes) => `data:${type};base64,${bytes.toString('base64')}`;

function open(glb) {
  const length = glb.readUInt32LE(12);
  return { document: JSON.parse(glb.subarray(20, 20 + length)), binary: Buffer.from(glb.subarray(28 + length)) };
}

const permits = { avatarPermission: 'everyone', allowRedistribution: true, modification: 'prohibited' };

/** The small VRM with the permissions of `meta`; `edit(document, binary)` may change both. */
export function avatarFile(edit, { version = 1, meta = version ? permits : {} } = {}) {
  const { document, binary } = open(makeVrm(version));
  Object.assign((document.extensions.VRMC_vrm ?? document.extensions.VRM).meta, meta);
  const parts = [binary];
  const at = {
    /** Adds bytes to the buffer, and a view of them; returns its index. */
    view(bytes) {
      const offset = document.buffers[0].byteLength;
      parts.push(bytes);
      document.buffers[0].byteLength = offset + bytes.length;
      return document.bufferViews.push({ buffer: 0, byteOffset: offset, byteLength: bytes.length }) - 1;
    },
    /** Adds an image and a texture of it; returns the index of the image. */
    image(bytes, mimeType = 'image/png') {
      const source = (document.images ??= []).push({ bufferView: at.view(bytes), ...(mimeType && { mimeType }) }) - 1;
      (document.textures ??= []).push({ source });
      return source;
    },
  };
  edit?.(document, binary, at);
  return toGlb(document, Buffer.concat(parts));
}

const primitive = (document) => document.meshes[0].primitives[0];
const repeat = (count, of) => Array.from({ length: count }, (_, i) => of(i));

/** Files that can be served. */
export const servable = () => ({
  'a VRM 1.0': avatarFile(),
  'a VRM 0.x': avatarFile(undefined, { version: 0, meta: { allowedUserName: 'Everyone', licenseName: 'CC_BY' } }),
  'JSON with data: URIs': Buffer.from((() => {
    const { document, binary } = open(makeVrm(1));
    const bytes = binary.subarray(0, document.buffers[0].byteLength);
    document.buffers[0].uri = dataUri('application/octet-stream', bytes);
    document.images = [{ uri: dataUri('image/webp', webp) }];
    return JSON.stringify(document);
  })()),
  'images of all types and two samplers': avatarFile((document, _, at) => {
    at.image(png(16, 8));
    at.image(jpeg, 'image/jpeg');
    at.image(webp, 'image/webp');
    document.samplers = [{}, {}];
    document.textures.push({ source: 0, sampler: 0 }, { sampler: 1, extensions: { EXT_texture_webp: { source: 2 } } });
  }),
  'morph targets, a sparse accessor and a strip': avatarFile((document, _, at) => {
    const { POSITION } = primitive(document).attributes;
    const { count } = document.accessors[POSITION];
    const indices = at.view(hex('0000 0100'));
    const values = at.view(Buffer.alloc(24));
    const target = document.accessors.push({ componentType: 5126, count, type: 'VEC3',
      sparse: { count: 2, indices: { bufferView: indices, componentType: 5123 }, values: { bufferView: values } } }) - 1;
    Object.assign(primitive(document), { targets: [{ POSITION: target }, { POSITION: target }], mode: 5 });
  }),
  'positions in centimetres, by a node and by bind matrices': avatarFile((document, binary) => {
    const { bufferView } = document.accessors[primitive(document).attributes.POSITION];
    const { byteOffset = 0, byteLength } = document.bufferViews[bufferView];
    for (let at = byteOffset; at < byteOffset + byteLength; at += 4)
      binary.writeFloatLE(100 * binary.readFloatLE(at), at);
    const root = document.scenes[0].nodes.map((child) => child);
    document.scenes[0].nodes = [document.nodes.push({ scale: [0.01, 0.01, 0.01], children: root }) - 1];
  }),
  'springs and a mesh of two nodes': avatarFile((document) => {
    document.extensions.VRMC_springBone = { colliders: [{}, {}], colliderGroups: [{ colliders: [0, 1] }],
      springs: [{ joints: [{ node: 1 }, { node: 2 }], colliderGroups: [0] }] };
    document.scenes[0].nodes.push(document.nodes.push({ ...document.nodes.at(-1), name: 'Again' }) - 1);
  }),
});

const cap = /more than \d/;
const external = /refers to another file/;

/** Files that cannot, each with a part of the reason: [bytes, pattern]. `address` stands in URIs. */
export const hostile = (address = 'http://127.0.0.1:9/x') => ({
  'a web page': [Buffer.from('<!doctype html><script>alert(1)</script>'), /not a glTF/],
  'an image': [png(1, 1), /not a glTF/],
  'a GLB that is cut': [avatarFile().subarray(0, -4), /length/],
  'a GLB with bytes behind it': [Buffer.concat([avatarFile(), Buffer.from('<script>')]), /length/],
  'a GLB with a second JSON chunk': [(() => {
    const file = Buffer.concat([avatarFile(), hex('00000000 4a534f4e')]);
    file.writeUInt32LE(file.length, 8);
    return file;
  })(), /binary chunk/],
  'glTF 1.0': [toGlb({ asset: { version: '1.0' } }), /version/],

  'a buffer elsewhere': [avatarFile((document) => { document.buffers[0].uri = 'body.bin'; }), external],
  'a buffer in a folder above': [avatarFile((document) => { document.buffers[0].uri = '../../secret.bin'; }), external],
  'an image at an address': [avatarFile((document) => { document.images = [{ uri: address }]; }), external],
  'an image at an address without a scheme': [avatarFile((document) => { document.images = [{ uri: address.replace('http:', '') }]; }), external],
  'an image of the disk': [avatarFile((document) => { document.images = [{ uri: 'file:///etc/passwd' }]; }), external],
  'a shader at an address': [avatarFile((document) => { document.extensions.KHR_techniques_webgl = { shaders: [{ uri: address }] }; }), external],
  'sound at an address': [avatarFile((document) => { document.extensions.KHR_audio_emitter = { audio: [{ uri: address }] }; }), external],
  'a schema at an address': [avatarFile((document) => { document.extras = { deep: [{ schemaUri: address }] }; }), external],
  'a data: URI without base64': [avatarFile((document) => { document.images = [{ uri: 'data:image/png,abc' }]; }), /base64/],

  'a data: URI without padding': [avatarFile((document) => { document.images = [{ uri: dataUri('image/png', Buffer.concat([png(1, 1), Buffer.alloc(1)])).replace('==', '') }]; }), /base64/],
  'a data: URI in the alphabet of URLs': [avatarFile((document) => { document.images = [{ uri: dataUri('image/png', png(1, 1)).replace(',i', ',_') }]; }), /base64/],

  'meshes that need Draco': [avatarFile((document) => { document.extensionsUsed.push('KHR_draco_mesh_compression'); }), /KHR_draco/],
  'meshes that need meshopt': [avatarFile((document) => { document.extensionsRequired = ['EXT_meshopt_compression']; }), /EXT_meshopt/],
  'images that need Basis': [avatarFile((document) => { document.extensionsRequired = ['KHR_texture_basisu']; }), /KHR_texture_basisu/],
  'an unknown extension that is required': [avatarFile((document) => { document.extensionsRequired = ['EXT_unheard_of']; }), /EXT_unheard_of|extensionsRequired/],
  'a mesh drawn by instances': [avatarFile((document) => { document.nodes.at(-1).extensions = { EXT_mesh_gpu_instancing: {} }; }), /EXT_mesh_gpu_instancing/],

  'a page as an image': [avatarFile((_, __, at) => { at.image(Buffer.from('<html><script>alert(1)</script></html>')); }), /neither PNG/],
  'an SVG image': [avatarFile((document) => { document.images = [{ uri: dataUri('image/svg+xml', Buffer.from('<svg/>')) }]; }), /neither PNG/],
  'a JPEG that states PNG': [avatarFile((_, __, at) => { at.image(jpeg, 'image/png'); }), /is image\/jpeg/],
  'a PNG in a data: URI of WebP': [avatarFile((document) => { document.images = [{ uri: dataUri('image/webp', png(1, 1)) }]; }), /is image\/png/],
  'an image without a type': [avatarFile((_, __, at) => { at.image(png(1, 1), null); }), /mimeType/],
  'an animated PNG': [avatarFile((_, __, at) => { at.image(png(1, 1, animation)); }), /animated/],
  'an animated WebP': [avatarFile((_, __, at) => { at.image(animatedWebp, 'image/webp'); }), /animated/],
  'an image without its end': [avatarFile((_, __, at) => { at.image(png(1, 1).subarray(0, 30)); }), /ends within/],

  'a buffer that is longer than the file': [avatarFile((document) => { document.buffers[0].byteLength += 64; }), /buffers\[0\]|declares/],
  'a view past its buffer': [avatarFile((document) => { document.bufferViews.at(-1).byteLength += 1024; }), /ends past/],
  'an accessor past its view': [avatarFile((document) => { document.accessors[0].count += 1; }), /ends past/],
  'an index past the vertices': [avatarFile((document, binary) => {
    binary.writeUInt16LE(60000, document.bufferViews[primitive(document).indices].byteOffset);
  }), /index/],
  'a joint past the skin': [avatarFile((document, binary) => {
    binary.writeUInt16LE(60000, document.bufferViews[primitive(document).attributes.JOINTS_0].byteOffset);
  }), /joints/],
  'joints that are floats': [avatarFile((document) => {
    const { attributes } = primitive(document);
    attributes.JOINTS_0 = attributes.WEIGHTS_0;
  }), /whole numbers/],
  'joints that are normalised': [avatarFile((document) => {
    document.accessors[primitive(document).attributes.JOINTS_0].normalized = true;
  }), /whole numbers/],
  'indices with a sign': [avatarFile((document) => {
    document.accessors[primitive(document).indices].componentType = 5122;
  }), /index/],
  'a position that is no number': [avatarFile((_, binary) => { binary.writeFloatLE(NaN, 0); }), /not finite/],
  'attributes of different lengths': [avatarFile((document) => { document.accessors[primitive(document).attributes.WEIGHTS_0].count -= 1; }), /elements for/],
  'a mesh with and without a skin': [avatarFile((document) => { document.nodes.push({ mesh: 0 }); }), /with and without/],
  'nodes in a circle': [avatarFile((document) => { document.nodes.at(-1).children = [document.nodes.length - 1]; }), /own ancestor/],
  'a node with two parents': [avatarFile((document) => { document.nodes.at(-1).children = [1]; }), /two parents/],
  'nodes 600 deep': [avatarFile((document) => {
    const first = document.nodes.length;
    document.nodes.push(...repeat(600, (i) => (i < 599 ? { children: [first + i + 1] } : {})));
  }), /deep|levels/],
  'values 100 deep': [avatarFile((document) => { document.extras = JSON.parse('['.repeat(100) + ']'.repeat(100)); }), /nested/],

  'too many values': [avatarFile((document) => { document.extras = repeat(270_000, () => 0); }), cap],
  'too many nodes': [avatarFile((document) => { document.nodes.push(...repeat(2048, () => ({}))); }), cap],
  'too many joints': [avatarFile((document) => {
    document.skins.push(...repeat(250, () => ({ joints: document.skins[0].joints })));
  }), cap],
  'too many draw calls': [avatarFile((document) => { document.nodes.push(...repeat(128, () => ({ mesh: 0, skin: 0 }))); }), cap],
  'too many triangles': [avatarFile((document, _, at) => {
    const view = at.view(Buffer.alloc(6 * 150_001));
    primitive(document).indices = document.accessors.push({ bufferView: view, componentType: 5123, count: 3 * 150_001, type: 'SCALAR' }) - 1;
  }), cap],
  'too many vertices in morph targets': [avatarFile((document) => {
    primitive(document).targets = repeat(30_000, () => ({ POSITION: 0 }));
  }), cap],
  'accessors that unpack to too much': [avatarFile((document) => {
    document.accessors.push({ componentType: 5126, count: 5_592_405, type: 'VEC3' });
  }), cap],
  'too many materials': [avatarFile((document) => { document.materials.push(...repeat(64, () => ({}))); }), cap],
  'too many textures': [avatarFile((document, _, at) => {
    at.image(png(1, 1));
    document.textures.push(...repeat(64, () => ({ source: 0 })));
  }), cap],
  'too many images': [avatarFile((_, __, at) => { repeat(65, () => at.image(png(1, 1))); }), cap],
  'too many pixels': [avatarFile((_, __, at) => { repeat(5, () => at.image(png(4096, 4096))); }), cap],
  'one image for many samplers': [avatarFile((document, _, at) => {
    at.image(png(4096, 4096));
    document.samplers = repeat(5, () => ({}));
    document.textures.push(...repeat(5, (sampler) => ({ sampler, extensions: { EXT_texture_avif: { source: 0 } } })));
  }), cap],
  'a side of an image that is too long': [avatarFile((_, __, at) => { at.image(png(4097, 1)); }), cap],
  'a figure that reaches a kilometre': [avatarFile((document) => { document.nodes[0].translation = [0, 1000, 0]; }), cap],
  'a position of 1e30 metres': [avatarFile((_, binary) => { binary.writeFloatLE(1e30, 0); }), cap],
  'a figure of a scale beyond all numbers': [avatarFile((document) => { document.nodes.forEach((node) => { node.scale = [1e6, 1e6, 1e6]; }); }), cap],
  'a figure of a millimetre': [avatarFile((document) => { document.nodes[0].scale = [1e-6, 1e-6, 1e-6]; document.nodes[0].translation = [0, 0, 0]; }), /less than 50/],
  'a morph target that reaches a kilometre': [avatarFile((document) => {
    primitive(document).targets = [{ POSITION: primitive(document).attributes.POSITION }];
    document.meshes[0].weights = [1000];
  }), cap],
  'bind matrices that are no matrices': [avatarFile((document) => {
    document.skins[0].inverseBindMatrices = primitive(document).attributes.POSITION;
  }), /bind matrices/],
  'springs that touch too much': [avatarFile((document) => {
    document.extensions.VRMC_springBone = { colliderGroups: [{ colliders: repeat(200, (i) => i) }],
      springs: repeat(20, () => ({ joints: repeat(20, (node) => ({ node })), colliderGroups: [0] })) };
  }), cap],
});

/** A file beyond the cap of bytes, which zeros in its buffer fill. */
export const tooLarge = () => avatarFile((_, __, at) => { at.view(Buffer.alloc(32 << 20)); });
