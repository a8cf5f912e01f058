// The measurements of cluster.mjs, each with processes of its own. Each returns figures.
import { Bundle, decodeBundle } from '../../../clients/js/bundle.js';
import { SocketClient } from '../../e2e/support/socket_client.mjs';
import { sleep, until } from '../../e2e/support/until.mjs';
import { median } from '../fanout_run.mjs';
import { startCrowd } from './crowd.mjs';

export const WALK = (count, space = 'lobby') => Array.from({ length: count }, (_, i) => ['--source', `demo:walk?space=${space}&name=b${i}`]).flat();
export const LIMITS = 'limits { connections = 16000 connections_per_address = 16000 }\n';
const SHARED = `server { reuse_port = true }\n${LIMITS}`;

/** Edges that share a port. */
export async function startEdges(cluster, count) {
	let port = 0;
	for (let i = 1; i <= count; i++) {
		const edge = await cluster.edge(`edge${i}`, port ? ['--listen', `127.0.0.1:${port}`] : [], { config: SHARED });
		port = edge.port;
	}
	return port;
}

const pids = (cluster, ...names) => names.map((name) => cluster.processes.get(name).child.pid);

/** A subscriber that reports each bundle: onTick(tick, arrival in ms, bytes after the head). */
export async function subscribe(port, space, onTick) {
	let last = null;
	const client = await SocketClient.greeted(port, {
		onBinary(bytes) {
			const now = performance.now();
			let at = 1;
			const varint = () => {
				let value = 0;
				for (let scale = 1; ; scale *= 128) {
					const byte = bytes[at++];
					value += (byte & 127) * scale;
					if (byte < 128)
						return value;
				}
			};
			if (bytes[0] & 0x80) {
				last = last + 1 + ((bytes[0] - last - 1) & 0x7f);
			} else {
				varint();
				last = varint();
			}
			onTick(last, now, bytes.subarray(at));
		} }, { type: 'join', space });
	await client.get('roster', ({ bodies }) => bodies);
	client.say({ type: 'subscribe', space });
	return client;
}

/** The port serves the space, with at least one body. */
export const serves = (port, space) => until(`port ${port} serves '${space}'`, async () => {
	const client = await SocketClient.greeted(port, {}, { type: 'join', space });
	const answer = await client.until('an answer', () => client.messages.find(({ type, ref, bodies }) => (type === 'roster' && bodies) || (type === 'error' && ref === 'join'))).catch(() => null);
	client.end();
	return answer?.bodies?.length > 0;
});

/** The same view at the origin and through edges, a client each: bundles of the same tick, compared. */
export async function byteEquality(cluster, { seconds, edges = 9 }) {
	await cluster.origin('origin', WALK(3), { config: LIMITS });
	const names = ['origin', ...Array.from({ length: edges }, (_, i) => `edge${i + 1}`)];
	for (const name of names.slice(1))
		await cluster.edge(name, [], { config: LIMITS });
	const ports = names.map((name) => cluster.processes.get(name).port);
	for (const port of ports)
		await serves(port, 'lobby');
	const received = names.map(() => new Map());
	const clients = await Promise.all(ports.map((port, i) =>
		subscribe(port, 'lobby', (tick, _, bytes) => received[i].set(tick, Buffer.from(bytes)))));
	await sleep(seconds * 1000);
	clients.forEach((client) => client.end());
	// Each begins with rejoin packets of its own.
	const [there, ...through] = received;
	const first = Math.max(...received.map((each) => [...each.keys()][0])) + 60;
	const last = Math.max(...there.keys());
	const figures = { edges, live: 0, ticks: 0, different: 0, relay_raised: 0, missing: 0 };
	for (const here of through) {
		const newest = Math.max(...here.keys());
		figures.live += last - newest < 30;
		for (const [tick, bytes] of there) {
			if (tick < first || tick >= newest)
				continue;
			figures.ticks += here.has(tick);
			figures.missing += !here.has(tick);
			if (!here.has(tick) || bytes.equals(here.get(tick)))
				continue;
			// A hop that takes 5 ms or more adds its time to `relay`, and to nothing else.
			figures[isRelay(bytes, here.get(tick)) ? 'relay_raised' : 'different']++;
		}
	}
	return figures;
}

