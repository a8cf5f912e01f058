// A SlimeVR server and Monado's driver solarxr: the bones of a body become 20 of Meta's joints.
//
// The facts come from SlimeVR-Server at 554976390b7c (BoneType, SkeletonConfigOffsets,
// SkeletonConfigManager.computeNodeOffset, HumanSkeleton.updateTransforms and .updateNodeOffset,
// Bone, DataFeedBuilder.createBonesData) and from Monado with solarxr at 02fd0cab5f67
// (src/xrt/drivers/solarxr/solarxr_device.c, get_body_joints and get_body_skeleton):
// - a tracker's rotation is that since a standing body with hanging arms that looks to -Z;
// - a bone has an offset in those axes. Its rotation is the tracker's times the shortest rotation
//   from -Y to the offset, so that it extends along its own -Y; half a turn about X for +Y;
// - the head has the headset's position, and the other bones hang from it;
// - a controller reverses the offsets of hand and forearm, which hang from it; the server no
//   longer turns shoulder and upper arm;
// - the driver passes head position and rotation of each bone on under a joint's name.

const ANGLE = Math.PI / 180;

/** Quaternions [x, y, z, w]. */
export const multiply = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
	aw * bx + ax * bw + ay * bz - az * by,
	aw * by - ax * bz + ay * bw + az * bx,
	aw * bz + ax * by - ay * bx + az * bw,
	aw * bw - ax * bx - ay * by - az * bz,
];
export const conjugate = ([x, y, z, w]) => [-x, -y, -z, w];
export const about = (axis, radians) => {
	const sine = Math.sin(radians / 2);
	return [...axis.map((x) => x * sine), Math.cos(radians / 2)];
};
const X = [1, 0, 0];
const Y = [0, 1, 0];
const Z = [0, 0, 1];
const all = (...rotations) => rotations.reduce(multiply);
const rotate = (q, v) => multiply(multiply(q, [...v, 0]), conjugate(q)).slice(0, 3);
const add = (a, b) => a.map((x, i) => x + b[i]);
const scale = (a, k) => a.map((x) => x * k);

/** The shortest rotation from -Y to an offset. */
function fromDown(offset) {
	const length = Math.hypot(...offset);
	const [x, y, z] = scale(offset, 1 / length);
	if (y > 1 - 1e-12)
		return [1, 0, 0, 0];
	const q = [-z, 0, x, 1 - y];
	return scale(q, 1 / Math.hypot(...q));
}

/** The server's default proportions, metres. */
export const USUAL = { head: 0.1, neck: 0.1, upperChest: 0.16, chest: 0.16, waist: 0.2, hip: 0.04,
	hipsWidth: 0.26, upperLeg: 0.42, lowerLeg: 0.5, footLength: 0.05, footShift: -0.05,
	shouldersWidth: 0.35, shouldersDistance: 0.08, upperArm: 0.26, lowerArm: 0.26,
	handY: 0.035, handZ: 0.13 };

/** Others: shoulders that slope by 20 degrees, straight shins and hands. */
export const STRAIGHT = { ...USUAL, shouldersWidth: 0.4,
	shouldersDistance: 0.2 * Math.tan(20 * ANGLE), footShift: 0, handY: 0.12, handZ: 0 };

