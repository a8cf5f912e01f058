// Shared by the tests of faces and gaze: the values that have to arrive, computed independently, and a
// subscriber that receives them.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { PRECISION_VALUES, connect } from '../../clients/js/index.js';
import { META, angle, begin, devices, scratch } from './mock.mjs';
import { until } from '../e2e/support/until.mjs';

export const WebSocket = createRequire(new URL('../e2e/package.json', import.meta.url))('ws');

/** Places of each shape's parameters in the enumeration of a runtime; several count in equal parts. */
export const FB = {
	browDownLeft: [0], browDownRight: [1], cheekPuff: [2, 3], cheekSquintLeft: [4], cheekSquintRight: [5],
	mouthShrugLower: [8], mouthShrugUpper: [9], mouthDimpleLeft: [10], mouthDimpleRight: [11],
	eyeBlinkLeft: [12], eyeBlinkRight: [13], eyeLookDownLeft: [14], eyeLookDownRight: [15],
	eyeLookOutLeft: [16], eyeLookInRight: [17], eyeLookInLeft: [18], eyeLookOutRight: [19],
	eyeLookUpLeft: [20], eyeLookUpRight: [21], browInnerUp: [22, 23], jawOpen: [24], jawLeft: [25],
	jawRight: [26], jawForward: [27], eyeSquintLeft: [28], eyeSquintRight: [29], mouthFrownLeft: [30],
	mouthFrownRight: [31], mouthSmileLeft: [32], mouthSmileRight: [33], mouthFunnel: [34, 35, 36, 37],
	mouthPressLeft: [38], mouthPressRight: [39], mouthPucker: [40, 41], mouthStretchLeft: [42],
	mouthStretchRight: [43], mouthRollLower: [44, 46], mouthRollUpper: [45, 47], mouthClose: [50],
	mouthLowerDownLeft: [51], mouthLowerDownRight: [52], mouthLeft: [53], mouthRight: [54],
	noseSneerLeft: [55], noseSneerRight: [56], browOuterUpLeft: [57], browOuterUpRight: [58],
	eyeWideLeft: [59], eyeWideRight: [60], mouthUpperUpLeft: [61], mouthUpperUpRight: [62], tongueOut: [68],
};

/** Eyes from 0, lips from 14 on. */
export const HTC = {
	eyeBlinkLeft: [0], eyeWideLeft: [1], eyeBlinkRight: [2], eyeWideRight: [3], eyeSquintLeft: [4], eyeSquintRight: [5],
	eyeLookDownLeft: [6], eyeLookDownRight: [7], eyeLookOutLeft: [8], eyeLookInRight: [9], eyeLookInLeft: [10],
	eyeLookOutRight: [11], eyeLookUpLeft: [12], eyeLookUpRight: [13], jawRight: [14], jawLeft: [15], jawForward: [16],
	jawOpen: [17, 18], mouthClose: [18], mouthRight: [19, 21], mouthLeft: [20, 22], mouthFunnel: [23, 24],
	mouthPucker: [25], mouthSmileRight: [26], mouthSmileLeft: [27], mouthFrownRight: [28], mouthFrownLeft: [29],
	cheekPuff: [30, 31], mouthUpperUpRight: [33], mouthUpperUpLeft: [34], mouthLowerDownRight: [35],
	mouthLowerDownLeft: [36], mouthRollUpper: [37], mouthRollLower: [38], mouthShrugLower: [39], tongueOut: [40, 46],
	browDownLeft: [], browDownRight: [], browInnerUp: [], browOuterUpLeft: [], browOuterUpRight: [], cheekSquintLeft: [],
	cheekSquintRight: [], noseSneerLeft: [], noseSneerRight: [], mouthDimpleLeft: [], mouthDimpleRight: [],
	mouthStretchLeft: [], mouthStretchRight: [], mouthPressLeft: [], mouthPressRight: [], mouthShrugUpper: [],
};

/** The ape shape is an open jaw as well. */
export const shapesOfHtc = (weights) => ({ ...shapesOf(HTC, weights), jawOpen: clamp(clamp(weights[17]) + clamp(weights[18])) });

/** The first 63 parameters of Android are those of FB; its tongue comes after them. */
export const ANDROID = { ...FB, tongueOut: [63] };

/** Precision of a subscriber, twice: presets add several values. */
export const NEAR = 2 * PRECISION_VALUES[0];
export const LOOK = /^eyeLook|^look/;
export const UPPER = /^(eye|brow|blink|look|angry|surprised)/;

export const mean = (list) => (list.length ? list.reduce((a, b) => a + b, 0) / list.length : 0);
export const clamp = (x) => Math.min(Math.max(x, 0), 1);

export function shapesOf(table, weights) {
	assert.equal(Object.keys(table).length, 52);
	return Object.fromEntries(Object.entries(table).map(([name, places]) => [name, mean(places.map((i) => clamp(weights[i])))]));
}

