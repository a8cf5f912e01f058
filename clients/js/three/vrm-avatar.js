// A VRM in place of a mannequin: it moves with a body through three-vrm's normalised bones. The only
// module that imports three-vrm; it is loaded with the first VRM.

import { Group, Vector3 } from 'three';
import * as threeVrm from '@pixiv/three-vrm';
import { describeVrm } from '../describe.js';
import { Skeleton } from '../skeleton.js';
import { BONES } from '../tables.js';
import { VrmWearer } from '../vrm.js';
import { castShadows, disposeInstance, headroomOf } from './avatar.js';
/**
 * @import { GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
 * @import { PresentBody } from '../body.js'
 * @import { Sample } from '../timeline.js'
 */

// The declarations of three-vrm need a bundler's resolution of modules.
const { VRMLoaderPlugin, VRMUtils } = /** @type {any} */ (threeVrm);

/** Enables a loader to read VRMs. @param {GLTFLoader} loader */
export function readVrms(loader) {
  loader.register((parser) => new VRMLoaderPlugin(parser));
}

/** A VRM in place of a mannequin. */
export class VrmAvatar {
  /** @type {any} */
  #vrm;
  /** @type {VrmWearer | null} */
  #wearer = null;
  /** @type {Skeleton | null} */
  #worn = null; // the skeleton that the wearer converts from
  #casts = true;
  /** @type {Map<string, Vector3>} */
  #points = new Map();
  #isFresh = true; // the springs are not at the place of the body

  /**
   * @param {GLTF} gltf what the loader returned, with a VRM; ownership is transferred
   */
  constructor(gltf) {
    const { vrm } = gltf.userData;
    if (!vrm?.humanoid?.getNormalizedBoneNode('hips')) {
      throw new Error('its humanoid has no hips');
    }
    this.#vrm = vrm;
    /** Humanoids in the file. @readonly */
    this.count = 1;
    /** Descriptor of the skeleton. @readonly */
    this.descriptor = describeVrm(vrm, gltf);
    /** The skeleton of the file. @readonly */
    this.skeleton = new Skeleton('', this.descriptor);
    VRMUtils.rotateVRM0(vrm);
    /** At the placement of the body. @readonly */
    this.group = new Group();
    /** As of `Avatar`. @readonly */
    this.headroom = headroomOf(vrm.scene, vrm.humanoid.getRawBoneNode('head'));
    this.group.add(vrm.scene);
    castShadows(vrm.scene);
    for (const bone of BONES) {
      if (vrm.humanoid.getRawBoneNode(bone)) {
        this.#points.set(bone, new Vector3());
      }
    }
  }

  /**
   * Applies a body's sample; `seconds` since the last call move the spring bones.
   *
   * @param {Sample} sample
   * @param {number} seconds
   * @param {PresentBody} body
   * @param {boolean} [isWhole] with springs and expressions
   */
  wear(sample, seconds, body, isWhole = true) {
    if (!this.#wearer || body.skeleton !== this.#worn) {
      this.#worn = body.skeleton;
      this.#wearer = new VrmWearer(this.#vrm, body.skeleton);
    }
    this.#wearer.wear(sample);
    const [x, y, z] = sample.position;
    this.group.position.set(x, y, z);
    this.group.rotation.y = sample.yaw;
    if (isWhole) {
      this.#wearer.express(body, sample);
      this.#sway(seconds);
    } else {
      this.#vrm.humanoid.update();
      this.#vrm.nodeConstraintManager?.update();
      this.#isFresh = true;
    }
    this.group.updateMatrixWorld(true);
  }

  /** @param {number} seconds */
  #sway(seconds) {
    if (this.#isFresh) {
      // Hair and cloth start at the position of the body, not at the origin.
      this.#vrm.update(0);
      this.group.updateMatrixWorld(true);
      this.#vrm.springBoneManager?.reset();
      this.#isFresh = false;
    }
    this.#vrm.update(Math.min(seconds, 0.1));
  }

  /** Whether it casts a shadow. @param {boolean} casts */
  set shadow(casts) {
    if (casts !== this.#casts) {
      this.#casts = casts;
      castShadows(this.#vrm.scene, casts);
    }
  }

  /** Maps the names of the avatar's bones to their positions in the space. */
  get points() {
    for (const [bone, point] of this.#points) {
      const node = this.#vrm.humanoid.getRawBoneNode(bone);
      if (node) {
        point.setFromMatrixPosition(node.matrixWorld);
      }
    }
    return this.#points;
  }

  /** Removes the avatar; geometries and textures belong to its file. */
  dispose() {
    this.group.removeFromParent();
    disposeInstance(this.#vrm.scene);
  }
}
