// The list of bodies in the space: a snapshot with a revision, and changes (proto/CORE.md,
// "Roster"). Messages are validated before they are applied.

import { Body } from '../body.js';
import { VALUES_MAX } from '../chain.js';
import { ProtocolError } from '../error.js';
import { isHash } from './address.js';
/**
 * @import { MutableBody } from '../body.js'
 * @import { Clock } from '../clock.js'
 */

/** @typedef {{ joined: Body[], left: Body[], changed: Body[] }} RosterChanges */

/**
 * A source of the server that delivers no motion, so that its body is not in the space.
 *
 * @typedef {object} WaitingSource
 * @property {string} name Name that the body will have.
 * @property {string} source Kind of the source: `openxr`, `vmc` …; a later version may have more.
 * @property {string} reason One line for people, such as `no OpenXR runtime`; empty if unknown.
 */

const BODIES_MAX = 65536;

/** @param {boolean} condition @param {string} field */
function check(condition, field) {
  if (!condition) {
    throw new ProtocolError('invalid', `roster: '${field}' is invalid`);
  }
}

/** @param {any} value */
const isId = (value) => Number.isInteger(value) && value >= 0 && value <= 0xffffffff;

/** @param {any} entry of a roster message */
function checkBody(entry) {
  check(typeof entry === 'object' && entry !== null, 'body');
  check(isId(entry.id), 'body.id');
  check(entry.name === undefined || typeof entry.name === 'string', 'body.name');
  check(typeof entry.skeleton === 'string', 'body.skeleton');
  if (entry.placement !== undefined) {
    const { position, yaw } = entry.placement ?? {};
    check(Array.isArray(position) && position.length === 3 && position.every(Number.isFinite),
      'body.placement.position');
    check(Number.isFinite(yaw), 'body.placement.yaw');
  }
  check(entry.channels === undefined || (Array.isArray(entry.channels) &&
    entry.channels.length <= VALUES_MAX && entry.channels.every((/** @type {unknown} */ name) => typeof name === 'string')),
  'body.channels');
  check(entry.display === undefined || typeof entry.display === 'string', 'body.display');
  check(entry.meta === undefined || (typeof entry.meta === 'object' && entry.meta !== null),
    'body.meta');
  if (entry.avatar !== undefined) {
    const { hash, bytes, index = 0 } = entry.avatar ?? {};
    check(isHash(hash) && Number.isSafeInteger(bytes) && bytes > 0 && isId(index), 'body.avatar');
  }
  check(entry.seat === undefined || Number.isFinite(entry.seat?.height), 'body.seat');
}

/** @param {any} list of a roster message @returns {readonly WaitingSource[]} */
function readWaiting(list) {
  check(Array.isArray(list) && list.length <= BODIES_MAX, 'waiting');
  return list.map((/** @type {any} */ entry) => {
    const { name, source, reason = '' } = entry ?? {};
    check([name, source, reason].every((text) => typeof text === 'string'), 'waiting');
    return { name, source, reason };
  });
}

/** @param {any} list @param {string} field @returns {any[]} */
function checkBodies(list, field) {
  check(list === undefined || (Array.isArray(list) && list.length <= BODIES_MAX), field);
  (list ?? []).forEach(checkBody);
  return list ?? [];
}

/** The bodies of the space: a snapshot with revisions, and changes. */
export class Roster {
  #clock;
  /** @type {unknown} */
  #epoch = null;

  /** @param {Clock} clock */
  constructor(clock) {
    this.#clock = clock;
    /** @type {Map<number, Body>} @readonly */
    this.bodies = new Map();
    /** Id of this epoch of the space in bundles; -1 before the first roster. */
    this.id = -1;
    this.revision = -1;
    this.tickHz = 60;
    this.tickTime = 0;
    /** Whether the server records the space. */
    this.recording = false;
    /** Sources without a body. @type {readonly WaitingSource[]} */
    this.waiting = [];
  }

  /**
   * Nominal server time of a tick, microseconds. Splits off whole seconds to stay exact.
   *
   * @param {number} tick
   * @returns {number}
   */
  timeOf(tick) {
    const seconds = Math.floor(tick / this.tickHz);
    const ticks = tick - seconds * this.tickHz;
    return this.tickTime + seconds * 1e6 + Math.floor((ticks * 1e6) / this.tickHz);
  }

