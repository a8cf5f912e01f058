import { Clock } from './clock.js';
import { Fitting } from './fitting.js';
import { Skeleton } from './skeleton.js';
import { StreamDecoder } from './stream.js';
import { Sample, Timeline } from './timeline.js';

/** A body of the space: its roster entry and its motion. */
export declare class Body {
  constructor(id: number, clock: Clock);
  /** Short id within the space. */
  readonly id: number;
  readonly name: string;
  /** Text shown to people in place of the name; empty if absent. */
  readonly display: string;
  /** Data of the publisher. Values come from people: they are text, never markup. */
  readonly meta: Readonly<Record<string, string | number | boolean>>;
  /** Hidden: a moderator hides the body; it leaves, and enters again later. Muted: it does not move. */
  readonly hidden: boolean;
  readonly muted: boolean;
  /** A moderator put the body on stage: it comes before others. */
  readonly stage: boolean;
  /** The consent of the person. */
  readonly mayRecord: boolean;
  readonly mayRebroadcast: boolean;
  /** Hash of its own skeleton. */
  readonly skeletonHash: string;
  /** The skeleton in use here: the body's own or the requested one; null until it has arrived. */
  readonly skeleton: Skeleton | null;
  /** False: the server sends no motion of the body to this client; it keeps its last pose. */
  readonly sent: boolean;
  /** The placement of the roster; `sample()` has the current one. */
  readonly placement: { position: number[]; yaw: number };
  readonly seat: { height: number } | null;
  /** Names of its channels: "expression/happy", "lookAt" …. */
  readonly channels: readonly string[];
  readonly state: 'live' | 'stale';
  /** Bytes of its payloads so far. */
  readonly bytes: number;
  readonly timeline: Timeline;
  /** Decoder state for packets of coding 2. */
  readonly stream: StreamDecoder;
  /** The skeleton of the packets, and the transfer to the skeleton in use. */
  readonly packed: Skeleton | null;
  readonly fitting: Fitting | null;
  /** Indices of the virtual transforms in its newest packets; `sample` has those that it shows. */
  readonly virtualIndices: readonly number[];
  /** Newest packet: the tick of its bundle, and the age of its capture in microseconds. */
  readonly tick: number;
  readonly age: number;
  /** The pose to show at a local time (ms of performance.now()); null before the first packet. */
  sample(now?: number): Sample | null;
  /**
   * Value of a channel at the time of a sample: 0 to 1 for an expression, a unit quaternion for
   * "lookAt"; undefined if the body has no such channel.
   */
  channel(name: string, sample: Sample): number | number[] | undefined;
  /** Time from capture to the last `sample`, milliseconds; NaN before the clock is synchronized. */
  latency(now?: number): number;
}
