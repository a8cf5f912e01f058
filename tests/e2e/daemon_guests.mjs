// Skeletons of clients without a token, on a daemon that has keys: each belongs to its
// connection and ends with it.
//
// usage: daemon_guests.mjs JOINTCASTD
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test, { after } from 'node:test';
import { Client } from './support/client.mjs';
import { scratch, start, writer } from './support/daemon.mjs';
import { secret, token } from './support/token.mjs';
import { until } from './support/until.mjs';

const OF_CONNECTION = 16, OF_ADDRESS = 64; // daemon/maxima.h
const folder = scratch();
const state = path.join(folder, 'state');
const file = writer(folder);
const config = file('jointcastd.conf', `
server { state = "${state}" }
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${file('key', secret)}" } }
space "open" { watch = {"anyone"} publish = {"anyone"} }
`);
const figure = (height) => ({ nodes: [{ name: 'h', translation: [0, height, 0] }], bones: { hips: 0 } });
const register = (name, height = 1) => ({ type: 'skeleton', name, descriptor: figure(height) });

// Registered before the daemon had keys.
const before = await start('--state', state);
const put = await fetch(`http://127.0.0.1:${before.port}/skeletons/old`, { method: 'PUT', body: JSON.stringify(figure(3)) });
assert.equal(put.status, 201);
const old = (await put.json()).hash;
assert.equal(await before.stop(), 0);

const daemon = await start('--config', config);
after(async () => assert.equal(await daemon.stop(), 0));

const enter = (hello, from) => Client.greeted({ ...daemon, from }, hello);
async function names(client) {
	client.send({ type: 'skeletons' });
	return (await client.next('wardrobe')).skeletons.map(({ name }) => name);
}
async function ask(client, message) {
	client.send(message);
	return client.next(/^un/.test(message.type) ? 'unregistered' : 'registered');
}
const refused = async (client, message) => {
	client.send(message);
	return client.next('error', ({ ref }) => ref === message.type);
};

test('two clients without a token have the same name for a skeleton each', async () => {
	const [a, b] = [await enter(), await enter()];
	const first = await ask(a, register('avatar', 1));
	assert.equal(first.stored, false, 'it does not outlive the connection');
	assert.deepEqual(await names(b), []);
	assert.equal((await refused(b, { type: 'unregister', name: 'avatar' })).code, 'unknown-skeleton');
	assert.equal((await refused(b, { type: 'publish', space: 'open', publication: 0, name: 'b', kind: 'poses', skeleton: first.hash })).code,
		'unknown-skeleton', 'nor is it worn by others');
	const second = await ask(b, register('avatar', 2));
	assert.notEqual(second.hash, first.hash);
	await ask(b, { type: 'unregister', name: 'avatar' });
	assert.deepEqual(await names(b), []);
	assert.deepEqual(await names(a), ['avatar']);
	a.send({ type: 'publish', space: 'open', publication: 0, name: 'a', kind: 'poses', skeleton: first.hash });
	await a.find('published');
	// A body keeps a removed skeleton.
	await ask(a, { type: 'unregister', name: 'avatar' });
	b.send({ type: 'join', space: 'open' });
	assert.equal((await b.find('roster')).bodies[0].skeleton, first.hash);
	[a, b].forEach((client) => client.end());
});

test('skeletons of guests are not stored, and guests do not own skeletons from before the keys', async () => {
	const guest = await enter();
	await ask(guest, register('avatar'));
	const files = fs.readdirSync(path.join(state, 'skeletons'), { recursive: true });
	assert.deepEqual(files.filter((name) => /avatar/.test(name)), []);
	assert.deepEqual(await names(guest), ['avatar']);
	assert.equal((await refused(guest, { type: 'unregister', name: 'old' })).code, 'unknown-skeleton');
	assert.equal((await refused(guest, { type: 'publish', space: 'open', publication: 0, name: 'g', kind: 'poses', skeleton: old })).code,
		'unknown-skeleton');
	const ada = await enter({ token: token({ sub: 'ada' }) });
	assert.deepEqual(await names(ada), []);
	[guest, ada].forEach((client) => client.end());
});

