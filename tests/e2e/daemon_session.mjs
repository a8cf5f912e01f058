// Conversations through npm's ws, a client that is not ours.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test, { after } from 'node:test';
import { Client } from './support/client.mjs';
import { ROOT, binary, start, startThrough } from './support/daemon.mjs';
import { follow } from './support/roster.mjs';
import { sleep, until } from './support/until.mjs';
import { frame, frames, open, text } from './support/websocket_bytes.mjs';

const daemon = await start('--source', 'demo:walk', '--source', 'demo:wave?name=w%C3%A4ver', '--source', 'demo:idle?loop=0&speed=100&name=once', '--source', 'demo:sit?space=attic');
after(async () => assert.equal(await daemon.stop(), 0));

/** Remembers how many messages came before each bundle. */
class Listener extends Client {
	onBinary(data) {
		this.bundles.push({ at: this.messages.length, data });
	}
}

const shortest = [{ type: 'hello' }, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' }];

/** Heads of a bundle and of its packets (proto/BUNDLES.md, "Bundles"); before is the bundle before it. */
function parse(data, before) {
	let at = 1;
	const varint = () => {
		let value = 0;
		for (let shift = 0; ; shift += 7) {
			const byte = data[at++];
			value += (byte & 0x7f) * 2 ** shift;
			if (byte < 0x80)
				return value;
		}
	};
	const bundle = data[0] < 0x80 ? { kind: data[0], space: varint(), tick: varint() }
		: { ...before, tick: before.tick + 1 + ((data[0] - before.tick - 1) & 127) };
	bundle.isShort = data[0] >= 0x80;
	bundle.packets = [];
	while (at < data.length) {
		const flags = data[at++];
		const more = flags & 0x80 ? data[at++] : 0;
		const id = varint();
		const end = flags & 0x40 ? data.length : varint() + at;
		const age = more & 4 ? varint() : 0;
		bundle.packets.push({ id, cut: more & 1, complete: (more & 8) !== 0, sequence: flags & 15, age: age & 1 ? -(age + 1) / 2 : age / 2 });
		at = end;
	}
	assert.equal(at, data.length);
	return bundle;
}

const parseAll = (bundles) => bundles.reduce((all, { data }) => [...all, parse(data, all.at(-1))], []);

test('the shortest conversation', async () => {
	const before = Date.now();
	const client = await Listener.open(daemon, ...shortest);
	await client.until('a message or bundle', () => client.bundles.length >= 30);
	const [welcome, roster, ...rest] = client.messages;
	const skeletons = rest.filter(({ type }) => type !== 'roster');
	assert.equal(welcome.type, 'welcome');
	assert.equal(welcome.protocol, 'jointcast.v1');
	assert.deepEqual(welcome.spaces, ['lobby', 'attic']);
	assert.deepEqual(welcome.codings.map(({ id }) => id), [1, 2, 3]);
	assert.equal(welcome.limits.message, 65536);
	const wall = (welcome.wall + welcome.time) / 1000;
	assert.ok(wall > before - 1000 && wall < Date.now() + 1000, `${wall}, not after ${before}`);
	assert.equal(roster.type, 'roster');
	assert.equal(roster.tickHz, 60);
	assert.deepEqual(roster.bodies.map(({ name }) => name), ['walk', 'wäver', 'once']);
	assert.equal(new Set(roster.bodies.map(({ id }) => id)).size, 3);
	assert.deepEqual(skeletons.map(({ type }) => type), ['skeleton']);
	assert.equal(skeletons[0].hash, roster.bodies[0].skeleton);
	assert.equal(Object.keys(skeletons[0].descriptor.bones).length, 55);
	assert.ok(client.bundles[0].at >= 3, 'the skeleton comes before the first bundle');

	const bundles = parseAll(client.bundles);
	for (const [i, bundle] of bundles.entries()) {
		assert.equal(bundle.kind, 0x11);
		assert.equal(bundle.isShort, i > 0 && bundle.tick - bundles[i - 1].tick <= 127);
		assert.equal(bundle.space, roster.id);
		assert.deepEqual(bundle.packets.map(({ id }) => id), roster.bodies.map(({ id }) => id));
		if (i > 0) {
			assert.ok(bundle.tick > bundles[i - 1].tick);
			const steps = (bundle.packets[0].sequence - bundles[i - 1].packets[0].sequence) & 15;
			assert.ok(steps >= 1 && steps <= bundle.tick - bundles[i - 1].tick);
		}
	}
	assert.ok(bundles[0].packets.every(({ cut }) => cut), 'the first packet of each is a cut');
	assert.ok(bundles.slice(1, 10).some(({ packets }) => !packets[0].cut), 'later ones are not');
	client.ws.close(1000);
	assert.equal((await client.closed).code, 1000);
});

test('a skeleton is named by the SHA-256 of its descriptor as it stands in the message', async () => {
	const raw = await open(daemon.port);
	raw.send(...shortest.map(text));
	const find = () => frames(raw.bytes).map(({ payload }) => String(payload)).find((t) => t.startsWith('{"type":"skeleton"'));
	const message = await raw.until(find);
	const [, hash, descriptor] = /^\{"type":"skeleton","hash":"([0-9a-f]{64})","descriptor":(.*)\}$/.exec(message);
	assert.equal(createHash('sha256').update(descriptor).digest('hex'), hash);
	raw.socket.destroy();
});

test('bodies are placed apart from each other', async () => {
	const client = await Listener.open(daemon, ...shortest);
	const { bodies } = await client.find('roster');
	for (const a of bodies) {
		for (const b of bodies) {
			const [p, q] = [a.placement.position, b.placement.position];
			assert.ok(a === b || Math.hypot(p[0] - q[0], p[2] - q[2]) > 1, `${a.name} and ${b.name}`);
		}
	}
	client.ws.terminate();
});

test('a name of arbitrary bytes becomes valid text', async () => {
	const own = await startThrough('/bin/sh', '-c',
		'exec "$0" --listen 127.0.0.1:0 --source "$(printf "demo:sit?name=h\\351")"', binary);
	const client = await Listener.open(own, { type: 'hello' }, { type: 'join', space: 'lobby' });
	const [body] = (await client.find('roster')).bodies;
	assert.equal(body.name, 'h?');
	assert.ok(Math.abs(body.seat.height - 0.45) < 1e-6);
	client.ws.terminate();
	assert.equal(await own.stop(), 0);
});

test('a file limit below the connection limit is reported at the start', async () => {
	const own = await startThrough('/bin/sh', '-c',
		'ulimit -n 400; exec "$0" --listen 127.0.0.1:0 --source demo:idle', binary);
	assert.match(own.log, /warning: 1024 connections are allowed, but only 400 open files: raise LimitNOFILE or ulimit -n to 1280\n/);
	assert.equal(await own.stop(), 0);
	assert.doesNotMatch(daemon.log, /LimitNOFILE/);
});

test('a body that goes stale is a change of the roster', async () => {
	const own = await start('--source', 'demo:idle?loop=0&speed=20');
	const client = await Listener.open(own, { type: 'hello' }, { type: 'join', space: 'lobby' });
	const rosters = await client.until('a message or bundle', () => {
		const found = client.messages.filter(({ type }) => type === 'roster');
		return found.at(-1)?.changed && found;
	});
	const [before] = follow(rosters.slice(0, -1)).values();
	assert.equal(before.state, 'live');
	assert.deepEqual(rosters.at(-1).changed, [{ ...before, state: 'stale' }]);
	assert.deepEqual([...follow(rosters).values()], rosters.at(-1).changed);
	client.ws.terminate();
	assert.equal(await own.stop(), 0);
});

test('a motion that is not looped goes stale and holds its last pose', async () => {
	await sleep(500); // 12 seconds at a hundredfold speed
	const client = await Listener.open(daemon, ...shortest);
	const { bodies } = await client.find('roster');
	assert.deepEqual(bodies.map(({ state }) => state), ['live', 'live', 'stale']);
	await client.until('a message or bundle', () => client.bundles.length >= 5);
	const ages = parseAll(client.bundles).map(({ packets }) => packets[2].age);
	assert.ok(ages.every((age, i) => i === 0 || age > ages[i - 1]), 'its data only grows older');
	client.ws.terminate();
});

test('a late joiner is complete at once', async () => {
	const first = await Listener.open(daemon, ...shortest);
	await first.until('a message or bundle', () => first.bundles.length > 20);
	const late = await Listener.open(daemon, ...shortest);
	await late.until('a message or bundle', () => late.bundles.length > 0);
	assert.deepEqual(late.messages.map(({ type }) => type), ['welcome', 'roster', 'skeleton']);
	const [{ packets }] = parseAll(late.bundles);
	assert.equal(packets.length, 3);
	assert.ok(packets.every(({ cut }) => cut), 'the first packet of each body needs no other');
	first.ws.terminate();
	late.ws.terminate();
});

test('another space has its own bodies and bundles', async () => {
	const client = await Listener.open(daemon, ...shortest, { type: 'join', space: 'attic' }, { type: 'subscribe', space: 'attic' });
	await client.until('a message or bundle', () => client.bundles.length > 10);
	const rosters = client.messages.filter(({ type }) => type === 'roster');
	assert.deepEqual(rosters.map(({ space }) => space), ['lobby', 'attic']);
	assert.notEqual(rosters[0].id, rosters[1].id);
	const spaces = new Set(parseAll(client.bundles).map(({ space }) => space));
	assert.deepEqual([...spaces].sort(), rosters.map(({ id }) => id).sort());
	assert.equal(client.messages.filter(({ type }) => type === 'skeleton').length, 1, 'sent once a connection');
	client.ws.terminate();
});

for (const type of ['unsubscribe', 'leave']) {
	test(`${type} ends the bundles`, async () => {
		const client = await Listener.open(daemon, ...shortest);
		await client.until('a message or bundle', () => client.bundles.length > 3);
		client.send({ type, space: 'lobby' }, { type: 'ping', t: 1 });
		await client.find('pong');
		const count = client.bundles.length;
		await sleep(150);
		assert.equal(client.bundles.length, count);
		client.send({ type: 'subscribe', space: 'lobby' });
		if (type === 'leave') {
			const error = await client.find('error');
			assert.deepEqual([error.code, error.ref], ['not-joined', 'subscribe']);
		} else {
			await client.until('a message or bundle', () => client.bundles.length > count);
		}
		client.ws.terminate();
	});
}

test('ping is answered with the same number and the time', async () => {
	const client = await Listener.open(daemon, { type: 'hello' }, { type: 'ping', t: 1234567.890625 });
	const pong = await client.find('pong');
	assert.equal(pong.t, 1234567.890625);
	assert.ok(Number.isInteger(pong.time));
	client.ws.terminate();
});

for (const [name, message, code, ref] of [
	['text that is not JSON', 'hello', 'bad-message'],
	['JSON that is no object', '[1]', 'bad-message'],
	['an object without a type', '{}', 'bad-message'],
	['a type that is no string', '{"type":1}', 'bad-message'],
	['nesting without end', '{"type":"hello","a":' + '['.repeat(30000), 'bad-message'],
	['a nested message', '{"type":"hello","a":' + '['.repeat(20) + ']'.repeat(20) + '}', 'bad-message'],
	['an empty message', '', 'bad-message'],
	['an unknown type', { type: 'fly' }, 'unknown-type', 'fly'],
	['an unknown space', { type: 'join', space: 'cellar' }, 'unknown-space', 'join'],
	['a space that is no string', { type: 'join', space: 7 }, 'bad-field', 'join'],
	['a join without a space', { type: 'join' }, 'bad-field', 'join'],
	['a subscription without a join', { type: 'subscribe', space: 'lobby' }, 'not-joined', 'subscribe'],
	['a keyframe without a join', { type: 'keyframe', space: 'lobby' }, 'not-joined', 'keyframe'],
	['an ack without a join', { type: 'ack', space: 'lobby', tick: 1 }, 'not-joined', 'ack'],
	['a ping of a string', { type: 'ping', t: 'now' }, 'bad-field', 'ping'],
	['credit that is no boolean', { type: 'hello', credit: 1 }, 'bad-field', 'hello'],
	['codings that are no list', { type: 'hello', codings: 1 }, 'bad-field', 'hello'],
	['codings that are no numbers', { type: 'hello', codings: ['1'] }, 'bad-field', 'hello'],
	['no coding in common', { type: 'hello', codings: [9] }, 'unsupported', 'hello'],
]) {
	test(`${name} is answered with ${code}`, async () => {
		const client = await Listener.open(daemon, { type: 'hello' });
		client.send(message);
		const error = await client.find('error');
		assert.equal(error.code, code);
		assert.equal(error.ref, ref);
		assert.equal(typeof error.message, 'string');
		client.send({ type: 'ping', t: 5 });
		assert.equal((await client.find('pong')).t, 5, 'the connection goes on');
		client.ws.terminate();
	});
}

test('invalid options of a subscription are bad fields', async () => {
	const client = await Listener.open(daemon, { type: 'hello', codings: [2, 1] }, { type: 'join', space: 'lobby' });
	const wrong = [{ precision: 'exact' }, { precision: 1 }, { rate: 3 }, { rate: '2' }, { sections: [] },
		{ sections: 'body' }, { sections: ['body', 'tail'] }, { sections: ['body', 'body'] }];
	client.send(...wrong.map((fields) => ({ type: 'subscribe', space: 'lobby', ...fields })));
	const errors = await client.until('a message or bundle', () => {
		const found = client.messages.filter(({ type }) => type === 'error');
		return found.length === wrong.length && found;
	});
	assert.ok(errors.every(({ code, ref }) => code === 'bad-field' && ref === 'subscribe'));
	assert.equal(client.bundles.length, 0);
	client.ws.terminate();
});

test('with coding 2 only the first bundle and keyframes on request need no state', async () => {
	const client = await Listener.open(daemon, { type: 'hello', codings: [1, 2] }, { type: 'join', space: 'lobby' },
		{ type: 'subscribe', space: 'lobby', precision: 'fine', rate: 2 });
	await client.until('a message or bundle', () => client.bundles.length >= 20);
	// Of each bundle, whether its packets are complete.
	const complete = () => parseAll(client.bundles).map(({ packets }) => [...new Set(packets.map((packet) => packet.complete))]);
	assert.deepEqual(complete().slice(0, 20), [[true], ...Array(19).fill([false])]);
	assert.ok(parseAll(client.bundles).every(({ tick }) => tick % 2 === 0));
	const before = client.bundles.length;
	const after = () => complete().slice(before).filter(([first]) => first);
	client.send({ type: 'keyframe', space: 'lobby' });
	await client.until('a message or bundle', () => after().length > 0);
	await client.until('a message or bundle', () => client.bundles.length > before + 20);
	assert.equal(after().length, 1);
	client.ws.terminate();
});

test('anything before hello is answered with no-hello', async () => {
	const client = await Listener.open(daemon, { type: 'join', space: 'lobby' }, { type: 'fly' });
	await client.until('a message or bundle', () => client.messages.length === 2);
	assert.deepEqual(client.messages.map(({ code }) => code), ['no-hello', 'no-hello']);
	client.ws.terminate();
});

test('unknown fields are ignored', async () => {
	const client = await Listener.open(daemon, { type: 'hello', color: 'blue', codings: [7, 1] });
	await client.find('welcome');
	client.ws.terminate();
});

/** The text of a message in which each integer has a fraction, as Godot and Lua write it, or another ending. */
const inexact = (message, ending = '.0') => JSON.stringify(message).replace(/([:[,]-?\d+)(?=[,\]}])/g, `$1${ending}`);

