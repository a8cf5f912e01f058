// A cluster under random kills, freezes and restarts of every process, with clients that watch and
// publish all the time. Exits with 1 if a client saw a body under another's name, a packet twice or
// a gap in the roster, if a process ended by itself or grew, or if not all is as before afterwards.
//
//   node tests/soak/cluster.mjs JOINTCASTD [--minutes 10] [--seed 2026] [--watchers 30] [--edges 3]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Cluster } from '../e2e/support/cluster.mjs';
import { sleep, until } from '../e2e/support/until.mjs';
import { Findings, checkPoses, publish, watch } from './watchers.mjs';

const { values, positionals: [daemon] } = parseArgs({ allowPositionals: true, options: {
	minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '2026' },
	watchers: { type: 'string', default: '30' }, edges: { type: 'string', default: '3' } } });
const minutes = Number(values.minutes);
if (!daemon || !(minutes > 0)) {
	console.error('usage: node tests/soak/cluster.mjs JOINTCASTD [--minutes 10] [--seed 2026] [--watchers 30] [--edges 3]');
	process.exit(2);
}

const PUBLISHERS = 6;
const SPACES = ['hall', 'stage'];
const EDGES = Array.from({ length: Number(values.edges) }, (_, i) => `edge${i + 1}`);
const CONFIG = 'limits { connections = 16000 connections_per_address = 16000 }\nserver { reuse_port = true }\n';
const CHECK_MS = 200;
const GROWN_BYTES = 8 << 20; // of a process, from its tenth second on
const YOUNG_MS = 10000;

/** Park and Miller's generator, so that two runs do the same. */
let state = Number(values.seed);
const random = (below) => (state = (state * 48271) % 2147483647) % below;

const cluster = await Cluster.start();
await cluster.origin('origin', SPACES.flatMap((space) => ['--source', `demo:walk?space=${space}&name=walker`]), { config: CONFIG });
let port = 0;
for (const edge of EDGES)
	({ port } = await cluster.edge(edge, port ? ['--listen', `127.0.0.1:${port}`] : [], { config: CONFIG }));
const url = `ws://127.0.0.1:${port}`;
const findings = new Findings();
const names = new Map();
const watchers = Array.from({ length: Number(values.watchers) }, (_, i) => watch(url, SPACES[i % SPACES.length], findings, names));
const people = Array.from({ length: PUBLISHERS }, (_, i) => publish(url, SPACES[i % SPACES.length], i + 1));
const checker = setInterval(() => watchers.forEach((client) => checkPoses(client, findings)), CHECK_MS);

/** Every watcher is live and sees the walker and all people of its space, with motion. */
const isWhole = () => watchers.every((client) => client.state === 'live' &&
	[...client.bodies.values()].filter(({ name }) => /^(walker|person)/.test(name)).length === 1 + PUBLISHERS / SPACES.length);
const whole = () => watchers.filter((client) => client.state === 'live').length;
await until(() => `all is there: ${whole()} of ${watchers.length} live`, isWhole, 60000);

// Memory of each process, once it is warm.
const young = new Map();
const watchMemory = () => {
	for (const [name, { child }] of cluster.processes) {
		if (name === 'nats' || !cluster.runs(name))
			continue;
		const bytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024;
		const known = young.get(child.pid) ?? { since: Date.now() };
		young.set(child.pid, known);
		if (Date.now() - known.since > YOUNG_MS) {
			known.bytes ??= bytes;
			if (bytes - known.bytes > GROWN_BYTES && !known.reported) {
				known.reported = true;
				findings.add('memory grew', `'${name}' from ${known.bytes} to ${bytes} bytes`);
			}
		}
	}
};
const memory = setInterval(watchMemory, 1000);

const done = new Map();
const ACTIONS = {
	kill: async (name) => {
		await cluster.kill(name);
		await sleep(random(1500));
		await cluster.restart(name);
	},
	freeze: async (name) => {
		cluster.freeze(name);
		await sleep(200 + random(4000));
		cluster.thaw(name);
	},
	restart: (name) => cluster.restart(name),
	replace: async () => { // a person leaves, another of the same name comes through another connection
		const i = random(PUBLISHERS);
		people[i].close();
		await sleep(random(500));
		people[i] = publish(url, SPACES[i % SPACES.length], i + 1);
	},
};

for (const end = Date.now() + minutes * 60000; Date.now() < end;) {
	// The origin and NATS stop everybody: less often than edges.
	const name = [...EDGES, ...EDGES, 'origin', 'nats'][random(2 * EDGES.length + 2)];
	const what = Object.keys(ACTIONS)[random(4)];
	const key = what === 'replace' ? what : `${what} ${name}`;
	done.set(key, (done.get(key) ?? 0) + 1);
	for (const [each, { log, child }] of cluster.processes)
		if (!cluster.runs(each))
			findings.add('a process ended by itself', `'${each}' with ${child.exitCode ?? child.signalCode}: ${log.slice(-300)}`);
	findings.action = `${key} at ${new Date().toISOString()}`;
	await ACTIONS[what](name).catch((error) => findings.add('an action failed', `${key}: ${error.message}`));
	await sleep(500 + random(3000));
}

await until(() => `all is as before: ${whole()} of ${watchers.length} live`, isWhole, 90000)
	.catch((error) => findings.add('not as before', error.message));
await sleep(2000);
const live = whole();
clearInterval(checker);
clearInterval(memory);
watchers.forEach((client) => client.close());
people.forEach((person) => person.close());
await cluster.end().catch((error) => findings.add('the end', error.message));
console.log(JSON.stringify({ minutes, seed: Number(values.seed), actions: Object.fromEntries(done), checks: findings.checks,
	live: `${live} of ${watchers.length}`, findings: Object.fromEntries([...findings.counts].map(([kind, count]) => [kind, { count, first: findings.first.get(kind) }])), poses: findings.poses }, null, '\t'));
process.exit(findings.counts.size > 0 ? 1 : 0);
