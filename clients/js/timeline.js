// Buffers the motion of one body and plays it with a small delay, which playout-delay.js chooses.
//
// Only arrival times on the local clock control playback; the offset to the server's clock
// is part of the delay and cancels out.

import { BONES } from './tables.js';
import { Payload, SEQUENCES } from './bundle.js';
import { VALUES_MAX, VIRTUALS_MAX } from './chain.js';
import { PlayoutDelay } from './playout-delay.js';
import { slerp } from './quat.js';

const SLOTS = 64; // packets kept
const LATE = 0.02; // share of the packets
const BREAK_US = 1000000; // no interpolation between packets farther apart
const SMOOTHING = 1 / 32;

/** The pose of a body at one instant. Reused from call to call. */
export class Sample {
  constructor() {
    /** R of each bone: four numbers a bone, in the order of BONES. @readonly */
    this.rotations = new Float32Array(4 * BONES.length);
    /** Displacement of the hips from rest: metres, canonical axes. @readonly */
    this.hips = new Float32Array(3);
    /** Tracking state of each bone: 0 absent or unknown, 1 estimated, 2 tracked. @readonly */
    this.states = new Uint8Array(BONES.length);
    /** Placement of the body in its space: metres, and radians about +Y. @readonly */
    this.position = new Float32Array(3);
    /** Radians about +Y. */
    this.yaw = 0;
    /**
     * Values of the body's channels, in their order; Body.channel returns them by name.
     *
     * @readonly
     */
    this.values = new Float32Array(VALUES_MAX);
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
    /** Capture time shown: server clock, microseconds. */
    this.time = NaN;
    /**
     * How the pose was made; 'held': it is the newest one.
     *
     * @type {'interpolated' | 'extrapolated' | 'held'}
     */
    this.state = 'held';
  }
}

/**
 * Linear interpolation and extrapolation of numbers.
 *
 * @param {Float32Array} a
 * @param {Float32Array} b
 * @param {number} t
 * @param {number} count
 * @param {Float32Array} out
 */
function blendNumbers(a, b, t, count, out) {
  for (let i = 0; i < count; i++) {
    out[i] = a[i] + (b[i] - a[i]) * t;
  }
  out.fill(0, count);
}

/** One body's motion as it arrives, played back a little later and evenly. */
export class Timeline {
  /**
   * extrapolation: most milliseconds to carry a motion on when packets are late; 50. late: the share
   * of the packets that may arrive too late for the time at which they are to be shown; 0.02. Less
   * of it is more delay.
   *
   * @param {{ extrapolation?: number; late?: number }} [options]
   */
  constructor({ extrapolation = 50, late = LATE } = {}) {
    this.#extrapolation = extrapolation * 1000;
    this.#playout = new PlayoutDelay(late);
  }

  #extrapolation;
  #slots = Array.from({ length: SLOTS }, () => new Payload());
  #captures = new Float64Array(SLOTS);
  #cuts = new Uint8Array(SLOTS);
  #count = 0;
  #newest = -1; // slot
  #held = false; // the newest slot repeats the previous one: the body stood still
  #heldFrom = 0; // capture time of the previous one
  #sequence = 0;
  #incarnation = -1;
  #placement = new Float32Array(4); // the latest known
  #isCarried = false; // true if packets contain the placement

  #playout;
  #measured = 0; // intervals between captures
  #transit = 0; // mean of arrival minus capture
  #interval = 0; // mean between captures
  #sample = new Sample();
  #shownUntil = -Infinity; // capture time that `sample` has reached since the motion began

  #received = 0;
  #lost = 0;
  #late = 0;

  /** Number of accepted packets. */
  get received() {
    return this.#received;
  }

  /** Number of packets missing between them, by sequence (modulo 16 for each gap). */
  get lost() {
    return this.#lost;
  }

  /** Number of packets that arrived after later ones. */
  get late() {
    return this.#late;
  }

  /** Recent captures a second. @returns {number} */
  get hertz() {
    return this.#measured > 0 ? 1e6 / this.#interval : 0;
  }

  /** Average time between arrival and display of a packet, milliseconds. @returns {number} */
  get bufferDelay() {
    return this.#count > 0 ? Math.max(0, this.#playout.value - this.#transit) / 1000 : 0;
  }

  /** Capture time of the newest packet, microseconds; NaN before the first. @returns {number} */
  get newest() {
    return this.#count > 0 ? this.#captures[this.#newest] : NaN;
  }

  /** Capture time of the last sample, microseconds; NaN before the first. @returns {number} */
  get shown() {
    return this.#sample.time;
  }

