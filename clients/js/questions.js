// Questions to a server, one after the other and not faster than it takes them: each waits
// for the answer to the one before.

import { ProtocolError } from './error.js';

export class Questions {
  #pace;
  #after;
  #now;
  #put;
  #waiting = []; // the first is under way, where #isAsked
  #isGreeted = false;
  #isAsked = false;
  #askedAt = -Infinity;
  #isEnded = false;

  /**
   * @param {number} pace milliseconds from question to question, at least
   * @param {object} clock after(ms, run), now()
   * @param {(message: object) => void} put asks; what it throws is the answer
   */
  constructor(pace, { after, now }, put) {
    this.#pace = pace;
    this.#after = after;
    this.#now = now;
    this.#put = put;
  }

  /** Resolves or rejects as it is settled. */
  ask(message) {
    const question = { message };
    question.promise = new Promise((resolve, reject) => Object.assign(question, { resolve, reject }));
    this.#waiting.push(question);
    if (this.#isEnded) {
      this.end();
    }
    this.#next();
    return question.promise;
  }

  /** The message that awaits its answer, or undefined. */
  get asked() {
    return this.#isAsked ? this.#waiting[0].message : undefined;
  }

  /** The first that `is` holds for, of those that were not put yet: {message, promise}. */
  find(is) {
    return this.#waiting.find((question, i) => (i > 0 || !this.#isAsked) && is(question.message));
  }

  /** What was asked is answered: with what, or by which error. */
  resolve(answer) {
    this.#take().resolve(answer);
    this.#next();
  }

  reject(error) {
    this.#take().reject(error);
    this.#next();
  }

  /** The server was greeted: what is still open, please. */
  greet() {
    this.#isGreeted = true;
    this.#next();
  }

  /** The line is gone: what was under way ends with an error, or without one is asked again. */
  drop(error) {
    this.#isGreeted = false;
    if (this.#isAsked && error) {
      this.reject(error);
    }
    this.#isAsked = false;
  }

  /** The client is closed. */
  end() {
    this.#isEnded = true;
    this.#isAsked = false;
    const error = new ProtocolError('closed', 'the connection was closed');
    this.#waiting.splice(0).forEach(({ reject }) => reject(error));
  }

  #take() {
    this.#isAsked = false;
    return this.#waiting.shift();
  }

  #next() {
    if (!this.#isGreeted || this.#isAsked || this.#waiting.length === 0) {
      return;
    }
    const wait = this.#askedAt + this.#pace - this.#now();
    if (wait > 0) {
      this.#after(wait, () => this.#next());
      return;
    }
    this.#isAsked = true;
    try {
      this.#put(this.#waiting[0].message);
      this.#askedAt = this.#now();
    } catch (error) {
      this.reject(error);
    }
  }
}
