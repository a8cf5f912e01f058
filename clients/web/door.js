// Asks the visitor for a token if the daemon requires one, and stores it only in the input
// field.

export class Door {
  #dialog;
  #field;
  #isShut = false;

  /** @param {HTMLDialogElement} dialog with a form and an input field */
  constructor(dialog) {
    this.#dialog = dialog;
    this.#field = dialog.querySelector('input');
    // The page is of no use without a token, so Escape does not close the dialog.
    dialog.addEventListener('cancel', (event) => event.preventDefault());
  }

  /** The daemon refused the token or requires one. */
  shut() {
    this.#isShut = true;
  }

  /** Returns the token for the next connection; asks only after a refusal. */
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
