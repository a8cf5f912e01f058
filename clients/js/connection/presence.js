// Announces bodies to the user of the library: `enter` when the skeleton of a body is known and the
// body is not `waiting`, `leave` and `enter` when the skeleton changes.

import { ProtocolError } from '../error.js';
import { Fitting } from '../fitting.js';
import { Skeleton } from '../skeleton.js';
/**
 * @import { Body, MutableBody, PresentBody } from '../body.js'
 * @import { View } from './view.js'
 * @import { ClientEvents } from './events.js'
 */

const SKELETONS_MAX = 256;

/** Decides when the user of the library sees a body. */
export class Presence {
  #bodies;
  #view;
  #emit;
  /** Announced bodies, with the skeleton at that time. @type {Map<Body, Skeleton>} */
  #entered = new Map();

  /**
   * @param {ReadonlyMap<number, Body>} bodies of the space
   * @param {View} view
   * @param {<K extends 'enter' | 'leave' | 'change' | 'skeleton'>(event: K, value: ClientEvents[K]) => void} emit
   */
  constructor(bodies, view, emit) {
    this.#bodies = bodies;
    this.#view = view;
    this.#emit = emit;
    /** By hash. @type {Map<string, Skeleton>} */
    this.skeletons = new Map();
  }

  /**
   * Handles a `skeleton` message.
   *
   * @param {any} message
   */
  dress({ hash, descriptor }) {
    if (typeof hash !== 'string') {
      throw new ProtocolError('invalid', 'a skeleton has no hash');
    }
    if (!this.skeletons.has(hash)) {
      const skeleton = new Skeleton(hash, descriptor);
      this.#forgetSkeletons();
      this.skeletons.set(hash, skeleton);
      this.#emit('skeleton', skeleton);
    }
    for (const body of this.#bodies.values()) {
      if (!body.skeleton && this.#view.wornBy(body) === hash) {
        this.present(body);
      }
    }
  }

  /**
   * Handles a `worn` message.
   *
   * @param {any} message
   */
  wear(message) {
    for (const id of this.#view.tell(message)) {
      const body = this.#bodies.get(id);
      if (body) {
        this.present(body);
      }
    }
  }

  /**
   * Handles a `subscribed` message; returns whether it is about this space.
   *
   * @param {any} message
   */
  grant(message) {
    const isOurs = this.#view.grant(message);
    if (isOurs) {
      this.reset();
    }
    return isOurs;
  }

  /** Updates the virtual transforms of all bodies, after the view has changed. */
  reset() {
    this.#bodies.forEach((body) => this.#choose(body));
  }

  /** @param {MutableBody} body */
  #choose(body) {
    body.virtualIndices = body.packed ? this.#view.virtualIndices(body.packed) : [];
  }

  /**
   * Announces a body that is not `waiting` if its skeleton is known; announces it again for another
   * skeleton.
   *
   * @param {Body} body
   */
  present(body) {
    const packed = this.skeletons.get(this.#view.wornBy(body)) ?? null;
    // If the server had no capacity for the requested skeleton, the client retargets.
    const skeleton = packed && (this.skeletons.get(this.#view.skeleton ?? '') ?? packed);
    const shown = this.#entered.get(body);
    /** @type {MutableBody} */
    const entry = body;
    entry.sent = this.#view.sends(body);
    if (packed !== body.packed || skeleton !== body.skeleton) {
      body.timeline.clear();
      entry.packed = packed;
      entry.fitting = !packed || !skeleton || packed === skeleton ? null : new Fitting(packed, skeleton);
      this.#choose(body);
    }
    const isShown = !body.hidden && !body.waiting;
    if (shown && shown === skeleton && isShown) {
      this.#emit('change', /** @type {PresentBody} */ (body));
      return;
    }
    this.#leave(body);
    entry.skeleton = skeleton;
    if (skeleton && isShown) {
      this.#entered.set(body, skeleton);
      this.#emit('enter', /** @type {PresentBody} */ (body));
    }
  }

  /**
   * Removes a body that left the space.
   *
   * @param {Body} body
   */
  forget(body) {
    this.#view.forget(body.id);
    this.#leave(body);
  }

  /** @param {Body} body */
  #leave(body) {
    if (this.#entered.delete(body)) {
      this.#emit('leave', /** @type {PresentBody} */ (body));
    }
  }

  #forgetSkeletons() {
    if (this.skeletons.size < SKELETONS_MAX) {
      return;
    }
    const worn = new Set([...this.#bodies.values()].flatMap((body) =>
      [body.skeletonHash, this.#view.wornBy(body), body.skeleton?.hash]));
    for (const hash of this.skeletons.keys()) {
      if (!worn.has(hash) && hash !== this.#view.skeleton) {
        this.skeletons.delete(hash);
      }
    }
  }
}
