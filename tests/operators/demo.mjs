// ./demo --edges: nats-server, an origin and edges on one address; Ctrl-C ends all, and a second run
// starts within seconds. Builds as the demo does.
//
// usage: node tests/operators/demo.mjs
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { after, test } from 'node:test';
import { Client } from '../e2e/support/client.mjs';
import { ROOT } from '../e2e/support/daemon.mjs';
import { until } from '../e2e/support/until.mjs';

const LISTEN = '127.0.0.1:39871';
const ADMIN = '127.0.0.1:39872';
const BUILD_MS = 1200000;
const SECOND_RUN_MS = 10000;
const EDGES = 3;

const children = new Set();
after(() => children.forEach(({ pid }) => spawnSync('kill', ['-KILL', `-${pid}`])));

/** The demo in a process group of its own, as a terminal starts it. */
function start(...options) {
	const child = spawn(path.join(ROOT, 'demo'), options, { detached: true, stdio: ['ignore', 'pipe', 'pipe'],
		env: { ...process.env, JOINTCAST_LISTEN: LISTEN, JOINTCAST_ADMIN: ADMIN } });
	const demo = { child, output: '' };
	children.add(child);
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (text) => (demo.output += text));
	demo.exited = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
	return demo;
}

const members = ({ child }) => spawnSync('pgrep', ['-g', String(child.pid), '-a'], { encoding: 'utf8' }).stdout;

/** Resolves once a client receives motion of all bodies. */
async function moves(ms) {
	let client = null;
	await until('bodies at the address', async () => {
		client?.end();
		client = await Client.greeted({ url: `ws://${LISTEN}/` }, {}, { type: 'join', space: 'lobby' }).catch(() => null);
		const roster = await client?.take(({ type, bodies }) => type === 'error' || (type === 'roster' && bodies));
		return roster?.bodies?.length === 4;
	}, ms);
	client.send({ type: 'subscribe', space: 'lobby' });
	await client.until('a bundle', () => client.bundles.length > 0);
	client.end();
}

test('all processes start, serve one address, and end with Ctrl-C; a second run is quick', async () => {
	for (const ms of [BUILD_MS, SECOND_RUN_MS]) {
		const demo = start('--edges', String(EDGES));
		await until(() => `the address is printed: ${demo.output}`, () => demo.output.includes(`viewer: http://${LISTEN}/`), ms);
		await moves(ms);
		assert.equal(members(demo).split('\n').filter((line) => line.includes(`--listen ${LISTEN}`)).length, EDGES);
		assert.match(members(demo), /nats-server/);
		spawnSync('kill', ['-INT', `-${demo.child.pid}`]);
		assert.equal(await demo.exited, 0, demo.output);
		assert.equal(members(demo), '');
	}
});

test('a number of edges that is none is wrong use', () => {
	for (const number of ['0', '-1', 'two', '']) {
		const { status, stderr } = spawnSync(path.join(ROOT, 'demo'), ['--edges', number], { encoding: 'utf8' });
		assert.deepEqual([status, stderr], [2, `jointcast: --edges '${number}' is not 1 to 99\n`]);
	}
});
