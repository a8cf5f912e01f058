// Avatars in place of a mannequin: a VRM moves with a body through three-vrm's normalised bones, a
// glTF figure with EXT_skeleton_humanoid on the skeleton of its file. Both have `group`, `skeleton`,
// `descriptor` and `points`.

import { Group, Vector3 } from 'three';
import { VRMUtils } from '@pixiv/three-vrm';
import { BONES, GltfWearer, Skeleton, VrmWearer, describeVrm, placeObject } from 'jointcast';
import { castShadows } from './stage.js';

export class VrmAvatar {
  #vrm;
  #wearer = null;
  #worn = null; // the skeleton that the wearer converts from
  #points = new Map();
  #fresh = true;
  /** Humanoids in the file. */
  count = 1;

  /** @param {object} gltf what the loader returned, with a VRM; ownership is transferred */
  constructor(gltf) {
    const { vrm } = gltf.userData;
    this.#vrm = vrm;
    this.descriptor = describeVrm(vrm, gltf);
    this.skeleton = new Skeleton('', this.descriptor);
    VRMUtils.rotateVRM0(vrm);
    this.group = new Group();
    this.group.add(vrm.scene);
    castShadows(vrm.scene);
    for (const bone of BONES)
      if (vrm.humanoid.getRawBoneNode(bone))
        this.#points.set(bone, new Vector3());
  }

  /** Applies a body's sample; `seconds` since the last call move the spring bones. */
  wear(sample, seconds, body) {
    if (body.skeleton !== this.#worn) {
      this.#worn = body.skeleton;
      this.#wearer = new VrmWearer(this.#vrm, body.skeleton);
    }
    this.#wearer.wear(sample);
    this.#wearer.express(body, sample);
    this.group.position.fromArray(sample.position);
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
    for (const [bone, point] of this.#points)
      point.setFromMatrixPosition(this.#vrm.humanoid.getRawBoneNode(bone).matrixWorld);
    return this.#points;
  }

  dispose() {
    this.group.removeFromParent();
    VRMUtils.deepDispose(this.#vrm.scene);
  }
}

export class GltfAvatar {
  #gltf;
  #figure;
  #wearer = null;
  #worn = null; // the skeleton that the wearer converts from
  #points = new Map();

  /**
   * @param {object} gltf what the loader returned; ownership is transferred
   * @param {object} figure of readGltfFigure, for the same file
   * @param {number} count of humanoids in the file; the others are hidden
   */
  constructor(gltf, figure, count) {
    this.#gltf = gltf;
    this.count = count;
    this.#figure = figure;
    this.descriptor = figure.descriptor;
    this.skeleton = new Skeleton('', figure.descriptor);
    this.group = new Group();
    this.group.add(gltf.scene);
    castShadows(gltf.scene);
    for (const bone of BONES)
      if (bone in figure.descriptor.bones)
        this.#points.set(bone, new Vector3());
  }

  /** Applies a body's sample. */
  wear(sample, seconds, body) {
    if (body.skeleton !== this.#worn) {
      this.#worn = body.skeleton;
      this.#wearer = new GltfWearer(this.#gltf, this.#figure, body.skeleton);
      this.#hideOthers();
    }
    this.#wearer.wear(sample);
    placeObject(this.skeleton, sample, this.group);
    this.group.updateMatrixWorld(true);
  }

  // Other humanoids of the file do not move; their meshes would stand in the body.
  #hideOthers() {
    const own = new Set(this.#wearer.objects);
    this.#gltf.scene.traverse((part) => {
      if (part.isSkinnedMesh)
        part.visible = part.skeleton.bones.some((bone) => own.has(bone));
    });
  }

  /** Maps the names of the avatar's bones to their positions in the space. */
  get points() {
    for (const [bone, point] of this.#points) {
      const object = this.#wearer?.objects[this.descriptor.bones[bone]];
      if (object)
        point.setFromMatrixPosition(object.matrixWorld);
    }
    return this.#points;
  }

  dispose() {
    this.group.removeFromParent();
    this.#gltf.scene.traverse((part) => {
      part.geometry?.dispose();
      part.skeleton?.dispose();
      for (const material of [part.material ?? []].flat()) {
        Object.values(material).forEach((value) => value?.isTexture && value.dispose());
        material.dispose();
      }
    });
  }
}
