// Decodes the sections of packets (proto/BUNDLES.md, "Sections").

import { BONES, BONE_SECTIONS } from '../tables.js';
import { VALUES_MAX, VIRTUALS_MAX } from '../chain.js';
import { cursor } from './cursor.js';

/** Most bytes of a packet, its size not counted. @type {number} */
export const PACKET_BYTES = 1024;

/**
 * Layout of the sections in a packet.
 *
 * @type {Readonly<{ list: 0; body: 1; hipBody: 2; hipsBody: 3; mask: 4 }>}
 */
export const SHAPE = Object.freeze({ list: 0, body: 1, hipBody: 2, hipsBody: 3, mask: 4 });
const CODING_SMALLEST_THREE = 1;
const CODING_MILLIMETRES = 1;
const CODING_MASKS = 1;
const CODING_CHAIN = 2;
const CODING_MODEL_CHAIN = 3;
/** Coding of a section without a head, but for placement and states: that of the stream. @type {number} */
export const CODING_OF_STREAM = 16;
const CODING_TICKS = 1;
const SECTION_HIPS = 4;
const SECTION_PLACEMENT = 5;
const SECTION_STATES = 6;
const SECTION_PACE = 10;
const MASK_BYTES = 7; // of all bones
const CHAINS = 0b110011110; // sections 1 to 4, channels and virtual transforms: a bit each
// Sections 1 to 3.
const RANGES = [BONE_SECTIONS.body, BONE_SECTIONS.face, BONE_SECTIONS.hands];

const ROTATION_BYTES = 6;
const ZERO = 16384;
const STEPS = 16383 * 1.4142135623730951;
const YAW_STEP = 6.283185307179586 / 65536;

/** The content of one packet. Reused from packet to packet. */
export class Payload {
  constructor() {
    /** R of each bone: four numbers a bone, in the order of BONES. @readonly */
    this.rotations = new Float32Array(4 * BONES.length);
    /**
     * Bit mask of the bones with a rotation in the packet (body, face, hands); others are at rest.
     *
     * @readonly
     */
    this.masks = new Uint32Array(3);
    /** Whether the packet has a displacement of the hips. */
    this.hasHips = false;
    /** Displacement of the hips from rest: metres, canonical axes. @readonly */
    this.hips = new Float32Array(3);
    /** Whether the packet has a placement. */
    this.hasPlacement = false;
    /** Placement of the body: x, y, z in metres, yaw in radians. @readonly */
    this.placement = new Float32Array(4);
    /** Tracking state of each bone: 0 absent or unknown, 1 estimated, 2 tracked. @readonly */
    this.states = new Uint8Array(BONES.length);
    /** Whether the packet has tracking states. */
    this.hasStates = false;
    /** The stream has packets in ticks divisible by this number; 0 if the packet has no pace. */
    this.pace = 0;
    /** Values of the body's channels, in their order; unused ones are 0. @readonly */
    this.values = new Float32Array(VALUES_MAX);
    /** Number of values. */
    this.valueCount = 0;
    /**
     * Position of each virtual transform in model space, if requested: three numbers each.
     *
     * @readonly
     */
    this.virtualPositions = new Float32Array(3 * VIRTUALS_MAX);
    /** Rotation of each virtual transform in model space: four numbers each. @readonly */
    this.virtualRotations = new Float32Array(4 * VIRTUALS_MAX);
    /** Number of virtual transforms. */
    this.virtualCount = 0;
    /** Index of each of them in the skeleton of the packets. @type {readonly number[]} */
    this.virtualIndices = [];
    this.rest();
  }

  /**
   * Copies another packet.
   *
   * @param {Payload} other
   */
  copy(other) {
    this.rotations.set(other.rotations);
    this.masks.set(other.masks);
    this.hasHips = other.hasHips;
    this.hips.set(other.hips);
    this.hasPlacement = other.hasPlacement;
    this.placement.set(other.placement);
    this.hasStates = other.hasStates;
    this.states.set(other.states);
    this.pace = other.pace;
    this.values.set(other.values);
    this.valueCount = other.valueCount;
    this.virtualPositions.set(other.virtualPositions);
    this.virtualRotations.set(other.virtualRotations);
    this.virtualCount = other.virtualCount;
    this.virtualIndices = other.virtualIndices;
  }

