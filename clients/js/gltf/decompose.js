// The rotation and scale in an affine 4x4 matrix, by polar decomposition.

import { fromMatrix } from '../quat.js';
/** @import { Numbers, Quaternion, Vector } from '../quat.js' */

/** @param {number[]} q nine numbers */
function determinant(q) {
  return q[0] * (q[4] * q[8] - q[5] * q[7]) - q[3] * (q[1] * q[8] - q[2] * q[7]) +
    q[6] * (q[1] * q[5] - q[2] * q[4]);
}

/**
 * The nearest orthogonal matrix of nine numbers (Higham 1986, scaled Newton iteration); null if
 * singular.
 *
 * @param {number[]} linear
 */
function nearestOrthogonal(linear) {
  const q = [...linear];
  for (let step = 0; step < 32; step++) {
    const det = determinant(q);
    if (!Number.isFinite(det) || det === 0) {
      return null;
    }
    const inverse = q.map((_, i) => { // inverse and transpose
      const c = Math.floor(i / 3), c1 = 3 * ((c + 1) % 3), c2 = 3 * ((c + 2) % 3);
      const r1 = (i + 1) % 3, r2 = (i + 2) % 3;
      return (q[c1 + r1] * q[c2 + r2] - q[c2 + r1] * q[c1 + r2]) / det;
    });
    const g = Math.sqrt(Math.hypot(...inverse) / Math.hypot(...q));
    if (!Number.isFinite(g) || g === 0) {
      return null;
    }
    let change = 0;
    for (let i = 0; i < 9; i++) {
      const next = 0.5 * (g * q[i] + inverse[i] / g);
      change += Math.abs(next - q[i]);
      q[i] = next;
    }
    if (change < 1e-14) {
      break;
    }
  }
  return q;
}

const rotation = new Float64Array(16);

/**
 * Decomposes a matrix by polar decomposition, as the server does: the rotation is the nearest
 * one, a mirror becomes a negative scale of x, a shear is left out.
 *
 * @param {Numbers} m
 * @param {number} [i]
 * @returns {{ translation: Vector, rotation: Quaternion, scale: Vector } | null} null if singular
 */
export function decompose(m, i = 0) {
  const linear = [0, 1, 2, 4, 5, 6, 8, 9, 10].map((k) => m[i + k]);
  const q = nearestOrthogonal(linear);
  if (!q) {
    return null;
  }
  const sign = determinant(q) < 0 ? -1 : 1;
  for (let row = 0; row < 3; row++) {
    q[row] *= sign;
  }
  const along = (/** @type {number} */ c) =>
    q[c] * linear[c] + q[c + 1] * linear[c + 1] + q[c + 2] * linear[c + 2];
  q.forEach((value, k) => { rotation[4 * Math.floor(k / 3) + (k % 3)] = value; });
  return { translation: [m[i + 12], m[i + 13], m[i + 14]],
    rotation: fromMatrix(rotation, 0, /** @type {Quaternion} */ ([0, 0, 0, 1]), 0),
    scale: [along(0), along(3), along(6)] };
}
