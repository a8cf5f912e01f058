// Does the tool find the bones of an FBX file where Blender had them when it exported the file? The
// sources are a BVH of a demo motion, and the given figures.
//
// usage: fbx_of_blender.mjs JOINTCAST FOLDER [FIGURE.glb…]     (files of our own go to FOLDER)
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inverse, times } from '../figures/arithmetic.mjs';
import { degreesBetween, run, runJson } from '../cli/tool.mjs';

const [jointcast, folder, ...figures] = process.argv.slice(2);
const script = join(dirname(fileURLToPath(import.meta.url)), 'fbx_of_blender.py');
const variants = ['plain', 'z_up', 'x_bones', 'metres', 'baked'];
const DEGREES = 0.01;
const METRES = 1e-4;
let failed = false;

function exportAll(source) {
	const target = join(folder, basename(source).replace(/\W/g, '_'));
	mkdirSync(target, { recursive: true });
	const { status, stdout, stderr, error } = spawnSync('blender',
		['-b', '--factory-startup', '--python-exit-code', '1', '-P', script, '--', source, target],
		{ encoding: 'utf8', maxBuffer: 1 << 28 });
	if (error) {
		throw new Error('Blender is missing: tests/foreign/install.sh');
	}
	if (status !== 0) {
		throw new Error(`blender: ${stdout.slice(-2000)}${stderr.slice(-2000)}`);
	}
	return target;
}

// The exporter turns all bones by one rotation, so that another axis lies along them.
function compare(path, truth) {
	const at = truth.map(({ t }) => t).join();
	const { skeleton, frames } = runJson(jointcast, 'retarget', path, path, '--times', at);
	const turn = times(inverse(truth[0].bones[skeleton.bones.hips.name].rotation),
		frames[0].bones.hips.worldRotation);
	const worst = { degrees: 0, metres: 0, bones: 0 };
	frames.forEach((frame, i) => {
		for (const [bone, { worldRotation, worldPosition }] of Object.entries(frame.bones)) {
			const { rotation, position } = truth[i].bones[skeleton.bones[bone].name];
			worst.degrees = Math.max(worst.degrees, degreesBetween(worldRotation, times(rotation, turn)));
			worst.metres = Math.max(worst.metres, Math.hypot(...worldPosition.map((v, k) => v - position[k])));
			worst.bones++;
		}
	});
	return worst;
}

// The way back to the motion that Blender imported; only the bind pose of the mesh leads there.
function compareSource(path, source, truth) {
	const at = truth.map(({ t }) => t).join();
	const [a, b] = [path, source].map((file) => runJson(jointcast, 'retarget', file, 'humanoid', '--times', at));
	return Math.max(...a.frames.flatMap((frame, i) => Object.entries(frame.bones).map(([bone, { normalized }]) =>
		degreesBetween(normalized, b.frames[i].bones[bone].normalized))));
}

// Whether every bone keeps the distance to the bone above that it has in the bind pose. A pose has no
// lengths of bones: positions of a figure that stretches differ from those of its file.
function isRigid({ frames, parents, bind }) {
	const length = (a, b) => Math.hypot(...a.map((v, k) => v - b[k]));
	return Object.entries(parents).every(([bone, parent]) => {
		const lengths = frames.map(({ bones }) => length(bones[bone].position, bones[parent].position))
			.concat(length(bind[bone], bind[parent]));
		return Math.max(...lengths) - Math.min(...lengths) < METRES / 10;
	});
}

mkdirSync(folder, { recursive: true });
const walk = join(folder, 'walk.bvh');
if (run(jointcast, 'convert', 'demo:walk', walk).status !== 0) {
	throw new Error('cannot write the motion');
}
for (const source of [walk, ...figures]) {
	const target = exportAll(source);
	const stated = JSON.parse(readFileSync(join(target, 'truth.json'), 'utf8'));
	const { frames: truth } = stated;
	const rigid = isRigid(stated);
	for (const variant of variants) {
		const path = join(target, `${variant}.fbx`);
		const { degrees, metres, bones } = compare(path, truth);
		const back = source.endsWith('.bvh') ? compareSource(path, source, truth) : 0;
		const isWrong = degrees > DEGREES || (rigid && metres > METRES) || back > DEGREES;
		failed ||= isWrong;
		console.log(`${isWrong ? 'WRONG ' : ''}${basename(source)} ${variant}: ${bones} bones within ${
			degrees.toFixed(5)} degrees and ${metres.toExponential(1)} m${rigid ? '' : ' (it stretches)'} of Blender${
			source.endsWith('.bvh') ? `, normalised within ${back.toFixed(5)} degrees of the BVH` : ''}`);
	}
}
process.exit(failed ? 1 : 0);
