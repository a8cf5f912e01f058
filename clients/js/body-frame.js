// Encodes and decodes captures: one body frame or one pose at one instant, as publishers
// send them (proto/PUBLISHING.md, "Captures"). The arithmetic uses integers
// and gives the same bits as the implementation in C.

import { ProtocolError } from './error.js';
import { BONES, JOINTS, JOINT_PARENTS } from './tables.js';

export { captureMessage } from './connection/capture-message.js';

/** Most bytes of a capture. */
export const CAPTURE_BYTES = 4096;
/** Most values of channels in one capture. */
export const CAPTURE_VALUES = 1024;

const KIND_BODY_FRAME = 0x31;
const KIND_POSE = 0x41;

const FLAG_CUT = 1;
const FLAG_REST = 2;
const FLAG_ALL_KNOWN = 4;
const FLAG_ESTIMATES = 8;
const FLAGS = 15;

/** State of a joint or bone: not known. @type {0} */
export const ABSENT = 0;
/** State of a joint or bone: estimated by the source. @type {1} */
export const ESTIMATED = 1;
/** State of a joint or bone: measured. @type {2} */
export const TRACKED = 2;

const TIME_MAX = 2 ** 48 - 1;
const PLACE_STEPS = 10000;
const DISTANCE_MAX = 1000;
const PLACE_MAX = DISTANCE_MAX * PLACE_STEPS;
const WIDTH_BITS = 5;
const WIDTH_MAX = 26;
const VALUE_STEPS = 16384;
const ZERO = 32768; // stored value of a component of zero
const SQRT2 = 1.4142135623730951;
const UNIT_ERROR = 1e-3;

/** One body at one instant: the 83 joints of the draft, in the order of JOINTS. */
export class BodyFrame {
  constructor() {
    /** When it was captured: microseconds, server time (Clock.at). */
    this.time = 0;
    /** The motion jumps here: another place, person or reference space. */
    this.cut = false;
    /** True for the T-pose of the source's own figure, which is no instant of the motion. */
    this.isRest = false;
    /** Confidence of the whole body, 0 to 1. */
    this.confidence = 1;
    /** ABSENT, ESTIMATED or TRACKED. @readonly */
    this.states = new Uint8Array(JOINTS.length);
    /** Metres, three numbers a joint. @readonly */
    this.positions = new Float32Array(3 * JOINTS.length);
    /** Unit quaternions, four numbers a joint. @readonly */
    this.rotations = new Float32Array(4 * JOINTS.length);
    /** Values of the channels that `publish` named, one after another. */
    this.values = new Float32Array(0);
  }

  /**
   * Returns the frame as a capture, as `encodeBodyFrame` does.
   *
   * @returns {Uint8Array}
   * @throws {ProtocolError}
   */
  encode() {
    return encodeBodyFrame(this);
  }
}

/** One body at one instant as bones, in the order of BONES. */
export class PoseFrame {
  constructor() {
    /** Time of the capture: microseconds, server time (Clock.at). */
    this.time = 0;
    /** The motion jumps here. */
    this.cut = false;
    /** ABSENT, ESTIMATED or TRACKED. @readonly */
    this.states = new Uint8Array(BONES.length);
    /** N: rotation from the T-pose, relative to the parent bone, canonical axes. @readonly */
    this.rotations = new Float32Array(4 * BONES.length);
    for (let i = 3; i < this.rotations.length; i += 4) {
      this.rotations[i] = 1;
    }
    /** Displacement of the hips in units of their height. @readonly */
    this.hips = new Float32Array(3);
    /** Values of the channels that `publish` named, one after another. */
    this.values = new Float32Array(0);
  }

  /**
   * Returns the pose as a capture, as `encodePose` does.
   *
   * @returns {Uint8Array}
   * @throws {ProtocolError}
   */
  encode() {
    return encodePose(this);
  }
}

/** @param {string} code @param {string} message @returns {never} */
function fail(code, message) {
  throw new ProtocolError(code, message);
}

