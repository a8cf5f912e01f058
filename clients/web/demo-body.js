// A body for visitors without a headset: the built-in walk, played in a loop. The build makes its track
// (tools/pack-track.mjs).

import { BodyFrame, JOINTS } from 'jointcast';
import { slerp } from 'jointcast/quat.js';
import { text } from './texts.js';
import { COORDINATES, readTrack } from './track.js';

/** Seconds between two blinks, and of one blink. */
const BLINK_EVERY = 3.7;
const BLINK = 0.24;

export class DemoBody {
  #seconds;
  #frames;

  constructor({ profile, joints, states, seconds, frames }) {
    if (joints.join() !== JOINTS.join())
      throw new Error(text('demo.differs'));
    /** Profile of the joint axes. */
    this.profile = profile;
    this.frame = new BodyFrame();
    this.frame.states.set(states);
    /** Names of the values of its frames. */
    this.channels = ['expression/blink'];
    this.frame.values = new Float32Array(1);
    this.#seconds = seconds;
    this.#frames = frames;
  }

  /** @param {string} url of a track */
  static async load(url) {
    const response = await fetch(url);
    if (!response.ok)
      throw new Error(text('demo.unloaded', { url, status: response.status }));
    return new DemoBody(readTrack(await response.text()));
  }

  /** Returns the body frame at a time in seconds; always the same object. */
  at(seconds) {
    const last = this.#frames.length - 1;
    const place = ((seconds % this.#seconds) / this.#seconds) * last;
    const i = Math.min(last - 1, Math.floor(place));
    const part = place - i;
    const a = this.#frames[i];
    const b = this.#frames[i + 1];
    const { positions, rotations, states } = this.frame;
    for (let joint = 0; joint < states.length; joint++) {
      const from = COORDINATES * joint;
      for (let c = 0; c < 3; c++)
        positions[3 * joint + c] = a[from + c] + part * (b[from + c] - a[from + c]);
      slerp(a, from + 3, b, from + 3, part, rotations, 4 * joint);
    }
    this.frame.values[0] = Math.max(0, 1 - Math.abs((2 * (seconds % BLINK_EVERY)) / BLINK - 1));
    return this.frame;
  }
}
