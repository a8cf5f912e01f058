// What RFC 6455 forbids is refused, said over a plain TCP socket so that no
// well-behaved client stands in between. Numbers are its sections.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { closeCode, exchange, frame, frames, handshake, open, Raw, sleep, start, text } from './daemon_process.mjs';

const daemon = await start('--source', 'demo:walk');
after(async () => assert.equal(await daemon.stop(), 0));

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
	'version 8': [426, { 'Sec-WebSocket-Version': '8' }],
	'no version': [426, { 'Sec-WebSocket-Version': null }],
	'POST': [405, {}, 'POST / HTTP/1.1'],
	'HEAD': [400, {}, 'HEAD / HTTP/1.1'],
	'HTTP/1.0': [400, {}, 'GET / HTTP/1.0'],
	'HTTP/2.0': [505, {}, 'GET / HTTP/2.0'],
	'h2c': [400, { Upgrade: 'h2c', Connection: 'Upgrade, HTTP2-Settings', 'HTTP2-Settings': 'AAMAAABk' }],
	'no upgrade': [400, { Upgrade: null }],
	'no connection': [400, { Connection: 'keep-alive' }],
	'no subprotocol': [400, { 'Sec-WebSocket-Protocol': null }],
	'another subprotocol': [400, { 'Sec-WebSocket-Protocol': 'jointcast.v2, chat' }],
	'a subprotocol in capitals': [400, { 'Sec-WebSocket-Protocol': 'JOINTCAST.V1' }],
	'no key': [400, { 'Sec-WebSocket-Key': null }],
	'a short key': [400, { 'Sec-WebSocket-Key': 'c2hvcnQ=' }],
	'another site\'s page': [403, { Origin: 'http://evil.example' }],
	'another port\'s page': [403, { Origin: 'http://127.0.0.1:8080' }],
	'a page without an origin': [403, { Origin: 'null' }],
	'a rebound name': [403, { Host: 'evil.example:9871', Origin: 'http://evil.example:9871' }],
	'a name that begins like an address': [403, { Host: '127.0.0.1.evil.example' }],
	'no host': [400, { Host: null }],
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

test('a handshake may come a byte at a time', async () => {
	const raw = new Raw(daemon.port);
	for (const byte of Buffer.from(handshake())) {
		raw.send([byte]);
		await new Promise(setImmediate);
	}
	await raw.until(() => raw.bytes.includes('\r\n\r\n'));
	assert.match(raw.bytes.toString('latin1'), /^HTTP\/1\.1 101 /);
	raw.socket.destroy();
});

test('bytes behind a handshake that was not answered yet are refused', async () => {
	const answer = await exchange(daemon.port, handshake() + 'early');
	assert.equal(answer.status, 400);
});

const closes = {
	'an unmasked frame (5.1)': [1002, frame(1, '{"type":"hello"}', { mask: false })],
	'a reserved bit (5.2)': [1002, frame(1, '{}', { rsv: 4 })],
	'a reserved opcode (5.2)': [1002, frame(3, '')],
	'a reserved control opcode (5.2)': [1002, frame(11, '')],
	'a fragmented ping (5.5)': [1002, frame(9, '', { fin: false })],
	'a ping of 126 bytes (5.5)': [1002, frame(9, 'x'.repeat(126))],
	'a continuation of nothing (5.4)': [1002, frame(0, 'x')],
	'a text inside a fragmented text (5.4)': [1002, Buffer.concat([frame(1, '{', { fin: false }), frame(1, '}')])],
	'a length in more bytes than needed (5.2)': [1002, Buffer.from([0x81, 0xfe, 0, 5, 1, 2, 3, 4])],
	'a length with its top bit set (5.2)': [1002, Buffer.from([0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4])],
	'a length of 2^62': [1009, Buffer.from([0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4])],
	'a message of 64 KiB and a byte': [1009, frame(1, ' '.repeat(65537))],
	'fragments of more than 64 KiB': [1009, Buffer.concat([frame(1, ' '.repeat(40000), { fin: false }), frame(0, ' '.repeat(40000))])],
	'text that is not UTF-8 (8.1)': [1007, frame(1, Buffer.from([0x22, 0xc0, 0x80, 0x22]))],
	'half a character at the end (8.1)': [1007, frame(1, Buffer.from([0x22, 0xe2, 0x82]))],
	'a surrogate (8.1)': [1007, frame(1, Buffer.from([0xed, 0xa0, 0x80]))],
	'a close of one byte (5.5.1)': [1002, frame(8, 'x')],
	'a close code that may not be sent (7.4)': [1002, frame(8, Buffer.from([0x03, 0xed]))],
	'a close reason that is not UTF-8 (5.5.1)': [1007, frame(8, Buffer.from([0x03, 0xe8, 0xff]))],
};

