// The view that a client requests of its space, and the skeletons that the server reports for it.

import { VIRTUALS_MAX } from '../chain.js';
import { ProtocolError } from '../error.js';
/**
 * @import { Body } from '../body.js'
 * @import { ChainSection, Precision } from '../chain.js'
 * @import { Line } from './line.js'
 * @import { Skeleton } from '../skeleton.js'
 */

/**
 * Options that set the cost of a stream.
 *
 * @typedef {object} StreamVariant
 * @property {Precision | 'local'} [precision] With codings 2 and 3, how far rotations may be off;
 *   'standard'. 'local': 'fine' in coding 2, where each joint angle is within 0.06 degrees, for
 *   programs that read angles or show only a part of a body.
 * @property {1 | 2 | 4} [rate] With codings 2 and 3, every n-th tick; 1.
 * @property {ChainSection[]} [sections] With codings 2 and 3: the sections of each body; bones of other
 *   sections stay at rest. All but 'virtual'.
 * @property {1 | 2} [ticks] Most ticks in a message; 1. 2: a body alone takes little more than half
 *   of the bytes on the wire, and one interval between packets more of delay.
 * @property {(number | string)[]} [virtual] With codings 2 and 3: at most 15 indices and tags of virtual
 *   transforms; requests section 'virtual'. Without it that section has the first 15.
 *   `Sample.virtualIndices` names what has arrived.
 */

/**
 * Position and direction of a viewer; metres and radians in the space.
 *
 * @typedef {object} Viewpoint
 * @property {[number, number, number]} position
 * @property {number} [yaw] Viewing direction, as an angle about +Y from +Z. Without `yaw` and
 *   `direction`: all around.
 * @property {[number, number, number]} [direction] Viewing direction, of any length.
 * @property {number} [fov] Angle of the viewing cone from edge to edge; 1.745, 100 degrees.
 */

/**
 * The bodies that a client requests, their skeleton and their order of importance.
 *
 * @typedef {object} ViewSelection
 * @property {number[]} [bodies] Only bodies of these ids.
 * @property {number[]} [ignore] None of these.
 * @property {string} [skeleton] The skeleton of all bodies: each body's 'own' (default),
 *   'humanoid', or the skeleton of that hash. If the server has no room for it, the client
 *   transfers the motion itself.
 * @property {boolean} [contacts] Whether standing feet and touching hands are kept on skeletons of
 *   other proportions than the source. Default: as the space has it; with precision 'local': false.
 * @property {number} [budget] Bytes of motion a second; the server reduces the least important
 *   bodies first.
 * @property {Viewpoint[]} [viewpoints] Bodies that are near and in view come in more detail; at
 *   most four viewpoints.
 * @property {number[]} [priority] With viewpoints or a budget, ids of bodies that come before
 *   others; at most 64.
 */

/**
 * The view that a client requests of its space.
 *
 * @typedef {StreamVariant & ViewSelection} ViewOptions
 */

const VIEWPOINT_MS = 34; // thirty a second
const TOLD_MAX = 65536;

/**
 * The view that a client requests of its space, and the skeletons that the server reports for it.
 */
export class View {
  #space;
  #line;
  #wish;
  /**
   * By id: hash of the skeleton, null if the server sends no motion.
   *
   * @type {Map<number, string | null>}
   */
  #worn = new Map();
  /**
   * Indices and tags of the virtual transforms that packets contain.
   *
   * @type {(number | string)[] | null}
   */
  #chosen = null;
  /** Ids. @type {Set<number>} */
  #ignored = new Set();
  #isResting = false; // true until the next viewpoint may be sent
  #isBehind = false; // true if the newest viewpoint is unsent

