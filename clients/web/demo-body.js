// A body for visitors without a headset: the built-in walk, played in a loop. The build
// makes its body frames with `jointcast convert demo:walk`.

import { BodyFrame, JOINTS } from 'jointcast';
import { slerp } from './js/quat.js';
import { text } from './texts.js';

/** Seconds between two blinks, and of one blink. */
const BLINK_EVERY = 3.7;
const BLINK = 0.24;

const NUMBERS = 8; // of a joint in the file: position, orientation, state

export class DemoBody {
  #times;
  #numbers;

  constructor({ profile, joints }, frames) {
    if (joints.join() !== JOINTS.join())
      throw new Error(text('demo.differs'));
    /** Profile of the joint axes. */
    this.profile = profile;
    this.frame = new BodyFrame();
    /** Names of the values of its frames. */
    this.channels = ['expression/blink'];
    this.frame.values = new Float32Array(1);
    this.#times = frames.map(({ t }) => t);
    this.#numbers = frames.map((frame) => Float32Array.from(frame.joints.flat()));
  }

  /** @param {string} url of a file of body frames (proto/BODY-FRAMES.md) without gaps */
  static async load(url) {
    const response = await fetch(url);
    if (!response.ok)
      throw new Error(text('demo.unloaded', { url, status: response.status }));
    const [header, ...frames] = (await response.text()).trim().split('\n').map(JSON.parse);
    return new DemoBody(header, frames);
  }

  /** Returns the body frame at a time in seconds; always the same object. */
  at(seconds) {
    const times = this.#times;
    const last = times.length - 1;
    const t = seconds % times[last];
    const i = Math.min(last - 1, Math.floor((t / times[last]) * last));
    const part = (t - times[i]) / (times[i + 1] - times[i]);
    const a = this.#numbers[i];
    const b = this.#numbers[i + 1];
    const { positions, rotations, states } = this.frame;
    for (let joint = 0; joint < states.length; joint++) {
      const from = NUMBERS * joint;
      for (let c = 0; c < 3; c++)
        positions[3 * joint + c] = a[from + c] + part * (b[from + c] - a[from + c]);
      slerp(a, from + 3, b, from + 3, part, rotations, 4 * joint);
      states[joint] = a[from + 7];
    }
    this.frame.values[0] = Math.max(0, 1 - Math.abs((2 * (seconds % BLINK_EVERY)) / BLINK - 1));
    return this.frame;
  }
}
