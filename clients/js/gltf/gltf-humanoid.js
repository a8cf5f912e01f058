// The humanoids that a glTF document defines: EXT_skeleton_humanoid, VRM 1.0, VRM 0.x; the first
// of these that is present is used, as the server does.

import { ProtocolError } from '../error.js';
import { BONES, BONE_PARENTS } from '../tables.js';
/**
 * @import { GltfDocument } from '../gltf.js'
 * @import { Quaternion } from '../quat.js'
 */

/**
 * A humanoid of a document.
 *
 * @typedef {object} Humanoid
 * @property {Map<string, number>} bones Node index by name.
 * @property {string} name
 * @property {string} [format]
 * @property {Quaternion} [facing]
 * @property {number} [floor]
 * @property {boolean} [isBound] Whether the skins define its rest pose.
 * @property {(virtual: { parent: number }) => boolean} [owns] Whether a virtual transform belongs
 *   to this humanoid.
 */

const EXTENSION = 'EXT_skeleton_humanoid';
const SKELETONS_MAX = 256;
/** @type {Quaternion} */
const BACKWARD = [0, 1, 0, 0]; // a VRM 0.x faces -Z
const THUMB = /^(left|right)Thumb(Proximal|Intermediate)$/;
/** @type {Record<string, string>} */
const OLD_THUMB = { Proximal: 'Metacarpal', Intermediate: 'Proximal' };

/** @param {string} what */
const invalid = (what) => new ProtocolError('invalid', what);

/**
 * In VRM 0.x and betas of 1.0 the names of thumb bones are shifted by one joint.
 *
 * @param {string} bone
 */
const newName = (bone) => bone.replace(THUMB, (_, side, part) => `${side}Thumb${OLD_THUMB[part]}`);

/** @param {unknown} value */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Bones by name, in the order of BONES, without names that are no bones.
 *
 * @param {(readonly [string, any])[]} entries
 * @returns {Map<string, number>}
 */
function toBones(entries) {
  const found = new Map(entries);
  return new Map(BONES.flatMap((bone) => 
    (found.has(bone) ? [/** @type {[string, number]} */ ([bone, found.get(bone)])] : [])));
}

/**
 * Checks that no node has two bones, and the order of bones (EXT_skeleton_humanoid, "Bone hierarchy").
 *
 * @param {GltfDocument} document
 * @param {Map<string, number>} bones
 */
export function checkBones({ nodes }, bones) {
  const boneOf = new Map();
  for (const [bone, node] of bones) {
    if (!nodes[node]) {
      throw invalid(`bones.${bone}: the node does not exist`);
    }
    if (boneOf.has(node)) {
      throw invalid(`bones.${bone}: its node already has another bone, ${boneOf.get(node)}`);
    }
    boneOf.set(node, bone);
  }
  for (const [bone, node] of bones) {
    let at = nodes[node].parent;
    while (at >= 0 && !boneOf.has(at)) {
      at = nodes[at].parent;
    }
    let above = BONES.indexOf(bone);
    while (at >= 0 && above >= 0 && BONES[above] !== boneOf.get(at)) {
      above = BONE_PARENTS[above];
    }
    if (above < 0) {
      throw invalid(`bones.${bone}: its node is below the node of '${boneOf.get(at)}', which is not above it in a humanoid`);
    }
  }
}

/**
 * The published schema of the extension has one skeleton at the root instead of a list.
 *
 * @param {GltfDocument} document
 * @returns {any[]}
 */
function listSkeletons(document) {
  const extension = document.extension(EXTENSION);
  const list = extension?.humanoidSkeletons ?? (extension?.humanoidBones ? [extension] : []);
  if (!Array.isArray(list) || list.length > SKELETONS_MAX) {
    throw invalid(`${EXTENSION}.humanoidSkeletons: not an array of at most ${SKELETONS_MAX} skeletons`);
  }
  return list;
}

