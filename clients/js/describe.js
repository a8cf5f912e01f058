// Makes skeleton descriptors (PROTOCOL.md, section 3) of files, of avatars loaded by
// three-vrm, and of three.js scenes. The descriptors contain no mesh.

import { ProtocolError } from './error.js';
import { BONES } from './tables.js';

const GLB = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const NAME_BYTES = 255;
const BACKWARD = [0, 1, 0, 0]; // a VRM 0.x faces -Z
const THUMB = /^(left|right)Thumb(Proximal|Intermediate)$/;
const OLD_THUMB = { Proximal: 'Metacarpal', Intermediate: 'Proximal' };

const invalid = (what) => new ProtocolError('invalid', what);

/** In VRM 0.x the names of thumb bones are shifted by one joint. */
const newName = (bone) => bone.replace(THUMB, (_, side, part) => `${side}Thumb${OLD_THUMB[part]}`);

/** Shortens a name to the limit of a descriptor: 255 bytes. */
function shortName(name) {
  return typeof name === 'string' && new TextEncoder().encode(name).length <= NAME_BYTES ? name : '';
}

/**
 * Numbers the nodes that bones depend on, parents first.
 *
 * @template T
 * @param {Map<string, T>} bones node of each
 * @param {(node: T) => T | null} parentOf
 * @param {(node: T) => object} describe name, translation, rotation, scale
 */
function collect(bones, parentOf, describe) {
  const numbers = new Map();
  const nodes = [];
  const add = (node) => {
    const path = [];
    for (let at = node; at !== null && !numbers.has(at); at = parentOf(at)) {
      if (path.includes(at)) {
        throw invalid('a node that is its own ancestor');
      }
      path.push(at);
    }
    for (const at of path.reverse()) {
      const parent = parentOf(at);
      numbers.set(at, nodes.length);
      nodes.push({ ...describe(at), parent: parent === null ? -1 : numbers.get(parent) });
    }
    return numbers.get(node);
  };
  return { bones: Object.fromEntries([...bones].map(([bone, node]) => [bone, add(node)])), nodes };
}

/** Translation, rotation and scale of a column-major matrix without shear. */
function decompose(m) {
  const length = (i) => Math.hypot(m[i], m[i + 1], m[i + 2]);
  const scale = [length(0), length(4), length(8)];
  const determinant = m[0] * (m[5] * m[10] - m[6] * m[9]) -
    m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);
  scale[0] *= determinant < 0 ? -1 : 1;
  const r = (row, column) => m[4 * column + row] / scale[column];
  // Starts with the largest of the four components, to avoid divisions by small numbers.
  const squares = [1 + r(0, 0) - r(1, 1) - r(2, 2), 1 - r(0, 0) + r(1, 1) - r(2, 2),
    1 - r(0, 0) - r(1, 1) + r(2, 2), 1 + r(0, 0) + r(1, 1) + r(2, 2)];
  const greatest = squares.indexOf(Math.max(...squares));
  const q = [0, 0, 0, 0];
  const d = 2 * Math.sqrt(squares[greatest]);
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3, k = (i + 2) % 3;
    if (greatest === 3) {
      q[i] = (r(k, j) - r(j, k)) / d;
    } else if (greatest === i) {
      q[j] = (r(j, i) + r(i, j)) / d;
      q[k] = (r(k, i) + r(i, k)) / d;
      q[3] = (r(k, j) - r(j, k)) / d;
    }
  }
  q[greatest] = d / 4;
  return { translation: [m[12], m[13], m[14]], rotation: q, scale };
}

function describeNode({ name, matrix, translation, rotation, scale }) {
  const own = Array.isArray(matrix) ? decompose(matrix)
    : { translation: translation ?? [0, 0, 0], rotation: rotation ?? [0, 0, 0, 1], scale: scale ?? [1, 1, 1] };
  return { name: shortName(name), ...own };
}

