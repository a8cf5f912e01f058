// An origin ends, and its standby takes over: clients of an edge go on with the bodies of the
// standby, under a new epoch, and come back when the origin does.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Client } from '../support/client.mjs';
import { Cluster } from '../support/cluster.mjs';
import { scratch } from '../support/daemon.mjs';
import { create, redeem } from '../support/invitation_requests.mjs';
import { secret, token } from '../support/token.mjs';
import { sleep, until } from '../support/until.mjs';

const STALL_MS = 2500; // an origin counts as gone after 1.5 s, a connection as lost after 4 s
const AFTER_MS = 700;

/** The complete roster of a client with the newest epoch. */
const rosterOf = (client) => client.messages.findLast(({ type, epoch }) => type === 'roster' && epoch);

test('clients of an edge follow their space from origin to standby and back', async (t) => {
	const cluster = await Cluster.start(t);
	await cluster.origin('stage', [], { config: 'source "ada" { uri = "demo:walk" }' });
	await cluster.origin('standby', [], { cluster: 'standby = "true"', config: 'source "bea" { uri = "demo:wave" }' });
	await cluster.edge('edge');
	const client = await cluster.watch('edge', { hello: { codings: [1, 2] } });
	const names = () => rosterOf(client).bodies.map(({ name }) => name);
	assert.deepEqual(names(), ['ada']);
	const epochs = [BigInt(`0x${rosterOf(client).epoch}`)];

	/** Ends or begins a process; then the client has the body of that name alone, and its motion. */
	const follows = async (name, act) => {
		const from = client.messages.length;
		await act();
		await client.until(`a roster with '${name}'`, () => client.messages.slice(from).some(({ type, epoch, bodies }) =>
			type === 'roster' && epoch && bodies.some((body) => body.name === name)));
		epochs.push(BigInt(`0x${rosterOf(client).epoch}`));
		const before = client.bundles.length;
		await client.until('its motion', () => client.bundles.length > before + 30);
		assert.deepEqual(names(), [name]);
	};
	// What stalls and goes on is no reason: a standby hears nothing meanwhile, as of an origin that ended.
	for (const name of ['standby', 'nats']) {
		cluster.freeze(name);
		await sleep(STALL_MS);
		cluster.thaw(name);
		await sleep(AFTER_MS);
		const { cluster: { spaces } } = await cluster.status('standby');
		assert.deepEqual(spaces.map(({ state, origin }) => [state, origin]), [['yielded', 'stage']], `${name} stalled`);
	}
	assert.deepEqual(names(), ['ada']);
	await follows('bea', () => cluster.kill('stage'));
	await follows('ada', () => cluster.restart('stage'));
	await follows('bea', () => cluster.stop('stage'));
	assert.ok(epochs.every((epoch, i) => i === 0 || epoch > epochs[i - 1]), epochs.join(' '));
	client.end();
});

/** A client of an edge that has joined the space, or was refused for good, with the answer. */
async function enter(cluster, name, hello) {
	let client, answer;
	await until(() => `'${name}' answers: ${JSON.stringify(client?.messages)}`, async () => {
		client?.end();
		client = await Client.greeted(cluster.processes.get(name), hello, { type: 'join', space: 'lobby' }).catch(() => null);
		answer = await client?.take(({ type, ref }) => type === 'roster' || (type === 'error' && ref === 'join')).catch(() => null);
		return answer && answer.code !== 'unknown-space';
	});
	client.send({ type: 'subscribe', space: 'lobby' });
	return { client, answer };
}

/** Whether the last message about a body says that its motion is withheld. */
const isWithheld = (client, body) => client.all('worn').flatMap(({ bodies }) => bodies).findLast(({ id }) => id === body)?.skeleton === null;
/** The answer to a moderation request, which is accepted. */
async function moderate(client, fields) {
	const request = String(Math.random());
	client.send({ type: 'moderate', space: 'lobby', request, ...fields });
	const answer = await client.until(JSON.stringify(fields), () => client.messages.find((message) => message.request === request));
	assert.notEqual(answer.type, 'error', JSON.stringify(answer));
	return answer;
}

const bodyOf = (client, name) => client.all('roster').flatMap(({ bodies = [], joined = [] }) => [...bodies, ...joined]).findLast((body) => body.name === name);

