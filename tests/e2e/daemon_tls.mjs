// TLS: with browsers, with the tool, with clients of other protocols, and the choice of the
// certificate.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import test, { after } from 'node:test';
import tls from 'node:tls';
import { WebSocket } from 'ws';
import { connect } from '../../clients/js/index.js';
import { binary, run, scratch, start } from './support/daemon.mjs';
import { sleep } from './support/until.mjs';
import { exchange, Raw } from './support/websocket_bytes.mjs';

const folder = scratch();
const tool = process.argv[3];
const state = path.join(folder, 'state');
const certificateFile = path.join(state, 'dev-certificate.pem');
const development = ['--tls-listen', '127.0.0.1:0', '--dev-certificate', '--state', state];
const daemon = await start(...development, '--source', 'demo:walk?name=walker');
const read = (file) => new X509Certificate(fs.readFileSync(file));
const ca = fs.readFileSync(certificateFile);
const request = (host = 'localhost') => `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

after(async () => assert.equal(await daemon.stop(), 0));

/** Returns certificate and parameters of a handshake, or the error. */
async function greet(port, options = {}) {
	const socket = tls.connect({ port, host: '127.0.0.1', ca, ...options });
	try {
		await once(socket, 'secureConnect');
		return { protocol: socket.getProtocol(), cipher: socket.getCipher().standardName, alpn: socket.alpnProtocol,
			shown: socket.getPeerX509Certificate().fingerprint256 };
	} catch (error) {
		return { error: error.code };
	} finally {
		socket.destroy();
	}
}

// ---- the certificate that the daemon makes ---------------------------------------------

test('the development certificate has all names and addresses of this machine', () => {
	const certificate = read(certificateFile);
	const names = certificate.subjectAltName.split(', ');
	assert.ok(names.includes('DNS:localhost'));
	const addresses = Object.values(os.networkInterfaces()).flat().filter(({ scopeid }) => !scopeid);
	for (const { address } of addresses)
		assert.equal(certificate.checkIP(address), address, `${address} in ${names}`);
	if (/^[a-z0-9.-]+$/i.test(os.hostname()))
		assert.equal(certificate.checkHost(os.hostname()), os.hostname());
	assert.equal(certificate.ca, false);
	assert.equal(certificate.publicKey.asymmetricKeyDetails.namedCurve, 'prime256v1');
	const days = (new Date(certificate.validTo) - Date.now()) / 86400e3;
	assert.ok(days > 300 && days < 398, `browsers take none of ${days} days`);
});

test('its fingerprint is logged, its files are private to their owner', () => {
	assert.ok(daemon.log.includes(`SHA-256 ${read(certificateFile).fingerprint256}`));
	for (const file of fs.readdirSync(state).filter((name) => name.startsWith('dev-')))
		assert.equal(fs.statSync(path.join(state, file)).mode & 0o777, 0o600, file);
	assert.deepEqual(fs.readdirSync(state).filter((name) => name.startsWith('dev-')).sort(),
		['dev-certificate.pem', 'dev-key.pem']);
});

test('the next start uses the same certificate, which a headset may trust', async () => {
	const other = await start(...development);
	assert.equal((await greet(other.tlsPort)).shown, read(certificateFile).fingerprint256);
	assert.equal(await other.stop(), 0);
});

// ---- parameters of a connection -------------------------------------------------------

test('supports TLS 1.3 and 1.2 with forward secrecy and HTTP/1.1', async () => {
	const now = await greet(daemon.tlsPort, { ALPNProtocols: ['h2', 'http/1.1'] });
	assert.deepEqual({ ...now, cipher: undefined, shown: undefined },
		{ protocol: 'TLSv1.3', cipher: undefined, alpn: 'http/1.1', shown: undefined });
	const before = await greet(daemon.tlsPort, { maxVersion: 'TLSv1.2' });
	assert.equal(before.protocol, 'TLSv1.2');
	assert.match(before.cipher, /^TLS_ECDHE_ECDSA_WITH_(AES_\d+_GCM|CHACHA20)/);
});

for (const [name, options] of Object.entries({
	'TLS 1.1': { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' },
	'a cipher in CBC mode': { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA' },
	'a key without forward secrecy': { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' },
})) {
	test(`${name} is refused`, async () => {
		const { error } = await greet(daemon.tlsPort, { rejectUnauthorized: false, ...options });
		assert.match(error, /^(ERR_SSL|EPROTO|ECONNRESET)/);
	});
}

test('a client that does not trust the certificate cannot connect', async () => {
	assert.equal((await greet(daemon.tlsPort, { ca: undefined })).error, 'DEPTH_ZERO_SELF_SIGNED_CERT');
	assert.equal((await greet(daemon.tlsPort, { servername: 'other.example' })).error, 'ERR_TLS_CERT_ALTNAME_INVALID');
});

// ---- peers ------------------------------------------------------------------------------

test('npm ws greets, joins, subscribes and gets bundles', async () => {
	const socket = new WebSocket(`wss://localhost:${daemon.tlsPort}/`, 'jointcast.v1', { ca, family: 4, perMessageDeflate: true });
	const texts = [];
	let bundles = 0;
	await new Promise((resolve, reject) => {
		socket.on('error', reject);
		socket.on('open', () => [{ type: 'hello' }, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' }]
			.forEach((message) => socket.send(JSON.stringify(message))));
		socket.on('message', (data, binary) => {
			if (!binary)
				texts.push(JSON.parse(data).type);
			else if (++bundles === 20)
				resolve();
		});
	});
	assert.deepEqual(texts, ['welcome', 'roster', 'skeleton']);
	assert.equal(socket.extensions, '');
	socket.close(1000);
	const [code] = await once(socket, 'close');
	assert.equal(code, 1000);
});

