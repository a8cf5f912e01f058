// Lists the attacks. `config`: of the daemon; `prepare`: state before the attack; `opening`: first
// messages of each connection; `messages`: repeated messages; `permitted`: messages a second that a
// server with such a limit accepts.
import { performance } from 'node:perf_hooks';
import { channels, closeDuringCalibration, endTwoAtOnce, endWhilePublishing } from '../../e2e/hostile/closing_sequences.mjs';
import { SocketClient as Wire } from '../../e2e/support/socket_client.mjs';
import { sleep, until } from '../../e2e/support/until.mjs';

const space = 'lobby';
const HELPER = '127.0.2.1'; // prepares; it is none of the attackers' addresses
const hello = { type: 'hello', codings: [2, 1] };
const join = { type: 'join', space };
const subscribe = { type: 'subscribe', space };
const many = (count, entry) => Array.from({ length: count }, (_, i) => entry(i));
const SOURCES = ['walk', 'wave', 'sit', 'idle'].flatMap((name) => ['--source', `demo:${name}`]);
const MOST_CHANNELS = 64000; // bytes of names that one message has room for

/** Bodies with as long names of channels as the server takes: 8 of each connection. */
async function longBodies({ port, wires }, count, bytes = MOST_CHANNELS) {
	for (let made = 0; made < count;) {
		const wire = await Wire.greeted(port, { localAddress: HELPER });
		wires.push(wire);
		for (let i = 0; i < 8 && made < count;) {
			wire.messages.length = 0;
			wire.say({ type: 'publish', space, publication: i, kind: 'poses', name: `long ${made}`, channels: channels(bytes) });
			await wire.until('an answer to publish', () => wire.all('published').length + wire.all('error').length > 0);
			const [error] = wire.all('error');
			if (!error) {
				i++;
				made++;
			} else if (error.code !== 'too-many' || /channel/.test(error.message)) {
				bytes = Math.floor(bytes / 2);
			} else if (/second/.test(error.message)) {
				await sleep(200);
			} else {
				return { bodies: made, channelBytes: bytes };
			}
		}
	}
	return { bodies: count, channelBytes: bytes };
}

/** A recording of the space, played so often at once. */
async function replays({ port, wires }, count) {
	const wire = await Wire.greeted(port, { localAddress: HELPER }, { type: 'record', space, action: 'start', name: 'take' });
	wires.push(wire);
	await sleep(1500);
	wire.say({ type: 'record', space, action: 'stop' });
	await wire.get('recording', ({ state }) => state === 'stopped');
	let file;
	await until('the recording', async () => {
		wire.messages.length = 0;
		wire.say({ type: 'replay', space, action: 'list' });
		file = (await wire.get('replaying', ({ answers }) => answers === 'list')).recordings[0]?.file;
		return file || sleep(200);
	});
	let opened = 0;
	for (let i = 0; i < count; i++) {
		wire.messages.length = 0;
		wire.say({ type: 'replay', space, action: 'open', file, paused: true });
		await wire.until('an answer to open', () => wire.all('error').length > 0 || wire.all('replaying').some(({ answers }) => answers));
		if (wire.all('error').length > 0)
			break;
		opened++;
		await sleep(260);
	}
	return { opened };
}

async function sanctions({ port, wires }, count) {
	const wire = await Wire.greeted(port, { localAddress: HELPER });
	wires.push(wire);
	for (let i = 0; i < count; i++) {
		wire.say({ type: 'moderate', space, action: 'ban', subject: `nobody ${i}`.padEnd(60, 'x'), reason: 'r'.repeat(250) });
		await sleep(22);
	}
	await wire.settled();
	return { sanctions: wire.all('moderated').length, errors: wire.all('error').length };
}

