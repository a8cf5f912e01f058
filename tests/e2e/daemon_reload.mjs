// A configuration that is read again while people are connected.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import dgram from 'node:dgram';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from './support/client.mjs';
import { scratch, start, writer } from './support/daemon.mjs';
import { follow } from './support/roster.mjs';
import { now as seconds, sign } from './support/token.mjs';
import { sleep } from './support/until.mjs';
import { exchange, frames, handshake, open, Raw, text } from './support/websocket_bytes.mjs';

const folder = scratch();

const file = writer(folder);
const secrets = { a: crypto.randomBytes(32), b: crypto.randomBytes(32) };
const key = (id, more = '') => `key "${id}" { algorithm = "HS256" file = "${file(id, secrets[id])}" ${more} }\n`;

const token = (kid) => sign({ alg: 'HS256', kid }, { sub: 'ada', aud: 'jointcast', spaces: '*', exp: seconds() + 600 }, secrets[kid]);

/** Reloads the configuration; resolves with the new log lines. */
async function reload(daemon, config, wanted = /the configuration (was read again|stays as it was)/) {
	const before = daemon.log.length;
	if (config !== undefined)
		file('jointcastd.conf', config);
	daemon.child.kill('SIGHUP');
	while (!wanted.test(daemon.log.slice(before)))
		await sleep(5);
	return daemon.log.slice(before);
}

const startWith = (config) => start('--config', file('jointcastd.conf', config));
const control = (raw) => frames(raw.bytes).filter(({ opcode }) => opcode === 1)
	.map(({ payload }) => JSON.parse(payload.toString()));
const closed = (raw) => raw.until(() => frames(raw.bytes).find(({ opcode }) => opcode === 8));

