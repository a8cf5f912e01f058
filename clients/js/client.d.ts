import { Body } from './body.js';
import { Bundle } from './bundle.js';
import type { ChainSection, Precision } from './chain.js';
import { Clock } from './clock.js';
import { Emitter } from './emitter.js';
import type { Moderated, Moderation } from './moderation.js';
import { Prop } from './prop.js';
import { Publication, type PlaceOptions, type PublishOptions } from './publication.js';
import type { Registered, RegisteredSkeleton } from './registration.js';
import type { Replays } from './replay.js';
import { Skeleton, type Descriptor } from './skeleton.js';

/** The part of a WebSocket that is used; browsers, Node 22 and npm `ws` have it. */
export interface WebSocketLike {
  binaryType: string;
  readonly readyState: number;
  onopen: ((event: any) => void) | null;
  onmessage: ((event: any) => void) | null;
  onerror: ((event: any) => void) | null;
  onclose: ((event: any) => void) | null;
  readonly bufferedAmount?: number;
  send(data: string | Uint8Array): void;
  close(code?: number): void;
}

/** Options that set the cost of a stream. */
export interface StreamVariant {
  /** With coding 2, how far rotations may be off (0.06, 0.25 or 1 degree); 'standard'. */
  precision?: Precision;
  /** With coding 2, every n-th tick; 1. */
  rate?: 1 | 2 | 4;
  /** With coding 2: the sections of each body; bones of other sections stay at rest. All but 'virtual'. */
  sections?: ChainSection[];
  /**
   * With coding 2: at most 15 indices and tags of virtual transforms; requests section 'virtual'.
   * Without it that section has the first 15. `Sample.virtualIndices` names what has arrived.
   */
  virtual?: (number | string)[];
}

/** Position and direction of a viewer; metres and radians in the space. */
export interface Viewpoint {
  position: [number, number, number];
  /** Viewing direction, as an angle about +Y from +Z. Without `yaw` and `direction`: all around. */
  yaw?: number;
  /** Viewing direction, of any length. */
  direction?: [number, number, number];
  /** Angle of the viewing cone from edge to edge; 1.745, 100 degrees. */
  fov?: number;
}

/** The view that a client requests of its space. */
export interface ViewOptions extends StreamVariant {
  /** Only bodies of these ids. */
  bodies?: number[];
  /** None of these. */
  ignore?: number[];
  /**
   * The skeleton of all bodies: each body's 'own' (default), 'humanoid', or the skeleton of
   * that hash. If the server has no room for it, the client transfers the motion itself.
   */
  skeleton?: string;
  /** Bytes of motion a second; the server reduces the least important bodies first. */
  budget?: number;
  /** Bodies that are near and in view come in more detail; at most four viewpoints. */
  viewpoints?: Viewpoint[];
  /** With viewpoints or a budget, ids of bodies that come before others; at most 64. */
  priority?: number[];
}

export interface ConnectOptions extends ViewOptions {
  /** Name of the space; `lobby`. */
  space?: string;
  /** Constructor, where there is no global one (Node before 22: npm `ws`). */
  WebSocket?: new (url: string, protocol: string) => any;
  /** Name of this client in the server's log. */
  client?: string;
  /** Acknowledge, so that the server never queues motion for us; true. */
  credit?: boolean;
  /**
   * A JSON Web Token for a server with keys, or a function that returns one, called for each
   * connection. The client closes if the server refuses the token and there is no other.
   */
  token?: string | (() => string | Promise<string>);
  /** Rotation codings to ask for; [2, 1]. */
  codings?: number[];
  /** Local milliseconds that never go backwards; performance.now. For tests, as are those below. */
  now?: () => number;
  random?: () => number;
  setTimeout?: (run: () => void, ms: number) => any;
  clearTimeout?: (id: any) => void;
}

/**
 * connecting: the socket is being opened; connected: hello was sent; live: the roster has
 * arrived; waiting: the connection dropped and a retry is due; closed: the client has ended.
 */
export type ConnectionState = 'connecting' | 'connected' | 'live' | 'waiting' | 'closed';

export interface Welcome {
  protocol: string;
  server: string;
  time: number;
  wall: number;
  codings: { id: number; name: string }[];
  spaces: string[];
  /** For each space: the finest precision if limited, tick rate, occupancy, the client's roles, and seconds of its rewind buffer. */
  rooms?: { name: string; tickHz: number; bodies: number; watched: number; roles: string[]; rewind?: number;
    recordings?: boolean; precision?: Precision }[];
  /** Allowances of the connection (proto/CORE.md, "Allowances"); an older server has `message` only. */
  limits: { message: number; errors?: number; spaces?: number; publications?: number; ignored?: number;
    bytes?: number; rosters?: number; keyframes?: number; publishes?: number; amendments?: number;
    captures?: number; captureBytes?: number; registrations?: number; replays?: number };
  [field: string]: unknown;
}

