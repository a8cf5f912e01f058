// Compares the rotations that a subscriber decodes (client library on npm's ws) with those of
// `jointcast retarget`, for a motion made here.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import WebSocket from 'ws';
import { BONES, Figure, connect } from '../../../clients/js/index.js';
import { conjugate, multiply } from '../../../clients/js/quat.js';
import { scratch, startDaemon } from '../support/daemon.mjs';
import { makeBvh, makeHanim, makeVrm, nodeOf } from '../support/fixtures.mjs';
import { angle, findBegin, pairUp } from '../support/retargeted.mjs';

const FRAMES = 160;
const FRAME_TIME = 1 / 20;
const RECORD = 120; // packets
/** Degrees that coding 1 may be off (proto/BUNDLES.md, "Smallest three"), and metres. */
const ROTATION_ERROR = 0.01;
const POSITION_ERROR = 0.0005;
/**
 * Packets hold their age in steps of 100 us, so the time is known to 50 us;
 * no joint of the motion turns faster than 60 degrees a second.
 */
const MOMENT_ERROR = 50e-6 * 60;

/** Decodes packets until there are enough; returns them with their capture times in seconds. */
async function listen(url) {
  const client = connect(url, { WebSocket, codings: [1], contacts: false });
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
 * Packets with rotations relative to rest of the nodes that a client poses: in H-Anim figures the
 * vertebrae share the rotation of a bone, as in the output of the tool; `locals` are of all nodes,
 * `virtuals` the virtual transforms.
 */
function pose(packets, skeleton) {
  const figure = new Figure(skeleton);
  return packets.map(({ capture, hips, ...packet }) => {
    const locals = figure.pose({ ...packet, hips }).rotations.slice();
    const virtuals = skeleton.virtualTransforms.map((_, i) => figure.virtualTransform(i));
    const rotations = packet.rotations.slice();
    skeleton.bones.forEach((node, bone) => {
      if (node >= 0)
        multiply(conjugate(skeleton.rotations, 4 * node, [], 0), 0, locals, 4 * node, rotations, 4 * bone);
    });
    return { capture, hips, rotations, locals, virtuals };
  });
}

/** The largest difference of a node that moved, degrees; how many vertebrae moved that are no bones. */
function compareNodes(pairs, skeleton) {
  const vertebrae = new Set();
  let off = 0;
  for (const [packet, { nodes }] of pairs)
    for (const { name, rotation } of Object.values(nodes)) {
      const node = skeleton.findNode(name);
      off = Math.max(off, angle(rotation, packet.locals, 4 * node));
      if (skeleton.boneOfNode[node] < 0)
        vertebrae.add(name);
    }
  return { off, vertebrae: vertebrae.size };
}

/** The largest differences of virtual transforms: metres, degrees. */
function compareVirtuals(pairs) {
  const worst = { metres: 0, degrees: 0 };
  for (const [{ virtuals }, { virtualTransforms }] of pairs)
    virtualTransforms.forEach(({ index, translation, rotation, scale }) => {
      const mine = virtuals[index];
      worst.metres = Math.max(worst.metres, Math.hypot(...translation.map((x, k) => x - mine.translation[k])));
      worst.degrees = Math.max(worst.degrees, angle(rotation, mine.rotation));
      assert.ok(scale.every((x, k) => Math.abs(x - mine.scale[k]) < 1e-5));
    });
  return worst;
}

/** One for each combination of flags, on a hand. */
const POINTS = Array.from({ length: 8 }, (_, flags) => ({ name: `point ${flags}`, parent: nodeOf('leftHand'),
  translation: [0.1, 0.05, 0.02], rotation: [0, 0.6, 0, 0.8], scale: [1, 2, 3], respectParentPosition: (flags & 1) !== 0,
  respectParentRotation: (flags & 2) !== 0, respectParentScale: (flags & 4) !== 0 }));

for (const [name, skeletonFile, bytes, vertebrae] of [['the built-in skeleton', null, null, 0],
  ['a VRM 0.x', 'figure.vrm', makeVrm(0, 0.9, POINTS), 0], ['an H-Anim figure with 24 vertebrae', 'figure.wrl', makeHanim(), 20]])
  test(`a stream on ${name} is what retarget computes`, { timeout: 300000 }, async (t) => {
    const folder = scratch(t);
    const motion = path.join(folder, 'motion.bvh');
    writeFileSync(motion, makeBvh({ frames: FRAMES, frameTime: FRAME_TIME }));
    const skeleton = skeletonFile ? path.join(folder, skeletonFile) : 'humanoid';
    if (skeletonFile)
      writeFileSync(skeleton, bytes);
    const daemon = await startDaemon(t, '--source', `file:${motion}?loop=1`,
      ...(skeletonFile ? ['--skeleton', skeleton] : []));
    const { packets: received, skeleton: worn } = await listen(daemon.url);
    const packets = pose(received, worn);

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
    const nodes = compareNodes(pairs, worn);
    assert.ok(nodes.off < ROTATION_ERROR + MOMENT_ERROR, `a node is ${nodes.off} degrees off`);
    assert.equal(nodes.vertebrae, vertebrae);
    // The error of a point on a hand includes those of the hips and of six bones between them.
    const virtuals = compareVirtuals(pairs);
    assert.ok(virtuals.metres < 2e-3 && virtuals.degrees < 6 * ROTATION_ERROR + MOMENT_ERROR,
      `a virtual transform is ${virtuals.metres} m and ${virtuals.degrees} degrees off`);
    assert.equal(pairs[0][1].virtualTransforms.length, skeletonFile === 'figure.vrm' ? POINTS.length : 0);
  });
