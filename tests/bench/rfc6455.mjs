// The table of tests/e2e/hostile/rfc6455.mjs with a result for each: of jointcastd in the clear and
// through TLS, and of a server of npm `ws` beside it. Prints tests/CONFORMANCE.md.
// usage: node tests/bench/rfc6455.mjs JOINTCASTD > tests/CONFORMANCE.md
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { start } from '../e2e/support/daemon.mjs';
import { conversations, converse, handshakes, shakeHands } from '../e2e/hostile/rfc6455.mjs';

const require = createRequire(new URL('../e2e/package.json', import.meta.url));
const { WebSocketServer } = require('ws');

/** Answers a hello with `welcome` and any other text with `error`, as the daemon does. */
function serve() {
	const server = new WebSocketServer({ port: 0, host: '127.0.0.1', maxPayload: 65536,
		handleProtocols: (offered) => offered.has('jointcast.v1') && 'jointcast.v1' });
	server.on('connection', (socket) => {
		socket.on('error', () => {});
		socket.on('message', (data) => socket.send(JSON.stringify(
			{ type: /"hello"/.test(data) ? 'welcome' : 'error' })));
	});
	return new Promise((resolve) => server.on('listening', () => resolve(server)));
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'jointcast-rfc6455-'));
const daemon = await start('--tls-listen', '127.0.0.1:0', '--dev-certificate', '--state', folder);
const ca = fs.readFileSync(path.join(folder, 'dev-certificate.pem'));
const peer = await serve();
const { version } = require('ws/package.json');
const lines = [[daemon.port], [daemon.tlsPort, { ca }], [peer.address().port]];

const say = (what) => [what].flat().join(', ').replace(/x{20,}/, 'x…').trim();
const ends = async (ask) => say(await ask.catch((error) => (/ended/.test(error.message) ? 'ends without a word' : 'no answer')));

console.log(`# RFC 6455, case by case

What a client sends that stands on a bare socket, what the text wants in answer, and what came: of \`jointcastd\` in the clear and through TLS, and of npm \`ws\` ${version} as a server beside it. The cases are written by hand (\`tests/e2e/hostile/rfc6455.mjs\`) and run in every build; \`node tests/bench/rfc6455.mjs JOINTCASTD\` made this page. A handshake is answered with a status, a conversation with messages: \`welcome\` and \`answer\` are texts, the latter an error of this protocol about a text that is none of it.

**Where jointcastd is stricter than the text asks, or does otherwise**

- Bytes behind a handshake that was not answered yet are refused with 400; the text has a client wait (4.1).
- The subprotocol \`jointcast.v1\` has to be offered (400), as it is written; the text leaves that to the server (4.2.2). A Host or an Origin that is not served is refused with 403 (10.2).
- No extension is agreed upon, permessage-deflate neither (9.1).
- Messages of more than 64 KiB, however they come, are closed with 1009 (10.4); whether a text is UTF-8 is found out when all of it is there (8.1), so a fragment that cannot become UTF-8 is not closed before the last one.
- A frame that nobody may send is answered with a close right away; what follows it is not looked at.
- Each HTTP connection has one request.

| section | case | wanted | jointcastd | through TLS | npm ws |
|---|---|---|---|---|---|`);
let right = 0;
for (const entry of [...handshakes, ...conversations]) {
	const ask = Array.isArray(entry.wanted) ? converse : shakeHands;
	const results = [];
	for (const [port, secure] of lines)
		results.push(await ends(ask(port, secure, entry)));
	const wanted = say(entry.wanted);
	right += results[0] === wanted && results[1] === wanted;
	console.log(`| ${entry.section} | ${entry.name} | ${wanted} | ${results.join(' | ')} |`);
}
const count = handshakes.length + conversations.length;
console.log(`\n${right} of ${count} as wanted.`);
await daemon.stop();
peer.close();
for (const client of peer.clients)
	client.terminate();
fs.rmSync(folder, { recursive: true });
