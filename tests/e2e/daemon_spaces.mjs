// Spaces: of whom, how fast, how full, opened by who may and gone when nobody is left; and
// how much of it all one connection or one person has.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { Bundle, decodeBundle } from '../../clients/js/bundle.js';
import { sleep, start } from './daemon_process.mjs';
import { connect, secret, token } from './daemon_people.mjs';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'jointcast-spaces-'));
let daemon;

before(async () => {
	fs.writeFileSync(path.join(folder, 'key'), secret);
	const config = path.join(folder, 'jointcastd.conf');
	fs.writeFileSync(config, `
limits { connections_per_subject = 3 bodies_per_person = 10 }
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${folder}/key" } }
spaces { open = {"role:publish"} most = 4 most_of_one = 2 linger = 1 bodies = 2 }
space "lobby" { hz = 30 bodies = 64 }
space "stage" { hz = 10 watch = {"anyone"} publish = {"subject:ada"} moderate = {"nobody"} subscribers = 2 bodies = 64 }
space "fast" { hz = 120 bodies = 64 }
source "walker" { uri = "demo:walk" space = "fast" }
source "other" { uri = "demo:walk" space = "stage" }
source "third" { uri = "demo:walk" }
`);
	daemon = await start('--config', config);
});

after(async () => {
	assert.equal(await daemon.stop(), 0);
	fs.rmSync(folder, { recursive: true });
});

const publish = (space, name = 'Ada', publication = 0) => ({ type: 'publish', space, publication, name, kind: 'poses' });

async function enter(claims, ...messages) {
	const client = await connect(daemon, claims && { token: token(claims) }, ...messages);
	await client.get('welcome');
	return client;
}

test('one connection watches spaces of three rates and publishes bodies in each', async () => {
	const spaces = ['lobby', 'stage', 'fast'];
	const ada = await enter({ sub: 'ada' }, ...spaces.flatMap((space) => [{ type: 'join', space }, { type: 'subscribe', space }]),
		...spaces.flatMap((space, i) => [publish(space, 'Ada', 2 * i), publish(space, 'Bob', 2 * i + 1)]));
	await ada.get('published', ({ publication }) => publication === 5);
	const rosters = spaces.map((name) => ada.all().find(({ type, space, bodies }) => type === 'roster' && space === name && bodies));
	assert.deepEqual(rosters.map(({ tickHz }) => tickHz), [30, 10, 120]);
	const ids = rosters.map(({ id }) => id);
	const published = ada.all().filter(({ type }) => type === 'published');
	assert.deepEqual(published.map(({ space, name }) => [space, name]), spaces.flatMap((space) => [[space, 'Ada'], [space, 'Bob']]));
	const seen = () => {
		const found = new Map(ids.map((id) => [id, { ticks: [], bodies: new Set() }]));
		const bundle = new Bundle();
		for (const bytes of ada.bundles()) {
			decodeBundle(bytes, bundle);
			const space = found.get(bundle.space);
			space.ticks.push(bundle.tick);
			for (let i = 0; i < bundle.count; i++)
				space.bodies.add(bundle.body[i]);
		}
		return found;
	};
	await ada.raw.until(() => ids.every((id) => seen().get(id).ticks.length > 3));
	for (const [i, id] of ids.entries()) {
		const { ticks, bodies } = seen().get(id);
		assert.ok(ticks.every((tick, k) => k === 0 || tick > ticks[k - 1]), 'ticks of a space go on');
		assert.equal(bodies.size, 3, spaces[i]);
	}
	ada.say({ type: 'unpublish', publication: 0 }, { type: 'leave', space: 'stage' });
	await ada.get('roster', ({ space, left }) => space === 'lobby' && left?.includes(published[0].body));
	await ada.settled();
	const before = ada.all().filter(({ space, type }) => space === 'stage' && type === 'roster').length;
	ada.say({ type: 'unpublish', publication: 2 }); // of the space that it left
	await ada.get('unpublished', ({ publication }) => publication === 2);
	await ada.settled();
	assert.equal(ada.all().filter(({ space, type }) => space === 'stage' && type === 'roster').length, before);
	ada.end();
});

