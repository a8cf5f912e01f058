// Random numbers with a seed: the same sequence in each run.

/** Park and Miller's generator: 0 … 1. */
export function parkMiller(seed) {
  return () => (seed = (seed * 48271) % 2147483647) / 2147483647;
}

/** Marsaglia's xorshift: -1 … 1. */
export function xorshift(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state | 0) / 2 ** 31;
  };
}
