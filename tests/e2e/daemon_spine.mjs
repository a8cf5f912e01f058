// A live H-Anim figure bends at each vertebra as `jointcast retarget` bends it: a figure of 24
// vertebrae, uploaded as X3D, receives a body that stands still in a bent pose.
//
// usage: daemon_spine.mjs JOINTCASTD JOINTCAST
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { after } from 'node:test';
import WebSocket from 'ws';
import { BONES, Figure, connect } from '../../clients/js/index.js';
import { start } from './support/daemon.mjs';
import { makeBvh } from './support/fixtures.mjs';
import { angle } from './support/retargeted.mjs';
import { until } from './support/until.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'jointcast-spine-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = (name, text) => {
	writeFileSync(path.join(folder, name), text);
	return path.join(folder, name);
};

// One frame of a motion, twice.
const lines = makeBvh({ frames: 40 }).trim().split('\n');
const first = lines.findIndex((line) => line.startsWith('Frame Time')) + 1;
const motion = file('still.bvh', [...lines.slice(0, first - 2), 'Frames: 2', lines[first - 1], lines[first + 9], lines[first + 9], ''].join('\n'));

const VERTEBRAE = ['vl5', 'vl4', 'vl3', 'vl2', 'vl1',
	...Array.from({ length: 12 }, (_, i) => `vt${12 - i}`), ...Array.from({ length: 7 }, (_, i) => `vc${7 - i}`)];

/** X3D Classic: vertebrae at unequal distances, a joint of the author's above, arms at vt2, legs. */
function makeFigure() {
	const joint = (name, [x, y, z], children = '') => `HAnimJoint { name "${name}" center ${x} ${y} ${z} children [ ${children} ] }\n`;
	const arm = (side, x, y) => joint(`${side}_shoulder`, [0.2 * x, y, 0], joint(`${side}_elbow`, [0.5 * x, y, 0],
		joint(`${side}_wrist`, [0.75 * x, y, 0])));
	const leg = (side, x) => joint(`${side}_hip`, [0.1 * x, 0.9, 0], joint(`${side}_knee`, [0.1 * x, 0.5, 0],
		joint(`${side}_ankle`, [0.1 * x, 0.1, 0])));
	const heights = VERTEBRAE.map((_, i) => 1 + 0.025 * i + 0.008 * (i % 3));
	const spine = VERTEBRAE.reduceRight((above, name, i) => joint(name, [0, heights[i], 0.01 * (i % 2)],
		above + (name === 'vt2' ? arm('l', 1, heights[i]) + arm('r', -1, heights[i]) : '')), joint('skullbase', [0, 1.63, 0]));
	return `#X3D V4.0 utf8\nPROFILE Immersive\nHAnimHumanoid { version "2.0" skeleton [\n${
		joint('humanoid_root', [0, 0.95, 0], leg('l', 1) + leg('r', -1) + spine)}] }\n`;
}

const skeleton = file('figure.x3dv', makeFigure());
const daemon = await start('--source', `file:${motion}?loop`);
after(async () => assert.equal(await daemon.stop(), 0));

test('vertebrae, bones and virtual transforms of a live figure are where the tool puts them', async (t) => {
	const { frames: [offline], skeleton: { bones } } = JSON.parse(execFileSync(process.argv[3],
		['retarget', motion, skeleton, '--times', '0', '--json'], { maxBuffer: 1 << 26 }));
	const answer = await fetch(`http://127.0.0.1:${daemon.port}/skeletons/figure`, { method: 'PUT', body: makeFigure() });
	assert.equal(answer.status, 201);
	const descriptor = await (await fetch(`http://127.0.0.1:${daemon.port}/skeletons/figure`)).json();
	// The same figure with a point on its head and one on a vertebra, far from their joints.
	const node = (name) => descriptor.nodes.findIndex((each) => each.name === name);
	descriptor.virtualTransforms = ['skullbase', 'vt9'].map((name) => ({ name, parent: node(name), translation: [0, 0, 0.4], tags: ['gaze'] }));

	const client = connect(daemon.url, { WebSocket, precision: 'local' });
	t.after(() => client.close());
	client.on('error', (error) => assert.fail(error));
	await until('a roster', () => client.state === 'live');
	const { hash } = await client.registerSkeleton('points', descriptor);
	client.subscribe({ skeleton: hash, virtual: ['gaze'], contacts: false });
	const [body] = client.bodies.values();
	const newest = () => body.timeline.at(body.timeline.newest);
	await until('the points', () => newest()?.virtualCount === 2);
	const sample = newest();
	const figure = new Figure(body.skeleton);
	figure.pose(sample);

	let moved = 0;
	for (const { name, rotation } of Object.values(offline.nodes)) {
		const at = 4 * body.skeleton.findNode(name);
		const off = angle(rotation, figure.rotations, at);
		assert.ok(off < 0.07, `${name} is ${off} degrees off`); // precision local: 0.06
		moved += VERTEBRAE.includes(name);
	}
	assert.equal(moved, VERTEBRAE.length - 1, 'all vertebrae but vt1, which is above the arms');
	for (const [bone, { worldPosition }] of Object.entries(offline.bones)) {
		const at = figure.position(body.skeleton.bones[BONES.indexOf(bone)], []);
		const off = Math.hypot(...at.map((x, i) => x - worldPosition[i]));
		assert.ok(off < 0.004, `${bone} is ${off} m off`);
	}
	assert.ok(bones.head && bones.upperChest);
	// The server evaluates the points on its own bent spine, the client on the one that it received.
	for (let i = 0; i < 2; i++) {
		const mine = figure.virtualTransform(i);
		const off = Math.hypot(...mine.translation.map((x, k) => x - sample.virtualPositions[3 * i + k]));
		assert.ok(off < 0.004, `point ${i} is ${off} m off`);
		const turn = angle(Array.from(mine.rotation), sample.virtualRotations, 4 * i);
		assert.ok(turn < 0.5, `point ${i} is ${turn} degrees off`);
	}
});

test('packets of coding 1 have the whole rotation of a spine bone, as the tool reports', async (t) => {
	const { frames: [{ bones }] } = JSON.parse(execFileSync(process.argv[3],
		['retarget', motion, skeleton, '--times', '0', '--json'], { maxBuffer: 1 << 26 }));
	const client = connect(daemon.url, { WebSocket, codings: [1] });
	t.after(() => client.close());
	await until('a roster', () => client.state === 'live');
	const { hash } = await client.registerSkeleton('figure', await (await fetch(`http://127.0.0.1:${daemon.port}/skeletons/figure`)).json());
	client.subscribe({ skeleton: hash, contacts: false });
	const [body] = client.bodies.values();
	await until('a pose on the figure', () => body.skeleton?.hash === hash && body.timeline.at(body.timeline.newest));
	const { rotations } = body.timeline.at(body.timeline.newest);
	for (const [bone, { relative, packet }] of Object.entries(bones)) {
		const off = angle(packet ?? relative, rotations, 4 * BONES.indexOf(bone));
		assert.ok(off < 0.01, `${bone} is ${off} degrees off`); // coding 1: 0.0086
	}
	const divided = Object.keys(bones).filter((bone) => bones[bone].packet);
	assert.deepEqual(divided.sort(), ['chest', 'neck', 'spine', 'upperChest']);
});