  /** Buffer for the payload of the next packet; `commit` accepts its content. @returns {Payload} */
  slot() {
    return this.#slots[(this.#newest + 1) % SLOTS];
  }

  /**
   * Accepts the packet that was decoded into `slot()`.
   *
   * @param {number} capture server clock, microseconds
   * @param {number} sequence 0 … 15
   * @param {number} incarnation 0 … 7
   * @param {boolean} cut
   * @param {number} arrival local milliseconds
   * @param {boolean} [rejoined] do not count missing packets by its sequence number
   */
  commit(capture, sequence, incarnation, cut, arrival, rejoined = false) {
    const arrivalUs = arrival * 1000;
    if (this.#held && capture <= this.newest) {
      this.#unhold();
    }
    const isOtherClock = capture < this.newest - BREAK_US;
    if (incarnation !== this.#incarnation || isOtherClock) {
      this.#restart(incarnation, isOtherClock);
    } else if (capture <= this.newest) {
      this.#late++;
      return;
    } else if (!rejoined) {
      this.#lost += (sequence - this.#sequence - 1 + SEQUENCES) % SEQUENCES;
    }
    this.#measure(capture, arrivalUs);
    this.#advance(capture, cut);
    this.#held = false;
    this.#sequence = sequence;
    this.#received++;
    const slot = this.#slots[this.#newest];
    if (slot.hasPlacement) {
      this.#isCarried = true;
      this.#placement.set(slot.placement);
    } else {
      slot.placement.set(this.#placement);
    }
  }

  /**
   * Holds the pose of the newest packet until this capture time.
   *
   * @param {number} capture
   */
  hold(capture) {
    if (this.#count === 0 || !(capture > this.newest)) {
      return;
    }
    if (this.#held) {
      this.#captures[this.#newest] = capture;
    } else {
      this.#heldFrom = this.newest;
      this.slot().copy(this.#slots[this.#newest]);
      this.#advance(capture, false);
      this.#held = true;
    }
    this.#playout.stoodStill(this.#heldFrom, capture);
  }

  /**
   * @param {number} capture
   * @param {boolean} cut
   */
  #advance(capture, cut) {
    this.#newest = (this.#newest + 1) % SLOTS;
    this.#count = Math.min(this.#count + 1, SLOTS);
    this.#captures[this.#newest] = capture;
    this.#cuts[this.#newest] = cut ? 1 : 0;
  }

  // The capture time of a packet is more precise than the estimated end of a hold, so the
  // packet replaces the repetition.
  #unhold() {
    const next = (this.#newest + 1) % SLOTS;
    const decoded = this.#slots[next];
    this.#slots[next] = this.#slots[this.#newest];
    this.#slots[this.#newest] = decoded;
    this.#newest = (this.#newest + SLOTS - 1) % SLOTS;
    this.#count--;
    this.#held = false;
  }

  /** Removes all packets, because the next ones are for another skeleton. */
  clear() {
    this.#count = 0;
    this.#shownUntil = -Infinity;
    this.#isCarried = false;
    this.#held = false;
  }

  /**
   * Sets the placement from the roster, as a jump; ignored if packets contain the placement.
   *
   * @param {ArrayLike<number>} position
   * @param {number} yaw
   */
  place(position, yaw) {
    const there = [...Array.from(position), yaw].map(Math.fround);
    // A placement in packets has precedence: it has an exact tick and marks jumps.
    if (this.#isCarried || there.every((value, i) => value === this.#placement[i])) {
      return;
    }
    this.#placement.set(there);
    if (this.#count > 0) {
      this.#slots[this.#newest].placement.set(this.#placement);
      this.#cuts[this.#newest] = 1;
    }
  }

  /**
   * @param {number} incarnation
   * @param {boolean} isOtherClock
   */
  #restart(incarnation, isOtherClock) {
    if (isOtherClock) {
      this.#playout.reset();
    }
    this.#incarnation = incarnation;
    this.clear();
  }