/** Whether the packets of two bundles, both without their heads, differ in `relay` only. */
function isRelay(...pair) {
	const [one, other] = pair.map((bytes) => {
		const bundle = new Bundle();
		const message = Buffer.concat([Buffer.from([0x11, 0, 0]), bytes]);
		decodeBundle(message, bundle);
		return Array.from({ length: bundle.count }, (_, i) => ({ relay: bundle.relay[i],
			rest: JSON.stringify([bundle.body[i], bundle.incarnation[i], bundle.sequence[i], bundle.cut[i], bundle.needsState[i],
				bundle.shape[i], bundle.age[i], message.toString('hex', bundle.start[i], bundle.end[i])]) }));
	});
	return one.length === other.length && one.every(({ rest, relay }, i) => rest === other[i].rest && other[i].relay >= relay);
}

/** How much later each tick arrives through edges than at the origin, and beside it at another
 * client of the origin, which shows what the machine adds. */
export async function addedAge(cluster, { seconds, spaces = 10, edges = 3 }) {
	const names = Array.from({ length: spaces }, (_, i) => `s${i}`);
	await cluster.origin('origin', names.flatMap((name) => WALK(1, name)), { config: LIMITS });
	const ports = [];
	for (let i = 1; i <= edges; i++)
		ports.push((await cluster.edge(`edge${i}`, [], { config: LIMITS })).port);
	for (const port of ports)
		for (const name of names)
			await serves(port, name);
	const there = new Map();
	const waiting = [[], []]; // through edges, at the origin again
	const clients = [];
	for (const name of names) {
		clients.push(await subscribe(cluster.processes.get('origin').port, name, (tick, now) => there.set(`${name} ${tick}`, now)));
		for (const port of ports)
			clients.push(await subscribe(port, name, (tick, now) => waiting[0].push([`${name} ${tick}`, now])));
		clients.push(await subscribe(cluster.processes.get('origin').port, name, (tick, now) => waiting[1].push([`${name} ${tick}`, now])));
	}
	await sleep(1000);
	waiting.forEach((list) => (list.length = 0));
	await sleep(seconds * 1000);
	clients.forEach((client) => client.end());
	const [through, again] = waiting.map((list) => {
		const ages = list.filter(([key]) => there.has(key)).map(([key, now]) => now - there.get(key)).sort((a, b) => a - b);
		const at = (share) => ages[Math.floor(ages.length * share)];
		return { samples: ages.length, p50_ms: at(0.5), p99_ms: at(0.99), most_ms: ages.at(-1) };
	});
	return { ...through, without_edge: again };
}

/** A delivery of an edge and of a single daemon under the same conditions, in turns, each beside bare
 * sends of the same bytes. With one subscriber a tick costs what is no delivery, and one. */
export async function deliveryCost(cluster, { run, seconds, rounds, subscribers = 1000 }) {
	await cluster.origin('origin', WALK(1), { config: LIMITS });
	await cluster.edge('edge1', [], { config: LIMITS });
	await cluster.alone('single', WALK(1), LIMITS);
	await serves(cluster.processes.get('edge1').port, 'lobby');
	const figures = { edge1: { one: [], many: [] }, single: { one: [], many: [] } };
	for (let round = 0; round < rounds; round++)
		for (const [name, { one, many }] of Object.entries(figures))
			for (const [list, count] of [[one, 1], [many, subscribers]])
				list.push(run({ port: cluster.processes.get(name).port, process: pids(cluster, name), apart: true, subscribers: count, seconds, rounds: 1 }));
	const of = ({ one, many }) => {
		const member = (list, key) => median(list.map(({ [key]: value }) => value));
		const tick = member(one, 'cpu_us_per_delivery');
		return { ratio: member(many, 'ratio'), us: member(many, 'cpu_us_per_delivery'), bare_us: member(many, 'floor_us_per_send'),
			tick_us: tick, further_us: (member(many, 'cpu_us_per_delivery') * subscribers - tick) / (subscribers - 1), p99_ms: member(many, 'p99_ms') };
	};
	return { edge: of(figures.edge1), single: of(figures.single) };
}

/** Messages on frame subjects while nobody watches, then with one viewer (so that it counts). */
export async function framesWithoutViewers(cluster, { seconds, spaces = 100 }) {
	const names = Array.from({ length: spaces }, (_, i) => `s${i}`);
	// 64 sources at most; the other spaces have no body.
	await cluster.origin('origin', names.slice(0, 60).flatMap((name) => WALK(1, name)),
		{ config: LIMITS + names.slice(60).map((name) => `space "${name}" {}\n`).join('') });
	const { port } = await cluster.edge('edge1', [], { config: LIMITS });
	await serves(port, 's0');
	await until('interest has ended', async () => {
		const frames = await countFrames(cluster, 500);
		return frames === 0;
	}, 30000);
	const idle = await countFrames(cluster, seconds * 1000);
	const client = await subscribe(port, 's0', () => {});
	await sleep(500);
	const watched = await countFrames(cluster, 2000);
	client.end();
	return { spaces, seconds, idle, one_viewer_a_second: watched / 2 };
}

