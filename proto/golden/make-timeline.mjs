#!/usr/bin/env node
// Makes the golden timeline of PLAYBACK.md, "Golden timeline", by a second implementation of the
// rules there. All rotations have one axis: a pose is a list of numbers without quaternions.
//
// usage: node proto/golden/make-timeline.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs';

const SECOND = 1_000_000;
const TURNS = { head: 360, yaw: 2 * Math.PI }; // full turn of the fields that are angles
const FIELDS = ['head', 'hips', 'x', 'yaw'];

function blend(p, q, f) {
  return Object.fromEntries(FIELDS.map((name) => {
    const way = q[name] - p[name];
    const turn = TURNS[name];
    return [name, p[name] + f * (turn ? way - turn * Math.round(way / turn) : way)];
  }));
}

class Entries {
  list = [];
  incarnation = null;

  get last() {
    return this.list.at(-1);
  }

  receive(packet) {
    if (this.last?.repeats && packet.capture <= this.last.capture) {
      this.list.pop();
    }
    const isNew = this.list.length === 0 || packet.incarnation !== this.incarnation
      || packet.capture < this.last.capture - SECOND;
    if (isNew) {
      this.list = [];
    } else if (packet.capture <= this.last.capture) {
      return;
    }
    this.incarnation = packet.incarnation;
    this.list.push({ capture: packet.capture, pose: packet, cut: packet.cut, repeats: false });
  }

  still(until) {
    if (!this.last || until <= this.last.capture) {
      return;
    }
    if (this.last.repeats) {
      this.last.capture = until;
    } else {
      this.list.push({ capture: until, pose: this.last.pose, cut: false, repeats: true });
    }
  }

  pose(t, most) {
    const joined = (a, b) => !b.cut && b.capture - a.capture <= SECOND;
    const at = this.list.findLastIndex(({ capture }) => capture <= t);
    if (at < 0) {
      return [this.list[0].pose, 'held'];
    }
    const [o, a, b] = [this.list[at - 1], this.list[at], this.list[at + 1]];
    if (b) {
      return joined(a, b) ? [blend(a.pose, b.pose, (t - a.capture) / (b.capture - a.capture)), 'interpolated'] : [a.pose, 'held'];
    }
    const span = o && a.capture - o.capture;
    const past = o && joined(o, a) ? Math.min(t - a.capture, most, 2 * span) : 0;
    return past === 0 ? [a.pose, 'held']
      : [blend(o.pose, a.pose, 1 + past / span), past === t - a.capture ? 'extrapolated' : 'held'];
  }
}

const rounded = (value) => Number(value.toFixed(6)) + 0;

/** Adds the poses to the events of a timeline. */
function play({ name, extrapolation, delay, events }) {
  const entries = new Entries();
  const result = events.map((event) => {
    if (event.packet) {
      entries.receive(event.packet);
    } else if (event.still !== undefined) {
      entries.still(event.still);
    } else {
      const [pose, state] = entries.pose(event.show - delay, extrapolation);
      return { ...event, state, ...Object.fromEntries(FIELDS.map((field) => [field, rounded(pose[field])])) };
    }
    return event;
  });
  return { name, extrapolation, delay, events: result };
}

class Clock {
  exchanges = [];
  offset = 0;
  target = 0;
  slewed = 0;

  exchange({ sent, received, server }) {
    if (received < sent) {
      return;
    }
    this.exchanges = [...this.exchanges, { received, trip: received - sent, offset: server - (sent + received) / 2 }].slice(-16);
    this.slew(received);
    const doubt = (one) => one.trip / 2 + (received - one.received) / 10000;
    this.target = this.exchanges.reduce((best, one) => (doubt(one) < doubt(best) ? one : best)).offset;
    if (this.exchanges.length === 1 || Math.abs(this.target - this.offset) > SECOND) {
      this.offset = this.target;
    }
  }

  slew(now) {
    const most = Math.max(0, now - this.slewed) / 100;
    this.offset += Math.max(-most, Math.min(most, this.target - this.offset));
    this.slewed = Math.max(now, this.slewed);
  }

  ask(now) {
    this.slew(now);
    return rounded(now + this.offset);
  }
}

function synchronise({ name, events }) {
  const clock = new Clock();
  return { name, events: events.map((event) => {
    if (event.exchange) {
      clock.exchange(event.exchange);
      return event;
    }
    return { ...event, server: clock.ask(event.ask) };
  }) };
}

// ---- the timelines -------------------------------------------------------------

const OFFSET = 7_000_000; // of the local clock

/** A packet `i` of a motion that turns 90 degrees and walks 1.2 m a second, 33333 µs apart. */
function packet(i, fields = {}, transit = 20_000) {
  const capture = fields.capture ?? 100_000 + 33_333 * i;
  const seconds = (capture - 100_000) / SECOND;
  const pose = { head: rounded(90 * seconds), hips: rounded(0.05 * seconds), x: rounded(1.2 * seconds), yaw: rounded(0.5 * seconds) };
  return { packet: { arrival: capture + OFFSET + transit, capture, sequence: i & 15, incarnation: 0, cut: false, ...pose, ...fields } };
}

const shows = (from, count, step = 11_111) => Array.from({ length: count }, (_, i) => ({ show: from + step * i }));

/** Events in the order of their local times; `still` comes where it stands. */
function inOrder(...events) {
  let before = 0;
  return events.flat().map((event) => ({ event, at: (before = event.packet?.arrival ?? event.show ?? before) }))
    .sort((a, b) => a.at - b.at).map(({ event }) => event);
}

const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);
const DELAY = OFFSET + 60_000;
const START = DELAY + 100_000; // local time at which packet 0 is shown
const JITTER = [0, 18_000, 3_000, 31_000, 7_000, 0, 25_000, 12_000];

