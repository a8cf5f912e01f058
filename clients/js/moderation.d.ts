import { Body } from './body.js';

/** The target of an action: the publisher of a body, or a subject, address or name. */
export type ModerationTarget = Body | { id: number } | { subject: string } | { address: string } |
  { name: string };

export interface ModerationOptions {
  /** Duration; default unlimited. */
  seconds?: number;
  /** Reason, for the clients concerned and the log; at most 255 bytes. */
  reason?: string;
}

/** The result of an action. */
export interface Moderated {
  space: string;
  action: 'hide' | 'show' | 'mute' | 'unmute' | 'kick' | 'ban' | 'unban' | 'close';
  body?: number;
  subject?: string;
  address?: string;
  name?: string;
  /** Unix time in seconds. */
  until?: number;
  reason?: string;
  /** True: the action is on disk. False: it holds, but a restart of the server may end it. */
  stored?: boolean;
  /** Number of connections that the action concerns. */
  concerned: number;
}

/** The limits of the space. */
export interface Administered {
  space: string;
  action: 'limit' | 'close';
  bodies: number;
  subscribers: number;
}

/** A sanction in force. */
export interface Sanction {
  kind: 'hide' | 'mute' | 'ban';
  subject?: string;
  address?: string;
  name?: string;
  by: string;
  since: number;
  until?: number;
  reason?: string;
}

/**
 * Moderation of a client's space; requires the role `moderate`, for `limit` and `close` the role
 * `administer`. Each call rejects with a ProtocolError if the server refuses it.
 */
export declare class Moderation {
  /** Hides their bodies from all subscribers. */
  hide(target: ModerationTarget, options?: ModerationOptions): Promise<Moderated>;
  show(target: ModerationTarget): Promise<Moderated>;
  /** Stops the motion of their bodies. */
  mute(target: ModerationTarget, options?: ModerationOptions): Promise<Moderated>;
  unmute(target: ModerationTarget): Promise<Moderated>;
  /** Removes them from the space; they may come back. */
  kick(target: ModerationTarget, options?: { reason?: string }): Promise<Moderated>;
  /** Removes them from the space until the ban ends. */
  ban(target: ModerationTarget, options?: ModerationOptions): Promise<Moderated>;
  unban(target: ModerationTarget): Promise<Moderated>;
  /** Sets how many bodies and subscribers the space takes; present ones stay. Requires `administer`. */
  limit(options: { bodies?: number; subscribers?: number }): Promise<Administered>;
  /** Closes the space: every client leaves it, this one too. Requires `administer`. */
  close(): Promise<Administered>;
  /** Lists the sanctions in force. */
  list(): Promise<Sanction[]>;
}
