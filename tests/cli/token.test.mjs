// Checks the tokens of the tool against RFC 7515 and 7519 with node's cryptography.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { startThrough } from '../e2e/support/daemon.mjs';
import { exchange } from '../e2e/support/websocket_bytes.mjs';
import { failure, jointcast, run } from './tool.mjs';

const folder = mkdtempSync(join(tmpdir(), 'jointcast-token-'));
after(() => rmSync(folder, { recursive: true }));

const file = (name, bytes) => {
	writeFileSync(join(folder, name), bytes);
	return join(folder, name);
};
const secret = crypto.randomBytes(48);
secret[7] = 0; // a secret may contain any byte
const rsa = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (key) => key.export({ type: 'pkcs8', format: 'pem' });
const keys = {
	HS256: { path: file('secret', secret), verify: (text, signature) =>
		crypto.createHmac('sha256', secret).update(text).digest().equals(signature) },
	RS256: { path: file('rsa.pem', pem(rsa.privateKey)), verify: (text, signature) =>
		crypto.verify('sha256', text, rsa.publicKey, signature) },
	ES256: { path: file('ec.pem', pem(ec.privateKey)), verify: (text, signature) =>
		crypto.verify('sha256', text, { key: ec.publicKey, dsaEncoding: 'ieee-p1363' }, signature) },
};
const least = ['--kid', '2026', '--sub', 'ada', '--space', 'lobby'];

function read(token) {
	const [head, claims, signature] = token.trim().split('.');
	const part = (text) => JSON.parse(Buffer.from(text, 'base64url').toString());
	return { head: part(head), claims: part(claims), signed: Buffer.from(`${head}.${claims}`),
		signature: Buffer.from(signature, 'base64url') };
}

for (const [algorithm, { path, verify }] of Object.entries(keys)) {
	test(`a token of ${algorithm} is signed by its key and has the requested claims`, () => {
		const before = Math.floor(Date.now() / 1000);
		const { status, stdout, stderr } = run(jointcast, 'token', path, ...least, '--algorithm', algorithm, '--role', 'watch',
			'--role', 'publish', '--body', 'Ada', '--body', 'Ada 2', '--for', '15m', '--audience', 'world');
		assert.deepEqual([status, stderr], [0, '']);
		const { head, claims, signed, signature } = read(stdout);
		assert.deepEqual([head.alg, head.kid], [algorithm, '2026']);
		assert.ok(verify(signed, signature));
		const { iat, exp, ...rest } = claims;
		assert.ok(iat >= before && iat <= before + 60);
		assert.equal(exp - iat, 900);
		assert.deepEqual(rest, { sub: 'ada', aud: 'world', spaces: ['lobby'], bodies: ['Ada', 'Ada 2'], roles: ['watch', 'publish'] });
	});
}

test('the defaults are role watch and one hour, and a star means all', () => {
	const { claims } = read(run(jointcast, 'token', keys.HS256.path, '--kid', 'k', '--sub', 'ada', '--space', '*').stdout);
	const { iat, exp, ...rest } = claims;
	assert.equal(exp - iat, 3600);
	assert.deepEqual(rest, { sub: 'ada', aud: 'jointcast', spaces: '*' });
});

test('--for accepts units', () => {
	for (const [text, seconds] of [['90', 90], ['90s', 90], ['2m', 120], ['3h', 10800], ['2d', 172800], ['3650d', 315360000]]) {
		const { claims } = read(run(jointcast, 'token', keys.HS256.path, ...least, '--for', text).stdout);
		assert.equal(claims.exp - claims.iat, seconds, text);
	}
});

test('invalid options are wrong use', () => {
	for (const parameters of [[], [keys.HS256.path], [keys.HS256.path, ...least.slice(2)], [keys.HS256.path, ...least.slice(0, 4)],
		[keys.HS256.path, 'more', ...least], [keys.HS256.path, ...least, '--role', 'fly'], [keys.HS256.path, ...least, '--role', 'publish'],
		[keys.HS256.path, ...least, '--algorithm', 'none'], [keys.HS256.path, ...least, '--sub', ''],
		[keys.HS256.path, ...least, '--sub', 'x'.repeat(64)],
		...['0', '-1', '1w', 'h', '1.5h', '3651d', '99999999999999999999'].map((time) => [keys.HS256.path, ...least, '--for', time]),
		[keys.HS256.path, ...least, ...Array(16).fill(['--space', 'a']).flat()]]) {
		assert.equal(failure(run(jointcast, 'token', ...parameters), 2, 'token'), '', parameters.join(' '));
	}
});

test('reports a key that cannot sign', () => {
	const short = file('short', 'x'.repeat(31));
	assert.equal(failure(run(jointcast, 'token', short, ...least), 1, short), '');
	assert.equal(failure(run(jointcast, 'token', keys.HS256.path, ...least, '--algorithm', 'ES256'), 1, keys.HS256.path), '');
	assert.equal(failure(run(jointcast, 'token', keys.RS256.path, ...least, '--algorithm', 'ES256'), 1, keys.RS256.path), '');
	assert.match(run(jointcast, 'token', keys.ES256.path, ...least).stderr, /is a key in PEM, not a secret: add --algorithm ES256 or RS256\n$/);
	const open = file('public.pem', ec.publicKey.export({ type: 'spki', format: 'pem' }));
	assert.equal(failure(run(jointcast, 'token', open, ...least, '--algorithm', 'ES256'), 1, open), '');
	const huge = file('huge', 'x'.repeat(20000));
	assert.equal(failure(run(jointcast, 'token', huge, ...least), 1, huge), '');
	assert.equal(failure(run(jointcast, 'token', join(folder, 'none'), ...least), 3, join(folder, 'none')), '');
});

