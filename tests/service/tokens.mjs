// Tests the daemon's token reader with tokens made by Node's own cryptography.
//
// usage: node tokens.mjs READ_TOKEN
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import crypto from 'node:crypto';
import path from 'node:path';
import readline from 'node:readline';
import test, { after } from 'node:test';
import { scratch, writer } from '../e2e/support/daemon.mjs';
import { part, sign } from '../e2e/support/token.mjs';

const NOW = 1_800_000_000;
const folder = scratch();
const reader = spawn(process.argv[2], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = readline.createInterface({ input: reader.stdout })[Symbol.asyncIterator]();

after(() => reader.stdin.end());

async function ask(line) {
	reader.stdin.write(`${line}\n`);
	return (await lines.next()).value;
}

const file = writer(folder);
const pem = (pair) => pair.publicKey.export({ type: 'spki', format: 'pem' });

const secret = crypto.randomBytes(32);
const rsa = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });
const strangerRsa = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });
const p256 = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
const strangerP256 = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** A token, signed with `algorithm`; `header` replaces fields of its header. */
const token = (claims, { kid = 'secret', algorithm = 'HS256', key = secret, header = {} } = {}) =>
	sign({ typ: 'JWT', alg: algorithm, kid, ...header }, claims, key, algorithm);

const good = { sub: 'ada', aud: 'jointcast', exp: NOW + 3600 };
const signed = {
	secret: { kid: 'secret', algorithm: 'HS256', key: secret },
	rsa: { kid: 'rsa', algorithm: 'RS256', key: rsa.privateKey },
	p256: { kid: 'p256', algorithm: 'ES256', key: p256.privateKey },
};

test('accepts keys', async () => {
	assert.equal(await ask(`now ${NOW}`), 'now');
	assert.equal(await ask(`key secret HS256 ${file('secret', secret)}`), 'added');
	assert.equal(await ask(`key rsa RS256 ${file('rsa.pem', pem(rsa))}`), 'added');
	assert.equal(await ask(`key p256 ES256 ${file('p256.pem', pem(p256))}`), 'added');
	assert.equal(await ask(`key old HS256 ${file('old', crypto.randomBytes(40))}`), 'added');
	assert.equal(await ask('revoke old'), 'revoked');
	assert.equal(await ask('revoke nobody'), 'no key');
});

for (const [name, algorithm, bytes, expected] of [
	['a short secret', 'HS256', crypto.randomBytes(31), /32 bytes or more/],
	['a public key for a secret', 'HS256', pem(rsa), /this is a PEM file/],
	['an RSA key of 1024 bits', 'RS256', pem(crypto.generateKeyPairSync('rsa', { modulusLength: 1024 })), /2048 bits/],
	['a key on P-256 for RS256', 'RS256', pem(p256), /RSA key/],
	['an RSA key for ES256', 'ES256', pem(rsa), /P-256/],
	['a key on P-384', 'ES256', pem(crypto.generateKeyPairSync('ec', { namedCurve: 'P-384' })), /P-256/],
	['a key on secp256k1', 'ES256', pem(crypto.generateKeyPairSync('ec', { namedCurve: 'secp256k1' })), /P-256/],
	['an Ed25519 key', 'ES256', pem(crypto.generateKeyPairSync('ed25519')), /P-256/],
	['a private key', 'RS256', rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }), /no public key/],
	['no key', 'ES256', 'nonsense', /no public key/],
	['a huge file', 'HS256', crypto.randomBytes(8193), /8192 bytes/],
]) {
	test(`${name} is refused as a key`, async () => {
		assert.match(await ask(`key fresh ${algorithm} ${file('fresh', bytes)}`), expected);
	});
}

test('rejects a second key of the same name', async () => {
	assert.match(await ask(`key rsa RS256 ${path.join(folder, 'rsa.pem')}`), /exists twice/);
});

for (const [name, how] of Object.entries(signed)) {
	test(`accepts a token of ${how.algorithm}`, async () => {
		assert.equal(await ask(`token ${token({ ...good, roles: ['watch', 'publish', 'dance'],
			spaces: ['lobby', 'stage'], bodies: '*' }, how)}`),
		`ok sub=ada kid=${name} roles=3 exp=${NOW + 3600} spaces=lobby,stage bodies=*`);
	});
}

const plain = `ok sub=ada kid=secret roles=1 exp=${NOW + 3600} spaces= bodies=`;
const publicPem = pem(rsa);
const [head, body, signature] = token(good, signed.p256).split('.');