/** The offset of each bone, the bone that it hangs from, and its bone of a humanoid. */
const skeleton = (size) => ({
	HEAD: [null, [0, 0, size.head], 'head'],
	NECK: ['HEAD', [0, -size.neck, 0], 'neck'],
	UPPER_CHEST: ['NECK', [0, -size.upperChest, 0], 'upperChest'],
	CHEST: ['UPPER_CHEST', [0, -size.chest, 0], 'chest'],
	WAIST: ['CHEST', [0, -size.waist, 0], 'spine'],
	HIP: ['WAIST', [0, -size.hip, 0], 'hips'],
	...Object.assign({}, ...[['LEFT', 'left', -1], ['RIGHT', 'right', 1]].map(([SIDE, side, x]) => ({
		[`${SIDE}_HIP`]: ['HIP', [x * size.hipsWidth / 2, 0, 0], 'hips'],
		[`${SIDE}_UPPER_LEG`]: [`${SIDE}_HIP`, [0, -size.upperLeg, 0], `${side}UpperLeg`],
		[`${SIDE}_LOWER_LEG`]: [`${SIDE}_UPPER_LEG`, [0, -size.lowerLeg, -size.footShift],
			`${side}LowerLeg`],
		[`${SIDE}_FOOT`]: [`${SIDE}_LOWER_LEG`, [0, 0, -size.footLength], `${side}Foot`],
		[`${SIDE}_SHOULDER`]: ['NECK', [x * size.shouldersWidth / 2, -size.shouldersDistance, 0],
			`${side}Shoulder`],
		[`${SIDE}_UPPER_ARM`]: [`${SIDE}_SHOULDER`, [0, -size.upperArm, 0], `${side}UpperArm`],
		[`${SIDE}_LOWER_ARM`]: [`${SIDE}_UPPER_ARM`, [0, -size.lowerArm, 0], `${side}LowerArm`],
		[`${SIDE}_HAND`]: [`${SIDE}_LOWER_ARM`, [0, -size.handY, -size.handZ], `${side}Hand`],
	}))),
});

/** The joint of each bone (jointMap of the driver). */
const JOINTS = { HEAD: 'head', NECK: 'neck', UPPER_CHEST: 'chest', CHEST: 'spine-upper',
	WAIST: 'spine-lower', HIP: 'hips', ...Object.assign({}, ...['LEFT', 'RIGHT'].map((SIDE) => {
		const side = SIDE.toLowerCase();
		return { [`${SIDE}_UPPER_LEG`]: `${side}-upper-leg`, [`${SIDE}_LOWER_LEG`]: `${side}-lower-leg`,
			[`${SIDE}_FOOT`]: `${side}-foot-transverse`, [`${SIDE}_SHOULDER`]: `${side}-shoulder`,
			[`${SIDE}_UPPER_ARM`]: `${side}-arm-upper`, [`${SIDE}_LOWER_ARM`]: `${side}-arm-lower`,
			[`${SIDE}_HAND`]: `${side}-hand-wrist` };
	})) };

const PARENTS = { hips: null, spine: 'hips', chest: 'spine', upperChest: 'chest', neck: 'upperChest',
	head: 'neck', ...Object.assign({}, ...['left', 'right'].map((side) => ({
		[`${side}Shoulder`]: 'upperChest', [`${side}UpperArm`]: `${side}Shoulder`,
		[`${side}LowerArm`]: `${side}UpperArm`, [`${side}Hand`]: `${side}LowerArm`,
		[`${side}UpperLeg`]: 'hips', [`${side}LowerLeg`]: `${side}UpperLeg`,
		[`${side}Foot`]: `${side}LowerLeg` }))) };

/** The bones of a humanoid that SlimeVR knows. */
export const KNOWN = Object.keys(PARENTS);

/** The rotation of a bone in the world, from normalised local rotations. */
export const turned = (pose, bone) => (PARENTS[bone]
	? multiply(turned(pose, PARENTS[bone]), pose[bone]) : pose[bone]);

/** A tracker's rotation, from a body's normalised local rotations, which has looked to +Z. */
function trackers(pose) {
	const found = {};
	for (const bone of KNOWN) {
		const hang = !/UpperArm|LowerArm|Hand/.test(bone) ? [0, 0, 0, 1]
			: about(Z, (bone.startsWith('left') ? -90 : 90) * ANGLE);
		found[bone] = multiply(turned(pose, bone), conjugate(multiply(about(Y, Math.PI), hang)));
	}
	return found;
}

/** Head position and rotation of each bone, the head at the origin. */
function hang(bones, rotations) {
	const placed = {};
	for (const [name, [above, offset]] of Object.entries(bones)) {
		const place = above ? placed[above].tail : [0, 0, 0];
		const rotation = multiply(rotations[name], fromDown(offset));
		placed[name] = { place, rotation,
			tail: add(place, rotate(rotation, [0, -Math.hypot(...offset), 0])) };
	}
	return placed;
}

