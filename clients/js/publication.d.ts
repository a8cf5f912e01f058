import { Body } from './body.js';
import type { BodyFrame, PoseFrame } from './body-frame.js';

/** Description of a body that a client publishes (proto/PUBLISHING.md, `publish`). */
export interface PublishOptions {
  /** 1 to 63 bytes. */
  name: string;
  kind: 'body-frames' | 'poses';
  /** Of body frames: how the joints' axes lie; 'webxr-spec'. */
  profile?: 'webxr-spec' | 'meta' | 'pico' | 'htc' | 'slimevr';
  /** Of body frames: of the person standing, 0.5 to 3 metres; found out from the frames. */
  height?: number;
  /** The server is to smooth what it gets; false. */
  smooth?: boolean;
  /** Hash of a skeleton of the server that the body wears; `humanoid`. */
  skeleton?: string;
  /** Names of the channels whose values frames carry; none. */
  channels?: string[];
  /** The person agrees that it is recorded: as poses, or 'raw', with the length of bones; false. */
  mayRecord?: boolean | 'raw';
  /** The person agrees that it is passed on; false. */
  mayRebroadcast?: boolean;
  /** Text shown to people in place of the name, 1 to 63 bytes. */
  display?: string;
  /** Anything else, for programs: at most 16 keys and 1024 bytes. */
  meta?: Record<string, string | number | boolean>;
  /** Where it is to stand; where there is room. */
  placement?: Placement;
}

/** Where a body stands in its space. */
export interface Placement {
  /** Metres, each from -10000 to 10000. */
  position: [number, number, number];
  /** Radians about +Y. */
  yaw: number;
  /** That it uses there, metres high. */
  seat?: { height: number } | null;
}

export interface PlaceOptions extends Placement {
  /** A jump, however short: subscribers do not interpolate it. */
  teleport?: boolean;
}

/** One body that a client publishes; asked for again when the line comes back. */
export declare class Publication {
  private constructor();
  readonly options: PublishOptions;
  /** The name that its body has: another than was asked for, where that was taken. */
  readonly name: string;
  /**
   * asking: waits for the connection or the answer; refused: see the client's `error`; closed: by
   * close(), or by the server (see the client's event `unpublished`).
   */
  readonly state: 'asking' | 'open' | 'refused' | 'closed';
  /** Id of its body in the space; -1 otherwise. */
  readonly bodyId: number;
  /** The body as subscribers receive it; null until the roster names it, which may be after `open`. */
  readonly body: Body | null;
  /** Bytes that wait in the socket; while there are many, send only the newest frame. */
  readonly buffered: number;
  /**
   * Sends a body frame or a pose, whichever was announced, and returns its bytes; 0 while it is
   * not open. Its `time` is the server's: `client.clock.at(client.now())`.
   */
  send(frame: BodyFrame | PoseFrame): number;
  /** Says something else of the body; what is not named stays as it is. */
  amend(options: { display?: string; meta?: Record<string, string | number | boolean> }): void;
  /** Replaces the consent of the person; an absent field withdraws that consent. */
  consent(options: { mayRecord?: boolean | 'raw'; mayRebroadcast?: boolean }): void;
  /** The body goes there, or with `teleport`, or further than a metre, jumps. */
  place(placement: PlaceOptions): void;
  /** Removes the body from the space; the publication ends. */
  close(): void;
}
