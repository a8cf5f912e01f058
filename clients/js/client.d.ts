import { Body } from './body.js';
import { Bundle } from './bundle.js';
import type { ChainSection, Precision } from './chain.js';
import { Clock } from './clock.js';
import { Emitter } from './emitter.js';
import type { Moderated, Moderation } from './moderation.js';
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

/** What a stream is to cost. */
export interface StreamVariant {
  /** With coding 2, how far rotations may be off (0.06, 0.25 or 1 degree); 'standard'. */
  precision?: Precision;
  /** With coding 2, every n-th tick; 1. */
  rate?: 1 | 2 | 4;
  /** With coding 2, what of the bodies; the rest of them stays at rest. All but 'virtual'. */
  sections?: ChainSection[];
}

/** Where somebody looks from, and at what; metres and radians in the space. */
export interface Viewpoint {
  position: [number, number, number];
  /** Ahead: about +Y from +Z. Without it and without `direction`: all around. */
  yaw?: number;
  /** Ahead, of any length. */
  direction?: [number, number, number];
  /** Of the cone that holds the picture, from edge to edge; 1.745, 100 degrees. */
  fov?: number;
}

/** What a client asks of its space. */
export interface ViewOptions extends StreamVariant {
  /** Only bodies of these ids. */
  bodies?: number[];
  /** None of these. */
  ignore?: number[];
  /**
   * What all bodies are worn on: each on its 'own' (the default), 'humanoid', or the skeleton
   * of that hash. Where the server has no room for that, it is put on here.
   */
  skeleton?: string;
  /** Bytes of motion a second; the server takes detail from who matters least. */
  budget?: number;
  /** With these what is near and in view comes in more detail; at most four. */
  viewpoints?: Viewpoint[];
  /** With viewpoints or a budget, ids of bodies that come before others; at most 64. */
  priority?: number[];
}

export interface ConnectOptions extends ViewOptions {
  /** Name of the space; `lobby`. */
  space?: string;
  /** Constructor, where there is no global one (Node before 22: npm `ws`). */
  WebSocket?: new (url: string, protocol: string) => any;
  /** What to call this client in the server's log. */
  client?: string;
  /** Acknowledge, so that the server never queues motion for us; true. */
  credit?: boolean;
  /**
   * A JSON Web Token, where the server has keys, or what gives one, asked anew for each
   * connection. A client whose token is refused and who has no other is closed.
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
 * connecting: the socket is being opened; connected: hello was said; live: the roster is
 * there; waiting: the line dropped and a retry is due; closed: for good.
 */
export type ConnectionState = 'connecting' | 'connected' | 'live' | 'waiting' | 'closed';

export interface Welcome {
  protocol: string;
  server: string;
  time: number;
  wall: number;
  codings: { id: number; name: string }[];
  spaces: string[];
  /** Of those: how fast, how full, what one may do there, and seconds that are remembered. */
  rooms?: { name: string; tickHz: number; bodies: number; watched: number; roles: string[]; rewind?: number;
    recordings?: boolean }[];
  limits: { message: number };
  [field: string]: unknown;
}

export interface ClientEvents {
  /** A body is there, and so is its skeleton: build its figure. */
  enter: Body;
  /** It is gone, or about to enter again with another skeleton: take its figure away. */
  leave: Body;
  /** Its name, state, seat or placement changed, or whether it is `sent`. */
  change: Body;
  /** The roster changed; after `enter`, `leave` and `change`. */
  roster: { bodies: Map<number, Body>; joined: Body[]; left: Body[]; changed: Body[] };
  /** The server began to record the space, or ended. */
  recording: { recording: boolean };
  /** Recordings play in the space, others than before, or in another way. */
  replays: Replays;
  /** A skeleton was received; before `enter` of those who wear it. */
  skeleton: Skeleton;
  welcome: Welcome;
  /** The server took a body of this client's away. */
  unpublished: Publication;
  /** A moderator ordered something about this client; after a kick or a ban it is closed. */
  moderated: Pick<Moderated, 'space' | 'action' | 'body' | 'until' | 'reason'>;
  /** Another token counts, until then (Unix time in seconds). */
  renewed: { expires: number };
  /** A bundle was taken in. The object is used again for the next one. */
  bundle: Bundle;
  /** `delay` (ms), `code` and `reason` when waiting. */
  state: { state: ConnectionState; delay?: number; code?: number; reason?: string };
  /** Nothing that ends the connection for good, unless `state` says so. */
  error: Error;
}

/** A connection to one space; comes back by itself when the line drops. */
export declare class Client extends Emitter<ClientEvents> {
  constructor(url: string | URL, options?: ConnectOptions);
  readonly space: string;
  readonly state: ConnectionState;
  readonly clock: Clock;
  /** Bodies in the space by id, those whose skeleton is still on its way too. */
  readonly bodies: Map<number, Body>;
  /** Whether the server records the space. */
  readonly recording: boolean;
  /** Recordings that play in the space, and what is asked of them. */
  readonly replays: Replays;
  /** By hash. */
  readonly skeletons: Map<string, Skeleton>;
  readonly welcome: Welcome | null;
  /** What has arrived so far: messages and bytes of motion, packets in them, damaged ones. */
  readonly traffic: { bundles: number; bytes: number; packets: number; damaged: number };
  /** The local time that `clock` maps to the server's, milliseconds. */
  now(): number;
  /**
   * A body of this client's own enters the space, now or as soon as there is a line, and again
   * after each that was lost. For people in WebXR sessions see `publishBody`.
   */
  publish(options: PublishOptions): Publication;
  /**
   * Registers a skeleton of one's own under a name (1 to 63 bytes; one that has it makes room):
   * `publish` and `subscribe` take its hash. Registered again after each line that was lost.
   * Rejects with a ProtocolError, whose code is `bad-skeleton` where none can be made of the
   * descriptor.
   */
  registerSkeleton(name: string, descriptor: Descriptor): Promise<Registered>;
  /** Gives one up; who wears it goes on wearing it. */
  unregisterSkeleton(name: string): Promise<void>;
  /** Those that are registered, whichever connection did so. */
  registeredSkeletons(): Promise<RegisteredSkeleton[]>;
  /** Asks for other streams, from now on; what is not named stays as it is. */
  subscribe(options: ViewOptions): void;
  /**
   * Where is looked from; may be called for every picture (`viewpointOf` has that of a camera
   * of three.js). Without any all bodies come as was asked for.
   */
  setViewpoints(viewpoints: Viewpoint[]): void;
  /** These come before others, and no others do: who speaks, whom one follows. */
  setPriority(bodies: Iterable<Body>): void;
  /** Ignores whoever publishes a body, or no longer: neither gets motion of the other. */
  ignore(body: Body, ignore?: boolean): void;
  /** Order in the space, for who has the role `moderate`. */
  readonly moderation: Moderation;
  /** Has a body stand elsewhere, for who moderates the space; one's own: Publication.place. */
  place(body: Body, placement: PlaceOptions): void;
  /** Has a body come before others for everybody, or no longer, for who moderates the space. */
  stage(body: Body, stage?: boolean): void;
  /** Shows another token for the same subject before the one in use ends. */
  renew(token: string): void;
  /** Ends the connection for good. */
  close(): void;
}

/** Connects to a space of a jointcast daemon. */
export declare function connect(url: string | URL, options?: ConnectOptions): Client;
