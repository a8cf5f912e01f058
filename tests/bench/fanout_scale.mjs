// How the cost of fan-out grows with subscribers, bodies and streams, as a table and as the
// picture in the README. For a release build:
// node tests/bench/fanout_scale.mjs [JOINTCAST [SECONDS [ROUNDS]]]   measures, writes both files
// node tests/bench/fanout_scale.mjs --draw                           draws what was measured
import fs from 'node:fs';
import { findProgram, isFirst, median, run } from './fanout_run.mjs';
import { draw, fit } from './plot.mjs';

const here = (name) => new URL(name, import.meta.url);
const DATA = here('fanout_scale.json');
const PICTURE = here('fanout_scale.svg');

const SWEEPS = [
	{ title: 'subscribers', note: '10 bodies', x: [100, 200, 400, 600, 800, 1000], series: [
		{ name: 'from places of their own', options: (n) => ({ subscribers: n, bodies: 10, viewpoints: true }) },
		{ name: 'one view', options: (n) => ({ subscribers: n, bodies: 10 }) }] },
	{ title: 'bodies', note: '50 subscribers', x: [1, 8, 16, 32, 48, 64], series: [
		{ name: 'from places of their own', options: (n) => ({ subscribers: 50, bodies: n, viewpoints: true }) },
		{ name: 'one view', options: (n) => ({ subscribers: 50, bodies: n }) }] },
	{ title: 'streams', note: '10 bodies, each subscriber its own skeleton',
		x: [100, 200, 400, 600, 800, 1000], series: [
			{ name: 'on skeletons of their own', options: (n) => ({ subscribers: n / 10, bodies: 10, 'own-skeletons': true }) }] },
];

/** Rounds go through all points in turn, so that a busy moment falls on one of each. */
function measure([name, seconds = 4, rounds = 3]) {
	const program = findProgram(name);
	const sweeps = SWEEPS.map(({ title, note, x, series }) => ({ title, note, x,
		series: series.map((one) => ({ name: one.name, rounds: x.map(() => []), missed: 0 })) }));
	for (let round = 0; round < rounds; round++) {
		for (const [s, { x, series }] of SWEEPS.entries()) {
			for (const [i, { options }] of series.entries()) {
				for (const [k, n] of x.entries()) {
					const { cpu_share, missed_ticks } = run(program, { ...options(n), hz: 30, seconds, rounds: 1 });
					sweeps[s].series[i].rounds[k].push(cpu_share * 100);
					sweeps[s].series[i].missed += missed_ticks;
				}
			}
		}
	}
	for (const { x, series } of sweeps) {
		for (const one of series) {
			one.y = one.rounds.map((shares) => Number(median(shares).toFixed(2)));
			one.fit = fit(x, one.y);
			delete one.rounds;
		}
	}
	return { hz: 30, seconds: Number(seconds), rounds: Number(rounds), first: isFirst, sweeps };
}

function print({ sweeps }) {
	for (const { title, note, x, series } of sweeps) {
		console.log(`| ${title} (${note}) | ${x.join(' | ')} | line | r² |`);
		console.log(`|---|${x.map(() => '---|').join('')}---|---|`);
		for (const { name, y, fit: { a, b, r2 } } of series)
			console.log(`| ${name} | ${y.map((share) => `${share.toFixed(1)} %`).join(' | ')} | ${a.toFixed(1)} + ${
				(b * 100).toFixed(2)} for 100 | ${r2.toFixed(4)} |`);
	}
}

if (process.argv[2] !== '--draw')
	fs.writeFileSync(DATA, `${JSON.stringify(measure(process.argv.slice(2)), null, '\t')}\n`);
const measured = JSON.parse(fs.readFileSync(DATA, 'utf8'));
print(measured);
fs.writeFileSync(PICTURE, draw(measured.sweeps,
	`Processor time of one core, at ${measured.hz} bundles a second, by subscribers, bodies and streams`,
	`processor time of one core at ${measured.hz} bundles a second to each subscriber; lines by least squares`));
