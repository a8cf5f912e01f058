// Actions of moderators and administrators (proto/MODULES.md, "Moderation"). Answers to one type of message
// come in the order of the questions; those to `moderate` may wait for the server's disk meanwhile.

import { takeAsked } from './connection/asked.js';
import { ProtocolError } from './error.js';
/** @import { Body } from './body.js' */

/**
 * The target of an action: the publisher of a body, or a subject, address or name.
 *
 * @typedef {Body | { id: number } | { subject: string } | { address: string } | { name: string }}
 *   ModerationTarget
 */

/**
 * The target of a block: the avatar that a body wears, or one by its hash.
 *
 * @typedef {Body | { id: number } | { avatar: string }} AvatarTarget
 */

/**
 * Duration and reason of an action.
 *
 * @typedef {object} ModerationOptions
 * @property {number} [seconds] Duration; default unlimited.
 * @property {string} [reason] Reason, for the clients concerned and the log; at most 255 bytes.
 */

/**
 * The result of an action.
 *
 * @typedef {object} Moderated
 * @property {string} space
 * @property {'hide' | 'show' | 'mute' | 'unmute' | 'kick' | 'ban' | 'unban' | 'block' | 'unblock' | 'close'} action
 * @property {number} [body]
 * @property {string} [subject]
 * @property {string} [address]
 * @property {string} [name]
 * @property {string} [avatar]
 * @property {number} [until] Unix time in seconds.
 * @property {string} [reason]
 * @property {boolean} [stored] True: the action is on disk. False: it holds, but a restart of the
 *   server may end it.
 * @property {number} concerned Number of connections that the action concerns.
 */

/**
 * The limits of the space.
 *
 * @typedef {object} Administered
 * @property {string} space
 * @property {'limit' | 'close'} action
 * @property {number} bodies
 * @property {number} subscribers
 */

/**
 * A sanction in force.
 *
 * @typedef {object} Sanction
 * @property {'hide' | 'mute' | 'ban' | 'block'} kind
 * @property {string} [subject]
 * @property {string} [address]
 * @property {string} [name]
 * @property {string} [avatar]
 * @property {string} by
 * @property {number} since
 * @property {number} [until]
 * @property {string} [reason]
 */

/** @param {any} target a ModerationTarget or an AvatarTarget */
const whom = ({ id, subject, address, name, avatar }) =>
  (Number.isInteger(id) ? { body: id } : { subject, address, name, avatar });

/**
 * Moderation of a client's space; requires the role `moderate`, for `limit` and `close` the role
 * `administer`. Each call rejects with a ProtocolError if the server refuses it.
 */
export class Moderation {
  #space;
  #send;
  #isGreeted = false;
  #count = 0;
  /**
   * Unanswered actions, by type.
   *
   * @type {Record<'moderate' | 'administer', { request: string, resolve: (answer: any) => void, reject: (error: unknown) => void }[]>}
   */
  #asked = { moderate: [], administer: [] };

  /**
   * @param {string} space
   * @param {(message: object) => void} send sends a control message
   */
  constructor(space, send) {
    this.#space = space;
    this.#send = send;
  }

  /**
   * Hides their bodies from all subscribers.
   *
   * @param {ModerationTarget} target
   * @param {ModerationOptions} [options]
   * @returns {Promise<Moderated>}
   */
  hide(target, options) {
    return this.#order('hide', target, options);
  }

  /**
   * Ends `hide`.
   *
   * @param {ModerationTarget} target
   * @returns {Promise<Moderated>}
   */
  show(target) {
    return this.#order('show', target);
  }

  /**
   * Stops the motion of their bodies.
   *
   * @param {ModerationTarget} target
   * @param {ModerationOptions} [options]
   * @returns {Promise<Moderated>}
   */
  mute(target, options) {
    return this.#order('mute', target, options);
  }

  /**
   * Ends `mute`.
   *
   * @param {ModerationTarget} target
   * @returns {Promise<Moderated>}
   */
  unmute(target) {
    return this.#order('unmute', target);
  }

