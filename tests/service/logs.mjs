// The log never contains poses or tokens, with any input; lines that clients cause are limited
// in number.
// usage: node logs.mjs JOINTCASTD
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import dgram from 'node:dgram';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { scratch, start } from '../e2e/support/daemon.mjs';
import { now, secret, sign } from '../e2e/support/token.mjs';
import { sleep } from '../e2e/support/until.mjs';
import { exchange, frame, frames, handshake, open, Raw, text } from '../e2e/support/websocket_bytes.mjs';

const folder = scratch();


const token = (claims = {}, key = secret) => sign({ alg: 'HS256', kid: 'k' }, { sub: 'ada', aud: 'jointcast', spaces: '*',
	bodies: '*', roles: ['watch', 'publish'], exp: now() + 600, ...claims }, key);

const control = (raw) => frames(raw.bytes).filter(({ opcode }) => opcode === 1)
	.map(({ payload }) => JSON.parse(payload.toString()));

/** The lines that contain what looks like a part of a token, or like a measured number. */
function told(log) {
	return log.split('\n').filter((line) => /[\w-]{24,}\.|\.[\w-]{40,}/.test(line) || /\d\.\d{4,}|\d[eE]-\d|\bnan\b|\binf/i.test(line));
}

test('valid and invalid tokens in any place are not in the log', async () => {
	const config = path.join(folder, 'jointcastd.conf');
	fs.writeFileSync(path.join(folder, 'k'), secret);
	fs.writeFileSync(config, `auth { key "k" { algorithm = "HS256" file = "${folder}/k" } }\nsource "walker" { uri = "demo:walk" }\n`);
	const daemon = await start('--config', config);
	const tokens = [token(), token({ exp: 1 }), token({ aud: 'other' }), token({}, crypto.randomBytes(32)),
		`${token()}x`, token().slice(0, -9), token({ sub: 'x'.repeat(70) })];
	for (const shown of tokens) {
		const raw = await open(daemon.port);
		raw.send(text({ type: 'hello', token: shown }));
		await raw.until(() => control(raw)[0]);
		raw.send(text({ type: 'token', token: shown }), text({ type: 'join', space: shown.slice(0, 63), token: shown }),
			text({ type: shown }), text(`{"type":"token","token":"${shown}`));
		raw.socket.end();
		await raw.ended;
		const second = new Raw(daemon.port);
		second.send(handshake({ 'Sec-WebSocket-Protocol': `jointcast.v1, jointcast.token.${shown}` }));
		await second.until(() => second.bytes.includes('\r\n\r\n'));
		second.socket.destroy();
		for (const request of [`GET /?token=${shown} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
			`GET /skeletons/${shown} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${shown}\r\n\r\n`,
			`GET / HTTP/1.1\r\nHost: ${shown.slice(0, 200)}\r\n\r\n`, `${shown}\r\n\r\n`])
			await exchange(daemon.port, request);
	}
	// A key file that holds a token by mistake: the log must not show it either, whether the
	// daemon accepts this key or not.
	fs.writeFileSync(path.join(folder, 'k'), token());
	daemon.child.kill('SIGHUP');
	while (!/configuration (was read|stays)/.test(daemon.log))
		await sleep(5);
	assert.equal(await daemon.stop(), 0);
	for (const shown of tokens) {
		for (const piece of shown.split('.').filter((piece) => piece.length > 8))
			assert.ok(!daemon.log.includes(piece), piece);
	}
	assert.deepEqual(told(daemon.log), []);
});

const words = (...values) => Buffer.concat(values.map((value) => {
	const bytes = Buffer.alloc(4);
	bytes.writeFloatBE(value);
	return bytes;
}));
const padded = (value) => Buffer.from(value + '\0'.repeat(4 - (Buffer.byteLength(value) % 4)));
const bone = (name, ...values) => Buffer.concat([padded('/VMC/Ext/Bone/Pos'), padded(',sfffffff'), padded(name), words(...values)]);

test('complete and damaged poses of any source are not in the log', async () => {
	const daemon = await start('--source', 'vmc:0?name=Ada', '--source', 'demo:walk', '--state', folder);
	const port = Number(/vmc 127\.0\.0\.1:(\d+): waiting for a body/.exec(daemon.log)[1]);
	const socket = dgram.createSocket('udp4');
	for (const packet of [bone('Hips', 0.123456, 0.987654, 0.135791, 0, 0, 0, 1), bone('Head', NaN, Infinity, 1e30, 0.246802, 0, 0, 0),
		bone('Spine', 0.123456, 0.987654, 0.135791, 0, 0, 0, 1).subarray(0, -3), Buffer.from('0.123456 0.987654'), Buffer.alloc(1400, 0x41)]) {
		for (let i = 0; i < 20; i++)
			socket.send(packet, port, '127.0.0.1');
	}
	const raw = await open(daemon.port);
	const body = { space: 'lobby', kind: 'poses', name: 'Eve', publication: 1 };
	raw.send(text({ type: 'hello' }), text({ type: 'publish', ...body }),
		text({ type: 'publish', ...body, publication: 2, position: [0.123456, 1e39, 0.987654] }),
		text({ type: 'place', body: 1, position: [0.123456, 0.987654, 0.135791], yaw: 'x' }),
		text({ type: 'place', publication: 1, position: [0.123456, 0.987654, 0.135791], yaw: 0.246802 }),
		text({ type: 'calibrate', body: 1, height: 1.234567 }), text({ type: 'ping', t: 0.123456 }));
	for (let size = 1; size < 40; size++)
		raw.send(frame(2, Buffer.concat([Buffer.from([0x21, 1]), crypto.randomBytes(size)])));
	await raw.until(() => raw.closed || control(raw).length > 3);
	raw.socket.destroy();
	while (!/packets refused/.test(daemon.log))
		await sleep(20);
	socket.close();
	assert.equal(await daemon.stop(), 0);
	assert.deepEqual(told(daemon.log), []);
});

test('escapes control characters and bidirectional text in logged names', async () => {
	const daemon = await start('--source', 'demo:walk?name=W\u202eklaw');
	const raw = await open(daemon.port);
	const name = 'E\u202ev\u2066e\u200f\u061c\u2028\u0085\ufeff';
	raw.send(text({ type: 'hello', client: `c\u202e${name}\n` }), text({ type: 'publish', space: 'lobby', kind: 'poses', name, publication: 1 }));
	await raw.until(() => control(raw).find(({ type }) => type === 'published' || type === 'error'));
	raw.socket.destroy();
	assert.equal(await daemon.stop(), 0);
	assert.match(daemon.log, /client 'c\\u202eE\\u202ev\\u2066e\\u200f\\u061c\\u2028\\u0085\\ufeff\\x0a' sent hello\n/);
	assert.match(daemon.log, /'E\\u202ev\\u2066e\\u200f/);
	assert.match(daemon.log, /^[ -~\n]*$/);
});

test('the filter of these tests finds tokens and measured numbers', () => {
	assert.equal(told(`jointcastd: ${token()}\njointcastd: at 0.12345 m\njointcastd: listening on 127.0.0.1:9871\n`).length, 2);
});

test('repeated connections do not fill the log', async () => {
	const daemon = await start();
	const knock = async (client) => {
		const raw = await open(daemon.port);
		raw.send(text({ type: 'hello', client }));
		await raw.until(() => control(raw)[0]);
		raw.socket.destroy();
	};
	const lines = () => daemon.log.split("client 'loud' sent hello").length - 1;
	const began = Date.now();
	for (let i = 0; i < 15; i++)
		await Promise.all(Array.from({ length: 20 }, () => knock('loud')));
	while (lines() < 200)
		await sleep(5);
	// The limit is 200 lines at once and 2 more a second. The daemon's clock may have started
	// a little earlier, hence 2 seconds more.
	assert.ok(lines() <= 200 + 2 * (2 + (Date.now() - began) / 1000), `${lines()} lines`);
	for (let i = 0; !/\d lines like the next one were left out\n[^\n]*'quiet'/.test(daemon.log) && i < 100; i++) {
		await sleep(100);
		await knock('quiet');
	}
	assert.match(daemon.log, /jointcastd: \d+ lines like the next one were left out\njointcastd: client 'quiet' sent hello\n/);
	assert.equal(await daemon.stop(), 0);
	assert.match(daemon.log, /stopping on SIGTERM\n/, 'other lines are still said');
});
