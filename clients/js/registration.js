// Registers a client's skeletons (proto/SKELETONS.md, "Skeletons of one's own"), and registers them again after a
// reconnection, which may lead to another server.

import { httpAddress } from './connection/address.js';
import { takeAsked } from './connection/asked.js';
import { requestJson } from './connection/http.js';
import { Questions } from './connection/questions.js';
import { ProtocolError } from './error.js';
/** @import { Descriptor } from './descriptor.js' */

/**
 * A defect that an artist should repair.
 *
 * @typedef {object} Finding
 * @property {'warning' | 'note'} severity
 * @property {string} code
 * @property {string} [bone]
 * @property {string} text
 */

/**
 * A registered skeleton.
 *
 * @typedef {object} Registered
 * @property {string} name
 * @property {string} hash For `publish` and `subscribe`.
 * @property {boolean} stored Whether it outlives a restart of the server.
 * @property {Finding[]} lint
 */

/**
 * A registered skeleton in a list.
 *
 * @typedef {object} RegisteredSkeleton
 * @property {string} name
 * @property {string} hash
 * @property {number} bytes Size of its descriptor.
 * @property {boolean} worn Whether a body wears it.
 */

const PACE_MS = 125;
const PATIENCE_MS = 60000;

/**
 * Registers the skeleton of a file over HTTP and returns its descriptor.
 *
 * @param {{ address: string, token: string | undefined, fetch: typeof fetch | null }} environment
 * @param {string} name
 * @param {ArrayBuffer | Uint8Array} file
 * @returns {Promise<{ hash: string, descriptor: Descriptor }>}
 */
export async function recognizeSkeleton({ address, ...rest }, name, file) {
  const url = httpAddress(address, `skeletons/${encodeURIComponent(name)}`);
  const { hash } = await requestJson(url, { ...rest, method: 'PUT', bytes: file, patience: PATIENCE_MS });
  return { hash: String(hash), descriptor: await requestJson(url, rest) };
}

/** The registered skeletons of a client. */
export class Registrations {
  #send;
  #questions;
  /**
   * Callers that wait for the list of skeletons.
   *
   * @type {{ request: string, resolve: (skeletons: RegisteredSkeleton[]) => void, reject: (error: unknown) => void }[]}
   */
  #lists = [];
  #listCount = 0;
  /** Descriptors of registered skeletons, by name. @type {Map<string, object>} */
  #kept = new Map();
  #greetings = 0;
  #isGreeted = false;
  #isEnded = false;

  /**
   * @param {{ send: (message: object) => void, after: (ms: number, run: () => void) => void,
   *   now: () => number, most: () => number }} link most: bytes of a message
   */
  constructor({ send, after, now, most }) {
    this.#send = send;
    this.#questions = new Questions('skeleton', PACE_MS, { after, now }, (message) => {
      // The server would close each connection because of this message.
      if (new TextEncoder().encode(JSON.stringify(message)).length > most()) {
        throw new ProtocolError('too-large',
          `the descriptor exceeds the message limit of ${most()} bytes`);
      }
      send(message);
    });
  }

  /**
   * Resolves with the server's answer, rejects with a ProtocolError.
   *
   * @param {object} message
   */
  ask(message) {
    return this.#questions.ask(message);
  }

  /** @returns {Promise<RegisteredSkeleton[]>} */
  list() {
    return new Promise((resolve, reject) => {
      const request = `list ${++this.#listCount}`;
      this.#lists.push({ request, resolve, reject });
      if (this.#isEnded) {
        this.end();
      } else if (this.#isGreeted) {
        this.#send({ type: 'skeletons', request });
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
    this.#lists.forEach(({ request }) => this.#send({ type: 'skeletons', request }));
    const again = [...this.#kept].map(([name, descriptor]) => this.#again(name, descriptor));
    this.#questions.greet();
    if (again.length === 0) {
      ready();
      return;
    }
    const greeting = ++this.#greetings;
    Promise.allSettled(again).then(() => greeting === this.#greetings && ready());
  }

  /** @param {string} name @param {object} descriptor */
  #again(name, descriptor) {
    const waiting = this.#questions.find((message) =>
      message.type === 'skeleton' && message.name === name);
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

  /**
   * Handles a `registered` or `unregistered` message.
   *
   * @param {any} message
   */
  answered(message) {
    const { asked } = this.#questions;
    if (!this.#questions.isAnswer(message, ({ name }) => name === message.name)) {
      return;
    }
    if (asked.type === 'skeleton') {
      this.#kept.set(asked.name, asked.descriptor);
    } else {
      this.#kept.delete(asked.name);
    }
    this.#questions.resolve(message);
  }

  /**
   * Handles a `wardrobe` message.
   *
   * @param {any} message
   */
  listed(message) {
    takeAsked(this.#lists, message)?.resolve(message.skeletons);
  }

  /**
   * Handles an `error`; returns whether it answers a request of this queue.
   *
   * @param {any} error
   */
  refused(error) {
    const { code, message, ref, name } = error;
    // The error for an invalid name has no name.
    const isOfOne = this.#questions.isAnswer(error,
      (asked) => asked.type === ref && (name === undefined || asked.name === name));
    const refused = isOfOne ? this.#questions
      : ref === 'skeletons' ? takeAsked(this.#lists, error) : undefined;
    refused?.reject(new ProtocolError(String(code), String(message)));
    return refused !== undefined;
  }
}
