// Prints the paths of a list of lists.mjs, one a line, with -- between motions and figures.
//
// usage: paths.mjs DATA CORPUS LIST
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lists } from './lists.mjs';

const [data, corpus, list] = process.argv.slice(2);
const files = [data, corpus].flatMap((folder) => (folder ? readdirSync(folder, { recursive: true })
	.map((name) => join(folder, name)) : []));
const find = (name) => files.find((path) => basename(path) === name);
const { motions, figures } = lists[list];
const missing = [...motions, ...figures].filter((name) => !find(name));
if (missing.length) {
	console.error(`contacts.sh: not there: ${missing.join(', ')}`);
}
console.log([...motions.map(find).filter(Boolean), '--', ...figures.map(find).filter(Boolean)].join('\n'));
