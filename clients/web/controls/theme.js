// The light and the dark theme: as the system has it, or as the visitor chose.

const KEY = 'jointcast.theme';
const LIGHT = window.matchMedia('(prefers-color-scheme: light)');

/** The stored choice; a browser may forbid to store it. */
function chosen() {
  try {
    const choice = localStorage.getItem(KEY);
    return ['light', 'dark'].includes(choice) ? choice : 'system';
  } catch {
    return 'system';
  }
}

function store(choice) {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // The choice holds until the page is closed.
  }
}

export class Theme {
  #select;
  #apply;

  /**
   * @param {HTMLSelectElement | null} select of 'system', 'light' and 'dark'; null: the stored choice
   * @param {(name: 'light' | 'dark') => void} apply called now and after each change
   */
  constructor(select, apply) {
    this.#select = select;
    this.#apply = apply;
    if (select) {
      select.value = chosen();
      select.addEventListener('change', () => {
        store(select.value);
        this.#show();
      });
    }
    LIGHT.addEventListener('change', () => this.#show());
    this.#show();
  }

  #show() {
    const choice = this.#select?.value ?? chosen();
    const name = choice === 'system' ? (LIGHT.matches ? 'light' : 'dark') : choice;
    document.documentElement.dataset.theme = name;
    document.querySelector('meta[name="theme-color"]').content =
      getComputedStyle(document.documentElement).getPropertyValue('--ground').trim();
    this.#apply(name);
  }
}
