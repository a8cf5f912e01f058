// An edge serves the spaces of an origin: the same rosters, skeletons and packets, byte for byte.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { Bundle, Payload, decodeBundle, splitBundles } from '../../../clients/js/bundle.js';
import { connect, loadModelChains } from '../../../clients/js/index.js';
import { StreamDecoder } from '../../../clients/js/stream.js';
import { Client } from '../support/client.mjs';
import { Cluster } from '../support/cluster.mjs';
import { scratch } from '../support/daemon.mjs';
import { makeShortLegs } from '../support/short_legs.mjs';
import { until } from '../support/until.mjs';

const CHAINS = { hello: { codings: [2] } };
const DEMO = ['--source', 'demo:walk', '--source', 'demo:wave'];

const cluster = async (t, options = DEMO) => {
	const started = await Cluster.start(t);
	await started.origin('origin', options);
	await started.edge('edge');
	return started;
};

/**
 * The packets of a client's bundles: Map tick → { raw: hex of the bytes after the head, content: of
 * each packet the fields and sections but its relay age, hasRelay }.
 */
function packetsOf(client) {
	const bundle = new Bundle();
	const packets = new Map();
	for (const bytes of client.bundles) {
		assert.notEqual(decodeBundle(bytes, bundle), false);
		const head = bytes[0] & 0x80 ? 1 : 1 + varint(bytes, 1) + varint(bytes, 1 + varint(bytes, 1));
		const content = Array.from({ length: bundle.count }, (_, i) => [bundle.body[i], bundle.incarnation[i], bundle.sequence[i],
			bundle.cut[i], bundle.needsState[i], bundle.shape[i], bundle.age[i], bytes.toString('hex', bundle.start[i], bundle.end[i])]);
		assert.ok(!packets.has(bundle.tick), 'a tick comes once');
		packets.set(bundle.tick, { raw: bytes.toString('hex', head), content,
			hasRelay: bundle.relay.subarray(0, bundle.count).some((us) => us >= 5000) });
	}
	return packets;
}

/** The length of a varint. */
function varint(bytes, at) {
	let length = 1;
	while (bytes[at + length - 1] & 0x80)
		length++;
	return length;
}

const rosterOf = (client) => client.messages.find(({ type, bodies }) => type === 'roster' && bodies);

/** The answer to another `subscribe` with the same fields. */
async function subscribed(client, subscribe) {
	client.send({ type: 'subscribe', space: 'lobby', request: 'again', ...subscribe });
	const { view, ...answer } = await client.find('subscribed', ({ request }) => request === 'again');
	return answer;
}

// The figure has short legs: contacts are kept unless a client switches that off.
test('a client of the edge gets the bytes that a client of the origin gets, with contacts and without', async (t) => {
	const figure = path.join(scratch(t), 'short.json');
	writeFileSync(figure, JSON.stringify(makeShortLegs()));
	const processes = await cluster(t, [...DEMO, '--skeleton', figure]);
	for (const subscribe of [{}, { contacts: false }, { precision: 'fine' }, { precision: 'coarse', rate: 2 }]) {
		const edge = await processes.watch('edge', { ...CHAINS, subscribe });
		const origin = await processes.watch('origin', { ...CHAINS, subscribe });
		const first = Math.max(...packetsOf(edge).keys(), ...packetsOf(origin).keys());
		// After a loss on a busy machine an edge makes a packet that needs no state.
		const isWhole = ({ content }) => content.some(([, , , , needsState]) => !needsState);
		let a, b, ticks, regular;
		await until(() => `twenty ticks without rejoin packets: ${regular?.length} of ${ticks?.length}`, () => {
			[a, b] = [packetsOf(origin), packetsOf(edge)];
			ticks = [...b.keys()].filter((tick) => tick > first && a.has(tick));
			regular = ticks.filter((tick) => !isWhole(a.get(tick)) && !isWhole(b.get(tick)));
			return regular.length > 20;
		});
		assert.ok(regular.length > 0.3 * ticks.length, `${regular.length} of ${ticks.length} ticks without rejoin packets`);
		for (const tick of regular) {
			assert.deepEqual(b.get(tick).content, a.get(tick).content);
			/* A hop that takes 5 ms or more, as on a busy machine, states its time. */
			if (!b.get(tick).hasRelay)
				assert.equal(b.get(tick).raw, a.get(tick).raw);
		}
		const [here, there] = [rosterOf(edge), rosterOf(origin)];
		assert.deepEqual(here.bodies.map(({ state, ...body }) => body), there.bodies.map(({ state, ...body }) => body));
		assert.equal(here.epoch, there.epoch);
		assert.deepEqual(here.bodies.map(({ contacts }) => contacts), [true, true]);
		const answer = await subscribed(edge, subscribe);
		assert.deepEqual(answer, await subscribed(origin, subscribe));
		assert.equal(answer.contacts, subscribe.contacts === false ? undefined : true);
		edge.end();
		origin.end();
	}
});

