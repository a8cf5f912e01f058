// The track of the demo body: the joints of demo:walk as the tool writes them, within what a capture keeps.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { packTrack } from '../../clients/web/tools/pack-track.mjs';
import { readTrack } from '../../clients/web/track.js';
import { BUILD, JOINTCAST, scratch } from '../e2e/support/daemon.mjs';

const METRES = 0.00006; // half a step of 0.1 mm
const DEGREES = 0.01;
const BYTES = 150e3;

/** Degrees between two rotations, by the distance of their quaternions. */
const angle = (a, b) => 4 * Math.asin(Math.min(...[1, -1].map((sign) => Math.hypot(...a.map((x, i) => x - sign * b[i])))) / 2) * (180 / Math.PI);

test('the track of the build has the joints of the walk at every frame, and is small', (t) => {
  const file = path.join(scratch(t), 'walk.jsonl');
  execFileSync(JOINTCAST, ['convert', 'demo:walk', file], { stdio: 'ignore' });
  const [header, ...frames] = readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse);
  const built = path.join(BUILD, 'share/jointcast/web/demo-walk.json');
  const track = readTrack(readFileSync(built, 'utf8'));
  assert.equal(track.profile, header.profile);
  assert.deepEqual(track.joints, header.joints);
  assert.equal(track.seconds, frames.at(-1).t);
  assert.equal(track.frames.length, frames.length);
  let [far, turned] = [0, 0];
  frames.forEach(({ joints }, i) => joints.forEach((joint, j) => {
    const packed = [...track.frames[i].subarray(7 * j, 7 * j + 7)];
    far = Math.max(far, ...packed.slice(0, 3).map((x, c) => Math.abs(x - joint[c])));
    turned = Math.max(turned, angle(packed.slice(3), joint.slice(3, 7)));
    assert.equal(track.states[j], joint[7]);
  }));
  assert.ok(far < METRES, `${far} m`);
  assert.ok(turned < DEGREES, `${turned} degrees`);
  assert.ok(readFileSync(`${built}.gz`).length < BYTES);
});

test('a joint whose state changes is refused', () => {
  const frame = (t, state) => ({ t, joints: [[0, 1, 0, 0, 0, 0, 1, state]] });
  assert.throws(() => packTrack({ profile: 'meta', joints: ['hips'] }, [frame(0, 2), frame(1, 1)]), /state of a joint changes/);
});
