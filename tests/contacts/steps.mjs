// Motions of feet: at known instants a foot, or its toes alone, does not move.
import { add, identity, product, times, turn } from '../figures/arithmetic.mjs';
import { source } from './figures.mjs';
import { ease, mix, pitch, roll, yaw } from './limbs.mjs';

const { at } = source;
const sides = ['left', 'right'];
const signOf = (side) => (side === 'left' ? 1 : -1);

/** A foot that stands flat: its turn about the vertical and the place under its ankle. */
export function flat(side, [x, z] = [0, 0], degrees = 0) {
	return { at: [at[`${side}Foot`][0] + x, at[`${side}Foot`][1], z], turn: yaw(degrees) };
}

export const standing = () => ({ left: flat('left'), right: flat('right') });

// Held throughout: heel and toes of both feet, or of those named.
export const holds = (from, until, ...which) => (which.length ? which : sides).flatMap((side) =>
	['Foot', 'Toes'].map((joint) => ({ joint: `${side}${joint}`, from, until })));

// One arm hangs out to the side, where it touches nothing.
const spread = (side, lift = 0) => ({ upper: roll(signOf(side) * (-25 + lift)), lower: yaw(-signOf(side) * 20) });
export const spreadArms = (swing = () => 0) => ({
	left: ({ t }) => spread('left', swing(t)), right: ({ t }) => spread('right', -swing(t)) });

const wave = (t, hertz, phase = 0) => Math.sin(2 * Math.PI * (hertz * t + phase));

// Both feet stand while the hips move.
function stands(name, seconds, hipsAt, trunkAt = () => ({})) {
	return { name, seconds, held: holds(0, seconds), at: (t) => ({ hips: hipsAt(t), trunk: trunkAt(t),
		feet: standing(), hands: spreadArms((s) => 15 * wave(s, 0.4)) }) };
}

// Where one foot is that steps along `path` (place in steps, an x z pair and a yaw): it stands for
// `stance` of each period. `heel` is the degrees by which the heel rises about the toes at the end.
function stepping(side, t, { path, period, stance, lift, heel = 0, offset }) {
	const phase = t / period + offset;
	const step = Math.floor(phase);
	const x = phase - step;
	const [a, b] = [path(side, step), path(side, step + 1)];
	const rise = heel * ease((x - (stance - 0.15)) / 0.15);
	const swing = ease((x - stance) / (1 - stance));
	const bump = x > stance ? Math.sin(Math.PI * swing) ** 2 : 0;
	const foot = flat(side, mix(a.place, b.place, swing), a.yaw + (b.yaw - a.yaw) * swing);
	if (heel === 0) {
		return { at: add(foot.at, [0, lift * bump, 0]), turn: foot.turn };
	}
	// About the toe joint; the toes stay flat meanwhile.
	const angle = rise * (1 - swing);
	const arm = [0, at[`${side}Toes`][1] - at[`${side}Foot`][1], at[`${side}Toes`][2] - at[`${side}Foot`][2]];
	const turned = times(foot.turn, pitch(angle));
	const ball = add(foot.at, turn(foot.turn, arm));
	return { at: add(add(ball, turn(turned, arm.map((v) => -v))), [0, lift * bump, 0]), turn: turned,
		toes: pitch(-angle) };
}

// Where the feet stand: by side, all steps that fall into the motion.
function holdsOfSteps(seconds, { period, stance, heel = 0 }, offsets) {
	return sides.flatMap((side) => {
		const found = [];
		for (let step = 0; step <= seconds / period + 1; step++) {
			const from = Math.max(0, (step - offsets[side]) * period);
			const [heels, toes] = [stance - (heel ? 0.15 : 0), stance]
				.map((share) => Math.min(seconds, (step - offsets[side] + share) * period));
			for (const [joint, until] of [['Foot', heels], ['Toes', toes]]) {
				if (until - from > 0.2) {
					found.push({ joint: `${side}${joint}`, from, until });
				}
			}
		}
		return found;
	});
}

// Steps along a path; the hips go where `hipsAt` says.
function steps(name, seconds, gait, hipsAt, trunkAt = () => ({})) {
	const offsets = { left: gait.start ?? 0, right: (gait.start ?? 0) + 0.5 };
	return { name, seconds, held: holdsOfSteps(seconds, gait, offsets), at: (t) => ({ hips: hipsAt(t), trunk: trunkAt(t),
		feet: Object.fromEntries(sides.map((side) =>
			[side, stepping(side, t, { ...gait, offset: offsets[side] })])),
		hands: spreadArms((s) => 20 * wave(s, 1 / gait.period)) }) };
}

