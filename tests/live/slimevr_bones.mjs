// The bones that SlimeVR sends for a pose: its chain begins at the eyes, its arms hang in the rest
// pose, and each rotation takes -Y to the tail of the bone. Offsets, sizes and the order of the
// chain: HumanSkeleton.kt, SkeletonConfigManager.kt and SkeletonConfigOffsets.java of
// github.com/SlimeVR/SlimeVR-Server (2026-08); numbers of parts: enum BodyPart of SolarXR.
import { BONES, BONE_PARENTS } from '../../clients/js/index.js';
import { multiply } from '../../clients/js/quat.js';

const HALF = Math.SQRT1_2;
const IDENTITY = [0, 0, 0, 1];
/** SlimeVR's body looks to -Z, ours to +Z. */
const ABOUT = [0, 1, 0, 0];
/** From hanging arms to the T-pose, of a body that looks to -Z. */
const RAISED = { left: [0, 0, -HALF, HALF], right: [0, 0, HALF, HALF] };

export const times = (...factors) => factors.reduce((a, b) => multiply(a, 0, b, 0, [], 0));

/** The shortest rotation from -Y to a direction; about X where that is +Y, as SlimeVR has it. */
function fromDown([x, y, z]) {
	const length = Math.hypot(x, y, z);
	const w = 1 - y / length;
	const axis = w < 1e-6 ? [1, 0, 0, 0] : [-z / length, 0, x / length, w];
	return axis.map((value) => value / Math.hypot(...axis));
}

const rotate = ([x, y, z, w], v) => {
	const around = times([x, y, z, w], [...v, 0], [-x, -y, -z, w]);
	return around.slice(0, 3);
};

const conjugated = ([x, y, z, w]) => [-x, -y, -z, w];

const add = (a, b) => a.map((value, i) => value + b[i]);

/* Name, part, the bone at whose tail it begins, bone of the humanoid, way from head to tail. */
const TRUNK = [
	['HEAD', 1, null, 'head', [0, 0, 0.1]],
	['NECK', 2, 'HEAD', 'neck', [0, -0.1, 0]],
	['UPPER_CHEST', 22, 'NECK', 'upperChest', [0, -0.16, 0]],
	['CHEST', 3, 'UPPER_CHEST', 'chest', [0, -0.16, 0]],
	['WAIST', 4, 'CHEST', 'spine', [0, -0.2, 0]],
	['HIP', 5, 'WAIST', 'hips', [0, -0.04, 0]],
];
/* Of the left side, which is -X; the right side's parts follow theirs. */
const SIDE = [
	['HIP_SIDE', 23, 'HIP', 'hips', [-0.13, 0, 0]],
	['UPPER_LEG', 6, 'HIP_SIDE', 'UpperLeg', [0, -0.42, 0]],
	['LOWER_LEG', 8, 'UPPER_LEG', 'LowerLeg', [0, -0.5, 0.05]],
	['FOOT', 10, 'LOWER_LEG', 'Foot', [0, 0, -0.05]],
	['SHOULDER', 20, 'NECK', 'Shoulder', [-0.175, -0.08, 0]],
	['UPPER_ARM', 16, 'SHOULDER', 'UpperArm', [0, -0.26, 0]],
	['LOWER_ARM', 14, 'UPPER_ARM', 'LowerArm', [0, -0.26, 0]],
	['HAND', 18, 'LOWER_ARM', 'Hand', [0, -0.035, -0.13]],
];
const ARM = /Arm|Hand/;

/** Rotations of bones in the world since the T-pose, from normalised local ones. */
export function worldRotations(local) {
	const world = [];
	BONES.forEach((_, i) => world.push(i === 0 ? local(0) : times(world[BONE_PARENTS[i]], local(i))));
	return world;
}

/** One bone of the chain at a place, as SlimeVR sends it, and its tail. */
function place(bone) {
	const { offset, raw, head } = bone;
	return { ...bone, length: Math.hypot(...offset), tail: add(head, rotate(raw, offset)),
		position: head, rotation: times(raw, fromDown(offset)) };
}

/**
 * The same bone where a controller drives the arm: hand and lower arm hang from the controller,
 * to which the hand extends; shoulder and upper arm stay as they hung when the body stood still.
 */
function fromController(bone, shoulder) {
	const { name, head, raw, offset } = bone;
	const down = [0, -Math.hypot(...offset), 0];
	const reversed = fromDown(offset.map((value) => -value));
	switch (name) {
	case 'SHOULDER':
		return { ...bone, rotation: times(ABOUT, fromDown(offset)) };
	case 'UPPER_ARM':
		return { ...bone, rotation: ABOUT, position: add(shoulder.head, rotate(ABOUT, shoulder.offset)) };
	case 'LOWER_ARM':
		return { ...bone, rotation: times(raw, reversed), position: bone.tail };
	case 'HAND':
		return { ...bone, rotation: times(raw, conjugated(fromDown(offset)), reversed),
			position: add(head, rotate(raw, down)) };
	default:
		return bone;
	}
}

/**
 * @param {{rotations: number[][], hips: number[]}} pose by bone, in the world since the T-pose;
 *   where the hips are
 * @param {{controllers?: boolean}} options whether controllers drive the arms
 */
export function slimevrBones({ rotations, hips }, { controllers = false } = {}) {
	const placed = new Map();
	const sent = [];
	const put = (side, [name, part, from, , offset], limb, raise) => {
		const raw = times(rotations[BONES.indexOf(limb)], ABOUT, raise);
		const head = from ? (placed.get(side + from) ?? placed.get(from)).tail : [0, 0, 0];
		const bone = place({ name, part, offset, raw, head });
		placed.set(side + name, bone);
		sent.push(controllers ? fromController(bone, placed.get(`${side}SHOULDER`)) : bone);
	};
	for (const row of TRUNK)
		put('', row, row[3], IDENTITY);
	for (const [i, side] of ['left', 'right'].entries())
		for (const [name, part, from, limb, [x, y, z]] of SIDE)
			put(side, [name, part + i, from, limb, [i ? -x : x, y, z]],
				limb === 'hips' ? limb : side + limb, ARM.test(limb) ? RAISED[side] : IDENTITY);
	const shift = add(hips, placed.get('HIP').tail.map((value) => -value));
	return sent.map((bone) => ({ ...bone, position: add(bone.position, shift) }));
}
