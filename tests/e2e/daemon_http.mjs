// The files of the viewer and nothing else, over a plain TCP socket.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import test, { after } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
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

/** A file and its compressed form, which is so many seconds older. */
function writeBoth(name, text, older = 0) {
	fs.writeFileSync(path.join(root, name), text);
	fs.writeFileSync(path.join(root, `${name}.gz`), gzipSync(text));
	const { mtimeMs } = fs.statSync(path.join(root, name));
	fs.utimesSync(path.join(root, `${name}.gz`), mtimeMs / 1000, mtimeMs / 1000 - older);
	fs.utimesSync(path.join(root, name), mtimeMs / 1000, mtimeMs / 1000);
}
writeBoth('both.js', 'export default 2;\n'.repeat(50));
writeBoth('stale.js', 'export default 3;\n', 1);
writeBoth('both.html', `<!doctype html><script>${map}</script>`);
fs.writeFileSync(path.join(root, 'linked.js'), 'export default 4;\n');
fs.symlinkSync('../secret.txt', path.join(root, 'linked.js.gz'));

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

/** The same with the bytes of the body, which may be compressed. */
async function getBytes(target, accept, headers = '') {
	const response = await new Promise((resolve, reject) => request({ port: daemon.port, path: target,
		headers: { ...(accept && { 'Accept-Encoding': accept }), ...headers } }, resolve).on('error', reject).end());
	return { status: response.statusCode, headers: response.headers, body: Buffer.concat(await response.toArray()) };
}

test('a client that accepts gzip gets the compressed form of a file, with a tag of its own', async () => {
	const plain = await getBytes('/both.js');
	const small = await getBytes('/both.js', 'deflate, gzip, br');
	assert.equal(plain.body.toString(), 'export default 2;\n'.repeat(50));
	assert.equal(plain.headers['content-encoding'], undefined);
	assert.equal(small.headers['content-encoding'], 'gzip');
	assert.equal(small.headers['content-type'], 'text/javascript; charset=utf-8');
	assert.ok(small.body.length < plain.body.length);
	assert.equal(gunzipSync(small.body).toString(), plain.body.toString());
	assert.deepEqual([plain, small].map(({ headers }) => headers.vary), ['Accept-Encoding', 'Accept-Encoding']);
	assert.notEqual(small.headers.etag, plain.headers.etag);
	const again = { 'If-None-Match': small.headers.etag };
	assert.equal((await getBytes('/both.js', 'gzip', again)).status, 304);
	assert.equal((await getBytes('/both.js', '', again)).status, 200);
});

test('a compressed page has the policy of its text', async () => {
	const [plain, small] = [await getBytes('/both.html'), await getBytes('/both.html', 'gzip')];
	assert.equal(small.headers['content-encoding'], 'gzip');
	assert.match(small.headers['content-security-policy'], /'sha256-/);
	assert.equal(small.headers['content-security-policy'], plain.headers['content-security-policy']);
});

for (const [what, target, accept] of [['a client that excludes gzip', '/both.js', 'gzip;q=0, br'],
	['a client that accepts another coding', '/both.js', 'br, x-gzip'], ['a file that changed after its compression', '/stale.js', 'gzip'],
	['a file without a compressed form', '/a.js', 'gzip'], ['a compressed form that a link leads to', '/linked.js', 'gzip'],
	['an answer that is no file', '/skeletons', 'gzip'], ['an error', '/nothing', 'gzip']]) {
	test(`nothing is compressed: ${what}`, async () => {
		const { headers, body } = await getBytes(target, accept);
		assert.equal(headers['content-encoding'], undefined);
		assert.match(body.toString(), /^(export default|\{|no such file)/);
	});
}

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