test('with one secret a standby admits the guests of its origin, and keeps its bans and who ignores whom', async (t) => {
	const folder = scratch(t);
	writeFileSync(path.join(folder, 'key'), secret);
	writeFileSync(path.join(folder, 'secret'), randomBytes(32));
	const auth = `auth { audience = "world" key "shared" { algorithm = "HS256" file = "${path.join(folder, 'key')}" } }`;
	const cluster = await Cluster.start(t);
	const lines = (name, more = '') => ({ cluster: `secret = "${path.join(folder, 'secret')}" ${more}`,
		config: `${auth}\nserver { state = "${path.join(folder, name)}" }\nsource "${name}" { uri = "demo:walk" }` });
	await cluster.origin('stage', [], lines('stage'));
	await cluster.origin('standby', [], lines('standby', 'standby = "true"'));
	await cluster.edge('edge', [], { config: auth });
	const hello = (sub, ...roles) => ({ token: token({ sub, roles: ['watch', 'publish', ...roles] }) });

	const { client: ada } = await enter(cluster, 'edge', hello('ada', 'moderate'));
	const { client: bo } = await enter(cluster, 'edge', hello('bo'));
	bo.send({ type: 'publish', space: 'lobby', publication: 0, name: 'Bo', kind: 'poses' });
	const { body } = await bo.find('published');
	const motion = setInterval(() => bo.isClosed || bo.capture(0), 50);
	t.after(() => clearInterval(motion));
	await ada.until('the body', () => bodyOf(ada, 'Bo'));
	ada.send({ type: 'ignore', space: 'lobby', body, request: 1 });
	await ada.until('no motion of it', () => isWithheld(ada, body));
	ada.send({ type: 'moderate', space: 'lobby', action: 'ban', subject: 'cy', reason: 'rude', request: 2 });
	await ada.until('the ban', () => ada.messages.some(({ request }) => request === 2));
	const { invitation } = (await create(cluster.processes.get('stage'), { expires: 3600 })).json;
	const guest = (await redeem(cluster.processes.get('stage'), { invitation })).json.token;
	const later = (await create(cluster.processes.get('stage'), { expires: 3600 })).json.invitation;
	(await enter(cluster, 'edge', { token: guest })).client.end();
	// The standby asks for both every two seconds.
	await until('the standby admits the guest', async () => {
		const client = await Client.connect(cluster.processes.get('standby'), { token: guest });
		const { type } = await client.take(({ type }) => type === 'welcome' || type === 'error');
		client.end();
		return type === 'welcome';
	});
	await until('the standby knows the ban', async () => {
		const { client, answer } = await enter(cluster, 'standby', hello('cy'));
		client.end();
		return answer.code === 'banned';
	});

	ada.messages.length = 0;
	await cluster.kill('stage');
	await ada.until('the bodies of the standby', () => bodyOf(ada, 'standby'));
	const again = await ada.until('the body again', () => bodyOf(ada, 'Bo'));
	await ada.until('no motion of it', () => isWithheld(ada, again.id));
	const { client: visitor, answer } = await enter(cluster, 'edge', { token: guest });
	assert.equal(answer.type, 'roster', JSON.stringify(answer));
	await visitor.until('motion', () => visitor.bundles.length > 0);
	const { client: cy, answer: refused } = await enter(cluster, 'edge', hello('cy'));
	assert.equal(refused.code, 'banned', JSON.stringify(refused));
	// An invitation that nobody has redeemed ends with its origin.
	assert.equal((await redeem(cluster.processes.get('edge'), { invitation: later })).status, 410);

	// What is changed at the standby holds at the origin that comes back, and outlives both processes.
	const answers = (name, sub, expected) => until(`'${sub}' gets '${expected}' at '${name}'`, async () => {
		const { client, answer } = await enter(cluster, name, hello(sub));
		client.end();
		return (answer.code ?? answer.type) === expected;
	});
	const bodyNow = (name) => rosterOf(ada)?.bodies.some((body) => body.name === name);
	await moderate(ada, { action: 'unban', subject: 'cy' });
	await moderate(ada, { action: 'ban', subject: 'dan', reason: 'rude' });
	await moderate(ada, { action: 'ban', subject: 'eve', seconds: 3600 });
	await cluster.restart('standby'); // while no origin is there
	await cluster.restart('stage');
	await ada.until('the bodies of the origin', () => bodyNow('stage'));
	for (const name of ['stage', 'edge', 'standby']) {
		await answers(name, 'dan', 'banned');
		await answers(name, 'eve', 'banned');
		await answers(name, 'cy', 'roster');
	}
	await cluster.kill('standby');
	await cluster.restart('stage');
	await answers('stage', 'dan', 'banned');
	await answers('stage', 'cy', 'roster');
	[ada, bo, visitor, cy].forEach((client) => client.end());
});

