// Sends a motion file to the server, which replays it to this client alone (proto/MODULES.md,
// "Motions of one's own").

import { ProtocolError } from '../error.js';
import { httpAddress } from './address.js';
import { requestJson } from './http.js';

const PATIENCE_MS = 60000; // for a large file on a slow line
const NAME_BYTES = 63;

/** Shortens a name to the bytes that the server accepts. @param {string} name */
function shorten(name) {
  const bytes = new TextEncoder().encode(name.replace(/\p{Cc}/gu, ' '));
  return new TextDecoder().decode(bytes.subarray(0, NAME_BYTES)).replace(/\ufffd+$/, '') || 'motion';
}

/**
 * @param {{ address: string, token: string | undefined, fetch: typeof fetch | null }} environment
 * @param {string} space a live one
 * @param {ArrayBuffer | Uint8Array} bytes
 * @param {string} name
 * @returns {Promise<string>} name of the private space
 */
export async function sendMotion({ address, ...rest }, space, bytes, name) {
  const url = httpAddress(address,
    `motions/${encodeURIComponent(space)}?${new URLSearchParams({ name: shorten(name) })}`);
  const answer = await requestJson(url, { ...rest, method: 'PUT', bytes, patience: PATIENCE_MS });
  if (typeof answer.space !== 'string') {
    throw new ProtocolError('invalid', 'the answer to the motion names no space');
  }
  return answer.space;
}
