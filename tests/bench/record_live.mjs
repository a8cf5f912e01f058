// Records four bodies at 90 Hz beside subscribers. Measures missed ticks, bytes per minute and
// body on disk, and bytes of the same frames as float32 in MCAP.
// The subscribers are a process of their own. A second daemon ticks at the
// same rate with one body and no subscriber: ticks that are late there too are the machine's.
// Needs the packages of tests/oracle and tests/e2e.
//
// usage: record_live.mjs JOINTCASTD JOINTCAST [--minutes N] [--subscribers N] [MOTION…]
//        10 minutes, 200 subscribers, four public motions of JOINTCAST_DATA
import { fork, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { captures, readMessages } from '../e2e/support/mcap_messages.mjs';
import { plainBytes, readTable } from './plain_mcap.mjs';

const HZ = 90;

/** The process of the subscribers: counts ticks that each of them got. */
async function subscribe(url, count) {
	const WebSocket = createRequire(new URL('../e2e/package.json', import.meta.url))('ws');
	let bundles = 0;
	let bytes = 0;
	for (let i = 0; i < count; i++) {
		const ws = new WebSocket(url, 'jointcast.v1', { perMessageDeflate: false });
		ws.on('message', (data, binary) => {
			bundles += binary;
			bytes += data.length;
		});
		await new Promise((resolve, reject) => ws.on('open', resolve).on('error', reject));
		for (const message of [{ type: 'hello', codings: [2, 1] }, { type: 'join', space: 'lobby' },
			{ type: 'subscribe', space: 'lobby' }])
			ws.send(JSON.stringify(message));
	}
	process.on('message', () => process.send({ bundles, bytes }));
	process.send({ ready: true });
}

function readOptions() {
	const options = { minutes: 10, subscribers: 200, motions: [] };
	const [jointcastd, jointcast, ...rest] = process.argv.slice(2);
	while (rest.length > 0) {
		const word = rest.shift();
		if (word === '--minutes' || word === '--subscribers')
			options[word.slice(2)] = Number(rest.shift());
		else
			options.motions.push(word);
	}
	if (options.motions.length === 0) {
		const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
		const data = join(process.env.JOINTCAST_DATA ?? join(root, '..', 'shared', 'data'), 'bvh');
		options.motions = ['cmu_01_01', 'univrm_vrm10viewer_motion', 'threejs_pirouette', 'boxing_toes_extra_line']
			.map((name) => join(data, `${name}.bvh`)).filter(existsSync);
	}
	if (options.motions.length === 0 || !existsSync(jointcast ?? '')) {
		console.error('record_live.mjs: two programs, and motions or JOINTCAST_DATA, please');
		process.exit(2);
	}
	return { jointcastd, jointcast, ...options };
}

async function listening(daemon) {
	let log = '';
	return new Promise((resolve, reject) => {
		daemon.stderr.on('data', (text) => {
			log += text;
			const found = /listening on 127\.0\.0\.1:(\d+)\n/.exec(log);
			if (found)
				resolve({ port: Number(found[1]), admin: Number(/status and metrics on 127\.0\.0\.1:(\d+)\n/.exec(log)[1]), log: () => log });
		});
		daemon.on('exit', (code) => reject(new Error(`jointcastd: exit ${code}: ${log}`)));
	});
}

/** Number of ticks without a capture of each body, from its first capture to the last tick. */
function missing(list) {
	const { tick: last } = list.at(-1);
	const bodies = new Map();
	for (const { tick, body } of list) {
		const { ticks } = bodies.get(body) ?? bodies.set(body, { first: tick, ticks: new Set() }).get(body);
		ticks.add(tick);
	}
	return [...bodies.values()].map(({ first, ticks }) => last - first + 1 - ticks.size);
}

/** How many ticks were late since its start. */
async function late(admin) {
	const { spaces } = await (await fetch(`http://127.0.0.1:${admin}/status`)).json();
	return spaces[0].missed;
}

function end(daemon) {
	daemon.removeAllListeners('exit');
	daemon.kill();
	return new Promise((resolve) => daemon.on('close', resolve));
}

async function measure({ jointcastd, jointcast, minutes, subscribers, motions }) {
	const folder = mkdtempSync(join(tmpdir(), 'jointcast-live-'));
	process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
	const config = join(folder, 'conf');
	writeFileSync(config, `space lobby { hz = ${HZ} }\nrecording { folder = "${folder}" spaces = {"lobby"} split_bytes = "17179869184" }\n`);
	const daemon = spawn(jointcastd, ['--config', config, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0',
		...motions.flatMap((motion) => ['--source', `file:${motion}?loop=1`])], { stdio: ['ignore', 'ignore', 'pipe'] });
	const { port, admin, log } = await listening(daemon);
	const idle = join(folder, 'idle');
	writeFileSync(idle, `space lobby { hz = ${HZ} }\n`);
	const other = spawn(jointcastd, ['--config', idle, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--source', 'demo:idle'],
		{ stdio: ['ignore', 'ignore', 'pipe'] });
	const { admin: idleAdmin } = await listening(other);
	const crowd = fork(fileURLToPath(import.meta.url), ['--crowd', `ws://127.0.0.1:${port}/`, String(subscribers)]);
	await new Promise((resolve) => crowd.once('message', resolve));
	const ask = () => new Promise((resolve) => {
		crowd.once('message', resolve);
		crowd.send('');
	});
	const before = await ask();
	const idleBefore = await late(idleAdmin);
	const begun = performance.now();
	await new Promise((resolve) => setTimeout(resolve, minutes * 60000));
	const after = await ask();
	const seconds = (performance.now() - begun) / 1000;
	const { spaces } = await (await fetch(`http://127.0.0.1:${admin}/status`)).json();
	const idleLate = (await late(idleAdmin)) - idleBefore;
	crowd.kill();
	await Promise.all([end(daemon), end(other)]);

	const [file] = readdirSync(folder).filter((name) => name.endsWith('.mcap')).map((name) => join(folder, name));
	const list = captures(await readMessages(file));
	const bodies = new Set(list.map(({ body }) => body)).size;
	const tables = motions.map((_, index) => {
		const table = join(folder, 'table.csv');
		const { status, stderr } = spawnSync(jointcast, ['convert', file, table, '--motion-index', String(index), '--as-tracked'],
			{ encoding: 'utf8' });
		if (status !== 0)
			throw new Error(stderr);
		return readTable(readFileSync(table, 'utf8'));
	});
	// One message a tick, as ours are.
	const count = Math.min(...tables.map((table) => table.length));
	const frames = Array.from({ length: count }, (_, i) => ({ t: i / HZ,
		values: Float32Array.from(tables.flatMap((table) => [...table[i].values])) }));
	const plain = (await plainBytes(frames, HZ)) * list.length / bodies / count;
	const ours = statSync(file).size;
	const bodyMinutes = list.length / HZ / 60;
	console.log(`${bodies} bodies (${motions.map((motion) => basename(motion)).join(', ')}) at ${HZ} Hz, ${seconds.toFixed(0)} s, ${subscribers} subscribers`);
	console.log(`ticks without a capture, by body: ${missing(list).join(', ')}; late ticks: ${spaces[0].missed}, of the one that has nobody to serve: ${idleLate}; dropped: ${spaces[0].recording.dropped}`);
	console.log(`bundles each subscriber got a second: ${((after.bundles - before.bundles) / subscribers / seconds).toFixed(2)}`);
	console.log(`${(ours / bodyMinutes / 1e6).toFixed(3)} MB a body minute, ${(ours / list.length).toFixed(0)} B a capture; as float32 ${(plain / bodyMinutes / 1e6).toFixed(3)} MB: ${((100 * ours) / plain).toFixed(1)} %`);
	for (const line of log().split('\n').filter((text) => /late|dropped|error/.test(text)))
		console.log(line);
}

if (process.argv[2] === '--crowd')
	await subscribe(process.argv[3], Number(process.argv[4]));
else {
	await measure(readOptions());
	process.exit(0);
}
