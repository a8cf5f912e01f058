import { Payload } from './bundle.js';
import { Skeleton } from './skeleton.js';

/** A body's stream of coding 2: its chains kept in step. Packets of other codings pass through. */
export declare class StreamDecoder {
  /** True if the state is valid for the packet with the next sequence number. */
  readonly synchronized: boolean;
  /** Of the newest packet. */
  readonly incarnation: number;
  readonly sequence: number;
  /** The stream has packets in ticks that this divides. */
  readonly pace: number;
  /** True if the chains are valid: a bundle without the body then means that it stands still. */
  readonly isFollowing: boolean;
  /** Whether a packet directly follows the previous one. */
  isNext(sequence: number, incarnation: number): boolean;
  /** Resets the state for a new connection. */
  reset(): void;
  /**
   * Takes in the packet whose sections are start … stop - 1 of a message and writes how the
   * body stands then (R) into `payload`. False: the state for it is not there, a rejoin is
   * needed. Throws ProtocolError for damage, after which a rejoin is needed too.
   */
  decode(message: Uint8Array, start: number, stop: number,
    head: { needsState: boolean; shape?: number; sequence: number; incarnation: number },
    skeleton: Skeleton | null, payload: Payload): boolean;
}
