// Many subscribers of one machine through edges that share a port: where the machine's limit lies, and
// which processes take its cores.
import fs from 'node:fs';
import { sleep, until } from '../../e2e/support/until.mjs';
import { median } from '../fanout_run.mjs';
import { LIMITS, WALK, serves, startEdges } from './rows.mjs';

/** Processor time of all threads of the processes, in seconds. */
function spent(pids) {
	let sum = 0;
	for (const pid of pids)
		for (const task of fs.readdirSync(`/proc/${pid}/task`))
			sum += Number(fs.readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
	return sum;
}

/** The cores that each group of processes takes in a while. */
async function coresOf(groups, seconds) {
	const all = () => Object.values(groups).map(spent);
	const [before, begun] = [all(), performance.now()];
	await sleep(seconds * 1000);
	const passed = (performance.now() - begun) / 1000;
	return Object.fromEntries(all().map((value, i) => [Object.keys(groups)[i], Number(((value - before[i]) / passed).toFixed(2))]));
}

/** One round: what subscribers received, and the cores meanwhile. */
async function round(cluster, { begin, port, subscribers, seconds, hz, names }) {
	const pids = (...of) => of.map((name) => cluster.processes.get(name).child.pid);
	const watching = async () => (await Promise.all(names.map((name) => cluster.status(name))))
		.flatMap(({ spaces }) => spaces).reduce((sum, space) => sum + space.subscribers, 0);
	await until('earlier subscribers have left', async () => await watching() === 0, 60000);
	const { child, figures } = begin({ port, process: pids(...names), subscribers, seconds, hz, rounds: 1 });
	figures.catch(() => {}); // awaited below
	await until('all subscribe', async () => child.exitCode !== null || await watching() === subscribers, 60000);
	await sleep(500);
	const cores = await coresOf({ edges: pids(...names), clients: [child.pid], nats: pids('nats'), origin: pids('origin') }, Math.max(seconds - 1.5, 0.5));
	return { ...await figures, cores };
}

/** The figures of so many subscribers at 60 Hz, and of the most at 30 Hz: medians, missed ticks of all
 * rounds. */
export async function manySubscribers(cluster, { begin, seconds, rounds, edges = 2,
	points = [[1000, 60], [1500, 60], [2000, 60], [2500, 60], [3000, 60], [4000, 30], [4000, 60]] }) {
	await cluster.origin('origin', WALK(1), { config: LIMITS });
	const port = await startEdges(cluster, edges);
	await serves(port, 'lobby');
	const names = Array.from({ length: edges }, (_, i) => `edge${i + 1}`);
	const figures = [];
	for (const [subscribers, hz] of points) {
		const list = [];
		for (let i = 0; i < rounds; i++)
			list.push(await round(cluster, { begin, port, subscribers, seconds, hz, names }));
		const of = (member) => median(list.map(member));
		figures.push({ subscribers, hz, missed_ticks: list.reduce((sum, { missed_ticks: missed }) => sum + missed, 0),
			ticks: Math.round(rounds * seconds * hz), p50_ms: of(({ p50_ms: ms }) => ms), p99_ms: of(({ p99_ms: ms }) => ms),
			delivered: of(({ deliveries }) => deliveries) / (subscribers * hz * seconds),
			edge_us: of(({ cpu_us_per_delivery: us }) => us),
			cores: Object.fromEntries(Object.keys(list[0].cores).map((name) => [name, of(({ cores }) => cores[name])])) });
		console.log(`  ${JSON.stringify(figures.at(-1))}`);
	}
	return figures;
}
