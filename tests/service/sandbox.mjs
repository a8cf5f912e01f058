// The sandbox of the service unit really holds, and the daemon does all that it does in it.
// usage: sandbox network node sandbox.mjs JOINTCASTD SANDBOX PROBE UNIT JOINTCAST
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import test from 'node:test';
import { scratch, startThrough } from '../e2e/support/daemon.mjs';
import { sleep } from '../e2e/support/until.mjs';
import { exchange, frames, open, text } from '../e2e/support/websocket_bytes.mjs';

const [program, sandbox, probe, unit, jointcast] = process.argv.slice(2);
const folder = scratch();
const given = path.join(folder, 'given');
const state = path.join(folder, 'state');
fs.mkdirSync(given);
fs.mkdirSync(state);
// Looking for leaks takes another process to be looked at, which the unit forbids.
process.env.ASAN_OPTIONS = 'detect_leaks=0';

function attempts(command, args, env = {}) {
	const { stdout, stderr, status } = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, ...env } });
	assert.equal(status, 0, stderr);
	return Object.fromEntries(stdout.trim().split('\n').map((line) => line.split(' ')));
}

test('the sandbox refuses everything the service does not need', () => {
	assert.deepEqual(attempts(sandbox, [unit, given, state, probe]), {
		write_state: 'ok', write_tmp: 'ok', open_inet: 'ok', open_unix: 'ok',
		write_etc: 'EROFS', write_usr: 'EROFS', write_mnt: 'EROFS', list_root: 'EACCES',
		open_packet: 'EAFNOSUPPORT', open_netlink: 'EAFNOSUPPORT', reach_outside: 'ENETUNREACH',
		trace: 'EPERM', run_shell: 'EACCES', run_state: 'EACCES',
		map_write_exec: 'EPERM', make_executable: 'EPERM',
		have_users: 'EPERM', become_root: 'EPERM', make_suid: 'EPERM', run_realtime: 'EPERM',
		change_personality: 'EPERM', set_clock: 'EPERM', set_hostname: 'EPERM',
		read_kernel_log: 'EPERM', load_module: 'EPERM',
		see_manager: 'ENOENT', see_tunables: 'ENOENT', see_kernel_log: 'ENOENT',
	});
});

test('the same operations succeed outside the sandbox', () => {
	const names = ['open_packet', 'open_netlink', 'trace', 'run_shell', 'run_state', 'map_write_exec',
		'make_executable', 'have_users', 'make_suid', 'change_personality', 'see_manager', 'see_tunables'];
	const outside = path.join(folder, 'outside');
	fs.mkdirSync(outside);
	assert.deepEqual(attempts(probe, names, { STATE_DIRECTORY: outside }), Object.fromEntries(names.map((name) => [name, 'ok'])));
});

test('a unit with keys that the harness does not apply is an error', () => {
	const more = path.join(folder, 'more.service');
	fs.writeFileSync(more, `${fs.readFileSync(unit, 'utf8').replace('[Service]', '[Service]\nRestrictFileSystems=ext4')}`);
	const { status, stderr } = spawnSync(sandbox, [more, given, state, probe], { encoding: 'utf8' });
	assert.equal(status, 125);
	assert.match(stderr, /does not know how to apply RestrictFileSystems=ext4/);
});

const write = (bytes) => fs.writeFileSync(path.join(given, 'jointcastd.conf'), bytes);
const start = (...more) => startThrough(sandbox, unit, given, state, program, '--config', '/mnt/given/jointcastd.conf',
	'--listen', '127.0.0.1:0', '--admin', 'unix:/run/jointcast/admin', ...more);

/** Subscribes, and resolves once bundles come. */
async function subscribe(daemon, secure) {
	const raw = await open(secure ? daemon.tlsPort : daemon.port, secure);
	raw.send(text({ type: 'hello' }), text({ type: 'join', space: 'lobby' }), text({ type: 'subscribe', space: 'lobby' }));
	await raw.until(() => frames(raw.bytes).filter(({ opcode }) => opcode === 2).length > 10, 20000);
	return raw;
}

/** Names of the bodies in the lobby. */
async function bodies(daemon) {
	const raw = await open(daemon.port);
	raw.send(text({ type: 'hello' }), text({ type: 'join', space: 'lobby' }));
	const roster = await raw.until(() => frames(raw.bytes).filter(({ opcode }) => opcode === 1)
		.map(({ payload }) => JSON.parse(payload.toString())).find(({ type }) => type === 'roster'));
	raw.socket.destroy();
	return roster.bodies.map(({ name }) => name).sort();
}

