// Attacks on a daemon through its sockets: each ends as the protocol defines, while a
// bystander receives its bundles, and in the end the daemon has released its memory.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import test, { after, afterEach, before } from 'node:test';
import { BodyFrame, CAPTURE_BYTES, PoseFrame, TRACKED, encodeBodyFrame,
	encodePose } from '../../../clients/js/body-frame.js';
import { JOINTS } from '../../../clients/js/tables.js';
import { scratch, start } from '../support/daemon.mjs';
import { clientsOf } from '../support/raw_client.mjs';
import { sleep, until } from '../support/until.mjs';
import { closeCode, exchange, frame, frames, handshake, open, Raw, text } from '../support/websocket_bytes.mjs';

// Freed memory that the sanitizer keeps does not count.
process.env.ASAN_OPTIONS = [process.env.ASAN_OPTIONS, 'quarantine_size_mb=1', 'thread_local_quarantine_size_kb=64']
	.filter(Boolean).join(':');

process.env.JOINTCAST_CONNECTIONS_PER_ADDRESS = '64';

const folder = scratch();
const daemon = await start('--state', folder, '--source', 'demo:walk?name=walker');
// A tick that a daemon without attacks misses too is missed by the machine.
const calm = await start('--source', 'demo:walk');
const resident = () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${daemon.child.pid}/status`, 'utf8'))[1]);
const descriptors = () => fs.readdirSync(`/proc/${daemon.child.pid}/fd`).length;

const { Client, Bystander } = clientsOf(daemon);
const eye = new Bystander();
let silent; // silent from the first test to the last
let floor;  // state of the daemon before the attacks

before(async () => {
	await eye.enter();
	silent = await open(daemon.port);
	// One of each first, so that one-time allocations do not count.
	const client = await Client.greeted({ type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' });
	await client.publish('first');
	client.close();
	await sleep(500);
	floor = { resident: resident(), descriptors: descriptors() };
});

afterEach(async () => {
	const seen = eye.bundles().length;
	await eye.client.raw.until(() => eye.bundles().length > seen + 5);
	assert.deepEqual(eye.client.errors(), []);
});

after(async () => {
	assert.equal(await daemon.stop(), 0);
	assert.equal(await calm.stop(), 0);
});

async function status(of = daemon) {
	return JSON.parse((await exchange(of.admin, 'GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n')).body);
}

/** Numbers from 0 to 1, the same each time. */
function dice(seed) {
	return () => {
		seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
		return seed / 2 ** 32;
	};
}

// ---- JSON --------------------------------------------------------------------------

const many = (count, entry) => Array.from({ length: count }, (_, i) => entry(i));
const messages = {
	'a NUL in the type': ['{"type":"ping\\u0000","t":1}', 'bad-message'],
	'a NUL in a space': ['{"type":"join","space":"lobby\\u0000attic"}', 'bad-message'],
	'a NUL as it is': ['{"type":"join",\0"space":"lobby"}', 'bad-message'],
	'half a surrogate': ['{"type":"join","space":"\\ud800"}', 'bad-message'],
	'a number beyond 64 bits': ['{"type":"ack","space":"lobby","tick":99999999999999999999}', 'bad-message'],
	'a number beyond a double': ['{"type":"ping","t":1e999}', 'bad-message'],
	'a number that is none': ['{"type":"ping","t":NaN}', 'bad-message'],
	'a number of 60,000 digits': [`{"type":"ping","t":${'1'.repeat(60000)}}`, 'bad-message'],
	'brackets without end': [`{"type":"hello","codings":${'['.repeat(60000)}`, 'bad-message'],
	'quotes without end': [`{"type":"${'\\"'.repeat(30000)}`, 'bad-message'],
	'an object in an object, 8,000 of them': ['{"a":'.repeat(8000), 'bad-message'],
	'a type twice': ['{"type":"publish","t":7,"type":"ping"}', 'bad-message'],
	'a key twice in an object in a list': ['{"type":"ping","t":8,"more":[{"a":1,"a":2}]}', 'bad-message'],
	'two objects': ['{"type":"ping","t":1}{"type":"ping","t":2}', 'bad-message'],
	'5,000 keys': [`{${many(5000, (i) => `"k${i}":0`).join()},"type":"nothing"}`, 'unknown-type'],
	'a type of 60,000 bytes': [`{"type":"${'x'.repeat(60000)}"}`, 'unknown-type'],
	'a type of an object': ['{"type":"toString"}', 'unknown-type'],
	'a space of a prototype': ['{"type":"join","space":"__proto__"}', 'unknown-space'],
	'a space of 60,000 bytes': [`{"type":"join","space":"${'lobby'.repeat(12000)}"}`, 'bad-field'],
	'30,000 codings': [`{"type":"hello","codings":[${'9,'.repeat(30000)}9]}`, 'bad-field'],
	'a coding that wraps to one': ['{"type":"hello","codings":[4294967297,-18446744073709551615]}', 'bad-message'],
	'a coding that is cut to one': ['{"type":"hello","codings":[4294967297]}', 'bad-field'],
	'an acknowledgement before time': ['{"type":"join","space":"lobby"}', '{"type":"ack","space":"lobby","tick":-1}', 'bad-field'],
	'sections, 10,000 times': ['{"type":"join","space":"lobby"}',
		`{"type":"subscribe","space":"lobby","sections":[${many(8000, () => '"body"').join()}]}`, 'bad-field'],
	'a publication that is cut to 0': ['{"type":"publish","space":"lobby","publication":4294967296,"name":"x","kind":"poses"}', 'bad-field'],
	'a publication that is no integer': ['{"type":"publish","space":"lobby","publication":0.5,"name":"x","kind":"poses"}', 'bad-field'],
	'a height that is huge': ['{"type":"publish","space":"lobby","publication":0,"name":"x","kind":"body-frames","height":1e308}', 'bad-field'],
	'2,000 channels': [JSON.stringify({ type: 'publish', space: 'lobby', publication: 0, name: 'x', kind: 'poses',
		channels: many(2000, (i) => `c${i}`) }), 'bad-field'],
	'a channel of 60,000 bytes': [JSON.stringify({ type: 'publish', space: 'lobby', publication: 0, name: 'x', kind: 'poses',
		channels: ['c'.repeat(60000)] }), 'bad-field'],
	'unpublishing what is cut to 0': ['{"type":"unpublish","publication":4294967296}', 'bad-field'],
	'unpublishing what is not one\'s own': ['{"type":"unpublish","publication":0}', 'unknown-publication'],
	'calibrating what is cut to a body': ['{"type":"calibrate","space":"lobby","body":4294967297,"height":1.75}', 'bad-field'],
	'calibrating before the first body': ['{"type":"calibrate","space":"lobby","body":-1,"height":1.75}', 'bad-field'],
	'calibrating what cannot be': ['{"type":"calibrate","space":"lobby","body":1,"undo":true}', 'unsupported'],
	'a token where none is wanted': [`{"type":"keyframe","space":"lobby","token":"${'x'.repeat(9000)}"}`, 'not-joined'],
};

for (const [name, [...parts]] of Object.entries(messages)) {
	const code = parts.pop();
	test(`${name}: ${code}`, async () => {
		const client = await Client.greeted();
		client.raw.send(...parts.map((part) => text(part)));
		await client.settled();
		assert.deepEqual(client.errors(), [code]);
		client.close();
	});
}

// ---- more than is allowed ------------------------------------------------------------

test('answers a flood of messages, then closes the connection', async () => {
	const client = await Client.greeted();
	for (let i = 0; i < 5000; i++)
		client.say({ type: 'nothing' });
	assert.equal(await closeCode(client.raw), 1008);
	assert.equal(client.errors().length, 16);
	client.close();
});

test('limits requests for complete rosters', async () => {
	const client = await Client.greeted();
	client.say(...many(40, () => ({ type: 'join', space: 'lobby' })));
	assert.equal(await closeCode(client.raw), 1008);
	assert.ok(client.errors().every((code) => code === 'too-many'));
	assert.ok(client.all('roster').length >= 16 && client.all('roster').length < 40);
	client.close();
});

test('limits streams when each message changes the options', async () => {
	const names = ['body', 'face', 'hands', 'hips', 'channels', 'virtual'];
	const clients = [];
	for (let k = 0; k < 4; k++) {
		const client = await Client.open({ type: 'hello', codings: [1, 2] }, { type: 'join', space: 'lobby' });
		client.say(...many(60, (i) => ({ type: 'subscribe', space: 'lobby', rate: 2 ** (i % 3),
			precision: ['fine', 'standard', 'coarse'][(i + k) % 3],
			sections: names.filter((_, bit) => (i + 1 + k) >> bit & 1) })));
		client.say(...many(30, () => ({ type: 'keyframe', space: 'lobby' })));
		clients.push(client);
	}
	for (const client of clients) {
		await client.settled();
		assert.deepEqual(client.errors(), []);
		client.close();
	}
});

test('survives ten thousand pings, pongs and empty fragments', async () => {
	const start = [Buffer.alloc(0), Buffer.alloc(0), frame(1, '{', { fin: false })];
	const endless = [frame(9, 'x'), frame(10, ''), frame(0, '', { fin: false })];
	const clients = await Promise.all(endless.map(() => Client.greeted()));
	for (const [i, client] of clients.entries())
		client.raw.send(start[i], ...Array(10000).fill(endless[i]));
	// They take processor time, as messages do: what follows is read when there is some again.
	clients[0].say({ type: 'ping', t: 0 });
	await clients[0].get('pong');
	clients[1].say({ type: 'ping', t: 1 });
	await clients[1].get('pong');
	clients[2].raw.send(frame(0, '"type":"ping","t":2}'));
	await clients[2].get('pong');
	clients.forEach((client) => client.close());
});

test('limits repeated joins to sixteen, then closes the connection', async () => {
	const client = await Client.greeted();
	// Eight a second are allowed: a slow daemon reads 60 joins in four seconds, and refuses 14 of them.
	const joins = 200;
	for (let i = 0; i < joins; i++)
		client.say({ type: 'publish', space: 'lobby', publication: 0, name: `n${i}`, kind: 'body-frames' },
			{ type: 'unpublish', publication: 0 });
	assert.equal(await closeCode(client.raw), 1008);
	assert.ok(client.all('published').length < 0.75 * joins, `${client.all('published').length} bodies`);
	assert.ok(client.errors().includes('too-many'));
	client.close();
});

test('a subscriber that does not read does not affect others', async () => {
	const deaf = await Promise.all(many(10, () => Client.open({ type: 'hello' }, { type: 'join', space: 'lobby' },
		{ type: 'subscribe', space: 'lobby' })));
	for (const client of deaf)
		client.raw.socket.pause();
	const churns = await Promise.all(many(4, () => Client.greeted()));
	for (const churn of churns)
		for (let i = 0; i < 10; i++)
			churn.say({ type: 'publish', space: 'lobby', publication: 0, name: 'x', kind: 'poses',
				channels: many(90, (k) => `expression/${k}`) }, { type: 'unpublish', publication: 0 });
	for (const churn of churns)
		await churn.settled();
	[...churns, ...deaf].forEach((client) => client.close());
});

test('limits the connections of an address until some end', async () => {
	const raws = many(80, () => new Raw(daemon.port));
	raws.forEach((raw) => raw.send(handshake()));
	const count = (status) => raws.filter(({ bytes }) => bytes.includes(`HTTP/1.1 ${status} `)).length;
	for (const end = Date.now() + 10000; count(101) + count(503) < 40 || count(503) === 0; await sleep(10))
		assert.ok(Date.now() < end, `${count(101)} were taken, ${count(503)} refused`);
	assert.ok(count(101) <= 63, 'the bystander counts');
	raws.forEach((raw) => raw.socket.destroy());
	await until('somebody gets in', async () => (await exchange(daemon.port,
		'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')).status === 200);
	await until('they are all gone', () => descriptors() <= floor.descriptors + 2);
});

test('connections that end at any byte release everything', async () => {
	const whole = Buffer.concat([Buffer.from(handshake()), text({ type: 'hello' }), text({ type: 'join', space: 'lobby' }),
		text({ type: 'subscribe', space: 'lobby' }),
		text({ type: 'publish', space: 'lobby', publication: 0, name: 'torn', kind: 'body-frames' }),
		text({ type: 'calibrate', space: 'lobby', body: 1, height: 1.7 })]);
	const random = dice(1);
	for (let i = 0; i < 60; i++) {
		const raw = new Raw(daemon.port);
		const split = handshake().length;
		const end = Math.floor(random() * whole.length);
		raw.send(whole.subarray(0, Math.min(end, split)));
		if (end > split) {
			await raw.until(() => raw.bytes.includes('\r\n\r\n'));
			raw.send(whole.subarray(split, end));
		}
		if (raw.socket.connecting)
			await once(raw.socket, 'connect');
		i % 2 ? raw.socket.resetAndDestroy() : raw.socket.destroy();
	}
	for (const end = Date.now() + 10000; (await status()).spaces[0].bodies.length > 1; await sleep(20))
		assert.ok(Date.now() < end, 'bodies of theirs are left');
});

// ---- captures --------------------------------------------------------------------------

/** A T-pose of few joints, which can be calibrated. */
const WORN = {
	head: [0, 1.56, 0.01], 'left-hand-wrist': [0.705, 1.42, -0.005], 'right-hand-wrist': [-0.705, 1.42, -0.005],
	hips: [0, 1, 0.08],
};

function bodyFrame(time, at = (joint) => WORN[joint]) {
	const body = Object.assign(new BodyFrame(), { time });
	for (const [index, joint] of JOINTS.entries()) {
		const place = at(joint, index);
		if (!place)
			continue;
		body.states[index] = TRACKED;
		body.positions.set(place, 3 * index);
		body.rotations[4 * index + 3] = 1;
	}
	return body;
}

const bodies = {
	'all joints at one place': () => [0, 0, 0],
	'joints at the ends of the world': (_, i) => [i & 1 ? 1000 : -1000, i & 2 ? 1000 : -1000, i & 4 ? 1000 : -1000],
	'all joints on a line': (_, i) => [0, 0.0001 * i, 0],
	'nothing but toes': (joint) => (/foot/.test(joint) ? [0, 0, 0] : null),
	'nothing at all': () => null,
};

for (const [name, at] of Object.entries(bodies)) {
	test(`accepts or rejects a body frame and T-pose of ${name}`, async () => {
		const client = await Client.greeted();
		await client.publish('odd');
		for (let i = 0; i < 12; i++) {
			const body = bodyFrame(client.now() + i, at);
			body.isRest = i % 4 === 3;
			body.cut = i % 5 === 4;
			client.put(encodeBodyFrame(body));
		}
		const upright = bodyFrame(client.now() + 100);
		client.put(encodeBodyFrame(upright));
		await client.settled();
		assert.deepEqual(client.errors(), []);
		client.close();
	});
}

test('accepts all capture times of 48 bits', async () => {
	const client = await Client.greeted();
	await client.publish('early');
	for (const time of [0, 2 ** 48 - 1, 1, 2 ** 47, client.now()])
		client.put(encodeBodyFrame(bodyFrame(time)));
	await client.settled();
	assert.deepEqual(client.errors(), []);
	client.close();
});

test('captures with changed bits are accepted or answered with bad-capture', async () => {
	const random = dice(2);
	let refused = 0;
	for (let round = 0; round < 12; round++) {
		const client = await Client.greeted();
		const poses = round % 2 === 1;
		await client.publish('noise', { kind: poses ? 'poses' : 'body-frames' });
		for (let i = 0; i < 60; i++) {
			const good = poses ? encodePose(Object.assign(new PoseFrame(), { time: client.now() + i, states: new Uint8Array(55).fill(TRACKED) }))
				: encodeBodyFrame(bodyFrame(client.now() + i, (_, k) => [random(), random(), k / 50]));
			for (let bits = 1 + 8 * random(); bits > 0; bits--)
				good[Math.floor(random() * good.length)] ^= 1 << Math.floor(random() * 8);
			client.put(good);
		}
		const end = await Promise.race([client.settled().then(() => 0, () => 0), closeCode(client.raw)]);
		assert.ok(client.errors().every((code) => code === 'bad-capture'), client.errors().join());
		assert.equal(client.errors().length === 16, end === 1008);
		refused += client.errors().length;
		client.close();
	}
	assert.ok(refused > 20, 'nothing was damaged');
});

test('answers short, long and random captures with bad-capture', async () => {
	const random = dice(3);
	for (const length of [0, 1, 8, 40, CAPTURE_BYTES, CAPTURE_BYTES + 1, 60000]) {
		const client = await Client.greeted();
		await client.publish('chance');
		const capture = Uint8Array.from({ length }, () => 256 * random());
		if (length)
			capture[0] = 0x31;
		client.put(capture);
		await client.settled();
		assert.deepEqual(client.errors(), ['bad-capture']);
		client.close();
	}
});

// ---- calibration -----------------------------------------------------------------------

test('a body whose name is a path is calibrated, and its file stays inside the folder', async () => {
	const client = await Client.greeted();
	const body = await client.publish('../../x/%2e', { height: 1.75 });
	const sending = setInterval(() => client.put(encodeBodyFrame(bodyFrame(client.now() + 1900))), 16);
	let answer; // on a busy machine, the captures may come too late: then again
	for (let request = 0; request < 10 && answer?.state !== 'done'; request++) {
		client.say({ type: 'calibrate', space: 'lobby', body, height: 1.75, countdown: 1, request });
		answer = await client.get('calibration', (one) => one.state !== 'counting' && one.request === request);
	}
	clearInterval(sending);
	assert.equal(answer.state, 'done', answer.reason);
	assert.ok(answer.stored);
	assert.deepEqual(fs.readdirSync(folder), ['calibration']);
	assert.deepEqual(fs.readdirSync(path.join(folder, 'calibration')), ['%2E%2E%2F%2E%2E%2Fx%2F%252e.json']);
	client.close();
});

test('a calibration ends when the body leaves', async () => {
	const owner = await Client.greeted();
	const other = await Client.greeted();
	const body = await owner.publish('leaver');
	other.say({ type: 'calibrate', space: 'lobby', body, height: 1.75, countdown: 60 });
	await other.get('calibration');
	owner.close();
	assert.equal((await other.get('calibration', ({ state }) => state === 'refused')).reason, 'the body left');
	other.close();
});

// ---- confidential data ---------------------------------------------------------------------

test('status, metrics, roster and log contain no height or joints of a person', async () => {
	const client = await Client.greeted();
	await client.publish('private', { height: 1.8263 });
	for (let i = 0; i < 30; i++) {
		client.put(encodeBodyFrame(bodyFrame(client.now() + 1900, (_, k) => [0.3141 + k, 1.5926, -0.5358])));
		await sleep(16);
	}
	const metrics = await exchange(daemon.admin, 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n');
	const told = [JSON.stringify(await status()), metrics.body, daemon.log,
		...frames(eye.client.raw.bytes).filter(({ opcode }) => opcode === 1).map(({ payload }) => payload.toString())];
	for (const secret of ['1.8263', '1.826', '0.3141', '1.5926', '0.5358'])
		assert.ok(!told.some((said) => said.includes(secret)), secret);
	client.close();
});

test('the log has one line with the client name of hello', async () => {
	const client = await Client.open({ type: 'hello', client: 'x\n<0>jointcastd: error: all is lost\r\u001b[2J' });
	await client.get('welcome');
	for (const end = Date.now() + 5000; !daemon.log.includes('all is lost'); await sleep(5))
		assert.ok(Date.now() < end, daemon.log);
	assert.match(daemon.log, /^jointcastd: client 'x\\x0a<0>jointcastd: error: all is lost\\x0d\\x1b\[2J' sent hello$/m);
	client.close();
});

// ---- in the end ------------------------------------------------------------------------------

test('a client without hello is closed', async () => {
	assert.equal(await closeCode(silent, 20000), 1008);
	silent.socket.destroy();
});

test('the bystander received its bundles, and the daemon has released its memory', async () => {
	const grown = () => resident() - floor.resident;
	for (const end = Date.now() + 15000; descriptors() > floor.descriptors || grown() > 24 << 10; await sleep(50))
		assert.ok(Date.now() < end, `${grown()} kB more, ${descriptors()} descriptors, ${floor.descriptors} at first`);
	const { ticks } = await status();
	const { ticks: { missed: spared } } = await status(calm);
	const count = eye.bundles().length;
	const said = `${eye.missed()} of ${count} bundles; ${ticks.missed} ticks did not come, ${spared} where nobody attacks`;
	assert.ok(ticks.missed <= count / 10 + 6 * spared, said);
	assert.ok(eye.missed() - ticks.missed <= count / 50, said); // while a roster is on its way
});
