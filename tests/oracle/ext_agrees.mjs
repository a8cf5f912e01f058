// EXT_skeleton_humanoid worked out a second time: the pseudo-code of "Animation remapping" in
// three's matrices, on figures whose nodes stand anyhow (ext_figures.mjs): in `jointcast` and, for
// the rest pose, in the descriptor of clients/js.
//
// usage: ext_agrees.mjs JOINTCAST FOLDER     (files of our own go to FOLDER)
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { BONES, Skeleton, describeFile } from '../../clients/js/index.js';
import { degreesBetween } from './compare.mjs';
import { buildExt, extRecipes, writeExt } from './ext_figures.mjs';
import { makeRandom, randomRotation } from './random.mjs';
import { runJson } from '../cli/tool.mjs';

const degreesAllowed = 0.01;
const positionAllowed = 1e-5; // metres, of a figure about as high

// animatedLocal = parentInverseBind * bindWorld * R, and where that leads.
function expect(figure, rotations) {
	const worlds = [];
	const expected = {};
	const names = new Map(Object.entries(figure.bones).map(([bone, node]) => [node, bone]));
	figure.nodes.forEach((_, node) => {
		const parent = figure.parents[node];
		const bone = names.get(node);
		const local = parent < 0 ? figure.binds[node].clone()
			: figure.binds[parent].clone().invert().multiply(figure.binds[node]);
		if (bone) {
			local.multiply(new Matrix4().makeRotationFromQuaternion(
				new Quaternion(...rotations[bone])));
		}
		worlds[node] = parent < 0 ? local : worlds[parent].clone().multiply(local);
		const rotation = new Quaternion();
		local.decompose(new Vector3(), rotation, new Vector3());
		expected[bone] = { rotation: rotation.toArray(),
			position: new Vector3().setFromMatrixPosition(worlds[node]).toArray() };
	});
	return expected;
}

// The largest difference of an element of the bind matrices from those of the descriptor.
function checkDescriptor(path, folder, figure) {
	const buffers = (name) => readFileSync(join(folder, name));
	const skeleton = new Skeleton('', describeFile(readFileSync(path), { buffers }));
	return Math.max(...Object.entries(figure.bones).flatMap(([bone, node]) => {
		const at = 16 * skeleton.bones[BONES.indexOf(bone)];
		return figure.binds[node].elements.map((value, i) => Math.abs(value - skeleton.restWorlds[at + i]));
	}));
}

function check(jointcast, folder, recipe) {
	const random = makeRandom(recipe.seed);
	const figure = buildExt(recipe, random);
	const rotations = Object.fromEntries(
		Object.keys(figure.bones).map((bone) => [bone, randomRotation(random)]));
	const path = writeExt(folder, recipe, figure, rotations);
	const { frames: [frame] } = runJson(jointcast, 'retarget', path, path, '--times', '0');
	const expected = expect(figure, rotations);
	const worst = { degrees: 0, position: 0, bones: Object.keys(frame.bones).length,
		described: checkDescriptor(path, folder, figure) };
	for (const [bone, { rotation, relative, worldPosition }] of Object.entries(frame.bones)) {
		worst.degrees = Math.max(worst.degrees, degreesBetween(relative, rotations[bone]),
			degreesBetween(rotation, expected[bone].rotation));
		worst.position = Math.max(worst.position, Math.hypot(
			...worldPosition.map((value, i) => value - expected[bone].position[i])));
	}
	return { ...worst, all: Object.keys(rotations).length };
}

function main([jointcast, folder]) {
	let failures = 0;
	mkdirSync(folder, { recursive: true });
	console.log('figure'.padEnd(20), 'bones', 'rotation deg', 'position m', 'described');
	for (const recipe of extRecipes) {
		const worst = check(jointcast, folder, recipe);
		const good = worst.bones === worst.all && worst.degrees <= degreesAllowed &&
			worst.position <= positionAllowed && worst.described <= positionAllowed;
		failures += good ? 0 : 1;
		console.log(recipe.name.padEnd(20), String(worst.bones).padStart(5),
			worst.degrees.toExponential(1).padStart(12),
			worst.position.toExponential(1).padStart(10),
			worst.described.toExponential(1).padStart(9), good ? 'ok' : 'NOT OK');
	}
	return failures > 0 ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