/** Valid messages at random; in the end all is as it was at first. */
function mixture() {
	let seed = 2026;
	const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
	const messages = [];
	let isSubscribed = false;
	let isPublished = false;
	for (let i = 0; i < 400; i++) {
		const viewpoints = many(1 + random(4), () => ({ position: [random(9) - 4, 1.6, random(9) - 4], yaw: random(6) }));
		const always = [{ type: 'ping', t: i }, join, hello, { type: 'keyframe', space }, { type: 'viewpoint', space, viewpoints },
			{ type: 'skeletons' }, { type: 'record', space, action: 'state' }, { type: 'replay', space, action: 'state' },
			{ type: 'moderate', space, action: 'list' }, { type: 'stage', space, body: 1, stage: random(2) === 0 },
			{ type: 'unsubscribe', space }, { ...subscribe, precision: ['fine', 'coarse'][random(2)], rate: [1, 2, 4][random(3)],
				budget: 1000 + random(90000), viewpoints, bodies: many(random(9), (k) => k) }];
		const chosen = always[random(always.length)];
		isSubscribed = chosen.type === 'subscribe' || (isSubscribed && chosen.type !== 'unsubscribe');
		messages.push(chosen);
		if (random(6) === 0) {
			messages.push(isPublished ? { type: 'unpublish', publication: 0 }
				: { type: 'publish', space, publication: 0, name: `body ${random(1000)}`, kind: 'poses' });
			isPublished = !isPublished;
		} else if (isPublished && random(3) === 0) {
			messages.push([{ type: 'consent', publication: 0, mayRecord: random(2) === 0 },
				{ type: 'amend', publication: 0, meta: { n: random(99) } }][random(2)]);
		}
	}
	if (isSubscribed)
		messages.push({ type: 'unsubscribe', space });
	return isPublished ? [...messages, { type: 'unpublish', publication: 0 }] : messages;
}

/** Other wishes each time, views of one's own among them, and none. */
function wishes() {
	return many(60, (i) => (i % 5 === 4 ? { type: 'unsubscribe', space } : {
		...subscribe, precision: ['fine', 'standard', 'coarse'][i % 3], rate: [1, 2, 4][Math.floor(i / 3) % 3],
		...(i % 2 ? { budget: 5000 + 1000 * i, viewpoints: many(4, (k) => ({ position: [i, 1.6, k], yaw: k })) } : {}),
		...(i % 3 ? {} : { bodies: many(64, (k) => k), ignore: many(64, (k) => 100 + k), priority: many(64, (k) => k) }),
		...(i % 4 ? {} : { skeleton: 'humanoid' }),
	}));
}

const values = JSON.stringify({ type: 'ping', t: 1, a: [] }).replace('[]', `[${many(30000, () => '1').join()}]`);
const all = ['client', 'address', 'addresses'];
const flood = { scopes: all, opening: () => [hello], prepare: async () => ({}) };

/** A sequence instead of a flood: until the daemon is dead or the time is over. */
const sequence = (title, again) => ({ title, scopes: ['client'], config: 'spaces { open = {"anyone"} }', options: SOURCES, again,
	prepare: async () => ({}) });

/** Three publishers change the roster 48 times a second each, beside ten watchers at 10 Mbit/s. */
async function churn({ port, wires, scene, seconds, isOver }) {
	const publishers = [];
	for (let i = 0; i < 3; i++) {
		const wire = await Wire.greeted(port, { localAddress: `127.0.1.${1 + i}` });
		let bytes = MOST_CHANNELS;
		while (wire.all('published').length === 0) {
			wire.messages.length = 0;
			wire.say({ type: 'publish', space, publication: 0, kind: 'poses', name: `long ${i}`, channels: channels(bytes) });
			await wire.until('an answer to publish', () => wire.all('published').length + wire.all('error').length > 0);
			bytes = Math.floor(bytes / 2);
		}
		wire.messages.length = 0;
		publishers.push(wire);
		wires.push(wire);
	}
	await scene.ask('slow', { count: 10, rate: 1.25e6 });
	await scene.ask('mark');
	const end = performance.now() + 1000 * Math.max(seconds, 20);
	for (let step = 0; performance.now() < end && !isOver(); step++) {
		await sleep(21 - performance.now() % 1);
		publishers.forEach((wire, i) => wire.isClosed || wire.say({ type: 'consent', publication: 0, mayRecord: (step + i) % 2 === 0 }));
	}
	return { wires: publishers };
}

/** Sends valid messages and may move a body, while the server is stopped. */
const stalled = (places) => async ({ port, wires, scene, isOver }) => {
	let tick = 0;
	const onBinary = (bytes) => {
		if (bytes[0] & 0x80) {
			tick += (bytes[0] - tick) & 0x7f;
		} else {
			tick = 0;
			for (let at = 2, scale = 1; ; at++, scale *= 128) {
				tick += (bytes[at] & 127) * scale;
				if (bytes[at] < 128)
					break;
			}
		}
	};
	const wire = await Wire.greeted(port, { localAddress: '127.0.1.1', onBinary, hello: { credit: true } }, join,
		{ ...subscribe, viewpoints: [{ position: [0, 1.6, 4] }] }, { type: 'publish', space, publication: 0, name: 'viewer', kind: 'poses' });
	wires.push(wire);
	const { body } = await wire.get('published');
	const began = performance.now();
	const rates = [[30, () => ({ type: 'viewpoint', space, viewpoints: [{ position: [Math.random(), 1.6, 4], yaw: 3 }] })],
		[10, () => ({ type: 'ack', space, tick })],
		...(places ? [[30, () => ({ type: 'place', space, body, position: [Math.random(), 0, 1], yaw: 0 })]] : [])];
	const timers = rates.map(([rate, message]) => setInterval(() => wire.say(message()), 1000 / rate));
	await sleep(1500);
	scene.daemon.child.kill('SIGSTOP');
	await sleep(4000);
	scene.daemon.child.kill('SIGCONT');
	while (performance.now() - began < 9000 && !wire.isClosed && !isOver())
		await sleep(50);
	timers.forEach(clearInterval);
	return { wires: [wire], closeCode: wire.isClosed ? wire.closeCode : 0, errors: wire.all('error').map(({ code }) => code) };
};

