/** Most bytes of a capture. */
export declare const CAPTURE_BYTES: number;
/** Most values of channels in one capture. */
export declare const CAPTURE_VALUES: number;

/** How well a joint or bone is known. */
export declare const ABSENT: 0;
export declare const ESTIMATED: 1;
export declare const TRACKED: 2;

/** One body at one instant: the 83 joints of the WebXR draft, in the order of JOINTS. */
export declare class BodyFrame {
  /** When it was captured: microseconds, server time (Clock.at). */
  time: number;
  /** The motion jumps here: another place, person or reference space. */
  cut: boolean;
  /** True for the T-pose of the source's own figure, which is no instant of the motion. */
  isRest: boolean;
  /** Confidence of the whole body, 0 to 1. */
  confidence: number;
  /** ABSENT (at first), ESTIMATED or TRACKED. */
  readonly states: Uint8Array;
  /** Metres, three numbers a joint. */
  readonly positions: Float32Array;
  /** Unit quaternions, four numbers a joint. */
  readonly rotations: Float32Array;
  /** Of the channels that `publish` named, one after another. */
  values: Float32Array;
}

/** One body at one instant as bones, in the order of BONES. */
export declare class PoseFrame {
  time: number;
  cut: boolean;
  readonly states: Uint8Array;
  /** N: the turn from the T-pose, relative to the bone above, canonical axes. */
  readonly rotations: Float32Array;
  /** Displacement of the hips in units of their height. */
  readonly hips: Float32Array;
  values: Float32Array;
}

/**
 * Returns the bytes of a capture; the values of absent joints are ignored. Throws
 * ProtocolError, `invalid`, for a NaN, a rotation that is not unit within 0.001, a position
 * farther than 1000 m from the origin, a confidence or time out of range.
 */
export declare function encodeBodyFrame(frame: BodyFrame): Uint8Array;
export declare function encodePose(pose: PoseFrame): Uint8Array;

/** Makes the binary message that sends a capture; publication: its number. */
export declare function captureMessage(publication: number, capture: Uint8Array): Uint8Array;

/**
 * Reads a capture into `frame`; absent joints stand at the origin, unturned. Throws
 * ProtocolError, after which `frame` holds nothing of use.
 */
export declare function decodeBodyFrame(capture: Uint8Array, frame: BodyFrame): BodyFrame;
export declare function decodePose(capture: Uint8Array, pose: PoseFrame): PoseFrame;
