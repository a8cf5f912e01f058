// Properties of a body in the roster: names, metadata, consent, placement; the permission to
// change them, and limits on how often.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { Bundle, decodeBundle } from '../../clients/js/bundle.js';
import { Client } from './support/client.mjs';
import { scratch, start, writer } from './support/daemon.mjs';
import { secret, token } from './support/token.mjs';

const file = writer(scratch());
const daemon = await start('--config', file('jointcastd.conf', `
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${file('key', secret)}" } }
space "open" { watch = {"anyone"} publish = {"anyone"} }
source "walker" { uri = "demo:walk" }
`));
after(async () => assert.equal(await daemon.stop(), 0));

const publish = (rest, space = 'lobby') =>
	({ type: 'publish', space, publication: 0, name: 'Ada', kind: 'poses', ...rest });

const enter = (claims, ...messages) => Client.greeted(daemon, claims && { token: token(claims) }, ...messages);

const entries = (client, body) => client.messages
	.flatMap(({ bodies, joined, changed }) => [...(bodies ?? []), ...(joined ?? []), ...(changed ?? [])])
	.filter(({ id }) => id === body);

/** The newest entry of the body, once that fulfils it: an answer may come before its roster change. */
const newest = (client, body, is = () => true) => client.until('a message', () => {
	const entry = entries(client, body).at(-1);
	return entry && is(entry) && entry;
});

test('properties of a body are in the roster of present and of later members', async () => {
	const eye = await enter({ sub: 'eye' }, { type: 'join', space: 'lobby' });
	await eye.find('roster');
	const said = { display: 'Ada Lovelace, 1843', meta: { team: 'blue', score: 12.5, ready: true }, mayRecord: 'raw',
		mayRebroadcast: true, placement: { position: [1.5, 0, -2], yaw: 0.5, seat: { height: 0.45 } } };
	const ada = await enter({ sub: 'ada' }, publish(said));
	const { body } = await ada.find('published');
	// The body is stale before and after: no capture comes.
	const { joined } = await eye.find('roster', (roster) => roster.joined?.some(({ id }) => id === body));
	const entry = joined.find(({ id }) => id === body);
	const late = await enter({ sub: 'late' }, { type: 'join', space: 'lobby' });
	const [whole] = (await late.find('roster')).bodies.filter(({ id }) => id === body);
	assert.deepEqual(whole, entry);
	assert.equal(entry.name, 'Ada');
	assert.equal(entry.display, said.display);
	assert.deepEqual(entry.meta, said.meta);
	assert.equal(entry.mayRecord, true);
	assert.equal(entry.mayRebroadcast, true);
	assert.deepEqual(entry.placement, { position: [1.5, 0, -2], yaw: 0.5 });
	assert.ok(Math.abs(entry.seat.height - 0.45) < 1e-6);
	[ada, eye, late].forEach((client) => client.end());
});

test('refuses missing consent', async () => {
	const ada = await enter({ sub: 'ada' }, { type: 'join', space: 'lobby' }, publish());
	const { body, name } = await ada.find('published');
	assert.equal(name, 'Ada');
	const entry = await newest(ada, body);
	assert.deepEqual([entry.mayRecord, entry.mayRebroadcast, entry.display, entry.meta], [undefined, undefined, undefined, undefined]);
	ada.end();
});

test('metadata and consent change while the body is present; fields that are not named stay', async () => {
	const ada = await enter({ sub: 'ada' }, { type: 'join', space: 'lobby' },
		publish({ meta: { team: 'blue' }, display: 'A', mayRecord: true }));
	const { body } = await ada.find('published');
	ada.send({ type: 'amend', publication: 0, display: 'B' });
	await ada.next('amended');
	const { id, skeleton, incarnation, placement, state, ...said } = await newest(ada, body, ({ display }) => display === 'B');
	assert.deepEqual(said, { waiting: true, name: 'Ada', display: 'B', meta: { team: 'blue' }, mayRecord: true });
	ada.send({ type: 'consent', publication: 0, mayRebroadcast: true });
	await ada.next('consented');
	assert.equal((await newest(ada, body, ({ mayRebroadcast }) => mayRebroadcast)).mayRecord, undefined);
	ada.send({ type: 'amend', publication: 0, meta: {} });
	await ada.next('amended');
	await newest(ada, body, (entry) => entry.meta === undefined);
	ada.send({ type: 'amend', publication: 1, display: 'C' });
	assert.equal((await ada.next('error')).code, 'unknown-publication');
	ada.end();
});

