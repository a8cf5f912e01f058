// One body on the page: the nodes of its skeleton, bent by samples, and the
// mannequin skinned to them. The mannequin can be hidden while an avatar is
// worn; the nodes go on moving, as everything else reads them.

import { Group, Matrix4, MeshStandardMaterial, Skeleton, SkinnedMesh, Vector3 } from 'three';
import { poseObjects } from 'jointcast';
import { plantTree } from './outfit.js';
import { makeStool } from './stool.js';

const IDENTITY = new Matrix4();
/** How far behind a body's place the middle of its seat is: metres, for an adult (PROTOCOL.md). */
const SEAT_BEHIND = 0.42;

export class Figure {
  #outfit;
  #nodes;
  #bones;
  #points = new Map();
  #material;

  /** `color` is a three.js colour; the outfit is borrowed. */
  constructor(outfit, color) {
    const { root, nodes } = plantTree(outfit.skeleton);
    this.#outfit = outfit;
    this.#nodes = nodes;
    this.#bones = outfit.bones.map(([, node]) => nodes[node]);
    for (const [name] of outfit.bones)
      this.#points.set(name, new Vector3());
    /** Stands where the body stands; +Z is where it faces. */
    this.group = new Group();
    this.group.add(root);
    this.#material = new MeshStandardMaterial({ color, vertexColors: true, roughness: 0.5,
      metalness: 0.02 });
    this.mesh = new SkinnedMesh(outfit.geometry, this.#material);
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.group.add(this.mesh);
    this.mesh.bind(new Skeleton(this.#bones, outfit.boneInverses), IDENTITY);
    this.stool = null;
  }

  /** 1 for an adult. */
  get size() {
    return this.#outfit.size;
  }

  /** Bone name to its place in the space, as of the last update; read only. */
  get points() {
    return this.#points;
  }

  setSeat(seat) {
    if (this.stool) {
      this.group.remove(this.stool);
      this.stool.traverse((part) => part.geometry?.dispose());
      this.stool = null;
    }
    if (seat && seat.height > 0) {
      this.stool = makeStool(Math.min(seat.height, 2));
      this.stool.position.z = -SEAT_BEHIND * this.size;
      this.group.add(this.stool);
    }
  }

  /** Takes on a sample of the stream. */
  wear(sample) {
    poseObjects(this.#outfit.skeleton, sample, this.#nodes);
    this.place(sample.position, sample.yaw);
  }

  place(position, yaw) {
    this.group.position.fromArray(position);
    this.group.rotation.y = yaw;
    this.group.updateMatrixWorld(true);
    let i = 0;
    for (const point of this.#points.values())
      point.setFromMatrixPosition(this.#bones[i++].matrixWorld);
  }

  /** The figure's middle, for cameras. */
  centre(out) {
    const hips = this.#points.get('hips');
    return hips ? out.copy(hips) : out.setFromMatrixPosition(this.group.matrixWorld);
  }

  /** Above the head, for a label. */
  crown(out) {
    const head = this.#points.get('head');
    if (head)
      return out.copy(head).setY(head.y + 0.34 * this.size);
    return this.centre(out).setY(out.y + 0.9 * this.size);
  }

  dispose() {
    this.setSeat(null);
    this.group.removeFromParent();
    this.mesh.skeleton.dispose();
    this.#material.dispose();
  }
}
