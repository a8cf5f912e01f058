// Signs tokens for the users of a web service with jose, as a backend in Node does.
//
// usage: node sign-token.mjs KEY ALGORITHM KID AUDIENCE SPACE USER     prints the token of USER
//        Before: npm install jose; jointcast token --new-key KEY --algorithm ES256 --kid KID
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { importPKCS8, SignJWT } from 'jose';

/** A file of `jointcast token --new-key`: a secret for HS256, else a private key in PEM. */
export async function readKey(file, algorithm) {
  return algorithm === 'HS256' ? readFile(file) : importPKCS8(await readFile(file, 'utf8'), algorithm);
}

/** Permits a user who has logged in to watch one space and to publish a body of the user's name. */
export function signToken(key, { algorithm, kid, audience, space, user }) {
  return new SignJWT({ roles: ['watch', 'publish'], spaces: [space], bodies: [user] })
    .setProtectedHeader({ alg: algorithm, kid })
    .setSubject(user)
    .setAudience(audience)
    .setExpirationTime('10 minutes')
    .sign(key);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [file, algorithm, kid, audience, space, user] = process.argv.slice(2);
  console.log(await signToken(await readKey(file, algorithm), { algorithm, kid, audience, space, user }));
}
