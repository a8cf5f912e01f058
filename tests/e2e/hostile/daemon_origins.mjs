// Pages of loopback origins: a daemon without keys takes them on its own loopback listeners, for
// watching and publishing; every other way in, and every other action, is refused.
//
// usage: daemon_origins.mjs JOINTCASTD
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import net from 'node:net';
import test, { after } from 'node:test';
import { spawn } from 'node:child_process';
import { Client } from '../support/client.mjs';
import { binary, scratch, start, writer } from '../support/daemon.mjs';
import { secret } from '../support/token.mjs';
import { until } from '../support/until.mjs';
import { exchange, handshake, Raw } from '../support/websocket_bytes.mjs';

const PAGE = 'http://localhost:5173';
const folder = scratch();
const file = writer(folder);
const config = file('jointcastd.conf', `
server { hosts = {"localhost", "nas.local"} }
proxy { listen = "127.0.0.1:0" }
spaces { open = {"anyone"} record = {"anyone"} moderate = {"anyone"} administer = {"anyone"} }
recording { folder = "${folder}" }
`);
const daemon = await start('--source', 'demo:walk', '--config', config);
const proxy = Number(/behind a proxy on 127\.0\.0\.1:(\d+)/.exec(daemon.log)[1]);
after(async () => assert.equal(await daemon.stop(), 0));

const enter = (origin = PAGE) => Client.greeted({ ...daemon, headers: { Origin: origin } });

async function status(port, replaced) {
	const raw = new Raw(port);
	raw.send(handshake({ Origin: PAGE, ...replaced }));
	await raw.until(() => raw.bytes.includes('\r\n\r\n'));
	raw.socket.destroy();
	return Number(raw.bytes.toString('latin1').split(' ')[1]);
}

