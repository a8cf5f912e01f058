// Retargets a decoded pose to another skeleton, with the algorithm of the server
// (src/retarget/retargeter.c). Needed if the server had no capacity for the requested
// skeleton and sent `humanoid`.

import { multiply } from './quat.js';
import { BONES, BONE_PARENTS } from './tables.js';
/**
 * @import { Payload } from './bundle.js'
 * @import { Numbers } from './quat.js'
 * @import { Skeleton } from './skeleton.js'
 */

/** @typedef {Float32Array | Float64Array} FloatArray */

/**
 * The nearest ancestor bone in the tree of nodes, -1 for none.
 *
 * @param {Skeleton} skeleton
 * @param {number} bone
 */
function mappedParent(skeleton, bone) {
  let node = skeleton.parents[skeleton.bones[bone]];
  while (node >= 0 && skeleton.boneOfNode[node] < 0) {
    node = skeleton.parents[node];
  }
  return node < 0 ? -1 : skeleton.boneOfNode[node];
}

/**
 * Source bones of each bone: missing ancestors of it, top first, then the bone itself.
 *
 * @param {Skeleton} from
 * @param {Skeleton} to
 */
function foldChains(from, to) {
  return BONES.map((name, bone) => {
    /** @type {number[]} */
    const chain = [];
    if (to.bones[bone] >= 0) {
      const top = mappedParent(to, bone);
      for (let b = bone; b >= 0 && b !== top; b = BONE_PARENTS[b]) {
        if (from.bones[b] >= 0) {
          chain.unshift(b);
        }
      }
    }
    return chain;
  });
}

/** Carries a decoded pose from one skeleton to another, as the server would have done. */
export class Fitting {
  #from;
  #to;
  #chains;
  #scale;
  #normalized = new Float64Array(4 * BONES.length);
  #part = new Float64Array(4);
  #moved = [[0, 0, 0], [0, 0, 0]];
  #fitted = { rotations: new Float64Array(4 * BONES.length), hips: new Float64Array(3), virtualCount: 0 };

  /**
   * @param {Skeleton} from skeleton of the decoded poses
   * @param {Skeleton} to skeleton of the result
   */
  constructor(from, to) {
    this.#from = from;
    this.#to = to;
    this.#chains = foldChains(from, to);
    this.#scale = to.hipsHeight / from.hipsHeight;
  }

  /**
   * R of the one becomes R of the other.
   *
   * @param {Pick<Payload, 'virtualCount'> & { rotations: FloatArray, hips: FloatArray }} payload changed in place: R of `from` to R of `to`
   */
  apply(payload) {
    const { rotations } = payload;
    const n = this.#normalized;
    this.#chains.forEach((chain, bone) => {
      n.fill(0, 4 * bone, 4 * bone + 3);
      n[4 * bone + 3] = 1;
      for (const above of chain) {
        this.#from.normalizedRotation(above, rotations, this.#part);
        multiply(n, 4 * bone, this.#part, 0, n, 4 * bone);
      }
    });
    for (let bone = 0; bone < BONES.length; bone++) {
      if (this.#to.bones[bone] >= 0) {
        this.#to.relativeRotation(bone, n, rotations, 4 * bone);
      } else {
        rotations.fill(0, 4 * bone, 4 * bone + 3);
        rotations[4 * bone + 3] = 1;
      }
    }
    const [before, after] = this.#moved;
    this.#from.displaceHips(n, before);
    this.#to.displaceHips(n, after);
    for (let i = 0; i < 3; i++) {
      payload.hips[i] = this.#scale * (payload.hips[i] + before[i]) - after[i];
    }
    payload.virtualCount = 0; // they belong to the figure of the other skeleton
  }

  /**
   * Returns rotations and hips of a sample on the other skeleton; the next call overwrites them.
   *
   * @param {{ rotations: Numbers; hips: Numbers }} sample
   * @returns {{ rotations: Float64Array; hips: Float64Array }}
   */
  fit(sample) {
    this.#fitted.rotations.set(sample.rotations);
    this.#fitted.hips.set(sample.hips);
    this.apply(this.#fitted);
    return this.#fitted;
  }
}
