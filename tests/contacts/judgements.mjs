// What a motion with known contacts must look like on a figure. Every judgement compares places by
// these tests' forward kinematics with what is known of the motion; limits are those of the goals.
import { minus, scaled, add } from '../figures/arithmetic.mjs';
import { source } from './figures.mjs';
import { dot, length } from './limbs.mjs';
import { rate } from './source_file.mjs';

// Fractions are of the height of the head over the floor in the T-pose, unless another unit is named.
export const limits = {
	still: 0.005, // a held joint, along the ground, from where it stands on average
	sunk: 0.005, // metres below the place in the T-pose
	touch: { mean: 0.01, most: 0.02 }, // a touching pair: distance, of the figure less of the source
	jump: 0.025, // way of the correction from one frame to the next, beyond what the limb itself moves
	pace: 0.75, // share of the limb's own way that the correction may change with it
	hips: 0.02, // of hips height
};
// Nothing touches: a hand is farther than this from everything, a foot is higher than this.
const handFar = 0.35;
const footFar = 0.1;
const settled = { hand: 0.05, foot: 0.6 }; // seconds after a contact in which the correction ends
const engaged = 0.12; // seconds in which a foot may come to rest
// Seconds in which a hand may come to rest: arms swing past hips and legs without touching them.
const touched = (to) => (/hips|Leg|Thigh/.test(to) ? 0.2 : 0);
const rounding = 1e-5; // metres, of the hips while nothing touches
const reach = 0.97; // share of an arm's length that a figure has to use

