// Makes the corpus of fuzz_body_frame: the golden vectors as bytes.
// Usage: node make_capture_corpus.mjs
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const folder = new URL('../fuzz_body_frame.corpus/', import.meta.url);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [prefix, file] of [['valid', 'captures'], ['broken', 'broken-captures']]) {
	const vectors = JSON.parse(readFileSync(new URL(`../../../proto/golden/${file}.json`, import.meta.url), 'utf8'));
	for (const { name, hex } of vectors.filter(({ name }) => !name.includes('cut after')))
		writeFileSync(new URL(`${prefix}-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`, folder),
			Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16)));
}
