// Reads the parts of a glTF document that define a figure: nodes (glTF 2.0, 3.5), skins (3.7.3)
// and the buffers of their inverse bind matrices.

import { ProtocolError } from './error.js';
import { decompose } from './gltf/decompose.js';
import { normalize } from './quat.js';
/**
 * @import { Quaternion, Vector } from './quat.js'
 * @import { Transform } from './virtual-transform.js'
 */

/** @typedef {{ name: string, parent: number, local: Transform }} GltfNode parent: -1 for none */

/** @type {Vector} */
const ZERO = [0, 0, 0];
/** @type {Vector} */
const ONE = [1, 1, 1];
/** @type {Quaternion} */
const NO_ROTATION = [0, 0, 0, 1];
const GLB = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const FLOAT = 5126;
const MATRIX_BYTES = 64;
const INDEX_BYTES = new Map([[5121, 1], [5123, 2], [5125, 4]]); // by component type
const NODES_MAX = 8192;
const SKINS_MAX = 256;
const DEPTH_MAX = 512;
const COORDINATE_MAX = 1e6;
const COMPRESSED = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

/** @param {string} what */
const invalid = (what) => new ProtocolError('invalid', what);
/** @type {(value: any, count: number) => boolean} */
const isIndex = (value, count) => Number.isInteger(value) && value >= 0 && value < count;

/** @param {DataView} view @param {number} at @param {number} end @param {number} number */
function readChunk(view, at, end, number) {
  if (end - at < 8) {
    throw invalid(`GLB chunk ${number}: the file ends within a chunk header`);
  }
  const length = view.getUint32(at, true);
  if (length > end - at - 8) {
    throw invalid(`GLB chunk ${number}: its length is ${length} bytes, but ${end - at - 8} are left in the file`);
  }
  return { type: view.getUint32(at + 4, true), from: at + 8, to: at + 8 + length };
}

/**
 * The JSON text of a .glb, and its binary chunk or null.
 *
 * @param {Uint8Array} bytes
 * @param {DataView} view
 */
function splitGlb(bytes, view) {
  const end = view.getUint32(8, true);
  if (view.getUint32(4, true) !== 2) {
    throw invalid(`GLB header: container version is ${view.getUint32(4, true)}, not 2`);
  }
  if (end > bytes.length || end < 12) {
    throw invalid(`GLB header: length in the header is ${end} bytes, the file has ${bytes.length}`);
  }
  const json = readChunk(view, 12, end, 0);
  if (json.type !== JSON_CHUNK) {
    throw invalid('GLB chunk 0: the first chunk is not JSON');
  }
  const binary = json.to < end ? readChunk(view, json.to, end, 1) : null;
  return { text: bytes.subarray(json.from, json.to),
    binary: binary?.type === BINARY_CHUNK ? bytes.subarray(binary.from, binary.to) : null };
}

/**
 * Splits a file, .glb or .gltf, into its document and its binary chunk.
 *
 * @param {ArrayBuffer | Uint8Array} file
 * @returns {{ json: any; binary: Uint8Array | null }}
 */
export function splitGltf(file) {
  const bytes = file instanceof Uint8Array ? file : new Uint8Array(file);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isGlb = bytes.length >= 12 && view.getUint32(0, true) === GLB;
  const { text, binary } = isGlb ? splitGlb(bytes, view) : { text: bytes, binary: null };
  let json;
  try {
    json = JSON.parse(new TextDecoder().decode(text));
  } catch {
    throw invalid(isGlb ? 'GLB chunk 0: not valid JSON' : 'neither VRM nor glTF');
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw invalid('neither VRM nor glTF');
  }
  return { json, binary };
}

/** @param {any} value @param {number} most @param {string} where @returns {any[]} */
function readArray(value, most, where) {
  if (value === undefined) {
    return [];
  }
  if (!Array.isArray(value) || value.length > most) {
    throw invalid(`${where}: not an array of at most ${most} elements`);
  }
  return value;
}

/**
 * @template {number[]} T
 * @param {unknown} value
 * @param {T} fallback
 * @param {string} where
 * @returns {T} a copy
 */
function readNumbers(value, fallback, where) {
  if (value === undefined) {
    return /** @type {T} */ ([...fallback]);
  }
  if (!Array.isArray(value) || value.length !== fallback.length ||
    !value.every((x) => typeof x === 'number' && Math.abs(x) <= COORDINATE_MAX)) {
    throw invalid(`${where}: not an array of ${fallback.length} numbers`);
  }
  return /** @type {T} */ ([...value]);
}

