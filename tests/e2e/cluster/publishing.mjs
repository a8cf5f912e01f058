// Publishing and moderating through edges: an origin, two edges, and people at each of them.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { PoseFrame, TRACKED, connect } from '../../../clients/js/index.js';
import WebSocket from 'ws';
import { Client } from '../support/client.mjs';
import { Cluster } from '../support/cluster.mjs';
import { scratch } from '../support/daemon.mjs';
import { secret, token } from '../support/token.mjs';
import { until } from '../support/until.mjs';

const [WEST, EAST, STAGE] = ['west', 'east', 'stage'];

/** An origin and two edges with the same keys. */
async function start(t) {
	const folder = scratch(t);
	const key = path.join(folder, 'key');
	writeFileSync(key, secret);
	const config = `auth { audience = "world" key "shared" { algorithm = "HS256" file = "${key}" } }`;
	const cluster = await Cluster.start(t);
	await cluster.origin(STAGE, [], { config: `${config}\nrecording { folder = "${folder}" }` });
	await cluster.edge(WEST, [], { config });
	await cluster.edge(EAST, [], { config });
	cluster.folder = folder;
	return cluster;
}

const grants = (sub, ...roles) => ({ token: token({ sub, roles: ['watch', ...roles] }) });

/** A person who has joined and subscribed; retried until the process serves the space. */
async function enter(cluster, name, hello) {
	let client;
	await until(() => `'${name}' serves the space`, async () => {
		client?.end();
		client = await Client.greeted(cluster.processes.get(name), hello, { type: 'join', space: 'lobby' });
		// An edge that has just started ends the connection.
		const answer = await client.take(({ type, ref }) => type === 'roster' || (type === 'error' && ref === 'join')).catch(() => null);
		return answer?.type === 'roster';
	});
	client.send({ type: 'subscribe', space: 'lobby' });
	return client;
}

let requests = 0;
async function ask(client, fields) {
	const request = ++requests;
	client.send({ ...fields, request });
	return client.until(`an answer to ${fields.type}`, () => client.messages.find((message) => message.request === request));
}

/** The bodies of the roster by name, from all its messages. */
function roster(client) {
	const bodies = new Map();
	for (const message of client.all('roster')) {
		if (message.bodies)
			bodies.clear();
		for (const body of [...message.bodies ?? [], ...message.joined ?? [], ...message.changed ?? []])
			bodies.set(body.id, body);
		message.left?.forEach((id) => bodies.delete(id));
	}
	return new Map([...bodies.values()].map((body) => [body.name, body]));
}

const sees = (client, what, is) => client.until(what, () => is(roster(client)));
const publish = { type: 'publish', space: 'lobby', publication: 0, name: 'Ada', kind: 'poses' };

test('a body published through one edge is the same at the origin and through another edge', async (t) => {
	const cluster = await start(t);
	const [ada, west, origin] = [await enter(cluster, EAST, grants('ada', 'publish')), await enter(cluster, WEST, grants('bo')),
		await enter(cluster, STAGE, grants('mia', 'record', 'moderate'))];
	const { body, type } = await ask(ada, { ...publish, mayRecord: true, display: 'A.' });
	assert.equal(type, 'published');
	ada.capture(0);
	for (const client of [ada, west, origin]) {
		await sees(client, 'the body', (bodies) => bodies.get('Ada')?.id === body);
		const { mayRecord, display } = roster(client).get('Ada');
		assert.deepEqual([mayRecord, display], [true, 'A.']);
	}
	// Recorded at the origin, asked for at the other edge.
	const keeper = await enter(cluster, WEST, grants('kim', 'record'));
	assert.equal((await ask(keeper, { type: 'record', space: 'lobby', action: 'start' })).state, 'recording');
	const moves = setInterval(() => ada.capture(0), 20).unref();
	await until(() => 'captures in the recording', async () => {
		const { captures, file } = await ask(keeper, { type: 'record', space: 'lobby', action: 'state' });
		return captures > 5 && file; // which a thread opens
	});
	await sees(west, 'live', (bodies) => bodies.get('Ada').state === 'live');
	const { state, file, captures } = await ask(keeper, { type: 'record', space: 'lobby', action: 'stop' });
	assert.ok(state === 'stopped' && captures > 5, `${captures} captures`);
	await until(() => `'${file}' among ${readdirSync(cluster.folder)}`, () => readdirSync(cluster.folder).includes(file));
	assert.equal((await ask(ada, { type: 'record', space: 'lobby', action: 'start' })).code, 'not-allowed');
	// Consent is withdrawn everywhere.
	await ask(ada, { type: 'consent', publication: 0, mayRecord: false });
	for (const client of [west, origin])
		await sees(client, 'no consent', (bodies) => bodies.get('Ada').mayRecord !== true);
	clearInterval(moves);

	// The edge is killed: the body leaves. It does not come back by itself: nobody moves it.
	await cluster.kill(EAST);
	const killed = performance.now();
	for (const client of [west, origin])
		await sees(client, 'the body is gone', (bodies) => !bodies.has('Ada'));
	t.diagnostic(`gone ${Math.round(performance.now() - killed)} ms after its edge was killed`);
	[ada, west, origin, keeper].forEach((client) => client.end());
});