for (const [name, [code, bytes]] of Object.entries(closes)) {
	test(`closes on ${name}`, async () => {
		const raw = await open(daemon.port);
		raw.send(bytes);
		assert.equal(await closeCode(raw), code);
		raw.socket.end();
		await raw.all();
	});
}

test('a close is answered with its code, and data after it is not looked at (5.5.1)', async () => {
	const raw = await open(daemon.port);
	raw.send(frame(8, Buffer.from([0x0f, 0xa0])), text({ type: 'hello' }));
	assert.equal(await closeCode(raw), 4000);
	raw.socket.end();
	await raw.all();
	assert.deepEqual(frames(raw.bytes).map(({ opcode }) => opcode), [8]);
});

test('an empty close is answered with an empty one, then the connection ends', async () => {
	const raw = await open(daemon.port);
	raw.send(frame(8));
	assert.equal(await closeCode(raw), 1005);
	raw.socket.end();
	await raw.all();
});

test('a ping is answered with its payload (5.5.3), even between fragments (5.4)', async () => {
	const raw = await open(daemon.port);
	raw.send(frame(1, '{"type":', { fin: false }), frame(9, 'tick'), frame(0, '"hello"}'));
	const [pong, welcome] = await raw.until(() => frames(raw.bytes).length === 2 && frames(raw.bytes));
	assert.equal(pong.opcode, 10);
	assert.equal(pong.payload.toString(), 'tick');
	assert.equal(pong.masked, 0);
	assert.equal(JSON.parse(welcome.payload).type, 'welcome');
	raw.socket.destroy();
});

test('frames may come a byte at a time', async () => {
	const raw = await open(daemon.port);
	for (const byte of text({ type: 'hello', client: 'x'.repeat(200) })) {
		raw.send([byte]);
		await new Promise(setImmediate);
	}
	const [welcome] = await raw.until(() => frames(raw.bytes).length === 1 && frames(raw.bytes));
	assert.equal(JSON.parse(welcome.payload).type, 'welcome');
	raw.socket.destroy();
});

test('a message of exactly 64 KiB is taken', async () => {
	const raw = await open(daemon.port);
	const hello = JSON.stringify({ type: 'hello' });
	raw.send(frame(1, hello + ' '.repeat(65536 - hello.length)));
	const [welcome] = await raw.until(() => frames(raw.bytes).length === 1 && frames(raw.bytes));
	assert.equal(JSON.parse(welcome.payload).type, 'welcome');
	raw.socket.destroy();
});

test('a request that never ends is cut off with 408', async () => {
	const raw = new Raw(daemon.port);
	raw.send('GET / HTTP/1.1\r\nHost: 127');
	assert.match(await raw.all(9000), /^HTTP\/1\.1 408 /);
});

test('a peer that resets in mid-frame harms nobody', async () => {
	for (let i = 0; i < 20; i++) {
		const raw = await open(daemon.port);
		raw.send(frame(1, 'x'.repeat(1000)).subarray(0, 500));
		await sleep(2);
		raw.socket.resetAndDestroy?.() ?? raw.socket.destroy();
	}
	const answer = await exchange(daemon.port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
	assert.equal(answer.status, 200);
});