export interface ClientEvents {
  /** A body and its skeleton have arrived: build its figure. */
  enter: Body;
  /** A body has left, or is about to enter again with another skeleton: remove its figure. */
  leave: Body;
  /** Its name, state, seat or placement changed, or whether it is `sent`. */
  change: Body;
  /** The roster changed; after `enter`, `leave` and `change`. */
  roster: { bodies: Map<number, Body>; joined: Body[]; left: Body[]; changed: Body[] };
  /** The server began to record the space, or ended. */
  recording: { recording: boolean };
  /** The props of the space have arrived or changed. */
  props: ReadonlyMap<string, Prop>;
  /** The replays of the space have changed. */
  replays: Replays;
  /** A skeleton was received; before `enter` of the bodies on it. */
  skeleton: Skeleton;
  welcome: Welcome;
  /**
   * The subscription in force from now on, where it deviates from the request: the server permits
   * less precision, or virtual transforms were chosen.
   */
  subscribed: { precision: Precision; virtual?: (number | string)[] };
  /** The server removed a body of this client. */
  unpublished: Publication;
  /** A moderator acted on this client; after a kick or a ban the client is closed. */
  moderated: Pick<Moderated, 'space' | 'action' | 'body' | 'until' | 'reason'>;
  /** The new token is in force until `expires` (Unix time in seconds). */
  renewed: { expires: number };
  /** A bundle was applied. The object is reused for the next one. */
  bundle: Bundle;
  /** `delay` (ms), `code` and `reason` when waiting. */
  state: { state: ConnectionState; delay?: number; code?: number; reason?: string };
  /** An error; the client continues unless `state` is `closed`. */
  error: Error;
}

/** A client of one space; reconnects by itself when the connection drops. */
export declare class Client extends Emitter<ClientEvents> {
  constructor(url: string | URL, options?: ConnectOptions);
  readonly space: string;
  readonly state: ConnectionState;
  readonly clock: Clock;
  /** Bodies in the space by id, including those whose skeleton has not arrived yet. */
  readonly bodies: Map<number, Body>;
  /** Things of the space without bones, such as chairs, by name. */
  readonly props: ReadonlyMap<string, Prop>;
  /** Whether the server records the space. */
  readonly recording: boolean;
  /** Replays of the space, and the commands for them. */
  readonly replays: Replays;
  /** By hash. */
  readonly skeletons: Map<string, Skeleton>;
  readonly welcome: Welcome | null;
  /** Totals received so far: messages and bytes of motion, packets in them, damaged packets. */
  readonly traffic: { bundles: number; bytes: number; packets: number; damaged: number };
  /** The local time that `clock` maps to server time, milliseconds. */
  now(): number;
  /**
   * Adds a body of this client to the space, now or as soon as there is a connection, and again
   * after each reconnect. For people in WebXR sessions see `publishBody`.
   */
  publish(options: PublishOptions): Publication;
  /**
   * Registers a skeleton under a name (1 to 63 bytes; replaces an earlier one of that name):
   * `publish` and `subscribe` take its hash. The client registers it again after a reconnect.
   * Rejects with a ProtocolError; its code is `bad-skeleton` if the descriptor is not a usable
   * skeleton.
   */
  registerSkeleton(name: string, descriptor: Descriptor): Promise<Registered>;
  /** Removes a skeleton; bodies on it keep it. */
  unregisterSkeleton(name: string): Promise<void>;
  /** The registered skeletons of this subject, of all its connections. */
  registeredSkeletons(): Promise<RegisteredSkeleton[]>;
  /** Changes the options of the view; options that are absent stay unchanged. */
  subscribe(options: ViewOptions): void;
  /**
   * Sets the viewpoints; may be called for every picture (`viewpointOf` converts a camera of
   * three.js). Without viewpoints all bodies come in the requested detail.
   */
  setViewpoints(viewpoints: Viewpoint[]): void;
  /** Replaces the list of bodies that come before others, such as speakers. */
  setPriority(bodies: Iterable<Body>): void;
  /** Ignores the publisher of a body, or ends that: motion stops in both directions. */
  ignore(body: Body, ignore?: boolean): void;
  /** Moderation of the space; requires the role `moderate`. */
  readonly moderation: Moderation;
  /** Moves any body; requires the role `moderate`. For bodies of this client: Publication.place. */
  place(body: Body, placement: PlaceOptions): void;
  /** Puts a body on stage or takes it off: it comes before others for all subscribers. Requires the role `moderate`. */
  stage(body: Body, stage?: boolean): void;
  /** Sends a new token of the same subject before the current one expires. */
  renew(token: string): void;
  /** Ends the connection; the client does not reconnect. */
  close(): void;
}

/** Connects to a space of a jointcast daemon. */
export declare function connect(url: string | URL, options?: ConnectOptions): Client;
