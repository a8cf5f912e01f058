import type { Body } from './body.js';
import type { ViewOptions, Viewpoint } from './client.js';
import type { Skeleton } from './skeleton.js';

/** The view that a client requests of its space, and the skeletons that the server reports for it. */
export declare class View {
  constructor(space: string, options: ViewOptions,
    line: { send: (message: object) => void; after: (ms: number, run: () => void) => void });
  /** Hash of the requested skeleton for all bodies; null if each keeps its own. */
  readonly skeleton: string | null;
  change(options: ViewOptions): void;
  subscribe(): void;
  /** Resets the state for a new connection. */
  reset(): void;
  /** Sends the state that a new connection lacks, for present bodies. */
  remind(bodies: ReadonlyMap<number, Body>): void;
  look(viewpoints: Viewpoint[]): void;
  favour(ids: number[]): void;
  ignore(id: number, ignore: boolean): void;
  /** Takes in a `worn` message; the ids that it is about. */
  tell(message: { space: unknown; bodies: unknown }): number[];
  /** Takes in a `subscribed` message; whether it is about this space. */
  grant(message: { space: unknown; precision: unknown; virtual?: unknown }): boolean;
  /** Indices of the virtual transforms that packets for a skeleton contain, in their order. */
  virtualIndices(skeleton: Skeleton): number[];
  /** Hash of the skeleton of a body's packets. */
  wornBy(body: Body): string;
  /** Whether the server sends motion of a body. */
  sends(body: Body): boolean;
  /** Removes the entry of a body that has left. */
  forget(id: number): void;
}
