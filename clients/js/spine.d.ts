import { Skeleton } from './skeleton.js';

/**
 * Distributes the rotation of each spine bone over the vertebrae of an H-Anim figure, weighted
 * by segment length. `rotations`: local rotations of all nodes with the whole rotation at the
 * nodes of the bones, four numbers a node; changed in place.
 */
export declare function splitSpine<T extends { [index: number]: number }>(skeleton: Skeleton, rotations: T): T;
