// Decodes bundles, the binary messages of jointcast.v1 (proto/BUNDLES.md, "Bundles"), into
// arrays that are allocated once for each connection, because sixty bundles a second
// would otherwise burden the garbage collector.

import { BONES, BONE_SECTIONS } from './tables.js';
import { VALUES_MAX, VIRTUALS_MAX } from './chain.js';
import { ProtocolError } from './error.js';

/** Most bytes of a bundle, most packets in it, most bytes of a packet. @type {number} */
export const BUNDLE_BYTES = 65536;
/** Most packets in a bundle. @type {number} */
export const BUNDLE_PACKETS = 512;
/** Most bytes of a packet, its size not counted. @type {number} */
export const PACKET_BYTES = 1024;

const KIND_BUNDLE_V1 = 0x11;
const SHORT_HEAD = 0x80;
const SHORT_MASK = 0x7f;
// The first byte of a packet, and the second where it is extended.
const SEQUENCE_MASK = 0x0f;
const SHAPE_SHIFT = 4;
const SHAPE_MASK = 3;
const FLAG_LAST = 0x40;
const FLAG_EXTENDED = 0x80;
const FLAG_CUT = 0x01;
const FLAG_RELAY = 0x02;
const FLAG_AGE = 0x04;
const FLAG_COMPLETE = 0x08;
const INCARNATION_SHIFT = 5;
const TIME_UNIT_US = 100;
const RELAY_MAX = 42949672;
const AGE_MAX = 21474836;

/**
 * Layout of the sections in a packet.
 *
 * @type {Readonly<{ list: 0; body: 1; hipBody: 2; hipsBody: 3; mask: 4 }>}
 */
export const SHAPE = Object.freeze({ list: 0, body: 1, hipBody: 2, hipsBody: 3, mask: 4 });
/** Modulus of the sequence numbers of a stream. @type {number} */
export const SEQUENCES = 16;

const CODING_SMALLEST_THREE = 1;
const CODING_MILLIMETRES = 1;
const CODING_MASKS = 1;
const CODING_CHAIN = 2;
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

/** The heads of one bundle's packets, by index 0 … count - 1. Reused from bundle to bundle. */
export class Bundle {
  constructor() {
    /** Id of the space, from its roster. */
    this.space = 0;
    /** Tick of the space, since its beginning. */
    this.tick = 0;
    /** True if the next short head may refer to the space and tick of this bundle. */
    this.follows = false;
    /** Number of packets. */
    this.count = 0;
    /** Short ids of the bodies. @readonly */
    this.body = new Uint32Array(BUNDLE_PACKETS);
    /** Incarnation of each stream. @readonly */
    this.incarnation = new Uint8Array(BUNDLE_PACKETS);
    /** Sequence number of each packet. @readonly */
    this.sequence = new Uint8Array(BUNDLE_PACKETS);
    /** 1 where the motion jumps. @readonly */
    this.cut = new Uint8Array(BUNDLE_PACKETS);
    /** 1 where a packet needs earlier packets for decoding (StreamDecoder). @readonly */
    this.needsState = new Uint8Array(BUNDLE_PACKETS);
    /** Layout of the sections: SHAPE. @readonly */
    this.shape = new Uint8Array(BUNDLE_PACKETS);
    /** Nominal time of the tick minus capture time, microseconds. @readonly */
    this.age = new Float64Array(BUNDLE_PACKETS);
    /** Delay of the hops, microseconds. @readonly */
    this.relay = new Float64Array(BUNDLE_PACKETS);
    /** First byte of each payload in the message. @readonly */
    this.start = new Uint32Array(BUNDLE_PACKETS);
    /** End of each payload in the message, exclusive. @readonly */
    this.end = new Uint32Array(BUNDLE_PACKETS);
  }

  /** Resets the reference for a new connection: its first bundle has a long head. */
  reset() {
    this.follows = false;
  }
}

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

// Position of the decoder. Decoding is synchronous, so all calls share one cursor.
/** @type {Uint8Array} */
let bytes = new Uint8Array(0);
let at = 0;
let end = 0;

/** @param {string} code @param {string} what @returns {never} */
function fail(code, what) {
  throw new ProtocolError(code, `${what} at byte ${at}`);
}

function readU8() {
  if (at >= end) {
    fail('truncated', 'the message is truncated');
  }
  return bytes[at++];
}

