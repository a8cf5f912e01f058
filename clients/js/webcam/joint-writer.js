// Writes joints in the axes of 'webxr-spec': -Z along the bone, +Y up (proto/BODY-FRAMES.md).

import { ABSENT } from '../body-frame.js';
import { fromMatrix } from '../quat.js';
import { JOINTS } from '../tables.js';
import { across, cross, scale, unit } from './vector.js';
/**
 * @import { BodyFrame } from '../body-frame.js'
 * @import { Vector } from './vector.js'
 */

const INDEX = new Map(JOINTS.map((name, joint) => [name, joint]));
const matrix = new Float64Array(16);

/**
 * Index of a joint by its name.
 *
 * @param {string} name
 * @returns {number}
 */
export const jointOf = (name) => INDEX.get(name) ?? -1;

/**
 * Writes one joint.
 *
 * @param {BodyFrame} out
 * @param {number} joint of JOINTS; -1: none
 * @param {number} state ABSENT leaves the joint out
 * @param {Vector} position metres
 * @param {Vector} along direction of the bone
 * @param {Vector} up any direction across it, on the side that is up in the T-pose
 */
export function putJoint(out, joint, state, position, along, up) {
  if (state === ABSENT || joint < 0) {
    return;
  }
  const z = scale(unit(along), -1);
  const y = across(up, z);
  matrix.set(cross(y, z), 0);
  matrix.set(y, 4);
  matrix.set(z, 8);
  fromMatrix(matrix, 0, out.rotations, 4 * joint);
  out.positions.set(position, 3 * joint);
  out.states[joint] = state;
}
