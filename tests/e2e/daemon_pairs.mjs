// Messages with the bundles of two ticks: the same poses as without, one message for two ticks.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test, { after } from 'node:test';
import WebSocket from 'ws';
import { Bundle, Payload, StreamDecoder, connect, decodeBundle, splitBundles } from '../../clients/js/index.js';
import { Client } from './support/client.mjs';
import { JOINTCAST, start } from './support/daemon.mjs';
import { until } from './support/until.mjs';

const HZ = 60;
const daemon = await start('--source', 'demo:walk', '--source', 'demo:wave', '--source', 'demo:idle');
after(async () => assert.equal(await daemon.stop(), 0));

/** Keeps every pose that it decodes, by tick and body. */
class Viewer extends Client {
	poses = new Map();
	lost = 0;
	#bundle = new Bundle();
	#streams = new Map();

	static async watch(subscribe, codings = [2, 1]) {
		const viewer = await Viewer.connect(daemon, { codings, credit: true }, { type: 'join', space: 'lobby' },
			{ type: 'subscribe', space: 'lobby', request: 1, ...subscribe });
		viewer.answer = await viewer.find('subscribed');
		return viewer;
	}

	onBinary(message) {
		this.bundles.push(message);
		for (const bytes of splitBundles(message))
			this.#take(bytes);
		this.send({ type: 'ack', space: 'lobby', tick: this.#bundle.tick });
	}

	#take(bytes) {
		const { tick, count, body, needsState, shape, sequence, incarnation, start, end } = decodeBundle(bytes, this.#bundle);
		for (let i = 0; i < count; i++) {
			const stream = this.#streams.get(body[i]) ?? new StreamDecoder();
			const payload = new Payload();
			this.#streams.set(body[i], stream);
			const head = { needsState: needsState[i] === 1, shape: shape[i], sequence: sequence[i], incarnation: incarnation[i] };
			if (stream.decode(bytes, start[i], end[i], head, null, payload))
				this.poses.set(`${tick} ${body[i]}`, [...payload.rotations, ...payload.hips].join());
			else
				this.lost++;
		}
	}

	get pairs() {
		return this.bundles.filter(([kind]) => kind === 0x31).length;
	}
}

for (const [what, view, codings] of [['a shared view', {}], ['every other tick', { rate: 2 }],
	['a private view', { bodies: [1, 2, 3] }], ['viewpoints and a budget', { viewpoints: [{ position: [0, 1.6, 3] }], budget: 60000 }],
	['coding 1', {}, [1]]]) {
	test(`two ticks a message, ${what}: the poses of one tick a message`, async () => {
		const single = await Viewer.watch(view, codings);
		const pair = await Viewer.watch({ ...view, ticks: 2 }, codings);
		const interval = (view.rate ?? 1) * 1e6 / HZ;
		assert.deepEqual([pair.answer.ticks, pair.answer.delay], [2, Math.round(interval)]);
		assert.equal(single.answer.ticks, undefined);
		await pair.until('thirty pairs', () => pair.pairs >= 30);
		assert.ok(pair.pairs > 0.7 * pair.bundles.length, `${pair.pairs} of ${pair.bundles.length} messages are pairs`);
		const both = [...pair.poses.keys()].filter((key) => single.poses.has(key));
		assert.ok(both.length > 50, `${both.length} poses of both`);
		// With a budget the two may be at different levels of detail.
		if (!view.budget)
			both.forEach((key) => assert.equal(pair.poses.get(key), single.poses.get(key), key));
		assert.equal(pair.lost, 0);
		assert.deepEqual([...pair.errors(), ...single.errors()], []);
		single.end();
		pair.end();
	});
}

test('the option changes while subscribed, and the answer states it', async () => {
	const viewer = await Viewer.watch({ ticks: 2 });
	await viewer.until('pairs', () => viewer.pairs > 5);
	viewer.send({ type: 'subscribe', space: 'lobby' });
	await viewer.until('the end of it', () => viewer.all('subscribed').at(-1).ticks === undefined);
	const { pairs } = viewer;
	const before = viewer.bundles.length;
	await viewer.until('more bundles', () => viewer.bundles.length > before + 20);
	assert.equal(viewer.pairs, pairs);
	for (const wrong of [0, 3, '2', 1.5])
		viewer.send({ type: 'subscribe', space: 'lobby', ticks: wrong });
	await viewer.until('four errors', () => viewer.errors().length === 4);
	assert.ok(viewer.errors().every((code) => code === 'bad-field'));
	viewer.end();
});

test('a requested keyframe comes as one bundle of the state', async () => {
	const viewer = await Viewer.watch({ ticks: 2 });
	await viewer.until('pairs', () => viewer.pairs > 5);
	const before = viewer.bundles.length;
	viewer.send({ type: 'keyframe', space: 'lobby' });
	await viewer.until('a message without a pair', () => viewer.bundles.slice(before).some(([kind]) => kind !== 0x31));
	assert.equal(viewer.lost, 0);
	await viewer.until('pairs again', () => viewer.bundles.at(-1)[0] === 0x31);
	viewer.end();
});

test('clients/js shows all bodies, and states the delay', async () => {
	const client = connect(daemon.url, { space: 'lobby', WebSocket, ticks: 2 });
	const granted = [];
	client.on('subscribed', (subscription) => granted.push(subscription));
	await until('three bodies move', () => client.bodies.size === 3 && client.traffic.bundles > 60 &&
		[...client.bodies.values()].every((body) => body.sample()));
	assert.deepEqual(granted.map(({ ticks, delay }) => [ticks, delay]), [[2, Math.round(1e6 / HZ)]]);
	assert.equal(client.traffic.damaged, 0);
	assert.ok([...client.bodies.values()].every(({ timeline }) => timeline.lost === 0));
	client.close();
});

/** The lines that `jointcast watch` prints until there are so many. */
function watch(count, ...options) {
	return new Promise((resolve, reject) => {
		let text = '';
		const child = execFile(JOINTCAST, ['watch', daemon.url, ...options], () => {
			const lines = text.split('\n').slice(0, -1);
			return lines.length < count ? reject(new Error(text)) : resolve(lines.map((line) => JSON.parse(line)));
		});
		child.stdout.on('data', (data) => {
			text += data;
			if (text.split('\n').length > count)
				child.kill('SIGINT');
		});
	});
}

test('jointcast watch reads both bundles, and metrics count the messages', async () => {
	const lines = await watch(120, '--poses', '--ticks', '2');
	const times = lines.filter(({ body }) => body === 1).map(({ time }) => time);
	assert.ok(times.length > 30 && times.every((time, i) => i === 0 || time > times[i - 1]), times.join());
	// Poses of neighbouring ticks: none is left out for its neighbour in the message.
	const steps = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
	assert.ok(Math.abs(steps[steps.length >> 1] - 1e6 / HZ) < 2000, steps.join());
	const [report] = await watch(2, '--json', '--ticks', '2').then((reports) => reports.slice(-1));
	assert.ok(report.bundlesPerSecond > HZ / 3, JSON.stringify(report));
	const metrics = await (await fetch(`http://localhost:${daemon.admin}/metrics`)).text();
	assert.match(metrics, /^jointcast_bundle_pairs_total\{space="lobby"\} [1-9]/m);
});
