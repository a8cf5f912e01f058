// A VRM in place of a mannequin: it moves with a body through three-vrm's normalised bones. The only
// module that imports three-vrm; it is loaded with the first VRM.

import { Group, Vector3 } from 'three';
import * as threeVrm from '@pixiv/three-vrm';
import { describeVrm } from '../describe.js';
import { Skeleton } from '../skeleton.js';
import { BONES } from '../tables.js';
import { VrmWearer } from '../vrm.js';
import { castShadows } from './avatar.js';
/**
 * @import { GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
 * @import { Body } from '../body.js'
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
  /** @type {Map<string, Vector3>} */
  #points = new Map();
  #fresh = true;

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
   * @param {Body & { readonly skeleton: Skeleton }} body
   */
  wear(sample, seconds, body) {
    if (!this.#wearer || body.skeleton !== this.#worn) {
      this.#worn = body.skeleton;
      this.#wearer = new VrmWearer(this.#vrm, body.skeleton);
    }
    this.#wearer.wear(sample);
    this.#wearer.express(body, sample);
    const [x, y, z] = sample.position;
    this.group.position.set(x, y, z);
    this.group.rotation.y = sample.yaw;
    if (this.#fresh) {
      // Hair and cloth start at the position of the body, not at the origin.
      this.#vrm.update(0);
      this.group.updateMatrixWorld(true);
      this.#vrm.springBoneManager?.reset();
      this.#fresh = false;
    }
    this.#vrm.update(Math.min(seconds, 0.1));
    this.group.updateMatrixWorld(true);
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

  /** Removes the avatar and frees its resources. */
  dispose() {
    this.group.removeFromParent();
    VRMUtils.deepDispose(this.#vrm.scene);
  }
}
