// Writes figures, motions and expected results into files/; with --check it only compares the
// existing files with its output. README.md has the derivation.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { figures } from './figures.mjs';
import { motions } from './motions.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'files');
const files = [...motions(), ...figures()];

function check() {
	const stale = files.filter(({ name, content }) => !existsSync(join(folder, name)) ||
		!Buffer.from(content).equals(readFileSync(join(folder, name))));
	stale.forEach(({ name }) => console.error(`${name} is not what make.mjs makes`));
	return stale.length === 0 ? 0 : 1;
}

if (process.argv.includes('--check')) {
	process.exitCode = check();
} else {
	mkdirSync(folder, { recursive: true });
	files.forEach(({ name, content }) => writeFileSync(join(folder, name), content));
}
