// Tests convert with --from, --until and --fps: the same interval at the same rate in every format.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { scratch } from './files.mjs';
import { degreesBetween, failure, jointcast, run, runJson } from './tool.mjs';

const folder = scratch('excerpt');
const endings = ['jsonl', 'bvh', 'vrma', 'glb', 'gltf', 'wrl', 'x3d', 'x3dv', 'csv', 'mcap'];

function convert(from, name, ...options) {
	const to = join(folder, name);
	const { status, stderr } = run(jointcast, 'convert', from, to, ...options);
	assert.equal(status, 0, stderr);
	return to;
}

const bonesAt = (motion, ...times) => runJson(jointcast, 'retarget', motion, 'humanoid', '--as-tracked',
	'--times', times.join(',')).frames.map(({ bones }) => bones);

for (const ending of endings) {
	test(`.${ending} has the interval and the rate`, () => {
		const to = convert('demo:walk', `walk.${ending}`, '--from', '1.25', '--until', '2.25', '--fps', '20');
		const { duration, fps } = runJson(jointcast, 'inspect', to).motions[0];
		assert.ok(Math.abs(duration - 1) < 1e-5, `${duration} s`);
		// Keys of interpolators have no rate: files with few of them are sampled at a multiple.
		assert.ok(Math.abs(fps % 20) < 1e-3 || Math.abs(fps % 20 - 20) < 1e-3, `${fps} fps`);
		const expected = bonesAt('demo:walk', 1.25, 1.7, 2.25);
		bonesAt(to, 0, 0.45, 1).forEach((bones, i) => {
			for (const [name, { normalized, state }] of Object.entries(bones)) {
				// A BVH has no front: the reader measures it.
				if (state !== 'absent' && !(ending === 'bvh' && name === 'hips')) {
					const worst = degreesBetween(normalized, expected[i][name].normalized);
					assert.ok(worst < 0.01, `${name}: ${worst} degrees`);
				}
			}
		});
	});
}

test('without --fps the frames keep their distance', () => {
	const to = convert('demo:walk', 'part.csv', '--from', '8');
	const times = readFileSync(to, 'utf8').trim().split('\n').slice(1).map((line) => Number(line.split(',')[0]));
	assert.equal(times.length, 25);
	times.forEach((t, i) => assert.ok(Math.abs(t - i / 60) < 1e-9));
});

test('an interval outside the motion ends with status 1, wrong numbers with 2', () => {
	const to = join(folder, 'no.csv');
	for (const interval of [['--from', '9'], ['--from', '2', '--until', '1']]) {
		assert.equal(failure(run(jointcast, 'convert', 'demo:walk', to, ...interval), 1, 'demo:walk'), '');
	}
	for (const wrong of [['--from', '-1'], ['--until', '0'], ['--fps', '0'], ['--fps', '1e9'], ['--from', 'x']]) {
		assert.equal(failure(run(jointcast, 'convert', 'demo:walk', to, ...wrong), 2, 'convert'), '');
	}
	assert.ok(!existsSync(to));
});
