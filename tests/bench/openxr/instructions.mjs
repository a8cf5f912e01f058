// Counts the instructions of the daemon's own code in one poll of an OpenXR runtime with a complete
// body, by callgrind under the mock runtime. Loader, mock and C library are not counted.
//
// usage: node tests/bench/openxr/instructions.mjs BUILD      BUILD: a release build
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const [, , build] = process.argv;
/** Polls of the two runs. The difference of the runs does not contain the connection. */
const POLLS = [300, 900];
/** The function of a poll, and a call that each poll makes once. */
const STEP = 'jc_xr_runner_step';
const CLOCK = 'xrConvertTimespecTimeToTimeKHR';

process.argv[2] = path.resolve(build, 'daemon/jointcastd');
process.argv[3] = path.resolve(build, 'tests/openxr/runtime.json');
process.argv[4] = path.resolve(build, 'clients/cli/jointcast');
const { LIVE, begin, binary, scratch, sleep } = await import('../../openxr/mock.mjs');

/** Instructions of the daemon inside STEP, and the number of polls, in a run of `least` polls or more. */
async function count(least) {
	const tidying = [];
	const t = { after: (tidy) => tidying.unshift(tidy) };
	const out = path.join(scratch(), 'callgrind.out');
	const { mock, daemon } = await begin(t, { script: ['set rate 1000'], check: false,
		environment: ['valgrind', '--quiet', '--tool=callgrind', `--toggle-collect=${STEP}`,
			`--callgrind-out-file=${out}`] });
	await daemon.is('live', LIVE);
	while (await mock.count(CLOCK) < least)
		await sleep(100);
	await daemon.end();
	const polls = mock.farewell.calls[CLOCK];
	for (const tidy of tidying)
		await tidy();
	const text = execFileSync('callgrind_annotate', ['--threshold=100', '--show-percs=no', out],
		{ encoding: 'utf8', maxBuffer: 1 << 28 });
	// A row is "1,234  file:function [object]", with "." for 0.
	const own = text.split('\n').filter((line) => line.endsWith(`[${binary}]`));
	return { polls, instructions: own.reduce((sum, line) =>
		sum + (parseInt(line.replaceAll(',', ''), 10) || 0), 0) };
}

const [few, many] = [await count(POLLS[0]), await count(POLLS[1])];
console.log(`${STEP}, 84 joints of the mock: `
	+ `${Math.round((many.instructions - few.instructions) / (many.polls - few.polls))} instructions a poll`);
process.exit(0);
