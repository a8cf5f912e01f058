// Forward kinematics of a skeleton without a scene graph: the nodes of a figure and its virtual
// transforms for a sample.

import { evaluateVirtualTransform } from './virtual-transform.js';

/** The nodes of a skeleton with the transforms of a sample. */
export class Figure {
  /** @param {Skeleton} skeleton */
  constructor(skeleton) {
    this.skeleton = skeleton;
    /** Local rotation and translation of each node: four and three numbers a node. */
    this.rotations = Float32Array.from(skeleton.rotations);
    this.translations = Float32Array.from(skeleton.translations);
    /** World matrix of each node in model space: 16 numbers a node, column-major. */
    this.worlds = Float32Array.from(skeleton.restWorlds);
  }

  /**
   * Applies a sample or a decoded payload.
   *
   * @param {{rotations: ArrayLike<number>, hips: ArrayLike<number>}} sample
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

  /** Writes the position of a node in model space: three numbers. */
  position(node, out, offset = 0) {
    for (let i = 0; i < 3; i++) {
      out[offset + i] = this.worlds[16 * node + 12 + i];
    }
    return out;
  }
  /**
   * Returns a virtual transform in model space, as posed.
   *
   * @param {number} index in Skeleton.virtualTransforms
   * @returns {{translation: number[], rotation: number[], scale: number[]}}
   */
  virtualTransform(index) {
    return evaluateVirtualTransform(this.skeleton.virtualTransforms[index], this.worlds);
  }
}
