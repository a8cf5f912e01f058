import type { Descriptor } from './skeleton.js';

/** Properties of a figure besides its nodes. */
export interface FigureOptions {
  name?: string;
  /** Turns canonical space into the figure's: [0, 1, 0, 0] for one that faces -Z. */
  facing?: [number, number, number, number];
  /** Level of the ground, metres along canonical up. */
  floor?: number;
}

/** The fields of three.js objects that are read here. */
export interface SceneNode {
  name?: string;
  parent: SceneNode | null;
  position: { x: number; y: number; z: number };
  quaternion: { x: number; y: number; z: number; w: number };
  scale: { x: number; y: number; z: number };
}

/** Describes a glTF document from its JSON. A VRM names its bones itself; for other files the caller does. */
export declare function describeGltf(
  gltf: object, figure?: FigureOptions & { bones: { [bone: string]: number } }): Descriptor;

/** Of a .vrm, .glb or .gltf file; throws ProtocolError for anything else. */
export declare function describeFile(
  file: ArrayBuffer | Uint8Array,
  figure?: FigureOptions & { bones: { [bone: string]: number } }): Descriptor;

/** Of three.js objects, which should be at rest. */
export declare function describeScene(
  root: SceneNode, bones: { [bone: string]: SceneNode }, figure?: FigureOptions): Descriptor;

/** Of a VRM as @pixiv/three-vrm loads it, whatever pose it is in. */
export declare function describeVrm(vrm: object): Descriptor;
