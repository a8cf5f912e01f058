// Compares poses tracked by a runtime with those a web client receives: a mock runtime plays a
// motion through each vendor's API. The runtime stays at one time of the motion while its clock
// continues, so that timing has no effect.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { Figure } from '../../clients/js/index.js';
import { BONES, devices, frames, HEADLESS, META, Mock, NEAR, newest, scratch, stance, stands, subscribe, under } from './mock.mjs';
import { until } from '../e2e/support/until.mjs';

const MOTION = 'demo:wave';
const MOMENTS = [3, 11];
const FINGERS = /Thumb|Index|Middle|Ring|Little/;
const LEGS = /Leg|Foot|Toes/;
const ARMS = /Shoulder|Arm|Hand|Thumb|Index|Middle|Ring|Little/;
const EYES = /Eye|jaw/;
/** BD has no joint between chest and neck: the bones between them are estimated. */
const OVER_GAP = /upperChest|neck|Shoulder/;

/**
 * Each row: extensions offered, motion, stream of the mock and profile, the source's detail,
 * and the bones that it delivers.
 */
const ROWS = [
	{ name: 'meta: 84 joints', offer: META, streams: { fb: 'meta' },
		says: /^'mock': meta body, 84 joints, high fidelity, calibrated$/,
		counts: (bone) => !EYES.test(bone), least: 40 },
	{ name: 'fb: 70 joints, no legs', offer: 'XR_FB_body_tracking', streams: { fb: 'meta' },
		says: /^'mock': fb body, 70 joints$/,
		counts: (bone) => !EYES.test(bone) && !LEGS.test(bone), least: 35 },
	{ name: 'meta where the device has no legs', offer: META, script: ['set supports_full 0'],
		streams: { fb: 'meta' }, says: /^'mock': fb body, 70 joints/,
		counts: (bone) => !EYES.test(bone) && !LEGS.test(bone), least: 35 },
	{ name: 'bd: 24 joints', offer: 'XR_BD_body_tracking', streams: { bd: 'pico' },
		says: /^'mock': bd body, 24 joints$/,
		counts: (bone) => !EYES.test(bone) && !FINGERS.test(bone) && !OVER_GAP.test(bone),
		least: 16 },
	{ name: 'bd without arms: 16 joints', offer: 'XR_BD_body_tracking', script: ['set bd_arms 0'],
		streams: { bd: 'pico' }, says: /^'mock': bd body, 16 joints, without arms \(XR_ERROR_FEATURE_UNSUPPORTED\)$/,
		counts: (bone) => !EYES.test(bone) && !ARMS.test(bone) && !OVER_GAP.test(bone),
		least: 10 },
	{ name: 'htc: 26 joints', offer: 'XR_HTC_body_tracking', streams: { htc: 'htc' },
		says: /^'mock': htc body, 26 joints/,
		counts: (bone) => !EYES.test(bone) && !FINGERS.test(bone), least: 18 },
	{ name: 'bd with hands beside it', offer: 'XR_BD_body_tracking XR_EXT_hand_tracking',
		streams: { bd: 'pico', hands: 'webxr-spec' },
		says: /^'mock': bd body, 24 joints, hands$/,
		counts: (bone) => !EYES.test(bone) && !OVER_GAP.test(bone), least: 40 },
	{ name: 'htc with hands beside it', offer: 'XR_HTC_body_tracking XR_EXT_hand_tracking',
		streams: { htc: 'htc', hands: 'webxr-spec' },
		says: /^'mock': htc body, 26 joints.*, hands$/,
		counts: (bone) => !EYES.test(bone), least: 40 },
	{ name: 'the best of three bodies', offer: `XR_BD_body_tracking XR_HTC_body_tracking ${META}`,
		streams: { fb: 'meta', bd: 'pico', htc: 'htc' }, says: /^'mock': meta body, 84 joints/,
		counts: (bone) => !EYES.test(bone), least: 40 },
	{ name: 'hands alone', offer: 'XR_EXT_hand_tracking', streams: { hands: 'webxr-spec' },
		says: /^'mock': hands$/, counts: (bone) => FINGERS.test(bone), least: 20 },
];

