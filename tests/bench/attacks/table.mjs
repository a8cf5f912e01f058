// Tables of attacks.mjs: of one run as it goes on, or of two.
//
//   node tests/bench/attacks/table.mjs BEFORE.json AFTER.json
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

export const HEAD = `| attack | from | sent | processor, % of a core | memory, MB | honest p50, ms | p99, ms | most, ms | honest disconnected | |
|---|---|---|---|---|---|---|---|---|---|`;

const fixed = (value, digits = 1) => (Number.isFinite(value) ? value.toFixed(digits) : '–');
const share = (row) => fixed(row.share === null ? NaN : Math.max(0, 100 * row.share));
const memory = (row) => fixed(Math.max(0, row.peak - row.connected));
const disconnected = ({ honest }) => (honest ? `${honest.disconnected} of ${honest.honest}` : '–');

/** What became of the daemon. */
function fate(row) {
	if (row.failed)
		return `not measured: ${row.failed}`;
	if (row.died !== undefined)
		return `**ends** after ${Math.round(row.seconds * 1000)} ms`;
	return row.answers ? 'lives' : 'does not answer for 10 s';
}

/** What else there is to say of a row. */
function notes({ closeCode, errors, honest, disconnectedAttackers, missedTicks }) {
	const slow = honest?.slow ?? [];
	return [closeCode !== undefined && `viewer: ${closeCode ? `closed with ${closeCode}` : 'stays'}`,
		errors?.length > 0 && `${errors.length} errors`,
		slow.length > 0 && `${fixed(slow.reduce((sum, { bytesPerSecond }) => sum + bytesPerSecond, 0) / slow.length / 1000)} kB/s a watcher`,
		honest?.gap > 100 && `${fixed(honest.gap, 0)} ms without motion`,
		missedTicks > 0 && `${missedTicks} ticks missed`,
		disconnectedAttackers > 0 && `${disconnectedAttackers} attackers disconnected`].filter(Boolean);
}

const sent = (row) => `${fixed(row.bytes / 1e6, 3)} MB in ${fixed(row.seconds)} s`;

export function line(row) {
	const { honest } = row;
	return `| ${[row.attack, row.from, sent(row), share(row), memory(row), fixed(honest?.p50, 2), fixed(honest?.p99), fixed(honest?.max, 0),
		disconnected(row), [fate(row), ...notes(row)].join('; ')].join(' | ')} |`;
}

/** A row of both runs. */
function pair(before, after) {
	const both = (of) => (after ? `${of(before)} | ${of(after)}` : `${of(before)} | –`);
	return `| ${[before.attack, before.from, both(sent), both(share), both(memory), both(({ honest }) => fixed(honest?.p99)), both(disconnected),
		both((row) => [fate(row), ...notes(row).filter((note) => !/attackers/.test(note))].join('; '))].join(' | ')} |`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const [before, after] = process.argv.slice(2, 4).map((file) => JSON.parse(fs.readFileSync(file, 'utf8')).rows);
	console.log(`| attack | from | sent, before | after | % of a core, before | after | MB, before | after | honest p99 ms, before | after | disconnected, before | after | daemon, before | after |
|${'---|'.repeat(14)}`);
	for (const row of before)
		console.log(pair(row, after.find(({ attack, from }) => attack === row.attack && from === row.from)));
}
