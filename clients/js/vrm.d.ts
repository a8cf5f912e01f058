import { ObjectLike } from './objects.js';
import { Skeleton } from './skeleton.js';

/** The part of a three-vrm VRM that is used. */
export interface VrmLike {
  meta?: { metaVersion?: string };
  humanoid: {
    getNormalizedBoneNode(name: any): ObjectLike | null;
    readonly normalizedRestPose: Record<string, { position?: ArrayLike<number> } | undefined>;
  };
}

/** Wears a body's motion on a VRM 0.x or 1.0, whatever skeleton the body has. */
export declare class VrmWearer {
  constructor(vrm: VrmLike, skeleton: Skeleton);
  /** Writes a sample into the normalised bones; `vrm.update()` carries it to the mesh. */
  wear(sample: { rotations: ArrayLike<number>; hips: ArrayLike<number> }): void;
}