/** @returns {number} */
function readVarint() {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = readU8();
    if (shift === 28 && byte > 0x0f) {
      break; // a sixth byte, or bits past the 32nd
    }
    value |= (byte & 0x7f) << shift;
    if (!(byte & 0x80)) {
      if (byte === 0 && shift > 0) {
        break; // not the shortest form
      }
      return value >>> 0;
    }
  }
  return fail('invalid', 'a varint is too long');
}

function readSvarint() {
  const zigzag = readVarint();
  return (zigzag >>> 1) ^ -(zigzag & 1);
}

/** @param {number} time @param {number} most */
function checkTime(time, most) {
  if (time > most || time < -most) {
    fail('limit', 'a time is too large');
  }
  return time * TIME_UNIT_US;
}

/**
 * Decodes the heads of a binary message into `bundle`, without the payloads. Decode all bundles of
 * a connection in order into one `bundle`: a short head refers to the previous one.
 *
 * @param {Uint8Array} message
 * @param {Bundle} bundle
 * @returns {Bundle} `bundle`
 * @throws {ProtocolError} `bundle` then has no packets
 */
export function decodeBundle(message, bundle) {
  bytes = message;
  at = 0;
  end = message.length;
  bundle.count = 0;
  if (end > BUNDLE_BYTES) {
    fail('limit', 'a bundle is too long');
  }
  readHead(bundle);
  let count = 0;
  while (at < message.length) {
    if (count === BUNDLE_PACKETS) {
      fail('limit', 'too many packets');
    }
    readPacket(message, bundle, count++);
  }
  bundle.count = count;
  return bundle;
}

/** @param {Bundle} bundle */
function readHead(bundle) {
  const kind = readU8();
  if (kind & SHORT_HEAD) {
    if (!bundle.follows) {
      fail('invalid', 'a short head without a bundle before it');
    }
    bundle.tick = (bundle.tick + 1 + ((kind - bundle.tick - 1) & SHORT_MASK)) >>> 0;
    return;
  }
  if (kind !== KIND_BUNDLE_V1) {
    fail('unsupported', 'unknown kind or version of message');
  }
  const space = readVarint();
  bundle.tick = readVarint();
  bundle.space = space;
  bundle.follows = true;
}

/** @param {Uint8Array} message @param {Bundle} bundle @param {number} i */
function readPacket(message, bundle, i) {
  const flags = readU8();
  const more = flags & FLAG_EXTENDED ? readU8() : 0;
  bundle.body[i] = readVarint();
  const size = flags & FLAG_LAST ? message.length - at : readVarint();
  if (size > PACKET_BYTES) {
    fail('limit', 'a packet is too long');
  }
  if (size > message.length - at) {
    fail('truncated', 'a packet is truncated');
  }
  end = at + size;
  bundle.sequence[i] = flags & SEQUENCE_MASK;
  bundle.incarnation[i] = more >> INCARNATION_SHIFT;
  bundle.cut[i] = more & FLAG_CUT;
  bundle.needsState[i] = more & FLAG_COMPLETE ? 0 : 1;
  const shape = (flags >> SHAPE_SHIFT) & SHAPE_MASK;
  bundle.shape[i] = shape === SHAPE.list && bundle.needsState[i] ? SHAPE.mask : shape;
  bundle.age[i] = more & FLAG_AGE ? checkTime(readSvarint(), AGE_MAX) : 0;
  bundle.relay[i] = more & FLAG_RELAY ? checkTime(readVarint(), RELAY_MAX) : 0;
  bundle.start[i] = at;
  bundle.end[i] = end;
  at = end;
  end = message.length;
}

// The sections of each shape as a bit mask, and their coding.
const NAMED = [0, 1 << 1, (1 << SECTION_HIPS) | (1 << 1), (1 << SECTION_HIPS) | (1 << 1), 0];
/** @param {number} section */
const streamCoding = (section) =>
  (section === SECTION_PLACEMENT || section === SECTION_STATES ? 1 : CODING_CHAIN);

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
  bytes = message;
  at = start;
  end = stop;
  if (stop - start > PACKET_BYTES) {
    fail('limit', 'a packet is too long');
  }
  let left = shape === SHAPE.mask && start < stop ? readU8() << 1 : NAMED[shape];
  const isList = shape === SHAPE.list || (shape === SHAPE.mask && !left);
  let seen = 0;
  while (isList ? at < stop : left) {
    let id = isList ? readU8() : 0;
    if (!isList) {
      // The last section has no size. The body comes last, because its section is the longest.
      const section = shape !== SHAPE.mask && left & (1 << SECTION_HIPS)
        ? SECTION_HIPS : 31 - Math.clz32(left & -left);
      left &= ~(1 << section);
      id = (section << 4) | streamCoding(section);
    }
    let size = isList || (left && shape !== SHAPE.hipBody) ? readVarint() : stop - at;
    if (left && shape === SHAPE.hipBody) {
      size = 1;
    }
    if (size > stop - at) {
      fail('truncated', 'a section is truncated');
    }
    if (seen & (1 << (id >> 4))) {
      fail('invalid', 'a section occurs twice');
    }
    seen |= 1 << (id >> 4);
    const next = at + size;
    take(id >> 4, id & 0x0f, at, next);
    bytes = message;
    at = next;
    end = stop;
  }
  if (at < stop) {
    fail('invalid', 'bytes remain after the packet');
  }
}

