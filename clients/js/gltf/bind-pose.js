// The bind pose of a skinned figure, which the nodes of its file may not stand in
// (EXT_skeleton_humanoid, "Animation remapping"). Inverse bind matrices map the space of a mesh to
// its joints. By the rules of glTF that is model space, but some exporters bake the rotation or
// scale of an armature into them. The decisions are those of src/skeleton/gltf/bind_pose.c.

import { compose, invert, multiply } from '../matrix.js';
import { decompose } from './decompose.js';
import { BONES } from '../tables.js';
/**
 * @import { ProtocolError } from '../error.js'
 * @import { GltfDocument } from '../gltf.js'
 * @import { Numbers } from '../quat.js'
 * @import { Transform } from '../virtual-transform.js'
 */

/** @typedef {{ skin: number, inverse: Float32Array }} Binding of a node to a skin */

/** A larger difference of scale was baked: posing never scales a whole figure. */
const SCALE_TOLERANCE = 1e-2;
/** Cosine of 45 degrees, nearly. */
const NEAR = 0.7;
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const TOPS = ['head', 'neck', 'upperChest', 'chest', 'spine'];
const LEFTS = ['leftUpperArm', 'leftUpperLeg', 'leftHand', 'leftFoot'];

/** @type {(a: Numbers, b: Numbers) => Float64Array} */
const product = (a, b) => multiply(a, 0, b, new Float64Array(16), 0);

/** @type {(transform: Transform) => Float64Array} */
const toMatrix = ({ translation, rotation, scale }) =>
  compose(rotation, 0, scale, 0, translation, 0, new Float64Array(16), 0);

/**
 * The first skin that binds each node, with the inverse bind matrix.
 *
 * @param {GltfDocument} document
 * @param {boolean[]} isNeeded
 * @returns {(Binding | null)[]}
 */
function findBindings(document, isNeeded) {
  /** @type {(Binding | null)[]} */
  const bindings = document.nodes.map(() => null);
  document.skins.forEach((joints, skin) => {
    let matrices;
    try {
      matrices = document.inverseBinds(skin);
    } catch (error) {
      if (joints.some((joint) => isNeeded[joint])) {
        throw error;
      }
      return; // a skin of something else in the file
    }
    joints.forEach((joint, i) => {
      const inverse = matrices?.subarray(16 * i, 16 * i + 16);
      if (inverse && !bindings[joint] && decompose(inverse)) {
        bindings[joint] = { skin, inverse };
      }
    });
  });
  return bindings;
}

/** @param {GltfDocument} document */
function placeNodes({ nodes, order }) {
  /** @type {Float64Array[]} */
  const worlds = [];
  for (const i of order) {
    const { parent, local } = nodes[i];
    const matrix = toMatrix(local);
    worlds[i] = parent < 0 ? matrix : product(worlds[parent], matrix);
  }
  return worlds;
}

/**
 * Inverses of the inverse bind matrices; a node that no skin binds follows its parent.
 *
 * @param {GltfDocument} document
 * @param {(Binding | null)[]} bindings
 * @param {Numbers[]} baked by skin
 */
function placeBound({ nodes, order }, bindings, baked) {
  /** @type {Float64Array[]} */
  const worlds = [];
  for (const i of order) {
    const { parent, local } = nodes[i];
    const binding = bindings[i];
    if (binding) {
      worlds[i] = product(baked[binding.skin], invert(binding.inverse) ?? IDENTITY);
    } else {
      const matrix = toMatrix(local);
      worlds[i] = parent < 0 ? matrix : product(worlds[parent], matrix);
    }
  }
  return worlds;
}

/**
 * True if the figure is upright with its left at +X, or if that cannot be measured.
 *
 * @param {Numbers[]} worlds
 * @param {Map<string, number>} bones
 */
function standsUpright(worlds, bones) {
  /** @type {(bone: string) => Numbers} */
  const worldOf = (bone) => worlds[bones.get(bone) ?? -1];
  /** @type {(from: string, to: string) => number[]} */
  const between = (from, to) => [12, 13, 14].map((k) => worldOf(to)[k] - worldOf(from)[k]);
  const top = TOPS.find((bone) => bones.has(bone));
  if (bones.has('hips') && top) {
    const up = between('hips', top);
    if (up[1] < NEAR * Math.hypot(...up)) {
      return false;
    }
  }
  const left = LEFTS.find((bone) => bones.has(bone) && bones.has(bone.replace('left', 'right')));
  if (left) {
    const side = between(left.replace('left', 'right'), left);
    return side[0] >= NEAR * Math.hypot(...side);
  }
  return true;
}

/**
 * The transform that each skin must have baked for its topmost bone joint to be where its node is.
 *
 * @param {GltfDocument} document
 * @param {(Binding | null)[]} bindings
 * @param {boolean[]} isNeeded
 */
function findBaked(document, bindings, isNeeded) {
  /** @type {(Numbers | null)[]} */
  const found = document.skins.map(() => null);
  const worlds = placeNodes(document);
  let scales = false;
  for (const i of document.order) {
    const binding = bindings[i];
    if (binding && isNeeded[i] && !found[binding.skin]) {
      found[binding.skin] = product(worlds[i], binding.inverse);
    }
  }
  const baked = found.map((matrix) => {
    const transform = matrix && decompose(matrix);
    scales ||= Boolean(transform?.scale.some((s) => Math.abs(Math.abs(s) - 1) > SCALE_TOLERANCE));
    return matrix && transform ? matrix : IDENTITY;
  });
  return { baked, scales };
}

/**
 * World matrices from the skins, or standing as the nodes do if the skins contain another space.
 *
 * @param {GltfDocument} document
 * @param {(Binding | null)[]} bindings
 * @param {Map<string, number>} bones
 * @param {boolean[]} isNeeded
 */
function findWorlds(document, bindings, bones, isNeeded) {
  const plain = placeBound(document, bindings, document.skins.map(() => IDENTITY));
  const { baked, scales } = findBaked(document, bindings, isNeeded);
  if (standsUpright(plain, bones) && !scales) {
    return plain;
  }
  const turned = placeBound(document, bindings, baked);
  return scales || standsUpright(turned, bones) ? turned : plain;
}

/**
 * Returns the local transform of each node in the bind pose. Nodes that are not joints of a skin,
 * or have no inverse bind matrix, keep their own.
 *
 * @param {GltfDocument} document
 * @param {Map<string, number>} bones node index by name
 * @returns {Transform[]}
 * @throws {ProtocolError} if a skin of the bones cannot be read
 */
export function bindPose(document, bones) {
  const { nodes } = document;
  const isNeeded = nodes.map(() => false);
  for (const bone of BONES) {
    for (let at = bones.get(bone) ?? -1; at >= 0 && !isNeeded[at]; at = nodes[at].parent) {
      isNeeded[at] = true;
    }
  }
  const bindings = findBindings(document, isNeeded);
  const worlds = findWorlds(document, bindings, bones, isNeeded);
  return nodes.map(({ parent, local }, i) => {
    const above = parent < 0 ? IDENTITY : invert(worlds[parent]);
    return (bindings[i] && above && decompose(product(above, worlds[i]))) || local;
  });
}
