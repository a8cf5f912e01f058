// Tests the conduct of a client without a display: polling, stale data, and reconnection.
import assert from 'node:assert/strict';
import test from 'node:test';
import { angle, begin, devices, ERROR, frames, HEADLESS, LIVE, META, Mock, newest, scratch, sleep, subscribe, under } from './mock.mjs';
import { until } from '../e2e/support/until.mjs';

test('polls 72 to 90 times a second while a person is tracked, and rarely otherwise', async (t) => {
	const { mock, daemon } = await begin(t);
	const rate = async () => {
		const before = await mock.ask();
		await sleep(2500);
		const after = await mock.ask();
		return (after.calls.xrLocateBodyJointsFB - before.calls.xrLocateBodyJointsFB)
			/ ((after.now - before.now) / 1e9);
	};
	await daemon.is('live', LIVE);
	const fast = await rate();
	await mock.tell('set active 0');
	await daemon.is('stale');
	await sleep(1500);
	const slow = await rate();
	t.diagnostic(`${fast.toFixed(1)} and ${slow.toFixed(1)} times a second`);
	// A busy machine only reduces the number.
	assert.ok(fast < 93, `${fast} times a second`);
	assert.ok(slow < 11, `${slow} times a second`);
	await mock.tell('set active 1');
	await daemon.is('live');
});

test('a repeated sample is taken once', async (t) => {
	const { mock, daemon } = await begin(t, { script: ['set rate 10'] });
	await daemon.is('live', LIVE);
	const before = await mock.ask();
	const { frames: taken } = await daemon.source();
	await mock.called('xrLocateBodyJointsFB', 240);
	const { frames: more } = await daemon.source();
	const after = await mock.ask();
	const looks = after.calls.xrLocateBodyJointsFB - before.calls.xrLocateBodyJointsFB;
	// One of nine polls gives a new frame; a busy machine polls less often than ninety times a second.
	assert.ok(more - taken < looks * 0.6, `${more - taken} frames in ${looks} looks`);
});

test('a session ends when it is stopped and begins when it is ready again', async (t) => {
	const { mock, daemon } = await begin(t);
	await daemon.is('live', LIVE);
	await mock.tell('state STOPPING');
	await until('it ends', async () => await mock.count('xrEndSession') === 1);
	await daemon.is('stale', /does not run the session yet/);
	const located = await mock.count('xrLocateBodyJointsFB');
	await mock.called('xrPollEvent', 4);
	assert.equal(await mock.count('xrLocateBodyJointsFB'), located, 'located without a session');
	await mock.tell('state READY');
	await daemon.is('live', LIVE);
	assert.equal(await mock.count('xrBeginSession'), 2);
	assert.equal((await daemon.source()).losses, 0);
});

test('a session that is not ready is waited for', async (t) => {
	const { mock, daemon } = await begin(t, { script: ['set auto_ready 0'] });
	await daemon.is('waiting', /does not run the session yet/);
	await mock.called('xrPollEvent', 3);
	assert.equal(await mock.count('xrBeginSession'), 0);
	await mock.tell('state READY');
	await daemon.is('live', LIVE);
});

test('a pending loss destroys the session, and the system is requested again', async (t) => {
	const { mock, daemon } = await begin(t);
	await daemon.is('live', LIVE);
	await mock.tell(`result xrGetSystem ${ERROR.FORM_FACTOR_UNAVAILABLE}`);
	await mock.tell('state LOSS_PENDING');
	await until('the session is destroyed', async () => await mock.count('xrDestroySession') === 1);
	await mock.called('xrGetSystem', 2);
	await daemon.is('lost', /^no headset at 'mock'|is gone/);
	await mock.tell('result xrGetSystem 0');
	await daemon.is('live', LIVE);
});

test('a session that exits is created again', async (t) => {
	const { mock, daemon } = await begin(t);
	await daemon.is('live', LIVE);
	await mock.tell('state STOPPING');
	await until('it ends', async () => await mock.count('xrEndSession') === 1);
	await mock.tell('state EXITING');
	await until('the session is destroyed', async () => await mock.count('xrDestroySession') === 1);
	await daemon.is('live', LIVE);
	assert.equal(await mock.count('xrCreateInstance'), 1);
});

