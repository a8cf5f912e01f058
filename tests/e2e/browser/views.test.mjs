// Tests views end to end: a body in less detail or on another skeleton is decoded within the bounds
// of both streams, compared with a subscriber to all detail.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import WebSocket from 'ws';
import { BONES, BONE_SECTIONS, PRECISION_DEGREES, connect, describeFile } from '../../../clients/js/index.js';
import { scratch, startDaemon } from '../support/daemon.mjs';
import { makeVrm } from '../support/fixtures.mjs';
import { angle } from '../support/retargeted.mjs';
import { until } from '../support/until.mjs';

const BODY = BONES.slice(0, BONE_SECTIONS.hands.first - 3);
const LOOKS = 12; // near and far in turn

/** Poses by body and tick, and all errors. */
function listen(url, options) {
  const client = connect(url, { WebSocket, codings: [2, 1], ...options });
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

test('with a moving viewpoint every body is within the bound of its level', { timeout: 300000 }, async (t) => {
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

/** Poses by body and tick as one client shows them, and what bodies are packed for. */
function follow(t, url, options) {
  const heard = listen(url, options);
  t.after(() => heard.client.close());
  heard.packedFor = () => [...heard.client.bodies.values()].map((body) => body.packed?.hash ?? null);
  return heard;
}

test('beyond the limit of streams, bodies arrive on humanoid and the library applies the requested skeleton', { timeout: 300000 }, async (t) => {
  const folder = scratch(t);
  const config = path.join(folder, 'jointcastd.conf');
  const avatar = path.join(folder, 'avatar.vrm'); // 0.7 of the size of the built-in one, and turned
  writeFileSync(avatar, makeVrm(0, 0.7));
  writeFileSync(config, 'space "lobby" { streams = 2 }\n');
  const daemon = await startDaemon(t, '--config', config, '--source', 'demo:walk', '--source', 'demo:wave');
  const registrar = follow(t, daemon.url, {});
  const { hash } = await registrar.client.registerSkeleton('avatar', describeFile(readFileSync(avatar)));
  await until('bundles', () => registrar.poses.size > 2);
  const humanoid = registrar.packedFor()[0];
  const within = follow(t, daemon.url, { skeleton: hash, precision: 'fine', contacts: false });
  await until('both streams', () => within.packedFor().join() === [hash, hash].join() && within.poses.size > 20);
  const beyond = follow(t, daemon.url, { skeleton: hash, precision: 'coarse' });
  await until('humanoid instead', () => beyond.packedFor().join() === [humanoid, humanoid].join());
  for (const body of beyond.client.bodies.values())
    assert.equal(body.skeleton.hash, hash, 'what is shown is what was asked for');
  // Of the same ticks: rotations of one figure from packets of two.
  const shared = () => [...beyond.poses.keys()].filter((at) => within.poses.has(at));
  await until('ticks that both have', () => shared().length > 60);
  let worst = 0;
  let moved = 0;
  for (const at of shared()) {
    const [one, other] = [within.poses.get(at), beyond.poses.get(at)];
    for (let bone = 0; bone < BONES.length; bone++) {
      const rotation = one.subarray(4 * bone, 4 * bone + 4);
      worst = Math.max(worst, angle(rotation, other, 4 * bone));
      moved += angle(rotation, [0, 0, 0, 1]) > 5;
    }
  }
  assert.ok(moved > 300, `${moved} rotations that are not at rest`);
  assert.ok(worst <= PRECISION_DEGREES[0] + PRECISION_DEGREES[2] + 0.01, `${worst} degrees`);
  // There is room again, which is found within a few seconds.
  within.client.close();
  await until('room', () => beyond.packedFor().includes(hash));
  assert.deepEqual([...within.errors, ...beyond.errors, ...registrar.errors], []);
});
