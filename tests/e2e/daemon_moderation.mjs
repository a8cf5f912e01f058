// Requests of moderators: notifications, immediate effects, duration of sanctions, and that
// sanctions survive a restart.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createSocket } from 'node:dgram';
import path from 'node:path';
import test, { after, before, beforeEach } from 'node:test';
import { Client } from './support/client.mjs';
import { scratch, start } from './support/daemon.mjs';
import { parse } from './support/osc.mjs';
import { now, secret, token } from './support/token.mjs';
import { sleep, until } from './support/until.mjs';
import { stream } from './support/vmc_sender.mjs';

/** An address of a person in the log; the daemon's own have a port. */
const ADDRESS = /address [\d:]|2001:db8|192\.0\.2\.|127\.0\.0\.\d+(?!:|\d)/;
const folder = scratch();
const config = path.join(folder, 'jointcastd.conf');
let daemon;

before(async () => {
	fs.writeFileSync(path.join(folder, 'key'), secret);
	fs.writeFileSync(config, `
server { state = "${folder}/state" }
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${folder}/key" } }
spaces { watch = {"role:watch"} }
space "attic" {}
space "open" { watch = {"anyone"} publish = {"anyone"} }
source "walker" { uri = "demo:walk" }
`);
	daemon = await start('--config', config);
});

after(async () => {
	assert.equal(await daemon.stop(), 0);
	assert.doesNotMatch(daemon.log, /eyJ/, 'a token is in the log');
	assert.doesNotMatch(daemon.log, ADDRESS);
});

const mods = { sub: 'mia', roles: ['watch', 'moderate'] };
const moderate = (action, rest, space = 'lobby') => ({ type: 'moderate', space, action, ...rest });
const publish = (name, space = 'lobby', publication = 0) =>
	({ type: 'publish', space, publication, name, kind: 'poses' });

const logged = (from, pattern) => until(() => `${pattern} in the log`, () => pattern.test(from.log));
const enter = (claims, ...messages) => Client.greeted(daemon, claims && { token: token(claims) }, ...messages);

/** Waits for an entry of the body in any roster message: an answer may come before its roster change. */
const entry = (client, body, is = () => true) => client.until('a message', () => client.messages
	.flatMap(({ bodies, joined, changed }) => [...(bodies ?? []), ...(joined ?? []), ...(changed ?? [])])
	.find((one) => one.id === body && is(one)));

/** Lifts all sanctions of earlier tests. */
beforeEach(async () => {
	const mia = await enter(mods);
	for (const space of ['lobby', 'attic', 'open']) {
		mia.send(moderate('list', {}, space));
		const { sanctions } = await mia.find('sanctions', (message) => message.space === space);
		for (const { kind, by, since, until, reason, ...whom } of sanctions)
			mia.send(moderate({ hide: 'show', mute: 'unmute', ban: 'unban' }[kind], whom, space));
	}
	await mia.settled();
	mia.end();
});

test('moderation needs the role, in a space that the token names', async () => {
	const eve = await enter({ sub: 'eve' }, moderate('kick', { subject: 'ada' }));
	assert.equal((await eve.find('error')).code, 'not-allowed');
	eve.end();
	const mia = await enter({ ...mods, spaces: ['attic'] }, moderate('kick', { subject: 'ada' }));
	assert.equal((await mia.find('error')).code, 'unknown-space');
	mia.end();
});

test('a ban is revealed only to tokens that name the space', async () => {
	const mia = await enter(mods, moderate('ban', { subject: 'eve' }));
	await mia.find('moderated');
	const join = { type: 'join', space: 'lobby' };
	const named = await enter({ sub: 'eve' }, join);
	assert.equal((await named.find('error')).code, 'banned');
	const elsewhere = await enter({ sub: 'eve', spaces: ['attic'] }, join);
	assert.equal((await elsewhere.find('error')).code, 'unknown-space');
	[mia, named, elsewhere].forEach((client) => client.end());
});

