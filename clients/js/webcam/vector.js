// Vectors of three numbers for the joints of landmarks.

/** @typedef {readonly number[]} Vector */

/** @param {Vector} a @param {Vector} b */
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** @param {Vector} a @param {Vector} b */
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** @param {Vector} a @param {number} s */
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
/** @param {Vector} a @param {Vector} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {Vector} a @param {Vector} b */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** @param {Vector} a */
export const size = (a) => Math.hypot(a[0], a[1], a[2]);
/** The point between two points. @param {Vector} a @param {Vector} b @param {number} [t] */
export const mix = (a, b, t = 0.5) => add(a, scale(sub(b, a), t));
/** The direction of a vector; zero stays zero. @param {Vector} a */
export const unit = (a) => scale(a, 1 / Math.max(size(a), 1e-9));
/** The part of a perpendicular to the direction d, as a direction. @param {Vector} a @param {Vector} d */
export const across = (a, d) => unit(sub(a, scale(d, dot(a, d))));

/** Turns a vector about +X. @param {Vector} a @param {number} radians */
export function pitch([x, y, z], radians) {
  const c = Math.cos(radians);
  const s = Math.sin(radians);
  return [x, c * y - s * z, s * y + c * z];
}

/**
 * Turns v by the smallest rotation that takes the direction a to the direction b. Opposite directions
 * have no smallest rotation: the result is then v.
 *
 * @param {Vector} a
 * @param {Vector} b
 * @param {Vector} v
 */
export function swing(a, b, v) {
  const axis = cross(a, b);
  const c = dot(a, b);
  if (c < -0.9999) {
    return [...v];
  }
  // Rodrigues: v cos + (k x v) sin + k (k . v) (1 - cos), with k sin = axis.
  return add(add(scale(v, c), cross(axis, v)), scale(axis, dot(axis, v) / (1 + c)));
}
