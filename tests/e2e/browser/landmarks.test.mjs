// Exact landmarks of a posed humanoid, through the joints of the webcam and the daemon: the pose that subscribers
// receive is the pose from which the landmarks were computed. No camera and no model take part.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import WebSocket from 'ws';
import { BONES, BONE_PARENTS, BodyFrame, connect } from '../../../clients/js/index.js';
import { angle, multiply } from '../../../clients/js/quat.js';
import { POSTURES, placesOf, seen, turnsOf } from '../../../clients/js/test/webcam/person.mjs';
import { LandmarkBody } from '../../../clients/js/webcam/index.js';
import { startDaemon } from '../support/daemon.mjs';
import { subscribe } from '../support/publisher.mjs';
import { until } from '../support/until.mjs';

const LIMIT = { timeout: 120000 };
const HEIGHT = 1.8;
const DEGREES = 180 / Math.PI;
/** Degrees: precision 'fine', a capture's rounding, and float arithmetic of landmarks, in up to eight bones. */
const ERROR = 0.5;
const BONE_OF = { hips: 'hips', head: 'head', 'arm-upper': 'UpperArm', 'arm-lower': 'LowerArm', 'hand-wrist': 'Hand',
  'upper-leg': 'UpperLeg', 'lower-leg': 'LowerLeg', 'foot-ankle': 'Foot' };

/** Turns of bones in the world. */
function worldsOf(rotations) {
  const worlds = new Float64Array(4 * BONES.length);
  BONES.forEach((_, bone) => {
    const parent = BONE_PARENTS[bone];
    if (parent < 0)
      worlds.set(rotations.subarray(4 * bone, 4 * bone + 4), 4 * bone);
    else
      multiply(worlds, 4 * parent, rotations, 4 * bone, worlds, 4 * bone);
  });
  return worlds;
}

function errorsOf(rotations, turns) {
  const worlds = worldsOf(rotations);
  return Object.entries(turns).filter(([joint]) => joint !== 'chest').map(([joint, turn]) => {
    const [, side, rest] = /^(?:(left|right)-)?(.*)$/.exec(joint);
    const bone = `${side ?? ''}${BONE_OF[rest]}`;
    return { bone, degrees: angle(worlds, 4 * BONES.indexOf(bone), turn, 0) * DEGREES };
  });
}

test('exact landmarks are solved to the pose of the humanoid', LIMIT, async (t) => {
  const daemon = await startDaemon(t);
  const { log, body } = subscribe(t, daemon);
  const client = connect(daemon.url, { WebSocket, subscribe: false });
  t.after(() => client.close());
  const publication = client.publish({ name: 'Ada', kind: 'body-frames', profile: 'webxr-spec', height: HEIGHT });
  await until('the publication is open', () => publication.state === 'open' && client.clock.synchronized);
  const reader = new LandmarkBody({ height: HEIGHT });
  const frame = new BodyFrame();
  let worst = { degrees: 0 };
  for (const [name, posture] of Object.entries(POSTURES)) {
    const turns = turnsOf(posture);
    const landmarks = seen(placesOf(turns, HEIGHT));
    let last = { degrees: Infinity };
    await until(() => `'${name}' is received: ${JSON.stringify(last)}`, () => {
      reader.read(landmarks, frame);
      frame.time = client.clock.at(client.now());
      publication.send(frame);
      const sample = body()?.sample();
      if (sample)
        last = errorsOf(sample.rotations, turns).reduce((a, b) => (b.degrees > a.degrees ? b : a));
      return last.degrees < ERROR;
    });
    worst = last.degrees > worst.degrees ? last : worst;
  }
  assert.deepEqual(log, ['enter Ada']);
  t.diagnostic(`at most ${worst.degrees.toFixed(3)} degrees off (${worst.bone})`);
});
