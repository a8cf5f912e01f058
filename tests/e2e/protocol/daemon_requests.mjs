// The field `request`: each message that has it gets exactly one answer that repeats it, whether
// the message succeeds, fails, or exceeds an allowance.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { after } from 'node:test';
import { Client } from '../support/client.mjs';
import { scratch, start } from '../support/daemon.mjs';
import { secret, token } from '../support/token.mjs';
import { sleep, until } from '../support/until.mjs';

const folder = scratch();
const config = path.join(folder, 'jointcastd.conf');
writeFileSync(config, `server { state = "${folder}/state" }
recording { folder = "${folder}/recordings" }
limits { rewind_seconds = 10 }
`);
const daemon = await start('--config', config, '--source', 'demo:walk', '--source', 'demo:idle?space=attic');
after(async () => assert.equal(await daemon.stop(), 0));

const of = (client, request) => client.messages.filter((message) => message.request === request);

/** Sends the message with a request; resolves with its only answer. */
async function ask(client, message, request) {
	client.send({ ...message, request });
	const answer = await client.until(`an answer to ${JSON.stringify(message)}`, () => of(client, request)[0]);
	await client.settled();
	assert.equal(of(client, request).length, 1, JSON.stringify(of(client, request)));
	return answer;
}

/** What the answer is: its type, and the code of an error. */
const kind = ({ type, code }) => code ?? type;

/** Asks one message after the other and compares the kinds of the answers. */
async function converse(client, ...pairs) {
	for (const [i, [message, expected]] of pairs.entries())
		assert.equal(kind(await ask(client, message, `${message.type} ${i}`)), expected, JSON.stringify(message));
}

const lobby = (type, rest) => ({ type, space: 'lobby', ...rest });
const place = { body: 1, position: [0, 0, 0], yaw: 0 };
const descriptor = { nodes: [{ name: 'hips', translation: [0, 1, 0] }, { name: 'spine', parent: 0, translation: [0, 0.1, 0] }],
	bones: { hips: 0, spine: 1 } };

test('each type of message has an answer, and each of its errors too', async () => {
	const client = await Client.open(daemon, lobby('join', { request: 1 }), { type: 'hello', codings: [9], request: 2 });
	await client.until('errors', () => client.messages.length === 2);
	assert.deepEqual(client.messages.map(({ code, request }) => [code, request]), [['no-hello', 1], ['unsupported', 2]]);
	client.send({ type: 'hello', request: 3 });
	assert.equal((await client.find('welcome')).request, 3);
	await converse(client, [{ type: 'hello' }, 'welcome'],
		[{ type: 'token', token: 'a.b.c' }, 'renewed'], [{ type: 'token' }, 'bad-field'], [{ type: 'later' }, 'unknown-type'],
		[lobby('subscribe'), 'not-joined'], [lobby('join'), 'roster'], [lobby('join'), 'roster'],
		[lobby('subscribe'), 'subscribed'], [lobby('subscribe', { rate: 3 }), 'bad-field'],
		[lobby('keyframe'), 'done'], [lobby('keyframe'), 'done'], [lobby('ignore', { body: 1 }), 'unsupported'],
		[lobby('unsubscribe'), 'done'], [lobby('unsubscribe'), 'done'],
		[lobby('publish', { publication: 0, name: 'Ada', kind: 'body-frames', mayRecord: true }), 'published'],
		[{ type: 'consent', publication: 0, mayRecord: true }, 'consented'], [{ type: 'amend', publication: 0, display: 'A' }, 'amended'],
		[{ type: 'amend', publication: 1, display: 'A' }, 'unknown-publication']);
	const { body } = client.messages.find(({ type }) => type === 'published');
	await converse(client, [lobby('place', { ...place, body }), 'done'], [lobby('place', { ...place, body: 99 }), 'unknown-body'],
		[lobby('stage', { body }), 'done'], [lobby('stage', { body: 99 }), 'unknown-body'],
		[{ type: 'skeleton', name: 'own', descriptor }, 'registered'], [{ type: 'skeleton', name: 'bad', descriptor: { nodes: [], bones: {} } }, 'bad-skeleton'],
		[{ type: 'skeletons' }, 'wardrobe'], [{ type: 'unregister', name: 'own' }, 'unregistered'], [{ type: 'unregister', name: 'own' }, 'unknown-skeleton'],
		[lobby('record', { action: 'state' }), 'recording'], [lobby('record', { action: 'stop' }), 'cannot-record'],
		[lobby('replay', { action: 'list' }), 'replaying'], [lobby('replay', { action: 'open', file: 'x.mcap' }), 'cannot-replay'],
		[lobby('replay', { action: 'play', id: 5 }), 'unknown-replay'],
		[lobby('moderate', { action: 'mute', body }), 'moderated'], [lobby('moderate', { action: 'list' }), 'sanctions'],
		[lobby('moderate', { action: 'unmute', body }), 'moderated'], [lobby('moderate', { action: 'kick', subject: 'eve' }), 'moderated'],
		[lobby('administer', { action: 'limit', bodies: 9 }), 'administered'],
		[lobby('calibrate', { body: 1, height: 1.7 }), 'unsupported'],
		[{ type: 'unpublish', publication: 0 }, 'unpublished'], [{ type: 'unpublish', publication: 0 }, 'unknown-publication'],
		[{ type: 'ping', t: 0.1 + 0.2 }, 'pong'], [{ type: 'ping' }, 'bad-field'],
		[lobby('leave'), 'done'], [lobby('leave'), 'not-joined'], [{ type: 'join', space: 'nowhere~' }, 'unknown-space']);
	client.end();
});

