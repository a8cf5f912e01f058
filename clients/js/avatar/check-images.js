// Images and textures of an avatar: types and sizes from the first bytes. No pixel is decoded.

import { decodeUri, isIndex, isObject, refuse } from './avatar-reader.js';
/** @import { AvatarReader } from './avatar-reader.js' */

/** @typedef {{ type: string, width: number, height: number }} ImageHead */

const TRUNCATED = 'image ends within its head';
const ANIMATED = 'image is animated';
const DAMAGED = 'head of the image is damaged';

/** @param {Uint8Array} bytes @param {number} at @param {string} text */
const has = (bytes, at, text) => [...text].every((c, i) => bytes[at + i] === c.charCodeAt(0));

/** W3C, "Portable Network Graphics", third edition, 5 and 11.2.1. @param {DataView} view @param {Uint8Array} bytes @returns {ImageHead | string} */
function readPng(view, bytes) {
  if (bytes.length < 33) {
    return TRUNCATED;
  }
  if (!has(bytes, 8, '\0\0\0\rIHDR')) {
    return DAMAGED;
  }
  // Chunks before the first IDAT show an animation (11.3.4.1, acTL).
  for (let at = 8; bytes.length - at >= 12; at += 12 + view.getUint32(at)) {
    if (has(bytes, at + 4, 'acTL')) {
      return ANIMATED;
    }
    if (has(bytes, at + 4, 'IDAT')) {
      return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
    }
  }
  return TRUNCATED;
}

/** ITU-T T.81, B.1 and B.2.2. @param {DataView} view @param {Uint8Array} bytes @returns {ImageHead | string} */
function readJpeg(view, bytes) {
  let at = 2;
  while (bytes.length - at >= 4) {
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff) {
      return DAMAGED;
    }
    if (marker === 0xff) { // a fill byte
      at++;
      continue;
    }
    if ((marker >= 0xc3 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) || (marker >= 0xd8 && marker <= 0xda)) {
      return 'a kind of JPEG that browsers do not read';
    }
    const size = view.getUint16(at + 2);
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd7) || size < 2) {
      return DAMAGED;
    }
    if (size > bytes.length - at - 2) {
      return TRUNCATED;
    }
    if (marker <= 0xc2) { // start of frame: baseline, extended, progressive
      return size < 8 ? DAMAGED : { type: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    at += 2 + size;
  }
  return TRUNCATED;
}

