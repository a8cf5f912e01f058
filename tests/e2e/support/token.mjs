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
