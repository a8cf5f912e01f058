// The list of bodies and of those that wait for motion. Does not use three.js; calls `actions`.

import { Search } from './search.js';
import { text } from '../texts.js';

function item(words) {
  return Object.assign(document.createElement('li'), { textContent: words, dir: 'auto' });
}

export class BodyList {
  #actions;
  #room;
  #list;
  #waiting;
  #count;
  #buttons = new Map();

  /**
   * @param {HTMLElement} room of the lists
   * @param {HTMLButtonElement} count opens the lists on a small screen; shows the number of bodies
   * @param {object} actions choose(id), focus(id)
   */
  constructor(room, count, actions) {
    this.#actions = actions;
    this.#room = room;
    this.#list = room.querySelector('.found');
    this.#waiting = room.querySelector('#waiting');
    this.#count = count;
    new Search(room);
    this.#refresh();
  }

  /** `stale`: the source of the body delivers no motion at present. */
  set(id, name, color, stale) {
    const button = this.#buttons.get(id) ?? this.#add(id);
    button.textContent = name;
    button.title = text(stale ? 'bodies.stale' : 'bodies.choose', { name });
    button.classList.toggle('stale', stale);
    button.style.setProperty('--body', color);
  }

  #add(id) {
    const button = Object.assign(document.createElement('button'), { type: 'button', dir: 'auto', ariaPressed: 'false' });
    button.addEventListener('click', () => (button.ariaPressed === 'true'
      ? this.#actions.focus(id) : this.#actions.choose(id)));
    this.#buttons.set(id, button);
    const place = document.createElement('li');
    place.append(button);
    this.#list.append(place);
    this.#refresh();
    return button;
  }

  remove(id) {
    this.#buttons.get(id)?.parentElement.remove();
    this.#buttons.delete(id);
    this.#refresh();
  }

  /** Marks the chosen body. */
  mark(id) {
    for (const [other, button] of this.#buttons) {
      button.ariaPressed = String(other === id);
      if (other === id)
        button.scrollIntoView({ block: 'nearest' });
    }
  }

  /**
   * @param {readonly import('jointcast').WaitingSource[]} sources of the daemon without a body
   * @param {readonly string[]} names of bodies without motion
   */
  setWaiting(sources, names) {
    this.#waiting.replaceChildren(
      ...sources.map(({ name, source, reason }) => Object.assign(
        item(text(reason ? 'waiting.reason' : 'waiting.source', { source, reason })), { title: name })),
      ...names.map((name) => item(text('waiting.body', { name }))));
    this.#waiting.hidden = this.#waiting.children.length === 0;
    this.#refresh();
  }

  #refresh() {
    this.#room.hidden = this.#buttons.size === 0 && this.#waiting.hidden;
    this.#count.hidden = this.#room.hidden;
    this.#count.textContent = text('bodies.count', { count: this.#buttons.size });
  }
}
