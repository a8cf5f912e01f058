// Prediction and probabilities for the next frame of a chain (proto/SMALL-PACKETS.md, "Chains").
// All numbers are 32-bit integers unless a comment states otherwise.

import { COSET, ODDS, PREDICTOR, TAIL } from './chain-table.js';
import { WHOLE } from './range-coder.js';
/** @import { RangeDecoder, RangeEncoder } from './range-coder.js' */

// Engines address such constants of a module directly; imports and exports cost a look-up.
const tail = TAIL, coset = COSET, odds = ODDS;

/**
 * How the next place of an item is predicted.
 *
 * @typedef {object} Predictor
 * @property {readonly number[]} weights of the features of an expected miss, 1/256
 * @property {readonly number[]} momentum how much of the pace is repeated, 1/256, by half octaves of pace over miss
 * @property {number} doubt added to that miss, 1/64
 * @property {number} missRate of a new miss in the mean, 1/64
 * @property {number} surprise how far the scale follows the misses of the frame, 1/4
 * @property {number} rounding share of a probable rounding that the next frame undoes, 1/256
 * @property {readonly number[]} paceRates of a new step in the pace, 1/256, by precision
 */

/** Offsets of place, pace, miss and rounding in the twelve numbers of an item's state. */
export const ITEM = 12;
export const PLACE = 0;
export const PACE = 3; // 1/16 a frame
export const MISS = 6; // 1/64
export const ROUNDING = 9; // 1/16

/** Result of decoding damaged bytes. */
export const DAMAGE = -2147483648;
/** Largest number in a chain. */
export const VALUE_MOST = 4000000;
export const STEP_MOST = 1023;

const GROUPS = 15;
const SYMBOLS = 2 * GROUPS + 1;
const FLOOR = 3;
const SHARED = WHOLE - SYMBOLS * FLOOR;
const GAMMA_MOST = 23;

const MISS_MOST = 6400;
const SURPRISE_PAD = 384;
const PACE_SHARE = 218;
const PACE_PAD = 128;
const SCALE_MOST = 304;
const OFF_MOST = 65535; // 1/256

/** @type {(value: number, least: number, most: number) => number} */
const clamp = (value, least, most) => (value < least ? least : value > most ? most : value);

/**
 * 16 log2(value), linear between the powers of two; value > 0.
 *
 * @param {number} value
 */
export function log16(value) {
  const zeros = Math.clz32(value);
  return ((value << zeros) >>> 27) + 480 - 16 * zeros; // the first of the five bits is one octave
}

/** The item at `base` forgets how it moved. @param {number[] | Int32Array} state @param {number} base */
export function forget(state, base) {
  state.fill(0, base + PACE, base + MISS);
  state.fill(0, base + ROUNDING, base + ITEM);
}

/** The probability model of one number: expected value and scale. */
export class Expectation {
  constructor() {
    this.spacing = 1;
    this.nearest = 0; // possible value nearest to the expected one
    this.bits = 0; // log2 of the values in a group
    this.first = 0; // lower border of group 0, 1/256 unit >> bits
    this.inverse = 0; // of the mantissa of the scale
    this.shift = 0;
  }

  /**
   * @param {number} expected 1/256
   * @param {number} scale logarithm of the mean distance from the expected value in 1/64
   * @param {number} spacing of the possible values: 1 or 2
   * @param {number} parity of the possible values; 0 with spacing 1
   */
  set(expected, scale, spacing, parity) {
    const half = spacing << 7;
    const octave = scale >> 4;
    const bits = Math.max(0, octave - (spacing === 2 ? 7 : 6));
    this.spacing = spacing;
    this.nearest = spacing * ((expected - (parity << 8) + half) >> (7 + spacing)) + parity;
    this.bits = bits;
    this.first = (this.nearest * 256 - expected - half - ((1 << bits) >> 1) * 2 * half) >> bits;
    this.inverse = (65536 / (16 + (scale & 15))) | 0;
    this.shift = 6 + octave - bits;
  }

  /**
   * Cumulative probability below group index - GROUPS.
   *
   * @param {number} index
   */
  border(index) {
    if (index <= 0) {
      return 0;
    }
    if (index >= SYMBOLS) {
      return WHOLE;
    }
    const at = this.first + (index - GROUPS) * (this.spacing << 8);
    const distance = (Math.abs(at) * this.inverse) >>> this.shift;
    const i = distance >> 4;
    let beyond = tail[256];
    if (i < 256) {
      beyond = tail[i] - (((tail[i] - tail[i + 1]) * (distance & 15)) >> 4);
    }
    const below = at < 0 ? beyond : WHOLE - beyond;
    return ((below * SHARED) >> 15) + FLOOR * index;
  }