export const attacks = [
	{ ...flood, title: 'no attack', scopes: ['client'], options: SOURCES, messages: () => [{ type: 'ping', t: 1 }], isIdle: true },
	sequence('two full queues, one ignores the other', (context) => endTwoAtOnce(context.scene, { localAddress: '127.0.1.1' })),
	sequence('a full queue, then `publish` while muted', (context) => endWhilePublishing(context.port)),
	sequence('a space is closed while a calibration counts', (context) =>
		closeDuringCalibration(context.port, { localAddress: '127.0.1.1', space: `cellar${context.round}` })),
	{ ...flood, title: '`join`, 60 bodies with long channels, nothing is read', reads: false,
		prepare: (context) => longBodies(context, 60), messages: () => [join], permitted: 7.5 },
	{ ...flood, title: '`join`, 60 bodies with long channels, all is read',
		prepare: (context) => longBodies(context, 60), messages: () => [join], permitted: 7.5 },
	{ title: '`consent` of three publishers, ten watchers at 10 Mbit/s', scopes: ['client'], options: SOURCES.slice(0, 2),
		prepare: async () => ({}), custom: churn },
	{ ...flood, title: '`hello`, 251 spaces', messages: () => [hello], config: many(250, (i) => `space "room${i}" {}`).join('\n') },
	{ ...flood, title: 'text with 30,000 values', messages: () => [values] },
	{ ...flood, title: '`replay` state, many replays', prepare: (context) => replays(context, 60), options: SOURCES.slice(0, 2),
		config: 'recording { folder = "$FOLDER/takes" }', messages: () => [{ type: 'replay', space, action: 'state' }] },
	{ ...flood, title: '`moderate` list, 512 sanctions', prepare: (context) => sanctions(context, 512),
		messages: () => [{ type: 'moderate', space, action: 'list' }] },
	{ ...flood, title: 'valid messages at random', options: SOURCES, opening: () => [hello, join], messages: mixture },
	{ title: '30 `viewpoint` and 10 `ack` a second, the server stands still for 4 s', scopes: ['client'], options: SOURCES,
		prepare: async () => ({}), custom: stalled(false), stops: true },
	{ title: 'and 30 `place` a second', scopes: ['client'], options: SOURCES,
		prepare: async () => ({}), custom: stalled(true), stops: true },
	{ ...flood, title: '`subscribe`, other wishes each time', options: SOURCES, opening: () => [hello, join], messages: wishes },
	// Messages that resemble motion, which has its own quotas.
	{ ...flood, title: 'subscribed, no further message', prepare: (context) => longBodies(context, 8, 100), permitted: 0.001,
		opening: () => [hello, join, subscribe], messages: () => [{ type: 'ping', t: 1 }] },
	{ ...flood, title: 'subscribed with wishes, no further message', options: SOURCES, permitted: 0.001,
		opening: (i) => [hello, join, wishes()[i % 60]], messages: () => [{ type: 'ping', t: 1 }] },
	{ ...flood, title: '`ignore`, on and off, of one who is in the room', prepare: (context) => longBodies(context, 8, 100),
		opening: () => [hello, join, subscribe], messages: () => many(16, (i) => ({ type: 'ignore', space, body: 2 + i % 8, ignore: i < 8 })) },
	{ ...flood, title: '`moderate` hide and show', prepare: (context) => longBodies(context, 8, 100),
		messages: () => many(16, (i) => ({ type: 'moderate', space, action: i % 2 ? 'show' : 'hide', body: 2 + i % 8 })) },
	{ ...flood, title: '`publish` and `unpublish`', permitted: 15, messages: () => [{ type: 'publish', space, publication: 0, kind: 'poses', name: 'x' },
		{ type: 'unpublish', publication: 0 }] },
	{ ...flood, title: 'pings of WebSocket', messages: () => [Buffer.alloc(125, 1)], opcode: 9 },
	{ ...flood, title: 'handshakes', isHandshakes: true },
];
