// Finds the capture times of packets in a motion, and computes the poses with the command line.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { BONES } from '../../../clients/js/index.js';
import { JOINTCAST } from './daemon.mjs';

/** Frames as the command line computes them at these moments. */
export function retarget(motion, skeleton, moments) {
  const text = execFileSync(JOINTCAST, ['retarget', motion, skeleton, '--json',
    '--times', moments.map((t) => t.toFixed(7)).join(',')], { maxBuffer: 1 << 29 });
  return JSON.parse(text).frames;
}

/** Degrees between two rotations; the chord, as an arccosine is blind to small angles. */
export function angle(a, b, at = 0) {
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

/**
 * Where in the motion a packet was captured, from its rotations alone: the best
 * frame, then the bottom of the parabola that the distance is around there.
 */
function locate(packet, frames, between, { frameTime, duration }) {
  const distances = frames.map((frame) => distance(frame, packet));
  const best = frames[distances.indexOf(Math.min(...distances))].t;
  const step = frameTime / 16;
  const moments = Array.from({ length: 33 }, (_, i) => best + (i - 16) * step)
    .filter((t) => t >= 0 && t <= duration);
  const fine = between(moments).map((frame) => distance(frame, packet));
  const low = Math.min(Math.max(fine.indexOf(Math.min(...fine)), 1), fine.length - 2);
  const [a, b, c] = fine.slice(low - 1, low + 2);
  return moments[low] + (step * (a - c)) / (2 * (a - 2 * b + c));
}

/**
 * The capture time, seconds, at which a looped motion began, from several packets
 * of coding 1 on their own, which must agree.
 *
 * @param {{rotations: ArrayLike<number>, capture: number}[]} packets
 * @param {{motion: string, skeleton: string, frames: number, frameTime: number}} what
 */
export function findBegin(packets, { motion, skeleton, frames: count, frameTime }) {
  const duration = (count - 1) * frameTime;
  const frames = retarget(motion, skeleton,
    Array.from({ length: count }, (_, i) => i * frameTime));
  const begins = packets.filter((_, i) => i % 12 === 5).map((packet) => packet.capture
    - locate(packet, frames, (moments) => retarget(motion, skeleton, moments),
      { frameTime, duration }));
  const turn = (x) => x - duration * Math.round(x / duration);
  const offsets = begins.map((begin) => turn(begin - begins[0])).sort((a, b) => a - b);
  assert.ok(offsets.at(-1) - offsets[0] < 0.002,
    `packets disagree by ${offsets.at(-1) - offsets[0]} s about when the motion began`);
  return begins[0] + offsets[Math.floor(offsets.length / 2)];
}

/**
 * Packets with what the command line computes for their moments: [packet, frame].
 * At the seam a few microseconds decide which end of the motion it is: those are
 * left out.
 */
export function pairUp(packets, begin, { motion, skeleton, frames, frameTime }) {
  const duration = (frames - 1) * frameTime;
  const moments = packets.map(({ capture }) =>
    (((capture - begin) % duration) + duration) % duration);
  const clear = (moment) => moment > 0.002 && moment < duration - 0.002;
  const inside = packets.filter((_, i) => clear(moments[i]));
  const computed = retarget(motion, skeleton, moments.filter(clear));
  assert.equal(computed.length, inside.length);
  return inside.map((packet, i) => [packet, computed[i]]);
}
