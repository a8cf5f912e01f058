// Packs body frames as a track, which ../track.js unpacks: for the demo body of the publishing page.
//
// usage: pack-track.mjs FRAMES.jsonl TRACK     FRAMES: see proto/BODY-FRAMES.md

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COORDINATES, stepsOf } from '../track.js';

const differences = (numbers) => numbers.map((x, i) => x - (i > 0 ? numbers[i - 1] : 0));

/**
 * Packs frames of a body whose joints keep their states.
 *
 * @param {{ profile: string, joints: string[] }} header of a file of body frames
 * @param {{ t: number, joints: number[][] }[]} frames of that file, in equal intervals, without gaps
 * @returns {string}
 */
export function packTrack({ profile, joints }, frames) {
  const states = frames[0].joints.map((joint) => joint[COORDINATES]);
  if (frames.some((frame) => frame.joints.some((joint, i) => joint[COORDINATES] !== states[i])))
    throw new Error('the state of a joint changes');
  const rows = frames.map((frame) => frame.joints.flatMap((joint) => joint.slice(0, COORDINATES)));
  const columns = rows[0].map((_, c) => differences(differences(rows.map((row) => Math.round(row[c] * stepsOf(c))))));
  return JSON.stringify({ profile, joints, states, seconds: frames.at(-1).t, columns });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [from, to] = process.argv.slice(2);
  const [header, ...frames] = readFileSync(from, 'utf8').trim().split('\n').map(JSON.parse);
  writeFileSync(to, packTrack(header, frames));
}
