import type { DescriptorVirtualTransform } from './skeleton.js';

/** Translation in metres, rotation [x, y, z, w], scale. */
export interface Transform {
  translation: [number, number, number];
  rotation: [number, number, number, number];
  scale: [number, number, number];
}

/** Evaluates a virtual transform in model space from the world matrices of all nodes, 16 numbers a node. */
export declare function evaluateVirtualTransform(
  virtual: Required<DescriptorVirtualTransform>, worlds: ArrayLike<number>): Transform;
