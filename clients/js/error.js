// The error types of this package: data violates the protocol, the server reports an error, or there
// is no connection.

/**
 * A message violates the protocol, or the server refused a request.
 *
 * @template {string} [Code=string]
 */
export class ProtocolError extends Error {
  /**
   * @param {Code} code
   * @param {string} message
   * @param {string} [reason]
   */
  constructor(code, message, reason = '') {
    super(message);
    /** With `refused`, why the server refused the token: `expired`, `revoked` …; else empty. @readonly */
    this.reason = reason;
    /** 'ProtocolError' or 'ConnectError'. @type {string} @readonly */
    this.name = 'ProtocolError';
    /**
     * `truncated`, `invalid`, `limit` or `unsupported` for what was received; the server's own code
     * (`too-many`, …) for an `error` message; a ConnectCode for a ConnectError.
     *
     * @type {Code}
     * @readonly
     */
    this.code = code;
  }
}

/**
 * Why there is no connection to a space. `connection-refused`: nothing listens at the address;
 * `unreachable`: the host does not answer, or the browser hides the reason; `tls`: the certificate
 * or the encryption; `origin-refused`, `host-refused`: the server does not admit the page, or the
 * name in the address; `no-websocket`: a server answers, but not with this protocol; `invalid-url`:
 * the address; `lost`: the connection failed after it was open; `unknown-space`: the server has no
 * such space for this client.
 *
 * @typedef {'connection-refused' | 'unreachable' | 'tls' | 'origin-refused' | 'host-refused' |
 *   'no-websocket' | 'invalid-url' | 'lost' | 'unknown-space'} ConnectCode
 */

/**
 * There is no connection to the space.
 *
 * @extends {ProtocolError<ConnectCode>}
 */
export class ConnectError extends ProtocolError {
  /**
   * @param {ConnectCode} code
   * @param {string} message
   * @param {string} remedy
   * @param {{ cause?: unknown, spaces?: readonly string[] }} [more]
   */
  constructor(code, message, remedy, { cause, spaces = [] } = {}) {
    super(code, message);
    this.name = 'ConnectError';
    /** Advice to the user or the operator of the server. @readonly */
    this.remedy = remedy;
    /** With `unknown-space`, the spaces that there are for this client. @readonly */
    this.spaces = spaces;
    /** The error of the environment, if it reports one. @type {unknown} */
    this.cause = cause;
  }
}

/** Returns a field if it is a string, otherwise an empty string. @param {unknown} value */
export const text = (value) => (typeof value === 'string' ? value : '');

/**
 * The error that a message `error` reports.
 *
 * @param {any} message
 * @param {string} space that the client joins
 * @param {readonly string[]} spaces that there are for this client
 * @returns {ProtocolError}
 */
export function refusalOf({ code, message, reason, ref }, space, spaces) {
  if (code !== 'unknown-space' || ref !== 'join') {
    return new ProtocolError(text(code), text(message), text(reason));
  }
  return new ConnectError(code, `the server has no space '${space}' for this client`,
    spaces.length > 0 ? `Choose one of its spaces: ${spaces.join(', ')}.`
      : 'Use a token that permits the space, or add the space to jointcastd.conf.', { spaces });
}
