// Actions of moderators and administrators (proto/MODULES.md, "Moderation"). Answers to one type of message
// come in the order of the questions; those to `moderate` may wait for the server's disk meanwhile.

import { ProtocolError } from './error.js';

/** The target of an action: a body, or { subject }, { address } or { name }. */
const whom = ({ id, subject, address, name }) =>
  (Number.isInteger(id) ? { body: id } : { subject, address, name });

export class Moderation {
  #space;
  #send;
  #isGreeted = false;
  #asked = { moderate: [], administer: [] };

  /**
   * @param {string} space
   * @param {(message: object) => void} send sends a control message
   */
  constructor(space, send) {
    this.#space = space;
    this.#send = send;
  }

  /** Hides their bodies from all subscribers. */
  hide(target, options) {
    return this.#order('hide', target, options);
  }

  show(target) {
    return this.#order('show', target);
  }

  /** Stops the motion of their bodies. */
  mute(target, options) {
    return this.#order('mute', target, options);
  }

  unmute(target) {
    return this.#order('unmute', target);
  }

  /** Removes them from the space; they may come back. */
  kick(target, { reason } = {}) {
    return this.#order('kick', target, { reason });
  }

  /** Removes them from the space until the ban ends. */
  ban(target, options) {
    return this.#order('ban', target, options);
  }

  unban(target) {
    return this.#order('unban', target);
  }

  /** Lists the sanctions in force. */
  async list() {
    const { sanctions } = await this.#ask({ action: 'list' });
    return sanctions;
  }

  /** Sets how many bodies and subscribers the space takes; present ones stay. */
  limit({ bodies, subscribers }) {
    return this.#ask({ action: 'limit', bodies, subscribers }, 'administer');
  }

  /** Removes all clients from the space, this one too. */
  close() {
    return this.#ask({ action: 'close' }, 'administer');
  }

  #order(action, target, { seconds, reason } = {}) {
    return this.#ask({ action, ...whom(target), seconds, reason });
  }

  #ask(message, type = 'moderate') {
    return new Promise((resolve, reject) => {
      if (!this.#isGreeted) {
        reject(new ProtocolError('lost', 'there is no connection'));
        return;
      }
      this.#asked[type].push({ resolve, reject });
      this.#send({ type, space: this.#space, ...message });
    });
  }

  greet() {
    this.#isGreeted = true;
  }

  /** The connection is lost: it is unknown whether the pending actions took effect. */
  drop() {
    this.#isGreeted = false;
    const error = new ProtocolError('lost', 'the connection was lost before the answer');
    for (const asked of Object.values(this.#asked)) {
      asked.splice(0).forEach(({ reject }) => reject(error));
    }
  }

  /** Handles an answer; returns false for a `moderated` that concerns this client. */
  answered(message) {
    // An action on this client names no target.
    const isAnswer = message.type !== 'moderated' || message.concerned !== undefined;
    if (isAnswer) {
      this.#asked[message.type === 'administered' ? 'administer' : 'moderate'].shift()?.resolve(message);
    }
    return isAnswer;
  }

  /** Handles an `error`; returns whether it answers a pending action. */
  refused({ code, message, ref }) {
    const question = ref === 'moderate' || ref === 'administer' ? this.#asked[ref].shift() : undefined;
    question?.reject(new ProtocolError(String(code), String(message)));
    return question !== undefined;
  }
}
