// Makes JSON Web Tokens (RFC 7519) with nothing but node:crypto.

import crypto from 'node:crypto';

const signers = {
	none: () => Buffer.alloc(0),
	HS256: (text, key) => crypto.createHmac('sha256', key).update(text).digest(),
	HS512: (text, key) => crypto.createHmac('sha512', key).update(text).digest(),
	RS256: (text, key) => crypto.sign('sha256', Buffer.from(text), key),
	PS256: (text, key) => crypto.sign('sha256', Buffer.from(text),
		{ key, padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }),
	ES256: (text, key) => crypto.sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }),
};

/** One part of a token: text, or an object as JSON. */
export const part = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A token of exactly this header and these claims, signed with `algorithm`. */
export function sign(header, claims, key, algorithm = 'HS256') {
	const text = `${part(header)}.${part(claims)}`;
	return `${text}.${signers[algorithm](text, key).toString('base64url')}`;
}

/** The secret of `token`, for the daemon's key file. */
export const secret = crypto.randomBytes(32);

/** Seconds since 1970, as claims have them. */
export const now = () => Math.floor(Date.now() / 1000);

/** A valid token, HS256, for ten minutes; `claims` replace or add to the default ones. */
export const token = (claims, key = secret, kid = 'shared') => sign({ alg: 'HS256', kid },
	{ aud: 'world', exp: now() + 600, roles: ['watch', 'publish'], spaces: '*', bodies: '*', ...claims }, key);

/** The key that the daemon derives for the tokens of guests from the bytes of its file invite.key (daemon/invitation/guest_key.c). */
export function guestKey(bytes) {
	const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
	const hash = crypto.createHash('sha512').update('jointcast guest key 1\0').update(bytes).digest('hex');
	const d = Buffer.from((BigInt(`0x${hash}`) % (order - 1n) + 1n).toString(16).padStart(64, '0'), 'hex');
	const pair = crypto.createECDH('prime256v1');
	pair.setPrivateKey(d);
	const [x, y] = [pair.getPublicKey().subarray(1, 33), pair.getPublicKey().subarray(33)];
	return crypto.createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256',
		d: d.toString('base64url'), x: x.toString('base64url'), y: y.toString('base64url') } });
}
