// Column-major 4 x 4 matrices in doubles, for expected values; independent of the code under test.

import { fromAxes, turn } from '../../figures/arithmetic.mjs';

/** T(t) R(q) S(s). */
export function compose(t, q, s) {
	const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis, i) => turn(q, axis).map((x) => x * s[i]));
	return [...axes.flatMap((axis) => [...axis, 0]), ...t, 1];
}

/** a b. */
export function matrixTimes(a, b) {
	return Array.from({ length: 16 }, (_, i) =>
		[0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + (i & 3)] * b[(i & 12) + k], 0));
}

/** Translation, rotation and scale of a matrix without shear or mirror. */
export function partsOf(m) {
	const axes = [0, 4, 8].map((i) => m.slice(i, i + 3));
	const s = axes.map((axis) => Math.hypot(...axis));
	return { t: m.slice(12, 15), q: fromAxes(...axes.map((axis, i) => axis.map((x) => x / s[i]))), s };
}

/** The inverse of a matrix whose axes are perpendicular: T R S. */
export function inverted(m) {
	const { t, s } = partsOf(m);
	const rows = [0, 4, 8].map((i, k) => m.slice(i, i + 3).map((x) => x / s[k] ** 2));
	const moved = rows.map((row) => -row.reduce((sum, x, k) => sum + x * t[k], 0));
	return [0, 1, 2].flatMap((c) => [rows[0][c], rows[1][c], rows[2][c], 0]).concat(moved, 1);
}
