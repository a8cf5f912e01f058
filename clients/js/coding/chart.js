// The chart of rotations in which chains have their lattice: tan(angle / 4) * axis. Only
// + - * / and sqrt in double precision, in the order of proto/SMALL-PACKETS.md, "Chains", so that
// the implementation in C gives the same bits.

/** By precision: fine, standard, coarse. */
export const UNITS = [0.00023410975632, 0.00097554363632, 0.003902244885];
const BOUNDS = [6.852292641e-8, 1.18984469e-6, 1.903820138e-5];

const CHART_SQUARE = 3; // beyond it the other point of a rotation is used

/**
 * Writes the chart point of a rotation in lattice units. A rotation has two points; the
 * result is the one nearer to the place, or to the origin.
 *
 * @param {ArrayLike<number>} q four numbers at i
 * @param {Int32Array | null} place three numbers at p
 * @param {Float64Array} point three numbers at k
 * @returns {boolean} false when `q` is not a rotation
 * @param {number} i
 * @param {number} precision
 * @param {number} p
 * @param {number} k
 */
export function pointOf(q, i, precision, place, p, point, k) {
  const x = Math.fround(q[i]), y = Math.fround(q[i + 1]), z = Math.fround(q[i + 2]);
  const w = Math.fround(q[i + 3]);
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  let least = Infinity;
  if (!(Math.abs(length - 1) <= 1e-3)) {
    return false; // also for NaN
  }
  for (let sign = 1; sign >= -1; sign -= 2) {
    const divisor = length + sign * w;
    if (divisor * CHART_SQUARE < length - sign * w) {
      continue;
    }
    const scale = divisor * UNITS[precision];
    const a = (sign * x) / scale, b = (sign * y) / scale, c = (sign * z) / scale;
    const da = place ? a - place[p] : a;
    const db = place ? b - place[p + 1] : b;
    const dc = place ? c - place[p + 2] : c;
    const distance = da * da + db * db + dc * dc;
    if (distance < least) {
      least = distance;
      point[k] = a;
      point[k + 1] = b;
      point[k + 2] = c;
    }
  }
  return true;
}

/**
 * Writes four numbers into out at k.
 *
 * @param {Int32Array} place
 * @param {number} p
 * @param {number} unit of the lattice
 * @param {number[] | Float32Array} out
 * @param {number} k
 */
export function rotationAt(place, p, unit, out, k) {
  const x = place[p] * unit, y = place[p + 1] * unit, z = place[p + 2] * unit;
  const s = x * x + y * y + z * z;
  const d = 1 + s;
  out[k] = Math.fround((2 * x) / d);
  out[k + 1] = Math.fround((2 * y) / d);
  out[k + 2] = Math.fround((2 * z) / d);
  out[k + 3] = Math.fround((1 - s) / d);
}

/**
 * Returns whether the distance from place to point is within the bound of the precision.
 *
 * @param {Float64Array} point
 * @param {number} k
 * @param {Int32Array} place
 * @param {number} p
 * @param {number} precision
 */
export function hits(point, k, place, p, precision) {
  const x = place[p], y = place[p + 1], z = place[p + 2];
  const a = point[k], b = point[k + 1], c = point[k + 2];
  const away = (a - x) * (a - x) + (b - y) * (b - y) + (c - z) * (c - z);
  const unit2 = UNITS[precision] * UNITS[precision];
  return away * unit2 <=
    BOUNDS[precision] * (1 + (a * a + b * b + c * c) * unit2) * (1 + (x * x + y * y + z * z) * unit2);
}
