// The delay of playback against closed formulas and against fixed delays, on paths whose losses
// TCP repairs: a lost packet delays all that follow until it has arrived.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Timeline } from '../index.js';
import { adaptiveBuffer, play, playFixed } from './playout.mjs';
import { parkMiller } from './random.mjs';

const INTERVAL = 1000 / 60;
const TRANSIT = 30;
const MARGIN = 2;

/** Packets; `repair(n, sent)` is what the n-th takes longer than the quickest. */
function arrivals(seconds, repair, interval = INTERVAL) {
  let last = 0;
  return Array.from({ length: Math.round((1000 * seconds) / interval) }, (_, n) => {
    const sent = n * interval;
    last = Math.max(last, sent + TRANSIT + repair(n, sent));
    return { capture: sent, arrival: last, sequence: n & 15 };
  });
}

/** Shows pictures up to the time `until`; returns the capture time of each. */
function watch(timeline, calls, until, frame = 1) {
  const buffer = adaptiveBuffer(timeline);
  const shown = [];
  let next = 0;
  for (let now = calls[0].arrival; now < until; now += frame) {
    while (next < calls.length && calls[next].arrival <= now) {
      buffer.take(calls[next++]);
    }
    shown.push({ now, time: buffer.show(now) });
  }
  return shown;
}

const speeds = (shown) => shown.slice(1).map(({ now, time }, i) => (time - shown[i].time) / (now - shown[i].now));
const delays = (shown) => shown.map(({ now, time }) => now - time);
const near = (value, expected, tolerance) =>
  assert.ok(Math.abs(value - expected) <= tolerance, `${value} instead of ${expected}`);

test('a path that repairs a loss of each 120th packet: the closed form of delay and lateness', () => {
  // Every 120th packet arrives 100 ms late and with it the 5 behind it, 16.7 ms less each.
  const stall = 100;
  const calls = arrivals(240, (n) => (n % 120 === 0 ? stall : 0));
  const { late, delay, slowest, fastest } = play(calls, adaptiveBuffer(new Timeline()), { settle: 40000 });
  // 98 of 100 packets arrive in time: the two worst, 100 and 83.3 ms, do not.
  const level = stall - 2 * INTERVAL + INTERVAL + MARGIN;
  // Nine of ten packets are punctual: beyond that playback slows down by a quarter, until
  // the age of the newest packet has overtaken the delay.
  const usual = INTERVAL + MARGIN;
  const cycle = 120 * INTERVAL;
  const rise = (stall + INTERVAL - usual) / 4;
  const rest = rise * Math.exp(-(cycle - stall) / 200); // of the rise, at the next stall
  const overtaken = usual + (level + rest - usual) / 0.75;
  near(late, (stall + INTERVAL - overtaken) / cycle, 0.0008);
  near(delay, TRANSIT + level + (rise * 200 + rise * (stall - 2) / 2) / cycle, 0.5);
  near(slowest, 0.75, 0.001);
  near(fastest, 1 + rise / 200, 0.01);
  // the fixed buffer of the same delay
  near(playFixed(calls, delay, { settle: 40000 }).late, (stall + INTERVAL - (delay - TRANSIT)) / cycle, 0.0008);
});

test('playback that waits for packets continues where it stopped, at half as much speed again at most', () => {
  const gap = [30000, 30400];
  const calls = arrivals(40, (n, sent) => (sent > gap[0] && sent <= gap[1] ? gap[1] - sent : 0));
  const shown = watch(new Timeline(), calls, 40000);
  const all = speeds(shown.filter(({ now }) => now > 1000));
  assert.ok(Math.max(...all) <= 1.5 + 1e-6, `${Math.max(...all)}`);
  assert.ok(Math.min(...all) >= 0);
  // It waits until the gap ends, two intervals after the newest packet.
  const waited = shown.findLast(({ now }) => now <= gap[1] + TRANSIT);
  near(waited.time, gap[0] + 2 * INTERVAL, INTERVAL);
  // At 1.5 times the speed it is 100 ms behind after `until`; then the rest decays in 200 ms.
  const usual = INTERVAL + MARGIN + TRANSIT;
  const behind = waited.now - waited.time - usual;
  const until = waited.now + 2 * (behind - 100);
  for (const later of [0, 200, 400, 800]) {
    const { now, time } = shown.find((one) => one.now >= until + later);
    near(now - time - usual, 100 * Math.exp(-later / 200), 1);
  }
});

test('a single stall in half a minute does not increase the delay for longer than a second', () => {
  const calls = arrivals(40, (n, sent) => (sent > 30000 && sent <= 30300 ? 30300 - sent : 0));
  const delay = delays(watch(new Timeline(), calls, 39000).filter(({ now }) => now > 31600));
  near(Math.max(...delay), TRANSIT + INTERVAL + MARGIN, 1);
});

test('without losses the delay is an interval and the margin, and no speed changes', () => {
  const shown = watch(new Timeline(), arrivals(60, () => 0), 59000).filter(({ now }) => now > 5000);
  speeds(shown).forEach((speed) => near(speed, 1, 1e-6));
  delays(shown).forEach((delay) => near(delay, TRANSIT + INTERVAL + MARGIN, 1e-6));
});

test('an outage of more than a second ends with a jump to the present', () => {
  const calls = arrivals(45, (n, sent) => (sent > 35000 && sent <= 37000 ? 37000 - sent : 0));
  const delay = delays(watch(new Timeline(), calls, 44000).filter(({ now }) => now > 37000 + TRANSIT + 2));
  near(Math.max(...delay), TRANSIT + INTERVAL + MARGIN, 1);
});

