import { ChainDecoder } from './chain.js';
import type { Precision } from './chain.js';

/** A chain that can also encode. */
export declare class ChainEncoder extends ChainDecoder {
  /**
   * Starts the chain. `motion` is N of the bones, four numbers each in the order
   * of BONES, or the hips' translation, metres, or values of channels, or of virtual
   * transforms translation and rotation, seven numbers each; `bones` are indices into BONES,
   * those of the section if not given. Throws RangeError for values that cannot
   * be; the chain is then as it was.
   */
  start(precision: Precision, motion: ArrayLike<number>, bones?: Iterable<number>): void;
  /**
   * Moves the chain on and writes the section that makes others follow. `settle`:
   * round what the state remembers of the past, so that the rejoin section after
   * it is small. Returns how many bytes of `out` it is, 0 when nothing moved
   * beyond the bound: leave the section out, others hold. Throws RangeError for
   * values that cannot be, or when the bytes do not fit; the chain is then as it
   * was.
   */
  encode(motion: ArrayLike<number>, settle: boolean, out: Uint8Array): number;
}
