// A WebSocket server for the runner, by Node alone, so that a stranger needs no packages: one
// process of a client connects to it, and it hands out messages in their order.

import { createHash } from 'node:crypto';
import http from 'node:http';

const TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10;
const MOST_BYTES = 1 << 20;
export const SUBPROTOCOL = 'jointcast.v1';

/** One connection. `messages`: { at, text } or { at, binary }, as they arrived, at in milliseconds. */
class Connection {
	messages = [];
	closed = false;
	#bytes = Buffer.alloc(0);
	#parts = [];

	constructor(socket, request, onChange) {
		this.socket = socket;
		this.offered = (request.headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/);
		this.onChange = onChange;
		socket.setNoDelay();
		socket.on('data', (data) => this.#read(data));
		socket.on('error', () => {});
		socket.on('close', () => this.#end());
		socket.on('end', () => this.#end());
	}

	#end() {
		this.closed = true;
		this.socket.destroy();
		this.onChange();
	}

	#read(data) {
		this.#bytes = Buffer.concat([this.#bytes, data]);
		while (this.#frame());
	}

	/** Takes one frame from the front of the bytes; whether there was a whole one. */
	#frame() {
		const bytes = this.#bytes;
		if (bytes.length < 2)
			return false;
		const short = bytes[1] & 0x7f;
		const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
		const head = 2 + lengthBytes + 4;
		if (bytes.length < head)
			return false;
		const length = lengthBytes === 2 ? bytes.readUInt16BE(2) : lengthBytes === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
		if (!(bytes[1] & 0x80) || length > MOST_BYTES) {
			this.#end(); // a client masks its frames
			return false;
		}
		if (bytes.length < head + length)
			return false;
		const mask = bytes.subarray(head - 4, head);
		const payload = Buffer.from(bytes.subarray(head, head + length).map((byte, i) => byte ^ mask[i & 3]));
		this.#bytes = bytes.subarray(head + length);
		this.#take(bytes[0] & 15, bytes[0] & 0x80, payload);
		return !this.closed;
	}

	#take(opcode, final, payload) {
		if (opcode === CLOSE) {
			this.#write(CLOSE, payload);
			this.socket.end();
		} else if (opcode === PING) {
			this.#write(PONG, payload);
		} else if (opcode !== PONG) {
			this.#parts.push({ opcode, payload });
			if (final)
				this.#message(this.#parts[0].opcode, Buffer.concat(this.#parts.splice(0).map((part) => part.payload)));
		}
	}

	#message(opcode, payload) {
		const at = performance.now();
		this.messages.push(opcode === BINARY ? { at, binary: payload } : { at, text: JSON.parse(payload) });
		this.onChange(this.messages.at(-1));
	}

	#write(opcode, payload) {
		if (this.closed)
			return;
		const { length } = payload;
		const head = length < 126 ? [length] : length < 65536 ? [126, length >> 8, length & 255]
			: [127, 0, 0, 0, 0, length >>> 24, (length >> 16) & 255, (length >> 8) & 255, length & 255];
		this.socket.write(Buffer.concat([Buffer.from([0x80 | opcode, ...head]), payload]));
	}

	send(message) {
		this.sendText(JSON.stringify(message));
	}

	sendText(text) {
		this.#write(TEXT, Buffer.from(text));
	}

	/** Sends the bytes of a bundle. */
	cast(bytes) {
		this.#write(BINARY, Buffer.from(bytes));
	}

	close(code) {
		this.#write(CLOSE, Buffer.from([code >> 8, code & 255]));
	}
}

/**
 * Listens on a free port of the loopback interface. onConnection(connection) runs for each one,
 * onChange(connection, message) for each message and close. `selects`: whether the server selects
 * the subprotocol.
 */
export async function listen({ onConnection, onChange, selects = true }) {
	const server = http.createServer();
	const sockets = new Set();
	server.on('upgrade', (request, socket) => {
		const accept = createHash('sha1')
			.update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
		socket.write(['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade',
			`Sec-WebSocket-Accept: ${accept}`, ...(selects ? [`Sec-WebSocket-Protocol: ${SUBPROTOCOL}`] : []), '', ''].join('\r\n'));
		sockets.add(socket);
		const connection = new Connection(socket, request, (message) => onChange(connection, message));
		onConnection(connection);
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `ws://127.0.0.1:${server.address().port}/`,
		close() {
			sockets.forEach((socket) => socket.destroy());
			server.close();
		},
	};
}
