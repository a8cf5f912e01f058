// The status of a cluster: every process asks all others, one that does not answer is silent, and
// messages of a hostile process change nothing but its own lines.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test, { describe } from 'node:test';
import { promisify } from 'node:util';
import { Cluster } from '../support/cluster.mjs';
import { JOINTCAST } from '../support/daemon.mjs';
import { until } from '../support/until.mjs';

const jointcast = async (...words) => (await promisify(execFile)(process.argv[3] ?? JOINTCAST, words)).stdout;
const admin = (cluster, name) => `http://127.0.0.1:${cluster.processes.get(name).admin}`;
const ask = async (cluster, name) => JSON.parse(await jointcast('status', admin(cluster, name), '--cluster', '--json'));
const states = ({ processes }) => processes.map(({ name, role, state }) => `${name} ${role} ${state}`);

/** Asks until the states are these; returns the processes by name. */
async function shows(cluster, name, ...expected) {
	let status = null;
	await until(() => `'${name}' shows ${expected.join(', ')}: ${JSON.stringify(status)}`, async () => {
		status = await ask(cluster, name);
		return String(states(status)) === String(expected);
	});
	assert.equal(status.asked, name);
	return Object.fromEntries(status.processes.map((process) => [process.name, process]));
}

// Mostly they wait, so they run at the same time.
describe('the status of a cluster', { concurrency: true }, () => {
	test('every process shows all others, and a frozen one as silent', async (t) => {
		const cluster = await Cluster.start(t);
		await cluster.origin('stage', ['--source', 'demo:walk']);
		await cluster.origin('deputy', [], { cluster: 'standby = "true"' });
		await cluster.edge('west');
		await cluster.edge('east');
		const clients = [await cluster.watch('east'), await cluster.watch('west')];
		const all = ['stage origin live', 'deputy standby live', 'east edge live', 'west edge live'];
		const names = ['stage', 'deputy', 'east', 'west'];

		const seen = await shows(cluster, 'stage', ...all);
		const { version, cluster: { incarnation } } = await cluster.status('east');
		await clients[0].until('sixty bundles', () => clients[0].bundles.length > 60);
		for (const asked of ['deputy', 'east'])
			assert.deepEqual(Object.keys(await shows(cluster, asked, ...all)), names);
		let east;
		await until(() => `rates: ${JSON.stringify(east)}`, async () => {
			({ east } = await shows(cluster, 'west', ...all));
			return east.messagesPerSecond > 0;
		});
		assert.deepEqual(Object.keys(east).sort(), ['added', 'bytesPerSecond', 'clients', 'draining', 'dropped', 'frames', 'incarnation', 'late',
			'messagesPerSecond', 'name', 'nats', 'reconnects', 'rejoins', 'role', 'spaces', 'state', 'uptime', 'version', 'views']);
		assert.equal(east.version, version);
		assert.equal(east.incarnation, incarnation);
		assert.equal(east.nats, 'connected');
		assert.deepEqual([east.clients, east.spaces, east.views, east.reconnects], [1, 1, 1, 0]);
		assert.ok(east.frames > 60 && east.bytesPerSecond > 0 && east.uptime > 0);
		assert.ok(east.added.p50 > 0 && east.added.p50 <= east.added.p99);
		assert.ok(!('added' in seen.stage) && seen.stage.spaces === 1 && seen.stage.clients === 0);

		const metrics = await (await fetch(`${admin(cluster, 'east')}/metrics`)).text();
		const figure = (name) => Number(new RegExp(`^jointcast_${name} (.*)$`, 'm').exec(metrics)?.[1]);
		assert.ok(figure('edge_added_seconds_count') > 60);
		assert.ok(figure('edge_added_seconds_sum') > 0);
		assert.ok(figure('edge_frames_total') >= figure('edge_added_seconds_count'));
		assert.equal(figure('edge_wanted_views'), 1);
		for (const name of ['late_frames', 'repeated_frames', 'refused_messages', 'stream_gaps', 'rejoin_requests'])
			assert.ok(figure(`edge_${name}_total`) >= 0, name);

		cluster.freeze('west');
		const frozen = [...all.slice(0, 3), 'west edge silent'];
		const { west } = await shows(cluster, 'stage', ...frozen);
		assert.deepEqual(Object.keys(west).sort(), ['heard', 'name', 'role', 'state']);
		assert.ok(west.heard >= 0 && west.heard < 60);
		await shows(cluster, 'east', ...frozen);
		let table = [];
		await until(() => `all but west answer in time: ${table.join('\n')}`, async () => {
			table = (await jointcast('status', admin(cluster, 'east'), '--cluster')).split('\n');
			return table.filter((line) => line.includes(' live ')).length === 3;
		});
		assert.match(table[0], /^name +role +version +state +NATS +spaces +clients +messages\/s +kB\/s +added ms +99 % +late +dropped +reconnects$/);
		assert.match(table[1], /^stage +origin +\S+ +live +connected +1 +0 +\d+ +[\d.]+ +- +- +0 +\d+ +0$/);
		assert.match(table[2], /^deputy +standby +\S+ +live +connected +\d+ +0 +/);
		assert.match(table[3], /^east +edge +\S+ +live +connected +1 +1 +\d+ +[\d.]+ +[\d.]+ +[\d.]+ +\d+ +\d+ +0$/);
		assert.match(table[4], /^west +edge +- +silent for \d+ s +(- +){9}-$/);
		assert.deepEqual(table.slice(5), ['']);
		assert.equal(new Set(table.slice(0, 5).map((line) => line.length)).size, 1, table.join('\n'));
		assert.match(await jointcast('status', admin(cluster, 'east')), / live .* relay(;.*)?$/m);
		cluster.thaw('west');
		await shows(cluster, 'stage', ...all);

		await cluster.stop('deputy');
		await cluster.stop('west');
		await shows(cluster, 'east', all[0], all[2]);
		await shows(cluster, 'stage', all[0], all[2]);
		await cluster.kill('nats');
		await until('east is alone', async () => (await ask(cluster, 'east')).processes.find(({ name }) => name === 'east').nats === 'lost');
		assert.equal((await ask(cluster, 'east')).processes.find(({ name }) => name === 'stage').state, 'silent');
		clients.forEach((client) => client.end());
	});

	test('a hostile process cannot fill the status or multiply messages', async (t) => {
		const cluster = await Cluster.start(t);
		await cluster.origin('stage', ['--source', 'demo:walk']);
		await cluster.ready('stage');
		const tap = await cluster.tap();
		const report = (incarnation, name) => ({ name, role: 'edge', incarnation, version: '9', nats: 'connected', draining: false, uptime: 1, reconnects: 0,
			spaces: 0, clients: 0, messagesPerSecond: 0, bytesPerSecond: 0, views: 0, frames: 0, late: 0, dropped: 0, rejoins: 0 });
		const end = tap.subscribe('jc.status.h.*', ({ bytes }) => {
			const { request } = JSON.parse(bytes);
			const send = (value, host = value.report?.name ?? 'tap') =>
				tap.publish(`jc.report.h.${host}`, typeof value === 'string' ? value : JSON.stringify(value));
			send('{');
			send('');
			send('[]');
			send({ request: '0', report: report('abc', 'other-round') });
			send({ request, report: { ...report('abd', 'wrong'), clients: -1 } });
			send({ request, report: report('abe', 'no host') }, 'tap');
			send({ request, report: report('ac0', 'another') }, 'tap'); // a host has its own subject
			send({ request, report: report('abf', 'long'), filler: 'x'.repeat(20000) });
			for (let i = 0; i < 300; i++)
				send({ request, report: report((i + 1).toString(16), `forged-${i}`) });
			send({ request, report: { ...report('1', 'forged-0'), clients: 7 } });
		});
		await tap.settled();
		let processes = [];
		const live = () => processes.filter(({ state }) => state === 'live').length;
		await until(() => `${live()} processes answer in time`, async () => {
			({ processes } = await ask(cluster, 'stage'));
			return live() >= 256;
		});
		assert.equal(live(), 256);
		assert.equal(processes[0].name, 'stage');
		assert.ok(processes.slice(1).every(({ name, clients }) => /^forged-\d+$/.test(name) && !clients));
		end();

		const answers = [];
		tap.subscribe('jc.report.h.*', ({ bytes }) => answers.push(JSON.parse(bytes)));
		const asked = Date.now();
		for (let i = 0; i < 1000; i++)
			tap.publish('jc.status.h.tap', JSON.stringify({ request: i.toString(16), from: 'ffff' }));
		tap.publish('jc.status.h.tap', JSON.stringify({ request: '1', from: 'f'.repeat(300) }));
		tap.publish('jc.status.h.tap', 'damage');
		await until('answers', () => answers.length >= 40);
		await ask(cluster, 'stage');
		assert.ok(answers.length <= 41 + 20 * (Date.now() - asked) / 1000, `${answers.length} answers`);
		assert.ok(answers.every(({ request, report: { name } }) => /^[0-9a-f]+$/.test(request) && name === 'stage'));
		tap.close();
	});

	test('a daemon without a cluster, and the listener for clients, have no such status', async (t) => {
		const cluster = await Cluster.start(t);
		await cluster.alone('alone', ['--source', 'demo:walk']);
		await assert.rejects(jointcast('status', admin(cluster, 'alone'), '--cluster'), ({ code, stderr }) =>
			code === 3 && stderr.includes('answers 409: this daemon is neither an origin nor an edge'));
		await cluster.origin('stage');
		await assert.rejects(jointcast('status', cluster.processes.get('stage').url, '--cluster'), ({ code }) => code === 3);
	});
});
