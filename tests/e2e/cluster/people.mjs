// Persons on several hosts: one who ignores another is invisible to that person at every edge and at
// the origin, whoever of them connects where.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Client } from '../support/client.mjs';
import { Cluster } from '../support/cluster.mjs';
import { scratch } from '../support/daemon.mjs';
import { secret, token } from '../support/token.mjs';
import { until } from '../support/until.mjs';

const [WEST, EAST, STAGE] = ['west', 'east', 'stage'];

/** An origin that keeps a state, and two edges, with the same keys. */
async function start(t, more = '') {
	const folder = scratch(t);
	const key = path.join(folder, 'key');
	writeFileSync(key, secret);
	const auth = `auth { audience = "world" key "shared" { algorithm = "HS256" file = "${key}" } }`;
	const cluster = await Cluster.start(t);
	await cluster.origin(STAGE, [], { config: `${auth}\n${more}\nserver { state = "${path.join(folder, 'state')}" }` });
	await cluster.edge(WEST, [], { config: auth });
	await cluster.edge(EAST, [], { config: auth });
	return cluster;
}

const tokenOf = (sub) => ({ token: token({ sub, roles: ['watch', 'publish'] }) });

/** A person who has joined and subscribed; with a name also one who publishes. */
async function enter(cluster, host, hello, name) {
	let client;
	await until(() => `'${host}' serves the space`, async () => {
		client?.end();
		client = await Client.greeted(cluster.processes.get(host), hello, { type: 'join', space: 'lobby' }).catch(() => null);
		const answer = await client?.take(({ type, ref }) => type === 'roster' || (type === 'error' && ref === 'join')).catch(() => null);
		return answer?.type === 'roster';
	});
	client.send({ type: 'subscribe', space: 'lobby' });
	if (name) {
		client.send({ type: 'publish', space: 'lobby', publication: 0, name, kind: 'poses' });
		client.body = (await client.find('published')).body;
		client.timer = setInterval(() => client.isClosed ? clearInterval(client.timer) : client.capture(0), 50).unref();
	}
	return client;
}

/** The last message about a body: whether the client has motion of it; undefined: no message. */
const shown = (client, body) => client.all('worn').flatMap(({ bodies }) => bodies).findLast(({ id }) => id === body)?.skeleton;
const knows = (client, body) => client.until(`body ${body} in the roster`, () => client.all('roster').some(
	({ bodies = [], joined = [], changed = [] }) => [...bodies, ...joined, ...changed].some(({ id }) => id === body)));
const misses = (client, body) => client.until(`no motion of body ${body}`, () => shown(client, body) === null);
const sees = (client, body) => client.until(`motion of body ${body}`, () => shown(client, body) !== null);

test('an ignored person has no motion of the other at any edge and at the origin, also after connecting elsewhere', async (t) => {
	const cluster = await start(t);
	const tap = await cluster.tap();
	const texts = [];
	tap.subscribe('jc.*.s', ({ bytes }) => texts.push(bytes.toString('latin1')));
	tap.subscribe('_INBOX.>', ({ bytes }) => texts.push(bytes.toString('latin1')));
	tap.subscribe('jc.*.c.*', ({ bytes }) => texts.push(bytes.toString('latin1')));
	const ada = await enter(cluster, EAST, tokenOf('ada@example.org'), 'Ada');
	const bo = await enter(cluster, WEST, tokenOf('bo@example.org'), 'Bo');
	const cy = await enter(cluster, STAGE, tokenOf('cy@example.org'), 'Cy');
	const viewers = [ada, bo, cy];
	for (const client of viewers) {
		for (const { body } of viewers)
			await knows(client, body);
	}
	const boHere = await enter(cluster, STAGE, tokenOf('bo@example.org'));
	ada.send({ type: 'ignore', space: 'lobby', body: bo.body, request: 1 });
	await ada.find('done');
	await Promise.all([misses(ada, bo.body), misses(bo, ada.body), misses(boHere, ada.body)]);
	// Whoever comes later, anywhere, and of either person.
	const boAtEast = await enter(cluster, EAST, tokenOf('bo@example.org'));
	const adaAtWest = await enter(cluster, WEST, tokenOf('ada@example.org'));
	await Promise.all([misses(boAtEast, ada.body), misses(adaAtWest, bo.body)]);
	// A body that comes later, and the person at another host.
	bo.end();
	const boAgain = await enter(cluster, STAGE, tokenOf('bo@example.org'), 'Bo again');
	await Promise.all([ada, adaAtWest].map((client) => misses(client, boAgain.body)));
	await misses(boAgain, ada.body);
	// Nobody else is concerned.
	await Promise.all([ada, boAgain, boHere].map((client) => sees(client, cy.body)));
	assert.equal(cy.all('worn').length, 0);

	// At the origin it works the same way, and it ends.
	ada.send({ type: 'ignore', space: 'lobby', body: boAgain.body, ignore: false, request: 2 });
	await Promise.all([sees(ada, boAgain.body), sees(boAgain, ada.body), sees(boHere, ada.body), sees(boAtEast, ada.body)]);
	boHere.send({ type: 'ignore', space: 'lobby', body: ada.body, request: 3 });
	await boHere.find('done');
	await Promise.all([misses(ada, boAgain.body), misses(boAgain, ada.body)]);
	boHere.end(); // it ends with the connection that asked for it
	await Promise.all([sees(ada, boAgain.body), sees(boAgain, ada.body)]);
	assert.ok(texts.some((text) => text.includes('"ignores":["')), 'pairs were announced');
	assert.ok(!texts.some((text) => text.includes('example.org')), 'nobody is named');
	[...viewers, boAgain, boAtEast, adaAtWest].forEach((client) => client.end());
	tap.close();
});

test('an ignore of a client of an edge holds again after the origin has restarted', async (t) => {
	const cluster = await start(t);
	const bo = await enter(cluster, WEST, tokenOf('bo'), 'Bo');
	const ada = await enter(cluster, EAST, tokenOf('ada'));
	await knows(ada, bo.body);
	ada.send({ type: 'ignore', space: 'lobby', body: bo.body });
	await misses(ada, bo.body);
	const from = ada.messages.length;
	await cluster.restart(STAGE);
	const again = await bo.until('the body again', () => bo.all('amended').find(({ body }) => body !== undefined));
	await ada.until('no motion of it', () => ada.messages.slice(from).filter(({ type }) => type === 'worn')
		.flatMap(({ bodies }) => bodies).findLast(({ id }) => id === again.body)?.skeleton === null);
	[ada, bo].forEach((client) => client.end());
});

test('without tokens a person is a connection, at every edge', async (t) => {
	const cluster = await start(t, 'space "lobby" { watch = "anyone" publish = "anyone" }');
	const one = await enter(cluster, EAST, {}, 'One');
	const two = await enter(cluster, WEST, {}, 'Two');
	const other = await enter(cluster, WEST, {});
	await knows(two, one.body);
	two.send({ type: 'ignore', space: 'lobby', body: one.body });
	await Promise.all([misses(two, one.body), misses(one, two.body)]);
	await knows(other, two.body);
	assert.equal(other.all('worn').length, 0);
	[one, two, other].forEach((client) => client.end());
});
