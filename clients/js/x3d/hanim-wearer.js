// Applies a body's motion to an H-Anim figure in a running X3D scene of X_ITE. Uses the documented
// fields of HAnimHumanoid and HAnimJoint without importing X_ITE.

import { conjugate, multiply, rotate } from '../quat.js';
/**
 * @import { Numbers } from '../quat.js'
 * @import { Skeleton } from '../skeleton.js'
 */

/**
 * The part of X_ITE's module that is used: constructors of field values.
 *
 * @typedef {object} X3dLike
 * @property {new (x: number, y: number, z: number, angle: number) => any} SFRotation
 * @property {new (x: number, y: number, z: number) => any} SFVec3f
 */

/** Native nodes, and the prototypes of H-Anim 1.0. */
const JOINT = /^(HAnim)?Joint$/;
const HUMANOID = /^(HAnim)?Humanoid$/;
const BRANCHES = ['skeleton', 'humanoidBody', 'children'];
const MOVED = /^(set_)?(rotation|translation|scale)$/;

/** @param {any} node @param {string} field @returns {boolean} */
const hasField = (node, field) =>
  node.getFieldDefinitions().some((/** @type {{ name: string }} */ { name }) => name === field);

/** @param {any} node @returns {any[]} */
const childrenOf = (node) =>
  BRANCHES.flatMap((field) => (hasField(node, field) ? [...node[field]].filter(Boolean) : []));

/**
 * Calls `visit` for a node and all nodes below it.
 *
 * @param {any} node
 * @param {(node: any) => void} visit
 */
function walk(node, visit) {
  visit(node);
  childrenOf(node).forEach((child) => walk(child, visit));
}

/**
 * The H-Anim figures of a scene, in the order of the file.
 *
 * @param {any} scene an X3DScene, for example `browser.currentScene`
 * @returns {any[]} nodes HAnimHumanoid, or Humanoid of H-Anim 1.0
 */
export function findHumanoids(scene) {
  /** @type {any[]} */
  const found = [];
  for (const root of scene.rootNodes) {
    walk(root, (node) => HUMANOID.test(node.getNodeTypeName()) && found.push(node));
  }
  return found;
}

/**
 * The joints of a figure by name, the first of each name.
 *
 * @param {any} humanoid
 * @returns {Map<string, any>}
 */
function jointsOf(humanoid) {
  const joints = new Map();
  walk(humanoid, (node) => {
    if (JOINT.test(node.getNodeTypeName()) && !joints.has(node.name)) {
      joints.set(node.name, node);
    }
  });
  return joints;
}

/**
 * The joint of each posed node of a skeleton; null if the figure lacks one.
 *
 * @param {any} humanoid
 * @param {Skeleton} skeleton
 */
function match(humanoid, skeleton) {
  const joints = jointsOf(humanoid);
  const nodes = [...skeleton.posedNodes];
  return nodes.length > 0 && nodes.every((node) => joints.has(skeleton.nodeNames[node]))
    ? new Map(nodes.map((node) => [node, joints.get(skeleton.nodeNames[node])])) : null;
}

/**
 * Returns whether a figure has all joints that a skeleton moves, so that `HAnimWearer` accepts both.
 *
 * @param {any} humanoid node HAnimHumanoid
 * @param {Skeleton} skeleton
 * @returns {boolean}
 */
export const fitsHumanoid = (humanoid, skeleton) => match(humanoid, skeleton) !== null;

/** Wears the motion of a body on an H-Anim figure, whose skeleton the body has. */
export class HAnimWearer {
  #x3d;
  #humanoid;
  #skeleton;
  #joints;
  #scene;
  /** Routes of the file that moved the joints. @type {any[]} */
  #routes = [];
  #before;
  #place;
  #rotations;
  #part = [0, 0, 0, 1];
  #moved = [0, 0, 0];

