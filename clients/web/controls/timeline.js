// The replays of the space: one row each, with controls for playback and time. Does not use
// three.js.

import { text } from '../texts.js';

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10];
const BACK_S = 5;
/** A finger this near to a marker means the marker, pixels. */
const FINGER_PX = 16;
const NEAR_S = 0.3; // "previous marker" skips a marker that was just passed

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function write(element, value) {
  if (element.textContent !== value)
    element.textContent = value;
}

/** 75.25 is 1:15.2. */
export function clock(seconds) {
  const tenths = Math.floor(Math.max(0, seconds) * 10 + 1e-6);
  const rest = String(Math.floor(tenths / 10) % 60).padStart(2, '0');
  return `${Math.floor(tenths / 600)}:${rest}.${tenths % 10}`;
}

class Line {
  #replay;
  #ask;
  #held = false; // the slider is being dragged
  #wanted = null; // requested time, until the replay reaches it
  #marks = null;

  /** @param {(deed: (replays: object) => Promise<void>) => void} ask */
  constructor(replay, ask) {
    this.#replay = replay;
    this.#ask = ask;
    this.toggle = make('button', { type: 'button', className: 'play' });
    this.toggle.addEventListener('click', () => this.playOrPause());
    this.name = make('bdi', { className: 'name' });
    this.slider = make('input', { type: 'range', min: '0', step: 'any' });
    this.slider.addEventListener('input', () => this.#drag());
    for (const name of ['change', 'blur'])
      this.slider.addEventListener(name, () => { this.#held = false; });
    this.range = make('i', { className: 'range' });
    this.marks = make('span', { className: 'marks' });
    this.time = make('output', {});
    this.speed = make('select', { title: text('replay.speed') }, ...SPEEDS.map((speed) =>
      make('option', { value: String(speed), textContent: text('replay.times', { speed }) })));
    this.speed.ariaLabel = text('replay.speed');
    this.speed.addEventListener('change', () => this.#ask((replays) =>
      replays.setSpeed(this.#replay, Number(this.speed.value))));
    this.loop = make('button', { type: 'button', textContent: text('replay.loop'), title: text('replay.loop.title') });
    this.loop.addEventListener('click', () => this.#ask((replays) =>
      replays.setLoop(this.#replay, !this.#replay.loop)));
    this.close = make('button', { type: 'button', textContent: text('replay.end'), title: text('replay.end.title') });
    this.close.ariaLabel = text('replay.end.title');
    this.close.addEventListener('click', () => this.#ask((replays) => replays.close(this.#replay)));
    this.element = make('div', { className: 'replay' }, this.toggle, this.name,
      make('span', { className: 'track' }, this.slider,
        make('span', { className: 'scale' }, this.range, this.marks)), this.time,
      this.speed, this.loop, this.close);
  }

  playOrPause() {
    const replay = this.#replay;
    this.#ask((replays) => (replay.state === 'playing' ? replays.pause(replay) : replays.play(replay)));
  }

  seek(time) {
    const replay = this.#replay;
    const wanted = Math.min(Math.max(time, replay.from), replay.until);
    this.#wanted = wanted;
    this.#ask(async (replays) => {
      try {
        await replays.seek(replay, wanted);
      } finally {
        if (this.#wanted === wanted)
          this.#wanted = null;
      }
    });
  }

  back() {
    this.seek(Number(this.slider.value) - BACK_S);
  }

  /** Moves to the previous or next marker. */
  step(by) {
    const now = Number(this.slider.value);
    const times = this.#replay.markers.map(({ time }) => time);
    const next = by > 0 ? times.find((time) => time > now + NEAR_S)
      : times.findLast((time) => time < now - NEAR_S);
    if (next !== undefined)
      this.seek(next);
  }

  #drag() {
    this.#held = true;
    const time = Number(this.slider.value);
    this.seek(this.#markerNear(time) ?? time);
  }

  /** The time of the marker under a finger, which is too large for it; undefined with a mouse. */
  #markerNear(time) {
    const { markers, duration } = this.#replay;
    const reach = matchMedia('(pointer: coarse)').matches ? FINGER_PX * duration / Math.max(1, this.slider.clientWidth) : 0;
    const near = (at) => Math.abs(at - time);
    return markers.map((marker) => marker.time).filter((at) => near(at) < reach).sort((a, b) => near(a) - near(b))[0];
  }

  #mark() {
    const { markers, duration } = this.#replay;
    this.#marks = markers;
    this.marks.replaceChildren(...markers.map((marker) => {
      const mark = make('button', { type: 'button', title: text('replay.marker.title', { time: clock(marker.time), marker: marker.text }) });
      mark.ariaLabel = text('replay.marker', { marker: marker.text, time: clock(marker.time) });
      mark.style.insetInlineStart = `${(100 * marker.time) / Math.max(duration, 1e-3)}%`;
      mark.addEventListener('click', () => this.seek(marker.time));
      return mark;
    }));
  }

  /** Applies the state from the server, and whether the visitor may change the replay. */
  show(mayChange) {
    const { file, duration, state, speed, loop, from, until, markers } = this.#replay;
    const plays = state === 'playing';
    const toggle = plays ? 'replay.pause' : 'replay.play';
    write(this.toggle, text(`${toggle}.sign`));
    this.toggle.ariaLabel = text(toggle);
    this.toggle.title = text(`${toggle}.title`);
    write(this.name, file.replace(/\.mcap$/, ''));
    this.name.title = file;
    this.slider.max = String(duration);
    this.slider.ariaLabel = text('replay.time', { file });
    this.range.hidden = from <= 0 && until >= duration;
    this.range.style.insetInlineStart = `${(100 * from) / Math.max(duration, 1e-3)}%`;
    this.range.style.insetInlineEnd = `${100 - (100 * until) / Math.max(duration, 1e-3)}%`;
    if (!SPEEDS.includes(speed) && !this.speed.querySelector(`[value="${speed}"]`))
      this.speed.append(make('option', { value: String(speed), textContent: text('replay.times', { speed }) }));
    this.speed.value = String(speed);
    this.loop.ariaPressed = String(loop);
    this.element.dataset.state = state;
    for (const control of [this.toggle, this.slider, this.speed, this.loop, this.close])
      control.disabled = !mayChange;
    if (markers !== this.#marks)
      this.#mark();
    for (const mark of this.marks.children)
      mark.disabled = !mayChange;
  }

  /** Called for each picture. */
  update(server) {
    const time = this.#wanted ?? this.#replay.time(server);
    if (!this.#held)
      this.slider.value = String(time);
    const said = text('replay.position', { time: clock(time), duration: clock(this.#replay.duration) });
    write(this.time, said);
    this.slider.ariaValueText = said;
  }
}

/** The original space of a rewind space; null for a live space. */
export const presentOf = (space) => /^(.+)~\d+$/.exec(space)?.[1] ?? null;

/** Opens the page in another space. */
export function go(space) {
  const url = new URL(location.href);
  url.searchParams.set('space', space);
  location.assign(url);
}

export class Timelines {
  #client;
  #element;
  #button;
  #note;
  #lines = new Map();

  /**
   * @param {HTMLElement} element for the rows
   * @param {HTMLButtonElement} button rewinds; hidden if the space has no rewind buffer
   * @param {import('jointcast').Client} client
   * @param {(message: string) => void} note shows an error of the server
   */
  constructor(element, button, client, note) {
    this.#client = client;
    this.#element = element;
    this.#button = button;
    this.#note = note;
    button.addEventListener('click', () => this.#lookBack());
    client.on('replays', () => this.#show());
    client.on('welcome', () => {
      this.#show();
      this.#offer();
    });
  }

  /** The row of the first replay, which the keys control. */
  get first() {
    return this.#lines.values().next().value;
  }

  /** From the roles in `welcome`; without them the page tries, and the server decides. */
  get #mayChange() {
    return this.#room?.roles?.includes?.('record') ?? true;
  }

  get #room() {
    return this.#client.welcome?.rooms?.find?.(({ name }) => name === this.#client.space);
  }

  /** Opens the rewind space, or returns from it to the live space. */
  async #lookBack() {
    const present = presentOf(this.#client.space);
    if (present !== null)
      go(present);
    else
      await this.#ask(async (replays) => go(await replays.rewind(Math.min(this.#room.rewind, 30))));
  }

  #offer() {
    const present = presentOf(this.#client.space);
    const seconds = Math.min(this.#room?.rewind ?? 0, 30);
    this.#button.hidden = present === null && !(seconds > 0);
    write(this.#button, present === null ? text('rewind.back', { seconds }) : text('rewind.live'));
    this.#button.title = present === null ? text('rewind.back.title', { seconds })
      : text('rewind.live.title', { space: present });
  }

  async #ask(deed) {
    try {
      await deed(this.#client.replays);
    } catch (error) {
      this.#note(error.message);
    }
  }

  #show() {
    const { list } = this.#client.replays;
    for (const [id, line] of this.#lines)
      if (!list.some((replay) => replay.id === id)) {
        line.element.remove();
        this.#lines.delete(id);
      }
    for (const replay of list) {
      let line = this.#lines.get(replay.id);
      if (!line) {
        line = new Line(replay, (deed) => this.#ask(deed));
        this.#lines.set(replay.id, line);
        this.#element.append(line.element);
      }
      line.show(this.#mayChange);
    }
    this.#element.hidden = list.length === 0;
  }

  /** Called for each picture. */
  update(now) {
    const server = this.#client.clock.at(now);
    for (const line of this.#lines.values())
      line.update(server);
  }
}
