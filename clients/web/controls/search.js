// The search in a long list of the page: hides the items that do not contain the text.

/** A shorter list needs no search. */
const FEW = 8;

/** For comparison, without case and accents. */
const plain = (words) => words.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();

export class Search {
  #field;
  #list;
  #none;

  /** @param {HTMLElement} room with a search field, a list `.found` and a text `.none` for no match */
  constructor(room) {
    this.#field = room.querySelector('input[type="search"]');
    this.#list = room.querySelector('.found');
    this.#none = room.querySelector('.none');
    this.#field.addEventListener('input', () => this.#update());
    new MutationObserver(() => this.#update())
      .observe(this.#list, { childList: true, subtree: true, characterData: true });
  }

  clear() {
    this.#field.value = '';
    this.#update();
  }

  #update() {
    const items = [...this.#list.children];
    this.#field.hidden = items.length <= FEW && this.#field.value === '';
    const wanted = plain(this.#field.value.trim());
    for (const item of items)
      item.hidden = !plain(item.textContent).includes(wanted);
    this.#none.hidden = items.length === 0 || items.some(({ hidden }) => !hidden);
  }
}
