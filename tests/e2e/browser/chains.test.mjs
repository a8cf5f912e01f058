// Streams of coding 2 from the daemon to the client library: subscribers of
// different variants, one that comes late, one that is skipped and one that loses
// bundles, all against what `jointcast retarget` computes, and what they cost.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { BONES, BONE_SECTIONS } from '../../../clients/js/index.js';
import { scratch, startDaemon } from '../support/daemon.mjs';
import { makeBvh, makeVrm } from '../support/fixtures.mjs';
import { between, listen } from '../support/listener.mjs';
import { angle, findBegin, pairUp } from '../support/retargeted.mjs';

const FRAMES = 160;
const FRAME_TIME = 1 / 20;
const SECONDS = 4;
/** See stream.test.mjs; here other packets show when the motion began. */
const MOMENT_ERROR = 2 * 50e-6 * 60;
/** Coding 3 has a test of its own: model_chains.test.mjs. */
const CODINGS = [2, 1];
const FINGERS = BONES.slice(BONE_SECTIONS.hands.first);

const seconds = (s) => new Promise((resolve) => setTimeout(resolve, 1000 * s));

/** Most degrees and metres by which packets are off. */
function errors(heard, begin, what, left = () => true) {
  const [{ skeleton }] = heard.client.bodies.values();
  const hips = new Float64Array(3);
  let degrees = 0;
  let metres = 0;
  for (const [packet, computed] of pairUp(heard.packets, begin, what)) {
    for (const [bone, { relative }] of Object.entries(computed.bones)) {
      if (left(bone))
        degrees = Math.max(degrees, angle(relative, packet.rotations, 4 * BONES.indexOf(bone)));
    }
    skeleton.hipsTranslation(packet.hips, hips);
    metres = Math.max(metres, ...computed.hipsTranslation.map((x, k) => Math.abs(x - hips[k])));
  }
  return { degrees, metres };
}