test('moderators of one edge act on people of another', async (t) => {
	const cluster = await start(t);
	const mia = await enter(cluster, WEST, grants('mia', 'moderate'));
	const origin = await enter(cluster, STAGE, grants('bo'));
	let ada = await enter(cluster, EAST, grants('ada', 'publish'));
	const watcher = await enter(cluster, EAST, grants('ada'));
	let { body } = await ask(ada, publish);
	const moves = setInterval(() => ada.capture(0), 20).unref();
	await sees(mia, 'motion', (bodies) => bodies.get('Ada')?.state === 'live');
	await ask(mia, { type: 'moderate', space: 'lobby', action: 'mute', body });
	await ada.find('moderated', ({ action }) => action === 'mute');
	await sees(origin, 'a muted body', (bodies) => bodies.get('Ada').muted === true);
	await sees(origin, 'a body that stands still', (bodies) => bodies.get('Ada').state === 'stale');
	await ask(mia, { type: 'moderate', space: 'lobby', action: 'unmute', body });
	await sees(origin, 'a live body', (bodies) => bodies.get('Ada').state === 'live');
	await ask(mia, { type: 'moderate', space: 'lobby', action: 'hide', body });
	await sees(origin, 'a hidden body', (bodies) => bodies.get('Ada').hidden === true);
	await sees(watcher, 'a hidden body', (bodies) => bodies.get('Ada').hidden === true);
	// A kick ends views and bodies of the person at the other edge, also of a connection that only watches.
	await ask(mia, { type: 'moderate', space: 'lobby', action: 'kick', body });
	for (const client of [ada, watcher])
		await client.find('moderated', ({ action }) => action === 'kick');
	await ada.find('unpublished');
	await sees(mia, 'no body', (bodies) => !bodies.has('Ada'));
	for (const client of [ada, watcher])
		assert.equal((await ask(client, { type: 'keyframe', space: 'lobby' })).code, 'not-joined');
	// The person may come back; after a ban not, at any edge.
	({ body } = await ask(ada, publish));
	await ask(mia, { type: 'moderate', space: 'lobby', action: 'ban', body, reason: 'rude' });
	await ada.find('moderated', ({ action, reason }) => action === 'ban' && reason === 'rude');
	await ada.until('the end of the second body', () => ada.all('unpublished').length === 2);
	assert.equal((await ask(ada, publish)).code, 'banned');
	clearInterval(moves);
	for (const name of [EAST, WEST, STAGE]) {
		await until(() => `the ban holds at '${name}'`, async () => {
			const again = await Client.greeted(cluster.processes.get(name), grants('ada', 'publish'), { type: 'join', space: 'lobby' });
			const { code } = await again.take(({ type, ref }) => type === 'roster' || (type === 'error' && ref === 'join'));
			again.end();
			return code === 'banned';
		});
	}
	// What only an origin serves.
	const { port } = cluster.processes.get(WEST);
	for (const [method, place] of [['PUT', 'motions/lobby'], ['POST', 'invitations'], ['PUT', 'avatars']])
		assert.equal((await fetch(`http://127.0.0.1:${port}/${place}`, { method, body: '{}' })).status, 421, place);
	// Nobody has reason to know more than subjects.
	for (const { log } of cluster.processes.values())
		assert.ok(!/eyJ|127\.0\.0\.1(?!:)/.test(log.replaceAll(/nats:\/\/\S+|listening on \S+|status and metrics on \S+/g, '')), log);
	[ada, watcher, mia, origin].forEach((client) => client.end());
});

