// The range coder of proto/SMALL-PACKETS.md, "Chains". It codes numbers as intervals of a whole of
// 2^15. All values have 32 bits, except the encoder's lower end, a double with a 33rd bit
// for the carry.

/** Sum of all intervals. */
export const WHOLE = 32768;

const WHOLE_BITS = 15;
const RENEW = 0x1000000; // a range below this emits a byte

// Indices of the decoder's words.
const CODE = 0;
const RANGE = 1;

/** Decodes one section. Bytes after its end are zeros. */
export class RangeDecoder {
  constructor() {
    /** @type {Uint8Array} */
    this.bytes = new Uint8Array(0);
    this.at = 0;
    this.end = 0;
    this.words = new Int32Array(2); // unboxed
  }

  /** @param {Uint8Array} bytes @param {number} start @param {number} end */
  begin(bytes, start, end) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
    this.words[RANGE] = -1;
    for (let i = 0; i < 4; i++) {
      this.words[CODE] = (this.words[CODE] << 8) | this.next();
    }
  }

  next() {
    return this.at < this.end ? this.bytes[this.at++] : 0;
  }

  /** Returns a point in the next interval, below WHOLE. */
  peek() {
    const point = ((this.words[CODE] >>> 0) / (this.words[RANGE] >>> WHOLE_BITS)) >>> 0;
    return point < WHOLE ? point : WHOLE - 1;
  }

  /**
   * Consumes the interval that contained the point.
   *
   * @param {number} from
   * @param {number} size
   */
  take(from, size) {
    const unit = this.words[RANGE] >>> WHOLE_BITS;
    let code = (this.words[CODE] - Math.imul(unit, from)) | 0;
    let range = Math.imul(unit, size);
    while (range >>> 0 < RENEW) {
      range <<= 8;
      code = (code << 8) | this.next();
    }
    this.words[CODE] = code;
    this.words[RANGE] = range;
  }

  /**
   * `count` bits as they are, at most 15.
   *
   * @param {number} count
   */
  bits(count) {
    if (count === 0) {
      return 0;
    }
    const value = this.peek() >>> (WHOLE_BITS - count);
    this.take(value << (WHOLE_BITS - count), 1 << (WHOLE_BITS - count));
    return value;
  }

  /** Whether bytes remain that no encoder writes. */
  hasMore() {
    return this.at < this.end;
  }
}

/** Encodes one section. Bytes beyond the capacity are counted but not written. */
export class RangeEncoder {
  constructor() {
    /** @type {Uint8Array} */
    this.bytes = new Uint8Array(0);
    this.start = 0;
    this.at = 0;
    this.low = 0;
    this.range = 0xffffffff;
    this.held = -1; // the last byte, which a carry may still change
    this.pending = 0; // bytes of 255 after it
  }

  /** @param {Uint8Array} bytes @param {number} start offset of the first byte */
  begin(bytes, start) {
    this.bytes = bytes;
    this.start = start;
    this.at = start;
    this.low = 0;
    this.range = 0xffffffff;
    this.held = -1;
    this.pending = 0;
  }

  /** @param {number} byte */
  put(byte) {
    if (this.at < this.bytes.length) {
      this.bytes[this.at] = byte;
    }
    this.at++;
  }

  shift() {
    const carry = this.low >= 0x100000000 ? 1 : 0;
    if (carry || this.low < 0xff000000) {
      if (this.held >= 0) {
        this.put((this.held + carry) & 0xff);
      }
      for (; this.pending > 0; this.pending--) {
        this.put((0xff + carry) & 0xff);
      }
      this.held = (this.low >>> 24) & 0xff;
    } else {
      this.pending++;
    }
    this.low = ((this.low & 0x00ffffff) << 8) >>> 0;
  }

  /**
   * Encodes an interval of WHOLE with length `size` > 0.
   *
   * @param {number} from
   * @param {number} size
   */
  encode(from, size) {
    const unit = this.range >>> WHOLE_BITS;
    this.low += unit * from;
    this.range = unit * size;
    while (this.range < RENEW) {
      this.range *= 256;
      this.shift();
    }
  }

  /**
   * `count` bits as they are, at most 15.
   *
   * @param {number} value
   * @param {number} count
   */
  encodeBits(value, count) {
    if (count > 0) {
      this.encode(value << (WHOLE_BITS - count), 1 << (WHOLE_BITS - count));
    }
  }

  /** Ends the section; returns its number of bytes, at least one, or -1 if they did not fit. */
  finish() {
    // Chooses the number in the interval with the most trailing zero bits.
    for (let unit = 2 ** 31; unit >= 1; unit /= 2) {
      const roundest = Math.ceil(this.low / unit) * unit;
      if (roundest - this.low < this.range) {
        this.low = roundest;
        break;
      }
    }
    for (let i = 0; i < 5; i++) {
      this.shift();
    }
    if (this.at > this.bytes.length) {
      return -1;
    }
    let length = this.at - this.start;
    while (length > 1 && this.bytes[this.start + length - 1] === 0) {
      length--;
    }
    return length;
  }
}