for (const [what, fields] of [
	['seventeen keys', { meta: Object.fromEntries([...Array(17).keys()].map((i) => [`k${i}`, i])) }],
	['a long key', { meta: { ['k'.repeat(33)]: 1 } }], ['an empty key', { meta: { '': 1 } }],
	['a list in it', { meta: { a: [1] } }], ['an object in it', { meta: { a: {} } }], ['nothing in it', { meta: { a: null } }],
	['more than 1024 bytes', { meta: { a: 'x'.repeat(1020) } }], ['a list', { meta: [] }],
	['a long display name', { display: 'é'.repeat(32) }], ['a display name of two lines', { display: 'a\nb' }],
	['a place without a number', { placement: { position: [0, 0], yaw: 0 } }],
	['a place too far', { placement: { position: [0, 0, 10001], yaw: 0 } }],
	['a place that looks nowhere', { placement: { position: [0, 0, 0] } }],
	['a seat as a tower', { placement: { position: [0, 0, 0], yaw: 0, seat: { height: 4 } } }],
]) {
	test(`no body enters with metadata or a placement of ${what}`, async () => {
		const ada = await enter({ sub: 'ada' }, publish(fields));
		assert.equal((await ada.find('error')).code, 'bad-field');
		ada.end();
	});
}

test('1024 bytes of metadata in sixteen keys are fine', async () => {
	const meta = Object.fromEntries([...Array(16).keys()].map((i) => [`key-${String(i).padStart(28, '0')}`, 'x'.repeat(25)]));
	meta['key-'.padEnd(32, '0')] += 'y'.repeat(1024 - JSON.stringify(meta).length);
	assert.equal(JSON.stringify(meta).length, 1024);
	const ada = await enter({ sub: 'ada' }, { type: 'join', space: 'lobby' }, publish({ meta }));
	const { body } = await ada.find('published');
	assert.deepEqual((await newest(ada, body)).meta, meta);
	ada.end();
});

test('a name is unique in a space: a later body gets a suffix, and UTF-8 characters stay whole', async () => {
	const name = `${'x'.repeat(57)}éé`; // 61 bytes; " (2)" leaves 59, which would cut the last one
	const ada = await enter(null, publish({ name: 'walker' }, 'open'), publish({ name: 'walker', publication: 1 }, 'open'),
		publish({ name, publication: 2 }, 'open'), publish({ name, publication: 3 }, 'open'));
	await ada.find('published', ({ publication }) => publication === 3);
	assert.deepEqual(ada.messages.filter(({ type }) => type === 'published').map((message) => message.name),
		['walker', 'walker (2)', name, `${'x'.repeat(57)}é (2)`]);
	ada.send({ type: 'unpublish', publication: 0 }, publish({ name: 'walker', publication: 4 }, 'open'));
	assert.equal((await ada.find('published', ({ publication }) => publication === 4)).name, 'walker', 'it is free again');
	ada.end();
	const bob = await enter({ sub: 'bob' }, publish({ name: 'walker' }));
	assert.equal((await bob.find('published')).name, 'walker (2)', 'the server brings one of that name');
	bob.end();
});

test('the same subject on another connection replaces its old body', async () => {
	const before = await enter({ sub: 'ada', bodies: ['Ada'] }, publish(), publish({ name: 'Ada', publication: 1 }, 'open'));
	const { body } = await before.find('published');
	await before.find('published', ({ publication }) => publication === 1);
	const other = await enter({ sub: 'eve', bodies: ['Ada'] }, publish());
	assert.equal((await other.find('published')).name, 'Ada (2)', 'not so for anybody else');
	const back = await enter({ sub: 'ada', bodies: ['Ada'] }, publish());
	const again = await back.find('published');
	assert.equal(again.name, 'Ada');
	assert.notEqual(again.body, body);
	await before.find('unpublished', ({ publication }) => publication === 0);
	await before.settled();
	assert.ok(!before.messages.some(({ type, publication }) => type === 'unpublished' && publication === 1), 'in that space alone');
	other.send({ type: 'token', token: token({ sub: 'eve', bodies: ['Ada'] }) });
	await other.find('renewed');
	await other.settled();
	assert.ok(!other.messages.some(({ type }) => type === 'unpublished'), 'the token names what was asked for');
	[before, other, back].forEach((client) => client.end());
});

