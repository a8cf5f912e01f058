#!/usr/bin/env node
// Records when packets arrive over lossy paths: the daemon in one network namespace, a client
// in another, TCP of the kernel, and lossy_path.c in between. lossy_play.mjs evaluates the
// traces. Needs root.
//
//   node tests/bench/lossy.mjs BUILD FOLDER [--seconds 60] [--seed 1]
//     [--cells REGULAR-EXPRESSION] [--parallel 10] [--sysctl NAME=VALUE]…
//
// --sysctl sets a parameter of net.ipv4 in both namespaces. A congestion control must be in
// net.ipv4.tcp_allowed_congestion_control.
import { spawn, execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals: [build, folder] } = parseArgs({ allowPositionals: true, options: {
	seconds: { type: 'string', default: '60' },
	seed: { type: 'string', default: '1' },
	sysctl: { type: 'string', multiple: true, default: ['tcp_congestion_control=cubic'] },
	cells: { type: 'string', default: '' },
	parallel: { type: 'string', default: '10' },
} });
if (!folder) {
	console.error('usage: node tests/bench/lossy.mjs BUILD FOLDER [option]…');
	process.exit(2);
}

const FADE_MS = 50; // mean length of a burst of losses
/** Settings of lossy_path.c by the name of the cell. */
const cells = new Map([
	['clean-rtt2', { rtt: 2 }],
	['wifi-rtt10', { rtt: 10, jitter: 4, stall: 40, every: 1500 }],
	['wifi-rtt40', { rtt: 40, jitter: 8, stall: 80, every: 4000 }],
]);
for (const fade of [0, FADE_MS])
	for (const rtt of [40, 120])
		for (const loss of [0.5, 1, 2, 5])
			cells.set(`${fade ? 'burst' : 'single'}-rtt${rtt}-loss${loss}`, { rtt, loss, fade });

const here = path.dirname(fileURLToPath(import.meta.url));
const wait = (child) => new Promise((resolve) => child.on('exit', resolve));

const prepare = values.sysctl.map((set) => set.split('='))
	.map(([name, value]) => `echo ${value} >/proc/sys/net/ipv4/${name} && `).join('');

function record(name, settings, seed) {
	const server = `${prepare}exec '${path.resolve(build, 'daemon/jointcastd')}' --listen 127.0.0.1:9871`
		+ ` --source demo:walk 2>'${folder}/${name}.log'`;
	const client = `${prepare}exec '${process.execPath}' '${here}/lossy_record.mjs' ws://127.0.0.1:9871/`
		+ ` ${values.seconds} '${folder}/${name}.trace'`;
	return wait(spawn(path.resolve(build, 'tests/bench/lossy_path'),
		[...Object.entries({ ...settings, seed }).map(([key, value]) => `${key}=${value}`), server, client],
		{ stdio: 'inherit' }));
}

mkdirSync(folder, { recursive: true });
execFileSync('cmake', ['--build', build, '--target', 'lossy_path'], { stdio: 'ignore' });
const wanted = [...cells].filter(([name]) => new RegExp(values.cells).test(name));
let failed = 0;
let seed = 1000 * Number(values.seed);
await Promise.all(Array.from({ length: Number(values.parallel) }, async () => {
	while (wanted.length > 0) {
		const [name, settings] = wanted.shift();
		failed += await record(name, settings, seed++) === 0 ? 0 : 1;
	}
}));
process.exit(failed === 0 ? 0 : 1);