  /**
   * Sets all joints to the rest pose of H-Anim, and removes the routes that move them: from now on
   * only this wearer does.
   *
   * @param {X3dLike} X3D X_ITE's module
   * @param {any} scene the X3DScene of the figure, for example `browser.currentScene`
   * @param {any} humanoid node HAnimHumanoid of the scene
   * @param {Skeleton} skeleton of the body: that of the figure's file
   * @throws {Error} if the figure lacks a joint of the skeleton
   */
  constructor(X3D, scene, humanoid, skeleton) {
    const joints = match(humanoid, skeleton);
    if (!joints) {
      throw new Error(`the skeleton '${skeleton.name}' is not that of the figure '${humanoid.name}'`);
    }
    this.#x3d = X3D;
    this.#humanoid = humanoid;
    this.#skeleton = skeleton;
    this.#joints = joints;
    this.#rotations = Array.from(skeleton.rotations);
    // A Humanoid of H-Anim 1.0 may only list nodes of the scene; then it has no place.
    this.#place = hasField(humanoid, 'translation') && hasField(humanoid, 'rotation');
    this.#scene = scene;
    const all = [...jointsOf(humanoid).values()];
    this.#before = [humanoid, ...all].map((node) => ({ node, fields: ['rotation', 'translation', 'scale']
      .filter((field) => hasField(node, field)).map((field) => ({ field, value: node[field].copy() })) }));
    this.#stop(all);
    for (const joint of all) {
      joint.rotation = new X3D.SFRotation(0, 0, 1, 0);
      joint.translation = new X3D.SFVec3f(0, 0, 0);
      joint.scale = new X3D.SFVec3f(1, 1, 1);
    }
  }

  /** Removes the routes to the joints and to the place of the figure. @param {any[]} joints */
  #stop(joints) {
    const moved = new Set([this.#humanoid, ...joints]);
    for (const route of [...this.#scene.routes]) {
      const { sourceNode, sourceField, destinationNode, destinationField } = route;
      if (MOVED.test(destinationField) && moved.has(destinationNode)) {
        this.#routes.push([sourceNode, sourceField, destinationNode, destinationField]);
        this.#scene.deleteRoute(route);
      }
    }
  }

  /**
   * Writes a sample into the joints; the spine bends at each vertebra.
   *
   * @param {{ rotations: Numbers; hips: Numbers }} sample
   */
  wear(sample) {
    const skeleton = this.#skeleton;
    skeleton.localRotations(sample.rotations, this.#rotations);
    for (const [node, joint] of this.#joints) {
      joint.rotation = this.#toRotation(this.#rotations, 4 * node);
    }
    // The center of a joint is fixed; `translation` is the way from there.
    const hips = skeleton.bones[0];
    const joint = this.#joints.get(hips);
    if (joint) {
      skeleton.hipsTranslation(sample.hips, this.#moved);
      const [x, y, z] = this.#moved.map((at, i) => at - skeleton.translations[3 * hips + i]);
      joint.translation = new this.#x3d.SFVec3f(x, y, z);
    }
  }

  /**
   * Moves and turns the figure to the placement of its body.
   *
   * @param {{ position: Numbers; yaw: number }} sample
   */
  place({ position, yaw }) {
    if (!this.#place) {
      return;
    }
    const { rotations, translations, facing, parents, nodeNames } = this.#skeleton;
    const root = nodeNames.findIndex((_, node) => parents[node] < 0);
    const turn = conjugate(facing, 0, [0, 0, 0, 1], 0);
    multiply([0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)], 0, turn, 0, turn, 0);
    const at = rotate(turn, 0, translations, 3 * root, [0, 0, 0], 0);
    multiply(turn, 0, rotations, 4 * root, turn, 0);
    this.#humanoid.translation =
      new this.#x3d.SFVec3f(at[0] + position[0], at[1] + position[1], at[2] + position[2]);
    this.#humanoid.rotation = this.#toRotation(turn, 0);
  }

  /** Returns the figure to the state in which it was, with its own motion. */
  remove() {
    for (const { node, fields } of this.#before) {
      fields.forEach(({ field, value }) => { node[field] = value; });
    }
    this.#routes.splice(0).forEach((route) => this.#scene.addRoute(...route));
  }

  /** @param {Numbers} q @param {number} at */
  #toRotation(q, at) {
    const p = this.#part;
    const sign = q[at + 3] < 0 ? -1 : 1;
    for (let i = 0; i < 4; i++) {
      p[i] = sign * q[at + i];
    }
    const sine = Math.hypot(p[0], p[1], p[2]);
    return sine > 0 ? new this.#x3d.SFRotation(p[0] / sine, p[1] / sine, p[2] / sine, 2 * Math.atan2(sine, p[3]))
      : new this.#x3d.SFRotation(0, 0, 1, 0);
  }
}