const trunk = ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head', 'leftShoulder', 'rightShoulder'];
const limbsOf = { Arm: ['UpperArm', 'LowerArm', 'Hand'], Leg: ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'] };
const limbOf = (joint) => {
	const [, side, part] = /^(left|right)(.*)$/.exec(joint) ?? [];
	const limb = Object.values(limbsOf).find((parts) => parts.includes(part));
	return limb ? limb.map((each) => side + each) : [joint];
};
const sides = ['left', 'right'];
const otherOf = (side) => (side === 'left' ? 'right' : 'left');
const apart = (a, b) => length(minus(a, b));
const headHeight = ({ at }) => at.head[1];

function onSegment(point, a, b) {
	const along = minus(b, a);
	return Math.max(0, Math.min(1, dot(minus(point, a), along) / dot(along, along)));
}

// The point that a hand is near, and its share along a thigh where it is one.
function anchor(places, to, hand, share) {
	if (to === 'floor') {
		return [hand[0], 0, hand[2]];
	}
	const side = /^(left|right)Thigh$/.exec(to)?.[1];
	if (!side) {
		return places[to];
	}
	const [hip, knee] = [places[`${side}UpperLeg`], places[`${side}LowerLeg`]];
	return add(hip, scaled(minus(knee, hip), share ?? onSegment(hand, hip, knee)));
}

const inTime = ({ from, until }, i, early = 0, late = 0) =>
	i / rate >= from + early - 1e-9 && i / rate <= until - late + 1e-9;
const frames = (poses) => poses.map((_, i) => i);

// Held joints: the largest way from their middle.
function heldFeet({ motion, figure, on }) {
	let worst = { value: 0, what: 'no foot is held' };
	for (const { joint, from, until } of motion.held) {
		const points = frames(on).filter((i) => inTime({ from, until }, i, engaged, 0.05))
			.map((i) => on[i].places[joint]).filter(Boolean).map(([x, , z]) => [x, 0, z]);
		const middle = scaled(points.reduce(add, [0, 0, 0]), 1 / (points.length || 1));
		const value = Math.max(0, ...points.map((p) => apart(p, middle))) / headHeight(figure);
		if (value >= worst.value) {
			worst = { value, what: `${joint} from ${from.toFixed(2)} s moves` };
		}
	}
	return { ...worst, limit: limits.still };
}

// The feet do not go into the ground: the lower of toes and ankle, below its place in the T-pose.
function sinking({ figure, on }) {
	let worst = { value: 0, what: 'no foot sinks' };
	on.forEach(({ places }, i) => {
		for (const side of sides) {
			const joint = figure.at[`${side}Toes`] ? `${side}Toes` : `${side}Foot`;
			const value = figure.at[joint][1] - places[joint][1];
			if (value > worst.value) {
				worst = { value, what: `${joint} at ${(i / rate).toFixed(2)} s is below, metres` };
			}
		}
	});
	return { ...worst, limit: limits.sunk };
}

// Whether an arm of this figure could be where the source's hand is.
function canReach({ figure, poses, on }, { hand, to }, i, near) {
	const place = on[i].places;
	const upper = place[`${hand}UpperArm`];
	const arm = apart(figure.at[`${hand}UpperArm`], figure.at[`${hand}LowerArm`])
		+ apart(figure.at[`${hand}LowerArm`], figure.at[`${hand}Hand`]);
	if (/Hand$/.test(to)) {
		return true; // both arms can meet half way
	}
	const from = poses[i].places[`${hand}Hand`];
	const wanted = add(anchor(place, to, place[`${hand}Hand`], near.share),
		scaled(minus(from, near.point), headHeight(figure) / headHeight(source)));
	const distance = apart(upper, wanted);
	return distance <= reach * arm && distance >= 0.3 * arm;
}

// The distance of a touching pair in one frame: of the figure less of the source.
function missed({ figure, poses, on }, { hand, to }, i) {
	const from = poses[i].places;
	const wrist = from[`${hand}Hand`];
	const side = /^(left|right)Thigh$/.exec(to)?.[1];
	const share = side && onSegment(wrist, from[`${side}UpperLeg`], from[`${side}LowerLeg`]);
	const point = anchor(from, to, wrist);
	const place = on[i].places;
	const theirs = apart(place[`${hand}Hand`], anchor(place, to, place[`${hand}Hand`])) / headHeight(figure);
	return { error: Math.abs(theirs - apart(wrist, point) / headHeight(source)), near: { point, share } };
}

function touching(trial) {
	const errors = [];
	let worst = { value: 0, what: 'nothing touches' };
	let unreached = 0;
	for (const claim of trial.motion.touch ?? []) {
		for (const i of frames(trial.on).filter((each) => inTime(claim, each, touched(claim.to)))) {
			const { error, near } = missed(trial, claim, i);
			if (!canReach(trial, claim, i, near)) {
				unreached++;
				continue;
			}
			errors.push(error);
			if (error > worst.value) {
				worst = { value: error, what: `${claim.hand} hand at ${claim.to} at ${(i / rate).toFixed(2)} s is off` };
			}
		}
	}
	const mean = errors.reduce((sum, v) => sum + v, 0) / (errors.length || 1);
	const judged = mean / limits.touch.mean > worst.value / limits.touch.most
		? { value: mean, limit: limits.touch.mean, what: 'touching hands are off on average' }
		: { ...worst, limit: limits.touch.most };
	return { ...judged, unreached, judged: errors.length, mean, most: worst.value };
}

// The correction, place with the stage less place without, comes and goes with the motion: no joint is
// moved at once.
function jumps({ figure, on, off }) {
	let worst = { value: 0, what: 'nothing jumps' };
	for (let i = 1; i < on.length; i++) {
		for (const joint of Object.keys(on[i].places)) {
			const [now, before] = [i, i - 1].map((each) => minus(on[each].places[joint], off[each].places[joint]));
			const own = Math.max(...limbOf(joint).filter((each) => off[i].places[each])
				.map((each) => apart(off[i].places[each], off[i - 1].places[each])));
			const value = (apart(now, before) - limits.pace * own) / headHeight(figure);
			if (value > worst.value) {
				worst = { value, what: `${joint} at ${(i / rate).toFixed(2)} s jumps` };
			}
		}
	}
	return { ...worst, limit: limits.jump };
}

// The smallest distance of a source's hand from all that it can touch, in head heights.
function handDistance(places, side) {
	const hand = places[`${side}Hand`];
	const partners = [`${otherOf(side)}Hand`, 'head', 'hips', 'leftThigh', 'rightThigh', 'floor'];
	return Math.min(...partners.map((to) => apart(hand, anchor(places, to, hand)))) / headHeight(source);
}

const footHeight = (places, side) => Math.min(...['Foot', 'Toes'].map((joint) =>
	places[side + joint][1] - source.at[side + joint][1])) / headHeight(source);

// Frames in which something has been far for a while, so that it must not be touched.
function farFrames(poses, seconds, isFar) {
	let since = Infinity; // seconds since it was near
	return poses.map((pose) => {
		since = isFar(pose.places) ? since + 1 / rate : 0;
		return since > seconds;
	});
}

const legOf = ({ at }) => apart(at.leftUpperLeg, at.leftLowerLeg) + apart(at.leftLowerLeg, at.leftFoot);

// Where the hips are if their way is as long as that of the source is in legs.
const scaledHips = (figure, { way }) => add(figure.at.hips,
	scaled(way, source.at.hips[1] * legOf(figure) / legOf(source)));

const sameBits = (a, b) => a.every((v, i) => Object.is(v, b[i]));

// The trunk always, an arm or a leg that touches nothing, and the hips where no foot touches: the
// numbers of the exact retargeting.
function unchanged({ poses, on, off, figure }) {
	let worst = { value: 0, what: 'nothing changes that does not touch' };
	const compare = (i, joint) => {
		if (figure.at[joint] && !sameBits(on[i].frame.bones[joint].rotation, off[i].frame.bones[joint].rotation)) {
			worst = { value: worst.value + 1, what: `${joint} at ${(i / rate).toFixed(2)} s is changed, times` };
		}
	};
	const feetFar = Object.fromEntries(sides.map((side) =>
		[side, farFrames(poses, settled.foot, (places) => footHeight(places, side) > footFar)]));
	for (const i of frames(on)) {
		trunk.forEach((joint) => compare(i, joint));
		if (feetFar.left[i] && feetFar.right[i]
			&& apart(on[i].places.hips, scaledHips(figure, poses[i])) > rounding) {
			worst = { value: worst.value + 1, what: `the hips at ${(i / rate).toFixed(2)} s move, times` };
		}
	}
	for (const side of sides) {
		const handsFar = farFrames(poses, settled.hand, (places) => handDistance(places, side) > handFar);
		for (const i of frames(on)) {
			(handsFar[i] ? limbsOf.Arm : []).forEach((part) => compare(i, side + part));
			(feetFar[side][i] ? limbsOf.Leg : []).forEach((part) => compare(i, side + part));
		}
	}
	return { ...worst, limit: 0 };
}

function hipsPath({ figure, poses, on }) {
	let worst = { value: 0, what: 'the hips keep their path' };
	frames(on).forEach((i) => {
		const value = apart(on[i].places.hips, scaledHips(figure, poses[i])) / figure.at.hips[1];
		if (value > worst.value) {
			worst = { value, what: `the hips at ${(i / rate).toFixed(2)} s are off their path` };
		}
	});
	return { ...worst, limit: limits.hips };
}

/** By name; each takes { motion, figure, poses, on, off } and gives { value, limit, what }. */
export const judgements = { held: heldFeet, sinking, touching, jumps, unchanged, hips: hipsPath };