  /**
   * Applies a `roster` message.
   *
   * @param {any} message
   * @returns {RosterChanges | null} null when an earlier change is missing: request the whole roster
   * @throws {ProtocolError} the roster is then unchanged
   */
  apply(message) {
    check(Number.isSafeInteger(message.revision) && message.revision >= 0, 'revision');
    /** @param {any} message */
    return message.bodies === undefined ? this.#change(message) : this.#replace(message);
  }

  /** @param {any} message */
  #replace(message) {
    const entries = checkBodies(message.bodies, 'bodies');
    check(isId(message.id), 'id');
    check(Number.isInteger(message.tickHz) && message.tickHz >= 1 && message.tickHz <= 1000,
      'tickHz');
    check(Number.isFinite(message.tickTime), 'tickTime');
    const waiting = readWaiting(message.waiting ?? []);
    const ids = new Set(entries.map((entry) => entry.id));
    const sameEpoch = this.#epoch === message.epoch;
    const left = [...this.bodies.values()].filter(({ id }) => !sameEpoch || !ids.has(id));
    left.forEach(({ id }) => this.bodies.delete(id));
    this.#epoch = message.epoch;
    this.id = message.id;
    this.revision = message.revision;
    this.tickHz = message.tickHz;
    this.tickTime = message.tickTime;
    this.recording = message.recording === true;
    this.waiting = waiting;
    /**
     * @param {any[]} entries
     * @param {Body[]} left
     * @returns {RosterChanges}
     */
    return this.#merge(entries, left);
  }

  /** @param {any} message */
  #change(message) {
    const joined = checkBodies(message.joined, 'joined');
    const changed = checkBodies(message.changed, 'changed');
    const gone = message.left ?? [];
    check(Array.isArray(gone) && gone.every(isId), 'left');
    const waiting = message.waiting === undefined ? this.waiting : readWaiting(message.waiting);
    if (this.revision < 0 || message.revision > this.revision + 1) {
      return null;
    }
    if (message.revision <= this.revision) {
      return { joined: [], left: [], changed: [] }; // applied already
    }
    this.revision = message.revision;
    this.recording = message.recording === undefined ? this.recording : message.recording === true;
    this.waiting = waiting;
    /** @type {Body[]} */
    const left = gone.flatMap((/** @type {number} */ id) => this.bodies.get(id) ?? []);
    left.forEach(({ id }) => this.bodies.delete(id));
    return this.#merge([...joined, ...changed], left);
  }

  /** @param {any[]} entries @param {Body[]} left @returns {RosterChanges} */
  #merge(entries, left) {
    /** @type {Body[]} */
    const joined = [];
    /** @type {Body[]} */
    const changed = [];
    for (const entry of entries) {
      let body = this.bodies.get(entry.id);
      if (body) {
        changed.push(body);
      } else {
        body = new Body(entry.id, this.#clock);
        this.bodies.set(entry.id, body);
        joined.push(body);
      }
      update(body, entry);
    }
    return { joined, left, changed };
  }
}

/** @param {MutableBody} body @param {any} entry of a roster message */
function update(body, entry) {
  body.name = entry.name ?? '';
  body.display = entry.display ?? '';
  body.meta = { ...entry.meta };
  body.hidden = entry.hidden === true;
  // A packet may come before the roster that reports the first motion.
  body.waiting = entry.waiting === true && body.tick < 0;
  body.muted = entry.muted === true;
  body.stage = entry.stage === true;
  body.contacts = entry.contacts === true;
  body.mayRecord = entry.mayRecord === true;
  body.mayRebroadcast = entry.mayRebroadcast === true;
  body.skeletonHash = entry.skeleton;
  body.avatar = entry.avatar ? { hash: entry.avatar.hash, bytes: entry.avatar.bytes,
    index: entry.avatar.index ?? 0 } : null;
  body.seat = entry.seat ? { height: entry.seat.height } : null;
  body.channels = entry.channels ? [...entry.channels] : [];
  body.state = entry.state === 'stale' ? 'stale' : 'live';
  if (entry.placement) {
    body.placement = { position: [...entry.placement.position], yaw: entry.placement.yaw };
    body.timeline.place(body.placement.position, body.placement.yaw);
  }
}
