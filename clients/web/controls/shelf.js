// The dialog with the recordings of the server's folder; plays one in the space. Does not use
// three.js.

import { Search } from './search.js';
import { text } from '../texts.js';
import { clock } from './timeline.js';

const MEGABYTE = 1e6;

function part(className, textContent) {
  return Object.assign(document.createElement('span'), { className, textContent, dir: 'auto' });
}

export class Shelf {
  #client;
  #button;
  #dialog;
  #list;
  #empty;
  #note;
  #search;

  /**
   * @param {HTMLDialogElement} dialog with a list, a text for an empty list, and a button to close it
   * @param {HTMLButtonElement} button opens the dialog; hidden if recordings are not allowed
   * @param {import('jointcast').Client} client
   * @param {(message: string) => void} note shows an error of the server
   */
  constructor(dialog, button, client, note) {
    this.#client = client;
    this.#button = button;
    this.#dialog = dialog;
    this.#list = dialog.querySelector('.found');
    this.#empty = dialog.querySelector('.empty');
    this.#note = note;
    this.#search = new Search(dialog);
    button.addEventListener('click', () => this.open());
    dialog.querySelector('.close').addEventListener('click', () => dialog.close());
    client.on('welcome', ({ rooms }) => {
      button.hidden = !rooms?.find?.(({ name }) => name === client.space)?.recordings;
    });
  }

  async open() {
    if (this.#button.hidden || this.#dialog.open)
      return;
    try {
      const recordings = await this.#client.replays.recordings();
      this.#list.replaceChildren(...recordings.map((recording) => this.#item(recording)));
      this.#empty.hidden = recordings.length > 0;
      this.#search.clear();
      if (!this.#dialog.open)
        this.#dialog.showModal();
    } catch (error) {
      this.#note(error.message);
    }
  }

  #item({ file, space, duration, bytes, changed }) {
    const button = document.createElement('button');
    const date = changed.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
    const about = space && space !== this.#client.space ? 'recordings.about.space' : 'recordings.about';
    button.type = 'button';
    button.title = file;
    button.append(part('name', file.replace(/\.mcap$/, '')), part('length', clock(duration)),
      part('about', text(about, { space, date, size: (bytes / MEGABYTE).toFixed(1) })));
    button.addEventListener('click', () => this.#play(file));
    const item = document.createElement('li');
    item.append(button);
    return item;
  }

  async #play(file) {
    this.#dialog.close();
    try {
      await this.#client.replays.open(file);
    } catch (error) {
      this.#note(error.message);
    }
  }
}
