// What a subscriber decodes is what `jointcast retarget` computes: the client
// library on npm's ws against the command line, for a motion made here.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import WebSocket from 'ws';
import { BONES, connect } from '../../clients/js/index.js';
import { makeBvh, makeVrm } from './fixtures.mjs';
import { JOINTCAST, scratch, startDaemon } from './support.mjs';

const FRAMES = 160;
const FRAME_TIME = 1 / 20;
const DURATION = (FRAMES - 1) * FRAME_TIME;
const RECORD = 120; // packets
/** Degrees that coding 1 may be off (PROTOCOL.md, section 4), and metres. */
const ROTATION_ERROR = 0.01;
const POSITION_ERROR = 0.0005;
/**
 * Packets tell their age in steps of 100 us, so the moment is known to 50 us;
 * no joint of the motion turns faster than 60 degrees a second.
 */
const MOMENT_ERROR = 50e-6 * 60;

/** Frames as the command line computes them at these moments. */
function retarget(motion, skeleton, moments) {
  const text = execFileSync(JOINTCAST, ['retarget', motion, skeleton, '--json',
    '--times', moments.map((t) => t.toFixed(7)).join(',')], { maxBuffer: 1 << 29 });
  return JSON.parse(text).frames;
}

/** Degrees between two rotations; the chord, as an arccosine is blind to small angles. */
function angle(a, b, at = 0) {
  let minus = 0;
  let plus = 0;
  for (let i = 0; i < 4; i++) {
    minus += (a[i] - b[at + i]) ** 2;
    plus += (a[i] + b[at + i]) ** 2;
  }
  return 4 * Math.asin(Math.min(1, Math.sqrt(Math.min(minus, plus)) / 2)) * (180 / Math.PI);
}

/** Sum of squares over all bones: how far a computed frame is from a decoded packet. */
function distance(frame, { rotations }) {
  return Object.entries(frame.bones).reduce((sum, [bone, { relative }]) =>
    sum + angle(relative, rotations, 4 * BONES.indexOf(bone)) ** 2, 0);
}

/** Decodes packets until there are enough; returns them with their capture times in seconds. */
async function listen(url) {
  const client = connect(url, { WebSocket });
  const packets = [];
  await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${packets.length} packets in 20 s`)), 20000);
    client.on('error', reject);
    client.on('bundle', () => {
      const [body] = client.bodies.values();
      const { rotations, hips, time } = body.timeline.at(body.timeline.newest);
      packets.push({ rotations: rotations.slice(), hips: hips.slice(), capture: time / 1e6 });
      if (packets.length === RECORD) {
        clearTimeout(timer);
        resolve();
      }
    });
  });
  const [{ skeleton }] = client.bodies.values();
  client.close();
  return { packets, skeleton };
}

/**
 * Where in the motion a packet was captured, from its rotations alone: the best
 * frame, then the bottom of the parabola that the distance is around there.
 */
function locate(packet, frames, between) {
  const distances = frames.map((frame) => distance(frame, packet));
  const best = frames[distances.indexOf(Math.min(...distances))].t;
  const step = FRAME_TIME / 16;
  const moments = Array.from({ length: 33 }, (_, i) => best + (i - 16) * step)
    .filter((t) => t >= 0 && t <= DURATION);
  const fine = between(moments).map((frame) => distance(frame, packet));
  const low = Math.min(Math.max(fine.indexOf(Math.min(...fine)), 1), fine.length - 2);
  const [a, b, c] = fine.slice(low - 1, low + 2);
  return moments[low] + (step * (a - c)) / (2 * (a - 2 * b + c));
}

for (const [what, skeletonFile] of [['the built-in skeleton', null], ['a VRM 0.x', 'figure.vrm']])
  test(`a stream on ${what} is what retarget computes`, { timeout: 60000 }, async (t) => {
    const folder = scratch(t);
    const motion = path.join(folder, 'motion.bvh');
    writeFileSync(motion, makeBvh({ frames: FRAMES, frameTime: FRAME_TIME }));
    const skeleton = skeletonFile ? path.join(folder, skeletonFile) : 'humanoid';
    if (skeletonFile)
      writeFileSync(skeleton, makeVrm(0));
    const daemon = await startDaemon(t, '--source', `file:${motion}?loop=1`,
      ...(skeletonFile ? ['--skeleton', skeleton] : []));
    const { packets, skeleton: worn } = await listen(daemon.url);

    // The moment at which the motion began, from several packets on their own.
    const frames = retarget(motion, skeleton,
      Array.from({ length: FRAMES }, (_, i) => i * FRAME_TIME));
    const begins = packets.filter((_, i) => i % 12 === 5).map((packet) => packet.capture
      - locate(packet, frames, (moments) => retarget(motion, skeleton, moments)));
    const turn = (x) => x - DURATION * Math.round(x / DURATION);
    const offsets = begins.map((begin) => turn(begin - begins[0])).sort((a, b) => a - b);
    assert.ok(offsets.at(-1) - offsets[0] < 0.002,
      `packets disagree by ${offsets.at(-1) - offsets[0]} s about when the motion began`);
    const begin = begins[0] + offsets[Math.floor(offsets.length / 2)];

    const moments = packets.map(({ capture }) =>
      (((capture - begin) % DURATION) + DURATION) % DURATION);
    // At the seam a few microseconds decide which end of the motion it is.
    const clear = (moment) => moment > 0.002 && moment < DURATION - 0.002;
    const inside = packets.filter((_, i) => clear(moments[i]));
    const computed = retarget(motion, skeleton, moments.filter(clear));
    assert.equal(computed.length, inside.length);
    assert.ok(inside.length > 0.9 * RECORD);

    let worst = { off: 0 };
    let worstHips = 0;
    const hips = new Float64Array(3);
    inside.forEach((packet, i) => {
      for (const [bone, { relative }] of Object.entries(computed[i].bones)) {
        const off = angle(relative, packet.rotations, 4 * BONES.indexOf(bone));
        if (off > worst.off)
          worst = { off, bone, t: computed[i].t };
      }
      worn.hipsTranslation(packet.hips, hips);
      worstHips = Math.max(worstHips,
        ...computed[i].hipsTranslation.map((x, k) => Math.abs(x - hips[k])));
    });
    t.diagnostic(`at most ${worst.off.toFixed(5)} degrees and `
      + `${(1000 * worstHips).toFixed(3)} mm apart`);
    assert.ok(worst.off < ROTATION_ERROR + MOMENT_ERROR,
      `${worst.bone} is ${worst.off} degrees off at ${worst.t} s`);
    assert.ok(worst.off > 0, 'not one rotation was quantised: this compares nothing');
    assert.ok(worstHips < POSITION_ERROR + 1e-4, `hips are ${worstHips} m off`);
    const moving = Object.keys(computed[0].bones).filter((bone) => computed.some(
      ({ bones }) => angle(bones[bone].relative, computed[0].bones[bone].relative) > 2));
    assert.ok(moving.length >= 20, `only ${moving.length} bones move`);
  });