test('a standby that serves returns changes as soon as the origin is back, and both agree after changes at each', async (t) => {
	const cluster = await Cluster.start(t);
	const lines = (name, more = '') => ({ cluster: more, config: `source "${name}" { uri = "demo:walk" }` });
	await cluster.origin('stage', [], lines('stage'));
	await cluster.origin('standby', [], lines('standby', 'standby = "true"'));
	await cluster.edge('edge');
	const clients = {};
	const at = async (name, fields) => moderate(clients[name] ??= await Client.greeted(cluster.processes.get(name), {}), fields);
	const kinds = async (name) => (await at(name, { action: 'list' })).sanctions.map(({ kind, subject }) => `${kind} ${subject}`).join();
	const both = (expected) => until(`both have '${expected}'`, async () =>
		await kinds('stage') === expected && await kinds('standby') === expected);

	await at('stage', { action: 'mute', subject: 'ada' });
	await both('mute ada');
	// A moderator at the standby, which serves nobody else, while the origin is there.
	await at('standby', { action: 'ban', subject: 'bo' });
	await both('mute ada,ban bo');
	await at('stage', { action: 'unban', subject: 'bo' });
	await at('standby', { action: 'unmute', subject: 'ada' });
	await both('');

	await cluster.kill('stage');
	await cluster.watch('edge', { ask: ({ bodies }) => bodies?.some(({ name }) => name === 'standby') }).then((client) => client.end());
	await at('standby', { action: 'ban', subject: 'cy' });
	delete clients.stage;
	await cluster.restart('stage');
	await both('ban cy');
	Object.values(clients).forEach((client) => client.end());
});

test('a lobby that no configuration names takes the name from no other origin', async (t) => {
	const cluster = await Cluster.start(t);
	await cluster.origin('hall', ['--source', 'demo:walk?name=ada']);
	await cluster.edge('edge');
	const client = await cluster.watch('edge', { hello: { codings: [1, 2] } });
	/** Which origins serve the lobby, by their own status. */
	const serving = async (...names) => {
		const states = await Promise.all(names.map(async (name) => (await cluster.status(name)).cluster.spaces.find(({ space }) => space === 'lobby')));
		return names.filter((_, i) => states[i]?.state === 'exported').join();
	};
	// They begin later, so each of them would have the higher epoch.
	await cluster.origin('attic', ['--source', 'demo:sit?name=eve&space=attic']);
	await cluster.origin('cellar', ['--source', 'demo:sit?name=fay&space=cellar']);
	for (const space of ['attic', 'cellar'])
		(await cluster.watch('edge', { space, hello: { codings: [1, 2] } })).end();
	await until('hall alone serves the lobby', async () => await serving('hall', 'attic', 'cellar') === 'hall');
	assert.deepEqual([...new Set(client.all('roster').flatMap(({ bodies }) => bodies ?? []).map(({ name }) => name))], ['ada']);
	const before = client.bundles.length;
	await client.until('motion', () => client.bundles.length > before + 30);

	// Without it, the default lobby that opened first is the one, also where another took over before.
	cluster.freeze('attic');
	await cluster.kill('hall');
	await until('cellar serves the lobby meanwhile', async () => await serving('cellar') === 'cellar');
	cluster.thaw('attic');
	await until('attic serves the lobby', async () => await serving('attic', 'cellar') === 'attic');
	await client.until('an empty lobby', () => rosterOf(client).bodies.length === 0);
	await cluster.restart('attic'); // it is the later one now
	await until('cellar serves the lobby', async () => await serving('attic', 'cellar') === 'cellar');
	await cluster.restart('hall');
	await until('hall has it again', async () => await serving('hall', 'attic', 'cellar') === 'hall');
	await client.until('its body', () => rosterOf(client).bodies.some(({ name }) => name === 'ada'));
	client.end();
});
