// Functions for comparisons with other implementations.
import { Quaternion } from 'three';
import { BONES, BONE_PARENTS } from '../../clients/js/tables.js';

// Angle between two rotations from the chord, which is exact near zero.
export function degreesBetween(a, b) {
	const [p, q] = [new Quaternion(...a).normalize(), new Quaternion(...b).normalize()];
	const chord = Math.min(Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z, p.w - q.w),
		Math.hypot(p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w));
	return (4 * Math.asin(Math.min(chord / 2, 1)) * 180) / Math.PI;
}

export const minus = (a, b) => a.map((value, i) => value - b[i]);

// The rotations for a model that lacks some bones: D from all bones, then N between those that
// it has. three-vrm itself drops rotations of missing bones.
export function fold(bones, has) {
	const worlds = [];
	const folded = {};
	BONES.forEach((bone, index) => {
		const parent = BONE_PARENTS[index];
		const n = new Quaternion(...(bones[bone]?.normalized ?? [0, 0, 0, 1]));
		worlds[index] = parent < 0 ? n : worlds[parent].clone().multiply(n);
		let above = parent;
		while (above >= 0 && !has(BONES[above])) {
			above = BONE_PARENTS[above];
		}
		if (has(bone)) {
			const local = above < 0 ? worlds[index].clone()
				: worlds[above].clone().invert().multiply(worlds[index]);
			folded[bone] = { normalized: local.toArray() };
		}
	});
	return folded;
}
