// Playback against the golden timeline of proto/PLAYBACK.md, "Golden timeline", which was made
// without quaternions.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { Clock, Timeline } from '../index.js';
import { parkMiller } from './random.mjs';

const HEAD = 5;
const FULL_TURN = 2 * Math.PI;
const { timelines, clocks } = JSON.parse(
  readFileSync(new URL('../../../proto/golden/timeline.json', import.meta.url), 'utf8'));

function receive(timeline, { arrival, capture, sequence, incarnation, cut, head, hips, x, yaw }) {
  const slot = timeline.slot();
  const half = (head * Math.PI) / 360;
  slot.rest();
  slot.rotations.set([0, Math.sin(half), 0, Math.cos(half)], 4 * HEAD);
  slot.hips.set([0, hips, 0]);
  slot.placement.set([x, 0, 0, yaw]);
  slot.hasPlacement = true;
  timeline.commit(capture, sequence, incarnation, cut, arrival / 1000);
}

const headOf = (sample) =>
  (360 / Math.PI) * Math.atan2(sample.rotations[4 * HEAD + 1], sample.rotations[4 * HEAD + 3]);

function assertNear(actual, expected, bound, turn, what) {
  const off = actual - expected;
  assert.ok(Math.abs(turn ? off - turn * Math.round(off / turn) : off) <= bound, `${what}: ${actual}, expected ${expected}`);
}

for (const { name, extrapolation, delay, events } of timelines) {
  test(`golden timeline: ${name}`, () => {
    const timeline = new Timeline({ extrapolation: extrapolation / 1000 });
    for (const event of events) {
      if (event.packet) {
        receive(timeline, event.packet);
      } else if (event.still !== undefined) {
        timeline.hold(event.still);
      } else {
        const sample = timeline.at(event.show - delay);
        const what = `at ${event.show}`;
        assert.equal(sample.state, event.state, what);
        assertNear(headOf(sample), event.head, 0.01, 360, `${what}: head`);
        assertNear(sample.hips[1], event.hips, 1e-4, 0, `${what}: hips`);
        assertNear(sample.position[0], event.x, 1e-4, 0, `${what}: x`);
        assertNear(sample.yaw, event.yaw, 1e-4, FULL_TURN, `${what}: yaw`);
      }
    }
  });
}

for (const { name, events } of clocks) {
  test(`golden clock: ${name}`, () => {
    const clock = new Clock();
    for (const { exchange, ask, server } of events) {
      if (exchange) {
        clock.add(exchange.sent / 1000, exchange.received / 1000, exchange.server);
      } else {
        assertNear(clock.at(ask / 1000), server, 2, 0, `at ${ask}`);
      }
    }
  });
}

test('the golden timeline contains every state, cuts, late packets, rests and restarts', () => {
  const events = timelines.flatMap((timeline) => timeline.events);
  assert.deepEqual([...new Set(events.map(({ state }) => state).filter(Boolean))].sort(),
    ['extrapolated', 'held', 'interpolated']);
  assert.ok(events.some(({ packet }) => packet?.cut) && events.some(({ packet }) => packet?.incarnation)
    && events.some(({ still }) => still));
});

// The rule for every estimate of the delay.
test('the time that is shown never runs backwards over a line with bursts', () => {
  const random = parkMiller(71);
  const timeline = new Timeline();
  const packets = Array.from({ length: 1200 }, (_, i) => ({ arrival: 0, capture: 16_667 * i, sequence: i & 15, incarnation: 0,
    cut: false, head: i % 360, hips: 0, x: 0, yaw: 0 }));
  let free = 0; // the line delivers in order: a lost packet delays those behind it
  for (const packet of packets) {
    const lost = random() < 0.02 ? 120_000 : 0;
    free = packet.arrival = Math.max(free, packet.capture + 30_000 + 8_000 * random() + lost);
  }
  let shown = -Infinity;
  for (let now = 30_000, next = 0; next < packets.length; now += 11_111) {
    while (next < packets.length && packets[next].arrival <= now) {
      receive(timeline, packets[next++]);
    }
    const sample = timeline.sample(now / 1000);
    if (sample) {
      assert.ok(sample.time >= shown, `at ${now}: ${sample.time} after ${shown}`);
      shown = sample.time;
    }
  }
  assert.ok(shown > 19e6);
});

// Two ticks in a message: the first arrives one interval late, and the motion is even all the same.
test('bundles that arrive in pairs are shown evenly, one interval later', () => {
  const INTERVAL = 33_333, FRAME = 11_111;
  const play = (ticks) => {
    const timeline = new Timeline();
    const captures = Array.from({ length: 600 }, (_, i) => INTERVAL * i);
    const packets = captures.map((capture, i) => ({ capture, sequence: i & 15, incarnation: 0, cut: false, head: 0, hips: 0, yaw: 0,
      x: capture / 1e6, arrival: capture + 20_000 + (ticks === 2 && i % 2 === 0 ? INTERVAL : 0) }));
    const shown = [];
    for (let now = 20_000, next = 0; next < packets.length; now += FRAME) {
      while (next < packets.length && packets[next].arrival <= now) {
        receive(timeline, packets[next++]);
      }
      const sample = timeline.sample(now / 1000);
      if (sample && now > 3e6) {
        shown.push({ x: sample.position[0], state: sample.state, delay: now / 1e6 - sample.position[0] });
      }
    }
    return shown;
  };
  const [single, pair] = [play(1), play(2)];
  for (const shown of [single, pair]) {
    assert.ok(shown.every(({ state }) => state === 'interpolated'));
    const steps = shown.slice(1).map(({ x }, i) => (x - shown[i].x) * 1e6);
    assert.ok(steps.every((step) => Math.abs(step - FRAME) < 10), `steps from ${Math.min(...steps)} to ${Math.max(...steps)}`);
  }
  const later = (pair.at(-1).delay - single.at(-1).delay) * 1e6;
  assert.ok(Math.abs(later - INTERVAL) < 1000, `${later} microseconds later`);
});
