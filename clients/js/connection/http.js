// HTTP requests. Most clients send none: the module that sends them is loaded with the first.

import { ConnectError } from '../error.js';
/** @import { RequestOptions } from './request.js' */

/** The module of requests; not at hand in a page whose server is gone. @param {URL} url */
const load = (url) => import('./request.js').catch((cause) => {
  throw new ConnectError('unreachable', `no answer from ${url.host}`, 'Check that jointcastd runs there.', { cause });
});

/**
 * Sends a request and returns the answer of the server.
 *
 * @param {URL} url
 * @param {RequestOptions} options
 * @returns {Promise<Response>} rejects with a ProtocolError if the server refuses the request, with a
 *   ConnectError if there is no answer
 */
export const request = async (url, options) => (await load(url)).request(url, options);

/**
 * Sends a request and returns the answer, a JSON object.
 *
 * @param {URL} url
 * @param {RequestOptions} options
 * @returns {Promise<any>} rejects as `request`, and with a ProtocolError if the answer is not an object
 */
export const requestJson = async (url, options) => (await load(url)).requestJson(url, options);
