// An HTTP request, and the refusals of the server as errors. `http.js` loads this module with the first
// request.

import { ConnectError, ProtocolError } from '../error.js';

const ANSWER_MS = 10000;
const MESSAGE_LENGTH = 200;

/** Code of an error by HTTP status; the codes of `error` messages where they mean the same. */
const CODES = new Map([[400, 'bad-field'], [401, 'refused'], [403, 'not-allowed'], [404, 'unknown'],
  [405, 'unsupported'], [409, 'conflict'], [410, 'gone'], [413, 'too-large'], [429, 'too-many']]);

/**
 * Options of `request`.
 *
 * @typedef {object} RequestOptions
 * @property {string} [method] GET.
 * @property {object} [json] Body, an object.
 * @property {ArrayBuffer | Uint8Array} [bytes] Body, a file.
 * @property {boolean} [keep] Whether the environment may keep the answer, if it asks the server each time.
 * @property {number} [patience] Milliseconds until the whole answer has arrived; 10000.
 * @property {string | undefined} [token] Bearer token.
 * @property {typeof fetch | null | undefined} [fetch] The fetch of the environment.
 */

/** The first line of a refusal, without control characters. @param {Response} response */
async function reasonOf(response) {
  const [line] = (await response.text().catch(() => '')).trim().split('\n');
  return line.replace(/\p{Cc}/gu, ' ').slice(0, MESSAGE_LENGTH);
}

/**
 * Sends a request and returns the answer of the server.
 *
 * @param {URL} url
 * @param {RequestOptions} options
 * @returns {Promise<Response>} rejects with a ProtocolError if the server refuses the request, with a
 *   ConnectError if there is no answer
 */
export async function request(url, { method = 'GET', json, bytes, keep, patience = ANSWER_MS, token, fetch: ask }) {
  if (!ask) {
    throw new ProtocolError('unsupported', 'there is no fetch in this environment');
  }
  /** @type {Record<string, string>} */
  const headers = {};
  if (json) {
    headers['Content-Type'] = 'application/json';
  }
  if (token !== undefined) {
    headers.Authorization = `Bearer ${token}`;
  }
  /** @type {Response} */
  let response;
  try {
    // A redirection would pass secrets on to another server.
    const body = json ? JSON.stringify(json) : /** @type {BodyInit | undefined} */ (bytes);
    response = await ask(url.href, { method, headers, ...body && { body }, credentials: 'omit',
      cache: keep ? 'default' : 'no-store', redirect: 'error', referrerPolicy: 'no-referrer', signal: AbortSignal.timeout(patience) });
  } catch (cause) {
    throw new ConnectError('unreachable', `no answer from ${url.host}`,
      'Check the network, and that jointcastd runs there.', { cause });
  }
  if (!response.ok) {
    throw new ProtocolError(CODES.get(response.status) ?? 'unavailable',
      await reasonOf(response) || `the server answered with status ${response.status}`);
  }
  return response;
}

/**
 * Sends a request and returns the answer, a JSON object.
 *
 * @param {URL} url
 * @param {RequestOptions} options
 * @returns {Promise<any>} rejects as `request`, and with a ProtocolError if the answer is not an object
 */
export async function requestJson(url, options) {
  const response = await request(url, options);
  const answer = await response.json().catch(() => null);
  if (typeof answer !== 'object' || answer === null) {
    throw new ProtocolError('invalid', `the answer of ${url.host} is not a JSON object`);
  }
  return answer;
}
