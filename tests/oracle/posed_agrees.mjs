// Does clients/js pose a figure as `jointcast` does? Nodes, vertebrae of H-Anim spines, bones in
// space and virtual transforms, of figures of our own making: descriptors that both read, and
// glTF files with EXT_skeleton_humanoid that each reads for itself.
//
// usage: posed_agrees.mjs JOINTCAST FOLDER     (the figures go to FOLDER)
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BONES, Figure, Payload, Skeleton, describeFile } from '../../clients/js/index.js';
import { minus } from './compare.mjs';
import { writePeople } from './ext_figures.mjs';
import { makeDescriptors } from './posed_figures.mjs';
import { runJson } from '../cli/tool.mjs';

const allowed = 1e-5; // metres, of scale, and of the chord between unit quaternions

const chord = (a, b) => Math.min(Math.hypot(...minus(a, b)),
	Math.hypot(...a.map((value, i) => value + b[i])));
const slice = (array, from, count) => Array.from(array.subarray(from, from + count));

// R and the way of the hips in canonical axes, from what `retarget` prints.
function sampleOf(skeleton, { bones }, rest) {
	const normalized = new Float64Array(4 * BONES.length);
	const sample = new Payload();
	for (const [name, { normalized: n }] of Object.entries(bones)) {
		const bone = BONES.indexOf(name);
		normalized.set(n, 4 * bone);
		skeleton.relativeRotation(bone, normalized, sample.rotations, 4 * bone);
	}
	if (bones.hips) {
		const [x, y, z] = minus(bones.hips.worldPosition, rest.hips.restWorldPosition);
		const back = skeleton.facing[1] === 1 ? -1 : 1; // these figures face +Z or -Z
		sample.hips.set([back * x, y, back * z]);
	}
	return sample;
}

function compareFrame(figure, frame, rest, worst) {
	const { skeleton } = figure;
	figure.pose(sampleOf(skeleton, frame, rest));
	const put = (kind, difference) => { worst[kind] = Math.max(worst[kind] ?? 0, difference); };
	for (const { name, rotation } of Object.values(frame.nodes)) {
		put('nodes', chord(slice(figure.rotations, 4 * skeleton.findNode(name), 4), rotation));
	}
	for (const [name, { worldPosition }] of Object.entries(frame.bones)) {
		const at = figure.position(skeleton.bones[BONES.indexOf(name)], []);
		put('positions', Math.hypot(...minus(at, worldPosition)));
	}
	frame.virtualTransforms.forEach(({ index, translation, rotation, scale }) => {
		const mine = figure.virtualTransform(index);
		put('virtual', Math.max(Math.hypot(...minus(mine.translation, translation)),
			chord(mine.rotation, rotation), Math.hypot(...minus(mine.scale, scale))));
	});
}

// The largest differences of a figure that `retarget` reads from a file, over a motion.
function compare(jointcast, { path, index = 0, descriptor }) {
	const { skeleton, frames } = runJson(jointcast, 'retarget', 'demo:wave', path, '--fps', '3',
		'--skeleton-index', index);
	const figure = new Figure(new Skeleton('', descriptor));
	const worst = { virtuals: frames[0].virtualTransforms.length,
		positions: Math.abs(figure.skeleton.hipsHeight - skeleton.hipsHeight) };
	frames[0].virtualTransforms.forEach(({ index: i, name, parent, tags }) => {
		const mine = figure.skeleton.virtualTransforms[i];
		if (mine.name !== name || mine.tags.join() !== tags.join() || (mine.parent < 0) !== ((parent ?? -1) < 0)) {
			throw new Error(`virtual transform ${i} is '${mine.name}', not '${name}'`);
		}
	});
	frames.forEach((frame) => compareFrame(figure, frame, skeleton.bones, worst));
	if (worst.virtuals !== figure.skeleton.virtualTransforms.length) {
		throw new Error(`${figure.skeleton.virtualTransforms.length} virtual transforms, not ${worst.virtuals}`);
	}
	return { ...worst, moved: Object.keys(frames.at(-1).nodes).length };
}

function* sources(folder) {
	for (const { name, descriptor } of makeDescriptors()) {
		const path = join(folder, `${name}.json`);
		writeFileSync(path, JSON.stringify(descriptor));
		yield { name, path, descriptor };
	}
	const { path, count } = writePeople(folder);
	for (let index = 0; index < count; index++) {
		yield { name: `people ${index}`, path, index, descriptor: describeFile(readFileSync(path), { index }) };
	}
}

function main([jointcast, folder]) {
	let failures = 0;
	mkdirSync(folder, { recursive: true });
	console.log('figure'.padEnd(22), 'moved', 'virtual', '   nodes', '  positions', 'virtual transforms');
	for (const { name, ...source } of sources(folder)) {
		const worst = compare(jointcast, source);
		const good = ['nodes', 'positions', 'virtual'].every((kind) => (worst[kind] ?? 0) <= allowed);
		failures += good ? 0 : 1;
		console.log(name.padEnd(22), String(worst.moved).padStart(5), String(worst.virtuals).padStart(7),
			...['nodes', 'positions', 'virtual'].map((kind) => (worst[kind] ?? 0).toExponential(1).padStart(9)),
			good ? 'ok' : 'NOT OK');
	}
	return failures > 0 ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