/**
 * A decoder of chains.
 *
 * @typedef {object} ChainReader
 * @property {(section: number, bytes: Uint8Array, start: number, end: number) => void} readChain
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
  at = start;
  end = stop;
  readSection(section, coding, into, chains);
  if (at !== end) {
    fail('invalid', 'bytes remain after a section');
  }
}

/**
 * @param {number} section
 * @param {number} coding
 * @param {Payload} payload
 * @param {ChainReader | null} stream
 */
function readSection(section, coding, payload, stream) {
  if (stream && CHAINS & (1 << section) && coding === CODING_CHAIN) {
    stream.readChain(section, bytes, at, end);
    at = end;
  } else if (section >= 1 && section <= 3 && coding === CODING_SMALLEST_THREE) {
    const { first, count } = RANGES[section - 1];
    payload.masks[section - 1] = readRotations(first, count, payload.rotations);
  } else if (section === SECTION_HIPS && coding === CODING_MILLIMETRES) {
    readPosition(payload.hips);
    payload.hasHips = true;
  } else if (section === SECTION_PLACEMENT && coding === CODING_MILLIMETRES) {
    readPosition(payload.placement);
    const low = readU8();
    payload.placement[3] = (low | (readU8() << 8)) * YAW_STEP;
    payload.hasPlacement = true;
  } else if (section === SECTION_STATES && coding === CODING_MASKS) {
    readStates(payload.states);
    payload.hasStates = true;
  } else if (section === SECTION_PACE && coding === CODING_TICKS) {
    payload.pace = readU8();
    if (payload.pace === 0) {
      fail('invalid', 'a pace is zero');
    }
  } else {
    at = end;
  }
}

/** @param {Float32Array} out */
function readPosition(out) {
  out[0] = readSvarint() / 1000;
  out[1] = readSvarint() / 1000;
  out[2] = readSvarint() / 1000;
}

/** @param {Uint8Array} states */
function readStates(states) {
  if (end - at < 2 * MASK_BYTES) {
    at = end;
    fail('truncated', 'masks of states are truncated');
  }
  for (let bone = 0; bone < 8 * MASK_BYTES; bone++) {
    const known = (bytes[at + (bone >> 3)] >> (bone & 7)) & 1;
    const estimated = (bytes[at + MASK_BYTES + (bone >> 3)] >> (bone & 7)) & 1;
    if (estimated > known || (known && bone >= states.length)) {
      fail('invalid', 'states of unknown bones');
    }
    if (bone < states.length) {
      states[bone] = known ? 2 - estimated : 0;
    }
  }
  at += 2 * MASK_BYTES;
}

/** @param {number} first @param {number} count @param {Float32Array} rotations */
function readRotations(first, count, rotations) {
  let mask = 0;
  for (let shift = 0; shift < count; shift += 8) {
    mask |= readU8() << shift;
  }
  if (mask >>> count) {
    fail('invalid', 'a mask names unknown bones');
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
  if (end - at < ROTATION_BYTES) {
    fail('truncated', 'a rotation is truncated');
  }
  const low = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
  const high = bytes[at + 4] | (bytes[at + 5] << 8);
  const a = ((low & 0x7fff) - ZERO) / STEPS;
  const b = (((low >>> 15) & 0x7fff) - ZERO) / STEPS;
  const c = (((low >>> 30) | ((high & 0x1fff) << 2)) - ZERO) / STEPS;
  const left = 1 - a * a - b * b - c * c;
  if (high >> 15 || left < 0) {
    fail('invalid', 'six bytes are not a rotation');
  }
  at += ROTATION_BYTES;
  const largest = (high >> 13) & 3;
  rotations[offset + (largest === 0 ? 1 : 0)] = a;
  rotations[offset + (largest <= 1 ? 2 : 1)] = b;
  rotations[offset + (largest <= 2 ? 3 : 2)] = c;
  rotations[offset + largest] = Math.sqrt(left);
}
