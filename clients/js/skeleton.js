// Skeletons of bodies (proto/SKELETONS.md, "Skeleton descriptors"): rest pose, T-pose, and the node transforms
// for a sample.

import { BONES } from './tables.js';
import { ProtocolError } from './error.js';
import { compose, invertLinear, multiply as multiplyMatrices } from './matrix.js';
import { conjugate, multiply, normalize, rotate } from './quat.js';
import { findSpine, splitSpine } from './spine.js';
import { readVirtualTransforms } from './virtual-transform.js';

const NODES_MAX = 8192;
const COORDINATE_MAX = 1e6;
const FEET = ['leftFoot', 'leftToes', 'rightFoot', 'rightToes'];
const BONE_INDEX = new Map(BONES.map((name, index) => [name, index]));

function invalid(where) {
  return new ProtocolError('invalid', `skeleton descriptor: '${where}' is invalid`);
}

/** Copies `length` finite numbers into `out` at `offset`, or the fallback if they are missing. */
function readNumbers(value, fallback, out, offset, where) {
  const from = value === undefined ? fallback : value;
  if (!Array.isArray(from) || from.length !== fallback.length) {
    throw invalid(where);
  }
  for (let i = 0; i < fallback.length; i++) {
    if (typeof from[i] !== 'number' || !(Math.abs(from[i]) <= COORDINATE_MAX)) {
      throw invalid(where);
    }
    out[offset + i] = from[i];
  }
}

function readRotation(value, out, offset, where) {
  readNumbers(value, [0, 0, 0, 1], out, offset, where);
  const length = Math.hypot(out[offset], out[offset + 1], out[offset + 2], out[offset + 3]);
  if (!(Math.abs(length - 1) <= 1e-3)) {
    throw invalid(where);
  }
  normalize(out, offset, out, offset);
}

/** The height of the ground in the descriptor, NaN if it is missing. */
function readFloor(floor) {
  if (floor === undefined) {
    return NaN;
  }
  if (typeof floor !== 'number' || !(Math.abs(floor) <= COORDINATE_MAX)) {
    throw invalid('floor');
  }
  return floor;
}

/** One registered skeleton, shared by all its bodies and immutable. */
export class Skeleton {
  #before = new Float64Array(4 * BONES.length);
  #after = new Float64Array(4 * BONES.length);

  /**
   * @param {string} hash identifies it in messages
   * @param {object} descriptor as in a `skeleton` message
   * @throws {ProtocolError} for an invalid descriptor
   */
  constructor(hash, descriptor) {
    if (typeof descriptor !== 'object' || descriptor === null) {
      throw invalid('descriptor');
    }
    this.hash = hash;
    this.descriptor = descriptor;
    this.name = typeof descriptor.name === 'string' ? descriptor.name : '';
    this.#readNodes(descriptor.nodes);
    this.#readBones(descriptor.bones);
    /** Rotation from canonical space to the skeleton's model space. */
    this.facing = new Float64Array(4);
    readRotation(descriptor.facing, this.facing, 0, 'facing');
    this.#poseRest();
    this.#poseT(descriptor.corrections);
    this.#measure(descriptor);
    this.#placeHips();
    this.#readOffsets(descriptor.offsets);
    this.#prepare();
    /** Virtual transforms with all fields; `Figure.virtualTransform` evaluates them. */
    this.virtualTransforms = readVirtualTransforms(descriptor.virtualTransforms, this.nodeCount);
    /** Vertebrae that share the rotation of a bone: {bone, nodes, weights}, H-Anim only. */
    this.spine = findSpine(this);
    /** The nodes that a pose rotates: those of the bones, and vertebrae between them. */
    this.posedNodes = Int32Array.from(new Set([...this.bones.filter((node) => node >= 0),
      ...this.spine.flatMap(({ nodes }) => nodes)]));
  }

