type Numbers = ArrayLike<number>;
type Writable = { [index: number]: number };

export interface DescriptorNode {
  name?: string;
  parent?: number;
  translation?: [number, number, number];
  rotation?: [number, number, number, number];
  scale?: [number, number, number];
}

export interface DescriptorVirtualTransform extends DescriptorNode {
  respectParentPosition?: boolean;
  respectParentRotation?: boolean;
  respectParentScale?: boolean;
  tags?: string[];
}

/** Range of the rotation from rest about the axes of `orientation`, radians. */
export interface DescriptorLimit {
  node: number;
  /** Both or neither. */
  lower?: [number, number, number];
  upper?: [number, number, number];
  orientation?: [number, number, number, number];
  stiffness?: [number, number, number];
}

/** A part of the body that moves with its node: kilograms, in the coordinates of the node. */
export interface DescriptorSegment {
  name?: string;
  node: number;
  /** 0 where it is unknown. */
  mass?: number;
  centerOfMass?: [number, number, number];
  /** Nine numbers, by rows. */
  momentsOfInertia?: number[];
}

/** proto/SKELETONS.md, "Skeleton descriptors". */
export interface Descriptor {
  name?: string;
  format?: string;
  hipsHeight?: number;
  facing?: [number, number, number, number];
  /** Level of the ground, metres along canonical up, where it is known. */
  floor?: number;
  nodes: DescriptorNode[];
  bones: Record<string, number>;
  corrections?: Record<string, [number, number, number, number]>;
  offsets?: Record<string, [number, number, number, number]>;
  virtualTransforms?: DescriptorVirtualTransform[];
  /** For simulations; this library does not apply them. */
  limits?: DescriptorLimit[];
  segments?: DescriptorSegment[];
}

/** A vertebral chain that shares the rotation of one bone; nodes from below, weights sum to 1. */
export interface SpineChain {
  bone: number;
  nodes: number[];
  weights: number[];
}

/** One registered skeleton, shared by all its bodies and immutable. */
export declare class Skeleton {
  /** Throws ProtocolError when the descriptor is not one. */
  constructor(hash: string, descriptor: Descriptor);
  readonly hash: string;
  readonly descriptor: Descriptor;
  readonly name: string;
  readonly nodeCount: number;
  readonly nodeNames: readonly string[];
  /** Parent of each node, -1 for none. */
  readonly parents: Int32Array;
  /** All nodes, parents before children. */
  readonly order: Int32Array;
  /** Local rest pose of each node: four, three and three numbers a node. */
  readonly rotations: Float64Array;
  readonly translations: Float64Array;
  readonly scales: Float64Array;
  /** Node of each bone in the order of BONES, -1 where the skeleton lacks it. */
  readonly bones: Int32Array;
  /** Bone of each node, -1 for the others. */
  readonly boneOfNode: Int32Array;
  /** Rotation from canonical space to the skeleton's model space. */
  readonly facing: Float64Array;
  /** World rest pose of each node in model space: 16 numbers a node, column-major. */
  readonly restWorlds: Float64Array;
  /** W of each node: its rotation in the T-pose, canonical space; four numbers a node. */
  readonly tPose: Float64Array;
  /** P of each node: W of its parent. */
  readonly parentTPose: Float64Array;
  /** Position of each node in the T-pose, canonical space; three numbers a node. */
  readonly tPosePositions: Float64Array;
  /** Height of the hips joint above the floor in the T-pose, metres. */
  readonly hipsHeight: number;
  /** Maps a canonical displacement of the hips to their parent's frame: 3x3, column-major. */
  readonly hipsFromCanonical: Float64Array;
  /** Virtual transforms with all fields; `Figure.virtualTransform` evaluates them. */
  readonly virtualTransforms: readonly Required<DescriptorVirtualTransform>[];
  /** Vertebrae that share the rotation of a bone, in H-Anim figures; otherwise empty. */
  readonly spine: readonly SpineChain[];
  /** The nodes that a pose rotates: those of the bones, and vertebrae between them. */
  readonly posedNodes: Int32Array;
  /** Indices of the virtual transforms with a tag. */
  taggedVirtualTransforms(tag: string): number[];
  /** Index of a node by its name, -1 if absent. */
  findNode(name: string): number;
  /** Local rotation of a bone's node (rest · R); the skeleton must have the bone. */
  localRotation<T extends Writable>(bone: number, rotations: Numbers, out: T, offset?: number): T;
  /** Local rotations of all posed nodes, four numbers a node; vertebrae share the rotation of their bone. */
  localRotations<T extends Writable>(rotations: Numbers, out: T): T;
  /** Local translation of the hips node for a displacement in canonical axes. */
  hipsTranslation<T extends Writable>(hips: Numbers, out: T, offset?: number): T;
  /** N = P · L · R · W⁻¹ · O⁻¹, the normalised rotation of VRM 1.0; the skeleton must have the bone. */
  normalizedRotation<T extends Writable>(bone: number, rotations: Numbers, out: T, offset?: number): T;
  /** R = L⁻¹ · P⁻¹ · N · O · W, the other way, from N of all bones; the skeleton must have the bone. */
  relativeRotation<T extends Writable>(bone: number, normalized: Numbers, out: T, offset?: number): T;
  /** Forward kinematics: world matrices in model space from local rotations and translations. */
  worlds<T extends Writable>(rotations: Numbers, translations: Numbers, out: T): T;
}
