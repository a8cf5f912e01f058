// The alerts in a running Prometheus that scrapes a running daemon: every rule evaluates without an
// error on real metrics and does not fire, refused pages raise their alert, and so does the end of the
// daemon. Debian package: prometheus. alerts.sh tests the rules by themselves.
//
// usage: node tests/operators/alerts.mjs [JOINTCASTD]     default: that of build/release
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import test, { after } from 'node:test';
import { ROOT, scratch, start } from '../e2e/support/daemon.mjs';
import { until } from '../e2e/support/until.mjs';
import { exchange, open, text } from '../e2e/support/websocket_bytes.mjs';

const folder = scratch();
const at = (name) => path.join(folder, name);
const daemon = await start('--source', 'demo:walk', '--source', 'demo:idle?space=hall', '--source', 'vmc:0?name=Ada',
	'--record', folder);
after(() => daemon.child.kill('SIGKILL'));

// The files of the project, with the port of this daemon and short intervals.
const port = await new Promise((resolve) => {
	const server = net.createServer().listen(0, '127.0.0.1', () => {
		const { port: free } = server.address();
		server.close(() => resolve(free));
	});
});
const shipped = (name) => readFileSync(path.join(ROOT, 'systemd/prometheus', name), 'utf8');
writeFileSync(at('alerts.yml'), shipped('alerts.yml'));
writeFileSync(at('prometheus.yml'), shipped('scrape.yml').replace('127.0.0.1:9872', `127.0.0.1:${daemon.admin}`).replaceAll(': 15s', ': 1s'));
const prometheus = spawn('prometheus', [`--config.file=${at('prometheus.yml')}`, `--storage.tsdb.path=${at('data')}`, `--web.listen-address=127.0.0.1:${port}`],
	{ stdio: 'ignore' });
process.on('exit', () => prometheus.kill('SIGKILL'));
after(() => prometheus.kill());
const ask = async (question) => (await (await fetch(`http://127.0.0.1:${port}/api/v1/${question}`)).json()).data;
const rules = async () => (await ask('rules')).groups[0].rules;
const query = async (expression) => (await ask(`query?query=${encodeURIComponent(expression)}`)).result;

test('every rule evaluates on real metrics, and none fires', async () => {
	const raw = await open(daemon.port);
	raw.send(text({ type: 'hello' }), text({ type: 'join', space: 'lobby' }), text({ type: 'subscribe', space: 'lobby' }));
	await until('five scrapes', async () => Number((await query('count_over_time(up[1m])').catch(() => []))[0]?.value[1]) >= 5);
	await until('an evaluation of every rule', async () => (await rules()).every(({ health }) => health !== 'unknown'));
	// On a busy machine ticks may be late, and their alert is pending.
	for (const { name, health, lastError, state } of await rules()) {
		assert.deepEqual([name, health, lastError], [name, 'ok', undefined]);
		assert.notEqual(state, 'firing', name);
	}
	// Joins over labels find partners: without its threshold each comparison has a result.
	for (const expression of ['rate(jointcast_ticks_missed_total[5m]) >= on (job, instance) 0 * max by (job, instance) (jointcast_tick_rate_hertz)',
		'sum by (job, instance, space) (rate(jointcast_fanout_seconds_count[5m])) >= on (job, instance, space) 0 / jointcast_tick_rate_hertz',
		'process_open_fds > 0 * process_max_fds'])
		assert.ok((await query(expression)).length > 0, expression);
	raw.socket.destroy();
});

const fires = (alert, state) => until(`${alert} ${state}`, async () => (await rules()).find(({ name }) => name === alert).state === state);

test('refused pages raise an alert that names the reason', async () => {
	for (let i = 0; i < 20; i++)
		await exchange(daemon.port, 'GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://world.example\r\n\r\n');
	await fires('JointcastPagesRefused', 'firing');
	const { alerts: [alert] } = (await rules()).find(({ name }) => name === 'JointcastPagesRefused');
	assert.equal(alert.labels.reason, 'origin');
	assert.match(alert.annotations.summary, /refused \d+(\.\d+)? requests for their origin$/);
});

test('the end of the daemon raises an alert', async () => {
	assert.equal(await daemon.stop(), 0);
	await fires('JointcastDown', 'pending');
});
