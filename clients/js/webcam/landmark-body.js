// Landmarks of a person → joints of a body frame. Only what the landmarks show is written: the daemon
// estimates the other joints. Turns of bones come from directions between landmarks; the roll of arms and legs
// comes from the bend of elbow and knee, and where they are straight from the trunk.

import { ABSENT, ESTIMATED, TRACKED } from '../body-frame.js';
import { BoneDepths } from './bone-depths.js';
import { placesOf } from './camera-view.js';
import { handAxes, putHand } from './hand-reader.js';
import { jointOf, putJoint } from './joint-writer.js';
import { BODY_LANDMARKS, LEFT, NOSE, RIGHT, SIDES } from './landmarks.js';
import { FACE_BELOW, Upright } from './upright.js';
import { across, add, cross, mix, pitch, scale, size, sub, swing, unit } from './vector.js';
/**
 * @import { BodyFrame } from '../body-frame.js'
 * @import { Landmark, Landmarks, Side } from './landmarks.js'
 * @import { Vector } from './vector.js'
 */

/**
 * Options of `LandmarkBody`.
 *
 * @typedef {object} LandmarkBodyOptions
 * @property {number} height Of the person standing, metres.
 * @property {boolean} [seated] The person sits, and the camera may not see the legs; default false.
 */

/** Visibility of a landmark from which its joint is tracked, and from which it is estimated. */
const TRACKED_FROM = 0.65;
const ESTIMATED_FROM = 0.3;

/* Lengths by the height of the person (Drillis and Contini 1964, as in Winter, "Biomechanics"). */
const THIGH = 0.245;
const SHIN = 0.246;
const SOLE = 0.039; // ankle above the floor
const TRUNK = 0.288; // hips to shoulders
const ARM = 0.332; // upper arm and forearm
const SHOULDERS = 0.2; // between the landmarks

/** Hips joint above the hip joints, by thigh and shin: as in the built-in figure. */
const HIPS_ABOVE = 0.04 / 0.84;
/** Chest and head joints on the line from hips to shoulders and above it, by the trunk. */
const CHEST_AT = 0.73;
const HEAD_AT = 1.3;
/** Share of a new scale in the present one. */
const SCALE_GAIN = 0.05;
/** Sines of the bend of elbow and knee: below the first, only the trunk gives the roll, above the second, only the bend. */
const BEND_LEAST = 0.1;
const BEND_MOST = 0.35;

/** The body stays within this distance of the middle of the picture, metres. */
const ASIDE_MOST = 3;

const UP = [0, 1, 0];

/** @param {number} x */
const share = (x) => Math.min(1, Math.max(0, x));

/** @param {...number} states */
const worst = (...states) => Math.min(...states);

/** Axes with x as given and y near to `up`. @param {Vector} x @param {Vector} up */
function axesOfX(x, up) {
  const y = across(up, x);
  return { x, y, z: cross(x, y) };
}

/** Axes with y as given and x near to `left`. @param {Vector} y @param {Vector} left */
function axesOfY(y, left) {
  const x = across(left, y);
  return { x, y, z: cross(x, y) };
}

/** @typedef {{ x: Vector, y: Vector, z: Vector }} Axes */

/**
 * The points of a person and the axes of the trunk, metres.
 *
 * @typedef {object} Trunk
 * @property {Vector[]} points
 * @property {number[]} states of the points
 * @property {Vector} hips between the hip joints
 * @property {number} hipsState
 * @property {Vector} up from hips to shoulders
 * @property {number} length of that
 * @property {Axes} pelvis
 * @property {Axes} chest
 */

/** Reads the landmarks of successive pictures. */
export class LandmarkBody {
  #height;
  #scale = 0;
  #upright = new Upright();
  #bones = new BoneDepths();
  /** Height of the lowest landmark of the feet below the hips at last, metres. */
  #floor = 0;

