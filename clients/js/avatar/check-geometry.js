// Nodes, skins, meshes and accessors of an avatar: what they cost, and that each index into vertices and
// joints exists.

import { isIndex, isObject, refuse } from './avatar-reader.js';
import { checkExtent } from './check-extent.js';
/**
 * @import { Vector } from '../quat.js'
 * @import { AvatarReader } from './avatar-reader.js'
 * @import { Reach } from './check-extent.js'
 */

/**
 * The range of values: the greatest of all components; the greatest magnitude of each component of
 * vectors of three, else zeros.
 *
 * @typedef {{ greatest: number, reach: Vector }} Range
 */

/**
 * An accessor; greatest: the greatest component, 0 for floats.
 *
 * @typedef {{ count: number, components: number, isFloat: boolean, isIndex: boolean, greatest: number, reach: Vector }} Accessor
 */

/**
 * @typedef {{ primitives: number, triangles: number, joint: number, hasSkin: boolean | null, reach: Reach }} Mesh
 *   joint: the greatest index of a joint, -1 where a part has none
 */

/** Columns and rows by type. @type {Record<string, [number, number]>} */
const SHAPES = { SCALAR: [1, 1], VEC2: [1, 2], VEC3: [1, 3], VEC4: [1, 4], MAT2: [2, 2], MAT3: [3, 3], MAT4: [4, 4] };
/** Bytes and reader by component type. @type {Record<number, [number, (view: DataView, at: number) => number]>} */
const COMPONENTS = {
  5120: [1, (view, at) => view.getInt8(at)],
  5121: [1, (view, at) => view.getUint8(at)],
  5122: [2, (view, at) => view.getInt16(at, true)],
  5123: [2, (view, at) => view.getUint16(at, true)],
  5125: [4, (view, at) => view.getUint32(at, true)],
  5126: [4, (view, at) => view.getFloat32(at, true)],
};
const FLOAT = 5126;
/** Divisors of normalised integers. @type {Record<number, number>} */
const UNITS = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 };
const INDEX_TYPES = [5121, 5123, 5125];
const COUNT_MAX = 0x7fffffff;
const TRIANGLES = 4; // 0 to 3 are points and lines, 5 and 6 strips and fans

/** Bytes of an element; columns of a matrix are padded (3.6.2.4). @param {number} type @param {[number, number]} shape */
function sizeOf(type, [columns, rows]) {
  const column = rows * COMPONENTS[type][0];
  return columns > 1 ? columns * Math.ceil(column / 4) * 4 : column;
}

/**
 * Elements in a buffer view, all inside of it; their range, which is widened.
 *
 * @param {AvatarReader} reader
 * @param {{ bufferView?: unknown, byteOffset?: unknown }} source
 * @param {{ type: number, shape: [number, number], count: number, isTight: boolean }} layout
 * @param {string} where
 * @param {Range} range
 */
function widen(reader, { bufferView, byteOffset: start = 0 }, { type, shape: [columns, rows], count, isTight }, where, range) {
  if (bufferView === undefined && !isTight) {
    return; // zeros (3.6.2.3)
  }
  const { bytes, stride: given } = reader.view(bufferView, where);
  const [size, read] = COMPONENTS[type];
  const element = sizeOf(type, [columns, rows]);
  const column = element / columns;
  const stride = isTight ? element : given || element;
  const isInside = typeof start === 'number' && isIndex(start, bytes.length) &&
    start + (count - 1) * stride + element <= bytes.length;
  if (!isInside || stride < element) {
    throw refuse('truncated', `${where}: it ends past bufferViews[${bufferView}]`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isVector = columns * rows === 3;
  const { reach } = range;
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < columns; c++) {
      for (let r = 0; r < rows; r++) {
        const value = read(view, start + i * stride + c * column + r * size);
        if (!Number.isFinite(value)) {
          throw refuse('invalid', `${where}: a value is not finite`);
        }
        if (value > range.greatest) {
          range.greatest = value;
        }
        if (isVector && Math.abs(value) > reach[r]) {
          reach[r] = Math.abs(value);
        }
      }
    }
  }
}