for (const [name, skeletonFile] of [['the built-in skeleton', null], ['a VRM 0.x', 'figure.vrm']])
  test(`streams on ${name} keep their bounds for every subscriber`, { timeout: 300000 }, async (t) => {
    const folder = scratch(t);
    const motion = path.join(folder, 'motion.bvh');
    writeFileSync(motion, makeBvh({ frames: FRAMES, frameTime: FRAME_TIME }));
    const skeleton = skeletonFile ? path.join(folder, skeletonFile) : 'humanoid';
    if (skeletonFile)
      writeFileSync(skeleton, makeVrm(0));
    const daemon = await startDaemon(t, '--source', `file:${motion}?loop=1`,
      ...(skeletonFile ? ['--skeleton', skeleton] : []));
    const what = { motion, skeleton, frames: FRAMES, frameTime: FRAME_TIME };
    let acknowledges = true;
    let waiting = () => {};
    let bundles = 0;

    const exact = listen(daemon.url, { codings: [1] });
    const standard = listen(daemon.url, { codings: CODINGS });
    const fine = listen(daemon.url, { codings: CODINGS, precision: 'fine', rate: 2, sections: ['body', 'hips'] });
    // Acknowledges late every second half second, so that the server skips bundles.
    const skipped = listen(daemon.url, { codings: CODINGS, WebSocket: between({
      sends: ({ type }, pass) => {
        if (type === 'ack' && !acknowledges)
          waiting = pass;
        else
          pass();
      } }) });
    const switching = setInterval(() => {
      acknowledges = !acknowledges;
      waiting();
      waiting = () => {};
    }, 500);
    // Loses one bundle in forty on the way.
    const holed = listen(daemon.url, { codings: CODINGS, WebSocket: between({
      receives: (data) => typeof data === 'string' || ++bundles % 40 !== 0,
      sends: ({ type }, pass) => {
        holed.asked += type === 'keyframe';
        pass();
      } }) });
    await seconds(1);
    const late = listen(daemon.url, { codings: CODINGS, precision: 'coarse', rate: 4 });
    await seconds(SECONDS);
    clearInterval(switching);
    const all = { exact, standard, fine, skipped, holed, late };
    Object.values(all).forEach(({ client }) => client.close());
    for (const [who, heard] of Object.entries(all)) {
      assert.deepEqual(heard.errors, [], who);
      assert.ok(heard.packets.length > 30, `${who} has ${heard.packets.length} packets`);
    }

    const begin = findBegin(exact.packets.slice(0, 120), what);
    for (const [heard, degrees, metres, left] of [[standard, 0.25, 0.001], [skipped, 0.25, 0.001],
      [holed, 0.25, 0.001], [late, 1, 0.004],
      [fine, 0.06, 0.0005, (bone) => !FINGERS.includes(bone)]]) {
      const most = errors(heard, begin, what, left);
      t.diagnostic(`${most.degrees.toFixed(4)} degrees of ${degrees}, `
        + `${(1000 * most.metres).toFixed(3)} mm of ${1000 * metres}`);
      assert.ok(most.degrees <= degrees + MOMENT_ERROR && most.degrees > degrees / 8);
      assert.ok(most.metres <= metres + 1e-4);
    }

    // Rates: ticks that they divide. A busy machine skips ticks, but not most of them.
    for (const [heard, rate] of [[standard, 1], [fine, 2], [late, 4]]) {
      assert.ok(heard.ticks.every((tick) => tick % rate === 0));
      const steps = heard.ticks.slice(1).map((tick, i) => tick - heard.ticks[i]);
      const single = steps.filter((step) => step === rate).length;
      assert.ok(single > 10, `${single} of ${steps.length} packets come ${rate} ticks after the one before`);
    }
    // All subscribers of a shared view receive the same bytes.
    const common = new Map(standard.packets.map((packet) => [packet.tick, packet]));
    for (const heard of [skipped, holed]) {
      const both = heard.packets.filter(({ tick }) => common.has(tick));
      assert.ok(both.length > 60);
      for (const { tick, rotations, hips, states } of both)
        assert.deepEqual({ rotations, hips, states }, (({ rotations: r, hips: h, states: s }) =>
          ({ rotations: r, hips: h, states: s }))(common.get(tick)));
    }
    assert.ok(skipped.ticks.length < 0.9 * standard.ticks.length, 'nothing was skipped');
    assert.ok(holed.asked >= 3 && holed.asked <= 2 * (SECONDS + 1) + 1, `${holed.asked} keyframes`);
    assert.ok(standard.packets.every(({ states }) => states[0] === 2), 'the hips are tracked');
    assert.ok(fine.packets.every(({ rotations, states }) => FINGERS.every((bone) =>
      rotations[4 * BONES.indexOf(bone) + 3] === 1 && states[BONES.indexOf(bone)] === 0)));

    const rate = ({ client, ticks }) => (8 * client.traffic.bytes) /
      ((ticks.at(-1) - ticks[0]) / 60) / 1000;
    t.diagnostic(`coding 1 ${rate(exact).toFixed(1)} kbit/s, standard ${rate(standard).toFixed(1)}, `
      + `fine at half the rate ${rate(fine).toFixed(1)}, coarse at a quarter ${rate(late).toFixed(1)}`);
    assert.ok(rate(standard) < rate(exact) / 2);
    assert.ok(rate(late) < rate(standard));
  });

test('a still body needs few bytes and continues at once', { timeout: 300000 }, async (t) => {
  const folder = scratch(t);
  const motion = path.join(folder, 'still.bvh');
  // A motion of one frame's length, over and over: nothing moves.
  writeFileSync(motion, makeBvh({ frames: 2, frameTime: 1e-3 }).replace(/(Frame Time: .*\n)(.*\n).*\n/, '$1$2$2'));
  const daemon = await startDaemon(t, '--source', `file:${motion}?loop=0`);
  const still = listen(daemon.url, { codings: CODINGS });
  await seconds(3);
  still.client.close();
  assert.deepEqual(still.errors, []);
  const span = (still.ticks.at(-1) - still.ticks[0]) / 60;
  assert.ok(span > 2, `bundles over ${span} s`);
  assert.ok(still.ticks.length < 5 * span + 5, `${still.ticks.length} bundles in ${span} s`);
  assert.ok(still.client.traffic.bytes < 400 + 100 * span, `${still.client.traffic.bytes} bytes`);
});
