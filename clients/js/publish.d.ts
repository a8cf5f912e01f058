import { Body } from './body.js';
import type { BodyFrame } from './body-frame.js';
import { Client } from './client.js';
import { Emitter } from './emitter.js';
import type { XrBodyKind, XrFrameLike } from './xr-body.js';

export interface PublishBodyOptions {
  /** Of the body in the space. */
  name: string;
  /** How the joints' axes lie in `frame.body`; by the browser (nativeProfile). */
  profile?: 'webxr-spec' | 'meta' | 'pico' | 'htc' | 'slimevr';
  /** The person agrees that it is recorded: as poses, or 'raw', with the length of bones; false. */
  mayRecord?: boolean | 'raw';
  /** The person agrees that it is passed on; false. */
  mayRebroadcast?: boolean;
  /** Of the person standing, metres; found out from the frames. */
  height?: number;
  /** The server is to smooth what it gets; false. */
  smooth?: boolean;
  /** Hash of a skeleton of the server that the body wears; `humanoid`. */
  skeleton?: string;
}

/**
 * idle: no session; waiting: for the connection, the server's clock or its permission; live;
 * untracked: the session tracks no joint; paused; hidden: the headset shows another app or is
 * not worn; refused: the server refused the publication; closed: ended permanently.
 */
export type PublisherState =
  'idle' | 'waiting' | 'live' | 'untracked' | 'paused' | 'hidden' | 'refused' | 'closed';

/** A person in a WebXR session as a body of a space. */
export declare class BodyPublisher extends Emitter<{ state: { state: PublisherState } }> {
  constructor(client: Client, options: PublishBodyOptions);
  readonly profile: string;
  readonly state: PublisherState;
  /** The kind of tracking in the last frame; null without tracking, and for frames given to `send`. */
  readonly kind: XrBodyKind | null;
  /** Number of joints in the last frame. */
  readonly joints: number;
  /** The body as subscribers receive it, for a mirror, or to skip it when drawing; null before it exists. */
  readonly body: Body | null;
  /** Totals sent so far: frames, their bytes, and frames left out because the connection was behind. */
  readonly traffic: { frames: number; bytes: number; dropped: number };
  /**
   * One frame of an XRSession: call it in every animation frame, outside of sessions too.
   * `space` has its floor at y = 0 (`local-floor`); its -Z, where WebXR looks ahead, is where the
   * body's placement faces. True if something was sent.
   */
  frame(session: any, frame: XrFrameLike | null | undefined, space: any): boolean;
  /**
   * A body that something else than WebXR tracks, in the axes of `profile`, facing +Z; its time
   * is now. Throws ProtocolError for what is no body frame.
   */
  send(frame: BodyFrame): boolean;
  /** The body stands still; nothing is sent. */
  pause(): void;
  resume(): void;
  /** Removes the body from the space; the publication ends. */
  close(): void;
}

/** How the joints' axes lie in this browser: `meta` in Meta Quest Browser, else `webxr-spec`. */
export declare function nativeProfile(userAgent?: string): 'meta' | 'webxr-spec';

/**
 * Publishes the body of the person in the headset. Nothing is sent before this call:
 * call it when the person has agreed.
 */
export declare function publishBody(client: Client, options: PublishBodyOptions): BodyPublisher;
