// Levels of detail of a crowd: near avatars are whole, farther ones move without springs,
// expressions and shadows, the rest are mannequins.

/** Whole: with springs, expressions and shadow; plain: without; figure: a simple mannequin. */
export const LEVELS = Object.freeze({ whole: 0, plain: 1, figure: 2 });

/**
 * How many members have a level or a better one, and up to which distance from the camera.
 *
 * @typedef {{ most: number, metres: number }} Reach
 */

/** A member keeps its level until others are nearer by this factor, so that none flickers. */
const KEEP = 0.85;

/**
 * Gives each member a level, the nearest first.
 *
 * @template {{ distance: number, level: number }} T
 * @param {Iterable<T>} members
 * @param {Reach} whole
 * @param {Reach} plain
 */
export function chooseLevels(members, whole, plain) {
  const all = [...members];
  const chosen = [whole, plain].map(({ most, metres }, level) => {
    const nearness = (/** @type {T} */ { distance, level: now }) => (now <= level ? KEEP * distance : distance);
    return new Set(all.filter((member) => nearness(member) <= metres)
      .sort((a, b) => nearness(a) - nearness(b)).slice(0, most));
  });
  for (const member of all) {
    member.level = chosen[0].has(member) ? LEVELS.whole : chosen[1].has(member) ? LEVELS.plain : LEVELS.figure;
  }
}
