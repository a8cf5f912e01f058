// Operators, accounts and users of NATS with their JWTs (github.com/nats-io/jwt, version 2), and the
// credentials file of a user, as the tool nsc makes them.

import crypto from 'node:crypto';

const KINDS = { operator: 14 << 3, account: 0, user: 20 << 3 };
const SEED = 18 << 3;

/** CRC-16/XMODEM. */
function crc16(bytes) {
	let crc = 0;
	for (const byte of bytes) {
		crc ^= byte << 8;
		for (let bit = 0; bit < 8; bit++)
			crc = (crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1) & 0xffff;
	}
	return crc;
}

/** RFC 4648, without padding. */
function base32(bytes) {
	const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
	return bits.match(/.{1,5}/g).map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[parseInt(five.padEnd(5, '0'), 2)]).join('');
}

function withSum(...bytes) {
	const sum = crc16(bytes);
	return base32([...bytes, sum & 255, sum >> 8]);
}

/** A key pair (nkeys): `id` is the public key, `seed` the private one. */
function keyPair(kind) {
	const { privateKey } = crypto.generateKeyPairSync('ed25519');
	const { d, x } = privateKey.export({ format: 'jwk' });
	const type = KINDS[kind];
	return { privateKey, id: withSum(type, ...Buffer.from(x, 'base64url')),
		seed: withSum(SEED | type >> 5, (type & 31) << 3, ...Buffer.from(d, 'base64url')) };
}

function sign(issuer, subject, name, nats) {
	const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const claims = { jti: crypto.randomBytes(16).toString('hex'), iat: Math.floor(Date.now() / 1000), iss: issuer.id,
		name, sub: subject.id, nats: { ...nats, version: 2 } };
	const text = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`;
	return `${text}.${crypto.sign(null, Buffer.from(text), issuer.privateKey).toString('base64url')}`;
}

/** The lines of a nats-server that trusts one operator with one account, and a function that makes
 * the text of a credentials file. */
export function natsOperator() {
	const operator = keyPair('operator'), account = keyPair('account');
	const limits = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
	const config = `operator: ${sign(operator, operator, 'operator', { type: 'operator' })}
resolver: MEMORY
resolver_preload: { ${account.id}: ${sign(operator, account, 'jointcast', { type: 'account', limits, default_permissions: { pub: {}, sub: {} } })} }
`;
	return { config, credentials() {
		const user = keyPair('user');
		const jwt = sign(account, user, 'host', { type: 'user', pub: {}, sub: {}, subs: -1, data: -1, payload: -1 });
		return `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n\n`
			+ `-----BEGIN USER NKEY SEED-----\n${user.seed}\n------END USER NKEY SEED------\n`;
	} };
}
