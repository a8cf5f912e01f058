// The WebSocket connection of a client: fetches a token, detects silence, and reconnects
// with increasing delays.

import { ConnectError } from '../error.js';
import { httpAddress } from './address.js';

/**
 * The part of a WebSocket that is used; browsers, Node 22 and npm `ws` have it.
 *
 * @typedef {object} WebSocketLike
 * @property {string} binaryType
 * @property {number} readyState
 * @property {((event: any) => void) | null} onopen
 * @property {((event: any) => void) | null} onmessage
 * @property {((event: any) => void) | null} onerror
 * @property {((event: any) => void) | null} onclose
 * @property {number} [bufferedAmount]
 * @property {(data: string | Uint8Array) => void} send
 * @property {(code?: number) => void} close
 */

/**
 * Options of the connection. The last five are for tests.
 *
 * @typedef {object} LineOptions
 * @property {new (url: string, protocol: string) => any} [WebSocket] Constructor, where there is no
 *   global one (Node before 22: npm `ws`).
 * @property {string | (() => string | Promise<string>)} [token] A JSON Web Token for a server with
 *   keys, or a function that returns one, called for each connection. The client closes if the
 *   server refuses the token and there is no other.
 * @property {typeof fetch | null} [fetch] For requests over HTTP, also for the reason why the server refused a
 *   WebSocket.
 * @property {() => number} [now] Local milliseconds that never go backwards; performance.now.
 * @property {() => number} [random] From 0 to 1.
 * @property {(run: () => void, ms: number) => any} [setTimeout]
 * @property {(id: any) => void} [clearTimeout]
 */

/**
 * Receives the reports of a connection.
 *
 * @typedef {object} LineUser
 * @property {() => void} connecting
 * @property {(ready: () => void) => void} prepare A socket has opened: calls `ready` when the user can
 *   use it.
 * @property {(token: string | undefined) => void} open
 * @property {(data: string | ArrayBuffer) => void} message
 * @property {() => void} dropped
 * @property {(detail: { delay: number, code: number, reason: string }) => void} waiting
 * @property {(error: Error) => void} error
 * @property {() => void} failed A retry is useless.
 */

const SILENCE_MS = 10000; // a server answers pings, so a longer silence means a dead connection
const BACKOFF_MS = 500;
const BACKOFF_MAX_MS = 30000;
const AGAIN_MAX_MS = 5000; // of questions on an open connection
const STEADY_MS = 10000; // a connection that lasted this long starts the back-off anew
const OPEN = 1;

/** A connection that is made again when it is lost. */
export class Line {
  #url;
  #subprotocol;
  #token;
  #environment;
  #user;
  /** @type {WebSocketLike | null} */
  #socket = null;
  #attempt = 0; // to connect
  #reconnects = 0;
  /** Delay that a stopping server requested. @type {number | null} */
  #returnMs = null;
  #openedAt = 0;
  #openings = 0; // sockets that opened
  #isEnded = false;
  /** By purpose. @type {Map<string, unknown>} */
  #timers = new Map();

  /**
   * @param {string} url ws: or wss:, or relative to the page
   * @param {string} subprotocol
   * @param {LineOptions} options
   * @param {LineUser} user
   */
  constructor(url, subprotocol, options, user) {
    this.#url = url;
    this.#subprotocol = subprotocol;
    this.#token = options.token;
    /** @type {Required<Omit<LineOptions, 'token'>>} */
    this.#environment = {
      WebSocket: options.WebSocket ?? globalThis.WebSocket,
      now: options.now ?? (() => performance.now()),
      random: options.random ?? Math.random,
      setTimeout: options.setTimeout ?? ((f, ms) => setTimeout(f, ms)),
      clearTimeout: options.clearTimeout ?? ((id) => clearTimeout(id)),
      fetch: options.fetch === undefined ? globalThis.fetch?.bind(globalThis) ?? null : options.fetch,
    };
    this.#user = user;
    if (!this.#environment.WebSocket) {
      throw new TypeError('there is no WebSocket: pass one as options.WebSocket');
    }
    /** Time of the last message. */
    this.heardAt = 0;
    /** Token of the last connection. @type {string | undefined} */
    this.token = undefined;
    // Deferred, so that the caller can add listeners before the first event.
    this.after('connect', 0, () => this.#open());
  }

  /** Whether each connection fetches a new token. */
  get fetchesTokens() {
    return typeof this.#token === 'function';
  }