for (const origin of [PAGE, 'https://localhost', 'http://127.8.9.10:80', 'http://[::1]:3000'])
	test(`a page of ${origin} watches and publishes`, async () => {
		const page = await enter(origin);
		page.send({ type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' },
			{ type: 'publish', space: 'lobby', publication: 0, name: 'page', kind: 'poses' });
		assert.ok((await page.find('roster')).bodies.length >= 1);
		await page.find('published');
		await page.until('a bundle', () => page.bundles.length > 0);
		const { rooms } = page.welcome;
		assert.deepEqual(rooms[0].roles, ['watch', 'publish']);
		assert.equal(rooms[0].recordings, false);
		page.end();
	});

const own = { name: 'figure', descriptor: { nodes: [{ name: 'h', translation: [0, 1, 0] }], bones: { hips: 0 } } };
for (const message of [
	{ type: 'moderate', space: 'lobby', action: 'hide', body: 1 },
	{ type: 'administer', space: 'lobby', action: 'close' },
	{ type: 'record', space: 'lobby', action: 'start' },
	{ type: 'replay', space: 'lobby', action: 'list' },
	{ type: 'stage', space: 'lobby', body: 1 },
	{ type: 'place', space: 'lobby', body: 1, position: [0, 0, 0], yaw: 0 },
	{ type: 'calibrate', space: 'lobby', body: 1 },
	{ type: 'skeleton', ...own },
	{ type: 'unregister', name: own.name },
	{ type: 'skeletons' },
])
	test(`such a page may not send '${message.type}'${message.action ? ` with '${message.action}'` : ''}, whatever the permits allow`, async () => {
		const page = await enter();
		page.send({ type: 'join', space: 'lobby' });
		const body = (await page.find('roster')).bodies.find(({ name }) => name !== 'page').id;
		page.send({ ...message, ...(message.body && { body }) });
		const error = await page.find('error');
		assert.equal(error.code, 'not-allowed', error.message);
		assert.equal(error.ref, message.type);
		assert.match(error.message, /loopback origin may only watch and publish/);
		page.end();
	});

test('a client without an origin keeps every right', async () => {
	const client = await Client.greeted(daemon);
	assert.deepEqual(client.welcome.rooms[0].roles, ['watch', 'publish', 'record', 'moderate', 'administer']);
	client.send({ type: 'skeleton', ...own });
	await client.find('registered');
	client.end();
});

test('other origins, other hosts and forwarded requests are refused', async () => {
	const { port } = daemon;
	assert.equal(await status(port, {}), 101);
	for (const origin of ['null', 'http://evil.example', 'http://a.localhost:5173', 'http://localhost.:80', 'http://LOCALHOST',
		'http://user@localhost', 'http://localhost:0', 'http://localhost:65536', 'http://127.1', 'http://0x7f.1',
		'http://[::ffff:127.0.0.1]', 'http://localhost/', 'file://'])
		assert.equal(await status(port, { Origin: origin }), 403, origin);
	for (const [name, value] of [['Forwarded', 'for=192.0.2.1'], ['Via', '1.1 a'], ['X-Forwarded-For', '127.0.0.1'],
		['X-Forwarded-Host', 'localhost'], ['X-Forwarded-Proto', 'https']])
		assert.equal(await status(port, { [name]: value }), 403, name);
	assert.equal(await status(port, { Host: 'room.example' }), 403);
});

test('a listener for a proxy takes no such page', async () => {
	assert.equal(await status(proxy, {}), 403);
	// nginx with $host sends the name alone. Without keys the port of the page is compared all the same.
	for (const [host, origin] of [['localhost', PAGE], ['127.0.0.1', 'http://127.0.0.1:5173'], ['nas.local', 'http://nas.local:8080']])
		for (const port of [proxy, daemon.port])
			assert.equal(await status(port, { Host: host, Origin: origin, Via: '1.1 a' }), 403, `${origin} on ${port}`);
	assert.equal(await status(proxy, { Host: 'nas.local', Origin: 'https://nas.local' }), 101, 'its own page');
	assert.match(daemon.log, /refused a page of origin 'http:\/\/localhost:5173'; jointcastd\.conf admits it with: server \{ origins = \{"http:\/\/localhost:5173"\} \}/);
});

test('paths and uploads stay with the pages of the daemon', async () => {
	for (const target of ['/healthz', '/skeletons'])
		assert.equal((await exchange(daemon.port, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${PAGE}\r\n\r\n`)).status, 403);
	// Only a page whose origin is the reason of a refused WebSocket may read that it is.
	const readable = async (origin) => (await exchange(daemon.port, `GET /healthz HTTP/1.1\r\nHost: localhost\r\nOrigin: ${origin}\r\n\r\n`))
		.headers.has('access-control-allow-origin');
	assert.equal(await readable('https://evil.example'), true);
	assert.equal(await readable(PAGE), false);
	const put = `PUT /skeletons/page HTTP/1.1\r\nHost: localhost\r\nOrigin: ${PAGE}\r\nContent-Length: 2\r\n\r\n{}`;
	assert.equal((await exchange(daemon.port, put)).status, 403);
});

test('an origin that the configuration lists keeps every right', async (t) => {
	const known = await start('--source', 'demo:walk', '--origin', PAGE);
	t.after(async () => assert.equal(await known.stop(), 0));
	const page = await Client.greeted({ ...known, headers: { Origin: PAGE } });
	assert.deepEqual(page.welcome.rooms[0].roles, ['watch', 'publish', 'record', 'moderate', 'administer']);
	page.end();
});

test('a socket of the service manager takes no such page', async (t) => {
	const server = net.createServer();
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address();
	const child = spawn('/bin/sh', ['-c', 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"', 'sh', binary],
		{ stdio: ['ignore', 'ignore', 'pipe', server._handle] });
	server.close();
	let log = '';
	child.stderr.on('data', (text) => (log += text));
	const ended = new Promise((resolve) => child.on('exit', resolve));
	t.after(() => child.kill('SIGKILL'));
	await until('the daemon', () => log.includes(`listening on 127.0.0.1:${port}`) || child.exitCode !== null);
	assert.equal(await status(port, { Origin: null }), 101, log);
	assert.equal(await status(port, { Origin: `http://127.0.0.1:9871` }), 101, 'its own page');
	assert.equal(await status(port, {}), 403);
	child.kill('SIGTERM');
	assert.equal(await ended, 0);
});

test('such a page is closed when the configuration gets keys', async () => {
	const page = await enter();
	file('key', secret);
	file('jointcastd.conf', `spaces { watch = {"anyone"} }
		proxy { listen = "127.0.0.1:0" }
		recording { folder = "${folder}" }
		auth { key "shared" { algorithm = "HS256" file = "${folder}/key" } }\n`);
	daemon.child.kill('SIGHUP');
	assert.deepEqual(await page.closed, { code: 1008, reason: 'origin' });
	assert.equal(await status(daemon.port, {}), 403);
	rmSync(`${folder}/key`);
});
