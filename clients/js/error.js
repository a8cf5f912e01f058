// The error type of this package: data violates the protocol, or the server reports an error.

/**
 * `code` is `truncated`, `invalid`, `limit` or `unsupported` for binary messages, and the server's
 * own code for an `error` message.
 */
export class ProtocolError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    /** @type {'ProtocolError'} @readonly */
    this.name = 'ProtocolError';
    /**
     * `truncated`, `invalid`, `limit` or `unsupported` for what was received; the server's own code
     * (`unknown-space`, …) for an `error` message.
     *
     * @type {string}
     * @readonly
     */
    this.code = code;
  }
}
