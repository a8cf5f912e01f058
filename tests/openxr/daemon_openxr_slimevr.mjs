// SlimeVR through Monado or WiVRn: 20 bones as Meta's joints, in each of the ways in which the
// server drives arms. A moving body goes through the mock runtime and the daemon to the
// JavaScript client. The rotations that arrive are compared with those of the formula that moves the
// body (slimevr.mjs), which shares nothing with the daemon's solver.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { after, describe } from 'node:test';
import { angle, BONES, HEADLESS, META, Mock, newest, scratch, subscribe, under } from './mock.mjs';
import { KNOWN, move, SECONDS, solarxr, STRAIGHT, turned } from './slimevr.mjs';
import { isHeld } from '../e2e/support/steady.mjs';
import { until } from '../e2e/support/until.mjs';

/** Frames of the motion. */
const HZ = 60;
const TIMES = Array.from({ length: SECONDS * HZ }, (_, i) => i / HZ);
const INPUT = TIMES.map((t) => move(t));
/** Seconds by which a sample and its frame may differ: the mock plays the frame nearest in time. */
const NEAR = 1.5 / HZ;
const SAMPLES_LEAST = 100;
/** Seconds without a sample, as on a busy machine, that the daemon bridges, and how long. */
const GAP = 0.2;
const BRIDGED = 0.3;
/** Degrees: mean and 99th percentile. */
const GOAL = { mean: 1, most: 2 };
const GOAL_OF_FEET = { mean: 2, most: 4 };

const ROWS = [
	{ name: 'trackers', source: 'openxr:' },
	{ name: 'trackers, profile slimevr', source: 'openxr:?profile=slimevr' },
	{ name: 'controllers', source: 'openxr:', feed: { controllers: true } },
	{ name: 'controllers, profile slimevr', source: 'openxr:?profile=slimevr',
		feed: { controllers: true } },
	{ name: 'controllers, no trackers on the arms', source: 'openxr:',
		feed: { controllers: true, bare: true } },
	{ name: 'other proportions', source: 'openxr:', feed: { size: STRAIGHT } },
	{ name: 'other proportions, profile slimevr, controllers, upper arms follow',
		source: 'openxr:?profile=slimevr', feed: { size: STRAIGHT, controllers: true, driven: true } },
];

/** Bones that nothing tracks without trackers on the arms; the hands are right in the world. */
const UNKNOWN = /Shoulder|UpperArm|LowerArm/;

/** Degrees that each known bone of a sample is off against its parent, a hand in the world. */
function errors({ rotations }, wanted) {
	const pose = Object.fromEntries(KNOWN.map((bone) => {
		const at = 4 * BONES.indexOf(bone);
		return [bone, [...rotations.subarray(at, at + 4)]];
	}));
	return KNOWN.map((bone) => (/Hand/.test(bone)
		? angle(turned(wanted, bone), turned(pose, bone)) : angle(wanted[bone], pose[bone])));
}
const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);

/** The poses that the client receives while the motion plays once; a repeated pose is none. */
async function collect(mock, client) {
	const samples = [];
	client.on('bundle', () => {
		const { timeline } = client.body;
		const slot = newest(client);
		const { rotations } = slot;
		if (isHeld(slot) && samples.length)
			samples.at(-1).isHeld = true;
		else if (!samples.length || rotations.some((x, i) => x !== samples.at(-1).rotations[i]))
			samples.push({ time: timeline.newest / 1e6, rotations: rotations.slice() });
	});
	const { now: begun } = await mock.tell('run');
	samples.length = 0; // those of the held moment
	await until('the motion has played', async () =>
		(await mock.ask()).now - begun > (SECONDS - 0.3) * 1e9, 4000 * SECONDS);
	return samples.slice();
}

/** The samples that follow others closely: after a gap, or a pose that it held, the daemon blends poses on purpose. */
function closeOnes(samples) {
	let gap = -Infinity;
	return samples.filter(({ time }, i) => {
		gap = i > 0 && (samples[i - 1].isHeld || time - samples[i - 1].time > GAP) ? time : gap;
		return time - gap > BRIDGED;
	});
}

/** The input's frame of a sample: the best of those near its time. */
function frameOf(sample, start) {
	let best = null;
	for (const [i, t] of TIMES.entries()) {
		if (Math.abs(sample.time - start - t) > NEAR)
			continue;
		const off = errors(sample, INPUT[i]);
		if (!best || sum(off) < sum(best))
			best = off;
	}
	return best;
}

/** When the motion began in the client's time: where samples, spread over it, fit best. */
function findStart(samples) {
	const some = samples.filter((_, i) => i % Math.ceil(samples.length / 24) === 0);
	let best = { off: Infinity };
	for (let start = samples[0].time - 5; start < samples[0].time + 1; start += 0.5 / HZ) {
		const off = some.flatMap((sample) => {
			const wanted = INPUT[Math.round((sample.time - start) * HZ)];
			return wanted ? sum(errors(sample, wanted)) : [];
		});
		if (off.length > 0.8 * some.length && sum(off) / off.length < best.off)
			best = { off: sum(off) / off.length, start };
	}
	return best.start;
}

function summary(samples) {
	const sorted = [...samples].sort((a, b) => a - b);
	return { mean: sorted.reduce((sum, x) => sum + x, 0) / sorted.length,
		most: sorted[Math.min(Math.ceil(0.99 * sorted.length) - 1, sorted.length - 1)] };
}

const table = {};

describe('SlimeVR', { concurrency: 4 }, () => {
	for (const { name, source, feed = {} } of ROWS) {
		test(`${name}: each bone is the input's`, async (t) => {
			const file = path.join(scratch(t), 'slimevr.jsonl');
			writeFileSync(file, `${solarxr(move, TIMES, feed).join('\n')}\n`);
			const mock = await Mock.begin(t, `offer ${HEADLESS} ${META}`, `solarxr ${file}`, 'hold 0');
			const daemon = await under(t, mock, { source });
			const client = await subscribe(t, daemon);
			await daemon.is('live', /bones of SlimeVR/);
			const samples = closeOnes(await collect(mock, client));
			const start = findStart(samples);
			const off = samples.map((sample) => frameOf(sample, start)).filter((x) => x);
			assert.ok(off.length >= SAMPLES_LEAST, `${off.length} samples only`);
			table[name] = KNOWN.map((_, i) => summary(off.map((errors) => errors[i])));
			for (const [i, bone] of KNOWN.entries()) {
				const goal = /Foot/.test(bone) ? GOAL_OF_FEET : GOAL;
				const { mean, most } = table[name][i];
				if (feed.bare && UNKNOWN.test(bone))
					continue;
				assert.ok(mean <= goal.mean && most <= goal.most, `${bone}: mean ${mean.toFixed(2)}, `
					+ `99 % ${most.toFixed(2)} degrees`);
			}
		});
	}
});

after(() => {
	const names = ROWS.map(({ name }) => name).filter((name) => table[name]);
	console.log(['degrees, mean / 99 %:', ...names.map((name, i) => `${i + 1}: ${name}`),
		...KNOWN.map((bone, i) => bone.padEnd(14) + names.map((name) => {
			const { mean, most } = table[name][i];
			return `${mean.toFixed(2)} / ${most.toFixed(2)}`.padStart(16);
		}).join('')), ''].join('\n'));
});
