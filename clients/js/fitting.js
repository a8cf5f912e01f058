// Carries a decoded pose from one skeleton to another, as the server would have done
// (src/retarget/retargeter.c): for who asked for a skeleton that the server had no room
// for, and got `humanoid`.

import { multiply } from './quat.js';
import { BONES, BONE_PARENTS } from './tables.js';

/** The nearest bone above in the tree of nodes, -1 for none. */
function mappedParent(skeleton, bone) {
  let node = skeleton.parents[skeleton.bones[bone]];
  while (node >= 0 && skeleton.boneOfNode[node] < 0) {
    node = skeleton.parents[node];
  }
  return node < 0 ? -1 : skeleton.boneOfNode[node];
}

/** What turns each bone: itself, and before that those above that the skeleton lacks, top first. */
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

  /**
   * @param {import('./skeleton.js').Skeleton} from that poses are decoded for
   * @param {import('./skeleton.js').Skeleton} to that is to wear them
   */
  constructor(from, to) {
    this.#from = from;
    this.#to = to;
    this.#chains = foldChains(from, to);
    this.#scale = to.hipsHeight / from.hipsHeight;
  }

  /** @param {import('./bundle.js').Payload} payload R of the one becomes R of the other */
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
    payload.virtualCount = 0; // of a figure that nobody shows
  }
}
