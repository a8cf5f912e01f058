// Tests the listener for health and metrics: its pages, and that no other listener has them.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import test from 'node:test';
import { binary, run, scratch, start, startThrough } from './support/daemon.mjs';
import { exchange, open, text } from './support/websocket_bytes.mjs';

const folder = scratch();

/** GET at 127.0.0.1:PORT or a Unix socket; any Host will do. */
function get(where, target) {
	return new Promise((resolve, reject) => {
		http.get({ ...(typeof where === 'string' ? { socketPath: where } : { host: '127.0.0.1', port: where }), path: target,
			agent: false }, (response) => {
			let body = '';
			response.on('data', (bytes) => (body += bytes));
			response.on('end', () => resolve({ code: response.statusCode, body }));
		}).on('error', reject);
	});
}

test('only the administration listener serves health and metrics', async () => {
	const daemon = await start('--source', 'demo:walk');
	const port = daemon.admin;
	for (const [target, wanted] of [['/healthz', 'ok\n'], ['/readyz', 'ready\n'], ['/status', '{"version":'],
		['/metrics', '# HELP jointcast_']]) {
		const { code, body } = await get(port, target);
		assert.equal(code, 200, target);
		assert.ok(body.startsWith(wanted), body);
	}
	for (const target of ['/readyz', '/status', '/metrics'])
		assert.equal((await get(daemon.port, target)).code, 404);
	assert.equal((await get(daemon.port, '/healthz')).code, 200);
	assert.equal((await get(port, '/index.html')).code, 404);
	const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
		'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: jointcast.v1\r\n';
	assert.equal((await exchange(port, `GET / HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`)).status, 404);
	assert.equal(await daemon.stop(), 0);
});

test('without this listener they are not served: a local proxy and a local user look the same', async () => {
	const daemon = await startThrough(binary, '--listen', '127.0.0.1:0', '--tls-listen', '127.0.0.1:0', '--proxy-listen', '127.0.0.1:0',
		'--dev-certificate', '--state', scratch());
	const proxied = Number(/behind a proxy on 127\.0\.0\.1:(\d+)\n/.exec(daemon.log)[1]);
	// The request of nginx with "proxy_pass http://localhost:9871" alone.
	const request = (target, host) => `GET ${target} HTTP/1.0\r\nHost: ${host}\r\nConnection: close\r\nUser-Agent: curl/8\r\n\r\n`;
	for (const target of ['/readyz', '/status', '/metrics', '/status?', '/status/', '//status', '/%73tatus', '/./status']) {
		for (const [port, secure] of [[daemon.port], [daemon.tlsPort, { rejectUnauthorized: false }], [proxied]]) {
			for (const host of ['localhost', `localhost:${port}`, '127.0.0.1', '[::1]']) {
				const { status, body } = await exchange(port, request(target, host), secure);
				assert.ok([400, 404].includes(status), `${status} for ${target}`);
				assert.doesNotMatch(body, /version|jointcast_|ready|lobby/);
			}
		}
	}
	for (const [port, secure] of [[daemon.port], [daemon.tlsPort, { rejectUnauthorized: false }], [proxied]])
		assert.equal((await exchange(port, request('/healthz', 'localhost'), secure)).body, 'ok\n');
	assert.equal(await daemon.stop(), 0);
});

test('a Unix socket is private to its owner, replaces the one of a killed daemon, and is removed at exit', async () => {
	const file = path.join(folder, 'admin.sock');
	const killed = await start('--admin', `unix:${file}`);
	assert.equal(fs.statSync(file).mode & 0o777, 0o600);
	await killed.stop('SIGKILL');
	const daemon = await start('--admin', `unix:${file}`);
	assert.match((await get(file, '/status')).body, /"uptime"/);
	const second = await run('--listen', '127.0.0.1:0', '--admin', `unix:${file}`);
	assert.equal(second.code, 3);
	assert.match(second.stderr, /cannot listen on \S+: Address already in use\n/);
	assert.equal((await get(file, '/healthz')).code, 200);
	assert.equal(await daemon.stop(), 0);
	assert.ok(!fs.existsSync(file));
});

test('/readyz lists each source without motion', async () => {
	const record = scratch();
	const daemon = await start('--source', 'demo:walk', '--source', 'vmc:0?name=Ada', '--source',
		'vmc:0?name=Bob&space=hall', '--record', record);
	const { code, body } = await get(daemon.admin, '/readyz');
	assert.equal(code, 503);
	assert.match(body, /^source 'Ada' of space 'lobby' is waiting: port \d+: [^\n]+\nsource 'Bob' of space 'hall' is waiting: port \d+: [^\n]+\n$/);
	fs.rmSync(record, { recursive: true });
	assert.match((await get(daemon.admin, '/readyz')).body, /^disk: '[^']+jointcast-\w+': No such file or directory$/m);
	await daemon.stop();
});

test('a draining daemon reports it until its end', async () => {
	const daemon = await start();
	const raw = await open(daemon.port);
	raw.send(text({ type: 'hello' }));
	await raw.until(() => raw.bytes.includes('"welcome"'));
	raw.socket.pause(); // takes no farewell: the daemon waits for it a second
	const stopped = daemon.stop();
	while (!/stopping on SIGTERM/.test(daemon.log))
		await new Promise((resolve) => setTimeout(resolve, 2));
	const { code, body } = await get(daemon.admin, '/readyz');
	assert.deepEqual({ code, body }, { code: 503, body: 'draining\n' });
	raw.socket.destroy();
	assert.equal(await stopped, 0);
});
