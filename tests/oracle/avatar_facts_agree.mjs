// Do the facts of `jointcast lint` agree with those of Khronos' validator? For each VRM and glTF file
// of the folders and files that are named: draw calls, triangles, vertices, materials, and number and
// pixels of the images. The validator counts each primitive of a mesh once, jointcast once for each
// node that draws it: a mesh that another number of nodes uses is weighed here by that number. Prints
// a table of all facts.
//
// usage: avatar_facts_agree.mjs JOINTCAST FOLDER|FILE…
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import validator from 'gltf-validator';
import { run } from '../cli/tool.mjs';

const [jointcast, ...places] = process.argv.slice(2);
assert.ok(places.length > 0, 'usage: avatar_facts_agree.mjs JOINTCAST FOLDER|FILE…');
const files = places.flatMap((place) => (statSync(place).isDirectory()
	? readdirSync(place).sort().map((name) => join(place, name)) : [place]))
	.filter((path) => /\.(vrm|glb|gltf)$/.test(path));

function documentOf(bytes) {
	const isBinary = bytes.toString('latin1', 0, 4) === 'glTF';
	return JSON.parse(isBinary ? bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)) : bytes.toString('utf8'));
}

// How many nodes draw each mesh, and how many draw calls it has.
function usesOf({ nodes = [], meshes = [] }) {
	return meshes.map(({ primitives }, mesh) => ({
		count: nodes.filter((node) => node.mesh === mesh).length, primitives: primitives.length }));
}

async function peerFacts(bytes) {
	const { info } = await validator.validateBytes(new Uint8Array(bytes));
	const images = (info.resources ?? []).filter(({ image }) => image).map(({ image }) => image);
	return { primitives: info.drawCallCount, triangles: info.totalTriangleCount, baseVertices: info.totalVertexCount,
		materials: info.materialCount, images: images.length,
		pixels: images.reduce((sum, { width, height }) => sum + width * height, 0) };
}

// Whether textures use an image with a second sampler, for which jointcast counts its pixels again.
function repeatsImages({ textures = [] }) {
	const pairs = new Set(textures.map(({ source, sampler = -1 }) => `${source} ${sampler}`));
	return pairs.size > new Set(textures.map(({ source }) => source)).size;
}

const columns = ['bytes', 'triangles', 'vertices', 'geometry', 'nodes', 'joints', 'primitives', 'materials', 'textures', 'pixels', 'side', 'springs', 'values'];
const row = (name, cells) => console.log(name.slice(0, 36).padEnd(37), cells.map((cell) => String(cell).padStart(10)).join(''));
row('file', columns);

let compared = 0, skipped = 0;
for (const path of files) {
	const bytes = readFileSync(path);
	const { stdout, status } = run(jointcast, 'lint', path, '--json');
	const avatar = status === 0 ? JSON.parse(stdout).avatar : null;
	if (!avatar?.servable) {
		console.log(`${basename(path)}: not compared: ${avatar?.text ?? 'no figure'}`);
		skipped++;
		continue;
	}
	const document = documentOf(bytes);
	const peer = await peerFacts(bytes);
	const uses = usesOf(document);
	const drawn = uses.reduce((sum, { count, primitives }) => sum + count * primitives, 0);
	const names = ['materials', 'images', 'baseVertices'];
	assert.equal(avatar.primitives, drawn, `${path}: draw calls`);
	assert.equal(peer.primitives, uses.reduce((sum, { primitives }) => sum + primitives, 0), `${path}: primitives`);
	if (uses.every(({ count }) => count === 1))
		names.push('triangles', 'primitives');
	if (!repeatsImages(document))
		names.push('pixels');
	for (const name of names)
		assert.equal(avatar[name], peer[name], `${path}: ${name}`);
	row(basename(path), columns.map((name) => avatar[name]));
	compared++;
}
console.log(`${compared} files compared, ${skipped} not`);
assert.ok(compared > 0, 'no file was compared');
