// What an origin publishes for edges and answers to them: the test plays the edge, with a NATS
// client of its own. proto/CLUSTER.md.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Payload, StreamDecoder, decodeBundle, Bundle } from '../../../clients/js/index.js';
import { Cluster } from '../support/cluster.mjs';
import { Client } from '../support/client.mjs';
import { scratch } from '../support/daemon.mjs';
import { Parts } from '../support/nats.mjs';
import { secret, token } from '../support/token.mjs';
import { sleep, until } from '../support/until.mjs';

const SPEC = { view: '2-standard-fine-1-4f', coding: 2, precision: 'standard', finest: 'fine', rate: 1, sections: 0x4f };
const SLOW = { ...SPEC, view: '2-standard-fine-4-4f', rate: 4 };

const varint = (value) => (value < 128 ? [value] : [value % 128 | 128, ...varint(Math.floor(value / 128))]);

function readFrame(bytes) {
	assert.deepEqual([bytes[1], bytes.readUInt16LE(2)], [1, 0]);
	return { kind: bytes[0], space: bytes.readUInt32LE(4), tick: bytes.readUInt32LE(8),
		revision: Number(bytes.readBigUInt64LE(12)), sent: Number(bytes.readBigInt64LE(20)),
		packets: Buffer.from(bytes.subarray(28)) };
}

/** The test's edge: what it hears, and its requests. */
class Edge {
	announcements = [];
	changes = [];
	frames = new Map(); // by view
	rejoins = [];       // { view, frame }

	static async connect(cluster, space = 'lobby') {
		const edge = new Edge();
		const [announced, state] = [new Parts(), new Parts()];
		const keep = (list, parts) => ({ bytes }) => {
			const message = parts.take(bytes);
			if (message)
				list.push(message);
		};
		edge.space = space;
		edge.nats = await cluster.tap();
		edge.nats.subscribe('jc.announce', keep(edge.announcements, announced));
		edge.nats.subscribe(`jc.${space}.s`, keep(edge.changes, state));
		edge.nats.subscribe(`jc.${space}.f.>`, ({ subject, bytes }) => {
			const view = subject.split('.')[3];
			const frame = readFrame(bytes);
			if (frame.kind === 2)
				edge.rejoins.push({ view, frame });
			else
				edge.frames.set(view, [...edge.frames.get(view) ?? [], frame]);
		});
		await edge.nats.settled();
		await until(() => 'an announcement of the space', () => edge.announced?.spaces.length > 0);
		return edge;
	}

	get announced() {
		return this.announcements.findLast(({ spaces }) => spaces.some(({ space }) => space === this.space));
	}

	/** The answer in JSON. */
	async ask(fields) {
		const parts = new Parts();
		const inbox = this.nats.inbox();
		let answer;
		const end = this.nats.subscribe(inbox, ({ bytes }) => { answer = parts.take(bytes) ?? answer; });
		this.nats.publish(`jc.${this.space}.c.test`, typeof fields === 'string' ? fields : JSON.stringify(fields), inbox);
		await until(() => `an answer to ${JSON.stringify(fields).slice(0, 80)}`, () => answer);
		end();
		return answer;
	}

	/** Wants the views until `silence`; the first answer. */
	want(...views) {
		const interest = { type: 'interest', views, watched: 1 };
		this.silence();
		this.timer = setInterval(() => this.nats.publish(`jc.${this.space}.c.test`, JSON.stringify(interest), '_INBOX.test.again'), 2000);
		return this.ask(interest);
	}

	/** Repeats its interest no longer. */
	silence() {
		clearInterval(this.timer);
	}

	end() {
		this.silence();
		this.nats.close();
	}

	of(view) {
		return this.frames.get(view) ?? [];
	}
}

/** Follows frames or bundles: bytes and decoded poses by tick and body. */
class Follower {
	#bundle = new Bundle();
	#decoders = new Map();
	ticks = new Map();

