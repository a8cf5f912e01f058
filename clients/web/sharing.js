// The dialog that asks whether an avatar may be sent to the viewers: the terms that its file states, the
// visitor's rights and the licence. Choices that contradict the file are disabled, with the reason.

import { LICENCES, contradiction, isLicence, licenceOf } from './avatar-terms.js';
import { text } from './texts.js';

const RIGHTS = ['author', 'licensed', 'public'];
const MEGABYTE = 1e6;

function row(name, value) {
  const div = document.createElement('div');
  div.append(Object.assign(document.createElement('dt'), { textContent: name }),
    Object.assign(document.createElement('dd'), { textContent: value }));
  return div;
}

/** The terms as pairs of name and value; empty if the file states nothing. */
function stated({ title, author, licence, permission, mayRedistribute, modification }) {
  const isStated = permission !== 'unstated';
  return [
    [text('terms.title'), title],
    [text('terms.author'), author],
    [text('terms.licence'), licence],
    [text('terms.permission'), isStated && text(`terms.permission.${permission}`)],
    [text('terms.redistribution'), isStated && text(`terms.redistribution.${mayRedistribute}`)],
    [text('terms.modification'), isStated && text(`terms.modification.${modification}`)],
  ].filter(([, value]) => value);
}

export class Sharing {
  #dialog;
  #form;
  #send;
  #why;

  /** @param {HTMLDialogElement} dialog */
  constructor(dialog) {
    this.#dialog = dialog;
    this.#form = dialog.querySelector('form');
    this.#send = dialog.querySelector('#sharing-send');
    this.#why = dialog.querySelector('#sharing-why');
    dialog.querySelector('#licences').replaceChildren(...LICENCES.map((licence) => new Option(licence)));
    this.#form.addEventListener('input', () => this.#refresh());
    dialog.querySelector('#sharing-cancel').addEventListener('click', () => dialog.close('cancel'));
  }

  /**
   * Asks the visitor.
   *
   * @param {{name: string, size: number}} file
   * @param {import('jointcast').AvatarFacts} facts of the file
   * @returns {Promise<{rights: string, licence: string} | null>} null: nothing may be sent
   */
  ask({ name, size }, facts) {
    const dialog = this.#dialog;
    this.#form.reset();
    dialog.querySelector('#sharing-about').textContent = text('sharing.about',
      { file: name, size: (size / MEGABYTE).toFixed(1) });
    const rows = stated(facts);
    dialog.querySelector('#sharing-terms').replaceChildren(...rows.map(([key, value]) => row(key, value)));
    dialog.querySelector('#sharing-unstated').hidden = rows.length > 0;
    this.#form.elements.licence.value = licenceOf(facts);
    RIGHTS.forEach((rights) => this.#offer(rights, contradiction(facts, rights)));
    this.#refresh();
    dialog.returnValue = '';
    dialog.showModal();
    return new Promise((resolve) => {
      dialog.addEventListener('close', () => resolve(dialog.returnValue === 'send' ? this.#answer : null),
        { once: true });
    });
  }

  get #answer() {
    const { rights, licence } = this.#form.elements;
    return { rights: rights.value, licence: licence.value.trim() };
  }

  #offer(rights, reason) {
    const input = this.#form.querySelector(`[value="${rights}"]`);
    const why = document.getElementById(`rights-${rights}-why`);
    input.disabled = reason !== null;
    why.hidden = reason === null;
    why.textContent = reason === null ? '' : text(`terms.contradiction.${reason}`);
  }

  #refresh() {
    const { rights, licence } = this.#answer;
    const missing = !rights ? 'rights' : !licence ? 'licence'
      : !isLicence(licence) ? 'length' : null;
    this.#send.disabled = missing !== null;
    this.#why.hidden = missing === null;
    this.#why.textContent = missing === null ? '' : text(`sharing.missing.${missing}`);
  }
}
