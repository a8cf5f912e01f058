// Makes the corpus of fuzz_bundle: the golden vectors as bytes.
// Usage: node make_bundle_corpus.mjs
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const folder = new URL('../fuzz_bundle.corpus/', import.meta.url);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [prefix, file] of [['valid', 'bundles'], ['broken', 'broken'], ['pair', 'pairs']]) {
	const vectors = JSON.parse(readFileSync(new URL(`../../../proto/golden/${file}.json`, import.meta.url), 'utf8'));
	for (const { name, hex } of vectors)
		writeFileSync(new URL(`${prefix}-${name.replaceAll(/[^a-z0-9]+/g, '-')}`, folder),
			Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16)));
}