  /**
   * Returns DAMAGE for bytes that no encoder writes.
   *
   * @param {RangeDecoder} decoder
   */
  decode(decoder) {
    const point = decoder.peek();
    let symbol = GROUPS; // searches from the middle, because most values are near it
    let from = this.border(symbol);
    let to = WHOLE;
    if (point < from) {
      do {
        to = from;
        from = this.border(--symbol);
      } while (point < from);
    } else {
      while ((to = this.border(symbol + 1)) <= point) {
        from = to;
        symbol++;
      }
    }
    decoder.take(from, to - from);
    let where = symbol - GROUPS;
    if (symbol === 0 || symbol === 2 * GROUPS) {
      const beyond = readGamma(decoder);
      if (beyond === 0) {
        return DAMAGE;
      }
      where += symbol === 0 ? 1 - beyond : beyond - 1;
    }
    // A double: a damaged value may be arbitrarily large.
    const index = where * (1 << this.bits) + decoder.bits(this.bits) - ((1 << this.bits) >> 1);
    const value = this.nearest + index * this.spacing;
    return Math.abs(value) > VALUE_MOST ? DAMAGE : value;
  }
}

/** Returns 0 if the code is too long. @param {RangeDecoder} decoder */
function readGamma(decoder) {
  let bits = 0;
  while (decoder.bits(1)) {
    if (++bits > GAMMA_MOST) {
      return 0;
    }
  }
  let value = 1;
  for (let i = 0; i < bits; i++) {
    value = (value << 1) | decoder.bits(1);
  }
  return value;
}

/** Three numbers with a buffer of their own: small arrays without one lie on the heap, where the collector moves them. */
const triple = () => new Int32Array(new ArrayBuffer(12));

// The coordinates of the item that is coded. Coding is synchronous, so all chains and walks share them.
const expected = triple(); // from the state alone, 1/256
const logs = triple(); // of the distance from there that is expected, 1/64
const scales = triple(); // logs, raised in a frame with large errors
const paces = triple(); // 1/4 a frame
const offs = triple(); // misses with their signs, 1/256
const rounding = triple(); // of the new place, 1/16; coding 2: 0

const expectation = new Expectation(); // of its coordinates, one after the other

/** Codes the items of one frame in order, and adapts to the errors of the prediction. */
export class Walk {
  constructor() {
    /** State of the chain. @type {Int32Array} */
    this.state = new Int32Array(0);
    /** @type {Predictor} */
    this.predictor = PREDICTOR;
    this.paceRate = 0;
    this.base = 0; // offset of the item in it
    this.spacing = 1;
    this.square = 0; // of the pace
    this.along = 0; // of the misses of known coordinates, the part along the pace
    this.totalMissed = 0;
    this.totalExpected = 0;
    // For other modules.
    this.expectation = expectation;
    this.expected = expected;
    this.logs = logs;
    this.off = offs;
    this.rounding = rounding;
  }

  /**
   * @param {Int32Array} state of the chain
   * @param {Predictor} predictor
   * @param {number} precision
   */
  beginFrame(state, predictor, precision) {
    this.state = state;
    this.predictor = predictor;
    this.paceRate = predictor.paceRates[precision];
    this.totalMissed = 0;
    this.totalExpected = 0;
    rounding.fill(0);
  }

  /**
   * `spacing` is 1 on the plain grid, 2 on the lattice of rotations.
   *
   * @param {number} base
   * @param {number} spacing
   */
  beginItem(base, spacing) {
    const { state } = this;
    const { weights, momentum, doubt, surprise } = this.predictor;
    const s = base + PACE, m = base + MISS;
    const misses = state[m] + state[m + 1] + state[m + 2];
    let square = 0;
    for (let c = 0; c < 3; c++) {
      const pace = (state[s + c] + 2) >> 2;
      paces[c] = pace;
      square += pace * pace;
    }
    this.spacing = spacing;
    this.base = base;
    this.square = square;
    const over = (log16((square >> 4) + 1) >> 1) + 96 - log16(((misses / 3) | 0) + doubt);
    const repeat = momentum[clamp((over + 24) >> 3, 0, 15)];
    const apart = log16(SURPRISE_PAD + this.totalMissed) - log16(SURPRISE_PAD + this.totalExpected);
    const worse = ((apart * surprise) / 4) | 0;
    let total = 0;
    for (let c = 0; c < 3; c++) {
      const sum = weights[0] * 64 + weights[1] * state[m + c] + weights[2] * Math.abs(paces[c]) * 16;
      const miss = clamp(sum >> 8, 0, MISS_MOST - 1) + 1;
      const log = log16(miss);
      logs[c] = log;
      scales[c] = clamp(log + worse, 0, SCALE_MOST);
      expected[c] = state[base + c] * 256 + state[base + ROUNDING + c] * 16 + ((repeat * state[s + c]) >> 4);
      total += miss;
    }
    this.totalExpected += total;
  }