for (const ending of ['.0', 'e0']) {
	test(`integers may end in ${ending}`, async () => {
		const figure = { nodes: [{ name: 'h', translation: [0, 1, 0] }, { name: 's', parent: 0, translation: [0, 1, 0] }], bones: { hips: 0, spine: 1 } };
		const client = await Client.greeted(daemon);
		const say = (...messages) => client.send(...messages.map((message) => inexact(message, ending)));
		say({ type: 'hello', codings: [2, 1], credit: true }, { type: 'join', space: 'lobby' });
		const [{ id }] = (await client.find('roster')).bodies;
		say({ type: 'subscribe', space: 'lobby', bodies: [id], rate: 2, virtual: [0, 3], priority: [id] });
		assert.deepEqual((await client.find('subscribed')).virtual, [0, 3]);
		await client.until('a bundle', () => client.bundles.length > 0);
		say({ type: 'ack', space: 'lobby', tick: parse(client.bundles[0]).tick });
		say({ type: 'publish', space: 'lobby', publication: 7, name: 'lua', kind: 'poses' });
		const { publication, body } = await client.find('published');
		assert.equal(publication, 7);
		say({ type: 'place', space: 'lobby', body, position: [0, 0, 0], yaw: 0 }, { type: 'unpublish', publication });
		await client.find('unpublished');
		say({ type: 'skeleton', name: 'lua', descriptor: figure });
		const { hash } = await client.find('registered');
		client.send({ type: 'skeleton', name: 'c', descriptor: figure });
		assert.equal((await client.find('registered', ({ name }) => name === 'c')).hash, hash);
		client.send(...['lua', 'c'].map((name) => ({ type: 'unregister', name })));
		await client.settled();
		assert.deepEqual(client.errors(), []);
		client.end();
	});
}

