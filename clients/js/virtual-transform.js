// KHR_virtual_transform: points attached to the nodes of a figure. Reads them in glTF files
// and descriptors, which have the same form (proto/SKELETONS.md, "Virtual transforms").

import { invalid } from './descriptor.js';
import { ProtocolError } from './error.js';
import { normalize } from './quat.js';
/**
 * @import { DescriptorVirtualTransform } from './descriptor.js'
 * @import { Quaternion, Vector } from './quat.js'
 */

/**
 * Translation in metres, rotation [x, y, z, w], scale.
 *
 * @typedef {object} Transform
 * @property {Vector} translation
 * @property {Quaternion} rotation
 * @property {Vector} scale
 */

const MOST = 256;
const TAGS = 16;
const NAME_BYTES = 255;
const COORDINATE_MAX = 1e6;
/** @type {Vector} */
const ZERO = [0, 0, 0];
/** @type {Vector} */
const ONE = [1, 1, 1];
/** A published exporter writes the plural. */
const EXTENSIONS = ['KHR_virtual_transform', 'KHR_virtual_transforms'];

/**
 * @template {Vector | Quaternion} T
 * @param {unknown} value
 * @param {T} fallback
 * @param {string} where
 * @returns {T} a copy
 */
function readNumbers(value, fallback, where) {
  if (value === undefined) {
    return /** @type {T} */ ([...fallback]);
  }
  if (!Array.isArray(value) || value.length !== fallback.length ||
    !value.every((x) => typeof x === 'number' && Math.abs(x) <= COORDINATE_MAX)) {
    throw invalid(where);
  }
  return /** @type {T} */ ([...value]);
}

/** @param {unknown} value @param {string} where */
function readRotation(value, where) {
  const q = readNumbers(value, /** @type {Quaternion} */ ([0, 0, 0, 1]), where);
  if (!(Math.abs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-2)) {
    throw invalid(where);
  }
  return normalize(q, 0, q, 0);
}

/** @param {unknown} value @param {string} where */
function readName(value, where) {
  if (typeof value !== 'string' || new TextEncoder().encode(value).length > NAME_BYTES) {
    throw invalid(where);
  }
  return value;
}

/** @param {unknown} value @param {string} where */
function readFlag(value, where) {
  if (typeof value !== 'boolean') {
    throw invalid(where);
  }
  return value;
}

/** @param {unknown} value @param {string} where */
function readTags(value, where) {
  if (!Array.isArray(value) || value.length > TAGS) {
    throw invalid(where);
  }
  return value.map((tag, i) => readName(tag, `${where}[${i}]`));
}

/**
 * @param {any} json
 * @param {number} nodeCount
 * @param {string} where
 * @returns {Required<DescriptorVirtualTransform>}
 * @throws {ProtocolError} if the entry is invalid
 */
function readEntry(json, nodeCount, where) {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw invalid(where);
  }
  const { name = '', parent = -1, respectParentPosition = true, respectParentRotation = true,
    respectParentScale = true, tags = [] } = json;
  if (!Number.isInteger(parent) || parent < -1 || parent >= nodeCount) {
    throw invalid(`${where}.parent`);
  }
  return {
    name: readName(name, `${where}.name`),
    parent,
    translation: readNumbers(json.translation, ZERO, `${where}.translation`),
    rotation: readRotation(json.rotation, `${where}.rotation`),
    scale: readNumbers(json.scale, ONE, `${where}.scale`),
    respectParentPosition: readFlag(respectParentPosition, `${where}.respectParentPosition`),
    respectParentRotation: readFlag(respectParentRotation, `${where}.respectParentRotation`),
    respectParentScale: readFlag(respectParentScale, `${where}.respectParentScale`),
    tags: readTags(tags, `${where}.tags`),
  };
}

/**
 * Reads the `virtualTransforms` of a descriptor.
 *
 * @param {unknown} list
 * @param {number} nodeCount
 * @throws {ProtocolError} if one of them is invalid
 */
export function readVirtualTransforms(list, nodeCount) {
  if (list === undefined) {
    return [];
  }
  if (!Array.isArray(list) || list.length > MOST) {
    throw invalid('virtualTransforms');
  }
  return list.map((json, i) => readEntry(json, nodeCount, `virtualTransforms[${i}]`));
}

/**
 * Reads the virtual transforms of a glTF document; drops invalid ones, as the server does.
 *
 * @param {any} json
 */
export function collectVirtualTransforms({ extensions, nodes }) {
  const entries = EXTENSIONS.flatMap((name) => {
    const list = extensions?.[name]?.virtualTransforms;
    return Array.isArray(list) ? list : [];
  });
  const kept = [];
  for (const json of entries) {
    try {
      if (kept.length < MOST) {
        kept.push(readEntry(json, Array.isArray(nodes) ? nodes.length : 0, ''));
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) {
        throw error;
      }
    }
  }
  return kept;
}
