// Measures captures: bytes and the JavaScript coder's time for body frames and poses of
// motions.
//
// usage: node tests/bench/captures.mjs JOINTCAST MOTION…
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BodyFrame, PoseFrame, decodeBodyFrame, decodePose, encodeBodyFrame, encodePose } from '../../clients/js/body-frame.js';
import { BONES, JOINTS } from '../../clients/js/tables.js';

const [tool, ...motions] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'captures-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

function bodyFrames(motion) {
  const file = path.join(folder, 'frames.jsonl');
  execFileSync(tool, ['convert', motion, file, '--profile', 'meta']);
  const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  return lines.map(({ joints }) => {
    const frame = new BodyFrame();
    joints.forEach((joint, k) => {
      const i = JOINTS.indexOf(head.joints[k]);
      if (joint) {
        frame.positions.set(joint.slice(0, 3), 3 * i);
        frame.rotations.set(joint.slice(3, 7), 4 * i);
        frame.states[i] = joint[7];
      }
    });
    return frame;
  });
}

function poses(motion) {
  const text = execFileSync(tool, ['retarget', motion, 'humanoid', '--as-tracked', '--json'], { maxBuffer: 1 << 30 });
  const { frames, skeleton } = JSON.parse(text);
  return frames.map(({ bones, hipsTranslation }) => {
    const pose = new PoseFrame();
    pose.hips.set(hipsTranslation.map((x) => x / skeleton.hipsHeight));
    for (const [name, { normalized, state }] of Object.entries(bones)) {
      const i = BONES.indexOf(name);
      pose.states[i] = ['absent', 'estimated', 'tracked'].indexOf(state);
      pose.rotations.set(normalized, 4 * i);
    }
    return pose;
  });
}

/** Median microseconds of one call, over rounds of all. */
function time(list, call) {
  const rounds = [];
  for (let total = 0; rounds.length < 20 || total < 1000;) {
    const begin = performance.now();
    list.forEach(call);
    rounds.push(performance.now() - begin);
    total += rounds.at(-1);
  }
  return (rounds.sort((a, b) => a - b)[rounds.length >> 1] / list.length) * 1000;
}

function row(name, kind, frames, floats, encode, decode, scratch) {
  const captures = frames.map(encode);
  const sizes = captures.map(({ length }) => length).sort((a, b) => a - b);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const known = frames.reduce((sum, { states }) => sum + states.filter((s) => s > 0).length, 0) / frames.length;
  console.log([name, kind, frames.length, known.toFixed(1), mean.toFixed(1), sizes.at(-1), (4 * floats * known).toFixed(0),
    time(frames, encode).toFixed(1), time(captures, (capture) => decode(capture, scratch)).toFixed(1)].join(' | '));
}

console.log('motion | kind | frames | known | bytes, mean | most | as float32 | encode, us | decode, us');
for (const motion of motions) {
  const name = path.parse(motion).name;
  row(name, 'body frames', bodyFrames(motion), 7, encodeBodyFrame, decodeBodyFrame, new BodyFrame());
  row(name, 'poses', poses(motion), 4, encodePose, decodePose, new PoseFrame());
}
