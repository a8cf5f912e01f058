// Attacking clients and bystanders on raw sockets.

import { captureMessage } from '../../../clients/js/body-frame.js';
import { frame, frames, open, text } from './websocket_bytes.mjs';

/** The classes, for that daemon; `secure`: through TLS, with those options; `more` of their hello. */
export function clientsOf(daemon, secure, more = {}) {
	/** A client on a raw socket, which may send anything. */
	class Client {
		static async open(...messages) {
			const client = new Client();
			client.raw = await open(secure ? daemon.tlsPort : daemon.port, secure);
			client.say(...messages);
			return client;
		}

		/** A client that has received welcome. */
		static async greeted(...messages) {
			const client = await Client.open({ type: 'hello', ...more });
			const { time } = await client.get('welcome');
			client.offset = time - performance.now() * 1000;
			client.say(...messages);
			return client;
		}

		/** The time of the server, a little in the past. */
		now() {
			return Math.floor(performance.now() * 1000 + this.offset) - 2000;
		}

		say(...messages) {
			this.raw.send(...messages.map((message) => text(message)));
		}

		put(...captures) {
			this.raw.send(...captures.map((capture) => frame(2, captureMessage(0, capture))));
		}

		all(type) {
			return frames(this.raw.bytes).filter(({ opcode }) => opcode === 1)
				.map(({ payload }) => JSON.parse(payload.toString())).filter((message) => message.type === type);
		}

		get(type, is = () => true) {
			return this.raw.until(() => this.all(type).find(is));
		}

		errors() {
			return this.all('error').map(({ code }) => code);
		}

		/** Waits until all before was answered. */
		async settled() {
			const t = Math.random();
			this.say({ type: 'ping', t });
			await this.get('pong', (pong) => pong.t === t);
		}

		async publish(name, options = {}) {
			this.say({ type: 'publish', space: 'lobby', publication: 0, name, kind: 'body-frames', ...options });
			return (await this.get('published')).body;
		}

		close() {
			this.raw.socket.destroy();
		}
	}

	/** Ticks of the first space, by the heads of its bundles (proto/BUNDLES.md, "Bundle head"). */
	class Bystander {
		async enter() {
			this.client = await Client.greeted({ type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' });
			await this.client.raw.until(() => this.bundles().length > 5);
			this.keepAlive();
		}

		/** The daemon ends a connection after a minute of silence: sends a pong now and then. */
		keepAlive() {
			const { raw } = this.client;
			const timer = setInterval(() => raw.send(frame(10)), 10000).unref();
			raw.ended.then(() => clearInterval(timer));
		}

		bundles() {
			return frames(this.client.raw.bytes).filter(({ opcode }) => opcode === 2);
		}

		/** How many ticks did not come between the first bundle and the last. */
		missed() {
			let tick;
			let missed = 0;
			for (const { payload } of this.bundles()) {
				const before = tick;
				if (payload[0] & 0x80) {
					tick += (payload[0] - tick) & 0x7f;
				} else {
					tick = 0;
					for (let at = 2, scale = 1; ; at++, scale *= 128) {
						tick += (payload[at] & 127) * scale;
						if (payload[at] < 128)
							break;
					}
				}
				missed += before === undefined ? 0 : tick - before - 1;
			}
			return missed;
		}
	}

	return { Client, Bystander };
}
