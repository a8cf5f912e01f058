// The size of `connect`, and the table of README.md.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { rows } from '../../tools/sizes.mjs';

/** Bytes that a program loads at once for `connect`, minified and compressed. */
const CONNECT_BYTES = 24400;
/** The table may be this much off, in bytes and as a share: small changes need no new table. */
const TABLE_OFF = [300, 0.05];

const table = Object.fromEntries([...readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  .matchAll(/^\| (`.*`) \| ([\d.]+) kB \| ([\d.]+) kB \|$/gm)].map(([, names, ...sizes]) => [names, sizes.map((size) => 1000 * size)]));

test('connect is small, and README.md states the sizes of all entry points', async () => {
  const measured = await rows();
  const [[first, bytes]] = measured;
  assert.equal(first, '`connect`');
  assert.ok(bytes <= CONNECT_BYTES, `connect: ${bytes} bytes, allowed ${CONNECT_BYTES}; see tools/sizes.mjs --parts`);
  assert.deepEqual(Object.keys(table), measured.map(([names]) => names));
  for (const [names, ...sizes] of measured)
    sizes.forEach((size, i) => assert.ok(Math.abs(size - table[names][i]) <= Math.max(TABLE_OFF[0], TABLE_OFF[1] * size),
      `${names}: ${size} bytes, README.md has ${table[names][i]}: run node tools/sizes.mjs`));
});