test('welcome has the allowances of the specification, and each alone and all together are kept', async () => {
	const table = readFileSync(path.join(ROOT, 'proto/CORE.md'), 'utf8').split('| `limits` | unit |')[1].split('\n\n')[0];
	const specified = Object.fromEntries([...table.matchAll(/^\| `(\w+)` \| [^|]*\| (\d+) \|/gm)].map(([, name, value]) => [name, Number(value)]));
	const client = await Client.greeted(daemon);
	const { limits } = client.welcome;
	assert.ok(Object.keys(specified).length > 10);
	assert.deepEqual(limits, specified);
	const repeat = (count, message) => Array(count).fill(message);
	const join = { type: 'join', space: 'lobby' };
	const amend = { type: 'amend', publication: 0, display: 'Ada' };
	const publish = (publication) => ({ type: 'publish', space: 'lobby', publication, name: `n${publication}`, kind: 'poses' });
	client.send(join, ...[...Array(limits.publications).keys()].map(publish), { type: 'subscribe', space: 'lobby' });
	await client.settled();
	const { body } = await client.find('published');
	client.send(...repeat(2 * limits.rosters - 1, join), ...repeat(2 * limits.amendments, amend));
	for (let second = 0; second < 3; second++)
		client.send(...repeat(30, { type: 'place', space: 'lobby', body, position: [0, 0, 0], yaw: 0 }),
			...repeat(30, { type: 'viewpoint', space: 'lobby', viewpoints: [{ position: [0, 0, 0] }] }),
			...repeat(10, { type: 'ack', space: 'lobby', tick: 0 }), ...repeat(limits.keyframes, { type: 'keyframe', space: 'lobby' }));
	await client.settled();
	assert.deepEqual(client.errors(), []);
	// Time passes between the messages, so that a few more may be allowed.
	client.send(...repeat(15, publish(99)));
	await client.until('a message beyond them', () => client.errors().length > 0);
	assert.ok(client.errors().every((code) => code === 'too-many'), `${client.errors()}`);
	client.end();
});

