// Rotations as quaternions [x, y, z, w] in doubles, written out from their
// definitions. Nothing here comes from the code under test.

export const identity = [0, 0, 0, 1];

// a b: b first, then a.
export function times(a, b) {
	const [ax, ay, az, aw] = a;
	const [bx, by, bz, bw] = b;
	return [
		aw * bx + ax * bw + ay * bz - az * by,
		aw * by + ay * bw + az * bx - ax * bz,
		aw * bz + az * bw + ax * by - ay * bx,
		aw * bw - ax * bx - ay * by - az * bz,
	];
}

export const product = (...rotations) => rotations.reduce(times);
export const inverse = ([x, y, z, w]) => [-x, -y, -z, w];

export function about(axis, degrees) {
	const length = Math.sqrt(axis.reduce((sum, v) => sum + v * v, 0));
	const half = (degrees * Math.PI) / 360;
	return [...axis.map((v) => (v / length) * Math.sin(half)), Math.cos(half)];
}

// q v q^-1.
export function turn(q, v) {
	return times(times(q, [...v, 0]), inverse(q)).slice(0, 3);
}

export const add = (a, b) => a.map((v, i) => v + b[i]);
export const minus = (a, b) => a.map((v, i) => v - b[i]);
export const scaled = (v, factor) => v.map((x) => x * factor);

// At constant speed along the shorter arc: a (a^-1 b)^t.
export function slerp(a, b, t) {
	const between = times(inverse(a), b);
	const [x, y, z, w] = between[3] < 0 ? scaled(between, -1) : between;
	const sine = Math.sqrt(x * x + y * y + z * z);
	if (sine === 0) {
		return a;
	}
	const half = Math.atan2(sine, w) * t;
	return times(a, [...scaled([x, y, z], Math.sin(half) / sine), Math.cos(half)]);
}

// The rotation whose columns are these axes; w is positive where the trace is,
// else the largest component is taken from the diagonal.
export function fromAxes(x, y, z) {
	const m = [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]];
	const squares = [1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2],
		1 - m[0][0] - m[1][1] + m[2][2], 1 + m[0][0] + m[1][1] + m[2][2]];
	const largest = squares.indexOf(Math.max(...squares));
	const fourfold = 2 * Math.sqrt(squares[largest]);
	const sums = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]];
	const q = [0, 0, 0, 0];
	q[largest] = fourfold / 4;
	for (let i = 0; i < 4; i++) {
		if (i !== largest) {
			q[i] = (i === 3 || largest === 3 ? sums[Math.min(i, largest)]
				: m[i][largest] + m[largest][i]) / fourfold;
		}
	}
	return q;
}

// Degrees z, x, y of q = Rz Rx Ry, away from x = 90 degrees. Rows of the matrix:
// m21 = sin x, m20 = -cos x sin y, m22 = cos x cos y, m01 = -sin z cos x,
// m11 = cos z cos x.
export function zxyDegrees(q) {
	const [x, y, z] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => turn(q, axis));
	return [Math.atan2(-y[0], y[1]), Math.asin(Math.max(-1, Math.min(1, y[2]))),
		Math.atan2(-x[2], z[2])].map((radians) => (radians * 180) / Math.PI);
}
