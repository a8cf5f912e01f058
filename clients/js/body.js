// A body of the space: its roster entry and its motion.

import { StreamDecoder } from './stream.js';
import { Timeline } from './timeline.js';

/** How many values a channel has. */
const channelSize = (name) => (name === 'lookAt' ? 4 : 1);

function toRotation(values) {
  const length = Math.hypot(...values);
  return length > 0 ? Array.from(values, (value) => value / length) : [0, 0, 0, 1];
}

export class Body {
  #clock;

  /**
   * @param {number} id short id within the space
   * @param {import('./clock.js').Clock} clock
   */
  constructor(id, clock) {
    this.id = id;
    this.#clock = clock;
    this.name = '';
    /** Text shown to people in place of the name; empty if absent. */
    this.display = '';
    /** Metadata from its publisher that the protocol does not define. */
    this.meta = {};
    /** Set by moderators: not shown to subscribers; motion stopped. */
    this.hidden = false;
    this.muted = false;
    /** The server prefers this body. */
    this.stage = false;
    /** The consent of the person. */
    this.mayRecord = false;
    this.mayRebroadcast = false;
    /** Hash of its own skeleton. */
    this.skeletonHash = '';
    /**
     * The skeleton in use: the body's own, or the requested one.
     * @type {import('./skeleton.js').Skeleton | null} null until received
     */
    this.skeleton = null;
    /** False: the server sends no motion of the body to this client; it keeps its last pose. */
    this.sent = true;
    /** The placement of the roster; `sample()` has the current one. */
    this.placement = { position: [0, 0, 0], yaw: 0 };
    /** @type {{height: number} | null} */
    this.seat = null;
    /** Names of its channels: "expression/happy", "lookAt" …. */
    this.channels = [];
    /** @type {'live' | 'stale'} */
    this.state = 'live';
    /** Bytes of its payloads so far. */
    this.bytes = 0;
    this.timeline = new Timeline();
    /** Decoder state for packets of coding 2. */
    this.stream = new StreamDecoder();
    /** The skeleton of the packets, and the transfer to the skeleton in use. */
    this.packed = null;
    this.fitting = null;
    /** Indices of the virtual transforms in its newest packets; `sample` has those that it shows. */
    this.virtualIndices = [];
    /** Newest packet: the tick of its bundle, and the age of its capture in microseconds. */
    this.tick = -1;
    this.age = 0;
  }

  /**
   * Returns the pose to show at a local time (milliseconds of performance.now()).
   *
   * @returns {import('./timeline.js').Sample | null} valid until the next call; null before
   *   the first packet
   */
  sample(now = performance.now()) {
    return this.timeline.sample(now);
  }

  /**
   * Returns the value of a channel at the time of a sample: for an expression a number, 0 to 1;
   * for "lookAt" the gaze, a unit quaternion [x, y, z, w].
   *
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

  /** Time from capture to the last `sample`, milliseconds; NaN before the clock is synchronized. */
  latency(now = performance.now()) {
    const shown = this.timeline.shown;
    return this.#clock.synchronized ? (this.#clock.at(now) - shown) / 1000 : NaN;
  }
}