test('a space is for whom its policy says: anyone, a subject, nobody', async () => {
	const guest = await enter(null, { type: 'join', space: 'stage' });
	await guest.get('roster');
	assert.deepEqual((await guest.get('welcome')).rooms.map(({ name, tickHz, roles }) => [name, tickHz, roles]), [['stage', 10, ['watch']]]);
	guest.say(publish('stage'), { type: 'join', space: 'lobby' });
	assert.equal((await guest.next('error')).code, 'not-allowed', 'it may watch there');
	assert.equal((await guest.next('error')).code, 'unknown-space', 'it may do nothing there');
	const bob = await enter({ sub: 'bob', roles: ['watch', 'publish', 'moderate', 'administer'] }, publish('stage'),
		{ type: 'moderate', space: 'stage', action: 'list' });
	assert.equal((await bob.next('error')).code, 'not-allowed', 'his role is not asked for');
	assert.equal((await bob.next('error')).code, 'not-allowed', 'nobody is nobody');
	const ada = await enter({ sub: 'ada', roles: [] }, publish('stage'));
	await ada.get('published');
	[guest, bob, ada].forEach((client) => client.end());
});

// Of 64 bits FNV-1a makes the same of both; a token may be of any subject.
test('who ignores a person ignores nobody else, whatever the subjects are', async () => {
	const [one, other] = await Promise.all(['8yn0iYCKYHlIj4-BwPqk', 'GReLUrM4wMqfg9yzV3KQ'].map((sub) => enter({ sub })));
	one.say(publish('lobby', 'one'));
	other.say(publish('lobby', 'other'));
	const { body: ignored } = await one.get('published');
	const { body: seen } = await other.get('published');
	const eye = await enter({ sub: 'eye', roles: ['watch'] }, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' });
	const ids = () => {
		const bundle = new Bundle();
		return eye.bundles().map((bytes) => [...decodeBundle(bytes, bundle).body.subarray(0, bundle.count)]);
	};
	const sees = (id, from) => eye.raw.until(() => ids().slice(from).flat().includes(id));
	await sees(ignored, 0);
	eye.say({ type: 'ignore', space: 'lobby', body: ignored });
	await eye.get('worn', ({ bodies }) => bodies.some(({ id, skeleton }) => id === ignored && skeleton === null));
	// A body that stands still comes twice a second.
	await sees(seen, eye.bundles().length);
	assert.deepEqual(eye.all().filter(({ type }) => type === 'worn').flatMap(({ bodies }) => bodies.map(({ id }) => id)), [ignored]);
	[one, other, eye].forEach((client) => client.end());
});

test('a space that is full takes nobody more, until somebody leaves', async () => {
	const first = await enter(null, { type: 'join', space: 'stage' });
	const second = await enter(null, { type: 'join', space: 'stage' });
	await first.get('roster');
	await second.get('roster');
	const third = await enter(null, { type: 'join', space: 'stage' });
	const error = await third.get('error');
	assert.deepEqual([error.code, error.message], ['too-many', 'the space is full']);
	first.say({ type: 'leave', space: 'stage' });
	await first.settled();
	third.say({ type: 'join', space: 'stage' });
	await third.get('roster');
	[first, second, third].forEach((client) => client.end());
});

test('spaces are opened by joining or publishing, by who may, so many, and go when nobody is left', async () => {
	const watcher = await enter({ sub: 'eye', roles: ['watch'] }, { type: 'join', space: 'new' });
	assert.equal((await watcher.get('error')).code, 'unknown-space');
	const ada = await enter({ sub: 'ada' }, { type: 'join', space: 'new' }, publish('two'), { type: 'join', space: 'three' });
	assert.equal((await ada.get('roster')).tickHz, 60, 'as spaces are that nothing is said of');
	await ada.get('published');
	const third = await ada.get('error');
	assert.deepEqual([third.code, third.ref], ['too-many', 'join'], 'two of one person');
	for (const name of ['a/b', 'x'.repeat(64), '', 'a b']) {
		ada.say({ type: 'join', space: name });
		assert.equal((await ada.next('error', ({ code }) => code !== 'too-many')).code, 'unknown-space', name);
	}
	const bob = await enter({ sub: 'bob' }, { type: 'join', space: 'three' }, { type: 'join', space: 'four' });
	await bob.get('roster', ({ space }) => space === 'four');
	const cy = await enter({ sub: 'cy' }, { type: 'join', space: 'five' });
	assert.equal((await cy.get('error')).code, 'too-many', 'four of all');
	watcher.say({ type: 'join', space: 'new' });
	await watcher.get('roster', ({ space }) => space === 'new');
	ada.say(publish('new', 'Ada', 1), publish('new', 'Bob', 2), publish('new', 'Cy', 3));
	const full = await ada.get('error', ({ ref, code }) => ref === 'publish' && code === 'too-many');
	assert.equal(full.message, 'the space is full', 'two bodies');
	ada.end();
	bob.end();
	// "two", "three" and "four" go after a second; "new" has somebody in it.
	let spaces;
	do {
		await sleep(200);
		cy.say({ type: 'hello', token: token({ sub: 'cy' }) });
		({ spaces } = await cy.next('welcome'));
	} while (spaces.some((name) => /two|three|four/.test(name)));
	assert.ok(spaces.includes('new'));
	cy.say({ type: 'join', space: 'five' });
	await cy.get('roster', ({ space }) => space === 'five');
	[watcher, cy].forEach((client) => client.end());
});

test('who administers a space says how many it takes, and closes it', async () => {
	const root = await enter({ sub: 'root', roles: ['watch', 'publish', 'administer'] }, { type: 'join', space: 'hall' });
	await root.get('roster');
	const ada = await enter({ sub: 'ada' }, { type: 'join', space: 'hall' }, publish('hall'),
		{ type: 'administer', space: 'hall', action: 'close' });
	await ada.get('published');
	assert.equal((await ada.next('error')).code, 'not-allowed');
	root.say({ type: 'administer', space: 'hall', action: 'limit', bodies: 1 });
	const { bodies, subscribers } = await root.next('administered');
	assert.deepEqual([bodies, subscribers], [1, 16384]);
	ada.say(publish('hall', 'Bob', 1));
	assert.equal((await ada.next('error')).message, 'the space is full');
	for (const wrong of [{ action: 'limit', bodies: 65 }, { action: 'limit', subscribers: 0 }, { action: 'limit', bodies: '2' }, { action: 'open' }, {}]) {
		root.say({ type: 'administer', space: 'hall', ...wrong });
		assert.equal((await root.next('error')).code, 'bad-field');
	}
	root.say({ type: 'administer', space: 'hall', action: 'close' });
	await root.next('administered', ({ action }) => action === 'close');
	for (const client of [root, ada])
		assert.equal((await client.get('moderated')).action, 'close');
	await ada.get('unpublished');
	const late = await enter({ sub: 'late', roles: ['watch'] });
	do {
		await sleep(50);
		late.say({ type: 'join', space: 'hall' });
	} while (!late.all().some(({ code }) => code === 'unknown-space'));
	assert.match(daemon.log, /administration: 'subject root' in space 'hall': close/);
	[root, ada, late].forEach((client) => client.end());
});

test('a subject has so many connections and publishes so many bodies over them, an address too', async () => {
	const some = await Promise.all([1, 2, 3].map(() => enter({ sub: 'dora' })));
	const more = await connect(daemon, { token: token({ sub: 'dora' }) });
	const error = await more.get('error');
	assert.deepEqual([error.code, error.ref], ['too-many', 'hello']);
	assert.equal((await more.closed()).code, 1008);
	const other = await enter({ sub: 'emil' });
	some[0].end();
	const again = await new Promise((resolve) => {
		const ask = async () => {
			const client = await connect(daemon, { token: token({ sub: 'dora' }) });
			const first = await client.raw.until(() => client.all()[0]);
			if (first.type === 'welcome')
				resolve(client);
			else
				ask();
		};
		ask();
	});
	again.say({ type: 'token', token: token({ sub: 'dora' }) });
	await again.get('renewed');
	for (let i = 0; i < 8; i++)
		again.say(publish('lobby', `d${i}`, i));
	await again.get('published', ({ publication }) => publication === 7);
	some[1].say(publish('lobby', 'e', 0), publish('lobby', 'f', 1), publish('lobby', 'g', 2));
	const full = await some[1].get('error');
	assert.deepEqual([full.code, full.message], ['too-many', 'too many bodies of yours']);
	assert.equal(some[1].all().filter(({ type }) => type === 'published').length, 2);
	some[1].say(publish('lobby', 'd0', 3));
	assert.equal((await some[1].get('published', ({ publication }) => publication === 3)).name, 'd0', 'one that makes way does not count');
	await again.get('unpublished', ({ publication }) => publication === 0);
	other.say(publish('lobby', 'h', 0));
	await other.get('published');
	[...some, more, other, again].forEach((client) => client.end());
});
