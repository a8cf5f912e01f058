// Playback against closed formulas: a body that turns evenly must be seen to
// turn evenly, whatever the line does to its packets.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Timeline } from '../index.js';
import { angle } from '../quat.js';
import { parkMiller } from './random.mjs';

const HEAD = 5;
const turnAbout = (axis, radians) => {
  const q = [0, 0, 0, Math.cos(radians / 2)];
  q[axis] = Math.sin(radians / 2);
  return q;
};

/** Commits a packet whose head has turned by `radians` about +Y. */
function feed(timeline, { capture, radians = 0, sequence, incarnation = 0, cut = false, arrival, hips = [0, 0, 0], placement }) {
  const slot = timeline.slot();
  slot.rest();
  slot.rotations.set(turnAbout(1, radians), 4 * HEAD);
  slot.hips.set(hips);
  if (placement) {
    slot.placement.set(placement);
    slot.hasPlacement = true;
  }
  timeline.commit(capture, sequence & 15, incarnation, cut, arrival);
}

const headTurn = (sample) => 2 * Math.atan2(sample.rotations[4 * HEAD + 1], sample.rotations[4 * HEAD + 3]);

test('shows nothing before the first packet, then holds it', () => {
  const timeline = new Timeline();
  assert.equal(timeline.sample(0), null);
  assert.ok(Number.isNaN(timeline.newest));
  feed(timeline, { capture: 1e6, radians: 0.3, sequence: 0, arrival: 5 });
  assert.ok(Math.abs(headTurn(timeline.sample(10)) - 0.3) < 1e-6);
  assert.ok(Math.abs(headTurn(timeline.sample(1e6)) - 0.3) < 1e-6);
});

test('interpolates rotations along the arc and hips along the line', () => {
  const timeline = new Timeline();
  feed(timeline, { capture: 0, radians: 0, sequence: 0, arrival: 0, hips: [0, 0, 0] });
  feed(timeline, { capture: 100000, radians: 2, sequence: 1, arrival: 100, hips: [1, -2, 4] });
  for (const t of [0, 0.1, 0.25, 0.5, 0.9, 1]) {
    const sample = timeline.at(100000 * t);
    assert.ok(Math.abs(headTurn(sample) - 2 * t) < 1e-6, `${t}`);
    assert.deepEqual([...sample.hips], [t, -2 * t + 0, 4 * t].map(Math.fround));
    assert.equal(sample.state, t === 1 ? 'held' : 'interpolated');
  }
});

test('the approximation for small angles has an error below a thousandth of a degree', () => {
  const timeline = new Timeline();
  feed(timeline, { capture: 0, radians: 0, sequence: 0, arrival: 0 });
  feed(timeline, { capture: 1000, radians: 0.0599, sequence: 1, arrival: 1 });
  for (let t = 0; t <= 1; t += 0.05) {
    assert.ok(Math.abs(headTurn(timeline.at(1000 * t)) - 0.0599 * t) < 1.7e-5);
  }
});

test('opposite signs of a quaternion are the same rotation', () => {
  const timeline = new Timeline();
  feed(timeline, { capture: 0, radians: 0.2, sequence: 0, arrival: 0 });
  feed(timeline, { capture: 1000, radians: 0.4 + 2 * Math.PI, sequence: 1, arrival: 1 });
  const sample = timeline.at(500);
  assert.ok(angle(sample.rotations, 4 * HEAD, turnAbout(1, 0.3), 0) < 1e-6);
});

test('holds the previous pose until the time of a cut', () => {
  const timeline = new Timeline();
  feed(timeline, { capture: 0, radians: 0, sequence: 0, arrival: 0 });
  feed(timeline, { capture: 16667, radians: 1, sequence: 1, arrival: 17, cut: true });
  assert.equal(headTurn(timeline.at(16666)), 0);
  assert.equal(timeline.at(16666).state, 'held');
  assert.ok(Math.abs(headTurn(timeline.at(16667)) - 1) < 1e-6);
  // nothing is carried on across it
  assert.ok(Math.abs(headTurn(timeline.at(30000)) - 1) < 1e-6);
});

test('does not interpolate between packets more than a second apart', () => {
  const timeline = new Timeline();
  feed(timeline, { capture: 0, radians: 0, sequence: 0, arrival: 0 });
  feed(timeline, { capture: 1500000, radians: 1, sequence: 1, arrival: 1500 });
  assert.equal(headTurn(timeline.at(1400000)), 0);
});