test('a kick ends membership and bodies, gives a reason, and permits a return', async () => {
	const ada = await enter({ sub: 'ada' }, { type: 'join', space: 'lobby' }, publish('Ada'));
	const { body } = await ada.find('published');
	const mia = await enter(mods, { type: 'join', space: 'lobby' });
	await entry(mia, body);
	mia.send(moderate('kick', { body, reason: 'shouting' }));
	const answer = await mia.find('moderated');
	assert.deepEqual(answer, { type: 'moderated', space: 'lobby', action: 'kick', body, subject: 'ada',
		reason: 'shouting', concerned: 1 });
	assert.deepEqual(await ada.find('moderated'), { type: 'moderated', space: 'lobby', action: 'kick', body,
		reason: 'shouting' });
	await ada.find('unpublished');
	await mia.find('roster', ({ left }) => left?.includes(body));
	ada.send({ type: 'subscribe', space: 'lobby' });
	assert.equal((await ada.find('error')).code, 'not-joined');
	ada.send({ type: 'join', space: 'lobby' }, publish('Ada'));
	await ada.next('published', (message) => message.body !== body);
	assert.match(daemon.log, /moderation: 'subject mia' in space 'lobby': kick 'subject ada', 1 there, reason 'shouting'/);
	ada.end();
	mia.end();
});

test('a ban forbids joining and publishing in its space, until it is lifted', async () => {
	const ada = await enter({ sub: 'ada' }, { type: 'join', space: 'lobby' }, publish('Ada'));
	const { body } = await ada.find('published');
	const mia = await enter(mods, moderate('ban', { body, seconds: 1000 }));
	const { until, stored, subject } = await mia.find('moderated');
	assert.equal(stored, true);
	assert.equal(subject, 'ada');
	assert.ok(Math.abs(until - now() - 1000) <= 5);
	await ada.find('unpublished');
	ada.send({ type: 'join', space: 'lobby' });
	const joining = await ada.find('error', ({ ref }) => ref === 'join');
	assert.equal(joining.code, 'banned');
	assert.equal(joining.until, until);
	ada.send(publish('Ada'));
	assert.equal((await ada.find('error', ({ ref }) => ref === 'publish')).code, 'banned');
	ada.send({ type: 'join', space: 'attic' });
	await ada.find('roster', ({ space }) => space === 'attic');
	const again = await enter({ sub: 'ada' });
	assert.deepEqual((await again.find('welcome')).spaces, ['attic', 'open']);
	again.end();
	mia.send(moderate('unban', { subject: 'ada' }));
	await mia.find('moderated', ({ action }) => action === 'unban');
	ada.send(publish('Ada'));
	await ada.next('published', (message) => message.body !== body);
	ada.end();
	mia.end();
});

test('a ban ends by itself', async () => {
	const mia = await enter(mods, moderate('ban', { subject: 'ada', seconds: 1 }));
	await mia.find('moderated');
	const ada = await enter({ sub: 'ada' }, { type: 'join', space: 'lobby' });
	assert.equal((await ada.find('error')).code, 'banned');
	do {
		await sleep(100);
		mia.send(moderate('list'));
	} while ((await mia.next('sanctions')).sanctions.length > 0);
	ada.send({ type: 'join', space: 'lobby' });
	await ada.find('roster');
	ada.end();
	mia.end();
});

test('a ban by address applies with and without a token, never to the moderator', async () => {
	const mia = await enter({ ...mods, spaces: '*' }, moderate('ban', { address: '127.0.0.1' }, 'open'));
	const error = await mia.find('error');
	assert.equal(error.code, 'unsupported');
	assert.match(error.message, /yourself/);
	mia.send(moderate('ban', { subject: 'mia' }));
	assert.match((await mia.next('error', ({ message }) => /yourself/.test(message))).message, /yourself/);
	mia.send(moderate('ban', { address: '2001:db8::7' }, 'open'));
	const far = await mia.find('moderated');
	assert.deepEqual([far.address, far.concerned], ['2001:db8::/64', 0]);
	await logged(daemon, /moderation: 'subject mia' in space 'open': ban 'an address', 0 there/);
	const nobody = await enter(null, { type: 'join', space: 'open' }, publish('Guest', 'open'));
	const { body } = await nobody.find('published');
	mia.send(moderate('ban', { body }, 'open'));
	assert.match((await mia.next('error')).message, /yourself/, 'the body comes from the address of the moderator');
	mia.send(moderate('kick', { body }, 'open'));
	assert.equal((await mia.find('moderated', ({ action }) => action === 'kick')).concerned, 1);
	await nobody.find('unpublished');
	nobody.end();
	mia.end();
});

