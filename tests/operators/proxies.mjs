// The recipes of systemd/proxy with real proxies: nginx and Caddy of Debian in front of the daemon,
// TLS at the proxy, on port 443 and on another one. The page loads, a WebSocket delivers bundles,
// guests redeem invitations, clients keep their addresses, pages of other sites are refused, and mistakes are named in the log.
// Debian packages: nginx-light, caddy, openssl, chromium. Needs root, for a network namespace.
//
// usage: node tests/operators/proxies.mjs [BUILD]     default: build/release, with the viewer
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);
const ROOT = path.resolve(path.dirname(self), '../..');
const BUILD = path.resolve(process.argv[2] ?? path.join(ROOT, 'build/release'));

// The ports 443, 8443 and 9873 are free in a namespace of its own.
if (!process.env.JOINTCAST_APART) {
	const { status } = spawnSync('unshare', ['--net', '--mount', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath, self, BUILD],
		{ stdio: 'inherit', env: { ...process.env, JOINTCAST_APART: '1', JC_BUILD: BUILD } });
	process.exit(status ?? 1);
}
process.argv[2] = path.join(BUILD, 'daemon/jointcastd');
const { default: test, after } = await import('node:test');
const { start, scratch } = await import('../e2e/support/daemon.mjs');
const { until } = await import('../e2e/support/until.mjs');
const { exchange, frames, handshake, Raw, text } = await import('../e2e/support/websocket_bytes.mjs');
const { openViewer } = await import('../e2e/support/browser.mjs');

process.setMaxListeners(64);
const NAME = 'room.example.org';
const WEB = path.join(BUILD, 'share/jointcast/web');
const folder = scratch();
const at = (name) => path.join(folder, name);
const recipe = (name) => readFileSync(path.join(ROOT, 'systemd/proxy', name), 'utf8');
/** Replaces text that must be there. */
function change(content, ...pairs) {
	for (const [from, to] of pairs) {
		assert.ok(content.includes(from), `the recipe lacks '${from}'`);
		content = content.replaceAll(from, to);
	}
	return content;
}

const run = (command, ...args) => {
	const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
	assert.equal(status, 0, `${command}: ${stderr}`);
};
run('openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-keyout', at('tls.key'),
	'-out', at('tls.pem'), '-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`);
run(path.join(BUILD, 'clients/cli/jointcast'), 'token', '--new-key', at('main.pem'), '--algorithm', 'ES256');
const moderator = spawnSync(path.join(BUILD, 'clients/cli/jointcast'), ['token', at('main.pem'), '--algorithm', 'ES256', '--kid', 'main',
	'--sub', 'mia', '--space', 'lobby', '--role', 'moderate', '--role', 'watch'], { encoding: 'utf8' }).stdout.trim();
const tls = { ca: readFileSync(at('tls.pem')), servername: NAME };

mkdirSync(at('conf.d'));
const settings = change(recipe('jointcastd.conf'), ['/etc/jointcast/keys/main.pem.pub', at('main.pem.pub')]);
writeFileSync(at('conf'), 'limits { connections_per_address = 2 }\n');
writeFileSync(at('conf.d/proxy.conf'), settings);
const daemon = await start('--source', 'demo:walk', '--web', WEB, '--state', at('state'), '--config', at('conf'));
after(async () => assert.equal(await daemon.stop(), 0));

/** Starts a proxy and waits until it accepts connections on the port. */
async function startProxy(port, command, ...args) {
	const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'],
		env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, JOINTCAST_SITE: `https://${NAME}:${port}` } });
	let log = '';
	child.stdout.on('data', (bytes) => (log += bytes));
	child.stderr.on('data', (bytes) => (log += bytes));
	process.on('exit', () => child.kill('SIGKILL'));
	const ended = new Promise((resolve) => child.on('exit', resolve));
	await until(`${command} on port ${port}`, async () => {
		assert.equal(child.exitCode, null, log);
		const raw = new Raw(port);
		const answers = await Promise.race([raw.ended.then(() => false), new Promise((resolve) => raw.socket.on('connect', () => resolve(true)))]);
		raw.socket.destroy();
		return answers;
	});
	return async () => {
		child.kill('SIGTERM');
		await ended;
	};
}

