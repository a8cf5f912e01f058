// The JSON of an avatar as a whole. URIs are searched in every object, because extensions that are
// unknown here may have some too: a file that refers to an address makes each viewer reveal its own one
// there.

import { refuse } from './avatar-reader.js';
/** @import { AvatarReader } from './avatar-reader.js' */

const DEPTH_MAX = 64;
/** Compressions that viewers do not read: their decoders are larger than a viewer. */
const UNREAD = ['KHR_draco_mesh_compression', 'EXT_meshopt_compression', 'KHR_meshopt_compression', 'KHR_texture_basisu'];

/** Extensions that a file may require, as the server has them. */
const KNOWN = new RegExp(`^(EXT_(lights_.*|meshopt_compression|mesh_.*|skeleton_humanoid|texture_.*)|KHR_(animation_pointer|\
audio_emitter|lights_.*|materials_.*|mesh_quantization|node_visibility|techniques_webgl|texture_.*|virtual_transforms?|\
xmp_json_ld)|MSFT_(packing_.*|texture_.*)|VRM|VRMC_(materials_.*|node_constraint|springBone.*|vrm|vrm_animation))$`, 's');

/** @param {unknown} uri @param {string} where */
function checkUri(uri, where) {
  if (typeof uri !== 'string' || !uri.startsWith('data:')) {
    throw refuse('unsupported', `${where}: refers to another file; an avatar holds all its data`);
  }
  const comma = Math.max(0, uri.indexOf(','));
  const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(uri.slice(comma + 1)) && (uri.length - comma - 1) % 4 === 0;
  if (!/^data:[^,]*;base64$/.test(uri.slice(0, comma)) || !isBase64) {
    throw refuse('invalid', `${where}: its data: URI is not base64`);
  }
}

/** A value in the document. @typedef {{ value: any, key: string | number, outer: Place | null, depth: number }} Place */

/** @param {Place | null} place */
function nameOf(place) {
  let name = '';
  for (let at = place; at?.outer; at = at.outer) {
    name = (typeof at.key === 'number' ? `[${at.key}]` : `${at.outer.outer ? '.' : ''}${at.key}`) + name;
  }
  return name || 'root';
}

/** Counts values, and checks nesting and URIs. @param {AvatarReader} reader */
function walk(reader) {
  /** @type {Place[]} */
  const pending = [{ value: reader.json, key: '', outer: null, depth: 1 }];
  for (let place = pending.pop(); place; place = pending.pop()) {
    const { value, depth } = place;
    reader.facts.values++;
    if (depth > DEPTH_MAX) {
      throw refuse('limit', `values are nested more than ${DEPTH_MAX} deep`);
    }
    if (typeof value !== 'object' || value === null) {
      continue;
    }
    const isArray = Array.isArray(value);
    for (const key of Object.keys(value)) {
      if (!isArray && /uri$/i.test(key)) {
        checkUri(value[key], nameOf(place));
      }
      pending.push({ value: value[key], key: isArray ? Number(key) : key, outer: place, depth: depth + 1 });
    }
    if (reader.facts.values + pending.length > reader.capOf('values')) {
      reader.facts.values += pending.length;
      reader.cap('values', 'values of JSON');
    }
  }
}

/** @param {AvatarReader} reader */
export function checkDocument(reader) {
  walk(reader);
  const { extensionsRequired, extensionsUsed } = reader.json;
  // The loader refuses each file that mentions Draco, even if Draco is not required.
  const packed = UNREAD.find((name, i) => [extensionsRequired, i === 0 ? extensionsUsed : []].some((list) =>
    Array.isArray(list) && list.includes(name)));
  if (packed) {
    throw refuse('unsupported', `it needs ${packed}, which this page does not support`);
  }
  const required = extensionsRequired ?? [];
  const unknown = Array.isArray(required) ? required.findIndex((name) => typeof name !== 'string' || !KNOWN.test(name)) : 0;
  if (!Array.isArray(required) || unknown >= 0) {
    throw refuse('unsupported', `extensionsRequired[${unknown}]: no extension that this page supports`);
  }
  const buffers = reader.list('buffers');
  buffers.forEach((_, i) => reader.buffer(i));
  if (reader.binaryLength > 3 && buffers.length === 0) {
    throw refuse('invalid', 'GLB chunk 1: no buffer uses the binary chunk');
  }
  reader.list('bufferViews').forEach((_, i) => reader.view(i, `bufferViews[${i}]`));
}