test('another client that publishes is ignored and not, with an answer', async () => {
	const [ada, eve] = [await Client.greeted(daemon), await Client.greeted(daemon)];
	const { body } = await ask(ada, lobby('publish', { publication: 0, name: 'Ada', kind: 'poses' }), 1);
	await converse(eve, [lobby('join'), 'roster'], [lobby('ignore', { body }), 'done'], [lobby('ignore', { body, ignore: false }), 'done']);
	ada.end();
	eve.end();
});

test('only the answer repeats the request, not what the message causes besides', async () => {
	const client = await Client.greeted(daemon, { codings: [2] });
	const { bodies } = await ask(client, lobby('join'), 7);
	assert.equal(bodies[0].name, 'walk');
	const { virtual } = await ask(client, lobby('subscribe', { virtual: [3] }), 8);
	assert.deepEqual(virtual, [3]);
	// A replay is reported to all members, and its requester gets the answer besides.
	await ask(client, lobby('record', { action: 'start', name: 'take' }), 9);
	const state = (is) => until('a state of the recording', async () => {
		const report = await ask(client, lobby('record', { action: 'state' }), `state ${client.messages.length}`);
		return is(report) ? report : sleep(20);
	});
	await state(({ bytes }) => bytes > 0);
	const stopped = await ask(client, lobby('record', { action: 'stop' }), 10);
	const { file } = await state(({ bytes }) => bytes > stopped.bytes); // its end is written
	const { opened } = await ask(client, lobby('replay', { action: 'open', file }), 11);
	assert.ok(opened > 0);
	assert.equal((await ask(client, lobby('replay', { action: 'close', id: opened }), 12)).answers, 'close');
	const { past } = await ask(client, lobby('replay', { action: 'rewind' }), 13);
	assert.match(past, /^lobby~\d+$/);
	client.end();
});

test('all reports of a calibration repeat its request', async () => {
	const client = await Client.greeted(daemon);
	const { body } = await ask(client, lobby('publish', { publication: 0, name: 'Bob', kind: 'body-frames' }), 1);
	client.send(lobby('calibrate', { body, height: 1.7, countdown: 1, request: 'c' }));
	await client.find('calibration', ({ state }) => state === 'refused'); // without a single frame
	const reports = client.all('calibration');
	assert.ok(reports.length >= 2);
	assert.ok(reports.every(({ request }) => request === 'c'));
	assert.equal(kind(await ask(client, lobby('calibrate', { body, undo: true }), 2)), 'calibration');
	client.end();
});

test('a message beyond an allowance is answered', async () => {
	const client = await Client.greeted(daemon);
	const count = 60;
	for (let i = 0; i < count; i++)
		client.send({ type: 'skeletons', request: i }, lobby('keyframe', { request: `k${i}` }), lobby('place', { ...place, request: `p${i}` }));
	// The errors may close the connection; what is answered is answered in order.
	await client.until('the surplus', () => client.isClosed || of(client, count - 1).length > 0).catch(() => {});
	const kinds = client.messages.filter(({ request }) => Number.isInteger(request)).map(kind);
	assert.ok(kinds.includes('too-many') && kinds.includes('wardrobe'), String(kinds));
	assert.deepEqual(client.messages.filter(({ request }) => Number.isInteger(request)).map(({ request }) => request), kinds.map((_, i) => i));
	client.end();
});