test('an instance with a pending loss is destroyed', async (t) => {
	const { mock, daemon } = await begin(t);
	await daemon.is('live', LIVE);
	await mock.tell('instance-loss-pending');
	await until('the instance is destroyed', async () => await mock.count('xrDestroyInstance') === 1);
	await until('another one is made', async () => await mock.count('xrCreateInstance') === 2);
	await daemon.is('live', LIVE);
});

for (const function_ of ['xrPollEvent', 'xrConvertTimespecTimeToTimeKHR', 'xrLocateBodyJointsFB'])
	test(`a runtime that keeps failing in ${function_} is left and looked for again`, async (t) => {
		const { mock, daemon } = await begin(t);
		await daemon.is('live', LIVE);
		await mock.tell(`result ${function_} ${ERROR.RUNTIME_FAILURE}`);
		await until('the instance is destroyed',
			async () => await mock.count('xrDestroyInstance') >= 1);
		await mock.tell(`result ${function_} 0`);
		await daemon.is('live', LIVE);
	});

test('ignores a single failure of a locate call', async (t) => {
	const { mock, daemon } = await begin(t);
	await daemon.is('live', LIVE);
	await mock.tell(`result xrLocateBodyJointsFB ${ERROR.RUNTIME_FAILURE} 1`);
	await mock.called('xrLocateBodyJointsFB', 10);
	await daemon.is('live', LIVE);
	assert.equal(await mock.count('xrDestroyInstance'), 0);
});

for (const [name, function_, code, says] of [
	['no service at boot', 'xrCreateInstance', ERROR.RUNTIME_UNAVAILABLE, /no OpenXR runtime/],
	['a failing service at boot', 'xrCreateInstance', ERROR.RUNTIME_FAILURE, /no OpenXR runtime/],
	['no headset at boot', 'xrGetSystem', ERROR.FORM_FACTOR_UNAVAILABLE, /no headset/],
	['no session to be had', 'xrCreateSession', ERROR.RUNTIME_FAILURE, /refuses a session/],
	['a headset in other hands', 'xrCreateSession', ERROR.LIMIT_REACHED, /in use by another program/],
])
	test(`${name} is waited out`, async (t) => {
		const { mock, daemon } = await begin(t, { script: [`result ${function_} ${code}`] });
		await daemon.is('waiting', says);
		await mock.called(function_, 3);
		// A mock that starts slowly on a busy machine is stale before.
		assert.equal(daemon.log.match(/openxr: waiting:/g).length, 1, `more than one line:\n${daemon.log}`);
		await mock.tell(`result ${function_} 0`);
		await daemon.is('live', LIVE);
	});

test('a runtime without headless sessions is reported', async (t) => {
	const played = frames(scratch(t), 'demo:walk', 'meta');
	const mock = await Mock.begin(t, `offer XR_KHR_convert_timespec_time ${META}`, `play fb ${played.file}`);
	const daemon = await under(t, mock);
	await daemon.is('waiting', /XR_MND_headless/);
	await mock.tell(`offer ${HEADLESS} ${META}`);
	await daemon.is('live', LIVE);
});

test('a denied permission is reported and requested again, other trackers deliver', async (t) => {
	const folder = scratch(t);
	const file = devices(folder, { view: () => [0, 1.63, 0.085, 0, 1, 0, 0] });
	const { mock, daemon } = await begin(t, { script: [`play devices ${file}`,
		`result xrCreateBodyTrackerFB ${ERROR.PERMISSION_INSUFFICIENT}`] });
	await daemon.is('live', /^'mock': head; .*permission denied/);
	await mock.tell('result xrCreateBodyTrackerFB 0');
	await daemon.is('live', LIVE);
});

test('fidelity is requested, calibration is passed on', async (t) => {
	const { mock, daemon } = await begin(t, { source: 'openxr:?height=1.82', script: ['set fidelity 1'] });
	await daemon.is('live', /high fidelity, calibrated/);
	assert.ok(Math.abs((await mock.ask()).height - 1.82) < 1e-6, 'the height was not suggested');
	await mock.tell('set calibration 2');
	await daemon.is('live', /, calibrating/);
	await mock.tell('set fidelity 1');
	await daemon.is('live', /low fidelity/);
});