  /** Probability, in 1/32768, that all three coordinates are even. */
  even() {
    let sum = 0;
    for (let c = 0; c < 3; c++) {
      const distance = Math.abs(((expected[c] + 256) & 511) - 256); // from an even place
      sum += coset[9 * (scales[c] >> 2) + ((distance + 16) >> 5)];
    }
    return odds[127 + clamp(sum, -127, 127)];
  }

  /**
   * Predicts coordinate c from the known coordinates before it, places[p] …; call it for 0, 1 and 2 in order.
   *
   * @param {number} c
   * @param {number} parity
   * @param {Int32Array} places
   * @param {number} p
   */
  look(c, parity, places, p) {
    const place = this.placeOf(c, places, p);
    expectation.set(place, scales[c], this.spacing, parity);
    return place;
  }

  /**
   * @param {number} c
   * @param {Int32Array} places
   * @param {number} p
   */
  placeOf(c, places, p) {
    if (c === 0) {
      this.along = 0;
      return expected[0];
    }
    const off = clamp(places[p + c - 1] * 256 - expected[c - 1], -OFF_MOST, OFF_MOST);
    const along = this.along + paces[c - 1] * off;
    this.along = along;
    // Exact in doubles: the numerator is below 2^53, the quotient below 2^31.
    return along === 0 ? expected[c] :
      expected[c] + (((PACE_SHARE * paces[c] * along) / (256 * (this.square + PACE_PAD))) | 0);
  }

  /**
   * Keeps the miss of coordinate c.
   *
   * @param {number} c
   * @param {number} at where it was expected
   * @param {number} place
   */
  pass(c, at, place) {
    offs[c] = clamp(place * 256 - at, -OFF_MOST, OFF_MOST);
  }

  /** The item does not move. */
  rest() {
    for (let c = 0; c < 3; c++) {
      this.pass(c, expected[c], this.state[this.base + c]);
    }
  }

  /**
   * Writes the item's next state to `next`, from its place, places[p] ….
   *
   * @param {Int32Array} places
   * @param {number} p
   * @param {Int32Array} next
   */
  endItem(places, p, next) {
    const { state, base, paceRate } = this;
    const { missRate } = this.predictor;
    let jumped = false, total = 0;
    for (let c = 0; c < 3; c++) {
      const step = places[p + c] - state[base + c];
      const pace = state[base + PACE + c];
      const miss = state[base + MISS + c];
      const missed = Math.min(Math.abs(offs[c]) >> 2, MISS_MOST);
      const moved = step * 16 + rounding[c] - state[base + ROUNDING + c];
      jumped = jumped || Math.abs(step) > STEP_MOST;
      next[base + c] = places[p + c];
      next[base + PACE + c] = pace + (((moved - pace) * paceRate + 128) >> 8);
      next[base + MISS + c] = miss + (((missed - miss) * missRate) >> 6);
      next[base + ROUNDING + c] = rounding[c];
      total += missed;
    }
    this.totalMissed += total;
    if (jumped) {
      forget(next, base);
    }
  }
}

// ---- for chain-encoder.js; functions, so that programs that only decode do not include them ----

/**
 * Index of a value among the possible ones, from the first of group 0.
 *
 * @param {Expectation} expectation
 * @param {number} value
 */
function indexOf({ nearest, spacing, bits }, value) {
  return (value - nearest) / spacing + ((1 << bits) >> 1);
}

/**
 * Encodes a number.
 *
 * @param {Expectation} expectation
 * @param {number} value
 * @param {RangeEncoder} encoder
 */
export function encodeExpected(expectation, value, encoder) {
  const index = indexOf(expectation, value);
  const where = index >> expectation.bits;
  const symbol = clamp(where, -GROUPS, GROUPS) + GROUPS;
  const from = expectation.border(symbol);
  encoder.encode(from, expectation.border(symbol + 1) - from);
  if (symbol === 0 || symbol === 2 * GROUPS) {
    const beyond = Math.abs(where) - GROUPS + 1; // Elias gamma
    const bits = 31 - Math.clz32(beyond);
    for (let i = 0; i < bits; i++) {
      encoder.encodeBits(1, 1);
    }
    encoder.encodeBits(0, 1);
    for (let i = bits - 1; i >= 0; i--) {
      encoder.encodeBits((beyond >> i) & 1, 1);
    }
  }
  encoder.encodeBits(index & ((1 << expectation.bits) - 1), expectation.bits);
}

/**
 * Cost of a number in 1/16 bit.
 *
 * @param {Expectation} expectation
 * @param {number} value
 */
export function costOf(expectation, value) {
  const where = indexOf(expectation, value) >> expectation.bits;
  const symbol = clamp(where, -GROUPS, GROUPS) + GROUPS;
  let cost = (15 + expectation.bits) * 16 - log16(expectation.border(symbol + 1) - expectation.border(symbol));
  if (symbol === 0 || symbol === 2 * GROUPS) {
    cost += 2 * log16(Math.abs(where) - GROUPS + 1) + 16;
  }
  return cost;
}
