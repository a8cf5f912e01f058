// Rewind spaces: a late client watches the last seconds in a private space, bounded in
// seconds and bytes, without bodies that have not given consent.
//
// usage: daemon_rewind.mjs JOINTCASTD JOINTCAST
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Client } from '../support/client.mjs';
import { scratch, start } from '../support/daemon.mjs';
import { secret, token } from '../support/token.mjs';
import { sleep } from '../support/until.mjs';
import { exchange } from '../support/websocket_bytes.mjs';

async function stage(t, limits, ...options) {
	const folder = scratch(t);
	writeFileSync(path.join(folder, 'conf'), `limits { ${limits} }`);
	const daemon = await start('--config', path.join(folder, 'conf'), ...options);
	// Connections that a failed test left open end here.
	t.after(() => daemon.child.kill('SIGKILL'));
	return daemon;
}

const ask = async (line, message) => {
	line.send({ type: 'replay', space: 'lobby', ...message });
	return line.take(({ type, answers }) => type === 'error' || (type === 'replaying' && answers !== undefined));
};

test('a late client watches the last seconds, and can pause and seek', async (t) => {
	const daemon = await stage(t, 'rewind_seconds = 60', '--source', 'demo:walk', '--source', 'demo:wave');
	await sleep(2500);
	const late = await Client.greeted(daemon);
	const { past } = await ask(late, { action: 'rewind', seconds: 30 });
	assert.match(past, /^lobby~\d+$/);
	late.send({ type: 'join', space: past });
	const told = await late.take(({ type, space }) => type === 'replaying' && space === past);
	const [replay] = told.replays;
	assert.ok(replay.duration > 1 && replay.duration < 30, `${replay.duration} s`);
	assert.equal(replay.state, 'playing');
	let bundles = 0;
	late.ws.on('message', (data, binary) => (bundles += binary));
	late.send({ type: 'subscribe', space: past });
	while (bundles < 5)
		await sleep(10);
	const act = (action, more) => ask(late, { space: past, action, id: replay.id, ...more });
	assert.equal((await act('pause')).replays[0].state, 'paused');
	assert.ok(Math.abs((await act('seek', { time: 0.5 })).replays[0].time - 0.5) < 0.01);
	late.send({ type: 'join', space: past });
	const roster = await late.take(({ type, space, bodies }) => type === 'roster' && space === past && bodies?.length === 2);
	assert.deepEqual(roster.bodies.map(({ name }) => name).sort(), ['walk', 'wave']);
	// It is looked at and nothing else.
	for (const message of [{ type: 'record', action: 'start' }, { type: 'replay', action: 'open', file: 'a.mcap' },
		{ type: 'publish', publication: 0, name: 'me', kind: 'poses' }]) {
		late.send({ ...message, space: past });
		assert.equal((await late.take(({ type }) => type === 'error')).code, message.type === 'replay' ? 'cannot-replay' : 'not-allowed',
			JSON.stringify(message));
	}
	// No other client is notified, and the space ends with its last subscriber.
	const other = await Client.greeted(daemon);
	assert.deepEqual(other.welcome.spaces, ['lobby']);
	late.ws.close();
	const spaces = async () => JSON.parse((await exchange(daemon.admin,
		`GET /status HTTP/1.1\r\nHost: localhost:${daemon.port}\r\n\r\n`)).body).spaces.map(({ name }) => name);
	assert.ok((await spaces()).includes(past));
	while ((await spaces()).includes(past))
		await sleep(500);
	other.send({ type: 'join', space: past });
	assert.equal((await other.take(({ type }) => ['roster', 'error'].includes(type))).code, 'unknown-space');
	assert.equal(await daemon.stop(), 0);
});

test('only its requester knows and joins a rewind space', async (t) => {
	const folder = scratch(t);
	writeFileSync(path.join(folder, 'key'), secret);
	writeFileSync(path.join(folder, 'conf'), `limits { rewind_seconds = 60 }
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${folder}/key" } }`);
	const daemon = await start('--config', path.join(folder, 'conf'), '--source', 'demo:walk');
	t.after(() => daemon.child.kill('SIGKILL'));
	const roles = ['watch', 'publish', 'record', 'moderate', 'administer'];
	const enter = (sub) => Client.connect(daemon, { token: token({ sub, roles }) });
	const ada = await enter('ada');
	let past;
	do {
		await sleep(200);
		ada.send({ type: 'replay', space: 'lobby', action: 'rewind' });
		({ past } = await ada.take(({ type, answers }) => type === 'error' || (type === 'replaying' && answers === 'rewind')));
	} while (!past);
	ada.send({ type: 'join', space: past });
	const { replays: [{ id }] } = await ada.find('replaying', ({ space }) => space === past);
	for (const message of [{ type: 'join' }, { type: 'subscribe' }, { type: 'replay', action: 'state' }, { type: 'replay', action: 'pause', id },
		{ type: 'replay', action: 'rewind' }, { type: 'record', action: 'state' }, { type: 'moderate', action: 'list' },
		{ type: 'administer', action: 'close' }]) {
		const answers = [];
		for (const space of [past, 'lobby~4711']) {
			const bob = await enter('bob');
			await bob.find('welcome');
			bob.send({ ...message, space });
			await bob.settled();
			answers.push(bob.messages.slice(1).filter(({ type }) => type !== 'pong').map((answer) => JSON.stringify(answer)));
			bob.end();
		}
		assert.deepEqual(answers[0], answers[1], JSON.stringify(message));
		assert.equal(JSON.parse(answers[0][0]).code, 'unknown-space');
	}
	// She comes again by another connection.
	const again = await enter('ada');
	again.send({ type: 'join', space: past });
	await again.find('roster', ({ space }) => space === past);
	[ada, again].forEach((client) => client.end());
	assert.equal(await daemon.stop(), 0);
});

