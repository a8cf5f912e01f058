// The replays in the client's space (proto/MODULES.md, "Replays"): their state, and requests to
// change them.

import { ProtocolError } from './error.js';
import { Questions } from './connection/questions.js';
/**
 * How a recording is to be played.
 *
 * @typedef {object} ReplayOptions
 * @property {number} [from] Seconds of the recording between which it plays; all of it.
 * @property {number} [until]
 * @property {number} [speed] From 0.1 to 10; 1.
 * @property {boolean} [loop]
 * @property {boolean} [paused]
 * @property {string} [skeleton] Hash of the skeleton that all bodies wear; each wears what it wore.
 * @property {string} [prefix] Before the name of every body that `names` does not have.
 * @property {Record<string, string>} [names] New names by those of the recording; at most 16.
 */

/**
 * A recording that may be opened.
 *
 * @typedef {object} Recording
 * @property {string} file
 * @property {string} space The space that it is of.
 * @property {number} duration Seconds.
 * @property {number} bytes
 * @property {Date} changed
 */

/**
 * A marker of the recording.
 *
 * @typedef {object} ReplayMarker
 * @property {number} time
 * @property {string} text
 */

/**
 * A replay for the module that updates it.
 *
 * @typedef {{ -readonly [K in keyof Replay]: Replay[K] }} MutableReplay
 */

const PACE_MS = 50; // a slider sends a seek for every picture

/** @type {(value: any, otherwise: number) => number} */
const number = (value, otherwise) => (Number.isFinite(value) ? value : otherwise);

/** One replay of a recording. The object is the same until the replay ends. */
export class Replay {
  #time = 0;
  #at = 0;

  /** @param {number} id */
  constructor(id) {
    /** Id in the space. @type {number} @readonly */
    this.id = id;
    /** Name of the recording. @readonly */
    this.file = '';
    /** Length of the recording, seconds. @readonly */
    this.duration = 0;
    /**
     * 'ended': it is at its end, and does not loop.
     *
     * @type {'playing' | 'paused' | 'ended'}
     * @readonly
     */
    this.state = 'paused';
    /** From 0.1 to 10. @readonly */
    this.speed = 1;
    /** Whether it begins again at its end. @readonly */
    this.loop = false;
    /** Beginning of the part that plays, seconds. @readonly */
    this.from = 0;
    /** End of the part that plays, seconds. @readonly */
    this.until = 0;
    /** Markers of the recording. @type {ReplayMarker[]} @readonly */
    this.markers = [];
  }

  /**
   * Applies the state from the server.
   *
   * @param {any} state of a `replaying` message
   * @internal
   */
  update(state) {
    /** @type {MutableReplay} */
    const self = this;
    self.file = String(state.file);
    self.duration = Math.max(0, number(state.duration, 0));
    self.state = ['playing', 'paused', 'ended'].includes(state.state) ? state.state : 'paused';
    self.speed = number(state.speed, 1);
    self.loop = state.loop === true;
    self.from = number(state.from, 0);
    self.until = number(state.until, this.duration);
    this.#time = number(state.time, 0);
    this.#at = number(state.at, 0);
    if (Array.isArray(state.markers)) {
      self.markers = state.markers.filter((/** @type {any} */ marker) => Number.isFinite(marker?.time))
        .map((/** @type {ReplayMarker} */ { time, text }) => ({ time, text: String(text) }));
    }
  }

  /**
   * Returns the time in the recording, seconds, at a server time, microseconds:
   * `replay.time(client.clock.at(client.now()))`.
   *
   * @param {number} server server time, microseconds; NaN if unknown
   * @returns {number}
   */
  time(server) {
    const since = this.state === 'playing' && server > this.#at ? (server - this.#at) * 1e-6 : 0;
    const time = this.#time + since * this.speed;
    const length = this.until - this.from;
    return this.loop && length > 0 && time > this.until
      ? this.from + ((time - this.from) % length)
      : Math.min(Math.max(time, this.from), this.until);
  }
}

/**
 * The replays in a client's space. Methods that change a replay need the role `record`. Their
 * promise rejects with a ProtocolError if the server refuses.
 */
export class Replays {
  #space;
  #environment;
  #questions;
  #changed;
  /** @type {Map<number, Replay>} */
  #byId = new Map();

