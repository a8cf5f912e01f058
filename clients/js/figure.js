// Forward kinematics of a skeleton without a scene graph: the nodes of a figure and its virtual
// transforms for a sample.

import { evaluateVirtualTransform } from './virtual-transform.js';
/**
 * @import { Numbers, Writable } from './quat.js'
 * @import { Skeleton } from './skeleton.js'
 * @import { Transform } from './virtual-transform.js'
 */

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