const mode = (path) => (statSync(path).mode & 0o777).toString(8);

test('makes keys, and a daemon with the printed keys in one section accepts their tokens', async () => {
	let entries = '';
	const made = Object.keys(keys).map((algorithm) => {
		const key = join(folder, `new $"'\\ ${algorithm}.key`);
		const { status, stdout, stderr } = run('sh', '-c', 'umask 077; exec "$0" "$@"', jointcast, 'token', '--new-key', key,
			'--algorithm', algorithm, ...(algorithm === 'RS256' ? ['--kid', 'of a "kind"'] : []));
		assert.deepEqual([status, stderr], [0, '']);
		assert.match(stdout, /^auth \{\n\tkey "[^\n]*" \{ algorithm = "\w+" file = "\/[^\n]*" \}\n\}\n$/);
		entries += stdout.split('\n')[1] + '\n';
		assert.equal(mode(key), '600');
		assert.equal(existsSync(`${key}.pub`), algorithm !== 'HS256');
		return { algorithm, key, kid: algorithm === 'RS256' ? 'of a "kind"' : `new $"'\\ ${algorithm}` };
	});
	assert.equal(readFileSync(made[0].key).length, 32);
	for (const { algorithm, key } of made.slice(1)) {
		assert.equal(mode(`${key}.pub`), '644');
		const { asymmetricKeyType, asymmetricKeyDetails } = crypto.createPrivateKey(readFileSync(key));
		assert.equal(asymmetricKeyType, algorithm === 'RS256' ? 'rsa' : 'ec');
		assert.ok(algorithm === 'RS256' ? asymmetricKeyDetails.modulusLength >= 3072 : asymmetricKeyDetails.namedCurve === 'prime256v1');
	}
	const daemon = await startThrough(process.env.JOINTCASTD, '--listen', '127.0.0.1:0', '--config', file('jointcastd.conf', `auth {\n${entries}}\n`));
	const ask = async (token) => (await exchange(daemon.port,
		`GET /skeletons HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`)).status;
	for (const { algorithm, key, kid } of made) {
		const { stdout } = run(jointcast, 'token', key, '--kid', kid, '--sub', 'ada', '--space', '*', '--algorithm', algorithm);
		assert.equal(await ask(stdout.trim()), 200, algorithm);
		const [head, claims, signature] = stdout.trim().split('.');
		assert.equal(await ask(`${head}.${claims}.${signature.split('').reverse().join('')}`), 401, algorithm);
	}
	assert.doesNotMatch(daemon.log, /is secret/);
	assert.equal(await daemon.stop(), 0);
});

test('a new key has the name of its file, differs each time, and overwrites nothing', () => {
	const [first, second] = ['2026.secret', '.hidden'].map((name) => join(folder, name));
	assert.match(run(jointcast, 'token', '--new-key', first).stdout, /key "2026" \{/);
	assert.match(run(jointcast, 'token', '--new-key', second).stdout, /key ".hidden" \{/);
	const bytes = readFileSync(first);
	assert.notDeepEqual(bytes, readFileSync(second));
	assert.equal(failure(run(jointcast, 'token', '--new-key', first), 3, first), '');
	assert.equal(failure(run(jointcast, 'token', '--new-key', first, '--algorithm', 'ES256'), 3, first), '');
	assert.deepEqual(readFileSync(first), bytes);
	assert.ok(!existsSync(`${first}.pub`));
	const pair = join(folder, 'pair');
	writeFileSync(`${pair}.pub`, 'mine');
	assert.equal(failure(run(jointcast, 'token', '--new-key', pair, '--algorithm', 'ES256'), 3, `${pair}.pub`), '');
	assert.equal(readFileSync(`${pair}.pub`, 'utf8'), 'mine');
	assert.ok(!existsSync(pair), 'no half of a pair stays');
	const link = join(folder, 'link');
	symlinkSync(join(folder, 'elsewhere'), link);
	assert.equal(failure(run(jointcast, 'token', '--new-key', link), 3, link), '');
	assert.ok(!existsSync(join(folder, 'elsewhere')));
	assert.equal(failure(run(jointcast, 'token', '--new-key', '/nonexistent/key'), 3, '/nonexistent/key'), '');
	assert.equal(failure(run(jointcast, 'token', '--new-key', '/dev/full/x'), 3, '/dev/full/x'), '');
});

test('--new-key refuses options of a token', () => {
	const path = join(folder, 'never');
	for (const more of [['KEY'], ['--sub', 'ada'], ['--space', 'a'], ['--role', 'watch'], ['--body', 'A'], ['--for', '1h'],
		['--audience', 'a'], ['--algorithm', 'none'], ['--kid', '']])
		assert.equal(failure(run(jointcast, 'token', '--new-key', path, ...more), 2, 'token'), '', more.join(' '));
	assert.equal(failure(run(jointcast, 'token', '--new-key', ''), 2, 'token'), '');
	assert.ok(!existsSync(path));
});
