// Forward kinematics of a skeleton without a scene graph: the nodes of a figure and its virtual
// transforms for a sample.

import { decompose } from './gltf/decompose.js';
import { compose, multiply as multiplyMatrices } from './matrix.js';
import { multiply, normalize, rotate } from './quat.js';
/**
 * @import { DescriptorVirtualTransform } from './descriptor.js'
 * @import { Numbers, Quaternion, Vector, Writable } from './quat.js'
 * @import { Skeleton } from './skeleton.js'
 * @import { Transform } from './virtual-transform.js'
 */

const offset = new Float64Array(16);
const product = new Float64Array(16);

/**
 * Translation, rotation and scale of a world matrix; no rotation if it is singular.
 *
 * @param {Numbers} m
 * @param {number} i
 * @returns {Transform}
 */
function parts(m, i) {
  const column = (/** @type {number} */ c) => Math.hypot(m[i + 4 * c], m[i + 4 * c + 1], m[i + 4 * c + 2]);
  return decompose(m, i) ?? { translation: [m[i + 12], m[i + 13], m[i + 14]],
    rotation: [0, 0, 0, 1], scale: [column(0), column(1), column(2)] };
}

/**
 * Evaluates a virtual transform in model space. One that respects position, rotation and scale of
 * its parent is the exact product of the matrices, decomposed. Otherwise, with the offset o, q, s
 * and the parent's t, R, S, each replaced by identity where it is not respected: position t + R (S
 * o), rotation R q, scale S s.
 *
 * @param {Required<DescriptorVirtualTransform>} virtual an entry of Skeleton.virtualTransforms
 * @param {ArrayLike<number>} worlds world matrix of each node, 16 numbers a node
 * @returns {Transform}
 */
export function evaluateVirtualTransform(virtual, worlds) {
  const { parent, translation: o, rotation: q, scale: s } = virtual;
  if (parent < 0) {
    return { translation: [...o], rotation: [...q], scale: [...s] };
  }
  if (virtual.respectParentPosition && virtual.respectParentRotation && virtual.respectParentScale) {
    compose(q, 0, s, 0, o, 0, offset, 0);
    return parts(multiplyMatrices(worlds, 16 * parent, offset, product, 0), 0);
  }
  const frame = parts(worlds, 16 * parent);
  const t = virtual.respectParentPosition ? frame.translation : [0, 0, 0];
  const r = virtual.respectParentRotation ? frame.rotation : [0, 0, 0, 1];
  const S = virtual.respectParentScale ? frame.scale : [1, 1, 1];
  const scaled = o.map((value, i) => S[i] * value);
  const [x, y, z] = rotate(r, 0, scaled, 0, /** @type {Vector} */ ([0, 0, 0]), 0);
  const rotation = multiply(r, 0, q, 0, /** @type {Quaternion} */ ([0, 0, 0, 1]), 0);
  return {
    translation: [t[0] + x, t[1] + y, t[2] + z],
    rotation: normalize(rotation, 0, rotation, 0),
    scale: [S[0] * s[0], S[1] * s[1], S[2] * s[2]],
  };
}

/** The nodes of a skeleton with the transforms of a sample. */
export class Figure {
  /** @param {Skeleton} skeleton */
  constructor(skeleton) {
    /** The skeleton of the nodes. @readonly */
    this.skeleton = skeleton;
    /** Local rotation of each node: four numbers a node. @type {Float32Array} @readonly */
    this.rotations = Float32Array.from(skeleton.rotations);
    /** Local translation of each node: three numbers a node. @type {Float32Array} @readonly */
    this.translations = Float32Array.from(skeleton.translations);
    /**
     * World matrix of each node in model space: 16 numbers a node, column-major.
     *
     * @type {Float32Array}
     * @readonly
     */
    this.worlds = Float32Array.from(skeleton.restWorlds);
  }

  /**
   * Applies a sample or a decoded payload.
   *
   * @param {{ rotations: Numbers; hips: Numbers }} sample
   * @returns {this}
   */
  pose(sample) {
    const { skeleton } = this;
    skeleton.localRotations(sample.rotations, this.rotations);
    if (skeleton.bones[0] >= 0) {
      skeleton.hipsTranslation(sample.hips, this.translations, 3 * skeleton.bones[0]);
    }
    skeleton.worlds(this.rotations, this.translations, this.worlds);
    return this;
  }

  /**
   * Writes the position of a node in model space: three numbers.
   *
   * @template {Writable} T
   * @param {number} node
   * @param {T} out
   * @param {number} [offset]
   * @returns {T}
   */
  position(node, out, offset = 0) {
    for (let i = 0; i < 3; i++) {
      out[offset + i] = this.worlds[16 * node + 12 + i];
    }
    return out;
  }

  /**
   * A virtual transform in model space, as posed; index in `skeleton.virtualTransforms`.
   *
   * @param {number} index in Skeleton.virtualTransforms
   * @returns {Transform}
   */
  virtualTransform(index) {
    return evaluateVirtualTransform(this.skeleton.virtualTransforms[index], this.worlds);
  }
}
