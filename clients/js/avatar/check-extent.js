// How far an avatar reaches at rest, from the magnitudes of positions and the matrices that move them: an
// upper bound, for which no vertex is skinned.

import { compose, multiply } from '../matrix.js';
import { refuse } from './avatar-reader.js';
/**
 * @import { GltfDocument } from '../gltf.js'
 * @import { Vector } from '../quat.js'
 * @import { AvatarReader } from './avatar-reader.js'
 */

/**
 * The greatest magnitude of the positions of a mesh along each axis, and of those of one of its morph
 * targets.
 *
 * @typedef {{ base: Vector, target: Vector }} Reach
 */

const LEAST = 50; // millimetres; a smaller figure cannot be seen
const MOST = 4e9; // beyond each cap

/** The matrices of all nodes. @param {GltfDocument} document */
function findWorlds({ nodes, order }) {
  /** @type {number[][]} */
  const worlds = [];
  for (const i of order) {
    const { parent, local: { rotation, scale, translation } } = nodes[i];
    const local = compose(rotation, 0, scale, 0, translation, 0, Array(16), 0);
    worlds[i] = parent < 0 ? local : multiply(worlds[parent], 0, local, Array(16), 0);
  }
  return worlds;
}

/** The matrices that move the vertices of a skin. @param {AvatarReader} reader @param {GltfDocument} document
 * @param {number} skin @param {number[][]} worlds @param {{ isFloat: boolean, components: number }[]} accessors */
function findMoves(reader, document, skin, worlds, accessors) {
  const joints = document.skins[skin];
  const index = reader.list('skins')[skin].inverseBindMatrices;
  let binds = null;
  try {
    binds = document.inverseBinds(skin);
  } catch {
    // Loaders differ in what they do then.
  }
  if (index !== undefined && (!binds || !accessors[index]?.isFloat)) {
    throw refuse('invalid', `skins[${skin}]: its inverse bind matrices cannot be used`);
  }
  return joints.map((joint, i) =>
    (binds ? multiply(worlds[joint], 0, binds.subarray(16 * i, 16 * i + 16), Array(16), 0) : worlds[joint]));
}

/** Millimetres along each axis. @param {number[]} m @param {Vector} reach */
const along = (m, reach) => [0, 1, 2].map((row) => Math.ceil(1000 *
  (Math.abs(m[12 + row]) + Math.abs(m[row]) * reach[0] + Math.abs(m[4 + row]) * reach[1] + Math.abs(m[8 + row]) * reach[2])));

/** The greatest magnitude of the weights of a mesh or a node. @param {any} owner */
const weightOf = ({ weights }) => (Array.isArray(weights) ? weights : [])
  .reduce((most, weight) => (typeof weight === 'number' ? Math.max(most, Math.abs(weight)) : most), 1);

/**
 * @param {AvatarReader} reader whose nodes and draw calls are within their caps
 * @param {GltfDocument} document
 * @param {Reach[]} reaches of the meshes
 * @param {{ isFloat: boolean, components: number }[]} accessors
 */
export function checkExtent(reader, document, reaches, accessors) {
  const { facts } = reader;
  const worlds = findWorlds(document);
  const meshes = reader.list('meshes');
  reader.list('nodes').forEach((node, i) => {
    if (node.mesh === undefined) {
      return;
    }
    const { base, target } = reaches[node.mesh];
    const weight = Math.max(weightOf(node), weightOf(meshes[node.mesh]));
    const reach = /** @type {Vector} */ (base.map((value, axis) => value + weight * target[axis]));
    const moves = node.skin === undefined ? [worlds[i]] : findMoves(reader, document, node.skin, worlds, accessors);
    for (const value of moves.flatMap((matrix) => along(matrix, reach))) {
      facts.extent = Math.max(facts.extent, value < MOST ? value : MOST); // also where it is not a number
    }
  });
  if (facts.primitives > 0 && facts.extent < LEAST) {
    throw refuse('limit', `the meshes reach ${facts.extent} mm from the origin, less than ${LEAST}`);
  }
  reader.cap('extent', 'mm from the origin');
}
