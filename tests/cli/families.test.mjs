// Every BVH of the public data: those of a known naming family play upright at
// human size, the others are refused with one line. The table goes to the output.
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import test from 'node:test';
import { dataFiles, failure, jointcast, run, runJson } from './tool.mjs';

const files = dataFiles('bvh', '.bvh');
const skip = files.length === 0 && 'the public data is not there';

const playable = ['cmu_01_01', 'cmu_12_01_walk', 'cmu_02_02_daz', 'threejs_pirouette',
	'geno_stance_lafan_fingers', 'mixed_orders_fingers_zup', 'pymo_AV_8Walk_Meredith',
	'univrm_vrm10viewer_motion', 'walk01_24fps'];
const unusable = ['sinusoidal_4joint_nonhumanoid', 'perception_neuron_hierarchy_only'];
const named = (path) => basename(path, '.bvh');

function median(values) {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)];
}

// How the built-in figure, hips 0.945 m high, moves under a file.
function measure(path) {
	const { motions: [motion] } = runJson(jointcast, 'inspect', path);
	const { frames } = runJson(jointcast, 'retarget', path, 'humanoid', '--fps', '10');
	const of = (bone) => frames.map(({ bones }) => bones[bone].worldPosition);
	const heights = (bone) => of(bone).map(([, y]) => y);
	const [hips, head] = [heights('hips'), heights('head')];
	const feet = ['leftFoot', 'rightFoot', 'leftToes', 'rightToes'].map(heights);
	return {
		family: motion.family,
		bones: motion.bones.length,
		frames: motion.frames,
		fps: motion.fps,
		unit: motion.metresPerUnit,
		sourceHips: motion.hipsHeight,
		upright: median(head.map((y, i) => y - hips[i])),
		floor: median(hips.map((_, i) => Math.min(...feet.map((foot) => foot[i])))),
		// A knee bends about the body's +X; the other way round, front and
		// back or left and right would be confused.
		knees: median(frames.flatMap(({ bones }) => ['leftLowerLeg', 'rightLowerLeg'].map((bone) => {
			const [x, , , w] = bones[bone].normalized;
			return 2 * Math.atan2(x, w);
		}))),
	};
}

function describe(path, result) {
	const figures = [['upright', 2], ['floor', 3], ['knees', 2], ['sourceHips', 3], ['unit', 5]]
		.map(([key, digits]) => `${key} ${result[key].toFixed(digits)}`);
	return `${named(path)}: ${result.family}, ${result.bones} bones, ${result.frames} frames at ` +
		`${result.fps.toFixed(1)} fps; ${figures.join(', ')}`;
}

test('motions of known families play upright, on the floor, at human size', { skip }, () => {
	for (const path of files.filter((file) => playable.includes(named(file)))) {
		const result = measure(path);
		console.log(`# ${describe(path, result)}`);
		assert.ok(result.upright > 0.35 && result.upright < 0.8, `${named(path)}: upright`);
		assert.ok(result.floor > -0.1 && result.floor < 0.2, `${named(path)}: on the floor`);
		assert.ok(result.knees > -0.1, `${named(path)}: knees bend backwards`);
		assert.ok(result.sourceHips > 0.6 && result.sourceHips < 1.3, `${named(path)}: size`);
		assert.ok(result.bones >= 15, `${named(path)}: bones`);
	}
});

test('files that hold no humanoid motion are refused', { skip }, () => {
	for (const path of files.filter((file) => unusable.includes(named(file)))) {
		for (const parameters of [['inspect', path], ['retarget', path, 'humanoid']]) {
			const result = run(jointcast, ...parameters);
			console.log(`# ${result.stderr.trim()}`);
			assert.equal(failure(result, 1, path), '');
		}
	}
});

test('any other file is either used or refused with one line', { skip }, () => {
	const others = files.filter((file) => ![...playable, ...unusable].includes(named(file)));
	for (const path of others) {
		const result = run(jointcast, 'inspect', path);
		const verdict = result.status === 0 ? '' : failure(result, 1, path);
		console.log(`# ${named(path)}: ${result.status === 0
			? result.stdout.match(/^ {2}naming.*$/m)?.[0].trim() : result.stderr.trim()}`);
		assert.equal(verdict, '', named(path));
	}
});

test('all files that are to be tried are there', { skip }, () => {
	const there = new Set(files.map(named));
	assert.deepEqual([...playable, ...unusable].filter((name) => !there.has(name)), []);
});
