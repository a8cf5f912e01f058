// The accuracy from the pose that a publisher encodes to the pose that clients decode, at each
// precision and with coding 1: within the table of proto/SMALL-PACKETS.md.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import WebSocket from 'ws';
import { BONES, PRECISION_DEGREES, PRECISION_METRES, PoseFrame, TRACKED, connect } from '../../../clients/js/index.js';
import { startDaemon } from '../support/daemon.mjs';
import { angle } from '../support/retargeted.mjs';
import { until } from '../support/until.mjs';

const CAPTURE = { degrees: 0.0046, hips: 0.00005 }; // hips in units of their height
const CODING_1 = { degrees: 0.0086, metres: 0.0005 };
const POSES = 60;
const ROUNDING = 2e-5; // degrees, of the single precision of both sides

const protocol = readFileSync(new URL('../../../proto/SMALL-PACKETS.md', import.meta.url), 'utf8');
const [, ...documented] = /### Accuracy[^]*?\n\| a rotation is off by at most \| ([\d.]+)° \| ([\d.]+)° \| ([\d.]+)° \| ([\d.]+)° \|/.exec(protocol).map(Number);

/** Pose i: all bones turned about axes of their own, by up to 120 degrees, a little more in each. */
function makePose(i) {
	const pose = new PoseFrame();
	pose.states.fill(TRACKED);
	BONES.forEach((_, bone) => {
		const axis = [Math.sin(bone + 1), Math.cos(2 * bone), Math.sin(3 * bone + 1)];
		const half = Math.sin(0.037 * i + bone) * Math.PI / 3;
		const scale = Math.sin(half) / Math.hypot(...axis);
		pose.rotations.set([...axis.map((x) => x * scale), Math.cos(half)], 4 * bone);
	});
	pose.hips.set([0.1 * Math.sin(i / 7), 0.05 * Math.cos(i / 5), 0.1 * Math.cos(i / 9)]);
	return pose;
}

test('a published pose arrives within the sum of the bounds of its capture and of its precision', async (t) => {
	const daemon = await startDaemon(t);
	const sent = new Map(); // by capture time
	const views = [{ codings: [1] }, ...['fine', 'standard', 'coarse'].map((precision) => ({ precision }))].map((options, i) => {
		const client = connect(daemon.url, { WebSocket, ...options });
		t.after(() => client.close());
		const view = { client, limit: documented[i], worst: 0, off: 0, count: 0,
			metres: i === 0 ? CODING_1.metres : PRECISION_METRES[i - 1] };
		client.on('bundle', () => {
			for (const { timeline, skeleton } of client.bodies.values()) {
				const time = timeline.newest;
				const source = [...sent].find(([at]) => Math.abs(at - time) <= 100)?.[1]; // ages are in units of 100 µs
				if (!source || source === view.last)
					continue;
				view.last = source;
				view.height = skeleton.descriptor.hipsHeight;
				view.count++;
				const { rotations, hips } = timeline.at(time);
				view.off = Math.max(view.off, ...hips.map((x, c) => Math.abs(x - source.hips[c] * view.height)));
				BONES.forEach((_, bone) => {
					view.worst = Math.max(view.worst, angle(Array.from(source.rotations.subarray(4 * bone, 4 * bone + 4)), rotations, 4 * bone));
				});
			}
		});
		return view;
	});
	const publisher = connect(daemon.url, { WebSocket });
	t.after(() => publisher.close());
	const publication = publisher.publish({ name: 'Ada', kind: 'poses' });
	await until('a publication and a clock', () => publication.state === 'open' && publisher.clock.synchronized &&
		views.every(({ client }) => client.state === 'live' && client.bodies.size === 1));
	let i = 0;
	await until('poses', () => {
		const pose = makePose(i++);
		pose.time = Math.round(publisher.clock.at(publisher.now()));
		sent.set(pose.time, pose);
		publication.send(pose);
		return views.every(({ count }) => count >= POSES);
	});
	for (const [k, { worst, limit, off, metres, height }] of views.entries()) {
		assert.ok(off <= metres + CAPTURE.hips * height + 1e-6, `${off} m, not ${metres}`);
		assert.ok(worst <= limit + ROUNDING, `${worst} degrees, not ${limit}`);
		assert.ok(worst > 0.3 * limit, `only ${worst} degrees of ${limit}`);
		const bound = k === 0 ? CODING_1.degrees : PRECISION_DEGREES[k - 1];
		assert.ok(Math.abs(limit - bound - CAPTURE.degrees) < 1e-9, 'the table has the sums');
	}
});
