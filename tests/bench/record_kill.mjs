// A daemon that records is killed at random moments, again and again: how much of what
// came before each kill is in the file that `jointcast recover` makes, which npm
// @mcap/core reads with all CRCs checked; and that the next start mends it as well.
//
// usage: record_kill.mjs JOINTCASTD JOINTCAST [ROUNDS]   50 rounds
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '../e2e/support/daemon.mjs';
import { captures, readMessages } from '../e2e/support/mcap_messages.mjs';
import { sleep } from '../e2e/support/until.mjs';
import { makeRandom } from '../oracle/random.mjs';

const [, jointcast, rounds = '50'] = process.argv.slice(2);
const random = makeRandom(9);
const folder = mkdtempSync(join(tmpdir(), 'jointcast-kill-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const lost = [];
process.setMaxListeners(0);

for (let round = 0; round < Number(rounds); round++) {
	const daemon = await start('--source', 'demo:walk', '--source', 'demo:wave', '--record', folder);
	await sleep(1000 + 3000 * random());
	const killed = Date.now();
	await daemon.stop('SIGKILL');
	const [part] = readdirSync(folder).filter((name) => name.endsWith('.part')).map((name) => join(folder, name));
	const mended = join(folder, 'mended');
	const { status, stderr } = spawnSync(jointcast, ['recover', part, '-o', mended], { encoding: 'utf8' });
	assert.equal(status, 0, stderr);
	const messages = await readMessages(mended);
	assert.ok(captures(messages).length > 0);
	const last = messages.reduce((newest, { time }) => (time > newest ? time : newest), 0n);
	lost.push(killed / 1000 - Number(last) / 1e9);
	// The next daemon mends it by itself, and has the same.
	const next = await start('--record', folder, '--source', 'demo:sit?space=other');
	while (!next.log.includes('was not complete: repaired'))
		await sleep(10);
	await next.stop();
	const whole = readdirSync(folder).filter((name) => name.endsWith('.mcap')).map((name) => join(folder, name));
	const counts = await Promise.all(whole.map(async (file) => captures(await readMessages(file)).length));
	assert.ok(counts.includes(captures(messages).length));
	for (const name of readdirSync(folder))
		rmSync(join(folder, name));
}
lost.sort((a, b) => a - b);
console.log(`${lost.length} kills: the last message stood ${lost[0].toFixed(3)} to ${lost.at(-1).toFixed(3)} s before the kill, `
	+ `${lost[lost.length >> 1].toFixed(3)} s in the middle; all files whole`);
process.exit(lost.at(-1) <= 1 ? 0 : 1);
