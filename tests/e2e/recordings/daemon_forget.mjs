// `jointcast forget` removes one person from every message of a recording, as npm @mcap/core
// reads it, and leaves all others unchanged to the last byte.
//
// usage: daemon_forget.mjs JOINTCASTD JOINTCAST
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import WebSocket from 'ws';
import { Client } from '../support/client.mjs';
import { scratch, start } from '../support/daemon.mjs';
import { captures, json, packets, readMessages } from '../support/mcap_messages.mjs';
import { sleep, until } from '../support/until.mjs';

const jointcast = process.argv[3];

const files = (folder) => readdirSync(folder).filter((name) => name.endsWith('.mcap')).sort()
	.map((name) => path.join(folder, name));

const forget = (...parameters) => spawnSync(jointcast, ['forget', ...parameters], { encoding: 'utf8' });

/** A recording of two bodies, one walks and one waves, with all topics. */
async function record(t) {
	const folder = scratch(t);
	const daemon = await start('--source', 'demo:walk', '--source', 'demo:wave',
		'--record', `${folder}?packets=true`);
	const ws = new WebSocket(daemon.url, 'jointcast.v1');
	await new Promise((resolve, reject) => ws.on('open', resolve).on('error', reject));
	for (const message of [{ type: 'hello', codings: [2, 1] }, { type: 'join', space: 'lobby' },
		{ type: 'subscribe', space: 'lobby' },
		{ type: 'record', space: 'lobby', action: 'marker', label: 'wave waves' }])
		ws.send(JSON.stringify(message));
	let bundles = 0;
	ws.on('message', (data, binary) => (bundles += binary));
	while (bundles < 40)
		await sleep(10);
	ws.close();
	assert.equal(await daemon.stop(), 0);
	return files(folder)[0];
}

test('a forgotten body is in no message, all others are unchanged', async (t) => {
	const file = await record(t);
	const before = await readMessages(file);
	const [{ bodies }] = json(before, 'roster');
	const walk = bodies.find(({ name }) => name === 'walk').id;
	const wave = bodies.find(({ name }) => name === 'wave').id;
	const { status, stdout, stderr } = forget('wave', file);
	assert.equal(status, 0, stderr);
	const count = captures(before).filter(({ body }) => body === wave).length;
	assert.match(stdout, new RegExp(`: 1 body, ${count} captures and 0 skeletons taken out\n`));
	assert.match(stdout, /: 1 marker has the name\n$/);

	const after = await readMessages(file);
	assert.ok(json(after, 'roster').every((roster) => roster.bodies.length === 1 && roster.bodies[0].id === walk));
	assert.deepEqual(captures(after), captures(before).filter(({ body }) => body === walk));
	assert.ok(captures(after).length > 30);
	const drawn = (messages) => [
		...json(messages, 'transforms').map(({ transforms }) => transforms.slice(1).map(({ child_frame_id: id }) => id)),
		...json(messages, 'scene').map(({ entities }) => entities.map(({ id }) => id))];
	assert.ok(drawn(before).some((ids) => ids.includes('lobby/wave/hips')));
	assert.deepEqual(drawn(after), drawn(before).map((ids) => ids.filter((id) => !/^lobby\/wave(\/|$)/.test(id))));
	assert.ok(drawn(after).length > 3 && drawn(after).every((ids) => ids.every((id) => /^lobby\/walk(\/|$)/.test(id))));
	const text = (messages) => messages.filter(({ topic }) => topic !== 'event').map(({ data }) => data.toString('latin1')).join();
	assert.ok(text(before).includes('wave') && !text(after).includes('wave'));
	const streams = json(before, 'streams').flatMap((message) => message.streams);
	const kept = new Set(streams.filter(({ body }) => body === walk).map(({ stream }) => stream));
	assert.ok(streams.length > kept.size && kept.size > 0);
	assert.deepEqual(packets(after), packets(before).filter(({ stream }) => kept.has(stream)));
	assert.ok(packets(after).length > 20);
	assert.ok(json(after, 'streams').every((message) => message.streams.every(({ stream }) => kept.has(stream))));
	assert.deepEqual(json(after, 'event'), json(before, 'event'));
	for (const topic of ['session', 'clock', 'skeleton'])
		assert.deepEqual(json(after, topic), json(before, topic));
	// No body has this name any longer, so the file stays unchanged.
	const bytes = readFileSync(file);
	assert.equal(forget('wave', file).status, 1);
	assert.deepEqual(readFileSync(file), bytes);
});

test('counts markers with the display name of the person', async (t) => {
	const folder = scratch(t);
	const daemon = await start('--source', 'demo:walk', '--record', folder);
	const line = await Client.greeted(daemon);
	line.send({ type: 'publish', space: 'lobby', publication: 0, name: 'ada', display: 'Countess', kind: 'poses', mayRecord: true });
	await line.take(({ type }) => type === 'published');
	const record = (message) => {
		line.send({ type: 'record', space: 'lobby', ...message });
		return line.take(({ type }) => type === 'recording');
	};
	for (const label of ['the Countess bows', 'a curtain'])
		await record({ action: 'marker', label });
	await until('some of it', async () => (await record({ action: 'state' })).captures > 10 || void (await sleep(20)));
	assert.equal(await daemon.stop(), 0);
	const { status, stdout } = forget('ada', files(folder)[0]);
	assert.equal(status, 0);
	assert.match(stdout, /: 1 marker has the name\n$/);
});

test('all recordings of a folder are rewritten, and failures are reported', async (t) => {
	const file = await record(t);
	const folder = path.dirname(file);
	const other = path.join(folder, 'other.mcap');
	const torn = path.join(folder, 'torn.mcap');
	const unended = path.join(folder, 'unended.mcap.part');
	copyFileSync(file, other);
	writeFileSync(torn, readFileSync(file).subarray(0, statSync(file).size / 2));
	copyFileSync(file, unended);
	writeFileSync(path.join(folder, 'alien.mcap'), 'no recording');
	const { status, stdout, stderr } = forget('walk', folder);
	assert.equal(status, 1);
	assert.equal(stdout.split('\n').filter((line) => line.includes('1 body')).length, 2);
	const lines = stderr.trim().split('\n');
	assert.equal(lines.length, 3, stderr);
	for (const [name, line] of [['alien.mcap', lines[0]], ['torn.mcap', lines[1]], ['unended.mcap.part', lines[2]]])
		assert.ok(line.startsWith(`jointcast: ${path.join(folder, name)}: `), line);
	for (const done of [file, other])
		assert.deepEqual(json(await readMessages(done), 'roster').flatMap(({ bodies }) => bodies.map(({ name }) => name))
			.filter((name) => name === 'walk'), []);
	assert.equal(statSync(torn).size, Math.floor(statSync(unended).size / 2));
});

test('wrong use is reported', () => {
	for (const parameters of [[], ['walk'], ['', 'file.mcap'], ['--loud', 'walk', 'file.mcap']]) {
		const { status, stderr } = forget(...parameters);
		assert.equal(status, 2);
		assert.match(stderr, /^jointcast: forget: .*\n$/);
	}
});
