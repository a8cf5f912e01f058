// A track: the joints of a body over time, small enough for a page. Each coordinate is a column of
// whole numbers, its second differences: smooth motion has small ones, which compress well.

/** Numbers of a joint in a frame: position, rotation. */
export const COORDINATES = 7;
const PLACE = 3; // of them are the position
/** Steps in a metre; as many as a capture has (proto/PUBLISHING.md, "Captures"). */
const PLACE_STEPS = 10000;
/** Steps from 0 to 1 of a component of a rotation. */
const TURN_STEPS = 16384;

/** Steps in the unit of a column. @param {number} column */
export const stepsOf = (column) => (column % COORDINATES < PLACE ? PLACE_STEPS : TURN_STEPS);

/**
 * Unpacks a track, which tools/pack-track.mjs makes.
 *
 * @param {string} text
 * @returns {{ profile: string, joints: string[], states: number[], seconds: number, frames: Float32Array[] }}
 *   seconds: time of the last frame, the first has 0; a frame has seven numbers a joint, position in
 *   metres and quaternion
 */
export function readTrack(text) {
  const { columns, ...track } = JSON.parse(text);
  const frames = columns[0].map(() => new Float32Array(columns.length));
  columns.forEach((column, c) => {
    let rise = 0;
    let sum = 0;
    column.forEach((difference, i) => {
      rise += difference;
      sum += rise;
      frames[i][c] = sum / stepsOf(c);
    });
  });
  return { ...track, frames };
}