  /**
   * @param {string} space
   * @param {{ send: (message: object) => void, after: (ms: number, run: () => void) => void,
   *   now: () => number,
   *   environment: () => { address: string, token: string | undefined, fetch: typeof fetch | null } }} link
   * @param {() => void} changed called after a change of the list or of a replay
   */
  constructor(space, { send, after, now, environment }, changed) {
    this.#space = space;
    this.#environment = environment;
    this.#questions = new Questions('replay', PACE_MS, { after, now },
      (message) => send({ type: 'replay', space, ...message }));
    this.#changed = changed;
  }

  /** The replays in the space, in the order of their start. @returns {Replay[]} */
  get list() {
    return [...this.#byId.values()];
  }

  /**
   * Returns a replay by its id.
   *
   * @param {number} id
   * @returns {Replay | undefined}
   */
  get(id) {
    return this.#byId.get(id);
  }

  /** The recordings in the server's folder, the newest first. @returns {Promise<Recording[]>} */
  async recordings() {
    const { recordings } = await this.#questions.ask({ action: 'list' });
    return (Array.isArray(recordings) ? recordings : [])
      .filter((one) => typeof one?.file === 'string')
      .map(({ file, space, duration, bytes, changed }) => ({ file, space: String(space ?? ''),
        duration: number(duration, 0), bytes: number(bytes, 0), changed: new Date(1000 * number(changed, 0)) }));
  }

  /**
   * Plays a recording of the server's folder in the space.
   *
   * @param {string} file its name
   * @param {ReplayOptions} [options]
   * @returns {Promise<Replay>} rejects with a ProtocolError
   */
  async open(file, options = {}) {
    const { opened } = await this.#questions.ask({ ...options, action: 'open', file });
    return /** @type {Replay} */ (this.#byId.get(opened));
  }

  /**
   * Continues a replay.
   *
   * @param {Replay} replay
   * @returns {Promise<void>}
   */
  async play(replay) {
    await this.#questions.ask({ action: 'play', id: replay.id });
  }

  /**
   * Stops a replay at its current time.
   *
   * @param {Replay} replay
   * @returns {Promise<void>}
   */
  async pause(replay) {
    await this.#questions.ask({ action: 'pause', id: replay.id });
  }

  /**
   * Moves to a time, seconds; an unsent earlier request is replaced.
   *
   * @param {Replay} replay
   * @param {number} time
   * @returns {Promise<void>}
   */
  async seek(replay, time) {
    const waiting = this.#questions.find(({ action, id }) => action === 'seek' && id === replay.id);
    if (waiting) {
      waiting.message.time = time;
      await waiting.promise;
    } else {
      await this.#questions.ask({ action: 'seek', id: replay.id, time });
    }
  }

  /**
   * Sets the speed.
   *
   * @param {Replay} replay
   * @param {number} speed from 0.1 to 10
   * @returns {Promise<void>}
   */
  async setSpeed(replay, speed) {
    await this.#questions.ask({ action: 'speed', id: replay.id, speed });
  }

  /**
   * Sets whether a replay begins again at its end.
   *
   * @param {Replay} replay
   * @param {boolean} loop
   * @returns {Promise<void>}
   */
  async setLoop(replay, loop) {
    await this.#questions.ask({ action: 'loop', id: replay.id, loop });
  }

  /**
   * Sets the part that plays, in seconds; default all.
   *
   * @param {Replay} replay
   * @param {number} [from]
   * @param {number} [until]
   * @returns {Promise<void>}
   */
  async setRange(replay, from = 0, until = undefined) {
    await this.#questions.ask({ action: 'range', id: replay.id, from, until });
  }

  /**
   * Ends the replay; its bodies leave.
   *
   * @param {Replay} replay
   * @returns {Promise<void>}
   */
  async close(replay) {
    await this.#questions.ask({ action: 'close', id: replay.id });
  }

  /**
   * Plays the last seconds of the space (default 30) in another space and returns the name of that
   * space to connect to. Needs only the role `watch`.
   *
   * @param {number} [seconds] length; default 30
   * @returns {Promise<string>} name of that space
   */
  async rewind(seconds = 30) {
    const { past } = await this.#questions.ask({ action: 'rewind', seconds });
    return past;
  }

  /**
   * Plays a motion file or a recording to this client alone, in a loop: returns the name of a private
   * space to connect to, which closes when the client has left it. Seconds may pass until the server has
   * read the file. Needs the role `record` in the space.
   *
   * @param {ArrayBuffer | Uint8Array} bytes in any format that the server reads
   * @param {string} name of the file, for people
   * @returns {Promise<string>} rejects with a ProtocolError: why the file cannot be played
   */
  async playFile(bytes, name) {
    const { sendMotion } = await import('./connection/motion-file.js');
    return sendMotion(this.#environment(), this.#space.replace(/~\d+$/, ''), bytes, name);
  }

  /** Resets the list after a greeting; the server then sends it. @internal */
  greet() {
    if (this.#byId.size > 0) {
      this.#byId.clear();
      this.#changed();
    }
    this.#questions.greet();
  }

  /** The connection is lost: it is unknown whether the pending request took effect. @internal */
  drop() {
    this.#questions.drop(new ProtocolError('lost', 'the connection was lost before the answer'));
  }

  /** The client is closed. @internal */
  end() {
    this.#questions.end();
  }

  /**
   * Handles a `replaying` message.
   *
   * @param {any} message
   * @internal
   */
  told(message) {
    if (message.space !== this.#space || !Array.isArray(message.replays)) {
      return;
    }
    const before = this.#byId;
    this.#byId = new Map();
    for (const told of message.replays) {
      if (Number.isInteger(told?.id)) {
        const replay = before.get(told.id) ?? new Replay(told.id);
        replay.update(told);
        this.#byId.set(told.id, replay);
      }
    }
    this.#changed();
    if (message.answers && this.#questions.isAnswer(message, ({ action }) => action === message.answers)) {
      this.#questions.resolve(message);
    }
  }

  /**
   * Handles an `error`; returns whether it answers a request of this queue.
   *
   * @param {any} error
   * @internal
   */
  refused(error) {
    if (error.ref !== 'replay' || !this.#questions.isAnswer(error, () => true)) {
      return false;
    }
    this.#questions.reject(new ProtocolError(String(error.code), String(error.message)));
    return true;
  }
}