/** The hand and the forearm of an arm that a controller drives; where it was at the start. */
function reverse(placed, bones, rotations, first, SIDE, { driven, bare }) {
	const [, hand] = bones[`${SIDE}_HAND`];
	const [, lower] = bones[`${SIDE}_LOWER_ARM`];
	const back = (offset) => scale(offset, -1);
	const wrist = placed[`${SIDE}_HAND`].place;
	// The controller is held so that the hand extends towards it.
	const controller = multiply(rotations[`${SIDE}_HAND`], conjugate(fromDown(hand)));
	const held = add(wrist, rotate(controller, hand));
	placed[`${SIDE}_HAND`] = { place: held, rotation: multiply(controller, fromDown(back(hand))) };
	placed[`${SIDE}_LOWER_ARM`] = { place: wrist, rotation: multiply(
		bare ? [0, 0, 0, 1] : rotations[`${SIDE}_LOWER_ARM`], fromDown(back(lower))) };
	if (driven)
		return;
	const [above, offset] = bones[`${SIDE}_SHOULDER`];
	const rotation = multiply(first, fromDown(offset));
	const place = placed[above].tail;
	placed[`${SIDE}_SHOULDER`] = { place, rotation };
	placed[`${SIDE}_UPPER_ARM`] = { rotation: first,
		place: add(place, rotate(rotation, [0, -Math.hypot(...offset), 0])) };
}

/**
 * The bones that the server sends of a pose; the body stands on the floor.
 *
 * @param {Record<string, number[]>} pose normalised local rotations
 * @param {Record<string, number[]>} first the pose before controllers drive the arms
 * @param {{size?: object, controllers?: boolean, driven?: boolean, bare?: boolean}} [options]
 *   proportions; whether controllers drive the arms; whether the upper arms follow them
 *   nevertheless; whether the forearms have no trackers
 * @returns {Record<string, {place: number[], rotation: number[], length: number}>} place of the
 *   bone's head
 */
export function bonesOf(pose, first, { size = USUAL, controllers = false, driven = false,
	bare = false } = {}) {
	const bones = skeleton(size);
	const rotation = trackers(pose);
	const rotations = Object.fromEntries(Object.entries(bones)
		.map(([name, [, , bone]]) => [name, rotation[bone]]));
	const placed = hang(bones, rotations);
	const floor = Math.min(placed.LEFT_FOOT.place[1], placed.RIGHT_FOOT.place[1]) - 0.05;
	for (const SIDE of controllers ? ['LEFT', 'RIGHT'] : [])
		reverse(placed, bones, rotations, trackers(first).upperChest, SIDE, { driven, bare });
	return Object.fromEntries(Object.entries(placed).map(([name, { place, rotation }]) =>
		[name, { place: add(place, [0, -floor, 0]), rotation, length: Math.hypot(...bones[name][1]) }]));
}

/**
 * What the driver delivers of a moving body.
 *
 * @param {(t: number) => Record<string, number[]>} pose normalised local rotations at a time
 * @param {number[]} times seconds
 * @param {object} [options] those of bonesOf
 * @returns the lines of a body-frame file with the driver's skeleton
 */
export function solarxr(pose, times, options = {}) {
	const names = Object.keys(JOINTS);
	const frames = times.map((t) => {
		const bones = bonesOf(pose(t), pose(times[0]), options);
		return { t, joints: names.map((name) => [...bones[name].place, ...bones[name].rotation, 2]) };
	});
	return [{ jointcast: 'body-frames', joints: names.map((name) => JOINTS[name]),
		rest: { joints: rest(skeleton(options.size ?? USUAL), names) } }, ...frames]
		.map((line) => JSON.stringify(line));
}

/** The driver's skeleton: lengths of bones in a row, without rotations, the head at the origin. */
function rest(bones, names) {
	const above = { HEAD: null, NECK: 'HEAD', UPPER_CHEST: 'NECK', CHEST: 'UPPER_CHEST',
		WAIST: 'CHEST', HIP: 'WAIST' };
	const places = {};
	for (const SIDE of ['LEFT', 'RIGHT'])
		Object.assign(above, { [`${SIDE}_SHOULDER`]: 'NECK', [`${SIDE}_UPPER_ARM`]: `${SIDE}_SHOULDER`,
			[`${SIDE}_LOWER_ARM`]: `${SIDE}_UPPER_ARM`, [`${SIDE}_HAND`]: `${SIDE}_LOWER_ARM`,
			[`${SIDE}_UPPER_LEG`]: 'HIP', [`${SIDE}_LOWER_LEG`]: `${SIDE}_UPPER_LEG`,
			[`${SIDE}_FOOT`]: `${SIDE}_LOWER_LEG` });
	for (const name of Object.keys(above)) {
		const length = Math.hypot(...bones[name][1]);
		const side = name.startsWith('LEFT') ? -1 : 1;
		const way = name === 'HEAD' ? [0, 0, 0] : /SHOULDER|ARM|HAND/.test(name) ? [side * length, 0, 0]
			: /FOOT/.test(name) ? [0, 0, -length] : [0, -length, 0];
		places[name] = add(above[name] ? places[above[name]] : [0, 0, 0], way);
	}
	return names.map((name) => [...places[name], 0, 0, 0, 1, 2]);
}

