// The moderators' dialog: creates links and pairing codes for guests, lists the invitations to
// the space and revokes them. A secret stands only in the open dialog.

import { InvitationList } from './list.js';
import { drawQr } from './qr.js';
import { fill, text } from '../texts.js';

const SECOND_MS = 1000;
const HOUR = 3600;
/** Choices of the life of an invitation: number and unit of Intl, seconds. */
const LIVES = [[15, 'minute', HOUR / 4], [1, 'hour', HOUR], [2, 'hour', 2 * HOUR], [8, 'hour', 8 * HOUR],
  [1, 'day', 24 * HOUR], [7, 'day', 7 * 24 * HOUR]];
const USUAL_LIFE = 2 * HOUR;
const LOCAL = /^(localhost|127(\.\d+){3}|\[::1\])$/;

const MARKUP = `
<div class="headed"><h2 id="invite-title"></h2><button id="invite-close" type="button" data-text="close"></button></div>
<form>
  <label><span data-text="invite.role"></span> <select id="invite-role" autofocus>
    <option value="watch" data-text="invite.watch"></option>
    <option value="publish" data-text="invite.publish"></option>
  </select></label>
  <label><span data-text="invite.expires"></span> <select id="invite-expires"></select></label>
  <label><span data-text="invite.uses"></span> <input id="invite-uses" type="number" min="1" max="1000" value="1" required></label>
  <label><span data-text="invite.note"></span> <input id="invite-note" type="text" maxlength="40" dir="auto"
    autocomplete="off" data-placeholder="invite.note.hint"></label>
  <p class="ways">
    <button id="invite-link" class="main" data-text="invite.link"></button>
    <button id="invite-code" type="button" data-text="invite.code"></button>
  </p>
  <p class="about" data-text="invite.code.about"></p>
</form>
<p id="invite-error" role="alert"></p>
<section id="invite-new-link" hidden>
  <label><span data-text="invite.url"></span> <input id="invite-url" type="text" dir="ltr" readonly></label>
  <button id="invite-copy" type="button" data-text="invite.copy"></button>
  <p class="about" data-text="invite.once"></p>
  <p id="invite-local" class="about" data-text="invite.local"></p>
  <canvas id="invite-qr" role="img" data-label="invite.qr"></canvas>
</section>
<section id="invite-new-code" hidden>
  <output id="invite-said" dir="ltr"></output>
  <p id="invite-where"></p>
  <p id="invite-left" role="timer"></p>
</section>
<h3 data-text="invite.list"></h3>
<p id="invite-empty" class="about" data-text="invite.empty"></p>
<ul id="invite-list"></ul>`;

/** The page for guests of that role. */
const pageFor = (role) => new URL(role === 'publish' ? 'publish.html' : '.', location.href);

/** Copies the text of a field; a page without a secure context has no clipboard object. */
async function copy(field) {
  field.select();
  if (navigator.clipboard)
    await navigator.clipboard.writeText(field.value);
  else
    document.execCommand('copy');
}

export class Inviter {
  #client;
  #button;
  #dialog = document.createElement('dialog');
  #list;
  #countdown = 0;
  /** Counts the shown results: an answer that arrives after the dialog closed is not shown. */
  #results = 0;

  /**
   * @param {HTMLButtonElement} button opens the dialog; hidden where invitations are not allowed
   * @param {import('jointcast').Client} client
   */
  constructor(button, client) {
    this.#button = button;
    this.#client = client;
    const dialog = this.#dialog;
    Object.assign(dialog, { id: 'inviter', innerHTML: MARKUP });
    dialog.setAttribute('aria-labelledby', 'invite-title');
    document.body.append(dialog);
    fill(dialog);
    this.#offerLives();
    this.#list = new InvitationList(this.#find('list'), this.#find('empty'), client.invitations,
      (error) => this.#fail(error));
    this.#listen();
  }