test('extrapolates past the newest packet, then holds', () => {
  const timeline = new Timeline({ extrapolation: 50 });
  feed(timeline, { capture: 0, radians: 0, sequence: 0, arrival: 0 });
  feed(timeline, { capture: 40000, radians: 0.4, sequence: 1, arrival: 40 });
  const carried = timeline.at(60000);
  assert.equal(carried.state, 'extrapolated');
  assert.ok(Math.abs(headTurn(carried) - 0.6) < 1e-6);
  const held = timeline.at(500000);
  assert.equal(held.state, 'held');
  assert.ok(Math.abs(headTurn(held) - 0.9) < 1e-6); // 50 ms on
  assert.equal(held.time, 90000);
});

test('a new incarnation discards earlier packets', () => {
  const timeline = new Timeline();
  feed(timeline, { capture: 1000000, radians: 0.1, sequence: 12, arrival: 0 });
  feed(timeline, { capture: 1016667, radians: 0.2, sequence: 3, incarnation: 1, arrival: 17 });
  assert.ok(Math.abs(headTurn(timeline.at(1000000)) - 0.2) < 1e-6);
  assert.equal(timeline.lost, 0);
});

test('counts missing packets by sequence, also across the wrap, and drops late ones', () => {
  const timeline = new Timeline();
  [10, 11, 14, 17].forEach((sequence, i) =>
    feed(timeline, { capture: 16667 * (i + 1), sequence, arrival: 17 * i }));
  assert.equal(timeline.lost, 2 + 2); // 252, 253; 255, 0
  feed(timeline, { capture: 16667, radians: 1, sequence: 0, arrival: 80 });
  assert.equal(timeline.late, 1);
  assert.equal(timeline.received, 4);
  assert.equal(headTurn(timeline.at(16667 * 4)), 0);
});

test('the placement stays until the next one and turns by the shortest arc', () => {
  const timeline = new Timeline();
  timeline.place([1, 0, 2], 6.2);
  feed(timeline, { capture: 0, sequence: 0, arrival: 0 });
  feed(timeline, { capture: 1000, sequence: 1, arrival: 1 });
  assert.deepEqual([...timeline.at(500).position], [1, 0, 2]);
  feed(timeline, { capture: 2000, sequence: 2, arrival: 2, placement: [3, 0, 2, 0.1] });
  const sample = timeline.at(1500);
  assert.deepEqual([...sample.position], [2, 0, 2]);
  // from 6.2 on through a whole turn to 0.1: half way is 6.2 + 0.0916
  assert.ok(Math.abs(sample.yaw - (6.2 + (0.1 + 2 * Math.PI - 6.2) / 2)) < 1e-6);
});

test('a placement in the roster is a jump', () => {
  const timeline = new Timeline();
  timeline.place([1, 0, 2], 0);
  feed(timeline, { capture: 0, sequence: 0, arrival: 0 });
  feed(timeline, { capture: 1000, sequence: 1, arrival: 1 });
  timeline.place([1, 0, 2], 0); // where it stands already
  assert.equal(timeline.at(500).state, 'interpolated');
  timeline.place([9, 0, 9], 0);
  assert.deepEqual([...timeline.at(999).position], [1, 0, 2]);
  assert.deepEqual([...timeline.at(1000).position], [9, 0, 9]);
  feed(timeline, { capture: 2000, sequence: 2, arrival: 2 });
  assert.deepEqual([...timeline.at(1500).position], [9, 0, 9]);
});

test('placements in packets replace that of the roster', () => {
  const timeline = new Timeline();
  timeline.place([1, 0, 0], 0);
  feed(timeline, { capture: 0, sequence: 0, arrival: 0, placement: [2, 0, 0, 0] });
  timeline.place([9, 0, 9], 1);
  feed(timeline, { capture: 1000, sequence: 1, arrival: 1, placement: [3, 0, 0, 0] });
  assert.deepEqual([...timeline.at(500).position], [2.5, 0, 0]);
  feed(timeline, { capture: 2000, sequence: 0, incarnation: 1, arrival: 2 });
  timeline.place([5, 0, 0], 0);
  assert.deepEqual([...timeline.at(2000).position], [5, 0, 0], 'another incarnation may not');
});

/**
 * A head that turns at one radian a second, sent at 60 Hz over a line that takes
 * `delay()` ms in order, watched at 90 Hz. Returns what was seen after `settle` s.
 */
