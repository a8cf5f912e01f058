// A body of the space: its roster entry and its motion.

import { StreamDecoder } from './stream.js';
import { Timeline } from './timeline.js';
/**
 * @import { WornAvatar } from './avatar/avatars.js'
 * @import { Clock } from './clock.js'
 * @import { Fitting } from './fitting.js'
 * @import { Skeleton } from './skeleton.js'
 * @import { Sample } from './timeline.js'
 */

/**
 * A body whose skeleton is known, as the events of a client deliver it. Its skeleton stays the same
 * from `enter` until `leave`.
 *
 * @typedef {Body & { readonly skeleton: Skeleton }} PresentBody
 */

/**
 * A body for the modules that update it.
 *
 * @typedef {{ -readonly [K in keyof Body]: Body[K] }} MutableBody
 */

/** How many values a channel has. @param {string} name */
const channelSize = (name) => (name === 'lookAt' ? 4 : 1);

/** @param {Float32Array} values */
function toRotation(values) {
  const length = Math.hypot(...values);
  return length > 0 ? Array.from(values, (value) => value / length) : [0, 0, 0, 1];
}

/** A body of the space: its roster entry and its motion. */
export class Body {
  #clock;

  /**
   * @param {number} id short id within the space
   * @param {Clock} clock
   */
  constructor(id, clock) {
    /** Short id within the space. @type {number} @readonly */
    this.id = id;
    this.#clock = clock;
    /** Name in the space, unique. @readonly */
    this.name = '';
    /** Text shown to people in place of the name; empty if absent. @readonly */
    this.display = '';
    /**
     * Data of its publisher for programs. Values come from people: they are text, never markup.
     *
     * @type {Readonly<Record<string, string | number | boolean>>}
     * @readonly
     */
    this.meta = {};
    /** A moderator hides the body: it left, and enters again later. @readonly */
    this.hidden = false;
    /** No motion of its publisher or replay has come yet: the body enters with the first. @readonly */
    this.waiting = false;
    /** A moderator stopped the motion of the body. @readonly */
    this.muted = false;
    /** A moderator put the body on stage: it comes before others. @readonly */
    this.stage = false;
    /** On its own skeleton its contacts are kept, unless the client switches that off. @readonly */
    this.contacts = false;
    /** The person permits recordings. @readonly */
    this.mayRecord = false;
    /** The person permits that the motion is passed on. @readonly */
    this.mayRebroadcast = false;
    /** Hash of its own skeleton. @readonly */
    this.skeletonHash = '';
    /**
     * The avatar that its publisher or the server gives it, a file for `client.fetchAvatar`; null: none.
     *
     * @type {Readonly<WornAvatar> | null}
     * @readonly
     */
    this.avatar = null;
    /**
     * The skeleton in use here: the body's own or the requested one; null until it has arrived.
     *
     * @type {Skeleton | null}
     * @readonly
     */
    this.skeleton = null;
    /** False: the server sends no motion of the body; it keeps its last pose. @readonly */
    this.sent = true;
    /**
     * The placement of the roster; `sample()` has the current one.
     *
     * @type {{ position: number[]; yaw: number }}
     * @readonly
     */
    this.placement = { position: [0, 0, 0], yaw: 0 };
    /**
     * Height in metres of the seat that it uses; null: none.
     *
     * @type {{ height: number } | null}
     * @readonly
     */
    this.seat = null;
    /**
     * Names of its channels: "expression/happy", "lookAt" ….
     *
     * @type {readonly string[]}
     * @readonly
     */
    this.channels = [];
    /** 'stale': its source delivers no motion at present. @type {'live' | 'stale'} @readonly */
    this.state = 'live';
    /** Bytes of its payloads so far. @readonly */
    this.bytes = 0;
    /** Playback of its motion. @readonly */
    this.timeline = new Timeline();
    /** Decoder state for packets of codings 2 and 3. @readonly */
    this.stream = new StreamDecoder();
    /**
     * The skeleton of the packets; null until it has arrived.
     *
     * @type {Skeleton | null}
     * @readonly
     */
    this.packed = null;
    /**
     * The transfer of its motion to the skeleton in use; null if none is needed.
     *
     * @type {Fitting | null}
     * @readonly
     */
    this.fitting = null;
    /**
     * Indices of the virtual transforms in its newest packets; `sample` has those that it shows.
     *
     * @type {readonly number[]}
     * @readonly
     */
    this.virtualIndices = [];
    /**
     * Tick of the bundle with its newest packet; -1 before the first.
     *
     * @readonly
     */
    this.tick = -1;
    /** Age of the capture in the newest packet, microseconds. @readonly */
    this.age = 0;
  }

  /**
   * Returns the pose to show at a local time (milliseconds of performance.now()).
   *
   * @param {number} [now]
   * @returns {Sample | null} valid until the next call; null before the first packet
   */
  sample(now = performance.now()) {
    return this.timeline.sample(now);
  }

  /**
   * Returns the value of a channel at the time of a sample: for an expression a number, 0 to 1; for
   * "lookAt" the gaze, a unit quaternion [x, y, z, w].
   *
   * @param {string} name
   * @param {Sample} sample
   * @returns {number | number[] | undefined} undefined if the body has no such channel
   */
  channel(name, sample) {
    let at = 0;
    for (const other of this.channels) {
      const count = channelSize(other);
      if (other === name) {
        return count === 1 ? Math.min(Math.max(sample.values[at], 0), 1)
          : toRotation(sample.values.subarray(at, at + count));
      }
      at += count;
    }
    return undefined;
  }

  /**
   * Time from capture to the last `sample`, milliseconds; NaN before the clock is synchronized.
   *
   * @param {number} [now]
   * @returns {number}
   */
  latency(now = performance.now()) {
    const shown = this.timeline.shown;
    return this.#clock.synchronized ? (this.#clock.estimate(now) - shown) / 1000 : NaN;
  }
}
