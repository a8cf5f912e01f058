// Motions of hands: at known instants a wrist is at the other wrist, the head, the hips, a thigh, a knee
// or the floor. The feet stand.
import { add, scaled, turn } from '../figures/arithmetic.mjs';
import { source } from './figures.mjs';
import { ease, mix, pitch, roll, yaw } from './limbs.mjs';
import { flat, holds, spreadArms, standing } from './steps.mjs';

const { at } = source;
const sides = ['left', 'right'];
const signOf = (side) => (side === 'left' ? 1 : -1);
const otherOf = (side) => (side === 'left' ? 'right' : 'left');
const held = (from, until) => ({ from, until });

// Between from and until the hand is at its place; it takes `way` seconds to come and to go.
const way = 0.5;
const nearness = (t, times) => times.reduce((sum, { from, until }) =>
	sum + ease((t - from + way) / way) - ease((t - until) / way), 0);

// To the front and side, where a wrist is far from everything.
const away = (side, turned) => scaled(turn(turned.upperChest, [0.75 * signOf(side), 0.05, 0.66]), 0.46);
const elbow = (side, turned) => turn(turned.upperChest, [0.5 * signOf(side), -0.8, -0.4]);

// Of one hand: from its free place to the one that `place` gives, and back.
const reaching = (side, times, place, pole = elbow) => ({ t, places, turned }) => {
	const free = add(places[`${side}UpperArm`], away(side, turned));
	const x = nearness(t, times);
	return { at: x > 0 ? mix(free, place({ t, places, turned }), x) : free, pole: pole(side, turned) };
};

function still(name, { seconds = 3, hips = () => [0, at.hips[1] - 0.03, 0], trunk = () => ({}), feet = standing,
	hands, touch, stand = true }) {
	return { name, seconds, held: stand ? holds(0, seconds) : [], touch,
		at: (t) => ({ hips: hips(t), trunk: trunk(t), feet: feet(t), hands }) };
}

const free = (side) => reaching(side, [], null);
const both = (place, times, pole) => Object.fromEntries(sides.map((side) =>
	[side, reaching(side, times, (context) => place(side, context), pole)]));
const one = (side, place, times, pole) => ({ [side]: reaching(side, times, place, pole),
	[otherOf(side)]: free(otherOf(side)) });
const claim = (hand, to, times) => times.map(({ from, until }) => ({ hand, to, from, until }));

// Both wrists at a point that goes with a joint, `apart` metres from each other.
const together = (joint, offset, apart) => (side, { places, turned }) =>
	add(add(places[joint], turn(turned[joint], offset)), turn(turned[joint], [signOf(side) * apart / 2, 0, 0]));
const beside = (joint, offset) => ({ places, turned }) => add(places[joint], turn(turned[joint], offset));
// A point of a thigh, and metres from it in the axes of the hips.
const thigh = (side, share, offset) => ({ places, turned }) => add(mix(places[`${side}UpperLeg`],
	places[`${side}LowerLeg`], share), turn(turned.hips, offset));

const nods = (t) => ({ spine: pitch(6 * Math.sin(3 * t)), head: yaw(10 * Math.sin(2 * t)) });
const squatting = (down) => (t) => [0, at.hips[1] - down + 0.02 * Math.sin(2 * t), -0.05];
const leaning = (degrees) => () => ({ spine: pitch(degrees / 2), chest: pitch(degrees / 2) });
const sitting = { hips: () => [0, 0.5, -0.3], trunk: leaning(8),
	feet: () => ({ left: flat('left', [0.02, 0.1]), right: flat('right', [-0.02, 0.1]) }) };

const once = [held(1, 2)];
const thrice = [held(0.8, 0.9), held(1.9, 2), held(3, 3.1)];
const outward = (side, turned) => turn(turned.upperChest, [signOf(side), -0.3, -0.2]);
const back = (side, turned) => turn(turned.upperChest, [0.3 * signOf(side), -0.2, -1]);

// Knuckles on the floor: the wrist a hand's width above it.
const ground = (x, z) => () => [x, 0.06, z];

