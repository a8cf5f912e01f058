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
   * Returns the time in the recording, seconds, at a server time, microseconds:
   * `replay.time(client.clock.at(client.now()))`.
   */
  time(server: number): number;
}

/**
 * The replays in a client's space. Methods that change a replay need the role `record`. Their
 * promise rejects with a ProtocolError if the server refuses.
 */
export declare class Replays {
  /** In the order of their start. */
  readonly list: Replay[];
  get(id: number): Replay | undefined;
  /** The recordings of the server's folder that may be opened here, the newest first, 256 at most. */
  recordings(): Promise<Recording[]>;
  /** Plays a recording of the server's folder, by its name. */
  open(file: string, options?: ReplayOptions): Promise<Replay>;
  play(replay: Replay): Promise<void>;
  pause(replay: Replay): Promise<void>;
  /** Moves to a time, seconds; may be called for every picture. */
  seek(replay: Replay, time: number): Promise<void>;
  /** From 0.1 to 10. */
  setSpeed(replay: Replay, speed: number): Promise<void>;
  setLoop(replay: Replay, loop: boolean): Promise<void>;
  /** Without any: all of it. */
  setRange(replay: Replay, from?: number, until?: number): Promise<void>;
  /**
   * Plays the last seconds of the space (default 30) in another space and returns the name of
   * that space to connect to. Needs only the role `watch`.
   */
  rewind(seconds?: number): Promise<string>;
  /** Ends the replay; its bodies leave. */
  close(replay: Replay): Promise<void>;
}