/** The poses that clients/js decodes of a body: Map tick → rotations. */
function posesOf(client, id) {
	const bundle = new Bundle(), stream = new StreamDecoder(), payload = new Payload();
	const poses = new Map();
	for (const bytes of client.bundles.flatMap(splitBundles)) {
		decodeBundle(bytes, bundle);
		const i = bundle.body.subarray(0, bundle.count).indexOf(id);
		const head = { needsState: bundle.needsState[i] === 1, shape: bundle.shape[i], sequence: bundle.sequence[i], incarnation: bundle.incarnation[i] };
		if (i >= 0) {
			assert.ok(stream.decode(bytes, bundle.start[i], bundle.end[i], head, null, payload), 'no packet lacks its state');
			poses.set(bundle.tick, Array.from(payload.rotations));
		}
	}
	return poses;
}

const newestTick = (client) => client.bundles.flatMap(splitBundles).reduce((bundle, bytes) => decodeBundle(bytes, bundle), new Bundle()).tick;
const pairsOf = ({ bundles }) => bundles.filter(([kind]) => kind === 0x31).length;

for (const coding of [2, 3]) {
	test(`clients decode the same poses of coding ${coding} at both, also two ticks in a message`, async (t) => {
		await loadModelChains();
		const processes = await cluster(t);
		const hello = { codings: [coding] };
		const origin = await processes.watch('origin', { hello });
		const edge = await processes.watch('edge', { hello });
		const pair = await processes.watch('edge', { hello, subscribe: { ticks: 2 } });
		// Does not acknowledge: the edge skips the bundles of both ticks, until it does.
		const late = await processes.watch('edge', { hello: { ...hello, credit: true }, subscribe: { ticks: 2 } });
		await until('the edge skips', async () => {
			const before = [late.bundles.length, edge.bundles.length];
			await edge.until('bundles', () => edge.bundles.length > before[1] + 20);
			return before[0] > 0 && late.bundles.length === before[0];
		});
		const skipped = late.bundles.length;
		late.send({ type: 'ack', space: 'lobby', tick: newestTick(late) });
		await late.until('messages after the gap', () => late.bundles.length > skipped + 2);
		await pair.until('pairs', () => pairsOf(pair) > 20);
		assert.ok(pairsOf(late) > 2);
		for (const { id } of rosterOf(origin).bodies) {
			const poses = posesOf(origin, id);
			for (const [client, least] of [[edge, 20], [pair, 20], [late, 3]]) {
				const found = posesOf(client, id);
				const ticks = [...found.keys()].filter((tick) => poses.has(tick));
				assert.ok(ticks.length > least, `${ticks.length} ticks at both`);
				ticks.forEach((tick) => assert.deepEqual(found.get(tick), poses.get(tick)));
			}
			const ticks = [...posesOf(late, id).keys()];
			assert.ok(ticks.some((tick, i) => tick > ticks[i - 1] + 10), `there is a gap in ${ticks}`);
		}
		for (const client of [origin, edge, pair, late]) {
			assert.deepEqual(client.errors(), []);
			client.end();
		}
	});
}

