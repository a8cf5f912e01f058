// The additions of coding 3 to chains (proto/SMALL-PACKETS.md, "Coding 3"): lattices of bones, and misses
// that children undo and fingers repeat. Loaded on demand, while the client connects; it imports nothing that
// programs include anyway, which would part their code in two.

import { CURL, FINER, LEVELS, LEVEL_RATIO, MODEL_TABLE, PASS, PREDICTOR } from './model-table.js';
/**
 * @import { ChainDecoder } from '../chain.js'
 * @import { Walk } from './chain-model.js'
 * @import { RangeDecoder } from './range-coder.js'
 */

const FINGERS = 25; // the first bone of a hand
const ROUNDING_AFTER = 6; // from a pace to its rounding in the state of an item
const ROUNDED_MOST = 512; // 1/256; a longer miss is mostly a motion

/** Names the numbers in rejoin sections. */
export const table = MODEL_TABLE;
/** Predicts bones. */
export const predictor = PREDICTOR;

/**
 * Sets the lattices of the items of a chain, their units relative to those above, and whose misses shift their
 * expectations.
 *
 * @param {ChainDecoder} chain
 * @param {number} mask of the bones
 * @param {readonly number[]} parents BONE_PARENTS
 * @param {number} unit of fine precision
 */
export function measure(chain, mask, parents, unit) {
  const drop = chain.drops[0];
  const dropOf = (/** @type {number} */ bone) => drop + LEVELS[bone] - chain.fineness * (FINER[bone] | 0); // FINER has only bones of the body
  const unitOf = (/** @type {number} */ bone) => {
    let product = unit;
    for (let n = dropOf(bone); n > 0; n--) {
      product *= LEVEL_RATIO;
    }
    return product;
  };
  for (let i = 0; i < chain.count; i++) {
    const bone = chain.bones[i];
    chain.drops[i] = dropOf(bone);
    chain.units[i] = unitOf(bone);
    chain.ratios[i] = 256;
    const joint = (bone - FINGERS) % 15;
    let source = -1;
    if (chain.section === 'body') {
      source = parents[bone];
      if (source >= 0) {
        chain.ratios[i] = Math.round((256 * unitOf(source)) / chain.units[i]);
      }
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
 * @param {number} ratio
 * @param {number} source
 */
export function shift(walk, ratio, source) {
  for (let c = 0; c < 3 && source >= 0; c++) {
    walk.expected[c] -= (ratio * passed[3 * source + c]) >> 8;
  }
}

/**
 * Reads the part of a pace below a unit a frame, and the rounding of the same coordinate.
 *
 * @param {Int32Array} state
 * @param {number} pace its offset in the state
 * @param {RangeDecoder} decoder
 */
export function readFractions(state, pace, decoder) {
  state[pace] += decoder.bits(4);
  state[pace + ROUNDING_AFTER] = decoder.bits(5) - 16;
}

/**
 * Keeps the miss of a bone for those of which it is the source. The part of it that was probably the rounding
 * of the frame before gives the rounding of the new place.
 *
 * @param {Walk} walk
 * @param {number} bone
 */
export function keep(walk, bone) {
  for (let c = 0; c < 3; c++) {
    const off = walk.off[c];
    const share = PASS[Math.min(walk.logs[c] >> 3, 19)];
    const rounded = (share * Math.min(Math.max(off, -ROUNDED_MOST), ROUNDED_MOST)) >> 8;
    walk.rounding[c] = (2048 - rounded * PREDICTOR.rounding) >> 12;
    passed[3 * bone + c] = bone < FINGERS ? rounded : (-CURL * off) >> 8;
  }
}