test('a path that becomes slower by more than the largest delay is followed after a second', () => {
  const calls = arrivals(30, (n, sent) => (sent > 20000 ? 800 : 0));
  const shown = watch(new Timeline(), calls, 29000);
  near(delays(shown).at(-1), TRANSIT + 800 + INTERVAL + MARGIN, 1);
  assert.ok(Math.min(...speeds(shown)) >= 0);
});

for (const hertz of [60, 30, 15]) {
  const interval = 1000 / hertz;
  test(`at ${hertz} Hz, a path that stays slower adds a quarter of the increase at most to the delay needed, without a jump`, () => {
    for (const step of [10, 25, 60, 100, 300]) {
      const at = 2100 * interval; // 2048 packets of the path as it was
      const calls = arrivals((at + 300 * interval) / 1000, (n, sent) => (sent > at ? step : 0), interval);
      const shown = watch(new Timeline(), calls, calls.at(-1).arrival).filter(({ now }) => now > at);
      const needed = TRANSIT + step + interval + MARGIN;
      const overdue = step - MARGIN; // the longest time by which a packet is overdue
      const delay = delays(shown);
      const most = Math.max(...delay);
      assert.ok(most <= needed + overdue / 4 + 1e-6, `${step} ms: ${most} instead of ${needed + overdue / 4}`);
      near(delay.at(-1), needed, 0.3);
      const all = speeds(shown);
      assert.ok(Math.max(...all) <= 1.5 + 1e-6, `${Math.max(...all)}`);
      // Slow playback loses as much time as the delay increases. Until a tenth of the packets have
      // taken longer, it also loses what decays (in 200 ms) between each arrival and the time when
      // the next packet is overdue.
      const lost = all.reduce((sum, speed) => sum + Math.max(0, 1 - speed), 0);
      const decay = 1 - Math.exp(-Math.max(0, interval - overdue) / 200);
      const bound = step + overdue / 4 + 206 * (overdue / 4) * decay;
      assert.ok(lost <= bound, `${step} ms: ${lost} ms lost instead of ${bound}`);
      if (overdue > interval) { // without pause: both bounds are reached, to the time between two pictures
        near(most, needed + overdue / 4, 0.3);
        near(lost, bound, 0.3);
      }
    }
  });
}

test('a body that stood still moves on without delay', () => {
  const calls = arrivals(20, () => 0);
  const before = calls.filter(({ capture }) => capture <= 10000);
  const after = calls.filter(({ capture }) => capture > 10600);
  const hold = { call: 'hold', arrival: after[0].arrival - 0.01, capture: after[0].capture - INTERVAL };
  const shown = watch(new Timeline(), [...before, hold, ...after], 19000);
  const delay = delays(shown.filter(({ now }) => now > after[0].arrival));
  near(Math.max(...delay), TRANSIT + INTERVAL + MARGIN, 1);
});

test('a restart of the stream keeps the delay; another clock begins anew', () => {
  const calls = arrivals(30, (n) => (n % 10 === 0 ? 40 : 0));
  const timeline = new Timeline();
  watch(timeline, calls, 29990);
  const { bufferDelay } = timeline;
  const next = { capture: 30000, arrival: 30000 + TRANSIT, sequence: 0, incarnation: 1 };
  adaptiveBuffer(timeline).take(next);
  timeline.sample(next.arrival);
  near(timeline.bufferDelay, bufferDelay, 15);
  assert.ok(bufferDelay > 30);
  adaptiveBuffer(timeline).take({ capture: 5000, arrival: 40000, sequence: 1, incarnation: 1 });
  timeline.sample(40001);
  near(timeline.bufferDelay, 1000 / 30, 1.1);
});

/**
 * The time that a repair takes if packets are lost at random: the acknowledgement of the next packet
 * triggers the repetition, so it arrives a round trip and an interval after the first; if it is
 * lost too, the sender waits for its timer.
 */
function repairs({ loss, roundTrip, random }) {
  return () => {
    if (random() >= loss) {
      return 0;
    }
    let delay = roundTrip + INTERVAL;
    for (let timer = 200 + roundTrip; random() < loss; timer *= 2) {
      delay += timer;
    }
    return delay;
  };
}

for (const roundTrip of [40, 120]) {
  test(`on lossy paths of ${roundTrip} ms, playback is late less often than with a fixed buffer of the same delay`, () => {
    let [sum, sumFixed] = [0, 0];
    for (const percent of [0.5, 1, 2, 5]) {
      const random = parkMiller(97 + roundTrip + 10 * percent);
      for (let i = 0; i < 100; i++) {
        random(); // small seeds begin with small numbers
      }
      const calls = arrivals(200, repairs({ loss: percent / 100, roundTrip, random }));
      const own = play(calls, adaptiveBuffer(new Timeline()));
      const fixed = playFixed(calls, own.delay);
      assert.ok(own.late <= fixed.late, `${percent} % lost: late ${own.late} after ${own.delay} ms, fixed ${fixed.late}`);
      assert.ok(own.slowest > 0.7499 && own.late < 0.03);
      sum += own.late;
      sumFixed += fixed.late;
    }
    assert.ok(sum < 0.85 * sumFixed, `${sum} and ${sumFixed}`);
  });
}