/**
 * The local transform of a node of the document.
 *
 * @param {any} node
 * @param {string} where
 * @returns {Transform}
 */
export function readLocal(node, where) {
  if (node.matrix !== undefined) {
    const matrix = readNumbers(node.matrix, Array(16).fill(0), `${where}.matrix`);
    // A matrix that flattens all below it has no rotation.
    return decompose(matrix) ?? { translation: [matrix[12], matrix[13], matrix[14]], rotation: [0, 0, 0, 1], scale: [0, 0, 0] };
  }
  const rotation = readNumbers(node.rotation, NO_ROTATION, `${where}.rotation`);
  return { translation: readNumbers(node.translation, ZERO, `${where}.translation`),
    rotation: normalize(rotation, 0, rotation, 0),
    scale: readNumbers(node.scale, ONE, `${where}.scale`) };
}

/** @param {any[]} list @returns {GltfNode[]} */
function readNodes(list) {
  const nodes = list.map((node, i) => {
    if (typeof node !== 'object' || node === null) {
      throw invalid(`nodes[${i}]: not an object`);
    }
    return { name: typeof node.name === 'string' ? node.name : '', parent: -1,
      local: readLocal(node, `nodes[${i}]`) };
  });
  list.forEach(({ children }, i) => {
    for (const child of readArray(children, list.length, `nodes[${i}].children`)) {
      if (!isIndex(child, list.length)) {
        throw invalid(`nodes[${i}].children: not the index of a node`);
      }
      if (nodes[child].parent >= 0) {
        throw invalid(`nodes[${i}].children: node ${child} has two parents, nodes ${nodes[child].parent} and ${i}`);
      }
      nodes[child].parent = i;
    }
  });
  return nodes;
}

/** Node indices by depth, in each depth in the order of the file. @param {GltfNode[]} nodes */
function orderNodes(nodes) {
  /** @type {number[][]} */
  const levels = [];
  nodes.forEach((node, i) => {
    let depth = 0;
    for (let at = node.parent; at >= 0; at = nodes[at].parent) {
      if (++depth >= DEPTH_MAX) {
        throw invalid(`nodes[${i}]: a node that is its own ancestor, or is nested too deeply`);
      }
    }
    (levels[depth] ??= []).push(i);
  });
  return levels.flat();
}

/** @param {string} text */
function decodeBase64(text) {
  try {
    return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
  } catch {
    throw invalid('its base64 is damaged');
  }
}

/** A glTF document whose nodes and skins are valid. */
export class GltfDocument {
  /** Bytes by index. @type {Map<number, Uint8Array>} */
  #buffers = new Map();
  #binary;
  #read;

  /**
   * @param {any} json the document
   * @param {{ binary?: Uint8Array | null | undefined,
   *   buffers?: ((uri: string) => Uint8Array | ArrayBuffer | undefined) | undefined }} [sources]
   *   binary: the binary chunk of a .glb; buffers: bytes of another file
   * @throws {ProtocolError} if nodes or skins are invalid
   */
  constructor(json, { binary = null, buffers = () => undefined } = {}) {
    this.json = json;
    this.#binary = binary;
    this.#read = buffers;
    /** Nodes by index. */
    this.nodes = readNodes(readArray(json.nodes, NODES_MAX, 'nodes'));
    /** Node indices, parents before children. */
    this.order = orderNodes(this.nodes);
    /** Node indices of the joints of each skin. @type {number[][]} */
    this.skins = readArray(json.skins, SKINS_MAX, 'skins').map((skin, i) => {
      const joints = readArray(skin?.joints, this.nodes.length, `skins[${i}].joints`);
      if (!joints.every((joint) => isIndex(joint, this.nodes.length))) {
        throw invalid(`skins[${i}].joints: not the index of a node`);
      }
      return joints;
    });
  }

  /**
   * Extension at the root of the document.
   *
   * @param {string} name
   * @returns {any}
   */
  extension(name) {
    return this.json.extensions?.[name];
  }

  /**
   * The inverse bind matrices of a skin, 16 numbers a joint; null if it defines none.
   *
   * @param {number} skin
   * @throws {ProtocolError} if they cannot be read
   */
  inverseBinds(skin) {
    const index = this.json.skins[skin]?.inverseBindMatrices;
    if (index === undefined) {
      return null;
    }
    try {
      const values = this.#matrices(this.json.accessors?.[index], this.skins[skin].length);
      if (!values.every(Number.isFinite)) {
        throw invalid('a value is not finite');
      }
      return values;
    } catch (error) {
      throw error instanceof ProtocolError
        ? invalid(`skins[${skin}]: its inverse bind matrices cannot be used: ${error.message}`) : error;
    }
  }