/** Presets of VRM 1.0, by formulas that need no order. */
export function presetsOf(s) {
	const stretch = (s.mouthStretchLeft + s.mouthStretchRight) / 2;
	const ee = Math.min(stretch, s.jawOpen);
	return {
		blink: Math.min(s.eyeBlinkLeft, s.eyeBlinkRight),
		blinkLeft: s.eyeBlinkLeft - Math.min(s.eyeBlinkLeft, s.eyeBlinkRight),
		blinkRight: s.eyeBlinkRight - Math.min(s.eyeBlinkLeft, s.eyeBlinkRight),
		lookUp: mean([s.eyeLookUpLeft, s.eyeLookUpRight]),
		lookDown: mean([s.eyeLookDownLeft, s.eyeLookDownRight]),
		lookLeft: mean([s.eyeLookOutLeft, s.eyeLookInRight]),
		lookRight: mean([s.eyeLookInLeft, s.eyeLookOutRight]),
		aa: clamp(s.jawOpen - s.mouthClose - s.mouthPucker - s.mouthFunnel - ee),
		ih: Math.max(stretch - s.jawOpen, 0),
		ou: s.mouthPucker,
		ee,
		oh: s.mouthFunnel,
		happy: mean([s.mouthSmileLeft, s.mouthSmileRight]),
		angry: mean([s.browDownLeft, s.browDownRight]),
		sad: mean([s.mouthFrownLeft, s.mouthFrownRight]),
		surprised: mean([s.eyeWideLeft, s.eyeWideRight, s.browOuterUpLeft, s.browOuterUpRight]),
	};
}

export const channelsOf = (shapes) => ({ ...shapes, ...presetsOf(shapes) });

/** Different weights in hundredths, the same in every run. */
export const weightsOf = (count) => Array.from({ length: count }, (_, i) => ((i * 37 + 11) % 97) / 100);

/** Tells the mock weights by index; a command has room for 19 pairs. */
export async function pose(mock, pairs) {
	for (let i = 0; i < pairs.length; i += 19)
		await mock.tell(`weights ${pairs.slice(i, i + 19).flat().join(' ')}`);
}

/** A body with a face under the mock, a subscriber, and the values that it has. */
export async function faced(t, { offer, script = [], weights = [], options = {} }) {
	const { mock, daemon } = await begin(t, { offer: `${META} ${offer}`, script, ...options });
	const client = connect(daemon.url, { WebSocket, precision: 'fine' });
	t.after(() => client.close());
	await pose(mock, [...weights.entries()]);
	const body = await until('a body enters', () => [...client.bodies.values()][0]);
	return { mock, daemon, client, body };
}

export const valueOf = (body, name) => {
	const sample = body.timeline.at(body.timeline.newest);
	return sample ? body.channel(name, sample) : undefined;
};

/** The channels that differ from what is wanted. */
export const wrong = (body, wanted) => Object.entries(wanted).filter(([name, value]) =>
	!(Math.abs(valueOf(body, `expression/${name}`) - value) <= NEAR))
	.map(([name, value]) => `${name} ${valueOf(body, `expression/${name}`)} and not ${value}`);

export async function shows(body, wanted) {
	let list;
	await until('the channels are right', () => {
		list = wrong(body, wanted);
		return list.length === 0;
	}).catch((error) => assert.fail(`${error.message}: ${list.slice(0, 9).join(', ')}`));
}

export const settled = (wanted, isLost) => Object.fromEntries(Object.entries(wanted).map(([name, value]) =>
	[name, isLost(name) ? 0 : value]));

/* Gaze */

export const GAZE = '/user/eyes_ext/input/gaze_ext/pose';
export const RADIANS = Math.PI / 180;

export const times = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
	aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
	aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz];
export const about = (axis, degrees) => [...axis.map((a) => a * Math.sin(degrees * RADIANS / 2)), Math.cos(degrees * RADIANS / 2)];
export const X = [1, 0, 0];
export const Y = [0, 1, 0];

/** A head that is turned and inclined in its room, and eyes that look to its left and down by these degrees. */
export function looking(t, left, down) {
	const head = times(about(Y, 130), about(X, -25));
	const eyes = times(head, times(about(Y, left), about(X, -down)));
	return devices(scratch(t), { view: () => [0.4, 1.6, -0.3, ...head], [GAZE]: () => [0.4, 1.6, -0.3, ...eyes] });
}

export async function gazing(t, left, down, script = [], more = '') {
	return faced(t, { offer: `XR_EXT_eye_gaze_interaction ${more}`,
		script: [`play devices ${looking(t, left, down)}`, 'set supports_gaze 1', ...script] });
}

/** The gaze as it has to arrive: yaw about +Y, then pitch about +X, of a head that faces +Z. */
export async function looks(body, left, down, slack = 0.3) {
	const wanted = times(about(Y, left), about(X, down));
	let off;
	await until('the gaze is right', () => {
		const value = valueOf(body, 'lookAt');
		off = value ? angle(value, wanted) : NaN;
		return off < slack;
	}).catch((error) => assert.fail(`${error.message}: ${off} degrees`));
}
