// Virtual transforms that a subscriber chooses by index and tag, against positions that the
// descriptor determines: most respect nothing of their parent and stand still in model space.
// Virtual transforms on nodes that the animation of a file moves.
//
// usage: daemon_virtual.mjs JOINTCASTD JOINTCAST
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { after } from 'node:test';
import WebSocket from 'ws';
import { connect } from '../../clients/js/index.js';
import { Client } from './support/client.mjs';
import { start } from './support/daemon.mjs';
import { TABLE } from './support/fixtures.mjs';
import { until } from './support/until.mjs';

const daemon = await start('--source', 'demo:wave', '--source', 'demo:walk?space=free');
after(async () => assert.equal(await daemon.stop(), 0));

// 40 virtual transforms: number i stands at [i / 10, 0, 0].
const COUNT = 40;
const TAGS = { 3: ['seating'], 20: ['ui', 'seating'], 33: ['weapon_socket'], 39: ['ui'] };
const free = { respectParentPosition: false, respectParentRotation: false, respectParentScale: false };
const DESCRIPTOR = {
	nodes: [{ name: 'h', translation: [0, 1, 0] }, { name: 's', parent: 0, translation: [0, 0.25, 0] }],
	bones: { hips: 0, spine: 1 },
	virtualTransforms: Array.from({ length: COUNT }, (_, i) => ({ name: `v${i}`, parent: 1,
		translation: [i / 10, 0, 0], ...free, tags: TAGS[i] ?? [] })),
};

async function open(t, options) {
	const client = connect(daemon.url, { WebSocket, ...options });
	t.after(() => client.close());
	client.on('error', (error) => assert.fail(error));
	await until('a roster', () => client.state === 'live');
	return client;
}

/** The virtual transforms of the newest packet: their numbers by position, and as the library names them. */
function shown(client) {
	const [body] = client.bodies.values();
	const sample = body.timeline.at(body.timeline.newest);
	if (!sample)
		return null;
	const byPlace = Array.from({ length: sample.virtualCount }, (_, i) => Math.round(sample.virtualPositions[3 * i] * 10));
	// Names and packets never disagree.
	assert.deepEqual(sample.virtualIndices.slice(0, sample.virtualCount), byPlace);
	return byPlace;
}

async function shows(client, expected) {
	await until(`${expected}`, () => {
		const list = shown(client);
		return list && list.join() === expected.join();
	});
}

test('sends the first fifteen unless others are chosen by index or tag', async (t) => {
	const client = await open(t, {});
	const { hash, lint } = await client.registerSkeleton('forty', DESCRIPTOR);
	assert.deepEqual(lint.filter(({ code }) => code.startsWith('virtual')).map(({ severity, code }) => [severity, code]),
		[['warning', 'virtual-transforms-many']]);
	const first = Array.from({ length: 15 }, (_, i) => i);
	client.subscribe({ skeleton: hash, sections: ['body', 'hips', 'virtual'] });
	await shows(client, first);
	client.on('bundle', () => shown(client)); // at each change, the names change with the packets
	for (const [virtual, expected] of [
		[[39, 2, 38], [2, 38, 39]],
		[['seating'], [3, 20]],
		[['ui', 33, 20, 255], [20, 33, 39]],
		[Array.from({ length: 15 }, (_, i) => 39 - i), Array.from({ length: 15 }, (_, i) => 25 + i)],
		[['none of them'], []],
		[undefined, first]]) {
		client.subscribe({ virtual });
		await shows(client, expected);
	}
	// Slower streams change their choice too, and not between two packets of a list.
	for (const virtual of [[1], [2, 3], ['ui'], [4]]) {
		client.subscribe({ virtual, rate: 4 });
		await shows(client, virtual[0] === 'ui' ? [20, 39] : virtual);
	}
});

test('a remote virtual transform does not keep the body back', async (t) => {
	const client = await open(t, {});
	const { hash } = await client.registerSkeleton('remote', { ...DESCRIPTOR,
		virtualTransforms: [{ name: 'remote', parent: 1, translation: [9e5, -9e5, 0.5], ...free }] });
	for (const [precision, most] of [['fine', 4000], ['standard', 8000], ['coarse', 32000]]) {
		client.subscribe({ skeleton: hash, virtual: [0], precision });
		await until(`the border at ${precision}`, () => {
			const [{ timeline }] = client.bodies.values();
			const sample = timeline.at(timeline.newest);
			const [x, y, z] = sample?.virtualCount === 1 ? sample.virtualPositions : [];
			return Math.abs(x / most - 0.999) < 1e-5 && Math.abs(y / most + 0.999) < 1e-5 && Math.abs(z - 0.5) < 0.005;
		});
	}
});

test('a choice requests the section, and is reported in ascending order', async () => {
	const line = await Client.greeted(daemon, { codings: [2] }, { type: 'join', space: 'lobby' },
		{ type: 'subscribe', space: 'lobby', virtual: ['seating', 17, 4, 'ui'] });
	assert.deepEqual(await line.find('subscribed'),
		{ type: 'subscribed', space: 'lobby', precision: 'standard', contacts: true, virtual: [4, 17, 'seating', 'ui'] });
	line.send({ type: 'subscribe', space: 'lobby' });
	await line.settled();
	assert.deepEqual(line.all('subscribed').at(-1), { type: 'subscribed', space: 'lobby', precision: 'standard', contacts: true });
	line.send({ type: 'subscribe', space: 'lobby' });
	await line.settled();
	assert.equal(line.all('subscribed').length, 2);
	line.end();
});

