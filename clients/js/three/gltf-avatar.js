// A glTF figure in place of a mannequin: it moves with a body on the skeleton of its file.

import { Group, SkinnedMesh, Vector3 } from 'three';
import { GltfWearer } from '../gltf-wearer.js';
import { objectsOfNodes, placeObject } from '../objects.js';
import { Skeleton } from '../skeleton.js';
import { BONES } from '../tables.js';
import { castShadows, disposeInstance, headroomOf } from './avatar.js';
/**
 * @import { GLTF } from 'three/addons/loaders/GLTFLoader.js'
 * @import { PresentBody } from '../body.js'
 * @import { GltfFigure } from '../describe.js'
 * @import { Sample } from '../timeline.js'
 */

/** A glTF figure in place of a mannequin. */
export class GltfAvatar {
  #gltf;
  #figure;
  /** @type {GltfWearer | null} */
  #wearer = null;
  /** @type {Skeleton | null} */
  #worn = null; // the skeleton that the wearer converts from
  #casts = true;
  /** @type {Map<string, Vector3>} */
  #points = new Map();

  /**
   * @param {GLTF} gltf what the loader returned; ownership is transferred
   * @param {GltfFigure} figure of readGltfFigure, for the same file
   * @param {number} count of humanoids in the file; the others are hidden
   */
  constructor(gltf, figure, count) {
    this.#gltf = gltf;
    this.#figure = figure;
    /** Humanoids in the file. @readonly */
    this.count = count;
    /** Descriptor of the skeleton. @readonly */
    this.descriptor = figure.descriptor;
    /** The skeleton of the file. @readonly */
    this.skeleton = new Skeleton('', figure.descriptor);
    /** At the placement of the body. @readonly */
    this.group = new Group();
    /** As of `Avatar`. @readonly */
    this.headroom = headroomOf(gltf.scene,
      /** @type {any} */ (objectsOfNodes(gltf)[figure.nodes[figure.descriptor.bones.head]]));
    this.group.add(gltf.scene);
    castShadows(gltf.scene);
    for (const bone of BONES) {
      if (bone in figure.descriptor.bones) {
        this.#points.set(bone, new Vector3());
      }
    }
  }

  /**
   * Applies a body's sample.
   *
   * @param {Sample} sample
   * @param {number} seconds
   * @param {PresentBody} body
   */
  wear(sample, seconds, body) {
    if (!this.#wearer || body.skeleton !== this.#worn) {
      this.#worn = body.skeleton;
      this.#wearer = new GltfWearer(this.#gltf, this.#figure, body.skeleton);
      this.#hideOthers(new Set(this.#wearer.objects));
    }
    this.#wearer.wear(sample);
    placeObject(this.skeleton, sample, this.group);
    this.group.updateMatrixWorld(true);
  }

  /**
   * Other humanoids of the file do not move; their meshes would stand in the body.
   *
   * @param {Set<unknown>} own
   */
  #hideOthers(own) {
    this.#gltf.scene.traverse((part) => {
      if (part instanceof SkinnedMesh) {
        part.visible = part.skeleton.bones.some((bone) => own.has(bone));
      }
    });
  }

  /** Whether it casts a shadow. @param {boolean} casts */
  set shadow(casts) {
    if (casts !== this.#casts) {
      this.#casts = casts;
      castShadows(this.#gltf.scene, casts);
    }
  }

  /** Maps the names of the avatar's bones to their positions in the space. */
  get points() {
    for (const [bone, point] of this.#points) {
      const object = /** @type {any} */ (this.#wearer?.objects[this.descriptor.bones[bone]]);
      if (object) {
        point.setFromMatrixPosition(object.matrixWorld);
      }
    }
    return this.#points;
  }

  /** Removes the avatar; geometries and textures belong to its file. */
  dispose() {
    this.group.removeFromParent();
    disposeInstance(this.#gltf.scene);
  }
}
