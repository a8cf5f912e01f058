// When a crowd requests avatars again of a server that is busy: all wait together, longer after each
// refusal, so that many bodies are not many requests.

/** What the server answers while it is busy: 429, and 5xx. */
const BUSY = ['too-many', 'unavailable'];
const FIRST_MS = 1000;
const MOST_MS = 60000;
/** The longest Retry-After that counts. */
const ASKED_MOST_MS = 300000;
/** Requests for an avatar of a body. */
const TRIES = 6;

/** Whether an error says that the server is busy. @param {any} error */
export const isBusy = (error) => BUSY.includes(error?.code);

/** The pause after refusals of a busy server. */
export class Patience {
  #random;
  #refusals = 0; // pauses without a success
  #delay = 0; // of the next pause
  #until = -Infinity;

  /** @param {() => number} [random] from 0 to 1 */
  constructor(random = Math.random) {
    this.#random = random;
  }

  /** Whether requests may be sent. @param {number} now milliseconds */
  isOver(now) {
    if (this.#delay > 0) {
      this.#until = now + this.#delay;
      this.#refusals++;
      this.#delay = 0;
    }
    return now >= this.#until;
  }

  /**
   * A request has failed.
   *
   * @param {any} error
   * @param {number} tries requests so far
   * @returns {boolean} whether it is to be repeated when the pause is over
   */
  failed(error, tries) {
    if (!isBusy(error)) {
      return false;
    }
    // From half the bound up, so that the pages of many visitors do not return together.
    const own = Math.min(MOST_MS, FIRST_MS * 2 ** this.#refusals) * (0.5 + 0.5 * this.#random());
    this.#delay = Math.max(this.#delay, own, Math.min(ASKED_MOST_MS, 1000 * (error.retryAfter ?? 0)));
    return tries < TRIES;
  }

  /** A request has succeeded. */
  succeeded() {
    this.#refusals = 0;
  }
}