  /** @param {number} capture @param {number} arrivalUs */
  #measure(capture, arrivalUs) {
    const transit = arrivalUs - capture;
    const interval = this.#count > 0 ? Math.min(capture - this.newest, BREAK_US) : NaN;
    this.#playout.arrived(transit, interval, arrivalUs);
    if (this.#count === 0) {
      this.#transit = transit;
      this.#measured = 0;
      return;
    }
    this.#transit += (transit - this.#transit) * SMOOTHING;
    this.#interval += (interval - this.#interval) * (this.#measured++ > 0 ? SMOOTHING : 1);
  }

  /**
   * Returns the pose to show at a local time (ms); null before the first packet.
   *
   * @param {number} now local milliseconds; must not decrease between calls
   * @returns {Sample | null} valid until the next call; null before the first packet
   */
  sample(now) {
    if (this.#count === 0) {
      return null;
    }
    const { newest } = this;
    const oldest = this.#count === SLOTS ? this.#captures[(this.#newest + 1) % SLOTS] : -Infinity;
    // A cut, a shorter interval or the end of a hold may shorten the reach; time does not run backwards.
    const furthest = Math.max(newest + this.#reach(), this.#shownUntil);
    const time = this.#playout.timeAt(now * 1000, oldest, newest, furthest);
    this.at(time);
    this.#sample.time = this.#shownUntil = Math.max(this.#sample.time, time);
    return this.#sample;
  }

  /**
   * Returns the pose at a capture time (server clock, microseconds), from the stored packets.
   *
   * @param {number} time
   * @returns {Sample | null}
   */
  at(time) {
    if (this.#count === 0) {
      return null;
    }
    let after = -1;
    let slot = this.#newest;
    let left = this.#count;
    while (this.#captures[slot] > time && --left > 0) {
      after = slot;
      slot = (slot + SLOTS - 1) % SLOTS;
    }
    this.#sample.time = time;
    if (this.#captures[slot] > time) {
      this.#sample.time = this.#captures[slot];
      this.#hold(slot); // older than all stored packets
    } else if (after < 0) {
      this.#carryOn(time);
    } else if (this.#joined(slot, after)) {
      const span = this.#captures[after] - this.#captures[slot];
      this.#blend(slot, after, (time - this.#captures[slot]) / span);
      this.#sample.state = 'interpolated';
    } else {
      this.#hold(slot);
    }
    return this.#sample;
  }

  /**
   * @param {number} before
   * @param {number} after
   */
  #joined(before, after) {
    return !this.#cuts[after] && this.#captures[after] - this.#captures[before] <= BREAK_US;
  }

  /** @param {number} slot */
  #hold(slot) {
    this.#blend(slot, slot, 0);
    this.#sample.state = 'held';
  }

  // How long the motion may continue after the newest packet.
  #reach() {
    const before = (this.#newest + SLOTS - 1) % SLOTS;
    return this.#count < 2 || !this.#joined(before, this.#newest) ? 0
      : Math.min(this.#extrapolation, 2 * (this.newest - this.#captures[before]));
  }

  /** @param {number} time */
  #carryOn(time) {
    const slot = this.#newest;
    const before = (slot + SLOTS - 1) % SLOTS;
    const past = time - this.newest;
    const most = this.#reach();
    this.#sample.time = this.newest + Math.min(past, most);
    if (past === 0 || most === 0) {
      this.#hold(slot);
      return;
    }
    this.#blend(before, slot, 1 + Math.min(past, most) / (this.newest - this.#captures[before]));
    this.#sample.state = past <= most ? 'extrapolated' : 'held';
  }

  /**
   * Packets before a change of the choice have other virtual transforms.
   *
   * @param {Payload} a
   * @param {Payload} b
   * @param {number} t
   */
  #blendVirtuals(a, b, t) {
    const out = this.#sample;
    out.virtualIndices = b.virtualIndices;
    out.virtualCount = Math.min(a.virtualCount, b.virtualCount);
    blendNumbers(a.virtualPositions, b.virtualPositions, t, 3 * out.virtualCount, out.virtualPositions);
    for (let i = 0; i < 4 * out.virtualCount; i += 4) {
      slerp(a.virtualRotations, i, b.virtualRotations, i, t, out.virtualRotations, i);
    }
  }

  /**
   * @param {number} before
   * @param {number} after
   * @param {number} t
   */
  #blend(before, after, t) {
    const a = this.#slots[before];
    const b = this.#slots[after];
    const out = this.#sample;
    if (t === 0) {
      out.rotations.set(a.rotations);
    } else {
      for (let i = 0; i < out.rotations.length; i += 4) {
        slerp(a.rotations, i, b.rotations, i, t, out.rotations, i);
      }
    }
    out.states.set(t < 1 ? a.states : b.states);
    blendNumbers(a.values, b.values, t, Math.max(a.valueCount, b.valueCount), out.values);
    this.#blendVirtuals(a.virtualIndices === b.virtualIndices ? a : b, b, t);
    for (let i = 0; i < 3; i++) {
      out.hips[i] = a.hips[i] + (b.hips[i] - a.hips[i]) * t;
      out.position[i] = a.placement[i] + (b.placement[i] - a.placement[i]) * t;
    }
    const turn = (b.placement[3] - a.placement[3]) / (2 * Math.PI);
    out.yaw = a.placement[3] + (turn - Math.round(turn)) * 2 * Math.PI * t;
  }
}