test('a token sent later changes the subject that other clients ignore', async () => {
	const ada = await enter({ sub: 'ada' }, publish({}, 'open'));
	const { body } = await ada.find('published');
	const anybody = await enter(null, publish({ name: 'B' }, 'open'));
	const { body: other } = await anybody.find('published');
	[ada, anybody].forEach((client) => client.capture(0));
	const bob = await Client.connect(daemon, { token: token({ sub: 'bob' }), codings: [2] }, { type: 'join', space: 'open' });
	await Promise.all([body, other].map((id) => newest(bob, id, ({ waiting }) => !waiting)));
	bob.send({ type: 'subscribe', space: 'open' }, { type: 'ignore', space: 'open', body });
	const worn = (id, is) => ({ bodies }) => bodies.some((one) => one.id === id && (one.skeleton !== null) === is);
	await bob.find('worn', worn(body, false));
	await bob.settled();
	assert.ok(!bob.messages.some((message) => message.type === 'worn' && worn(other, false)(message)), 'it may be anybody');
	anybody.send({ type: 'token', token: token({ sub: 'ada' }) });
	await bob.find('worn', worn(other, false));
	bob.send({ type: 'ignore', space: 'open', body: other, ignore: false });
	await bob.find('worn', worn(body, true));
	await bob.find('worn', worn(other, true));
	[ada, anybody, bob].forEach((client) => client.end());
});

// The placement of proto/BUNDLES.md, "A bundle, byte by byte", and its bytes there.
const spot = { position: [1.5, 0, -2], yaw: Math.PI / 2 };
const bytes = Buffer.from('b817009f1f0040', 'hex');

/** The packets of a body in the received bundles, each with its bundle. */
function packets(client, body) {
	const bundle = new Bundle(); // heads are short after a long one
	return client.bundles.flatMap((message) => {
		decodeBundle(message, bundle);
		return [...Array(bundle.count).keys()].filter((i) => bundle.body[i] === body)
			.map((i) => ({ tick: bundle.tick, cut: bundle.cut[i] === 1, payload: Buffer.from(message.subarray(bundle.start[i], bundle.end[i])) }));
	});
}

for (const codings of [[1], [2]]) {
	test(`a teleport jumps, a near placement moves there, in coding ${codings}`, async () => {
		const eye = await Client.connect(daemon, { token: token({ sub: 'eye' }), codings }, { type: 'join', space: 'lobby' },
			{ type: 'subscribe', space: 'lobby' });
		const ada = await enter({ sub: 'ada' }, publish({ placement: { position: [1.5, 0, -2.5], yaw: spot.yaw } }));
		const { body } = await ada.find('published');
		ada.capture(0);
		await eye.until('a message', () => packets(eye, body).length > 0);
		assert.ok(packets(eye, body).every(({ payload }) => !payload.includes('b817008727', 'hex')), 'the roster has the first');
		ada.send({ type: 'place', space: 'lobby', body, ...spot });
		await eye.until('a message', () => packets(eye, body).some(({ payload }) => payload.includes(bytes)));
		const first = packets(eye, body).findIndex(({ payload }) => payload.includes(bytes));
		assert.equal(packets(eye, body)[first].cut, false, 'half a metre is a step');
		const told = await eye.find('roster', ({ changed }) => changed?.some(({ id }) => id === body));
		assert.deepEqual(told.changed.find(({ id }) => id === body).placement.position, spot.position, 'the roster follows');

		ada.send({ type: 'place', space: 'lobby', body, position: [1.5, 0, -2.25], yaw: 0, teleport: true });
		const jump = Buffer.from('b817009323', 'hex'); // −2250 is 4499: 0x13 + 35 × 128
		await eye.until('a message', () => packets(eye, body).some(({ payload }) => payload.includes(jump)));
		assert.equal(packets(eye, body).find(({ payload }) => payload.includes(jump)).cut, true);
		ada.send({ type: 'place', space: 'lobby', body, ...spot, position: [3.5, 0, -2] });
		const far = Buffer.from('d836009f1f', 'hex'); // 3500 is 7000: 0x58 + 54 × 128
		await eye.until('a message', () => packets(eye, body).some(({ payload }) => payload.includes(far)));
		assert.equal(packets(eye, body).find(({ payload }) => payload.includes(far)).cut, true, 'two metres are a jump');
		ada.send({ type: 'place', space: 'lobby', body, ...spot, position: [3.5, 0, -2], seat: { height: 0.5 } });
		const sits = await eye.find('roster', ({ changed }) => changed?.some(({ id, seat }) => id === body && seat));
		assert.equal(sits.changed.find(({ id }) => id === body).seat.height, 0.5);
		eye.end();
		ada.end();
	});
}

