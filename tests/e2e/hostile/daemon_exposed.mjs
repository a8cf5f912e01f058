// A daemon that other machines reach by TLS or through a proxy: what it serves to whom, and
// that it is never open without keys. This machine's own address stands for other machines.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { after } from 'node:test';
import { scratch, start } from '../support/daemon.mjs';
import { sleep } from '../support/until.mjs';
import { exchange, frames, handshake, Raw, text } from '../support/websocket_bytes.mjs';

const folder = scratch();
const config = path.join(folder, 'jointcastd.conf');
const secret = path.join(folder, 'secret');
fs.writeFileSync(secret, crypto.randomBytes(32));
const open = `server { state = "${folder}" hosts = {"room.example"} }
tls { listen = "0.0.0.0:0" development = true }
proxy { listen = "0.0.0.0:0" }
`;
const keys = `auth { key "a" { algorithm = "HS256" file = "${secret}" } }\n`;
fs.writeFileSync(config, open + keys);
const daemon = await start('--config', config);
const port = (what) => Number(new RegExp(`${what} 0\\.0\\.0\\.0:(\\d+)`).exec(daemon.log)[1]);
const ports = { tls: port('TLS on'), proxy: port('behind a proxy on') };
const ca = fs.readFileSync(path.join(folder, 'dev-certificate.pem'));
const address = Object.values(os.networkInterfaces()).flat()
	.find(({ family, internal }) => (family === 'IPv4' || family === 4) && !internal)?.address;
const elsewhere = address === undefined && 'no address but those of loopback';

after(async () => assert.equal(await daemon.stop(), 0));

const get = (target, host) => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

for (const target of ['/status', '/metrics', '/readyz']) {
	test(`${target} is served neither through TLS nor to a proxy, with any headers`, async () => {
		for (const host of ['localhost', '127.0.0.1', 'room.example']) {
			assert.equal((await exchange(ports.proxy, get(target, host))).status, 404, host);
			assert.equal((await exchange(ports.tls, get(target, host), { ca })).status, 404, host);
		}
	});
	test(`${target} is not served to another machine`, { skip: elsewhere }, async () => {
		for (const host of ['localhost', '127.0.0.1', address])
			assert.equal((await exchange(ports.tls, get(target, host), { ca, host: address })).status, 404, host);
	});
	test(`${target} is served by the listener for administration`, async () => {
		assert.equal((await exchange(daemon.admin, get(target, 'localhost'))).status, 200);
	});
}

test('serves page and WebSocket through TLS on this machine\'s address', { skip: elsewhere }, async () => {
	const raw = new Raw(ports.tls, { ca, host: address });
	raw.send(handshake({ Host: `${address}:${ports.tls}`, Origin: `https://${address}:${ports.tls}` }));
	await raw.until(() => raw.bytes.includes('\r\n\r\n'));
	assert.match(raw.bytes.toString('latin1'), /^HTTP\/1\.1 101 /);
	raw.socket.destroy();
});

for (const [name, secure] of [['tls', { ca }], ['proxy', undefined]]) {
	test(`clients without a token are refused by ${name}`, async () => {
		const raw = new Raw(ports[name], secure);
		raw.send(handshake({ Host: name === 'tls' ? 'localhost' : 'room.example' }));
		await raw.until(() => raw.bytes.includes('\r\n\r\n'));
		raw.send(text({ type: 'hello' }));
		const error = await raw.until(() => frames(raw.bytes)[0]);
		assert.equal(JSON.parse(error.payload).reason, 'no-token');
		raw.socket.destroy();
	});
}

test('a name that is not among the hosts is refused by a proxy\'s port', async () => {
	assert.equal((await exchange(ports.proxy, get('/healthz', 'evil.example'))).status, 403);
	assert.equal((await exchange(ports.proxy, get('/healthz', 'room.example'))).status, 200);
});

test('a configuration that loses its keys does not open external listeners', async () => {
	const before = daemon.log.length;
	fs.writeFileSync(config, open);
	daemon.child.kill('SIGHUP');
	while (!/stays as it was/.test(daemon.log.slice(before)))
		await sleep(5);
	assert.match(daemon.log.slice(before), /is not a loopback address, and the configuration has no key/);
	// Nor one that no longer names the ports while they are still open.
	fs.writeFileSync(config, `server { state = "${folder}" }\n`);
	const again = daemon.log.length;
	daemon.child.kill('SIGHUP');
	while (!/stays as it was|was read again/.test(daemon.log.slice(again)))
		await sleep(5);
	assert.match(daemon.log.slice(again), /stays as it was/);
});
