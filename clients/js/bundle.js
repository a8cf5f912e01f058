// Decodes bundles, the binary messages of jointcast.v1 (proto/BUNDLES.md, "Bundles"), into
// arrays that are allocated once for each connection, because sixty bundles a second
// would otherwise burden the garbage collector.

import { PACKET_BYTES, SHAPE } from './coding/payload.js';
import { cursor } from './coding/cursor.js';

export { PACKET_BYTES, Payload, SHAPE, decodePayload, readSections } from './coding/payload.js';

/** Most bytes of a bundle, most packets in it, most bytes of a packet. @type {number} */
export const BUNDLE_BYTES = 65536;
/** Most packets in a bundle. @type {number} */
export const BUNDLE_PACKETS = 512;

const KIND_BUNDLE_V1 = 0x11;
const KIND_PAIR_V1 = 0x31;
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

/** Modulus of the sequence numbers of a stream. @type {number} */
export const SEQUENCES = 16;

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

/** @param {number} time @param {number} most */
function checkTime(time, most) {
  if (time > most || time < -most) {
    cursor.fail('limit', 'a time is too large');
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
  cursor.begin(message, 0, message.length);
  bundle.count = 0;
  if (message.length > BUNDLE_BYTES) {
    cursor.fail('limit', 'a bundle is too long');
  }
  readHead(bundle);
  let count = 0;
  while (cursor.at < message.length) {
    if (count === BUNDLE_PACKETS) {
      cursor.fail('limit', 'too many packets');
    }
    readPacket(message, bundle, count++);
  }
  bundle.count = count;
  return bundle;
}

/** @param {Bundle} bundle */
function readHead(bundle) {
  const kind = cursor.u8();
  if (kind & SHORT_HEAD) {
    if (!bundle.follows) {
      cursor.fail('invalid', 'a short head without a bundle before it');
    }
    bundle.tick = (bundle.tick + 1 + ((kind - bundle.tick - 1) & SHORT_MASK)) >>> 0;
    return;
  }
  if (kind !== KIND_BUNDLE_V1) {
    cursor.fail('unsupported', 'unknown kind or version of message');
  }
  const space = cursor.varint();
  bundle.tick = cursor.varint();
  bundle.space = space;
  bundle.follows = true;
}

/** @param {Uint8Array} message @param {Bundle} bundle @param {number} i */
function readPacket(message, bundle, i) {
  const flags = cursor.u8();
  const more = flags & FLAG_EXTENDED ? cursor.u8() : 0;
  bundle.body[i] = cursor.varint();
  const size = flags & FLAG_LAST ? message.length - cursor.at : cursor.varint();
  if (size > PACKET_BYTES) {
    cursor.fail('limit', 'a packet is too long');
  }
  if (size > message.length - cursor.at) {
    cursor.fail('truncated', 'a packet is truncated');
  }
  cursor.end = cursor.at + size;
  bundle.sequence[i] = flags & SEQUENCE_MASK;
  bundle.incarnation[i] = more >> INCARNATION_SHIFT;
  bundle.cut[i] = more & FLAG_CUT;
  bundle.needsState[i] = more & FLAG_COMPLETE ? 0 : 1;
  const shape = (flags >> SHAPE_SHIFT) & SHAPE_MASK;
  bundle.shape[i] = shape === SHAPE.list && bundle.needsState[i] ? SHAPE.mask : shape;
  bundle.age[i] = more & FLAG_AGE ? checkTime(cursor.svarint(), AGE_MAX) : 0;
  bundle.relay[i] = more & FLAG_RELAY ? checkTime(cursor.varint(), RELAY_MAX) : 0;
  bundle.start[i] = cursor.at;
  bundle.end[i] = cursor.end;
  cursor.at = cursor.end;
  cursor.end = message.length;
}

/**
 * Finds the bundles of a message: itself, or the two of a message with two ticks
 * (proto/BUNDLES.md, "Two ticks in a message").
 *
 * @param {Uint8Array} message
 * @returns {Uint8Array[]} views of `message`
 * @throws {ProtocolError} for a damaged pair
 */
export function splitBundles(message) {
  if (message[0] !== KIND_PAIR_V1) {
    return [message];
  }
  cursor.begin(message, 1, message.length);
  const size = cursor.varint();
  const second = cursor.at + size;
  if (size > BUNDLE_BYTES || message.length - second > BUNDLE_BYTES) {
    cursor.fail('limit', 'a bundle is too long');
  }
  if (second > message.length) {
    cursor.fail('truncated', 'a bundle is truncated');
  }
  return [message.subarray(cursor.at, second), message.subarray(second)];
}