function watch({ delay, skip = () => false, seconds = 20, settle = 5, offset = 7e9 }) {
  const timeline = new Timeline();
  const packets = [];
  let last = 0;
  for (let n = 0; n < seconds * 60; n++) {
    const sent = (n * 1000) / 60;
    last = Math.max(last, sent + delay());
    packets.push({ capture: offset + Math.round(sent * 1000), radians: sent / 1000, sequence: n, arrival: last, skipped: skip(n) });
  }
  const seen = [];
  for (let now = 1; now < seconds * 1000; now += 1000 / 90) {
    while (packets.length && packets[0].arrival <= now) {
      const packet = packets.shift();
      if (!packet.skipped) {
        feed(timeline, packet);
      }
    }
    const sample = timeline.sample(now);
    if (sample && now > settle * 1000) {
      seen.push({ now, state: sample.state, turn: headTurn(sample), latency: now * 1000 - (sample.time - offset) });
    }
  }
  return { seen, timeline };
}

/** Differences of what is seen from even motion, radians between frames. */
function unevenness(seen) {
  let worst = 0;
  for (let i = 1; i < seen.length; i++) {
    const turned = seen[i].turn - seen[i - 1].turn;
    const step = turned - 2 * Math.PI * Math.round(turned / (2 * Math.PI));
    worst = Math.max(worst, Math.abs(step - 1 / 90));
  }
  return worst;
}

test('playback on a steady connection is smooth, delayed by one packet and the margin', () => {
  const { seen, timeline } = watch({ delay: () => 30 });
  assert.ok(seen.every(({ state }) => state === 'interpolated'));
  assert.ok(unevenness(seen) < 2e-5, `${unevenness(seen)}`);
  const latency = seen.at(-1).latency / 1000;
  assert.ok(Math.abs(latency - (30 + 1000 / 60 + 2)) < 0.1, `${latency} ms`);
  assert.ok(Math.abs(timeline.bufferDelay - (1000 / 60 + 2)) < 0.1);
  assert.ok(Math.abs(timeline.hertz - 60) < 0.1);
  assert.equal(timeline.lost, 0);
});

test('jitter increases the delay, and playback stays smooth', () => {
  const random = parkMiller(5);
  const { seen } = watch({ delay: () => 30 + 20 * random() });
  const broken = seen.filter(({ state }) => state !== 'interpolated').length;
  assert.ok(broken / seen.length < 0.03, `${broken} of ${seen.length}`);
  const latency = seen.at(-1).latency / 1000;
  assert.ok(latency > 55 && latency < 30 + 20 + 1000 / 60 + 3, `${latency} ms`);
  // playback rate within the steering's 25 % and 5 %
  assert.ok(unevenness(seen) < 0.25 / 90 + 1e-4);
});

test('playback stays smooth if every second packet is missing', () => {
  const { seen, timeline } = watch({ delay: () => 10, skip: (n) => n % 2 === 1 });
  assert.ok(seen.every(({ state }) => state === 'interpolated'));
  assert.ok(unevenness(seen) < 2e-5);
  assert.ok(timeline.lost >= 595, `${timeline.lost}`);
});

test('playback returns to its delay after a stall', () => {
  let n = 0;
  const { seen } = watch({ seconds: 30, delay: () => (n++ > 400 && n < 420 ? 300 : 20) });
  const latency = seen.at(-1).latency / 1000;
  assert.ok(latency < 20 + 1000 / 60 + 5, `${latency} ms`);
  assert.ok(seen.at(-1).state === 'interpolated');
});

test('the shown time never decreases', () => {
  const random = parkMiller(9);
  const { seen } = watch({ settle: 0.2, delay: () => 20 + 150 * random() ** 6 });
  for (let i = 1; i < seen.length; i++) {
    const shown = (s) => s.now * 1000 - s.latency;
    if (seen[i].state === 'interpolated' && seen[i - 1].state === 'interpolated') {
      assert.ok(shown(seen[i]) > shown(seen[i - 1]));
    }
  }
});

