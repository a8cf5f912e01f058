// Optional structures that a runtime refuses: the body arrives without them, and the status states
// what is missing. Each structure that the daemon chains is refused in turn.
import assert from 'node:assert/strict';
import test from 'node:test';
import { begin, ERROR, frames, HEADLESS, LIVE, META, Mock, scratch, stance, stands, subscribe, under } from './mock.mjs';
import { until } from '../e2e/support/until.mjs';

const MOTION = 'demo:wave';
const MOMENT = 1;
const ALL = `${META} ` + 'XR_BD_body_tracking XR_HTC_body_tracking XR_EXT_hand_tracking XR_MNDX_xdev_space '
	+ 'XR_FB_face_tracking2 XR_HTC_facial_tracking XR_ANDROID_face_tracking XR_EXT_eye_gaze_interaction';
const SOURCES = 'XR_EXT_hand_tracking_data_source';
const REFUSED = 'XR_ERROR_FEATURE_UNSUPPORTED';
const LEGS = /Leg|Foot|Toes/;

/** Structures by their name in the mock, and what the status says about a refusal. */
const STRUCTURES = {
	calibration_status: `, without calibration status (${REFUSED})`,
	fidelity_status: `, without fidelity status (${REFUSED})`,
	fb_properties: `; support of XR_FB_body_tracking is unknown (${REFUSED})`,
	full_body_properties: `; support of XR_META_body_tracking_full_body is unknown (${REFUSED})`,
	calibration_properties: `; support of XR_META_body_tracking_calibration is unknown (${REFUSED})`,
	fidelity_properties: `; support of XR_META_body_tracking_fidelity is unknown (${REFUSED})`,
	bd_properties: `; support of XR_BD_body_tracking is unknown (${REFUSED})`,
	htc_properties: `; support of XR_HTC_body_tracking is unknown (${REFUSED})`,
	// Without the answer the daemon tries the face, which the device does not track.
	fb_face_properties: `; fb face fails (${REFUSED}): read the log of the runtime; support of XR_FB_face_tracking2 is unknown (${REFUSED})`,
	htc_face_properties: `; htc eyes fails (${REFUSED}): read the log of the runtime; htc lips fails (${REFUSED}): read the log of the runtime; support of XR_HTC_facial_tracking is unknown (${REFUSED})`,
	android_face_properties: `; android face fails (${REFUSED}): read the log of the runtime; support of XR_ANDROID_face_tracking is unknown (${REFUSED})`,
	gaze_properties: `; gaze delivers nothing: permit eye tracking in the headset's settings; support of XR_EXT_eye_gaze_interaction is unknown (${REFUSED})`,
	hand_properties: `; support of XR_EXT_hand_tracking is unknown (${REFUSED})`,
	xdev_properties: `; support of XR_MNDX_xdev_space is unknown (${REFUSED})`,
};

/** Lines of the log that name something that is left out. */
const notices = (daemon) => daemon.log.split('\n').filter((line) => /without|is unknown/.test(line));

/** A daemon under a mock that holds one pose, and the check that the body arrives in it. */
async function held(t, script, offer = ALL) {
	const played = frames(scratch(t), MOTION, 'meta');
	const moment = played.times[MOMENT];
	const mock = await Mock.begin(t, `offer ${HEADLESS} ${offer}`, `play fb ${played.file}`,
		`hold ${moment}`, ...script);
	const daemon = await under(t, mock);
	const client = await subscribe(t, daemon);
	const wanted = stance(MOTION, moment);
	const arrives = async (joints) => {
		const isCounted = (bone) => wanted[bone].state === 'tracked'
			&& !/Eye|jaw/.test(bone) && (joints === 84 || !LEGS.test(bone));
		const { count } = await stands(client, wanted, isCounted);
		assert.ok(count >= (joints === 84 ? 40 : 35), `${count} bones only`);
	};
	return { mock, daemon, arrives };
}

/** Waits for the detail of a live source, word for word. */
async function says(daemon, detail) {
	await daemon.is('live', /joints/);
	assert.equal((await daemon.source()).detail, detail);
}

/** Further calls of a session are not refused: it remembers. */
async function remembers(mock) {
	const { refused } = await mock.ask();
	assert.ok(refused > 0, 'the mock refused nothing');
	await mock.called('xrLocateBodyJointsFB', 20);
	assert.equal((await mock.ask()).refused, refused);
}

