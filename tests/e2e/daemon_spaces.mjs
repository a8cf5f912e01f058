// Spaces: policies, tick rates, limits, opening and closing; quotas of one connection and one
// subject.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { Bundle, decodeBundle } from '../../clients/js/bundle.js';
import { Client } from './support/client.mjs';
import { scratch, start, writer } from './support/daemon.mjs';
import { secret, token } from './support/token.mjs';
import { sleep } from './support/until.mjs';

const file = writer(scratch());
const daemon = await start('--config', file('jointcastd.conf', `
limits { connections_per_subject = 3 bodies_per_person = 10 }
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${file('key', secret)}" } }
spaces { open = {"role:publish"} most = 4 most_of_one = 2 linger = 1 bodies = 2 }
space "lobby" { hz = 30 bodies = 64 }
space "stage" { hz = 10 watch = {"anyone"} publish = {"subject:ada"} moderate = {"nobody"} subscribers = 2 bodies = 64 }
space "fast" { hz = 120 bodies = 64 }
source "walker" { uri = "demo:walk" space = "fast" }
source "other" { uri = "demo:walk" space = "stage" }
source "third" { uri = "demo:walk" }
`));
after(async () => assert.equal(await daemon.stop(), 0));

const publish = (space, name = 'Ada', publication = 0) => ({ type: 'publish', space, publication, name, kind: 'poses' });

const enter = (claims, ...messages) => Client.greeted(daemon, claims && { token: token(claims) }, ...messages);

test('one connection watches spaces of three rates and publishes bodies in each', async () => {
	const spaces = ['lobby', 'stage', 'fast'];
	const ada = await enter({ sub: 'ada' }, ...spaces.flatMap((space) => [{ type: 'join', space }, { type: 'subscribe', space }]),
		...spaces.flatMap((space, i) => [publish(space, 'Ada', 2 * i), publish(space, 'Bob', 2 * i + 1)]));
	await ada.find('published', ({ publication }) => publication === 5);
	ada.capture(0, 1, 2, 3, 4, 5);
	const rosters = spaces.map((name) => ada.messages.find(({ type, space, bodies }) => type === 'roster' && space === name && bodies));
	assert.deepEqual(rosters.map(({ tickHz }) => tickHz), [30, 10, 120]);
	const ids = rosters.map(({ id }) => id);
	const published = ada.messages.filter(({ type }) => type === 'published');
	assert.deepEqual(published.map(({ space, name }) => [space, name]), spaces.flatMap((space) => [[space, 'Ada'], [space, 'Bob']]));
	const seen = () => {
		const found = new Map(ids.map((id) => [id, { ticks: [], bodies: new Set() }]));
		const bundle = new Bundle();
		for (const bytes of ada.bundles) {
			decodeBundle(bytes, bundle);
			const space = found.get(bundle.space);
			space.ticks.push(bundle.tick);
			for (let i = 0; i < bundle.count; i++)
				space.bodies.add(bundle.body[i]);
		}
		return found;
	};
	await ada.until('a message', () => ids.every((id) => seen().get(id).bodies.size === 3));
	await ada.until('a message', () => ids.every((id) => seen().get(id).ticks.length > 3));
	for (const [i, id] of ids.entries()) {
		const { ticks, bodies } = seen().get(id);
		assert.ok(ticks.every((tick, k) => k === 0 || tick > ticks[k - 1]), 'ticks of a space go on');
		assert.equal(bodies.size, 3, spaces[i]);
	}
	ada.send({ type: 'unpublish', publication: 0 }, { type: 'leave', space: 'stage' });
	await ada.find('roster', ({ space, left }) => space === 'lobby' && left?.includes(published[0].body));
	await ada.settled();
	const before = ada.messages.filter(({ space, type }) => space === 'stage' && type === 'roster').length;
	ada.send({ type: 'unpublish', publication: 2 }); // of the space that it left
	await ada.find('unpublished', ({ publication }) => publication === 2);
	await ada.settled();
	assert.equal(ada.messages.filter(({ space, type }) => space === 'stage' && type === 'roster').length, before);
	ada.end();
});

