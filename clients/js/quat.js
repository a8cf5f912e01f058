// Arithmetic of quaternions [x, y, z, w] in arrays, addressed by offset to avoid allocation
// for each bone and frame. `out` may be one of the inputs.

/**
 * Numbers to read: an array or a typed array.
 *
 * @typedef {ArrayLike<number>} Numbers
 */

/**
 * Numbers to write: an array or a typed array.
 *
 * @typedef {{ [index: number]: number, readonly length: number }} Writable
 */

/** @typedef {[x: number, y: number, z: number]} Vector */

/** @typedef {[x: number, y: number, z: number, w: number]} Quaternion */

/**
 * out = a · b: b first, then a, as with matrices. Offsets i, j, k; `out` may be an input.
 *
 * @template {Writable} T
 * @param {Numbers} a
 * @param {number} i
 * @param {Numbers} b
 * @param {number} j
 * @param {T} out
 * @param {number} k
 * @returns {T}
 */
export function multiply(a, i, b, j, out, k) {
  const ax = a[i], ay = a[i + 1], az = a[i + 2], aw = a[i + 3];
  const bx = b[j], by = b[j + 1], bz = b[j + 2], bw = b[j + 3];
  out[k] = aw * bx + ax * bw + ay * bz - az * by;
  out[k + 1] = aw * by - ax * bz + ay * bw + az * bx;
  out[k + 2] = aw * bz + ax * by - ay * bx + az * bw;
  out[k + 3] = aw * bw - ax * bx - ay * by - az * bz;
  return out;
}

/**
 * out = the inverse of the unit quaternion a.
 *
 * @template {Writable} T
 * @param {Numbers} a
 * @param {number} i
 * @param {T} out
 * @param {number} k
 * @returns {T}
 */
export function conjugate(a, i, out, k) {
  out[k] = -a[i];
  out[k + 1] = -a[i + 1];
  out[k + 2] = -a[i + 2];
  out[k + 3] = a[i + 3];
  return out;
}

/**
 * out = a / |a|; zero becomes identity.
 *
 * @template {Writable} T
 * @param {Numbers} a
 * @param {number} i
 * @param {T} out
 * @param {number} k
 * @returns {T}
 */
export function normalize(a, i, out, k) {
  const x = a[i], y = a[i + 1], z = a[i + 2], w = a[i + 3];
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  const scale = length > 0 ? 1 / length : 0;
  out[k] = x * scale;
  out[k + 1] = y * scale;
  out[k + 2] = z * scale;
  out[k + 3] = length > 0 ? w * scale : 1;
  return out;
}

/**
 * out = the rotation of a column-major 4x4 matrix without scale.
 *
 * @template {Writable} T
 * @param {Numbers} m
 * @param {number} i
 * @param {T} out
 * @param {number} k
 * @returns {T}
 */
export function fromMatrix(m, i, out, k) {
  const xx = m[i], yy = m[i + 5], zz = m[i + 10];
  const trace = xx + yy + zz;
  // Uses the largest of the four components, to avoid divisions by small numbers.
  if (trace >= 0) {
    out[k] = m[i + 6] - m[i + 9];
    out[k + 1] = m[i + 8] - m[i + 2];
    out[k + 2] = m[i + 1] - m[i + 4];
    out[k + 3] = 1 + trace;
  } else if (xx >= yy && xx >= zz) {
    out[k] = 1 + xx - yy - zz;
    out[k + 1] = m[i + 1] + m[i + 4];
    out[k + 2] = m[i + 8] + m[i + 2];
    out[k + 3] = m[i + 6] - m[i + 9];
  } else if (yy >= zz) {
    out[k] = m[i + 1] + m[i + 4];
    out[k + 1] = 1 + yy - xx - zz;
    out[k + 2] = m[i + 6] + m[i + 9];
    out[k + 3] = m[i + 8] - m[i + 2];
  } else {
    out[k] = m[i + 8] + m[i + 2];
    out[k + 1] = m[i + 6] + m[i + 9];
    out[k + 2] = 1 + zz - xx - yy;
    out[k + 3] = m[i + 1] - m[i + 4];
  }
  return normalize(out, k, out, k);
}

/**
 * out = the vector v rotated by q.
 *
 * @template {Writable} T
 * @param {Numbers} q
 * @param {number} i
 * @param {Numbers} v
 * @param {number} j
 * @param {T} out
 * @param {number} k
 * @returns {T}
 */
export function rotate(q, i, v, j, out, k) {
  const x = q[i], y = q[i + 1], z = q[i + 2], w = q[i + 3];
  const vx = v[j], vy = v[j + 1], vz = v[j + 2];
  const tx = 2 * (y * vz - z * vy);
  const ty = 2 * (z * vx - x * vz);
  const tz = 2 * (x * vy - y * vx);
  out[k] = vx + w * tx + y * tz - z * ty;
  out[k + 1] = vy + w * ty + z * tx - x * tz;
  out[k + 2] = vz + w * tz + x * ty - y * tx;
  return out;
}

// Below this angle between two quaternions (radians in four dimensions) the
// normalised chord differs from the arc by less than a millionth, and is much cheaper.
const CHORD = 0.03;
const CHORD_COSINE = Math.cos(CHORD);

/**
 * out = interpolation from a (t = 0) to b (t = 1) at constant speed along the shorter arc. t > 1
 * extrapolates.
 *
 * @template {Writable} T
 * @param {Numbers} a
 * @param {number} i
 * @param {Numbers} b
 * @param {number} j
 * @param {number} t
 * @param {T} out
 * @param {number} k
 * @returns {T}
 */
export function slerp(a, i, b, j, t, out, k) {
  let cosine = a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3];
  const sign = cosine < 0 ? -1 : 1;
  let from = 1 - t;
  let to = t * sign;
  cosine *= sign;
  if (cosine < CHORD_COSINE) {
    const angle = Math.acos(cosine);
    const sine = Math.sin(angle);
    from = Math.sin(from * angle) / sine;
    to = (sign * Math.sin(t * angle)) / sine;
  }
  out[k] = from * a[i] + to * b[j];
  out[k + 1] = from * a[i + 1] + to * b[j + 1];
  out[k + 2] = from * a[i + 2] + to * b[j + 2];
  out[k + 3] = from * a[i + 3] + to * b[j + 3];
  return normalize(out, k, out, k);
}

/**
 * Angle between two orientations, radians, from the chord (exact near zero).
 *
 * @param {Numbers} a
 * @param {number} i
 * @param {Numbers} b
 * @param {number} j
 * @returns {number}
 */
export function angle(a, i, b, j) {
  let same = 0;
  let opposite = 0;
  for (let c = 0; c < 4; c++) {
    const p = a[i + c], q = b[j + c];
    same += (p - q) * (p - q);
    opposite += (p + q) * (p + q);
  }
  return 4 * Math.asin(Math.min(1, Math.sqrt(Math.min(same, opposite)) / 2));
}