  /** Resets to the rest pose without placement. */
  rest() {
    this.rotations.fill(0);
    for (let i = 3; i < this.rotations.length; i += 4) {
      this.rotations[i] = 1;
    }
    this.masks.fill(0);
    this.hasHips = false;
    this.hips.fill(0);
    this.hasPlacement = false;
    this.placement.fill(0);
    this.hasStates = false;
    this.states.fill(0);
    this.pace = 0;
    this.values.fill(0);
    this.valueCount = 0;
    this.virtualCount = 0;
  }
}

// The sections of each shape as a bit mask, and their coding.
const NAMED = [0, 1 << 1, (1 << SECTION_HIPS) | (1 << 1), (1 << SECTION_HIPS) | (1 << 1), 0];
/** @param {number} section */
const streamCoding = (section) =>
  (section === SECTION_PLACEMENT || section === SECTION_STATES ? 1 : CODING_OF_STREAM);

/**
 * Calls `take` for each section start … stop - 1 of a message, whatever it holds. Throws
 * ProtocolError for damage, after the sections before it.
 *
 * @param {Uint8Array} message
 * @param {number} start
 * @param {number} stop
 * @param {number} shape
 * @param {(section: number, coding: number, start: number, end: number) => void} take
 * @throws {ProtocolError} for a damaged payload, after the calls for the sections before the damage
 */
export function readSections(message, start, stop, shape, take) {
  cursor.begin(message, start, stop);
  if (stop - start > PACKET_BYTES) {
    cursor.fail('limit', 'a packet is too long');
  }
  let left = shape === SHAPE.mask && start < stop ? cursor.u8() << 1 : NAMED[shape];
  const isList = shape === SHAPE.list || (shape === SHAPE.mask && !left);
  let seen = 0;
  while (isList ? cursor.at < stop : left) {
    let id = isList ? cursor.u8() : 0;
    let coding = id & 0x0f;
    if (!isList) {
      // The last section has no size. The body comes last, because its section is the longest.
      const section = shape !== SHAPE.mask && left & (1 << SECTION_HIPS)
        ? SECTION_HIPS : 31 - Math.clz32(left & -left);
      left &= ~(1 << section);
      id = section << 4;
      coding = streamCoding(section);
    }
    let size = isList || (left && shape !== SHAPE.hipBody) ? cursor.varint() : stop - cursor.at;
    if (left && shape === SHAPE.hipBody) {
      size = 1;
    }
    if (size > stop - cursor.at) {
      cursor.fail('truncated', 'a section is truncated');
    }
    if (seen & (1 << (id >> 4))) {
      cursor.fail('invalid', 'a section occurs twice');
    }
    seen |= 1 << (id >> 4);
    const next = cursor.at + size;
    take(id >> 4, coding, cursor.at, next);
    cursor.begin(message, next, stop);
  }
  if (cursor.at < stop) {
    cursor.fail('invalid', 'bytes remain after the packet');
  }
}

/**
 * A decoder of chains.
 *
 * @typedef {object} ChainReader
 * @property {(section: number, coding: number, bytes: Uint8Array, start: number,
 *   end: number) => void} readChain
 */

// Destination of the sections. Decoding is synchronous, so all calls share it.
/** @type {Payload} */
let into;
/** @type {ChainReader | null} */
let chains = null;

/**
 * Decodes the sections in bytes start … stop - 1 of a message. Skips unknown sections and codings,
 * and chains if there is no `stream`. Bones that are missing in the packet are at rest.
 *
 * @param {Uint8Array} message
 * @param {number} start
 * @param {number} stop
 * @param {Payload} payload
 * @param {number} [shape] of the packet
 * @param {ChainReader | null} [stream]
 * @returns {Payload} `payload`
 * @throws {ProtocolError} the content of `payload` is then undefined
 */
export function decodePayload(message, start, stop, payload, shape = SHAPE.list, stream = null) {
  into = payload;
  chains = stream;
  payload.rest();
  readSections(message, start, stop, shape, takeSection);
  return payload;
}

/** @param {number} section @param {number} coding @param {number} start @param {number} stop */
function takeSection(section, coding, start, stop) {
  cursor.at = start;
  cursor.end = stop;
  readSection(section, coding, into, chains);
  if (cursor.at !== cursor.end) {
    cursor.fail('invalid', 'bytes remain after a section');
  }
}