// Playback that has carried the motion on beyond the packet that arrives then. Each case returns the
// capture time of the newest packet and the turn of its head.
for (const [what, arrive] of [
  ['a packet with a cut', (timeline, newest) => {
    feed(timeline, { capture: newest + 16667, radians: 2, sequence: 201, cut: true, arrival: 3400 });
    return [newest + 16667, 2];
  }],
  ['a placement of the roster', (timeline, newest, turn) => {
    timeline.place([1, 0, 0], 0);
    return [newest, turn];
  }],
  ['a packet after a short interval', (timeline, newest, turn) => {
    feed(timeline, { capture: newest + 1000, radians: turn, sequence: 201, arrival: 3400 });
    return [newest + 1000, turn];
  }],
]) {
  test(`time does not run backwards after ${what}`, () => {
    const timeline = new Timeline();
    for (let n = 0; n <= 200; n++) {
      feed(timeline, { capture: 16667 * n, radians: n / 100, sequence: n, arrival: 16.667 * n });
      timeline.sample(16.667 * n);
    }
    let now = 16.667 * 200;
    for (const until = now + 500; now < until; now += 5)
      timeline.sample(now);
    const last = timeline.shown;
    assert.ok(Math.abs(last - (16667 * 200 + 33334)) < 1e-3, 'carried on for two intervals');

    const [newest, turn] = arrive(timeline, 16667 * 200, 2);
    for (const until = now + 50; now < until; now += 5) {
      const { time, state } = timeline.sample(now);
      assert.ok(Math.abs(time - last) < 1e-3, `${time - last}`);
      assert.equal(state, 'held');
      assert.ok(Math.abs(headTurn(timeline.sample(now)) - turn) < 1e-6);
    }
    // It runs on as soon as there is motion to show, from where it stopped.
    for (let n = 1; n <= 20; n++) {
      feed(timeline, { capture: newest + 16667 * n, radians: turn + n / 100, sequence: 201 + n, arrival: now });
      const before = timeline.shown;
      const { time } = timeline.sample(now);
      now += 5;
      assert.ok(time >= before && time - before <= 1.5 * 5000 + 1e-3, `${time - before}`);
    }
    assert.ok(timeline.shown > last + 20000);
  });
}

test('time may run backwards when the motion starts anew', () => {
  for (const restart of [{ incarnation: 1 }, null]) {
    const timeline = new Timeline();
    for (let n = 0; n <= 10; n++)
      feed(timeline, { capture: 16667 * n, sequence: n, arrival: 16.667 * n });
    for (let now = 16.667 * 10; now < 500; now += 5)
      timeline.sample(now);
    assert.ok(timeline.shown > 16667 * 11);
    if (!restart)
      timeline.clear();
    feed(timeline, { capture: 16667 * 11, sequence: 11, arrival: 500, cut: true, ...restart });
    assert.equal(timeline.sample(505).time, 16667 * 11);
  }
});

test('a hold repeats the pose until its end, and the next packet continues from it', () => {
  const timeline = new Timeline();
  timeline.hold(1e6);
  assert.equal(timeline.at(1e6), null);
  feed(timeline, { capture: 0, radians: 0, sequence: 0, arrival: 0 });
  feed(timeline, { capture: 100000, radians: 1, sequence: 1, arrival: 100 });
  timeline.hold(200000);
  timeline.hold(500000);
  timeline.hold(400000); // known already
  assert.equal(timeline.newest, 500000);
  for (const t of [100000, 150000, 300000, 500000, 520000, 2e6]) {
    assert.ok(Math.abs(headTurn(timeline.at(t)) - 1) < 1e-6, `${t}`);
  }
  feed(timeline, { capture: 600000, radians: 2, sequence: 2, arrival: 600 });
  assert.ok(Math.abs(headTurn(timeline.at(400000)) - 1) < 1e-6);
  assert.ok(Math.abs(headTurn(timeline.at(550000)) - 1.5) < 1e-6);
  assert.equal(timeline.lost, 0);
  assert.equal(timeline.received, 3);
});

test('a packet captured before a hold replaces it', () => {
  const timeline = new Timeline();
  feed(timeline, { capture: 0, radians: 0, sequence: 0, arrival: 0 });
  timeline.hold(500000);
  feed(timeline, { capture: 400000, radians: 2, sequence: 1, arrival: 500 });
  assert.equal(timeline.newest, 400000);
  assert.equal(timeline.late, 0);
  assert.ok(Math.abs(headTurn(timeline.at(400000)) - 2) < 1e-6);
  assert.ok(Math.abs(headTurn(timeline.at(0))) < 1e-6);
  feed(timeline, { capture: 400000, radians: 3, sequence: 2, arrival: 510 });
  assert.equal(timeline.late, 1);
  assert.ok(Math.abs(headTurn(timeline.at(400000)) - 2) < 1e-6);
});

test('alternating holds and packets keep their order', () => {
  const timeline = new Timeline();
  for (let i = 0; i < 300; i++) {
    feed(timeline, { capture: 100000 * i, radians: i / 100, sequence: i, arrival: 100 * i });
    if (i % 3 === 0) {
      timeline.hold(100000 * i + 50000);
    }
    if (i >= 20) {
      for (const back of [0, 5, 19]) {
        const sample = timeline.at(100000 * (i - back));
        assert.ok(Math.abs(headTurn(sample) - (i - back) / 100) < 1e-6, `${i} - ${back}`);
      }
    }
  }
});
