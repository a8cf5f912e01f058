// Registers a client's skeletons (proto/SKELETONS.md, "Skeletons of one's own"), and registers them again after a
// reconnection, which may lead to another server.

import { ProtocolError } from './error.js';
import { Questions } from './questions.js';

const PACE_MS = 125;

export class Registrations {
  #send;
  #questions;
  #lists = []; // callers that wait for the list of skeletons
  #kept = new Map(); // descriptors of registered skeletons, by name
  #greetings = 0;
  #isGreeted = false;
  #isEnded = false;

  /**
   * @param {object} link send(message), after(ms, run), now(), most(): bytes of a message
   */
  constructor({ send, after, now, most }) {
    this.#send = send;
    this.#questions = new Questions(PACE_MS, { after, now }, (message) => {
      // The server would close each connection because of this message.
      if (new TextEncoder().encode(JSON.stringify(message)).length > most()) {
        throw new ProtocolError('too-large',
          `the descriptor exceeds the message limit of ${most()} bytes`);
      }
      send(message);
    });
  }

  /** Resolves with the server's answer, rejects with a ProtocolError. */
  ask(message) {
    return this.#questions.ask(message);
  }

  list() {
    return new Promise((resolve, reject) => {
      this.#lists.push({ resolve, reject });
      if (this.#isEnded) {
        this.end();
      } else if (this.#isGreeted) {
        this.#send({ type: 'skeletons' });
      }
    });
  }

  /**
   * The server accepted the connection: sends the waiting requests.
   *
   * @param {() => void} ready called when all skeletons are registered again
   */
  greet(ready) {
    this.#isGreeted = true;
    this.#lists.forEach(() => this.#send({ type: 'skeletons' }));
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

  /** The connection is lost; an unanswered request is repeated. */
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

  /** Handles a `registered` or `unregistered` message. */
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

  /** Handles a `wardrobe` message. */
  listed({ skeletons }) {
    this.#lists.shift()?.resolve(skeletons);
  }

  /** Handles an `error`; returns whether it answers a request of this queue. */
  refused({ code, message, ref, name }) {
    const isOfList = ref === 'skeletons' && this.#lists.length > 0;
    const asked = this.#questions.asked;
    // The error for an invalid name has no name.
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