test('a request without a token is refused: no connection stays to own anything', async () => {
	const url = `http://127.0.0.1:${daemon.port}/skeletons`;
	for (const [method, target, body] of [['GET', url], ['GET', `${url}/old`], ['PUT', `${url}/x`, JSON.stringify(figure(1))], ['DELETE', `${url}/old`]]) {
		const answer = await fetch(target, { method, body });
		assert.deepEqual([answer.status, await answer.text()], [401, 'no-token\n'], `${method} ${target}`);
	}
});

test('a client that shows a token later begins as its subject', async () => {
	const ada = await enter();
	await ask(ada, register('avatar'));
	ada.send({ type: 'token', token: token({ sub: 'ada' }) });
	await ada.find('renewed');
	assert.deepEqual(await names(ada), []);
	assert.equal((await ask(ada, register('hers'))).stored, true);
	const again = await enter({ token: token({ sub: 'ada' }) });
	assert.deepEqual(await names(again), ['hers']);
	[ada, again].forEach((client) => client.end());
});

/** A client that asks for as many as one connection may have, and how many it got. */
async function fill(from) {
	const client = await enter(undefined, from);
	for (let i = 0; i < OF_CONNECTION; i++)
		client.send(register(`s${i}`, 1 + i / 8));
	const answers = () => client.messages.filter(({ type }) => type === 'registered' || type === 'error');
	await client.until('a message', () => answers().length === OF_CONNECTION);
	return { client, count: answers().filter(({ type }) => type === 'registered').length };
}

test('an address has a quota over all its connections, and gets it back when they end', async () => {
	const from = '127.0.0.9';
	const all = [];
	for (let i = 0; i < OF_ADDRESS / OF_CONNECTION; i++)
		all.push(await fill(from));
	assert.deepEqual(all.map(({ count }) => count), all.map(() => OF_CONNECTION));
	const more = await enter(undefined, from);
	const full = await refused(more, register('more'));
	assert.deepEqual([full.code, full.name], ['too-many', 'more']);
	assert.match(full.message, /without a token/);
	// Others have theirs still, and so has another address.
	for (const { client } of all)
		assert.equal((await names(client)).length, OF_CONNECTION);
	const elsewhere = await enter(undefined, '127.0.0.10');
	await ask(elsewhere, register('there'));
	all[0].client.end();
	await until('room', async () => {
		const next = await enter(undefined, from);
		next.send(register('next'));
		const { type } = await next.until('a message', () => next.messages.find(({ name }) => name === 'next'));
		next.end();
		return type === 'registered';
	});
	[more, elsewhere, ...all.map(({ client }) => client)].forEach((client) => client.end());
});

test('a registration in progress ends with its connection', async () => {
	const from = '127.0.0.11';
	for (let i = 0; i < 8; i++) {
		const client = await enter(undefined, from);
		for (let k = 0; k < OF_CONNECTION; k++)
			client.send(register(`s${k}`, 1 + k / 8));
		// The answer to the last message: all registrations have begun.
		client.send({ type: 'skeletons' });
		await client.find('wardrobe');
		client.end();
	}
	// All of the quota is there.
	const all = [];
	await until('all of them to end', async () => {
		const { client, count } = await fill(from);
		all.push(client);
		if (count === OF_CONNECTION)
			return true;
		all.pop().end();
	});
	for (let i = 1; i < OF_ADDRESS / OF_CONNECTION; i++) {
		const { client, count } = await fill(from);
		all.push(client);
		assert.equal(count, OF_CONNECTION);
	}
	all.forEach((client) => client.end());
});

test('skeletons registered without keys return when the keys are removed', async () => {
	const copy = path.join(folder, 'copy');
	fs.cpSync(state, copy, { recursive: true });
	const open = await start('--state', copy);
	const { skeletons } = await (await fetch(`http://127.0.0.1:${open.port}/skeletons`)).json();
	assert.deepEqual(skeletons.map(({ name }) => name), ['old']);
	assert.equal(await open.stop(), 0);
});
