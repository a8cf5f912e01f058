/** Most bytes of a bundle. */
export declare const BUNDLE_BYTES: number;
/** Most packets in a bundle. */
export declare const BUNDLE_PACKETS: number;
/** Most bytes of a packet, its size not counted. */
export declare const PACKET_BYTES: number;

/** The heads of one bundle's packets, by index 0 … count - 1. Reused from bundle to bundle. */
export declare class Bundle {
  /** Id of the space, from its roster. */
  space: number;
  tick: number;
  /** Server time of the bundle minus the tick's nominal time, microseconds. */
  offset: number;
  count: number;
  /** Short ids of the bodies. */
  readonly body: Uint32Array;
  readonly incarnation: Uint8Array;
  readonly sequence: Uint8Array;
  /** 1 where the motion jumps. */
  readonly cut: Uint8Array;
  /** 1 where a packet cannot be decoded without those before it: StreamDecoder. */
  readonly needsState: Uint8Array;
  /** Server time minus capture time, microseconds. */
  readonly age: Float64Array;
  /** What hops have added to that, microseconds. */
  readonly relay: Float64Array;
  /** Where each payload lies in the message: start … end - 1. */
  readonly start: Uint32Array;
  readonly end: Uint32Array;
}

/** What one packet says of one figure. Reused from packet to packet. */
export declare class Payload {
  /** R of each bone: four numbers a bone, in the order of BONES. */
  readonly rotations: Float32Array;
  /** Which rotations were carried, a bit a bone: body, face and hands; others are at rest. */
  readonly masks: Uint32Array;
  hasHips: boolean;
  /** Displacement of the hips from rest: metres, canonical axes. */
  readonly hips: Float32Array;
  hasPlacement: boolean;
  /** Where the body stands: x, y, z in metres, yaw in radians (0 … 2π). */
  readonly placement: Float32Array;
  /** How well each bone is known: 0 absent or nothing said, 1 estimated, 2 tracked. */
  readonly states: Uint8Array;
  hasStates: boolean;
  /** Becomes what another says. */
  copy(other: Payload): void;
  /** Back to the rest pose, with no placement. */
  rest(): void;
}

/**
 * Reads the heads of a binary message into `bundle`, payloads unread.
 * Throws ProtocolError, after which `bundle` holds nothing of use.
 */
export declare function decodeBundle(message: Uint8Array, bundle: Bundle): Bundle;

/**
 * Reads the sections start … stop - 1 of a message into `payload`. Chains are the
 * business of a StreamDecoder, without one they are skipped.
 * Throws ProtocolError, after which `payload` holds nothing of use.
 */
export declare function decodePayload(message: Uint8Array, start: number, stop: number, payload: Payload): Payload;