  /** @param {LandmarkBodyOptions} options */
  constructor({ height, seated = false }) {
    if (!(height >= 0.5 && height <= 3)) {
      throw new RangeError('the height of the person is not from 0.5 to 3 metres');
    }
    this.#height = height;
    /** The person sits. */
    this.seated = seated;
  }

  /** Height of the standing person, metres. */
  get height() {
    return this.#height;
  }

  /** Whether `calibrate` still measures. */
  get calibrating() {
    return this.#upright.measuring;
  }

  /**
   * Measures the tilt of the camera and the lengths of bones in the following pictures, in which the person is upright
   * and looks at the camera. Without it, the camera is taken as level, and the depths of joints are less exact.
   */
  calibrate() {
    this.#upright.start();
    this.#bones = new BoneDepths();
  }

  /**
   * Writes the joints that a picture shows, facing +Z where the person faces along the axis of the camera, with the
   * lower foot on the floor.
   *
   * @param {Landmarks} landmarks
   * @param {BodyFrame} out profile 'webxr-spec'; only joints are written, all of them absent without a person
   * @returns {boolean} whether there is a person
   */
  read({ world, image, left, right, aspect = 4 / 3 }, out) {
    out.states.fill(ABSENT);
    if (world?.length !== BODY_LANDMARKS || !world.every(({ x, y, z }) => Number.isFinite(x + y + z))) {
      return false;
    }
    const states = world.map(({ visibility = 1 }) =>
      (visibility >= TRACKED_FROM ? TRACKED : visibility >= ESTIMATED_FROM ? ESTIMATED : ABSENT));
    if (worst(states[LEFT.shoulder], states[RIGHT.shoulder]) === ABSENT) {
      return false;
    }
    const seen = placesOf(world, image, aspect, states);
    const fitted = this.#bones.fit(seen, states);
    if (this.#upright.measure(fitted, states, this.seated)) {
      this.#bones.measure(seen, states);
    }
    const tilt = this.#upright.tilt;
    const points = fitted.map((point) => pitch(point, tilt));
    this.#measure(points, states);
    const body = this.#trunk(points.map((point) => scale(point, this.#scale)), states);
    const place = this.#place(body);
    body.points = body.points.map((point) => add(point, place));
    body.hips = add(body.hips, place);
    this.#putTrunk(body, out);
    SIDES.forEach((side) => {
      this.#putArm(side, body, side === LEFT ? left : right, { aspect, tilt }, out);
      this.#putLeg(side, body, out);
    });
    return true;
  }

  /** Measures the size of the landmarks. @param {Vector[]} p @param {number[]} states */
  #measure(p, states) {
    /** @param {Vector[]} chain */
    const length = (chain) => chain.slice(1).reduce((sum, point, i) => sum + size(sub(point, chain[i])), 0);
    const middle = [mix(p[LEFT.shoulder], p[RIGHT.shoulder]), mix(p[LEFT.hip], p[RIGHT.hip])];
    let measured = 0;
    let expected = 0;
    /** @param {Exclude<keyof Side, 'name'>[]} parts @param {number} share of the height @param {Vector[][]} chains */
    const count = (parts, share, chains) => {
      if (SIDES.every((side) => parts.every((part) => states[side[part]] === TRACKED))) {
        measured += chains.reduce((sum, chain) => sum + length(chain), 0) / chains.length;
        expected += share;
      }
    };
    count(['hip', 'knee', 'ankle'], THIGH + SHIN, SIDES.map(({ hip, knee, ankle }) => [p[hip], p[knee], p[ankle]]));
    count(['shoulder', 'hip'], TRUNK, [middle]);
    count(['shoulder', 'elbow', 'wrist'], ARM, SIDES.map(({ shoulder, elbow, wrist }) => [p[shoulder], p[elbow], p[wrist]]));
    if (expected === 0) {
      measured = size(sub(p[LEFT.shoulder], p[RIGHT.shoulder]));
      expected = SHOULDERS;
    }
    const now = (expected * this.#height) / Math.max(measured, 0.01);
    this.#scale = this.#scale === 0 ? now : this.#scale + SCALE_GAIN * (now - this.#scale);
  }

