// Where the daemon wants a token: asks whoever sits there for one, and keeps it nowhere
// but in its field.

export class Door {
  #dialog;
  #field;
  #isShut = false;

  /** @param {HTMLDialogElement} dialog with a form that has a field */
  constructor(dialog) {
    this.#dialog = dialog;
    this.#field = dialog.querySelector('input');
    // Without a token there is nothing to see.
    dialog.addEventListener('cancel', (event) => event.preventDefault());
  }

  /** The daemon refused what was shown, or that there was nothing. */
  shut() {
    this.#isShut = true;
  }

  /** The token of the next connection; of the first none, unless the daemon wants one. */
  async token() {
    if (this.#isShut) {
      this.#dialog.showModal();
      this.#field.select();
      await new Promise((resolve) => {
        this.#dialog.addEventListener('close', resolve, { once: true });
      });
      this.#isShut = false;
    }
    return this.#field.value.trim() || undefined;
  }
}