  /** @param {any} accessor @param {number} least */
  #matrices(accessor, least) {
    const { type, componentType, count, bufferView, byteOffset, sparse } = accessor ?? {};
    if (type !== 'MAT4' || componentType !== FLOAT || !Number.isInteger(count) || count < least || count > NODES_MAX) {
      throw invalid('not a matrix of floats for each joint');
    }
    const values = new Float32Array(16 * count); // zeros without a buffer view (3.6.2.3)
    if (bufferView !== undefined) {
      const elements = this.#elements(bufferView, byteOffset, count, MATRIX_BYTES);
      elements.forEach((view, i) => values.set(readMatrix(view), 16 * i));
    }
    if (sparse !== undefined) {
      this.#substitute(sparse, count, values);
    }
    return values;
  }

  /**
   * accessor.sparse (3.6.2.3).
   *
   * @param {any} sparse
   * @param {number} count
   * @param {Float32Array} values
   */
  #substitute(sparse, count, values) {
    const size = INDEX_BYTES.get(sparse?.indices?.componentType);
    if (!Number.isInteger(sparse?.count) || sparse.count < 1 || sparse.count > count || !size) {
      throw invalid('accessor.sparse: a count or valid indices are missing');
    }
    const { indices, values: replacing } = sparse;
    const matrices = this.#elements(replacing?.bufferView, replacing?.byteOffset, sparse.count, MATRIX_BYTES);
    this.#elements(indices.bufferView, indices.byteOffset, sparse.count, size).forEach((view, i) => {
      const at = size === 1 ? view.getUint8(0) : size === 2 ? view.getUint16(0, true) : view.getUint32(0, true);
      if (at >= count) {
        throw invalid(`accessor.sparse: element ${at} of ${count} is replaced`);
      }
      values.set(readMatrix(matrices[i]), 16 * at);
    });
  }

  /**
   * A view of each element; all are inside of their buffer.
   *
   * @param {number} index of a buffer view
   * @param {number | undefined} byteOffset
   * @param {number} count
   * @param {number} size
   * @returns {DataView[]}
   */
  #elements(index, byteOffset = 0, count, size) {
    const json = this.json.bufferViews?.[index];
    if (typeof json !== 'object' || json === null) {
      throw invalid(`there is no buffer view ${index}`);
    }
    if (COMPRESSED.some((name) => json.extensions?.[name])) {
      throw invalid('a buffer view is compressed with meshopt, which is not supported');
    }
    const { buffer, byteOffset: start = 0, byteLength: length, byteStride: stride = size } = json;
    const bytes = this.#buffer(buffer);
    const whole = [start, length, stride, byteOffset].every((value) => Number.isInteger(value) && value >= 0);
    if (!whole || stride < size || start + length > bytes.length ||
      byteOffset + (count - 1) * stride + size > length) {
      throw invalid(`bufferViews[${index}]: elements end past buffers[${buffer}]`);
    }
    return Array.from({ length: count }, (_, i) =>
      new DataView(bytes.buffer, bytes.byteOffset + start + byteOffset + i * stride, size));
  }

  /** @param {number} index @returns {Uint8Array} */
  #buffer(index) {
    const json = this.json.buffers?.[index];
    if (typeof json !== 'object' || json === null) {
      throw invalid(`there is no buffer ${index}`);
    }
    let bytes = this.#buffers.get(index);
    if (!bytes) {
      const all = this.#find(json.uri, index);
      bytes = all.subarray(0, Number.isInteger(json.byteLength) ? json.byteLength : all.length);
      this.#buffers.set(index, bytes);
    }
    return bytes;
  }

  /** @param {unknown} uri @param {number} index @returns {Uint8Array} */
  #find(uri, index) {
    if (uri === undefined && index === 0 && this.#binary) {
      return this.#binary;
    }
    if (typeof uri !== 'string') {
      throw invalid(`buffers[${index}] is missing: it has neither a URI nor a binary chunk`);
    }
    if (uri.startsWith('data:')) {
      const [, base64] = /^data:[^,]*;base64,(.*)$/s.exec(uri) ?? [];
      if (base64 === undefined) {
        throw invalid(`buffers[${index}]: its data: URI is not base64`);
      }
      return decodeBase64(base64);
    }
    const bytes = this.#read(uri);
    if (!bytes) {
      throw invalid(`buffers[${index}] is another file, '${uri}', which the option buffers does not give`);
    }
    return bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  }
}

/** @param {DataView} view */
function readMatrix(view) {
  return Array.from({ length: 16 }, (_, i) => view.getFloat32(4 * i, true));
}
