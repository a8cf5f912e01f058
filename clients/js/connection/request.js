// An HTTP request, and the refusals of the server as errors. `http.js` loads this module with the first
// request.

import { ConnectError, ProtocolError } from '../error.js';
import { readBytes, readStart } from './answer.js';

const ANSWER_MS = 10000;
const MESSAGE_LENGTH = 200;
/** Bytes read of a refusal, and of an answer in JSON. */
const REFUSAL_BYTES = 4096;
const JSON_BYTES = 4 * 1024 * 1024;

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
  const [line] = (await readStart(response, REFUSAL_BYTES).catch(() => '')).trim().split('\n');
  return line.replace(/\p{Cc}/gu, ' ').slice(0, MESSAGE_LENGTH);
}

/** The seconds of a Retry-After; 0 without one, and for a date. @param {Response} response */
const secondsOf = ({ headers }) => Number(/^\d{1,6}$/.exec(headers.get('Retry-After') ?? '') ?? 0);

/**
 * Sends a request and returns the answer of the server.
 *
 * @param {URL} url
 * @param {RequestOptions} options
 * @returns {Promise<Response>} rejects with a ProtocolError if the server refuses the request, with its
 *   Retry-After as `retryAfter` in seconds; with a ConnectError if there is no answer
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
    throw Object.assign(new ProtocolError(CODES.get(response.status) ?? 'unavailable',
      await reasonOf(response) || `the server answered with status ${response.status}`), { retryAfter: secondsOf(response) });
  }
  return response;
}

/** The value of a JSON text; null if the text is not JSON. @param {Promise<ArrayBuffer>} bytes */
async function parse(bytes) {
  try {
    return JSON.parse(new TextDecoder().decode(await bytes));
  } catch (error) {
    if (error instanceof ProtocolError) {
      throw error;
    }
    return null;
  }
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
  const answer = await parse(readBytes(response, JSON_BYTES, `the answer of ${url.host}`));
  if (typeof answer !== 'object' || answer === null) {
    throw new ProtocolError('invalid', `the answer of ${url.host} is not a JSON object`);
  }
  return answer;
}
