// Tests the output of `bench retarget`, but no speed.
import assert from 'node:assert/strict';
import test from 'node:test';
import { bvh, descriptor, scratch, write } from './files.mjs';
import { jointcast, run, runJson } from './tool.mjs';

const folder = scratch('bench');
const bench = (...parameters) =>
	runJson(jointcast, 'bench', 'retarget', ...parameters, '--iterations', '50').rows;

test('measures the built-in motion and skeleton by default', () => {
	const rows = bench();
	assert.deepEqual(rows.map(({ motion, skeleton }) => [motion, skeleton]),
		[['demo:walk', 'humanoid']]);
	for (const key of ['retarget_us', 'pose_and_retarget_us', 'worn_us']) {
		assert.ok(rows[0][key] > 0, key);
	}
});

test('measures every motion on every skeleton', () => {
	const motion = write(folder, 'motion.bvh', bvh);
	const skeleton = write(folder, 'skeleton.json', JSON.stringify(descriptor));
	const pairs = bench(motion, 'humanoid', 'demo:sit', skeleton)
		.map((row) => [row.motion, row.skeleton]);
	assert.deepEqual(pairs, [[motion, 'humanoid'], [motion, skeleton],
		['demo:sit', 'humanoid'], ['demo:sit', skeleton]]);
	assert.deepEqual(bench(skeleton).map((row) => row.motion), ['demo:walk']);
});

test('prints one line per pair in the table', () => {
	const { status, stdout } = run(jointcast, 'bench', 'retarget', '--iterations', '50');
	assert.equal(status, 0);
	assert.match(stdout, /^ *\d+\.\d{3} +\d+\.\d{3} +\d+\.\d{3} +demo:walk on humanoid$/m);
});
