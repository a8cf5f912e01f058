import type { Body } from './body.js';
import type { ViewOptions, Viewpoint } from './client.js';

/** The view that a client requests of its space, and the skeletons that the server reports for it. */
export declare class View {
  constructor(space: string, options: ViewOptions,
    line: { send: (message: object) => void; after: (ms: number, run: () => void) => void });
  /** Hash of the one skeleton that was asked for; null where each has its own. */
  readonly skeleton: string | null;
  change(options: ViewOptions): void;
  subscribe(): void;
  /** Resets the state for a new connection. */
  reset(): void;
  /** Says what a new connection does not know, of bodies that are there. */
  remind(bodies: ReadonlyMap<number, Body>): void;
  look(viewpoints: Viewpoint[]): void;
  favour(ids: number[]): void;
  ignore(id: number, ignore: boolean): void;
  /** Takes in a `worn` message; the ids that it is about. */
  tell(message: { space: unknown; bodies: unknown }): number[];
  /** Hash of the skeleton that a body's packets are for. */
  wornBy(body: Body): string;
  /** Whether anything comes of a body. */
  sends(body: Body): boolean;
  /** Removes the entry of a body that has left. */
  forget(id: number): void;
}
