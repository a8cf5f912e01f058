import type { Descriptor } from './skeleton.js';

/** What a figure is, beside its nodes. */
export interface FigureOptions {
  name?: string;
  /** Turns canonical space into the figure's: [0, 1, 0, 0] for one that faces -Z. */
  facing?: [number, number, number, number];
  /** Level of the ground, metres along canonical up. */
  floor?: number;
}

/** What three.js objects have that is read here. */
export interface SceneNode {
  name?: string;
  parent: SceneNode | null;
  position: { x: number; y: number; z: number };
  quaternion: { x: number; y: number; z: number; w: number };
  scale: { x: number; y: number; z: number };
}

/** Of the JSON of a glTF document: a VRM says itself which nodes are bones, another is told. */
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
