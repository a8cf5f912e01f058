// Measures an idle daemon: time from start to READY, memory, and processor time with ten empty
// spaces. For a release build on a quiet machine.
// usage: node tests/bench/idle.mjs JOINTCASTD [SECONDS]
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { start } from '../e2e/support/daemon.mjs';
import { sleep } from '../e2e/support/until.mjs';

const binary = process.argv[2];
const seconds = Number(process.argv[3] ?? 20);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'jointcast-idle-'));
const hz = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Milliseconds from before the process is made until it listens, which READY follows. */
function begin() {
	const began = process.hrtime.bigint();
	const child = spawn(binary, ['--listen', '127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'] });
	return new Promise((resolve) => child.stderr.on('data', (bytes) => {
		if (!String(bytes).includes('listening on'))
			return;
		const took = Number(process.hrtime.bigint() - began) / 1e6;
		child.on('exit', () => resolve(took));
		child.kill();
	}));
}

const starts = [];
for (let i = 0; i < 20; i++)
	starts.push(await begin());
starts.sort((a, b) => a - b);

const config = path.join(folder, 'jointcastd.conf');
fs.writeFileSync(config, Array.from({ length: 10 }, (_, i) => `space "room${i}" {}\n`).join(''));
const daemon = await start('--config', config);
const proc = (name) => fs.readFileSync(`/proc/${daemon.child.pid}/${name}`, 'utf8');
const spent = () => proc('stat').replace(/^.*\) /, '').split(' ').slice(11, 13).reduce((sum, ticks) => sum + Number(ticks), 0) / hz;
await sleep(1000);
const before = spent();
await sleep(seconds * 1000);
const cpu = (spent() - before) / seconds;
const [, rss] = /VmRSS:\s+(\d+) kB/.exec(proc('status'));
const [, anonymous] = /RssAnon:\s+(\d+) kB/.exec(proc('status'));
await daemon.stop();
fs.rmSync(folder, { recursive: true });
console.log(JSON.stringify({ ready_ms_median: starts[10], ready_ms_most: starts.at(-1), rss_mb: rss / 1024,
	rss_anonymous_mb: anonymous / 1024, cpu_percent_10_spaces: cpu * 100 }, null, 1));
