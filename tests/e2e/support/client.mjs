// A client of the protocol through npm's ws, an implementation of WebSocket that is not ours.

import WebSocket from 'ws';
import { checkMessage } from './schema.mjs';

export class Client {
	messages = []; // control messages received, each checked against its schema
	bundles = [];  // binary messages received
	#taken = new Set();
	#next = 0;
	#waiting = new Set();

	/** Opens a connection and sends the messages. `daemon`: { url, from: address of the
	 * client, headers: of the handshake, as Origin }. */
	static async open(daemon, ...messages) {
		const client = new this();
		client.ws = new WebSocket(daemon.url, 'jointcast.v1', { localAddress: daemon.from, headers: daemon.headers });
		client.closed = new Promise((resolve) => client.ws.on('close', (code, reason) => {
			client.isClosed = true;
			client.#look();
			resolve({ code, reason: String(reason) });
		}));
		client.ws.on('message', (data, isBinary) => {
			isBinary ? client.onBinary(data) : client.onMessage(checkMessage(JSON.parse(data)));
			client.#look();
		});
		await new Promise((resolve, reject) => client.ws.on('open', resolve).on('error', reject));
		client.send(...messages);
		return client;
	}

	/** The same; the first message is a hello with those fields. */
	static connect(daemon, hello = {}, ...messages) {
		return this.open(daemon, { type: 'hello', ...hello }, ...messages);
	}

	/** The same, once the daemon has answered with welcome. */
	static async greeted(daemon, hello, ...messages) {
		const client = await this.connect(daemon, hello, ...messages);
		client.welcome = await client.find('welcome');
		return client;
	}

	onMessage(message) {
		if (message.type === 'welcome')
			this.offset = message.time - performance.now() * 1000;
		this.messages.push(message);
	}

	onBinary(data) {
		this.bundles.push(data);
	}

	/** Server time in microseconds; the loopback interface is fast enough to do without pings. */
	now() {
		return Math.floor(performance.now() * 1000 + this.offset);
	}

	/** Sends objects as JSON, and text unchanged. */
	send(...messages) {
		for (const message of messages)
			this.ws.send(typeof message === 'string' ? message : JSON.stringify(message));
	}

	/** Sends one capture of each publication, a pose of the hips in the T-pose: the bodies are shown
	 * from then on. */
	capture(...publications) {
		for (const publication of publications)
			this.ws.send(Buffer.from([0x21, publication, 0x41, ...Array(7).fill(0), 1, ...Array(9).fill(0)]));
	}

	/** Messages received of the type, from an index in `messages`. */
	all(type, from = 0) {
		return this.messages.slice(from).filter((message) => message.type === type);
	}

	errors() {
		return this.all('error').map(({ code }) => code);
	}

	/** The first message of the type that fulfils `is`, among those received and to come. */
	find(type, is = () => true) {
		return this.until(type, () => this.messages.find((message) => message.type === type && is(message)));
	}

	/** The same, among those after the message that the last call returned. */
	next(type, is = () => true) {
		return this.until(type, () => {
			const at = this.messages.findIndex((message, i) => i >= this.#next && message.type === type && is(message));
			return at >= 0 && this.messages[(this.#next = at + 1) - 1];
		});
	}

	/** The first message that fulfils `is` and that no earlier call returned. */
	async take(is) {
		return this.until('a message', () => {
			const found = this.messages.find((message) => !this.#taken.has(message) && is(message));
			this.#taken.add(found);
			return found;
		});
	}

	/** Resolves once the daemon has processed all that was sent. */
	async settled() {
		const t = Math.random();
		this.send({ type: 'ping', t });
		await this.find('pong', (pong) => pong.t === t);
	}

	/** Resolves with the result of ask() once it is true; asks whenever a message arrives. */
	until(what, ask, ms = 30000) {
		return new Promise((resolve, reject) => {
			const end = (settle, value) => {
				clearTimeout(timer);
				this.#waiting.delete(look);
				settle(value);
			};
			const fail = (why) => end(reject, new Error(`${why}: ${what}, after ${JSON.stringify(this.messages).slice(-800)}`));
			const look = () => {
				const value = ask();
				if (value)
					end(resolve, value);
				else if (this.isClosed)
					fail('the connection ended');
			};
			const timer = setTimeout(() => fail(`not after ${ms} ms`), ms);
			this.#waiting.add(look);
			look();
		});
	}

	#look() {
		for (const look of [...this.#waiting])
			look();
	}

	end() {
		this.ws.terminate();
	}
}
