// jointcastd beside stock Monado: head and hands are fed to Monado's remote driver,
// and a subscriber to the daemon must see them move so; then the service is killed.
// Started by ./monado (service.mjs has the arguments).
import assert from 'node:assert/strict';
import { BONES, Figure } from '../../clients/js/index.js';
import { sleep, until } from '../e2e/support/until.mjs';
import { conclude, startDaemon, startService, subscribe } from './service.mjs';

const SECONDS = 8;
/** Compares with the input; a busy machine delays packets by any time. */
const LEAST_CORRELATION = 0.95;
const RECOVERY_SECONDS = 2;
const KILLS = 3;

/* The motion: a person who looks around and moves both hands at different rates. */

const heights = {
	left: (t) => 1.05 + 0.18 * Math.sin(2 * Math.PI * 0.5 * t),
	right: (t) => 1.05 + 0.18 * Math.sin(2 * Math.PI * 0.35 * t + 1),
};
const yaw = (t) => 0.5 * Math.sin(2 * Math.PI * 0.27 * t + 2);

function pose(t) {
	const hand = (x, height) => ({ position: [x, height, -0.3], orientation: [0, 0, 0, 1],
		curl: (1 + Math.sin(t)) / 2 });
	return { head: { position: [0, 1.62, 0], orientation: [0, Math.sin(yaw(t) / 2), 0, Math.cos(yaw(t) / 2)] },
		left: hand(-0.25, heights.left(t)), right: hand(0.25, heights.right(t)) };
}

/** Hands' heights, the head's yaw against the hips and fingers, packet by packet. */
async function record(client, body, seconds) {
	const figure = new Figure(body.skeleton);
	const node = (bone) => body.skeleton.bones[BONES.indexOf(bone)];
	const at = (bone) => figure.position(node(bone), []);
	const samples = [];
	const listen = () => {
		if (!(body.timeline.newest >= 0))
			return;
		figure.pose(body.timeline.at(body.timeline.newest));
		const m = figure.worlds.subarray(16 * node('head'));
		samples.push({ t: performance.now() / 1000, left: at('leftHand')[1], right: at('rightHand')[1],
			hips: at('hips')[1], yaw: Math.atan2(m[8], m[10]) });
	};
	client.on('bundle', listen);
	await sleep(seconds * 1000);
	client.off?.('bundle', listen);
	return samples;
}

/**
 * The line through what was fed that lies nearest to what came, tried at several
 * delays: correlation, slope, what is left over (RMS) and the delay.
 */
function fit(samples, key, fed) {
	let best = { r: -1 };
	for (let delay = 0; delay <= 0.2; delay += 0.002) {
		const x = samples.map(({ t }) => fed(t - delay));
		const y = samples.map((sample) => sample[key]);
		const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
		const [mx, my] = [mean(x), mean(y)];
		const sxy = x.reduce((sum, value, i) => sum + (value - mx) * (y[i] - my), 0);
		const sxx = x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
		const syy = y.reduce((sum, value) => sum + (value - my) ** 2, 0);
		const r = sxy / Math.sqrt(sxx * syy);
		if (r > best.r)
			best = { r, slope: sxy / sxx, delay, rms: Math.sqrt((syy * (1 - r * r)) / samples.length) };
	}
	return best;
}

const unwrap = (samples) => {
	// The body faces -Z here: yaws lie about half a turn and may jump there.
	const first = samples[0].yaw;
	for (const sample of samples)
		sample.yaw = first + Math.atan2(Math.sin(sample.yaw - first), Math.cos(sample.yaw - first));
};

/** A device that Monado lists by its serial (XR_MNDX_xdev_space) moves the joint that an option names. */
async function wearTracker() {
	const daemon = await startDaemon('openxr:?tracker=Remote Right Controller:waist');
	await until('the tracker is listed', async () =>
		/, 1 tracker: waist;/.test((await daemon.source()).detail));
	const client = await subscribe(daemon);
	await until('packets come', () => client.body.timeline.received > 60);
	const { r, slope } = fit(await record(client, client.body, SECONDS), 'hips', heights.right);
	console.log(`monado: tracker at the waist: correlation ${r.toFixed(4)}, slope ${slope.toFixed(3)}`);
	assert.ok(r > LEAST_CORRELATION, 'the hips do not move as the tracker does');
	client.close();
	assert.equal(await daemon.stop(), 0, daemon.log);
}

async function main() {
	const daemon = await startDaemon();
	await until('the source says that nobody is there',
		async () => /no OpenXR runtime/.test((await daemon.source()).detail));
	let monado = await startService(pose);
	await until('the body is live', daemon.isLive);
	const client = await subscribe(daemon);
	const { body } = client;
	await until('packets come', () => body.timeline.received > 60);
	const { detail } = await daemon.source();
	console.log(`monado: ${detail}`);
	assert.match(detail, /hands/);
	assert.match(detail, /head/);

	const samples = await record(client, body, SECONDS);
	unwrap(samples);
	for (const [key, fed, unit, least] of [['left', heights.left, 'm', 0.1],
		['right', heights.right, 'm', 0.1], ['yaw', yaw, 'rad', 0.5]]) {
		const { r, slope, rms, delay } = fit(samples, key, fed);
		console.log(`monado: ${key}: correlation ${r.toFixed(4)}, slope ${slope.toFixed(3)}, `
			+ `${rms.toFixed(4)} ${unit} left over, ${(1000 * delay).toFixed(0)} ms late`);
		assert.ok(r > LEAST_CORRELATION, `${key} does not move as it is fed`);
		assert.ok(slope > least, `${key} moves too little`);
	}

	for (let i = 1; i <= KILLS; i++) {
		await monado.kill();
		await until('the loss is noticed', async () => (await daemon.source()).condition === 'lost');
		await sleep(1500);
		monado = await startService(pose);
		await until('the body is live again', daemon.isLive);
		const { received } = body.timeline;
		await until('packets come', () => body.timeline.received > received + 5);
		const seconds = performance.now() / 1000 - monado.readyAt;
		console.log(`monado: kill ${i}: live ${seconds.toFixed(2)} s after the service's return`);
		assert.ok(seconds <= RECOVERY_SECONDS, 'it took too long');
	}
	const again = await record(client, body, SECONDS);
	assert.ok(fit(again, 'left', heights.left).r > LEAST_CORRELATION, 'the left hand does not move any more');
	const { losses, latency, frames } = await daemon.source();
	assert.equal(losses, KILLS);
	console.log(`monado: ${frames} frames; from sample to socket p50 ${(1e3 * latency.p50).toFixed(1)} ms, `
		+ `p99 ${(1e3 * latency.p99).toFixed(1)} ms`);
	client.close();
	assert.equal(await daemon.stop(), 0, daemon.log);
	await wearTracker();
}

conclude('monado', main);
