import { Body } from './body.js';
import { Clock } from './clock.js';

/** The bodies of the space: a snapshot with revisions, and changes. */
export declare class Roster {
  constructor(clock: Clock);
  readonly bodies: Map<number, Body>;
  /** Id of this epoch of the space in bundles; -1 before the first roster. */
  readonly id: number;
  readonly revision: number;
  readonly tickHz: number;
  readonly tickTime: number;
  /** Whether the server records the space. */
  readonly recording: boolean;
  /** Nominal server time of a tick, microseconds. */
  timeOf(tick: number): number;
  /**
   * Takes in a `roster` message; null when a change is missing before it. Throws
   * ProtocolError, and then has taken in nothing.
   */
  apply(message: object): { joined: Body[]; left: Body[]; changed: Body[] } | null;
}
