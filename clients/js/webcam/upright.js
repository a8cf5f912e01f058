// The tilt of the camera and the nod of the face in landmarks, from pictures of a person who is upright and looks at
// the camera.

import { ABSENT } from '../body-frame.js';
import { LEFT, NOSE, RIGHT, SIDES } from './landmarks.js';
import { mix, size, sub, unit } from './vector.js';
/** @import { Vector } from './vector.js' */

/** Pictures that are measured. */
const PICTURES = 12;
/** Larger tilts and nods are no cameras and no faces, radians. */
const TILT_MOST = 0.7;
const NOD_MOST = 0.5;
/** Chord of the bend that still counts as straight: thigh with shin, trunk with thigh. */
const STRAIGHT = 0.45;

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** The nose of a level face is below the ears by this angle, radians. */
export const FACE_BELOW = 0.16;

export class Upright {
  /** @type {number[]} */
  #tilts = [];
  /** @type {number[]} */
  #nods = [];
  #left = 0;
  /** Turn about +X that makes the person upright, radians. */
  tilt = 0;
  /** Angle of the nose below that of a head that looks ahead, radians. */
  nod = 0;

  get measuring() {
    return this.#left > 0;
  }

  /** Measures again in the following pictures. */
  start() {
    this.#left = PICTURES;
    this.#tilts = [];
    this.#nods = [];
  }

  /**
   * Measures one picture; returns whether it shows an upright person.
   *
   * @param {Vector[]} p landmarks, +Y up, +Z to the camera
   * @param {number[]} states
   * @param {boolean} seated
   */
  measure(p, states, seated) {
    const up = this.#left > 0 ? upOf(p, states, seated) : null;
    if (!up) {
      return false;
    }
    this.#left--;
    this.#tilts.push(-Math.atan2(up[2], up[1]));
    this.tilt = limit(median(this.#tilts), TILT_MOST);
    const nose = sub(p[NOSE], mix(p[LEFT.ear], p[RIGHT.ear]));
    // A face at the height of the camera looks into it: along +Z of the picture.
    this.#nods.push(Math.atan2(-nose[1], nose[2]));
    this.nod = limit(median(this.#nods) - FACE_BELOW, NOD_MOST);
    return true;
  }
}

/** @param {number} value @param {number} most */
const limit = (value, most) => Math.min(most, Math.max(-most, value));

/** Direction from feet to shoulders of a person with straight legs, of a sitting one from hips to shoulders; null: unknown. @param {Vector[]} p @param {number[]} states @param {boolean} seated */
function upOf(p, states, seated) {
  const shoulders = mix(p[LEFT.shoulder], p[RIGHT.shoulder]);
  const hips = mix(p[LEFT.hip], p[RIGHT.hip]);
  /** @param {(side: typeof LEFT) => number} part */
  const known = (part) => SIDES.every((side) => states[part(side)] !== ABSENT);
  if (!known(({ hip }) => hip)) {
    return null;
  }
  const trunk = unit(sub(shoulders, hips));
  if (seated || !known(({ knee }) => knee) || !known(({ ankle }) => ankle)) {
    return trunk;
  }
  const knees = mix(p[LEFT.knee], p[RIGHT.knee]);
  const ankles = mix(p[LEFT.ankle], p[RIGHT.ankle]);
  const thighs = unit(sub(hips, knees));
  const isStraight = size(sub(thighs, unit(sub(knees, ankles)))) < STRAIGHT && size(sub(trunk, thighs)) < STRAIGHT;
  return isStraight ? unit(sub(shoulders, ankles)) : null;
}
