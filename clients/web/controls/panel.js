// The controls of the viewer: tools, keys, dropped files, messages. Does
// not use three.js; calls `actions`.

import { acceptDrops } from '../drops.js';
import { text } from '../texts.js';

const NOTE_MS = 7000;
const TURN = Math.PI / 24;
const NEARER = 0.88;

/** State of the client, or outside: connected without a space; state of the dot, text beside it; null: name of the space. */
const STATES = {
  connecting: ['connecting', 'state.connecting'],
  connected: ['connecting', 'state.joining'],
  live: ['open', null],
  outside: ['closed', 'state.outside'],
  waiting: ['closed', 'state.offline'],
  closed: ['closed', 'state.offline'],
};

const $ = (id) => document.getElementById(id);

export class Panel {
  #actions;
  #noteTimer = 0;

  /**
   * @param {object} actions choose(id), step(n), focus(id), frame(), take(files), unwear(),
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
      if (target.files.length > 0)
        actions.take([...target.files]);
      target.value = '';
    });
    $('keys-close').addEventListener('click', () => $('keys').close());
    document.addEventListener('keydown', (event) => this.#key(event));
    acceptDrops((shown) => {
      $('drop').hidden = !shown;
      $('drop-body').textContent = actions.chosenName();
    }, (files) => actions.take(files));
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
    const on = event.target.closest?.('button, a');
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

  /** @param {string} space @param {string} state of STATES */
  setState(space, state) {
    const [dot, word] = STATES[state];
    $('dot').dataset.state = dot;
    $('space').textContent = word ? text(word) : space;
    $('publish').href = `publish.html?space=${encodeURIComponent(space)}`;
  }

  /** Shows a message; `bad`: it is an error. */
  note(message, bad = false) {
    clearTimeout(this.#noteTimer);
    $('note').textContent = message;
    $('note').classList.toggle('bad', bad);
    $('note').hidden = false;
    this.#noteTimer = setTimeout(() => { $('note').hidden = true; }, NOTE_MS);
  }

  /** Whether the chosen body wears an avatar that can be taken off. */
  setWearing(wearing) {
    $('unwear').hidden = !wearing;
  }
}