  /**
   * Removes them from the space; they may come back.
   *
   * @param {ModerationTarget} target
   * @param {{ reason?: string }} [options]
   * @returns {Promise<Moderated>}
   */
  kick(target, { reason } = {}) {
    return this.#order('kick', target, { reason });
  }

  /**
   * Removes them from the space until the ban ends.
   *
   * @param {ModerationTarget} target
   * @param {ModerationOptions} [options]
   * @returns {Promise<Moderated>}
   */
  ban(target, options) {
    return this.#order('ban', target, options);
  }

  /**
   * Ends `ban`.
   *
   * @param {ModerationTarget} target
   * @returns {Promise<Moderated>}
   */
  unban(target) {
    return this.#order('unban', target);
  }

  /**
   * Takes an avatar off all bodies of the space, and keeps it off.
   *
   * @param {AvatarTarget} target
   * @param {ModerationOptions} [options]
   * @returns {Promise<Moderated>}
   */
  block(target, options) {
    return this.#order('block', target, options);
  }

  /**
   * Ends `block`.
   *
   * @param {AvatarTarget} target
   * @returns {Promise<Moderated>}
   */
  unblock(target) {
    return this.#order('unblock', target);
  }

  /** Lists the sanctions in force. @returns {Promise<Sanction[]>} */
  async list() {
    const { sanctions } = await this.#ask({ action: 'list' });
    return sanctions;
  }

  /**
   * Sets how many bodies and subscribers the space takes; present ones stay. Requires `administer`.
   *
   * @param {{ bodies?: number; subscribers?: number }} options
   * @returns {Promise<Administered>}
   */
  limit({ bodies, subscribers }) {
    return this.#ask({ action: 'limit', bodies, subscribers }, 'administer');
  }

  /**
   * Closes the space: every client leaves it, this one too. Requires `administer`.
   *
   * @returns {Promise<Administered>}
   */
  close() {
    return this.#ask({ action: 'close' }, 'administer');
  }

  /**
   * @param {Moderated['action']} action
   * @param {ModerationTarget | AvatarTarget} target
   * @param {ModerationOptions} [options]
   * @returns {Promise<Moderated>}
   */
  #order(action, target, { seconds, reason } = {}) {
    return this.#ask({ action, ...whom(target), seconds, reason });
  }

  /** @param {object} message @param {'moderate' | 'administer'} [type] @returns {Promise<any>} */
  #ask(message, type = 'moderate') {
    return new Promise((resolve, reject) => {
      if (!this.#isGreeted) {
        reject(new ProtocolError('lost', 'there is no connection'));
        return;
      }
      const request = `${type} ${++this.#count}`;
      this.#asked[type].push({ request, resolve, reject });
      this.#send({ type, space: this.#space, ...message, request });
    });
  }

  /** @internal */
  greet() {
    this.#isGreeted = true;
  }

  /** The connection is lost: it is unknown whether the pending actions took effect. @internal */
  drop() {
    this.#isGreeted = false;
    const error = new ProtocolError('lost', 'the connection was lost before the answer');
    for (const asked of Object.values(this.#asked)) {
      asked.splice(0).forEach(({ reject }) => reject(error));
    }
  }

  /**
   * Handles an answer.
   *
   * @param {any} message
   * @internal
   */
  answered(message) {
    takeAsked(this.#asked[message.type === 'administered' ? 'administer' : 'moderate'], message)?.resolve(message);
  }

  /**
   * Handles an `error`; returns whether it answers a pending action.
   *
   * @param {any} error
   * @internal
   */
  refused(error) {
    const { code, message, ref } = error;
    const question = ref === 'moderate' ? takeAsked(this.#asked.moderate, error)
      : ref === 'administer' ? takeAsked(this.#asked.administer, error) : undefined;
    question?.reject(new ProtocolError(String(code), String(message)));
    return question !== undefined;
  }
}
