// Faces from the runtime to a subscriber: all channels against values that are computed here, what
// is not valid settles, the status states the reason, and recordings keep the channels.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import test from 'node:test';
import { PRECISION_VALUES, connect } from '../../clients/js/index.js';
import { ERROR, META, angle, begin, devices, scratch } from './mock.mjs';
import { until } from '../e2e/support/until.mjs';

const WebSocket = createRequire(new URL('../e2e/package.json', import.meta.url))('ws');

/** Places of each shape's parameters in the enumeration of a runtime; several count in equal parts. */
const FB = {
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
const HTC = {
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
const shapesOfHtc = (weights) => ({ ...shapesOf(HTC, weights), jawOpen: clamp(clamp(weights[17]) + clamp(weights[18])) });

/** The first 63 parameters of Android are those of FB; its tongue comes after them. */
const ANDROID = { ...FB, tongueOut: [63] };

/** Precision of a subscriber, twice: presets add several values. */
const NEAR = 2 * PRECISION_VALUES[0];
const LOOK = /^eyeLook|^look/;
const UPPER = /^(eye|brow|blink|look|angry|surprised)/;

const mean = (list) => (list.length ? list.reduce((a, b) => a + b, 0) / list.length : 0);
const clamp = (x) => Math.min(Math.max(x, 0), 1);

function shapesOf(table, weights) {
	assert.equal(Object.keys(table).length, 52);
	return Object.fromEntries(Object.entries(table).map(([name, places]) => [name, mean(places.map((i) => clamp(weights[i])))]));
}

/** Presets of VRM 1.0, by formulas that need no order. */
function presetsOf(s) {
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

const channelsOf = (shapes) => ({ ...shapes, ...presetsOf(shapes) });

/** Different weights in hundredths, the same in every run. */
const weightsOf = (count) => Array.from({ length: count }, (_, i) => ((i * 37 + 11) % 97) / 100);

/** Tells the mock weights by index; a command has room for 19 pairs. */
async function pose(mock, pairs) {
	for (let i = 0; i < pairs.length; i += 19)
		await mock.tell(`weights ${pairs.slice(i, i + 19).flat().join(' ')}`);
}

/** A body with a face under the mock, a subscriber, and the values that it has. */
async function faced(t, { offer, script = [], weights = [], options = {} }) {
	const { mock, daemon } = await begin(t, { offer: `${META} ${offer}`, script, ...options });
	const client = connect(daemon.url, { WebSocket, precision: 'fine' });
	t.after(() => client.close());
	await pose(mock, [...weights.entries()]);
	const body = await until('a body enters', () => [...client.bodies.values()][0]);
	return { mock, daemon, client, body };
}

const valueOf = (body, name) => {
	const sample = body.timeline.at(body.timeline.newest);
	return sample ? body.channel(name, sample) : undefined;
};

/** The channels that differ from what is wanted. */
const wrong = (body, wanted) => Object.entries(wanted).filter(([name, value]) =>
	!(Math.abs(valueOf(body, `expression/${name}`) - value) <= NEAR))
	.map(([name, value]) => `${name} ${valueOf(body, `expression/${name}`)} and not ${value}`);

async function shows(body, wanted) {
	let list;
	await until('the channels are right', () => {
		list = wrong(body, wanted);
		return list.length === 0;
	}).catch((error) => assert.fail(`${error.message}: ${list.slice(0, 9).join(', ')}`));
}

const settled = (wanted, isLost) => Object.fromEntries(Object.entries(wanted).map(([name, value]) =>
	[name, isLost(name) ? 0 : value]));

const RUNTIMES = {
	fb: { offer: 'XR_FB_face_tracking2', knob: 'supports_fb_face', all: 3, count: 70,
		create: 'xrCreateFaceTracker2FB', get: 'xrGetFaceExpressionWeights2FB',
		shapes: (weights) => shapesOf(FB, weights) },
	android: { offer: 'XR_ANDROID_face_tracking', knob: 'supports_android_face', all: 1, count: 68,
		create: 'xrCreateFaceTrackerANDROID', get: 'xrGetFaceStateANDROID',
		shapes: (weights) => shapesOf(ANDROID, weights) },
	htc: { offer: 'XR_HTC_facial_tracking', knob: 'supports_htc_face', all: 3, count: 51,
		create: 'xrCreateFacialTrackerHTC', get: 'xrGetFacialExpressionsHTC', shapes: shapesOfHtc },
};

for (const [name, { offer, knob, all, count, create, get, shapes }] of Object.entries(RUNTIMES)) {
	const weights = weightsOf(count);
	const wanted = channelsOf(shapes(weights));
	const start = (t, script = [], rest = {}) =>
		faced(t, { offer, script: [`set ${knob} ${all}`, ...script], weights, ...rest });

	test(`${name}: all channels arrive`, async (t) => {
		const { mock, daemon, body } = await start(t);
		await shows(body, wanted);
		assert.deepEqual(body.channels.slice().sort(), Object.keys(wanted).map((one) => `expression/${one}`).sort());
		await daemon.is('live', new RegExp(`, ${name} face$`));
		await pose(mock, [...weights.entries()].map(([i, weight]) => [i, 0.96 - weight]));
		await shows(body, channelsOf(shapes(weights.map((weight) => 0.96 - weight))));
		assert.doesNotMatch(daemon.log, /expression|jawOpen/);
	});

	test(`${name}: weights outside 0 to 1 are clamped, and one that is no number settles`, async (t) => {
		const { mock, body } = await start(t);
		await shows(body, wanted);
		const changed = [...weights];
		[3, 1e30, -1, -Infinity, Infinity].forEach((weight, i) => { changed[i] = weight; });
		await pose(mock, [...changed.entries()].slice(0, 5));
		await shows(body, channelsOf(shapes(changed)));
		const dropped = count - 2;
		await pose(mock, [[dropped, 'nan']]);
		changed[dropped] = 0;
		await shows(body, channelsOf(shapes(changed)));
	});

	test(`${name}: a face that is not valid settles while the body goes on, and returns`, async (t) => {
		const { mock, daemon, body } = await start(t);
		await shows(body, wanted);
		await mock.tell('set face_valid 0');
		await shows(body, settled(wanted, () => true));
		await daemon.is('live', new RegExp(`; ${name} face delivers nothing: permit face tracking in the headset's settings$`));
		await mock.tell('set face_valid 1');
		await shows(body, wanted);
	});

	test(`${name}: a face whose samples are old settles`, async (t) => {
		const { mock, daemon, body } = await start(t);
		await shows(body, wanted);
		await mock.tell('set face_age 2');
		await daemon.is('live', new RegExp(`; ${name} face is stale$`));
		await shows(body, settled(wanted, () => true));
	});

	test(`${name}: a mouth without confidence settles, the eyes go on`, async (t) => {
		const { mock, body } = await start(t);
		await shows(body, wanted);
		await mock.tell('set face_lower 0');
		await shows(body, settled(wanted, (one) => !UPPER.test(one)));
	});

	test(`${name}: a face settles when the runtime ends`, async (t) => {
		const { mock, daemon, body } = await start(t);
		await shows(body, wanted);
		await mock.tell('down');
		await daemon.is('lost');
		await shows(body, settled(wanted, () => true));
		await mock.tell('up');
		await shows(body, wanted);
	});

	test(`${name}: without support of the device nothing is requested`, async (t) => {
		const { mock, daemon, body } = await faced(t, { offer, script: [`set ${knob} 0`] });
		await daemon.is('live', /84 joints, high fidelity, calibrated$/);
		await mock.called('xrLocateBodyJointsFB', 20);
		assert.equal(await mock.count(create), 0);
		assert.deepEqual(body.channels, []);
	});

	test(`${name}: an extension that is not offered is not enabled`, async (t) => {
		const { mock, daemon } = await faced(t, { offer: 'XR_EXT_hand_tracking', script: [`set ${knob} ${all}`] });
		await daemon.is('live');
		const { enabled, calls } = await mock.ask();
		assert.ok(!enabled.includes(offer));
		assert.equal(calls[create], undefined);
	});

	test(`${name}: a denied permission is reported with its remedy`, async (t) => {
		const { daemon, body } = await start(t, [`result ${create} ${ERROR.PERMISSION_INSUFFICIENT}`]);
		await daemon.is('live', new RegExp(`; ${name} face: permission denied: permit face tracking in the headset's settings$`));
		assert.deepEqual(body.channels, []);
	});

	test(`${name}: a tracker that fails is closed and opened again`, async (t) => {
		const { mock, daemon, body } = await start(t);
		await shows(body, wanted);
		await mock.tell(`result ${get} ${ERROR.VALIDATION_FAILURE}`);
		await daemon.is('live', new RegExp(`; ${name} face fails \\(XR_ERROR_VALIDATION_FAILURE\\): read the log of the runtime$`));
		await shows(body, settled(wanted, () => true));
		await mock.tell(`result ${get} 0`);
		await shows(body, wanted);
	});

	test(`${name}: without a body the face arrives alone`, async (t) => {
		const { mock, daemon, body } = await start(t);
		await shows(body, wanted);
		await mock.tell('set active 0');
		await daemon.is('live', new RegExp(`^'mock': ${name} face$`));
		const less = weights.map((weight) => weight / 2);
		await pose(mock, [...less.entries()]);
		await shows(body, channelsOf(shapes(less)));
	});
}

for (const [kind, knob, isThere] of [['eyes', 1, (name) => /^(eye|blink|look)/.test(name)],
	['lips', 2, (name) => !UPPER.test(name)]])
	test(`htc: a device with ${kind} only is enough`, async (t) => {
		const weights = weightsOf(51);
		const shapes = shapesOfHtc(weights);
		const { mock, daemon, body } = await faced(t, { offer: 'XR_HTC_facial_tracking', weights,
			script: [`set supports_htc_face ${knob}`] });
		await shows(body, channelsOf(settled(shapes, (name) => !isThere(name))));
		await daemon.is('live', /, htc face$/);
		assert.equal(await mock.count('xrCreateFacialTrackerHTC'), 2);
	});

test('htc: eyes that are lost settle, the lips go on', async (t) => {
	const weights = weightsOf(51);
	const shapes = shapesOfHtc(weights);
	const { mock, body } = await faced(t, { offer: 'XR_HTC_facial_tracking', weights, script: ['set supports_htc_face 3'] });
	await shows(body, channelsOf(shapes));
	await mock.tell('set face_eyes 0');
	await shows(body, channelsOf(settled(shapes, (name) => /^eye/.test(name))));
});

test('android: a half without confidence settles, and so does a tracker that pauses', async (t) => {
	const weights = weightsOf(68);
	const shapes = shapesOf(ANDROID, weights);
	const { mock, body } = await faced(t, { offer: 'XR_ANDROID_face_tracking', weights, script: ['set supports_android_face 1'] });
	await shows(body, channelsOf(shapes));
	await mock.tell('set face_right 0');
	await shows(body, channelsOf(settled(shapes, (name) => /^(eye|brow).*Right$|^browInnerUp/.test(name))));
	await mock.tell('set face_right 1');
	await shows(body, channelsOf(shapes));
	await mock.tell('set face_state 0');
	await shows(body, channelsOf(settled(shapes, () => true)));
});

test('of several faces the best one counts', async (t) => {
	const weights = weightsOf(70);
	const { mock, daemon, body } = await faced(t, { offer: `${RUNTIMES.htc.offer} ${RUNTIMES.android.offer} ${RUNTIMES.fb.offer}`,
		weights, script: ['set supports_htc_face 3', 'set supports_android_face 1', 'set supports_fb_face 1'] });
	await shows(body, channelsOf(shapesOf(FB, weights)));
	await mock.tell(`result xrGetFaceExpressionWeights2FB ${ERROR.VALIDATION_FAILURE}`);
	await shows(body, channelsOf(shapesOf(ANDROID, weights)));
	await daemon.is('live', /android face, htc face; fb face fails/);
});

test('fb: eyes without a direction lose it alone', async (t) => {
	const weights = weightsOf(70);
	const wanted = channelsOf(shapesOf(FB, weights));
	const { mock, body } = await faced(t, { offer: 'XR_FB_face_tracking2', weights, script: ['set supports_fb_face 1'] });
	await shows(body, wanted);
	await mock.tell('set face_eyes 0');
	await shows(body, settled(wanted, (name) => LOOK.test(name)));
});

test('fb: a device with a microphone only is enough', async (t) => {
	const weights = weightsOf(70);
	const { body } = await faced(t, { offer: 'XR_FB_face_tracking2', weights, script: ['set supports_fb_face 2'] });
	await shows(body, channelsOf(shapesOf(FB, weights)));
});

/* Gaze */

const GAZE = '/user/eyes_ext/input/gaze_ext/pose';
const RADIANS = Math.PI / 180;

const times = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
	aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
	aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz];
const about = (axis, degrees) => [...axis.map((a) => a * Math.sin(degrees * RADIANS / 2)), Math.cos(degrees * RADIANS / 2)];
const X = [1, 0, 0];
const Y = [0, 1, 0];

/** A head that is turned and inclined in its room, and eyes that look to its left and down by these degrees. */
function looking(t, left, down) {
	const head = times(about(Y, 130), about(X, -25));
	const eyes = times(head, times(about(Y, left), about(X, -down)));
	return devices(scratch(t), { view: () => [0.4, 1.6, -0.3, ...head], [GAZE]: () => [0.4, 1.6, -0.3, ...eyes] });
}

async function gazing(t, left, down, script = [], more = '') {
	return faced(t, { offer: `XR_EXT_eye_gaze_interaction ${more}`,
		script: [`play devices ${looking(t, left, down)}`, 'set supports_gaze 1', ...script] });
}

/** The gaze as it has to arrive: yaw about +Y, then pitch about +X, of a head that faces +Z. */
async function looks(body, left, down, slack = 0.3) {
	const wanted = times(about(Y, left), about(X, down));
	let off;
	await until('the gaze is right', () => {
		const value = valueOf(body, 'lookAt');
		off = value ? angle(value, wanted) : NaN;
		return off < slack;
	}).catch((error) => assert.fail(`${error.message}: ${off} degrees`));
}

test('gaze: the direction relative to the head arrives', async (t) => {
	const { mock, daemon, body } = await gazing(t, 20, 10);
	await looks(body, 20, 10);
	assert.deepEqual(body.channels, ['lookAt']);
	await daemon.is('live', /, gaze$/);
	for (const [left, down] of [[-30, -15], [0, 0], [45, -30], [5, 50]]) {
		await mock.tell(`play devices ${looking(t, left, down)}`);
		await looks(body, left, down);
	}
});

test('gaze: no eye turns farther than eyes can', async (t) => {
	const { mock, body } = await gazing(t, 80, 0);
	await looks(body, 52, 0);
	for (const [given, wanted] of [[[-170, 0], [-52, 0]], [[10, -80], [10, -36]], [[10, 85], [10, 55]]]) {
		await mock.tell(`play devices ${looking(t, ...given)}`);
		await looks(body, ...wanted);
	}
});

test('gaze: one that is lost, denied or stale settles ahead', async (t) => {
	const { mock, daemon, body } = await gazing(t, 20, 10);
	for (const [off, on, detail] of [['set flags 0', 'set flags 15', /gaze delivers nothing: permit eye tracking/],
		['set gaze_active 0', 'set gaze_active 1', /gaze delivers nothing: permit eye tracking/],
		['set face_age 2', 'set face_age 0', /gaze is stale/]]) {
		await looks(body, 20, 10);
		await mock.tell(off);
		await looks(body, 0, 0);
		await until('the status says so', async () => detail.test((await daemon.source()).detail));
		await mock.tell(on);
	}
	await looks(body, 20, 10);
});

test('gaze: a runtime that knows no time of samples, or refuses the question, is enough', async (t) => {
	const { mock, daemon, body } = await gazing(t, 20, 10, ['set gaze_time 0']);
	await looks(body, 20, 10);
	await mock.tell(`refuse gaze_sample_time ${ERROR.VALIDATION_FAILURE}`);
	await daemon.is('live', /, gaze, without gaze sample time \(XR_ERROR_VALIDATION_FAILURE\)$/);
	await mock.tell(`play devices ${looking(t, -20, 5)}`);
	await looks(body, -20, 5);
});

test('gaze: without support of the device it is not located', async (t) => {
	const { mock, daemon, body } = await gazing(t, 20, 10, ['set supports_gaze 0']);
	await daemon.is('live', /calibrated, head$/);
	await mock.called('xrLocateBodyJointsFB', 20);
	assert.deepEqual(body.channels, []);
	assert.ok(!(await mock.ask()).chained.includes('gaze_sample_time'));
});

test('gaze and face keep their channels apart, whichever comes first', async (t) => {
	const weights = weightsOf(70);
	const wanted = channelsOf(shapesOf(FB, weights));
	const { mock, body } = await gazing(t, 20, 10, ['set supports_fb_face 1', 'set face_valid 0'], 'XR_FB_face_tracking2');
	await looks(body, 20, 10);
	await pose(mock, [...weights.entries()]);
	await mock.tell('set face_valid 1');
	await until('the face is declared', () => body.channels.length === 69);
	assert.equal(body.channels[0], 'lookAt');
	await shows(body, wanted);
	await looks(body, 20, 10);
	await mock.tell('set gaze_active 0');
	await looks(body, 0, 0);
	await shows(body, wanted);
});