  /**
   * @param {string} space
   * @param {ViewOptions} options
   * @param {Pick<Line, 'send' | 'after'>} line
   */
  constructor(space, options, line) {
    const {
      precision, rate, ticks, sections, virtual, bodies, ignore, skeleton, budget, viewpoints,
      priority, contacts,
    } = options;
    this.#space = space;
    this.#line = line;
    this.#wish = {
      precision, rate, ticks, sections, virtual, bodies, ignore, skeleton, budget, viewpoints,
      priority, contacts,
    };
  }

  /**
   * Hash of the requested skeleton for all bodies; null if each keeps its own.
   *
   * @returns {string | null}
   */
  get skeleton() {
    const { skeleton } = this.#wish;
    return skeleton === 'own' || skeleton === 'humanoid' ? null : skeleton ?? null;
  }

  /** @param {ViewOptions} wish */
  change(wish) {
    this.#wish = { ...this.#wish, ...wish };
  }

  subscribe() {
    this.#line.send({ type: 'subscribe', space: this.#space, ...this.#wish });
  }

  /** Resets the state for a new connection. */
  reset() {
    this.#worn.clear();
    this.#chosen = null;
    this.#isResting = this.#isBehind = false;
  }

  /**
   * Sends the state that a new connection lacks, for present bodies.
   *
   * @param {ReadonlyMap<number, Body>} bodies
   */
  remind(bodies) {
    for (const id of this.#ignored) {
      if (bodies.has(id)) {
        this.#line.send({ type: 'ignore', space: this.#space, body: id, ignore: true });
      }
    }
  }

  /** @param {Viewpoint[]} viewpoints */
  look(viewpoints) {
    this.#turn({ viewpoints });
  }

  /** @param {number[]} priority */
  favour(priority) {
    this.#turn({ priority });
  }

  /** @param {ViewOptions} wish */
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
      this.#line.send({ type: 'viewpoint', space: this.#space, viewpoints, priority });
      this.#line.after('viewpoint', VIEWPOINT_MS, () => this.#sendViewpoint());
    }
  }

  /**
   * @param {number} id
   * @param {boolean} ignore
   */
  ignore(id, ignore) {
    if (ignore) {
      this.#ignored.add(id);
    } else {
      this.#ignored.delete(id);
    }
    this.#line.send({ type: 'ignore', space: this.#space, body: id, ignore });
  }

  /**
   * Handles a `worn` message.
   *
   * @param {{ space: unknown, bodies: unknown }} message
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
   * Handles a `subscribed` message.
   *
   * @param {{ space: unknown, precision: unknown, virtual?: unknown, ticks: unknown,
   *   delay: unknown }} message
   * @returns {boolean} whether it is about this space
   * @throws {ProtocolError} the view is then unchanged
   */
  grant({ space, precision, virtual, ticks, delay }) {
    if (space !== this.#space) {
      return false;
    }
    if (typeof precision !== 'string' || !Number.isInteger(ticks) || !Number.isInteger(delay) ||
      (virtual !== undefined && (!Array.isArray(virtual) ||
      virtual.length > 2 * VIRTUALS_MAX ||
      !virtual.every((each) => typeof each === 'string' || Number.isInteger(each))))) {
      throw new ProtocolError('invalid', 'subscribed: a field is invalid');
    }
    this.#chosen = virtual ?? null;
    return true;
  }

  /**
   * Indices of the virtual transforms that packets for a skeleton contain, in their order.
   *
   * @param {Skeleton} skeleton
   * @returns {number[]}
   */
  virtualIndices({ virtualTransforms }) {
    const chosen = this.#chosen;
    return virtualTransforms.flatMap(({ tags }, i) =>
      (!chosen || chosen.includes(i) || tags.some((tag) => chosen.includes(tag)) ? [i] : []))
      .slice(0, VIRTUALS_MAX);
  }

  /**
   * Hash of the skeleton of a body's packets.
   *
   * @param {Body} body
   * @returns {string}
   */
  wornBy(body) {
    return this.#worn.get(body.id) ?? body.skeletonHash;
  }

  /**
   * Whether the server sends motion of a body.
   *
   * @param {Body} body
   * @returns {boolean}
   */
  sends(body) {
    return this.#worn.get(body.id) !== null;
  }

  /**
   * Removes the entry of a body that has left.
   *
   * @param {number} id
   */
  forget(id) {
    this.#worn.delete(id);
    this.#ignored.delete(id);
  }
}
