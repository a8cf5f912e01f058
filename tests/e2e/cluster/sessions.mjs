// Sessions of an edge's clients at an origin: the test plays the edge, honest and hostile, with a NATS
// client of its own, and writes the messages byte by byte. proto/CLUSTER.md, "Sessions".
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Cluster } from '../support/cluster.mjs';
import { Client } from '../support/client.mjs';
import { scratch } from '../support/daemon.mjs';
import { Parts } from '../support/nats.mjs';
import { secret, token } from '../support/token.mjs';
import { until } from '../support/until.mjs';

const [OPEN, TEXT, BINARY, CLOSE, OPENED, ALIVE] = [1, 2, 3, 4, 5, 6];
const ADDRESS = '198.51.100.23';

function message(kind, number, sequence, payload = '') {
	const head = Buffer.alloc(16);
	head[0] = kind;
	head[1] = 1;
	head.writeBigUInt64LE(number, 4);
	head.writeUInt32LE(sequence, 12);
	return Buffer.concat([head, Buffer.from(payload)]);
}

/** The test's edge. */
class Edge {
	heard = [];    // { kind, number, sequence, payload }
	removals = []; // who has to leave
	sessions = [];

	static async connect(cluster, name) {
		const edge = new Edge();
		edge.name = name;
		edge.nats = await cluster.tap();
		const parts = new Parts();
		edge.nats.subscribe('jc.lobby.s', ({ bytes }) => edge.removals.push(...[parts.take(bytes)?.moderated ?? []].flat()));
		edge.nats.subscribe(`jc.*.d.${name}`, ({ bytes }) => edge.heard.push({ kind: bytes[0],
			number: bytes.readBigUInt64LE(4), sequence: bytes.readUInt32LE(12), payload: Buffer.from(bytes.subarray(16)) }));
		await edge.nats.settled();
		// The origin listens once it answers.
		await until(() => 'an origin', () => {
			edge.alive();
			return edge.heard.some(({ kind, number }) => kind === ALIVE && number === 77n);
		});
		return edge;
	}

	send(bytes, space = 'lobby') {
		this.nats.publish(`jc.${space}.u.${this.name}`, bytes);
	}

	/** Lists its sessions and how many messages it has sent in each. */
	alive() {
		this.send(message(ALIVE, 77n, 0, Buffer.concat(this.sessions.map(({ number, sent }) => {
			const entry = Buffer.alloc(12);
			entry.writeBigUInt64LE(number);
			entry.writeUInt32LE(sent, 8);
			return entry;
		}))));
	}

	/** Says each half second that it is there. */
	live() {
		this.timer = setInterval(() => this.alive(), 500).unref();
	}

	session(hello = {}) {
		this.sessions.push(new Session(this, hello));
		return this.sessions.at(-1);
	}

	end() {
		clearInterval(this.timer);
		this.nats.close();
	}
}

class Session {
	sent = 0;

	constructor(edge, hello) {
		this.edge = edge;
		this.number = randomBytes(8).readBigUInt64LE();
		this.#send(OPEN, JSON.stringify({ address: ADDRESS, localPage: false }));
		this.say({ type: 'hello', ...hello });
	}

	#send(kind, payload) {
		this.edge.send(message(kind, this.number, this.sent++, payload));
	}

	say(fields) {
		this.#send(TEXT, JSON.stringify(fields));
	}

	/** The capture of Client.capture, byte by byte. */
	capture(publication) {
		this.#send(BINARY, Buffer.from([0x21, publication, 0x41, ...Array(7).fill(0), 1, ...Array(9).fill(0)]));
	}

	get texts() {
		return this.edge.heard.filter(({ kind, number }) => kind === TEXT && number === this.number)
			.map(({ payload }) => JSON.parse(payload));
	}

	get closed() {
		const found = this.edge.heard.find(({ kind, number }) => kind === CLOSE && number === this.number);
		return found && { code: found.payload.readUInt16LE(0), reason: found.payload.toString('utf8', 2) };
	}

	find(type, is = () => true) {
		return until(() => `${type} after ${JSON.stringify(this.texts.slice(-3))}`,
			() => this.texts.find((text) => text.type === type && is(text)));
	}

	async ask(fields) {
		const request = String(Math.random());
		this.say({ ...fields, request });
		return until(() => `an answer to ${JSON.stringify(fields)}`, () => this.texts.find((text) => text.request === request));
	}
}

