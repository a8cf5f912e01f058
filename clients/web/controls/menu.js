// On a small screen, two buttons open the tools and the list of bodies, one at a time; viewer.css
// decides what a small screen is.

const $ = (id) => document.getElementById(id);

export class Menu {
  #buttons = [$('list'), $('menu')];

  /** @param {HTMLElement} stage closes the menu when it is pressed */
  constructor(stage) {
    for (const button of this.#buttons)
      button.addEventListener('click', () => this.#show(button.ariaExpanded === 'true' ? null : button));
    stage.addEventListener('pointerdown', () => this.#show(null));
    document.addEventListener('keydown', (event) => {
      const open = this.#buttons.find(({ ariaExpanded }) => ariaExpanded === 'true');
      if (event.key !== 'Escape' || !open || document.querySelector('dialog[open]'))
        return;
      event.stopImmediatePropagation();
      this.#show(null);
      open.focus();
    }, { capture: true });
    // A button of the tools has done what the menu was opened for; a list keeps it open.
    $('tools').addEventListener('click', ({ target }) => target.closest('button') && this.#show(null));
  }

  /** Opens what a button controls, and closes the other. */
  #show(wanted) {
    for (const button of this.#buttons) {
      button.ariaExpanded = String(button === wanted);
      $(button.getAttribute('aria-controls')).classList.toggle('open', button === wanted);
    }
  }
}
