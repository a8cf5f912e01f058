// A fast WebSocket client on a raw socket: many messages in one write, sockets that are not
// read, other addresses of this machine.

import net from 'node:net';
import { handshake } from './websocket_bytes.mjs';

const OPENED = Buffer.from('\r\n\r\n');

/** A client frame. Its mask is zero, as RFC 6455 allows, so that the payload is unchanged. */
export function frameOf(payload, opcode = 1) {
	const data = Buffer.from(payload);
	const head = data.length < 126 ? Buffer.alloc(6) : data.length < 65536 ? Buffer.alloc(8) : Buffer.alloc(14);

	head[0] = 0x80 | opcode;
	if (data.length < 126) {
		head[1] = 0x80 | data.length;
	} else if (data.length < 65536) {
		head[1] = 0x80 | 126;
		head.writeUInt16BE(data.length, 2);
	} else {
		head[1] = 0x80 | 127;
		head.writeUInt32BE(data.length, 6);
	}
	return Buffer.concat([head, data]);
}

export const textFrame = (message) => frameOf(typeof message === 'string' ? message : JSON.stringify(message));

/** The frames of those messages, one behind the other. */
export const burst = (messages, opcode = 1) => Buffer.concat(messages.map((message) => (Buffer.isBuffer(message)
	? frameOf(message, opcode) : textFrame(message))));

export class SocketClient {
	messages = [];       // that were received
	received = 0;        // bytes
	isClosed = false;    // the socket has closed
	closeCode = 0;       // of the server's Close frame
	status = 0;          // of the handshake
	#carry = Buffer.alloc(0); // of the answer to the handshake
	#pieces = [];             // of frames that are not complete,
	#gathered = 0;            // their bytes,
	#wanted = 2;              // and how many the next frame takes
	#waiting = new Set();

	/**
	 * `parses`: frames are looked at; else bytes are counted and dropped.
	 * `onText(text)`, `onBinary(bytes)`: without onText messages are kept in `messages`.
	 */
	constructor(port, { localAddress, parses = true, onText, onBinary } = {}) {
		this.parses = parses;
		this.onText = onText ?? ((text) => this.messages.push(JSON.parse(text)));
		this.onBinary = onBinary;
		this.socket = net.connect({ port, host: '127.0.0.1', localAddress });
		this.socket.setNoDelay(true);
		this.socket.on('error', (error) => (this.error = error));
		this.socket.on('data', (bytes) => this.#take(bytes));
		this.ended = new Promise((resolve) => this.socket.on('close', () => {
			this.isClosed = true;
			this.#wake();
			resolve();
		}));
		this.socket.write(handshake());
		this.opened = this.until('the handshake', () => this.status);
	}

	/** A client after its handshake; rejects if that is refused. */
	static async open(port, options) {
		const wire = new SocketClient(port, options);
		await wire.opened;
		if (wire.status !== 101)
			throw new Error(`HTTP status ${wire.status}`);
		return wire;
	}

	/** A client that has received welcome. */
	static async greeted(port, { hello = {}, ...options } = {}, ...messages) {
		const wire = await SocketClient.open(port, options);
		wire.say({ type: 'hello', codings: [2, 1], ...hello });
		wire.welcome = await wire.get('welcome');
		wire.say(...messages);
		return wire;
	}

	say(...messages) {
		if (messages.length > 0 && !this.isClosed)
			this.socket.write(burst(messages));
	}

	/** Server time, for captures. */
	offset() {
		return this.welcome.time - performance.now() * 1000;
	}

	pause() {
		this.socket.pause();
	}

	resume() {
		this.socket.resume();
	}

	end() {
		this.socket.destroy();
	}

	all(type) {
		return this.messages.filter((message) => message.type === type);
	}

	/** The first message of the type that fulfils it, among those that came and that come. */
	get(type, is = () => true, ms = 60000) {
		return this.until(() => `'${type}', but ${JSON.stringify(this.messages.slice(-3)).slice(0, 600)}`,
			() => this.messages.find((message) => message.type === type && is(message)), ms);
	}

	/** Resolves once the server has processed all earlier messages. */
	async settled(ms) {
		const t = Math.random();
		this.say({ type: 'ping', t });
		await this.get('pong', (pong) => pong.t === t, ms);
	}

	/** Resolves with the first true result of ask(), which is called after each received
	 * chunk. */
	until(what, ask, ms = 60000) {
		return new Promise((resolve, reject) => {
			const fail = (why) => reject(new Error(`${why}: ${typeof what === 'function' ? what() : what}`));
			const look = () => {
				const value = ask();
				if (!value && !this.isClosed)
					return;
				clearTimeout(timer);
				this.#waiting.delete(look);
				value ? resolve(value) : fail(`the connection ended (close code ${this.closeCode})`);
			};
			const timer = setTimeout(() => {
				this.#waiting.delete(look);
				fail(`not after ${ms} ms`);
			}, ms);
			this.#waiting.add(look);
			look();
		});
	}

	#wake() {
		for (const look of [...this.#waiting])
			look();
	}

	#take(bytes) {
		this.received += bytes.length;
		if (this.status === 0) {
			bytes = this.#carry.length > 0 ? Buffer.concat([this.#carry, bytes]) : bytes;
			const end = bytes.indexOf(OPENED);
			if (end < 0) {
				this.#carry = bytes;
				return;
			}
			this.status = Number(bytes.toString('latin1', 9, 12));
			this.#carry = Buffer.alloc(0);
			bytes = bytes.subarray(end + OPENED.length);
		}
		if (this.parses)
			this.#parse(bytes);
		this.#wake();
	}

	#parse(bytes) {
		// Large messages come in many pieces: join them once.
		this.#pieces.push(bytes);
		this.#gathered += bytes.length;
		if (this.#gathered < this.#wanted)
			return;
		bytes = this.#pieces.length > 1 ? Buffer.concat(this.#pieces) : bytes;
		let at = 0;
		this.#wanted = 2;
		while (bytes.length - at >= 2) {
			let length = bytes[at + 1] & 127;
			let head = 2;
			if (length >= 126) {
				head = length === 126 ? 4 : 10;
				if (bytes.length - at < head) {
					this.#wanted = head;
					break;
				}
				length = head === 4 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
			}
			if (bytes.length - at < head + length) {
				this.#wanted = head + length;
				break;
			}
			this.#frame(bytes[at] & 15, bytes.subarray(at + head, at + head + length));
			at += head + length;
		}
		this.#pieces = at < bytes.length ? [bytes.subarray(at)] : [];
		this.#gathered = bytes.length - at;
	}

	#frame(opcode, payload) {
		if (opcode === 1)
			this.onText(payload.toString());
		else if (opcode === 2)
			this.onBinary?.(payload);
		else if (opcode === 8 && payload.length >= 2)
			this.closeCode = payload.readUInt16BE(0);
		else if (opcode === 9 && !this.isClosed)
			this.socket.write(frameOf(payload, 10));
	}
}
