// Publishing through npm's ws, with captures assembled byte by byte from proto/PUBLISHING.md,
// "Captures": that text suffices to publish.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import WebSocket from 'ws';
import { Client } from './support/client.mjs';
import { start } from './support/daemon.mjs';
import { sleep } from './support/until.mjs';

const daemon = await start();
after(async () => assert.equal(await daemon.stop(), 0));

class Publisher extends Client {
	static enter(...messages) {
		return Publisher.greeted(daemon, {}, ...messages);
	}

	async publish(publication, name, more = {}) {
		const before = this.messages.length;
		this.send({ type: 'publish', space: 'lobby', publication, name, kind: 'poses', ...more });
		return (await this.until('published', () => this.messages.slice(before).find(({ type }) => type === 'published'))).body;
	}

	/** The roster from its messages. */
	roster() {
		const bodies = new Map();
		for (const { type, ...roster } of this.messages) {
			if (type !== 'roster')
				continue;
			if (roster.bodies)
				bodies.clear();
			[...roster.bodies ?? [], ...roster.joined ?? [], ...roster.changed ?? []].forEach((body) => bodies.set(body.id, body));
			roster.left?.forEach((id) => bodies.delete(id));
		}
		return bodies;
	}
}

const watcher = () => Publisher.enter({ type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' });

// ---- captures, bit by bit ------------------------------------------------------

/** Fields [value, width], least significant bit first. */
function pack(...fields) {
	const bits = fields.flatMap(([value, width]) =>
		Array.from({ length: width }, (_, i) => Math.floor((value < 0 ? value + 2 ** width : value) / 2 ** i) & 1));
	return Array.from({ length: Math.ceil(bits.length / 8) },
		(_, i) => bits.slice(8 * i, 8 * i + 8).reduce((byte, bit, k) => byte | (bit << k), 0));
}

const little = (value, count) => Array.from({ length: count }, (_, i) => Math.floor(value / 256 ** i) % 256);
const message = (publication, capture) => Buffer.from([0x21, publication, ...capture]);

/** Bone 5, the head, turned by an angle about +Y; hips unmoved. */
function nod(time, angle, { flags = 0, values = [] } = {}) {
	const y = Math.round(Math.sin(angle / 2) * Math.SQRT2 * 32767) + 32768;
	return [0x41, flags, ...little(time, 6), 1 << 5, 0, 0, 0, 0, 0, 0, ...little(values.length, 2),
		...pack([0, 5], [1, 1], [32768, 16], [y, 16], [32768, 16], [3, 2],
			...values.flatMap((value) => [[1, 1], [value, 16]]))];
}

/** Joint 6, the head, at a place in tenths of a millimetre, unturned. */
const headAt = (time, [x, y, z], flags = 0) => [0x31, flags, ...little(time, 6), 255, 1 << 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	...pack([16, 5], [x, 16], [y, 16], [z, 16], [32768, 16], [32768, 16], [32768, 16], [3, 2])];

/** Sends a capture made now, thirty times a second, until the answer is yes. */
async function keepSending(client, publication, capture, until) {
	for (let i = 0; i < 300; i++) {
		client.ws.send(message(publication, capture(client.now())));
		if (until())
			return;
		await sleep(33);
	}
	throw new Error('sent in vain');
}

test('a body enters with published, is live with captures, and leaves with unpublish', async () => {
	const eye = await watcher();
	const hand = await Publisher.enter();
	const id = await hand.publish(3, 'Ada');
	const state = () => eye.roster().get(id)?.state;
	await eye.until('the body', () => eye.roster().has(id));
	assert.equal(eye.roster().get(id).name, 'Ada');
	assert.equal(state(), 'stale');
	await keepSending(hand, 3, (time) => nod(time, 0.5), () => state() === 'live');
	await eye.until('silence', () => state() === 'stale');
	await keepSending(hand, 3, (time) => nod(time, 0.5), () => state() === 'live');
	hand.send({ type: 'unpublish', publication: 3 });
	await hand.find('unpublished', ({ publication }) => publication === 3);
	await eye.until('that it left', () => !eye.roster().has(id));
	assert.deepEqual(hand.errors(), []);
	assert.notEqual(await hand.publish(3, 'Ada again'), id);
	hand.ws.close();
	eye.ws.close();
});

test('publishing needs hello, but neither join nor subscribe', async () => {
	const ws = new WebSocket(daemon.url, 'jointcast.v1');
	const answers = [];
	ws.on('message', (data) => answers.push(JSON.parse(data)));
	await new Promise((resolve) => ws.on('open', resolve));
	ws.send(JSON.stringify({ type: 'publish', space: 'lobby', publication: 0, name: 'x', kind: 'poses' }));
	ws.send(message(0, nod(1, 0)));
	for (let i = 0; answers.length < 2 && i < 500; i++)
		await sleep(10);
	assert.deepEqual(answers.map(({ code }) => code), ['no-hello', 'no-hello']);
	ws.close();
});

test('the end of a connection removes only its bodies and frees their spots', async () => {
	const eye = await watcher();
	const [first, second] = [await Publisher.enter(), await Publisher.enter()];
	const a = await first.publish(0, 'a');
	const b = await first.publish(1, 'b');
	const c = await second.publish(0, 'c');
	await eye.until('three bodies', () => [a, b, c].every((id) => eye.roster().has(id)));
	const spots = new Set([a, b].map((id) => JSON.stringify(eye.roster().get(id).placement)));
	first.ws.terminate();
	await eye.until('two to leave', () => !eye.roster().has(a) && !eye.roster().has(b));
	assert.ok(eye.roster().has(c));
	const d = await second.publish(1, 'd');
	await eye.until('a fourth', () => eye.roster().has(d));
	assert.ok(d > c, 'an id was used again');
	assert.ok(spots.has(JSON.stringify(eye.roster().get(d).placement)), 'it stands on a spot that was left');
	second.ws.close();
	await eye.until('all to leave', () => !eye.roster().has(c) && !eye.roster().has(d));
	eye.ws.close();
});

test('streams keep their bodies when an earlier body leaves', async () => {
	const eye = await Publisher.enter({ type: 'hello', codings: [2, 1] }, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' });
	const [first, second] = [await Publisher.enter(), await Publisher.enter()];
	const a = await first.publish(0, 'a');
	const b = await second.publish(0, 'b');
	await keepSending(second, 0, (time) => nod(time, (time % 1e6) / 1e6), () => eye.roster().get(b)?.state === 'live');
	first.send({ type: 'unpublish', publication: 0 });
	await eye.until('the first to leave', () => !eye.roster().has(a));
	const before = eye.bundles.length;
	await keepSending(second, 0, (time) => nod(time, (time % 1e6) / 1e6), () => eye.bundles.length > before + 20);
	assert.deepEqual(eye.errors(), []);
	[eye, first, second].forEach(({ ws }) => ws.close());
});

test('a connection cannot move bodies of another', async () => {
	const eye = await watcher();
	const [owner, thief] = [await Publisher.enter(), await Publisher.enter()];
	const id = await owner.publish(9, 'mine');
	thief.ws.send(message(9, nod(thief.now(), 1)));
	thief.send({ type: 'unpublish', publication: 9 });
	await thief.settled();
	assert.deepEqual(thief.errors(), ['unknown-publication', 'unknown-publication']);
	assert.deepEqual(owner.errors(), []);
	await eye.until('the body', () => eye.roster().has(id));
	[eye, owner, thief].forEach(({ ws }) => ws.close());
});

test('answers each wrong field with an error, and no body enters', async () => {
	const good = { space: 'lobby', publication: 0, name: 'x', kind: 'body-frames' };
	for (const [code, fields] of [
		['unknown-space', { space: 'cellar' }], ['bad-field', { space: 7 }],
		['bad-field', { publication: -1 }], ['bad-field', { publication: 256 }], ['bad-field', { publication: '0' }],
		['bad-field', { name: '' }], ['bad-field', { name: 'x'.repeat(64) }], ['bad-field', { name: 'a\u0007b' }], ['bad-field', { name: null }],
		['bad-field', { kind: 'bones' }], ['bad-field', { kind: 1 }],
		['bad-field', { profile: 'vive' }], ['bad-field', { profile: 5 }],
		['bad-field', { height: 0.4 }], ['bad-field', { height: 3.1 }], ['bad-field', { height: '1.8' }],
		['bad-field', { smooth: 1 }], ['bad-field', { mayRecord: 'yes' }], ['bad-field', { mayRebroadcast: 0 }],
		['bad-field', { skeleton: 7 }], ['unknown-skeleton', { skeleton: '0'.repeat(64) }],
		['bad-field', { channels: 'lookAt' }], ['bad-field', { channels: ['a', 'a'] }], ['bad-field', { channels: [''] }],
		['bad-field', { channels: [7] }], ['bad-field', { channels: Array.from({ length: 257 }, (_, i) => `c${i}`) }],
	]) {
		const client = await Publisher.enter();
		client.send({ type: 'publish', ...good, ...fields });
		await client.settled();
		assert.deepEqual(client.errors(), [code], JSON.stringify(fields).slice(0, 60));
		assert.equal(client.messages.find(({ type }) => type === 'error').ref, 'publish');
		client.ws.close();
	}
});

test('a number is one publication at a time, and there are eight a connection', async () => {
	const client = await Publisher.enter();
	await client.publish(0, 'first');
	client.send({ type: 'publish', space: 'lobby', publication: 0, name: 'second', kind: 'poses' });
	await client.settled();
	assert.deepEqual(client.errors(), ['bad-field']);
	for (let i = 1; i < 8; i++)
		await client.publish(i, `number ${i}`);
	client.send({ type: 'publish', space: 'lobby', publication: 8, name: 'ninth', kind: 'poses' });
	await client.settled();
	assert.deepEqual(client.errors(), ['bad-field', 'too-many']);
	client.send({ type: 'unpublish', publication: 5 });
	await client.publish(200, 'in its stead');
	client.ws.close();
});

test('a space accepts at most 64 bodies', async () => {
	const eye = await watcher();
	const clients = await Promise.all(Array.from({ length: 9 }, () => Publisher.enter()));
	await eye.until('the space to be empty', () => eye.roster().size === 0);
	for (const [i, client] of clients.entries()) {
		for (let k = 0; k < 8 && i < 8; k++)
			await client.publish(k, `${i} ${k}`);
	}
	const late = clients[8];
	late.send({ type: 'publish', space: 'lobby', publication: 0, name: 'late', kind: 'poses' });
	await late.settled();
	assert.deepEqual(late.errors(), ['too-many']);
	clients[0].send({ type: 'unpublish', publication: 0 });
	await clients[0].find('unpublished');
	await late.publish(0, 'late');
	[eye, ...clients].forEach(({ ws }) => ws.close());
});

test('captures that are damaged, or of another kind, are answered with bad-capture', async () => {
	const client = await Publisher.enter();
	await client.publish(0, 'poses');
	await client.publish(1, 'frames', { kind: 'body-frames', profile: 'meta' });
	const now = client.now();
	const damaged = [
		[0x21], [0x22, 0, ...nod(now, 0)], [0x11, 0, ...nod(now, 0)], message(0, []), message(0, nod(now, 0).slice(0, -1)),
		message(0, [...nod(now, 0), 0]), message(0, nod(now, 0, { flags: 0x80 })), message(0, headAt(now, [0, 16000, 0])),
		message(1, nod(now, 0)), message(1, headAt(now, [0, 16000, 0]).slice(0, 30)),
		message(0, nod(now, 0, { values: [1, 2, 3] })),
	];
	for (const bytes of damaged)
		client.ws.send(Buffer.from(bytes));
	await client.settled();
	assert.deepEqual(client.errors(), damaged.map(() => 'bad-capture'));
	client.ws.send(message(1, headAt(now, [0, 16000, 0])));
	client.ws.send(message(1, headAt(now, [0, 16000, 0], 2))); // its T-pose, of a head
	client.ws.send(message(0, nod(now, 0)));
	await client.settled();
	assert.equal(client.errors().length, damaged.length, 'good ones are still taken');
	client.ws.close();
});

test('rejects captures with only some channels', async () => {
	const client = await Publisher.enter();
	await client.publish(0, 'speaks', { channels: ['expression/aa', 'lookAt'] });
	for (const count of [0, 5, 1, 6, 4])
		client.ws.send(message(0, nod(client.now(), 0, { values: Array(count).fill(16384) })));
	await client.settled();
	assert.deepEqual(client.errors(), Array(3).fill('bad-capture'));
	client.ws.close();
});

test('the sixteenth damaged capture ends the connection, and its body leaves', async () => {
	const eye = await watcher();
	const client = await Publisher.enter();
	const id = await client.publish(0, 'clumsy');
	await eye.until('the body', () => eye.roster().has(id));
	for (let i = 0; i < 20; i++)
		client.ws.send(message(0, [0x41]));
	assert.equal((await client.closed).code, 1008);
	assert.equal(client.errors().length, 16);
	await eye.until('that it left', () => !eye.roster().has(id));
	eye.ws.close();
});

test('a flood of captures is dropped, reported and closed, while others are served', async () => {
	const eye = await watcher();
	const [client, other] = [await Publisher.enter(), await Publisher.enter()];
	await client.publish(0, 'flood');
	const id = await other.publish(0, 'calm');
	const before = eye.bundles.length;
	const time = client.now();
	for (let i = 0; i < 30000 && client.ws.readyState === WebSocket.OPEN; i++) {
		client.ws.send(message(0, nod(time + i, 0)));
		if (i % 500 === 0)
			await new Promise(setImmediate);
	}
	assert.equal((await client.closed).code, 1008);
	assert.ok(client.errors().length === 16 && client.errors().every((code) => code === 'too-many'));
	await keepSending(other, 0, (now) => nod(now, 0.2), () => eye.roster().get(id)?.state === 'live');
	await eye.until('bundles', () => eye.bundles.length > before + 10);
	assert.deepEqual(other.errors(), []);
	[eye, other].forEach(({ ws }) => ws.close());
});

test('subscribers receive no bytes of a publisher', async () => {
	const eye = await watcher();
	const client = await Publisher.enter();
	const id = await client.publish(0, 'private', { kind: 'body-frames' });
	const sent = [];
	let at = 0;
	await keepSending(client, 0, (time) => {
		const capture = headAt(time, [1234 + 37 * at, 15987, -4321 + 11 * at++]);
		sent.push(Buffer.from(capture).subarray(-13)); // the head's place and turn
		return capture;
	}, () => eye.roster().get(id)?.state === 'live' && sent.length > 30);
	const heard = Buffer.concat([...eye.bundles, ...eye.messages.map((m) => Buffer.from(JSON.stringify(m)))]);
	for (const bytes of sent)
		assert.equal(heard.indexOf(bytes.subarray(0, 7)), -1);
	for (const message of eye.messages)
		assert.ok(['welcome', 'roster', 'skeleton'].includes(message.type), message.type);
	[eye, client].forEach(({ ws }) => ws.close());
});
