// A hundred clients that send random messages, half of which stop reading at times, beside
// honest clients: the daemon survives, answers and releases their memory. Meant for a build
// with the address sanitizer.
//
// usage: daemon_chaos.mjs JOINTCASTD [--minutes 10] [--clients 100] [--seed N]
//
// Each client decides by its seed alone; the answers depend on time, so two runs with one seed
// are similar, not equal. Exit 1 if the daemon ends, does not answer, reports an error, keeps
// descriptors, or does not exit in order.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ChaosClient } from './chaos_client.mjs';
import { scratch, start } from '../support/daemon.mjs';
import { SocketClient } from '../support/socket_client.mjs';
import { secret, token } from '../support/token.mjs';
import { sleep, until } from '../support/until.mjs';
import { exchange } from '../support/websocket_bytes.mjs';

const { values } = parseArgs({ allowPositionals: true, options: {
	minutes: { type: 'string', default: '10' },
	clients: { type: 'string', default: '100' },
	seed: { type: 'string', default: String(Date.now() % 1e6) },
} });
const REPORT = /ERROR: AddressSanitizer|ERROR: LeakSanitizer|runtime error|Assertion/;
const all = { sub: 'admin', roles: ['watch', 'publish', 'record', 'moderate', 'administer'] };

const folder = scratch();
fs.writeFileSync(path.join(folder, 'key'), secret);
fs.writeFileSync(path.join(folder, 'conf'), `
server { state = "${folder}/state" }
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${folder}/key" } }
limits { rewind_seconds = 20 connections_per_subject = 20 }
spaces { open = {"role:watch"} linger = 1 }
space "attic" {}
space "open" { watch = {"anyone"} publish = {"anyone"} streams = 20 }
recording { folder = "${folder}/takes" raw = "true" split_seconds = "10" }
source "walker" { uri = "demo:walk" }
source "waver" { uri = "demo:wave" }
source "sitter" { uri = "demo:sit" space = "attic" }
`);
console.log(`seed ${values.seed}`);
const daemon = await start('--config', path.join(folder, 'conf'));
const ended = () => daemon.child.exitCode !== null || daemon.child.signalCode !== null;
/** Targets of the open descriptors, by number. */
const descriptors = () => fs.readdirSync(`/proc/${daemon.child.pid}/fd`).map((fd) => {
	try {
		return fs.readlinkSync(`/proc/${daemon.child.pid}/fd/${fd}`);
	} catch {
		return 'closed meanwhile';
	}
});

/** Honest clients in a separate process. */
const honest = spawn(process.execPath, [fileURLToPath(new URL('honest_clients.mjs', import.meta.url)), String(daemon.port), 'lobby',
	token({ sub: 'honest', roles: ['watch'] })], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
process.on('exit', () => honest.kill('SIGKILL'));
const heard = (wanted) => new Promise((resolve) => honest.on('message', (message) => message.ask === wanted && resolve(message)));
await heard('ready');

/** A client with all roles checks that nothing the clients began continues. */
async function tidy() {
	const wire = await SocketClient.greeted(daemon.port, { hello: { token: token(all) } });
	// A recording or replay also keeps a space that a client opened.
	for (const space of wire.welcome.spaces) {
		wire.messages.length = 0;
		wire.say({ type: 'record', space, action: 'stop' }, { type: 'replay', space, action: 'state' });
		const { replays } = await wire.get('replaying', ({ answers }) => answers === 'state');
		for (const { id } of replays) {
			wire.say({ type: 'replay', space, action: 'close', id });
			await sleep(30);
		}
		await wire.settled();
	}
	wire.end();
}

await tidy();
const floor = descriptors();
const clients = Array.from({ length: Number(values.clients) }, (_, i) => new ChaosClient(daemon, Number(values.seed), i));
const end = performance.now() + Number(values.minutes) * 60000;
const isOver = () => performance.now() > end || ended();
process.on('unhandledRejection', (error) => {
	throw error;
});
await Promise.all(clients.map((client) => client.live(isOver)));

assert.ok(!ended(), `the daemon ended:\n${daemon.log.slice(-20000)}`);
honest.send({ ask: 'report' });
const report = await heard('report');
const errors = {};
for (const { heard: counts } of clients)
	for (const [name, count] of Object.entries(counts))
		errors[name] = (errors[name] ?? 0) + count;
console.log(`${clients.reduce((sum, { said }) => sum + said, 0)} messages; heard: ${JSON.stringify(errors)}`);
console.log(`honest client: ${report.pings} pings, p50 ${report.p50.toFixed(1)} ms, p99 ${report.p99.toFixed(1)} ms, most ${report.max.toFixed(0)} ms; `
	+ `${report.disconnected} of ${report.honest} honest clients disconnected`);

// The daemon answers a new client.
const { status } = await exchange(daemon.admin, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', undefined, 30000);
assert.equal(status, 200);
const late = await SocketClient.greeted(daemon.port, { hello: { token: token(all) } }, { type: 'join', space: 'lobby' });
await late.get('roster');
await late.settled();
late.end();
assert.equal(report.disconnected, 0, 'an honest client was disconnected');

await tidy();
const left = (await exchange(daemon.admin, 'GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n')).body;
await until(() => `descriptors: ${descriptors().join()}; at first ${floor.join()}; ${left}`, () => descriptors().length <= floor.length, 90000);
honest.kill();
assert.equal(await daemon.stop(), 0, daemon.log.slice(-20000));
assert.doesNotMatch(daemon.log, REPORT);
process.exit(0);
