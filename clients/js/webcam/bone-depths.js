// Depths of joints from the lengths of bones. The picture shows where joints are on their rays, the model gives their
// depths less exactly; bones keep the lengths that they have in pictures of an upright person, where they lie across
// the rays. The depths that fit both best are a problem of least squares, solved by Gauss and Newton's method.

import { ABSENT } from '../body-frame.js';
import { NEAREST } from './camera-view.js';
import { LEFT, RIGHT, SIDES } from './landmarks.js';
import { add, dot, scale, size, sub, unit } from './vector.js';
/**
 * @import { Side } from './landmarks.js'
 * @import { Vector } from './vector.js'
 */

/* Standard deviations, metres: of the length of a bone, of the model's depth along a bone, of its depth of a joint. */
const LENGTH = 0.02;
const RELIEF = 0.05;
const DEPTH = 0.5;
const STEPS = 6;
/** Largest change of a depth in one step, metres. */
const STEP_MOST = 0.2;

/** @type {Exclude<keyof Side, 'name'>[]} */
const PARTS = ['shoulder', 'elbow', 'wrist', 'hip', 'knee', 'ankle'];
const JOINTS = SIDES.flatMap((side) => PARTS.map((part) => side[part]));
/**
 * The ends of a bone: the middle of one joint or two.
 *
 * @typedef {[from: number[], to: number[]]} Bone
 */
/** Bones, those of equal length together: shoulders, hips, trunk, then arms and legs. @type {Bone[][]} */
const BONES = [
  [[[RIGHT.shoulder], [LEFT.shoulder]]], [[[RIGHT.hip], [LEFT.hip]]], [[[LEFT.hip, RIGHT.hip], [LEFT.shoulder, RIGHT.shoulder]]],
  .../** @type {typeof PARTS[]} */ ([['shoulder', 'elbow'], ['elbow', 'wrist'], ['hip', 'knee'], ['knee', 'ankle']])
    .map(([from, to]) => SIDES.map((side) => /** @type {Bone} */ ([[side[from]], [side[to]]]))),
];
/** @param {Vector[]} points @param {number[]} joints */
const middleOf = (points, joints) => scale(joints.reduce((sum, joint) => add(sum, points[joint]), [0, 0, 0]), 1 / joints.length);
/** @param {Vector[]} points @param {Bone} bone */
const between = (points, [from, to]) => sub(middleOf(points, to), middleOf(points, from));

/** Landmarks of hands and feet, by the joint with which they move. */
const CARRIERS = new Map(SIDES.flatMap(({ wrist, little, index, thumb, ankle, heel, toe }) =>
  [[little, wrist], [index, wrist], [thumb, wrist], [heel, ankle], [toe, ankle]]));

/** Solves A x = b for a symmetric, positive definite matrix; both are overwritten, b becomes x. @param {number[][]} A @param {number[]} b */
function solve(A, b) {
  for (let i = 0; i < b.length; i++) {
    for (let row = i + 1; row < b.length; row++) {
      const share = A[row][i] / A[i][i];
      for (let column = i; column < b.length; column++) {
        A[row][column] -= share * A[i][column];
      }
      b[row] -= share * b[i];
    }
  }
  for (let i = b.length - 1; i >= 0; i--) {
    for (let column = i + 1; column < b.length; column++) {
      b[i] -= A[i][column] * b[column];
    }
    b[i] /= A[i][i];
  }
  return b;
}

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** The lengths of a person's bones. */
export class BoneDepths {
  /** Measured lengths of each group of BONES. @type {number[][]} */
  #lengths = BONES.map(() => []);

  /**
   * Measures the bones in a picture of an upright person.
   *
   * @param {Vector[]} points of landmarks from the camera
   * @param {number[]} states
   */
  measure(points, states) {
    BONES.forEach((bones, i) => {
      if (bones.flat(2).every((joint) => states[joint] !== ABSENT)) {
        this.#lengths[i].push(bones.reduce((sum, bone) => sum + size(between(points, bone)), 0) / bones.length);
      }
    });
  }

  /**
   * Moves landmarks along their rays, so that bones have their lengths.
   *
   * @param {Vector[]} points of landmarks from the camera, or from the hips: these stay
   * @param {number[]} states
   * @returns {Vector[]}
   */
  fit(points, states) {
    const bones = BONES.flatMap((group, i) => group.filter((bone) => this.#lengths[i].length > 0
      && bone.flat().every((joint) => states[joint] !== ABSENT)).map((ends) => ({ ends, length: median(this.#lengths[i]) })));
    if (bones.length === 0 || !points.every(([, , z]) => z < 0)) {
      return points;
    }
    const depths = points.map(([, , z]) => -z);
    const rays = points.map((point, i) => scale(point, 1 / depths[i]));
    for (let step = 0; step < STEPS; step++) {
      this.#step(bones, points, rays, depths);
    }
    /** @param {number} joint */
    const moved = (joint) => depths[joint] + points[joint][2];
    const face = (moved(LEFT.shoulder) + moved(RIGHT.shoulder)) / 2;
    return rays.map((ray, i) => {
      const carrier = CARRIERS.get(i);
      const more = i < LEFT.shoulder ? face : carrier === undefined ? 0 : moved(carrier);
      return scale(ray, Math.max(NEAREST, depths[i] + more));
    });
  }

  /**
   * Changes the depths of joints by one step.
   *
   * @param {{ ends: Bone, length: number }[]} bones
   * @param {Vector[]} points with the depths of the model
   * @param {Vector[]} rays
   * @param {number[]} depths changed
   */
  #step(bones, points, rays, depths) {
    const A = JOINTS.map((_, i) => JOINTS.map((__, j) => (i === j ? 1 / DEPTH ** 2 : 0)));
    const b = JOINTS.map((joint) => (-points[joint][2] - depths[joint]) / DEPTH ** 2);
    const now = rays.map((ray, i) => scale(ray, depths[i]));
    for (const { ends, length } of bones) {
      const bone = between(now, ends);
      /** Adds a residual along a direction: its derivatives by the depths of the joints. @param {number} residual @param {Vector} direction @param {number} deviation */
      const demand = (residual, direction, deviation) => {
        const parts = ends.flatMap((joints, end) => joints.map((joint) =>
          [JOINTS.indexOf(joint), ((end === 0 ? -1 : 1) * dot(direction, rays[joint])) / joints.length]));
        for (const [i, x] of parts) {
          b[i] -= (x * residual) / deviation ** 2;
          parts.forEach(([j, y]) => { A[i][j] += (x * y) / deviation ** 2; });
        }
      };
      demand(size(bone) - length, unit(bone), LENGTH);
      demand(bone[2] - between(points, ends)[2], [0, 0, 1], RELIEF);
    }
    solve(A, b).forEach((change, i) => { depths[JOINTS[i]] += Math.min(STEP_MOST, Math.max(-STEP_MOST, change)); });
  }
}
