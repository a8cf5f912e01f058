// Generated from proto/chain-table.json by proto/generate.mjs; do not edit.

/** Names these numbers; stands in every rejoin section of coding 3. */
export const MODEL_TABLE = 1;

/** Of the lattice of a bone at fine precision. */
export const LEVELS = Int32Array.of(
  17, 20, 19, 19, 34, 30, 30, 25, 26, 29, 30, 25, 26, 29, 6, 11, 30, 34, 6, 11, 30, 34, 19, 19,
  19, 28, 33, 35, 30, 36, 38, 29, 35, 37, 30, 35, 37, 33, 38, 39, 28, 33, 35, 30, 36, 38, 29,
  35, 37, 30, 35, 37, 33, 38, 39
);

/** For bones of the body: the unit of the parent over that of the bone, 1/256. */
export const RATIOS = Int32Array.of(
  0, 225, 267, 256, 134, 304, 159, 318, 245, 225, 159, 318, 245, 225, 412, 206, 112, 215, 412,
  206, 112, 215
);

/** How much of its miss a bone passes on, 1/256, by half octaves of the miss that was expected. */
export const PASS = Int32Array.of(
  180, 179, 179, 178, 176, 172, 165, 151, 131, 103, 72, 45, 26, 14, 7, 4, 2, 1, 0, 0
);

/** From one level to the next. */
export const LEVEL_RATIO = 1.0442737824274138;
