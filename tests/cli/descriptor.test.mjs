// Compares skeleton descriptors in C and JavaScript: both must compute the same hips height, N and
// offsets for every figure.
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import test from 'node:test';
import { BONES, Skeleton } from '../../clients/js/index.js';
import { scratch, write } from './files.mjs';
import { dataFiles, degreesBetween, jointcast, run, runJson } from './tool.mjs';

const folder = scratch('descriptor');
const offsets = {
	leftShoulder: [0, 0, -0.0436194, 0.9990482],
	rightUpperArm: [0.1, -0.2, 0.3, Math.sqrt(0.86)],
	hips: [0, 0.6, 0, 0.8],
	head: [0.5, 0.5, 0.5, 0.5],
};

function readDescriptor(path) {
	const { status, stdout } = run(jointcast, 'inspect', path, '--descriptor');
	return status === 0 ? JSON.parse(stdout) : null;
}

function compare(path, descriptor) {
	const name = basename(path);
	const corrected = write(folder, 'corrected.json', JSON.stringify({ ...descriptor,
		offsets: Object.fromEntries(Object.entries(offsets).filter(([bone]) => bone in descriptor.bones)) }));
	const posed = (skeleton) => runJson(jointcast, 'retarget', 'demo:sit', skeleton, '--times', '2.5');
	const [plain, turned] = [posed(path), posed(corrected)];
	const js = new Skeleton('h', JSON.parse(run(jointcast, 'inspect', corrected, '--descriptor').stdout));
	assert.ok(Math.abs(js.hipsHeight / plain.skeleton.hipsHeight - 1) < 1e-5,
		`${name}: hips ${js.hipsHeight}, not ${plain.skeleton.hipsHeight}`);
	const relative = new Float64Array(4 * BONES.length);
	for (const [bone, { relative: r }] of Object.entries(turned.frames[0].bones)) {
		relative.set(r, 4 * BONES.indexOf(bone));
	}
	for (const [bone, { normalized }] of Object.entries(plain.frames[0].bones)) {
		// A spine that distributes its rotation over vertebrae has only a part of it in the bone.
		if (/^(spine|chest|upperChest|neck)$/.test(bone) && descriptor.format === 'h-anim') {
			continue;
		}
		const n = js.normalizedRotation(BONES.indexOf(bone), relative, []);
		const apart = degreesBetween(n, normalized);
		assert.ok(apart < 0.001, `${name}: ${bone} is ${apart} degrees off`);
	}
}

test('C and JavaScript agree on the built-in skeleton', () => {
	compare('humanoid', readDescriptor('humanoid'));
});

const files = [...dataFiles('vrm', '.vrm'), ...dataFiles('hanim', '.x3d'), ...dataFiles('hanim', '.wrl'),
	...dataFiles('gltf', '.glb'), ...dataFiles('gltf', '.gltf')];

test('C and JavaScript agree on every figure of the public data', { skip: files.length === 0 && 'the public data is not there' }, () => {
	const figures = files.map((path) => [path, readDescriptor(path)]).filter(([, descriptor]) => descriptor);
	assert.ok(figures.length > 10, `${figures.length} figures`);
	figures.forEach(([path, descriptor]) => compare(path, descriptor));
});
