import type { Descriptor, DescriptorVirtualTransform } from './skeleton.js';
import type { Transform } from './virtual-transform.js';

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

/** Options for files. */
export interface DescribeOptions extends FigureOptions {
  /** One of several humanoids of EXT_skeleton_humanoid, from 0. */
  index?: number;
  /** Node index by bone, for files that do not identify their bones. */
  bones?: { [bone: string]: number };
  /** The binary chunk of a .glb; `describeFile` finds it in the file. */
  binary?: Uint8Array | null;
  /** Gives the bytes of another file by the URI of a buffer. */
  buffers?(uri: string): Uint8Array | ArrayBuffer | undefined;
}

/** A humanoid of a glTF document. */
export interface GltfFigure {
  descriptor: Descriptor;
  /** Index in the document of each node of the descriptor. */
  nodes: number[];
  /** Local rest transform of each node of the document. */
  rest: Transform[];
}

/** Reads what `describeGltf` describes, with the rest pose of all nodes of the document. */
export declare function readGltfFigure(gltf: object, options?: DescribeOptions): GltfFigure;

/**
 * Describes a glTF document from its JSON: the humanoid that EXT_skeleton_humanoid, VRM 1.0 or
 * VRM 0.x defines (the first of these that is present), or `bones`. The rest pose is the bind
 * pose of the skins; in VRM, that of the nodes. Virtual transforms are kept.
 */
export declare function describeGltf(gltf: object, options?: DescribeOptions): Descriptor;

/** Describes a .vrm, .glb or .gltf file; throws ProtocolError for anything else. */
export declare function describeFile(file: ArrayBuffer | Uint8Array, options?: DescribeOptions): Descriptor;

/** Describes three.js objects, which should be at rest. */
export declare function describeScene(
  root: SceneNode, bones: { [bone: string]: SceneNode }, figure?: FigureOptions & {
    /** With an object in place of the index of the parent; null: a root. */
    virtualTransforms?: (Omit<DescriptorVirtualTransform, 'parent'> & { parent?: SceneNode | null })[];
  }): Descriptor;

/**
 * Describes a VRM as @pixiv/three-vrm loads it, in any pose. `gltf`: what GLTFLoader returned;
 * with it, virtual transforms of the file are kept.
 */
export declare function describeVrm(vrm: object, gltf?: object): Descriptor;
