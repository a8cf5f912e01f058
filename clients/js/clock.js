// Estimates the server's clock from pings. As in NTP, the exchange with the shortest round
// trip has the smallest error. Corrections are slewed, so that time neither jumps nor runs
// backwards during a motion.

const WINDOW = 16; // exchanges remembered
const AGING = 1e-4; // growth of an exchange's error with age, from clock drift: 100 ppm
const SLEW = 0.01; // maximum correction per unit of time
const STEP_MS = 1000; // a larger error means a new clock, which is used at once

/** The server's clock, measured by pings; slewed, so that it never jumps or runs backwards. */
export class Clock {
  #count = 0;
  #next = 0;
  #received = new Float64Array(WINDOW);
  #roundTrip = new Float64Array(WINDOW);
  #offsets = new Float64Array(WINDOW);
  #target = 0;
  #offset = 0;
  #slewedAt = 0;
  #bestRoundTrip = 0;
  // The least possible offset: of the message that arrived soonest after its time of the server.
  #floor = -Infinity;
  #floorAt = 0;

  /** True after the first answer to a ping. @returns {boolean} */
  get synchronized() {
    return this.#count > 0;
  }

  /**
   * Round trip of the exchange in use, milliseconds. The error of the clock is at most half of it.
   *
   * @returns {number}
   */
  get roundTrip() {
    return this.#bestRoundTrip;
  }

  /**
   * Takes in one exchange: local milliseconds, local milliseconds, server microseconds.
   *
   * @param {number} sent local milliseconds
   * @param {number} received local milliseconds
   * @param {number} serverTime microseconds, when the server answered
   */
  add(sent, received, serverTime) {
    if (![sent, received, serverTime].every(Number.isFinite) || received < sent) {
      return;
    }
    const roundTrip = received - sent;
    this.#received[this.#next] = received;
    this.#roundTrip[this.#next] = roundTrip;
    this.#offsets[this.#next] = serverTime / 1000 - (sent + received) / 2;
    this.#next = (this.#next + 1) % WINDOW;
    this.#count = Math.min(this.#count + 1, WINDOW);
    this.heard(received, serverTime);
    this.#choose(received);
  }

  /**
   * Takes in the arrival of a message with a time of the server that has passed: the server's clock
   * is not behind it. While a page starts, answers to pings wait for the page, and half of the round
   * trip is far from the time on the way; this limit corrects the estimate.
   *
   * @param {number} received local milliseconds
   * @param {number} serverTime microseconds
   */
  heard(received, serverTime) {
    const floor = serverTime / 1000 - received;
    if (floor > this.#floorOf(received)) {
      this.#floor = floor;
      this.#floorAt = received;
    }
  }

  /** @param {number} now */
  #floorOf(now) {
    return this.#floor - Math.max(0, now - this.#floorAt) * AGING;
  }

  /** @param {number} now */
  #choose(now) {
    let best = 0;
    let doubt = Infinity;
    for (let i = 0; i < this.#count; i++) {
      const d = this.#roundTrip[i] / 2 + (now - this.#received[i]) * AGING;
      if (d < doubt) {
        doubt = d;
        best = i;
      }
    }
    this.#slew(now);
    this.#target = this.#offsets[best];
    this.#bestRoundTrip = this.#roundTrip[best];
    if (this.#count === 1) {
      this.#offset = this.#best(now);
    } else if (Math.abs(this.#target - this.#offset) > STEP_MS) {
      this.#floor = -Infinity;
      this.#offset = this.#target;
    }
  }

  /** @param {number} now */
  #best(now) {
    return Math.max(this.#target, this.#floorOf(now));
  }

  /** @param {number} now */
  #slew(now) {
    const most = Math.max(0, now - this.#slewedAt) * SLEW;
    const error = this.#best(now) - this.#offset;
    this.#offset += Math.max(-most, Math.min(most, error));
    this.#slewedAt = Math.max(now, this.#slewedAt);
  }

  /**
   * Returns server time, microseconds, at a local time. Local times must not decrease between
   * calls.
   *
   * @param {number} now local milliseconds
   * @returns {number}
   */
  at(now) {
    this.#slew(now);
    return (now + this.#offset) * 1000;
  }

  /**
   * Returns the best estimate of server time, microseconds, at a local time. It jumps with each
   * correction: for a measurement, not for times of a motion.
   *
   * @param {number} now local milliseconds
   * @returns {number}
   */
  estimate(now) {
    return (now + this.#best(now)) * 1000;
  }

  /** Resets the clock for another or a restarted server. */
  reset() {
    this.#count = 0;
    this.#next = 0;
    this.#bestRoundTrip = 0;
    this.#floor = -Infinity;
  }
}
