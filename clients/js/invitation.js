// Invitations (proto/INVITATIONS.md): a moderator creates, lists and revokes them; a guest exchanges
// the secret of a link, or a pairing code, for a personal token.

import { httpAddress } from './connection/address.js';
import { request, requestJson } from './connection/http.js';
import { ProtocolError } from './error.js';

/**
 * Rights and limits of a new invitation.
 *
 * @typedef {object} InvitationOptions
 * @property {'watch' | 'publish'} [role] Role of the guests in the space; `watch`.
 * @property {number} [expires] Seconds from now until the invitation and its tokens expire; 2 hours.
 * @property {number} [uses] Number of guests, 1 to 1000; 1.
 * @property {string} [note] Text for the list.
 * @property {boolean} [pair] Creates a pairing code in place of a secret: one use, two minutes.
 */

/**
 * A new invitation. The server stores only hashes: `invitation` or `code` is shown once.
 *
 * @typedef {object} Invitation
 * @property {string} id For `revoke`; not a secret.
 * @property {string} [invitation] The secret of a link.
 * @property {string} [code] The pairing code, in the form XX-XXXX-XXXX.
 * @property {number} [codeSeconds] Time of the code, seconds.
 * @property {string} space
 * @property {'watch' | 'publish'} role
 * @property {number} expires Unix time in seconds.
 * @property {number} uses
 */

/**
 * An invitation in the list.
 *
 * @typedef {object} ListedInvitation
 * @property {string} id
 * @property {string} space
 * @property {'watch' | 'publish'} role
 * @property {string} [note]
 * @property {number} expires Unix time in seconds.
 * @property {number} uses
 * @property {number} used Number of guests that redeemed it.
 * @property {string} by Subject of its creator.
 * @property {boolean} revoked
 */

/**
 * The personal token of a guest, for the option `token` of `connect`.
 *
 * @typedef {object} Ticket
 * @property {string} token
 * @property {string} space
 * @property {'watch' | 'publish'} role
 * @property {string} sub Subject of the token.
 * @property {number} expires Unix time in seconds; the token cannot be renewed.
 */

const TWO_HOURS = 7200;
const CODE_LENGTH = 10;

/**
 * Reads a pairing code as a person may type it, after Crockford's base32: in lower case, without
 * hyphens, with O for 0 and I or L for 1.
 *
 * @param {string} text
 * @returns {string | null} the code in the form XX-XXXX-XXXX, null if the text is not one
 */
export function readPairingCode(text) {
  const code = text.toUpperCase().replace(/[\s\p{Pd}]/gu, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return code.length === CODE_LENGTH && /^[0-9A-HJKMNP-TV-Z]*$/.test(code)
    ? `${code.slice(0, 2)}-${code.slice(2, 6)}-${code.slice(6)}` : null;
}

/** @param {any} answer @returns {Ticket} */
function readTicket({ token, space, role, sub, expires }) {
  if (typeof token !== 'string' || typeof space !== 'string' || typeof sub !== 'string' ||
    (role !== 'watch' && role !== 'publish') || !Number.isFinite(expires)) {
    throw new ProtocolError('invalid', 'the answer to the invitation has no usable token');
  }
  return { token, space, role, sub, expires };
}

/**
 * Exchanges an invitation for a personal token.
 *
 * @param {string | URL} url address of the daemon, as for `connect`
 * @param {{ invitation: string } | { code: string }} secret of a link, or a pairing code as
 *   `readPairingCode` accepts it
 * @param {{ fetch?: typeof fetch }} [options]
 * @returns {Promise<Ticket>} rejects with a ProtocolError: code `gone` if the invitation is unknown,
 *   used up, expired or revoked, `too-many` after too many attempts; with a ConnectError if the
 *   server does not answer
 */
export async function redeemInvitation(url, secret, { fetch = globalThis.fetch } = {}) {
  const json = 'code' in secret ? { code: readPairingCode(secret.code) } : { invitation: secret.invitation };
  if (json.code === null) {
    throw new ProtocolError('bad-field', 'a pairing code has 10 characters, in the form XX-XXXX-XXXX');
  }
  return readTicket(await requestJson(httpAddress(String(url), 'invitations/redeem'), { method: 'POST', json, fetch }));
}

/**
 * Invitations to a client's space, where `welcome.rooms[].invite` is true. Each call rejects with a
 * ProtocolError if the server refuses it, with a ConnectError if it does not answer.
 */
export class Invitations {
  #space;
  #ask;

  /**
   * @param {string} space
   * @param {() => { address: string, token: string | undefined, fetch: typeof fetch | null }} environment
   */
  constructor(space, environment) {
    this.#space = space;
    /** @type {(path: string) => [URL, { token: string | undefined, fetch: typeof fetch | null }]} */
    this.#ask = (path) => {
      const { address, ...rest } = environment();
      return [httpAddress(address, `invitations${path}`), rest];
    };
  }

  /**
   * Creates an invitation; it never gives more than the creator's own rights.
   *
   * @param {InvitationOptions} [options]
   * @returns {Promise<Invitation>}
   */
  create({ role = 'watch', expires = TWO_HOURS, uses = 1, note, pair } = {}) {
    const [url, options] = this.#ask('');
    return requestJson(url, { ...options, method: 'POST',
      json: { space: this.#space, role, expires, uses, note, pair } });
  }

  /** Lists the invitations to the space. @returns {Promise<ListedInvitation[]>} */
  async list() {
    const [url, options] = this.#ask(`?space=${encodeURIComponent(this.#space)}`);
    const { invitations } = await requestJson(url, options);
    return Array.isArray(invitations) ? invitations : [];
  }

  /**
   * Revokes an invitation: the server refuses its tokens and closes their connections.
   *
   * @param {string} id
   * @returns {Promise<void>}
   */
  async revoke(id) {
    const [url, options] = this.#ask(`/${encodeURIComponent(id)}`);
    await request(url, { ...options, method: 'DELETE' });
  }
}