  /** For requests over HTTP to the same server. */
  get environment() {
    return { address: this.#url, token: this.token, fetch: this.#environment.fetch };
  }

  /** Bytes that wait in the socket. */
  get buffered() {
    return this.#socket?.bufferedAmount ?? 0;
  }

  now() {
    return this.#environment.now();
  }

  /**
   * Schedules a call; replaces an earlier one of the same name. A lost connection cancels all.
   *
   * @param {string} what
   * @param {number} ms
   * @param {() => void} then
   */
  after(what, ms, then) {
    this.#environment.clearTimeout(this.#timers.get(what));
    this.#timers.set(what, this.#environment.setTimeout(() => {
      this.#timers.delete(what);
      then();
    }, ms));
  }

  /**
   * Schedules a call at a random time below a bound that doubles with the number of attempts before.
   *
   * @param {string} what
   * @param {number} attempts
   * @param {() => void} then
   */
  again(what, attempts, then) {
    this.after(what, this.#jitter(attempts, AGAIN_MAX_MS), then);
  }

  /**
   * Whether a call of that name is scheduled.
   *
   * @param {string} what
   */
  awaits(what) {
    return this.#timers.has(what);
  }

  /**
   * Sends a control message; does nothing without a connection.
   *
   * @param {object} message
   */
  send(message) {
    if (this.#socket?.readyState === OPEN && this.#openedAt !== Infinity) {
      this.#socket.send(JSON.stringify(message));
    }
  }

  /**
   * Sends bytes; does nothing without a connection.
   *
   * @param {Uint8Array} bytes
   */
  sendBytes(bytes) {
    this.#socket?.send(bytes);
  }

  /**
   * Sets the delay before the next connection, milliseconds.
   *
   * @param {number | null} ms
   */
  returnAfter(ms) {
    this.#returnMs = ms;
  }

  /** Ends the connection; the client does not reconnect. */
  end() {
    this.#isEnded = true;
    this.#drop(1000);
  }

  // A token may come from a service or from the user, so a function is called for each
  // connection.
  #open() {
    const attempt = ++this.#attempt;
    this.#openedAt = Infinity;
    this.#user.connecting();
    const token = this.#token;
    if (typeof token !== 'function') {
      this.#connect(token);
      return;
    }
    // The timer keeps an exception of a listener out of the promise: it is reported as in other events.
    /** @type {<T>(handle: (value: T) => void) => (value: T) => void} */
    const current = (handle) => (value) => {
      if (attempt === this.#attempt) {
        this.after('connect', 0, () => handle(value));
      }
    };
    Promise.resolve().then(token).then(current((fetched) => this.#connect(fetched)),
      current((error) => {
        this.#retry(1006, 'no token');
        this.#user.error(error);
      }));
  }

  /** @param {string | undefined} token */
  #connect(token) {
    this.token = token;
    /** @type {WebSocketLike} */
    let socket;
    /** @type {URL} */
    let health;
    try {
      health = httpAddress(this.#url, 'healthz');
      socket = new this.#environment.WebSocket(this.#url, this.#subprotocol);
    } catch (error) {
      this.#user.error(new ConnectError('invalid-url', `cannot connect to '${this.#url}': ${/** @type {Error} */ (error).message}`,
        'Use ws:// or wss://; pages of https: need wss:, except to localhost.', { cause: error }));
      this.#user.failed();
      return;
    }
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    // Ignores events of an abandoned socket.
    /** @type {(handle: (event: any) => void) => (event?: any) => void} */
    const current = (handle) => (event) => {
      if (socket === this.#socket) {
        handle(event);
      }
    };
    socket.onopen = current(() => this.#user.prepare(current(() => this.#greet(token))));
    socket.onmessage = current(({ data }) => {
      this.heardAt = this.now();
      this.#user.message(data);
    });
    /** @type {unknown} */
    let cause;
    socket.onerror = current(({ error }) => {
      cause = error;
      if (this.#openedAt !== Infinity) {
        this.#user.error(new ConnectError('lost', `the connection to ${this.#url} failed`,
          'The client connects again by itself.', { cause }));
      }
    });
    socket.onclose = current(({ code, reason }) => {
      if (this.#openedAt === Infinity) {
        this.#explain(health, cause);
      }
      this.#retry(code, reason);
    });
    this.heardAt = this.now();
    this.after('silence', SILENCE_MS, () => this.#listen());
  }

  /**
   * Reports why a socket did not open, unless a later one opened before the reason is known.
   *
   * @param {URL} health
   * @param {unknown} cause
   */
  #explain(health, cause) {
    const openings = this.#openings;
    // Loaded on demand; a page whose server is gone may not get the module.
    const diagnosis = import('./diagnosis.js').then(({ diagnose }) => diagnose(health, cause, this.#environment.fetch),
      () => new ConnectError('unreachable', `no connection to ${health.host}`, 'Check that jointcastd runs there.', { cause }));
    // The timer keeps an exception of a listener out of the promise: it is reported as in other events.
    diagnosis.then((error) => this.#environment.setTimeout(() => {
      if (!this.#isEnded && openings === this.#openings) {
        this.#user.error(error);
      }
    }, 0));
  }

  /** @param {string | undefined} token */
  #greet(token) {
    this.#openedAt = this.heardAt = this.now();
    this.#openings++;
    this.#user.open(token);
  }

  /** @param {number} [code] */
  #drop(code) {
    this.#attempt++;
    const socket = this.#socket;
    this.#socket = null;
    this.#user.dropped();
    for (const timer of this.#timers.values()) {
      this.#environment.clearTimeout(timer);
    }
    this.#timers.clear();
    socket?.close(code);
  }

  /**
   * Full jitter: a random delay below a bound that doubles, so that the clients of a
   * restarted server do not reconnect at the same time.
   *
   * @param {number} code
   * @param {string} reason
   */
  #retry(code, reason) {
    if (this.now() - this.#openedAt >= STEADY_MS) {
      this.#reconnects = 0;
    }
    // A move that the server requested is not a failure.
    const delay = this.#returnMs ?? this.#jitter(this.#reconnects++, BACKOFF_MAX_MS);
    this.#returnMs = null;
    this.#drop();
    this.after('connect', delay, () => this.#open());
    this.#user.waiting({ delay, code, reason });
  }

  /** @param {number} attempts @param {number} most */
  #jitter(attempts, most) {
    return this.#environment.random() * Math.min(most, BACKOFF_MS * 2 ** attempts);
  }

  #listen() {
    const silent = this.now() - this.heardAt;
    if (silent >= SILENCE_MS) {
      this.#retry(1006, 'silence');
    } else {
      this.after('silence', SILENCE_MS - silent, () => this.#listen());
    }
  }
}
