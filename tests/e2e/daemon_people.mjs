// People of a daemon that has a key: tokens made with nothing but node:crypto, and
// clients that speak in whole messages, each of which has to fit its schema.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { frames, open, text } from './daemon_process.mjs';

const proto = new URL('../../proto/', import.meta.url);
const Ajv = createRequire(new URL('test/', proto))('ajv/dist/2020.js');
const schemas = new Ajv({ strictRequired: false });
for (const file of readdirSync(new URL('schema/', proto)))
	schemas.addSchema(JSON.parse(readFileSync(new URL(`schema/${file}`, proto))), file);

export const secret = crypto.randomBytes(32);
export const now = () => Math.floor(Date.now() / 1000);

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token (RFC 7519) of HS256 with that secret. */
export function token(claims, key = secret, kid = 'shared') {
	const signed = `${part({ alg: 'HS256', kid })}.${part({ aud: 'world', exp: now() + 600,
		roles: ['watch', 'publish'], spaces: '*', bodies: '*', ...claims })}`;
	return `${signed}.${crypto.createHmac('sha256', key).update(signed).digest('base64url')}`;
}

/** A connection that has said hello, and what is needed to talk over it; of the address
 * `daemon.from`, where that is there. */
export async function connect(daemon, hello = {}, ...messages) {
	const raw = await open(daemon.port, undefined, daemon.from);
	const heard = [];
	let seen = 0;
	const say = (...list) => list.forEach((message) => raw.send(text(message)));
	const all = () => {
		const found = frames(raw.bytes).filter((frame) => frame.opcode === 1);
		for (; seen < found.length; seen++) {
			const message = JSON.parse(found[seen].payload.toString());
			const validate = schemas.getSchema(`${message.type}.schema.json`);
			assert.ok(validate?.(message), `${JSON.stringify(message)}: ${schemas.errorsText(validate?.errors)}`);
			heard.push(message);
		}
		return heard;
	};
	let read = 0; // messages before were taken by next()
	const client = {
		raw, say, all,
		get: (type, which = () => true) =>
			raw.until(() => all().find((message) => message.type === type && which(message))),
		/** The first of a type that comes after those that were taken so before. */
		next: (type, which = () => true) => raw.until(() => {
			const at = all().findIndex((message, i) => i >= read && message.type === type && which(message));
			return at >= 0 && heard[(read = at + 1) - 1];
		}),
		closed: () => raw.until(() => {
			const close = frames(raw.bytes).find((frame) => frame.opcode === 8);
			return close && { code: close.payload.readUInt16BE(0), reason: close.payload.subarray(2).toString() };
		}),
		/** Resolves once the server has dealt with all that was said. */
		settled: async () => {
			const t = Math.random();
			say({ type: 'ping', t });
			await client.get('pong', (pong) => pong.t === t);
		},
		bundles: () => frames(raw.bytes).filter((frame) => frame.opcode === 2).map(({ payload }) => payload),
		end: () => raw.socket.destroy(),
	};
	say({ type: 'hello', ...hello }, ...messages);
	return client;
}