function nginx(port, host) {
	let site = change(recipe('nginx.conf'), ['listen 443', `listen ${port}`], ['[::]:443', `[::]:${port}`],
		[`/etc/letsencrypt/live/${NAME}/fullchain.pem`, at('tls.pem')], [`/etc/letsencrypt/live/${NAME}/privkey.pem`, at('tls.key')]);
	if (host !== '$host')
		site = change(site, ['\t\tproxy_set_header Host $host;\n', host ? `\t\tproxy_set_header Host ${host};\n` : '']);
	writeFileSync(at('site.conf'), site);
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
	writeFileSync(at('nginx.conf'), `daemon off; user root; pid ${at('pid')}; error_log stderr;
		events { } http { access_log off; ${temporary} include ${at('site.conf')}; }\n`);
	return startProxy(port, 'nginx', '-p', folder, '-c', at('nginx.conf'));
}

function caddy(port, host) {
	let site = change(recipe('Caddyfile'), [' {\n\treverse_proxy', ` {\n\ttls ${at('tls.pem')} ${at('tls.key')}\n\treverse_proxy`]);
	if (host)
		site = change(site, ['9873}\n', `9873} {\n\t\theader_up Host ${host}\n\t}\n`]);
	writeFileSync(at('Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
	return startProxy(port, 'caddy', 'run', '--adapter', 'caddyfile', '--config', at('Caddyfile'));
}

/** The host and port of a request to the proxy, as browsers write them. */
const authority = (port) => (port === 443 ? NAME : `${NAME}:${port}`);
const origin = (port) => `https://${authority(port)}`;
const get = (port, target, headers = '') => exchange(port, `GET ${target} HTTP/1.1\r\nHost: ${authority(port)}\r\nConnection: close\r\n${headers}\r\n`, tls);

const post = (port, target, body, headers = '') => exchange(port, `POST ${target} HTTP/1.1\r\nHost: ${authority(port)}\r\nConnection: close\r\n`
	+ `Origin: ${origin(port)}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`, tls);

/** A guest redeems an invitation through the proxy, which speaks TLS; what a client states about that has no effect. */
async function checkInvitation(port) {
	const made = await post(port, '/invitations', '{"space":"lobby","role":"watch","expires":60,"uses":2}', `Authorization: Bearer ${moderator}\r\n`);
	assert.equal(made.status, 201, made.body);
	const secret = JSON.stringify({ invitation: JSON.parse(made.body).invitation });
	const guest = await post(port, '/invitations/redeem', secret);
	assert.equal(guest.status, 200, guest.body);
	assert.match(JSON.parse(guest.body).sub, /^guest-/);
	assert.equal((await post(port, '/invitations/redeem', secret, 'X-Forwarded-Proto: http\r\n')).status, 200);
	assert.equal((await post(port, '/invitations/redeem', secret)).status, 410);
}

/** The answer to a handshake through the proxy, and its connection. */
async function visit(t, port, { from, ...headers } = {}) {
	const raw = new Raw(port, tls, from);
	t.after(() => raw.socket.destroy());
	raw.send(handshake({ Host: authority(port), Origin: origin(port), ...headers }));
	await raw.until(() => raw.bytes.includes('\r\n\r\n'));
	raw.status = Number(raw.bytes.toString('latin1').split(' ')[1]);
	return raw;
}

async function checkAll(t, port) {
	const page = await get(port, '/');
	assert.equal(page.status, 200);
	assert.match(page.body, /<script type="module"/);
	assert.match(page.headers.get('content-security-policy'), /default-src 'self'/);
	assert.match((await get(port, '/healthz')).body, /^ok\b/);
	assert.equal((await get(port, '/metrics')).status, 404, 'figures stay on the listener for administration');

	await checkInvitation(port);

	const raw = await visit(t, port);
	assert.equal(raw.status, 101, raw.bytes.toString());
	raw.send(text({ type: 'hello' }), text({ type: 'join', space: 'lobby' }), text({ type: 'subscribe', space: 'lobby' }));
	await raw.until(() => frames(raw.bytes).filter(({ opcode }) => opcode === 2).length >= 30);
	raw.socket.destroy();
	await raw.ended;

	for (const foreign of ['https://evil.example', `https://${NAME}.evil.example`, 'null', 'http://localhost:5173'])
		assert.equal((await visit(t, port, { Origin: foreign })).status, 403, foreign);

	// Two connections of each address; a header of the client adds no address.
	const until101 = async (from) => {
		let visitor;
		do
			visitor = await visit(t, port, { from });
		while (visitor.status === 503);
		assert.equal(visitor.status, 101);
		return visitor;
	};
	const two = [await until101('127.0.0.2'), await until101('127.0.0.2')];
	assert.equal((await visit(t, port, { from: '127.0.0.2' })).status, 503);
	assert.equal((await visit(t, port, { from: '127.0.0.2', 'X-Forwarded-For': '203.0.113.9' })).status, 503);
	const other = await until101('127.0.0.3');
	for (const visitor of [...two, other]) {
		visitor.socket.destroy();
		await visitor.ended;
	}
}

for (const port of [443, 8443])
	for (const host of ['$host', '$http_host'])
		test(`nginx on port ${port} with Host ${host}`, async (t) => {
			t.after(await nginx(port, host));
			await checkAll(t, port);
		});

for (const port of [443, 8443])
	for (const host of [null, '{host}', '{hostport}'])
		test(`Caddy on port ${port} with ${host ? `Host ${host}` : 'its defaults'}`, async (t) => {
			t.after(await caddy(port, host));
			await checkAll(t, port);
		});

for (const [name, proxy] of [['nginx', () => nginx(8443, '$host')], ['Caddy', () => caddy(8443)]])
	test(`the viewer shows bodies in Chromium through ${name}`, async (t) => {
		t.after(await proxy());
		writeFileSync(at('conf'), 'limits { connections_per_address = 64 }\n');
		daemon.child.kill('SIGHUP');
		const viewer = await openViewer(t, `${origin(8443)}/`, { args: [`--host-resolver-rules=MAP ${NAME} 127.0.0.1`, '--no-proxy-server'], context: { ignoreHTTPSErrors: true } });
		await viewer.bodies(1);
		viewer.done();
	});

/** The line of configuration that the log names, once `ask` was refused. */
async function remedy(ask) {
	const before = daemon.log.length;
	assert.equal((await ask()).status, 403);
	const found = await until('a line of the log', () => /with: (.*)/.exec(daemon.log.slice(before)));
	return found[1];
}

async function reload() {
	const before = daemon.log.length;
	daemon.child.kill('SIGHUP');
	await until('a reload', () => /was read again/.test(daemon.log.slice(before)));
}

test('nginx without a line for Host: the log names the line that admits the page', async (t) => {
	t.after(await nginx(8443, ''));
	const line = await remedy(() => visit(t, 8443));
	assert.equal(line, `server { origins = {"${origin(8443)}"} }`);
	writeFileSync(at('conf.d/remedy.conf'), line);
	await reload();
	assert.equal((await visit(t, 8443)).status, 101);
});

test('a name that the configuration lacks: the log names the line that serves it', async (t) => {
	t.after(await nginx(8443, '$host'));
	writeFileSync(at('conf.d/proxy.conf'), change(settings, [`hosts = {"${NAME}"}`, '']));
	writeFileSync(at('conf.d/remedy.conf'), '');
	await reload();
	const line = await remedy(() => visit(t, 8443));
	assert.equal(line, `server { hosts = {"${NAME}"} }`);
	writeFileSync(at('conf.d/remedy.conf'), line);
	await reload();
	assert.equal((await visit(t, 8443)).status, 101);
	const { refusals } = JSON.parse((await exchange(daemon.admin, 'GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n')).body);
	assert.ok(refusals.hosts >= 1 && refusals.origins >= 1);
});
