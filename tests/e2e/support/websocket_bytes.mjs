// WebSocket and HTTP by the byte, for tests of malformed input: raw connections, frames, handshakes.

import net from 'node:net';
import tls from 'node:tls';
import { sleep } from './until.mjs';

/**
 * A connection that keeps what it received: of TCP, or through TLS with those options; from
 * another address of this machine, if that is given.
 */
export class Raw {
	constructor(port, secure, localAddress) {
		this.bytes = Buffer.alloc(0);
		this.waiting = [];
		const to = { port, host: '127.0.0.1', localAddress };
		this.socket = secure ? tls.connect({ ...to, ...secure }) : net.connect(to);
		this.socket.on('data', (data) => {
			this.bytes = Buffer.concat([this.bytes, data]);
			this.wake();
		});
		this.ended = new Promise((resolve) => {
			this.socket.on('close', () => {
				this.closed = true;
				this.wake();
				resolve();
			});
		});
		this.socket.on('error', (error) => (this.error = error));
	}

	wake() {
		for (const waiter of this.waiting.splice(0))
			waiter();
	}

	send(...parts) {
		this.socket.write(Buffer.concat(parts.map((part) => Buffer.from(part))));
	}

	/** Resolves with what test() returns once that is true, or throws. */
	async until(test, ms = 30000) {
		const end = Date.now() + ms;
		for (;;) {
			const value = test();
			if (value)
				return value;
			if (this.closed)
				throw new Error(`the connection ended: ${this.bytes.toString('latin1')}`);
			if (Date.now() > end)
				throw new Error(`nothing came: ${this.bytes.toString('latin1')}`);
			await Promise.race([new Promise((resolve) => this.waiting.push(resolve)),
				sleep(100)]);
		}
	}

	/** Everything up to the peer's end. */
	async all(ms = 8000) {
		let timer;
		await Promise.race([this.ended, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
		clearTimeout(timer);
		if (!this.closed)
			throw new Error(`still open after ${ms} ms`);
		return this.bytes.toString('latin1');
	}
}

/** Status, headers and body of an answer. */
export function answerOf(answer) {
	const [head, ...body] = answer.split('\r\n\r\n');
	const lines = head.split('\r\n');
	const headers = new Map(lines.slice(1).map((line) => {
		const colon = line.indexOf(':');
		return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
	}));
	return { status: Number(lines[0].split(' ')[1]), headers, body: body.join('\r\n\r\n') };
}

/** One exchange: these bytes in, everything up to the end out. */
export async function exchange(port, text, secure, ms) {
	const raw = new Raw(port, secure);
	raw.send(text);
	return answerOf(await raw.all(ms));
}

/** The handshake of RFC 6455, section 1.3, with any header replaced or (null) left out. */
export function handshake(replaced = {}, line = 'GET / HTTP/1.1') {
	const headers = {
		Host: '127.0.0.1:9871',
		Upgrade: 'websocket',
		Connection: 'Upgrade',
		'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
		'Sec-WebSocket-Version': '13',
		'Sec-WebSocket-Protocol': 'jointcast.v1',
		...replaced,
	};
	return [line, ...Object.entries(headers)
		.filter(([, value]) => value !== null)
		.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
}

/** A client frame; fin, rsv and the mask can be spoilt. */
export function frame(opcode, payload = '', { fin = true, rsv = 0, mask = true } = {}) {
	const data = Buffer.from(payload);
	const key = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);
	const size = data.length < 126 ? Buffer.from([data.length])
		: data.length < 65536 ? Buffer.from([126, data.length >> 8, data.length & 255])
			: Buffer.from([127, 0, 0, 0, 0, ...[24, 16, 8, 0].map((s) => (data.length >> s) & 255)]);
	size[0] |= mask ? 0x80 : 0;
	const head = Buffer.from([(fin ? 0x80 : 0) | (rsv << 4) | opcode]);
	const body = mask ? data.map((byte, i) => byte ^ key[i % 4]) : data;
	return Buffer.concat(mask ? [head, size, key, body] : [head, size, body]);
}

export const text = (value) => frame(1, typeof value === 'string' ? value : JSON.stringify(value));

/** The server's frames in what came after the handshake. */
export function frames(bytes) {
	let at = bytes.indexOf('\r\n\r\n') + 4;
	const found = [];
	while (at + 2 <= bytes.length) {
		let length = bytes[at + 1] & 0x7f;
		let start = at + 2;
		if (length === 126) {
			length = bytes.readUInt16BE(start);
			start += 2;
		} else if (length === 127) {
			length = Number(bytes.readBigUInt64BE(start));
			start += 8;
		}
		if (start + length > bytes.length)
			break;
		found.push({ fin: bytes[at] >> 7, opcode: bytes[at] & 15, masked: bytes[at + 1] >> 7,
			payload: bytes.subarray(start, start + length) });
		at = start + length;
	}
	return found;
}

/** Opens a WebSocket over a raw socket. */
export async function open(port, secure, localAddress) {
	const raw = new Raw(port, secure, localAddress);
	raw.send(handshake());
	await raw.until(() => raw.bytes.includes('\r\n\r\n'));
	return raw;
}

/** The close code that the server sends. */
export async function closeCode(raw, ms = 30000) {
	const close = await raw.until(() => frames(raw.bytes).find(({ opcode }) => opcode === 8), ms);
	return close.payload.length >= 2 ? close.payload.readUInt16BE(0) : 1005;
}
