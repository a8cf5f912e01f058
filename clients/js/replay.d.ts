/** How a recording is to be played. */
export interface ReplayOptions {
  /** Seconds of the recording between which it plays; all of it. */
  from?: number;
  until?: number;
  /** From 0.1 to 10; 1. */
  speed?: number;
  loop?: boolean;
  paused?: boolean;
  /** Hash of the skeleton that all bodies wear; each wears what it wore. */
  skeleton?: string;
  /** Before the name of every body that `names` does not have. */
  prefix?: string;
  /** New names by those of the recording; at most 16. */
  names?: Record<string, string>;
}

/** A recording that may be opened. */
export interface Recording {
  file: string;
  /** The space that it is of. */
  space: string;
  /** Seconds. */
  duration: number;
  bytes: number;
  changed: Date;
}

/** A marker of the recording. */
export interface ReplayMarker {
  time: number;
  text: string;
}

/** One recording that plays in the space. The object stays the same as long as it does. */
export declare class Replay {
  readonly id: number;
  /** Its name. */
  readonly file: string;
  /** Seconds. */
  readonly duration: number;
  readonly state: 'playing' | 'paused' | 'ended';
  readonly speed: number;
  readonly loop: boolean;
  /** The part that plays, seconds. */
  readonly from: number;
  readonly until: number;
  readonly markers: ReplayMarker[];
  /**
   * Where it is, in seconds of the recording, when the server's clock has that many
   * microseconds: `replay.time(client.clock.at(client.now()))`.
   */
  time(server: number): number;
}

/**
 * The recordings that play in a client's space. Commands that change one need the role `record` and
 * rejects with a ProtocolError where the server does not do it.
 */
export declare class Replays {
  /** In the order in which they began. */
  readonly list: Replay[];
  get(id: number): Replay | undefined;
  /** The recordings of the server's folder that may be opened here, the newest first, 256 at most. */
  recordings(): Promise<Recording[]>;
  /** Has a recording of the server's folder play, by its name. */
  open(file: string, options?: ReplayOptions): Promise<Replay>;
  play(replay: Replay): Promise<void>;
  pause(replay: Replay): Promise<void>;
  /** To seconds of the recording; may be called for every picture. */
  seek(replay: Replay, time: number): Promise<void>;
  /** From 0.1 to 10. */
  setSpeed(replay: Replay, speed: number): Promise<void>;
  setLoop(replay: Replay, loop: boolean): Promise<void>;
  /** Without any: all of it. */
  setRange(replay: Replay, from?: number, until?: number): Promise<void>;
  /**
   * What was in the space lately, 30 seconds of it, plays in a space of its own, whose name is
   * the answer: connect to that, and to this one again at its end. Needs no role but `watch`.
   */
  rewind(seconds?: number): Promise<string>;
  /** Its bodies leave. */
  close(replay: Replay): Promise<void>;
}
