// Measures a daemon with one body for some seconds: the time from sample to socket and to
// subscriber, and the processor time of all threads.
import { readFileSync, readdirSync } from 'node:fs';
import { sleep } from '../../e2e/support/until.mjs';

const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
export const median = (values) => quantile([...values].sort((a, b) => a - b), 0.5);

/** Seconds of processor time of all threads of a process (proc(5), schedstat). */
function ran(pid) {
	return readdirSync(`/proc/${pid}/task`).reduce((sum, task) =>
		sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e9, 0);
}

/**
 * @param {object} daemon with source() and status(), started for this window: the daemon counts
 *   its quantiles since its start
 * @param {object} client a subscriber with its body
 * @returns {Promise<{core: number, frames: number, missed: number, hz: number, toSocket: number[],
 *   toSubscriber: number[]}>} share of a core, frames a second, ticks missed and their rate; p50
 *   and p99 in milliseconds
 */
export async function look(daemon, client, seconds) {
	await sleep(2000); // until the client knows the server's clock
	const receipts = [];
	let last = NaN;
	const listen = () => {
		const { newest } = client.body.timeline;
		if (newest > last)
			receipts.push((client.clock.at(client.now()) - newest) / 1000);
		last = newest;
	};
	client.on('bundle', listen);
	const source = async () => (await daemon.status()).spaces[0].bodies[0].source;
	const begun = performance.now();
	const before = { ran: ran(daemon.child.pid), ...await source() };
	await sleep(1000 * seconds);
	const spent = ran(daemon.child.pid) - before.ran;
	const elapsed = (performance.now() - begun) / 1000;
	const { latency, frames } = await source();
	const [{ hz, missed }] = (await daemon.status()).spaces;
	receipts.sort((a, b) => a - b);
	return { core: spent / elapsed, frames: (frames - before.frames) / elapsed,
		missed, hz, toSocket: [1e3 * latency.p50, 1e3 * latency.p99],
		toSubscriber: [quantile(receipts, 0.5), quantile(receipts, 0.99)] };
}

/**
 * Prints the medians of windows of an OpenXR source beside those of a generator, which has no
 * runtime to ask.
 * @returns {boolean} whether both goals are met
 */
export function report(name, windows, generated) {
	const of = (pick, from = windows) => median(from.map(pick));
	const ms = (key) => [0, 1].map((i) => `p${i ? 99 : 50} ${of((w) => w[key][i]).toFixed(1)} ms`).join(', ');
	const core = of((w) => w.core);
	const most = 1000 / windows[0].hz + 2;
	const isSoon = of((w) => w.toSocket[1]) <= most;
	const isCheap = core < 0.04;
	console.log(`${name}: medians of ${windows.length} windows: ${of((w) => w.frames).toFixed(1)} frames a second, `
		+ `${of((w) => w.missed)} ticks missed`);
	console.log(`${name}: sample to socket ${ms('toSocket')}; to subscriber ${ms('toSubscriber')}`);
	console.log(`${name}: ${(100 * core).toFixed(2)} % of a core, ${(core / of((w) => w.core, generated)).toFixed(2)} times `
		+ `that of demo:walk (${(100 * of((w) => w.core, generated)).toFixed(2)} %)`);
	console.log(`${name}: p99 to socket at most a tick and 2 ms, ${most.toFixed(1)} ms: ${isSoon ? 'met' : 'missed'}; `
		+ `under 4 % of a core: ${isCheap ? 'met' : 'missed'}`);
	return isSoon && isCheap;
}
