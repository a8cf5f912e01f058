// Tests jointcast register: registering, listing and removing skeletons.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import test, { after } from 'node:test';
import { scratch, start, writer } from './support/daemon.mjs';
import { makeVrm } from './support/fixtures.mjs';
import { now, secret, sign } from './support/token.mjs';

const tool = process.argv[3];
const folder = scratch();

const file = writer(folder);
const daemon = await start('--state', path.join(folder, 'state'));
const keyed = await start('--config', file('conf',
	`auth { audience = "world" key "k" { algorithm = "HS256" file = "${file('key', secret)}" } }\n`));
const url = ({ port }) => `http://127.0.0.1:${port}`;
after(async () => {
	assert.equal(await daemon.stop(), 0);
	assert.equal(await keyed.stop(), 0);
});

/** Runs the tool; its standard error has at most one line. */
async function register(args, env = {}) {
	const child = spawn(tool, ['register', ...args], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
	const said = { out: '', err: '' };
	child.stdout.on('data', (text) => (said.out += text));
	child.stderr.on('data', (text) => (said.err += text));
	const code = await new Promise((resolve) => child.on('close', resolve));
	assert.match(said.err, code === 0 ? /^$/ : /^jointcast: [^\n]+\n$/);
	return { code, ...said };
}

const vrm = makeVrm(1);
const avatar = file('avatar.vrm', vrm);
const hashOf = (out) => /\b[0-9a-f]{64}\b/.exec(out)[0];

test('a file is registered under its own name, as if it had been sent whole', async () => {
	const { code, out } = await register([avatar, url(daemon)]);
	assert.equal(code, 0);
	assert.match(out, /^'avatar' is [0-9a-f]{64}, kept\n/);
	const whole = await fetch(`${url(daemon)}/skeletons/avatar`, { method: 'PUT', body: vrm });
	assert.equal(whole.status, 200);
	assert.equal((await whole.json()).hash, hashOf(out));
});

test('a file with separate buffer files is registered', async () => {
	const json = JSON.parse(vrm.subarray(20, 20 + vrm.readUInt32LE(12)));
	file('mesh.bin', vrm.subarray(28 + vrm.readUInt32LE(12)));
	json.buffers[0].uri = 'mesh.bin';
	const { code, out } = await register([file('parts.gltf', JSON.stringify(json)), url(daemon), '--name', 'Ä b+c']);
	assert.equal(code, 0);
	assert.equal(hashOf(out), hashOf((await register([avatar, url(daemon)])).out));
});

test('a registered skeleton is listed and can be removed', async () => {
	const names = async () => JSON.parse((await register(['--list', url(daemon), '--json'])).out).skeletons.map(({ name }) => name);
	assert.deepEqual(await names(), ['avatar', 'Ä b+c']);
	const { out } = await register(['--list', url(daemon)]);
	assert.equal(out.split('\n').length, 3);
	assert.match(out, /^[0-9a-f]{64} {2,}\d+ B +'avatar'$/m);
	for (const name of await names())
		assert.deepEqual(await register(['--remove', name, url(daemon)]), { code: 0, out: '', err: '' });
	assert.deepEqual(await names(), []);
	const { code, err } = await register(['--remove', 'avatar', url(daemon)]);
	assert.equal(code, 1);
	assert.equal(err, 'jointcast: avatar: refused: no skeleton of that name\n');
});

test('one of several figures is named by its number', async () => {
	const two = file('two.x3dv', `#X3D V3.3 utf8\nPROFILE Full\n${[1, 2].map((height) => `DEF h${height} HAnimHumanoid {
		name "h${height}" version "1.0" skeleton [ HAnimJoint { name "humanoid_root" center 0 ${height} 0 } ] }\n`).join('')}`);
	const { code } = await register([`${two}#1`, url(daemon)]);
	assert.equal(code, 0);
	const got = await (await fetch(`${url(daemon)}/skeletons/two`)).json();
	assert.deepEqual(got.nodes[got.bones.hips].translation, [0, 2, 0]);
	await register(['--remove', 'two', url(daemon)]);
});

for (const [what, args, expected, said] of [
	['a file that is not there', () => ['/nothing.vrm', url(daemon)], 3, /nothing\.vrm: .*No such file/],
	['a file that is no skeleton', () => [file('x.gltf', '{"asset":{"version":"2.0"},"nodes":[{}]}'), url(daemon)], 1, /x\.gltf: no humanoid/],
	['a name that cannot be one', () => [avatar, url(daemon), '--name', 'a/b'], 1, /a\/b: refused: the name is 1 to 63 bytes/],
	['a name that is none', () => [avatar, url(daemon), '--name', ''], 1, /refused: the name/],
	['a daemon that is not there', () => [avatar, 'http://127.0.0.1:1'], 3, /127\.0\.0\.1:1: cannot connect/],
	['no file', () => [], 2, /needs a FILE/],
	['too many', () => [avatar, url(daemon), 'x'], 2, /unexpected argument 'x'/],
	['two deeds at once', () => ['--list', '--remove', 'x'], 2, /exclude each other/],
	['a URL that is none', () => [avatar, 'nowhere'], 2, /one URL/],
]) {
	test(`${what}: exit status ${expected} and one line`, async () => {
		const { code, err } = await register(args());
		assert.equal(code, expected, err);
		assert.match(err, said);
	});
}

test('a token is read from a file or the environment, and a refusal gives the reason', async () => {
	const token = sign({ alg: 'HS256', kid: 'k' }, { sub: 'ada', aud: 'world', spaces: ['lobby'], exp: now() + 600,
		roles: ['publish'] }, secret);

	const { code, err } = await register([avatar, url(keyed)]);
	assert.deepEqual([code, err], [1, 'jointcast: avatar: refused: no-token\n']);
	const kept = await register([avatar, url(keyed), '--token-file', file('token', `${token}\n`)]);
	assert.match(kept.out, /not kept: a restart of the daemon loses it/);
	assert.match((await register(['--list', url(keyed)], { JOINTCAST_TOKEN: token })).out, /'avatar'/);
	const split = await register(['--list', url(keyed)], { JOINTCAST_TOKEN: `${token}\r\nHost: evil.example` });
	assert.equal(split.code, 3);
	assert.match(split.err, /invalid token/);
});