  /** The trunk: where the hips are out of the picture, it hangs below the shoulders. @param {Vector[]} p @param {number[]} states @returns {Trunk} */
  #trunk(p, states) {
    const shoulders = mix(p[LEFT.shoulder], p[RIGHT.shoulder]);
    const hipsState = worst(states[LEFT.hip], states[RIGHT.hip]);
    const left = unit(sub(p[LEFT.shoulder], p[RIGHT.shoulder]));
    const low = hipsState === ABSENT ? add(shoulders, [0, -TRUNK * this.#height, 0]) : mix(p[LEFT.hip], p[RIGHT.hip]);
    const up = unit(sub(shoulders, low));
    const pelvis = axesOfX(hipsState === ABSENT ? unit([left[0], 0, left[2]])
      : unit(sub(p[LEFT.hip], p[RIGHT.hip])), up);
    return { points: p, states, hips: low, hipsState: hipsState === ABSENT ? ESTIMATED : hipsState, up,
      length: size(sub(shoulders, low)), pelvis, chest: axesOfY(up, left) };
  }

  /**
   * The translation of the body into the room: sideways as before the camera, with a foot on the floor.
   *
   * @param {Trunk} body
   * @returns {Vector}
   */
  #place({ points: p, states, hips }) {
    const feet = SIDES.filter(({ ankle, heel, toe }) => worst(states[ankle], states[heel], states[toe]) === TRACKED);
    if (feet.length > 0) {
      this.#floor = hips[1] - Math.min(...feet.flatMap(({ heel, toe }) => [p[heel][1], p[toe][1]]));
    } else if (this.seated) {
      this.#floor = (SHIN + SOLE) * this.#height;
    } else if (this.#floor === 0) {
      this.#floor = (THIGH + SHIN + SOLE) * this.#height;
    }
    const aside = Math.min(ASIDE_MOST, Math.max(-ASIDE_MOST, hips[0]));
    return [aside - hips[0], this.#floor - hips[1], -hips[2]];
  }

  /** @param {Trunk} body @param {BodyFrame} out */
  #putTrunk({ points: p, states, hips, hipsState, up, length, pelvis, chest }, out) {
    const above = (THIGH + SHIN) * this.#height * HIPS_ABOVE;
    putJoint(out, jointOf('hips'), hipsState, add(hips, scale(pelvis.y, above)), pelvis.y, pelvis.z);
    const shoulders = worst(states[LEFT.shoulder], states[RIGHT.shoulder]);
    putJoint(out, jointOf('chest'), shoulders, add(hips, scale(up, length * CHEST_AT)), chest.y, chest.z);
    const head = worst(states[NOSE], states[LEFT.ear], states[RIGHT.ear]);
    const ears = mix(p[LEFT.ear], p[RIGHT.ear]);
    const x = unit(sub(p[LEFT.ear], p[RIGHT.ear]));
    const nose = across(sub(p[NOSE], ears), x);
    const below = FACE_BELOW + this.#upright.nod;
    const front = add(scale(nose, Math.cos(below)), scale(cross(nose, x), Math.sin(below)));
    putJoint(out, jointOf('head'), head, add(hips, scale(up, length * HEAD_AT)), cross(front, x), front);
  }