/** One chunk with pixels. @param {DataView} view @param {Uint8Array} bytes @param {number} at @param {number} size @returns {ImageHead | string} */
function readWebpFrame(view, bytes, at, size) {
  const data = at + 8;
  if (has(bytes, at, 'VP8 ')) {
    return size < 10 || bytes[data] & 1 || !has(bytes, data + 3, '\x9d\x01\x2a') ? DAMAGED
      : { type: 'image/webp', width: view.getUint16(data + 6, true) & 0x3fff, height: view.getUint16(data + 8, true) & 0x3fff };
  }
  if (size < 5 || bytes[data] !== 0x2f) {
    return DAMAGED;
  }
  const bits = view.getUint32(data + 1, true);
  return { type: 'image/webp', width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** RFC 9649, 2.3 to 2.7. The canvas of VP8X has the size of the one frame. @param {DataView} view @param {Uint8Array} bytes @returns {ImageHead | string} */
function readWebp(view, bytes) {
  const end = bytes.length;
  if (view.getUint32(4, true) + 8 > end) {
    return TRUNCATED;
  }
  /** @type {[number, number] | null} */
  let canvas = null;
  for (let at = 12; end - at >= 8;) {
    const size = view.getUint32(at + 4, true);
    if (size > end - at - 8) {
      return TRUNCATED;
    }
    if (has(bytes, at, 'VP8 ') || has(bytes, at, 'VP8L')) {
      const head = readWebpFrame(view, bytes, at, size);
      const differs = canvas && typeof head !== 'string' && (canvas[0] !== head.width || canvas[1] !== head.height);
      return differs ? DAMAGED : head;
    }
    if (has(bytes, at, 'VP8X')) {
      if (size < 10 || at !== 12) {
        return DAMAGED;
      }
      if (bytes[at + 8] & 2) {
        return ANIMATED;
      }
      canvas = [(view.getUint32(at + 12, true) & 0xffffff) + 1, (view.getUint32(at + 14, true) >>> 8) + 1];
    }
    if (has(bytes, at, 'ANIM') || has(bytes, at, 'ANMF')) {
      return ANIMATED;
    }
    at += 8 + size + (size & 1);
  }
  return TRUNCATED;
}

/**
 * Type and size of an image from its first bytes.
 *
 * @param {Uint8Array} bytes
 * @param {string} where
 * @returns {ImageHead}
 */
function readHead(bytes, where) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = has(bytes, 0, '\x89PNG\r\n\x1a\n') ? readPng(view, bytes)
    : has(bytes, 0, '\xff\xd8\xff') ? readJpeg(view, bytes)
      : bytes.length >= 12 && has(bytes, 0, 'RIFF') && has(bytes, 8, 'WEBP') ? readWebp(view, bytes)
        : 'neither PNG, JPEG nor WebP';
  if (typeof head === 'string' || head.width === 0 || head.height === 0) {
    throw refuse('unsupported', `${where}: ${typeof head === 'string' ? head : DAMAGED}`);
  }
  return head;
}

/** Pixels of an image. @param {AvatarReader} reader @param {any} json @param {string} where */
function measure(reader, { uri, bufferView, mimeType }, where) {
  if ((uri === undefined) === (bufferView === undefined)) {
    throw refuse('invalid', `${where}: needs either a data: URI or a bufferView`);
  }
  const head = readHead(uri === undefined ? reader.view(bufferView, where).bytes : decodeUri(uri, where), where);
  const stated = [mimeType, uri?.slice(5, uri.indexOf(';'))].filter((type) => type !== undefined);
  const wrong = stated.find((type) => type !== head.type);
  if (wrong !== undefined || stated.length === 0) {
    throw refuse('invalid', stated.length === 0 ? `${where}: states no mimeType`
      : `${where}: is ${head.type}, and not '${String(wrong).slice(0, 32)}' as stated`);
  }
  const side = Math.max(head.width, head.height);
  if (side > reader.capOf('side')) {
    throw refuse('limit', `${where}: ${head.width} x ${head.height} pixels, more than ${reader.capOf('side')} on a side`);
  }
  reader.facts.side = Math.max(reader.facts.side, side);
  return head.width * head.height;
}

/** @param {AvatarReader} reader */
export function checkImages(reader) {
  const { facts } = reader;
  const images = reader.list('images');
  const textures = reader.list('textures');
  facts.images = images.length;
  facts.textures = textures.length;
  reader.cap('images', 'images');
  reader.cap('textures', 'textures');
  const pixels = images.map((json, i) => {
    const count = measure(reader, json, `images[${i}]`);
    facts.pixels += count;
    reader.cap('pixels', 'pixels');
    return count;
  });
  // A renderer uploads an image once for each sampler: further ones are counted here.
  /** @type {Map<number, Set<unknown>>} */
  const samplers = new Map();
  const add = (/** @type {unknown} */ image, /** @type {unknown} */ sampler, /** @type {number} */ i) => {
    if (image === undefined) {
      return;
    }
    if (typeof image !== 'number' || !isIndex(image, images.length)) {
      throw refuse('invalid', `textures[${i}]: there is no image ${String(image).slice(0, 20)}`);
    }
    const known = samplers.get(image);
    if (known && !known.has(sampler)) {
      facts.pixels += pixels[image];
      reader.cap('pixels', 'pixels');
    }
    samplers.set(image, (known ?? new Set()).add(sampler));
  };
  textures.forEach(({ source, sampler = -1, extensions }, i) => {
    // Loaders take the source of an extension that they know, else that of the texture.
    [{ source }, ...Object.values(isObject(extensions) ? extensions : {})].forEach((from) => add(from?.source, sampler, i));
  });
}