test('numbers that are no exact integers are bad fields', async () => {
	const client = await Client.greeted(daemon, {}, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' });
	const numbers = ['3.5', '-0.0', '1e300', '9007199254740993.0', '9007199254740993', '4294967296.0', '-1.0'];
	client.send(...numbers.map((number) => `{"type":"ack","space":"lobby","tick":${number}}`));
	client.send(...numbers.map((number) => `{"type":"subscribe","space":"lobby","bodies":[${number}]}`));
	await client.settled();
	assert.deepEqual(client.errors(), Array(2 * numbers.length).fill('bad-field'));
	client.end();
});

test('a binary message that is no capture is answered with an error', async () => {
	const client = await Listener.open(daemon, { type: 'hello' });
	client.ws.send(Buffer.from([1, 2, 3]));
	assert.equal((await client.find('error')).code, 'bad-capture');
	client.ws.terminate();
});

test('the sixteenth error closes with 1008', async () => {
	const client = await Listener.open(daemon, { type: 'hello' });
	client.send(...Array(40).fill({ type: 'fly' }));
	assert.equal((await client.closed).code, 1008);
	assert.equal(client.messages.filter(({ type }) => type === 'error').length, 16);
});

test('messages beyond the time that a client may take wait, and are all answered', async () => {
	const client = await Listener.open(daemon, { type: 'hello' });
	client.send(...[...Array(400).keys()].map((t) => ({ type: 'ping', t })));
	const pongs = () => client.messages.filter(({ type }) => type === 'pong');
	await client.until('a message or bundle', () => pongs().length === 400);
	assert.deepEqual(pongs().map(({ t }) => t), [...Array(400).keys()]);
	assert.ok(client.messages.every(({ type }) => type !== 'error'));
	client.ws.terminate();
});

test('an ack of a tick that was never sent is a bad field', async () => {
	const client = await Listener.open(daemon, { type: 'hello', credit: true }, ...shortest.slice(1));
	await client.until('a message or bundle', () => client.bundles.length > 0);
	client.send({ type: 'ack', space: 'lobby', tick: 4000000000 }, { type: 'ack', space: 'lobby', tick: -1 }, { type: 'ack', space: 'lobby' });
	await client.until('a message or bundle', () => client.messages.filter(({ code }) => code === 'bad-field').length === 3);
	client.ws.terminate();
});

test('nothing hangs on the bytes around a message', async () => {
	const raw = await open(daemon.port);
	raw.send(Buffer.concat([...shortest.map(text), frame(9, 'x')]));
	await raw.until(() => frames(raw.bytes).filter(({ opcode }) => opcode === 2).length > 3);
	const found = frames(raw.bytes);
	assert.ok(found.every(({ fin, masked }) => fin === 1 && masked === 0));
	raw.socket.destroy();
});
