// The view that a client requests of its space, and the skeletons that the server reports for it.

import { VIRTUALS_MAX } from './chain.js';
import { ProtocolError } from './error.js';

const VIEWPOINT_MS = 34; // thirty a second
const TOLD_MAX = 65536;

export class View {
  #space;
  #send;
  #after;
  #wish;
  #worn = new Map(); // by id: hash of the skeleton, null if the server sends no motion
  #chosen = null; // indices and tags of the virtual transforms that packets contain
  #ignored = new Set(); // ids
  #isResting = false; // true until the next viewpoint may be sent
  #isBehind = false; // true if the newest viewpoint is unsent

  /**
   * @param {string} space
   * @param {object} options see client.d.ts, ViewOptions
   * @param {{send: (message: object) => void, after: (ms: number, run: () => void) => void}} line
   */
  constructor(space, options, { send, after }) {
    const {
      precision, rate, sections, virtual, bodies, ignore, skeleton, budget, viewpoints, priority,
    } = options;
    this.#space = space;
    this.#send = send;
    this.#after = after;
    this.#wish = {
      precision, rate, sections, virtual, bodies, ignore, skeleton, budget, viewpoints, priority,
    };
  }

  /** Hash of the requested skeleton for all bodies; null if each keeps its own. */
  get skeleton() {
    const { skeleton } = this.#wish;
    return skeleton === 'own' || skeleton === 'humanoid' ? null : skeleton ?? null;
  }

  change(wish) {
    this.#wish = { ...this.#wish, ...wish };
  }

  subscribe() {
    this.#send({ type: 'subscribe', space: this.#space, ...this.#wish });
  }

  /** Resets the state for a new connection. */
  reset() {
    this.#worn.clear();
    this.#chosen = null;
    this.#isResting = this.#isBehind = false;
  }

  /** Sends the state that a new connection lacks, for present bodies. */
  remind(bodies) {
    for (const id of this.#ignored) {
      if (bodies.has(id)) {
        this.#send({ type: 'ignore', space: this.#space, body: id, ignore: true });
      }
    }
  }

  look(viewpoints) {
    this.#turn({ viewpoints });
  }

  favour(priority) {
    this.#turn({ priority });
  }

  #turn(wish) {
    this.change(wish);
    this.#isBehind = true;
    if (!this.#isResting) {
      this.#sendViewpoint();
    }
  }

  #sendViewpoint() {
    this.#isResting = this.#isBehind;
    if (this.#isBehind) {
      const { viewpoints = [], priority } = this.#wish;
      this.#isBehind = false;
      this.#send({ type: 'viewpoint', space: this.#space, viewpoints, priority });
      this.#after(VIEWPOINT_MS, () => this.#sendViewpoint());
    }
  }

  ignore(id, ignore) {
    if (ignore) {
      this.#ignored.add(id);
    } else {
      this.#ignored.delete(id);
    }
    this.#send({ type: 'ignore', space: this.#space, body: id, ignore });
  }

  /**
   * Applies a `worn` message.
   *
   * @returns {number[]} ids of the bodies in the message
   * @throws {ProtocolError} the view is then unchanged
   */
  tell({ space, bodies }) {
    if (space !== this.#space) {
      return [];
    }
    if (!Array.isArray(bodies) || bodies.length + this.#worn.size > TOLD_MAX ||
      !bodies.every((entry) => Number.isInteger(entry?.id) &&
        (entry.skeleton === null || typeof entry.skeleton === 'string'))) {
      throw new ProtocolError('invalid', "worn: 'bodies' is invalid");
    }
    bodies.forEach(({ id, skeleton }) => this.#worn.set(id, skeleton));
    return bodies.map(({ id }) => id);
  }

  /**
   * Applies a `subscribed` message.
   *
   * @returns {boolean} whether it is about this space
   * @throws {ProtocolError} the view is then unchanged
   */
  grant({ space, precision, virtual }) {
    if (space !== this.#space) {
      return false;
    }
    if (typeof precision !== 'string' || (virtual !== undefined && (!Array.isArray(virtual) ||
      virtual.length > 2 * VIRTUALS_MAX ||
      !virtual.every((each) => typeof each === 'string' || Number.isInteger(each))))) {
      throw new ProtocolError('invalid', 'subscribed: a field is invalid');
    }
    this.#chosen = virtual ?? null;
    return true;
  }

  /** Indices of the virtual transforms that packets for a skeleton contain, in their order. */
  virtualIndices({ virtualTransforms }) {
    const chosen = this.#chosen;
    return virtualTransforms.flatMap(({ tags }, i) =>
      (!chosen || chosen.includes(i) || tags.some((tag) => chosen.includes(tag)) ? [i] : []))
      .slice(0, VIRTUALS_MAX);
  }

  /** Hash of the skeleton of a body's packets. */
  wornBy(body) {
    return this.#worn.get(body.id) ?? body.skeletonHash;
  }

  /** Whether the server sends motion of a body. */
  sends(body) {
    return this.#worn.get(body.id) !== null;
  }

  /** Removes the entry of a body that has left. */
  forget(id) {
    this.#worn.delete(id);
    this.#ignored.delete(id);
  }
}