/**
 * @param {number} section
 * @param {number} coding
 * @param {Payload} payload
 * @param {ChainReader | null} stream
 */
function readSection(section, coding, payload, stream) {
  if (stream && CHAINS & (1 << section) && (coding === CODING_CHAIN ||
    coding === CODING_MODEL_CHAIN || coding === CODING_OF_STREAM)) {
    stream.readChain(section, coding, cursor.bytes, cursor.at, cursor.end);
    cursor.at = cursor.end;
  } else if (section >= 1 && section <= 3 && coding === CODING_SMALLEST_THREE) {
    const { first, count } = RANGES[section - 1];
    payload.masks[section - 1] = readRotations(first, count, payload.rotations);
  } else if (section === SECTION_HIPS && coding === CODING_MILLIMETRES) {
    readPosition(payload.hips);
    payload.hasHips = true;
  } else if (section === SECTION_PLACEMENT && coding === CODING_MILLIMETRES) {
    readPosition(payload.placement);
    const low = cursor.u8();
    payload.placement[3] = (low | (cursor.u8() << 8)) * YAW_STEP;
    payload.hasPlacement = true;
  } else if (section === SECTION_STATES && coding === CODING_MASKS) {
    readStates(payload.states);
    payload.hasStates = true;
  } else if (section === SECTION_PACE && coding === CODING_TICKS) {
    payload.pace = cursor.u8();
    if (payload.pace === 0) {
      cursor.fail('invalid', 'a pace is zero');
    }
  } else {
    cursor.at = cursor.end;
  }
}

/** @param {Float32Array} out */
function readPosition(out) {
  out[0] = cursor.svarint() / 1000;
  out[1] = cursor.svarint() / 1000;
  out[2] = cursor.svarint() / 1000;
}

/** @param {Uint8Array} states */
function readStates(states) {
  const { bytes, at, end } = cursor;
  if (end - at < 2 * MASK_BYTES) {
    cursor.at = end;
    cursor.fail('truncated', 'masks of states are truncated');
  }
  for (let bone = 0; bone < 8 * MASK_BYTES; bone++) {
    const known = (bytes[at + (bone >> 3)] >> (bone & 7)) & 1;
    const estimated = (bytes[at + MASK_BYTES + (bone >> 3)] >> (bone & 7)) & 1;
    if (estimated > known || (known && bone >= states.length)) {
      cursor.fail('invalid', 'states of unknown bones');
    }
    if (bone < states.length) {
      states[bone] = known ? 2 - estimated : 0;
    }
  }
  cursor.at += 2 * MASK_BYTES;
}

/** @param {number} first @param {number} count @param {Float32Array} rotations */
function readRotations(first, count, rotations) {
  let mask = 0;
  for (let shift = 0; shift < count; shift += 8) {
    mask |= cursor.u8() << shift;
  }
  if (mask >>> count) {
    cursor.fail('invalid', 'a mask names unknown bones');
  }
  for (let i = 0; i < count; i++) {
    if ((mask >>> i) & 1) {
      readRotation(rotations, 4 * (first + i));
    }
  }
  return mask >>> 0;
}

// Only + - * / and sqrt in double precision, in the order of the document, so that
// all decoders give the same bits.
/** @param {Float32Array} rotations @param {number} offset */
function readRotation(rotations, offset) {
  if (cursor.end - cursor.at < ROTATION_BYTES) {
    cursor.fail('truncated', 'a rotation is truncated');
  }
  const { bytes, at } = cursor;
  const low = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
  const high = bytes[at + 4] | (bytes[at + 5] << 8);
  const a = ((low & 0x7fff) - ZERO) / STEPS;
  const b = (((low >>> 15) & 0x7fff) - ZERO) / STEPS;
  const c = (((low >>> 30) | ((high & 0x1fff) << 2)) - ZERO) / STEPS;
  const left = 1 - a * a - b * b - c * c;
  if (high >> 15 || left < 0) {
    cursor.fail('invalid', 'six bytes are not a rotation');
  }
  cursor.at += ROTATION_BYTES;
  const largest = (high >> 13) & 3;
  rotations[offset + (largest === 0 ? 1 : 0)] = a;
  rotations[offset + (largest <= 1 ? 2 : 1)] = b;
  rotations[offset + (largest <= 2 ? 3 : 2)] = c;
  rotations[offset + largest] = Math.sqrt(left);
}