test('the policy of a space admits all, one subject, or none', async () => {
	const guest = await enter(null, { type: 'join', space: 'stage' });
	await guest.find('roster');
	assert.deepEqual((await guest.find('welcome')).rooms.map(({ name, tickHz, roles }) => [name, tickHz, roles]), [['stage', 10, ['watch']]]);
	guest.send(publish('stage'), { type: 'join', space: 'lobby' });
	assert.equal((await guest.next('error')).code, 'not-allowed', 'it may watch there');
	assert.equal((await guest.next('error')).code, 'unknown-space', 'it may do nothing there');
	const bob = await enter({ sub: 'bob', roles: ['watch', 'publish', 'moderate', 'administer'] }, publish('stage'),
		{ type: 'moderate', space: 'stage', action: 'list' });
	assert.equal((await bob.next('error')).code, 'not-allowed', 'his role is not asked for');
	assert.equal((await bob.next('error')).code, 'not-allowed', 'nobody is nobody');
	const ada = await enter({ sub: 'ada', roles: [] }, publish('stage'));
	await ada.find('published');
	[guest, bob, ada].forEach((client) => client.end());
});

// Of 64 bits FNV-1a makes the same of both; a token may be of any subject.
test('ignoring a subject ignores no other subject, whatever their names are', async () => {
	const [one, other] = await Promise.all(['8yn0iYCKYHlIj4-BwPqk', 'GReLUrM4wMqfg9yzV3KQ'].map((sub) => enter({ sub })));
	one.send(publish('lobby', 'one'));
	other.send(publish('lobby', 'other'));
	const { body: ignored } = await one.find('published');
	const { body: seen } = await other.find('published');
	[one, other].forEach((client) => client.capture(0));
	const eye = await enter({ sub: 'eye', roles: ['watch'] }, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' });
	const ids = () => {
		const bundle = new Bundle();
		return eye.bundles.map((bytes) => [...decodeBundle(bytes, bundle).body.subarray(0, bundle.count)]);
	};
	const sees = (id, from) => eye.until('a message', () => ids().slice(from).flat().includes(id));
	await sees(ignored, 0);
	eye.send({ type: 'ignore', space: 'lobby', body: ignored });
	await eye.find('worn', ({ bodies }) => bodies.some(({ id, skeleton }) => id === ignored && skeleton === null));
	// A body that stands still comes twice a second.
	await sees(seen, eye.bundles.length);
	assert.deepEqual(eye.messages.filter(({ type }) => type === 'worn').flatMap(({ bodies }) => bodies.map(({ id }) => id)), [ignored]);
	[one, other, eye].forEach((client) => client.end());
});

test('a full space refuses clients until one leaves', async () => {
	const first = await enter(null, { type: 'join', space: 'stage' });
	const second = await enter(null, { type: 'join', space: 'stage' });
	await first.find('roster');
	await second.find('roster');
	const third = await enter(null, { type: 'join', space: 'stage' });
	const error = await third.find('error');
	assert.deepEqual([error.code, error.message], ['too-many', 'the space is full']);
	first.send({ type: 'leave', space: 'stage' });
	await first.settled();
	third.send({ type: 'join', space: 'stage' });
	await third.find('roster');
	[first, second, third].forEach((client) => client.end());
});

test('permitted clients open a limited number of spaces by joining or publishing; empty ones close', async () => {
	const watcher = await enter({ sub: 'eye', roles: ['watch'] }, { type: 'join', space: 'new' });
	assert.equal((await watcher.find('error')).code, 'unknown-space');
	const ada = await enter({ sub: 'ada' }, { type: 'join', space: 'new' }, publish('two'), { type: 'join', space: 'three' });
	assert.equal((await ada.find('roster')).tickHz, 60, 'as spaces are that nothing is said of');
	await ada.find('published');
	const third = await ada.find('error');
	assert.deepEqual([third.code, third.ref], ['too-many', 'join'], 'two of one person');
	for (const name of ['a/b', 'x'.repeat(64), '', 'a b']) {
		ada.send({ type: 'join', space: name });
		assert.equal((await ada.next('error', ({ code }) => code !== 'too-many')).code, 'bad-field', name);
	}
	const bob = await enter({ sub: 'bob' }, { type: 'join', space: 'three' }, { type: 'join', space: 'four' });
	await bob.find('roster', ({ space }) => space === 'four');
	const cy = await enter({ sub: 'cy' }, { type: 'join', space: 'five' });
	assert.equal((await cy.find('error')).code, 'too-many', 'four of all');
	watcher.send({ type: 'join', space: 'new' });
	await watcher.find('roster', ({ space }) => space === 'new');
	ada.send(publish('new', 'Ada', 1), publish('new', 'Bob', 2), publish('new', 'Cy', 3));
	const full = await ada.find('error', ({ ref, code }) => ref === 'publish' && code === 'too-many');
	assert.equal(full.message, 'the space is full', 'two bodies');
	ada.end();
	bob.end();
	// "two", "three" and "four" close after a second; "new" has a member.
	let spaces;
	do {
		await sleep(200);
		cy.send({ type: 'hello', token: token({ sub: 'cy' }) });
		({ spaces } = await cy.next('welcome'));
	} while (spaces.some((name) => /two|three|four/.test(name)));
	assert.ok(spaces.includes('new'));
	cy.send({ type: 'join', space: 'five' });
	await cy.find('roster', ({ space }) => space === 'five');
	[watcher, cy].forEach((client) => client.end());
});

test('administrators limit a space and close it', async () => {
	const root = await enter({ sub: 'root', roles: ['watch', 'publish', 'administer'] }, { type: 'join', space: 'hall' });
	await root.find('roster');
	const ada = await enter({ sub: 'ada' }, { type: 'join', space: 'hall' }, publish('hall'),
		{ type: 'administer', space: 'hall', action: 'close' });
	await ada.find('published');
	assert.equal((await ada.next('error')).code, 'not-allowed');
	root.send({ type: 'administer', space: 'hall', action: 'limit', bodies: 1 });
	const { bodies, subscribers } = await root.next('administered');
	assert.deepEqual([bodies, subscribers], [1, 16384]);
	ada.send(publish('hall', 'Bob', 1));
	assert.equal((await ada.next('error')).message, 'the space is full');
	for (const wrong of [{ action: 'limit', bodies: 65 }, { action: 'limit', subscribers: 0 }, { action: 'limit', bodies: '2' }, { action: 'open' }, {}]) {
		root.send({ type: 'administer', space: 'hall', ...wrong });
		assert.equal((await root.next('error')).code, 'bad-field');
	}
	root.send({ type: 'administer', space: 'hall', action: 'close' });
	await root.next('administered', ({ action }) => action === 'close');
	for (const client of [root, ada])
		assert.equal((await client.find('moderated')).action, 'close');
	await ada.find('unpublished');
	const late = await enter({ sub: 'late', roles: ['watch'] });
	do {
		await sleep(50);
		late.send({ type: 'join', space: 'hall' });
	} while (!late.messages.some(({ code }) => code === 'unknown-space'));
	assert.match(daemon.log, /administration: 'subject root' in space 'hall': close/);
	[root, ada, late].forEach((client) => client.end());
});

test('limits connections and bodies of a subject and of an address', async () => {
	const some = await Promise.all([1, 2, 3].map(() => enter({ sub: 'dora' })));
	const more = await Client.connect(daemon, { token: token({ sub: 'dora' }) });
	const error = await more.find('error');
	assert.deepEqual([error.code, error.ref], ['too-many', 'hello']);
	assert.equal((await more.closed).code, 1008);
	const other = await enter({ sub: 'emil' });
	some[0].end();
	const again = await new Promise((resolve) => {
		const ask = async () => {
			const client = await Client.connect(daemon, { token: token({ sub: 'dora' }) });
			const first = await client.until('a message', () => client.messages[0]);
			if (first.type === 'welcome')
				resolve(client);
			else
				ask();
		};
		ask();
	});
	again.send({ type: 'token', token: token({ sub: 'dora' }) });
	await again.find('renewed');
	for (let i = 0; i < 8; i++)
		again.send(publish('lobby', `d${i}`, i));
	await again.find('published', ({ publication }) => publication === 7);
	some[1].send(publish('lobby', 'e', 0), publish('lobby', 'f', 1), publish('lobby', 'g', 2));
	const full = await some[1].find('error');
	assert.deepEqual([full.code, full.message], ['too-many', 'you publish too many bodies']);
	assert.equal(some[1].messages.filter(({ type }) => type === 'published').length, 2);
	some[1].send(publish('lobby', 'd0', 3));
	assert.equal((await some[1].find('published', ({ publication }) => publication === 3)).name, 'd0', 'one that makes way does not count');
	await again.find('unpublished', ({ publication }) => publication === 0);
	other.send(publish('lobby', 'h', 0));
	await other.find('published');
	[...some, more, other, again].forEach((client) => client.end());
});
