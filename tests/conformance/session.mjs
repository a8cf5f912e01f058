// One check's conversation: a server that the check scripts, a process of the client under test, and
// the lines that the client prints.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { listen } from './websocket.mjs';

/** A client did something else than the protocol requires. */
export class Failure extends Error {}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Session {
	connections = [];
	frames = []; // lines of the client, parsed: { time, body, bones }
	welcome = {}; // further fields of welcome
	clock = 30_012_000 - performance.now() * 1000; // server time = clock + performance.now() in microseconds
	answersPing = true;
	answersHello = true;
	closesAll = false; // each connection as soon as it is open
	#waiting = new Set();
	#stderr = '';
	#exit = null;
	#stray = null; // first line that is not JSON

	/** `patience`: milliseconds until something that has to happen counts as missing. */
	constructor(command, patience) {
		this.command = command;
		this.patience = patience;
	}

	/** Starts the server and the client. */
	async start({ selects = true } = {}) {
		this.server = await listen({
			selects,
			onConnection: (connection) => {
				this.connections.push(connection);
				if (this.closesAll)
					connection.close(1001);
				this.#wake();
			},
			onChange: (connection, message) => {
				this.#answer(connection, message?.text);
				this.#wake();
			},
		});
		const command = this.command.replaceAll('{url}', this.server.url);
		this.process = spawn('/bin/sh', ['-c', `exec ${command}`], { stdio: ['pipe', 'pipe', 'pipe'] });
		this.process.stdin.on('error', () => {});
		this.process.stderr.on('data', (text) => (this.#stderr = (this.#stderr + text).slice(-2000)));
		createInterface({ input: this.process.stdout }).on('line', (line) => {
			try {
				this.frames.push(JSON.parse(line));
			} catch {
				this.#stray ??= line;
			}
			this.#wake();
		});
		// Unlike 'exit', 'close' comes after the last line.
		this.process.on('close', (code, signal) => {
			this.#exit ??= signal ?? code;
			this.#wake();
		});
		this.process.on('error', (error) => {
			this.#exit = error.message;
			this.#wake();
		});
	}

	end() {
		this.server?.close();
		this.process?.kill('SIGKILL');
	}

	now() {
		return Math.floor(this.clock + performance.now() * 1000);
	}

	#answer(connection, message) {
		if (message?.type === 'ping' && this.answersPing)
			this.pong(connection, message);
		if (message?.type === 'hello' && this.answersHello)
			connection.send({ ...WELCOME, time: this.now(), ...this.welcome });
	}

	pong(connection, { t }) {
		connection.send({ type: 'pong', t, time: this.now() });
	}

	#wake() {
		for (const look of this.#waiting)
			look();
	}

	/** Resolves with what find() returns once that is true; otherwise the client fails for `what`. */
	async until(what, find, ms = this.patience) {
		let timer, look;
		try {
			return await new Promise((resolve, reject) => {
				timer = setTimeout(() => reject(new Failure(`expected ${what}; it did not come in ${ms} ms${this.#state()}`)), ms);
				look = () => {
					const found = find();
					if (this.#stray !== null)
						reject(new Failure(`expected lines of JSON alone on standard output, found '${this.#stray.slice(0, 80)}'; messages for people belong on standard error`));
					else if (found)
						resolve(found);
					else if (this.#isOver())
						reject(new Failure(`expected ${what}; the client ended with ${this.#exit}${this.#state()}`));
				};
				this.#waiting.add(look);
				look();
			});
		} finally {
			clearTimeout(timer);
			this.#waiting.delete(look);
		}
	}

	/** Whether nothing more can come: the end of the process may be known before those of its connections. */
	#isOver() {
		return this.#exit !== null && this.connections.every(({ closed }) => closed);
	}

	#state() {
		const last = this.connections.at(-1);
		const sent = last?.messages.map(({ text }) => text?.type ?? 'binary').slice(-6).join(', ');
		return `. Connections: ${this.connections.length}${last?.closed ? ', the last one is closed' : ''}. `
			+ `Last messages of the client: ${sent || 'none'}.${this.#stderr && ` Its errors: ${this.#stderr.trim().split('\n').at(-1)}`}`;
	}

	/** The n-th connection of the client. */
	connection(n = 1) {
		return this.until(`connection ${n} of the client`, () => this.connections[n - 1]);
	}

	get current() {
		return this.connections.at(-1);
	}

	/** Messages of a type on the present connection. */
	received(type) {
		return this.current.messages.filter(({ text }) => text?.type === type).map(({ text, at }) => ({ ...text, at }));
	}

	/** Resolves with the next message of the type after the first `after` ones. */
	receive(type, after = 0) {
		return this.until(`'${type}'`, () => this.current?.messages && this.received(type)[after]);
	}

	/** Resolves with the line for the body and the time. */
	frame(body, time) {
		return this.until(`a line of body ${body} at time ${time}`,
			() => this.frames.find((frame) => frame.body === body && Math.abs(frame.time - time) < 100));
	}

	/** Throws unless the client is on its first connection. */
	requireConnected() {
		require(this.connections.length === 1 && !this.current.closed, 'expected the connection to stay open; the client closed it');
	}
}

/** Throws a Failure with the message unless the condition holds. */
export function require(condition, message) {
	if (!condition)
		throw new Failure(message);
}

const WELCOME = {
	type: 'welcome', protocol: 'jointcast.v1', server: 'conformance 1', wall: 1790000000000000,
	codings: [{ id: 1, name: 'smallest-three' }, { id: 2, name: 'chains' }, { id: 3, name: 'model-chains' }], spaces: ['lobby'],
	rooms: [{ name: 'lobby', tickHz: 60, bodies: 1, watched: 0, roles: ['watch', 'publish'], rewind: 0, recordings: false }],
	limits: { message: 65536, errors: 16, spaces: 8, publications: 8, ignored: 64, bytes: 8388608, rosters: 8, keyframes: 4,
		publishes: 8, amendments: 8, captures: 1000, captureBytes: 1048576, registrations: 8, replays: 4 },
};