	bundle(message) {
		const bundle = decodeBundle(message, this.#bundle);
		const bodies = {};
		for (let i = 0; i < bundle.count; i++) {
			const id = bundle.body[i];
			const decoder = this.#decoders.get(id) ?? new StreamDecoder();
			const payload = new Payload();
			const head = { needsState: bundle.needsState[i], shape: bundle.shape[i], sequence: bundle.sequence[i], incarnation: bundle.incarnation[i] };
			this.#decoders.set(id, decoder);
			bodies[id] = decoder.decode(message, bundle.start[i], bundle.end[i], head, null, payload)
				? [...payload.rotations, ...payload.hips] : null;
		}
		const head = message[0] & 0x80 ? 1 : 1 + varint(bundle.space).length + varint(bundle.tick).length;
		const isCommon = bundle.needsState.subarray(0, bundle.count).every(Boolean);
		this.ticks.set(bundle.tick, { bytes: isCommon && message.subarray(head).toString('hex'), bodies });
	}

	frame({ space, tick, packets }) {
		this.bundle(Buffer.concat([Buffer.from([0x11, ...varint(space), ...varint(tick)]), packets]));
	}
}

const stage = ['--source', 'demo:walk', '--source', 'demo:wave'];

// Mostly they wait, so they run at the same time.
describe('an origin', { concurrency: true }, () => {
	test('an edge sees state, and the packets and poses of the origin\'s own clients', async (t) => {
		const cluster = await Cluster.start(t);
		await cluster.origin('stage', stage);
		const edge = await Edge.connect(cluster);
		const client = await cluster.watch('stage', { hello: { codings: [1, 2] }, subscribe: { contacts: false } });
		await client.until('a second of motion', () => client.bundles.length > 60);
		assert.equal(edge.frames.size, 0, 'a frame without interest');

		const { epoch, incarnation, revision, roster, id, policy, sanctions, texts } = await edge.ask({ type: 'state' });
		const complete = JSON.parse(roster);
		assert.deepEqual([epoch, incarnation, revision], [edge.announced.spaces[0].epoch, edge.announced.incarnation, complete.revision]);
		assert.deepEqual([complete.epoch, complete.bodies.length], [epoch, 2]);
		assert.deepEqual([policy.hz, policy.permits.watch, policy.closed, sanctions, texts], [60, ['role:watch'], false, [], {}]);
		const hash = complete.bodies[0].skeleton;
		assert.ok(JSON.parse((await edge.ask({ type: 'skeleton', hash })).descriptor).bones);

		assert.deepEqual(await edge.want(SPEC), { expires: 6 });
		await until(() => 'frames', () => edge.of(SPEC.view).length > 90);
		const [here, there] = [new Follower(), new Follower()];
		client.bundles.forEach((bundle) => here.bundle(bundle));
		edge.of(SPEC.view).forEach((frame) => there.frame(frame));
		const both = [...there.ticks.keys()].slice(1).filter((tick) => here.ticks.has(tick));
		assert.ok(both.length > 30, `${both.length} ticks in both`);
		let equal = 0;
		for (const tick of both) {
			const [own, published] = [here.ticks.get(tick), there.ticks.get(tick)];
			assert.deepEqual(published.bodies, own.bodies, `tick ${tick}`);
			// A client that a busy machine has kept waiting gets rejoin packets now and then.
			if (own.bytes && published.bytes)
				assert.equal(published.bytes, own.bytes, `tick ${tick}`);
			equal += own.bytes && Object.values(own.bodies).some((pose) => pose?.length > 200) ? 1 : 0;
		}
		assert.ok(equal > 20, `${equal} ticks with common packets`);
		const { kind, space, revision: presupposed } = edge.of(SPEC.view).at(-1);
		assert.deepEqual([kind, space, presupposed], [1, id, revision]);

		const time = await edge.ask({ type: 'clock', t: 7 });
		assert.ok(time.t === 7 && Math.abs(time.time - client.now()) < 30e6);
		await edge.want();
		client.end();
		await cluster.stop('stage');
		assert.ok(edge.announcements.at(-1).leaving);
		edge.end();
	});

	test('rejoin packets, expiry, a hidden body, and requests that a hostile host could send', async (t) => {
		const cluster = await Cluster.start(t);
		const key = path.join(scratch(t), 'key');
		writeFileSync(key, secret);
		await cluster.origin('stage', stage, { config: `auth { audience = "world" key "shared" { algorithm = "HS256" file = "${key}" } }` });
		const edge = await Edge.connect(cluster);
		const client = await cluster.watch('stage', { hello: { codings: [1, 2], token: token({ sub: 'mia', roles: ['watch', 'moderate'] }) } });
		await edge.want(SPEC, SLOW);
		await until(() => 'frames of both views', () => edge.of(SPEC.view).length > 10 && edge.of(SLOW.view).length > 2);
		assert.ok(edge.of(SLOW.view).every(({ tick }) => tick % 4 === 0));

		// Rejoin packets show at once what those show that followed.
		for (let i = 0; i < 50; i++) {
			edge.nats.publish('jc.lobby.c.test', JSON.stringify({ type: 'rejoin', view: SPEC.view }), '_INBOX.test.rejoin');
			await sleep(20);
		}
		await until(() => 'rejoin packets', () => edge.rejoins.length > 1);
		assert.ok(edge.rejoins.every(({ view }) => view === SPEC.view));
		const ticks = edge.rejoins.map(({ frame }) => frame.tick);
		const span = Math.max(...ticks) - Math.min(...ticks);
		assert.ok(ticks.length <= span / 15 + 1, `${ticks.length} rejoins in ${span} ticks`);
		const [late, always] = [new Follower(), new Follower()];
		const answer = edge.rejoins.at(-1).frame;
		await until(() => 'frames after it', () => edge.of(SPEC.view).at(-1).tick > answer.tick + 20);
		edge.of(SPEC.view).forEach((frame) => always.frame(frame));
		late.frame(answer);
		edge.of(SPEC.view).filter(({ tick }) => tick > answer.tick).forEach((frame) => late.frame(frame));
		for (const [tick, { bodies }] of late.ticks)
			assert.deepEqual(bodies, always.ticks.get(tick).bodies, `tick ${tick}`);

		// A hidden body leaves the frames, with a change of roster and sanctions.
		const roster = JSON.parse((await edge.ask({ type: 'state' })).roster);
		client.send({ type: 'moderate', space: 'lobby', action: 'hide', body: roster.bodies[0].id });
		const changed = await until(() => 'a roster change', () => edge.changes.find(({ change }) => change && JSON.parse(change).changed));
		assert.equal(changed.revision, roster.revision + 1);
		await until(() => 'sanctions', () => edge.changes.some(({ sanctions }) => sanctions?.length === 1));
		const after = edge.of(SPEC.view).at(-1).tick;
		await until(() => 'frames after it', () => edge.of(SPEC.view).at(-1).tick > after + 40);
		const shown = new Follower();
		edge.of(SPEC.view).filter(({ tick }) => tick > after).forEach((frame) => shown.frame(frame));
		const seen = new Set([...shown.ticks.values()].flatMap(({ bodies }) => Object.keys(bodies)));
		assert.deepEqual([...seen], [String(roster.bodies[1].id)]);

		// The test is silent: interest in the view ends by itself.
		edge.silence();
		const before = client.bundles.length;
		for (const wrong of ['', '{', '[]', 'null', '{"type":5}', { type: 'publish' }, { type: 'rejoin', view: '2-fine-fine-1-1' },
			{ type: 'interest', views: [] }, { type: 'interest', views: [{ ...SPEC, rate: 3 }], watched: 1 },
			{ type: 'interest', views: [{ ...SPEC, view: SLOW.view }], watched: 1 }, { type: 'interest', views: [], watched: -1 },
			{ type: 'skeleton', hash: 'none' }, { type: 'clock', t: 'now' }, 'x'.repeat(900_000), `${'['.repeat(60000)}`])
			assert.ok((await edge.ask(wrong)).error, JSON.stringify(wrong).slice(0, 60));
		for (const reply of ['jc.lobby.s', 'jc.announce', 'jc.lobby.f.x', '_INBOX.other.1'])
			edge.nats.publish('jc.lobby.c.test', '{"type":"state"}', reply);
		for (let i = 0; i < 10000; i++)
			edge.nats.publish('jc.lobby.c.test', i % 2 ? '{"type":"state"}' : '{"type":"clock","t":1}', '_INBOX.test.flood');
		await edge.nats.settled();
		await client.until('motion all the while', () => client.bundles.length > before + 60);
		await until(() => 'interest ends', async () => {
			const count = edge.of(SPEC.view).length;
			await sleep(300);
			return edge.of(SPEC.view).length === count;
		});
		// Requests beyond the limits have no answer: an edge asks again.
		await until(() => 'an answer after the flood', () => edge.nats.request('jc.lobby.c.test', '{"type":"state"}', 500).catch(() => null));
		assert.ok(edge.changes.every(({ roster: other }) => !other) && !edge.frames.has('x'));
		client.end();
		edge.end();
	});

	test('of two origins of a space the later one serves it, and the other one takes it back', async (t) => {
		const cluster = await Cluster.start(t);
		const first = await cluster.origin('first', stage);
		const edge = await Edge.connect(cluster);
		const { epoch } = edge.announced.spaces[0];
		const before = await edge.ask({ type: 'state' });
		await cluster.origin('second', stage);
		await until(() => 'the second origin serves', () => /origin 'second' serves space 'lobby'/.test(first.log));
		await until(() => 'its announcement', () => edge.announced.origin === 'second');
		assert.ok(BigInt(`0x${edge.announced.spaces[0].epoch}`) > BigInt(`0x${epoch}`));
		const { origin, id } = await edge.ask({ type: 'state' });
		assert.ok(origin === 'second' && id !== before.id);
		await edge.want(SPEC);
		await until(() => 'frames', () => edge.of(SPEC.view).length > 60);
		const ticks = edge.of(SPEC.view).map(({ tick }) => tick);
		const [{ cluster: one }, { cluster: other }] = [await cluster.status('first'), await cluster.status('second')];
		assert.deepEqual(one.spaces, [{ space: 'lobby', state: 'yielded', origin: 'second' }]);
		const { frames, ...served } = other.spaces[0];
		assert.ok(frames > 60);
		assert.deepEqual(served, { space: 'lobby', state: 'exported', edges: 1, watched: 1, views: 1, rejoins: 0, refused: 0 });
		assert.deepEqual(ticks, [...new Set(ticks)].sort((a, b) => a - b), 'frames of one origin');
		const client = await cluster.watch('first'); // its own clients are served
		client.end();
		await cluster.kill('second');
		await until(() => 'the first one takes it back', () => /origin 'second' is gone/.test(first.log));
		await until(() => 'its announcement', () => edge.announced.origin === 'first');
		assert.equal(first.log.match(/origin 'second' serves/g).length, 1);
		assert.equal((await edge.ask({ type: 'state' })).origin, 'first');
		edge.end();
	});

	test('a standby takes over from an origin that ends, and yields to one that begins', async (t) => {
		const cluster = await Cluster.start(t);
		const standby = await cluster.origin('standby', stage, { cluster: 'standby = "true"' });
		let edge = await Edge.connect(cluster); // no other origin is there
		const epochs = [];
		const follows = async (origin) => {
			await until(() => `'${origin}' serves`, () => edge.announced.origin === origin);
			epochs.push(BigInt(`0x${edge.announced.spaces[0].epoch}`));
			assert.equal((await edge.ask({ type: 'state' })).origin, origin);
		};
		await follows('standby');
		await cluster.origin('stage', stage);
		await follows('stage');
		// Without NATS nobody hears anybody: nothing is taken over.
		await cluster.restart('nats');
		edge.end();
		edge = await Edge.connect(cluster);
		await until(() => 'announcements after the connection', () => edge.announcements.length > 4);
		assert.ok(edge.announcements.every(({ origin, spaces }) => origin === 'stage' || spaces.length === 0));
		assert.match(standby.log, /origin 'stage' serves space 'lobby'/);
		await cluster.kill('stage');
		await follows('standby');
		await cluster.restart('stage');
		await follows('stage');
		await cluster.stop('stage'); // it says that it leaves
		await follows('standby');
		assert.deepEqual(epochs, [...epochs].sort((a, b) => (a < b ? -1 : 1)), 'each epoch is higher');
		edge.end();
	});
});
