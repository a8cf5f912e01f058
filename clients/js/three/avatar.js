// What all avatars have in common: an avatar takes the place of a mannequin. Does not import
// three-vrm.

import { Material, Mesh, SkinnedMesh, Texture } from 'three';
/**
 * @import { Group, Object3D, Vector3 } from 'three'
 * @import { Body } from '../body.js'
 * @import { Descriptor } from '../descriptor.js'
 * @import { Skeleton } from '../skeleton.js'
 * @import { Sample } from '../timeline.js'
 */

/**
 * An avatar in place of a mannequin.
 *
 * @typedef {object} Avatar
 * @property {Group} group At the placement of the body.
 * @property {Skeleton} skeleton Of the file.
 * @property {Descriptor} descriptor Of that skeleton.
 * @property {number} count Humanoids in the file.
 * @property {ReadonlyMap<string, Vector3>} points Positions of its bones in the space, by name.
 * @property {(sample: Sample, seconds: number, body: Body & { readonly skeleton: Skeleton }) => void} wear
 *   Applies a sample of the body, `seconds` after the last one.
 * @property {() => void} dispose
 */

/** Lets the meshes of a loaded figure cast and receive shadows; draws them in each picture. @param {Object3D} root */
export function castShadows(root) {
  root.traverse((part) => {
    if (!(part instanceof Mesh)) {
      return;
    }
    part.castShadow = true;
    part.receiveShadow = true;
    part.frustumCulled = false;
  });
}

/** Frees geometries, skeletons, materials and textures of a loaded figure. @param {Object3D} root */
export function disposeDeeply(root) {
  root.traverse((part) => {
    if (!(part instanceof Mesh)) {
      return;
    }
    part.geometry.dispose();
    if (part instanceof SkinnedMesh) {
      part.skeleton.dispose();
    }
    for (const material of [part.material].flat()) {
      Object.values(material).forEach((value) => value instanceof Texture && value.dispose());
      if (material instanceof Material) {
        material.dispose();
      }
    }
  });
}
