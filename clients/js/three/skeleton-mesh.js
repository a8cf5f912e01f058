// The mannequin mesh of a skeleton, shared by all its bodies: geometry, bones and their
// inverses in the T-pose.

import { Bone, Group, Quaternion, Vector3 } from 'three';
import { BONES } from '../tables.js';
import { makeMannequin } from './mannequin.js';
/**
 * @import { BufferGeometry } from 'three'
 * @import { Skeleton } from '../skeleton.js'
 */

/**
 * Creates the nodes of a skeleton in the rest pose: the root in canonical space, and all nodes.
 *
 * @param {Skeleton} skeleton
 */
export function plantTree(skeleton) {
  const root = new Group();
  root.quaternion.fromArray([...skeleton.facing]).invert();
  /** @type {Bone[]} */
  const nodes = [];
  for (const index of skeleton.order) {
    const node = new Bone();
    node.name = skeleton.nodeNames[index];
    node.position.fromArray(skeleton.translations, 3 * index);
    node.quaternion.fromArray(skeleton.rotations, 4 * index);
    node.scale.fromArray(skeleton.scales, 3 * index);
    (nodes[skeleton.parents[index]] ?? root).add(node);
    nodes[index] = node;
  }
  return { root, nodes };
}

/** Share of the vertices of the simple mannequin. */
const COARSE = 0.4;

/** The mannequin mesh of a skeleton, shared by all its bodies. */
export class SkeletonMesh {
  #rest;
  /** @type {BufferGeometry | null} */
  #coarse = null;

  /** @param {Skeleton} skeleton */
  constructor(skeleton) {
    /** The skeleton of the mesh. @readonly */
    this.skeleton = skeleton;
    /**
     * Bones that the skeleton has, [name, node], in the order of the skin.
     *
     * @type {[string, number][]}
     */
    this.bones = BONES.flatMap((name, bone) => (
      skeleton.bones[bone] >= 0 ? [/** @type {[string, number]} */ ([name, skeleton.bones[bone]])] : []));

    const { root, nodes } = plantTree(skeleton);
    const parent = new Quaternion();
    nodes.forEach((node, index) => {
      node.quaternion.fromArray(skeleton.tPose, 4 * index)
        .premultiply(parent.fromArray(skeleton.parentTPose, 4 * index).invert());
    });
    root.updateMatrixWorld(true);
    /** Inverse of each bone's world matrix in the T-pose. @readonly */
    this.boneInverses = this.bones.map(([, node]) => nodes[node].matrixWorld.clone().invert());
    this.#rest = {
      positions: nodes.map((node) => new Vector3().setFromMatrixPosition(node.matrixWorld)),
      children: nodes.map((node) => node.children.map((child) => nodes.indexOf(/** @type {Bone} */ (child)))),
      bones: new Map(this.bones),
      hipsHeight: skeleton.hipsHeight,
    };
    const { geometry, size } = makeMannequin(this.#rest);
    /** The skinned geometry. @readonly */
    this.geometry = geometry;
    /** Size relative to an adult. */
    this.size = size;
  }

  /** A geometry with a tenth of the triangles, for figures that are far away. */
  get coarse() {
    this.#coarse ??= makeMannequin(this.#rest, COARSE).geometry;
    return this.#coarse;
  }

  /** Frees the geometries. */
  dispose() {
    this.geometry.dispose();
    this.#coarse?.dispose();
  }
}
