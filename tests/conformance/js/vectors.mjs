// Reads golden vectors of avatars, one per line, and prints for each the facts of the file, or the reason
// why clients/js does not show it.
//
// usage: vectors.mjs [--without CHECK]
//
// --without files | hash leaves out that part: a broken client.

import { webcrypto } from 'node:crypto';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Avatars } from '../../../clients/js/avatar/avatars.js';
import { checkAvatar } from '../../../clients/js/index.js';

const { values: { without } } = parseArgs({ options: { without: { type: 'string' } } });

/** The facts of the file that a server sends for a hash. */
async function judge(hash, file) {
	const avatars = new Avatars(() => ({ address: 'ws://127.0.0.1/', token: undefined, fetch: async () => new Response(file) }));
	const bytes = await avatars.load(hash);
	try {
		return checkAvatar(bytes);
	} catch (error) {
		if (without === 'files')
			return {};
		throw error;
	}
}

// As in a page that is secure.
Object.defineProperty(globalThis, 'crypto', { value: without === 'hash' ? undefined : webcrypto, configurable: true });
for await (const line of createInterface({ input: process.stdin })) {
	const { hash, base64 } = JSON.parse(line);
	const answer = await judge(hash, Buffer.from(base64, 'base64')).then((facts) => ({ facts }), ({ message }) => ({ error: message }));
	console.log(JSON.stringify(answer));
}
