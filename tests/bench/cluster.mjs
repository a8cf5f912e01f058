// What a cluster costs and how it bears the loss of processes, on this machine: nats-server, origins
// and edges of a release build. Prints a table with the goals; exits with 1 where one does not hold.
//
//   node tests/bench/cluster.mjs JOINTCASTD [ROW… | all] [--seconds S] [--rounds K]
//   node tests/bench/cluster.mjs --draw      draws what `cost` measured: cluster/cost.svg
//
// Rows: bytes age delivery instructions idle cost many cores edge origin restart.
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { Cluster } from '../e2e/support/cluster.mjs';
import { begin as beginFanout, findProgram, isFirst, run as runFanout } from './fanout_run.mjs';
import { instructions } from './cluster/instructions.mjs';
import { manySubscribers } from './cluster/many.mjs';
import * as measure from './cluster/rows.mjs';
import { draw, fit } from './plot.mjs';

const here = (name) => new URL(`cluster/${name}`, import.meta.url);
const { values, positionals } = parseArgs({ allowPositionals: true, options: {
	seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '3' }, draw: { type: 'boolean' } } });
const [daemon, ...wanted] = positionals;
if (values.draw) {
	drawCost(JSON.parse(fs.readFileSync(here('cost.json'), 'utf8')));
	process.exit(0);
}
if (!daemon) {
	console.error('usage: node tests/bench/cluster.mjs JOINTCASTD [ROW…] [--seconds S] [--rounds K]');
	process.exit(2);
}
const program = findProgram(daemon.replace(/daemon\/jointcastd$/, 'clients/cli/jointcast'));
const options = { seconds: Number(values.seconds), rounds: Number(values.rounds),
	// With --port the processes run already.
	run: (words) => runFanout({ ...program, daemon: words.port ? [] : program.daemon }, words),
	begin: (words) => beginFanout({ ...program, daemon: [] }, words) };
let failed = false;

function judge(what, figures, goals) {
	console.log(`\n${what}\n  ${JSON.stringify(figures)}`);
	for (const [name, value, most] of goals) {
		const holds = value <= most;
		failed ||= !holds;
		console.log(`  ${holds ? 'holds' : 'FAILS'}  ${name}: ${typeof value === 'number' ? Number(value.toFixed(3)) : value}, at most ${most}`);
	}
}

const ROWS = {
	bytes: async (cluster) => {
		const figures = await measure.byteEquality(cluster, options);
		judge('packets at the origin and through edges, a client each', figures, [['different', figures.ticks > 0 ? figures.different : Infinity, 0],
			['edges that are not live', figures.edges - figures.live, 0]]);
	},
	age: async (cluster) => {
		const figures = await measure.addedAge(cluster, options);
		judge('age added by NATS and edge, 3 edges, 10 spaces at 60 Hz', figures, [['p99, ms', figures.p99_ms, 3]]);
	},
	delivery: async (cluster) => {
		const figures = await measure.deliveryCost(cluster, options);
		judge('cost of a delivery, 1000 subscribers, one body', figures, [['of an edge, in bare sends', figures.edge.ratio, 1.15],
			['in deliveries of a single daemon under the same conditions', figures.edge.us / figures.single.us, 1.06]]);
	},
	instructions: async (cluster) => {
		const figures = await instructions(cluster, options);
		judge('instructions by callgrind, one body', figures, [['of a delivery on an edge, in those of a single daemon',
			figures.edge.of_a_delivery / figures.single.of_a_delivery, 1.01]]);
	},
	idle: async (cluster) => {
		const figures = await measure.framesWithoutViewers(cluster, options);
		judge('frames on NATS for 100 spaces without viewers', figures, [['frames', figures.idle, 0],
			['a viewer is counted', figures.one_viewer_a_second > 30 ? 0 : 1, 0]]);
	},
	cost: async () => {
		const points = await measure.originCost(Cluster, options);
		fs.writeFileSync(here('cost.json'), `${JSON.stringify({ seconds: options.seconds, rounds: options.rounds, first: isFirst, points }, null, '\t')}\n`);
		drawCost({ points });
		const shares = points.map(({ origin }) => origin);
		judge('processor time of the origin, 1 to 3 edges, 10 to 1000 viewers', points,
			[['greatest less smallest, of the smallest', Math.max(...shares) / Math.min(...shares) - 1, 0.05]]);
	},
	many: async (cluster) => {
		const figures = await manySubscribers(cluster, options);
		const { missed_ticks: missed, p99_ms: late } = figures.at(-1);
		judge('subscribers through two edges, on the cores that also run the clients', {}, [['missed ticks of 4000', missed, 0], ['their p99, ms', late, 15]]);
	},
	cores: async () => {
		const figures = await measure.deliveriesPerCore(Cluster, options);
		judge('deliveries for a second of processor time, 1 and 2 edges', figures, [['two edges behind one',
			1 - figures[2].deliveries_a_core_second / figures[1].deliveries_a_core_second, 0.15]]);
	},
	edge: async (cluster) => {
		const figures = await measure.edgeKilled(cluster);
		judge('an edge is killed, 500 clients of two', figures, [['longest without motion, ms', figures.most_ms, 5000]]);
	},
	origin: async (cluster) => {
		const figures = await measure.originKilled(cluster);
		judge('the origin is killed, a standby takes over', figures, [['longest without motion, ms', figures.most_ms, 2000]]);
	},
	restart: async (cluster) => {
		const figures = await measure.rollingRestart(cluster);
		judge('every process restarts under 300 clients', figures,
			Object.entries(figures).map(([name, { most_ms }]) => [`${name}: longest without motion, ms`, most_ms, 1000]));
	},
};

function drawCost({ points }) {
	const edges = [...new Set(points.map((point) => point.edges))];
	const x = [...new Set(points.map(({ viewers }) => viewers))];
	const series = (member) => edges.map((count) => {
		const y = points.filter((point) => point.edges === count).map((point) => point[member]);
		return { name: `${count} edge${count > 1 ? 's' : ''}`, y, fit: fit(x, y) };
	});
	fs.writeFileSync(here('cost.svg'), draw([
		{ title: 'origin', note: '10 bodies, viewers of one view', x, series: series('origin') },
		{ title: 'all edges together', note: 'the same', x, series: series('all_edges') }],
	'Processor time of the origin and of its edges, by viewers and edges',
	'processor time of one core at 60 bundles a second to each viewer; lines by least squares'));
}

for (const name of wanted.length && wanted[0] !== 'all' ? wanted : Object.keys(ROWS)) {
	if (!ROWS[name]) {
		console.error(`no row '${name}'; rows: ${Object.keys(ROWS).join(' ')}`);
		process.exit(2);
	}
	const own = ['cost', 'cores'].includes(name);
	const cluster = own ? null : await Cluster.start();
	try {
		await ROWS[name](cluster);
	} catch (error) {
		failed = true;
		console.log(`\n${name}\n  FAILS  ${error.message}`);
	}
	await cluster?.end().catch((error) => {
		failed = true;
		console.log(`  FAILS  ${error.message}`);
	});
}
process.exit(failed ? 1 : 0);
