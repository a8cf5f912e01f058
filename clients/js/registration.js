// Skeletons of a client's own (PROTOCOL.md, section 15): one after the other, as fast as a
// server takes them, asked for again when the line broke before the answer.

import { ProtocolError } from './error.js';

const PACE_MS = 125; // from question to question

export class Registrations {
  #say;
  #after;
  #now;
  #most;
  #waiting = []; // the first is under way, where #isAsked
  #lists = []; // those who wait for the wardrobe
  #isGreeted = false;
  #isAsked = false;
  #askedAt = -Infinity;
  #isEnded = false;

  /**
   * @param {object} link say(message), after(ms, run), now(), most(): bytes of a message
   */
  constructor({ say, after, now, most }) {
    this.#say = say;
    this.#most = most;
    this.#after = after;
    this.#now = now;
  }

  /** Resolves with what the server answers, rejects with a ProtocolError. */
  ask(message) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message, resolve, reject });
      if (this.#isEnded) {
        this.end();
      }
      this.#next();
    });
  }

  list() {
    return new Promise((resolve, reject) => {
      this.#lists.push({ resolve, reject });
      if (this.#isEnded) {
        this.end();
      } else if (this.#isGreeted) {
        this.#say({ type: 'skeletons' });
      }
    });
  }

  /** The server was greeted: what is still open, please. */
  greet() {
    this.#isGreeted = true;
    this.#lists.forEach(() => this.#say({ type: 'skeletons' }));
    this.#next();
  }

  /** The line is gone, and with it the answer that was awaited. */
  drop() {
    this.#isGreeted = this.#isAsked = false;
  }

  /** The connection ends for good. */
  end() {
    this.#isEnded = true;
    const error = new ProtocolError('closed', 'the connection was closed');
    [...this.#waiting, ...this.#lists].forEach(({ reject }) => reject(error));
    this.#waiting.length = this.#lists.length = 0;
  }

  #next() {
    if (!this.#isGreeted || this.#isAsked || this.#waiting.length === 0) {
      return;
    }
    const wait = this.#askedAt + PACE_MS - this.#now();
    if (wait > 0) {
      this.#after(wait, () => this.#next());
      return;
    }
    const [{ message }] = this.#waiting;
    // A server would end the line for it, again and again.
    if (new TextEncoder().encode(JSON.stringify(message)).length > this.#most()) {
      this.#waiting.shift().reject(new ProtocolError('too-large',
        `the descriptor is more than a message of ${this.#most()} bytes holds`));
      this.#next();
      return;
    }
    this.#isAsked = true;
    this.#askedAt = this.#now();
    this.#say(message);
  }

  #settle(name) {
    if (!this.#isAsked || this.#waiting[0].message.name !== name) {
      return null;
    }
    this.#isAsked = false;
    return this.#waiting.shift();
  }

  /** Takes in a `registered` or an `unregistered`. */
  answered(message) {
    this.#settle(message.name)?.resolve(message);
    this.#next();
  }

  /** Takes in a `wardrobe`. */
  listed({ skeletons }) {
    this.#lists.shift()?.resolve(skeletons);
  }

  /** Takes in an `error`; whether it answered a question of these. */
  refused({ code, message, ref, name }) {
    const question = ref === 'skeletons' ? this.#lists.shift()
      : ref === 'skeleton' || ref === 'unregister' ? this.#settle(name) : null;
    question?.reject(new ProtocolError(String(code), String(message)));
    this.#next();
    return Boolean(question);
  }
}
