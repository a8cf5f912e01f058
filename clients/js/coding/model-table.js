// Generated from proto/chain-table.json by proto/generate.mjs; do not edit.

/** Names these numbers; stands in every rejoin section of coding 3. */
export const MODEL_TABLE = 1;

/** Of the lattice of a bone at fine precision. */
export const LEVELS = Int32Array.of(
  30, 28, 27, 25, 31, 29, 25, 18, 19, 30, 25, 18, 19, 30, 13, 13, 25, 34, 13, 13, 25, 34, 19,
  19, 19, 38, 43, 45, 40, 46, 48, 39, 45, 47, 40, 45, 47, 43, 48, 49, 38, 43, 45, 40, 46, 48,
  39, 45, 47, 40, 45, 47, 43, 48, 49
);

/** For bones of the body: the unit of the parent over that of the bone, 1/256. */
export const RATIOS = Int32Array.of(
  0, 279, 267, 279, 197, 279, 256, 347, 245, 159, 256, 347, 245, 159, 535, 256, 152, 173, 535,
  256, 152, 173
);

/** How much of its miss a bone passes on, 1/256, by half octaves of the miss that was expected. */
export const PASS = Int32Array.of(
  205, 205, 204, 204, 203, 201, 198, 192, 180, 160, 132, 97, 64, 38, 21, 11, 6, 3, 1, 1
);

/** From one level to the next. */
export const LEVEL_RATIO = 1.0442737824274138;