test('the client library has a body, its skeleton and bundles', async () => {
	class Trusting extends WebSocket {
		constructor(url, protocols) {
			super(url, protocols, { ca, family: 4 });
		}
	}
	const client = connect(`wss://localhost:${daemon.tlsPort}/`, { WebSocket: Trusting });
	for (const end = Date.now() + 5000; client.state !== 'live' || client.traffic.bundles < 10; await sleep(10))
		assert.ok(Date.now() < end, `${client.state}, ${client.traffic.bundles} bundles`);
	assert.deepEqual([...client.bodies.values()].map(({ name }) => name), ['walker']);
	assert.equal(client.traffic.damaged, 0);
	client.close();
});

test('curl fetches', { skip: spawnSync('curl', ['--version']).status !== 0 && 'no curl here' }, () => {
	const { status, stdout, stderr } = spawnSync('curl', ['-sS', '--cacert', certificateFile,
		`https://localhost:${daemon.tlsPort}/healthz`], { encoding: 'utf8' });
	assert.equal(status, 0, stderr);
	assert.match(stdout, /ok/);
});

test('the tool connects only with --ca', () => {
	const list = (...more) => spawnSync(tool, ['register', '--list', `https://localhost:${daemon.tlsPort}`, ...more],
		{ encoding: 'utf8' });
	const good = list('--ca', certificateFile);
	assert.equal(good.status, 0, good.stderr);
	const bad = list();
	assert.equal(bad.status, 3);
	assert.match(bad.stderr, /self-signed certificate/);
});

test('a file without certificates is reported by every command that connects', () => {
	for (const command of ['status', 'watch']) {
		const { status, stderr } = spawnSync(tool, [command, `https://localhost:${daemon.tlsPort}`,
			'--ca', '/nonexistent.pem'], { encoding: 'utf8' });
		assert.equal(status, 3);
		assert.match(stderr, /'\/nonexistent\.pem' contains no certificates/);
	}
});

test('bench fanout --tls measures clients with and without TLS', () => {
	const { status, stdout, stderr } = spawnSync(tool, ['bench', 'fanout', '--daemon', binary, '--subscribers', '8',
		'--rounds', '1', '--seconds', '1', '--tls', '--json'], { encoding: 'utf8' });
	assert.equal(status, 0, stderr);
	const figures = JSON.parse(stdout);
	assert.equal(figures.disconnected, 0);
	assert.ok(figures.cpu_us_per_delivery > 0 && figures.tls_cpu_us_per_delivery > 0, stdout);
	assert.equal(figures.tls_ratio, figures.tls_cpu_us_per_delivery / figures.cpu_us_per_delivery);
});

test('a file in many pieces arrives complete', async () => {
	const web = path.join(folder, 'web');
	const large = Buffer.alloc(3 << 20, 7);
	fs.mkdirSync(web);
	fs.writeFileSync(path.join(web, 'large.wasm'), large);
	const other = await start(...development, '--web', web);
	const { status, body } = await exchange(other.tlsPort, 'GET /large.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n', { ca });
	assert.equal(status, 200);
	assert.ok(Buffer.from(body, 'latin1').equals(large));
	assert.equal(await other.stop(), 0);
});

test('serves only the names of the certificate', async () => {
	assert.equal((await exchange(daemon.tlsPort, request(`localhost:${daemon.tlsPort}`), { ca })).status, 200);
	assert.equal((await exchange(daemon.tlsPort, request('evil.example'), { ca })).status, 403);
	const name = [...read(certificateFile).subjectAltName.matchAll(/DNS:([^,]+)/g)].map(([, host]) => host).at(-1);
	assert.equal((await exchange(daemon.tlsPort, request(name), { ca })).status, 200);
});

// ---- clients of other protocols ----------------------------------------------------------