// A walk of `stride` metres a period, forward or sideways.
function walk(name, seconds, { stride, aside = 0, down = 0.05, bob = 0.01, ...gait }) {
	// The middle of the stance of a foot is below the hips.
	const ahead = (phase) => stride * phase;
	const path = (side, step) => {
		const phase = step - (side === 'left' ? 0 : 0.5) + gait.stance / 2;
		return { place: [aside * phase, ahead(phase)], yaw: 0 };
	};
	return steps(name, seconds, { lift: 0.08, ...gait, path }, (t) => {
		const phase = t / gait.period;
		return [aside * phase + 0.02 * wave(phase, 1), at.hips[1] - down + bob * wave(phase, 2), ahead(phase)];
	}, (t) => ({ spine: yaw(6 * wave(t, 1 / gait.period)), hips: yaw(-4 * wave(t, 1 / gait.period)) }));
}

function turning() {
	const path = (side, step) => {
		const degrees = 25 * (step - (side === 'left' ? 0 : 0.5) + 0.375);
		const [x, , z] = turn(yaw(degrees), at[`${side}Foot`]);
		return { place: [x - at[`${side}Foot`][0], z], yaw: degrees };
	};
	return steps('turn_on_the_spot', 3, { path, period: 0.9, stance: 0.75, lift: 0.06 },
		() => [0, at.hips[1] - 0.05, 0], (t) => ({ hips: yaw((25 * t) / 0.9) }));
}

function lunge() {
	const out = (t) => ease((t - 0.6) / 0.6) - ease((t - 1.9) / 0.6);
	return { name: 'lunge', seconds: 3, held: [...holds(0, 3, 'left'), ...holds(0, 0.55, 'right'),
		...holds(1.25, 1.85, 'right'), ...holds(2.55, 3, 'right')],
	at: (t) => ({ hips: add([0, at.hips[1] - 0.04, 0], mix([0, 0, 0], [0, -0.1, 0.22], out(t))), trunk: {},
		feet: { left: flat('left'), right: { ...flat('right', [0, 0.45 * out(t)]),
			at: add(flat('right', [0, 0.45 * out(t)]).at, [0, 0.35 * out(t) * (1 - out(t)), 0]) } },
		hands: spreadArms() }) };
}

function balance() {
	const up = (t) => ease((t - 0.6) / 0.5) - ease((t - 2.4) / 0.5);
	return { name: 'balance', seconds: 3.2, held: [...holds(0, 3.2, 'left'), ...holds(0, 0.55, 'right')],
		at: (t) => ({ hips: [0.06 * up(t), at.hips[1] - 0.04, 0], trunk: { spine: roll(5 * up(t)) },
			feet: { left: flat('left'), right: { at: add(at.rightFoot, [0.02, 0.4 * up(t), 0.25 * up(t)]),
				turn: pitch(20 * up(t)) } },
			hands: spreadArms() }) };
}

// Both feet leave the ground together for half a second.
function jump() {
	const flight = [1, 1.5];
	const height = (t) => (t > flight[0] && t < flight[1]
		? 4 * 0.3 * (t - flight[0]) * (flight[1] - t) / 0.25 : 0);
	const crouch = (t) => ease((t - 0.4) / 0.35) - ease((t - 0.75) / 0.25)
		+ ease((t - 1.5) / 0.2) - ease((t - 1.8) / 0.5);
	return { name: 'jump', seconds: 2.6, held: [...holds(0, 0.95), ...holds(1.55, 2.6)],
		at: (t) => ({ hips: [0, at.hips[1] - 0.03 - 0.2 * crouch(t) + height(t), 0], trunk: {},
			feet: Object.fromEntries(sides.map((side) => [side, { at: add(at[`${side}Foot`], [0, height(t), 0]),
				turn: identity }])),
			hands: spreadArms() }) };
}

const swayed = (t) => [0.05 * wave(t, 0.5), at.hips[1] - 0.05, 0.03 * wave(t, 0.35)];
const squatted = (t) => [0, at.hips[1] - 0.03 - 0.3 * (ease((t - 0.5) / 0.8) - ease((t - 1.8) / 0.8)), -0.03];

export const motions = [
	stands('sway', 3, swayed),
	stands('twist', 3, swayed, (t) => ({ hips: product(yaw(12 * wave(t, 0.5)), roll(4 * wave(t, 0.7))) })),
	stands('squat', 3, squatted, () => ({ spine: pitch(10) })),
	walk('walk', 3.5, { stride: 0.95, period: 1.1, stance: 0.62, down: 0.08 }),
	walk('slow_walk', 3.5, { stride: 0.6, period: 1.5, stance: 0.7 }),
	walk('long_steps', 3, { stride: 1.2, period: 1.0, stance: 0.6, down: 0.13 }),
	walk('backward', 3, { stride: -0.7, period: 1.2, stance: 0.65 }),
	walk('sideways', 3, { stride: 0, aside: 0.35, period: 1.2, stance: 0.7 }),
	walk('march', 3, { stride: 0, period: 1.0, stance: 0.6, lift: 0.3 }),
	walk('heel_roll', 3.5, { stride: 0.8, period: 1.2, stance: 0.66, heel: 25, down: 0.06 }),
	walk('run', 2.5, { stride: 1.5, period: 0.7, stance: 0.38, lift: 0.15, down: 0.1 }),
	turning(), lunge(), balance(), jump(),
];
