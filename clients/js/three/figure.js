// The figure of one body: the nodes of its skeleton, moved by samples, and a mannequin
// skinned to them; the stool below a body with a seat. An avatar hides the mannequin, but the nodes
// continue to move, because camera and labels read them.

import { Group, LatheGeometry, Matrix4, Mesh, MeshStandardMaterial, Skeleton, SkinnedMesh, Vector2, Vector3 } from 'three';
import { poseObjects } from '../objects.js';
import { plantTree } from './skeleton-mesh.js';
/**
 * @import { ColorRepresentation } from 'three'
 * @import { SkeletonMesh } from './skeleton-mesh.js'
 */

/**
 * The part of a sample that poses and places a figure.
 *
 * @typedef {{ rotations: ArrayLike<number>, hips: ArrayLike<number>, position: ArrayLike<number>,
 *   yaw: number }} Pose
 */

const IDENTITY = new Matrix4();
/** Distance from a body's placement back to the middle of its seat: metres, adult (proto/CORE.md, "Bodies"). */
const SEAT_BEHIND = 0.42;
const CUSHION = new MeshStandardMaterial({ color: 0x3b4456, roughness: 0.75 });
const METAL = new MeshStandardMaterial({ color: 0x9aa4b5, roughness: 0.3, metalness: 0.85 });

/**
 * The mesh that a profile, [radius, height] pairs, makes when it turns about the vertical axis.
 *
 * @param {number[][]} outline
 * @param {MeshStandardMaterial} material
 */
function lathe(outline, material) {
  const points = outline.map(([r, y]) => new Vector2(r, y));
  const mesh = new Mesh(new LatheGeometry(points, 40), material);
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

/** A round stool with its top `height` metres above the floor. @param {number} height */
function makeStool(height) {
  const stool = new Group();
  const thick = Math.min(0.065, 0.4 * height);
  const low = height - thick;
  stool.add(lathe([[0, low], [0.165, low], [0.182, low + 0.2 * thick], [0.188, low + 0.5 * thick],
    [0.18, low + 0.85 * thick], [0.15, height], [0, height]], CUSHION));
  stool.add(lathe([[0, 0], [0.165, 0], [0.172, 0.006], [0.165, 0.013], [0.06, 0.024],
    [0.028, 0.05], [0.024, 0.09], [0.024, Math.max(low, 0.1)], [0.11, low + 0.002]], METAL));
  return stool;
}

/** The mannequin of one body. */
export class Figure {
  #skeletonMesh;
  #nodes;
  #bones;
  /** @type {Map<string, Vector3>} */
  #points = new Map();
  #material;

  /**
   * @param {SkeletonMesh} skeletonMesh borrowed
   * @param {ColorRepresentation} color
   */
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
    /** The mannequin; hidden while an avatar takes its place. */
    this.mesh = new SkinnedMesh(skeletonMesh.geometry, this.#material);
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.group.add(this.mesh);
    this.mesh.bind(new Skeleton(this.#bones, skeletonMesh.boneInverses), IDENTITY);
    /** The stool under a body with a seat. @type {Group | null} */
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

  /**
   * Shows the stool of a seat, or removes it.
   *
   * @param {{ height: number } | null} seat
   */
  setSeat(seat) {
    if (this.stool) {
      this.group.remove(this.stool);
      this.stool.traverse((part) => part instanceof Mesh && part.geometry.dispose());
      this.stool = null;
    }
    if (seat && seat.height > 0) {
      this.stool = makeStool(Math.min(seat.height, 2));
      this.stool.position.z = -SEAT_BEHIND * this.size;
      this.group.add(this.stool);
    }
  }

  /** Whether the mannequin is the simple one. @param {boolean} isCoarse */
  set isCoarse(isCoarse) {
    this.mesh.geometry = isCoarse ? this.#skeletonMesh.coarse : this.#skeletonMesh.geometry;
  }

  /** Applies a sample of the stream. @param {Pose} sample */
  wear(sample) {
    poseObjects(this.#skeletonMesh.skeleton, sample, this.#nodes);
    this.place(sample.position, sample.yaw);
  }

  /**
   * Moves the figure without a change of its pose.
   *
   * @param {ArrayLike<number>} position
   * @param {number} yaw
   */
  place(position, yaw) {
    this.group.position.set(position[0], position[1], position[2]);
    this.group.rotation.y = yaw;
    this.group.updateMatrixWorld(true);
    let i = 0;
    for (const point of this.#points.values())
      point.setFromMatrixPosition(this.#bones[i++].matrixWorld);
  }

  /** The middle of the figure, for cameras. @param {Vector3} out */
  centre(out) {
    const hips = this.#points.get('hips');
    return hips ? out.copy(hips) : out.setFromMatrixPosition(this.group.matrixWorld);
  }

  /** A point above the head, for a label. @param {Vector3} out */
  crown(out) {
    const head = this.#points.get('head');
    if (head)
      return out.copy(head).setY(head.y + 0.34 * this.size);
    return this.centre(out).setY(out.y + 0.9 * this.size);
  }

  /** Removes the figure; the shared mesh stays. */
  dispose() {
    this.setSeat(null);
    this.group.removeFromParent();
    this.mesh.skeleton.dispose();
    this.#material.dispose();
  }
}
