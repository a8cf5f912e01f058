// The checks of levels Playback, Views and Skeletons that show from outside.

import { BODY, ROSTER, Scene, hipsAt, requirePosition } from '../scene.mjs';
import { require } from '../session.mjs';

const PING_MS = 15000; // "every few seconds"

const clock = { id: 'play-clock', level: 'Playback', command: 'watch', async run(session) {
	const scene = new Scene(session);
	await session.start();
	await scene.open();
	await session.until(`two 'ping' in ${PING_MS / 1000} s`, () => session.received('ping')[1], PING_MS);
	session.requireConnected();
} };

const TALL = { type: 'skeleton', hash: 'b'.repeat(64), descriptor: { name: 'tall', nodes: [{ name: 'pelvis', translation: [0, 1.46, 0] }], bones: { hips: 0 } } };
const worn = { id: 'view-worn', level: 'Views', command: 'watch', async run(session) {
	const scene = new Scene(session);
	await session.start();
	await scene.open();
	await scene.requireShown();
	scene.send(TALL);
	scene.send({ type: 'worn', space: 'lobby', bodies: [{ id: BODY.id, skeleton: TALL.hash }] });
	const hips = [0, 0.1, 0];
	const time = scene.show({ hips });
	const [x, y, z] = hipsAt(BODY.placement, hips);
	requirePosition(await session.frame(BODY.id, time), [x, y + 0.5, z]);
	session.requireConnected();
} };

// A spine of four vertebrae with segments of 0.1, 0.2 and 0.2 m, and a chest that is the last of them.
const SPINE = { type: 'skeleton', hash: 'c'.repeat(64), descriptor: { name: 'vertebrae', format: 'h-anim',
	nodes: [{ name: 'sacroiliac', translation: [0, 1, 0] }, { name: 'vl5', parent: 0, translation: [0, 0.1, 0] },
		{ name: 'vl4', parent: 1, translation: [0, 0.1, 0] }, { name: 'vl3', parent: 2, translation: [0, 0.2, 0] },
		{ name: 'vl1', parent: 3, translation: [0, 0.2, 0] }],
	bones: { hips: 0, spine: 1, chest: 4 } } };
const BOW = 50 * Math.PI / 180;
const spine = { id: 'skeleton-spine', level: 'Skeletons', command: 'watch', async run(session) {
	const scene = new Scene(session);
	const placement = { position: [0, 0, 0], yaw: 0 };
	await session.start();
	await scene.open({ roster: { ...ROSTER, bodies: [{ ...BODY, placement, skeleton: SPINE.hash }] }, skeleton: SPINE });
	const time = scene.show({ rotations: { spine: [Math.sin(BOW / 2), 0, 0, Math.cos(BOW / 2)] } });
	const line = await session.frame(BODY.id, time);
	// The vertebrae bend by 10, 20 and 20 degrees.
	const bends = [[0.1, 10], [0.2, 30], [0.2, 50]].map(([length, degrees]) => [length, degrees * Math.PI / 180]);
	const chest = bends.reduce(([, y, z], [length, angle]) => [0, y + length * Math.cos(angle), z + length * Math.sin(angle)], [0, 1.1, 0]);
	requirePosition(line, chest, 'chest');
	require(line.bones.spine, "expected the bone 'spine'");
	session.requireConnected();
} };

export const OTHERS = [clock, worn, spine];
