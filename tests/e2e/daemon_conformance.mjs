// Conformance with RFC 6455, in the clear and through TLS, over raw sockets; the table is
// rfc6455.mjs. Rules of HTTP and of this protocol are tested here. npm `ws`, an independent
// implementation, connects too.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import test, { after } from 'node:test';
import { WebSocket } from 'ws';
import { scratch, start } from './support/daemon.mjs';
import { sleep } from './support/until.mjs';
import { exchange, frame, frames, handshake, open, Raw, text } from './support/websocket_bytes.mjs';
import { conversations, converse, handshakes, shakeHands } from './hostile/rfc6455.mjs';

const folder = scratch();
const daemon = await start('--source', 'demo:walk', '--tls-listen', '127.0.0.1:0', '--dev-certificate', '--state', folder);
const ca = fs.readFileSync(path.join(folder, 'dev-certificate.pem'));
after(async () => assert.equal(await daemon.stop(), 0));

for (const [line, port, secure] of [['plain', daemon.port], ['TLS', daemon.tlsPort, { ca }]]) {
	for (const entry of handshakes) {
		test(`${line}: ${entry.section}, ${entry.name}: ${entry.wanted}`, async () => {
			assert.equal(await shakeHands(port, secure, entry), entry.wanted);
		});
	}
	for (const entry of conversations) {
		test(`${line}: ${entry.section}, ${entry.name}: ${entry.wanted.join(', ').slice(0, 60)}`, async () => {
			assert.deepEqual(await converse(port, secure, entry), entry.wanted);
		});
	}
}

test('the printed table equals the table of this test', () => {
	const shown = fs.readFileSync(new URL('../CONFORMANCE.md', import.meta.url), 'utf8').split('\n')
		.filter((row) => /^\| \d/.test(row)).map((row) => row.split(' | ').slice(0, 2).join(' | '));
	assert.deepEqual(shown, [...handshakes, ...conversations].map(({ section, name }) => `| ${section} | ${name}`));
	assert.ok(shown.length >= 60);
});

/** A client of npm ws and its received messages. */
async function connect(secure) {
	const socket = new WebSocket(secure ? `wss://localhost:${daemon.tlsPort}/` : daemon.url, 'jointcast.v1', { ca, family: 4 });
	const heard = [];
	socket.on('message', (data, binary) => heard.push(binary ? 'bundle' : JSON.parse(data).type));
	socket.on('pong', (data) => heard.push(`pong ${data}`));
	socket.on('error', (error) => heard.push(error.message));
	await once(socket, 'open');
	return { socket, heard, until: async (what) => {
		for (const end = Date.now() + 5000; !heard.includes(what); await sleep(5))
			assert.ok(Date.now() < end, `${what} is not in ${heard}`);
	} };
}

