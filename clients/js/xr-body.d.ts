import type { BodyFrame } from './body-frame.js';

/** A joint in the axes of what carries it: metres and [x, y, z, w]. */
export interface JointOffset {
  readonly position: readonly number[];
  readonly rotation: readonly number[];
}

/** The head joint in the viewer's pose, the wrist in a controller's grip, of an adult of 1.75 m. */
export declare const HEAD_IN_VIEWER: JointOffset;
export declare const WRIST_IN_GRIP: Readonly<Record<'left' | 'right', JointOffset>>;

/** As much of an XRFrame as is used; browsers' own are one. `body` is the draft's maplike. */
export interface XrFrameLike {
  readonly session: any;
  readonly body?: Iterable<[string, any]> | null;
  getPose(space: any, base: any): any;
  getViewerPose(base: any): any;
  getJointPose?: ((joint: any, base: any) => any) | undefined;
  fillPoses?: ((spaces: any, base: any, out: Float32Array) => boolean) | undefined;
}

/** The source of a joint: a tracked body, hands, head and controllers. */
export type XrBodyKind = 'body' | 'hands' | 'devices';

/** Reads what a WebXR frame knows of a person, by name, without leaving garbage of its own. */
export declare class XrBodyReader {
  /** @param profile how the joints' axes lie in `frame.body`, and in what is read */
  constructor(profile: string);
  readonly profile: string;
  /** The kind of tracking in the last frame, null without tracking. */
  readonly kind: XrBodyKind | null;
  /** Number of joints in the last frame. */
  readonly joints: number;
  /** Reads an active frame in a space whose floor is y = 0; false if no person is tracked. */
  read(frame: XrFrameLike, space: any, out: BodyFrame): boolean;
}
