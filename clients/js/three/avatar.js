// The common part of all avatars: an avatar takes the place of a mannequin. Does not import
// three-vrm.

import { Mesh, SkinnedMesh, Texture, Vector3 } from 'three';
/**
 * @import { Group, Material, Object3D } from 'three'
 * @import { PresentBody } from '../body.js'
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
 * @property {number} headroom Metres from the joint of the head to the top of head, hair and hat, at rest.
 * @property {(sample: Sample, seconds: number, body: PresentBody, isWhole?: boolean) => void} wear
 *   Applies a sample of the body, `seconds` after the last one; isWhole: with springs and expressions.
 * @property {boolean} shadow Whether it casts a shadow.
 * @property {() => void} dispose
 */

/**
 * Lets the meshes of a loaded figure cast and receive shadows; draws them in each picture.
 *
 * @param {Object3D} root
 * @param {boolean} [casts]
 */
export function castShadows(root, casts = true) {
  root.traverse((part) => {
    if (part instanceof Mesh) {
      part.castShadow = casts;
      part.receiveShadow = true;
      part.frustumCulled = false;
    }
  });
}

/**
 * Whether a vertex moves with one of the bones, by the greatest of its weights.
 *
 * @param {SkinnedMesh} mesh @param {number} vertex @param {Set<Object3D>} bones
 */
function follows({ geometry, skeleton }, vertex, bones) {
  const { skinIndex, skinWeight } = geometry.attributes;
  let most = 0;
  for (let i = 1; i < 4; i++) {
    if (skinWeight.getComponent(vertex, i) > skinWeight.getComponent(vertex, most)) {
      most = i;
    }
  }
  return bones.has(skeleton.bones[skinIndex.getComponent(vertex, most)]);
}

/**
 * Metres from the joint of the head to the highest vertex of the head and of what it carries, in the
 * pose of the loaded figure; 0 without a head.
 *
 * @param {Object3D} root
 * @param {Object3D | null | undefined} head
 */
export function headroomOf(root, head) {
  if (!head) {
    return 0;
  }
  root.updateMatrixWorld(true);
  const point = new Vector3();
  const joint = point.setFromMatrixPosition(head.matrixWorld).y;
  let top = joint;
  /** @type {Set<Object3D>} */
  const carried = new Set();
  head.traverse((part) => carried.add(part));
  root.traverse((part) => {
    if (!(part instanceof Mesh) || !(part instanceof SkinnedMesh || carried.has(part))) {
      return;
    }
    for (let i = 0; i < part.geometry.attributes.position.count; i++) {
      if (!(part instanceof SkinnedMesh) || follows(part, i, carried)) {
        top = Math.max(top, part.getVertexPosition(i, point).applyMatrix4(part.matrixWorld).y);
      }
    }
  });
  return top - joint;
}

/**
 * Calls a function for each mesh, and frees its skeleton and materials, which belong to one
 * instance of a file.
 *
 * @param {Object3D} root
 * @param {(mesh: Mesh, material: Material) => void} [more]
 */
export function disposeInstance(root, more) {
  root.traverse((part) => {
    if (!(part instanceof Mesh)) {
      return;
    }
    if (part instanceof SkinnedMesh) {
      part.skeleton.dispose();
    }
    for (const material of [part.material].flat()) {
      more?.(part, material);
      material.dispose();
    }
  });
}

/** Frees a loaded figure with its geometries and textures. @param {Object3D} root */
export function disposeDeeply(root) {
  disposeInstance(root, (mesh, material) => {
    mesh.geometry.dispose();
    const uniforms = Object.values(/** @type {any} */ (material).uniforms ?? {}).map(({ value }) => value);
    [...Object.values(material), ...uniforms].forEach((value) => value instanceof Texture && value.dispose());
  });
}