/** From 0 to 1 and back between two times, over a second. */
const during = (t, from, to) => {
	const ease = (x) => { const y = Math.min(Math.max(x, 0), 1); return y * y * (3 - 2 * y); };
	return ease(t - from + 0.5) * ease(to + 0.5 - t);
};

/** Across x = 0. */
const mirror = ([x, y, z, w]) => [x, -y, -z, w];

/** Seconds of the motion below. */
export const SECONDS = 16;

/**
 * A body that turns once, walks, raises its arms, crouches and turns its head. Elbows are hinges;
 * the twist of a forearm is in the hand. Shoulders have no trackers of their own.
 *
 * @returns {Record<string, number[]>} normalised local rotations
 */
export function move(t) {
	const walk = during(t, 0.8, 4);
	const raise = during(t, 5, 8);
	const crouch = during(t, 9, 11.5);
	const look = during(t, 12.5, 15);
	const step = 2 * Math.PI * t / 1.2;
	const head = Math.sin(1.7 * t);
	const pose = {
		hips: all(about(Y, Math.PI + 2 * Math.PI * t / SECONDS), about(X, 0.3 * crouch),
			about(Z, 0.05 * walk * Math.sin(step))),
		spine: all(about(X, 0.05 + 0.25 * crouch), about(Y, 0.08 * Math.sin(step))),
		chest: all(about(X, 0.04 + 0.1 * crouch), about(Z, 0.06 * Math.sin(t))),
		upperChest: all(about(X, 0.03), about(Y, 0.1 * Math.sin(step + 1))),
		neck: all(about(Y, 0.4 * look * head), about(X, 0.1 - 0.3 * crouch)),
		head: all(about(Y, 0.2 * Math.sin(t) + 0.6 * look * head), about(X, 0.15 * Math.sin(2.3 * t)),
			about(Z, 0.1 * Math.sin(1.1 * t))),
	};
	for (const [side, sign, phase] of [['left', 1, 0], ['right', -1, Math.PI]]) {
		const swing = walk * Math.sin(step + phase);
		const knee = 0.08 + 0.45 * walk * (1 + Math.sin(step + phase + 1)) + 1.6 * crouch;
		const bones = {
			Shoulder: [0, 0, 0, 1],
			UpperArm: all(about(Y, 0.4 * swing - 0.5 * crouch),
				about(Z, -1.2 + 2.2 * raise + 0.15 * Math.sin(2 * t + phase)),
				about(X, 0.3 * Math.sin(1.3 * t + phase))),
			LowerArm: about(Y, -(0.25 + 0.2 * swing + 0.9 * crouch
				+ raise * (0.5 + 0.5 * Math.sin(3 * t + phase)))),
			Hand: all(about(X, 0.5 * Math.sin(1.9 * t + phase)), about(Z, 0.3 * Math.sin(2.1 * t)),
				about(Y, 0.15 * Math.sin(1.4 * t + phase))),
			UpperLeg: all(about(X, -0.45 * swing - 0.04 - 0.9 * crouch), about(Z, 0.06),
				about(Y, 0.1 * Math.sin(t + phase))),
			LowerLeg: about(X, knee),
			Foot: all(about(X, -0.2 * swing - 0.6 * crouch), about(Y, 0.15), about(Z, 0.05)),
		};
		for (const [bone, rotation] of Object.entries(bones))
			pose[side + bone] = sign > 0 ? rotation : mirror(rotation);
	}
	return pose;
}