  /**
   * The direction that is up in the T-pose, from the bend of two bones and from the trunk.
   *
   * @param {Vector} first direction of the upper bone
   * @param {Vector} second direction of the lower bone
   * @param {Vector} byBend
   * @param {Vector} rest direction of the upper bone in the T-pose of the trunk
   * @param {Vector} restUp direction that is up there
   */
  #roll(first, second, byBend, rest, restUp) {
    const trust = share((size(cross(first, second)) - BEND_LEAST) / (BEND_MOST - BEND_LEAST));
    const carried = swing(rest, first, restUp);
    return trust > 0 ? add(scale(unit(byBend), trust), scale(carried, 1 - trust)) : carried;
  }

  /**
   * @param {Side} side
   * @param {Trunk} body
   * @param {Landmarks['left']} hand
   * @param {{ aspect: number, tilt: number }} view
   * @param {BodyFrame} out
   */
  #putArm(side, { points: p, states, chest }, hand, view, out) {
    const upper = worst(states[side.shoulder], states[side.elbow]);
    if (upper === ABSENT) {
      return;
    }
    const first = unit(sub(p[side.elbow], p[side.shoulder]));
    const lower = worst(upper, states[side.wrist]);
    const second = lower === ABSENT ? first : unit(sub(p[side.wrist], p[side.elbow]));
    const up = this.#roll(first, second, scale(cross(second, first), side.sign), scale(chest.x, side.sign), chest.y);
    putJoint(out, jointOf(`${side.name}-arm-upper`), upper, p[side.shoulder], first, up);
    if (lower === ABSENT) {
      return;
    }
    const fore = swing(first, second, across(up, first));
    putJoint(out, jointOf(`${side.name}-arm-lower`), lower, p[side.elbow], second, fore);
    const wrist = jointOf(`${side.name}-hand-wrist`);
    const fingers = hand ? putHand(out, side, hand, { wrist: p[side.wrist], state: lower, height: this.#height, ...view }) : null;
    const palm = worst(lower, states[side.index], states[side.little]);
    const axes = fingers ?? (palm === ABSENT ? { along: second, up: fore }
      : handAxes(side, p[side.wrist], p[side.index], p[side.little]));
    putJoint(out, wrist, fingers ? lower : palm === ABSENT ? ESTIMATED : palm, p[side.wrist], axes.along, axes.up);
  }

  /** @param {Side} side @param {Trunk} body @param {BodyFrame} out */
  #putLeg(side, { points: p, states, pelvis }, out) {
    const upper = worst(states[side.hip], states[side.knee]);
    const lower = worst(upper, states[side.ankle]);
    if (this.seated && lower !== TRACKED) {
      this.#putSeatedLeg(side, p[side.hip], pelvis, out);
      return;
    }
    if (upper === ABSENT) {
      return;
    }
    const first = unit(sub(p[side.knee], p[side.hip]));
    const second = lower === ABSENT ? first : unit(sub(p[side.ankle], p[side.knee]));
    const up = this.#roll(first, second, cross(first, cross(first, second)), scale(pelvis.y, -1), pelvis.z);
    putJoint(out, jointOf(`${side.name}-upper-leg`), upper, p[side.hip], first, up);
    if (lower === ABSENT) {
      return;
    }
    putJoint(out, jointOf(`${side.name}-lower-leg`), lower, p[side.knee], second, swing(first, second, across(up, first)));
    const foot = worst(lower, states[side.heel], states[side.toe]);
    putJoint(out, jointOf(`${side.name}-foot-ankle`), foot, p[side.ankle], sub(p[side.toe], p[side.heel]), scale(second, -1));
  }

  /** A leg on a seat: the thigh ahead, the shin down. @param {Side} side @param {Vector} hip @param {Axes} pelvis @param {BodyFrame} out */
  #putSeatedLeg(side, hip, pelvis, out) {
    const ahead = across(pelvis.z, UP);
    const down = [0, -1, 0];
    const knee = add(hip, scale(ahead, THIGH * this.#height));
    const ankle = add(knee, scale(down, SHIN * this.#height));
    putJoint(out, jointOf(`${side.name}-upper-leg`), ESTIMATED, hip, ahead, UP);
    putJoint(out, jointOf(`${side.name}-lower-leg`), ESTIMATED, knee, down, ahead);
    putJoint(out, jointOf(`${side.name}-foot-ankle`), ESTIMATED, ankle, ahead, UP);
  }
}
