// Recordings that play in the client's space (PROTOCOL.md, section 16): what is told of
// them, and what is asked of them.

import { ProtocolError } from './error.js';
import { Questions } from './questions.js';

const PACE_MS = 50; // who drags a slider asks for every picture

const number = (value, otherwise) => (Number.isFinite(value) ? value : otherwise);

/** One recording that plays. The object stays the same as long as it does. */
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

  /** Applies the server's description of it. */
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
   * Where it is, in seconds of the recording.
   *
   * @param {number} server the server's time, microseconds; NaN where it is not known yet
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
   * @param {object} link say(message), after(ms, run), now()
   * @param {() => void} changed told when the list or one of it is another
   */
  constructor(space, { say, after, now }, changed) {
    this.#space = space;
    this.#questions = new Questions(PACE_MS, { after, now },
      (message) => say({ type: 'replay', space, ...message }));
    this.#changed = changed;
  }

  /** Those that play in the space, in the order in which they began. */
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
   * Has a recording of the server's folder play in the space.
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

  /** To seconds of the recording; of those that were not asked for yet the last counts. */
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

  /** Its bodies leave. */
  async close(replay) {
    await this.#questions.ask({ action: 'close', id: replay.id });
  }

  /**
   * What was in the space lately plays in one of its own.
   *
   * @param {number} [seconds] how far back; 30
   * @returns {Promise<string>} the name of that space, to connect to
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

  /** The line is gone: what was asked for may have happened or not. */
  drop() {
    this.#questions.drop(new ProtocolError('lost', 'the line dropped before the answer'));
  }

  /** The client is closed. */
  end() {
    this.#questions.end();
  }

  /** Takes in a `replaying`. */
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

  /** Takes in an `error`; whether it answered a question of these. */
  refused({ code, message, ref }) {
    if (ref !== 'replay' || !this.#questions.asked) {
      return false;
    }
    this.#questions.reject(new ProtocolError(String(code), String(message)));
    return true;
  }
}
