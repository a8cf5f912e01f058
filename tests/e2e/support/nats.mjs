// A NATS client of the tests' own (the text protocol, without libnats): sees what the processes of
// a cluster exchange, and sends what a hostile process would.

import assert from 'node:assert/strict';
import net from 'node:net';
import tls from 'node:tls';

const LINE = Buffer.from('\r\n');

export class Nats {
	info = {};       // of the server
	errors = [];     // texts of -ERR
	#bytes = Buffer.alloc(0);
	#handlers = new Map();
	#pongs = [];
	#last = 0;

	/** A client that the server has accepted. `options`: user, pass and others of CONNECT; `name`:
	 * of a host; `ca`: for a server with TLS. */
	static async connect(url, { ca, ...options } = {}) {
		const nats = new Nats();
		nats.name = options.name ?? 'test';
		const { hostname, port } = new URL(url);
		nats.socket = net.connect(Number(port), hostname);
		if (ca) {
			// The server begins in the clear.
			await new Promise((resolve, reject) => nats.socket.once('data', resolve).once('error', reject));
			nats.socket = tls.connect({ socket: nats.socket, ca, host: hostname });
		}
		nats.ended = new Promise((resolve) => nats.socket.on('close', resolve));
		nats.socket.on('data', (bytes) => nats.#take(bytes)).on('error', (error) => nats.errors.push(String(error)));
		nats.socket.write(`CONNECT ${JSON.stringify({ verbose: false, lang: 'test', ...options })}\r\n`);
		await nats.settled();
		return nats;
	}

	/** handler({ subject, reply, bytes }) for each message from now on; returns a function that
	 * ends it. */
	subscribe(subject, handler) {
		const id = String(++this.#last);
		this.#handlers.set(id, handler);
		this.socket.write(`SUB ${subject} ${id}\r\n`);
		return () => {
			this.#handlers.delete(id);
			this.socket.write(`UNSUB ${id}\r\n`);
		};
	}

	publish(subject, bytes, reply = '') {
		const payload = Buffer.from(bytes);
		this.socket.write(Buffer.concat([Buffer.from(`PUB ${subject} ${reply} ${payload.length}\r\n`), payload, LINE]));
	}

	/** A new subject for answers to a host of that name. */
	inbox() {
		return `_INBOX.${this.name}.${Math.random().toString(36).slice(2)}`;
	}

	/** The first answer; rejects after `ms`. */
	request(subject, bytes, ms = 10000) {
		return new Promise((resolve, reject) => {
			const inbox = this.inbox();
			const timer = setTimeout(() => reject(new Error(`no answer to '${subject}' after ${ms} ms`)), ms);
			const end = this.subscribe(inbox, (message) => {
				clearTimeout(timer);
				end();
				resolve(message);
			});
			this.publish(subject, bytes, inbox);
		});
	}

	/** Resolves once the server has processed all that was sent. */
	async settled() {
		const isOver = await Promise.race([this.ended.then(() => true), new Promise((resolve) => {
			this.#pongs.push(() => resolve(false));
			this.socket.write('PING\r\n');
		})]);
		assert.ok(!isOver, `nats-server ended the connection: ${this.errors.join('; ')}`);
	}

	close() {
		this.socket.destroy();
	}

	#take(bytes) {
		this.#bytes = this.#bytes.length > 0 ? Buffer.concat([this.#bytes, bytes]) : bytes;
		for (;;) {
			const end = this.#bytes.indexOf(LINE);
			if (end < 0)
				return;
			const [verb, ...words] = this.#bytes.toString('latin1', 0, end).split(' ');
			let next = end + 2;
			if (verb === 'MSG') {
				const length = Number(words.at(-1));
				if (this.#bytes.length < next + length + 2)
					return;
				const [subject, id] = words;
				this.#handlers.get(id)?.({ subject, reply: words.length > 3 ? words[2] : '', bytes: this.#bytes.subarray(next, next + length) });
				next += length + 2;
			} else if (verb === 'PING') {
				this.socket.write('PONG\r\n');
			} else if (verb === 'PONG') {
				this.#pongs.shift()?.();
			} else if (verb === 'INFO') {
				this.info = JSON.parse(words.join(' '));
			} else if (verb === '-ERR') {
				this.errors.push(words.join(' '));
			}
			this.#bytes = this.#bytes.subarray(next);
		}
	}
}

/** Messages in parts, joined; undefined until the last part. */
export class Parts {
	#waiting = new Map();

	take(bytes) {
		const [number, part, parts] = [bytes.readUInt32LE(0), bytes.readUInt16LE(4), bytes.readUInt16LE(6)];
		const found = this.#waiting.get(number) ?? [];
		found[part] = Buffer.from(bytes.subarray(8));
		this.#waiting.set(number, found);
		return Object.keys(found).length === parts ? JSON.parse(Buffer.concat(found)) : undefined;
	}
}
