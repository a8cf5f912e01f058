// Types of the events of a client, and of the server's first message. Contains no code.

/**
 * @import { AvatarAllowance } from '../avatar/avatars.js'
 * @import { Body, PresentBody } from '../body.js'
 * @import { Bundle } from '../bundle.js'
 * @import { Precision } from '../chain.js'
 * @import { ConnectError, ProtocolError } from '../error.js'
 * @import { Moderated } from '../moderation.js'
 * @import { Prop } from '../prop.js'
 * @import { Publication } from '../publication.js'
 * @import { Replays } from '../replay.js'
 * @import { WaitingSource } from './roster.js'
 * @import { Skeleton } from '../skeleton.js'
 */

/**
 * connecting: the socket is being opened; connected: hello was sent; live: the roster has arrived;
 * waiting: the connection dropped and a retry is due; closed: the client has ended.
 *
 * @typedef {'connecting' | 'connected' | 'live' | 'waiting' | 'closed'} ConnectionState
 */

/**
 * A space in `welcome`.
 *
 * @typedef {object} Room
 * @property {string} name
 * @property {number} tickHz Ticks a second.
 * @property {number} bodies Number of bodies in it.
 * @property {number} watched Number of its subscribers.
 * @property {string[]} roles Roles of this client in the space.
 * @property {number} [rewind] Seconds of its rewind buffer.
 * @property {boolean} [recordings] Whether its recordings can be played.
 * @property {boolean} [invite] Whether this client may create invitations to it.
 * @property {Precision} [precision] The finest precision, if the server limits it.
 */

/**
 * Allowances of the connection (proto/CORE.md, "Allowances"); an older server has `message` only.
 *
 * @typedef {object} Limits
 * @property {number} message
 * @property {number} [errors]
 * @property {number} [spaces]
 * @property {number} [publications]
 * @property {number} [ignored]
 * @property {number} [bytes]
 * @property {number} [rosters]
 * @property {number} [keyframes]
 * @property {number} [publishes]
 * @property {number} [amendments]
 * @property {number} [captures]
 * @property {number} [captureBytes]
 * @property {number} [registrations]
 * @property {number} [replays]
 */

/**
 * The fields of `welcome` that this library knows.
 *
 * @typedef {object} WelcomeFields
 * @property {string} protocol
 * @property {string} server Name and version.
 * @property {number} time Microseconds of the server's clock.
 * @property {number} wall The same instant in Unix time, microseconds.
 * @property {{ id: number; name: string }[]} codings
 * @property {string[]} spaces
 * @property {Room[]} [rooms] One for each space.
 * @property {Limits} limits Allowances of the connection.
 * @property {AvatarAllowance} [avatars] What this client may do with avatars.
 */

/**
 * The server's `welcome`. A later version may have more fields.
 *
 * @typedef {WelcomeFields & { [field: string]: unknown }} Welcome
 */

/**
 * Events of a client and their details, by name.
 *
 * @typedef {object} ClientEvents
 * @property {PresentBody} enter A body and its skeleton have arrived, and it is not `waiting`: build
 *   its figure.
 * @property {PresentBody} leave A body has left, or is about to enter again with another skeleton: remove
 *   its figure.
 * @property {PresentBody} change Its name, state, seat, avatar or placement changed, or whether it is `sent`.
 * @property {{ bodies: Map<number, Body>; joined: Body[]; left: Body[]; changed: Body[] }} roster
 *   The roster changed; after `enter`, `leave` and `change`.
 * @property {{ recording: boolean }} recording The server began to record the space, or ended.
 * @property {readonly WaitingSource[]} waiting The sources that wait have changed, or their reasons.
 * @property {ReadonlyMap<string, Prop>} props The props of the space have arrived or changed.
 * @property {Replays} replays The replays of the space have changed.
 * @property {Skeleton} skeleton A skeleton was received; before `enter` of the bodies on it.
 * @property {Welcome} welcome
 * @property {{ precision: Precision; virtual?: (number | string)[]; ticks: number; delay: number }}
 *   subscribed The subscription in force from now on, where it deviates from the request: the server
 *   permits less precision, virtual transforms were chosen, or messages have the bundles of two
 *   ticks: the first waits `delay` microseconds for the second.
 * @property {Publication} unpublished The server removed a body of this client.
 * @property {Pick<Moderated, 'space' | 'action' | 'body' | 'until' | 'reason'>} moderated A
 *   moderator acted on this client; after a kick or a ban the client is closed.
 * @property {{ expires: number }} renewed The new token is in force until `expires` (Unix time in
 *   seconds).
 * @property {Bundle} bundle A bundle was applied. The object is reused for the next one.
 * @property {{ state: ConnectionState; delay?: number; code?: number; reason?: string }} state
 *   `delay` (ms), `code` and `reason` when waiting.
 * @property {Error | ProtocolError | ConnectError} error A damaged message or an `error` of the server
 *   (ProtocolError), or no connection (ConnectError); the client continues unless `state` is
 *   `closed`.
 */

export {};
