// The figure of one body: the nodes of its skeleton, moved by samples, and a mannequin
// skinned to them. An avatar hides the mannequin, but the nodes continue to move, because
// camera and labels read them.

import { Group, Matrix4, MeshStandardMaterial, Skeleton, SkinnedMesh, Vector3 } from 'three';
import { poseObjects } from 'jointcast';
import { plantTree } from './skeleton-mesh.js';
import { makeStool } from './stool.js';

const IDENTITY = new Matrix4();
/** Distance from a body's placement back to the middle of its seat: metres, adult (PROTOCOL.md). */
const SEAT_BEHIND = 0.42;

export class Figure {
  #skeletonMesh;
  #nodes;
  #bones;
  #points = new Map();
  #material;

  /** `color` is a three.js colour; the mesh is borrowed. */
  constructor(skeletonMesh, color) {
    const { root, nodes } = plantTree(skeletonMesh.skeleton);
    this.#skeletonMesh = skeletonMesh;
    this.#nodes = nodes;
    this.#bones = skeletonMesh.bones.map(([, node]) => nodes[node]);
    for (const [name] of skeletonMesh.bones)
      this.#points.set(name, new Vector3());
    /** At the placement of the body; +Z is its forward direction. */
    this.group = new Group();
    this.group.add(root);
    this.#material = new MeshStandardMaterial({ color, vertexColors: true, roughness: 0.5,
      metalness: 0.02 });
    this.mesh = new SkinnedMesh(skeletonMesh.geometry, this.#material);
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.group.add(this.mesh);
    this.mesh.bind(new Skeleton(this.#bones, skeletonMesh.boneInverses), IDENTITY);
    this.stool = null;
  }

  /** Size relative to an adult. */
  get size() {
    return this.#skeletonMesh.size;
  }

  /** Maps bone names to positions in the space after the last update; read only. */
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

  /** Applies a sample of the stream. */
  wear(sample) {
    poseObjects(this.#skeletonMesh.skeleton, sample, this.#nodes);
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

  /** The middle of the figure, for cameras. */
  centre(out) {
    const hips = this.#points.get('hips');
    return hips ? out.copy(hips) : out.setFromMatrixPosition(this.group.matrixWorld);
  }

  /** A point above the head, for a label. */
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
