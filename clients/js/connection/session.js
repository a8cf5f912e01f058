// The exchange that opens each connection, the pings that follow, and the state of the connection.

import { hasModelChains, loadModelChains } from '../chain.js';
import { ProtocolError, text } from '../error.js';
/**
 * @import { ConnectionState, Welcome } from './events.js'
 * @import { Line } from './line.js'
 */

/**
 * Options of a client.
 *
 * @typedef {object} SessionOptions
 * @property {string} [space] Name of the space; `lobby`.
 * @property {string} [client] Name of this client in the server's log.
 * @property {boolean} [credit] Acknowledge, so that the server never queues motion for us; true.
 * @property {number[]} [codings] Rotation codings to ask for; [3, 2, 1]. Coding 3 is left out if its
 *   module cannot be loaded.
 */

export const SUBPROTOCOL = 'jointcast.v1';
const MODEL_CHAINS = 3; // a coding whose module is loaded on demand
const CODINGS = [MODEL_CHAINS, 2, 1];
const LOAD_MS = 3000; // most time between the opening of the socket and `hello`
const PING_MS = 2000;
const FIRST_PINGS = 5; // in quick succession, for an early clock
const FIRST_PING_MS = 200;

/** One connection to the server after another. */
export class Session {
  #codings;
  #hello;
  #line;
  /** Ends when the module of coding 3 is loaded or cannot be loaded. @type {Promise<unknown> | null} */
  #loading;
  #changed;

  /**
   * @param {SessionOptions} options
   * @param {Line} line
   * @param {(change: { state: ConnectionState, delay?: number, code?: number, reason?: string }) => void} changed
   */
  constructor({ codings = CODINGS, credit = true, client = 'jointcast.js' }, line, changed) {
    this.#codings = codings;
    this.#loading = codings.includes(MODEL_CHAINS) ? loadModelChains().catch(() => {}) : null;
    this.#hello = { type: 'hello', credit, client };
    this.#line = line;
    this.#changed = changed;
    /** State of the connection. @type {ConnectionState} */
    this.state = 'connecting';
    /** The server's last `welcome`. @type {Welcome | null} */
    this.welcome = null;
  }

  /** Whether the client may send requests about the space. */
  get isOpen() {
    return this.state === 'connected' || this.state === 'live';
  }

  /** @param {ConnectionState} state @param {{ delay?: number, code?: number, reason?: string }} [detail] */
  become(state, detail) {
    this.state = state;
    this.#changed({ state, ...detail });
  }

  /** Calls `ready` when it is known what the client decodes. @param {() => void} ready */
  prepare(ready) {
    if (!this.#loading || hasModelChains()) {
      ready();
      return;
    }
    this.#line.after('load', LOAD_MS, ready);
    // The timer keeps an exception of a listener out of the promise: it is reported as in other events.
    this.#loading.then(() => this.#line.awaits('load') && this.#line.after('load', 0, ready));
  }

  /**
   * The socket has opened. Messages of the client follow; then `begin`.
   *
   * @param {string | undefined} token
   */
  greet(token) {
    const codings = this.#codings.filter((coding) => coding !== MODEL_CHAINS || hasModelChains());
    this.#line.send({ ...this.#hello, codings, token });
  }

  /** The greeting is complete: the connection counts, and pings begin. */
  begin() {
    this.become('connected');
    this.#ping(FIRST_PINGS);
  }

  /** @param {number} quick */
  #ping(quick) {
    this.#line.send({ type: 'ping', t: this.#line.now() });
    this.#line.after('ping', quick > 0 ? FIRST_PING_MS : PING_MS, () => this.#ping(quick - 1));
  }

  /**
   * Handles a `welcome`.
   *
   * @param {any} message
   * @returns {ProtocolError | null} the server speaks another protocol: the client ends
   */
  welcomed(message) {
    if (message.protocol !== SUBPROTOCOL) {
      return new ProtocolError('unsupported', `the server speaks '${text(message.protocol)}', not '${SUBPROTOCOL}'`);
    }
    this.welcome = message;
    return null;
  }
}