for (const [line, secure] of [['plain', false], ['TLS', true]]) {
	test(`${line}: npm ws sends fragments with pings between them, and is answered`, async () => {
		const { socket, heard, until } = await connect(secure);
		socket.send('{"type":', { fin: false });
		socket.ping('between');
		socket.send('"hello"', { fin: false });
		socket.send('}', { fin: true });
		await until('welcome');
		assert.deepEqual(heard, ['pong between', 'welcome']);
		socket.terminate();
	});

	for (const code of [1000, 1001, 3000, 4999]) {
		test(`${line}: npm ws closes with ${code}, and is answered with that`, async () => {
			const { socket } = await connect(secure);
			socket.close(code, 'bye');
			assert.equal((await once(socket, 'close'))[0], code);
		});
	}

	test(`${line}: npm ws is closed with 1009 for a message that is too long`, async () => {
		const { socket } = await connect(secure);
		socket.send('x'.repeat(65537));
		assert.equal((await once(socket, 'close'))[0], 1009);
	});

	test(`${line}: npm ws accepts one second of messages without an error`, async () => {
		const { socket, heard, until } = await connect(secure);
		for (const message of [{ type: 'hello' }, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' }])
			socket.send(JSON.stringify(message));
		await until('bundle');
		await sleep(1000);
		assert.deepEqual([...new Set(heard)], ['welcome', 'roster', 'skeleton', 'bundle']);
		socket.close();
		assert.equal((await once(socket, 'close'))[0], 1005);
	});
}

test('the example of section 1.3 gets the example\'s answer', async () => {
	const raw = await open(daemon.port);
	const head = raw.bytes.toString('latin1').toLowerCase();
	assert.match(head, /^http\/1\.1 101 /);
	assert.match(head, /\r\nsec-websocket-accept: s3pplmbitxaq9kygzzhzrbk\+xoo=\r\n/);
	assert.match(head, /\r\nsec-websocket-protocol: jointcast\.v1\r\n/);
	assert.doesNotMatch(head, /sec-websocket-extensions/);
	raw.socket.destroy();
});

const refused = {
	'HTTP/2.0': [505, {}, 'GET / HTTP/2.0'],
	'no subprotocol': [400, { 'Sec-WebSocket-Protocol': null }],
	'another subprotocol': [400, { 'Sec-WebSocket-Protocol': 'jointcast.v2, chat' }],
	'a subprotocol in capitals': [400, { 'Sec-WebSocket-Protocol': 'JOINTCAST.V1' }],
	'another site\'s page': [403, { Origin: 'http://evil.example:9871' }],
	'a page without an origin': [403, { Origin: 'null' }],
	'a rebound name': [403, { Host: 'evil.example:9871', Origin: 'http://evil.example:9871' }],
	'a name that begins like an address': [403, { Host: '127.0.0.1.evil.example' }],
	'a body': [413, { 'Content-Length': '5' }],
	'a chunked body': [411, { 'Transfer-Encoding': 'chunked' }],
	'two hosts': [400, { 'Host': '127.0.0.1\r\nHost: localhost' }],
	'a folded header': [400, { 'X-A': 'b\r\n c' }],
	'a blank before the colon': [400, { 'Upgrade ': 'websocket' }],
	'a control character': [400, { 'X-A': 'b\x01c' }],
	'a head of 9 kB': [431, { 'X-A': 'b'.repeat(9000) }],
};

for (const [name, [status, headers, line]] of Object.entries(refused)) {
	test(`a handshake is refused: ${name}`, async () => {
		const answer = await exchange(daemon.port, handshake(headers, line));
		assert.equal(answer.status, status);
	});
}

for (const [name, headers] of Object.entries({
	'of its own page': { Host: `127.0.0.1:${daemon.port}`, Origin: `http://127.0.0.1:${daemon.port}` },
	'of its own page by name': { Host: 'localhost:9871', Origin: 'http://localhost:9871' },
	'over IPv6': { Host: '[::1]:9871', Origin: 'http://[::1]:9871' },
	'with a list of subprotocols': { 'Sec-WebSocket-Protocol': 'chat, jointcast.v1' },
	'with Firefox\'s Connection': { Connection: 'keep-alive, Upgrade' },
})) {
	test(`a handshake is taken ${name}`, async () => {
		const raw = new Raw(daemon.port);
		raw.send(handshake(headers));
		await raw.until(() => raw.bytes.includes('\r\n\r\n'));
		assert.match(raw.bytes.toString('latin1'), /^HTTP\/1\.1 101 /);
		raw.socket.destroy();
	});
}

test('accepts a handshake byte by byte', async () => {
	const raw = new Raw(daemon.port);
	for (const byte of Buffer.from(handshake())) {
		raw.send([byte]);
		await new Promise(setImmediate);
	}
	await raw.until(() => raw.bytes.includes('\r\n\r\n'));
	assert.match(raw.bytes.toString('latin1'), /^HTTP\/1\.1 101 /);
	raw.socket.destroy();
});

test('refuses bytes after an unanswered handshake', async () => {
	const answer = await exchange(daemon.port, handshake() + 'early');
	assert.equal(answer.status, 400);
});

test('accepts frames byte by byte', async () => {
	const raw = await open(daemon.port);
	for (const byte of text({ type: 'hello', client: 'x'.repeat(200) })) {
		raw.send([byte]);
		await new Promise(setImmediate);
	}
	const [welcome] = await raw.until(() => frames(raw.bytes).length === 1 && frames(raw.bytes));
	assert.equal(JSON.parse(welcome.payload).type, 'welcome');
	raw.socket.destroy();
});

test('a request that never ends is cut off with 408', async () => {
	const raw = new Raw(daemon.port);
	raw.send('GET / HTTP/1.1\r\nHost: 127');
	assert.match(await raw.all(9000), /^HTTP\/1\.1 408 /);
});

test('a reset in the middle of a frame has no effect on others', async () => {
	for (let i = 0; i < 20; i++) {
		const raw = await open(daemon.port);
		raw.send(frame(1, 'x'.repeat(1000)).subarray(0, 500));
		await sleep(2);
		raw.socket.resetAndDestroy?.() ?? raw.socket.destroy();
	}
	const answer = await exchange(daemon.port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
	assert.equal(answer.status, 200);
});
