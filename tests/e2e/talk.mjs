// A conversation with a daemon, each message of it held against its schema.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import WebSocket from 'ws';

const proto = new URL('../../proto/', import.meta.url);
const Ajv = createRequire(new URL('test/', proto))('ajv/dist/2020.js');
const schemas = new Ajv({ strictRequired: false });
for (const file of readdirSync(new URL('schema/', proto)))
	schemas.addSchema(JSON.parse(readFileSync(new URL(`schema/${file}`, proto))), file);

/** Says hello, and resolves once that was answered. */
export async function talk(url, hello = {}) {
	const ws = new WebSocket(url, 'jointcast.v1');
	const heard = [];
	const waiting = new Set();
	ws.on('message', (data, binary) => {
		if (binary)
			return;
		const message = JSON.parse(data);
		const validate = schemas.getSchema(`${message.type}.schema.json`);
		assert.ok(validate?.(message), `${message.type}: ${schemas.errorsText(validate?.errors)}`);
		heard.push(message);
		for (const look of [...waiting])
			look();
	});
	await new Promise((resolve, reject) => ws.on('open', resolve).on('error', reject));
	const line = {
		ws,
		say(message) {
			ws.send(JSON.stringify(message));
		},
		/** The first message, of those not asked for yet, that fulfils it. */
		hear(wanted) {
			return new Promise((resolve) => {
				const look = () => {
					const index = heard.findIndex(wanted);
					if (index < 0)
						return;
					waiting.delete(look);
					resolve(heard.splice(index, 1)[0]);
				};
				waiting.add(look);
				look();
			});
		},
	};
	line.say({ type: 'hello', ...hello });
	line.welcome = await line.hear(({ type }) => type === 'welcome');
	return line;
}