test('only its own connection and moderators place a body', async () => {
	const ada = await enter({ sub: 'ada' }, publish());
	const { body } = await ada.find('published');
	const place = { type: 'place', space: 'lobby', body, ...spot };
	const eve = await enter({ sub: 'eve' }, place);
	assert.equal((await eve.find('error')).code, 'not-allowed');
	const other = await enter({ sub: 'ada' }, place);
	assert.equal((await other.find('error')).code, 'not-allowed', 'another connection of hers does not either');
	const mia = await enter({ sub: 'mia', roles: ['watch', 'moderate'] }, { type: 'join', space: 'lobby' }, place);
	await newest(mia, body, ({ placement }) => placement.position[0] === 1.5);
	for (const [code, message] of [['unknown-body', { ...place, body: 4000 }], ['unknown-space', { ...place, space: 'cellar' }],
		['bad-field', { ...place, yaw: 'left' }], ['bad-field', { ...place, position: [0, 0, 1e9] }],
		['bad-field', { ...place, teleport: 1 }], ['bad-field', { ...place, body: 'Ada' }], ['bad-field', { ...place, seat: {} }]]) {
		mia.send(message);
		assert.equal((await mia.next('error')).code, code);
	}
	[ada, eve, other, mia].forEach((client) => client.end());
});

test('moderators put a body on stage, its publisher cannot', async () => {
	const ada = await enter({ sub: 'ada' }, publish());
	const { body } = await ada.find('published');
	const stage = { type: 'stage', space: 'lobby', body };
	ada.send(stage);
	assert.equal((await ada.find('error')).code, 'not-allowed');
	const mia = await enter({ sub: 'mia', roles: ['watch', 'moderate'] }, { type: 'join', space: 'lobby' }, stage);
	await newest(mia, body, (entry) => entry.stage === true);
	mia.send({ ...stage, stage: false });
	await newest(mia, body, (entry) => entry.stage === undefined);
	[ada, mia].forEach((client) => client.end());
});

test('a body that enters and leaves at once is in no roster, or in complete messages', async () => {
	const eye = await enter({ sub: 'eye' }, { type: 'join', space: 'lobby' });
	await eye.find('roster');
	const ada = await enter({ sub: 'ada' }, publish(), { type: 'unpublish', publication: 0 });
	await ada.find('unpublished');
	ada.send(publish({ publication: 1 }));
	const { body } = await ada.find('published', ({ publication }) => publication === 1);
	await newest(eye, body); // each message before it fits its schema
	[ada, eye].forEach((client) => client.end());
});

test('limits repeated publishing and unpublishing', async () => {
	const ada = await enter({ sub: 'ada' });
	for (let i = 0; i < 20; i++)
		ada.send(publish(), { type: 'unpublish', publication: 0 });
	const error = await ada.find('error', ({ ref }) => ref === 'publish');
	assert.equal(error.code, 'too-many');
	assert.match(error.message, /bodies a second/);
	ada.end();
});
