// Applies a body's motion to a glTF figure loaded by three's GLTFLoader: from any skeleton to the
// skeleton of the file. Does not import three.js.

import { Fitting } from './fitting.js';
import { objectsOfNodes, poseObjects } from './objects.js';
import { Skeleton } from './skeleton.js';
/**
 * @import { GltfFigure } from './describe.js'
 * @import { ObjectLike } from './objects.js'
 */

/**
 * Wears a body's motion on a glTF figure that three's GLTFLoader loaded, whatever skeleton the body
 * has.
 */
export class GltfWearer {
  #nodes;
  #fitting;

  /**
   * Sets the objects of the file to its rest pose. `figure`: of `readGltfFigure`, for the same
   * file.
   *
   * @param {object} gltf what GLTFLoader returned
   * @param {GltfFigure} figure of readGltfFigure, for the same file
   * @param {Skeleton} skeleton of the body
   */
  constructor(gltf, { descriptor, nodes, rest }, skeleton) {
    const objects = objectsOfNodes(gltf);
    objects.forEach((object, i) => {
      const { translation, rotation, scale } = rest[i];
      object.position.set(...translation);
      object.quaternion.set(...rotation);
      object.scale.set(...scale);
    });
    this.#nodes = nodes.map((node) => objects[node]);
    /** The skeleton of the file. @readonly */
    this.skeleton = new Skeleton('', descriptor);
    this.#fitting = new Fitting(skeleton, this.skeleton);
  }

  /**
   * The objects of the skeleton's nodes, with gaps where the scene lacks one.
   *
   * @returns {readonly (ObjectLike | undefined)[]}
   */
  get objects() {
    return this.#nodes;
  }

  /**
   * Writes a sample into the objects.
   *
   * @param {{ rotations: ArrayLike<number>; hips: ArrayLike<number> }} sample
   */
  wear(sample) {
    poseObjects(this.skeleton, this.#fitting.fit(sample), this.#nodes);
  }
}
