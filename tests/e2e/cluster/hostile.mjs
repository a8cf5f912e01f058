// An edge that has a user of its own on NATS and means harm, beside one that does not: the server
// runs with the configuration file that operators get. proto/CLUSTER.md, "Permissions".
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Cluster } from '../support/cluster.mjs';
import { Client } from '../support/client.mjs';
import { scratch, start } from '../support/daemon.mjs';
import { secret, token } from '../support/token.mjs';
import { sleep, until } from '../support/until.mjs';

const FILE = path.join(import.meta.dirname, '../../../systemd/nats/nats-server.conf');
const [OPEN, TEXT, BINARY, CLOSE, ALIVE] = [1, 2, 3, 4, 6];
const WORDS = { NATS_ORIGIN_PASSWORD: 'pa', NATS_EDGE_1_PASSWORD: 'pb', NATS_EDGE_2_PASSWORD: 'pc' };

function message(kind, number, sequence, payload = '') {
	const head = Buffer.alloc(16);
	head[0] = kind;
	head[1] = 1;
	head.writeBigUInt64LE(number, 4);
	head.writeUInt32LE(sequence, 12);
	return Buffer.concat([head, Buffer.from(payload)]);
}

function listed(number, sent) {
	const entry = Buffer.alloc(12);
	entry.writeBigUInt64LE(number);
	entry.writeUInt32LE(sent, 8);
	return entry;
}

