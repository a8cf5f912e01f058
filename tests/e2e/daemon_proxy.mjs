// Clients behind a proxy: a trusted proxy names their addresses, each with limits and bans of
// its own; headers of the clients themselves have no effect.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test, { after } from 'node:test';
import { scratch, start } from './support/daemon.mjs';
import { secret, token } from './support/token.mjs';
import { exchange, frames, handshake, Raw, text } from './support/websocket_bytes.mjs';

const folder = scratch();
fs.writeFileSync(path.join(folder, 'key'), secret);

async function startWith(proxy) {
	const config = path.join(folder, 'jointcastd.conf');
	fs.writeFileSync(config, `
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${folder}/key" } }
limits { connections_per_address = 2 }
space "open" { watch = {"anyone"} }
proxy { listen = "127.0.0.1:0" ${proxy} }
`);
	const daemon = await start('--config', config);
	daemon.proxy = Number(/behind a proxy on 127\.0\.0\.1:(\d+)/.exec(daemon.log)[1]);
	return daemon;
}

const believing = await startWith('forwarded = true');
const doubting = await startWith('');

after(async () => {
	assert.equal(await believing.stop(), 0);
	assert.equal(await doubting.stop(), 0);
});

/** A visitor as a proxy passes them on, once the daemon answered: 101 or what else. */
async function visit(t, daemon, address, hello = {}) {
	const raw = new Raw(daemon.proxy);
	t.after(() => raw.socket.destroy());
	raw.send(handshake(address === null ? {} : { 'X-Forwarded-For': address }));
	await raw.until(() => raw.bytes.includes('\r\n\r\n'));
	raw.status = Number(raw.bytes.toString('latin1').split(' ')[1]);
	if (raw.status === 101)
		raw.send(text({ type: 'hello', ...hello }), text({ type: 'join', space: 'open' }));
	return raw;
}

const hear = (raw, type) => raw.until(() => frames(raw.bytes).filter(({ opcode }) => opcode === 1)
	.map(({ payload }) => JSON.parse(payload)).find((message) => message.type === type));

async function leave(...raws) {
	raws.forEach(({ socket }) => socket.destroy());
	await Promise.all(raws.map(({ ended }) => ended));
}

test('each visitor of a proxy has the connections of one address', async (t) => {
	const ada = [await visit(t, believing, '203.0.113.7'), await visit(t, believing, '203.0.113.7')];
	assert.deepEqual(ada.map(({ status }) => status), [101, 101]);
	const third = await visit(t, believing, '203.0.113.7');
	assert.equal(third.status, 503);
	assert.match(third.bytes.toString(), /too many connections of this address/);
	const others = [];
	for (let i = 0; i < 20; i++)
		others.push(await visit(t, believing, `203.0.113.${100 + i}`));
	assert.ok(others.every(({ status }) => status === 101));
	await leave(ada[0]);
	await leave(...others);
	// The place that was left is free, once the daemon saw that it was.
	let again;
	do
		again = await visit(t, believing, '203.0.113.7');
	while (again.status === 503);
	assert.equal(again.status, 101);
	await leave(again, ada[1]);
});

test('headers of a client have no effect: the proxy appends the last address of the list', async (t) => {
	const two = [await visit(t, believing, '198.51.100.1, 203.0.113.8'), await visit(t, believing, 'rubbish, 203.0.113.8')];
	assert.deepEqual(two.map(({ status }) => status), [101, 101]);
	assert.equal((await visit(t, believing, '198.51.100.2,203.0.113.8')).status, 503);
	// A second line is behind the first.
	assert.equal((await visit(t, believing, '198.51.100.3\r\nX-Forwarded-For: 203.0.113.8')).status, 503);
	await leave(...two);
});

for (const same of [['2001:db8::1', '2001:db8::ffff:2', '[2001:db8::3]'], ['203.0.113.9:1234', '203.0.113.9', '::ffff:203.0.113.9']]) {
	test(`${same.join(', ')} are one visitor`, async (t) => {
		const two = [await visit(t, believing, same[0]), await visit(t, believing, same[1])];
		assert.deepEqual(two.map(({ status }) => status), [101, 101]);
		assert.equal((await visit(t, believing, same[2])).status, 503);
		await leave(...two);
	});
}

for (const address of ['', 'unknown', '203.0.113.300', '203.0.113.7, ', '203.0.113.7:x', '[2001:db8::1', '[]', '[', ':', '::1]:2',
	'x'.repeat(3000)]) {
	test(`an X-Forwarded-For of '${address.slice(0, 20)}' is refused`, async (t) => {
		const raw = await visit(t, believing, address);
		assert.equal(raw.status, 400);
		assert.match(raw.bytes.toString(), /X-Forwarded-For does not end with an address/);
	});
}

test('a health check of the proxy needs no forwarding header', async () => {
	for (let i = 0; i < 5; i++)
		assert.equal((await exchange(believing.proxy, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')).status, 200);
});

test('a ban by address closes the clients of that address only', async (t) => {
	const eve = await visit(t, believing, '203.0.113.66');
	const ada = await visit(t, believing, '203.0.113.7');
	await hear(eve, 'roster');
	await hear(ada, 'roster');
	const mia = await visit(t, believing, '203.0.113.1', { token: token({ sub: 'mia', roles: ['watch', 'moderate'] }) });
	mia.send(text({ type: 'moderate', space: 'open', action: 'ban', address: '203.0.113.66' }));
	assert.equal((await hear(mia, 'moderated')).concerned, 1);
	assert.equal((await hear(eve, 'moderated')).action, 'ban');
	const back = await visit(t, believing, '203.0.113.66');
	assert.match((await hear(back, 'error')).message, /banned you/);
	const bob = await visit(t, believing, '203.0.113.8');
	await hear(bob, 'roster');
	assert.equal(frames(ada.bytes).some(({ payload }) => /"moderated"/.test(payload)), false);
	await leave(eve, ada, mia, back, bob);
});

test('an untrusted proxy counts as one client, and its headers are ignored', async (t) => {
	const two = [await visit(t, doubting, '203.0.113.7'), await visit(t, doubting, 'rubbish')];
	assert.deepEqual(two.map(({ status }) => status), [101, 101]);
	assert.equal((await visit(t, doubting, '203.0.113.9')).status, 503);
	await leave(...two);
});

test('other listeners ignore forwarding headers', async (t) => {
	const plain = { proxy: believing.port };
	const two = [await visit(t, plain, '203.0.113.7'), await visit(t, plain, 'rubbish')];
	assert.deepEqual(two.map(({ status }) => status), [101, 101]);
	assert.equal((await visit(t, plain, '203.0.113.9')).status, 503);
	await leave(...two);
});
