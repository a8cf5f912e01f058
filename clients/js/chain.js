// Decodes codings 2 and 3 of jointcast.v1, the small packets (proto/SMALL-PACKETS.md, "Chains"). A chain
// is one section of one stream. Its state consists of integers, identical in encoder and
// decoder. Decoding a frame allocates nothing.

import { BONE_PARENTS, BONE_SECTIONS } from './tables.js';
import { CHAIN_TABLE, PREDICTOR, PRIOR_PLACE, PRIOR_SCALE, PRIOR_STEP } from './coding/chain-table.js';
import { Expectation, ITEM, MISS, PACE, PLACE, STEP_MOST, VALUE_MOST, Walk, forget, log16 } from './coding/chain-model.js';
import { ProtocolError } from './error.js';
import { RangeDecoder, WHOLE } from './coding/range-coder.js';
import { UNITS, rotationAt } from './coding/chart.js';

/**
 * A part of a packet with one chain.
 *
 * @typedef {'body' | 'face' | 'hands' | 'hips' | 'channels' | 'virtual'} ChainSection
 */

/**
 * How exact packets are. In coding 3 each bone is within 0.078 to 0.404 degrees in model space, four
 * times as much, or sixteen times; in coding 2 each local rotation within 0.06, 0.25 or 1 degree.
 *
 * @typedef {'fine' | 'standard' | 'coarse'} Precision
 */

/** Names of the precisions, by number in a rejoin section. @type {readonly Precision[]} */
export const PRECISIONS = /* @__PURE__ */ Object.freeze(['fine', 'standard', 'coarse']);
/** Maximum error of a rotation that was decoded from coding 2, by precision, degrees. @type {readonly number[]} */
export const PRECISION_DEGREES = /* @__PURE__ */ Object.freeze([0.06, 0.25, 1]);
/** Maximum error of a coordinate of the hips by precision, metres. @type {readonly number[]} */
export const PRECISION_METRES = /* @__PURE__ */ Object.freeze([0.0005, 0.001, 0.004]);
/** Maximum error of the value of a channel by precision. @type {readonly number[]} */
export const PRECISION_VALUES = /* @__PURE__ */ Object.freeze([0.001, 0.0025, 0.01]);
/** Maximum number of channel values of a body. @type {number} */
export const VALUES_MAX = 90;
/** Maximum number of virtual transforms of a body. @type {number} */
export const VIRTUALS_MAX = 15;
/** Maximum bytes of a section. @type {number} */
export const CHAIN_BYTES = 600;

export const SETTLE_AT = WHOLE - 256; // a first number of a frame at or above this means "settle"
const PLACE_MOST = 30000;
const MISS_MOST = 6400;
const ITEMS = 30;
export const MISS_BITS = 13;
const SETTLED_COUNT = 5;
const PRIOR_UNIT = [267, 64, 16];
const PRIOR_DROP = [0, 33, 65];
// Scales of places around the origin.
const POINT_SCALE = 208; // of the hips and virtual transforms
const VALUE_SCALE = 128;
const ROTATION_SCALE = 256; // of virtual transforms, at fine precision
export const INDEX_FIRST = 1;
export const INDEX_SCALE = 80;

const RANGES = {
  ...BONE_SECTIONS,
  hips: { first: 0, count: 0 },
  channels: { first: 0, count: VALUES_MAX / 3 },
  virtual: { first: 0, count: VIRTUALS_MAX },
};
const UNKNOWN = 'a chain waits for a rejoin section';

/** The additions of coding 3. @type {typeof import('./coding/model-chain.js') | null} */
let model = null;

/**
 * Loads what chains of coding 3 need: without it their rejoin sections are refused. A client of
 * `connect` loads it while it connects; await it where a StreamDecoder or a ChainDecoder stands alone.
 *
 * @returns {Promise<void>} rejects if the module cannot be loaded
 */
export async function loadModelChains() {
  model ??= await import('./coding/model-chain.js');
}

/** Whether chains of coding 3 can be decoded. @internal */
export const hasModelChains = () => model !== null;

// Coding is synchronous, so all chains share these.
const decoder = new RangeDecoder();
const walk = new Walk();
export const expectation = new Expectation();
const found = new Int32Array(3);

/** @param {ChainSection} section */
function rangeOf(section) {
  const range = RANGES[section];
  if (!range) {
    throw new RangeError(`unknown chain '${section}'`);
  }
  return range;
}

