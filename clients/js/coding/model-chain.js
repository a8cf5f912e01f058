// What coding 3 adds to chains (proto/SMALL-PACKETS.md, "Coding 3"): lattices of bones, and misses
// that children undo. Loaded on demand, while the client connects; it imports nothing that
// programs include anyway, which would part their code in two.

import { LEVELS, LEVEL_RATIO, MODEL_TABLE, PASS, RATIOS } from './model-table.js';
/**
 * @import { ChainDecoder } from '../chain.js'
 * @import { Walk } from './chain-model.js'
 */

/** Names the numbers in rejoin sections. */
export const table = MODEL_TABLE;

/**
 * Sets the lattices of the items of a chain, and of the body their ancestors.
 *
 * @param {ChainDecoder} chain
 * @param {number} mask of the bones
 * @param {readonly number[]} parents BONE_PARENTS
 * @param {number} unit of fine precision
 */
export function measure(chain, mask, parents, unit) {
  for (let i = 0; i < chain.count; i++) {
    chain.drops[i] += LEVELS[chain.bones[i]];
    chain.units[i] = unit;
    for (let n = 0; n < chain.drops[i]; n++) {
      chain.units[i] *= LEVEL_RATIO;
    }
    let parent = chain.section === 'body' ? parents[chain.bones[i]] : -1;
    while (parent >= 0 && !((mask >>> parent) & 1)) {
      parent = parents[parent];
    }
    chain.ancestors[i] = parent;
  }
}

const passed = new Int32Array(3 * 32); // by bone of the body, 1/256: what its children undo

/**
 * Expects a bone where the miss of its ancestor puts it.
 *
 * @param {Walk} walk
 * @param {number} bone
 * @param {number} ancestor
 */
export function shift(walk, bone, ancestor) {
  for (let c = 0; c < 3 && ancestor >= 0; c++) {
    walk.expected[c] -= (RATIOS[bone] * passed[3 * ancestor + c]) >> 8;
  }
}

/**
 * Keeps the miss of a bone for its children.
 *
 * @param {Walk} walk
 * @param {number} bone
 * @param {(value: number) => number} log16
 */
export function keep(walk, bone, log16) {
  for (let c = 0; c < 3; c++) {
    const share = PASS[Math.min(log16(walk.expectedMiss[c]) >> 3, 19)];
    passed[3 * bone + c] = (share * walk.off[c]) >> 8;
  }
}
