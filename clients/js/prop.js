// Props of a space: things without bones, such as chairs, with virtual transforms to use.

import { ProtocolError } from './error.js';
import { Figure } from './figure.js';
import { multiply, rotate } from './quat.js';
import { Skeleton } from './skeleton.js';
/**
 * @import { Descriptor } from './descriptor.js'
 * @import { Quaternion, Vector } from './quat.js'
 * @import { Transform } from './virtual-transform.js'
 */

const PROPS_MAX = 256;
// From the middle of a seat to the placement of the body on it, in units of the hips height
// (proto/CORE.md, "Bodies": `seat`).
const SEAT_DISTANCE = 0.42 / 0.945;

/** @param {any} list */
const isPosition = (list) => Array.isArray(list) && list.length === 3 && list.every(Number.isFinite);

/** A thing in a space, such as a chair: nodes at rest and virtual transforms, without bones. */
export class Prop {
  #figure;

  /**
   * @param {{ name: string, placement: { position: number[], yaw: number }, descriptor: object }}
   *   entry of a `props` message
   */
  constructor({ name, placement, descriptor }) {
    if (typeof name !== 'string' || !isPosition(placement?.position) ||
      !Number.isFinite(placement.yaw)) {
      throw new ProtocolError('invalid', 'props: an entry is invalid');
    }
    /** Unique in the space. @type {string} @readonly */
    this.name = name;
    /**
     * Position in metres and angle about +Y in radians.
     *
     * @type {{ position: number[]; yaw: number }}
     * @readonly
     */
    this.placement = { position: [...placement.position], yaw: placement.yaw };
    /** Nodes and virtual transforms; it has no bones. @readonly */
    this.skeleton = new Skeleton('', /** @type {Descriptor} */ (descriptor));
    this.#figure = new Figure(this.skeleton);
  }

  /**
   * A virtual transform in the space; the index is that in skeleton.virtualTransforms.
   *
   * @param {number} index in skeleton.virtualTransforms
   * @returns {Transform}
   */
  virtualTransform(index) {
    const { translation, rotation, scale } = this.#figure.virtualTransform(index);
    const { position, yaw } = this.placement;
    const turn = [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)];
    const [x, y, z] = rotate(turn, 0, translation, 0, /** @type {Vector} */ ([0, 0, 0]), 0);
    return { translation: [x + position[0], y + position[1], z + position[2]],
      rotation: multiply(turn, 0, rotation, 0, /** @type {Quaternion} */ ([0, 0, 0, 1]), 0), scale };
  }

  /**
   * The place of a person on a virtual transform tagged `seating`, for Publication.place.
   *
   * @param {number} index in skeleton.virtualTransforms
   * @param {number} [hipsHeight] of the person's skeleton, metres; default 0.945
   * @returns {{ position: [number, number, number]; yaw: number; seat: { height: number } }}
   */
  seat(index, hipsHeight = 0.945) {
    const { translation: [x, y, z], rotation } = this.virtualTransform(index);
    const ahead = rotate(rotation, 0, [0, 0, 1], 0, [0, 0, 0], 0);
    const yaw = Math.atan2(ahead[0], ahead[2]);
    const distance = SEAT_DISTANCE * hipsHeight;
    const floor = this.placement.position[1];
    return { position: [x + distance * Math.sin(yaw), floor, z + distance * Math.cos(yaw)], yaw,
      seat: { height: y - floor } };
  }
}

/**
 * Reads a `props` message: props by name. Throws ProtocolError for an invalid message.
 *
 * @param {{ props: unknown }} message
 * @returns {Map<string, Prop>} by name
 * @throws {ProtocolError} for an invalid message
 */
export function readProps({ props }) {
  if (!Array.isArray(props) || props.length > PROPS_MAX) {
    throw new ProtocolError('invalid', "props: 'props' is invalid");
  }
  return new Map(props.map((entry) => [entry?.name, new Prop(entry ?? {})]));
}