test('the rewind buffer is bounded in seconds and in bytes', async (t) => {
	for (const [limits, most] of [['rewind_seconds = 2', 2.2], ['rewind_seconds = 60\n rewind_bytes = 65536', 6]]) {
		const daemon = await stage(t, limits, '--source', 'demo:walk');
		await sleep(4500);
		const line = await Client.greeted(daemon);
		const { past } = await ask(line, { action: 'rewind' });
		line.send({ type: 'join', space: past });
		const { replays: [replay] } = await line.take(({ type, space }) => type === 'replaying' && space === past);
		assert.ok(replay.duration > 0.3 && replay.duration <= most, `${limits}: ${replay.duration} s`);
		assert.equal(await daemon.stop(), 0);
	}
});

test('a space without a buffer cannot rewind, and rewinds are limited in number', async (t) => {
	const daemon = await stage(t, 'rewind_seconds = 0', '--source', 'demo:walk');
	const line = await Client.greeted(daemon);
	assert.equal((await ask(line, { action: 'rewind' })).code, 'cannot-replay');
	for (const seconds of [0, 301, '30'])
		assert.equal((await ask(line, { action: 'rewind', seconds })).code, 'bad-field');
	assert.equal(await daemon.stop(), 0);
	const second = await stage(t, 'rewind_seconds = 10', '--source', 'demo:walk');
	await sleep(1000);
	const other = await Client.greeted(second);
	const codes = [];
	for (let i = 0; i < 4; i++)
		codes.push((await ask(other, { action: 'rewind' })).code);
	assert.deepEqual(codes, [undefined, undefined, 'too-many', 'too-many']);
	// Refused before anything is copied: the answer precedes that to a later message.
	const late = await Client.greeted(second);
	late.send({ type: 'replay', space: 'lobby', action: 'rewind' });
	late.send({ type: 'ping', t: 1 });
	assert.equal((await late.take(({ type }) => type === 'error' || type === 'pong')).code, 'too-many');
	assert.equal(await second.stop(), 0);
});

test('a body without consent to recording is in no rewind space', async (t) => {
	const daemon = await stage(t, 'rewind_seconds = 10');
	const line = await Client.greeted(daemon);
	const pose = (publication, time) => {
		const capture = Buffer.alloc(18);
		capture[0] = 0x41;
		capture.writeUIntLE(time, 2, 6);
		capture[8] = 1;
		return Buffer.concat([Buffer.from([0x21, publication]), capture]);
	};
	for (const [publication, name, mayRecord] of [[0, 'agreed', true], [1, 'shy', false]]) {
		line.send({ type: 'publish', space: 'lobby', publication, name, kind: 'poses', mayRecord });
		await line.take(({ type }) => type === 'published');
	}
	const begun = performance.now();
	for (let i = 0; i < 60; i++) {
		for (const publication of [0, 1])
			line.ws.send(pose(publication, Math.floor(line.welcome.time + (performance.now() - begun) * 1000)));
		await sleep(20);
	}
	const { past } = await ask(line, { action: 'rewind' });
	line.send({ type: 'join', space: past });
	const joined = new Set();
	const first = await line.take(({ type, space, bodies }) => type === 'roster' && space === past && bodies);
	first.bodies.forEach(({ name }) => joined.add(name));
	while (!joined.has('agreed'))
		(await line.take(({ type, space, joined: who }) => type === 'roster' && space === past && who)).joined
			.forEach(({ name }) => joined.add(name));
	await sleep(500);
	line.send({ type: 'join', space: past });
	const roster = await line.take(({ type, space, bodies }) => type === 'roster' && space === past && bodies);
	assert.deepEqual(roster.bodies.map(({ name }) => name), ['agreed']);
	// The end of consent removes a body at once.
	line.send({ type: 'consent', publication: 0, mayRecord: false });
	await line.take(({ type }) => type === 'consented');
	await sleep(200);
	assert.equal((await ask(line, { action: 'rewind' })).code, 'cannot-replay');
	assert.equal(await daemon.stop(), 0);
});
