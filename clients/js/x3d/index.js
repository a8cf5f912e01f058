// Live H-Anim figures for X_ITE.

export { HAnimWearer, findHumanoids, fitsHumanoid } from './hanim-wearer.js';
export { Humanoids } from './humanoids.js';

/** @typedef {import('./hanim-wearer.js').X3dLike} X3dLike */