/** Node index by bone, and the metadata of the format. */
function readVrm({ VRMC_vrm: vrm1, VRM: vrm0 } = {}) {
  if (vrm1?.humanoid?.humanBones) {
    const bones = Object.entries(vrm1.humanoid.humanBones).map(([bone, { node }]) => [bone, node]);
    return { bones: Object.fromEntries(bones), name: vrm1.meta?.name, format: 'vrm-1.0', floor: 0 };
  }
  if (Array.isArray(vrm0?.humanoid?.humanBones)) {
    const bones = vrm0.humanoid.humanBones.map(({ bone, node }) => [newName(bone), node]);
    return { bones: Object.fromEntries(bones), name: vrm0.meta?.title, format: 'vrm-0.x', floor: 0,
      facing: BACKWARD };
  }
  throw invalid('no humanoid with a bone map');
}

/**
 * Makes the descriptor of a glTF document. A document that is not a VRM needs `bones`.
 *
 * @param {object} gltf JSON of the document
 * @param {object} [figure] bones: node index by name; name, facing, floor
 */
export function describeGltf(gltf, figure = readVrm(gltf.extensions)) {
  const nodes = Array.isArray(gltf.nodes) ? gltf.nodes : [];
  const parents = new Map();
  nodes.forEach((node, i) => node.children?.forEach((child) => parents.set(child, i)));
  const bones = new Map(Object.entries(figure.bones)
    .filter(([bone, node]) => BONES.includes(bone) && Number.isInteger(node) && node >= 0));
  if ([...bones.values()].some((node) => !nodes[node])) {
    throw invalid('a bone refers to a missing node');
  }
  const { format, facing, floor } = figure;
  return { name: shortName(figure.name), format, facing, floor,
    ...collect(bones, (node) => parents.get(node) ?? null, (node) => describeNode(nodes[node])) };
}

/**
 * Makes the descriptor of a file: .vrm, .glb or .gltf.
 *
 * @param {ArrayBuffer | Uint8Array} file
 * @param {object} [figure] as of describeGltf
 */
export function describeFile(file, figure) {
  const bytes = file instanceof Uint8Array ? file : new Uint8Array(file);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = bytes;
  if (bytes.length >= 20 && view.getUint32(0, true) === GLB) {
    const length = view.getUint32(12, true);
    if (view.getUint32(16, true) !== JSON_CHUNK || length > bytes.length - 20) {
      throw invalid('a .glb without its JSON');
    }
    text = bytes.subarray(20, 20 + length);
  }
  try {
    return describeGltf(JSON.parse(new TextDecoder().decode(text)), figure);
  } catch (error) {
    throw error instanceof SyntaxError ? invalid('neither VRM nor glTF') : error;
  }
}

const vector = ({ x, y, z }) => [x, y, z];
const quaternion = ({ x, y, z, w }) => [x, y, z, w];

/**
 * Makes the descriptor of three.js objects in their current pose, which should be the rest pose.
 *
 * @param {object} root of the figure; its own placement is ignored
 * @param {Record<string, object>} bones object of each
 * @param {object} [figure] name, facing, floor
 */
export function describeScene(root, bones, figure = {}) {
  const { rest = new Map(), ...rests } = figure;
  const known = new Map(Object.entries(bones).filter(([bone, node]) => BONES.includes(bone) && node));
  return { ...rests, name: shortName(figure.name),
    ...collect(known, ({ parent }) => (!parent || parent === root ? null : parent), (node) => ({
      name: shortName(node.name), translation: vector(node.position),
      rotation: quaternion(node.quaternion), scale: vector(node.scale), ...rest.get(node),
    })) };
}

/**
 * Makes the descriptor of a VRM that three-vrm loaded, in any pose.
 *
 * @param {object} vrm of @pixiv/three-vrm, 0.x or 1.0
 */
export function describeVrm(vrm) {
  const isOld = vrm.meta?.metaVersion === '0';
  const bones = {};
  const rest = new Map();
  for (const bone of BONES) {
    const node = vrm.humanoid.getRawBoneNode(bone);
    const { position, rotation } = vrm.humanoid.rawRestPose[bone] ?? {};
    if (node) {
      bones[bone] = node;
      rest.set(node, { ...(position && { translation: [...position] }), ...(rotation && { rotation: [...rotation] }) });
    }
  }
  return describeScene(vrm.scene, bones, { name: vrm.meta?.name ?? vrm.meta?.title, rest, floor: 0,
    ...(isOld ? { format: 'vrm-0.x', facing: BACKWARD } : { format: 'vrm-1.0' }) });
}