for (const [structure, note] of Object.entries(STRUCTURES))
	for (const [joints, body] of [[84, 'meta body, 84 joints'], [70, 'fb body, 70 joints']])
		test(`${joints} joints arrive although ${structure} is refused`, async (t) => {
			const { mock, daemon, arrives } = await held(t, [`set supports_full ${joints === 84 ? 1 : 0}`,
				`refuse ${structure} ${ERROR.FEATURE_UNSUPPORTED}`]);
			const fidelity = structure.startsWith('fidelity') ? '' : ', high fidelity';
			const calibrated = structure.startsWith('calibration') ? '' : ', calibrated';
			// Without the answer the daemon tries the legs, which the device does not have.
			const legs = structure === 'full_body_properties' && joints === 70
				? `, without legs (${REFUSED})` : '';
			await says(daemon, `'mock': ${body}${fidelity}${calibrated}${legs}${note}`);
			await arrives(joints);
			assert.equal(notices(daemon).length, 1, daemon.log);
			if (structure.endsWith('status'))
				await remembers(mock);
		});

test('every structure in a chain of the daemon is refused above', async (t) => {
	const { mock, daemon } = await begin(t, { offer: `${ALL} ${SOURCES}` });
	await daemon.is('live', LIVE);
	// daemon_openxr_presence.mjs refuses those of hands.
	assert.deepEqual((await mock.ask()).chained.sort(),
		[...Object.keys(STRUCTURES), 'hand_source_info', 'hand_source_state'].sort());
});

for (const [code, name] of [[ERROR.VALIDATION_FAILURE, 'XR_ERROR_VALIDATION_FAILURE'],
	[ERROR.RUNTIME_FAILURE, 'XR_ERROR_RUNTIME_FAILURE']])
	test(`both statuses are refused with ${name}`, async (t) => {
		const { mock, daemon, arrives } = await held(t,
			[`refuse calibration_status ${code}`, `refuse fidelity_status ${code}`]);
		await says(daemon,
			`'mock': meta body, 84 joints, without calibration status and fidelity status (${name})`);
		await arrives(84);
		await remembers(mock);
		assert.equal(notices(daemon).length, 1, daemon.log);
	});

test('the legs are refused although the device reports them', async (t) => {
	const { daemon, arrives } = await held(t,
		[`result xrCreateBodyTrackerFB ${ERROR.FEATURE_UNSUPPORTED} 1`]);
	await says(daemon, `'mock': fb body, 70 joints, high fidelity, calibrated, without legs (${REFUSED})`);
	await arrives(70);
	assert.equal(notices(daemon).length, 1, daemon.log);
});

// Monado offers the extensions for every device, and fails for one without the feature.
for (const [features, joints, detail] of [
	['height', 84, 'meta body, 84 joints, high fidelity'],
	['fidelity', 84, 'meta body, 84 joints, calibrated'],
	['height fidelity', 84, 'meta body, 84 joints'],
	['height fidelity full', 70, 'fb body, 70 joints'],
])
	test(`nothing is requested that the device lacks: ${features}`, async (t) => {
		const { mock, daemon, arrives } = await held(t,
			features.split(' ').map((feature) => `set supports_${feature} 0`));
		await says(daemon, `'mock': ${detail}`);
		await arrives(joints);
		assert.equal((await mock.ask()).refused, 0);
		assert.equal(notices(daemon).length, 0, daemon.log);
	});

for (const [stream, profile, offer, detail] of [
	['bd', 'pico', 'XR_BD_body_tracking', 'bd body, 24 joints'],
	['htc', 'htc', 'XR_HTC_body_tracking', 'htc body, 26 joints'],
	['hands', 'webxr-spec', 'XR_EXT_hand_tracking', 'hands'],
])
	test(`${detail} arrive although the properties are refused`, async (t) => {
		const played = frames(scratch(t), MOTION, profile);
		const mock = await Mock.begin(t, `offer ${HEADLESS} ${offer}`, `play ${stream} ${played.file}`,
			`refuse ${stream === 'hands' ? 'hand' : stream}_properties ${ERROR.FEATURE_UNSUPPORTED}`);
		const daemon = await under(t, mock);
		await daemon.is('live', /is unknown/);
		assert.equal((await daemon.source()).detail,
			`'mock': ${detail}; support of ${offer} is unknown (${REFUSED})`);
	});

test('a failure that is no refusal leaves nothing out', async (t) => {
	const { mock, daemon } = await begin(t);
	await daemon.is('live', LIVE);
	for (const code of [ERROR.RUNTIME_FAILURE, ERROR.FEATURE_UNSUPPORTED]) {
		await mock.tell(`result xrLocateBodyJointsFB ${code} 1`);
		await mock.called('xrLocateBodyJointsFB', 10);
		await daemon.is('live', /^'mock': meta body, 84 joints, high fidelity, calibrated$/);
	}
});

test('another session requests the structure again', async (t) => {
	const { mock, daemon } = await begin(t,
		{ script: [`refuse fidelity_status ${ERROR.FEATURE_UNSUPPORTED}`] });
	await daemon.is('live', /without fidelity status/);
	await mock.tell('refuse fidelity_status 0');
	await mock.tell('lose-session');
	await until('the session is lost', async () => (await daemon.source()).losses === 1);
	await daemon.is('live', /^'mock': meta body, 84 joints, high fidelity, calibrated$/);
});
