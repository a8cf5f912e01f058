// Level of detail end to end: what the client library decodes of a view that looks from
// everywhere is what one that gets all has, within the bound of the coarsest level.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import WebSocket from 'ws';
import { BONES, BONE_SECTIONS, PRECISION_DEGREES, connect } from '../../clients/js/index.js';
import { makeVrm } from './fixtures.mjs';
import { angle } from './retargeted.mjs';
import { scratch, startDaemon, until } from './support.mjs';

const BODY = BONES.slice(0, BONE_SECTIONS.hands.first - 3);
const LOOKS = 12; // near and far in turn

/** Poses by body and tick, and whatever went wrong. */
function listen(url, options) {
  const client = connect(url, { WebSocket, ...options });
  const heard = { client, poses: new Map(), paces: new Set(), errors: [], keyframes: 0 };
  client.on('error', (error) => heard.errors.push(error));
  client.on('bundle', ({ tick, count, body: ids }) => {
    for (let i = 0; i < count; i++) {
      const body = client.bodies.get(ids[i]);
      const { rotations } = body.timeline.at(body.timeline.newest);
      heard.poses.set(`${body.id} ${tick}`, rotations.slice());
      heard.paces.add(body.stream.pace);
    }
  });
  return heard;
}

test('who looks about has every body within the bound of its level', { timeout: 60000 }, async (t) => {
  const folder = scratch(t);
  const figure = path.join(folder, 'figure.vrm');
  writeFileSync(figure, makeVrm(0));
  const daemon = await startDaemon(t, '--source', 'demo:walk', '--source', 'demo:wave',
    '--skeleton', figure);
  const all = listen(daemon.url, { precision: 'fine' });
  const some = listen(daemon.url, { precision: 'fine', viewpoints: [{ position: [0, 1.6, 100] }] });
  t.after(() => [all, some].forEach(({ client }) => client.close()));
  for (let look = 0; look < LOOKS; look++) {
    const before = some.poses.size;
    await until('bundles', () => some.poses.size > before + 40);
    some.client.setViewpoints([{ position: [0, 1.6, look % 2 ? 100 : 1.5] }]);
  }
  assert.deepEqual([...some.errors, ...all.errors], []);
  assert.equal(some.client.traffic.damaged, 0);
  assert.ok(some.paces.has(1) && some.paces.has(4), `paces ${[...some.paces]}`);
  let worst = 0;
  let compared = 0;
  for (const [at, rotations] of some.poses) {
    const whole = all.poses.get(at);
    for (let bone = 0; whole && bone < BODY.length; bone++) {
      worst = Math.max(worst, angle(whole.subarray(4 * bone, 4 * bone + 4), rotations, 4 * bone));
      compared++;
    }
  }
  assert.ok(compared > 5000, `${compared} rotations`);
  assert.ok(worst <= PRECISION_DEGREES[0] + PRECISION_DEGREES[2] + 0.01, `${worst} degrees`);
  assert.ok(worst > PRECISION_DEGREES[1], `${worst} degrees: nothing was coarse`);
});
