// Faults, one by one: each is reported in one clear line, and guarantees hold.
// usage: node faults.mjs JOINTCASTD JOINTCAST STEP_CLOCK FEW_THREADS
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import test, { after } from 'node:test';
import { binary, run, scratch, start, startThrough } from '../e2e/support/daemon.mjs';
import { sleep, until } from '../e2e/support/until.mjs';
import { exchange, frames, open, text } from '../e2e/support/websocket_bytes.mjs';

const [, , , jointcast, step_clock, few_threads] = process.argv;
const folder = scratch();

const can_mount = spawnSync('unshare', ['--mount', 'true']).status === 0;
const needs_mounts = { skip: can_mount ? false : 'no mount namespaces here' };
const errors = (log) => log.split('\n').filter((line) => line.includes('error: '));

/** A daemon that sees `folder` as another file system. */
function startOn(filesystem, ...options) {
	const command = `mount -t tmpfs -o ${filesystem} tmpfs "$0" && exec "$@"`;
	return startThrough('unshare', '--mount', 'sh', '-c', command, folder, binary, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', ...options);
}

const bundles = (raw) => frames(raw.bytes).filter(({ opcode }) => opcode === 2).length;

async function subscribe(daemon) {
	const raw = await open(daemon.port);
	raw.send(text({ type: 'hello' }), text({ type: 'join', space: 'lobby' }), text({ type: 'subscribe', space: 'lobby' }));
	await raw.until(() => bundles(raw) > 0, 20000);
	return raw;
}

/** It still casts. */
async function casts(raw) {
	const before = bundles(raw);
	await raw.until(() => bundles(raw) > before + 5, 20000);
}

test('a full disk: recording pauses and reports it, sending continues', needs_mounts, async () => {
	const daemon = await startOn('size=64k', '--source', 'demo:walk', '--source', 'demo:wave', '--record', folder);
	const raw = await subscribe(daemon);
	await until('an error in the log', () => errors(daemon.log).length > 0, 50000);
	assert.match(errors(daemon.log)[0], /No space left on device/);
	await casts(raw);
	assert.equal((await exchange(daemon.admin, 'GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n')).status, 503);
	await until('it is told', async () => (await exchange(daemon.admin, 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n')).body
		.includes('\njointcast_recording_failing{space="lobby"} 1\n'));
	raw.socket.destroy();
	assert.equal(await daemon.stop(), 0);
});

test('a state directory that cannot be written: it serves, and is not ready', needs_mounts, async () => {
	const daemon = await startOn('ro', '--source', 'demo:walk', '--state', folder);
	const { status, body } = await exchange(daemon.admin, 'GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n');
	assert.equal(status, 503);
	assert.match(body, /^disk: '[^']+' (has 0 MB left|cannot be written: Read-only file system)/);
	(await subscribe(daemon)).socket.destroy();
	assert.equal(await daemon.stop(), 0);
});

test('a folder for recordings that cannot be written ends the start', needs_mounts, async () => {
	await assert.rejects(startOn('ro', '--record', folder), /^Error: exit 1: jointcastd: error: [^\n]*: Read-only file system\n$/);
});

test('no descriptor left: open connections continue, waiting ones are accepted once one is free', async () => {
	const daemon = await startThrough('sh', '-c', 'ulimit -n 40; exec "$0" "$@"', binary, '--listen', '127.0.0.1:0', '--source', 'demo:walk');
	const first = await subscribe(daemon);
	const crowd = Array.from({ length: 60 }, () => net.connect(daemon.port, '127.0.0.1').on('error', () => {}));
	await until('a warning', () => /warning: cannot accept a connection: Too many open files\n/.test(daemon.log));
	await casts(first);
	for (const socket of crowd)
		socket.destroy();
	(await subscribe(daemon)).socket.destroy();
	first.socket.destroy();
	assert.equal(await daemon.stop(), 0);
});

test('a port in use: one line, status 3', async () => {
	const taken = net.createServer();
	await new Promise((resolve) => taken.listen(0, '127.0.0.1', resolve));
	const { code, stderr } = await run('--listen', `127.0.0.1:${taken.address().port}`);
	taken.close();
	assert.equal(code, 3);
	assert.match(stderr, /^jointcastd: error: cannot listen on 127\.0\.0\.1:\d+: Address already in use\n$/);
});

test('a jump of the wall clock has no effect, and the recording stays complete', async () => {
	const clock = path.join(folder, 'clock');
	const record = scratch();
	fs.writeFileSync(clock, '0');
	const daemon = await startThrough('env', `LD_PRELOAD=${step_clock}`, `JC_TEST_CLOCK=${clock}`,
		'ASAN_OPTIONS=verify_asan_link_order=0', binary, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0',
		'--source', 'demo:walk', '--record', record);
	const raw = await subscribe(daemon);
	for (const seconds of [86400, -86400 * 365, 3]) {
		fs.writeFileSync(clock, String(seconds));
		await casts(raw);
	}
	const status = JSON.parse((await exchange(daemon.admin, 'GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n')).body);
	assert.ok(status.uptime > 0 && status.uptime < 600, 'the time that it is up is its own');
	raw.socket.destroy();
	assert.equal(await daemon.stop(), 0);
	const [name] = fs.readdirSync(record);
	const { status: code, stdout, stderr } = spawnSync(jointcast, ['inspect', path.join(record, name), '--json'], { encoding: 'utf8' });
	assert.equal(code, 0, stderr);
	assert.doesNotMatch(stdout, /"damage/);
});

/** A daemon with a limited number of threads; the file holds the remaining number. */
function startWithThreads(left, ...options) {
	fs.writeFileSync(path.join(folder, 'threads'), `${left}`);
	return startThrough('env', `LD_PRELOAD=${few_threads}`, `JC_TEST_THREADS=${path.join(folder, 'threads')}`,
		'ASAN_OPTIONS=verify_asan_link_order=0', ...options, binary, '--listen', '127.0.0.1:0');
}

test('no thread left after the start: existing threads do the jobs', async () => {
	const daemon = await startWithThreads(1000);
	fs.writeFileSync(path.join(folder, 'threads'), '0');
	for (let i = 1; i <= 3; i++) {
		daemon.child.kill('SIGHUP');
		await until('a reload', () => daemon.log.split('was read again').length > i || daemon.child.exitCode !== null || daemon.child.signalCode);
		assert.deepEqual([daemon.child.exitCode, daemon.child.signalCode], [null, null], daemon.log);
	}
	assert.equal(await daemon.stop(), 0);
});

test('no thread at the start: one line, status 3', async () => {
	for (const [left, options, count] of [[0, [], 4], [3, [], 4], [1, ['UV_THREADPOOL_SIZE=2'], 2]]) {
		await assert.rejects(startWithThreads(left, ...options), { message:
			`exit 3: jointcastd: error: cannot start ${count} threads for files: resource temporarily unavailable\n` });
	}
	const daemon = await startWithThreads(1000, 'UV_THREADPOOL_SIZE=2');
	const threads = Number(/^Threads:\s+(\d+)$/m.exec(fs.readFileSync(`/proc/${daemon.child.pid}/status`, 'utf8'))[1]);
	assert.equal(threads, 3, 'the loop and two that wait for jobs');
	assert.equal(await daemon.stop(), 0);
});

test('missing credentials or keys: one line with their name, status 1', async () => {
	const config = path.join(folder, 'jointcastd.conf');
	const key = (file) => `auth { key "k" { algorithm = "ES256" file = "${file}" } }\n`;
	const damaged = path.join(folder, 'damaged.pem');
	fs.writeFileSync(damaged, 'no key\n');
	for (const [file, wanted] of [[path.join(folder, 'nowhere.pem'), /No such file or directory/], [damaged, /key 'k': no public key/]]) {
		fs.writeFileSync(config, key(file));
		const { code, stderr } = await run('--config', config);
		assert.equal(code, 1);
		assert.match(stderr, wanted);
		assert.equal(stderr.split('\n').length, 2);
	}
	const nowhere = path.join(folder, 'nowhere');
	const { code, stderr } = await run('--listen', '127.0.0.1:0', '--tls-listen', '127.0.0.1:0',
		'--certificate', `${nowhere}/fullchain.pem`, '--key', `${nowhere}/key.pem`);
	assert.equal(code, 3);
	assert.match(stderr, /^jointcastd: error: [^\n]*No such file or directory[^\n]*fullchain\.pem\n$/);
});

test('a secret that other users can read or change is named at the start and by --check-config', async () => {
	const config = path.join(folder, 'private.conf');
	const secret = path.join(folder, 'secret');
	const open_key = path.join(folder, 'key.pem');
	const certificate = path.join(folder, 'certificate.pem');
	fs.writeFileSync(secret, crypto.randomBytes(32));
	const { publicKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
	fs.writeFileSync(open_key, publicKey.export({ type: 'spki', format: 'pem' }), { mode: 0o644 });
	assert.equal(spawnSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=localhost',
		'-keyout', path.join(folder, 'tls.pem'), '-out', certificate]).status, 0);
	fs.writeFileSync(config, `auth { key "k" { algorithm = "HS256" file = "${secret}" }
		key "p" { algorithm = "ES256" file = "${open_key}" } }
		tls { listen = "127.0.0.1:0" certificate = "${certificate}" key = "${path.join(folder, 'tls.pem')}" }\n`);
	const warnings = (log) => log.split('\n').filter((line) => line.includes('is secret'));
	for (const [mode, means] of [[0o644, 'read'], [0o604, 'read'], [0o602, 'write'], [0o660, 'write']]) {
		for (const file of [secret, path.join(folder, 'tls.pem')])
			fs.chmodSync(file, mode);
		const { code, stdout, stderr } = await run('--config', config, '--check-config');
		assert.deepEqual([code, stdout], [0, 'the configuration is sound\n']);
		assert.deepEqual(stderr.split('\n'), [...[secret, path.join(folder, 'tls.pem')].map((file) =>
			`jointcastd: warning: '${file}' is secret, and other users can ${means} it: chmod 600 '${file}'`), '']);
	}
	const daemon = await start('--config', config);
	assert.equal(warnings(daemon.log).length, 2);
	fs.chmodSync(secret, 0o440); // of a credential that systemd hands over
	fs.chmodSync(path.join(folder, 'tls.pem'), 0o600);
	assert.equal((await run('--config', config, '--check-config')).stderr, '');
	daemon.child.kill('SIGHUP');
	await until('a reload', () => /was read again/.test(daemon.log));
	assert.equal(warnings(daemon.log).length, 2, 'and no more');
	assert.equal(await daemon.stop(), 0);
});

test('a stopped loop answers the requests of the meantime and skips ticks', async () => {
	const daemon = await start('--source', 'demo:walk');
	const raw = await subscribe(daemon);
	daemon.child.kill('SIGSTOP');
	await sleep(700);
	const waiting = exchange(daemon.admin, 'GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n');
	daemon.child.kill('SIGCONT');
	const { ticks } = JSON.parse((await waiting).body);
	assert.ok(ticks.missed >= 30, `${ticks.missed} ticks of half a second and more`);
	await casts(raw);
	raw.socket.destroy();
	assert.equal(await daemon.stop(), 0);
});
