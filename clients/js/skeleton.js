// Skeletons of bodies (proto/SKELETONS.md, "Skeleton descriptors"): rest pose, T-pose, and the node transforms
// for a sample.

import { invalid, nodesOf, readFloor, readNumbers, readRotation } from './descriptor.js';
import { compose, invertLinear, multiply as multiplyMatrices } from './matrix.js';
import { conjugate, multiply, normalize, rotate } from './quat.js';
import { findSpine, splitSpine } from './spine.js';
import { BONES } from './tables.js';
import { readVirtualTransforms } from './virtual-transform.js';
/**
 * @import { Descriptor, DescriptorNode, DescriptorVirtualTransform } from './descriptor.js'
 * @import { ProtocolError } from './error.js'
 * @import { Numbers, Quaternion, Writable } from './quat.js'
 */

/**
 * A vertebral chain that shares the rotation of one bone; nodes from below, weights sum to 1.
 *
 * @typedef {object} SpineChain
 * @property {number} bone
 * @property {number[]} nodes
 * @property {number[]} weights
 */

const FEET = ['leftFoot', 'leftToes', 'rightFoot', 'rightToes'];
const BONE_INDEX = new Map(BONES.map((name, index) => [name, index]));

/** All nodes, parents before children. @param {Int32Array} parents */
function orderOf(parents) {
  /** @type {number[][]} */
  const children = Array.from(parents, () => []);
  /** @type {number[]} */
  const order = [];
  parents.forEach((parent, i) => (parent < 0 ? order : children[parent]).push(i));
  for (let i = 0; i < order.length; i++) {
    order.push(...children[order[i]]);
  }
  if (order.length < parents.length) {
    throw invalid('nodes'); // the remaining nodes form a cycle
  }
  return Int32Array.from(order);
}

/** One registered skeleton, shared by all its bodies and immutable. */
export class Skeleton {
  /** O of each bone in the order of BONES: its rotation where N is identity. */
  #offsets = new Float64Array(4 * BONES.length);
  // For relativeRotation: L⁻¹ · P⁻¹ and O · W of each bone.
  #before = new Float64Array(4 * BONES.length);
  #after = new Float64Array(4 * BONES.length);

  /**
   * @param {string} hash identifies it in messages
   * @param {Descriptor} descriptor as in a `skeleton` message
   * @throws {ProtocolError} for an invalid descriptor
   */
  constructor(hash, descriptor) {
    const nodes = nodesOf(descriptor);
    const count = nodes.length;
    /** Identifies it in messages. @readonly */
    this.hash = hash;
    /** The descriptor that it was made of. @readonly */
    this.descriptor = descriptor;
    /** Name of the figure; empty if it has none. @type {string} @readonly */
    this.name = typeof descriptor.name === 'string' ? descriptor.name : '';
    /** Number of nodes. @readonly */
    this.nodeCount = count;
    /** Name of each node; empty if it has none. @type {readonly string[]} @readonly */
    this.nodeNames = nodes.map((node) => (typeof node?.name === 'string' ? node.name : ''));
    /** Parent of each node, -1 for none. @readonly */
    this.parents = new Int32Array(count);
    /** Local rest rotation of each node: four numbers a node. @readonly */
    this.rotations = new Float64Array(4 * count);
    /** Local rest translation of each node: three numbers a node. @readonly */
    this.translations = new Float64Array(3 * count);
    /** Local rest scale of each node: three numbers a node. @readonly */
    this.scales = new Float64Array(3 * count);
    this.#readNodes(nodes);
    /** All nodes, parents before children. @readonly */
    this.order = orderOf(this.parents);
    /** Node of each bone in the order of BONES, -1 where the skeleton lacks it. @readonly */
    this.bones = new Int32Array(BONES.length).fill(-1);
    /** Bone of each node, -1 for the others. @readonly */
    this.boneOfNode = new Int32Array(count).fill(-1);
    this.#readBones(descriptor.bones);
    /** Rotation from canonical space to the skeleton's model space. @readonly */
    this.facing = new Float64Array(4);
    readRotation(descriptor.facing, this.facing, 0, 'facing');
    /** World rest pose of each node in model space: 16 numbers a node, column-major. @readonly */
    this.restWorlds = this.worlds(this.rotations, this.translations, new Float64Array(16 * count));
    /** W of each node: its rotation in the T-pose, canonical space; four numbers a node. @readonly */
    this.tPose = new Float64Array(4 * count);
    /** P of each node: W of its parent. @readonly */
    this.parentTPose = new Float64Array(4 * count);
    this.#poseT(descriptor.corrections);
    /** Position of each node in the T-pose, canonical space: three numbers a node. @readonly */
    this.tPosePositions = new Float64Array(3 * count);
    this.#placeT();
    /** Height of the hips above the floor in the T-pose, metres; proto/SKELETONS.md has the rule. @type {number} */
    this.hipsHeight = 1;
    /**
     * The point of that height, from the hips joint in the T-pose: zero, or the middle of the upper
     * legs' joints; canonical space, metres.
     *
     * @readonly
     */
    this.hipsPoint = new Float64Array(3);
    this.#measureHips(descriptor.format ?? '', readFloor(descriptor.floor));
    /**
     * Maps a canonical displacement of the hips to their parent's frame: 3x3, column-major.
     *
     * @readonly
     */
    this.hipsFromCanonical = new Float64Array(9);
    this.#placeHips();
    this.#readOffsets(descriptor.offsets);
    /**
     * Virtual transforms with all fields; `Figure.virtualTransform` evaluates them.
     *
     * @type {readonly Required<DescriptorVirtualTransform>[]}
     * @readonly
     */
    this.virtualTransforms = readVirtualTransforms(descriptor.virtualTransforms, count);
    /**
     * Vertebrae that share the rotation of a bone, in H-Anim figures; otherwise empty.
     *
     * @type {readonly SpineChain[]}
     * @readonly
     */
    this.spine = findSpine(this);
    /** The nodes that a pose rotates: those of the bones, and vertebrae between them. @readonly */
    this.posedNodes = Int32Array.from(new Set([...this.bones.filter((node) => node >= 0),
      ...this.spine.flatMap(({ nodes: vertebrae }) => vertebrae)]));
  }

