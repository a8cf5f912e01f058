// The coding of a stream: the best that the client names, and coding 2 with precision "local".
//
// usage: daemon_codings.mjs JOINTCASTD
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import WebSocket from 'ws';
import { start } from './support/daemon.mjs';

const daemon = await start('--source', 'demo:walk');
after(async () => assert.equal(await daemon.stop(), 0));

/** The codings of the sections 1 to 4 in the first packet that needs no state. */
function codingsOf(bytes) {
	const view = new Uint8Array(bytes);
	let at = 0;
	const varint = () => {
		let value = 0;
		for (let shift = 0; ; shift += 7) {
			const byte = view[at++];
			value |= (byte & 127) << shift;
			if (byte < 128) return value;
		}
	};
	assert.equal(view[at++], 0x11);
	varint();
	varint();
	const flags = view[at++];
	const more = flags & 0x80 ? view[at++] : 0;
	if (!(more & 8)) return null;
	varint();
	if (!(flags & 0x40)) varint();
	if (more & 4) varint();
	if (more & 2) varint();
	const codings = new Set();
	while (at < view.length) {
		const id = view[at++];
		const size = varint();
		if (id >> 4 <= 4) codings.add(id & 15);
		at += size;
	}
	return [...codings];
}

function first(codings, options) {
	return new Promise((resolve, reject) => {
		const socket = new WebSocket(daemon.url, 'jointcast.v1');
		let welcome;
		socket.binaryType = 'arraybuffer';
		socket.on('error', reject);
		socket.on('open', () => {
			for (const message of [{ type: 'hello', codings }, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby', ...options }]) {
				socket.send(JSON.stringify(message));
			}
		});
		socket.on('message', (data, isBinary) => {
			const found = isBinary && codingsOf(data);
			if (!isBinary && JSON.parse(Buffer.from(data).toString()).type === 'welcome') {
				welcome = JSON.parse(Buffer.from(data).toString());
			} else if (found?.length > 0) {
				socket.close();
				resolve({ welcome, found });
			}
		});
	});
}

test('a stream has the best coding of the client', async () => {
	const { welcome, found } = await first([3, 2, 1], {});
	assert.deepEqual(welcome.codings.map(({ id, name }) => [id, name]), [[1, 'smallest-three'], [2, 'chains'], [3, 'model-chains']]);
	assert.deepEqual(found, [3]);
	assert.deepEqual((await first([2, 1], {})).found, [2]);
	assert.deepEqual((await first([1], {})).found, [1]);
});

test('precision "local" has coding 2', async () => {
	assert.deepEqual((await first([3, 2, 1], { precision: 'local' })).found, [2]);
	assert.deepEqual((await first([3, 2, 1], { precision: 'fine' })).found, [3]);
});
