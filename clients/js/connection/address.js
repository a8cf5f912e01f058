// HTTP addresses at the server of a WebSocket.

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
