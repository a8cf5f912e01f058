// A body of the space: what the roster says of it, and its motion.

import { StreamDecoder } from './stream.js';
import { Timeline } from './timeline.js';

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
    /** Hash of the skeleton that it wears. */
    this.skeletonHash = '';
    /** @type {import('./skeleton.js').Skeleton | null} null until it was received */
    this.skeleton = null;
    /** Where the roster says it stands; `sample()` has where it stands now. */
    this.placement = { position: [0, 0, 0], yaw: 0 };
    /** @type {{height: number} | null} */
    this.seat = null;
    /** @type {'live' | 'stale'} */
    this.state = 'live';
    /** Bytes of its payloads so far. */
    this.bytes = 0;
    this.timeline = new Timeline();
    /** What its packets of coding 2 need. */
    this.stream = new StreamDecoder();
    /** Of its newest packet: the bundle's tick, and how old its capture was, microseconds. */
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

  /** From capture to what `sample` showed last, milliseconds; NaN before the clock is known. */
  latency(now = performance.now()) {
    const shown = this.timeline.shown;
    return this.#clock.synchronized ? (this.#clock.at(now) - shown) / 1000 : NaN;
  }
}