/** The state of a chain, updated by the sections of one stream. */
export class ChainDecoder {
  /** @param {ChainSection} section */
  constructor(section) {
    /** The section that it codes. @readonly */
    this.section = section;
    /** @internal */
    this.range = rangeOf(section);
    /** Its rejoin section has only the number of items. @internal */
    this.isCounted = section === 'channels' || section === 'virtual';
    /** @internal */
    this.isStarted = false;
    /** @internal */
    this.fineness = 0;
    /** 2, or 3 for bounds in model space. @internal */
    this.coding = 2;
    /** @internal */
    this.used = 0;
    /**
     * Subject of each item: index into BONES, of a triple of values, or of a virtual transform.
     *
     * @readonly
     */
    this.bones = new Uint8Array(ITEMS);
    /** Of each item, for coding 3: the bone whose miss shifts its expectation, -1 without one. @internal */
    this.sources = new Int8Array(ITEMS);
    /** Of each item, for coding 3: the unit of the bone above over its own, 1/256; 256 without one, and for fingers. @internal */
    this.ratios = new Uint16Array(ITEMS);
    /** Of each item: distance of the possible values of a coordinate. @internal */
    this.spacings = new Uint8Array(ITEMS);
    /** Of each item: how far its lattice is from that of fine precision, 1/16 octave. @internal */
    this.drops = new Uint8Array(ITEMS);
    /** Of each item: unit of its lattice. @internal */
    this.units = new Float64Array(ITEMS);
    /** Twelve numbers an item: its place on the lattice, its pace, its misses, its rounding. @readonly */
    this.state = new Int32Array(ITEM * ITEMS);
    /** @internal */
    this.predictor = PREDICTOR;
    /** What bones have in coding 3. @type {typeof model} @internal */
    this.linked = null;
  }

  /** Whether there is a state: sections can be decoded and rotations read. */
  get started() {
    return this.isStarted;
  }

  /** Index into PRECISIONS. */
  get precision() {
    return this.fineness;
  }

  /** Number of items: one per bone, for the hips, per three values; two per virtual transform. */
  get count() {
    return this.used;
  }

  /**
   * Reads the whole state from bytes start … end - 1.
   *
   * @param {Uint8Array} bytes
   * @param {number} [start]
   * @param {number} [end]
   * @param {number} [coding] 2 or 3
   * @throws {ProtocolError} the chain then waits for another rejoin section
   */
  readRejoin(bytes, start = 0, end = bytes.length, coding = 2) {
    const head = this.headBytes;
    const table = coding === 3 ? model?.table : CHAIN_TABLE;
    this.isStarted = false;
    this.coding = coding;
    if (end - start > CHAIN_BYTES) {
      throw new ProtocolError('limit', 'a rejoin section is too long');
    }
    if (end - start <= head) {
      throw new ProtocolError('truncated', 'a rejoin section is truncated');
    }
    if (bytes[start] >> 2 !== table) {
      throw new ProtocolError('unsupported', `chain table ${bytes[start] >> 2}, not ${table}`);
    }
    let mask = 0;
    for (let i = 1; i < head; i++) {
      mask |= bytes[start + i] << (8 * (i - 1));
    }
    this.fineness = bytes[start] & 3;
    if (this.isCounted) {
      mask = mask > this.range.count ? -1 : 2 ** mask - 1;
    }
    if (this.precision >= PRECISIONS.length || mask >>> this.range.count) {
      throw new ProtocolError('invalid', 'a rejoin section names unknown items');
    }
    this.choose(mask);
    decoder.begin(bytes, start + head, end);
    if (!this.readItems(decoder.bits(1)) || decoder.hasMore()) {
      throw new ProtocolError('invalid', 'a rejoin section is damaged');
    }
    this.isStarted = true;
  }