/** @param {AvatarReader} reader @param {any} json @param {number} index @returns {Accessor} */
function readAccessor(reader, json, index) {
  const where = `accessors[${index}]`;
  const { componentType: type, type: shapeName, count, normalized, sparse } = json;
  const shape = Object.hasOwn(SHAPES, shapeName) ? SHAPES[shapeName] : null;
  if (!shape || !Object.hasOwn(COMPONENTS, type) || !isIndex(count - 1, COUNT_MAX) || (normalized && COMPONENTS[type][0] === 4)) {
    throw refuse('invalid', `${where}: its type or count is invalid`);
  }
  const [columns, rows] = shape;
  reader.facts.geometry += count * sizeOf(type, shape);
  reader.cap('geometry', 'bytes of geometry');
  /** @type {Range} */
  const range = { greatest: 0, reach: [0, 0, 0] };
  widen(reader, json, { type, shape, count, isTight: false }, where, range);
  if (sparse !== undefined) {
    const { count: replaced, indices, values } = isObject(sparse) ? sparse : /** @type {any} */ ({});
    if (!isIndex(replaced - 1, count) || !isObject(indices) || !isObject(values) || !INDEX_TYPES.includes(indices.componentType)) {
      throw refuse('invalid', `${where}.sparse: a count or valid indices are missing`);
    }
    /** @type {Range} */
    const last = { greatest: 0, reach: [0, 0, 0] };
    widen(reader, indices, { type: indices.componentType, shape: SHAPES.SCALAR, count: replaced, isTight: true }, `${where}.sparse.indices`, last);
    widen(reader, values, { type, shape, count: replaced, isTight: true }, `${where}.sparse.values`, range);
    if (last.greatest >= count) {
      throw refuse('invalid', `${where}: a substituted element is out of range: the accessor has ${count} elements`);
    }
  }
  const unit = normalized && type !== FLOAT ? UNITS[type] : 1;
  return { count, components: columns * rows, isFloat: type === FLOAT, isIndex: !normalized && INDEX_TYPES.includes(type), greatest: type === FLOAT ? 0 : range.greatest,
    reach: /** @type {Vector} */ (range.reach.map((value) => (unit === 1 ? value : Math.min(1, value / unit)))) };
}

/** @param {number} mode @param {number} elements */
function trianglesOf(mode, elements) {
  return mode < TRIANGLES ? elements : mode === TRIANGLES ? Math.floor(elements / 3) : Math.max(0, elements - 2);
}

/**
 * The greatest index of a joint in attributes that all have `vertices` elements; -1 without joints.
 *
 * @param {Accessor[]} accessors
 * @param {any} attributes
 * @param {number} vertices
 * @param {string} where
 */
function checkAttributes(accessors, attributes, vertices, where) {
  let joint = -1;
  for (const [name, index] of Object.entries(isObject(attributes) ? attributes : {})) {
    if (!isIndex(index, accessors.length) || accessors[index].count !== vertices) {
      throw refuse('invalid', `${where}: ${name.slice(0, 40)} has ${accessors[index]?.count ?? 'no'} elements for ${vertices} vertices`);
    }
    if (name.startsWith('JOINTS_')) {
      if (!accessors[index].isIndex || accessors[index].components !== 4) {
        throw refuse('invalid', `${where}: ${name.slice(0, 40)} has no four whole numbers for each vertex`);
      }
      joint = Math.max(joint, accessors[index].greatest);
    }
  }
  return joint;
}

/** Widens a reach to the positions of attributes. @param {Accessor[]} accessors @param {any} attributes @param {Vector} reach */
function extend(accessors, attributes, reach) {
  const positions = accessors[attributes?.POSITION];
  positions?.reach.forEach((value, axis) => (reach[axis] = Math.max(reach[axis], value)));
}

