// Stops the bodies of an example page at one pose, and computes with the command line where the
// bones of that pose are: what the page draws meanwhile must be there.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { BONES, Skeleton } from '../../../clients/js/index.js';
import { length, sub } from './browser.mjs';
import { retarget } from './retargeted.mjs';

/** Runs in the page: each body shows its current sample from now on. Returns these by name. */
const hold = () => Object.fromEntries([...window.example.client.bodies.values()].map((body) => {
  const now = body.sample();
  const sample = Object.assign(Object.create(Object.getPrototypeOf(now)), now, { rotations: now.rotations.slice(),
    hips: now.hips.slice(), position: now.position.slice() });
  body.sample = () => sample;
  return [body.name, { rotations: [...sample.rotations], hips: [...sample.hips], position: [...sample.position],
    yaw: sample.yaw, descriptor: body.skeleton.descriptor }];
}));

/** A table with one pose: N of all bones, and the hips in units of their height. */
function tableOf({ rotations, hips, descriptor }) {
  const skeleton = new Skeleton('', descriptor);
  const normalized = BONES.map((_, bone) => (skeleton.bones[bone] < 0 ? [0, 0, 0, 1]
    : skeleton.normalizedRotation(bone, rotations, [0, 0, 0, 1])));
  const moved = skeleton.displaceHips(normalized[0], [0, 0, 0]).map((way, i) => (hips[i] + way) / skeleton.hipsHeight);
  const columns = ['time', 'hips.x', 'hips.y', 'hips.z', ...BONES.flatMap((bone) => ['x', 'y', 'z', 'w'].map((axis) => `${bone}.q${axis}`))];
  const row = (time) => [time, ...moved, ...normalized.flat()].join();
  return `${columns.join()}\n${row(0)}\n${row(1)}\n`;
}

/**
 * Stops all bodies; returns the positions of the bones of one of them in the space, as the C
 * library computes them on a figure.
 *
 * @param {string} folder for a file
 * @param {string} figure file, or the name of a skeleton
 */
export async function stopAndCompute(viewer, folder, name, figure) {
  const still = (await viewer.evaluate(hold))[name];
  const table = path.join(folder, `${name}.csv`);
  writeFileSync(table, tableOf(still));
  const [{ bones }] = retarget(table, figure, [0]);
  const [sin, cos] = [Math.sin(still.yaw), Math.cos(still.yaw)];
  return Object.fromEntries(Object.entries(bones).map(([bone, { worldPosition: [x, y, z] }]) => [bone,
    [x * cos + z * sin + still.position[0], y + still.position[1], z * cos - x * sin + still.position[2]]]));
}

/** The places of the bones of a body in a scene of three.js. */
export const placesOf = (viewer, name) => viewer.evaluate((wanted) => {
  const { figure } = [...window.example.crowd.members.values()].find(({ body }) => body.name === wanted);
  return Object.fromEntries([...figure.points].map(([bone, place]) => [bone, place.toArray()]));
}, name);

/** Both have all bones of `least`, at the same places. */
export function assertSame(found, computed, least, metres = 1e-4) {
  for (const bone of least) {
    assert.ok(bone in found && bone in computed, `no ${bone}`);
  }
  const off = Object.keys(computed).filter((bone) => bone in found)
    .map((bone) => [length(sub(found[bone], computed[bone])), bone]).sort(([a], [b]) => b - a);
  assert.ok(off[0][0] < metres, `${off[0][1]} is ${off[0][0]} m off: ${found[off[0][1]]}, computed ${computed[off[0][1]]}`);
}
