// A posed humanoid as landmarks, computed forward: turns of bones → points, as a camera sees them. The reader
// under test goes the other way.

import { multiply, rotate } from '../../quat.js';
import { LEFT, NOSE, RIGHT, SIDES } from '../../webcam/landmarks.js';

const product = (...turns) => turns.reduce((a, b) => multiply(a, 0, b, 0, [0, 0, 0, 1], 0));
const turned = (q, v) => [...rotate(q, 0, v, 0, new Float64Array(3), 0)];
const add = (a, b) => a.map((x, i) => x + b[i]);

/** Rotation about an axis by degrees. */
export function about([x, y, z], degrees) {
  const half = (degrees * Math.PI) / 360;
  const s = Math.sin(half) / Math.hypot(x, y, z);
  return [x * s, y * s, z * s, Math.cos(half)];
}

const NONE = [0, 0, 0, 1];
/** The nose below the ears in the head: 0.16 radians. */
const NOSE_PLACE = [0, -Math.sin(0.16) * 0.1, Math.cos(0.16) * 0.1];

/**
 * Turns of the bones from the T-pose, in the world, by joint. Elbows, knees and feet are hinges.
 *
 * @param {object} posture all parts optional: pelvis, twist (degrees of the chest), head, and for each side
 *   leftArm, leftElbow (degrees), leftPalm, leftLeg, leftKnee (degrees), leftFoot (degrees)
 */
export function turnsOf(posture) {
  const pelvis = posture.pelvis ?? NONE;
  const chest = product(pelvis, about([0, 1, 0], posture.twist ?? 0));
  const turns = { hips: pelvis, chest, head: posture.head ?? chest };
  for (const { name, sign } of SIDES) {
    const arm = product(chest, posture[`${name}Arm`] ?? NONE);
    const fore = product(arm, about([0, -sign, 0], posture[`${name}Elbow`] ?? 40));
    const leg = product(pelvis, posture[`${name}Leg`] ?? NONE);
    const shin = product(leg, about([1, 0, 0], posture[`${name}Knee`] ?? 30));
    Object.assign(turns, { [`${name}-arm-upper`]: arm, [`${name}-arm-lower`]: fore,
      [`${name}-hand-wrist`]: product(fore, posture[`${name}Palm`] ?? NONE), [`${name}-upper-leg`]: leg,
      [`${name}-lower-leg`]: shin, [`${name}-foot-ankle`]: product(shin, about([1, 0, 0], posture[`${name}Foot`] ?? 0)) });
  }
  return turns;
}

/** Places of the landmarks of a person of this height by their turns, metres, and of joints by name. */
export function placesOf(turns, height) {
  const points = Array.from({ length: 33 }, () => [0, 0, 0]);
  const put = (at, from, joint, ...v) => { points[at] = add(from, turned(turns[joint], v.map((x) => x * height))); };
  const shoulders = turned(turns.hips, [0, 0.288 * height, 0]);
  put(NOSE, add(shoulders, turned(turns.head, [0, 0.13 * height, 0])), 'head', ...NOSE_PLACE);
  for (const side of SIDES) {
    const { name, sign } = side;
    put(side.ear, add(shoulders, turned(turns.head, [0, 0.13 * height, 0])), 'head', sign * 0.045, 0, 0);
    put(side.eye, points[side.ear], 'head', 0, 0.02, 0.06);
    put(side.shoulder, shoulders, 'chest', sign * 0.1, 0, 0);
    put(side.elbow, points[side.shoulder], `${name}-arm-upper`, sign * 0.186, 0, 0);
    put(side.wrist, points[side.elbow], `${name}-arm-lower`, sign * 0.146, 0, 0);
    put(side.index, points[side.wrist], `${name}-hand-wrist`, sign * 0.05, 0, 0.02);
    put(side.little, points[side.wrist], `${name}-hand-wrist`, sign * 0.05, 0, -0.02);
    put(side.hip, [0, 0, 0], 'hips', sign * 0.06, 0, 0);
    put(side.knee, points[side.hip], `${name}-upper-leg`, 0, -0.245, 0);
    put(side.ankle, points[side.knee], `${name}-lower-leg`, 0, -0.246, 0);
    put(side.heel, points[side.ankle], `${name}-foot-ankle`, 0, -0.039, -0.02);
    put(side.toe, points[side.ankle], `${name}-foot-ankle`, 0, -0.039, 0.1);
  }
  return points;
}