/** @param {AvatarReader} reader @param {Accessor[]} accessors @param {any} json @param {string} where @param {Mesh} mesh */
function checkPrimitive(reader, accessors, json, where, mesh) {
  const { attributes, indices, mode = TRIANGLES } = json;
  const position = accessors[attributes?.POSITION];
  if (position?.components !== 3 || !isIndex(mode, 7)) {
    throw refuse('invalid', `${where}: no positions of three numbers, or an unknown mode`);
  }
  const vertices = position.count;
  const joint = checkAttributes(accessors, attributes, vertices, `${where}.attributes`);
  const targets = reader.listOf(json, 'targets', `${where}.targets`);
  targets.forEach((target, i) => checkAttributes(accessors, target, vertices, `${where}.targets[${i}]`));
  extend(accessors, attributes, mesh.reach.base);
  targets.forEach((target) => extend(accessors, target, mesh.reach.target));
  reader.facts.baseVertices += vertices;
  reader.facts.vertices += (1 + targets.length) * vertices;
  const list = indices === undefined ? { count: vertices, components: 1, isIndex: true, greatest: 0 } : accessors[indices];
  if (list?.components !== 1 || !list.isIndex || list.greatest >= vertices) {
    throw refuse('invalid', `${where}: an index is not below ${vertices}, the number of vertices`);
  }
  mesh.joint = joint < 0 || (mesh.primitives > 0 && mesh.joint < 0) ? -1 : Math.max(joint, mesh.joint);
  mesh.triangles += trianglesOf(mode, list.count);
  mesh.primitives++;
}

/** @param {AvatarReader} reader @param {Accessor[]} accessors @returns {Mesh[]} */
function readMeshes(reader, accessors) {
  return reader.list('meshes').map((json, i) => {
    /** @type {Mesh} */
    const mesh = { primitives: 0, triangles: 0, joint: -1, hasSkin: null, reach: { base: [0, 0, 0], target: [0, 0, 0] } };
    reader.listOf(json, 'primitives', `meshes[${i}].primitives`).forEach((primitive, k) =>
      checkPrimitive(reader, accessors, primitive, `meshes[${i}].primitives[${k}]`, mesh));
    return mesh;
  });
}

/** @param {AvatarReader} reader @param {Mesh[]} meshes @param {number[][]} skins */
function checkNodes(reader, meshes, skins) {
  reader.list('nodes').forEach(({ mesh: index, skin, extensions }, i) => {
    const where = `nodes[${i}]`;
    if (extensions?.EXT_mesh_gpu_instancing) {
      throw refuse('unsupported', `${where}: uses EXT_mesh_gpu_instancing, which no avatar needs`);
    }
    if (index === undefined) {
      return;
    }
    const mesh = meshes[index];
    if (!isIndex(index, meshes.length) || (skin !== undefined && !isIndex(skin, skins.length))) {
      throw refuse('invalid', `${where}: there is no such mesh or skin`);
    }
    reader.facts.primitives += mesh.primitives;
    reader.facts.triangles += mesh.triangles;
    const hasSkin = skin !== undefined;
    if (mesh.hasSkin === !hasSkin) {
      throw refuse('invalid', `${where}: meshes[${index}] is used with and without a skin`);
    }
    mesh.hasSkin = hasSkin;
    if (hasSkin && !isIndex(mesh.joint, skins[skin].length)) {
      throw refuse('invalid', `${where}: meshes[${index}] refers to joints that skins[${skin}] does not have`);
    }
  });
}

/** @param {AvatarReader} reader */
export function checkGeometry(reader) {
  const { facts } = reader;
  facts.nodes = reader.list('nodes').length;
  reader.cap('nodes', 'nodes');
  const document = reader.document();
  const { skins } = document;
  facts.joints = skins.reduce((sum, joints) => sum + joints.length, 0);
  reader.cap('joints', 'joints');
  facts.materials = reader.list('materials').length;
  reader.cap('materials', 'materials');
  const accessors = reader.list('accessors').map((json, i) => readAccessor(reader, json, i));
  const meshes = readMeshes(reader, accessors);
  checkNodes(reader, meshes, skins);
  reader.cap('primitives', 'draw calls');
  reader.cap('triangles', 'triangles');
  reader.cap('vertices', 'vertices with those of morph targets');
  checkExtent(reader, document, meshes.map(({ reach }) => reach), accessors);
}