/** Nearest whole number, halves away from zero. @param {number} x */
function nearest(x) {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

// ---- encoding into one buffer, which is copied at the end ----------------------

const buffer = new Uint8Array(CAPTURE_BYTES);
let length = 0;
let held = 0;
let count = 0;

/**
 * Writes at most 24 bits: `held` keeps fewer than eight between calls.
 *
 * @param {number} value
 * @param {number} width
 */
function writeBits(value, width) {
  held |= value << count;
  count += width;
  while (count >= 8) {
    buffer[length++] = held & 255;
    held >>>= 8;
    count -= 8;
  }
}

/** @param {Uint8Array} states @param {boolean} estimated */
function writeMask(states, estimated) {
  for (let first = 0; first < states.length; first += 8) {
    let mask = 0;
    for (let i = first; i < Math.min(first + 8, states.length); i++) {
      if (estimated ? states[i] === ESTIMATED : states[i] !== ABSENT) {
        mask |= 1 << (i - first);
      }
    }
    buffer[length++] = mask;
  }
}

/** @param {number} kind @param {Omit<BodyFrame, 'encode'> | Omit<PoseFrame, 'encode'>} frame */
function writeHead(kind, frame) {
  const { time, states, values } = frame;
  let flags = FLAG_ALL_KNOWN | (frame.cut ? FLAG_CUT : 0) | ('isRest' in frame && frame.isRest ? FLAG_REST : 0);
  for (const state of states) {
    flags &= state === ABSENT ? ~FLAG_ALL_KNOWN : ~0;
    flags |= state === ESTIMATED ? FLAG_ESTIMATES : 0;
  }
  if (!(time >= 0 && time <= TIME_MAX)) {
    fail('invalid', 'a time is out of range');
  }
  if (values.length > CAPTURE_VALUES) {
    fail('limit', 'too many values of channels');
  }
  length = held = count = 0;
  buffer[length++] = kind;
  buffer[length++] = flags;
  for (let i = 0, rest = Math.floor(time); i < 6; i++, rest = Math.floor(rest / 256)) {
    buffer[length++] = rest % 256;
  }
  if ('confidence' in frame) {
    const { confidence } = frame;
    if (!(confidence >= 0 && confidence <= 1)) {
      fail('invalid', 'a confidence is outside 0 to 1');
    }
    buffer[length++] = nearest(Math.fround(confidence) * 255);
  }
  if (!(flags & FLAG_ALL_KNOWN)) {
    writeMask(states, false);
  }
  if (flags & FLAG_ESTIMATES) {
    writeMask(states, true);
  }
  buffer[length++] = values.length & 255;
  buffer[length++] = values.length >> 8;
}

/** @param {number} coordinate */
function quantise(coordinate) {
  if (!(Math.abs(coordinate) <= DISTANCE_MAX)) {
    fail('invalid', 'a position is not finite or too far away');
  }
  return nearest(coordinate * PLACE_STEPS);
}

/** Number of bits of a number with its sign; 0 for zero. @param {number} number */
function widthOf(number) {
  return number === 0 ? 0 : 33 - Math.clz32(number < 0 ? ~number : number);
}

/** @param {number} way @param {number} width */
function writeWay(way, width) {
  writeBits(way & (2 ** Math.min(width, 16) - 1), Math.min(width, 16));
  if (width > 16) {
    writeBits((way >> 16) & (2 ** (width - 16) - 1), width - 16);
  }
}

/**
 * @param {Float32Array} positions
 * @param {number} at
 * @param {Int32Array} places
 * @param {number} from
 */
function writePosition(positions, at, places, from) {
  const x = quantise(positions[at]);
  const y = quantise(positions[at + 1]);
  const z = quantise(positions[at + 2]);
  const dx = x - (from < 0 ? 0 : places[from]);
  const dy = y - (from < 0 ? 0 : places[from + 1]);
  const dz = z - (from < 0 ? 0 : places[from + 2]);
  const width = Math.max(widthOf(dx), widthOf(dy), widthOf(dz));
  writeBits(width, WIDTH_BITS);
  writeWay(dx, width);
  writeWay(dy, width);
  writeWay(dz, width);
  places[at] = x;
  places[at + 1] = y;
  places[at + 2] = z;
}

const packed = new Uint16Array(4); // three components, then the index of the fourth

/**
 * Packs a rotation into `packed`; returns false for identity.
 *
 * @param {Float32Array} rotations
 * @param {number} at
 */
function pack(rotations, at) {
  const x = rotations[at];
  const y = rotations[at + 1];
  const z = rotations[at + 2];
  const w = rotations[at + 3];
  const size = Math.sqrt(x * x + y * y + z * z + w * w);
  if (!(Math.abs(size - 1) <= UNIT_ERROR)) {
    fail('invalid', 'a rotation is not a unit quaternion');
  }
  let largest = 0;
  for (let i = 1; i < 4; i++) {
    if (Math.abs(rotations[at + i]) > Math.abs(rotations[at + largest])) {
      largest = i;
    }
  }
  const scale = (SQRT2 * (ZERO - 1)) / (rotations[at + largest] < 0 ? -size : size);
  for (let i = 0, n = 0; i < 4; i++) {
    if (i !== largest) {
      packed[n++] = nearest(rotations[at + i] * scale) + ZERO;
    }
  }
  packed[3] = largest;
  return largest !== 3 || packed[0] !== ZERO || packed[1] !== ZERO || packed[2] !== ZERO;
}

function writePacked() {
  writeBits(packed[0], 16);
  writeBits(packed[1], 16);
  writeBits(packed[2], 16);
  writeBits(packed[3], 2);
}

/** @param {Float32Array} values */
function writeValues(values) {
  for (const value of values) {
    if (!Number.isFinite(value)) {
      fail('invalid', 'a value is not finite');
    }
    const stored = nearest(Math.min(Math.max(value * VALUE_STEPS, -32768), 32767));
    writeBits(stored === 0 ? 0 : 1, 1);
    if (stored !== 0) {
      writeBits(stored & 0xffff, 16);
    }
  }
  if (count > 0) {
    buffer[length++] = held & 255;
  }
  return buffer.slice(0, length);
}

/**
 * The nearest ancestor joint that is present and precedes the joint; -1 otherwise.
 *
 * @param {Uint8Array} states
 * @param {number} joint
 */
function anchorOf(states, joint) {
  let above = JOINT_PARENTS[joint];
  while (above >= 0 && (above > joint || states[above] === ABSENT)) {
    above = JOINT_PARENTS[above];
  }
  return above;
}

const places = new Int32Array(3 * JOINTS.length);

/**
 * Encodes a body frame as a capture.
 *
 * @param {Omit<BodyFrame, 'encode'>} frame the values of absent joints are ignored
 * @returns {Uint8Array}
 * @throws {ProtocolError} `invalid` for NaN, for a rotation that is not a unit quaternion within
 *   0.001, a position farther than 1000 m from the origin, a confidence or time out of range
 */
export function encodeBodyFrame(frame) {
  const { states, positions, rotations } = frame;
  writeHead(KIND_BODY_FRAME, frame);
  for (let i = 0; i < states.length; i++) {
    if (states[i] !== ABSENT) {
      writePosition(positions, 3 * i, places, 3 * anchorOf(states, i));
      pack(rotations, 4 * i);
      writePacked();
    }
  }
  return writeValues(frame.values);
}

/**
 * Encodes a pose as a capture.
 *
 * @param {Omit<PoseFrame, 'encode'>} pose
 * @returns {Uint8Array}
 * @throws {ProtocolError} in the same cases as encodeBodyFrame
 */
export function encodePose(pose) {
  writeHead(KIND_POSE, pose);
  writePosition(pose.hips, 0, places, -1);
  for (let i = 0; i < pose.states.length; i++) {
    if (pose.states[i] !== ABSENT) {
      const turned = pack(pose.rotations, 4 * i);
      writeBits(turned ? 1 : 0, 1);
      if (turned) {
        writePacked();
      }
    }
  }
  return writeValues(pose.values);
}

// ---- decoding ----------------------------------------------------------------

/** @type {Uint8Array} */
let bytes = buffer;
let at = 0;

function readByte() {
  if (at >= bytes.length) {
    fail('truncated', 'the capture is truncated');
  }
  return bytes[at++];
}

/** Reads at most 24 bits. @param {number} width */
function readBits(width) {
  while (count < width) {
    held |= readByte() << count;
    count += 8;
  }
  const value = held & (2 ** width - 1);
  held >>>= width;
  count -= width;
  return value;
}

/** @param {Uint8Array} states @param {number} state */
function readMask(states, state) {
  for (let first = 0; first < states.length; first += 8) {
    const mask = readByte();
    for (let i = 0; i < 8; i++) {
      if (!((mask >> i) & 1)) {
        continue;
      }
      if (first + i >= states.length || (state === ESTIMATED && states[first + i] === ABSENT)) {
        fail('invalid', 'a mask names absent items');
      }
      states[first + i] = state;
    }
  }
}

/** @param {number} kind @param {BodyFrame | PoseFrame} frame */
function readHead(kind, frame) {
  const { states } = frame;
  if (bytes.length > CAPTURE_BYTES) {
    fail('limit', 'the capture is too long');
  }
  at = held = count = 0;
  if (readByte() !== kind) {
    fail('unsupported', 'unknown kind or version of capture');
  }
  const flags = readByte();
  if (flags & ~FLAGS) {
    fail('invalid', 'unknown flags');
  }
  let time = 0;
  for (let i = 0, unit = 1; i < 6; i++, unit *= 256) {
    time += readByte() * unit;
  }
  frame.time = time;
  frame.cut = (flags & FLAG_CUT) !== 0;
  if ('confidence' in frame) {
    frame.isRest = (flags & FLAG_REST) !== 0;
    frame.confidence = Math.fround(readByte() / 255);
  } else if (flags & FLAG_REST) {
    fail('invalid', 'a pose has the rest flag, which is only for body frames');
  }
  states.fill(flags & FLAG_ALL_KNOWN ? TRACKED : ABSENT);
  if (!(flags & FLAG_ALL_KNOWN)) {
    readMask(states, TRACKED);
  }
  if (flags & FLAG_ESTIMATES) {
    readMask(states, ESTIMATED);
  }
  const low = readByte();
  const values = low | (readByte() << 8);
  if (values > CAPTURE_VALUES) {
    fail('limit', 'too many values of channels');
  }
  if (frame.values.length !== values) {
    frame.values = new Float32Array(values);
  }
}

/** @param {number} width @param {number} from */
function readCoordinate(width, from) {
  const low = Math.min(width, 16);
  let bits = readBits(low);
  if (width > 16) {
    bits += readBits(width - 16) * 65536;
  }
  const way = width > 0 && bits >= 2 ** (width - 1) ? bits - 2 ** width : bits;
  const place = from + way;
  if (Math.abs(place) > PLACE_MAX) {
    fail('invalid', 'a position is too far away');
  }
  return place;
}

/** @param {Float32Array} positions @param {number} to @param {number} from */
function readPosition(positions, to, from) {
  const width = readBits(WIDTH_BITS);
  if (width > WIDTH_MAX) {
    fail('invalid', 'a position has too many bits');
  }
  for (let c = 0; c < 3; c++) {
    places[to + c] = readCoordinate(width, from < 0 ? 0 : places[from + c]);
    positions[to + c] = places[to + c] / PLACE_STEPS;
  }
}

/** @param {Float32Array} rotations @param {number} to */
function readRotation(rotations, to) {
  const a = (readBits(16) - ZERO) / ((ZERO - 1) * SQRT2);
  const b = (readBits(16) - ZERO) / ((ZERO - 1) * SQRT2);
  const c = (readBits(16) - ZERO) / ((ZERO - 1) * SQRT2);
  const largest = readBits(2);
  const left = 1 - a * a - b * b - c * c;
  if (left < 0) {
    fail('invalid', 'a rotation is not a unit quaternion');
  }
  rotations[to + (largest === 0 ? 1 : 0)] = a;
  rotations[to + (largest <= 1 ? 2 : 1)] = b;
  rotations[to + (largest <= 2 ? 3 : 2)] = c;
  rotations[to + largest] = Math.sqrt(left);
}

/** @param {Float32Array} rotations @param {number} to */
function identity(rotations, to) {
  rotations.fill(0, to, to + 3);
  rotations[to + 3] = 1;
}

/** @param {Float32Array} values */
function readValues(values) {
  for (let i = 0; i < values.length; i++) {
    const stored = readBits(1) ? readBits(16) : 0;
    values[i] = (stored > 32767 ? stored - 65536 : stored) / VALUE_STEPS;
  }
  if (held !== 0 || at !== bytes.length) {
    fail('invalid', 'bytes remain after the capture');
  }
}

/**
 * Decodes a capture of a body frame.
 *
 * @param {Uint8Array} capture all of it
 * @param {BodyFrame} frame receives the result; absent joints are at the origin, without rotation
 * @returns {BodyFrame} `frame`
 * @throws {ProtocolError} the content of `frame` is then undefined
 */
export function decodeBodyFrame(capture, frame) {
  const { states, positions, rotations } = frame;
  bytes = capture;
  readHead(KIND_BODY_FRAME, frame);
  for (let i = 0; i < states.length; i++) {
    if (states[i] === ABSENT) {
      positions.fill(0, 3 * i, 3 * i + 3);
      identity(rotations, 4 * i);
    } else {
      readPosition(positions, 3 * i, 3 * anchorOf(states, i));
      readRotation(rotations, 4 * i);
    }
  }
  readValues(frame.values);
  return frame;
}

/**
 * Decodes a capture of a pose.
 *
 * @param {Uint8Array} capture all of it
 * @param {PoseFrame} pose receives the result
 * @returns {PoseFrame} `pose`
 * @throws {ProtocolError} the content of `pose` is then undefined
 */
export function decodePose(capture, pose) {
  const { states, rotations } = pose;
  bytes = capture;
  readHead(KIND_POSE, pose);
  readPosition(pose.hips, 0, -1);
  for (let i = 0; i < states.length; i++) {
    if (states[i] !== ABSENT && readBits(1)) {
      readRotation(rotations, 4 * i);
    } else {
      identity(rotations, 4 * i);
    }
  }
  readValues(pose.values);
  return pose;
}
