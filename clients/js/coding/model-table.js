// Generated from proto/chain-table.json by proto/generate.mjs; do not edit.

/** Names these numbers; stands in every rejoin section of coding 3. */
export const MODEL_TABLE = 1;

/** Of the lattice of a bone at fine precision. */
export const LEVELS = Int32Array.of(
  26, 22, 24, 17, 31, 30, 29, 16, 18, 30, 29, 16, 18, 30, 7, 15, 28, 34, 7, 15, 28, 34, 19, 19,
  19, 28, 33, 35, 30, 36, 38, 29, 35, 37, 30, 35, 37, 33, 38, 39, 28, 33, 35, 30, 36, 38, 29,
  35, 37, 30, 35, 37, 33, 38, 39
);

/** For bones of the body: the unit of the parent over that of the bone, 1/256. */
export const RATIOS = Int32Array.of(
  0, 304, 235, 347, 140, 267, 152, 450, 235, 152, 152, 450, 235, 152, 583, 181, 146, 197, 583,
  181, 146, 197
);

/** How much of its miss a bone passes on, 1/256, by half octaves of the miss that was expected. */
export const PASS = Int32Array.of(
  175, 174, 174, 173, 171, 167, 160, 147, 127, 100, 70, 44, 25, 13, 7, 4, 2, 1, 0, 0
);

/** From one level to the next. */
export const LEVEL_RATIO = 1.0442737824274138;
