import { Payload } from './bundle.js';
import { Skeleton } from './skeleton.js';

/** Carries a decoded pose from one skeleton to another, as the server would have done. */
export declare class Fitting {
  constructor(from: Skeleton, to: Skeleton);
  /** R of the one becomes R of the other. */
  apply(payload: Payload): void;
  /** Rotations and hips of a sample on the other skeleton; the next call overwrites them. */
  fit(sample: { rotations: ArrayLike<number>; hips: ArrayLike<number> }): { rotations: Float64Array; hips: Float64Array };
}
