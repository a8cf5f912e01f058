// The bodies of a space move the H-Anim figures of a running X3D scene.

import { HAnimWearer, findHumanoids, fitsHumanoid } from './hanim-wearer.js';
/**
 * @import { PresentBody } from '../body.js'
 * @import { Client } from '../client.js'
 * @import { X3dLike } from './hanim-wearer.js'
 */

/**
 * Each body of a client moves one H-Anim figure of a scene: the first free one whose joints its
 * skeleton has. Bodies without such a figure wait for one.
 */
export class Humanoids {
  #x3d;
  #scene;
  #client;
  #free;
  /** @type {Set<PresentBody>} */
  #waiting = new Set();
  /** @type {Map<PresentBody, { humanoid: any; wearer: HAnimWearer }>} */
  #worn = new Map();
  #enter = (/** @type {PresentBody} */ body) => this.#take(body);
  #leave = (/** @type {PresentBody} */ body) => this.#release(body);

  /**
   * @param {X3dLike} X3D X_ITE's module
   * @param {any} scene an X3DScene, for example `browser.currentScene`
   * @param {Client} client bodies on the skeleton of the figures: start jointcastd with `--skeleton
   *   FILE`, or `connect` with the option `skeleton`
   */
  constructor(X3D, scene, client) {
    this.#x3d = X3D;
    this.#scene = scene;
    this.#client = client;
    this.#free = findHumanoids(scene);
    client.on('enter', this.#enter).on('leave', this.#leave);
    for (const body of client.bodies.values()) {
      if (body.skeleton && !body.hidden && !body.waiting) {
        this.#take(/** @type {PresentBody} */ (body));
      }
    }
  }

  /**
   * The node HAnimHumanoid that each body moves.
   *
   * @returns {Map<PresentBody, any>}
   */
  get worn() {
    return new Map([...this.#worn].map(([body, { humanoid }]) => [body, humanoid]));
  }

  /** Writes the current poses into the figures; call it once for each picture. */
  update() {
    for (const [body, { wearer }] of this.#worn) {
      const sample = body.sample();
      if (sample) {
        wearer.wear(sample);
        wearer.place(sample);
      }
    }
  }

  /** Ends it: all figures return to their state before. The client stays connected. */
  dispose() {
    this.#client.off('enter', this.#enter).off('leave', this.#leave);
    this.#waiting.clear();
    [...this.#worn.keys()].forEach((body) => this.#release(body));
  }

  /** @param {PresentBody} body */
  #take(body) {
    const index = this.#free.findIndex((humanoid) => fitsHumanoid(humanoid, body.skeleton));
    if (index < 0) {
      this.#waiting.add(body);
      return;
    }
    const [humanoid] = this.#free.splice(index, 1);
    this.#waiting.delete(body);
    this.#worn.set(body, { humanoid, wearer: new HAnimWearer(this.#x3d, this.#scene, humanoid, body.skeleton) });
  }

  /** @param {PresentBody} body */
  #release(body) {
    const worn = this.#worn.get(body);
    this.#waiting.delete(body);
    if (worn) {
      this.#worn.delete(body);
      worn.wearer.remove();
      this.#free.push(worn.humanoid);
      [...this.#waiting].forEach((other) => this.#take(other));
    }
  }
}