for (const { name, offer, script = [], streams, says, counts, least } of ROWS) {
	test(`${name}: the same pose within ${NEAR} degrees`, async (t) => {
		const folder = scratch(t);
		const played = Object.entries(streams).map(([stream, profile]) =>
			[stream, frames(folder, MOTION, profile)]);
		const mock = await Mock.begin(t, `offer ${HEADLESS} ${offer}`, ...script,
			...played.map(([stream, { file }]) => `play ${stream} ${file}`));
		const daemon = await under(t, mock);
		const client = await subscribe(t, daemon);
		for (const moment of MOMENTS.map((i) => played[0][1].times[i])) {
			const wanted = stance(MOTION, moment);
			const isCounted = (bone) => counts(bone) && wanted[bone].state === 'tracked';
			await mock.tell(`hold ${moment}`);
			await daemon.is('live', says);
			const { count, bone, degrees } = await stands(client, wanted, isCounted);
			assert.ok(count >= least, `${count} bones only`);
			t.diagnostic(`${count} bones, at most ${degrees.toFixed(4)} degrees off (${bone})`);
		}
	});
}

for (const name of ['bvh/cmu_12_01_walk.bvh', 'bvh/geno_stance_lafan_fingers.bvh']) {
	const folder = process.env.JOINTCAST_DATA
		?? fileURLToPath(new URL('../../../shared/data', import.meta.url));
	const file = path.join(folder, name);
	test(`a captured motion, ${name}: the same pose`, {
		skip: existsSync(file) ? false : `${file} is not there`,
	}, async (t) => {
		const played = frames(scratch(t), file, 'meta', { every: 40 });
		const mock = await Mock.begin(t, `offer ${HEADLESS} ${META}`, `play fb ${played.file}`);
		const daemon = await under(t, mock);
		const client = await subscribe(t, daemon);
		for (const moment of played.times.slice(1, 4)) {
			const wanted = stance(file, moment);
			await mock.tell(`hold ${moment}`);
			await daemon.is('live');
			await stands(client, wanted,
				(bone) => !EYES.test(bone) && wanted[bone].state === 'tracked');
		}
	});
}

test('wrong axes of a runtime are corrected by joint positions', async (t) => {
	const folder = scratch(t);
	const played = frames(folder, MOTION, 'slimevr');
	const mock = await Mock.begin(t, `offer ${HEADLESS} ${META}`, `play fb ${played.file}`,
		`hold ${played.times[3]}`);
	const daemon = await under(t, mock);
	const client = await subscribe(t, daemon);
	await daemon.is('live',
		/; axes look like 'slimevr': start with --source openxr:\?profile=slimevr$/);
	const wanted = stance(MOTION, played.times[3]);
	await until('upper arms and legs lie as they should', () => {
		const figure = new Figure(client.body.skeleton).pose(newest(client));
		const at = (bone) => figure.position(client.body.skeleton.bones[BONES.indexOf(bone)], []);
		return [['leftUpperArm', 'leftLowerArm'], ['rightUpperArm', 'rightLowerArm'],
			['rightLowerArm', 'rightHand'], ['leftUpperLeg', 'leftLowerLeg'],
			['rightUpperLeg', 'rightLowerLeg'], ['spine', 'neck']].every(([from, to]) => {
			const way = (a, b) => b.map((x, i) => x - a[i]);
			const ours = way(at(from), at(to));
			const theirs = way(wanted[from].worldPosition, wanted[to].worldPosition);
			const dot = ours.reduce((sum, x, i) => sum + x * theirs[i], 0);
			return dot / Math.hypot(...ours) / Math.hypot(...theirs) > Math.cos(1 / 57.3);
		});
	});
});

test('a skeleton in another order, its root under 85, gives the same pose', async (t) => {
	const folder = scratch(t);
	const played = frames(folder, MOTION, 'meta');
	const mock = await Mock.begin(t, `offer ${HEADLESS} ${META}`, 'set scramble 1',
		'set no_parent 85', 'set scale 0.63', `play fb ${played.file}`, `hold ${played.times[11]}`);
	const daemon = await under(t, mock);
	const client = await subscribe(t, daemon);
	await daemon.is('live');
	const wanted = stance(MOTION, played.times[11]);
	await stands(client, wanted, (bone) => !EYES.test(bone) && wanted[bone].state === 'tracked');
	assert.ok(await mock.count('xrGetBodySkeletonFB') >= 1);

	// A child of 1.1 m: the hips are where the same pose of a tall person has them.
	const height = () => newest(client).hips[1];
	const small = height();
	await mock.tell('set scale 1');
	await mock.tell('set skeleton 2');
	await until('the skeleton is read again', async () => await mock.count('xrGetBodySkeletonFB') >= 2);
	await until('nothing has changed but the size', () => Math.abs(height() - small) < 0.002);
});