for (const [name, text, expected] of [
	['nothing but the registered claims', token(good), plain],
	['several audiences', token({ ...good, aud: ['chat', 'jointcast'] }), plain],
	['claims that are not known', token({ ...good, colour: { deep: [1, 2] } }), plain],
	['an end in the past', token({ ...good, exp: NOW - 31 }), 'expired'],
	['an end within the skew', token({ ...good, exp: NOW - 29 }), plain.replace(/exp=\d+/, `exp=${NOW - 29}`)],
	['an end with a fraction', token({ ...good, exp: NOW + 1.5 }), plain.replace(/exp=\d+/, `exp=${NOW + 1}`)],
	['an end beyond all dates', token({ ...good, exp: 1e300 }), plain.replace(/exp=\d+/, 'exp=1000000000000000')],
	['a beginning to come', token({ ...good, nbf: NOW + 31 }), 'too-early'],
	['a beginning within the skew', token({ ...good, nbf: NOW + 29 }), plain],
	['no end', token({ sub: 'ada', aud: 'jointcast' }), 'malformed'],
	['an end that is text', token({ ...good, exp: `${NOW + 3600}` }), 'malformed'],
	['a beginning that is text', token({ ...good, nbf: '0' }), 'malformed'],
	['another audience', token({ ...good, aud: 'chat' }), 'wrong-audience'],
	['no audience', token({ sub: 'ada', exp: NOW + 60 }), 'wrong-audience'],
	['an audience that is a number', token({ ...good, aud: 7 }), 'wrong-audience'],
	['no subject', token({ aud: 'jointcast', exp: NOW + 60 }), 'malformed'],
	['an empty subject', token({ ...good, sub: '' }), 'malformed'],
	['a long subject', token({ ...good, sub: 'a'.repeat(64) }), 'malformed'],
	['a NUL in the subject', token({ ...good, sub: 'ada\0eve' }), 'malformed'],
	['roles that are text', token({ ...good, roles: 'watch' }), 'malformed'],
	['spaces that are numbers', token({ ...good, spaces: [1] }), 'malformed'],
	['too many spaces', token({ ...good, spaces: Array(17).fill('a') }), 'malformed'],
	['a claim that stands twice', token(`{"sub":"ada","aud":"jointcast","exp":${NOW + 99},"exp":${NOW - 99}}`), 'expired'], // the last one counts: RFC 7519, 4
	['no algorithm', token(good, { algorithm: 'none' }), 'wrong-algorithm'],
	['no algorithm, spelt otherwise', token(good, { algorithm: 'none', header: { alg: 'nOnE' } }), /^(malformed|wrong-algorithm)$/],
	['another algorithm of the same secret', token(good, { algorithm: 'HS512' }), 'wrong-algorithm'],
	['the public key as a secret', token(good, { kid: 'rsa', algorithm: 'HS256', key: publicPem }), 'wrong-algorithm'],
	['the public key as a secret, said to be RS256', token(good, { kid: 'rsa', algorithm: 'HS256', key: publicPem, header: { alg: 'RS256' } }), 'bad-signature'],
	['a stranger\'s secret', token(good, { key: crypto.randomBytes(32) }), 'bad-signature'],
	['a stranger\'s RSA key', token(good, { ...signed.rsa, key: strangerRsa.privateKey }), 'bad-signature'],
	['a stranger\'s key on P-256', token(good, { ...signed.p256, key: strangerP256.privateKey }), 'bad-signature'],
	['a key that is not known', token(good, { kid: 'nobody' }), 'unknown-key'],
	['no key named', token(good, { header: { kid: undefined } }), 'unknown-key'],
	['a path as a key', token(good, { kid: '../../../dev/null' }), 'unknown-key'],
	['a key inside the token', token(good, { header: { kid: undefined, jwk: { kty: 'oct', k: 'AAAA' } } }), 'unknown-key'],
	['a revoked key', token(good, { kid: 'old' }), 'revoked'],
	['other claims under a signature', `${head}.${part({ ...good, sub: 'eve' })}.${signature}`, 'bad-signature'],
	['no signature', `${head}.${body}.`, /^(malformed|bad-signature)$/],
	['no signature at all', `${head}.${body}`, /^(malformed|bad-signature)$/],
	['a signature cut short', `${head}.${body}.${signature.slice(0, 40)}`, 'bad-signature'],
	['a signature of zeros', `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`, 'bad-signature'],
	['five parts', 'a.b.c.d.e', /^(malformed|unknown-key)$/],
	['claims that are a list', token([1]), /^(malformed|bad-signature)$/],
	['deep nesting', token({ ...good, deep: JSON.parse('['.repeat(700) + ']'.repeat(700)) }), plain],
	['bytes that are none of base64url', 'e30\u00ff.e30.AAAA', 'malformed'],
	['no token', ' ', 'malformed'],
	['a token of 4097 bytes', token({ ...good, pad: 'x'.repeat(4000) }), 'malformed'],
]) {
	test(`${name}: ${expected.toString().slice(0, 40)}`, async () => {
		const answer = await ask(`token ${text}`);
		if (expected instanceof RegExp)
			assert.match(answer, expected);
		else
			assert.equal(answer, expected);
	});
}
