// RFC 6455 as a table of client messages and the required end of the conversation. Written by
// hand from the text, whose sections are named.
//
// A handshake has a required status. The parts of a conversation are sent separately; its
// required answers are, in order: `welcome` (to a hello), `pong PAYLOAD` or `close CODE`.
import { frame, frames, handshake, open, Raw, text } from '../support/websocket_bytes.mjs';

const hello = '{"type":"hello"}';
const utf8 = (bytes) => frame(1, Buffer.from([0x22, ...bytes, 0x22]));
const code = (number, reason = '') => frame(8, Buffer.concat([Buffer.from([number >> 8, number & 255]), Buffer.from(reason)]));

/** A head with its length written in so many bytes. */
const head = (first, kind, length) => {
	const bytes = Buffer.alloc(kind === 126 ? 4 : 10);
	bytes[0] = first;
	bytes[1] = 0x80 | kind;
	kind === 126 ? bytes.writeUInt16BE(Number(length), 2) : bytes.writeBigUInt64BE(BigInt(length), 2);
	return Buffer.concat([bytes, Buffer.from([1, 2, 3, 4])]);
};

/** The handshake of section 1.3 but for these headers. */
const shake = (section, name, status, headers, line) => ({ section, name, wanted: status, sent: handshake(headers, line) });

