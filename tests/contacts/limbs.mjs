// Poses of the moving figure, in space: a trunk, then arms and legs that end where they shall. Two
// bones and a hinge by the law of cosines, written for these tests.
import { about, add, fromAxes, identity, inverse, minus, product, scaled, times, turn } from '../figures/arithmetic.mjs';
import { body } from '../figures/body.mjs';
import { source } from './figures.mjs';

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (v) => Math.sqrt(dot(v, v));
export const unit = (v) => scaled(v, 1 / length(v));
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
	a[0] * b[1] - a[1] * b[0]];
export const mix = (a, b, t) => a.map((v, i) => v + (b[i] - v) * t);
const across = (v, axis) => minus(v, scaled(axis, dot(v, axis)));
const frame = (along, hinge) => {
	const y = unit(along);
	const x = unit(across(hinge, y));
	return fromAxes(x, y, cross(x, y));
};
const { at } = source;
const span = (a, b) => length(minus(at[a], at[b]));

// The rotations from the T-pose of both bones of a limb whose end is at `end`, the middle joint on the
// side of `pole`. `rest` and `bend` are the direction and the hinge of the T-pose.
function solve(root, end, [upper, lower], pole, rest, bend) {
	const way = minus(end, root);
	const distance = length(way);
	if (distance >= upper + lower) {
		throw new Error(`a limb of ${upper + lower} m cannot reach ${distance} m`);
	}
	const axis = scaled(way, 1 / distance);
	const side = unit(across(pole, axis));
	const along = (upper * upper - lower * lower + distance * distance) / (2 * distance);
	const middle = add(root, add(scaled(axis, along), scaled(side, Math.sqrt(upper * upper - along * along))));
	const hinge = cross(minus(middle, root), minus(end, middle));
	const back = inverse(frame(rest, bend));
	return [frame(minus(middle, root), hinge), frame(minus(end, middle), hinge)].map((one) => times(one, back));
}

const opposite = (side) => (side === 'left' ? 1 : -1);

/** Turns of upper and lower arm with the wrist at `end`; the elbow points to `pole`. */
export function solveArm(side, root, end, pole) {
	return solve(root, end, [span(`${side}UpperArm`, `${side}LowerArm`), span(`${side}LowerArm`, `${side}Hand`)],
		pole, [opposite(side), 0, 0], [0, -opposite(side), 0]);
}

/** Turns of thigh and shank with the ankle at `end`; the knee points to `pole`. */
export function solveLeg(side, root, end, pole) {
	return solve(root, end, [span(`${side}UpperLeg`, `${side}LowerLeg`), span(`${side}LowerLeg`, `${side}Foot`)],
		pole, [0, -1, 0], [1, 0, 0]);
}

/** Where the joints of a figure are whose parts have these turns from the T-pose. */
export function joints(figure, turned, hips) {
	const places = { hips };
	for (const { name, parent } of body) {
		if (parent && figure.at[name]) {
			places[name] = add(places[parent], turn(turned[parent], minus(figure.at[name], figure.at[parent])));
		}
	}
	return places;
}

// What a pose says of the body, at one instant:
//   hips      the place of the hips
//   trunk     { hips, spine, chest, neck, head }: own rotations, identity where left out
//   feet      { left, right }: { at: ankle, turn, toes }
//   hands     { left, right }: ({ t, places, turned }) => { at: wrist, pole, turn } or { upper, lower, turn },
//             where turn, upper and lower are own rotations
/** Turns of all parts from the T-pose, and the joints' places. */
export function pose({ t, hips, trunk, feet, hands }) {
	const turned = {};
	const own = (name) => trunk[name] ?? identity;
	for (const { name, parent } of body) {
		turned[name] = times(parent ? turned[parent] : identity, own(name));
	}
	let places = joints(source, turned, hips);
	for (const side of ['left', 'right']) {
		const { at: ankle, turn: foot, toes } = feet[side];
		const forward = turn(turned.hips, [0.08 * opposite(side), 0, 1]);
		[turned[`${side}UpperLeg`], turned[`${side}LowerLeg`]] = solveLeg(side,
			places[`${side}UpperLeg`], ankle, forward);
		turned[`${side}Foot`] = foot;
		turned[`${side}Toes`] = times(foot, toes ?? identity);
	}
	places = joints(source, turned, hips);
	for (const side of ['left', 'right']) {
		const hand = hands[side]({ t, places, turned });
		const shoulder = turned[`${side}Shoulder`];
		if (hand.at) {
			[turned[`${side}UpperArm`], turned[`${side}LowerArm`]] = solveArm(side,
				places[`${side}UpperArm`], hand.at, hand.pole);
		} else {
			turned[`${side}UpperArm`] = times(shoulder, hand.upper);
			turned[`${side}LowerArm`] = product(shoulder, hand.upper, hand.lower);
		}
		turned[`${side}Hand`] = times(turned[`${side}LowerArm`], hand.turn ?? identity);
	}
	for (const { name, parent } of body) {
		if (/Thumb|Middle/.test(name)) {
			turned[name] = turned[parent];
		}
	}
	return { turned, way: scaled(minus(hips, at.hips), 1 / at.hips[1]), places: joints(source, turned, hips) };
}

export const yaw = (degrees) => about([0, 1, 0], degrees);
export const pitch = (degrees) => about([1, 0, 0], degrees);
export const roll = (degrees) => about([0, 0, 1], degrees);

// From 0 to 1 with speed and acceleration zero at both ends.
export const ease = (t) => {
	const x = Math.max(0, Math.min(1, t));
	return x * x * x * (10 - 15 * x + 6 * x * x);
};
