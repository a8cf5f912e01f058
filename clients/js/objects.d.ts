import type { Viewpoint } from './client.js';
import { Skeleton } from './skeleton.js';

/** Anything like a three.js Object3D. */
export interface ObjectLike {
  position: { set(x: number, y: number, z: number): unknown };
  quaternion: { set(x: number, y: number, z: number, w: number): unknown };
}

/** Makes one object for each node of a skeleton, at rest, children added to their parents. */
export declare function buildObjects<
  T extends ObjectLike & { scale: { set(x: number, y: number, z: number): unknown }; add(child: any): unknown },
>(skeleton: Skeleton, create: (name: string, node: number) => T): T[];

/** Writes a sample into the objects that stand for a skeleton's nodes, by node index. */
export declare function poseObjects(
  skeleton: Skeleton,
  sample: { rotations: ArrayLike<number>; hips: ArrayLike<number> },
  objects: ArrayLike<ObjectLike | undefined>,
): void;

/** Stands the parent of the skeleton's root nodes where the body stands, facing where it faces. */
export declare function placeObject(
  skeleton: Skeleton,
  sample: { position: ArrayLike<number>; yaw: number },
  object: ObjectLike,
): void;

/** Where a perspective camera of three.js looks from, and at what; its matrixWorld must be current. */
export declare function viewpointOf(camera: {
  matrixWorld: { elements: ArrayLike<number> };
  fov: number;
  aspect: number;
}): Viewpoint;