export const handshakes = [
	shake('1.3', 'the example', 101),
	shake('4.1', 'HTTP/1.0', 400, {}, 'GET / HTTP/1.0'),
	shake('4.1', 'POST', 405, {}, 'POST / HTTP/1.1'),
	shake('4.1', 'HEAD', 400, {}, 'HEAD / HTTP/1.1'),
	shake('4.2.1', 'no Host', 400, { Host: null }),
	shake('4.2.1', 'no Upgrade, but a key', 400, { Upgrade: null }),
	shake('4.2.1', 'Upgrade to h2c', 400, { Upgrade: 'h2c', Connection: 'Upgrade, HTTP2-Settings', 'HTTP2-Settings': 'AAMAAABk' }),
	shake('4.2.1', 'Upgrade in capitals', 101, { Upgrade: 'WebSocket' }),
	shake('4.2.1', 'Connection without upgrade', 400, { Connection: 'keep-alive' }),
	shake('4.2.1', 'Connection: keep-alive, Upgrade', 101, { Connection: 'keep-alive, Upgrade' }),
	shake('4.2.1', 'no Connection', 400, { Connection: null }),
	shake('4.2.1', 'no key', 400, { 'Sec-WebSocket-Key': null }),
	shake('4.2.1', 'a key of 5 bytes', 400, { 'Sec-WebSocket-Key': 'c2hvcnQ=' }),
	shake('4.2.1', 'a key of 17 bytes', 400, { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZXo=' }),
	shake('4.2.1', 'a key that is not base64', 400, { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25j!Q==' }),
	shake('4.4', 'version 8', 426, { 'Sec-WebSocket-Version': '8' }),
	shake('4.4', 'version 14', 426, { 'Sec-WebSocket-Version': '14' }),
	shake('4.4', 'no version', 426, { 'Sec-WebSocket-Version': null }),
	shake('4.2.2', 'one of several subprotocols', 101, { 'Sec-WebSocket-Protocol': 'chat, jointcast.v1' }),
	shake('9.1', 'permessage-deflate is offered', 101, { 'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits' }),
	shake('10.2', 'a page of another site', 403, { Origin: 'http://evil.example' }),
	shake('10.2', 'a page of its own', 101, { Host: 'localhost:9871', Origin: 'http://localhost:9871' }),
];

const turn = (section, name, wanted, ...sent) => ({ section, name, wanted: [wanted].flat(), sent });

export const conversations = [
	// data
	turn('5.2', 'a text', 'welcome', text(hello)),
	turn('5.2', 'a text of 125 bytes', 'welcome', frame(1, hello.padEnd(125))),
	turn('5.2', 'a text of 126 bytes', 'welcome', frame(1, hello.padEnd(126))),
	turn('5.2', 'a text of 65,535 bytes', 'welcome', frame(1, hello.padEnd(65535))),
	turn('5.2', 'a text of 65,536 bytes', 'welcome', frame(1, hello.padEnd(65536))),
	turn('5.2', 'two frames in one segment', ['welcome', 'welcome'], Buffer.concat([text(hello), text(hello)])),
	turn('5.2', 'a frame cut in its head', 'welcome', text(hello).subarray(0, 1), text(hello).subarray(1)),
	turn('5.2', 'a frame cut in its mask', 'welcome', text(hello).subarray(0, 4), text(hello).subarray(4)),
	turn('5.2', 'a frame cut in its payload', 'welcome', text(hello).subarray(0, 9), text(hello).subarray(9)),
	turn('5.2', 'a mask of zeros', 'welcome', Buffer.concat([Buffer.from([0x81, 0x80 | hello.length, 0, 0, 0, 0]), Buffer.from(hello)])),
	turn('5.2', 'a reserved bit, RSV1', 'close 1002', frame(1, hello, { rsv: 4 })),
	turn('5.2', 'a reserved bit, RSV2', 'close 1002', frame(1, hello, { rsv: 2 })),
	turn('5.2', 'a reserved bit, RSV3', 'close 1002', frame(1, hello, { rsv: 1 })),
	turn('5.2', 'RSV1 of a ping', 'close 1002', frame(9, '', { rsv: 4 })),
	...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode) => turn('5.2', `opcode ${opcode}`, 'close 1002', frame(opcode))),
	turn('5.2', 'a length of 5 in two bytes', 'close 1002', Buffer.concat([head(0x81, 126, 5), Buffer.from('hello')])),
	turn('5.2', 'a length of 125 in eight bytes', 'close 1002', head(0x81, 127, 125)),
	turn('5.2', 'a length of 65,535 in eight bytes', 'close 1002', head(0x81, 127, 65535)),
	turn('5.2', 'a length with its top bit', 'close 1002', head(0x81, 127, 2n ** 63n)),
	turn('5.2', 'a length of 2^62', 'close 1009', head(0x82, 127, 2n ** 62n)),
	turn('10.4', 'a message of 64 KiB and a byte', 'close 1009', frame(1, hello.padEnd(65537))),
	turn('10.4', 'fragments of 40,000 bytes, twice', 'close 1009', frame(1, hello.padEnd(40000), { fin: false }), frame(0, ' '.repeat(40000))),
	// masks
	turn('5.1', 'a text without a mask', 'close 1002', frame(1, hello, { mask: false })),
	turn('5.1', 'a binary without a mask', 'close 1002', frame(2, 'x', { mask: false })),
	turn('5.1', 'a ping without a mask', 'close 1002', frame(9, 'x', { mask: false })),
	turn('5.1', 'a close without a mask', 'close 1002', frame(8, Buffer.from([3, 0xe8]), { mask: false })),
	// fragments
	turn('5.4', 'a text in two', 'welcome', frame(1, hello.slice(0, 5), { fin: false }), frame(0, hello.slice(5))),
	turn('5.4', 'a text by bytes', 'welcome', ...[...hello].map((c, i) => frame(i ? 0 : 1, c, { fin: i === hello.length - 1 }))),
	turn('5.4', 'fragments of nothing', 'welcome', frame(1, '', { fin: false }), frame(0, '', { fin: false }), frame(0, hello)),
	turn('5.4', 'a last fragment of nothing', 'welcome', frame(1, hello, { fin: false }), frame(0, '')),
	turn('5.4', 'a continuation of nothing', 'close 1002', frame(0, hello)),
	turn('5.4', 'a continuation after the last', ['welcome', 'close 1002'], text(hello), frame(0, 'x')),
	turn('5.4', 'a text inside a text', 'close 1002', frame(1, '{', { fin: false }), text(hello)),
	turn('5.4', 'a binary inside a text', 'close 1002', frame(1, '{', { fin: false }), frame(2, 'x')),
	// control
	turn('5.5.2', 'a ping', 'pong tick', frame(9, 'tick')),
	turn('5.5.2', 'a ping of nothing', 'pong ', frame(9)),
	turn('5.5', 'a ping of 125 bytes', `pong ${'x'.repeat(125)}`, frame(9, 'x'.repeat(125))),
	turn('5.5', 'a ping of 126 bytes', 'close 1002', frame(9, 'x'.repeat(126))),
	turn('5.5', 'a close of 126 bytes', 'close 1002', code(1000, 'x'.repeat(124))),
	turn('5.5', 'a ping in two', 'close 1002', frame(9, 'x', { fin: false })),
	turn('5.5', 'a close in two', 'close 1002', frame(8, Buffer.from([3, 0xe8]), { fin: false })),
	turn('5.4', 'a ping between fragments', ['pong tick', 'welcome'], frame(1, hello.slice(0, 5), { fin: false }), frame(9, 'tick'), frame(0, hello.slice(5))),
	turn('5.5.2', 'three pings at once', ['pong 1', 'pong 2', 'pong 3'], Buffer.concat([frame(9, '1'), frame(9, '2'), frame(9, '3')])),
	turn('5.5.3', 'an unsolicited pong', 'welcome', frame(10, 'x'), text(hello)),
	turn('5.5.1', 'a close between fragments', 'close 1000', frame(1, '{', { fin: false }), code(1000)),
	// closing
	turn('7.1.5', 'a close without a code', 'close 1005', frame(8)),
	turn('5.5.1', 'a close of one byte', 'close 1002', frame(8, 'x')),
	...[1000, 1001, 1003, 1007, 1011, 3000, 3999, 4000, 4999].map((number) =>
		turn('7.4', `close ${number}`, `close ${number}`, code(number, 'bye'))),
	...[0, 999, 1004, 1005, 1006, 1015, 1016, 2000, 2999, 5000, 65535].map((number) =>
		turn('7.4', `close ${number}`, 'close 1002', code(number))),
	turn('5.5.1', 'a reason of 123 bytes', 'close 1000', code(1000, 'x'.repeat(123))),
	turn('8.1', 'a reason that is not UTF-8', 'close 1007', frame(8, Buffer.from([0x03, 0xe8, 0xff]))),
	turn('5.5.1', 'a text after a close', 'close 1000', Buffer.concat([code(1000), text(hello)])),
	turn('5.5.1', 'a ping after a close', 'close 1000', Buffer.concat([code(1000), frame(9, 'x')])),
	// UTF-8: a valid text other than hello is answered too
	turn('8.1', 'κόσμε', 'answer', utf8([0xce, 0xba, 0xcf, 0x8c, 0xcf, 0x83, 0xce, 0xbc, 0xce, 0xb5])),
	turn('8.1', 'U+10FFFF', 'answer', utf8([0xf4, 0x8f, 0xbf, 0xbf])),
	turn('8.1', 'a character cut by a fragment', 'answer', frame(1, Buffer.from([0x22, 0xe2]), { fin: false }), frame(0, Buffer.from([0x82, 0xac, 0x22]))),
	...Object.entries({ 'an overlong slash, C0 AF': [0xc0, 0xaf], 'an overlong NUL, E0 80 80': [0xe0, 0x80, 0x80],
		'a surrogate, ED A0 80': [0xed, 0xa0, 0x80], 'past U+10FFFF, F4 90 80 80': [0xf4, 0x90, 0x80, 0x80],
		'five bytes, F8 88 80 80 80': [0xf8, 0x88, 0x80, 0x80, 0x80], 'a continuation by itself, 80': [0x80],
		'half a character, E2 82': [0xe2, 0x82], 'FF': [0xff] })
		.map(([name, bytes]) => turn('8.1', name, 'close 1007', utf8(bytes))),
	turn('8.1', 'half a character at the end', 'close 1007', frame(1, Buffer.from([0xe2, 0x82]))),
	turn('8.1', 'half a character in a fragment, and no more', 'close 1007', frame(1, Buffer.from([0xe2, 0x82]), { fin: false }), frame(0, '')),
];

/** The status with which a server answers a handshake. */
export async function shakeHands(port, secure, { sent }) {
	const raw = new Raw(port, secure);
	raw.send(sent);
	await raw.until(() => raw.bytes.includes('\r\n\r\n'));
	raw.socket.destroy();
	return Number(raw.bytes.toString('latin1', 9, 12));
}

const said = ({ opcode, payload }) => (payload === undefined ? '' : opcode === 10 ? `pong ${payload}`
	: opcode === 8 ? `close ${payload.length ? payload.readUInt16BE(0) : 1005}`
		: opcode !== 1 ? `opcode ${opcode}` : JSON.parse(payload).type === 'welcome' ? 'welcome' : 'answer');

/** The answers of a server in a conversation, and that there are no more: a final ping ends
 * conversations without a close. */
export async function converse(port, secure, { wanted, sent }) {
	const raw = await open(port, secure);
	raw.socket.setNoDelay();
	for (const part of sent) {
		raw.send(part);
		await new Promise(setImmediate);
	}
	const closes = () => frames(raw.bytes).some(({ opcode }) => opcode === 8);
	const last = wanted.at(-1).startsWith('close');
	if (!last)
		raw.send(frame(9, 'and no more'));
	await raw.until(() => closes() || (!last && said(frames(raw.bytes).at(-1) ?? {}) === 'pong and no more'));
	if (closes()) {
		raw.socket.end();
		await raw.all();
	}
	raw.socket.destroy();
	const all = frames(raw.bytes).map(said);
	return last ? all : all.filter((one) => one !== 'pong and no more');
}
