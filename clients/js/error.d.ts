/** A message violates the protocol, or the server refused a request. */
export declare class ProtocolError extends Error {
  constructor(code: string, message: string);
  readonly name: 'ProtocolError';
  /**
   * `truncated`, `invalid`, `limit` or `unsupported` for what was received; the server's
   * own code (`unknown-space`, …) for an `error` message.
   */
  readonly code: string;
}