const TIMELINES = [
  { name: 'an even motion over a line with jitter', extrapolation: 0, delay: DELAY,
    events: inOrder(range(0, 8).map((i) => packet(i, {}, 10_000 + JITTER[i])), shows(START - 20_000, 22)) },
  { name: 'packets stop: the last pose stays', extrapolation: 0, delay: DELAY,
    events: inOrder(range(0, 3).map((i) => packet(i)), shows(START + 50_000, 8)) },
  { name: 'packets stop: the motion continues for 50 ms', extrapolation: 50_000, delay: DELAY,
    events: inOrder(range(0, 3).map((i) => packet(i)), shows(START + 50_000, 10)) },
  { name: 'packets stop after a short interval: the motion continues for twice that', extrapolation: 50_000, delay: DELAY,
    events: inOrder(packet(0), packet(1, { capture: 108_000 }), shows(START, 5, 6_000)) },
  { name: 'one packet: nothing to extrapolate', extrapolation: 50_000, delay: DELAY,
    events: inOrder(packet(0), shows(START - 30_000, 4, 20_000)) },
  { name: 'a late packet changes nothing', extrapolation: 0, delay: DELAY,
    events: inOrder(packet(0), packet(2), packet(1, { head: 45 }, 90_000), packet(3, {}, 60_000), shows(START, 9)) },
  { name: 'a cut: no pose in between, and no extrapolation from it', extrapolation: 50_000, delay: DELAY,
    events: inOrder(packet(0), packet(1), packet(2, { cut: true, head: -120, x: 5, yaw: -2 }), shows(START + 20_000, 7)) },
  { name: 'a gap of one second is crossed, a longer one is not', extrapolation: 0, delay: DELAY,
    events: inOrder(packet(0), packet(1, { capture: 1_100_000 }), packet(2, { capture: 2_100_001 }),
      shows(START + 500_000, 4, 500_000), shows(START + 2_000_002, 1)) },
  { name: 'another incarnation starts anew', extrapolation: 0, delay: DELAY,
    events: [packet(0), packet(1), { show: START + 20_000 }, packet(2, { incarnation: 1, head: 10 }), { show: START + 40_000 }, { show: START + 70_000 }] },
  { name: 'captures more than a second earlier start anew', extrapolation: 0, delay: DELAY,
    events: [packet(0, { capture: 3_000_000 }), { show: DELAY + 3_000_000 }, packet(1, { capture: 1_900_000 }), packet(2, { capture: 1_933_333 }),
      { show: DELAY + 1_916_666 }] },
  { name: 'the head and the body turn the shorter way', extrapolation: 0, delay: DELAY,
    events: inOrder(packet(0, { head: 170, yaw: 3 }), packet(1, { head: -170, yaw: -3 }), packet(2, { head: 179, yaw: 3.1 }), shows(START, 7, 10_000)) },
  { name: 'a body stands still, then moves on', extrapolation: 50_000, delay: DELAY,
    events: [packet(0), packet(1), { still: 166_666 }, { still: 199_999 }, { show: START + 60_000 }, { show: START + 99_999 },
      packet(4), { show: START + 110_000 }, { show: START + 133_332 }] },
  { name: 'a packet replaces the repetition that it follows', extrapolation: 0, delay: DELAY,
    events: [packet(0), packet(1), { still: 200_000 }, packet(2, { capture: 190_000 }), { show: START + 60_000 }, { show: START + 90_000 }] },
];

const CLOCKS = [
  { name: 'the shortest round trip counts', events: [
    { exchange: { sent: 1_000_000, received: 1_080_000, server: 5_070_000 } }, { ask: 1_080_000 },
    { exchange: { sent: 3_000_000, received: 3_010_000, server: 7_005_000 } }, { ask: 3_010_000 }, { ask: 4_010_000 }, { ask: 9_010_000 },
    { exchange: { sent: 10_000_000, received: 10_400_000, server: 14_100_000 } }, { ask: 10_400_000 }, { ask: 15_400_000 }] },
  { name: 'an old exchange loses against a longer round trip', events: [
    { exchange: { sent: 0, received: 2_000, server: 1_001_000 } },
    { exchange: { sent: 60_000_000, received: 60_010_000, server: 61_009_000 } }, { ask: 60_010_000 },
    { exchange: { sent: 120_000_000, received: 120_010_000, server: 121_013_000 } }, { ask: 120_010_000 }, { ask: 121_010_000 }] },
  { name: 'a new clock is used at once', events: [
    { exchange: { sent: 0, received: 20_000, server: 2_010_000 } }, { ask: 20_000 },
    { exchange: { sent: 1_000_000, received: 1_010_000, server: 9_005_000 } }, { ask: 1_010_000 }] },
  { name: 'an answer before the question is ignored', events: [
    { exchange: { sent: 0, received: 20_000, server: 2_010_000 } },
    { exchange: { sent: 60_000, received: 50_000, server: 1_000_000 } }, { ask: 70_000 }] },
];

const text = (name, list) => `"${name}": [\n${list.map((entry) => {
  const { events, ...head } = entry;
  return `{${JSON.stringify(head).slice(1, -1)}, "events": [\n${events.map((event) => `  ${JSON.stringify(event)}`).join(',\n')}]}`;
}).join(',\n')}]`;
const made = `{${text('timelines', TIMELINES.map(play))},\n${text('clocks', CLOCKS.map(synchronise))}}\n`;
const file = new URL('timeline.json', import.meta.url);
if (process.argv[2] !== '--check') {
  writeFileSync(file, made);
} else if (readFileSync(file, 'utf8') !== made) {
  console.error('proto/golden/timeline.json is not what make-timeline.mjs makes');
  process.exitCode = 1;
}
