// The clock against simulated links: skew, jitter, asymmetry, a server restart.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Clock } from '../index.js';
import { parkMiller } from './random.mjs';

/** Pings every `every` ms for `seconds`; the link takes up(), down() ms. Calls each(now) after each. */
function exchange(clock, { server, up, down, every = 2000, seconds = 60, from = 0, each = () => {} }) {
  for (let sent = from; sent < from + seconds * 1000; sent += every) {
    const there = sent + up();
    const back = there + down();
    clock.add(sent, back, server(there));
    each(back);
  }
}

test('has no time before the first answer, and the exact time after an instant answer', () => {
  const clock = new Clock();
  assert.equal(clock.synchronized, false);
  clock.add(1000, 1040, 5_020_000); // the server's answer is 5020 ms, half way
  assert.equal(clock.synchronized, true);
  assert.equal(clock.roundTrip, 40);
  assert.equal(clock.at(1040), 5_040_000);
  assert.equal(clock.at(2040), 6_040_000);
});

test('the error is at most half the asymmetry of the fastest exchange', () => {
  const random = parkMiller(11);
  const clock = new Clock();
  const server = (now) => (now + 123456) * 1000;
  // 5 ms each way at best, with heavy tails up to 200 ms on the way back.
  exchange(clock, { server, up: () => 5 + 3 * random(), down: () => 5 + 200 * random() ** 4,
    every: 100, seconds: 20 });
  const error = Math.abs(clock.at(20000) - server(20000)) / 1000;
  assert.ok(error <= clock.roundTrip / 2, `${error} ms at ${clock.roundTrip} ms round trip`);
  assert.ok(error < 4, `${error} ms`);
});

test('follows a clock that runs 100 ppm fast', () => {
  const random = parkMiller(3);
  const clock = new Clock();
  const server = (now) => now * 1.0001 * 1000;
  let worst = 0;
  exchange(clock, { server, up: () => 10 + 10 * random(), down: () => 10 + 10 * random(), seconds: 600,
    each: (now) => { worst = Math.max(worst, Math.abs(clock.at(now) - server(now)) / 1000); } });
  assert.ok(worst < 10, `${worst} ms`); // half of the jitter, and drift across the window
});

test('slews: never more than a hundredth fast or slow, never backwards', () => {
  const clock = new Clock();
  clock.add(0, 100, 1_000_000 + 50_000); // offset 1000 ms, taken at once
  assert.equal(clock.at(100), 1_100_000);
  clock.add(200, 201, 1_230_500); // better by far: offset 1030 ms
  let before = clock.at(201);
  for (let now = 211; now <= 5201; now += 10) {
    const time = clock.at(now);
    assert.ok(time - before >= 9_899 && time - before <= 10_101, `${time - before} us in 10 ms`);
    before = time;
  }
  // 30 ms at 1 % takes three seconds; by now it has arrived.
  assert.ok(Math.abs(clock.at(5211) - 6_241_000) < 1);
});

test('is never behind a message that arrived', () => {
  const clock = new Clock();
  const server = (now) => (now + 5000) * 1000;
  // The page starts: it handles the first answer 400 ms late, so half of the round trip is 198 ms off.
  clock.add(0, 404, server(2));
  assert.equal(Math.round(server(404) - clock.at(404)), 200_000);
  // Motion arrives 3 ms after its tick. The time between capture and display is measured with the estimate.
  clock.heard(450, server(447));
  assert.equal(clock.estimate(450), server(447));
  assert.ok(clock.at(450) < server(300), 'the clock for motion is slewed');
  clock.heard(460, server(400)); // late: no limit
  assert.equal(clock.estimate(460), server(457) - 1); // 100 ppm of 10 ms
  for (let now = 460; now < 25000; now += 20) {
    clock.heard(now, server(now - 3));
    clock.at(now);
  }
  assert.ok(Math.abs(clock.at(25000) - server(24997)) < 10);
  clock.reset();
  clock.add(26000, 26010, 1_005_000);
  assert.equal(clock.estimate(26010), 1_010_000, 'another server');
});

test('takes another server\'s clock at once', () => {
  const clock = new Clock();
  clock.add(0, 10, 100_000_000);
  clock.add(2000, 2001, 2_000_500);
  assert.ok(Math.abs(clock.at(2001) - 2_001_000) < 1);
});

test('ignores invalid answers', () => {
  const clock = new Clock();
  for (const [sent, received, time] of [[10, 5, 1], [NaN, 5, 1], [1, 5, NaN], ['1', 5, 1], [1, 5, undefined], [null, 5, 1]]) {
    clock.add(sent, received, time);
  }
  assert.equal(clock.synchronized, false);
});
