// The guest's side of invitations: exchanges the secret of a link, or a pairing code, for a
// personal token, and keeps the token for this tab until the server refuses it. Elements of
// the page are not used.

import { redeemInvitation } from 'jointcast';

/** Text for each code of a refused exchange; other codes show the message of the server. */
const REASONS = { 'too-many': 'ticket.many', unknown: 'ticket.unknown', 'not-allowed': 'ticket.insecure' };
const LINK_REASONS = { ...REASONS, gone: 'ticket.gone', 'bad-field': 'ticket.gone', 'too-large': 'ticket.gone' };
const CODE_REASONS = { ...REASONS, gone: 'ticket.gone.code', 'bad-field': 'ticket.form' };

/** Members of the answer that the page keeps. */
const FIELDS = ['token', 'space', 'role', 'expires'];

export class Ticket {
  #url;
  #key;
  #kept = null;
  /** A key of the table of texts and its values. @type {[string, object] | null} */
  #reason = null;

  /** @param {URL} url of the daemon */
  constructor(url) {
    this.#url = url;
    this.#key = `jointcast:ticket:${url.pathname}`;
    this.#load();
  }

  /** Whether there is a reason why there is no token. */
  get hasReason() {
    return this.#reason !== null;
  }

  /** The space of the token, null without one. */
  get space() {
    return this.#kept?.space ?? null;
  }

  /** The token for a space, undefined without one. */
  token(space) {
    return this.#kept?.space === space ? this.#kept.token : undefined;
  }

  /** Exchanges the invitation that the page removed from its address; false without one. */
  async admit() {
    const invitation = window.takeInvitation();
    if (invitation === null)
      return false;
    if (await this.redeem({ invitation }))
      showSpace(this.space);
    return true;
  }

  /**
   * Exchanges a secret or a code; afterwards there is a token or a reason.
   *
   * @param {{ invitation: string } | { code: string }} secret
   * @returns {Promise<boolean>} whether there is a token
   */
  async redeem(secret) {
    try {
      const answer = await redeemInvitation(this.#url, secret);
      this.#keep(Object.fromEntries(FIELDS.map((field) => [field, answer[field]])));
      return true;
    } catch ({ code, message }) {
      const key = ('code' in secret ? CODE_REASONS : LINK_REASONS)[code];
      this.#keep(this.#kept, key ? [key, {}] : ['ticket.failed', { message }]);
      return false;
    }
  }

  /** The server refused the token of a connection. Forgets the token if it is the guest's. */
  refused(token, message) {
    if (token !== undefined && token === this.#kept?.token)
      this.#keep(null, [/revoked$/.test(message) ? 'ticket.revoked' : 'ticket.expired', {}]);
  }

  /** Returns the reason why there is no token, and forgets the reason. */
  takeReason() {
    const reason = this.#reason;
    this.#keep(this.#kept);
    return reason;
  }

  #keep(kept, reason = null) {
    this.#kept = kept;
    this.#reason = reason;
    try {
      sessionStorage.setItem(this.#key, JSON.stringify({ kept, reason }));
    } catch {
      // Without storage the token lasts until the page is reloaded.
    }
  }

  #load() {
    let stored;
    try {
      stored = JSON.parse(sessionStorage.getItem(this.#key));
    } catch {
      return; // there is no storage, or another version wrote it
    }
    this.#kept = stored?.kept ?? null;
    this.#reason = stored?.reason ?? null;
    if (this.#kept?.expires * 1000 <= Date.now())
      this.refused(this.#kept.token, '');
  }
}

/** Writes the space of a token into the address, so that a reload joins it again. */
export function showSpace(space) {
  const url = new URL(location.href);
  if ((url.searchParams.get('space') || 'lobby') === space)
    return;
  url.searchParams.set('space', space);
  history.replaceState(history.state, '', url);
}