test('HTTP without TLS gets an answer that names TLS', async () => {
	const { status, body } = await exchange(daemon.tlsPort, request());
	assert.equal(status, 400);
	assert.match(body, /this port speaks TLS: https:\/\/ and wss:\/\//);
});

test('refuses TLS on the plain port', async () => {
	assert.match((await greet(daemon.port)).error, /^(ERR_SSL|EPROTO|ECONNRESET)/);
	assert.equal((await exchange(daemon.port, request())).status, 200);
});

test('bytes that are neither HTTP nor TLS end the connection', async () => {
	const raw = new Raw(daemon.tlsPort);
	raw.send(Buffer.from([0x16, 0x03, 0x01, 0xff, 0xff, ...Array(600).fill(0xa5)]));
	assert.doesNotMatch(await raw.all(), /HTTP/);
});

test('an incomplete handshake ends at the request deadline', async () => {
	const relay = net.createServer((from) => {
		const to = net.connect(daemon.tlsPort, '127.0.0.1');
		from.once('data', (hello) => to.write(hello.subarray(0, 80)));
		to.on('close', () => from.destroy());
		[from, to].forEach((socket) => socket.on('error', () => {}));
	}).listen(0, '127.0.0.1');
	await once(relay, 'listening');
	const stuck = net.connect(daemon.tlsPort, '127.0.0.1'); // sends nothing
	stuck.resume();
	const began = Date.now();
	const [half] = await Promise.all([greet(relay.address().port), once(stuck, 'close')]);
	assert.match(half.error, /^ECONN/);
	assert.ok(Date.now() - began > 3000, 'it was cut off at once');
	relay.close();
});

test('a connection that ends within TLS releases its descriptor', async () => {
	const descriptors = () => fs.readdirSync(`/proc/${daemon.child.pid}/fd`).length;
	const before = descriptors();
	for (let i = 0; i < 20; i++) {
		const socket = tls.connect({ port: daemon.tlsPort, host: '127.0.0.1', ca });
		await once(socket, 'secureConnect');
		i % 2 ? socket.destroy() : socket.end();
	}
	for (const end = Date.now() + 8000; descriptors() > before; await sleep(20))
		assert.ok(Date.now() < end, `${descriptors()} descriptors, ${before} before`);
});

// ---- other certificates --------------------------------------------------------------------

test('SIGHUP loads another certificate for new connections, keeps open ones, and a bad file changes nothing', async () => {
	const second = path.join(folder, 'second');
	const [certificate, key] = ['certificate.pem', 'key.pem'].map((name) => path.join(folder, name));
	const take = (from) => {
		fs.copyFileSync(path.join(from, 'dev-certificate.pem'), certificate);
		fs.copyFileSync(path.join(from, 'dev-key.pem'), key);
	};
	const maker = await start('--tls-listen', '127.0.0.1:0', '--dev-certificate', '--state', second);
	assert.equal(await maker.stop(), 0);
	take(state);
	const other = await start('--tls-listen', '127.0.0.1:0', '--certificate', certificate, '--key', key);
	const reload = async (wanted) => {
		const before = other.log.length;
		other.child.kill('SIGHUP');
		while (!wanted.test(other.log.slice(before)))
			await sleep(5);
	};
	const stays = new Raw(other.tlsPort, { ca });
	await once(stays.socket, 'secureConnect');

	fs.copyFileSync(path.join(second, 'dev-key.pem'), key);
	await reload(/stays as it was.*the key does not belong to the certificate/);
	assert.equal((await greet(other.tlsPort)).shown, read(path.join(state, 'dev-certificate.pem')).fingerprint256);
	fs.writeFileSync(certificate, 'no certificate');
	await reload(/stays as it was.*not a certificate in PEM/);

	take(second);
	await reload(/was read again/);
	const shown = await greet(other.tlsPort, { ca: fs.readFileSync(certificate) });
	assert.equal(shown.shown, read(path.join(second, 'dev-certificate.pem')).fingerprint256);
	stays.send(request());
	assert.match(await stays.all(), /^HTTP\/1\.1 200 /);
	assert.equal(await other.stop(), 0);
});

for (const [name, wanted, make] of [
	['a key that is another\'s', /the key does not belong to the certificate/, (from) => [from('certificate'), from('key', 'third')]],
	['a certificate that is none', /not a certificate in PEM/, (from) => [from('key'), from('key')]],
	['a key that is none', /not a private key in PEM/, (from) => [from('certificate'), from('certificate')]],
	['a file that is not there', /nothing\.pem/, (from) => [path.join(folder, 'nothing.pem'), from('key')]],
]) {
	test(`${name} prevents the start`, async () => {
		const third = path.join(folder, 'third');
		if (!fs.existsSync(third))
			await (await start('--tls-listen', '127.0.0.1:0', '--dev-certificate', '--state', third)).stop();
		const [certificate, key] = make((kind, of = 'state') => path.join(folder, of, `dev-${kind}.pem`));
		const { code, stderr } = await run('--listen', '127.0.0.1:0', '--tls-listen', '127.0.0.1:0',
			'--certificate', certificate, '--key', key);
		assert.equal(code, 3);
		assert.match(stderr, wanted);
		assert.equal(stderr.split('\n').filter((line) => /error/.test(line)).length, 1, stderr);
	});
}
