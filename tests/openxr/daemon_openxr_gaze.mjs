// Gaze from the runtime to a subscriber; faces and gaze on a three-vrm avatar and in recordings.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import test from 'node:test';
import { VrmWearer, connect } from '../../clients/js/index.js';
import { start } from '../e2e/support/daemon.mjs';
import { until } from '../e2e/support/until.mjs';
import { FB, NEAR, WebSocket, channelsOf, faced, gazing, looking, looks, pose, presetsOf, shapesOf, shows, weightsOf } from './face.mjs';
import { ERROR, scratch } from './mock.mjs';

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
		['set face_age 2', 'set face_age 0', /gaze is stale: wake the headset/]]) {
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

/* An avatar */

const require = createRequire(new URL('../../clients/js/package.json', import.meta.url));
const { VRMExpression, VRMExpressionManager, VRMExpressionMorphTargetBind } = require('@pixiv/three-vrm');
const { Mesh } = require('three');

/** A three-vrm avatar of one mesh, with a morph target for each expression. */
function avatarOf(names) {
	const expressionManager = new VRMExpressionManager();
	const mesh = new Mesh();
	mesh.morphTargetInfluences = names.map(() => 0);
	names.forEach((name, index) => {
		const expression = new VRMExpression(name);
		expression.addBind(new VRMExpressionMorphTargetBind({ primitives: [mesh], index, weight: 1 }));
		expressionManager.registerExpression(expression);
	});
	return {
		vrm: { expressionManager, lookAt: { yaw: 0, pitch: 0 },
			humanoid: { getNormalizedBoneNode: () => null, normalizedRestPose: {} } },
		morphs: () => {
			expressionManager.update();
			return Object.fromEntries(names.map((name, i) => [name, mesh.morphTargetInfluences[i]]));
		},
	};
}

/** Waits until the morph targets of an avatar have these values. */
async function wears(body, names, wanted) {
	const { vrm, morphs } = avatarOf(names);
	const wearer = new VrmWearer(vrm, body.skeleton);
	let off;
	await until('the avatar is right', () => {
		const sample = body.timeline.at(body.timeline.newest);
		if (!sample || !body.channels.length)
			return false;
		wearer.express(body, sample);
		const shown = morphs();
		off = Object.keys(wanted).filter((name) => !(Math.abs(shown[name] - wanted[name]) <= NEAR))
			.map((name) => `${name} ${shown[name]} and not ${wanted[name]}`);
		return off.length === 0;
	}).catch((error) => assert.fail(`${error.message}: ${off}`));
	return vrm;
}

test('a three-vrm avatar shows the face: presets, or the shapes in their place', async (t) => {
	const weights = weightsOf(70);
	const shapes = shapesOf(FB, weights);
	const presets = presetsOf(shapes);
	const { body } = await faced(t, { offer: 'XR_FB_face_tracking2 XR_EXT_eye_gaze_interaction', weights,
		script: ['set supports_fb_face 1', 'set supports_gaze 1', `play devices ${looking(t, 20, 10)}`] });
	await looks(body, 20, 10);
	await shows(body, channelsOf(shapes));

	const plain = await wears(body, [...Object.keys(presets), 'relaxed'], { ...presets, relaxed: 0 });
	assert.ok(Math.abs(plain.lookAt.yaw - 20) < 0.3 && Math.abs(plain.lookAt.pitch - 10) < 0.3, JSON.stringify(plain.lookAt));

	// Both spellings of "perfect sync"; nothing moves twice.
	const none = Object.fromEntries(Object.keys(presets).map((name) => [name, 0]));
	const capital = (name) => name[0].toUpperCase() + name.slice(1);
	await wears(body, [...Object.keys(presets), ...Object.keys(shapes)], { ...none, ...shapes });
	await wears(body, [...Object.keys(presets), ...Object.keys(shapes).map(capital)],
		{ ...none, ...Object.fromEntries(Object.entries(shapes).map(([name, value]) => [capital(name), value])) });

	// Eyes of their own, and a mouth by presets.
	const eyes = Object.fromEntries(Object.entries(shapes).filter(([name]) => name.startsWith('eye')));
	await wears(body, [...Object.keys(presets), ...Object.keys(eyes)],
		{ ...presets, blink: 0, blinkLeft: 0, blinkRight: 0, lookUp: 0, lookDown: 0, lookLeft: 0, lookRight: 0, ...eyes });
});

test('a subscriber without channels gets none', async (t) => {
	const weights = weightsOf(70);
	const { daemon, body } = await faced(t, { offer: 'XR_FB_face_tracking2', weights, script: ['set supports_fb_face 1'] });
	await shows(body, channelsOf(shapesOf(FB, weights)));
	const mute = connect(daemon.url, { WebSocket, sections: ['body', 'hips'] });
	t.after(() => mute.close());
	const silent = await until('the body', () => [...mute.bodies.values()][0]);
	await until('a packet', () => silent.sample());
	assert.equal(silent.channel('expression/jawOpen', silent.sample()), 0);
});

for (const form of ['', '?raw=true'])
	test(`a replay of a recording${form} has the face and the gaze`, async (t) => {
		const weights = weightsOf(70);
		const wanted = channelsOf(shapesOf(FB, weights));
		const folder = scratch(t);
		const { mock, daemon, body } = await faced(t, { offer: 'XR_FB_face_tracking2 XR_EXT_eye_gaze_interaction', weights,
			script: ['set supports_fb_face 1', 'set supports_gaze 1', `play devices ${looking(t, 20, 10)}`],
			options: { options: ['--record', `${folder}${form}`], check: false } });
		await looks(body, 20, 10);
		await shows(body, wanted);
		await mock.called('xrLocateBodyJointsFB', 90);
		await daemon.end();

		const [file] = readdirSync(folder).filter((name) => name.endsWith('.mcap'));
		const replay = await start('--source', `replay:${path.join(folder, file)}?loop=1`);
		t.after(() => replay.stop());
		const client = connect(replay.url, { WebSocket, precision: 'fine' });
		t.after(() => client.close());
		const replayed = await until('the recorded body', () => [...client.bodies.values()][0]);
		await shows(replayed, wanted);
		await looks(replayed, 20, 10);
	});