test('no skeleton is needed', async (t) => {
	const folder = scratch(t);
	const played = frames(folder, MOTION, 'meta');
	const mock = await Mock.begin(t, `offer ${HEADLESS} ${META}`, 'set no_skeleton 1',
		`play fb ${played.file}`, `hold ${played.times[3]}`);
	const daemon = await under(t, mock);
	const client = await subscribe(t, daemon);
	await daemon.is('live');
	const wanted = stance(MOTION, played.times[3]);
	await stands(client, wanted, (bone) => !EYES.test(bone) && wanted[bone].state === 'tracked');
});

/* Devices. The body faces +Z in the T-pose, a view looks to its own -Z. */

const HALF = Math.SQRT1_2;
const HEAD = [0, 1.63, 0.085, 0, 1, 0, 0];
/**
 * Controllers in the hands of a T-pose. Grip: +X out of the left palm and into
 * the right one, -Z to the thumb, which points forward when palms look down.
 */
const GRIPS = {
	'/user/hand/left/input/grip/pose': () => [0.785, 1.39, 0, HALF, -HALF, 0, 0],
	'/user/hand/right/input/grip/pose': () => [-0.785, 1.39, 0, HALF, HALF, 0, 0],
};

/** Degrees by which a bone is turned in the world since the T-pose. */
function turned(client, bone) {
	const figure = new Figure(client.body.skeleton).pose(newest(client));
	const m = figure.worlds.subarray(16 * client.body.skeleton.bones[BONES.indexOf(bone)]);
	return Math.atan2(Math.hypot(m[6] - m[9], m[8] - m[2], m[1] - m[4]) / 2,
		(m[0] + m[5] + m[10] - 1) / 2) * (180 / Math.PI);
}

test('head and controllers hold a T-pose: hands and head are turned as they are', async (t) => {
	const folder = scratch(t);
	const file = devices(folder, { view: () => HEAD, ...GRIPS });
	const mock = await Mock.begin(t, `offer ${HEADLESS}`, `play devices ${file}`);
	const daemon = await under(t, mock);
	const client = await subscribe(t, daemon);
	await daemon.is('live', /^'mock': head and controllers/);
	await until('hands and head are turned as in the T-pose', () =>
		['head', 'leftHand', 'rightHand'].every((bone) => turned(client, bone) < NEAR));
	assert.equal(await mock.count('xrWaitFrame'), 0);
});

test('where the floor is not known heights come from the head', async (t) => {
	const folder = scratch(t);
	const file = devices(folder, { view: () => HEAD, ...GRIPS });
	const mock = await Mock.begin(t, `offer ${HEADLESS}`, 'set stage 0', 'set local_height 1.63',
		`play devices ${file}`);
	const daemon = await under(t, mock, { source: 'openxr:?height=1.75' });
	const client = await subscribe(t, daemon);
	await daemon.is('live', /head and controllers/);
	const hips = () => newest(client).hips[1];
	await until('it stands upright', () => Math.abs(hips()) < 0.03);
});

test('trackers by their roles move feet and hips', async (t) => {
	const folder = scratch(t);
	const role = (name) => `/user/vive_tracker_htcx/role/${name}/input/grip/pose`;
	// The left foot is 0.3 m over the floor and in front.
	const file = devices(folder, { view: () => HEAD, ...GRIPS,
		[role('waist')]: () => [0, 0.96, 0, 0, 1, 0, 0],
		[role('left_foot')]: () => [0.09, 0.38, 0.27, 0, 1, 0, 0],
		[role('right_foot')]: () => [-0.09, 0.08, -0.03, 0, 1, 0, 0] });
	const mock = await Mock.begin(t, `offer ${HEADLESS} XR_HTCX_vive_tracker_interaction`,
		`play devices ${file}`);
	const daemon = await under(t, mock);
	const client = await subscribe(t, daemon);
	await daemon.is('live', /trackers, 3 joints/);
	const at = (bone) => new Figure(client.body.skeleton).pose(newest(client))
		.position(client.body.skeleton.bones[BONES.indexOf(bone)], []);
	await until('the left foot is raised', () => at('leftFoot')[1] - at('rightFoot')[1] > 0.2
		&& at('leftFoot')[2] - at('rightFoot')[2] > 0.15);
});
