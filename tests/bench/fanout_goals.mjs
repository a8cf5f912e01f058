// Checks the goals of fan-out in one run: many subscribers of one view, of four, of private
// views, with a skeleton each, with TLS, and some that stop reading. Exits with 1 if one fails.
// For a release build: node tests/bench/fanout_goals.mjs [JOINTCAST [SECONDS [ROUNDS]]]
import { findProgram, isFirst, median, peers, run } from './fanout_run.mjs';

const program = findProgram(process.argv[2]);
const seconds = Number(process.argv[3] ?? 10);
const rounds = Number(process.argv[4] ?? 3);
let failed = false;

const ticks = ({ missed_ticks }) => ['missed ticks', missed_ticks, 0];
const lost = ({ disconnected }) => ['disconnected', disconnected, 0];
const share = ({ cpu_share }) => ['of one core', Math.round(cpu_share * 100), 100, '%'];

/** Each goal: its name, the measured value and the maximum. */
function judge(title, figures) {
	console.log(title);
	for (const [name, value, most, unit = ''] of figures) {
		const holds = value <= most;
		failed ||= !holds;
		const shown = Number.isInteger(value) ? value : value.toFixed(2);
		console.log(`  ${holds ? 'holds ' : 'FAILS '} ${name}: ${shown}${unit && ` ${unit}`}, at most ${
			Number.isInteger(most) ? most : most.toFixed(2)}`);
	}
}

console.log(isFirst ? 'run before other work (chrt -r 20)' : 'run beside other work');

const shared = run(program, { subscribers: 1000, bodies: 1, seconds, rounds, peer: peers });
judge('1000 subscribers of one view, 60 a second', [
	['times a bare send', shared.ratio, 1.15],
	['99 % of latencies', shared.p99_ms, 15, 'ms'],
	['memory of a connection', shared.memory_bytes_per_connection, 3000, 'B'], ticks(shared), lost(shared)]);
for (const [name, microseconds] of Object.entries(shared.peers ?? {}))
	console.log(`  beside it ${name}: ${(microseconds / shared.floor_us_per_send).toFixed(2)} times a bare send`);

const secure = run(program, { subscribers: 1000, bodies: 1, seconds, rounds, tls: true });
judge('the same through TLS', [['times in the clear', secure.tls_ratio, 1.8], lost(secure)]);

for (const [what, options] of [
	['40 bodies to 1000 subscribers in four view classes', { subscribers: 1000, bodies: 40, views: 4 }],
	['40 bodies to 1000 subscribers who look from places of their own',
		{ subscribers: 1000, bodies: 40, viewpoints: true }],
	['10 bodies to 100 subscribers who wear all on a skeleton of their own, 1000 streams',
		{ subscribers: 100, bodies: 10, 'own-skeletons': true }]]) {
	const figures = run(program, { ...options, hz: 30, seconds, rounds });
	judge(`${what}, 30 a second`, [share(figures), ticks(figures), lost(figures)]);
}

// In turns, so that a busy moment falls on both.
const crowd = { subscribers: 200, bodies: 4, credit: true, seconds: 10, rounds: 1 };
const calm = [];
const stalled = [];
for (let round = 0; round < Math.max(rounds, 3); round++) {
	calm.push(run(program, crowd));
	stalled.push(run(program, { ...crowd, stalled: 0.1 }));
}
const p99 = (figures) => figures.map(({ p99_ms }) => p99_ms);
const worst = (name) => Math.max(...stalled.map(({ [name]: value }) => value));
judge('20 of 200 subscribers stop reading for 8 s', [
	['99 % of the others\' latencies, beside the worst of rounds without', median(p99(stalled)),
		Math.max(...p99(calm)), 'ms'],
	['old frames after waking', worst('stale_frames_most'), 10],
	['current after', worst('current_after_ms_most'), 100, 'ms'],
	['missed ticks', worst('missed_ticks'), 0], ['disconnected', worst('disconnected'), 0]]);
process.exit(failed ? 1 : 0);
