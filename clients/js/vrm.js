// Wears a body's motion on a VRM as three-vrm loads it: any skeleton on any
// avatar, through the normalised rotations that VRM 1.0 defines. No import of
// three-vrm: what is used is its documented humanoid interface.

import { multiply } from './quat.js';
import { BONES, BONE_PARENTS } from './tables.js';

const EXPRESSION = 'expression/';
const DEGREES = 180 / Math.PI;
const FEET = ['leftFoot', 'leftToes', 'rightFoot', 'rightToes'];

/**
 * Height of a VRM's hips over the ground, which is at y = 0, in the normalised
 * rest pose; where they do not stand above it, over the lowest foot.
 */
function measureHips(rest) {
  const heightOf = (bone) => {
    let height = 0;
    for (let b = bone; b >= 0; b = BONE_PARENTS[b]) {
      height += rest[BONES[b]]?.position?.[1] ?? 0;
    }
    return height;
  };
  const hips = heightOf(0);
  const feet = FEET.filter((name) => rest[name]).map((name) => heightOf(BONES.indexOf(name)));
  return hips > 1e-4 ? hips : hips - Math.min(0, ...feet);
}

/**
 * What turns each node: its bone, and before that the bones above that the VRM
 * lacks, top first, as far as the skeleton has them. Nothing turns: left alone.
 */
function foldChains(nodes, skeleton) {
  return nodes.map((node, bone) => {
    const chain = [];
    for (let b = bone; node && b >= 0 && (b === bone || !nodes[b]); b = BONE_PARENTS[b]) {
      if (skeleton.bones[b] >= 0) {
        chain.unshift(b);
      }
    }
    return chain;
  });
}

export class VrmWearer {
  #skeleton;
  #nodes;
  #chains;
  #rest;
  #scale;
  #side;
  #rotation = new Float64Array(4);
  #part = new Float64Array(4);
  #expressions;
  #lookAt;

  /**
   * @param {object} vrm of @pixiv/three-vrm, 0.x or 1.0
   * @param {import('./skeleton.js').Skeleton} skeleton of the body whose motion is worn
   */
  constructor(vrm, skeleton) {
    this.#skeleton = skeleton;
    this.#expressions = vrm.expressionManager ?? null;
    this.#lookAt = vrm.lookAt ?? null;
    this.#nodes = BONES.map((name) => vrm.humanoid.getNormalizedBoneNode(name));
    this.#chains = foldChains(this.#nodes, skeleton);
    const rest = vrm.humanoid.normalizedRestPose;
    const height = measureHips(rest);
    this.#rest = rest.hips?.position ?? [0, 0, 0];
    this.#scale = height > 1e-4 ? height / skeleton.hipsHeight : 1;
    // A VRM 0.x faces -Z: half a turn about +Y takes x and z to their opposites.
    this.#side = vrm.meta?.metaVersion === '0' ? -1 : 1;
  }

  /** Writes a sample into the normalised bones; `vrm.update()` carries it to the mesh. */
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
        this.#nodes[bone].quaternion.set(side * q[0], q[1], side * q[2], q[3]);
      }
    });
    this.#moveHips(sample);
  }

  /** Writes a body's channels at the moment of a sample: expressions that the VRM has, and its gaze. */
  express(body, sample) {
    for (const name of body.channels) {
      const value = body.channel(name, sample);
      if (name === 'lookAt') {
        this.#look(value);
      } else if (name.startsWith(EXPRESSION)) {
        this.#expressions?.setValue(name.slice(EXPRESSION.length), value);
      }
    }
  }

  // As three-vrm has a gaze: degrees of yaw about +Y, then of pitch about +X.
  #look([x, y, z, w]) {
    if (this.#lookAt) {
      this.#lookAt.yaw = Math.atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y)) * DEGREES;
      this.#lookAt.pitch = Math.asin(Math.min(Math.max(2 * (w * x - y * z), -1), 1)) * DEGREES;
    }
  }

  #moveHips(sample) {
    const side = this.#side;
    const [x, y, z] = sample.hips;
    const scale = this.#scale;
    this.#nodes[0]?.position.set(this.#rest[0] + side * scale * x, this.#rest[1] + scale * y,
      this.#rest[2] + side * scale * z);
  }
}
