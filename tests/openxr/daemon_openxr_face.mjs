// Faces from the runtime to a subscriber: all channels against values that are computed here, what
// is not valid settles, and the status states the reason.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ANDROID, FB, LOOK, UPPER, WebSocket, channelsOf, faced, pose, settled, shapesOf, shapesOfHtc, shows, weightsOf } from './face.mjs';
import { connect } from '../../clients/js/index.js';
import { until } from '../e2e/support/until.mjs';
import { ERROR, HEADLESS, META, Mock, frames, join, scratch, under } from './mock.mjs';

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
	const parts = name === 'htc' ? ['htc eyes', 'htc lips'] : [`${name} face`];
	const live = parts.join(', ');
	const each = (fault) => new RegExp(`${parts.map((part) => `; ${part}${fault}`).join('')}$`);
	const weights = weightsOf(count);
	const wanted = channelsOf(shapes(weights));
	const watch = (t, script = []) =>
		faced(t, { offer, script: [`set ${knob} ${all}`, ...script], weights });

	test(`${name}: all channels arrive`, async (t) => {
		const { mock, daemon, body } = await watch(t);
		await shows(body, wanted);
		assert.deepEqual(body.channels.slice().sort(), Object.keys(wanted).map((one) => `expression/${one}`).sort());
		await daemon.is('live', new RegExp(`, ${live}$`));
		await pose(mock, [...weights.entries()].map(([i, weight]) => [i, 0.96 - weight]));
		await shows(body, channelsOf(shapes(weights.map((weight) => 0.96 - weight))));
		assert.doesNotMatch(daemon.log, /expression|jawOpen/);
	});

	test(`${name}: weights outside 0 to 1 are clamped, and one that is no number settles`, async (t) => {
		const { mock, body } = await watch(t);
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
		const { mock, daemon, body } = await watch(t);
		await shows(body, wanted);
		await mock.tell('set face_valid 0');
		await shows(body, settled(wanted, () => true));
		await daemon.is('live', each(` delivers nothing: permit face tracking in the headset's settings`));
		await mock.tell('set face_valid 1');
		await shows(body, wanted);
	});

	test(`${name}: a face whose samples are old settles`, async (t) => {
		const { mock, daemon, body } = await watch(t);
		await shows(body, wanted);
		await mock.tell('set face_age 2');
		await daemon.is('live', each(` is stale: wake the headset`));
		await shows(body, settled(wanted, () => true));
	});

	test(`${name}: a mouth without confidence settles, the eyes go on`, async (t) => {
		const { mock, body } = await watch(t);
		await shows(body, wanted);
		await mock.tell('set face_lower 0');
		await shows(body, settled(wanted, (one) => !UPPER.test(one)));
	});

	test(`${name}: a face settles when the runtime ends`, async (t) => {
		const { mock, daemon, body } = await watch(t);
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
		const { daemon, body } = await watch(t, [`result ${create} ${ERROR.PERMISSION_INSUFFICIENT}`]);
		await daemon.is('live', each(`: permission denied: permit face tracking in the headset's settings`));
		assert.deepEqual(body.channels, []);
	});

	test(`${name}: a tracker that fails is closed and opened again`, async (t) => {
		const { mock, daemon, body } = await watch(t);
		await shows(body, wanted);
		await mock.tell(`result ${get} ${ERROR.VALIDATION_FAILURE}`);
		await daemon.is('live', each(` fails \\(XR_ERROR_VALIDATION_FAILURE\\): read the log of the runtime`));
		await shows(body, settled(wanted, () => true));
		await mock.tell(`result ${get} 0`);
		await shows(body, wanted);
	});

	test(`${name}: without a body the face arrives alone`, async (t) => {
		const { mock, daemon, body } = await watch(t);
		await shows(body, wanted);
		await mock.tell('set active 0');
		await daemon.is('stale', new RegExp(`^'mock': nobody is tracked: put the headset on; without a body: ${live}$`));
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
		await daemon.is('live', new RegExp(`, htc ${kind}$`));
		assert.equal(await mock.count('xrCreateFacialTrackerHTC'), 1);
	});

test('htc: eyes that are refused are named and tried again, the lips go on', async (t) => {
	const weights = weightsOf(51);
	const shapes = shapesOfHtc(weights);
	const { daemon, body } = await faced(t, { offer: 'XR_HTC_facial_tracking', weights,
		script: ['set supports_htc_face 3', `result xrCreateFacialTrackerHTC ${ERROR.PERMISSION_INSUFFICIENT} 1`] });
	await daemon.is('live', /, htc lips; htc eyes: permission denied: permit face tracking in the headset's settings$/);
	await shows(body, channelsOf(shapes));
	await daemon.is('live', /, htc eyes, htc lips$/);
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
	await daemon.is('live', /android face, htc eyes, htc lips; fb face fails/);
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

test('a person who wants neither face nor gaze: the runtime is not asked for them', async (t) => {
	const offers = [...Object.values(RUNTIMES).map(({ offer }) => offer), 'XR_EXT_eye_gaze_interaction'];
	const { mock, daemon, body } = await faced(t, { offer: offers.join(' '), options: { source: 'openxr:?face=0' },
		script: [...Object.values(RUNTIMES).map(({ knob }) => `set ${knob} 1`), 'set supports_gaze 1'] });
	await daemon.is('live', /84 joints, high fidelity, calibrated$/);
	await mock.called('xrLocateBodyJointsFB', 20);
	const { enabled } = await mock.ask();
	assert.deepEqual(enabled.filter((name) => offers.includes(name)), []);
	assert.deepEqual(body.channels, []);
});

test('a face alone makes no body, and is there when the body comes', async (t) => {
	const weights = weightsOf(70);
	const played = frames(scratch(t), 'demo:walk', 'meta');
	const mock = await Mock.begin(t, `offer ${HEADLESS} ${META} XR_FB_face_tracking2`, `play fb ${played.file}`,
		'set supports_fb_face 1', 'set active 0');
	const daemon = await under(t, mock);
	await mock.called('xrGetFaceExpressionWeights2FB', 30);
	const watcher = join(t, daemon);
	const bodies = async () => (await daemon.status()).spaces[0].bodies.length;
	assert.equal(await bodies(), 0);
	await daemon.is('waiting', /^'mock': nobody is tracked: put the headset on; without a body: fb face$/);
	const { waiting } = await until('the roster', () => watcher.waiting.length && watcher);
	assert.deepEqual(waiting, [{ name: 'OpenXR', source: 'openxr', reason: 'nobody is tracked' }]);
	await pose(mock, [...weights.entries()]);
	await mock.tell('set active 1');
	const client = connect(daemon.url, { WebSocket, precision: 'fine' });
	t.after(() => client.close());
	await shows(await until('a body enters', () => [...client.bodies.values()][0]), channelsOf(shapesOf(FB, weights)));
	assert.equal(await bodies(), 1);
});
