// Does three's FBXLoader see in an FBX file the motion that `jointcast retarget` prints for the
// figure of the same file: every bone turned and placed alike?
//
// usage: fbx_agrees.mjs JOINTCAST FOLDER [FILE.fbx…]     (files of our own go to FOLDER)
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AnimationMixer, PropertyBinding, Quaternion, Vector3 } from 'three';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import { anyDegrees, fbxText, makeFigure, orders, swing } from '../cli/fbx_files.mjs';
import { degreesBetween } from './compare.mjs';
import { run, runJson } from '../cli/tool.mjs';

const degreesAllowed = 0.01;
const metresAllowed = 1e-5;

const any = (salt, size) => (bone) => anyDegrees(bone, salt, size);
const still = () => [0, 0, 0];
const ours = {
	mixamo: { pre: any(1, 70) },
	skin: { pre: any(1, 70), skin: true, nodeRotation: any(9, 30) },
	orders: { pre: any(2, 70), post: any(5, 40), order: (bone) => orders[bone.length % 6] },
	travel: { takes: [{ name: 'Walk', start: 0, keys: 25, rate: 24, angles: swing, way: (s) => [9 * s, 0, 90 * s] }] },
	still: { pre: any(3, 70), takes: [{ name: 'Still', start: 0, keys: 2, rate: 1, angles: any(6, 40), way: still }] },
};

// three loads textures as elements of a page.
globalThis.document = { createElementNS: () => ({ addEventListener() {}, removeEventListener() {} }) };
globalThis.window = globalThis;
console.warn = () => {};

function load(path) {
	const bytes = readFileSync(path);
	return new FBXLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
}

// Prints the largest differences; false if they are too large.
function compare(jointcast, path) {
	const root = load(path);
	// libassimp leaves out takes without curves.
	const clips = root.animations.filter(({ duration }) => duration > 0);
	if (clips.length === 0) {
		console.log(`${basename(path)}: no motion`);
		return true;
	}
	const mixer = new AnimationMixer(root);
	mixer.clipAction(clips[0]).play();
	const times = [0, 0.3, 0.6, 0.9].map((part) => Math.round(part * clips[0].duration * 24) / 24);
	const { skeleton, frames } = runJson(jointcast, 'retarget', path, path, '--times', times.join());
	const worst = { degrees: 0, metres: 0, bones: 0 };
	for (const { t, bones } of frames) {
		mixer.setTime(t);
		root.updateMatrixWorld(true);
		for (const [bone, found] of Object.entries(bones)) {
			const node = root.getObjectByName(PropertyBinding.sanitizeNodeName(skeleton.bones[bone].name));
			const [place, turn] = [new Vector3(), new Quaternion()];
			node.matrixWorld.decompose(place, turn, new Vector3());
			worst.degrees = Math.max(worst.degrees, degreesBetween(found.worldRotation, turn.toArray()));
			worst.metres = Math.max(worst.metres,
				place.multiplyScalar(0.01).distanceTo(new Vector3(...found.worldPosition)));
			worst.bones++;
		}
	}
	const agrees = worst.degrees < degreesAllowed && worst.metres < metresAllowed;
	console.log(`${agrees ? '' : 'DIFFERENT '}${basename(path)}: ${worst.bones} bones, ${
		worst.degrees.toFixed(5)} degrees, ${worst.metres.toExponential(1)} m`);
	return agrees;
}

const [jointcast, folder, ...files] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const written = Object.entries(ours).map(([name, change]) => {
	const path = join(folder, `${name}.fbx`);
	writeFileSync(path, fbxText(makeFigure(change)));
	return path;
});
if (/built without FBX/.test(run(jointcast, 'inspect', written[0]).stderr)) {
	console.log('skipped: built without libassimp (-DJC_FBX=OFF)');
	process.exit(77);
}
const results = [...written, ...files].map((path) => compare(jointcast, path));
process.exit(results.every(Boolean) ? 0 : 1);
