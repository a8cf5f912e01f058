// From an OpenXR sample to the socket: the daemon asks a mock runtime 90 times a second
// where a walking body is, which answers for the moment it is asked; the daemon measures
// each of its frames from there to the write, a subscriber in this process to receipt.
//
// usage: node tests/bench/latency.mjs BUILD [SECONDS]      BUILD: a release build
import path from 'node:path';
import { performance } from 'node:perf_hooks';

const [, , build, seconds = '20'] = process.argv;
if (!build) {
	console.error('usage: node tests/bench/latency.mjs BUILD [SECONDS]');
	process.exit(2);
}
// Arguments that the helpers of the tests read (tests/openxr/mock.mjs).
process.argv[2] = path.resolve(build, 'daemon/jointcastd');
process.argv[3] = path.resolve(build, 'tests/openxr/runtime.json');
process.argv[4] = path.resolve(build, 'clients/cli/jointcast');
const { LIVE, begin, sleep, subscribe } = await import('../openxr/mock.mjs');

/** Stands for a test: the helpers register their clean-up with it. */
const tidying = [];
const t = { after: (tidy) => tidying.unshift(tidy) };

const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
const ms = (value) => `${value.toFixed(1)} ms`;

const { daemon } = await begin(t, { script: ['set rate 1000'] });
const client = await subscribe(t, daemon);
await daemon.is('live', LIVE);
await sleep(2000); // until the client knows the server's clock

const receipts = [];
let last = NaN;
client.on('bundle', () => {
	const { newest } = client.body.timeline;
	if (newest > last)
		receipts.push((client.clock.at(client.now()) - newest) / 1000);
	last = newest;
});
const before = await daemon.source();
await sleep(1000 * Number(seconds));
const { latency, frames } = await daemon.source();
const { ticks } = await daemon.status();
receipts.sort((a, b) => a - b);

console.log(`${frames - before.frames} frames in ${seconds} s, ${ticks.hz} ticks a second, `
	+ `${ticks.missed} missed`);
console.log(`sample to socket: p50 ${ms(1e3 * latency.p50)}, p99 ${ms(1e3 * latency.p99)}`);
console.log(`sample to subscriber: p50 ${ms(quantile(receipts, 0.5))}, `
	+ `p99 ${ms(quantile(receipts, 0.99))}, ${receipts.length} packets`);
const most = 1000 / ticks.hz + 2;
const isGood = 1e3 * latency.p99 <= most;
console.log(`goal: p99 of sample to socket at most a tick and 2 ms, ${ms(most)}: `
	+ `${isGood ? 'met' : 'missed'}`);
for (const tidy of tidying)
	await tidy();
process.exit(isGood ? 0 : 1);
