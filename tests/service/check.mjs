// --check-config finds what keeps the daemon from starting, and neither listens nor writes.
// usage: node check.mjs JOINTCASTD
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { ROOT, run, scratch, start, writer } from '../e2e/support/daemon.mjs';

const folder = scratch();
const write = writer(folder);
const pem = (key) => key.export({ type: 'spki', format: 'pem' });
const short_rsa = write('rsa.pem', pem(crypto.generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey));
const good_key = write('ec.pem', pem(crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey));
const other_curve = write('p384.pem', pem(crypto.generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey));
const text = write('text', 'neither a motion nor a secret\n');
const none = path.join(folder, 'none');
const key = (algorithm, file) => `auth { key "k" { algorithm = "${algorithm}" file = "${file}" } }\n`;
const plain = 'server { listen = "127.0.0.1:0" }\n';

/** The content of the folder, with the sizes and times of its files. */
const content = () => readdirSync(folder, { recursive: true }).filter((name) => name !== 'conf').map((name) => {
	const { size, mtimeMs } = statSync(path.join(folder, name));
	return [name, size, mtimeMs];
});

const wrong = {
	'a key that does not exist': [key('ES256', none), /No such file[^\n]*none/],
	'a secret that is too short': [key('HS256', text), /HS256 needs a secret of 32 bytes/],
	'an RSA key that is too short': [key('RS256', short_rsa), /RSA key of 2048 bits/],
	'a key on another curve': [key('ES256', other_curve), /curve P-256/],
	'a source that does not exist': [`source "a" { uri = "file:${none}.bvh" }`, /none\.bvh[^\n]*No such file/],
	'a source that is no motion': [`source "a" { uri = "file:${text}" }`, /text: not a BVH/],
	'a demonstration that does not exist': [`source "a" { uri = "demo:swim" }`, /swim/],
	'an avatar that does not exist': [`source "a" { uri = "vmc:0?avatar=${none}.vrm" }`, /No such file/],
	'a recording that does not exist': [`source "a" { uri = "replay:${none}.mcap" }`, /none\.mcap/],
	'a skeleton that does not exist': [`skeleton "a" { file = "${none}.vrm" }`, /none\.vrm[^\n]*No such file/],
	'a skeleton that is none': [`skeleton "a" { file = "${text}" }`, /text: not a VRM/],
	'a prop that does not exist': [`prop "a" { file = "${none}.glb" }`, /none\.glb[^\n]*No such file/],
	'a certificate that does not exist': [`tls { certificate = "${none}.pem" key = "${good_key}" }`, /No such file[^\n]*none\.pem/],
	'a certificate that is none': [`tls { certificate = "${text}" key = "${good_key}" }`, /not a certificate in PEM/],
	'a folder of recordings in a folder that does not exist': [`recording { folder = "${none}/of/these" }`, /cannot be made/],
	'a folder of recordings that is a file': [`recording { folder = "${text}" }`, /cannot be made: Not a directory/],
	'a recording without a folder': ['recording { spaces = {"lobby"} }', /recording has no 'folder'/],
	'a space that is recorded twice': [`recording { folder = "${folder}" spaces = {"lobby", "lobby"} }`, /'lobby' is recorded already/],
	'a state directory that is a file': [`server { listen = "127.0.0.1:0" state = "${text}" }`, /cannot be made: Not a directory/],
};

for (const [name, [section, message]] of Object.entries(wrong))
	test(`${name} is found by the check as by the start`, async () => {
		const config = write('conf', section.includes('server') ? section : plain + section);
		const before = content();
		const checked = await run('--config', config, '--check-config');
		assert.deepEqual([checked.code, checked.stdout], [1, ''], checked.stderr);
		assert.match(checked.stderr, message);
		assert.deepEqual(content(), before);
		const started = await run('--config', config);
		assert.ok(started.code === 1 || started.code === 3, started.stderr);
		const errors = (log) => log.split('\n').filter((line) => line.includes(': error: '));
		assert.deepEqual(errors(started.stderr), errors(checked.stderr));
	});

test('the configuration of edges as installed is sound', async () => {
	const { code, stderr } = await run('--config', path.join(ROOT, 'systemd/edge.conf'), '--check-config');
	assert.deepEqual([code, stderr], [0, '']);
});

test('the environment of nats-server.conf can be read, and its passwords are texts', () => {
	const lines = readFileSync(path.join(ROOT, 'systemd/nats/nats-server.conf'), 'utf8').split('\n');
	const [, command] = lines.map((line) => line.match(/password: (echo .*)$/)).find(Boolean);
	const { stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
	assert.match(stdout, /^[a-z][0-9a-f]{48}\n$/);
	// systemd takes what follows a value for a part of it.
	assert.match(lines.find((line) => line.includes('EnvironmentFile=')), /EnvironmentFile=\S+$/);
});

test('damaged sanctions are found', async () => {
	const state = path.join(folder, 'state');
	mkdirSync(state);
	write('state/sanctions.json', '{');
	const { code, stderr } = await run('--config', write('conf', `server { state = "${state}" }`), '--check-config');
	assert.equal(code, 1);
	assert.match(stderr, /sanctions\.json/);
});

test('options of the command line are checked too', async () => {
	for (const [options, message] of [
		[['--record', `${none}/of/these`], /cannot be made/],
		[['--record', `${folder}?space=a b`], /no such option: 'space=a b'/],
		[['--record', folder, '--record', folder], /'lobby' is recorded already/],
		[['--vmc-out', '8.8.8.8:39540'], /8\.8\.8\.8/],
		[['--source', `file:${none}.bvh`], /none\.bvh/],
		[['--skeleton', `${none}.vrm#1`], /none\.vrm/]]) {
		const before = content();
		const { code, stderr } = await run(...options, '--check-config');
		assert.equal(code, 1, stderr);
		assert.match(stderr, message);
		assert.deepEqual(content(), before);
	}
});

test('a sound configuration is checked beside the daemon that uses it', async (t) => {
	const recordings = path.join(folder, 'recordings');
	const state = path.join(folder, 'development');
	const sections = (port, admin) => `server { listen = "127.0.0.1:${port}" state = "${state}" }
		admin { listen = "127.0.0.1:${admin}" }
		tls { listen = "127.0.0.1:0" development = true }
		${key('ES256', good_key)}
		source "walker" { uri = "demo:walk" space = "stage" }
		source "puppet" { uri = "vmc:0" }
		vmc_out "mirror" { target = "127.0.0.1:39540?body=walker" }
		recording { folder = "${recordings}" spaces = {"stage"} }\n`;
	const before = content();
	const sound = [0, 'the configuration is sound\n', ''];
	const check = async (config) => {
		const { code, stdout, stderr } = await run('--config', config, '--check-config');
		assert.deepEqual([code, stdout, stderr], sound);
	};
	await check(write('conf', sections(0, 0)));
	assert.deepEqual(content(), before, 'neither folder was made');
	const daemon = await start('--config', write('conf', sections(0, 0)));
	t.after(async () => assert.equal(await daemon.stop(), 0));
	const certificate = path.join(state, 'dev-certificate.pem');
	const made = readFileSync(certificate);
	await check(write('conf', sections(daemon.port, daemon.admin)));
	assert.deepEqual(readFileSync(certificate), made);
});