const bodies = (client) => new Set(client.all('roster').flatMap((roster) => [...roster.bodies ?? [], ...roster.joined ?? []])
	.map(({ name }) => name));
const left = (client, id) => client.find('roster', (roster) => roster.left?.includes(id));

async function origin(t, cluster) {
	const key = path.join(scratch(t), 'key');
	writeFileSync(key, secret);
	return cluster.origin('stage', [], { config: `auth { audience = "world" key "shared" { algorithm = "HS256" file = "${key}" } }` });
}

test('a client of an edge publishes at the origin, as if it were connected there', async (t) => {
	const cluster = await Cluster.start(t);
	const daemon = await origin(t, cluster);
	const edge = await Edge.connect(cluster, 'east');
	edge.live();
	const mia = token({ sub: 'mia', roles: ['watch', 'publish', 'moderate'] });
	const watcher = await Client.greeted(daemon, { token: mia }, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' });
	const session = edge.session({ token: token({ sub: 'ada', bodies: ['Ada'] }) });
	await session.find('welcome');
	const { body } = await session.ask({ type: 'publish', space: 'lobby', publication: 3, name: 'Ada', kind: 'poses', mayRecord: true });
	await watcher.find('roster', (roster) => roster.joined?.some(({ id, name, mayRecord }) => id === body && name === 'Ada' && mayRecord === true));
	session.capture(3);
	await watcher.until('motion', () => watcher.bundles.length > 0);
	await session.ask({ type: 'consent', publication: 3, mayRecord: false });
	await watcher.find('roster', (roster) => roster.changed?.some(({ id, mayRecord }) => id === body && !mayRecord));
	assert.equal((await session.ask({ type: 'join', space: 'lobby' })).code, 'unsupported');
	// What the token does not permit.
	const refusals = [{ type: 'publish', space: 'lobby', publication: 4, name: 'Bo', kind: 'poses' }, { type: 'record', space: 'lobby', action: 'start' },
		{ type: 'moderate', space: 'lobby', action: 'list' }, { type: 'administer', space: 'lobby', action: 'close' }, { type: 'stage', space: 'lobby', body }];
	for (const refused of refusals)
		assert.equal((await session.ask(refused)).code, 'not-allowed', refused.type);
	// No token, or a wrong one.
	const nobody = edge.session();
	await until(() => 'a refusal', () => nobody.closed);
	assert.equal((await nobody.find('error')).reason, 'no-token');
	const forger = edge.session({ token: token({ sub: 'ada' }, randomBytes(32)) });
	await until(() => 'a refusal', () => forger.closed);
	assert.deepEqual([(await forger.find('error')).reason, forger.closed], ['bad-signature', { code: 1008, reason: 'bad-signature' }]);
	forger.capture(3);
	forger.say({ type: 'publish', space: 'lobby', publication: 0, name: 'Ada', kind: 'poses' });
	await session.ask({ type: 'amend', publication: 3 });
	assert.deepEqual(forger.texts.map(({ type }) => type), ['error']);
	// A ban at the origin: by message to the session, and to every edge for those who only watch.
	watcher.send({ type: 'moderate', space: 'lobby', action: 'ban', subject: 'ada', reason: 'rude' });
	await session.find('moderated', ({ action, reason }) => action === 'ban' && reason === 'rude');
	await session.find('unpublished');
	await left(watcher, body);
	const { who, text } = await until(() => 'a message to all edges', () => edge.removals[0]);
	assert.deepEqual([who, JSON.parse(text).action], ['subject ada', 'ban']);
	assert.equal((await session.ask({ type: 'publish', space: 'lobby', publication: 3, name: 'Ada', kind: 'poses' })).code, 'banned');
	// Sequences have no gap.
	const sequences = edge.heard.filter(({ number }) => number === session.number).map(({ sequence }) => sequence);
	assert.deepEqual(sequences, sequences.map((_, i) => i));
	assert.equal(edge.heard.find(({ number }) => number === session.number).kind, OPENED);
	watcher.end();
	edge.end();
	await cluster.stop('stage');
	for (const secretText of [ADDRESS, mia, mia.split('.')[2]])
		assert.ok(!daemon.log.includes(secretText), `the log has ${secretText}`);
});

test('an origin takes sessions of a space before it announces the space', async (t) => {
	const cluster = await Cluster.start(t);
	const nats = await cluster.tap();
	const [asked, answered] = [[], []];
	nats.subscribe('jc.lobby.d.east', ({ bytes }) => answered.push(bytes.readBigUInt64LE(4)));
	nats.subscribe('jc.announce', ({ bytes }) => {
		if (bytes.includes('"lobby"')) {
			asked.push(BigInt(asked.length));
			nats.publish('jc.lobby.u.east', message(ALIVE, asked.at(-1), 0));
		}
	});
	await nats.settled();
	await origin(t, cluster);
	await until(() => `answers ${answered}`, () => answered.length > 2);
	assert.deepEqual(answered, asked.slice(0, answered.length));
	nats.close();
});

test('bodies leave with their edge, and hostile edges harm nobody', async (t) => {
	const cluster = await Cluster.start(t);
	const daemon = await cluster.origin('stage');
	const [east, west] = [await Edge.connect(cluster, 'east'), await Edge.connect(cluster, 'west')];
	const watcher = await Client.greeted(daemon, {}, { type: 'join', space: 'lobby' });
	east.live();
	west.live();
	const [ada, bo] = [east.session(), west.session()];
	await ada.ask({ type: 'publish', space: 'lobby', publication: 0, name: 'Ada', kind: 'poses' });
	const { body } = await bo.ask({ type: 'publish', space: 'lobby', publication: 0, name: 'Bo', kind: 'poses' });
	await watcher.until('both', () => bodies(watcher).has('Ada') && bodies(watcher).has('Bo'));

	// West uses the number of a session of east; the next message of the session has the right sequence still.
	for (const [kind, payload] of [[CLOSE, '\u00e9\u0003'], [TEXT, '{"type":"unpublish","publication":0}'], [BINARY, '\u0021\u0000'], [OPEN, JSON.stringify({ address: ADDRESS, localPage: false })]])
		west.send(message(kind, ada.number, 3, payload));
	west.send(randomBytes(300));
	assert.equal((await ada.ask({ type: 'amend', publication: 0, display: 'A' })).type, 'amended');
	// A megabyte, and a gap.
	const large = west.session();
	west.send(message(TEXT, large.number, 2, Buffer.alloc(1000000, ' ')));
	await until(() => 'the end of a session', () => large.closed);
	assert.deepEqual(large.closed, { code: 1009, reason: 'a message larger than limits.message' });
	const gap = west.session();
	west.send(message(TEXT, gap.number, 4, '{"type":"ping","t":1}'));
	await until(() => 'the end of a session', () => gap.closed);
	// A flood of sessions: the origin goes on meanwhile, and takes no more than it may. On a slow machine
	// sessions that are not listed, or have no hello, end meanwhile: such a one has two answers.
	const flood = () => west.heard.filter(({ kind, number }) => (kind === OPENED || kind === CLOSE) && number > 0n && number <= 10000n);
	for (let i = 0; i < 10000; i++) {
		west.send(message(OPEN, BigInt(i + 1), 0, JSON.stringify({ address: `10.0.${i >> 8}.${i & 255}`, localPage: false })));
		if (i % 1000 === 999)
			await until(() => `an answer to each of ${i}`, () => new Set(flood().map(({ number }) => number)).size === i + 1);
	}
	const closed = flood().filter(({ kind }) => kind === CLOSE).length;
	const refused = flood().filter(({ kind, payload }) => kind === CLOSE && payload.includes('too many sessions')).length;
	assert.ok(closed >= 10000 - 4096 && refused < 10000, `${closed} closed, ${refused} refused`);
	assert.equal((await ada.ask({ type: 'amend', publication: 0, display: 'AA' })).type, 'amended');
	assert.ok(daemon.child.exitCode === null);

	// West says nothing any more.
	west.end();
	await left(watcher, body);
	assert.ok(!watcher.all('roster').some((roster) => roster.left?.some((id) => id !== body)));
	// East goes away in order: at once.
	const before = watcher.messages.length;
	east.send(message(CLOSE, ada.number, ada.sent));
	east.sessions = [];
	await watcher.until('Ada leaves', () => watcher.all('roster', before).some((roster) => roster.left));
	east.end();
	watcher.end();
});
