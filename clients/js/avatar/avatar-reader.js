// The state of one check of an avatar file: its document, buffers and buffer views, and the facts found
// so far.

import { ProtocolError } from '../error.js';
import { GltfDocument } from '../gltf.js';
/**
 * @import { AvatarFacts } from './check.js'
 */

/**
 * The greatest permitted value of each fact of that name.
 *
 * @typedef {Record<'bytes' | 'values' | 'nodes' | 'joints' | 'primitives' | 'triangles' | 'vertices' |
 *   'geometry' | 'materials' | 'textures' | 'images' | 'pixels' | 'side' | 'springs' | 'extent', number>} AvatarCaps
 */

const LIST_MAX = 65536; // accessors and buffer views of a file
const COMPRESSED = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

/** @param {'invalid' | 'limit' | 'truncated' | 'unsupported'} code @param {string} what */
export const refuse = (code, what) => new ProtocolError(code, what);

/** @param {any} value @param {number} count */
export const isIndex = (value, count) => Number.isInteger(value) && value >= 0 && value < count;

/** @param {any} value @returns {value is Record<string, any>} */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The bytes of a data: URI that checkDocument has seen. @param {string} uri @param {string} where */
export function decodeUri(uri, where) {
  try {
    return Uint8Array.from(atob(uri.slice(uri.indexOf(',') + 1)), (c) => c.charCodeAt(0));
  } catch {
    throw refuse('invalid', `${where}: its base64 is damaged`);
  }
}

/** One check. */
export class AvatarReader {
  #binary;
  #caps;
  /** Lists whose elements are objects. @type {WeakSet<object>} */
  #lists = new WeakSet();
  /** @type {Map<number, Uint8Array>} */
  #buffers = new Map();

  /** @param {any} json @param {Uint8Array | null} binary @param {Readonly<AvatarCaps>} caps */
  constructor(json, binary, caps) {
    this.json = json;
    this.#binary = binary;
    this.#caps = caps;
    /** @type {AvatarFacts} */
    this.facts = { format: 'gltf', isBinary: false, isVrm: false, bytes: 0, values: 0, nodes: 0, joints: 0,
      primitives: 0, triangles: 0, vertices: 0, baseVertices: 0, geometry: 0, materials: 0, textures: 0,
      images: 0, pixels: 0, side: 0, springs: 0, extent: 0, permission: 'unstated', modification: 'unstated',
      mayRedistribute: false, title: '', author: '', licence: '' };
  }

  /** Nodes and skins. */
  document() {
    return new GltfDocument(this.json, { binary: this.#binary });
  }

  /** Bytes of the binary chunk; 0 without one. */
  get binaryLength() {
    return this.#binary?.length ?? 0;
  }

  /**
   * Compares a fact with its cap.
   *
   * @param {keyof AvatarCaps} name
   * @param {string} what
   */
  cap(name, what) {
    if (this.facts[name] > this.#caps[name]) {
      throw refuse('limit', `${this.facts[name]} ${what}, more than ${this.#caps[name]}`);
    }
  }

  /** The cap of a fact. @param {keyof AvatarCaps} name */
  capOf(name) {
    return this.#caps[name];
  }

  /** An array of objects of the document; empty without one. @param {string} name @returns {any[]} */
  list(name) {
    return this.listOf(this.json, name, name);
  }

  /** @param {any} object @param {string} name @param {string} where @returns {any[]} */
  listOf(object, name, where) {
    const list = object[name] ?? [];
    if (this.#lists.has(list)) {
      return list;
    }
    if (!Array.isArray(list) || list.length > LIST_MAX || !list.every(isObject)) {
      throw refuse('invalid', `${where}: not an array of at most ${LIST_MAX} objects`);
    }
    this.#lists.add(list);
    return list;
  }

  /**
   * The bytes of a buffer, of exactly the declared length: up to three bytes of padding may follow in
   * a GLB, so that a file holds nothing beside its avatar.
   *
   * @param {number} index
   */
  buffer(index) {
    const found = this.#buffers.get(index);
    if (found) {
      return found;
    }
    const { uri, byteLength } = this.list('buffers')[index];
    const where = `buffers[${index}]`;
    const held = uri !== undefined ? decodeUri(uri, where) : index === 0 ? this.#binary : null;
    if (!held) {
      throw refuse('invalid', `${where} is missing: it has neither a URI nor a binary chunk`);
    }
    if (!isIndex(byteLength - 1, held.length) || held.length - byteLength > (uri === undefined ? 3 : 0)) {
      throw refuse('invalid', `${where}: declares ${byteLength} bytes and has ${held.length}`);
    }
    const bytes = held.subarray(0, byteLength);
    this.#buffers.set(index, bytes);
    return bytes;
  }

  /**
   * The bytes of a buffer view, and its stride: 0 without one.
   *
   * @param {unknown} index
   * @param {string} user
   * @returns {{ bytes: Uint8Array, stride: number }}
   */
  view(index, user) {
    const views = this.list('bufferViews');
    if (!isIndex(index, views.length)) {
      throw refuse('invalid', `${user}: there is no buffer view ${index}`);
    }
    const { buffer, byteOffset = 0, byteLength, byteStride = 0, extensions } = views[/** @type {number} */ (index)];
    const where = `bufferViews[${index}]`;
    if (COMPRESSED.some((name) => extensions?.[name])) {
      throw refuse('unsupported', `${where}: compressed with meshopt, which is not supported`);
    }
    if (!isIndex(buffer, this.list('buffers').length) || !isIndex(byteStride, 253)) {
      throw refuse('invalid', `${where}: its buffer or stride is invalid`);
    }
    const bytes = this.buffer(buffer);
    if (!isIndex(byteOffset, bytes.length) || !isIndex(byteLength - 1, bytes.length - byteOffset)) {
      throw refuse('truncated', `${where}: ends past buffers[${buffer}]: ${byteOffset} + ${byteLength} of ${bytes.length} bytes`);
    }
    return { bytes: bytes.subarray(byteOffset, byteOffset + byteLength), stride: byteStride };
  }
}
