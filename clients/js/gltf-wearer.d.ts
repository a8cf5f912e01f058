import type { GltfFigure } from './describe.js';
import { ObjectLike } from './objects.js';
import { Skeleton } from './skeleton.js';

/** Wears a body's motion on a glTF figure that three's GLTFLoader loaded, whatever skeleton the body has. */
export declare class GltfWearer {
  /** Sets the objects of the file to its rest pose. `figure`: of `readGltfFigure`, for the same file. */
  constructor(gltf: object, figure: GltfFigure, skeleton: Skeleton);
  /** The skeleton of the file. */
  readonly skeleton: Skeleton;
  /** The objects of the skeleton's nodes, with gaps where the scene lacks one. */
  readonly objects: readonly (ObjectLike | undefined)[];
  /** Writes a sample into the objects. */
  wear(sample: { rotations: ArrayLike<number>; hips: ArrayLike<number> }): void;
}
