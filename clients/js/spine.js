// Distributes the rotations of four spine bones over the vertebrae of an H-Anim figure, as the
// server's tools do (src/skeleton/hanim/hanim_spine.c; proto/SKELETONS.md, "Spines of H-Anim figures").

import { conjugate, multiply, normalize, slerp } from './quat.js';
import { BONES } from './tables.js';
/**
 * @import { Writable } from './quat.js'
 * @import { Skeleton, SpineChain } from './skeleton.js'
 */

const VERTEBRA = /^(vl[1-5]|vt([1-9]|1[0-2])|vc[1-7])$/i;
const MOST = 24;
const SPINE = ['spine', 'chest', 'upperChest', 'neck', 'head'].map((name) => BONES.indexOf(name));
const IDENTITY = [0, 0, 0, 1];

/** @param {Skeleton} skeleton @param {number} above @param {number} node */
function isAbove(skeleton, above, node) {
  let at = node;
  while (at >= 0 && at !== above) {
    at = skeleton.parents[at];
  }
  return at === above;
}

/** The nearest bone above a node, -1 for none. @param {Skeleton} skeleton @param {number} node */
function boneAbove(skeleton, node) {
  let at = skeleton.parents[node];
  while (at >= 0 && skeleton.boneOfNode[at] < 0) {
    at = skeleton.parents[at];
  }
  return at < 0 ? -1 : skeleton.boneOfNode[at];
}

/**
 * Vertebrae from the node of a bone to below the next bone, and the node where the last segment ends.
 *
 * @param {Skeleton} skeleton
 * @param {number} first
 * @param {number} next
 * @param {number[]} branches
 */
function collect(skeleton, first, next, branches) {
  const nodes = [];
  let end = next;
  for (let node = skeleton.parents[next]; node !== first; node = skeleton.parents[node]) {
    if (!VERTEBRA.test(skeleton.nodeNames[node])) {
      continue;
    }
    if (branches.every((branch) => isAbove(skeleton, node, branch))) {
      nodes.unshift(node);
    } else {
      end = node; // other bones branch off below it, for example shoulders
    }
  }
  return { nodes: [first, ...nodes], end };
}

/**
 * Lengths of the segments in relation to their sum; null if it is zero.
 *
 * @param {Skeleton} skeleton
 * @param {number[]} nodes
 * @param {number} end
 */
function weigh({ restWorlds: m }, nodes, end) {
  const lengths = nodes.map((node, i) => {
    const [a, b] = [16 * node + 12, 16 * (nodes[i + 1] ?? end) + 12];
    return Math.hypot(m[a] - m[b], m[a + 1] - m[b + 1], m[a + 2] - m[b + 2]);
  });
  const sum = lengths.reduce((total, length) => total + length, 0);
  return sum > 0 ? lengths.map((length) => length / sum) : null;
}

/**
 * Finds the vertebrae that share the rotations of spine, chest, upperChest and neck.
 *
 * @param {Skeleton} skeleton
 * @returns {SpineChain[]} empty unless it is an H-Anim
 *   figure with more vertebrae than bones; nodes from below, the first is the bone's own
 */
export function findSpine(skeleton) {
  const mapped = Array.from(skeleton.bones, (node) => (node < 0 ? -1 : boneAbove(skeleton, node)));
  /** @type {SpineChain[]} */
  const chains = [];
  for (const next of skeleton.descriptor.format === 'h-anim' ? SPINE.slice(1) : []) {
    const bone = mapped[next] ?? -1;
    if (skeleton.bones[next] < 0 || bone < SPINE[0] || bone > SPINE[3] ||
      chains.some((chain) => chain.bone === bone)) { // of several next bones the first one counts
      continue;
    }
    const branches = [...skeleton.bones].filter((node, b) => node >= 0 && mapped[b] === bone);
    const { nodes, end } = collect(skeleton, skeleton.bones[bone], skeleton.bones[next], branches);
    const weights = nodes.length > 1 && nodes.length <= MOST ? weigh(skeleton, nodes, end) : null;
    if (weights) {
      chains.push({ bone, nodes, weights });
    }
  }
  return chains;
}

const whole = new Float64Array(4);
const part = new Float64Array(4);
const before = new Float64Array(4);

/**
 * Distributes the rotation of each spine bone over its vertebrae: each takes the power of the
 * rotation N about N's own axis that its weight gives, so that the spine bends evenly and the bones
 * above keep their orientation. Figures without a `spine` are unchanged.
 *
 * @template {Writable} T
 * @param {Skeleton} skeleton
 * @param {T} rotations local rotations of all nodes, four numbers a node, with the whole rotation
 *   at the nodes of the bones; changed in place
 * @returns {T}
 */
export function splitSpine(skeleton, rotations) {
  const { tPose, parentTPose } = skeleton;
  for (const { nodes, weights } of skeleton.spine) {
    const first = 4 * nodes[0];
    // N = P · local · W⁻¹; then local = P⁻¹ · part · W, and L · W⁻¹ · part · W above it.
    conjugate(tPose, first, before, 0);
    multiply(parentTPose, first, rotations, first, whole, 0);
    multiply(whole, 0, before, 0, whole, 0);
    nodes.forEach((node, i) => {
      const at = 4 * node;
      if (i === 0) {
        conjugate(parentTPose, at, before, 0);
      } else {
        conjugate(tPose, at, before, 0);
        multiply(skeleton.rotations, at, before, 0, before, 0);
      }
      slerp(IDENTITY, 0, whole, 0, weights[i], part, 0);
      multiply(before, 0, part, 0, part, 0);
      multiply(part, 0, tPose, at, part, 0);
      normalize(part, 0, rotations, at);
    });
  }
  return rotations;
}
