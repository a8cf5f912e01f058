// Judges frames of a body by the positions of its joints, in metres, +Y up: does it stand upright on
// the floor, do feet point forward, do knees bend forward, is left on the left.
import { add, cross, degreesBetween, dot, length, middle, minus, unit } from './affine.mjs';

export const sides = ['left', 'right'];
const up = [0, 1, 0];

export function median(values) {
	const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
	return sorted.length ? sorted[Math.floor((sorted.length - 1) / 2)] : NaN;
}

export const mean = (values) => values.reduce((sum, v) => sum + v, 0) / (values.length || 1);
const share = (values) => (values.length ? values.filter(Boolean).length / values.length : NaN);
const level = (v) => [v[0], 0, v[2]];

export const hipsOf = (frame) => middle(frame.leftUpperLeg, frame.rightUpperLeg);
const feetOf = (frame) => middle(frame.leftFoot, frame.rightFoot);
const leftOf = (frame) => unit(minus(frame.leftUpperLeg, frame.rightUpperLeg));

// The trunk, from the hips to between the shoulders, leans less than 60 degrees, and the hips are above
// the feet.
export function isUpright(frame) {
	const hips = hipsOf(frame);
	const shoulders = middle(frame.leftUpperArm, frame.rightUpperArm);
	return degreesBetween(minus(shoulders, hips), up) < 60 && hips[1] > feetOf(frame)[1];
}

// The lowest point of both feet, and where it is, so that a resting foot is found.
export function lowest(frame) {
	const points = [frame.leftFoot, frame.rightFoot, frame.leftToes, frame.rightToes,
		...(frame.soles ?? [])].filter(Boolean);
	return points.reduce((low, point) => (point[1] < low[1] ? point : low));
}

// The height of the lowest point of the feet at the median of the frames in which it rests: it moves
// less than 0.2 m/s.
export function floorOf(frames, times) {
	const lows = frames.map(lowest);
	const rests = lows.filter((low, i) => i === 0 || i === lows.length - 1
		|| length(minus(lows[i + 1], lows[i - 1])) < 0.2 * (times[i + 1] - times[i - 1]));
	return median(rests.map((low) => low[1]));
}

// How far the lowest point of the feet rises between the lowest twentieth of the frames and the median.
function spreadOf(frames) {
	const lows = frames.map((frame) => lowest(frame)[1]).sort((a, b) => a - b);
	return median(lows) - lows[Math.floor(lows.length / 20)];
}

const tipOf = (frame, side) => frame[`${side}Tip`];
const aheadOf = (frame, side) => level(minus(tipOf(frame, side), frame[`${side}Foot`]));

// The feet that have a tip and stand: the shin leans less than 35 degrees.
const standing = (frame) => sides.filter((side) => tipOf(frame, side)
	&& degreesBetween(minus(frame[`${side}LowerLeg`], frame[`${side}Foot`]), up) < 35);

// The angle between a standing foot and the direction that the body faces, seen from above.
function footAngles(frame) {
	const facing = level(cross(leftOf(frame), up));
	return standing(frame).map((side) => degreesBetween(aheadOf(frame, side), facing));
}

// How far a standing foot points down, in degrees.
function footPitches(frame) {
	return standing(frame).map((side) =>
		degreesBetween(minus(tipOf(frame, side), frame[`${side}Foot`]), up) - 90);
}

// Of each knee that is bent by more than 20 degrees, whether it bends forward: the axis from thigh to
// shin points to the left.
function bentKnees(frame) {
	return sides.map((side) => {
		const thigh = minus(frame[`${side}LowerLeg`], frame[`${side}UpperLeg`]);
		const shin = minus(frame[`${side}Foot`], frame[`${side}LowerLeg`]);
		return { bend: degreesBetween(thigh, shin), forward: dot(cross(thigh, shin), leftOf(frame)) > 0 };
	}).filter(({ bend }) => bend > 20);
}

// Whether the left leg is at the left, for a body whose feet point forward.
function isLeftLeft(frame) {
	const ahead = standing(frame).map((side) => unit(aheadOf(frame, side)));
	return ahead.length === 0 || dot(cross(up, ahead.reduce(add)), leftOf(frame)) > 0;
}

// Whether shoulders and hips agree which side is left.
function isTrunkWhole(frame) {
	return !frame.leftUpperArm
		|| dot(minus(frame.leftUpperArm, frame.rightUpperArm), leftOf(frame)) > 0;
}

export function judge(frames, times) {
	const legs = frames.filter((frame) => frame.leftUpperLeg && frame.leftFoot && frame.leftLowerLeg);
	const knees = legs.flatMap(bentKnees);
	return {
		frames: frames.length,
		upright: share(frames.map(isUpright)),
		floor: legs.length ? floorOf(legs, times) : NaN,
		feet: median(legs.flatMap(footAngles)),
		pitch: median(legs.flatMap(footPitches)),
		spread: spreadOf(legs),
		knees: share(knees.map(({ forward }) => forward)),
		bentKnees: knees.length,
		left: share(legs.map(isLeftLeft)),
		trunk: share(legs.map(isTrunkWhole)),
	};
}

const across = (frame, a, b) => (frame[a] && frame[b] ? length(minus(frame[b], frame[a])) : 0);

// Height of the standing body, and of its hips: lengths of bones, so that the posture does not
// matter, on feet as high as they are where they rest.
export function statureOf(frames) {
	const frame = frames[0];
	const leg = mean(sides.map((side) => across(frame, `${side}UpperLeg`, `${side}LowerLeg`)
		+ across(frame, `${side}LowerLeg`, `${side}Foot`)));
	// The lower quarter: heels rise, ankles do not sink.
	const ankles = frames.map((each) => Math.min(...sides.map((side) => each[`${side}Foot`][1])) - lowest(each)[1])
		.sort((a, b) => a - b);
	const ankle = ankles[Math.floor(ankles.length / 4)];
	// Where the hips are a joint above the hip joints, their height is that joint's.
	const above = frame.hips ? median(frames.map((each) =>
		dot(minus(each.hips, hipsOf(each)), unit(minus(each.head, hipsOf(each)))))) : 0;
	const joints = leg + ankle;
	const hips = joints + Math.max(0, above);
	const neck = frame.neck ?? middle(frame.leftUpperArm, frame.rightUpperArm);
	const trunk = length(minus(neck, hipsOf(frame))) + length(minus(frame.head, neck));
	return { hips, joints, height: joints + trunk + (frame.crown ? length(minus(frame.crown, frame.head)) : 0) };
}
