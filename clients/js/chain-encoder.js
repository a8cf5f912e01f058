// Encodes a chain, for publishers (proto/SMALL-PACKETS.md, "Chains"). The encoder chooses the
// cheapest lattice point within the bound, like the encoder in C: the same motion gives
// the same bytes.

import { CHAIN_BYTES, ChainDecoder, INDEX_FIRST, INDEX_SCALE, MISS_BITS, PRECISIONS, SETTLE_AT, expectation, settledIndex } from './chain.js';
import { BONES } from './tables.js';
import { ITEM, MISS, PACE, PLACE, ROUNDING, Walk, costOf, encodeExpected, log16 } from './coding/chain-model.js';
import { CHAIN_TABLE } from './coding/chain-table.js';
import { RangeEncoder, WHOLE } from './coding/range-coder.js';
import { hits, pointOf } from './coding/chart.js';
/** @import { Precision } from './chain.js' */

const MISS_START = 64;
const ITEMS = 30;

// Coding is synchronous, so all chains share these.
const walk = new Walk();
const encoder = new RangeEncoder();
const settled = new Int32Array(ITEM * ITEMS);
const bytes = new Uint8Array(CHAIN_BYTES + 8); // trailing zeros are dropped at the end
const points = new Float64Array(3 * ITEMS);
const next = new Int32Array(ITEM * ITEMS);
const place = new Int32Array(3);
const choice = new Int32Array(3);

