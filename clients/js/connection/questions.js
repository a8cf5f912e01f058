// A queue of requests to a server. Each request waits for the answer to the previous one,
// and for a minimum interval.

import { ProtocolError } from '../error.js';
import { findAsked } from './asked.js';

/**
 * A request, its promise, and the functions that settle the promise.
 *
 * @typedef {object} Question
 * @property {any} message
 * @property {string} request
 * @property {Promise<any>} promise
 * @property {(answer: any) => void} resolve
 * @property {(error: unknown) => void} reject
 */

/** Requests of one kind, in their order. */
export class Questions {
  #name;
  #count = 0;
  #pace;
  #after;
  #now;
  #put;
  /** The first one is in progress if #isAsked. @type {Question[]} */
  #waiting = [];
  #isGreeted = false;
  #isAsked = false;
  #askedAt = -Infinity;
  #isEnded = false;

  /**
   * @param {string} name distinguishes the requests of several queues
   * @param {number} pace minimum milliseconds between two requests
   * @param {{ after: (ms: number, run: () => void) => void, now: () => number }} clock
   * @param {(message: any) => void} put sends a request; an exception rejects it
   */
  constructor(name, pace, { after, now }, put) {
    this.#name = name;
    this.#pace = pace;
    this.#after = after;
    this.#now = now;
    this.#put = put;
  }

  /**
   * Queues a request; returns a promise of the answer.
   *
   * @param {object} message
   * @returns {Promise<any>}
   */
  ask(message) {
    const question = /** @type {Question} */ ({ message });
    question.promise = new Promise((resolve, reject) => Object.assign(question, { resolve, reject }));
    this.#waiting.push(question);
    if (this.#isEnded) {
      this.end();
    }
    this.#next();
    return question.promise;
  }

  /** The message that waits for its answer, or undefined. */
  get asked() {
    return this.#isAsked ? this.#waiting[0].message : undefined;
  }

  /**
   * Whether a message from the server answers the request in progress.
   *
   * @param {any} message
   * @param {(asked: any) => boolean} fits whether it can, if it repeats no request
   */
  isAnswer(message, fits) {
    return this.#isAsked &&
      findAsked(this.#waiting.slice(0, 1), message, (asked) => fits(asked.message)) !== undefined;
  }

  /**
   * The first unsent request that satisfies `is`.
   *
   * @param {(message: any) => boolean} is
   */
  find(is) {
    return this.#waiting.find((question, i) => (i > 0 || !this.#isAsked) && is(question.message));
  }

  /**
   * Settles the request in progress.
   *
   * @param {unknown} answer
   */
  resolve(answer) {
    this.#take().resolve(answer);
    this.#next();
  }

  /** @param {unknown} error */
  reject(error) {
    this.#take().reject(error);
    this.#next();
  }

  /** The server accepted the connection: sends the waiting requests. */
  greet() {
    this.#isGreeted = true;
    this.#next();
  }

  /**
   * The connection is lost: rejects the request in progress with `error`, or repeats it later.
   *
   * @param {unknown} [error]
   */
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
    return /** @type {Question} */ (this.#waiting.shift());
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
    const [question] = this.#waiting;
    question.request = `${this.#name} ${++this.#count}`;
    try {
      this.#put({ ...question.message, request: question.request });
      this.#askedAt = this.#now();
    } catch (error) {
      this.reject(error);
    }
  }
}
