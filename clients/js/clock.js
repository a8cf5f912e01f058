// What the server's clock says, from pings: as in NTP, the exchange with the
// shortest round trip has the least to hide. Corrections are slewed, so that
// time never jumps under a motion and never runs backwards.

const WINDOW = 16; // exchanges remembered
const AGING = 1e-4; // an old exchange is as doubtful as clocks drift: 100 ppm
const SLEW = 0.01; // most correction, per unit of time
const STEP_MS = 1000; // an error past this is a new clock: take it at once

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

  /** True once a ping was answered. */
  get synchronized() {
    return this.#count > 0;
  }

  /** Round trip of the exchange in use, milliseconds. The clock is off by half of it at most. */
  get roundTrip() {
    return this.#bestRoundTrip;
  }

  /**
   * Takes in one exchange.
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
    this.#choose(received);
  }

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
    if (this.#count === 1 || Math.abs(this.#target - this.#offset) > STEP_MS) {
      this.#offset = this.#target;
    }
  }

  #slew(now) {
    const most = Math.max(0, now - this.#slewedAt) * SLEW;
    const error = this.#target - this.#offset;
    this.#offset += Math.max(-most, Math.min(most, error));
    this.#slewedAt = Math.max(now, this.#slewedAt);
  }

  /**
   * Server time, microseconds, at a local time that does not go backwards from call to call.
   *
   * @param {number} now local milliseconds
   */
  at(now) {
    this.#slew(now);
    return (now + this.#offset) * 1000;
  }

  /** Forgets everything: another server, or the same one started anew. */
  reset() {
    this.#count = 0;
    this.#next = 0;
    this.#bestRoundTrip = 0;
  }
}
