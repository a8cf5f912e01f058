// The bind pose of a skinned figure, which the nodes of its file may not stand in
// (EXT_skeleton_humanoid, "Animation remapping"). Inverse bind matrices map the space of a mesh to
// its joints. By the rules of glTF that is model space, but some exporters bake the rotation or
// scale of an armature into them. The decisions are those of src/skeleton/gltf/bind_pose.c.

import { compose, decompose, invert, multiply } from './matrix.js';
import { BONES } from './tables.js';

/** A larger difference of scale was baked: posing never scales a whole figure. */
const SCALE_TOLERANCE = 1e-2;
/** Cosine of 45 degrees, nearly. */
const NEAR = 0.7;
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const TOPS = ['head', 'neck', 'upperChest', 'chest', 'spine'];
const LEFTS = ['leftUpperArm', 'leftUpperLeg', 'leftHand', 'leftFoot'];

const product = (a, b) => multiply(a, 0, b, new Float64Array(16), 0);
const toMatrix = ({ translation, rotation, scale }) =>
  compose(rotation, 0, scale, 0, translation, 0, new Float64Array(16), 0);

/** The first skin that binds each node, with the inverse bind matrix. */
function findBindings(document, isNeeded) {
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

function placeNodes({ nodes, order }) {
  const worlds = [];
  for (const i of order) {
    const { parent, local } = nodes[i];
    const matrix = toMatrix(local);
    worlds[i] = parent < 0 ? matrix : product(worlds[parent], matrix);
  }
  return worlds;
}

/** Inverses of the inverse bind matrices; a node that no skin binds follows its parent. */
function placeBound({ nodes, order }, bindings, baked) {
  const worlds = [];
  for (const i of order) {
    const { parent, local } = nodes[i];
    const binding = bindings[i];
    if (binding) {
      worlds[i] = product(baked[binding.skin], invert(binding.inverse));
    } else {
      const matrix = toMatrix(local);
      worlds[i] = parent < 0 ? matrix : product(worlds[parent], matrix);
    }
  }
  return worlds;
}

/** True if the figure is upright with its left at +X, or if that cannot be measured. */
function standsUpright(worlds, bones) {
  const between = (from, to) => [12, 13, 14].map((k) => worlds[bones.get(to)][k] - worlds[bones.get(from)][k]);
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

/** The transform that each skin must have baked for its topmost bone joint to be where its node is. */
function findBaked(document, bindings, isNeeded) {
  const baked = document.skins.map(() => null);
  const worlds = placeNodes(document);
  let scales = false;
  for (const i of document.order) {
    const binding = bindings[i];
    if (binding && isNeeded[i] && !baked[binding.skin]) {
      baked[binding.skin] = product(worlds[i], binding.inverse);
    }
  }
  baked.forEach((matrix, skin) => {
    const transform = matrix && decompose(matrix);
    baked[skin] = transform ? matrix : IDENTITY;
    scales ||= Boolean(transform?.scale.some((s) => Math.abs(Math.abs(s) - 1) > SCALE_TOLERANCE));
  });
  return { baked, scales };
}

/** World matrices from the skins, or standing as the nodes do if the skins contain another space. */
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
 * @param {import('./gltf.js').GltfDocument} document
 * @param {Map<string, number>} bones node index by name
 * @returns {{translation: number[], rotation: number[], scale: number[]}[]}
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
