// Places of landmarks before the camera. The model finds the shape of a person in metres, and where its points are in
// the picture, which is more exact: points lie on the rays of the picture, at the depth of the shape.

import { ABSENT } from '../body-frame.js';
import { BODY_LANDMARKS, LEFT, RIGHT } from './landmarks.js';
import { mix, swing, unit } from './vector.js';
/**
 * @import { Landmark } from './landmarks.js'
 * @import { Vector } from './vector.js'
 */

/** Angle between the upper and the lower edge of the picture; webcams have 40 to 60 degrees. */
const LENS = (50 * Math.PI) / 180;
/** Distance of a plane in which the picture is one unit high. */
const FOCUS = 0.5 / Math.tan(LENS / 2);
/** Nearest depth of a point, metres. */
export const NEAREST = 0.1;

const AHEAD = [0, 0, -1];

/**
 * A point of the picture at depth 1, +Y up.
 *
 * @param {Landmark} landmark
 * @param {number} aspect width of the picture by its height
 * @returns {Vector}
 */
export const rayOf = ({ x, y }, aspect) => [((x - 0.5) * aspect) / FOCUS, (0.5 - y) / FOCUS, -1];

/** Depth that landmarks of the picture give beside the points of `rayOf`, to the camera. @param {Landmark} landmark @param {number} aspect */
export const reliefOf = ({ z }, aspect) => (-z * aspect) / FOCUS;

/**
 * The depth of a shape's origin, with which its points come nearest to their rays. A point p with its ray r is at
 * p + t = depth r, so for both axes p + t = r (depth of the origin - p.z): a line, whose slope is sought.
 *
 * @param {Vector[]} points
 * @param {Vector[]} rays
 */
function depthOf(points, rays) {
  let above = 0;
  let below = 0;
  for (const axis of [0, 1]) {
    const across = rays.map((ray) => ray[axis]);
    const along = points.map((point, i) => point[axis] + rays[i][axis] * point[2]);
    const middle = across.reduce((sum, x) => sum + x, 0) / across.length;
    across.forEach((x, i) => {
      above += (x - middle) * along[i];
      below += (x - middle) ** 2;
    });
  }
  return above / below;
}

/**
 * The landmarks from the camera, metres, +Y up, +Z to the camera; without landmarks in the picture, from the hips.
 *
 * @param {readonly Landmark[]} world as a camera sees the person that looks at the hips
 * @param {readonly Landmark[] | null | undefined} image
 * @param {number} aspect of the picture
 * @param {number[]} states of the landmarks
 * @returns {Vector[]}
 */
export function placesOf(world, image, aspect, states) {
  const shape = world.map(({ x, y, z }) => [x, -y, -z]);
  if (image?.length !== BODY_LANDMARKS || !image.every(({ x, y }) => Number.isFinite(x + y))) {
    return shape;
  }
  const rays = image.map((landmark) => rayOf(landmark, aspect));
  const hips = unit(mix(rays[LEFT.hip], rays[RIGHT.hip]));
  const points = shape.map((point) => swing(AHEAD, hips, point));
  /** @param {Vector[]} list */
  const shown = (list) => list.filter((_, i) => states[i] !== ABSENT);
  const depth = depthOf(shown(points), shown(rays));
  if (!(depth > NEAREST && depth < Infinity)) {
    return shape;
  }
  return points.map(([, , z], i) => rays[i].map((x) => x * Math.max(NEAREST, depth - z)));
}