  /** @param {DescriptorNode[]} nodes */
  #readNodes(nodes) {
    nodes.forEach((node, i) => {
      const where = `nodes[${i}]`;
      const parent = node?.parent ?? -1;
      if (typeof node !== 'object' || node === null) {
        throw invalid(where);
      }
      if (!Number.isInteger(parent) || parent < -1 || parent >= nodes.length) {
        throw invalid(`${where}.parent`);
      }
      this.parents[i] = parent;
      readNumbers(node.translation, [0, 0, 0], this.translations, 3 * i, `${where}.translation`);
      readRotation(node.rotation, this.rotations, 4 * i, `${where}.rotation`);
      readNumbers(node.scale, [1, 1, 1], this.scales, 3 * i, `${where}.scale`);
    });
  }

  /** @param {Record<string, number>} bones */
  #readBones(bones) {
    if (typeof bones !== 'object' || bones === null) {
      throw invalid('bones');
    }
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

  /** @param {Record<string, Quaternion>} [offsets] */
  #readOffsets(offsets = {}) {
    BONES.forEach((name, bone) => {
      readRotation(offsets?.[name], this.#offsets, 4 * bone, `offsets.${name}`);
      const node = 4 * this.bones[bone];
      if (node >= 0) {
        multiply(this.parentTPose, node, this.rotations, node, this.#before, 4 * bone);
        conjugate(this.#before, 4 * bone, this.#before, 4 * bone);
        multiply(this.#offsets, 4 * bone, this.tPose, node, this.#after, 4 * bone);
      }
    });
  }

  /**
   * A node that is not a bone follows its nearest ancestor bone, including K.
   *
   * @param {Record<string, Quaternion>} [corrections] K by bone
   */
  #poseT(corrections = {}) {
    const count = this.nodeCount;
    const rest = new Float64Array(4 * count);
    const k = new Float64Array(4 * count);
    const toCanonical = conjugate(this.facing, 0, new Float64Array(4), 0);
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

  #placeT() {
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
    for (let i = 0; i < this.nodeCount; i++) {
      this.tPosePositions.set(worlds.subarray(16 * i + 12, 16 * i + 15), 3 * i);
    }
  }

  /** @param {string} name of a bone */
  #tPosition(name) {
    const node = this.bones[BONES.indexOf(name)];
    return node < 0 ? null : this.tPosePositions.subarray(3 * node, 3 * node + 3);
  }

  /** @param {string} format @param {number} floor NaN if it is unknown */
  #measureHips(format, floor) {
    const level = (/** @type {string} */ name) => this.#tPosition(name)?.[1];
    const lowest = Math.min(...FEET.map(level).filter((y) => y !== undefined));
    const hips = level('hips');
    const least = 1e-4;
    if (hips !== undefined) {
      // In some figures the hips are lower than the joints of the legs; VRM uses the hips.
      const pelvis = this.#pelvis();
      if (['bvh', 'h-anim'].includes(format) || Number.isNaN(floor)) {
        this.hipsPoint.set(pelvis);
      }
      const height = [hips + this.hipsPoint[1] - floor,
        hips + pelvis[1] - (Number.isFinite(lowest) ? lowest : 0)].find((each) => each > least);
      if (height !== undefined) {
        this.hipsHeight = height;
        return;
      }
    }
    const span = (/** @type {string} */ from, /** @type {string} */ to) => {
      const a = this.#tPosition(from), b = this.#tPosition(to);
      return a && b ? Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) : 0;
    };
    const leg = Math.max(...['left', 'right'].map((side) =>
      span(`${side}UpperLeg`, `${side}LowerLeg`) + span(`${side}LowerLeg`, `${side}Foot`)));
    this.hipsHeight = leg > least ? leg : 1;
  }

  /** The middle of the upper legs' joints from the hips joint, if it is higher. */
  #pelvis() {
    const [hips, left, right] = ['hips', 'leftUpperLeg', 'rightUpperLeg']
      .map((name) => this.#tPosition(name));
    const middle = hips && left && right
      ? [0, 1, 2].map((i) => (left[i] + right[i]) / 2 - hips[i]) : [0, 0, 0];
    return middle[1] > 0 ? middle : [0, 0, 0];
  }

  /**
   * How far N of the hips moves `hipsPoint`: in a body whose hips joint is elsewhere, the hips joint
   * moves by so much less than the hips.
   *
   * @param {Numbers} normalized N of all bones
   * @param {number[]} out three numbers
   * @returns {number[]}
   */
  displaceHips(normalized, out) {
    rotate(normalized, 0, this.hipsPoint, 0, out, 0);
    for (let i = 0; i < 3; i++) {
      out[i] -= this.hipsPoint[i];
    }
    return out;
  }

  #placeHips() {
    const hips = this.bones[0];
    const parent = hips < 0 ? -1 : this.parents[hips];
    const frame = new Float64Array(16);
    compose(this.facing, 0, [1, 1, 1], 0, [0, 0, 0], 0, frame, 0);
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

  /**
   * Indices of the virtual transforms with a tag.
   *
   * @param {string} tag
   * @returns {number[]}
   */
  taggedVirtualTransforms(tag) {
    return this.virtualTransforms.flatMap(({ tags }, i) => (tags.includes(tag) ? [i] : []));
  }

  /**
   * Index of a node by its name, -1 if absent.
   *
   * @param {string} name
   * @returns {number}
   */
  findNode(name) {
    return this.nodeNames.indexOf(name);
  }

  /**
   * Writes the local rotation of a bone's node, rest · R: four numbers.
   *
   * @template {Writable} T
   * @param {number} bone index in BONES; the skeleton must have it
   * @param {Numbers} rotations R of all bones
   * @param {T} out
   * @param {number} [offset]
   * @returns {T}
   */
  localRotation(bone, rotations, out, offset = 0) {
    multiply(this.rotations, 4 * this.bones[bone], rotations, 4 * bone, out, offset);
    return normalize(out, offset, out, offset);
  }

  /**
   * Writes the local rotations of all posed nodes, four numbers a node; vertebrae of an H-Anim
   * figure share the rotation of their bone.
   *
   * @template {Writable} T
   * @param {Numbers} rotations R of all bones
   * @param {T} out
   * @returns {T}
   */
  localRotations(rotations, out) {
    for (let bone = 0; bone < BONES.length; bone++) {
      if (this.bones[bone] >= 0) {
        this.localRotation(bone, rotations, out, 4 * this.bones[bone]);
      }
    }
    return splitSpine(this, out);
  }

  /**
   * Writes the local translation of the hips node for a displacement in canonical axes: three
   * numbers.
   *
   * @template {Writable} T
   * @param {Numbers} hips
   * @param {T} out
   * @param {number} [offset]
   * @returns {T}
   */
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
   * Writes N = P · L · R · W⁻¹ · O⁻¹, four numbers: the rotation of VRM 1.0's normalised humanoid.
   * N is independent of the rest pose and offsets of this skeleton and applies to any other
   * skeleton.
   *
   * @template {Writable} T
   * @param {number} bone
   * @param {Numbers} rotations
   * @param {T} out
   * @param {number} [offset]
   * @returns {T}
   */
  normalizedRotation(bone, rotations, out, offset = 0) {
    const node = 4 * this.bones[bone];
    multiply(this.rotations, node, rotations, 4 * bone, out, offset);
    multiply(this.parentTPose, node, out, offset, out, offset);
    conjugate(this.tPose, node, scratch, 0);
    multiply(out, offset, scratch, 0, out, offset);
    conjugate(this.#offsets, 4 * bone, scratch, 0);
    multiply(out, offset, scratch, 0, out, offset);
    return normalize(out, offset, out, offset);
  }

  /**
   * Writes R = L⁻¹ · P⁻¹ · N · O · W, four numbers: the inverse of normalizedRotation, from N in
   * packets of coding 2 to R of this skeleton.
   *
   * @template {Writable} T
   * @param {number} bone
   * @param {Numbers} normalized N of all bones
   * @param {T} out
   * @param {number} [offset]
   * @returns {T}
   */
  relativeRotation(bone, normalized, out, offset = 0) {
    multiply(this.#before, 4 * bone, normalized, 4 * bone, out, offset);
    multiply(out, offset, this.#after, 4 * bone, out, offset);
    return normalize(out, offset, out, offset);
  }

  /**
   * Forward kinematics: world matrices in model space from local rotations and translations of all
   * nodes.
   *
   * @template {Writable} T
   * @param {Numbers} rotations
   * @param {Numbers} translations
   * @param {T} out
   * @returns {T}
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
