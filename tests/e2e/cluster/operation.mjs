// Tests what operators see of NATS: readiness, status, metrics and the log, while the server stops
// and returns, and over a reload of the configuration.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { Cluster } from '../support/cluster.mjs';
import { JOINTCAST, ROOT, binary, run, scratch, startThrough } from '../support/daemon.mjs';
import { natsOperator } from '../support/nats_credentials.mjs';
import { until } from '../support/until.mjs';

async function get(daemon, page) {
	const response = await fetch(`http://127.0.0.1:${daemon.admin}/${page}`);
	return { code: response.status, text: await response.text() };
}

const jointcast = async (...words) => (await promisify(execFile)(process.argv[3] ?? JOINTCAST, words)).stdout;
const figure = (metrics, name) => Number(new RegExp(`^jointcast_${name} (.*)$`, 'm').exec(metrics)?.[1]);
const count = (text, pattern) => text.match(pattern)?.length ?? 0;

test('readiness, status, metrics and log follow the connection to NATS', async (t) => {
	const cluster = await Cluster.start(t);
	const origin = await cluster.origin('hall', ['--source', 'demo:walk']);
	await cluster.ready('hall');
	let { cluster: { nats, ...host } } = await cluster.status('hall');
	assert.equal(host.role, 'origin');
	assert.equal(host.name, 'hall');
	assert.match(host.incarnation, /^[0-9a-f]{16}$/);
	assert.equal(nats.state, 'connected');
	assert.equal(nats.server, cluster.nats);
	assert.equal(nats.reconnects, 0);
	assert.deepEqual(nats.queue, { bytes: 0, most: 16 << 20, highest: nats.queue.highest });
	let metrics = (await get(origin, 'metrics')).text;
	assert.equal(figure(metrics, 'nats_connected'), 1);
	assert.equal(figure(metrics, 'nats_reconnects_total'), 0);
	const shown = await jointcast('status', `http://127.0.0.1:${origin.admin}`);
	assert.match(shown, /\n  origin       'hall'\n  NATS         connected, nats:\/\/127\.0\.0\.1:\d+; 0 reconnects; \d+ messages, \S+ \S+ sent; \d+, \S+ \S+ received, 0 dropped\n/);
	const alerts = readFileSync(path.join(ROOT, 'systemd/prometheus/alerts.yml'), 'utf8');
	const named = [...alerts.matchAll(/\bjointcast_(nats_\w+)/g)];
	assert.ok(named.length >= 5);
	for (const [, name] of named)
		assert.ok(Number.isFinite(figure(metrics, name)), `no figure '${name}', which an alert names`);

	await cluster.kill('nats');
	await until('NATS is lost', async () => (await get(origin, 'readyz')).code === 503);
	assert.match((await get(origin, 'readyz')).text, /^NATS: the connection is lost: .+$/m);
	assert.equal((await get(origin, 'healthz')).text, 'ok\n');
	assert.equal((await cluster.status('hall')).cluster.nats.state, 'lost');
	assert.match(await jointcast('status', `http://127.0.0.1:${origin.admin}`), /\n  NATS         lost: .+; 0 reconnects;/);
	assert.equal(figure((await get(origin, 'metrics')).text, 'nats_connected'), 0);
	await cluster.restart('nats');
	await cluster.ready('hall');
	({ cluster: { nats } } = await cluster.status('hall'));
	assert.equal(nats.state, 'connected');
	assert.equal(nats.problem, '');
	assert.equal(nats.reconnects, 1);
	metrics = (await get(origin, 'metrics')).text;
	assert.equal(figure(metrics, 'nats_reconnects_total'), 1);
	assert.equal(count(origin.log, /connected to NATS: 'nats:/g), 1);
	assert.equal(count(origin.log, /the connection to NATS is lost/g), 1);
	assert.equal(count(origin.log, /connected to NATS again: 'nats:/g), 1);
});

test('a reload keeps the connection', async (t) => {
	const cluster = await Cluster.start(t);
	const file = path.join(scratch(t), 'jointcastd.conf');
	const write = (hz, nats) => writeFileSync(file, `spaces { subscribers = ${hz} }\ncluster { nats = "${nats}" role = "origin" }\n`);
	write(10, cluster.nats);
	const daemon = await startThrough(binary, '--config', file, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0');
	t.after(() => daemon.stop());
	await until('ready', async () => (await get(daemon, 'readyz')).code === 200);
	const before = (await cluster.figures('connz')).connections;
	write(20, 'nats://ada:secret@127.0.0.1:1');
	daemon.child.kill('SIGHUP');
	await until('reloaded', () => daemon.log.includes('was read again'));
	assert.match(daemon.log, /cluster\.nats: the change takes effect at the next start/);
	assert.doesNotMatch(daemon.log, /secret/);
	assert.equal((await get(daemon, 'readyz')).code, 200);
	const after = (await cluster.figures('connz')).connections;
	assert.deepEqual(after.map(({ cid }) => cid), before.map(({ cid }) => cid));
	assert.equal(JSON.parse((await get(daemon, 'status')).text).cluster.nats.reconnects, 0);
});

test('a daemon without NATS starts, works and is not ready', async (t) => {
	const daemon = await startThrough(binary, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0',
		'--source', 'demo:walk', '--nats-origin', 'nats://ada:secret@127.0.0.1:1');
	t.after(() => daemon.stop());
	await until('a problem', async () => /^NATS: not connected yet: no server answers there$/m.test((await get(daemon, 'readyz')).text));
	assert.equal((await get(daemon, 'readyz')).code, 503);
	const { cluster } = JSON.parse((await get(daemon, 'status')).text);
	assert.equal(cluster.nats.state, 'connecting');
	assert.match(cluster.name, /^origin-[0-9a-f]{12}$/);
	assert.doesNotMatch(daemon.log, /secret/);
	assert.equal(count(daemon.log, /no connection to NATS, trying again/g), 1);
});

test('refused credentials are a log line with its remedy', async (t) => {
	const cluster = await Cluster.start(t, { config: 'authorization { user: ada, password: right }\n' });
	const url = cluster.nats.replace('//', '//ada:secret@');
	const daemon = await startThrough(binary, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--edge', url);
	t.after(() => daemon.stop());
	await until('refused', () =>
		daemon.log.includes("no connection to NATS, trying again: 'the server refuses the user, the password or the credentials'"));
	assert.doesNotMatch(daemon.log + (await get(daemon, 'status')).text, /secret/);
});

test('a credentials file admits a host, and that of another operator does not', async (t) => {
	const operator = natsOperator();
	const cluster = await Cluster.start(t, { config: operator.config });
	const file = path.join(scratch(t), 'nats.creds');
	writeFileSync(file, operator.credentials(), { mode: 0o600 });
	await cluster.origin('hall', ['--source', 'demo:walk'], { cluster: `credentials = "${file}"` });
	await cluster.ready('hall');
	writeFileSync(file, natsOperator().credentials());
	chmodSync(file, 0o644);
	const { log } = await cluster.restart('hall');
	assert.ok(log.includes(`'${file}' is secret, and other users can read it`), log);
	await until('refused', () => cluster.processes.get('hall').log.includes('the server refuses the user, the password or the credentials'));
});

test('a check of the configuration reads the files for NATS and connects nowhere', async (t) => {
	const missing = path.join(scratch(t), 'ca.pem');
	const file = path.join(scratch(t), 'jointcastd.conf');
	writeFileSync(file, `cluster { nats = "tls://127.0.0.1:1" role = "edge" ca = "${missing}" }\n`);
	const { code, stderr } = await run('--check-config', '--config', file);
	assert.equal(code, 1);
	assert.match(stderr, /cannot read the certificates of the CA/);
	assert.ok(stderr.includes(missing), stderr);
	const good = await run('--check-config', '--edge', 'nats://127.0.0.1:1');
	assert.equal(good.code, 0);
	assert.equal(good.stdout, 'the configuration is sound\n');
});
