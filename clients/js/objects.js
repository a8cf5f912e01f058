// Writes samples into scene graphs: three.js objects, or other objects with `.set(…)` on
// `.position` and `.quaternion`. Does not import three.js.

import { conjugate, multiply } from './quat.js';
/**
 * @import { Viewpoint } from './connection/view.js'
 * @import { Skeleton } from './skeleton.js'
 */

/**
 * Anything like a three.js Object3D.
 *
 * @typedef {object} ObjectLike
 * @property {{ set(x: number, y: number, z: number): unknown }} position
 * @property {{ set(x: number, y: number, z: number, w: number): unknown }} quaternion
 */

const q = new Float64Array(4);
const v = new Float64Array(3);
const turn = new Float64Array(4);
let locals = new Float64Array(0); // of the largest skeleton so far

/**
 * Creates one object for each node of a skeleton in the rest pose, and adds children to parents.
 *
 * @template {ObjectLike & { scale: { set(x: number, y: number, z: number): unknown }; add(child:
 *   any): unknown }} T
 * @param {Skeleton} skeleton
 * @param {(name: string, node: number) => T} create e.g. `() => new THREE.Bone()`
 * @returns {T[]} by node index
 */
export function buildObjects(skeleton, create) {
  const { rotations: r, translations: t, scales: s } = skeleton;
  const objects = skeleton.nodeNames.map((name, i) => {
    const object = create(name, i);
    object.quaternion.set(r[4 * i], r[4 * i + 1], r[4 * i + 2], r[4 * i + 3]);
    object.position.set(t[3 * i], t[3 * i + 1], t[3 * i + 2]);
    object.scale.set(s[3 * i], s[3 * i + 1], s[3 * i + 2]);
    return object;
  });
  skeleton.parents.forEach((parent, i) => objects[parent]?.add(objects[i]));
  return objects;
}

/**
 * Writes a sample into the objects of a skeleton's nodes. The spine of an H-Anim figure bends at
 * each vertebra.
 *
 * @param {Skeleton} skeleton
 * @param {{ rotations: ArrayLike<number>; hips: ArrayLike<number> }} sample
 * @param {ArrayLike<ObjectLike | undefined>} objects by node index; may have gaps
 */
export function poseObjects(skeleton, sample, objects) {
  if (locals.length < 4 * skeleton.nodeCount) {
    locals = new Float64Array(4 * skeleton.nodeCount);
  }
  skeleton.localRotations(sample.rotations, locals);
  for (const node of skeleton.posedNodes) {
    const at = 4 * node;
    objects[node]?.quaternion.set(locals[at], locals[at + 1], locals[at + 2], locals[at + 3]);
  }
  const hips = objects[skeleton.bones[0]];
  if (hips) {
    skeleton.hipsTranslation(sample.hips, v);
    hips.position.set(v[0], v[1], v[2]);
  }
}

/**
 * Moves and turns the parent object of a figure to the placement of its body.
 *
 * @param {Skeleton} skeleton
 * @param {{ position: ArrayLike<number>; yaw: number }} sample
 * @param {ObjectLike} object parent of the skeleton's root nodes
 */
export function placeObject(skeleton, sample, object) {
  conjugate(skeleton.facing, 0, q, 0);
  turn[1] = Math.sin(sample.yaw / 2);
  turn[3] = Math.cos(sample.yaw / 2);
  multiply(turn, 0, q, 0, q, 0);
  object.quaternion.set(q[0], q[1], q[2], q[3]);
  object.position.set(sample.position[0], sample.position[1], sample.position[2]);
}

/**
 * Returns the viewpoint of a perspective camera of three.js. Its matrixWorld must be current.
 *
 * @param {{ matrixWorld: { elements: ArrayLike<number> }; fov: number; aspect: number }} camera
 * @returns {Viewpoint}
 */
export function viewpointOf({ matrixWorld: { elements: m }, fov, aspect }) {
  // The angle between opposite corners. A camera looks along its -Z axis.
  const corner = Math.tan((fov * Math.PI) / 360) * Math.hypot(1, aspect);
  return { position: [m[12], m[13], m[14]], direction: [-m[8], -m[9], -m[10]],
    fov: 2 * Math.atan(corner) };
}

/**
 * Returns the objects that three's GLTFLoader made of the nodes of a file, by node index, with
 * gaps.
 *
 * @param {any} gltf what the loader returned
 * @returns {any[]}
 */
export function objectsOfNodes({ parser }) {
  const objects = [];
  for (const [object, entry] of parser?.associations ?? []) { // without an entry: a texture of another parser
    if (object.isObject3D && entry?.nodes !== undefined) {
      objects[entry.nodes] = object;
    }
  }
  return objects;
}
