// Asks the visitor for a token or a pairing code if the daemon requires a token. Stores a
// typed token only in its input field.

import { readPairingCode } from 'jointcast';
import { Ticket, showSpace } from './invitation/ticket.js';
import { fill, text } from './texts.js';

/** Reasons of a refusal (proto/PROTOCOL.md, "Tokens") that have a text of their own. */
const REASONS = ['no-token', 'expired', 'revoked', 'too-early'];

const MARKUP = `
<form method="dialog">
  <h2 id="door-title" data-text="door.title"></h2>
  <p id="door-reason" role="alert"></p>
  <label><span data-text="door.token"></span>
    <input id="door-token" type="password" autocomplete="off" spellcheck="false" required></label>
  <label><span data-text="door.code"></span>
    <input id="door-code" type="text" inputmode="text" autocapitalize="characters" autocomplete="off" spellcheck="false"
      dir="ltr" maxlength="24" data-placeholder="door.code.form" required></label>
  <button id="door-enter" data-text="door.enter"></button>
  <p class="ways">
    <button id="door-other" type="button"></button>
    <button id="door-without" type="button" data-text="door.without"></button>
  </p>
</form>`;

/**
 * A door for the page, after the exchange of the invitation in its address.
 *
 * @param {URL} url of the daemon
 */
export async function openDoor(url) {
  const ticket = new Ticket(url);
  await ticket.admit();
  // An invitation that is pasted into the address of the open page.
  addEventListener('hashchange', async () => {
    if (await ticket.admit())
      location.reload();
  });
  return new Door(ticket);
}

class Door {
  #ticket;
  #dialog = document.createElement('dialog');
  #isShut = false;
  /** Token of the last connection. */
  #shown;
  /** A code gives access to this space: the page joins it. */
  #space = null;

  /** @param {import('./invitation/ticket.js').Ticket} ticket of a guest */
  constructor(ticket) {
    this.#ticket = ticket;
    const dialog = this.#dialog;
    Object.assign(dialog, { id: 'door', innerHTML: MARKUP });
    dialog.setAttribute('aria-labelledby', 'door-title');
    document.body.append(dialog);
    fill(dialog);
    dialog.querySelector('form').addEventListener('submit', (event) => this.#submit(event));
    this.#find('other').addEventListener('click', () => {
      this.#offer(this.#find('code').disabled);
      this.#explain([this.#find('code').disabled ? 'door.no-token' : 'door.code.why', {}]);
    });
    this.#find('without').addEventListener('click', () => dialog.close());
    // Without a token the page is of no use, unless the daemon admits visitors without one.
    dialog.addEventListener('cancel', (event) => {
      if (this.#isShut)
        event.preventDefault();
    });
    this.#offer(false);
  }

  /**
   * The daemon refused the token or requires one.
   *
   * @param {string} message of the daemon
   * @param {string} reason code of the message
   */
  shut(message, reason) {
    this.#isShut = true;
    this.#ticket.refused(this.#shown, message);
    this.#dialog.dataset.reason = reason;
    this.#explain(this.#ticket.takeReason()
      ?? [REASONS.includes(reason) ? `door.${reason}` : 'door.refused', { message }]);
  }

  /**
   * Returns the token for the next connection; asks after a refusal and after an invitation that
   * is not valid.
   *
   * @param {string} space
   */
  async token(space) {
    if (this.#ticket.hasReason)
      this.#explain(this.#ticket.takeReason());
    else if (!this.#isShut)
      return this.#show(space);
    await this.#ask(space);
    return this.#show(space);
  }

  /** The token to show to the daemon. */
  #show(space) {
    this.#shown = this.#ticket.token(space) ?? (this.#find('token').value.trim() || undefined);
    return this.#shown;
  }

  #find(id) {
    return this.#dialog.querySelector(`#door-${id}`);
  }

  /** The field in use. */
  get #field() {
    return this.#find(this.#find('code').disabled ? 'token' : 'code');
  }

  async #ask(space) {
    this.#space = space;
    this.#find('without').hidden = this.#isShut;
    const closed = new Promise((resolve) => {
      this.#dialog.addEventListener('close', resolve, { once: true });
    });
    if (!this.#dialog.open) {
      this.#dialog.showModal();
      this.#field.select();
    }
    await closed;
    this.#isShut = false;
    this.#explain(null);
  }

  /** Offers the field for a code or that for a token. */
  #offer(code) {
    for (const [id, isOffered] of [['code', code], ['token', !code]]) {
      this.#find(id).disabled = !isOffered;
      this.#find(id).parentElement.hidden = !isOffered;
    }
    this.#find('other').textContent = text(code ? 'door.other.token' : 'door.other.code');
    if (this.#dialog.open)
      this.#field.focus();
  }

  /** Shows why the visitor is asked: a key of the table and its values, or null. */
  #explain(reason) {
    this.#find('reason').textContent = reason ? text(...reason) : '';
  }

  async #submit(event) {
    const field = this.#find('code');
    if (field.disabled)
      return; // a token: the dialog closes
    event.preventDefault();
    const code = readPairingCode(field.value);
    if (!code) {
      this.#explain(['ticket.form', {}]);
      field.focus();
      return;
    }
    field.value = code;
    this.#find('enter').disabled = true;
    const isAdmitted = await this.#ticket.redeem({ code });
    this.#find('enter').disabled = false;
    if (isAdmitted) {
      field.value = '';
      this.#find('token').value = '';
      this.#enter();
    } else {
      this.#explain(this.#ticket.takeReason());
      field.select();
    }
  }

  /** Joins the space of the code: the one of this page, or that of a new page. */
  #enter() {
    const { space } = this.#ticket;
    if (space === this.#space) {
      this.#dialog.close();
    } else {
      showSpace(space);
      location.reload();
    }
  }
}
