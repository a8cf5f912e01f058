// The avatar files of a server (proto/AVATARS.md): fetches them for bodies, uploads and removes
// those of this client, over HTTP beside the WebSocket.

import { httpAddress, isHash } from '../connection/address.js';
import { readBytes } from '../connection/answer.js';
import { request, requestJson } from '../connection/http.js';
import { ProtocolError } from '../error.js';

/**
 * The avatar that a body wears, as the roster lists it.
 *
 * @typedef {object} WornAvatar
 * @property {string} hash SHA-256 of the file, 64 hexadecimal digits.
 * @property {number} bytes Size of the file.
 * @property {number} index The humanoid in the file, from 0.
 */

/**
 * Permissions of a client for avatars, from `welcome`.
 *
 * @typedef {object} AvatarAllowance
 * @property {boolean} upload Whether the client may upload avatars.
 * @property {number} bytes The largest file.
 */

/**
 * The declaration of an upload. author: I made it, or hold all rights; licensed: its author permits
 * me to show it and to send it to viewers; public: its licence permits that to everyone.
 *
 * @typedef {object} UploadOptions
 * @property {'author' | 'licensed' | 'public'} rights
 * @property {string} licence SPDX identifier or a name, 1 to 63 bytes.
 * @property {number} [index] The humanoid in the file; 0.
 */

/**
 * The answer to an upload.
 *
 * @typedef {object} UploadedAvatar
 * @property {string} hash For `publish` and `amend`.
 * @property {number} bytes
 * @property {string} skeleton Hash of its skeleton.
 * @property {number} expires Unix time in seconds.
 */

/** The largest avatar, bytes (proto/AVATARS.md, "Caps"). */
export const AVATAR_BYTES = 32 * 1024 * 1024;

const PATIENCE_MS = 300000; // for a large file on a slow line

/** @param {string} hash */
function checkHash(hash) {
  if (!isHash(hash)) {
    throw new ProtocolError('invalid', 'the hash of an avatar has 64 lower-case hexadecimal digits');
  }
}

/** SHA-256 of bytes in hexadecimal; '' where the page has no crypto.subtle. @param {ArrayBuffer} bytes */
async function digest(bytes) {
  const subtle = globalThis.crypto?.subtle; // browsers offer it to secure pages only
  return subtle ? Array.from(new Uint8Array(await subtle.digest('SHA-256', bytes)),
    (byte) => byte.toString(16).padStart(2, '0')).join('') : '';
}

/** The avatars of one server. */
export class Avatars {
  #environment;

  /**
   * @param {() => { address: string, token: string | undefined, fetch: typeof fetch | null }} environment
   */
  constructor(environment) {
    this.#environment = environment;
  }

  /** @param {string} path @returns {[URL, { token: string | undefined, fetch: typeof fetch | null, patience: number }]} */
  #page(path) {
    const { address, ...rest } = this.#environment();
    return [httpAddress(address, `avatars${path}`), { ...rest, patience: PATIENCE_MS }];
  }

  /** @param {string} hash @param {number} [size] as the roster states it @returns {Promise<ArrayBuffer>} */
  async load(hash, size = AVATAR_BYTES) {
    checkHash(hash);
    const most = Math.min(size, AVATAR_BYTES);
    const [url, options] = this.#page(`/${hash}`);
    const bytes = await readBytes(await request(url, { ...options, keep: true }), most, 'the avatar');
    const found = await digest(bytes);
    if (found && found !== hash) {
      throw new ProtocolError('invalid', `the server sent another file for the avatar ${hash}`);
    }
    return bytes;
  }

  /** @param {ArrayBuffer | Uint8Array} bytes @param {UploadOptions} options @returns {Promise<UploadedAvatar>} */
  async upload(bytes, { rights, licence, index = 0 }) {
    const [url, options] = this.#page(`?${new URLSearchParams({ rights, licence, ...(index > 0 && { index: String(index) }) })}`);
    const { hash, bytes: size, skeleton, expires } = await requestJson(url, { ...options, method: 'PUT', bytes });
    if (!isHash(hash) || typeof skeleton !== 'string' || !Number.isFinite(size) || !Number.isFinite(expires)) {
      throw new ProtocolError('invalid', 'the answer to the upload has no hash, skeleton, size or expiry');
    }
    return { hash, bytes: size, skeleton, expires };
  }

  /** @param {string} hash @returns {Promise<void>} */
  async remove(hash) {
    checkHash(hash);
    const [url, options] = this.#page(`/${hash}`);
    await request(url, { ...options, method: 'DELETE' });
  }
}