  /**
   * Decodes one section, bytes start … end - 1.
   *
   * @param {Uint8Array} bytes
   * @param {number} [start]
   * @param {number} [end]
   * @throws {ProtocolError} the chain then waits for a rejoin section
   */
  decode(bytes, start = 0, end = bytes.length) {
    const { state, linked } = this;
    if (!this.started) {
      throw new ProtocolError('invalid', UNKNOWN);
    }
    this.isStarted = false;
    if (end - start > CHAIN_BYTES) {
      throw new ProtocolError('limit', 'a section is too long');
    }
    decoder.begin(bytes, start, end);
    const settles = decoder.peek() >= SETTLE_AT;
    decoder.take(settles ? SETTLE_AT : 0, settles ? WHOLE - SETTLE_AT : SETTLE_AT);
    walk.beginFrame(state, this.predictor, this.precision);
    for (let i = 0; i < this.count; i++) {
      walk.beginItem(ITEM * i, this.spacings[i]);
      linked?.shift(walk, this.ratios[i], this.sources[i]);
      if (!this.decodeItem(i)) {
        throw new ProtocolError('invalid', 'a section is damaged');
      }
      linked?.keep(walk, this.bones[i]);
      walk.endItem(found, 0, state);
    }
    if (decoder.hasMore()) {
      throw new ProtocolError('invalid', 'bytes remain after a section');
    }
    if (settles) {
      this.settle(state);
    }
    this.isStarted = true;
  }

  /** Advances the chain for a packet without this section. */
  hold() {
    if (!this.started) {
      throw new ProtocolError('invalid', UNKNOWN);
    }
    walk.beginFrame(this.state, this.predictor, this.precision);
    for (let i = 0; i < this.count; i++) {
      walk.beginItem(ITEM * i, this.spacings[i]);
      walk.rest();
      this.linked?.keep(walk, this.bones[i]);
      walk.endItem(this.state, ITEM * i, this.state);
    }
  }

  /**
   * Writes N of the chain's bones into `out`: four numbers a bone, in the order of BONES; or the
   * rotations of virtual transforms.
   *
   * @template {Float32Array | number[]} T
   * @param {T} out
   * @returns {T}
   */
  rotations(out) {
    for (let i = 0; i < this.count; i++) {
      if (!this.isGrid(i)) {
        rotationAt(this.state, ITEM * i, this.units[i], out, 4 * this.bones[i]);
      }
    }
    return out;
  }

  /**
   * Writes the translation of the hips, the translations of virtual transforms, or values into
   * `out`.
   *
   * @template {Float32Array | number[]} T
   * @param {T} out
   * @returns {T}
   */
  points(out) {
    const unit = this.gridUnit;
    for (let i = 0; i < this.count; i++) {
      for (let c = 0; c < 3 && this.isGrid(i); c++) {
        out[3 * this.bones[i] + c] = Math.fround(this.state[ITEM * i + c] * unit);
      }
    }
    return out;
  }

  // ---- for this module and chain-encoder.js --------------------------------

  /**
   * True for items on the plain grid, false for items on the lattice of rotations.
   *
   * @internal
   * @param {number} i
   */
  isGrid(i) {
    return this.spacings[i] === 1;
  }

  /** The width of a grid cell is twice the bound. @internal */
  get gridUnit() {
    return 2 * (this.section === 'channels' ? PRECISION_VALUES : PRECISION_METRES)[this.precision];
  }

  /** @internal */
  get headBytes() {
    return this.isCounted ? 2 : 1 + ((this.range.count + 7) >> 3);
  }

  /**
   * Sets the items to the section's bones that are in the mask.
   *
   * @internal
   * @param {number} mask
   */
  choose(mask) {
    this.used = 0;
    for (let i = 0; i < this.range.count; i++) {
      if ((mask >>> i) & 1) {
        this.bones[this.used++] = this.range.first + i;
        if (this.section === 'virtual') {
          this.bones[this.used++] = i;
        }
      }
    }
    if (this.section === 'hips') {
      this.bones[this.used++] = 0;
    }
    for (let i = 0; i < this.used; i++) {
      this.spacings[i] = this.section in BONE_SECTIONS || (this.section === 'virtual' && !(i & 1)) ? 2 : 1;
    }
    this.drops.fill(PRIOR_DROP[this.fineness]);
    this.units.fill(UNITS[this.fineness]);
    this.sources.fill(-1);
    this.linked = this.coding === 3 && this.section in BONE_SECTIONS ? model : null;
    this.linked?.measure(this, mask, BONE_PARENTS, UNITS[0]);
    this.predictor = this.linked?.predictor ?? PREDICTOR;
  }

  /**
   * Maximum absolute value of the item's coordinates.
   *
   * @internal
   * @param {number} item
   */
  mostOf(item) {
    if (!this.isGrid(item)) {
      return PLACE_MOST;
    }
    return this.section === 'channels' ? Math.round(1 / this.gridUnit) : VALUE_MOST;
  }

