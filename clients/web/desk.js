// The controls of the publishing page: name, space, consent, buttons, statistics. Uses
// neither three.js nor WebXR; calls `actions` and shows the values it receives.

import { text } from './texts.js';

const NOTE_MS = 7000;
const NAME_BYTES = 63;

/** State of the client: state of the dot, text beside it (null: the name of the space). */
const CONNECTION = {
  connecting: ['connecting', 'state.connecting'],
  connected: ['connecting', 'state.joining'],
  live: ['open', null],
  waiting: ['closed', 'state.reconnecting'],
  closed: ['closed', 'state.offline'],
};

const TRACKED = { body: 'tracked.body', hands: 'tracked.hands', devices: 'tracked.devices', webcam: 'tracked.webcam' };

const $ = (id) => document.getElementById(id);

function write(id, value) {
  if ($(id).textContent !== value)
    $(id).textContent = value;
}

const number = (value, digits = 0) => (Number.isFinite(value) ? value.toFixed(digits) : text('unknown'));

/** Shortens a text to a valid name of the protocol, without control characters. */
function clip(name) {
  const encoder = new TextEncoder();
  let out = '';
  for (const character of name.replace(/\p{Cc}/gu, ' ').trim()) {
    if (encoder.encode(out + character).length > NAME_BYTES)
      break;
    out += character;
  }
  return out;
}

export class Desk {
  #noteTimer = 0;
  #running = false;
  #headset = false;

  /**
   * @param {object} actions enter(), webcam(), demo(), pause(paused), stop(), space(name),
   *   consent() after a change of a switch
   */
  constructor(actions) {
    $('enter').addEventListener('click', () => actions.enter());
    $('webcam').addEventListener('click', () => actions.webcam());
    $('demo').addEventListener('click', () => actions.demo());
    $('stop').addEventListener('click', () => actions.stop());
    $('pause').addEventListener('click', () => {
      const paused = $('pause').ariaPressed !== 'true';
      this.setPaused(paused);
      actions.pause(paused);
    });
    $('space').addEventListener('change', ({ target }) => actions.space(target.value));
    $('who').addEventListener('submit', (event) => event.preventDefault());
    for (const id of ['may-show', 'may-record', 'may-rebroadcast'])
      $(id).addEventListener('change', () => {
        this.#refresh();
        actions.consent();
      });
    const { port, protocol } = location;
    $('headset').hidden = protocol === 'https:'; // the page is secure already
    if (port) {
      write('adb', `adb reverse tcp:${port} tcp:${port}`);
      write('address', `http://localhost:${port}${location.pathname}`);
    }
    this.#refresh();
  }

  /** The consent of the person. It is not stored between visits. */
  get consent() {
    const mayShow = $('may-show').checked;
    return { mayShow, mayRecord: mayShow && $('may-record').checked,
      mayRebroadcast: mayShow && $('may-rebroadcast').checked };
  }

  get name() {
    return clip($('name').value) || $('name').placeholder;
  }

  /** Offers a session of this mode, null: there is no headset. Shows advice. */
  setHeadset(mode, advice) {
    this.#headset = mode !== null;
    write('enter', text(mode === 'immersive-ar' ? 'start.ar' : 'start.vr'));
    write('advice', advice);
    $('headset').open = mode === null;
    this.#refresh();
  }

  setSpaces(names, chosen) {
    $('space').replaceChildren(...[...new Set([...names, chosen])].map(
      (name) => new Option(name, name, name === chosen, name === chosen)));
  }

  setConnection(state, space) {
    const [dot, word] = CONNECTION[state];
    $('dot').dataset.state = dot;
    write('connection', word ? text(word) : space);
    $('viewer').href = `./?space=${encodeURIComponent(space)}`;
  }

  setRunning(running) {
    this.#running = running;
    this.setPaused(false);
    this.#refresh();
  }

  setPaused(paused) {
    $('pause').ariaPressed = String(paused);
    write('pause', text(paused ? 'start.resume' : 'start.pause'));
  }

  #refresh() {
    const { mayShow } = this.consent;
    $('enter').hidden = $('webcam').hidden = $('demo').hidden = this.#running;
    $('pause').hidden = $('stop').hidden = !this.#running;
    $('enter').disabled = !mayShow || !this.#headset;
    $('demo').disabled = $('webcam').disabled = !mayShow;
    $('demo').classList.toggle('main', !this.#headset);
    $('enter').classList.toggle('main', this.#headset);
    $('name').disabled = this.#running;
    $('may-record').disabled = $('may-rebroadcast').disabled = !mayShow;
    $('start-why').hidden = $('consent-why').hidden = mayShow;
    $('name-why').hidden = !this.#running;
  }

  setMirrorNote(note) {
    write('mirror-note', note);
  }

  /** @param {object} figures state, kind, joints, rate, bytes a second, dropped, trip */
  setFigures({ state, kind, joints, rate, bytes, dropped, trip }) {
    write('stat-state', state);
    write('stat-joints', joints > 0 ? text('figures.joints',
      { count: joints, kind: text(TRACKED[kind] ?? 'tracked.demo') }) : text('unknown'));
    write('stat-rate', number(rate));
    write('stat-bytes', number(bytes / 1000, 1));
    write('stat-dropped', number(dropped));
    write('stat-trip', number(trip, 1));
  }

  /** Shows a message; `bad`: it is an error. */
  note(message, bad = false) {
    clearTimeout(this.#noteTimer);
    write('note', message);
    $('note').classList.toggle('bad', bad);
    $('note').hidden = false;
    this.#noteTimer = setTimeout(() => { $('note').hidden = true; }, NOTE_MS);
  }
}
