// The list of invitations in the moderators' dialog; current while the dialog is open.

import { text } from '../texts.js';

const REFRESH_MS = 4000;

/** Why an invitation has ended: a key of the table of texts; null while it is in force. */
function endOf({ revoked, expires, used, uses }, seconds) {
  return revoked ? 'invite.revoked' : expires <= seconds ? 'invite.expired' : used >= uses ? 'invite.spent' : null;
}

export class InvitationList {
  #list;
  #empty;
  #invitations;
  #fail;
  #timer = 0;
  #shown = [];

  /**
   * @param {HTMLUListElement} list
   * @param {HTMLElement} empty shown while the list is empty
   * @param {import('jointcast').Invitations} invitations
   * @param {(error: Error) => void} fail shows an error
   */
  constructor(list, empty, invitations, fail) {
    this.#list = list;
    this.#empty = empty;
    this.#invitations = invitations;
    this.#fail = fail;
  }

  open() {
    this.#timer = setInterval(() => this.refresh(), REFRESH_MS);
    this.refresh();
  }

  close() {
    clearInterval(this.#timer);
  }

  /** Whether all uses of an invitation are taken. */
  isSpent(id) {
    return this.#shown.some((one) => one.id === id && one.used >= one.uses);
  }

  async refresh() {
    try {
      this.#show(await this.#invitations.list());
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Writes the list again only if it changed: the focus stays on its button. */
  #show(invitations) {
    const seconds = Date.now() / 1000;
    const lines = invitations.map((one) => ({ ...one, end: endOf(one, seconds) }))
      .sort((a, b) => Number(a.end !== null) - Number(b.end !== null) || b.expires - a.expires);
    if (JSON.stringify(lines) === JSON.stringify(this.#shown))
      return;
    const { activeElement } = document;
    const at = [...this.#list.querySelectorAll('button')].indexOf(activeElement);
    this.#shown = lines;
    this.#list.replaceChildren(...lines.map((one) => this.#item(one)));
    this.#empty.hidden = lines.length > 0;
    if (at >= 0) {
      const buttons = this.#list.querySelectorAll('button');
      (buttons[Math.min(at, buttons.length - 1)] ?? this.#list.closest('dialog').querySelector('#invite-close')).focus();
    }
  }

  #item({ id, role, note, used, uses, expires, by, end }) {
    const item = document.createElement('li');
    const part = (className, content) => item.append(
      Object.assign(document.createElement('span'), { className, textContent: content, dir: 'auto' }));
    if (note)
      part('name', note);
    const date = new Date(expires * 1000).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
    part('about', text('invite.item', { role: text(`invite.${role}`), used, uses, date, by: by ?? '' }));
    if (end) {
      item.classList.add('over');
      part('end', text(end));
    }
    if (end === null || end === 'invite.spent')
      item.append(this.#revoker(id));
    return item;
  }

  #revoker(id) {
    const button = Object.assign(document.createElement('button'),
      { type: 'button', textContent: text('invite.revoke'), title: text('invite.revoke.title') });
    button.addEventListener('click', async () => {
      button.disabled = true;
      try {
        await this.#invitations.revoke(id);
      } catch (error) {
        button.disabled = false;
        this.#fail(error);
      }
      await this.refresh();
    });
    return button;
  }
}
