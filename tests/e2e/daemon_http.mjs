// The files of the viewer and nothing else, over a plain TCP socket.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import test, { after } from 'node:test';
import { scratch, start } from './support/daemon.mjs';
import { exchange } from './support/websocket_bytes.mjs';

const folder = scratch();
const root = path.join(folder, 'web');
const map = '{"imports":{"three":"./three.js"}}';
fs.mkdirSync(path.join(root, 'sub'), { recursive: true });
fs.writeFileSync(path.join(folder, 'secret.txt'), 'secret');
fs.writeFileSync(path.join(root, 'index.html'),
	`<!doctype html><script type="importmap">${map}</script><script type="module" src="a.js"></script>`);
fs.writeFileSync(path.join(root, 'a.js'), 'export default 1;\n');
fs.writeFileSync(path.join(root, '.hidden'), 'hidden');
fs.writeFileSync(path.join(root, 'sub', 'b c.css'), 'a{}');
fs.writeFileSync(path.join(root, 'large.wasm'), Buffer.alloc(3 << 20, 7));
fs.symlinkSync('../secret.txt', path.join(root, 'escape.txt'));
fs.symlinkSync('a.js', path.join(root, 'inside.mjs'));

const daemon = await start('--web', root);
after(async () => assert.equal(await daemon.stop(), 0));

const get = (target, headers = '', method = 'GET') =>
	exchange(daemon.port, `${method} ${target} HTTP/1.1\r\nHost: localhost:${daemon.port}\r\n${headers}\r\n`);

test('/ is the page, with a policy that allows its import map by hash and no other inline script', async () => {
	const { status, headers, body } = await get('/');
	assert.equal(status, 200);
	assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
	assert.equal(headers.get('x-content-type-options'), 'nosniff');
	assert.match(body, /importmap/);
	const policy = headers.get('content-security-policy');
	const hash = createHash('sha256').update(map).digest('base64');
	const scripts = /script-src ([^;]*)/.exec(policy)[1];
	assert.deepEqual(scripts.split(' '), ["'self'", "'wasm-unsafe-eval'", `'sha256-${hash}'`]);
	assert.match(policy, /worker-src 'self' blob:/);
	assert.match(policy, /connect-src 'self' ws:/);
});

for (const [target, type] of [['/a.js', 'text/javascript; charset=utf-8'],
	['/inside.mjs', 'text/javascript; charset=utf-8'], ['/sub/b%20c.css?v=1', 'text/css; charset=utf-8'],
	['/large.wasm', 'application/wasm'], ['/a.js?x#y', 'text/javascript; charset=utf-8']]) {
	test(`${target} has its content type`, async () => {
		const { status, headers, body } = await get(target);
		assert.equal(status, 200);
		// inside.mjs is judged by the file it leads to
		assert.equal(headers.get('content-type'), type);
		assert.equal(Number(headers.get('content-length')), body.length);
	});
}

for (const target of ['/../secret.txt', '/%2e%2e/secret.txt', '/sub/..%2f..%2fsecret.txt',
	'/sub/../../secret.txt', '/escape.txt', '/.hidden', '/sub', '/sub/', '/nothing', '/a.js%00.html', '/%',
	'/%zz', '//etc/passwd', `/${'a/'.repeat(3000)}`]) {
	test(`${target.slice(0, 40)} is not found`, async () => {
		const { status, body } = await get(target);
		assert.equal(status, 404);
		assert.doesNotMatch(body, /secret|hidden|root:/);
	});
}

test('HEAD has the length and no body', async () => {
	const { status, headers, body } = await get('/a.js', '', 'HEAD');
	assert.equal(status, 200);
	assert.equal(headers.get('content-length'), '18');
	assert.equal(body, '');
});

test('a known tag gets 304', async () => {
	const { headers } = await get('/a.js');
	const again = await get('/a.js', `If-None-Match: ${headers.get('etag')}\r\n`);
	assert.equal(again.status, 304);
	assert.equal(again.body, '');
	assert.equal((await get('/a.js', 'If-None-Match: "x"\r\n')).status, 200);
});

test('/healthz returns ok', async () => {
	const { status, body } = await get('/healthz');
	assert.equal(status, 200);
	assert.equal(body, 'ok\n');
});

for (const [method, headers, status] of [['POST', 'Content-Length: 3\r\n', 405], ['PUT', '', 405],
	['PUT', 'Transfer-Encoding: chunked\r\n', 411], ['DELETE', '', 405], ['OPTIONS', '', 405],
	['CONNECT', '', 405], ['TRACE', '', 405], ['get', '', 405]]) {
	test(`${method} ${headers.trim()} is refused with ${status}`, async () => {
		assert.equal((await get('/', headers, method)).status, status);
	});
}

for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', '10.0.0.1', '127.0.0.256', '']) {
	test(`no file is served to the host '${host}'`, async () => {
		const { status } = await exchange(daemon.port, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
		assert.equal(status, 403);
	});
}

for (const garbage of ['\r\n\r\n', 'GET /\r\n\r\n', 'GET / HTTP/1.1\nHost: localhost\n\n', '\x16\x03\x01\x00\xa5\r\n\r\n',
	'GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n', 'GET / HTTP/1.1\r\nHost localhost\r\n\r\n']) {
	test(`${JSON.stringify(garbage.slice(0, 30))} is not a valid request`, async () => {
		assert.equal((await exchange(daemon.port, garbage)).status, 400);
	});
}
