// Generated from proto/chain-table.json by proto/generate.mjs; do not edit.

/** Names these numbers; stands in every rejoin section of coding 3. */
export const MODEL_TABLE = 1;

/** @type {import('./chain-model.js').Predictor} */
export const PREDICTOR = {
  weights: [27, 164, 38],
  momentum: [
    -25, 26, 63, 87, 125, 128, 174, 201, 218, 220, 219, 217, 202, 226, 197, 193
  ],
  doubt: 24,
  missRate: 8,
  surprise: 3,
  rounding: 128,
  paceRates: [248, 204, 184]
};

/** Of the lattice of a bone at fine precision. */
export const LEVELS = Int32Array.of(
  20, 20, 17, 14, 34, 29, 33, 25, 26, 29, 33, 25, 26, 29, 0, 5, 24, 44, 0, 5, 24, 44, 19, 19,
  19, 32, 37, 41, 30, 38, 44, 29, 37, 43, 30, 37, 43, 33, 40, 45, 32, 37, 41, 30, 38, 44, 29,
  37, 43, 30, 37, 43, 33, 40, 45
);

/** For bones of the body: how much lower that level is for each precision coarser than fine. */
export const FINER = Int32Array.of(
  4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 5, 0, 0, 6, 5, 0
);

/** How much of its miss a bone passes on, 1/256, by half octaves of the miss that was expected. */
export const PASS = Int32Array.of(
  175, 175, 174, 173, 172, 169, 164, 154, 137, 112, 83, 54, 32, 18, 9, 5, 2, 1, 1, 0
);

/** How much of the miss of a finger bone its followers repeat, 1/256. */
export const CURL = 77;

/** From one level to the next. */
export const LEVEL_RATIO = 1.0442737824274138;
