// Applies a body's motion to a VRM loaded by three-vrm: from any skeleton to any avatar,
// through the normalised rotations of VRM 1.0. Uses the documented humanoid interface of
// three-vrm without importing it.

import { multiply } from './quat.js';
import { BONES, BONE_PARENTS } from './tables.js';
import { VrmExpressions } from './face/expressions.js';
/**
 * @import { ObjectLike } from './objects.js'
 * @import { Body } from './body.js'
 * @import { Numbers } from './quat.js'
 * @import { Skeleton } from './skeleton.js'
 * @import { Sample } from './timeline.js'
 * @import { ExpressionManagerLike } from './face/expressions.js'
 */

/**
 * The part of a three-vrm VRM that is used.
 *
 * @typedef {object} VrmLike
 * @property {{ metaVersion?: string }} [meta]
 * @property {{ getNormalizedBoneNode(name: any): ObjectLike | null; readonly normalizedRestPose:
 *   Record<string, { position?: ArrayLike<number> } | undefined> }} humanoid
 * @property {ExpressionManagerLike} [expressionManager]
 * @property {{ yaw: number; pitch: number } | null} [lookAt]
 */

const EXPRESSION = 'expression/';
const DEGREES = 180 / Math.PI;
const LEGS = ['leftUpperLeg', 'rightUpperLeg'];
const FEET = ['leftFoot', 'leftToes', 'rightFoot', 'rightToes'];

/**
 * Height of a VRM's hips above the ground (y = 0) in the normalised rest pose; if they are
 * not above it, height of the hips or of the upper legs above the lowest foot.
 *
 * @param {VrmLike['humanoid']['normalizedRestPose']} rest
 */
function measureHips(rest) {
  const heightOf = (/** @type {number} */ bone) => {
    let height = 0;
    for (let b = bone; b >= 0; b = BONE_PARENTS[b]) {
      height += rest[BONES[b]]?.position?.[1] ?? 0;
    }
    return height;
  };
  const hips = heightOf(0);
  const feet = FEET.filter((name) => rest[name]).map((name) => heightOf(BONES.indexOf(name)));
  const legs = LEGS.filter((name) => rest[name]).map((name) => heightOf(BONES.indexOf(name)));
  const pelvis = legs.length === 2 ? Math.max(hips, (legs[0] + legs[1]) / 2) : hips;
  return hips > 1e-4 ? hips : pelvis - Math.min(0, ...feet);
}

/**
 * Source bones of each node: the ancestors that the VRM lacks, top first, then the bone
 * itself, as far as the skeleton has them. A node with an empty list is not changed.
 *
 * @param {(ObjectLike | null)[]} nodes
 * @param {Skeleton} skeleton
 */
function foldChains(nodes, skeleton) {
  return nodes.map((node, bone) => {
    /** @type {number[]} */
    const chain = [];
    for (let b = bone; node && b >= 0 && (b === bone || !nodes[b]); b = BONE_PARENTS[b]) {
      if (skeleton.bones[b] >= 0) {
        chain.unshift(b);
      }
    }
    return chain;
  });
}

/** Wears a body's motion on a VRM 0.x or 1.0, whatever skeleton the body has. */
export class VrmWearer {
  #skeleton;
  #nodes;
  #chains;
  #rest;
  #scale;
  #side;
  #rotation = new Float64Array(4);
  #part = new Float64Array(4);
  #moved = [0, 0, 0];
  #expressions;
  #lookAt;

  /**
   * @param {VrmLike} vrm of three-vrm, 0.x or 1.0
   * @param {Skeleton} skeleton of the body
   */
  constructor(vrm, skeleton) {
    this.#skeleton = skeleton;
    this.#expressions = vrm.expressionManager ? new VrmExpressions(vrm.expressionManager) : null;
    this.#lookAt = vrm.lookAt ?? null;
    this.#nodes = BONES.map((name) => vrm.humanoid.getNormalizedBoneNode(name));
    this.#chains = foldChains(this.#nodes, skeleton);
    const rest = vrm.humanoid.normalizedRestPose;
    const height = measureHips(rest);
    this.#rest = rest.hips?.position ?? [0, 0, 0];
    this.#scale = height > 1e-4 ? height / skeleton.hipsHeight : 1;
    // A VRM 0.x faces -Z: a rotation by 180 degrees about +Y negates x and z.
    this.#side = vrm.meta?.metaVersion === '0' ? -1 : 1;
  }

  /**
   * Writes a sample into the normalised bones; `vrm.update()` applies them to the mesh.
   *
   * @param {{ rotations: Numbers; hips: Numbers }} sample
   */
  wear(sample) {
    const q = this.#rotation;
    const side = this.#side;
    this.#chains.forEach((chain, bone) => {
      if (chain.length > 0) {
        this.#skeleton.normalizedRotation(chain[0], sample.rotations, q);
        for (let i = 1; i < chain.length; i++) {
          this.#skeleton.normalizedRotation(chain[i], sample.rotations, this.#part);
          multiply(q, 0, this.#part, 0, q, 0);
        }
        this.#nodes[bone]?.quaternion.set(side * q[0], q[1], side * q[2], q[3]);
      }
    });
    this.#moveHips(sample);
  }

  /**
   * Writes a body's channels at the time of a sample: expressions of the VRM, and its gaze. An avatar
   * that has expressions of a tracked face ("perfect sync") shows them in place of the presets.
   *
   * @param {Body} body
   * @param {Sample} sample
   */
  express(body, sample) {
    /** @type {Record<string, number>} */
    const values = {};
    for (const name of body.channels) {
      const value = body.channel(name, sample);
      if (name === 'lookAt') {
        this.#look(/** @type {number[]} */ (value));
      } else if (name.startsWith(EXPRESSION)) {
        values[name.slice(EXPRESSION.length)] = Number(value);
      }
    }
    this.#expressions?.show(values);
  }

  /**
   * The gaze of three-vrm: yaw about +Y in degrees, then pitch about +X.
   *
   * @param {number[]} gaze unit quaternion
   */
  #look([x, y, z, w]) {
    if (this.#lookAt) {
      this.#lookAt.yaw = Math.atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y)) * DEGREES;
      this.#lookAt.pitch = Math.asin(Math.min(Math.max(2 * (w * x - y * z), -1), 1)) * DEGREES;
    }
  }

  /** @param {{ rotations: Numbers; hips: Numbers }} sample */
  #moveHips(sample) {
    const side = this.#side;
    this.#moved.fill(0);
    if (this.#skeleton.bones[0] >= 0) {
      this.#skeleton.normalizedRotation(0, sample.rotations, this.#rotation);
      this.#skeleton.displaceHips(this.#rotation, this.#moved);
    }
    const [x, y, z] = this.#moved.map((way, i) => sample.hips[i] + way);
    const scale = this.#scale;
    this.#nodes[0]?.position.set(this.#rest[0] + side * scale * x, this.#rest[1] + scale * y,
      this.#rest[2] + side * scale * z);
  }
}
