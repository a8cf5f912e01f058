// Props of a space: things without bones, such as chairs, with virtual transforms to use.

import { ProtocolError } from './error.js';
import { Figure } from './figure.js';
import { multiply, rotate } from './quat.js';
import { Skeleton } from './skeleton.js';

const PROPS_MAX = 256;
// From the middle of a seat to the placement of the body on it, in units of the hips height
// (proto/CORE.md, "Bodies": `seat`).
const SEAT_DISTANCE = 0.42 / 0.945;

const isNumbers = (list, count) => Array.isArray(list) && list.length === count &&
  list.every(Number.isFinite);

/** A thing in a space. */
export class Prop {
  #figure;

  /** @param {{name: string, placement: object, descriptor: object}} entry of a `props` message */
  constructor({ name, placement, descriptor }) {
    if (typeof name !== 'string' || !isNumbers(placement?.position, 3) ||
      !Number.isFinite(placement.yaw)) {
      throw new ProtocolError('invalid', 'props: an entry is invalid');
    }
    this.name = name;
    this.placement = { position: [...placement.position], yaw: placement.yaw };
    /** Nodes and virtual transforms; it has no bones. */
    this.skeleton = new Skeleton('', descriptor);
    this.#figure = new Figure(this.skeleton);
  }

  /**
   * Returns a virtual transform in the space.
   *
   * @param {number} index in skeleton.virtualTransforms
   * @returns {{translation: number[], rotation: number[], scale: number[]}}
   */
  virtualTransform(index) {
    const { translation, rotation, scale } = this.#figure.virtualTransform(index);
    const { position, yaw } = this.placement;
    const turn = [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)];
    const at = rotate(turn, 0, translation, 0, [0, 0, 0], 0);
    return { translation: Array.from(at, (x, i) => x + position[i]),
      rotation: Array.from(multiply(turn, 0, rotation, 0, [0, 0, 0, 1], 0)), scale };
  }

  /**
   * Returns the place of a person who sits on a virtual transform tagged `seating`, for
   * Publication.place.
   *
   * @param {number} index in skeleton.virtualTransforms
   * @param {number} [hipsHeight] of the person's skeleton, metres
   * @returns {{position: number[], yaw: number, seat: {height: number}}}
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
 * Reads a `props` message.
 *
 * @returns {Map<string, Prop>} by name
 * @throws {ProtocolError} for an invalid message
 */
export function readProps({ props }) {
  if (!Array.isArray(props) || props.length > PROPS_MAX) {
    throw new ProtocolError('invalid', "props: 'props' is invalid");
  }
  return new Map(props.map((entry) => [entry?.name, new Prop(entry ?? {})]));
}