test('a hidden body stays in the roster and in no view, until it is shown again', async () => {
	const ada = await enter({ sub: 'ada' }, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' });
	const { bodies } = await ada.find('roster');
	const { id } = bodies.find(({ name }) => name === 'walker');
	const mia = await enter(mods, moderate('hide', { body: id }));
	assert.equal((await mia.find('moderated')).name, 'walker');
	const is = (hidden) => ({ changed }) => changed?.some((one) => one.id === id && one.hidden === hidden);
	const { changed } = await ada.next('roster', is(true));
	assert.equal(changed.find((one) => one.id === id).name, 'walker');
	// A new subscriber gets bundles of coding 1, which list their bodies: none.
	const eye = await enter({ sub: 'eye' }, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' });
	await eye.until('a message', () => eye.bundles.length > 10);
	assert.ok(eye.bundles.every((bundle) => bundle.length <= 8), 'bundles without a packet');
	mia.send(moderate('show', { body: id }));
	await ada.next('roster', is(undefined));
	await eye.until('a message', () => eye.bundles.at(-1).length > 40);
	ada.end();
	eye.end();
	mia.end();
});

test('bodies of a muted publisher do not move, new ones included', async () => {
	const mia = await enter(mods, moderate('mute', { subject: 'ada', reason: 'noise' }));
	await mia.find('moderated');
	const ada = await enter({ sub: 'ada' }, { type: 'join', space: 'lobby' }, publish('Ada'));
	const { body } = await ada.find('published');
	await entry(ada, body, ({ muted }) => muted);
	// A pose of hips at rest, captured at server time 1 (proto/PUBLISHING.md, "Captures").
	const capture = Buffer.concat([Buffer.from([0x21, 0, 0x41, 0]),
		Buffer.from([0, 0, 0, 0, 0, 1]).reverse(), Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 0, 0])]);
	ada.ws.send(capture);
	await ada.settled();
	const isLive = (client) => client.messages
		.flatMap(({ bodies, joined, changed }) => [...(bodies ?? []), ...(joined ?? []), ...(changed ?? [])])
		.some(({ id, state }) => id === body && state === 'live');
	mia.send(moderate('unmute', { subject: 'ada' }));
	await ada.find('roster', ({ changed }) => changed?.some(({ id, muted }) => id === body && !muted));
	assert.equal(isLive(ada), false, 'the capture was not taken');
	ada.ws.send(capture);
	await ada.until('a message', () => isLive(ada));
	ada.end();
	mia.end();
});

test('the server\'s own bodies can be hidden and nothing else', async () => {
	const mia = await enter(mods, { type: 'join', space: 'lobby' });
	const { bodies } = await mia.find('roster');
	mia.send(moderate('kick', { body: bodies[0].id }));
	const error = await mia.find('error');
	assert.equal(error.code, 'unsupported');
	assert.match(error.message, /can only be hidden/);
	mia.end();
});

/** A bound socket for datagrams. */
async function datagrams() {
	const socket = createSocket('udp4');
	await new Promise((resolve) => socket.bind(0, '127.0.0.1', resolve));
	return socket;
}

