import { ObjectLike } from './objects.js';
import { Body } from './body.js';
import { Skeleton } from './skeleton.js';
import { Sample } from './timeline.js';

/** The part of a three-vrm VRM that is used. */
export interface VrmLike {
  meta?: { metaVersion?: string };
  humanoid: {
    getNormalizedBoneNode(name: any): ObjectLike | null;
    readonly normalizedRestPose: Record<string, { position?: ArrayLike<number> } | undefined>;
  };
  expressionManager?: { setValue(name: string, weight: number): void };
  lookAt?: { yaw: number; pitch: number } | null;
}

/** Wears a body's motion on a VRM 0.x or 1.0, whatever skeleton the body has. */
export declare class VrmWearer {
  constructor(vrm: VrmLike, skeleton: Skeleton);
  /** Writes a sample into the normalised bones; `vrm.update()` applies them to the mesh. */
  wear(sample: { rotations: ArrayLike<number>; hips: ArrayLike<number> }): void;
  /** Writes a body's channels at the time of a sample: expressions of the VRM, and its gaze. */
  express(body: Body, sample: Sample): void;
}
