// Arithmetic of affine 4x4 matrices, column-major in arrays, addressed by offset to avoid
// allocation for each node and frame.

/** @import { Numbers, Writable } from './quat.js' */

/**
 * Writes rotation, scale and translation as a matrix. Offsets r, s, t, o.
 *
 * @template {Writable} T
 * @param {Numbers} rotation
 * @param {number} r
 * @param {Numbers} scale
 * @param {number} s
 * @param {Numbers} translation
 * @param {number} t
 * @param {T} out
 * @param {number} o
 * @returns {T}
 */
export function compose(rotation, r, scale, s, translation, t, out, o) {
  const x = rotation[r], y = rotation[r + 1], z = rotation[r + 2], w = rotation[r + 3];
  const sx = scale[s], sy = scale[s + 1], sz = scale[s + 2];
  out[o] = (1 - 2 * (y * y + z * z)) * sx;
  out[o + 1] = 2 * (x * y + z * w) * sx;
  out[o + 2] = 2 * (x * z - y * w) * sx;
  out[o + 3] = 0;
  out[o + 4] = 2 * (x * y - z * w) * sy;
  out[o + 5] = (1 - 2 * (x * x + z * z)) * sy;
  out[o + 6] = 2 * (y * z + x * w) * sy;
  out[o + 7] = 0;
  out[o + 8] = 2 * (x * z + y * w) * sz;
  out[o + 9] = 2 * (y * z - x * w) * sz;
  out[o + 10] = (1 - 2 * (x * x + y * y)) * sz;
  out[o + 11] = 0;
  out[o + 12] = translation[t];
  out[o + 13] = translation[t + 1];
  out[o + 14] = translation[t + 2];
  out[o + 15] = 1;
  return out;
}

/**
 * out[o…] = a[i…] · b; b must not overlap out.
 *
 * @template {Writable} T
 * @param {Numbers} a
 * @param {number} i
 * @param {Numbers} b
 * @param {T} out
 * @param {number} o
 * @returns {T}
 */
export function multiply(a, i, b, out, o) {
  for (let column = 0; column < 4; column++) {
    const x = b[4 * column], y = b[4 * column + 1], z = b[4 * column + 2], w = b[4 * column + 3];
    for (let row = 0; row < 3; row++) {
      out[o + 4 * column + row] =
        a[i + row] * x + a[i + 4 + row] * y + a[i + 8 + row] * z + a[i + 12 + row] * w;
    }
    out[o + 4 * column + 3] = w;
  }
  return out;
}

/**
 * Inverse of the upper 3x3 of a matrix, nine numbers, column-major; null if singular.
 *
 * @param {Numbers} m
 * @param {number} i
 * @returns {number[] | null}
 */
export function invertLinear(m, i) {
  const a = m[i], b = m[i + 1], c = m[i + 2];
  const d = m[i + 4], e = m[i + 5], f = m[i + 6];
  const g = m[i + 8], h = m[i + 9], k = m[i + 10];
  const x = e * k - f * h, y = f * g - d * k, z = d * h - e * g;
  const inverse = 1 / (a * x + b * y + c * z);
  if (!Number.isFinite(inverse)) {
    return null;
  }
  return [x, c * h - b * k, b * f - c * e, y, a * k - c * g, c * d - a * f,
    z, b * g - a * h, a * e - b * d].map((cofactor) => cofactor * inverse);
}

/**
 * Inverse of a matrix; null if singular.
 *
 * @param {Numbers} m
 * @param {number} [i]
 * @returns {number[] | null}
 */
export function invert(m, i = 0) {
  const n = invertLinear(m, i);
  if (!n) {
    return null;
  }
  const [x, y, z] = [m[i + 12], m[i + 13], m[i + 14]];
  const move = (/** @type {number} */ row) => -(n[row] * x + n[3 + row] * y + n[6 + row] * z);
  return [n[0], n[1], n[2], 0, n[3], n[4], n[5], 0, n[6], n[7], n[8], 0,
    move(0), move(1), move(2), 1];
}
