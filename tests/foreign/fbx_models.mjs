// Inspects every FBX file below a folder: each is read, or refused in one line with exit status 1.
// Meant for models of other programs, such as those of assimp's tests.
//
// usage: fbx_models.mjs JOINTCAST FOLDER
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { failure, run } from '../cli/tool.mjs';

const [jointcast, folder] = process.argv.slice(2);
const files = readdirSync(folder, { recursive: true }).filter((name) => /\.fbx$/i.test(name)).sort();
let complaints = 0;
for (const name of files) {
	const path = join(folder, name);
	const result = run(jointcast, 'inspect', path);
	const complaint = result.status === 0 ? '' : failure(result, 1, path);
	complaints += complaint ? 1 : 0;
	const items = result.stdout.match(/^(skeleton|motion) \d+/gm) ?? [];
	console.log(`${complaint ? `WRONG (${complaint}) ` : ''}${name}: ${
		result.status === 0 ? items.join(', ') : result.stderr.trim().slice(`jointcast: ${path}: `.length)}`);
}
console.log(`${files.length} files, ${complaints} wrong`);
process.exit(files.length > 0 && complaints === 0 ? 0 : 1);
