// Addresses at a server: of HTTP pages beside its WebSocket, and of avatars by the SHA-256 of their files.

const HASH = /^[0-9a-f]{64}$/;

/** Whether a value is the hash of an avatar: 64 hexadecimal digits. @param {unknown} value @returns {value is string} */
export const isHash = (value) => typeof value === 'string' && HASH.test(value);

/**
 * The HTTP address beside that of a WebSocket.
 *
 * @param {string} address of the WebSocket; a page may give one relative to itself, and https: for wss:
 * @param {string} name path relative to it
 * @returns {URL}
 * @throws {TypeError} for an address that cannot be read
 */
export function httpAddress(address, name) {
  const page = new URL(name, new URL(address, globalThis.document?.baseURI ?? globalThis.location?.href));
  page.protocol = page.protocol.replace(/^ws/, 'http');
  return page;
}
