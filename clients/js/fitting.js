// Retargets a decoded pose to another skeleton, with the algorithm of the server
// (src/retarget/retargeter.c). Needed if the server had no capacity for the requested
// skeleton and sent `humanoid`.

import { multiply } from './quat.js';
import { BONES, BONE_PARENTS } from './tables.js';

/** The nearest ancestor bone in the tree of nodes, -1 for none. */
function mappedParent(skeleton, bone) {
  let node = skeleton.parents[skeleton.bones[bone]];
  while (node >= 0 && skeleton.boneOfNode[node] < 0) {
    node = skeleton.parents[node];
  }
  return node < 0 ? -1 : skeleton.boneOfNode[node];
}

/** Source bones of each bone: missing ancestors of it, top first, then the bone itself. */
function foldChains(from, to) {
  return BONES.map((name, bone) => {
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

export class Fitting {
  #from;
  #to;
  #chains;
  #scale;
  #normalized = new Float64Array(4 * BONES.length);
  #part = new Float64Array(4);
  #fitted = { rotations: new Float64Array(4 * BONES.length), hips: new Float64Array(3), virtualCount: 0 };

  /**
   * @param {import('./skeleton.js').Skeleton} from skeleton of the decoded poses
   * @param {import('./skeleton.js').Skeleton} to skeleton of the result
   */
  constructor(from, to) {
    this.#from = from;
    this.#to = to;
    this.#chains = foldChains(from, to);
    this.#scale = to.hipsHeight / from.hipsHeight;
  }

  /** @param {import('./bundle.js').Payload} payload changed in place: R of `from` to R of `to` */
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
    for (let i = 0; i < 3; i++) {
      payload.hips[i] *= this.#scale;
    }
    payload.virtualCount = 0; // they belong to the figure of the other skeleton
  }
  /**
   * Returns rotations and hips of a sample on the other skeleton; the next call overwrites them.
   *
   * @param {{rotations: ArrayLike<number>, hips: ArrayLike<number>}} sample
   */
  fit(sample) {
    this.#fitted.rotations.set(sample.rotations);
    this.#fitted.hips.set(sample.hips);
    this.apply(this.#fitted);
    return this.#fitted;
  }
}
