// The message that sends a capture to the server (proto/PUBLISHING.md, "Captures"); a module of its own,
// because a client that does not publish needs no encoder.

const KIND_MESSAGE = 0x21;

/**
 * Makes the binary message that sends a capture to the server.
 *
 * @param {number} publication number of the publication, 0 to 255
 * @param {Uint8Array} capture
 * @returns {Uint8Array}
 */
export function captureMessage(publication, capture) {
  const message = new Uint8Array(2 + capture.length);
  message[0] = KIND_MESSAGE;
  message[1] = publication;
  message.set(capture, 2);
  return message;
}
