// Makes the corpus of fuzz_token: tokens with every claim, and what is wrong in one way each.
// Usage: node make_token_corpus.mjs
import { createPublicKey } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { secret, sign } from '../../e2e/support/token.mjs';

const folder = new URL('../fuzz_token.corpus/', import.meta.url);
mkdirSync(folder, { recursive: true });
const write = (name, content) => writeFileSync(new URL(name, folder), content);

const SECRET = '0123456789abcdef0123456789abcdef'; // as in fuzz_token.c
const ALGORITHMS = { h: 'HS256', s: 'RS256', e: 'ES256' };
const claims = { sub: 'ada', aud: 'jointcast', exp: 1800000000, nbf: 1600000000, iat: 1600000000,
	roles: ['watch', 'publish', 'record', 'moderate', 'administer', 'later'],
	spaces: ['lobby', 'Größe'], bodies: '*' };

/** An input that the target signs: the key, a header and a payload. */
function signed(name, payload, header = {}, key = 'h') {
	const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
	write(name, `${key}${text(typeof header === 'string' ? header
		: { alg: ALGORITHMS[key], typ: 'JWT', kid: key, ...header })}\n${text(payload)}`);
}

const base64 = (value) => Buffer.from(value).toString('base64url');
const whole = (payload, header = { alg: 'HS256', typ: 'JWT', kid: 'h' }) => sign(header, payload, SECRET);

for (const key of Object.keys(ALGORITHMS))
	signed(`good-${ALGORITHMS[key]}`, claims, {}, key);
signed('least', { sub: 'a', aud: ['x', 'jointcast'], exp: 1700000000.5 });
signed('everything', { ...claims, spaces: '*', exp: 1e300 });
signed('longest-names', { ...claims, sub: 'x'.repeat(63), spaces: Array(16).fill('y'.repeat(63)) });

// Claims that are refused.
signed('expired', { ...claims, exp: 1600000000 });
signed('too-early', { ...claims, nbf: 1800000000 });
signed('no-exp', { sub: 'a', aud: 'jointcast' });
signed('text-exp', { ...claims, exp: '1800000000' });
signed('text-nbf', { ...claims, nbf: 'now' });
signed('other-audience', { ...claims, aud: ['x'] });
signed('number-audience', { ...claims, aud: 7 });
signed('empty-subject', { ...claims, sub: '' });
signed('long-subject', { ...claims, sub: 'x'.repeat(64) });
signed('nul-subject', '{"sub":"a\\u0000b","aud":"jointcast","exp":1800000000}');
signed('surrogate-subject', '{"sub":"\\ud83d","aud":"jointcast","exp":1800000000}');
signed('too-many-names', { ...claims, spaces: Array(17).fill('y') });
signed('number-names', { ...claims, bodies: [7] });
signed('object-names', { ...claims, bodies: {} });
signed('text-names', { ...claims, bodies: 'walker' });
signed('text-roles', { ...claims, roles: 'watch' });
signed('number-roles', { ...claims, roles: [1] });
signed('no-object', '[1,2]');
signed('no-json', 'exp');
signed('deep', `${'['.repeat(600)}`);

// Headers that are refused.
signed('no-key-id', claims, { kid: undefined });
signed('unknown-key', claims, { kid: 'x' });
signed('revoked-key', claims, { kid: 'old' });
signed('none', claims, { alg: 'none' });
signed('no-algorithm', claims, { alg: undefined });
signed('number-algorithm', claims, { alg: 7 });
signed('unknown-algorithm', claims, { alg: 'XX1' });
signed('other-algorithm', claims, { alg: 'HS512' });
signed('public-key-as-secret', claims, { alg: 'HS256', kid: 's' });
signed('key-of-another', claims, { kid: 'e', alg: 'ES256' }, 's');
signed('critical', claims, { crit: ['exp'] });
signed('nested-header', claims, { jwk: { kty: 'oct', k: 'AAAA' } });

// Complete tokens.
const token = whole(claims);
write('raw-good', `r${token}`);
write('raw-empty', 'r');
write('raw-cut', `r${token.slice(0, -1)}`);
write('raw-no-signature', `r${token.slice(0, token.lastIndexOf('.') + 1)}`);
write('raw-two-parts', `r${token.slice(0, token.lastIndexOf('.'))}`);
write('raw-four-parts', `r${token}.${token.slice(-8)}`);
write('raw-padded', `r${token}=`);
write('raw-none', `r${base64('{"alg":"none","kid":"h"}')}.${base64(JSON.stringify(claims))}.`);
write('raw-nul', `r${token.slice(0, 9)}\0${token.slice(9)}`);
write('raw-not-base64', `r${token.replaceAll('a', '*')}`);
write('raw-too-long', `r${'x'.repeat(4097)}`);
write('raw-dots', 'r..');

// Keys. The numbers of the public ones are any that have the right form.
const pem = (jwk) => createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
const number = (bytes) => Buffer.alloc(bytes, 0xa5).toString('base64url');
write('key-secret', `k${SECRET}`);
write('key-short-secret', `k${SECRET.slice(1)}`);
write('key-rsa-2048', `k${pem({ kty: 'RSA', n: number(256), e: 'AQAB' })}`);
write('key-rsa-1024', `k${pem({ kty: 'RSA', n: number(128), e: 'AQAB' })}`);
write('key-p256', `k${pem({ kty: 'EC', crv: 'P-256', x: 'axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY', y: 'T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU' })}`);
write('key-ed25519', `k${pem({ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' })}`);
write('key-cut', `k${pem({ kty: 'RSA', n: number(256), e: 'AQAB' }).slice(0, 200)}`);
write('key-private', 'k-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n');
write('key-empty', 'k');
write('key-too-long', `k${'x'.repeat(8193)}`);
