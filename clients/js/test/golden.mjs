// Golden vectors of proto/golden, and exact comparison with them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export const golden = (name) =>
  JSON.parse(readFileSync(new URL(`../../../proto/golden/${name}`, import.meta.url), 'utf8'));
export const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
export const toHex = (bytes) => Buffer.from(bytes).toString('hex');

// Exact on purpose: -0 stands for 0, anything else must be the same number.
export function assertSame(actual, expected, what) {
  assert.deepEqual(Array.from(actual, (v) => v + 0), expected, what);
}