test('clients/js shows the bodies of an edge, with coding 3', async (t) => {
	const processes = await cluster(t);
	const shown = connect(processes.processes.get('edge').url, { space: 'lobby', WebSocket });
	t.after(() => shown.close());
	await until('two bodies are shown', () => shown.bodies.size === 2 && [...shown.bodies.values()].every((body) => body.sample()));
	assert.equal(shown.traffic.damaged, 0);
});

test('a body on another skeleton and a private view come through the edge', async (t) => {
	const processes = await cluster(t);
	const humanoid = await processes.watch('edge', { ...CHAINS, subscribe: { skeleton: 'humanoid', precision: 'fine' } });
	const near = await processes.watch('edge', { ...CHAINS, subscribe: { viewpoints: [{ position: [0, 1.6, 4] }], budget: 40000 } });
	const plain = await processes.watch('edge', { hello: { codings: [1] } });
	for (const client of [humanoid, near, plain]) {
		const before = client.bundles.length;
		await client.until('twenty bundles', () => client.bundles.length > before + 20);
		assert.deepEqual(client.errors(), []);
		client.end();
	}
});

test('an edge has the spaces of origins alone', async (t) => {
	const processes = await cluster(t);
	await processes.watch('edge').then((watcher) => watcher.end());
	// At first the edge closes the connection: it may not know all spaces yet.
	await until('a refusal', async () => {
		const client = await Client.greeted(processes.processes.get('edge'), {}, { type: 'join', space: 'nowhere' });
		const refusal = await client.find('error', ({ code }) => code === 'unknown-space').catch(() => null);
		assert.deepEqual(client.welcome.spaces, ['lobby']);
		client.end();
		return refusal;
	});
});

test('without its origin the bodies are stale, and with a new one they are others', async (t) => {
	const processes = await cluster(t);
	const client = await processes.watch('edge');
	const before = rosterOf(client);
	const from = client.messages.length;
	await processes.kill('origin');
	await client.until('a stale roster', () => client.all('roster', from).some(({ bodies }) => bodies?.every(({ state }) => state === 'stale')));
	const later = client.messages.length;
	await processes.restart('origin');
	await client.until('a new epoch', () => client.all('roster', later).some(({ epoch, bodies }) => epoch !== undefined && epoch !== before.epoch && bodies.length === 2));
	const fresh = client.all('roster', later).find(({ epoch }) => epoch !== undefined && epoch !== before.epoch);
	assert.notEqual(fresh.id, before.id);
	const count = client.bundles.length;
	await client.until('motion', () => client.bundles.length > count + 20);
	client.end();
});

test('without NATS the space stays, and continues with NATS', async (t) => {
	const processes = await cluster(t);
	const client = await processes.watch('edge');
	const before = rosterOf(client);
	await processes.kill('nats');
	const from = client.messages.length;
	await client.until('a stale roster', () => client.all('roster', from).some(({ bodies }) => bodies?.every(({ state }) => state === 'stale')));
	const late = await Client.greeted(processes.processes.get('edge'), {}, { type: 'join', space: 'lobby' });
	assert.equal((await late.find('roster')).bodies.length, 2);
	late.end();
	const later = client.messages.length;
	await processes.restart('nats');
	const again = await client.until('a live roster', () => client.all('roster', later).find(({ bodies }) => bodies?.length === 2 && bodies.every(({ state }) => state === 'live')));
	assert.equal(again.epoch, before.epoch);
	assert.deepEqual(again.bodies.map(({ id }) => id), before.bodies.map(({ id }) => id));
	const count = client.bundles.length;
	await client.until('motion', () => client.bundles.length > count + 20);
	client.end();
});

test('nobody who watches: no frame on NATS', async (t) => {
	const processes = await cluster(t);
	const tap = await processes.tap();
	let frames = 0;
	tap.subscribe('jc.*.f.>', () => frames++);
	await tap.settled();
	await processes.watch('edge').then((client) => client.end());
	await until('the frames end', async () => {
		const before = frames;
		await sleep(1000);
		return frames === before;
	});
	tap.close();
});
