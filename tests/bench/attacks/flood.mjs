// Opens many connections that send the same bytes repeatedly, at full speed or at a rate; closed
// connections reconnect.
import { performance } from 'node:perf_hooks';
import { burst, SocketClient as Wire } from '../../e2e/support/socket_client.mjs';
import { sleep } from '../../e2e/support/until.mjs';

const CHUNK = 60000;        // bytes of one write, about
const BACK_MS = 50;         // after a disconnection
const FIRST = 1.9;          // seconds' worth that a paced connection begins with: a burst is allowed
const STEP_MS = 100;
const AT_ONCE = 64;         // connections that are being made

/** Where attackers come from: so many connections, addresses. */
export const SCOPES = {
	client: { title: 'one client', connections: 1, addresses: 1 },
	address: { title: 'one address', connections: 500, addresses: 1 },
	addresses: { title: '50 addresses', connections: 950, addresses: 50 },
};

const addressOf = (i, scope) => `127.0.1.${1 + i % scope.addresses}`;

class Attacker {
	constructor(flood, i) {
		this.flood = flood;
		this.i = i;
		this.sent = 0;
	}

	async connect() {
		const { flood } = this;
		this.wire = new Wire(flood.port, { localAddress: addressOf(this.i, flood.scope), parses: false });
		this.wire.opened.catch(() => {});
		this.wire.ended.then(() => this.lost());
		await this.wire.until('the handshake', () => this.wire.status, 10000).catch(() => {});
		if (this.wire.status !== 101)
			return;
		this.wire.socket.write(burst(flood.attack.opening(this.i)));
		if (flood.attack.reads === false)
			this.wire.pause();
		if (flood.isOn)
			this.begin();
	}

	begin() {
		if (this.wire.status === 101 && !this.flood.pace)
			this.pump();
		else if (this.wire.status === 101)
			this.send(Math.floor(FIRST * this.flood.pace));
	}

	/** At full speed: the next chunk when the system took the one before. */
	pump() {
		const { flood, wire } = this;
		if (flood.isOn && !wire.isClosed)
			wire.socket.write(flood.chunk, () => setImmediate(() => this.pump()));
	}

	/** So many messages, unless those before are still on their way. */
	send(count) {
		const { messages } = this.flood;
		// Large messages only as many as fit into one write.
		count = Math.min(count, Math.ceil(CHUNK / messages[0].length));
		if (this.wire?.status !== 101 || this.wire.isClosed || this.wire.socket.writableLength > CHUNK)
			return;
		this.wire.socket.write(Buffer.concat(Array.from({ length: count }, () => messages[this.sent++ % messages.length])));
	}

	lost() {
		const { flood } = this;
		flood.bytes += this.wire.socket.bytesWritten;
		flood.lost += flood.isOn;
		if (flood.isOn)
			setTimeout(() => flood.isOn && this.connect(), BACK_MS);
	}
}

export class Flood {
	bytes = 0; // of connections that ended
	lost = 0;  // connections that the server ended
	isOn = false;

	constructor(port, scope, attack, pace) {
		Object.assign(this, { port, scope, attack, pace: Math.min(pace, attack.permitted ?? pace) });
		this.messages = attack.messages().map((message) => burst([message], attack.opcode));
		const all = Buffer.concat(this.messages);
		this.chunk = Buffer.concat(Array.from({ length: Math.max(1, Math.floor(CHUNK / all.length)) }, () => all));
		this.attackers = Array.from({ length: scope.connections }, (_, i) => new Attacker(this, i));
	}

	async connect() {
		for (let i = 0; i < this.attackers.length; i += AT_ONCE)
			await Promise.all(this.attackers.slice(i, i + AT_ONCE).map((attacker) => attacker.connect()));
		await sleep(300);
	}

	async run(seconds, isOver) {
		const begin = performance.now();
		const end = begin + 1000 * seconds;
		let paid = 0; // messages of each
		this.isOn = true;
		this.attackers.forEach((attacker) => attacker.begin());
		while (performance.now() < end && !isOver()) {
			await sleep(STEP_MS);
			const due = Math.floor(this.pace * (performance.now() - begin) / 1000);
			for (const attacker of due > paid ? this.attackers : [])
				attacker.send(due - paid);
			paid = due;
		}
		this.isOn = false;
	}

	sent() {
		return this.attackers.filter(({ wire }) => wire && !wire.isClosed)
			.reduce((sum, { wire }) => sum + wire.socket.bytesWritten - wire.socket.writableLength, this.bytes);
	}

	end() {
		this.isOn = false;
		for (const { wire } of this.attackers)
			wire?.socket.resetAndDestroy();
	}
}

/** Connections that are made, upgraded and dropped, so many at a time. */
export class Handshakes {
	lost = 0;
	bytes = 0;
	isOn = false;

	constructor(port, scope) {
		Object.assign(this, { port, scope });
	}

	async connect() {}

	async run(seconds, isOver) {
		const end = performance.now() + 1000 * seconds;
		const one = async (i) => {
			while (performance.now() < end && !isOver()) {
				const wire = new Wire(this.port, { localAddress: addressOf(i, this.scope), parses: false });
				await wire.until('the handshake', () => wire.status, 5000).catch(() => {});
				wire.opened.catch(() => {});
				this.bytes += wire.socket.bytesWritten;
				wire.socket.resetAndDestroy();
			}
		};
		await Promise.all(Array.from({ length: Math.min(this.scope.connections, 100) }, (_, i) => one(i)));
	}

	sent() {
		return this.bytes;
	}

	end() {}
}