async function status(daemon, host) {
	return (await exchange(daemon.port, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status;
}

test('new hosts apply to the next request, new spaces open', async () => {
	const daemon = await startWith('');
	assert.equal(await status(daemon, 'room.example'), 403);
	assert.match(await reload(daemon, 'server { hosts = {"room.example"} }\nspace "attic" {}\n'),
		/warning: hosts are served without a key: every client that reaches them may do everything/);
	assert.equal(await status(daemon, 'room.example'), 200);
	const raw = await open(daemon.port);
	raw.send(text({ type: 'hello' }));
	const welcome = await raw.until(() => control(raw)[0]);
	assert.deepEqual(welcome.spaces, ['lobby', 'attic']);
	raw.socket.destroy();
	await reload(daemon, '');
	assert.equal(await status(daemon, 'room.example'), 403);
	assert.equal(await daemon.stop(), 0);
});

test('a bad file changes nothing, and its line is named', async () => {
	const daemon = await startWith('server { hosts = {"room.example"} }\n');
	const log = await reload(daemon, 'server {\n\tlisten = 7\n}\nserver { hosts = {"other.example"} }\n');
	assert.match(log, /error: the configuration stays as it was: [^\n]+, line 2 of '[^\n]+jointcastd\.conf'\n/);
	assert.equal(await status(daemon, 'room.example'), 200);
	assert.equal(await status(daemon, 'other.example'), 403);
	assert.match(await reload(daemon, `server { hosts = {"other.example"} }\nauth { ${key('a').replace('HS256', 'ES256')} }`),
		/stays as it was: key 'a': no public key/);
	assert.equal(await status(daemon, 'other.example'), 403);
	assert.equal(await daemon.stop(), 0);
});

test('trust in a proxy changes with the next visitor', async () => {
	const config = (forwarded) => `limits { connections_per_address = 1 }\nproxy { listen = "127.0.0.1:0" forwarded = ${forwarded} }\n`;
	const daemon = await startWith(config(false));
	const proxy = Number(/behind a proxy on 127\.0\.0\.1:(\d+)/.exec(daemon.log)[1]);
	const visit = async (address) => {
		const raw = new Raw(proxy);
		raw.send(handshake({ 'X-Forwarded-For': address }));
		await raw.until(() => raw.bytes.includes('\r\n\r\n'));
		return { raw, status: Number(raw.bytes.toString('latin1').split(' ')[1]) };
	};
	const ada = await visit('203.0.113.7');
	assert.equal(ada.status, 101);
	assert.equal((await visit('203.0.113.8')).status, 503);
	await reload(daemon, config(true));
	const bob = await visit('203.0.113.8');
	assert.equal(bob.status, 101);
	await reload(daemon, config(false));
	assert.equal((await visit('203.0.113.9')).status, 503);
	ada.raw.socket.destroy();
	bob.raw.socket.destroy();
	assert.equal(await daemon.stop(), 0);
});

test('names the keys that need a restart', async () => {
	const daemon = await startWith('space "attic" {}\n');
	const log = await reload(daemon, 'server { listen = "127.0.0.1:7" }\nspace "attic" { hz = 30 }\nvmc_out "out" { target = "127.0.0.1:7?body=a" }\n');
	assert.match(log, /warning: the rate of space 'attic': the change takes effect at the next start/);
	assert.match(log, /warning: vmc_out: the change takes effect at the next start/);
	assert.doesNotMatch(log, /recording/);
	assert.match(await reload(daemon, `recording { folder = "${folder}" }`), /warning: recording\.folder: the change takes effect at the next start/);
	assert.doesNotMatch(log, /skeletons|sources|listen/); // --listen wins over the file
	assert.equal(await daemon.stop(), 0);
});

const rosters = (raw) => control(raw).filter(({ type }) => type === 'roster');

/**
 * Bodies in the lobby: ids by name. A new body marks the time: the roster that contains it
 * contains all earlier changes.
 */
async function roster(daemon) {
	const raw = await open(daemon.port);
	raw.send(text({ type: 'hello' }), text({ type: 'join', space: 'lobby' }),
		text({ type: 'publish', space: 'lobby', publication: 0, name: 'mark', kind: 'poses' }));
	const mark = await raw.until(() => control(raw).find(({ type }) => type === 'published'));
	const known = await raw.until(() => follow(rosters(raw)).has(mark.body) && follow(rosters(raw)));
	raw.socket.destroy();
	return Object.fromEntries([...known.values()].filter(({ name }) => !name.startsWith('mark'))
		.map(({ name, id }) => [name, id]));
}

const body = (name, uri, more = '') => `source "${name}" { uri = "${uri}" ${more} }\n`;

test('sources are added, removed and changed by name, others keep their ids', async () => {
	const daemon = await startWith(body('a', 'demo:walk') + body('b', 'demo:sit'));
	const before = await roster(daemon);
	assert.deepEqual(Object.keys(before).sort(), ['a', 'b']);
	const log = await reload(daemon, body('c', 'demo:wave') + body('b', 'demo:idle') + body('a', 'demo:walk'));
	assert.match(log, /new: 0 skeletons and 2 sources, read in \d+ ms\n/);
	const now = await roster(daemon);
	assert.deepEqual(Object.keys(now).sort(), ['a', 'b', 'c']);
	assert.equal(now.a, before.a);
	assert.notEqual(now.b, before.b);
	await reload(daemon, '');
	assert.deepEqual(await roster(daemon), {});
	assert.equal(await daemon.stop(), 0);
});

const figure = fileURLToPath(new URL('../figures/files', import.meta.url));

test('a watcher knows all bodies after changes of all, and no revision is missing', async () => {
	const all = (uri) => Array.from({ length: 64 }, (_, i) => body(`b${i}`, uri)).join('');
	const daemon = await startWith(all('demo:sit'));
	const crowd = await Promise.all(Array.from({ length: 3 }, async () => {
		const raw = await open(daemon.port);
		raw.send(text({ type: 'hello' }), text({ type: 'join', space: 'lobby' }), text({ type: 'subscribe', space: 'lobby' }));
		await raw.until(() => control(raw).some(({ type }) => type === 'roster'));
		return raw;
	}));
	await reload(daemon, all('demo:idle'));
	for (const raw of crowd) {
		const [{ bodies }] = rosters(raw);
		assert.equal(bodies.length, 64);
		const known = await raw.until(() => {
			const all = follow(rosters(raw));
			return all.size === 64 && bodies.every(({ id }) => !all.has(id)) && all;
		});
		assert.deepEqual([...known.values()].map(({ name }) => name), bodies.map(({ name }) => name));
		assert.ok(!raw.closed);
		raw.socket.destroy();
	}
	assert.equal(await daemon.stop(), 0);
});

test('a new skeleton is used by the sources that name it', async () => {
	const wearing = (name) => `skeleton "s" { file = "${figure}/${name}" }\n` +
		body('a', 'demo:walk') + body('b', 'demo:sit', 'skeleton = "s"');
	const daemon = await startWith(wearing('reference.gltf'));
	const before = await roster(daemon);
	assert.match(await reload(daemon, wearing('tilted.vrm')), /new: 1 skeletons and 2 sources/);
	const now = await roster(daemon); // sources that name none take the skeletons in turn
	assert.ok(now.a !== before.a && now.b !== before.b);
	const log = await reload(daemon, `skeleton "t" { file = "${figure}/reference.gltf" }\n${wearing('tilted.vrm')
		.replace('demo:walk"', 'demo:walk" skeleton = "t"')}`);
	assert.match(log, /new: 1 skeletons and 1 sources/);
	assert.equal((await roster(daemon)).b, now.b);
	assert.equal(await daemon.stop(), 0);
});

test('a file that cannot be used leaves all as it was, keys included', async () => {
	const daemon = await startWith(body('a', 'demo:walk'));
	const before = await roster(daemon);
	const damaged = file('damaged.bvh', 'HIERARCHY\nROOT\n');
	for (const [more, wanted] of [
		[`skeleton "s" { file = "${damaged}" }`, /stays as it was: \/[^\n]*damaged\.bvh: /],
		[body('b', `file:${damaged}`), /stays as it was: \/[^\n]*damaged\.bvh: /],
		[body('b', `file:${folder}/nowhere.bvh`), /stays as it was: \/[^\n]*nowhere\.bvh: /],
	]) {
		assert.match(await reload(daemon, `server { hosts = {"room.example"} }\nauth { ${key('a')} }\n${more}`), wanted);
		assert.equal(await status(daemon, 'room.example'), 403);
		assert.deepEqual(await roster(daemon), before);
	}
	assert.equal(await daemon.stop(), 0);
});

test('a port is taken over by the source that names it now', async () => {
	const socket = dgram.createSocket('udp4');
	await new Promise((resolve) => socket.bind(0, '127.0.0.1', resolve));
	const taken = socket.address().port;
	const daemon = await startWith(body('a', 'demo:walk'));
	const before = await roster(daemon);
	assert.match(await reload(daemon, body('v', `vmc:${taken}`)), /stays as it was: vmc:\d+: [^\n]*in use/);
	assert.deepEqual(await roster(daemon), before);
	await new Promise((resolve) => socket.close(resolve));
	// Without a sender the source has no body.
	const opened = () => daemon.log.split(`vmc 127.0.0.1:${taken}: waiting for a body`).length - 1;
	await reload(daemon, body('v', `vmc:${taken}`));
	assert.equal(opened(), 1);
	await reload(daemon, body('v', `vmc:${taken}?smooth`));
	assert.equal(opened(), 2);
	assert.deepEqual(await roster(daemon), {});
	assert.equal(await daemon.stop(), 0);
});

test('a revoked key disconnects its clients, and no others', async () => {
	const daemon = await startWith(`auth { ${key('a')} ${key('b')} }`);
	const people = {};
	for (const id of ['a', 'b']) {
		people[id] = await open(daemon.port);
		people[id].send(text({ type: 'hello', token: token(id) }));
		assert.equal((await people[id].until(() => control(people[id])[0])).type, 'welcome');
	}
	await reload(daemon, `auth { ${key('a', 'revoked = true')} ${key('b')} }`);
	assert.equal((await closed(people.a)).payload.subarray(2).toString(), 'revoked');
	people.b.send(text({ type: 'ping', t: 1 }));
	await people.b.until(() => control(people.b).some(({ type }) => type === 'pong'));
	await reload(daemon, `auth { ${key('a')} }`);
	assert.equal((await closed(people.b)).payload.subarray(2).toString(), 'revoked');
	assert.equal(await daemon.stop(), 0);
});

test('clients from before the keys need a token after the reload', async () => {
	const daemon = await startWith('');
	const raw = await open(daemon.port);
	raw.send(text({ type: 'hello' }));
	await raw.until(() => control(raw)[0]);
	await reload(daemon, `auth { ${key('a')} }`);
	assert.equal((await closed(raw)).payload.subarray(2).toString(), 'no-token');
	assert.equal(await daemon.stop(), 0);
});

/** Counts bundles, and keeps none: a long run would keep millions. */
class Counter extends Client {
	count = 0;

	onBinary() {
		this.count++;
	}
}

const PATIENCE = 120000; // for 200 clients on a busy machine
const PING_MS = 10000;   // a minute of silence closes a connection

test('a hundred reloads disconnect none of 200 subscribers', async (t) => {
	const daemon = await startWith('source "walker" { uri = "demo:walk" }\n');
	const crowd = [];
	t.after(() => crowd.forEach((client) => client.end()));
	// A connection without a hello ends after ten seconds: not all begin at once.
	while (crowd.length < 200)
		crowd.push(...await Promise.all(Array.from({ length: 20 }, () =>
			Counter.connect(daemon, {}, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' }))));
	for (const client of crowd)
		await client.until('a bundle', () => client.count > 0, PATIENCE);
	let pinged = Date.now();
	for (let i = 0; i < 100; i++) {
		await reload(daemon, i % 2 ? undefined : `# ${i}\nsource "walker" { uri = "demo:walk" }\nserver { hosts = {"h${i}.example"} }\n`);
		if (Date.now() - pinged > PING_MS) {
			pinged = Date.now();
			crowd.forEach((client) => client.send({ type: 'ping', t: i }));
		}
	}
	for (const client of crowd) {
		const before = client.count;
		await client.until('another bundle', () => client.count > before, PATIENCE);
	}
	assert.deepEqual(crowd.filter(({ isClosed }) => isClosed), []);
	crowd.forEach((client) => client.end());
	assert.equal(await daemon.stop(), 0);
});
