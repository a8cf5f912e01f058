// Checks an avatar file before a loader sees it (proto/AVATARS.md, "Files" and "Caps"), by the rules of
// the server (src/avatar): a page must not depend on a server or on a file for its safety.

import { splitGltf } from '../gltf.js';
import { AvatarReader, refuse } from './avatar-reader.js';
import { checkDocument } from './check-document.js';
import { checkGeometry } from './check-geometry.js';
import { checkImages } from './check-images.js';
import { checkSprings, readMeta } from './read-meta.js';
/**
 * @import { AvatarCaps } from './avatar-reader.js'
 */

/**
 * Contents of an avatar file. Counts that cost time or memory where the file is shown are sums over
 * all nodes, so that a mesh that two nodes use counts twice.
 *
 * @typedef {object} AvatarFacts
 * @property {'gltf' | 'vrm0' | 'vrm1'} format Where the file describes its humanoid; `gltf`: in
 *   EXT_skeleton_humanoid, or nowhere.
 * @property {boolean} isBinary GLB; otherwise JSON with data: URIs.
 * @property {boolean} isVrm
 * @property {number} bytes Of the file.
 * @property {number} values Of its JSON.
 * @property {number} nodes
 * @property {number} joints Of all skins.
 * @property {number} primitives Draw calls.
 * @property {number} triangles
 * @property {number} vertices With morph targets.
 * @property {number} baseVertices Without morph targets.
 * @property {number} geometry Bytes of all accessors, unpacked.
 * @property {number} materials
 * @property {number} textures
 * @property {number} images
 * @property {number} pixels Decoded, of all images.
 * @property {number} side The greatest width or height of an image, pixels.
 * @property {number} springs Joints of VRM springs, each (1 + colliders) times.
 * @property {number} extent Millimetres from the origin that its meshes may reach along an axis at rest, an
 *   upper bound; 0: it has no meshes.
 * @property {'unstated' | 'onlyAuthor' | 'licensed' | 'everyone'} permission Who may act as the
 *   avatar; `unstated`: no VRM.
 * @property {'unstated' | 'prohibited' | 'allowed' | 'redistributed'} modification
 * @property {boolean} mayRedistribute
 * @property {string} title Text of the file for people.
 * @property {string} author Text of the file for people.
 * @property {string} licence Text of the file for people.
 */

const GLB = 0x46546c67;
const BINARY_CHUNK = 0x004e4942;
const HEADER = 12;
const CHUNK = 8;

/** The greatest permitted value of each fact of that name. @type {Readonly<AvatarCaps>} */
export const AVATAR_CAPS = Object.freeze({
  bytes: 33554432,
  values: 262144,
  nodes: 2048,
  joints: 4096,
  primitives: 128,
  triangles: 150000,
  vertices: 4000000,
  geometry: 67108864,
  materials: 64,
  textures: 64,
  images: 64,
  pixels: 67108864,
  side: 4096,
  springs: 32768,
  extent: 20000,
});

/**
 * A GLB has one JSON chunk and at most one binary chunk, and their lengths add up to that of the
 * file: readers differ in which of several chunks they use.
 *
 * @param {DataView} view
 */
function checkGlb(view) {
  const length = view.byteLength;
  if (length < HEADER + CHUNK) {
    throw refuse('truncated', 'GLB header: the file ends within its header');
  }
  if (view.getUint32(8, true) !== length) {
    throw refuse('invalid', `GLB header: length in the header is ${view.getUint32(8, true)} bytes, the file has ${length}`);
  }
  const end = HEADER + CHUNK + view.getUint32(HEADER, true);
  if (end > length) {
    throw refuse('truncated', 'GLB chunk 0: the chunk ends past the file');
  }
  if (end < length && (length - end < CHUNK || view.getUint32(end + 4, true) !== BINARY_CHUNK ||
    view.getUint32(end, true) !== length - end - CHUNK)) {
    throw refuse('invalid', 'GLB chunk 1: not a binary chunk that ends with the file');
  }
}

/** JSON text begins with an object. @param {Uint8Array} bytes */
function checkText(bytes) {
  if (!/^\uFEFF?[ \t\r\n]*\{/.test(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, 4096)))) {
    throw refuse('invalid', 'not a glTF file: it begins with neither \'glTF\' nor \'{\'');
  }
}

/**
 * Checks a .glb, .vrm or .gltf file: its types and sizes are true, it refers to nothing outside, and
 * showing it costs no more than the caps permit. Images are not decoded, only their heads are read.
 *
 * @param {ArrayBuffer | Uint8Array} file
 * @param {Readonly<AvatarCaps>} [caps]
 * @returns {AvatarFacts}
 * @throws {ProtocolError} with one line for people: what is wrong, and where
 */
export function checkAvatar(file, caps = AVATAR_CAPS) {
  const bytes = file instanceof Uint8Array ? file : new Uint8Array(file);
  if (bytes.length > caps.bytes) {
    throw refuse('limit', `${bytes.length} bytes, more than ${caps.bytes}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isBinary = bytes.length >= 4 && view.getUint32(0, true) === GLB;
  if (isBinary) {
    checkGlb(view);
  } else {
    checkText(bytes);
  }
  const { json, binary } = splitGltf(bytes);
  if (!/^2\.\d+$/.test(json.asset?.version)) {
    throw refuse('unsupported', 'asset: its version is not 2');
  }
  const reader = new AvatarReader(json, binary, caps);
  Object.assign(reader.facts, { isBinary, bytes: bytes.length });
  checkDocument(reader);
  checkGeometry(reader);
  checkImages(reader);
  readMeta(reader);
  checkSprings(reader);
  return reader.facts;
}