  /**
   * @internal
   * @param {number} item
   */
  decodeItem(item) {
    const most = this.mostOf(item);
    let parity = 0;
    if (walk.spacing === 2) {
      const even = walk.even();
      parity = decoder.peek() >= even ? 1 : 0;
      decoder.take(parity ? even : 0, parity ? WHOLE - even : even);
    }
    for (let c = 0; c < 3; c++) {
      const expected = walk.look(c, parity, found, 0);
      const place = walk.expectation.decode(decoder);
      if (Math.abs(place) > most) {
        return false;
      }
      found[c] = place;
      walk.pass(c, expected, place);
    }
    return true;
  }

  /**
   * Rounds the history in a state.
   *
   * @internal
   * @param {number[] | Int32Array} state
   */
  settle(state) {
    for (let base = 0; base < ITEM * this.count; base += ITEM) {
      state.fill(settledMiss(settledIndex(state, base)), base + MISS, base + MISS + 3);
      forget(state, base);
    }
  }

  /**
   * @internal
   * @param {number} item
   * @param {number} c
   * @param {number} parity
   */
  expectPlace(item, c, parity) {
    if (this.isGrid(item)) {
      expectation.set(0, this.section === 'channels' ? VALUE_SCALE : POINT_SCALE, 1, 0);
      return;
    }
    if (this.section === 'virtual') {
      expectation.set(0, ROTATION_SCALE - PRIOR_DROP[this.precision], 2, parity);
      return;
    }
    const i = 3 * this.bones[item] + c;
    const usual = this.coding === 3 ? Math.round(1 / (16 * this.units[item])) : PRIOR_UNIT[this.precision];
    expectation.set(PRIOR_PLACE[i] * usual, Math.max(0, PRIOR_SCALE[i] - this.drops[item]), 2, parity);
  }

  /**
   * @internal
   * @param {number} base
   * @param {number} c
   */
  expectPace(base, c) {
    const m = base + MISS;
    const others = this.state[m + ((c + 1) % 3)] + this.state[m + ((c + 2) % 3)];
    const scale = log16(this.state[m + c] + (others >> 2) + 1) + PRIOR_STEP;
    expectation.set(0, scale, 1, 0);
  }

  /**
   * Returns false for damaged bytes.
   *
   * @internal
   * @param {number} isSettled
   */
  readItems(isSettled) {
    const { state } = this;
    let index = INDEX_FIRST;
    for (let i = 0; i < this.count; i++) {
      const base = ITEM * i;
      const parity = this.isGrid(i) ? 0 : decoder.bits(1);
      for (let c = 0; c < 3; c++) {
        this.expectPlace(i, c, parity);
        const place = expectation.decode(decoder);
        if (Math.abs(place) > this.mostOf(i)) {
          return false;
        }
        state[base + PLACE + c] = place;
      }
      forget(state, base);
      if (!isSettled) {
        if (!this.readPast(base)) {
          return false;
        }
        continue;
      }
      expectation.set(index * 256, INDEX_SCALE, 1, 0);
      index = expectation.decode(decoder);
      if (!(index >= 0 && index < SETTLED_COUNT)) {
        return false;
      }
      state.fill(settledMiss(index), base + MISS, base + MISS + 3);
    }
    return true;
  }

  /**
   * Returns false for damaged bytes.
   *
   * @internal
   * @param {number} base
   */
  readPast(base) {
    const most = STEP_MOST + (this.linked ? 2 : 0); // roundings lengthen it
    for (let c = 0; c < 3; c++) {
      const miss = decoder.bits(MISS_BITS);
      if (miss > MISS_MOST) {
        return false;
      }
      this.state[base + MISS + c] = miss;
    }
    for (let c = 0; c < 3; c++) {
      this.expectPace(base, c);
      const pace = expectation.decode(decoder);
      if (pace < -most || pace > most) {
        return false;
      }
      this.state[base + PACE + c] = pace * 16;
      this.linked?.readFractions(this.state, base + PACE + c, decoder);
    }
    return true;
  }
}

/**
 * Of 16, 64, 256, 1024 and 4096, the nearest to an item's mean miss by logarithm.
 *
 * @param {number[] | Int32Array} state
 * @param {number} base
 */
export function settledIndex(state, base) {
  const at = base + MISS;
  const mean = Math.trunc((state[at] + state[at + 1] + state[at + 2]) / 3);
  const index = (log16(mean + 1) - 48) >> 5;
  return Math.min(Math.max(index, 0), SETTLED_COUNT - 1);
}

const settledMiss = (/** @type {number} */ index) => 16 << (2 * index);
