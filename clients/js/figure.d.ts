import { Skeleton } from './skeleton.js';
import type { Transform } from './virtual-transform.js';

type Numbers = ArrayLike<number>;
type Writable = { [index: number]: number };

/** The nodes of a skeleton with the transforms of a sample. */
export declare class Figure {
  constructor(skeleton: Skeleton);
  readonly skeleton: Skeleton;
  /** Local rotation and translation of each node: four and three numbers a node. */
  readonly rotations: Float32Array;
  readonly translations: Float32Array;
  /** World matrix of each node in model space: 16 numbers a node, column-major. */
  readonly worlds: Float32Array;
  /** Wears a sample, or a decoded payload. */
  pose(sample: { rotations: Numbers; hips: Numbers }): this;
  /** Position of a node in model space, as posed. */
  position<T extends Writable>(node: number, out: T, offset?: number): T;
  /** A virtual transform in model space, as posed; index in `skeleton.virtualTransforms`. */
  virtualTransform(index: number): Transform;
}
