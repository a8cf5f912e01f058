// Bytes on the wire for one body at 30 Hz and standard, one or two ticks in a message, codings 2 and 3: with
// 22 B of TLS and 54 B of TCP/IP and WebSocket heads a message. The first second, with the rejoin packet, is
// left out.
//
// usage: wire.mjs JOINTCASTD SOURCE…

import { createRequire } from 'node:module';
import { spawn } from 'node:child_process';

const WebSocket = createRequire(new URL('../../e2e/', import.meta.url))('ws');
const [daemon, ...sources] = process.argv.slice(2);
if (sources.length === 0) {
	console.error('usage: wire.mjs JOINTCASTD SOURCE…');
	process.exit(2);
}
const HEADS = 76;
const MS = 12500;
const CASES = [[[2, 1], 1], [[2, 1], 2], [[3, 2, 1], 1], [[3, 2, 1], 2]];

function listen(source) {
	const child = spawn(daemon, ['--listen', '127.0.0.1:0', '--source', source], { stdio: ['ignore', 'ignore', 'pipe'] });
	return new Promise((resolve) => {
		let text = '';
		child.stderr.on('data', (more) => {
			text += more;
			const found = /listening on (127\.0\.0\.1:\d+)/.exec(text);
			if (found)
				resolve({ child, url: `ws://${found[1]}/` });
		});
	});
}

function watch(url, codings, ticks) {
	return new Promise((resolve) => {
		const socket = new WebSocket(url, 'jointcast.v1', { perMessageDeflate: false });
		const sum = { messages: 0, bytes: 0 };
		let first;
		socket.on('open', () => [{ type: 'hello', codings }, { type: 'join', space: 'lobby' },
			{ type: 'subscribe', space: 'lobby', rate: 2, ticks }].forEach((message) => socket.send(JSON.stringify(message))));
		socket.on('message', (message, isBinary) => {
			first ??= isBinary ? performance.now() : undefined;
			if (isBinary && performance.now() > first + 1000) {
				sum.messages++;
				sum.bytes += message.length;
			}
		});
		setTimeout(() => {
			socket.close();
			resolve((sum.bytes / sum.messages + HEADS) / ticks);
		}, MS);
	});
}

for (const source of sources) {
	const { child, url } = await listen(source);
	const found = await Promise.all(CASES.map(([codings, ticks]) => watch(url, codings, ticks)));
	CASES.forEach(([[coding], ticks], i) => console.log(`${source}: coding ${coding}, ticks in a message ${ticks}: ${found[i].toFixed(1)} B a tick`));
	child.kill();
}