test('a body that comes and goes is hidden from its first motion on', async (t) => {
	const sender = await datagrams();
	const receiver = await datagrams();
	t.after(() => [sender, receiver].forEach((socket) => socket.close()));
	const bones = [];
	receiver.on('message', (packet) => bones.push(...parse(packet).filter(({ address }) => address === '/VMC/Ext/Bone/Pos')));
	// The port stays the same after the restart.
	const place = await datagrams();
	const { port } = place.address();
	const file = path.join(folder, 'visitor.conf');
	fs.writeFileSync(file, `
server { state = "${folder}/visitor" }
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${folder}/key" } }
spaces { watch = {"role:watch"} leave_after = 2 }
source "Ada" { uri = "vmc:127.0.0.1:${port}" }
`);
	await new Promise((resolve) => place.close(resolve));
	const begin = () => start('--config', file, '--vmc-out', `127.0.0.1:${receiver.address().port}?body=Ada`);
	let gateway = await begin();
	t.after(() => gateway.child.kill('SIGKILL'));
	const join = async () => {
		const mia = await Client.greeted(gateway, { token: token(mods) }, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' });
		t.after(() => mia.end());
		return mia;
	};
	let mia = await join();
	const enters = () => mia.next('roster', ({ bodies, joined }) => [...bodies ?? [], ...joined ?? []].length > 0)
		.then(({ bodies, joined }) => [...bodies ?? [], ...joined ?? []].map(({ name, hidden }) => [name, hidden]));
	const leaves = () => mia.next('roster', ({ left }) => left);
	const request = async (action) => {
		mia.send(moderate(action, { name: 'Ada' }));
		await mia.next('moderated', (answer) => answer.action === action);
	};
	const moreBundles = async () => {
		const from = mia.bundles.length;
		await mia.until('bundles', () => mia.bundles.length > from + 30);
		return mia.bundles.slice(from);
	};

	await request('hide');
	let stop = stream(t, sender, port);
	assert.deepEqual(await enters(), [['Ada', true]], 'hidden while it waited');
	assert.ok((await moreBundles()).every(({ length }) => length <= 8), 'bundles without a packet');
	stop();
	await leaves();
	await request('show');
	stop = stream(t, sender, port);
	assert.deepEqual(await enters(), [['Ada', undefined]], 'shown while it waited');
	await mia.until('a packet', () => mia.bundles.at(-1).length > 8);
	await until('its bones', () => bones.length > 0);
	await request('hide');
	assert.equal(await gateway.stop(), 0);

	bones.length = 0;
	gateway = await begin();
	mia = await join();
	assert.deepEqual(await enters(), [['Ada', true]], 'by the stored sanction');
	assert.ok((await moreBundles()).every(({ length }) => length <= 8));
	assert.deepEqual(bones, [], 'no motion since the start');
	stop();
	assert.equal(await gateway.stop(), 0);
});

test('only administrators moderate administrators', async () => {
	const root = await enter({ sub: 'root', roles: ['watch', 'publish', 'administer'] }, publish('Root'));
	const { body } = await root.find('published');
	const mia = await enter(mods, moderate('kick', { body }));
	assert.equal((await mia.find('error')).code, 'not-allowed');
	mia.end();
	const peer = await enter({ sub: 'peer', roles: ['moderate', 'administer'] }, moderate('kick', { body }));
	await peer.find('moderated');
	await root.find('unpublished');
	peer.end();
	root.end();
});

for (const [what, message] of [
	['no action', { subject: 'ada' }], ['another action', { action: 'exile', subject: 'ada' }],
	['nobody', { action: 'ban' }], ['two people', { action: 'ban', subject: 'ada', address: '192.0.2.1' }],
	['a body by its name', { action: 'ban', name: 'Ada' }], ['a subject that is none', { action: 'ban', subject: 7 }],
	['an address that is none', { action: 'ban', address: 'localhost' }], ['a subject of two lines', { action: 'ban', subject: 'a\nb' }],
	['no time', { action: 'ban', subject: 'ada', seconds: 0 }], ['a kick that lasts', { action: 'kick', subject: 'ada', seconds: 5 }],
	['a long reason', { action: 'ban', subject: 'ada', reason: 'x'.repeat(256) }],
	['a reason of two lines', { action: 'ban', subject: 'ada', reason: 'a\nb' }],
]) {
	test(`a moderation request with ${what} is a bad field`, async () => {
		const mia = await enter(mods, { type: 'moderate', space: 'lobby', ...message });
		assert.equal((await mia.find('error')).code, 'bad-field');
		mia.end();
	});
}

test('logs every moderation request', async () => {
	const mia = await enter(mods);
	for (let i = 0; i < 60; i++)
		mia.send(moderate('unmute', { subject: `crowd ${i}` }));
	await mia.until('a message', () => mia.messages.filter(({ type }) => type === 'moderated').length === 60);
	mia.end();
	const lines = () => [...daemon.log.matchAll(/unmute 'subject crowd (\d+)'/g)].map(([, i]) => Number(i));
	while (lines().length < 60)
		await sleep(20);
	assert.deepEqual(lines(), [...Array(60).keys()]);
});

test('sanctions are listed and survive a restart, and a damaged file stays', async () => {
	const mia = await enter(mods, moderate('ban', { subject: 'eve', seconds: 1000, reason: 'spam' }),
		moderate('mute', { subject: 'bob' }), moderate('hide', { name: 'walker' }), moderate('ban', { address: '192.0.2.9' }, 'attic'));
	await mia.find('moderated', ({ address }) => address);
	mia.send(moderate('list'));
	const { sanctions } = await mia.find('sanctions');
	assert.deepEqual(sanctions.map(({ since, until, ...rest }) => rest), [
		{ kind: 'hide', by: 'subject mia', name: 'walker' },
		{ kind: 'mute', by: 'subject mia', subject: 'bob' },
		{ kind: 'ban', by: 'subject mia', subject: 'eve', reason: 'spam' },
	]);
	assert.ok(sanctions.every(({ since }) => Math.abs(since - now()) <= 60));
	mia.end();
	assert.equal(await daemon.stop(), 0);
	const { log } = daemon;
	daemon = await start('--config', config);
	daemon.log += log;
	const back = await enter(mods, moderate('list'), moderate('list', {}, 'attic'), { type: 'join', space: 'lobby' });
	assert.deepEqual((await back.find('sanctions')).sanctions, sanctions);
	assert.equal((await back.find('sanctions', ({ space }) => space === 'attic')).sanctions[0].address, '192.0.2.9');
	await back.until('a message', () => back.messages.flatMap(({ bodies, joined, changed }) => [...(bodies ?? []), ...(joined ?? []), ...(changed ?? [])])
		.some(({ name, hidden }) => name === 'walker' && hidden));
	back.end();
	const eve = await enter({ sub: 'eve' }, { type: 'join', space: 'lobby' });
	assert.equal((await eve.find('error')).code, 'banned');
	eve.end();
	const file = path.join(folder, 'state', 'sanctions.json');
	const kept = fs.readFileSync(file);
	assert.equal(fs.statSync(file).mode & 0o777, 0o600);
	assert.equal(await daemon.stop(), 0);
	fs.writeFileSync(file, kept.subarray(0, kept.length / 2));
	await assert.rejects(start('--config', config), /exit 1: jointcastd: error: not a file of format .sanctions., [^\n]*sanctions.json\n/);
	fs.writeFileSync(file, kept);
	daemon = await start('--config', config);
});

test('the log names no address of a client without a token', async (t) => {
	const file = path.join(folder, 'keyless.conf');
	fs.writeFileSync(file, 'spaces { open = {"anyone"} moderate = {"anyone"} administer = {"anyone"} }\n');
	const keyless = await start('--config', file);
	t.after(() => keyless.stop());
	const guest = await Client.greeted(keyless, {}, { type: 'join', space: 'den' }, moderate('mute', { name: 'Ada' }, 'den'),
		{ type: 'administer', space: 'den', action: 'limit', bodies: 2 });
	await guest.find('administered');
	for (const line of [/space 'den' was opened by an address\n/, /moderation: 'an address' in space 'den': mute 'body Ada'/,
		/administration: 'an address' in space 'den': limit/])
		await logged(keyless, line);
	assert.doesNotMatch(keyless.log, ADDRESS);
	guest.end();
});