/** Nearest whole number, halves away from zero. @param {number} x */
function nearest(x) {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

/** A chain that can also encode. */
export class ChainEncoder extends ChainDecoder {
  /**
   * Starts the chain.
   *
   * @param {Precision} precision
   * @param {ArrayLike<number>} motion for bones: N, four numbers each in the order of BONES; for
   *   the hips: their translation, three numbers; for channels: values in triples; for virtual
   *   transforms: translation and rotation, seven numbers each
   * @param {Iterable<number>} [bones] indices into BONES; default: all bones of the section; bones
   *   of other sections are ignored. For triples and virtual transforms: their indices
   * @throws {RangeError} for invalid values; the chain is then unchanged
   */
  start(precision, motion, bones = BONES.keys()) {
    const number = PRECISIONS.indexOf(precision);
    let mask = 0;
    if (number < 0) {
      throw new RangeError(`unknown precision '${precision}'`);
    }
    for (const bone of bones) {
      const i = bone - this.range.first;
      mask |= i >= 0 && i < this.range.count ? 1 << i : 0;
    }
    const fresh = new ChainDecoder(this.section);
    fresh.fineness = number;
    fresh.choose(mask);
    aim(fresh, motion, false);
    for (let i = 0; i < fresh.count; i++) {
      nearestPlace(points, 3 * i, fresh.isGrid(i), fresh.state, ITEM * i);
      fresh.state.fill(MISS_START, ITEM * i + MISS, ITEM * i + ROUNDING);
    }
    this.fineness = number;
    this.choose(mask);
    this.state.set(fresh.state);
    this.isStarted = true;
  }

  /**
   * Advances the chain and writes the section with which decoders do the same.
   *
   * @param {ArrayLike<number>} motion as for start
   * @param {boolean} settle round the history in the state, so that the following rejoin section is
   *   small
   * @param {Uint8Array} out CHAIN_BYTES always suffice
   * @returns {number} bytes in `out`; 0 when nothing moved beyond the bound: then omit the section,
   *   decoders hold
   * @throws {RangeError} for invalid values, or when `out` is too small; the chain is then
   *   unchanged
   */
  encode(motion, settle, out) {
    const { state } = this;
    if (!this.started) {
      throw new RangeError('the chain has not started');
    }
    aim(this, motion, true);
    if (!settle && this.hitsAll()) {
      this.hold();
      return 0;
    }
    encoder.begin(bytes, 0);
    encoder.encode(settle ? SETTLE_AT : 0, settle ? WHOLE - SETTLE_AT : SETTLE_AT);
    walk.beginFrame(state, this.predictor, this.precision);
    for (let i = 0; i < this.count; i++) {
      walk.beginItem(ITEM * i, this.spacings[i]);
      this.encodeItem(i);
      walk.endItem(place, 0, next);
    }
    const length = encoder.finish();
    if (length < 0 || length > Math.min(CHAIN_BYTES, out.length)) {
      throw new RangeError('a section does not fit');
    }
    for (let i = 0; i < length; i++) {
      out[i] = bytes[i];
    }
    for (let i = 0; i < ITEM * this.count; i++) {
      state[i] = next[i];
    }
    if (settle) {
      this.settle(state);
    }
    return length;
  }

  /**
   * Writes the whole state as a rejoin section, with which a decoder can start.
   *
   * @param {Uint8Array} out CHAIN_BYTES always suffice
   * @returns {number} bytes in `out`
   * @throws {RangeError} when `out` is too small
   */
  writeRejoin(out) {
    return writeRejoin(this, out);
  }

  /**
   * Whether the item would be within the bound of its target at `places`.
   *
   * @internal
   * @param {number} item
   * @param {Int32Array} places
   * @param {number} p
   */
  hits(item, places, p) {
    if (!this.isGrid(item)) {
      return hits(points, 3 * item, places, p, this.precision);
    }
    for (let c = 0; c < 3; c++) {
      if (Math.abs(points[3 * item + c] - places[p + c]) > 0.5) {
        return false;
      }
    }
    return true;
  }

  /** @internal */
  hitsAll() {
    for (let i = 0; i < this.count; i++) {
      if (!this.hits(i, this.state, ITEM * i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * @internal
   * @param {number} item
   */
  encodeItem(item) {
    let parity = 0;
    if (walk.spacing === 1) {
      for (let c = 0; c < 3; c++) {
        place[c] = nearest(points[3 * item + c]);
      }
    } else {
      const even = walk.even();
      this.findCheapest(item, even);
      parity = place[0] & 1;
      encoder.encode(parity ? even : 0, parity ? WHOLE - even : even);
    }
    for (let c = 0; c < 3; c++) {
      const expected = walk.look(c, parity, place, 0);
      encodeExpected(walk.expectation, place[c], encoder);
      walk.pass(c, expected, place[c]);
    }
  }

  /**
   * Tries the corners around the target in both halves of the lattice.
   *
   * @internal
   * @param {number} item
   * @param {number} even
   */
  findCheapest(item, even) {
    let least = Infinity;
    for (let parity = 0; parity < 2; parity++) {
      const half = -log16(parity ? WHOLE - even : even);
      for (let corner = 0; corner < 8; corner++) {
        for (let c = 0; c < 3; c++) {
          choice[c] = 2 * Math.floor((points[3 * item + c] - parity) / 2) + parity + ((corner >> c) & 1) * 2;
        }
        if (!this.hits(item, choice, 0)) {
          continue;
        }
        const cost = this.costOf(parity) + half;
        if (cost < least) {
          least = cost;
          place.set(choice);
        }
      }
    }
  }

  /**
   * @internal
   * @param {number} parity
   */
  costOf(parity) {
    let cost = 0;
    for (let c = 0; c < 3; c++) {
      const expected = walk.look(c, parity, choice, 0);
      cost += costOf(walk.expectation, choice[c]);
      walk.pass(c, expected, choice[c]);
    }
    return cost;
  }
}

/**
 * Fills points with the targets of the chain's items, in lattice units.
 *
 * @param {ChainDecoder} chain
 * @param {ArrayLike<number>} motion
 * @param {boolean} near
 */
function aim(chain, motion, near) {
  const isVirtual = chain.section === 'virtual';
  for (let i = 0; i < chain.count; i++) {
    const bone = chain.bones[i];
    if (chain.isGrid(i)) {
      aimAtPoint(chain, i, motion, (isVirtual ? 7 : 3) * bone);
    } else if (!pointOf(motion, isVirtual ? 7 * bone + 3 : 4 * bone, chain.precision,
      near ? chain.state : null, ITEM * i, points, 3 * i)) {
      throw new RangeError(`a rotation of '${isVirtual ? bone : BONES[bone]}' is not a unit quaternion`);
    }
  }
}

/**
 * @param {ChainDecoder} chain
 * @param {number} item
 * @param {ArrayLike<number>} motion
 * @param {number} at
 */
function aimAtPoint(chain, item, motion, at) {
  const unit = chain.gridUnit;
  const most = chain.mostOf(item);
  for (let c = 0; c < 3; c++) {
    points[3 * item + c] = Math.fround(motion[at + c]) / unit;
    if (!(Math.abs(points[3 * item + c]) < most + 0.5)) {
      throw new RangeError(`a number of ${chain.section} is ${motion[at + c]}`);
    }
  }
}

/**
 * Of the nearest points in both halves of the lattice, the nearer one.
 *
 * @param {Float64Array} point
 * @param {number} k
 * @param {boolean} isGrid
 * @param {Int32Array} out
 * @param {number} p
 */
function nearestPlace(point, k, isGrid, out, p) {
  let least = Infinity;
  for (let parity = 0; parity < 2; parity++) {
    let distance = 0;
    for (let c = 0; c < 3; c++) {
      const at = point[k + c];
      choice[c] = isGrid ? nearest(at) : 2 * nearest((at - parity) / 2) + parity;
      distance += (at - choice[c]) * (at - choice[c]);
    }
    if (distance < least) {
      least = distance;
      out.set(choice, p);
    }
  }
}

/**
 * Writes the whole state of a chain as a rejoin section. The state of a decoder suffices.
 *
 * @param {ChainDecoder} chain
 * @param {Uint8Array} out
 * @returns {number} bytes in `out`
 * @throws {RangeError} when `out` is too small
 */
export function writeRejoin(chain, out) {
  const head = chain.headBytes;
  if (!chain.started) {
    throw new RangeError('the chain has not started and has no state');
  }
  settled.set(chain.state);
  chain.settle(settled);
  const isSettled = settled.every((value, i) => i >= ITEM * chain.count || value === chain.state[i]);
  const section = out.subarray(0, Math.min(out.length, CHAIN_BYTES + 8));
  encoder.begin(section, head);
  encoder.encodeBits(isSettled ? 1 : 0, 1);
  writeItems(chain, isSettled);
  const length = encoder.finish();
  if (length < 0 || head + length > CHAIN_BYTES) {
    throw new RangeError('a rejoin section does not fit');
  }
  section.fill(0, 0, head);
  section[0] = (CHAIN_TABLE << 2) | chain.precision;
  for (let i = 0; i < chain.count && chain.range.count > 0; i++) {
    const bit = chain.bones[i] - chain.range.first;
    if (chain.isCounted) {
      section[1] = bit + 1;
    } else {
      section[1 + (bit >> 3)] |= 1 << (bit & 7);
    }
  }
  return head + length;
}

/** @param {ChainDecoder} chain @param {boolean} isSettled */
function writeItems(chain, isSettled) {
  const { state } = chain;
  let index = INDEX_FIRST;
  for (let i = 0; i < chain.count; i++) {
    const base = ITEM * i;
    const parity = chain.isGrid(i) ? 0 : state[base] & 1;
    encoder.encodeBits(parity, chain.isGrid(i) ? 0 : 1);
    for (let c = 0; c < 3; c++) {
      chain.expectPlace(i, c, parity);
      encodeExpected(expectation, state[base + PLACE + c], encoder);
    }
    if (isSettled) {
      expectation.set(index * 256, INDEX_SCALE, 1, 0);
      index = settledIndex(state, base);
      encodeExpected(expectation, index, encoder);
    } else {
      writePast(chain, base);
    }
  }
}

/**
 * Codes the misses and paces of an item that is not settled.
 *
 * @param {ChainDecoder} chain
 * @param {number} base
 */
function writePast(chain, base) {
  for (let c = 0; c < 3; c++) {
    encoder.encodeBits(chain.state[base + MISS + c], MISS_BITS);
  }
  for (let c = 0; c < 3; c++) {
    const pace = chain.state[base + PACE + c];
    chain.expectPace(base, c);
    encodeExpected(expectation, pace >> 4, encoder);
    if (chain.linked) {
      encoder.encodeBits(pace & 15, 4);
      encoder.encodeBits(chain.state[base + ROUNDING + c] + 16, 5);
    }
  }
}
