// jointcast invite: its link, its QR code and its pairing code admit guests; it lists and revokes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import jsqr from 'jsqr';
import { Client } from './support/client.mjs';
import { scratch, start, writer } from './support/daemon.mjs';
import { now, secret, token } from './support/token.mjs';

const tool = process.argv[3];
const folder = scratch();
const write = writer(folder);
const config = write('jointcastd.conf', `
server { state = "${folder}/state" }
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${write('key', secret)}" } }
source "walker" { uri = "demo:walk" }
`);
const daemon = await start('--config', config);
const url = `http://127.0.0.1:${daemon.port}`;
const mia = token({ sub: 'mia', roles: ['watch', 'publish', 'moderate'], exp: now() + 7200 });

/** Runs the tool to its end, with a token in its environment. */
function run(options, { as = mia, env = {} } = {}) {
	const child = spawn(tool, ['invite', ...options], { env: { ...process.env, JOINTCAST_TOKEN: as, ...env } });
	const result = { out: '', err: '' };
	child.stdout.on('data', (text) => (result.out += text));
	child.stderr.on('data', (text) => (result.err += text));
	return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...result })));
}

async function invite(...options) {
	const { code, out, err } = await run([url, '--space', 'lobby', ...options]);
	assert.equal(code, 0, err);
	return out;
}

const redeem = (body) => fetch(`${url}/invitations/redeem`, { method: 'POST', body: JSON.stringify(body) });
const secretOf = (link) => new URL(link.trim()).hash.slice('#invite='.length);

/** What a camera sees of lines of half blocks, each module 4 by 4 pixels, as RGBA. */
function photograph(lines) {
	const width = [...lines[0]].length;
	const size = 4 * Math.max(width, 2 * lines.length);
	const pixels = new Uint8ClampedArray(4 * size * size).fill(255);
	const blacken = (x, y) => {
		for (let i = 0; i < 16; i++)
			pixels.fill(0, 4 * ((4 * y + (i >> 2)) * size + 4 * x + i % 4), 4 * ((4 * y + (i >> 2)) * size + 4 * x + i % 4) + 3);
	};
	lines.forEach((line, y) => [...line].forEach((block, x) => {
		'▀█'.includes(block) && blacken(x, 2 * y);
		'▄█'.includes(block) && blacken(x, 2 * y + 1);
	}));
	return [pixels, size, size];
}

test('the link alone is on standard output; a guest enters with it', async () => {
	const link = await invite();
	assert.match(link, new RegExp(`^${url}/\\?space=lobby#invite=[\\w-]{22}\n$`));
	const answer = await redeem({ invitation: secretOf(link) });
	const guest = await Client.greeted(daemon, { token: (await answer.json()).token });
	assert.deepEqual(guest.welcome.rooms.map(({ roles }) => roles), [['watch']]);
	guest.end();
});

test('the QR code of a terminal is read as the link, by a decoder that is not ours', async () => {
	const [link, ...rest] = (await invite('--qr', '--role', 'publish', '--page', 'https://room.example/world/')).split('\n');
	assert.match(link, /^https:\/\/room\.example\/world\/publish\.html\?space=lobby#invite=[\w-]{22}$/);
	assert.equal(rest.pop(), '');
	for (const line of rest)
		assert.match(line, /^\x1b\[38;5;16;48;5;231m[ ▀▄█]+\x1b\[0m$/, 'each line sets and resets its colours');
	const lines = rest.map((line) => line.replace(/\x1b\[[\d;]*m/g, ''));
	const width = [...lines[0]].length;
	assert.ok(lines.every((line) => [...line].length === width));
	assert.deepEqual(lines.slice(0, 2), Array(2).fill(' '.repeat(width)), 'four light modules above');
	assert.ok(lines.every((line) => /^ {4}.* {4}$/.test(line)), 'and on both sides');
	assert.equal(jsqr(...photograph(lines)).data, link);
});

test('a pairing code admits one guest', async () => {
	const code = (await invite('--pair')).trim();
	assert.match(code, /^[0-9A-HJKMNP-TV-Z]{2}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
	assert.equal((await redeem({ code })).status, 200);
	assert.equal((await redeem({ code })).status, 410);
});

test('lists invitations and revokes one', async () => {
	const before = now();
	const made = JSON.parse(await invite('--json', '--uses', '7', '--for', '15m', '--note', 'the red class'));
	assert.ok(made.expires >= before + 900 && made.expires <= now() + 900);
	assert.match((await run([url, '--list', '--space', 'lobby'])).out,
		new RegExp(`^${made.id}  watch    0/7  20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC  'mia'  'lobby'  the red class$`, 'm'));
	const guest = await Client.greeted(daemon, { token: (await (await redeem({ invitation: made.invitation })).json()).token });
	assert.deepEqual(await run([url, '--revoke', made.id]), { code: 0, out: '', err: '' });
	assert.equal((await guest.find('error')).reason, 'revoked');
	await guest.closed;
	assert.match((await run([url, '--list'])).out, new RegExp(`^${made.id}  watch    1/7  revoked `, 'm'));
	assert.equal((await redeem({ invitation: made.invitation })).status, 410);
	const unknown = await run([url, '--revoke', 'ffffffffffffffff']);
	assert.deepEqual([unknown.code, unknown.err], [1, 'jointcast: ffffffffffffffff: refused: there is no such invitation\n']);
});

test('what the daemon refuses is one line, and exit status 1', async () => {
	const guest = token({ sub: 'eve', roles: ['watch'] });
	for (const [options, err, as] of [
		[[url, '--space', 'lobby'], 'lobby: refused: your token does not have the role for this', guest],
		[[url, '--space', 'cellar'], 'cellar: refused: there is no such space'],
		[[url, '--space', 'lobby'], 'lobby: refused: malformed', 'x'],
		[[url, '--space', 'lobby', '--note', 'x'.repeat(128)], 'lobby: refused: note: more than 127 bytes'],
	])
		assert.deepEqual(await run(options, { as }), { code: 1, out: '', err: `jointcast: ${err}\n` });
	assert.equal((await run([url, '--space', 'lobby'], { as: '' })).code, 1, 'an empty token is none');
});

test('wrong use is exit status 2', async () => {
	for (const options of [[], ['--space', 'x', '--list', '--pair'], ['--list', '--revoke', 'x'], ['--space', 'x', '--role', 'moderate'],
		['--space', 'x', '--for', '366d'], ['--space', 'x', '--uses', '1001'], ['--space', 'x', '--pair', '--uses', '2'],
		['--space', 'x', '--qr', '--no-qr'], ['--space', 'x', '--page', 'room.example'], ['--space', 'x', '--page', 'https://room.example/#x'],
		['unix:/tmp/socket', '--space', 'x'], [url, 'y', '--space', 'x'], ['--space', 'x', '--for', '0']])
		assert.equal((await run(options)).code, 2, options.join(' '));
});

test('the secret is in the answer alone: neither in the log nor in the state directory', async () => {
	const found = secretOf(await invite());
	assert.equal(await daemon.stop(), 0);
	assert.ok(!daemon.log.includes(found));
	for (const name of fs.readdirSync(path.join(folder, 'state')))
		assert.ok(!fs.statSync(path.join(folder, 'state', name)).isFile() ||
			!fs.readFileSync(path.join(folder, 'state', name), 'latin1').includes(found), name);
});
