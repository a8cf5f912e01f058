/** Most bytes of a bundle. */
export declare const BUNDLE_BYTES: number;
/** Layout of the sections in a packet. */
export declare const SHAPE: Readonly<{ list: 0; body: 1; hipBody: 2; hipsBody: 3; mask: 4 }>;
/** Modulus of the sequence numbers of a stream. */
export declare const SEQUENCES: number;
/** Most packets in a bundle. */
export declare const BUNDLE_PACKETS: number;
/** Most bytes of a packet, its size not counted. */
export declare const PACKET_BYTES: number;

/** The heads of one bundle's packets, by index 0 … count - 1. Reused from bundle to bundle. */
export declare class Bundle {
  /** Id of the space, from its roster. */
  space: number;
  tick: number;
  /** True if the next short head may refer to the space and tick of this bundle. */
  follows: boolean;
  count: number;
  /** Short ids of the bodies. */
  readonly body: Uint32Array;
  readonly incarnation: Uint8Array;
  readonly sequence: Uint8Array;
  /** 1 where the motion jumps. */
  readonly cut: Uint8Array;
  /** 1 where a packet needs earlier packets for decoding (StreamDecoder). */
  readonly needsState: Uint8Array;
  /** Layout of the sections: SHAPE. */
  readonly shape: Uint8Array;
  /** Nominal time of the tick minus capture time, microseconds. */
  readonly age: Float64Array;
  /** Delay of the hops, microseconds. */
  readonly relay: Float64Array;
  /** Range of each payload in the message: start … end - 1. */
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  /** Resets the reference for a new connection: its first bundle has a long head. */
  reset(): void;
}

/** The content of one packet. Reused from packet to packet. */
export declare class Payload {
  /** R of each bone: four numbers a bone, in the order of BONES. */
  readonly rotations: Float32Array;
  /** Bit mask of the bones with a rotation in the packet (body, face, hands); others are at rest. */
  readonly masks: Uint32Array;
  hasHips: boolean;
  /** Displacement of the hips from rest: metres, canonical axes. */
  readonly hips: Float32Array;
  hasPlacement: boolean;
  /** Where the body stands: x, y, z in metres, yaw in radians (0 … 2π). */
  readonly placement: Float32Array;
  /** Tracking state of each bone: 0 absent or unknown, 1 estimated, 2 tracked. */
  readonly states: Uint8Array;
  hasStates: boolean;
  /** The stream has packets in ticks divisible by this number; 0 if the packet has no pace. */
  pace: number;
  /** Values of the body's channels, in their order; unused ones are 0. */
  readonly values: Float32Array;
  valueCount: number;
  /** Virtual transforms in model space, if requested: position (3) and rotation (4) of each. */
  readonly virtualPositions: Float32Array;
  readonly virtualRotations: Float32Array;
  virtualCount: number;
  /** Index of each of them in the skeleton of the packets. */
  virtualIndices: readonly number[];
  /** Copies another packet. */
  copy(other: Payload): void;
  /** Resets to the rest pose without placement. */
  rest(): void;
}

/**
 * Reads the heads of a binary message into `bundle`, payloads unread. Bundles of one
 * connection go into one `bundle` in their order: a short head speaks of the one before.
 * Throws ProtocolError, after which `bundle` has no packets.
 */
export declare function decodeBundle(message: Uint8Array, bundle: Bundle): Bundle;

/**
 * Calls `take` for each section start … stop - 1 of a message, whatever it holds.
 * Throws ProtocolError for damage, after the sections before it.
 */
export declare function readSections(message: Uint8Array, start: number, stop: number, shape: number,
  take: (section: number, coding: number, start: number, end: number) => void): void;

/**
 * Reads the sections start … stop - 1 of a message into `payload`. Chains are the
 * business of a StreamDecoder, without one they are skipped. Throws ProtocolError,
 * after which `payload` holds nothing of use.
 */
export declare function decodePayload(message: Uint8Array, start: number, stop: number, payload: Payload,
  shape?: number): Payload;
