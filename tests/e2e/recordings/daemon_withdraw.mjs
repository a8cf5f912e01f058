// Withdrawing consent removes the body from the rewind buffer and from rewinds that play, and
// no other body.
//
// usage: daemon_withdraw.mjs JOINTCASTD JOINTCAST
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Client } from '../support/client.mjs';
import { scratch, start } from '../support/daemon.mjs';
import { publish } from '../support/still_bodies.mjs';
import { sleep, until } from '../support/until.mjs';
import { stream } from '../support/vmc_sender.mjs';
import { exchange } from '../support/websocket_bytes.mjs';

const BUFFER_MS = 2000; // that people are there before one goes,
const LEFT_S = 1; // and the minimum that remains if the last ticks are late

/** A daemon with a rewind buffer, bodies that stay and bodies that withdraw. */
async function stage(t, more = '') {
	const folder = scratch(t);
	const config = path.join(folder, 'conf');
	const configure = (seconds) => writeFileSync(config, `limits { rewind_seconds = ${seconds} }\n${more}`);
	configure(60);
	const daemon = await start('--config', config);
	t.after(() => daemon.child.kill('SIGKILL'));
	const people = await publish(daemon.url, { name: 'stays', mayRecord: true }, { name: 'goes', mayRecord: true });
	t.after(() => people.end());
	await sleep(BUFFER_MS);
	const say = (message) => people.ws.send(JSON.stringify(message));
	const withdraw = () => say({ type: 'consent', publication: 1, mayRecord: false });
	return { daemon, people, say, withdraw, configure };
}

const rewind = async (line, more) => {
	line.send({ type: 'replay', space: 'lobby', action: 'rewind', ...more });
	return line.take(({ type, answers }) => type === 'error' || (type === 'replaying' && answers === 'rewind'));
};

/** Joins a rewind; `names` follows its bodies. */
async function watch(line, past) {
	const bodies = new Map();
	line.ws.on('message', (data, binary) => {
		const message = binary ? {} : JSON.parse(data);
		if (message.type !== 'roster' || message.space !== past)
			return;
		if (message.bodies)
			bodies.clear();
		for (const { id, name } of [...message.bodies ?? [], ...message.joined ?? []])
			bodies.set(id, name);
		for (const id of message.left ?? [])
			bodies.delete(id);
	});
	line.send({ type: 'join', space: past });
	const { replays: [replay] } = await line.take(({ type, space }) => type === 'replaying' && space === past);
	const act = (action, more) => line.send({ type: 'replay', space: past, action, id: replay.id, ...more });
	act('loop', { loop: true });
	const names = () => [...bodies.values()].sort().join();
	return { replay, act, names };
}

test('a withdrawal leaves the others in the buffer, and nothing of the person', async (t) => {
	const { daemon, people, withdraw } = await stage(t);
	const consented = new Promise((resolve) => people.ws.on('message', (data, binary) =>
		!binary && JSON.parse(data).type === 'consented' && resolve()));
	withdraw();
	await consented;
	const line = await Client.greeted(daemon);
	const { past, message } = await rewind(line);
	assert.ok(past, message);
	const { replay, names, act } = await watch(line, past);
	assert.ok(replay.duration > LEFT_S, `${replay.duration} s are left`);
	await until('one is there', () => names() === 'stays');
	act('seek', { time: 0 });
	await line.take(({ type, answers }) => type === 'replaying' && answers === 'seek');
	await until('one is there', () => names() === 'stays');
	assert.equal(await daemon.stop(), 0);
});

test('a body that withdraws consent and leaves at once is removed from the buffer', async (t) => {
	const { daemon, say, withdraw, people } = await stage(t);
	const unpublished = new Promise((resolve) => people.ws.on('message', (data, binary) =>
		!binary && JSON.parse(data).type === 'unpublished' && resolve()));
	people.ws._socket.cork();
	withdraw();
	say({ type: 'unpublish', publication: 1 });
	people.ws._socket.uncork();
	await unpublished;
	const line = await Client.greeted(daemon);
	const { past } = await rewind(line);
	const { replay, names, act } = await watch(line, past);
	assert.ok(replay.duration > LEFT_S, `${replay.duration} s are left`);
	await until('one is there', () => names() !== '');
	assert.equal(names(), 'stays');
	act('seek', { time: 0.5 });
	await line.take(({ type, answers }) => type === 'replaying' && answers === 'seek');
	await until('one is there', () => names() !== '');
	assert.equal(names(), 'stays');
	assert.equal(await daemon.stop(), 0);
});

