// Clients of each kind over long lines with jitter: clients/js, `jointcast watch` and the client in
// Python watch a daemon through relays that delay every message, all at the same time. The first
// and the last also publish a body and move it and their viewpoint 30 times a second. Prints what
// went over each line, and fails if there was an error or a close.
//
// usage: round_trips.mjs JOINTCASTD JOINTCAST [--seconds 60] [--trips 20,120,300]

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { relay } from '../e2e/support/relay.mjs';
import { until, sleep } from '../e2e/support/until.mjs';
import { start } from '../e2e/support/daemon.mjs';

const USAGE = 'usage: round_trips.mjs JOINTCASTD JOINTCAST [--seconds 60] [--trips 20,120,300]';

/** The command line; --help, and wrong use, print the usage and end. */
function options() {
	try {
		const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' },
			seconds: { type: 'string', default: '60' }, trips: { type: 'string', default: '20,120,300' } } });
		if (values.help) {
			console.log(USAGE);
			process.exit(0);
		}
		if (positionals.length === 2)
			return { values, jointcast: positionals[1] };
		console.error(USAGE);
	} catch (error) {
		console.error(`round_trips.mjs: ${error.message}`);
	}
	process.exit(2);
}

const { values, jointcast } = options();
const JITTER = 0.4; // of the delay
const here = (file) => fileURLToPath(new URL(file, import.meta.url));

const KINDS = {
	'clients/js': [process.execPath, here('js/watch.mjs'), '--wander', '--quiet'],
	'jointcast watch': [jointcast, 'watch', '--json'],
	Python: ['/usr/bin/python3', '-B', here('python/watch.py'), '--wander', '--quiet'],
};

const cleanups = [];
const test = { after: (run) => cleanups.push(run) };

/** A client on a line of its own. */
async function connect(daemon, kind, trip) {
	const line = await relay(test, daemon.url, { delay: () => trip / 2 * (1 - JITTER / 2 + JITTER * Math.random()) });
	const [command, ...args] = KINDS[kind];
	const child = spawn(command, [...args, line.url], { stdio: ['ignore', 'ignore', 'inherit'] });
	cleanups.unshift(() => child.kill('SIGKILL'));
	const client = { kind, trip, line, exit: null };
	child.on('exit', (code, signal) => (client.exit = signal ?? code));
	return client;
}

/** The faults of a line: errors, closes, silence. */
function faults({ line, exit }, bundles) {
	return [...line.heard('error').map(({ code, message }) => `${code}: ${message}`),
		...line.closes.map((code) => `closed with ${code}`),
		...(exit === null ? [] : [`the client ended with ${exit}`]),
		...(line.bundles > bundles ? [] : ['no bundles in the last second'])];
}

const daemon = await start('--source', 'demo:walk?name=walker');
const trips = values.trips.split(',').map(Number);
const clients = await Promise.all(Object.keys(KINDS).flatMap((kind) => trips.map((trip) => connect(daemon, kind, trip))));
await until('bundles on each line', () => clients.every(({ line, exit }) => line.bundles > 0 || exit !== null), 60000);
// The time is what the run is about: allowances and errors are counted over it.
await sleep(1000 * Number(values.seconds));
const before = clients.map(({ line }) => line.bundles);
await sleep(1000);
const results = clients.map((client, i) => ({ ...client, faults: faults(client, before[i]) }));

console.log('client           round trip  bundles  ack  viewpoint  place  keyframe  errors and closes');
for (const { kind, trip, line, faults: found } of results)
	console.log([kind.padEnd(16), `${trip} ms`.padStart(10), String(line.bundles).padStart(8),
		...['ack', 'viewpoint', 'place', 'keyframe'].map((type, i) => String(line.said(type).length).padStart([4, 10, 6, 9][i])),
		` ${found.join(', ') || 'none'}`].join(' '));
cleanups.forEach((run) => run());
await daemon.stop();
process.exit(results.some(({ faults: found }) => found.length > 0) ? 1 : 0);
