// Reads the numbers of binary messages (proto/BUNDLES.md). Decoding is synchronous, so all decoders
// share one cursor.

import { ProtocolError } from '../error.js';

/** A place in a message, and where its current part ends. */
class Cursor {
  /** @type {Uint8Array} */
  bytes = new Uint8Array(0);
  at = 0;
  end = 0;

  /**
   * @param {Uint8Array} bytes
   * @param {number} at
   * @param {number} end
   */
  begin(bytes, at, end) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  /** @param {string} code @param {string} what @returns {never} */
  fail(code, what) {
    throw new ProtocolError(code, `${what} at byte ${this.at}`);
  }

  u8() {
    if (this.at >= this.end) {
      this.fail('truncated', 'the message is truncated');
    }
    return this.bytes[this.at++];
  }

  /** @returns {number} */
  varint() {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.u8();
      if (shift === 28 && byte > 0x0f) {
        break; // a sixth byte, or bits past the 32nd
      }
      value |= (byte & 0x7f) << shift;
      if (!(byte & 0x80)) {
        if (byte === 0 && shift > 0) {
          break; // not the shortest form
        }
        return value >>> 0;
      }
    }
    return this.fail('invalid', 'a varint is too long');
  }

  svarint() {
    const zigzag = this.varint();
    return (zigzag >>> 1) ^ -(zigzag & 1);
  }
}

export const cursor = new Cursor();
