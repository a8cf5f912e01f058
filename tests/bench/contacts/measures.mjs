// Measures a motion on a figure against the figure of the source, from places of joints alone. The
// first four are defined as in `jointcast measure`, for outputs of other programs.
import { dot, length, minus } from '../../inspect/affine.mjs';

const points = ['leftFoot', 'rightFoot', 'leftToes', 'rightToes'];
const effectors = ['head', 'leftHand', 'rightHand', 'leftFoot', 'rightFoot'];
const sides = ['left', 'right'];
const apart = (a, b) => length(minus(a, b));
export const mean = (values) => values.reduce((sum, v) => sum + v, 0) / values.length;

function touches({ rest, hipsHeight }, frames, point, i, rate) {
	return frames[i][point][1] - rest[point][1] <= 0.03 * hipsHeight
		&& apart(frames[i][point], frames[i - 1][point]) * rate <= 0.5 * hipsHeight;
}

function feetOf(source, target, rate) {
	const skate = { source: [], target: [] };
	let [both, seen, truth] = [0, 0, 0];
	for (const point of points.filter((each) => source.figure.rest[each] && target.figure.rest[each])) {
		for (let i = 1; i < source.frames.length; i++) {
			const isTruth = touches(source.figure, source.frames, point, i, rate);
			const isSeen = touches(target.figure, target.frames, point, i, rate);
			both += isTruth && isSeen ? 1 : 0;
			seen += isSeen ? 1 : 0;
			truth += isTruth ? 1 : 0;
			for (const [name, { frames }] of isTruth ? Object.entries({ source, target }) : []) {
				const way = minus(frames[i][point], frames[i - 1][point]);
				skate[name].push(100 * Math.hypot(way[0], way[2]));
			}
		}
	}
	return { skate: mean(skate.target) / mean(skate.source), f1: (2 * both) / (seen + truth) };
}

function penetration({ figure: { rest }, frames }) {
	return Math.max(0, ...frames.flatMap((frame) => sides.map((side) => {
		const joint = rest[`${side}Toes`] ? `${side}Toes` : `${side}Foot`;
		return 1000 * (rest[joint][1] - frame[joint][1]);
	})));
}

function jerk({ figure: { hipsHeight }, frames }) {
	return mean(effectors.flatMap((joint) => frames.slice(3).map((frame, i) =>
		length(frame[joint].map((v, k) => v - 3 * frames[i + 2][joint][k] + 3 * frames[i + 1][joint][k] - frames[i][joint][k])) / hipsHeight)));
}

/** Where on a thigh a hand is, from 0 at the hip to 1 at the knee. */
function shareOf(frame, side, hand) {
	const [hip, knee] = [frame[`${side}UpperLeg`], frame[`${side}LowerLeg`]];
	const thigh = minus(knee, hip);
	return Math.max(0, Math.min(1, dot(minus(hand, hip), thigh) / dot(thigh, thigh)));
}

const alongThigh = (frame, side, share) => frame[`${side}UpperLeg`].map((v, k) =>
	v + (frame[`${side}LowerLeg`][k] - v) * share);

// By pair: how near the source has to be, in head heights, and its distance in a frame. A hand on the
// upper half of a thigh hangs beside it, and one that is faster than `slow` head heights a second passes.
const pairs = {
	'hand-hand': { near: 0.15, of: ['left'], distance: (frame) => apart(frame.leftHand, frame.rightHand) },
	'hand-head': { near: 0.15, of: sides, distance: (frame, side) => apart(frame[`${side}Hand`], frame.head) },
	'hand-thigh': { near: 0.09, slow: 0.35, of: sides, distance: (frame, side) => Math.min(...sides.map((leg) => {
		const share = shareOf(frame, leg, frame[`${side}Hand`]);
		return share < 0.5 ? Infinity : apart(frame[`${side}Hand`], alongThigh(frame, leg, share));
	})) },
};

/** Errors of touching pairs in % of the head height, by pair. */
export function pairErrors(source, target) {
	const speed = (side, i) => (i ? apart(minus(source.frames[i][`${side}Hand`], source.frames[i].hips),
		minus(source.frames[i - 1][`${side}Hand`], source.frames[i - 1].hips)) : 0)
		/ source.seconds / source.figure.height;
	return Object.fromEntries(Object.entries(pairs).map(([name, { near, of, slow = Infinity, distance }]) => [name,
		of.flatMap((side) => source.frames.flatMap((frame, i) => {
			const from = distance(frame, side) / source.figure.height;
			const to = distance(target.frames[i], side) / target.figure.height;
			return from <= near && Number.isFinite(to) && speed(side, i) <= slow ? [100 * Math.abs(to - from)] : [];
		}))]));
}

/** The first four values; source is a figure whose T-pose is known, `seconds` from frame to frame. */
export function measure(source, target, seconds) {
	return { ...feetOf(source, target, 1 / seconds), penetration: penetration(target), jerk: jerk(target) / jerk(source) };
}

// The smallest distance of a hand from all that it can touch, in head heights.
function handDistance({ frames, figure }, side, i) {
	const frame = frames[i];
	const hand = frame[`${side}Hand`];
	return Math.min(apart(frame.leftHand, frame.rightHand), apart(hand, frame.head), apart(hand, frame.hips),
		...sides.map((leg) => apart(hand, alongThigh(frame, leg, shareOf(frame, leg, hand))))) / figure.height;
}

/** Degrees by which arms that touch nothing, trunk and head turn with the stage: the most. */
export function elsewhere(source, off, on, degreesBetween) {
	let worst = 0;
	on.rotations.forEach((rotations, i) => {
		const parts = ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head', 'leftShoulder', 'rightShoulder',
			...sides.filter((side) => handDistance(source, side, i) > 0.36)
				.flatMap((side) => ['UpperArm', 'LowerArm', 'Hand'].map((part) => side + part))];
		for (const part of parts.filter((each) => rotations[each])) {
			worst = Math.max(worst, degreesBetween(rotations[part], off.rotations[i][part]));
		}
	});
	return worst;
}

/** How far the hips are from the path without the stage, in steps of the same size: % of hips height. */
export function hipsPath(scaled, on) {
	return Math.max(...on.frames.map(({ hips }, i) => 100 / on.figure.hipsHeight * apart(hips, scaled.frames[i].hips)));
}
