// The additions of coding 3 to chains (proto/SMALL-PACKETS.md, "Coding 3"): lattices of bones, and misses
// that children undo and fingers repeat. Loaded on demand, while the client connects; it imports nothing that
// programs include anyway, which would part their code in two.

import { CURL, LEVELS, LEVEL_RATIO, MODEL_TABLE, PASS, RATIOS } from './model-table.js';
/**
 * @import { ChainDecoder } from '../chain.js'
 * @import { Walk } from './chain-model.js'
 */

const FINGERS = 25; // the first bone of a hand

/** Names the numbers in rejoin sections. */
export const table = MODEL_TABLE;

/**
 * Sets the lattices of the items of a chain, and whose misses shift their expectations.
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
    const bone = chain.bones[i];
    const joint = (bone - FINGERS) % 15;
    let source = -1;
    if (chain.section === 'body') {
      source = parents[bone];
      while (source >= 0 && !((mask >>> source) & 1)) {
        source = parents[source];
      }
    } else if (joint > 3) {
      source = bone - (joint < 6 ? 1 : 3);
      source = (mask >>> (source - FINGERS)) & 1 ? source : -1;
    }
    chain.sources[i] = source;
  }
}

const passed = new Int32Array(3 * 55); // by bone, 1/256: what those undo of which it is the source

/**
 * Expects a bone where the miss of its source puts it.
 *
 * @param {Walk} walk
 * @param {number} bone
 * @param {number} source
 */
export function shift(walk, bone, source) {
  const ratio = bone < FINGERS ? RATIOS[bone] : 256;
  for (let c = 0; c < 3 && source >= 0; c++) {
    walk.expected[c] -= (ratio * passed[3 * source + c]) >> 8;
  }
}

/**
 * Keeps the miss of a bone for those of which it is the source.
 *
 * @param {Walk} walk
 * @param {number} bone
 * @param {(value: number) => number} log16
 */
export function keep(walk, bone, log16) {
  for (let c = 0; c < 3; c++) {
    const share = bone < FINGERS ? PASS[Math.min(log16(walk.expectedMiss[c]) >> 3, 19)] : -CURL;
    passed[3 * bone + c] = (share * walk.off[c]) >> 8;
  }
}
