// Affine maps of space as twelve numbers, three rows of a 3x4 matrix, in doubles. Written out from
// the definitions; nothing here comes from the code under test.

export const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

// a b: b first, then a.
export function times(a, b) {
	const out = new Array(12);
	for (let row = 0; row < 12; row += 4) {
		for (let column = 0; column < 4; column++) {
			out[row + column] = a[row] * b[column] + a[row + 1] * b[4 + column]
				+ a[row + 2] * b[8 + column] + (column === 3 ? a[row + 3] : 0);
		}
	}
	return out;
}

export const product = (...maps) => maps.reduce(times);
export const place = (m) => [m[3], m[7], m[11]];
export const moved = ([x, y, z]) => [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];
export const scaled = ([x, y, z]) => [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0];

export function turned([x, y, z, w]) {
	return [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 0,
		2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 0,
		2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), 0];
}

// About one coordinate axis, 0 to 2.
export function aboutAxis(axis, degrees) {
	const half = (degrees * Math.PI) / 360;
	const q = [0, 0, 0, Math.cos(half)];
	q[axis] = Math.sin(half);
	return turned(q);
}

// The inverse of a map that turns, moves and scales all axes alike.
export function inverse(m) {
	const size = m[0] * m[0] + m[4] * m[4] + m[8] * m[8];
	const rows = [0, 1, 2].map((k) => [m[k] / size, m[4 + k] / size, m[8 + k] / size]);
	return rows.flatMap((row) => [...row, -dot(row, place(m))]);
}

export const apply = (m, [x, y, z]) => [m[0] * x + m[1] * y + m[2] * z + m[3],
	m[4] * x + m[5] * y + m[6] * z + m[7], m[8] * x + m[9] * y + m[10] * z + m[11]];

export const add = (a, b) => a.map((v, i) => v + b[i]);
export const minus = (a, b) => a.map((v, i) => v - b[i]);
export const by = (v, factor) => v.map((x) => x * factor);
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (v) => Math.hypot(...v);
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
	a[0] * b[1] - a[1] * b[0]];
export const unit = (v) => by(v, 1 / (length(v) || 1));
export const middle = (a, b) => by(add(a, b), 0.5);

export const degreesBetween = (a, b) =>
	(Math.atan2(length(cross(a, b)), dot(a, b)) * 180) / Math.PI;
