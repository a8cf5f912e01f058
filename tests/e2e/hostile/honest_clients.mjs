// Honest clients of a daemon under attack, in a process of their own so that they are not
// delayed themselves: one that pings, watchers of motion, and watchers on slow lines. Messages of
// the parent: `mark` resets, `report` returns the figures, `slow` adds watchers on slow lines.
//
// usage: honest_clients.mjs PORT SPACE [TOKEN]
import { SocketClient } from '../support/socket_client.mjs';

const [port, space, token] = [Number(process.argv[2]), process.argv[3], process.argv[4]];
const hello = token ? { token } : {};
const PING_MS = 22;
const OUTSTANDING = 40; // pings; a server may take 50 messages a second
const WATCHERS = 3;

let pings = []; // due times; pings beyond OUTSTANDING are not sent
let sent = [];  // the pings that were sent
let times = [];
let slow = [];
let gap = 0;  // the longest time without a bundle, of the watchers together
let last;
let marked = performance.now();

const pinger = await SocketClient.greeted(port, { hello, onText: take });
const watchers = [];
for (let i = 0; i < WATCHERS; i++)
	watchers.push(await watch());

/** A client that watches the space; `onText` only counts texts. */
function watch() {
	return SocketClient.greeted(port, { hello, onText: first, onBinary: look }, { type: 'join', space }, { type: 'subscribe', space });
}

/** Motion takes no turns: late motion shows that the machine or the whole daemon is late. */
function look() {
	const now = performance.now();
	gap = Math.max(gap, now - (last ?? now));
	last = now;
}

function first(text) {
	if (this.messages.length < 1)
		this.messages.push(JSON.parse(text));
}

/** A pong answers its ping and earlier pings that were not sent. */
function take(text) {
	const message = JSON.parse(text);
	if (message.type !== 'pong') {
		this.messages.push(message);
		return;
	}
	const now = performance.now();
	times.push(...pings.filter((at) => at <= message.t).map((at) => now - at));
	pings = pings.filter((at) => at > message.t);
	sent = sent.filter((at) => at > message.t);
}

setInterval(() => {
	const now = performance.now();
	pings.push(now);
	if (sent.length < OUTSTANDING) {
		sent.push(now);
		pinger.say({ type: 'ping', t: now });
	}
}, PING_MS);

/** Reads at the rate of a connection with this many bytes a second. */
function throttle(wire, rate) {
	const began = performance.now();
	const before = wire.received;
	const timer = setInterval(() => {
		const due = before + rate * (performance.now() - began) / 1000;
		if (wire.received > due)
			wire.pause();
		else
			wire.resume();
	}, 2);
	wire.ended.then(() => clearInterval(timer));
}

function quantile(sorted, q) {
	return sorted.length > 0 ? sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] : null;
}

function report() {
	const now = performance.now();
	// A missing answer takes at least this long.
	const all = [...times, ...pings.map((at) => now - at)].sort((a, b) => a - b);
	const gone = (wires) => wires.filter(({ isClosed }) => isClosed).length;
	return {
		pings: all.length, p50: quantile(all, 0.5), p99: quantile(all, 0.99), max: all.at(-1) ?? null,
		unanswered: pings.length, gap, honest: 1 + watchers.length + slow.length,
		disconnected: gone([pinger, ...watchers, ...slow.map(({ wire }) => wire)]),
		slow: slow.map(({ wire, before }) => ({ isClosed: wire.isClosed, closeCode: wire.closeCode,
			bytesPerSecond: (wire.received - before) / (now - marked) * 1000 })),
	};
}

process.on('message', async ({ ask, count, rate }) => {
	if (ask === 'mark') {
		times = [];
		pings = [];
		marked = performance.now();
		gap = 0;
		slow.forEach((entry) => (entry.before = entry.wire.received));
	} else if (ask === 'slow') {
		for (let i = 0; i < count; i++) {
			const wire = await watch();
			throttle(wire, rate);
			slow.push({ wire, before: wire.received });
		}
	}
	process.send({ ask, ...(ask === 'report' ? report() : {}) });
});
process.on('disconnect', () => process.exit(0));
process.send({ ask: 'ready' });
