// The replays in the client's space (proto/MODULES.md, "Replays"): their state, and requests to
// change them.

import { ProtocolError } from './error.js';
import { Questions } from './questions.js';

const PACE_MS = 50; // a slider sends a seek for every picture

const number = (value, otherwise) => (Number.isFinite(value) ? value : otherwise);

/** One replay of a recording. The object is the same until the replay ends. */
export class Replay {
  #time = 0;
  #at = 0;

  constructor(id) {
    this.id = id;
    this.file = '';
    this.duration = 0;
    /** @type {'playing' | 'paused' | 'ended'} */
    this.state = 'paused';
    this.speed = 1;
    this.loop = false;
    this.from = 0;
    this.until = 0;
    /** @type {{time: number, text: string}[]} */
    this.markers = [];
  }

  /** Applies the state from the server. */
  update(told) {
    this.file = String(told.file);
    this.duration = Math.max(0, number(told.duration, 0));
    this.state = ['playing', 'paused', 'ended'].includes(told.state) ? told.state : 'paused';
    this.speed = number(told.speed, 1);
    this.loop = told.loop === true;
    this.from = number(told.from, 0);
    this.until = number(told.until, this.duration);
    this.#time = number(told.time, 0);
    this.#at = number(told.at, 0);
    if (Array.isArray(told.markers)) {
      this.markers = told.markers.filter((marker) => Number.isFinite(marker?.time))
        .map(({ time, text }) => ({ time, text: String(text) }));
    }
  }

  /**
   * Returns the current time in the recording, in seconds.
   *
   * @param {number} server server time, microseconds; NaN if unknown
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

export class Replays {
  #space;
  #questions;
  #changed;
  #byId = new Map();

  /**
   * @param {string} space
   * @param {object} link send(message), after(ms, run), now()
   * @param {() => void} changed called after a change of the list or of a replay
   */
  constructor(space, { send, after, now }, changed) {
    this.#space = space;
    this.#questions = new Questions(PACE_MS, { after, now },
      (message) => send({ type: 'replay', space, ...message }));
    this.#changed = changed;
  }

  /** The replays in the space, in the order of their start. */
  get list() {
    return [...this.#byId.values()];
  }

  get(id) {
    return this.#byId.get(id);
  }

  /** The recordings in the server's folder, the newest first: see replay.d.ts. */
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
   * @param {object} [options] see replay.d.ts
   * @returns {Promise<Replay>} rejects with a ProtocolError
   */
  async open(file, options = {}) {
    const { opened } = await this.#questions.ask({ ...options, action: 'open', file });
    return this.#byId.get(opened);
  }

  async play(replay) {
    await this.#questions.ask({ action: 'play', id: replay.id });
  }

  async pause(replay) {
    await this.#questions.ask({ action: 'pause', id: replay.id });
  }

  /** Moves to a time, seconds; an unsent earlier request is replaced. */
  async seek(replay, time) {
    const waiting = this.#questions.find(({ action, id }) => action === 'seek' && id === replay.id);
    if (waiting) {
      waiting.message.time = time;
      await waiting.promise;
    } else {
      await this.#questions.ask({ action: 'seek', id: replay.id, time });
    }
  }

  async setSpeed(replay, speed) {
    await this.#questions.ask({ action: 'speed', id: replay.id, speed });
  }

  async setLoop(replay, loop) {
    await this.#questions.ask({ action: 'loop', id: replay.id, loop });
  }

  /** Sets the part that plays, in seconds; default all. */
  async setRange(replay, from = 0, until = undefined) {
    await this.#questions.ask({ action: 'range', id: replay.id, from, until });
  }

  /** Ends the replay; its bodies leave. */
  async close(replay) {
    await this.#questions.ask({ action: 'close', id: replay.id });
  }

  /**
   * Plays the last seconds of the space in another space.
   *
   * @param {number} [seconds] length; default 30
   * @returns {Promise<string>} name of that space
   */
  async rewind(seconds = 30) {
    const { past } = await this.#questions.ask({ action: 'rewind', seconds });
    return past;
  }

  /** Resets the list after a greeting; the server then sends it. */
  greet() {
    if (this.#byId.size > 0) {
      this.#byId.clear();
      this.#changed();
    }
    this.#questions.greet();
  }

  /** The connection is lost: it is unknown whether the pending request took effect. */
  drop() {
    this.#questions.drop(new ProtocolError('lost', 'the connection was lost before the answer'));
  }

  /** The client is closed. */
  end() {
    this.#questions.end();
  }

  /** Handles a `replaying` message. */
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
    if (message.answers && message.answers === this.#questions.asked?.action) {
      this.#questions.resolve(message);
    }
  }

  /** Handles an `error`; returns whether it answers a request of this queue. */
  refused({ code, message, ref }) {
    if (ref !== 'replay' || !this.#questions.asked) {
      return false;
    }
    this.#questions.reject(new ProtocolError(String(code), String(message)));
    return true;
  }
}