  #find(id) {
    return this.#dialog.querySelector(`#invite-${id}`);
  }

  #listen() {
    this.#button.addEventListener('click', () => this.open());
    this.#dialog.querySelector('form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#create(false);
    });
    this.#find('code').addEventListener('click', () => this.#create(true));
    this.#find('copy').addEventListener('click', () => copy(this.#find('url')).then(() => {
      this.#find('copy').textContent = text('invite.copied');
    }, (error) => this.#fail(error)));
    this.#find('close').addEventListener('click', () => this.#dialog.close());
    this.#dialog.addEventListener('close', () => this.#leave());
    this.#client.on('welcome', ({ rooms }) => {
      const room = rooms?.find?.(({ name }) => name === this.#client.space);
      this.#button.hidden = room?.invite !== true;
      this.#find('role').options[1].disabled = !room?.roles?.includes?.('publish');
    });
  }

  #offerLives() {
    for (const [count, unit, seconds] of LIVES) {
      const name = new Intl.NumberFormat(document.documentElement.lang,
        { style: 'unit', unit, unitDisplay: 'long' }).format(count);
      this.#find('expires').add(new Option(name, seconds, seconds === USUAL_LIFE, seconds === USUAL_LIFE));
    }
  }

  open() {
    if (this.#button.hidden || this.#dialog.open)
      return;
    this.#find('title').textContent = text('invite.title', { space: this.#client.space });
    this.#dialog.showModal();
    this.#list.open();
  }

  /** Removes the secret from the page. */
  #leave() {
    this.#clear();
    this.#list.close();
  }

  #clear() {
    this.#results++;
    clearInterval(this.#countdown);
    this.#find('error').textContent = '';
    this.#find('url').value = '';
    this.#find('said').value = '';
    this.#find('qr').width = 0;
    this.#find('new-link').hidden = this.#find('new-code').hidden = true;
  }

  #fail({ message }) {
    this.#find('error').textContent = message;
  }

  async #create(pair) {
    this.#clear();
    const result = this.#results;
    const role = this.#find('role').value;
    const options = { role, expires: Number(this.#find('expires').value),
      uses: pair ? 1 : this.#find('uses').valueAsNumber, note: this.#find('note').value.trim() || undefined, pair };
    try {
      const made = await this.#client.invitations.create(options);
      if (result !== this.#results)
        return;
      if (pair)
        this.#showCode(made);
      else
        await this.#showLink(made);
    } catch (error) {
      this.#fail(error);
    }
    this.#list.refresh();
  }

  async #showLink({ invitation, role }) {
    const { space } = this.#client;
    const url = pageFor(role);
    if (space !== 'lobby')
      url.searchParams.set('space', space);
    this.#find('local').hidden = !LOCAL.test(url.hostname);
    url.hash = `invite=${invitation}`;
    this.#find('url').value = url.href;
    this.#find('copy').textContent = text('invite.copy');
    this.#find('new-link').hidden = false;
    this.#find('copy').focus();
    await drawQr(this.#find('qr'), url.href);
    this.#find('new-link').scrollIntoView({ block: 'nearest' });
  }

  #showCode({ id, code, codeSeconds, role }) {
    const end = performance.now() + codeSeconds * SECOND_MS;
    this.#find('said').value = code;
    this.#find('where').textContent = text('invite.code.where', { address: pageFor(role).href });
    const show = () => {
      const left = Math.max(0, Math.ceil((end - performance.now()) / SECOND_MS));
      const isUsed = this.#list.isSpent(id);
      if (isUsed || left === 0) {
        clearInterval(this.#countdown);
        this.#find('said').value = this.#find('where').textContent = '';
      }
      this.#find('left').textContent = isUsed ? text('invite.code.used')
        : left === 0 ? text('invite.code.over')
          : text('invite.code.left', { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}` });
    };
    this.#countdown = setInterval(show, SECOND_MS);
    show();
    this.#find('new-code').hidden = false;
    this.#find('new-code').scrollIntoView({ block: 'nearest' });
  }
}
