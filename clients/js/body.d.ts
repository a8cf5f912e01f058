import { Clock } from './clock.js';
import { Fitting } from './fitting.js';
import { Skeleton } from './skeleton.js';
import { StreamDecoder } from './stream.js';
import { Sample, Timeline } from './timeline.js';

/** A body of the space: what the roster says of it, and its motion. */
export declare class Body {
  constructor(id: number, clock: Clock);
  /** Short id within the space. */
  readonly id: number;
  readonly name: string;
  /** What people read instead of the name; empty where there is nothing. */
  readonly display: string;
  /** What its publisher says of it. Values come from people: they are text, never markup. */
  readonly meta: Readonly<Record<string, string | number | boolean>>;
  /** A moderator has it shown to nobody, or not move. Who is hidden leaves, and enters again. */
  readonly hidden: boolean;
  readonly muted: boolean;
  /** A moderator has it come before others. */
  readonly stage: boolean;
  /** What whoever it is agrees to. */
  readonly mayRecord: boolean;
  readonly mayRebroadcast: boolean;
  /** Hash of its own skeleton. */
  readonly skeletonHash: string;
  /** That it is worn on here: its own, or the one that was asked for; null until it was received. */
  readonly skeleton: Skeleton | null;
  /** False: the server sends nothing of it to this client; it stays as it was seen last. */
  readonly sent: boolean;
  /** Where the roster says it stands; `sample()` has where it stands now. */
  readonly placement: { position: number[]; yaw: number };
  readonly seat: { height: number } | null;
  /** Names of its channels: "expression/happy", "lookAt" …. */
  readonly channels: readonly string[];
  readonly state: 'live' | 'stale';
  /** Bytes of its payloads so far. */
  readonly bytes: number;
  readonly timeline: Timeline;
  /** What its packets of coding 2 need. */
  readonly stream: StreamDecoder;
  /** The skeleton that they are for, and what carries them to the one it is worn on. */
  readonly packed: Skeleton | null;
  readonly fitting: Fitting | null;
  /** Of its newest packet: the bundle's tick, and how old its capture was, microseconds. */
  readonly tick: number;
  readonly age: number;
  /** What to show at a local time (ms of performance.now()); null before the first packet. */
  sample(now?: number): Sample | null;
  /**
   * Value of a channel at the moment of a sample: 0 to 1 of an expression, of "lookAt" the
   * gaze as a unit quaternion; undefined where the body has no such channel.
   */
  channel(name: string, sample: Sample): number | number[] | undefined;
  /** From capture to what `sample` showed last, milliseconds; NaN before the clock is known. */
  latency(now?: number): number;
}