/** The file with a second edge, which the command in it makes. */
function withTwoEdges() {
	const text = readFileSync(FILE, 'utf8');
	const [, command] = /#\s+(sed -n '.*') \/etc\/nats-server\.conf/.exec(text);
	const more = execFileSync('sh', ['-c', `${command} "$0"`, FILE], { encoding: 'utf8' });
	assert.match(more, /user: edge-2/);
	return text.replace(/^[^#\n]*} # edge-1\n/m, `$&${more}`);
}

/** A certificate for this machine. */
async function certificate(t) {
	const folder = scratch(t);
	const file = path.join(folder, 'jointcastd.conf');
	writeFileSync(file, `server { state = "${folder}" }\ntls { listen = "127.0.0.1:0" development = true }\n`);
	await (await start('--config', file)).stop();
	process.env.NATS_CERTIFICATE = path.join(folder, 'dev-certificate.pem');
	process.env.NATS_KEY = path.join(folder, 'dev-key.pem');
	return process.env.NATS_CERTIFICATE;
}

async function open(t) {
	const ca = await certificate(t);
	Object.assign(process.env, WORDS);
	const cluster = await Cluster.start(t, { config: withTwoEdges() });
	const url = (user) => cluster.nats.replace('nats://', `tls://${user}:${WORDS[`NATS_${user.toUpperCase().replace('-', '_')}_PASSWORD`]}@`);
	const key = path.join(scratch(t), 'key');
	writeFileSync(key, secret);
	const lines = (user) => ({ nats: url(user), cluster: `ca = "${ca}"`,
		config: `auth { audience = "world" key "shared" { algorithm = "HS256" file = "${key}" } }\nlimits { connections_per_address = 16 }\n` });
	await cluster.origin('stage', ['--source', 'demo:walk'], lines('origin'));
	await cluster.edge('edge-1', [], lines('edge-1'));
	const tap = (user) => cluster.tap({ user, pass: new URL(url(user)).password, name: user, ca: readFileSync(ca) });
	return { cluster, tap };
}

const guest = (sub) => ({ hello: { codings: [1, 2], token: token({ sub, roles: ['watch', 'publish'], bodies: '*' }) } });

/** A client that publishes a body. */
async function publish(cluster, name, body) {
	const client = await cluster.watch(name, guest(body.toLowerCase()));
	client.send({ type: 'publish', space: 'lobby', publication: 0, name: body, kind: 'poses', request: body });
	const { body: id } = await client.find('published', ({ request }) => request === body);
	return { client, id };
}

/** Asks, and returns the answer. */
async function ask(client, fields) {
	const request = String(Math.random());
	client.send({ ...fields, request });
	await client.until(`an answer to ${JSON.stringify(fields)}`, () => client.messages.some((answer) => answer.request === request));
	return client.messages.find((answer) => answer.request === request);
}

test('an edge with credentials of its own can neither speak nor hear for another one', async (t) => {
	const { cluster, tap } = await open(t);
	const [eye, hostile] = [await tap('origin'), await tap('edge-2')];
	// Worse than it can be: the hostile edge knows the session of the other one.
	const sessions = new Map();
	eye.subscribe('jc.lobby.u.edge-1', ({ bytes }) => {
		if (bytes[0] !== ALIVE)
			sessions.set(bytes.readBigUInt64LE(4), bytes.readUInt32LE(12) + 1);
	});
	await eye.settled();
	const ada = await publish(cluster, 'edge-1', 'Ada');
	const watcher = await cluster.watch('stage', guest('mia'));
	const [[number, next]] = sessions;

	const heard = [];
	const secret = ['jc.succession', 'jc.lobby.d.edge-1', 'jc.*.d.*', 'jc.lobby.u.*', 'jc.lobby.c.*', 'jc.*.*.edge-1', 'jc.>', '>', '_INBOX.>', '_INBOX.edge-1.>'];
	for (const subject of secret)
		hostile.subscribe(subject, (found) => heard.push(found));
	const own = [];
	hostile.subscribe('jc.*.d.edge-2', ({ bytes }) => own.push(bytes));
	const roster = JSON.stringify({ type: 'roster', space: 'lobby', revision: 99, joined: [] });
	const forged = { 'jc.lobby.f.2-standard-fine-1-4f': 'frame', 'jc.lobby.s': roster, 'jc.announce': '{}', 'jc.succession': '{"space":"lobby","sanctions":[]}', 'jc.lobby.d.edge-1': message(CLOSE, number, 0, '\u00f0\u0003'),
		'_INBOX.edge-1.1': '{}', 'jc.lobby.u.edge-1': message(CLOSE, number, next), 'jc.lobby.c.edge-1': '{"type":"interest","views":[],"watched":0}',
		'jc.report.h.edge-1': '{}', 'jc.status.h.edge-1': '{"leaving":"edge-1"}', 'jc.status.h.stage': '{"leaving":"stage"}' };
	for (const [subject, bytes] of Object.entries(forged))
		hostile.publish(subject, bytes);
	// With its own name it may speak.
	for (const bytes of [message(CLOSE, number, next), message(TEXT, number, next, '{"type":"unpublish","publication":0}'),
		message(BINARY, number, next, Buffer.from([0x21, 0])), message(ALIVE, 5n, 0, listed(number, next + 9)),
		message(OPEN, number, 0, JSON.stringify({ address: 'local', localPage: true }))])
		hostile.publish('jc.lobby.u.edge-2', bytes);
	hostile.publish('jc.lobby.c.edge-2', '{"type":"state"}', '_INBOX.edge-1.1');
	hostile.publish('jc.lobby.c.edge-2', '{"type":"state"}', 'jc.lobby.d.edge-1');
	await until(() => `refusals, got ${hostile.errors.length}`, () => hostile.errors.length === secret.length + Object.keys(forged).length);
	for (const subject of [...secret, ...Object.keys(forged)])
		assert.ok(hostile.errors.some((error) => /^'Permissions Violation/.test(error) && error.includes(`"${subject}"`)), subject);
	// Its requests are answered to itself alone: it knows no such session.
	await until(() => 'answers', () => own.length === 4);
	assert.deepEqual(own.map((bytes) => bytes[0]), [CLOSE, CLOSE, ALIVE, CLOSE]);
	assert.equal(own[2].length, 16, 'sessions of another edge are listed');
	assert.equal((await ask(ada.client, { type: 'amend', publication: 0, display: 'A' })).type, 'amended');
	assert.equal(sessions.size, 1);
	assert.deepEqual(heard, []);
	const left = watcher.all('roster').flatMap(({ left: ids }) => ids ?? []);
	assert.ok(!left.includes(ada.id));
	for (const client of [ada.client, watcher])
		client.end();
	for (const nats of [eye, hostile])
		nats.close();
});

test('a flood of one edge takes nothing from another one', async (t) => {
	const { cluster, tap } = await open(t);
	const hostile = await tap('edge-2');
	const ada = await publish(cluster, 'edge-1', 'Ada');
	const views = [...Array(8).keys()].map((i) => ({ view: `2-coarse-fine-4-${i + 1}`, coding: 2, precision: 'coarse', finest: 'fine', rate: 4, sections: i + 1 }));
	let ticks = 0;
	const flood = () => {
		hostile.publish('jc.lobby.c.edge-2', JSON.stringify({ type: 'interest', views, watched: 16384 }), '_INBOX.edge-2.1');
		for (const { view } of views)
			hostile.publish('jc.lobby.c.edge-2', JSON.stringify({ type: 'rejoin', view }), '_INBOX.edge-2.2');
		// Sessions with the address of the other edge's clients, and some without a sense.
		for (let i = 0; i < 200; i++, ticks++) {
			hostile.publish('jc.lobby.c.edge-2', '{"type":"state"}', '_INBOX.edge-2.3');
			hostile.publish('jc.lobby.u.edge-2', message(OPEN, BigInt(ticks), 0, '{"address":"127.0.0.1","localPage":false}'));
			hostile.publish('jc.lobby.u.edge-2', message(TEXT, BigInt(ticks), 9, '{}'));
		}
	};
	const timer = setInterval(flood, 20);
	const stage = async () => (await cluster.status('stage')).cluster.spaces[0];
	await until(() => 'hostile views', async () => (await stage()).views === 8);
	// Another view, another session and another client of the origin find their place.
	const bo = await publish(cluster, 'edge-1', 'Bo');
	const coarse = await cluster.watch('edge-1', { ...guest('cy'), subscribe: { precision: 'coarse' } });
	const direct = await cluster.watch('stage', guest('dan'));
	assert.equal((await ask(ada.client, { type: 'amend', publication: 0, display: 'A' })).type, 'amended');
	const { views: wanted } = (await cluster.status('edge-1')).cluster.spaces[0];
	assert.ok(wanted >= 2, `${wanted} views`);
	// The edge repeats its interest every two seconds, and drops views that the origin does not export.
	await sleep(3000);
	assert.equal((await cluster.status('edge-1')).cluster.spaces[0].views, wanted);
	assert.ok((await stage()).refused > 0);
	const before = [ada.client, bo.client, coarse, direct].map((client) => client.bundles.length);
	await ada.client.until('motion', () => [ada.client, bo.client, coarse, direct].every((client, i) => client.bundles.length > before[i] + 10));
	assert.ok(![ada.client, bo.client].some((client) => client.all('unpublished').length > 0));
	clearInterval(timer);
	for (const client of [ada.client, bo.client, coarse, direct])
		client.end();
	hostile.close();
});
