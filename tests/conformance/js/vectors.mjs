// Reads golden vectors of avatars and of chains of coding 3, one per line. Prints for each the facts of the
// file, or the reason why clients/js does not show it; or what the chain shows.
//
// usage: vectors.mjs [--without CHECK]
//
// --without files | hash leaves out that part: a broken client.

import { webcrypto } from 'node:crypto';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Avatars } from '../../../clients/js/avatar/avatars.js';
import { BONES, ChainDecoder, checkAvatar, loadModelChains } from '../../../clients/js/index.js';

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

/** By name, what a chain shows after each step. */
function follow({ section, coding, steps }) {
	const chain = new ChainDecoder(section);
	const shown = steps.map(({ do: what, hex }) => {
		if (what === 'rejoin')
			chain.readRejoin(Buffer.from(hex, 'hex'), 0, undefined, coding);
		else if (what === 'frame')
			chain.decode(Buffer.from(hex, 'hex'));
		else
			chain.hold();
		const [turns, points] = [chain.rotations(new Float32Array(4 * BONES.length)), chain.points(new Float32Array(3 * 30))];
		const named = [...chain.bones.subarray(0, chain.count)].map((bone, i) => (section === 'hips' ? ['translation', points.subarray(0, 3)]
			: section === 'virtual' ? [`${'rt'[i & 1]}${bone}`, i & 1 ? points.subarray(3 * bone, 3 * bone + 3) : turns.subarray(4 * bone, 4 * bone + 4)]
				: section === 'channels' ? [`v${bone}`, points.subarray(3 * bone, 3 * bone + 3)]
					: [BONES[bone], turns.subarray(4 * bone, 4 * bone + 4)]));
		return Object.fromEntries(named.map(([name, values]) => [name, Array.from(values)]));
	});
	return { shown };
}

// As in a page that is secure.
Object.defineProperty(globalThis, 'crypto', { value: without === 'hash' ? undefined : webcrypto, configurable: true });
await loadModelChains();
for await (const line of createInterface({ input: process.stdin })) {
	const { hash, base64, ...vector } = JSON.parse(line);
	const answer = vector.vector === 'chain' ? follow(vector) : await judge(hash, Buffer.from(base64, 'base64')).then((facts) => ({ facts }), ({ message }) => ({ error: message }));
	console.log(JSON.stringify(answer));
}
