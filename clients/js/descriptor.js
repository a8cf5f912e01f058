// The descriptor of a skeleton (proto/SKELETONS.md, "Skeleton descriptors"): its type, and checked reading
// of its numbers.

import { ProtocolError } from './error.js';
import { normalize } from './quat.js';
/** @import { Quaternion, Vector } from './quat.js' */

/**
 * A node of a figure, with its local rest pose.
 *
 * @typedef {object} DescriptorNode
 * @property {string} [name]
 * @property {number} [parent] Index of its parent; -1 for none.
 * @property {Vector} [translation]
 * @property {Quaternion} [rotation]
 * @property {Vector} [scale]
 */

/**
 * A point attached to a node (KHR_virtual_transform).
 *
 * @typedef {object} DescriptorVirtualTransform
 * @property {string} [name]
 * @property {number} [parent] Index of a node; -1: the model space.
 * @property {Vector} [translation]
 * @property {Quaternion} [rotation]
 * @property {Vector} [scale]
 * @property {boolean} [respectParentPosition]
 * @property {boolean} [respectParentRotation]
 * @property {boolean} [respectParentScale]
 * @property {string[]} [tags]
 */

/**
 * Range of the rotation from rest about the axes of `orientation`, radians.
 *
 * @typedef {object} DescriptorLimit
 * @property {number} node
 * @property {Vector} [lower] Both or neither.
 * @property {Vector} [upper]
 * @property {Quaternion} [orientation]
 * @property {Vector} [stiffness]
 */

/**
 * A part of the body that moves with its node: kilograms, in the coordinates of the node.
 *
 * @typedef {object} DescriptorSegment
 * @property {string} [name]
 * @property {number} node
 * @property {number} [mass] 0 where it is unknown.
 * @property {Vector} [centerOfMass]
 * @property {number[]} [momentsOfInertia] Nine numbers, by rows.
 */

/**
 * The rest pose and the bones of a figure (proto/SKELETONS.md, "Skeleton descriptors").
 *
 * @typedef {object} Descriptor
 * @property {string} [name]
 * @property {string} [format]
 * @property {number} [hipsHeight]
 * @property {Quaternion} [facing]
 * @property {number} [floor] Level of the ground, metres along canonical up, where it is known.
 * @property {DescriptorNode[]} nodes
 * @property {Record<string, number>} bones Index of its node, by the name of the bone.
 * @property {Record<string, Quaternion>} [corrections]
 * @property {Record<string, Quaternion>} [offsets]
 * @property {DescriptorVirtualTransform[]} [virtualTransforms]
 * @property {DescriptorLimit[]} [limits] For simulations; this library does not apply them.
 * @property {DescriptorSegment[]} [segments]
 */

const NODES_MAX = 8192;
const COORDINATE_MAX = 1e6;

/** @param {string} where */
export function invalid(where) {
  return new ProtocolError('invalid', `skeleton descriptor: '${where}' is invalid`);
}

/**
 * Returns the nodes of a descriptor that someone else made, or throws.
 *
 * @param {Descriptor} descriptor
 */
export function nodesOf(descriptor) {
  if (typeof descriptor !== 'object' || descriptor === null) {
    throw invalid('descriptor');
  }
  const { nodes } = descriptor;
  if (!Array.isArray(nodes) || nodes.length === 0 || nodes.length > NODES_MAX) {
    throw invalid('nodes');
  }
  return nodes;
}

/**
 * Copies finite numbers into `out` at `offset`, or the fallback if they are missing.
 *
 * @param {unknown} value
 * @param {number[]} fallback
 * @param {Float64Array} out
 * @param {number} offset
 * @param {string} where
 */
export function readNumbers(value, fallback, out, offset, where) {
  const from = value === undefined ? fallback : value;
  if (!Array.isArray(from) || from.length !== fallback.length) {
    throw invalid(where);
  }
  for (let i = 0; i < fallback.length; i++) {
    if (typeof from[i] !== 'number' || !(Math.abs(from[i]) <= COORDINATE_MAX)) {
      throw invalid(where);
    }
    out[offset + i] = from[i];
  }
}

/**
 * Copies a unit quaternion into `out` at `offset`, identity if it is missing.
 *
 * @param {unknown} value
 * @param {Float64Array} out
 * @param {number} offset
 * @param {string} where
 */
export function readRotation(value, out, offset, where) {
  readNumbers(value, [0, 0, 0, 1], out, offset, where);
  const length = Math.hypot(out[offset], out[offset + 1], out[offset + 2], out[offset + 3]);
  if (!(Math.abs(length - 1) <= 1e-3)) {
    throw invalid(where);
  }
  normalize(out, offset, out, offset);
}

/**
 * The height of the ground in the descriptor, NaN if it is missing.
 *
 * @param {unknown} floor
 */
export function readFloor(floor) {
  if (floor === undefined) {
    return NaN;
  }
  if (typeof floor !== 'number' || !(Math.abs(floor) <= COORDINATE_MAX)) {
    throw invalid('floor');
  }
  return floor;
}
