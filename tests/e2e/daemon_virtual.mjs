// Virtual transforms that a subscriber chooses by index and tag, against positions that the
// descriptor determines: most respect nothing of their parent and stand still in model space.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import WebSocket from 'ws';
import { connect } from '../../clients/js/index.js';
import { Client } from './support/client.mjs';
import { start } from './support/daemon.mjs';
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

test('the first fifteen come unless others are chosen, by index and by tag', async (t) => {
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

test('a choice requests the section, and is reported in ascending order', async () => {
	const line = await Client.greeted(daemon, { codings: [2] }, { type: 'join', space: 'lobby' },
		{ type: 'subscribe', space: 'lobby', virtual: ['seating', 17, 4, 'ui'] });
	assert.deepEqual(await line.find('subscribed'),
		{ type: 'subscribed', space: 'lobby', precision: 'standard', virtual: [4, 17, 'seating', 'ui'] });
	line.send({ type: 'subscribe', space: 'lobby' });
	await line.settled();
	assert.deepEqual(line.all('subscribed').at(-1), { type: 'subscribed', space: 'lobby', precision: 'standard' });
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
