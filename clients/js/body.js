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
    /** What its publisher says of it, beside what this protocol knows of. */
    this.meta = {};
    /** A moderator has it shown to nobody, or not move. */
    this.hidden = false;
    this.muted = false;
    /** It comes before others. */
    this.stage = false;
    /** The consent of the person. */
    this.mayRecord = false;
    this.mayRebroadcast = false;
    /** Hash of its own skeleton. */
    this.skeletonHash = '';
    /**
     * The skeleton that it is worn on here: its own, or the one that was asked for.
     * @type {import('./skeleton.js').Skeleton | null} null until it was received
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
    /** Of the newest packet: the tick of its bundle, and the age of its capture in microseconds. */
    this.tick = -1;
    this.age = 0;
  }

  /**
   * What to show at a local time (milliseconds of performance.now()).
   *
   * @returns {import('./timeline.js').Sample | null} valid until the next call; null before
   *   the first packet
   */
  sample(now = performance.now()) {
    return this.timeline.sample(now);
  }

  /**
   * Value of a channel at the moment of a sample: a number, 0 to 1, of an expression; of
   * "lookAt" the gaze, a unit quaternion [x, y, z, w].
   *
   * @returns {number | number[] | undefined} undefined: it has no such channel
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