test('a playing rewind loses the body, also after seeking back', async (t) => {
	const { daemon, say, withdraw } = await stage(t);
	const line = await Client.greeted(daemon);
	const { names, act } = await watch(line, (await rewind(line)).past);
	await until('both are there', () => names() === 'goes,stays');
	withdraw();
	await until('one is there', () => names() === 'stays');
	say({ type: 'consent', publication: 1, mayRecord: true });
	act('seek', { time: 0.5 });
	await line.take(({ type, answers }) => type === 'replaying' && answers === 'seek');
	// The server has reached this time when it notifies all members.
	await line.take(({ type, answers, replays }) => type === 'replaying' && answers === undefined && replays[0].time >= 0.5);
	assert.equal(names(), 'stays');
	assert.equal(await daemon.stop(), 0);
});

test('a requested rewind that is not ready also loses the body', async (t) => {
	const { daemon, withdraw, people, say } = await stage(t);
	let past;
	people.ws.on('message', (data, binary) => (past ??= binary ? undefined : JSON.parse(data).past));
	people.ws._socket.cork();
	say({ type: 'replay', space: 'lobby', action: 'rewind' });
	withdraw();
	people.ws._socket.uncork();
	await until('it is made', () => past);
	const { replay, names } = await watch(await Client.greeted(daemon), past);
	assert.ok(replay.duration > LEFT_S, `${replay.duration} s are left`);
	await until('one is there', () => names() === 'stays');
	assert.equal(await daemon.stop(), 0);
});

test('a withdrawal also holds after the buffer was emptied', async (t) => {
	const { daemon, configure, withdraw } = await stage(t);
	const line = await Client.greeted(daemon);
	const { names } = await watch(line, (await rewind(line)).past);
	await until('both are there', () => names() === 'goes,stays');
	configure(0);
	daemon.child.kill('SIGHUP');
	await until('the lobby is forgotten', async () => {
		const other = await Client.greeted(daemon);
		other.ws.close();
		return other.welcome.rooms[0].rewind === 0;
	});
	withdraw();
	await until('one is there', () => names() === 'stays');
	assert.equal(await daemon.stop(), 0);
});

test('hiding a body of the server removes all its appearances from the buffer', async (t) => {
	const folder = scratch(t);
	const config = path.join(folder, 'conf');
	writeFileSync(config, `
limits { rewind_seconds = 60 }
spaces { leave_after = 2 moderate = {"anyone"} }
source "stays" { uri = "demo:walk" }
source "goes" { uri = "vmc:127.0.0.1:0" }
`);
	const daemon = await start('--config', config);
	t.after(() => daemon.child.kill('SIGKILL'));
	const port = Number(/vmc 127\.0\.0\.1:(\d+): waiting for a body/.exec(daemon.log)[1]);
	const line = await Client.greeted(daemon, {}, { type: 'join', space: 'lobby' });
	const socket = createSocket('udp4');
	t.after(() => socket.close());
	const stop = stream(t, socket, port);
	const enters = ({ joined }) => joined?.some(({ name }) => name === 'goes');
	await line.next('roster', enters);
	stop();
	await line.next('roster', ({ left }) => left);
	stream(t, socket, port);
	await line.next('roster', enters);
	await sleep(BUFFER_MS);
	const seek = async ({ act }, time) => {
		act('seek', { time });
		await line.take(({ type, answers }) => type === 'replaying' && answers === 'seek');
		await sleep(1000); // a roster that shows the body would have arrived
	};
	const playing = await watch(line, (await rewind(line)).past);
	let time = 0; // of the first appearance
	do
		await seek(playing, time += 0.5);
	while (playing.names() !== 'goes,stays');

	line.send({ type: 'moderate', space: 'lobby', action: 'hide', name: 'goes' });
	await line.next('moderated');
	const late = await watch(line, (await rewind(line)).past);
	for (const one of [playing, late]) {
		await until('one is there', () => one.names() === 'stays');
		await seek(one, time);
		assert.equal(one.names(), 'stays');
	}
	assert.equal(await daemon.stop(), 0);
});

test('a space with a rewind buffer closes when it is empty', async (t) => {
	const { daemon } = await stage(t, 'spaces { open = {"anyone"} linger = 1 }');
	const line = await Client.greeted(daemon);
	line.send({ type: 'publish', space: 'attic', publication: 0, name: 'a', kind: 'poses', mayRecord: true });
	await line.take(({ type }) => type === 'published');
	const spaces = async () => JSON.parse((await exchange(daemon.admin,
		`GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n`)).body).spaces.map(({ name }) => name);
	assert.deepEqual(await spaces(), ['lobby', 'attic']);
	line.ws.close();
	await until('it is closed', async () => (await spaces()).length === 1);
	assert.equal(await daemon.stop(), 0);
});
