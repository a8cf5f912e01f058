import { Skeleton } from './skeleton.js';
import type { Transform } from './virtual-transform.js';

/** A thing in a space, such as a chair: nodes at rest and virtual transforms, without bones. */
export declare class Prop {
  constructor(entry: { name: string; placement: { position: number[]; yaw: number }; descriptor: object });
  /** Unique in the space. */
  readonly name: string;
  readonly placement: { position: number[]; yaw: number };
  /** Nodes and virtual transforms; it has no bones. */
  readonly skeleton: Skeleton;
  /** A virtual transform in the space; the index is that in skeleton.virtualTransforms. */
  virtualTransform(index: number): Transform;
  /**
   * The place of a person who sits on a virtual transform tagged `seating`, for Publication.place;
   * hipsHeight of the person's skeleton in metres, 0.945 by default.
   */
  seat(index: number, hipsHeight?: number): { position: [number, number, number]; yaw: number; seat: { height: number } };
}

/** Reads a `props` message: props by name. Throws ProtocolError for an invalid message. */
export declare function readProps(message: { props: unknown }): Map<string, Prop>;