  #readNodes(nodes) {
    if (!Array.isArray(nodes) || nodes.length === 0 || nodes.length > NODES_MAX) {
      throw invalid('nodes');
    }
    const count = nodes.length;
    this.nodeCount = count;
    /** @type {string[]} */
    this.nodeNames = [];
    /** Parent of each node, -1 for none. */
    this.parents = new Int32Array(count);
    /** Local rest pose of each node: four, three and three numbers a node. */
    this.rotations = new Float64Array(4 * count);
    this.translations = new Float64Array(3 * count);
    this.scales = new Float64Array(3 * count);
    nodes.forEach((node, i) => {
      const where = `nodes[${i}]`;
      const parent = node?.parent ?? -1;
      if (typeof node !== 'object' || node === null) {
        throw invalid(where);
      }
      if (!Number.isInteger(parent) || parent < -1 || parent >= count) {
        throw invalid(`${where}.parent`);
      }
      this.nodeNames.push(typeof node.name === 'string' ? node.name : '');
      this.parents[i] = parent;
      readNumbers(node.translation, [0, 0, 0], this.translations, 3 * i, `${where}.translation`);
      readRotation(node.rotation, this.rotations, 4 * i, `${where}.rotation`);
      readNumbers(node.scale, [1, 1, 1], this.scales, 3 * i, `${where}.scale`);
    });
    this.#order();
  }

  #order() {
    const children = Array.from({ length: this.nodeCount }, () => []);
    const order = [];
    this.parents.forEach((parent, i) => (parent < 0 ? order : children[parent]).push(i));
    for (let i = 0; i < order.length; i++) {
      for (const child of children[order[i]]) {
        order.push(child);
      }
    }
    if (order.length < this.nodeCount) {
      throw invalid('nodes'); // the remaining nodes form a cycle
    }
    /** All nodes, parents before children. */
    this.order = Int32Array.from(order);
  }

  #readBones(bones) {
    if (typeof bones !== 'object' || bones === null) {
      throw invalid('bones');
    }
    /** Node of each bone in the order of BONES, -1 where the skeleton lacks it. */
    this.bones = new Int32Array(BONES.length).fill(-1);
    /** Bone of each node, -1 for the others. */
    this.boneOfNode = new Int32Array(this.nodeCount).fill(-1);
    for (const [name, node] of Object.entries(bones)) {
      const bone = BONE_INDEX.get(name);
      if (bone === undefined) {
        continue;
      }
      if (!Number.isInteger(node) || node < 0 || node >= this.nodeCount ||
        this.boneOfNode[node] >= 0) {
        throw invalid(`bones.${name}`);
      }
      this.bones[bone] = node;
      this.boneOfNode[node] = bone;
    }
  }

  #readOffsets(offsets = {}) {
    /** O of each bone in the order of BONES: its rotation where N is identity. */
    this.offsets = new Float64Array(4 * BONES.length);
    BONES.forEach((name, bone) => {
      readRotation(offsets?.[name], this.offsets, 4 * bone, `offsets.${name}`);
    });
  }

  // Precomputed for relativeRotation: L⁻¹ · P⁻¹ and O · W of each bone.
  #prepare() {
    for (let bone = 0; bone < BONES.length; bone++) {
      const node = 4 * this.bones[bone];
      if (node >= 0) {
        multiply(this.parentTPose, node, this.rotations, node, this.#before, 4 * bone);
        conjugate(this.#before, 4 * bone, this.#before, 4 * bone);
        multiply(this.offsets, 4 * bone, this.tPose, node, this.#after, 4 * bone);
      }
    }
  }

  #poseRest() {
    /** World rest pose of each node in model space: 16 numbers a node, column-major. */
    this.restWorlds = new Float64Array(16 * this.nodeCount);
    this.worlds(this.rotations, this.translations, this.restWorlds);
  }

  // A node that is not a bone follows its nearest ancestor bone, including K.
  #poseT(corrections = {}) {
    const count = this.nodeCount;
    const rest = new Float64Array(4 * count);
    const k = new Float64Array(4 * count);
    const toCanonical = conjugate(this.facing, 0, new Float64Array(4), 0);
    /** W of each node: its rotation in the T-pose, canonical space. */
    this.tPose = new Float64Array(4 * count);
    /** P of each node: W of its parent. */
    this.parentTPose = new Float64Array(4 * count);
    for (const i of this.order) {
      const parent = this.parents[i];
      const bone = this.boneOfNode[i];
      if (bone >= 0 || parent < 0) {
        const name = BONES[bone] ?? '';
        readRotation(corrections?.[name], k, 4 * i, `corrections.${name}`);
      } else {
        k.copyWithin(4 * i, 4 * parent, 4 * parent + 4);
      }
      if (parent < 0) {
        rest.set(this.rotations.subarray(4 * i, 4 * i + 4), 4 * i);
        this.parentTPose.set(toCanonical, 4 * i);
      } else {
        multiply(rest, 4 * parent, this.rotations, 4 * i, rest, 4 * i);
        this.parentTPose.set(this.tPose.subarray(4 * parent, 4 * parent + 4), 4 * i);
      }
      multiply(k, 4 * i, rest, 4 * i, this.tPose, 4 * i);
      multiply(toCanonical, 0, this.tPose, 4 * i, this.tPose, 4 * i);
      normalize(this.tPose, 4 * i, this.tPose, 4 * i);
    }
  }

  // Computes positions in the T-pose, and the height of the hips above the floor.
  #measure({ format, floor }) {
    const locals = new Float64Array(4 * this.nodeCount);
    const worlds = new Float64Array(16 * this.nodeCount);
    for (let i = 0; i < this.nodeCount; i++) {
      // T-pose local = P^-1 W; a root includes the rotation to canonical space.
      if (this.parents[i] < 0) {
        locals.set(this.tPose.subarray(4 * i, 4 * i + 4), 4 * i);
      } else {
        conjugate(this.parentTPose, 4 * i, locals, 4 * i);
        multiply(locals, 4 * i, this.tPose, 4 * i, locals, 4 * i);
      }
    }
    const translations = this.translations.slice();
    const toCanonical = conjugate(this.facing, 0, new Float64Array(4), 0);
    this.parents.forEach((parent, i) => {
      if (parent < 0) {
        rotate(toCanonical, 0, translations, 3 * i, translations, 3 * i);
      }
    });
    this.worlds(locals, translations, worlds);
    /** Position of each node in the T-pose, canonical space: three numbers a node. */
    this.tPosePositions = new Float64Array(3 * this.nodeCount);
    for (let i = 0; i < this.nodeCount; i++) {
      this.tPosePositions.set(worlds.subarray(16 * i + 12, 16 * i + 15), 3 * i);
    }
    /** Height of the hips joint above the floor in the T-pose, metres. */
    this.hipsHeight = this.#hipsHeight(format === 'h-anim', readFloor(floor));
  }

  #tPosition(name) {
    const node = this.bones[BONE_INDEX.get(name)];
    return node < 0 ? null : this.tPosePositions.subarray(3 * node, 3 * node + 3);
  }

  #hipsHeight(isHAnim, floor) {
    const level = (name) => this.#tPosition(name)?.[1];
    const lowest = Math.min(...FEET.map(level).filter((y) => y !== undefined));
    const legs = ['leftUpperLeg', 'rightUpperLeg'].map(level).filter((y) => y !== undefined);
    // HumanoidRoot of H-Anim is often lower than the hips of other formats.
    const middle = isHAnim && legs.length === 2 ? (legs[0] + legs[1]) / 2 : -Infinity;
    const hips = Math.max(level('hips'), middle);
    const least = 1e-4;
    if (this.bones[0] >= 0) {
      const over = [floor, Number.isFinite(lowest) ? lowest : 0]
        .map((ground) => hips - ground).find((height) => height > least);
      if (over !== undefined) {
        return over;
      }
    }
    const span = (from, to) => {
      const a = this.#tPosition(from), b = this.#tPosition(to);
      return a && b ? Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) : 0;
    };
    const leg = Math.max(...['left', 'right'].map((side) =>
      span(`${side}UpperLeg`, `${side}LowerLeg`) + span(`${side}LowerLeg`, `${side}Foot`)));
    return leg > least ? leg : 1;
  }

  #placeHips() {
    const hips = this.bones[0];
    const parent = hips < 0 ? -1 : this.parents[hips];
    const frame = new Float64Array(16);
    compose(this.facing, 0, [1, 1, 1], 0, [0, 0, 0], 0, frame, 0);
    /** Maps a canonical displacement of the hips to their parent's frame: 3x3, column-major. */
    this.hipsFromCanonical = new Float64Array(9);
    const inverse = parent < 0 ? [1, 0, 0, 0, 1, 0, 0, 0, 1]
      : invertLinear(this.restWorlds, 16 * parent);
    if (!inverse) {
      throw invalid('bones.hips');
    }
    for (let column = 0; column < 3; column++) {
      for (let row = 0; row < 3; row++) {
        this.hipsFromCanonical[3 * column + row] = inverse[row] * frame[4 * column] +
          inverse[3 + row] * frame[4 * column + 1] +
          inverse[6 + row] * frame[4 * column + 2];
      }
    }
  }

  /** Indices of the virtual transforms with a tag. */
  taggedVirtualTransforms(tag) {
    return this.virtualTransforms.flatMap(({ tags }, i) => (tags.includes(tag) ? [i] : []));
  }

  /** Index of a node by its name, -1 if absent. */
  findNode(name) {
    return this.nodeNames.indexOf(name);
  }

  /**
   * Writes the local rotation of a bone's node, rest · R: four numbers.
   *
   * @param {number} bone index in BONES; the skeleton must have it
   * @param {ArrayLike<number>} rotations R of all bones
   */
  localRotation(bone, rotations, out, offset = 0) {
    multiply(this.rotations, 4 * this.bones[bone], rotations, 4 * bone, out, offset);
    return normalize(out, offset, out, offset);
  }

  /**
   * Writes the local rotations of all posed nodes, four numbers a node; vertebrae of an H-Anim
   * figure share the rotation of their bone.
   *
   * @param {ArrayLike<number>} rotations R of all bones
   */
  localRotations(rotations, out) {
    for (let bone = 0; bone < BONES.length; bone++) {
      if (this.bones[bone] >= 0) {
        this.localRotation(bone, rotations, out, 4 * this.bones[bone]);
      }
    }
    return splitSpine(this, out);
  }

  /** Writes the local translation of the hips node for a displacement in canonical axes: three numbers. */
  hipsTranslation(hips, out, offset = 0) {
    const m = this.hipsFromCanonical;
    const x = hips[0], y = hips[1], z = hips[2];
    for (let row = 0; row < 3; row++) {
      out[offset + row] = this.translations[3 * this.bones[0] + row] +
        m[row] * x + m[3 + row] * y + m[6 + row] * z;
    }
    return out;
  }

  /**
   * Writes N = P · L · R · W⁻¹ · O⁻¹, four numbers: the rotation of VRM 1.0's normalised
   * humanoid. N is independent of the rest pose and offsets of this skeleton and applies to
   * any other skeleton.
   */
  normalizedRotation(bone, rotations, out, offset = 0) {
    const node = 4 * this.bones[bone];
    multiply(this.rotations, node, rotations, 4 * bone, out, offset);
    multiply(this.parentTPose, node, out, offset, out, offset);
    conjugate(this.tPose, node, scratch, 0);
    multiply(out, offset, scratch, 0, out, offset);
    conjugate(this.offsets, 4 * bone, scratch, 0);
    multiply(out, offset, scratch, 0, out, offset);
    return normalize(out, offset, out, offset);
  }

  /**
   * Writes R = L⁻¹ · P⁻¹ · N · O · W, four numbers: the inverse of normalizedRotation, from
   * N in packets of coding 2 to R of this skeleton.
   *
   * @param {ArrayLike<number>} normalized N of all bones
   */
  relativeRotation(bone, normalized, out, offset = 0) {
    multiply(this.#before, 4 * bone, normalized, 4 * bone, out, offset);
    multiply(out, offset, this.#after, 4 * bone, out, offset);
    return normalize(out, offset, out, offset);
  }

  /**
   * Forward kinematics: world matrices in model space from local rotations and
   * translations of all nodes.
   */
  worlds(rotations, translations, out) {
    for (const i of this.order) {
      const parent = this.parents[i];
      if (parent < 0) {
        compose(rotations, 4 * i, this.scales, 3 * i, translations, 3 * i, out, 16 * i);
      } else {
        compose(rotations, 4 * i, this.scales, 3 * i, translations, 3 * i, scratch, 0);
        multiplyMatrices(out, 16 * parent, scratch, out, 16 * i);
      }
    }
    return out;
  }
}

const scratch = new Float64Array(16);
