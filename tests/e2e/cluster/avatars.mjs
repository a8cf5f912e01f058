// Avatars through edges: an edge serves the files that relayed bodies wear, from the origin.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { avatarFile } from '../support/avatar_files.mjs';
import { Client } from '../support/client.mjs';
import { Cluster } from '../support/cluster.mjs';
import { scratch } from '../support/daemon.mjs';
import { secret, token } from '../support/token.mjs';
import { until } from '../support/until.mjs';

const [WEST, EAST, STAGE] = ['west', 'east', 'stage'];
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');
// More than two parts of 64 KiB.
const figure = avatarFile((_document, _binary, at) => at.view(Buffer.alloc(150000, 'jointcast')));

/** An origin where people upload, and two edges, with the same keys. */
async function start(t) {
	const folder = scratch(t);
	const key = path.join(folder, 'key');
	writeFileSync(key, secret);
	const auth = `auth { audience = "world" key "shared" { algorithm = "HS256" file = "${key}" } }`;
	const cluster = await Cluster.start(t);
	await cluster.origin(STAGE, [], { config: `${auth}\nserver { state = "${path.join(folder, 'state')}" }\navatars { upload = "true" }` });
	await cluster.edge(WEST, [], { config: auth });
	await cluster.edge(EAST, [], { config: auth });
	return cluster;
}

async function request(cluster, host, target, { as, method = 'GET', body, headers = {} } = {}) {
	const answer = await fetch(`http://127.0.0.1:${cluster.processes.get(host).port}/avatars${target}`, { method, body,
		headers: { ...headers, ...as && { authorization: `Bearer ${token(as)}` } } });
	const bytes = Buffer.from(await answer.arrayBuffer());
	return { status: answer.status, bytes, text: String(bytes).trimEnd(), headers: Object.fromEntries(answer.headers) };
}

const get = (cluster, host, options) => request(cluster, host, `/${hashOf(figure)}`, options);

async function enter(cluster, host, as, ...messages) {
	let client;
	await until(() => `'${host}' serves the space`, async () => {
		client?.end();
		client = await Client.greeted(cluster.processes.get(host), { token: token(as) }, { type: 'join', space: 'lobby' });
		const answer = await client.take(({ type, ref }) => type === 'roster' || (type === 'error' && ref === 'join')).catch(() => null);
		return answer?.type === 'roster';
	});
	client.send({ type: 'subscribe', space: 'lobby' }, ...messages);
	return client;
}

const [ada, bo, mia] = [{ sub: 'ada', roles: ['watch', 'publish'] }, { sub: 'bo' }, { sub: 'mia', roles: ['watch', 'moderate'] }];
const DATES = ['date', 'connection', 'keep-alive'];
const without = (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => !DATES.includes(name)));

test('an edge serves the avatar of a body once fetched, to those who may watch, until it is blocked or removed', async (t) => {
	const cluster = await start(t);
	const tap = await cluster.tap();
	const asked = [];
	tap.subscribe('jc.*.c.*', ({ bytes }) => {
		const message = JSON.parse(bytes);
		if (message.type === 'avatar')
			asked.push(message.at);
	});
	await cluster.ready(STAGE);
	const uploaded = await request(cluster, STAGE, '?rights=author&licence=CC0-1.0', { as: ada, method: 'PUT', body: figure });
	assert.equal(uploaded.status, 201, uploaded.text);
	const publisher = await enter(cluster, EAST, ada,
		{ type: 'publish', space: 'lobby', publication: 0, name: 'Ada', kind: 'poses', avatar: hashOf(figure) });
	const { body } = await publisher.find('published');
	const moves = setInterval(() => publisher.capture(0), 50).unref();
	const viewer = await enter(cluster, WEST, bo);
	const wears = (client, is) => client.until('the avatar in the roster', () => {
		const entries = client.all('roster').flatMap(({ bodies = [], joined = [], changed = [] }) => [...bodies, ...joined, ...changed]);
		const last = entries.findLast(({ id }) => id === body);
		return last && !last.waiting && is(last.avatar);
	});
	await wears(viewer, (avatar) => avatar?.hash === hashOf(figure) && avatar.bytes === figure.length);

	const origin = await get(cluster, STAGE, { as: bo });
	const [first, second] = await Promise.all([get(cluster, WEST, { as: bo }), get(cluster, WEST, { as: mia })]);
	for (const answer of [first, second]) {
		assert.equal(answer.status, 200, answer.text);
		assert.ok(answer.bytes.equals(figure));
		assert.deepEqual(without(answer.headers), without(origin.headers));
	}
	const again = await get(cluster, WEST, { as: bo, headers: { 'if-none-match': `"${hashOf(figure)}"` } });
	assert.equal(again.status, 304);
	assert.deepEqual(asked, [0, 65536, 131072], 'the file came once, in parts');
	// Another edge fetches it too. Nobody gets it who may not watch, or at another address.
	assert.ok((await get(cluster, EAST, { as: bo })).bytes.equals(figure));
	assert.equal((await get(cluster, WEST)).status, 404);
	assert.equal((await get(cluster, WEST, { as: { sub: 'x', spaces: ['attic'] } })).status, 404);
	assert.equal((await request(cluster, WEST, `/${'0'.repeat(64)}`, { as: bo })).status, 404);
	const upload = await request(cluster, WEST, '?rights=author&licence=CC0-1.0', { as: ada, method: 'PUT', body: figure });
	assert.deepEqual([upload.status, upload.text], [421, 'this is an edge: ask the origin of the space']);

	// Blocked: at both edges, though the file is there.
	const moderator = await enter(cluster, EAST, mia);
	const moderate = async (action, request) => {
		moderator.send({ type: 'moderate', space: 'lobby', action, request,
			...action === 'block' ? { body } : { avatar: hashOf(figure) } });
		await moderator.until(action, () => moderator.messages.find((message) => message.request === request));
		assert.equal(moderator.messages.find((message) => message.request === request).type, 'moderated');
	};
	await moderate('block', 1);
	await wears(viewer, (avatar) => !avatar);
	assert.equal((await get(cluster, WEST, { as: bo })).status, 404);
	await moderate('unblock', 2);
	await until('it is served again', async () => (await get(cluster, WEST, { as: bo })).status === 200);
	// Removed by its owner.
	assert.equal((await request(cluster, STAGE, `/${hashOf(figure)}`, { as: ada, method: 'DELETE' })).status, 200);
	await viewer.until('the roster without it', () => viewer.all('roster').at(-1).changed?.some(({ id, avatar }) => id === body && !avatar));
	assert.equal((await get(cluster, WEST, { as: bo })).status, 404);
	assert.equal((await get(cluster, WEST, { as: ada })).status, 404);
	clearInterval(moves);
	[publisher, viewer, moderator].forEach((client) => client.end());
	tap.close();
});
