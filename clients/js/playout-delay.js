// Chooses the delay of playback from the arrivals of packets: adaptive media playout (Kalman,
// Steinbach and Girod, "Adaptive playout for real-time media streaming", ISCAS 2002). A delay
// for the connection as it has been for half a minute; while packets fail to arrive, playback
// slows down before it runs out of them, and makes up for it afterwards.
//
// All times are microseconds. A delay is the local time of display minus the capture time on the
// server's clock, so the offset between the clocks is part of it and cancels out.

const AGES = 2048; // packets that the delay is chosen from: 34 seconds at 60 a second
const MARGIN_US = 2000;
const DELAY_MAX_US = 500000; // more than the quickest recent arrival; no delay makes up for outages
const FIRST_INTERVAL_US = 33333; // assumed until two packets have arrived
const SLOWER = 0.25; // maximum decrease of the speed of playback
const FASTER = 0.5; // maximum increase
const CORRECTION_US = 200000; // an error of the delay decays with this time constant
const USUAL = 0.9; // share of the packets; playback slows down while the next one takes longer
const JUMP_US = 1000000; // a larger error of the delay is corrected at once

/** The latest numbers, up to a maximum, in order of size. */
class SortedWindow {
  #recent;
  #sorted;
  #next = 0;
  length = 0;

  /** @param {number} size the maximum */
  constructor(size) {
    this.#recent = new Float64Array(size);
    this.#sorted = new Float64Array(size);
  }

  /**
   * The i-th smallest number.
   *
   * @param {number} i
   * @returns {number}
   */
  at(i) {
    return this.#sorted[i];
  }

  /** @param {number} value */
  add(value) {
    const sorted = this.#sorted;
    if (this.length === sorted.length) {
      const oldest = this.#find(this.#recent[this.#next]);
      sorted.copyWithin(oldest, oldest + 1, this.length--);
    }
    const place = this.#find(value);
    sorted.copyWithin(place + 1, place, this.length++);
    sorted[place] = value;
    this.#recent[this.#next] = value;
    this.#next = (this.#next + 1) % sorted.length;
  }

  clear() {
    this.length = 0;
    this.#next = 0;
  }

  // The first place whose number is not less.
  /** @param {number} value */
  #find(value) {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sorted[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** The delay of playback of one body. */
export class PlayoutDelay {
  #late;
  #ages = new SortedWindow(AGES);
  #hasBegun = false;
  #outageSince = NaN; // arrival of the first of the latest packets that all came after an outage
  #target = 0;
  #usual = Infinity; // age of the newest packet at which the next one is overdue
  #punctual = 0; // delay at the latest punctual packet; the least since then
  #steeredAt = NaN;
  /** The delay now. */
  value = 0;

  /** @param {number} late share of the packets that may arrive later than the delay permits */
  constructor(late) {
    this.#late = late;
  }

  /** Begins anew: capture times of another clock follow. */
  reset() {
    this.#forget();
    this.#steeredAt = NaN;
  }

  #forget() {
    this.#ages.clear();
    this.#usual = Infinity;
    this.#hasBegun = false;
  }

  /**
   * Takes an arrival. The age of a packet at the arrival of the next one is measured: at this
   * delay playback has both neighbours.
   *
   * @param {number} transit arrival minus capture
   * @param {number} interval since the previous capture; NaN if playback starts with this packet
   * @param {number} arrival
   */
  arrived(transit, interval, arrival) {
    const age = transit + interval;
    if (this.#endsOutage(age, arrival)) {
      return;
    }
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#target = transit + FIRST_INTERVAL_US;
      this.value = Number.isNaN(this.#steeredAt) ? this.#target : this.value;
    } else if (interval > 0) {
      if (age <= this.#usual) {
        this.#punctual = this.value;
      }
      this.#ages.add(age);
      this.#target = MARGIN_US + this.#quantile(1 - this.#late);
      this.#usual = MARGIN_US + this.#quantile(USUAL);
    }
  }

  // If packets stay as late as after an outage, the path has changed.
  /**
   * @param {number} age
   * @param {number} arrival
   */
  #endsOutage(age, arrival) {
    if (this.#ages.length === 0 || !(age > this.#ages.at(0) + DELAY_MAX_US)) {
      this.#outageSince = NaN;
      return false;
    }
    if (Number.isNaN(this.#outageSince)) {
      this.#outageSince = arrival;
    } else if (arrival - this.#outageSince > JUMP_US) {
      this.#forget();
      return false;
    }
    return true;
  }

  /** @param {number} share */
  #quantile(share) {
    return this.#ages.at(Math.ceil(share * this.#ages.length) - 1);
  }

  /**
   * Returns the time to show.
   *
   * @param {number} now local time; must not decrease between calls
   * @param {number} oldest time before which packets have been discarded
   * @param {number} newest capture time of the newest packet
   * @param {number} furthest time up to which its motion can be carried on
   * @returns {number}
   */
  timeAt(now, oldest, newest, furthest) {
    const elapsed = now - this.#steeredAt;
    const error = this.#target - this.value;
    this.#steeredAt = now;
    if (!(elapsed >= 0) || Math.abs(error) > JUMP_US) {
      this.value = this.#target;
    } else {
      this.value += this.#change(elapsed, error, now - newest);
    }
    // Playback that has run out of packets waits, and continues where it stopped.
    this.value = Math.min(Math.max(this.value, now - furthest), now - oldest);
    return now - this.value;
  }

  // The change of the delay since the last picture. While a packet is overdue, the delay exceeds
  // the one at the latest punctual packet by a quarter of the excess of age at most. Without this
  // limit it would grow without bound on a path that stays slower: there each packet is overdue
  // until a tenth of all have taken longer.
  /**
   * @param {number} elapsed
   * @param {number} error
   * @param {number} age of the newest packet
   */
  #change(elapsed, error, age) {
    const overdue = age - this.#usual;
    this.#punctual = Math.min(this.#punctual, this.value);
    if (overdue > 0) {
      const most = Math.max(this.#target, this.#punctual) + SLOWER * overdue;
      return Math.max(0, Math.min(SLOWER * Math.min(elapsed, overdue), most - this.value));
    }
    const change = Math.max(-FASTER, Math.min(SLOWER, error / CORRECTION_US)) * elapsed;
    return Math.abs(change) < Math.abs(error) ? change : error;
  }

  /**
   * Ends a wait that was none: the body stood still from a capture time to another, so playback
   * may leave out a part of this time.
   *
   * @param {number} from
   * @param {number} until
   */
  stoodStill(from, until) {
    const shown = this.#steeredAt - this.value;
    if (shown >= from && shown < until) {
      this.value = Math.max(Math.min(this.value, this.#target), this.#steeredAt - until);
    }
  }
}