test('a recentring is a cut without interpolation', async (t) => {
	const { mock, daemon } = await begin(t, { script: ['hold 0.5'] });
	const client = await subscribe(t, daemon);
	await daemon.is('live', LIVE);
	await until('the body stands', () => client.body.timeline.received > 30);
	const before = newest(client).hips.slice();
	// The new origin lies 3 m to the left and 1 m forward and looks 90 degrees aside.
	await mock.tell('recentre 3 1 0.70710678 0.70710678');
	const at = () => newest(client).hips;
	const far = (a, b) => Math.hypot(a[0] - b[0], a[2] - b[2]);
	const path_ = [];
	client.on('bundle', () => path_.push([...at()]));
	await until('it stands elsewhere', () => far(at(), before) > 1);
	const end = [...at()];
	const between = path_.filter((hips) => far(hips, before) > 0.05 && far(hips, end) > 0.05);
	assert.equal(between.length, 0, `${between.length} packets on the way`);
	assert.equal((await daemon.source()).losses, 0);
});

/* 0.3 m, 1 m, and 30 degrees; the first figure stands still. */
for (const [script, origin] of [[['hold 0.5'], '0.3 0 0 1'], [[], '-0.4 0.4 0 1'], [[], '0 0 0.2588 0.9659']]) {
	test(`a jump of the space without an event is a cut: ${script[0] ?? 'walk'}, shift ${origin}`, async (t) => {
		const { mock, daemon } = await begin(t, { source: 'openxr:?smooth', script });
		const client = await subscribe(t, daemon);
		await daemon.is('live', LIVE);
		await until('the body is there', () => client.body.timeline.received > 60);
		const seen = [];
		client.on('bundle', (bundle) => {
			const { hips, rotations } = newest(client);
			seen.push({ tick: bundle.tick, cut: bundle.count > 0 && bundle.cut[0] > 0, hips: [...hips], turn: [...rotations.subarray(0, 4)] });
		});
		await mock.tell(`shift ${origin}`);
		await until('the motion is cut', () => seen.some(({ cut }) => cut));
		await until('it goes on', () => seen.length > seen.findIndex(({ cut }) => cut) + 30);
		assert.equal(seen.filter(({ cut }) => cut).length, 1, 'one cut');
		// Half a second later the body is where it was after the cut, as far as it walks.
		const at = seen.findIndex(({ cut }) => cut);
		const way = (a, b) => Math.hypot(a.hips[0] - b.hips[0], a.hips[2] - b.hips[2]);
		for (let i = 1; i < seen.length; i++) {
			// A busy machine skips ticks: at most 2 m and 120 degrees a second.
			const seconds = (seen[i].tick - seen[i - 1].tick) / 60;
			if (i !== at)
				assert.ok(way(seen[i], seen[i - 1]) < 0.12 + 2 * seconds && angle(seen[i].turn, seen[i - 1].turn) < 8 + 120 * seconds, `packet ${i - at} after the cut moves far`);
		}
	});
}

test('reads the skeleton again for another person', async (t) => {
	const { mock, daemon } = await begin(t, { offer: `${META} XR_EXT_user_presence` });
	await daemon.is('live', LIVE);
	await mock.tell('present 0');
	await mock.tell('set active 0');
	await daemon.is('stale');
	await mock.tell('set scale 0.7');
	await mock.tell('set skeleton 2');
	const asked = await mock.count('xrGetBodySkeletonFB');
	await mock.tell('present 1');
	await mock.tell('set active 1');
	await daemon.is('live', LIVE);
	await until('the skeleton is read again', async () => await mock.count('xrGetBodySkeletonFB') > asked);
	const { dropped, held } = await daemon.source();
	assert.equal(dropped + held, 0, 'a smaller person was taken for implausible');
});

test('a second source of the kind reports which one uses the runtime', async (t) => {
	const { daemon } = await begin(t, { options: ['--source', 'openxr:?name=second'] });
	await until('one is live and one waits', async () => {
		const { bodies, waiting } = (await daemon.status()).spaces[0];
		return [...bodies, ...waiting].map(({ source }) => source.condition).sort().join() === 'live,waiting';
	});
	assert.match((await daemon.status()).spaces[0].waiting[0].source.detail,
		/another source has the OpenXR runtime/);
});
