// One client of daemon_chaos.mjs: it acts at random from its seed and reconnects when it is
// disconnected; half of these clients stop reading for seconds.
import { burst, frameOf, SocketClient, textFrame } from '../support/socket_client.mjs';
import { token } from '../support/token.mjs';
import { sleep } from '../support/until.mjs';
import { exchange } from '../support/websocket_bytes.mjs';
import { capture, claims, damage, descriptor, Dice, SPACES, spoil, valid } from './chaos_messages.mjs';

const HTTP = 'HTTP/1.1\r\nHost: localhost\r\n';

export class ChaosClient {
	said = 0;   // messages
	heard = {}; // by type; errors by code

	constructor({ port, admin }, seed, i) {
		this.port = port;
		this.admin = admin;
		this.i = i;
		this.dice = new Dice(seed * 1000 + i);
		this.address = `127.0.1.${1 + i % 30}`;
		this.stopsReading = i % 2 === 0;
		this.claims = claims(this.dice, i);
	}

	/** An existing, missing or invalid value. */
	token() {
		const what = this.dice.unit();
		return what < 0.9 ? token(this.claims) : what < 0.95 ? undefined : 'x.y.z';
	}

	async connect() {
		// Ids and names it has received, used in its messages.
		Object.assign(this, { bodies: new Set(), isJoined: true, hashes: [], files: [], publications: new Map(), kinds: new Map(), own: new Map(), replay: 1, tick: 0, offset: 0,
			space: this.dice.of(SPACES.slice(0, 4)) });
		this.wire = new SocketClient(this.port, { localAddress: this.address, onText: (text) => this.hear(JSON.parse(text)) });
		this.wire.opened.catch(() => {});
		await this.wire.until('the handshake', () => this.wire.status, 20000).catch(() => {});
		if (this.wire.status !== 101)
			return;
		const { space } = this;
		this.wire.say(valid(this.dice, this, 'hello'), { type: 'join', space }, { type: 'subscribe', space });
	}

	hear(message) {
		const name = message.type === 'error' ? message.code : message.type;
		this.heard[name] = (this.heard[name] ?? 0) + 1;
		switch (message.type) {
		case 'welcome':
			this.offset = message.time - performance.now() * 1000;
			break;
		case 'roster':
			if (message.space !== this.space)
				break;
			if (message.bodies)
				this.bodies.clear();
			(message.bodies ?? message.joined ?? []).forEach(({ id }) => this.bodies.add(id));
			message.left?.forEach((id) => this.bodies.delete(id));
			break;
		case 'moderated':
			if (message.space === this.space && ['kick', 'ban', 'close'].includes(message.action) && message.stored === undefined)
				this.isJoined = false;
			break;
		case 'published':
			this.own.set(message.publication, message.body);
			this.publications.set(message.publication, this.dice.chance(0.9) ? this.kinds.get(message.publication) : 'poses');
			break;
		case 'unpublished':
			this.publications.delete(message.publication);
			this.own.delete(message.publication);
			break;
		case 'error':
			// The space was closed, or it was thrown out of it.
			this.isJoined &&= message.code !== 'not-joined' && message.code !== 'unknown-space';
			break;
		case 'registered':
			this.hashes = [...this.hashes, message.hash].slice(-5);
			break;
		case 'replaying':
			this.files = message.recordings?.map(({ file }) => file).slice(0, 5) ?? this.files;
			this.replay = message.replays.at(-1)?.id ?? this.replay;
			if (message.past)
				this.wire.say({ type: 'join', space: message.past }, { type: 'subscribe', space: message.past });
			break;
		default:
		}
	}

	message() {
		const message = valid(this.dice, this);
		this.said++;
		if (message.type === 'publish')
			this.kinds.set(message.publication, message.kind);
		return this.dice.chance(0.03) ? spoil(this.dice, message) : message;
	}

	async captures() {
		for (let i = this.dice.below(20); i > 0 && this.publications.size > 0 && !this.wire.isClosed; i--) {
			const [number, kind] = this.dice.of([...this.publications]);
			const now = Math.max(0, Math.floor(performance.now() * 1000 + this.offset));
			this.wire.socket.write(frameOf(capture(this.dice, number, kind, now), 2));
			await sleep(this.dice.below(20));
		}
	}

	/** A request beside the WebSocket. */
	async request() {
		const { dice } = this;
		const name = `file${dice.below(5)}`;
		const authorization = `Authorization: Bearer ${this.token()}\r\n`;
		const body = dice.chance(0.8) ? JSON.stringify(descriptor(dice)) : Buffer.from(dice.many(2000, () => dice.below(256))).toString('latin1');
		const text = dice.of([`GET /status ${HTTP}\r\n`, `GET /metrics ${HTTP}\r\n`, `GET / ${HTTP}\r\n`, `GET /readyz ${HTTP}\r\n`,
			`GET /skeletons ${HTTP}${authorization}\r\n`, `GET /skeletons/${name} ${HTTP}${authorization}\r\n`,
			`DELETE /skeletons/${name} ${HTTP}${authorization}\r\n`,
			`PUT /skeletons/${name} ${HTTP}${authorization}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`]);
		await exchange(dice.chance(0.3) ? this.admin : this.port, text, undefined, 20000).catch(() => {});
	}

	async act() {
		const { dice, wire } = this;
		const what = dice.below(100);
		if (what < 60) {
			wire.say(this.message());
		} else if (what < 68) {
			wire.socket.write(burst(dice.many(30, () => this.message())));
		} else if (what < 84) {
			await this.captures();
		} else if (what < 90 && this.stopsReading) {
			wire.pause();
			await sleep(1000 + dice.below(4000));
			wire.resume();
		} else if (what < 93) {
			await this.request();
		} else if (what < 94) {
			wire.socket.write(damage(dice));
		} else if (what < 95) {
			// In pieces.
			const bytes = textFrame(this.message());
			const cut = dice.below(bytes.length);
			wire.socket.write(bytes.subarray(0, cut));
			await sleep(30);
			wire.socket.write(bytes.subarray(cut));
		} else if (what < 96) {
			wire.socket.resetAndDestroy();
		} else if (what < 97) {
			wire.end();
		}
	}

	/** Runs until `isOver` returns true. */
	async live(isOver) {
		while (!isOver()) {
			await this.connect();
			while (!isOver() && !this.wire.isClosed && this.wire.status === 101) {
				await this.act();
				await sleep(20 + this.dice.below(200));
			}
			this.wire.end();
			await sleep(this.dice.below(1000));
		}
		this.wire.end();
	}
}
