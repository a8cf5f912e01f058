// Finds out why a WebSocket did not open. Browsers hide the reason, and Node reports it in several
// ways, so the daemon is asked over HTTP: it lets a refused page read that its origin is the reason.

import { ConnectError } from '../error.js';
import { readStart } from './answer.js';

const ANSWER_MS = 3000;
const ANSWER_BYTES = 4096;
const REFUSED = ['ECONNREFUSED', 'ECONNRESET'];
const TLS = /CERT|SSL|TLS|EPROTO|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/;

/** The code of an error of Node, its cause or its parts. @param {any} error @returns {string} */
function codeOf(error) {
  return String(error?.code ?? error?.cause?.code ?? error?.errors?.[0]?.code ?? '');
}

/** The origin that the browser sends; 'null' for files and sandboxed frames. */
const ownOrigin = () => globalThis.origin;

/** @param {URL} url @param {unknown} cause */
function originRefused(url, cause) {
  const origin = ownOrigin() ?? 'ORIGIN';
  const remedy = origin === 'null'
    ? 'Serve the page over http or https and outside of sandboxed frames: jointcastd cannot admit the origin null, '
      + 'which files and all sandboxed pages have.'
    : `Add the origin to jointcastd.conf: server { origins = {"${origin}"} }, or start jointcastd with `
      + `--origin ${origin}.`;
  return new ConnectError('origin-refused', `${url.host} does not admit the origin of this page, ${origin}`, remedy,
    { cause });
}

/**
 * The reason that an error of Node states; null if it states none.
 *
 * @param {URL} url
 * @param {unknown} cause
 * @returns {ConnectError | null}
 */
function readCause(url, cause) {
  const code = codeOf(cause);
  if (TLS.test(code)) {
    return new ConnectError('tls', `no secure connection to ${url.host}: ${code}`,
      'Use a certificate that is valid for this name and known to this machine, or add its issuer '
      + '(in Node: NODE_EXTRA_CA_CERTS=FILE). If the port is not for TLS, connect to ws: instead of wss:.',
      { cause });
  }
  if (REFUSED.includes(code)) {
    return new ConnectError('connection-refused', `nothing accepts connections at ${url.host}`,
      'Start jointcastd, or correct host and port; a port for TLS needs wss:.', { cause });
  }
  return null;
}

/** @param {URL} url @param {unknown} cause */
function unreachable(url, cause) {
  return new ConnectError('unreachable', `no connection to ${url.host}`,
    ownOrigin() ? `Check that jointcastd runs there. The browser hides the reason: open ${url.href} in a tab to see it, `
      + 'for example a certificate that the browser does not accept.'
      : 'Check host and port, the network and its firewalls.', { cause });
}

/**
 * Returns the reason why a WebSocket did not open. Never rejects.
 *
 * @param {URL} url of the daemon's answer to a question about its health
 * @param {any} cause error of the WebSocket, if it reports one
 * @param {typeof fetch | null | undefined} ask
 * @returns {Promise<ConnectError>}
 */
export async function diagnose(url, cause, ask) {
  const known = readCause(url, cause);
  if (known || !ask) {
    return known ?? unreachable(url, cause);
  }
  let status;
  let text;
  try {
    const response = await ask(url.href, { credentials: 'omit', cache: 'no-store',
      redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    status = response.status;
    text = await readStart(response, ANSWER_BYTES);
  } catch (error) {
    return readCause(url, error) ?? unreachable(url, cause ?? error);
  }
  if (status === 403 && text.includes('this Host')) {
    return new ConnectError('host-refused', `the server at ${url.host} does not serve that name`,
      `Connect to a name that it serves, or add the name to jointcastd.conf: server { hosts = {"${url.hostname}"} }.`,
      { cause });
  }
  // npm `ws` reports the status of a refused handshake, for example with its option `origin`.
  if (status === 403 || (status === 200 && / 403$/.test(String(cause?.message)))) {
    return originRefused(url, cause);
  }
  return new ConnectError('no-websocket', `the server at ${url.host} accepts no WebSocket of this protocol`,
    'Check the address; a proxy in front of jointcastd must pass on Upgrade and Connection.', { cause });
}