export const motions = [
	still('clap', { seconds: 4, hands: both(together('upperChest', [0, 0.05, 0.33], 0.07), thrice),
		touch: claim('left', 'rightHand', thrice) }),
	still('hold_hands', { hands: both(together('hips', [0, 0.15, 0.3], 0.1), once), touch: claim('left', 'rightHand', once),
		hips: (t) => [0.03 * Math.sin(2 * t), at.hips[1] - 0.04, 0] }),
	still('clap_overhead', { hands: both(together('head', [0, 0.22, 0.05], 0.08), once, outward),
		touch: claim('left', 'rightHand', once) }),
	still('hand_to_cheek', { trunk: nods, hands: one('left', beside('head', [0.1, 0.02, 0.1]), once),
		touch: claim('left', 'head', once) }),
	still('hand_on_head', { trunk: nods, hands: one('right', beside('head', [-0.06, 0.13, 0.03]), once, outward),
		touch: claim('right', 'head', once) }),
	still('hands_at_face', { hands: both((side, context) =>
		beside('head', [signOf(side) * 0.07, 0, 0.12])(context), once),
	touch: [...claim('left', 'head', once), ...claim('right', 'head', once), ...claim('left', 'rightHand', once)] }),
	still('hand_to_hip', { hands: one('right', beside('hips', [-0.13, 0.03, 0.03]), once, back),
		touch: claim('right', 'hips', once) }),
	still('hands_on_hips', { hands: both((side, context) =>
		beside('hips', [signOf(side) * 0.13, 0.04, 0.02])(context), once, back),
	touch: [...claim('left', 'hips', once), ...claim('right', 'hips', once)] }),
	still('hands_on_knees', { hips: squatting(0.35), trunk: leaning(70), hands: both((side, context) =>
		thigh(side, 0.98, [0, 0.04, 0.06])(context), once, outward),
	touch: [...claim('left', 'leftLowerLeg', once), ...claim('right', 'rightLowerLeg', once)] }),
	still('hand_across_to_knee', { hips: squatting(0.42), trunk: leaning(72),
		hands: one('right', thigh('left', 0.98, [-0.03, 0.05, 0.05]), once, outward),
		touch: claim('right', 'leftLowerLeg', once) }),
	still('sit_hands_on_thighs', { ...sitting, hands: both((side, context) =>
		thigh(side, 0.6, [0, 0.08, 0])(context), once, outward),
	touch: [...claim('left', 'leftThigh', once), ...claim('right', 'rightThigh', once)] }),
	still('sit_hands_folded', { ...sitting, hands: both((side, { places, turned }) => add(add(
		mix(mix(places.leftUpperLeg, places.leftLowerLeg, 0.5), mix(places.rightUpperLeg, places.rightLowerLeg, 0.5), 0.5),
		[0, 0.12, 0]), turn(turned.hips, [signOf(side) * 0.04, 0, 0])), once, outward),
	touch: claim('left', 'rightHand', once) }),
	still('hand_to_floor', { hips: squatting(0.58), trunk: leaning(85),
		hands: one('left', ground(0.25, 0.3), once, outward), touch: claim('left', 'floor', once) }),
	still('hands_to_floor', { hips: squatting(0.58), trunk: leaning(85),
		hands: both((side) => ground(signOf(side) * 0.2, 0.4)(), once, outward),
		touch: [...claim('left', 'floor', once), ...claim('right', 'floor', once)] }),
	still('guard_and_punch', { hands: { left: reaching('left', [held(-9, 9)],
		beside('head', [0.08, -0.05, 0.14])), right: reaching('right', [held(0.8, 1.3), held(2.2, 2.7)],
		beside('head', [-0.08, -0.05, 0.14])) },
	touch: [...claim('left', 'head', [held(0, 3)]), ...claim('right', 'head', [held(0.8, 1.3), held(2.2, 2.7)])] }),
	// A tracker loses the right hand and finds it again, each from one frame to the next: the left one
	// has time to follow.
	still('hand_lost', { hands: Object.fromEntries(sides.map((side) => [side, (context) => reaching(side,
		side === 'right' && context.t > 1.2 && context.t < 1.8 ? [] : [held(-9, 9)],
		(here) => together('upperChest', [0, 0.05, 0.33], 0.1)(side, here))(context)])),
	touch: claim('left', 'rightHand', [held(0, 1.2), held(2.2, 3)]) }),
	still('hands_free', { trunk: nods, hands: spreadArms((t) => 20 * Math.sin(4 * t)), touch: [],
		hips: (t) => [0, at.hips[1] - 0.03, 0.01 * Math.sin(t)] }),
	still('wave', { hands: { left: ({ t }) => ({ upper: roll(35), lower: roll(30 * Math.sin(6 * t)) }),
		right: spreadArms().right }, touch: [] }),
];
