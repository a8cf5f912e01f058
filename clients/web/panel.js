// The controls of the viewer: list of bodies, buttons, keys, dropped files, messages. Does
// not use three.js; calls `actions`.

import { acceptDrops } from './drops.js';
import { text } from './texts.js';

const NOTE_MS = 7000;
const TURN = Math.PI / 24;
const NEARER = 0.88;

/** State of the client: state of the dot, text beside it (null: name of the space), text of the banner. */
const STATES = {
  connecting: ['connecting', 'state.connecting', 'banner.connecting'],
  connected: ['connecting', 'state.joining', 'banner.joining'],
  live: ['open', null, null],
  waiting: ['closed', 'state.offline', 'banner.lost'],
  closed: ['closed', 'state.offline', 'banner.closed'],
};

const $ = (id) => document.getElementById(id);

export class Panel {
  #actions;
  #buttons = new Map();
  #noteTimer = 0;
  #bannerTimer = 0;

  /**
   * @param {object} actions choose(id), step(n), focus(id), frame(), wear(file), unwear(),
   *   turn(azimuth, polar, zoom), labels(), precision(name), virtuals(tag), chosenName(),
   *   shelf(), replay(deed) with the row of the first replay, if there is one
   * @param {string} precision initial precision
   */
  constructor(actions, precision) {
    this.#actions = actions;
    $('precision').value = precision;
    $('precision').addEventListener('change', ({ target }) => actions.precision(target.value));
    $('virtuals').addEventListener('change', ({ target }) => actions.virtuals(target.value));
    $('frame').addEventListener('click', () => actions.frame());
    $('unwear').addEventListener('click', () => actions.unwear());
    $('help').addEventListener('click', () => this.#help());
    $('wear').addEventListener('click', () => $('file').click());
    $('file').addEventListener('change', ({ target }) => {
      if (target.files[0])
        actions.wear(target.files[0]);
      target.value = '';
    });
    $('keys-close').addEventListener('click', () => $('keys').close());
    document.addEventListener('keydown', (event) => this.#key(event));
    acceptDrops((shown) => {
      $('drop').hidden = !shown;
      $('drop-body').textContent = actions.chosenName();
    }, (file) => actions.wear(file));
  }

  #help() {
    if (!$('keys').open)
      $('keys').showModal();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')
      || event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement)
      return;
    const a = this.#actions;
    const on = event.target instanceof HTMLButtonElement;
    const keys = {
      ArrowLeft: () => a.turn(-TURN, 0, 1), ArrowRight: () => a.turn(TURN, 0, 1),
      ArrowUp: () => a.turn(0, TURN, 1), ArrowDown: () => a.turn(0, -TURN, 1),
      '+': () => a.turn(0, 0, NEARER), '=': () => a.turn(0, 0, NEARER),
      '-': () => a.turn(0, 0, 1 / NEARER),
      n: () => a.step(1), p: () => a.step(-1), f: () => a.frame(), v: () => $('file').click(),
      x: () => a.unwear(), l: () => a.labels(), Escape: () => a.choose(null),
      o: () => a.shelf(), t: () => this.#nextTag(),
      k: () => a.replay((line) => line.playOrPause()), j: () => a.replay((line) => line.back()),
      '[': () => a.replay((line) => line.step(-1)), ']': () => a.replay((line) => line.step(1)),
      '?': () => this.#help(), h: () => this.#help(),
      Enter: on ? undefined : () => a.focus(null),
    };
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action)
      return;
    event.preventDefault();
    action();
  }

  #nextTag() {
    const select = $('virtuals');
    if (select.hidden)
      return;
    select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
    this.#actions.virtuals(select.value);
  }

  /** Offers the tags of virtual transforms; null: there are none. Keeps the choice if it is there. */
  setTags(tags) {
    const select = $('virtuals');
    const kept = select.value;
    while (select.options.length > 2)
      select.remove(2);
    (tags ?? []).forEach((tag) => select.add(new Option(tag)));
    select.hidden = tags === null;
    select.value = kept;
    if (select.selectedIndex < 0 || tags === null)
      select.selectedIndex = 0;
    if (select.value !== kept)
      this.#actions.virtuals(select.value);
  }

  /** @param {string} space @param {string} state of the client */
  setState(space, state) {
    const [dot, word, banner] = STATES[state];
    $('dot').dataset.state = dot;
    $('space').textContent = word ? text(word) : space;
    $('publish').href = `publish.html?space=${encodeURIComponent(space)}`;
    clearTimeout(this.#bannerTimer);
    $('banner').textContent = banner && text(banner);
    // A connection that opens quickly needs no banner.
    if (dot === 'connecting' && $('banner').hidden)
      this.#bannerTimer = setTimeout(() => { $('banner').hidden = false; }, 800);
    else
      $('banner').hidden = !banner;
  }

  /** Shows that the space is unavailable, until the state changes. */
  setShut(space, message) {
    clearTimeout(this.#bannerTimer);
    $('banner').textContent = text('banner.shut', { space, message });
    $('banner').hidden = false;
  }

  /** Shows a message; `bad`: it is an error. */
  note(message, bad = false) {
    clearTimeout(this.#noteTimer);
    $('note').textContent = message;
    $('note').classList.toggle('bad', bad);
    $('note').hidden = false;
    this.#noteTimer = setTimeout(() => { $('note').hidden = true; }, NOTE_MS);
  }

  setBody(id, name, color) {
    let button = this.#buttons.get(id);
    if (!button) {
      button = document.createElement('button');
      button.type = 'button';
      button.ariaPressed = 'false';
      button.title = text('bodies.choose');
      button.addEventListener('click', () => this.#actions.choose(id));
      button.addEventListener('dblclick', () => this.#actions.focus(id));
      this.#buttons.set(id, button);
      $('bodies').append(button);
    }
    button.textContent = name;
    button.style.setProperty('--body', color);
  }

  removeBody(id) {
    this.#buttons.get(id)?.remove();
    this.#buttons.delete(id);
  }

  /** @param {readonly import('jointcast').WaitingSource[]} waiting */
  setWaiting(waiting) {
    $('waiting').replaceChildren(...waiting.map(({ name, source, reason }) => {
      const item = document.createElement('li');
      item.textContent = text(reason ? 'waiting.reason' : 'waiting.source', { source, reason });
      item.title = name;
      return item;
    }));
    $('waiting').hidden = waiting.length === 0;
  }

  mark(id, wearing) {
    for (const [other, button] of this.#buttons)
      button.ariaPressed = String(other === id);
    $('unwear').hidden = !wearing;
  }
}
