// Landmarks of a hand → joints of its fingers and of the wrist. The landmarks are those of the picture: their
// depth, along the ray of the wrist, is in the unit of x, and only their directions are used, at the size of the
// person's hand.

import { rayOf, reliefOf } from './camera-view.js';
import { jointOf, putJoint } from './joint-writer.js';
import { HAND_LANDMARKS } from './landmarks.js';
import { add, cross, mix, pitch, scale, size, sub, swing, unit } from './vector.js';
/**
 * @import { BodyFrame } from '../body-frame.js'
 * @import { Landmark, Side } from './landmarks.js'
 * @import { Vector } from './vector.js'
 */

/** Length from the wrist to the knuckle of the middle finger by the person's height. */
const PALM = 0.052;
/** First landmark of each finger. */
const FINGERS = { index: 5, middle: 9, ring: 13, little: 17 };
const PHALANGES = ['phalanx-proximal', 'phalanx-intermediate', 'phalanx-distal', 'tip'];
const THUMB = ['metacarpal', 'phalanx-proximal', 'phalanx-distal', 'tip'];

/** Joints of one hand, by landmark. @param {string} side */
function jointsOf(side) {
  const joints = new Array(HAND_LANDMARKS).fill(-1);
  THUMB.forEach((part, i) => { joints[1 + i] = jointOf(`${side}-hand-thumb-${part}`); });
  for (const [finger, first] of Object.entries(FINGERS)) {
    PHALANGES.forEach((part, i) => { joints[first + i] = jointOf(`${side}-hand-${finger}-${part}`); });
  }
  return joints;
}

const JOINTS_OF = { left: jointsOf('left'), right: jointsOf('right') };

/**
 * The axes of a hand.
 *
 * @typedef {{ along: Vector, up: Vector }} HandAxes
 */

/**
 * Axes of a hand from its points.
 *
 * @param {Side} side
 * @param {Vector} wrist
 * @param {Vector} index knuckle
 * @param {Vector} little knuckle
 * @param {Vector} [middle] knuckle; default: between the others
 * @returns {HandAxes} up: out of the back of the hand
 */
export function handAxes(side, wrist, index, little, middle = mix(index, little)) {
  const along = unit(sub(middle, wrist));
  return { along, up: scale(unit(cross(sub(index, little), along)), side.sign) };
}

/**
 * Writes the fingers of a hand.
 *
 * @param {BodyFrame} out
 * @param {Side} side
 * @param {readonly Landmark[]} hand in the picture
 * @param {object} body
 * @param {Vector} body.wrist place of the wrist, metres
 * @param {number} body.state of the wrist
 * @param {number} body.height of the person, metres
 * @param {number} body.aspect of the picture
 * @param {number} body.tilt of the camera, radians
 * @returns {HandAxes | null} axes of the hand; null if the landmarks are none
 */
export function putHand(out, side, hand, { wrist, state, height, aspect, tilt }) {
  if (hand.length !== HAND_LANDMARKS) {
    return null;
  }
  const [x, y] = rayOf(hand[0], aspect);
  const raw = hand.map((point) => {
    const [across, up] = rayOf(point, aspect);
    const relief = reliefOf(point, aspect);
    return pitch([across - x * relief, up - y * relief, relief], tilt);
  });
  const palm = size(sub(raw[FINGERS.middle], raw[0]));
  if (!(palm > 1e-6)) {
    return null;
  }
  const metres = (PALM * height) / palm;
  const points = raw.map((point) => add(wrist, scale(sub(point, raw[0]), metres)));
  const axes = handAxes(side, points[0], points[FINGERS.index], points[FINGERS.little], points[FINGERS.middle]);
  const joints = JOINTS_OF[side.name];
  for (const first of [1, ...Object.values(FINGERS)]) {
    for (let i = first; i < first + 4; i++) {
      const along = i < first + 3 ? unit(sub(points[i + 1], points[i])) : unit(sub(points[i], points[i - 1]));
      putJoint(out, joints[i], state, points[i], along, swing(axes.along, along, axes.up));
    }
  }
  return axes;
}
