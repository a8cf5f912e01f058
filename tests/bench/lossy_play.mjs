#!/usr/bin/env node
// Plays the traces of lossy.mjs with the adaptive buffer of clients/js and with fixed buffers.
//
//   node tests/bench/lossy_play.mjs FOLDER [--timeline FILE.js] [--json]
//
// Playback shows 91.3 pictures a second. A picture is late if the newest packet is older than the
// time to show. The delay of a picture is its time minus the capture time of the pose in it,
// less that of the quickest packet of the trace at its arrival. "late" is the share of the late
// pictures, "delay" the mean of all pictures, the late ones too.
//
// Each trace is played with the adaptive buffer and with the fixed buffer of the same mean delay;
// then with a fixed buffer of 100 ms and with the adaptive one of at most the same mean delay: the
// option `late` of Timeline is chosen so. It is left out where all values of `late` delay more.
//
// Exit 1 when the adaptive buffer is later than the fixed one of the same delay in a trace.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { adaptiveBuffer, fixedBuffer, play, playFixed } from '../../clients/js/test/playout.mjs';

const { values, positionals: [folder] } = parseArgs({ allowPositionals: true, options: {
	timeline: { type: 'string' },
	json: { type: 'boolean', default: false },
} });
if (!folder) {
	console.error('usage: node tests/bench/lossy_play.mjs FOLDER [--timeline FILE.js] [--json]');
	process.exit(2);
}
const { Timeline } = await import(values.timeline ? pathToFileURL(path.resolve(values.timeline))
	: '../../clients/js/timeline.js');

const FIXED_MS = 100;
const MOST_LATE = 0.9; // values of the option `late`
const LEAST_LATE = 0.0005;

/** The calls of a trace; capture times such that the quickest packet takes no time. */
function read(file) {
	const calls = readFileSync(file, 'utf8').split('\n').filter((line) => /^(commit|hold) /.test(line))
		.map((line) => line.split(' ')).map(([call, arrival, capture, sequence, incarnation, cut, rejoined]) =>
			({ call, arrival: arrival / 1000, capture: capture / 1000, sequence: Number(sequence),
				incarnation: Number(incarnation), cut: cut === '1', rejoined: rejoined === '1' }));
	const quickest = Math.min(...calls.filter(({ call }) => call === 'commit')
		.map(({ arrival, capture }) => arrival - capture));
	return calls.map((call) => ({ ...call, capture: call.capture + quickest }));
}

const playAdaptive = (calls, late) => play(calls, adaptiveBuffer(new Timeline({ late })));

/** Plays the calls with the adaptive buffer of at most this mean delay; null where none has it. */
function playAdaptiveAt(calls, delay) {
	let [low, high] = [LEAST_LATE, MOST_LATE];
	let best = null;
	for (let i = 0; i < 14; i++) {
		const middle = Math.sqrt(low * high);
		const result = playAdaptive(calls, middle);
		if (result.delay > delay) {
			low = middle;
		} else {
			high = middle;
			best = result;
		}
	}
	return best;
}

function evaluate(name) {
	const calls = read(path.join(folder, `${name}.trace`));
	const adaptive = playAdaptive(calls);
	const hundred = play(calls, fixedBuffer(FIXED_MS));
	return { name, adaptive, fixed: playFixed(calls, adaptive.delay),
		hundred, likeHundred: playAdaptiveAt(calls, hundred.delay) };
}

const rows = readdirSync(folder).filter((file) => file.endsWith('.trace')).sort()
	.map((file) => evaluate(file.replace(/\.trace$/, '')));
const percent = (share) => (100 * share).toFixed(2).padStart(6);
const ms = (delay) => delay.toFixed(0).padStart(5);
const mean = (list, pick) => list.reduce((sum, row) => sum + pick(row).late, 0) / list.length;
const line = (...columns) => console.log(columns.join('  '));

function print() {
	line(''.padEnd(22), 'adaptive'.padEnd(24), 'fixed', `fixed ${FIXED_MS} ms`, 'adaptive');
	line(''.padEnd(22), 'delay', 'late %', 'speed    ', 'late %', 'delay', 'late %', 'delay', 'late %');
	for (const { name, adaptive, fixed, hundred, likeHundred } of rows)
		line(name.padEnd(22), ms(adaptive.delay), percent(adaptive.late),
			`${adaptive.slowest.toFixed(2)}-${adaptive.fastest.toFixed(2)}`.padEnd(9), percent(fixed.late),
			ms(hundred.delay), percent(hundred.late), ...likeHundred ? [ms(likeHundred.delay), percent(likeHundred.late)] : ['    -', '     -']);
	const both = rows.filter(({ likeHundred }) => likeHundred);
	line('mean'.padEnd(29), percent(mean(rows, ({ adaptive }) => adaptive)), ''.padEnd(9),
		percent(mean(rows, ({ fixed }) => fixed)), '     ', percent(mean(both, ({ hundred }) => hundred)),
		'     ', percent(mean(both, ({ likeHundred }) => likeHundred)));
}

if (values.json)
	console.log(JSON.stringify(rows));
else
	print();
process.exit(rows.every(({ adaptive, fixed }) => adaptive.late <= fixed.late) ? 0 : 1);
