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
  /** Values of the body's channels, in their order; Body.channel has them by name. */
  readonly values: Float32Array;
  /** Virtual transforms in model space, if requested: position (3) and rotation (4) of each. */
  readonly virtualPositions: Float32Array;
  readonly virtualRotations: Float32Array;
  virtualCount: number;
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
  /** How long a packet waits here on average before it is shown, milliseconds. */
  readonly bufferDelay: number;
  /** Capture time of the newest packet, microseconds; NaN before the first. */
  readonly newest: number;
  /** Capture time that was shown last, microseconds; NaN before that. */
  readonly shown: number;
  /** Where the next packet's payload is to be decoded. Nothing counts until `commit`. */
  slot(): Payload;
  /**
   * Takes in what was decoded into `slot()`. capture: server microseconds; arrival: local
   * milliseconds; rejoined: the sequence says nothing of how many came before.
   */
  commit(capture: number, sequence: number, incarnation: number, cut: boolean, arrival: number,
    rejoined?: boolean): void;
  /** Forgets all packets: those to come are of another skeleton. */
  clear(): void;
  /** The body stood as the newest packet has it until this capture time (server µs). */
  hold(capture: number): void;
  /** Where the body stands from now on, as the roster says; a jump, unless packets say it. */
  place(position: ArrayLike<number>, yaw: number): void;
  /** The body as it is to be shown at a local time (ms); null before the first packet. */
  sample(now: number): Sample | null;
  /** The body at a capture time (server µs), as far as packets are there. */
  at(time: number): Sample | null;
}
