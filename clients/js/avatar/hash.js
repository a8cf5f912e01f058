// The hash of an avatar: SHA-256 of its file, 64 hexadecimal digits.

const HASH = /^[0-9a-f]{64}$/;

/** Whether a value is the hash of an avatar. @param {unknown} value @returns {value is string} */
export const isHash = (value) => typeof value === 'string' && HASH.test(value);