async function countFrames(cluster, ms) {
	const tap = await cluster.tap();
	let frames = 0;
	tap.subscribe('jc.*.f.>', () => frames++);
	await tap.settled();
	await sleep(ms);
	tap.close();
	return frames;
}

/** Per cent of a core that the origin and all edges together take, by viewers and edges. */
export async function originCost(Cluster, { run, seconds, rounds, viewers = [10, 300, 1000], edges = [1, 2, 3] }) {
	const points = [];
	for (const count of edges) {
		const cluster = await Cluster.start();
		await cluster.origin('origin', WALK(10), { config: LIMITS });
		const port = await startEdges(cluster, count);
		await serves(port, 'lobby');
		const names = Array.from({ length: count }, (_, i) => `edge${i + 1}`);
		for (const subscribers of viewers) {
			const share = (...of) => run({ port, process: pids(cluster, ...of), subscribers, seconds, rounds }).cpu_share * 100;
			points.push({ edges: count, viewers: subscribers, origin: share('origin'), all_edges: share(...names) });
		}
		await cluster.end();
	}
	return points;
}

/** Deliveries for a second of processor time, with one and two edges. */
export async function deliveriesPerCore(Cluster, { run, seconds, rounds, subscribers = 1000 }) {
	const figures = {};
	for (const count of [1, 2]) {
		const cluster = await Cluster.start();
		await cluster.origin('origin', WALK(1), { config: LIMITS });
		const port = await startEdges(cluster, count);
		await serves(port, 'lobby');
		const process = pids(cluster, ...Array.from({ length: count }, (_, i) => `edge${i + 1}`));
		const { cpu_us_per_delivery, missed_ticks } = run({ port, process, subscribers, seconds, rounds });
		figures[count] = { deliveries_a_core_second: 1e6 / cpu_us_per_delivery, missed_ticks };
		await cluster.end();
	}
	return figures;
}

/** How long clients are without motion when processes are killed or restarted. */
async function disturb(cluster, port, count, act, settleMs = 3000) {
	await serves(port, 'lobby');
	const crowd = await startCrowd(`ws://127.0.0.1:${port}`, count);
	await until('all are live', async () => (await crowd.ask('look')).live === count, 60000);
	await sleep(500);
	await crowd.ask('begin');
	await act();
	await sleep(settleMs);
	await until('all are live again', async () => (await crowd.ask('look')).live === count, 60000);
	const { gaps, moves, errors } = await crowd.ask('end');
	gaps.sort((a, b) => a - b);
	return { clients: count, moves, p50_ms: median(gaps), p99_ms: gaps[Math.floor(count * 0.99)], most_ms: gaps.at(-1), errors };
}

export async function edgeKilled(cluster, { clients = 500 } = {}) {
	await cluster.origin('origin', WALK(2), { config: LIMITS });
	const port = await startEdges(cluster, 2);
	return disturb(cluster, port, clients, () => cluster.kill('edge1'));
}

const LISTENS_MS = 4000; // of a standby, before it takes anything over

/** The standby has the same sources, and has listened for long enough. */
export async function originKilled(cluster, { clients = 50 } = {}) {
	await cluster.origin('origin', WALK(2), { config: LIMITS });
	const port = await startEdges(cluster, 2);
	await serves(port, 'lobby');
	await cluster.origin('standby', WALK(2), { config: LIMITS, cluster: 'standby = true' });
	await sleep(LISTENS_MS + 1000);
	return disturb(cluster, port, clients, () => cluster.kill('origin'));
}

export async function rollingRestart(cluster, { clients = 300, names = ['edge1', 'edge2', 'origin', 'nats'] } = {}) {
	await cluster.origin('origin', WALK(2), { config: LIMITS });
	const port = await startEdges(cluster, 2);
	const figures = {};
	for (const name of names)
		figures[name] = await disturb(cluster, port, clients, async () => {
			await cluster.restart(name);
			if (name.startsWith('edge'))
				await cluster.ready(name);
		});
	return figures;
}
