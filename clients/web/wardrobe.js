// The part of the publishing page in which visitors choose an avatar of their own and decide whether
// viewers get its file. Does not use three.js; calls `actions` and shows the values it receives.

import { text } from './texts.js';

const $ = (id) => document.getElementById(id);

export class Wardrobe {
  /** @param {object} actions choose(file), remove(), share(), withdraw() */
  constructor(actions) {
    $('avatar-choose').addEventListener('click', () => $('avatar-file').click());
    $('avatar-file').addEventListener('change', ({ target }) => {
      if (target.files[0])
        actions.choose(target.files[0]);
      target.value = '';
    });
    $('avatar-remove').addEventListener('click', () => actions.remove());
    $('avatar-share').addEventListener('click', () => actions.share());
    $('avatar-withdraw').addEventListener('click', () => actions.withdraw());
    this.show({ state: 'none' });
  }

  /**
   * @param {object} worn state: none, reading, local, sending or shared; file: its name; expires: Date
   *   of a shared file; obstacle: key of the reason why it cannot be shared, null if it can
   */
  show({ state, file = '', expires = null, obstacle = null, values = {} }) {
    const isWorn = state !== 'none' && state !== 'reading';
    $('avatar-state').textContent = text(`avatar.own.${state}`, { file,
      expires: expires?.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' }) ?? '' });
    $('avatar-choose').textContent = text(isWorn ? 'avatar.own.another' : 'avatar.own.choose');
    $('avatar-choose').disabled = state === 'reading' || state === 'sending';
    $('avatar-remove').hidden = !isWorn;
    $('avatar-remove').disabled = state === 'sending';
    $('avatar-share').hidden = state !== 'local' && state !== 'sending';
    $('avatar-share').disabled = state === 'sending' || obstacle !== null;
    $('avatar-withdraw').hidden = state !== 'shared';
    const why = state === 'local' && obstacle !== null;
    $('avatar-why').hidden = !why;
    $('avatar-why').textContent = why ? text(`avatar.obstacle.${obstacle}`, values) : '';
  }
}