/** A point in the picture of a camera with a lens of this angle, degrees. */
const pictured = ([x, y, z], lens = 50) => {
  const focus = 0.5 / Math.tan((lens * Math.PI) / 360);
  return { x: 0.5 + ((x / -z) * focus * 3) / 4, y: 0.5 - (y / -z) * focus };
};

/**
 * World and picture landmarks of points, seen from +Z by a camera that is turned about +X by degrees: the hips are
 * 3 m ahead, 0.3 m below the middle of the picture. World landmarks are as a camera sees them that looks at the
 * middle of the hips in the picture.
 */
export function seen(points, { tilt = 0, visibility = () => 1, aside = 0, size = 1, lens } = {}) {
  const placed = points.map((point) => turned(about([1, 0, 0], tilt), point));
  const image = placed.map(([x, y, z], i) => ({ ...pictured([x + aside, y - 0.3, z - 3], lens), z: -z, visibility: visibility(i) }));
  const [left, right] = [placed[LEFT.hip], placed[RIGHT.hip]].map(([x, y, z]) => [(x + aside) / (3 - z), (y - 0.3) / (3 - z)]);
  const [x, y] = add(left, right).map((sum) => sum / 2);
  const look = about([-y, x, 0], (Math.atan(Math.hypot(x, y)) * 180) / Math.PI);
  const world = placed.map((point, i) => {
    const [a, b, c] = turned(look, point);
    return { x: a * size, y: -b * size, z: -c * size, visibility: visibility(i) };
  });
  return { world, image, aspect: 4 / 3 };
}

/** The 21 landmarks of a hand by its turn, 2 m ahead and aside; `curl`: degrees of each joint of the fingers. */
export function handOf(turn, side, curl) {
  const points = [[0, 0, 0]];
  const chain = (root, bend, lengths) => {
    let place = root;
    points.push(turned(turn, place));
    let direction = NONE;
    for (const length of lengths) {
      direction = product(direction, about([0, 0, -side.sign], bend));
      place = add(place, turned(direction, [side.sign * length, 0, 0]));
      points.push(turned(turn, place));
    }
  };
  chain([side.sign * 0.03, -0.01, 0.03], 0, [0.03, 0.03, 0.025]);
  for (const [z, root] of [[0.022, 0.088], [0, 0.09], [-0.02, 0.088], [-0.038, 0.088]])
    chain([side.sign * root, 0, z], curl, [0.04, 0.025, 0.02]);
  // Weak perspective along the ray of the wrist: all points have its depth, and their own is in the unit of x.
  const wrist = [-0.6, 0.2, -2];
  const unit = pictured([1, 0, -2]).x - 0.5;
  return points.map(([x, y, z]) => ({ ...pictured(add(wrist, [x + (z * wrist[0]) / 2, y + (z * wrist[1]) / 2, 0])), z: -z * unit }));
}

export const POSTURES = {
  'elbows and knees bent': {},
  'one arm up, turned trunk': { pelvis: about([0, 1, 0], 35), twist: 20, leftArm: about([0, 0, 1], 70), rightArm: about([0, 0, 1], 60),
    rightElbow: 80, head: about([1, 2, 0.5], 25) },
  'squat that leans': { pelvis: product(about([0, 1, 0], -20), about([1, 0, 0], 25)), leftLeg: about([-1, 0.2, 0.3], 100), leftKnee: 110,
    rightLeg: about([-1, 0, -0.3], 90), rightKnee: 95, leftFoot: -15, rightFoot: 10, leftElbow: 120, leftPalm: about([1, 0, 0.4], 50) },
  'a step with turned palms': { leftLeg: about([-1, 0, 0], 30), rightLeg: about([1, 0, 0.1], 20), leftArm: about([0.2, 0.3, -1], 60),
    rightArm: about([0.1, -0.5, 1], 55), rightPalm: about([-1, 0.3, 0.3], 70), rightFoot: 25 },
};

export { LEFT, RIGHT };