test('after the origin has restarted, bodies of clients of an edge are back', async (t) => {
	const cluster = await start(t);
	await (await enter(cluster, EAST, grants('ada', 'publish'))).end();
	const publisher = connect(cluster.processes.get(EAST).url,
		{ space: 'lobby', token: grants('ada', 'publish').token, WebSocket });
	t.after(() => publisher.close());
	const publication = publisher.publish({ name: 'Ada', kind: 'poses', mayRecord: true });
	await until(() => 'an open publication', () => publication.state === 'open');
	const first = publication.bodyId;
	publication.consent({ mayRecord: false });
	const frame = new PoseFrame();
	frame.states.fill(TRACKED);
	const moves = setInterval(() => {
		frame.time = publisher.clock.at(publisher.now());
		publication.send(frame);
	}, 50).unref();
	const watcher = await enter(cluster, WEST, grants('bo'));
	await sees(watcher, 'the body', (bodies) => bodies.get('Ada')?.mayRecord !== true && bodies.has('Ada'));
	await sees(watcher, 'motion', (bodies) => bodies.get('Ada').state === 'live');
	const epochOf = (client) => client.all('roster').findLast(({ epoch }) => epoch).epoch;
	const epoch = epochOf(watcher);
	await cluster.kill(STAGE);
	await sees(watcher, 'a stale body, or none', (bodies) => bodies.get('Ada')?.state !== 'live');
	await cluster.restart(STAGE);
	await sees(watcher, 'the body again', (bodies) => epochOf(watcher) !== epoch && bodies.get('Ada')?.state === 'live');
	assert.notEqual(roster(watcher).get('Ada').mayRecord, true);
	assert.equal(publication.state, 'open');
	await until(() => 'its new id', () => publication.bodyId === roster(watcher).get('Ada').id);
	t.diagnostic(`body ${first}, then ${publication.bodyId}`);
	clearInterval(moves);
	watcher.end();
});

test('sessions are counted in the metrics, and their bytes on NATS alone', async (t) => {
	const cluster = await start(t);
	const ada = await enter(cluster, EAST, grants('ada', 'publish'));
	assert.equal((await ask(ada, { ...publish, mayRecord: true })).type, 'published');
	ada.capture(0);
	const figures = async (name) => {
		const text = await (await fetch(`http://127.0.0.1:${cluster.processes.get(name).admin}/metrics`)).text();
		return (figure) => Number(new RegExp(`^jointcast_${figure} (.*)$`, 'm').exec(text)?.[1]);
	};
	let [edge, origin] = [await figures(EAST), await figures(STAGE)];
	assert.deepEqual(['sessions', 'sessions_opened_total', 'sessions_lost_total', 'session_malformed_messages_total', 'bodies_published_again_total']
		.map((name) => edge(`edge_${name}`)), [1, 1, 0, 0, 0]);
	assert.deepEqual(['sessions', 'sessions_opened_total', 'sessions_refused_total', 'session_malformed_messages_total']
		.map((name) => origin(`origin_${name}`)), [1, 1, 0, 0]);
	assert.ok(origin('origin_session_edges') >= 1);
	// No client is at the origin itself, which answered on NATS.
	assert.deepEqual([origin('sent_bytes_total'), origin('received_bytes_total')], [0, 0]);
	assert.ok(origin('nats_sent_bytes_total') > 0 && edge('sent_bytes_total') > 0);
	assert.equal((await figures(WEST))('edge_sessions'), 0);

	await cluster.kill(STAGE);
	await cluster.restart(STAGE);
	await until(() => `the body is published again: ${['sessions','sessions_lost_total','sessions_opened_total','bodies_published_again_total'].map((n) => edge('edge_' + n))} ${origin('origin_sessions')}`, async () => {
		[edge, origin] = [await figures(EAST), await figures(STAGE)];
		return edge('edge_bodies_published_again_total') === 1 && edge('edge_sessions') === 1 && origin('origin_sessions') === 1;
	});
	assert.equal(edge('edge_sessions_lost_total'), 1);
	ada.end();
	await until('it has left', async () => (await figures(EAST))('edge_sessions') === 0 && (await figures(STAGE))('origin_sessions') === 0);
});
