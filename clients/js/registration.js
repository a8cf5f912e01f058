// Skeletons of a client's own (PROTOCOL.md, section 15), asked for again when the line broke:
// before the answer, or after it, for another server may have come, which knows none of them.

import { ProtocolError } from './error.js';
import { Questions } from './questions.js';

const PACE_MS = 125;

export class Registrations {
  #say;
  #questions;
  #lists = []; // those who wait for the wardrobe
  #kept = new Map(); // descriptors of what is registered, by name
  #greetings = 0;
  #isGreeted = false;
  #isEnded = false;

  /**
   * @param {object} link say(message), after(ms, run), now(), most(): bytes of a message
   */
  constructor({ say, after, now, most }) {
    this.#say = say;
    this.#questions = new Questions(PACE_MS, { after, now }, (message) => {
      // A server would end the line for it, again and again.
      if (new TextEncoder().encode(JSON.stringify(message)).length > most()) {
        throw new ProtocolError('too-large',
          `the descriptor is more than a message of ${most()} bytes holds`);
      }
      say(message);
    });
  }

  /** Resolves with what the server answers, rejects with a ProtocolError. */
  ask(message) {
    return this.#questions.ask(message);
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

  /**
   * The server was greeted: what is still open, please.
   *
   * @param {() => void} ready is called once it knows what the one before knew
   */
  greet(ready) {
    this.#isGreeted = true;
    this.#lists.forEach(() => this.#say({ type: 'skeletons' }));
    const again = [...this.#kept].map(([name, descriptor]) => this.#again(name, descriptor));
    this.#questions.greet();
    if (again.length === 0) {
      ready();
      return;
    }
    const greeting = ++this.#greetings;
    Promise.allSettled(again).then(() => greeting === this.#greetings && ready());
  }

  #again(name, descriptor) {
    const waiting = this.#questions.find((message) => message.type === 'skeleton' && message.name === name);
    return (waiting ?? { promise: this.ask({ type: 'skeleton', name, descriptor }) }).promise;
  }

  /** The line is gone, and with it the answer that was awaited. */
  drop() {
    this.#isGreeted = false;
    this.#greetings++;
    this.#questions.drop();
  }

  /** The client is closed. */
  end() {
    this.#isEnded = true;
    this.#greetings++;
    const error = new ProtocolError('closed', 'the connection was closed');
    this.#lists.splice(0).forEach(({ reject }) => reject(error));
    this.#questions.end();
  }

  /** Takes in a `registered` or an `unregistered`. */
  answered(message) {
    const { asked } = this.#questions;
    if (asked?.name !== message.name) {
      return;
    }
    if (asked.type === 'skeleton') {
      this.#kept.set(asked.name, asked.descriptor);
    } else {
      this.#kept.delete(asked.name);
    }
    this.#questions.resolve(message);
  }

  /** Takes in a `wardrobe`. */
  listed({ skeletons }) {
    this.#lists.shift()?.resolve(skeletons);
  }

  /** Takes in an `error`; whether it answered a question of these. */
  refused({ code, message, ref, name }) {
    const isOfList = ref === 'skeletons' && this.#lists.length > 0;
    const asked = this.#questions.asked;
    // A name that cannot be one is not told of either.
    const isOfOne = (ref === 'skeleton' || ref === 'unregister') && asked?.type === ref &&
      (name === undefined || asked.name === name);
    if (!isOfList && !isOfOne) {
      return false;
    }
    (isOfList ? this.#lists.shift() : this.#questions)
      .reject(new ProtocolError(String(code), String(message)));
    return true;
  }
}
