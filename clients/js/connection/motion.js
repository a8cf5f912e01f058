// The motion of the bodies of a space: decodes bundles into the timelines of bodies, requests
// keyframes and acknowledges.

import { Bundle, decodeBundle, splitBundles } from '../bundle.js';
import { ProtocolError } from '../error.js';
/**
 * @import { Body, MutableBody } from '../body.js'
 * @import { Roster } from './roster.js'
 * @import { Line } from './line.js'
 */

const KEYFRAME_MS = 500; // between two requests
const ACK_MS = 100;

/** Receives the bundles of a space. */
export class Motion {
  #space;
  #line;
  #roster;
  #credit;
  #emit;
  #begin;
  #bundle = new Bundle();
  #quiet = false; // the last bundle had no packet
  #head = { needsState: false, shape: 0, sequence: 0, incarnation: 0 };
  #newestTick = -1;
  #ackedTick = -1;
  #ackedAt = -Infinity;
  #askedAt = -Infinity;

  /**
   * @param {string} space
   * @param {Line} line
   * @param {Roster} roster
   * @param {boolean} credit whether to acknowledge
   * @param {(bundle: Bundle) => void} emit called after each bundle
   * @param {(body: Body) => void} begin called after the first packet of a body that waited
   */
  constructor(space, line, roster, credit, emit, begin) {
    this.#space = space;
    this.#line = line;
    this.#roster = roster;
    this.#credit = credit;
    this.#emit = emit;
    this.#begin = begin;
    /** Totals received so far. */
    this.traffic = { bundles: 0, bytes: 0, packets: 0, damaged: 0 };
  }

  /** Resets the state for a new connection. */
  greet() {
    this.recount();
    this.#askedAt = -Infinity;
    this.#quiet = false;
    this.#bundle.reset();
    this.#roster.bodies.forEach((body) => body.stream.reset());
  }

  /** Resets the state for another epoch of the space: its ticks begin anew, maybe below the earlier ones. */
  recount() {
    this.#newestTick = this.#ackedTick = -1;
  }

  /**
   * Handles a binary message.
   *
   * @param {Uint8Array} message
   * @throws {ProtocolError} for a damaged message
   */
  receive(message) {
    /** @type {Uint8Array[]} */
    let bundles;
    try {
      bundles = splitBundles(message);
    } catch (error) {
      this.#lose();
      throw error;
    }
    try {
      this.#take(bundles[0]);
    } finally {
      bundles.slice(1).forEach((second) => this.#take(second));
    }
  }

  /** @param {Uint8Array} message one bundle */
  #take(message) {
    const bundle = this.#unpack(message);
    if (bundle?.space !== this.#roster.id) {
      return; // an epoch that has ended, or a kind of message of a later version
    }
    const { bodies } = this.#roster;
    const time = this.#roster.timeOf(bundle.tick);
    this.traffic.bundles++;
    this.traffic.bytes += message.length;
    for (let i = 0; i < bundle.count; i++) {
      const body = bodies.get(bundle.body[i]);
      if (body) {
        this.#move(body, message, i, time - bundle.age[i]);
      }
    }
    // A body that is missing in the bundle stands still, if its stream has packets in this tick.
    for (const body of bodies.values()) {
      if (body.tick !== bundle.tick && body.sent && body.stream.isFollowing &&
        bundle.tick % body.stream.pace === 0) {
        body.timeline.hold(time - body.age);
      }
    }
    this.#quiet = bundle.count === 0;
    this.#acknowledge(bundle.tick);
    this.#emit(bundle);
  }

  /**
   * Decodes the heads of a bundle; null for an unknown kind or version of message.
   *
   * @param {Uint8Array} message
   */
  #unpack(message) {
    try {
      return decodeBundle(message, this.#bundle);
    } catch (error) {
      if (error instanceof ProtocolError && error.code === 'unsupported') {
        return null;
      }
      this.#lose();
      throw error;
    }
  }

  // Any stream may have lost a packet; the sequence cannot show a gap of 16.
  #lose() {
    this.#roster.bodies.forEach((body) => body.stream.reset());
  }

  /**
   * Applies packet i of the bundle.
   *
   * @param {MutableBody} body
   * @param {Uint8Array} message
   * @param {number} i
   * @param {number} capture server microseconds
   */
  #move(body, message, i, capture) {
    const bundle = this.#bundle;
    const { timeline, stream } = body;
    const head = this.#head;
    head.needsState = bundle.needsState[i] === 1;
    head.shape = bundle.shape[i];
    head.sequence = bundle.sequence[i];
    head.incarnation = bundle.incarnation[i];
    body.tick = bundle.tick;
    body.age = bundle.age[i];
    // The server sent nothing because all bodies stood still; no bundle is missing.
    if (this.#quiet && stream.isFollowing && stream.isNext(head.sequence, head.incarnation)) {
      timeline.hold(capture - (stream.pace * 1e6) / this.#roster.tickHz);
    }
    try {
      if (!stream.decode(message, bundle.start[i], bundle.end[i], head, body.packed,
        timeline.slot())) {
        this.#askKeyframe();
        return;
      }
    } catch (error) {
      for (let lost = i; lost < bundle.count; lost++) { // packets behind the damaged one
        this.#roster.bodies.get(bundle.body[lost])?.stream.reset();
      }
      this.#askKeyframe();
      throw error;
    }
    timeline.slot().virtualIndices = body.virtualIndices;
    body.fitting?.apply(timeline.slot());
    timeline.commit(capture, bundle.sequence[i], bundle.incarnation[i], bundle.cut[i] === 1,
      this.#line.heardAt, !head.needsState && stream.isFollowing);
    body.bytes += bundle.end[i] - bundle.start[i];
    this.traffic.packets++;
    if (body.waiting) {
      body.waiting = false;
      this.#begin(/** @type {Body} */ (body));
    }
  }

  #askKeyframe() {
    if (this.#line.heardAt - this.#askedAt >= KEYFRAME_MS) {
      this.#askedAt = this.#line.heardAt;
      this.#line.send({ type: 'keyframe', space: this.#space });
    }
  }

  /**
   * Acknowledges ten times a second, also once more when bundles stop because the credit is used
   * up; the first bundle after a pause at once.
   *
   * @param {number} tick
   */
  #acknowledge(tick) {
    this.#newestTick = tick; // lower than the one before in a new epoch
    if (this.#credit && !this.#line.awaits('ack')) {
      const wait = this.#ackedAt + ACK_MS - this.#line.heardAt;
      this.#line.after('ack', Math.max(wait, 0), () => this.#sendAck());
    }
  }

  #sendAck() {
    if (this.#newestTick !== this.#ackedTick) {
      this.#ackedTick = this.#newestTick;
      this.#ackedAt = this.#line.now();
      this.#line.send({ type: 'ack', space: this.#space, tick: this.#newestTick });
    }
  }
}
