// Compares the rotations that a subscriber decodes (client library on npm's ws) with those of
// `jointcast retarget`, for a motion made here.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import WebSocket from 'ws';
import { BONES, connect } from '../../../clients/js/index.js';
import { scratch, startDaemon } from '../support/daemon.mjs';
import { makeBvh, makeVrm } from '../support/fixtures.mjs';
import { angle, findBegin, pairUp } from '../support/retargeted.mjs';

const FRAMES = 160;
const FRAME_TIME = 1 / 20;
const RECORD = 120; // packets
/** Degrees that coding 1 may be off (PROTOCOL.md, section 4), and metres. */
const ROTATION_ERROR = 0.01;
const POSITION_ERROR = 0.0005;
/**
 * Packets hold their age in steps of 100 us, so the time is known to 50 us;
 * no joint of the motion turns faster than 60 degrees a second.
 */
const MOMENT_ERROR = 50e-6 * 60;

/** Decodes packets until there are enough; returns them with their capture times in seconds. */
async function listen(url) {
  const client = connect(url, { WebSocket, codings: [1] });
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

for (const [name, skeletonFile] of [['the built-in skeleton', null], ['a VRM 0.x', 'figure.vrm']])
  test(`a stream on ${name} is what retarget computes`, { timeout: 60000 }, async (t) => {
    const folder = scratch(t);
    const motion = path.join(folder, 'motion.bvh');
    writeFileSync(motion, makeBvh({ frames: FRAMES, frameTime: FRAME_TIME }));
    const skeleton = skeletonFile ? path.join(folder, skeletonFile) : 'humanoid';
    if (skeletonFile)
      writeFileSync(skeleton, makeVrm(0));
    const daemon = await startDaemon(t, '--source', `file:${motion}?loop=1`,
      ...(skeletonFile ? ['--skeleton', skeleton] : []));
    const { packets, skeleton: worn } = await listen(daemon.url);

    const what = { motion, skeleton, frames: FRAMES, frameTime: FRAME_TIME };
    const pairs = pairUp(packets, findBegin(packets, what), what);
    assert.ok(pairs.length > 0.9 * RECORD);

    let worst = { off: 0 };
    let worstHips = 0;
    const hips = new Float64Array(3);
    for (const [packet, computed] of pairs) {
      for (const [bone, { relative }] of Object.entries(computed.bones)) {
        const off = angle(relative, packet.rotations, 4 * BONES.indexOf(bone));
        if (off > worst.off)
          worst = { off, bone, t: computed.t };
      }
      worn.hipsTranslation(packet.hips, hips);
      worstHips = Math.max(worstHips,
        ...computed.hipsTranslation.map((x, k) => Math.abs(x - hips[k])));
    }
    t.diagnostic(`at most ${worst.off.toFixed(5)} degrees and `
      + `${(1000 * worstHips).toFixed(3)} mm apart`);
    assert.ok(worst.off < ROTATION_ERROR + MOMENT_ERROR,
      `${worst.bone} is ${worst.off} degrees off at ${worst.t} s`);
    assert.ok(worst.off > 0, 'not one rotation was quantised: this compares nothing');
    assert.ok(worstHips < POSITION_ERROR + 1e-4, `hips are ${worstHips} m off`);
    const [[, first]] = pairs;
    const moving = Object.keys(first.bones).filter((bone) => pairs.some(
      ([, { bones }]) => angle(bones[bone].relative, first.bones[bone].relative) > 2));
    assert.ok(moving.length >= 20, `only ${moving.length} bones move`);
  });