test('errors to captures have the ref "capture"', async () => {
	const client = await Client.greeted(daemon);
	client.ws.send(Buffer.from([0x99]));
	assert.equal((await client.find('error', ({ code }) => code === 'bad-capture')).ref, 'capture');
	for (let i = 0; i < 4000; i++) // twice the 1000 of a second, 1000 that are dropped, and some that pass meanwhile
		client.ws.send(Buffer.from([0x21, 7]));
	assert.equal((await client.find('error', ({ code }) => code === 'too-many')).ref, 'capture');
	assert.equal((await client.find('error', ({ code }) => code === 'unknown-publication')).ref, 'capture');
	client.end();
});

test('answers to moderators that wait for the disk repeat the request', async () => {
	const client = await Client.greeted(daemon);
	const mute = (i) => lobby('moderate', { action: i % 2 ? 'unmute' : 'mute', name: 'walk', request: i });
	client.send(...Array.from({ length: 10 }, (_, i) => mute(i)), lobby('moderate', { action: 'exile', request: 'wrong' }));
	await client.find('error');
	assert.deepEqual(client.messages.filter(({ request }) => request !== undefined).map(({ request }) => request),
		[...Array(10).keys(), 'wrong']);
	client.end();
});

test('a request is an integer or a short text', async () => {
	const client = await Client.greeted(daemon);
	const good = [0, -1, 2 ** 53, -(2 ** 53), '', 'x'.repeat(32), 'ä'.repeat(16), '"\\\u0007'];
	for (const request of good)
		assert.equal((await ask(client, { type: 'ping', t: 1 }, request)).type, 'pong');
	client.send('{"type":"ping","t":1,"request":3.0}');
	assert.equal((await client.find('pong', ({ request }) => request === 3)).request, 3);
	const bad = [0.5, 2 ** 53 + 2, '"x"'.repeat(11), '"ä"', null, true, [], {}].map((value) =>
		(typeof value === 'string' ? JSON.stringify(value.startsWith('"ä') ? 'ä'.repeat(17) : value) : JSON.stringify(value)));
	for (const value of bad)
		client.send(`{"type":"place","space":"lobby","request":${value}}`);
	await client.settled();
	const errors = client.all('error');
	assert.equal(errors.length, bad.length);
	for (const error of errors) {
		assert.deepEqual([error.code, error.ref, error.request], ['bad-field', 'place', undefined]);
		assert.match(error.message, /^request must be /);
	}
	client.end();
});

test('ack and viewpoint have no answer', async () => {
	const client = await Client.greeted(daemon, { codings: [2] }, lobby('join'), lobby('subscribe'));
	client.send(lobby('viewpoint', { viewpoints: [], request: 1 }), lobby('ack', { tick: 0, request: 2 }), lobby('viewpoint', { request: 3 }));
	const error = await client.find('error');
	assert.deepEqual([error.ref, error.request], ['viewpoint', undefined]);
	assert.deepEqual(client.messages.filter(({ request }) => request !== undefined), []);
	client.end();
});

test('a message without a type, and one whose answer closes the connection, are answered', async () => {
	const client = await Client.greeted(daemon);
	client.send({ request: 'x' });
	assert.deepEqual((await client.find('error')).request, 'x');
	client.end();
	const key = path.join(folder, 'key');
	writeFileSync(key, secret);
	writeFileSync(path.join(folder, 'keys.conf'), `auth { audience = "world" key "shared" { algorithm = "HS256" file = "${key}" } }`);
	const guarded = await start('--config', path.join(folder, 'keys.conf'), '--source', 'demo:walk', '--source', 'demo:idle?space=attic');
	const refused = await Client.open(guarded, { type: 'hello', token: 'a.b.c', request: 4 });
	assert.equal((await refused.closed).code, 1008);
	assert.deepEqual(refused.messages.map(({ code, request }) => [code, request]), [['refused', 4]]);
	// A new token without a space: the loss of the space is an error of its own.
	const ada = await Client.greeted(guarded, { token: token({ sub: 'ada' }) }, lobby('join'));
	const renewed = await ask(ada, { type: 'token', token: token({ sub: 'ada', spaces: ['attic'] }) }, 5);
	assert.equal(renewed.type, 'renewed');
	const lost = await ada.find('error');
	assert.deepEqual([lost.code, lost.ref, lost.request], ['not-allowed', 'token', undefined]);
	ada.end();
	assert.equal(await guarded.stop(), 0);
});
