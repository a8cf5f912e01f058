// glTF figures that do not name their bones: a server recognises the bones by names and structure. For
// that it needs nodes and skins, but no mesh.

import { GltfDocument } from '../gltf.js';
import { ProtocolError } from '../error.js';
/**
 * @import { GltfFigure } from '../describe.js'
 * @import { Descriptor, DescriptorNode } from '../descriptor.js'
 * @import { Quaternion, Vector } from '../quat.js'
 */

/** Bytes as base64. @param {Uint8Array} bytes */
function encodeBase64(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(text);
}

/**
 * A glTF file of nodes, skins and nothing else, for `PUT /skeletons/NAME`: it has no mesh, no image and
 * no texts beside the names of nodes.
 *
 * @param {any} json of the document
 * @param {Uint8Array | null} binary
 * @returns {Uint8Array<ArrayBuffer>}
 * @throws {ProtocolError} for invalid nodes or skins
 */
export function reduceGltf(json, binary) {
  const document = new GltfDocument(json, { binary });
  /** @type {object[]} */
  const accessors = [];
  /** @type {object[]} */
  const bufferViews = [];
  /** @type {number[]} */
  const values = [];
  const skins = document.skins.map((joints, skin) => {
    const binds = document.inverseBinds(skin);
    if (!binds) {
      return { joints };
    }
    bufferViews.push({ buffer: 0, byteOffset: 4 * values.length, byteLength: 4 * binds.length });
    values.push(...binds);
    accessors.push({ bufferView: accessors.length, componentType: 5126, type: 'MAT4', count: binds.length / 16 });
    return { joints, inverseBindMatrices: accessors.length - 1 };
  });
  const nodes = document.json.nodes.map((/** @type {any} */ { name, children, translation, rotation, scale, matrix, skin, mesh }) =>
    // A node that carries a mesh differs from a joint.
    ({ name, children, translation, rotation, scale, matrix, skin, ...(mesh !== undefined && { mesh: 0 }) }));
  const { scene, scenes } = json;
  return new TextEncoder().encode(JSON.stringify({ asset: { version: '2.0' }, scene,
    scenes: scenes?.map((/** @type {any} */ { nodes: roots }) => ({ nodes: roots })), nodes,
    meshes: [{ primitives: [] }],
    ...(skins.length > 0 && { skins }),
    ...(accessors.length > 0 && { accessors, bufferViews, buffers: [{ byteLength: 4 * values.length,
      uri: `data:application/octet-stream;base64,${encodeBase64(new Uint8Array(Float32Array.from(values).buffer))}` }] }) }));
}

/** @param {DescriptorNode} node */
const restOf = ({ translation = /** @type {Vector} */ ([0, 0, 0]), rotation = /** @type {Quaternion} */ ([0, 0, 0, 1]),
  scale = /** @type {Vector} */ ([1, 1, 1]) }) => ({ translation, rotation, scale });

/**
 * The figure of a document on the skeleton that a server made of it: the nodes of the descriptor are
 * found again by their names along the tree.
 *
 * @param {any} json of the document
 * @param {Descriptor | null} descriptor
 * @returns {GltfFigure} as of readGltfFigure
 * @throws {ProtocolError} if the descriptor is of another file
 */
export function matchFigure(json, descriptor) {
  if (!descriptor) {
    throw new ProtocolError('unsupported', 'it is a glTF, but has no humanoid: neither VRM nor EXT_skeleton_humanoid');
  }
  const { nodes } = new GltfDocument(json);
  /** Children of each node, and at -1 the roots. @type {Map<number, number[]>} */
  const children = new Map();
  nodes.forEach(({ parent }, i) => children.set(parent, [...(children.get(parent) ?? []), i]));
  /** @type {number[]} */
  const found = [];
  descriptor.nodes.forEach(({ name = '', parent = -1 }, i) => {
    const siblings = children.get(parent < 0 ? -1 : found[parent]) ?? [];
    const at = siblings.findIndex((node) => nodes[node].name === name);
    if (at < 0) {
      throw new ProtocolError('invalid', `its skeleton has a node '${name}' that the file lacks`);
    }
    found[i] = siblings.splice(at, 1)[0];
  });
  const rest = nodes.map(({ local }) => local);
  found.forEach((node, i) => { rest[node] = restOf(descriptor.nodes[i]); });
  return { descriptor, nodes: found, rest };
}
