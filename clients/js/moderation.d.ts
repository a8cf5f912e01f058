import { Body } from './body.js';

/** Whom an order is about: whoever publishes the body, or people by what they are known as. */
export type ModerationTarget = Body | { id: number } | { subject: string } | { address: string } |
  { name: string };

export interface ModerationOptions {
  /** How long it holds; without it until it is lifted. */
  seconds?: number;
  /** For those whom it is about, and the log; at most 255 bytes. */
  reason?: string;
}

/** What came of an order. */
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
  /** The server has it on disk. False: it holds, but a restart of the server may end it. */
  stored?: boolean;
  /** Connections that it was about. */
  concerned: number;
}

/** How many the space takes. */
export interface Administered {
  space: string;
  action: 'limit' | 'close';
  bodies: number;
  subscribers: number;
}

/** What holds. */
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
 * Order in a client's space, for who has the role `moderate` there, or `administer`. All of it rejects with a
 * ProtocolError where the server does not do it.
 */
export declare class Moderation {
  /** Shows what they publish to nobody. */
  hide(target: ModerationTarget, options?: ModerationOptions): Promise<Moderated>;
  show(target: ModerationTarget): Promise<Moderated>;
  /** What they publish does not move. */
  mute(target: ModerationTarget, options?: ModerationOptions): Promise<Moderated>;
  unmute(target: ModerationTarget): Promise<Moderated>;
  /** They leave, and may come back. */
  kick(target: ModerationTarget, options?: { reason?: string }): Promise<Moderated>;
  /** They leave, and may not come back until it ends. */
  ban(target: ModerationTarget, options?: ModerationOptions): Promise<Moderated>;
  unban(target: ModerationTarget): Promise<Moderated>;
  /** With the role `administer`: so many the space takes from now on; who is in it stays. */
  limit(options: { bodies?: number; subscribers?: number }): Promise<Administered>;
  /** Likewise: everybody leaves the space, oneself too. */
  close(): Promise<Administered>;
  /** What holds. */
  list(): Promise<Sanction[]>;
}
