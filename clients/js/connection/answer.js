// The body of an HTTP answer, read up to a limit: any server may answer at any length.

import { ProtocolError } from '../error.js';

/**
 * Reads the parts of a body until there are more than `most` bytes; then the rest is not requested.
 *
 * @param {Response} response
 * @param {number} most
 */
async function readParts(response, most) {
  const reader = response.body?.getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let length = 0;
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    parts.push(part.value);
    length += part.value.length;
    if (length > most) {
      await reader?.cancel();
      break;
    }
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/**
 * The whole body.
 *
 * @param {Response} response
 * @param {number} most
 * @param {string} what for the error
 * @returns {Promise<ArrayBuffer>} rejects with a ProtocolError, `too-large`, past `most` bytes
 */
export async function readBytes(response, most, what) {
  const bytes = await readParts(response, most);
  if (bytes.length > most) {
    throw new ProtocolError('too-large', `${what} has more than ${most} bytes`);
  }
  return bytes.buffer;
}

/**
 * The beginning of the body as text, at most `most` bytes.
 *
 * @param {Response} response
 * @param {number} most
 */
export async function readStart(response, most) {
  return new TextDecoder().decode((await readParts(response, most)).subarray(0, most));
}