/** @param {GltfDocument} document @param {any} json @param {string} where */
function readSkeleton({ nodes }, json, where) {
  /** @type {(value: any, key: string) => number} */
  const node = (value, key) => {
    if (!Number.isInteger(value) || !nodes[value]) {
      throw invalid(`${where}.${key}: not the index of a node`);
    }
    return value;
  };
  if (!isObject(json) || !isObject(json.humanoidBones)) {
    throw invalid(`${where}: not a skeleton with humanoidBones`);
  }
  const entries = Object.entries(json.humanoidBones)
    .map(([bone, value]) => /** @type {const} */ ([bone, node(value, `humanoidBones.${bone}`)]));
  const bones = toBones(entries);
  if (bones.size === 0) {
    throw invalid(`${where}.humanoidBones: no humanoid: no bone is mapped`);
  }
  const root = json.rootNode === undefined ? -1 : node(json.rootNode, 'rootNode');
  const floor = json.extras?.floor;
  return { bones, root, name: nodes[root]?.name ?? '', floor: typeof floor === 'number' ? floor : undefined };
}

/**
 * Whether a node is below the root of a skeleton, or below its hips.
 *
 * @param {GltfDocument} document
 * @param {{ root: number, bones: Map<string, number> }} skeleton
 * @param {number} node
 */
function holds({ nodes }, { root, bones }, node) {
  let at = node;
  while (at >= 0 && at !== root && at !== bones.get('hips')) {
    at = nodes[at].parent;
  }
  return at >= 0;
}

/**
 * True for virtual transforms of this skeleton: not those that are only in the trees of others.
 *
 * @param {GltfDocument} document
 * @param {{ root: number, bones: Map<string, number> }} own
 * @param {any[]} list
 * @returns {Humanoid['owns']}
 */
function makeFilter(document, own, list) {
  const all = list.flatMap((json) => {
    try {
      return [readSkeleton(document, json, EXTENSION)];
    } catch {
      return [];
    }
  });
  return ({ parent }) => holds(document, own, parent) || !all.some((other) => holds(document, other, parent));
}

/** @param {GltfDocument} document @param {any[]} list @param {number} index @returns {Humanoid} */
function readExt(document, list, index) {
  const own = readSkeleton(document, list[index], document.extension(EXTENSION).humanoidSkeletons
    ? `${EXTENSION}.humanoidSkeletons[${index}]` : EXTENSION);
  const { bones, name, floor } = own;
  return { bones, name, floor, format: 'gltf-ext', isBound: true, owns: makeFilter(document, own, list) };
}

/** @param {any} vrm */
function readVrm1({ humanoid, meta }) {
  const names = humanoid.humanBones;
  const old = 'leftThumbIntermediate' in names || 'rightThumbIntermediate' in names;
  const entries = Object.entries(names)
    .map(([bone, entry]) => /** @type {const} */ ([old ? newName(bone) : bone, entry?.node]));
  return { entries, name: meta?.name, format: 'vrm-1.0' };
}

/** @param {any} vrm */
function readVrm0({ humanoid, meta }) {
  /** @type {(readonly [string, any])[]} */
  const entries = humanoid.humanBones.map((/** @type {any} */ entry) =>
    [newName(String(entry?.bone)), entry?.node]);
  return { entries, name: meta?.title, format: 'vrm-0.x', facing: BACKWARD };
}

/** @param {any} vrm1 @param {any} vrm0 @returns {Humanoid} */
function readVrm(vrm1, vrm0) {
  const bones = (vrm1 ?? vrm0)?.humanoid?.humanBones;
  if (vrm1 ? !isObject(bones) : !Array.isArray(bones)) {
    throw invalid('no humanoid: no valid humanBones');
  }
  const { entries, ...vrm } = vrm1 ? readVrm1(vrm1) : readVrm0(vrm0);
  // Old versions of UniVRM write -1 for a missing bone.
  return { ...vrm, floor: 0, bones: toBones(entries.filter(([, node]) => Number.isInteger(node) && node >= 0)) };
}

/**
 * Finds a humanoid of a document.
 *
 * @param {GltfDocument} document
 * @param {number} index of one of several
 */
export function findHumanoid(document, index) {
  const list = listSkeletons(document);
  const vrm1 = document.extension('VRMC_vrm');
  const vrm0 = document.extension('VRM');
  const count = list.length || (vrm1 || vrm0 ? 1 : 0);
  if (count === 0) {
    throw invalid(document.extension(EXTENSION) ? `${EXTENSION} defines no skeleton: humanoidSkeletons is empty`
      : 'no humanoid with a bone map');
  }
  if (!Number.isInteger(index) || index < 0 || index >= count) {
    throw new ProtocolError('absent', `there is no humanoid ${index}: the file has ${count === 1 ? 'one' : count}`);
  }
  return list.length ? readExt(document, list, index) : readVrm(vrm1, vrm0);
}
