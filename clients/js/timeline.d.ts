import { Payload } from './bundle.js';

/** The pose of a body at one instant. Reused from call to call. */
export declare class Sample {
  /** R of each bone: four numbers a bone, in the order of BONES. */
  readonly rotations: Float32Array;
  /** Displacement of the hips from rest: metres, canonical axes. */
  readonly hips: Float32Array;
  /** Tracking state of each bone: 0 absent or unknown, 1 estimated, 2 tracked. */
  readonly states: Uint8Array;
  /** Where the body stands in its space, metres. */
  readonly position: Float32Array;
  /** Radians about +Y. */
  yaw: number;
  /** Values of the body's channels, in their order; Body.channel returns them by name. */
  readonly values: Float32Array;
  /** Virtual transforms in model space, if requested: position (3) and rotation (4) of each. */
  readonly virtualPositions: Float32Array;
  readonly virtualRotations: Float32Array;
  virtualCount: number;
  /** Index of each of them in the skeleton of the packets. */
  virtualIndices: readonly number[];
  /** Capture time shown: server clock, microseconds. */
  time: number;
  state: 'interpolated' | 'extrapolated' | 'held';
}

/** One body's motion as it arrives, played back a little later and evenly. */
export declare class Timeline {
  /** extrapolation: most milliseconds to carry a motion on when packets are late; 50. */
  constructor(options?: { extrapolation?: number });
  /** Packets taken in. */
  readonly received: number;
  /** Packets missing between them, by sequence (modulo 16 for each hole). */
  readonly lost: number;
  /** Packets that came after later ones. */
  readonly late: number;
  /** Recent captures a second. */
  readonly hertz: number;
  /** Average time between arrival and display of a packet, milliseconds. */
  readonly bufferDelay: number;
  /** Capture time of the newest packet, microseconds; NaN before the first. */
  readonly newest: number;
  /** Capture time of the last sample, microseconds; NaN before the first. */
  readonly shown: number;
  /** Buffer for the payload of the next packet; `commit` accepts its content. */
  slot(): Payload;
  /**
   * Accepts the packet that was decoded into `slot()`. capture: server microseconds; arrival:
   * local milliseconds; rejoined: do not count missing packets by the sequence number.
   */
  commit(capture: number, sequence: number, incarnation: number, cut: boolean, arrival: number,
    rejoined?: boolean): void;
  /** Removes all packets, because the next ones are for another skeleton. */
  clear(): void;
  /** Holds the pose of the newest packet until this capture time (server µs). */
  hold(capture: number): void;
  /** Sets the placement from the roster, as a jump; ignored if packets contain the placement. */
  place(position: ArrayLike<number>, yaw: number): void;
  /** Returns the pose to show at a local time (ms); null before the first packet. */
  sample(now: number): Sample | null;
  /** Returns the pose at a capture time (server µs), from the stored packets. */
  at(time: number): Sample | null;
}