test('wrong choices are refused', async () => {
	const line = await Client.greeted(daemon, { codings: [2] }, { type: 'join', space: 'lobby' });
	const wrong = [[], [-1], [256], [1.5], [null], [''], ['x'.repeat(256)], ['x'.repeat(128), 'y'.repeat(127)],
		Array(16).fill(0), 'seating', { 0: 1 }];
	for (const virtual of wrong)
		line.send({ type: 'subscribe', space: 'lobby', virtual });
	await line.settled();
	assert.deepEqual(line.errors(), Array(wrong.length).fill('bad-field'));
	line.send({ type: 'subscribe', space: 'lobby', virtual: ['x'.repeat(127), 'y'.repeat(127)] });
	await line.find('subscribed');
	line.end();
});

// A figure of the body bones in a T-pose with a lid on the head: the animation of the file opens the
// lid by 90 degrees about X and lifts it by 0.2 in one second, while the left arm sinks.
function makeAnimated() {
	const bones = TABLE.filter(({ section }) => section === 'body');
	const nodes = bones.map(({ name, parent, rest }, i) => {
		const above = bones.findIndex((bone) => bone.name === parent);
		const from = above < 0 ? [0, 0, 0] : bones[above].rest;
		return { name, translation: rest.map((x, k) => x - from[k]), children: bones.flatMap((bone, j) => (bone.parent === name ? [j] : [])) };
	});
	const head = bones.findIndex(({ name }) => name === 'head');
	const arm = bones.findIndex(({ name }) => name === 'leftUpperArm');
	nodes[head].children.push(nodes.length);
	nodes.push({ name: 'lid', translation: [0, 0.2, 0] });
	const half = Math.SQRT1_2;
	const numbers = Float32Array.from([0, 1, 0, 0, 0, 1, half, 0, 0, half, 0, 0.2, 0, 0, 0.4, 0, 0, 0, 0, 1, 0, 0, -half, half]);
	const accessor = (byteOffset, count, type) => ({ bufferView: 0, byteOffset, componentType: 5126, count, type, ...(type === 'SCALAR' && { min: [0], max: [1] }) });
	return JSON.stringify({ asset: { version: '2.0' }, scenes: [{ nodes: [0] }], nodes,
		buffers: [{ byteLength: numbers.byteLength, uri: `data:application/octet-stream;base64,${Buffer.from(numbers.buffer).toString('base64')}` }],
		bufferViews: [{ buffer: 0, byteLength: numbers.byteLength }],
		accessors: [accessor(0, 2, 'SCALAR'), accessor(8, 2, 'VEC4'), accessor(40, 2, 'VEC3'), accessor(64, 2, 'VEC4')],
		animations: [{ samplers: [1, 2, 3].map((output) => ({ input: 0, output })), channels: [
			{ sampler: 0, target: { node: nodes.length - 1, path: 'rotation' } },
			{ sampler: 1, target: { node: nodes.length - 1, path: 'translation' } },
			{ sampler: 2, target: { node: arm, path: 'rotation' } }] }],
		extensionsUsed: ['VRMC_vrm', 'KHR_virtual_transform'],
		extensions: { VRMC_vrm: { specVersion: '1.0', humanoid: { humanBones: Object.fromEntries(bones.map(({ name }, node) => [name, { node }])) } },
			KHR_virtual_transform: { virtualTransforms: [{ name: 'hinge', parent: nodes.length - 1, translation: [0, 0, 0.1], tags: ['lid'] },
				{ name: 'crown', parent: head, translation: [0, 0.2, 0], tags: ['lid'] }] } } });
}

const folder = mkdtempSync(path.join(tmpdir(), 'jointcast-virtual-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const animated = path.join(folder, 'animated.gltf');
writeFileSync(animated, makeAnimated());

/** Where the hinge is from the crown after a part of the second, by hand. */
const hinge = (part) => [0, 0.2 * part - 0.1 * Math.sin(part * Math.PI / 2), 0.1 * Math.cos(part * Math.PI / 2)];
const near = (a, b, within) => a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) < within, `${a}, not ${b}`));
const sub = (a, b) => Array.from(a, (x, i) => x - b[i]);

test('a virtual transform on an animated node that is no bone follows it in the tool', () => {
	const tool = (motion) => JSON.parse(execFileSync(process.argv[3],
		['retarget', motion, animated, '--times', '0,0.25,0.5,1', '--json'], { encoding: 'utf8' })).frames;
	const places = (frames) => frames.map(({ virtualTransforms: [lid, crown] }) => sub(lid.translation, crown.translation));
	for (const [i, place] of places(tool(animated)).entries())
		near(place, hinge([0, 0.25, 0.5, 1][i]), 1e-5);
	// The motion of another figure leaves the lid closed.
	for (const place of places(tool('demo:wave')))
		near([Math.hypot(...place)], [0.1], 1e-5);
});

test('a virtual transform on an animated node follows it in the packets of the daemon', async (t) => {
	const lively = await start('--source', `file:${animated}?loop`, '--skeleton', animated);
	t.after(async () => assert.equal(await lively.stop(), 0));
	const client = connect(lively.url, { WebSocket, virtual: ['lid'], precision: 'fine' });
	t.after(() => client.close());
	client.on('error', (error) => assert.fail(error));
	const parts = new Set();
	client.on('bundle', () => {
		const [body] = client.bodies.values();
		const sample = body?.timeline.at(body.timeline.newest);
		if (sample?.virtualCount !== 2)
			return;
		const at = sub(sample.virtualPositions.subarray(0, 3), sample.virtualPositions.subarray(3, 6));
		// The head stands still: the place of the hinge tells the time.
		const part = Math.acos(Math.min(1, Math.max(-1, at[2] / 0.1))) / (Math.PI / 2);
		if (part > 0.2 && part < 0.9) {
			near(at, hinge(part), 0.005);
			parts.add(Math.round(part * 4));
		}
	});
	await until('three moments of the motion', () => parts.size >= 3);
});