/** The bodies of the lobby are these, once the change has been announced. */
async function become(daemon, names) {
	for (const end = Date.now() + 20000; String(await bodies(daemon)) !== String(names); await sleep(20))
		assert.ok(Date.now() < end, `${await bodies(daemon)}, not ${names}`);
}

async function reload(daemon, config) {
	const before = daemon.log.length;
	write(config);
	daemon.child.kill('SIGHUP');
	while (!/the configuration (was read again|stays as it was)/.test(daemon.log.slice(before)))
		await sleep(5);
	return daemon.log.slice(before);
}

/** The metrics, through the socket that only the view of the service has. */
async function metrics(daemon) {
	let pid = daemon.child.pid;
	for (let child; (child = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()); pid = child);
	const socketPath = `/proc/${pid}/root/run/jointcast/admin`;
	const answer = await new Promise((resolve, reject) => http.get({ socketPath, path: '/metrics', headers: { Host: 'localhost' } }, resolve).on('error', reject));
	let body = '';
	for await (const bytes of answer)
		body += bytes;
	return body;
}

test('the daemon sends, records, reloads and ends in the sandbox', async () => {
	write('server { web = "/mnt/given" }\nsource "walker" { uri = "demo:walk" }\n');
	const daemon = await start('--record', '/var/lib/jointcast');
	assert.doesNotMatch(daemon.log, /error/);
	assert.match(daemon.log, /status and metrics on unix:\/run\/jointcast\/admin\n/);
	const raw = await subscribe(daemon);
	assert.equal((await exchange(daemon.port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')).status, 200);
	// The unit hides /proc/stat and the processes of others (ProcSubset=pid, ProtectProc=invisible).
	const figures = Object.fromEntries([...(await metrics(daemon)).matchAll(/^process_(\w+) (\S+)$/gm)].map(([, key, value]) => [key, Number(value)]));
	assert.deepEqual(Object.keys(figures), ['cpu_seconds_total', 'resident_memory_bytes', 'virtual_memory_bytes', 'open_fds', 'max_fds', 'start_time_seconds']);
	assert.ok(figures.resident_memory_bytes > 1 << 20 && figures.open_fds > 5);
	assert.ok(Math.abs(figures.start_time_seconds - Date.now() / 1000) < 300);
	await reload(daemon, 'server { web = "/mnt/given" }\nsource "sitter" { uri = "demo:sit" }\n');
	await become(daemon, ['sitter']);
	assert.match(await reload(daemon, 'server {\n\tlisten = 7\n}\n'), /stays as it was: [^\n]+, line 2 of/);
	await become(daemon, ['sitter']);
	assert.ok(!raw.closed);
	raw.socket.destroy();
	assert.equal(await daemon.stop(), 0);
});

test('a recording is complete and plays inside the sandbox, whole or as the motion of one body', async () => {
	const [name] = fs.readdirSync(state).filter((file) => file.endsWith('.mcap'));
	const { status, stdout, stderr } = spawnSync(jointcast, ['inspect', path.join(state, name), '--json'], { encoding: 'utf8' });
	assert.equal(status, 0, stderr);
	assert.ok(stdout.includes('walker'));
	const recording = `/var/lib/jointcast/${name}`;
	write(`server { web = "/mnt/given" }\nsource "again" { uri = "file:${recording}?motion=0" }\n` +
		`source "all" { uri = "replay:${recording}?loop&prefix=re-" }\n`);
	const daemon = await start();
	// Bodies of a recording enter when it comes to them.
	while (String(await bodies(daemon)) !== 'again,re-walker')
		await sleep(20);
	(await subscribe(daemon)).socket.destroy();
	assert.equal(await daemon.stop(), 0);
});

test('the daemon serves TLS in the sandbox with a certificate that it creates and keeps', async () => {
	write('server { web = "/mnt/given" }\nsource "walker" { uri = "demo:walk" }\n');
	const daemon = await start('--tls-listen', '127.0.0.1:0', '--dev-certificate');
	const ca = fs.readFileSync(path.join(state, 'dev-certificate.pem'));
	const secure = { ca, servername: 'localhost' };
	const raw = await subscribe(daemon, secure);
	assert.ok(raw.socket.authorized);
	await reload(daemon, 'server { web = "/mnt/given" }\nsource "sitter" { uri = "demo:sit" }\n');
	assert.ok(!raw.closed);
	raw.socket.destroy();
	assert.equal(await daemon.stop(), 0);
});
