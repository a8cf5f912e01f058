// Reloads under load: repeated reloads while subscribers receive bundles. Prints ticks missed
// with and without reloads; fails if a client was disconnected or an invalid file had an effect.
// usage: node tests/bench/reload.mjs JOINTCASTD [SUBSCRIBERS [RELOADS]]
// RELOADS up to 190: the log limits lines of one kind, and the script waits for each.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { start } from '../e2e/support/daemon.mjs';
import { sleep } from '../e2e/support/until.mjs';
import { exchange, frames, open, text } from '../e2e/support/websocket_bytes.mjs';

const subscribers = Number(process.argv[3] ?? 500);
const reloads = Math.min(Number(process.argv[4] ?? 100), 190);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'jointcast-reload-'));
const config = path.join(folder, 'jointcastd.conf');
const write = (bytes) => fs.writeFileSync(config, bytes);
const good = (i) => `limits { connections_per_address = 1024 }\nsource "walker" { uri = "demo:walk" }\n` +
	`source "other" { uri = "demo:${i % 2 ? 'sit' : 'wave'}" }\nserver { hosts = {"h${i}.example"} }\n`;

write(good(0));
const daemon = await start('--config', config);
const status = async () => JSON.parse((await exchange(daemon.admin, 'GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n')).body);

async function reload(bytes) {
	const before = daemon.log.length;
	write(bytes);
	daemon.child.kill('SIGHUP');
	while (!/the configuration (was read again|stays as it was)/.test(daemon.log.slice(before)))
		await sleep(1);
	return daemon.log.slice(before);
}

const crowd = await Promise.all(Array.from({ length: subscribers }, async () => {
	const raw = await open(daemon.port);
	raw.send(text({ type: 'hello' }), text({ type: 'join', space: 'lobby' }), text({ type: 'subscribe', space: 'lobby' }));
	await raw.until(() => frames(raw.bytes).some(({ opcode }) => opcode === 2), 60000);
	// From here on bundles are only counted.
	raw.socket.removeAllListeners('data');
	raw.count = 0;
	raw.socket.on('data', (bytes) => (raw.count += bytes.length));
	return raw;
}));

const hz = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const spent = () => fs.readFileSync(`/proc/${daemon.child.pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ').slice(11, 13)
	.reduce((sum, ticks) => sum + Number(ticks), 0) / hz;

/** Ticks that were missed and processor time that was spent while something ran. */
async function missed(work) {
	const before = await status();
	const spent_before = spent();
	await work();
	const now = await status();
	return { seconds: now.uptime - before.uptime, missed: now.ticks.missed - before.ticks.missed, spent: spent() - spent_before };
}

// Turn and turn about, so that what else the machine does falls on both alike.
const changing = { seconds: 0, missed: 0, spent: 0 };
const calm = { ...changing };
const add = (sum, part) => Object.keys(sum).forEach((key) => (sum[key] += part[key]));
for (let i = 0; i < reloads;) {
	const part = await missed(async () => {
		for (let k = 0; k < 10 && i < reloads; k++)
			await reload(good(++i));
	});
	add(changing, part);
	add(calm, await missed(() => sleep(part.seconds * 1000)));
}
const cpu_ms = (changing.spent - (calm.spent / calm.seconds) * changing.seconds) * 1000 / reloads;
const before = (await status()).spaces[0].bodies.map(({ id }) => id);
const log = await reload('source "walker" { uri = "file:/nowhere" }\n');
const kept = JSON.stringify((await status()).spaces[0].bodies.map(({ id }) => id)) === JSON.stringify(before) && /stays as it was/.test(log);
const counts = crowd.map((raw) => raw.count);
await sleep(200);
const served = crowd.filter((raw, i) => !raw.closed && raw.count > counts[i]).length;
console.log(JSON.stringify({ subscribers, reloads, reload_ms: changing.seconds * 1000 / reloads, reload_cpu_ms: cpu_ms, served,
	missed_per_second_reloading: changing.missed / changing.seconds, missed_per_second_calm: calm.missed / calm.seconds,
	broken_file_changed_nothing: kept }, null, 1));
for (const raw of crowd)
	raw.socket.destroy();
const code = await daemon.stop();
fs.rmSync(folder, { recursive: true });
process.exit(served === subscribers && kept && code === 0 ? 0 : 1);
