// Tests the fields of `jointcast measure`, and motions with known measures.
import assert from 'node:assert/strict';
import test from 'node:test';
import { descriptor, scratch, write } from './files.mjs';
import { failure, jointcast, run, runJson } from './tool.mjs';

const folder = scratch('measure');
const measure = (...parameters) => runJson(jointcast, 'measure', ...parameters);

test('the JSON has exactly the fields of the manual page', () => {
	const result = measure('demo:idle', 'humanoid', '--fps', '5');
	assert.deepEqual(Object.keys(result), ['frames', 'fps', 'footSkateCm', 'penetrationMm',
		'penetrationMostMm', 'bodyBelowMm', 'bodyBelowMostMm', 'deepestBone', 'contacts',
		'endEffectorError', 'jerk', 'jerkRatio', 'limits', 'signFlips']);
	for (const key of ['footSkateCm', 'penetrationMm', 'penetrationMostMm', 'bodyBelowMm', 'bodyBelowMostMm', 'jerk']) {
		assert.deepEqual(Object.keys(result[key]), ['source', 'worn']);
	}
	assert.deepEqual(Object.keys(result.contacts), ['f1', 'precision', 'recall']);
	assert.deepEqual(Object.keys(result.limits), ['joints', 'violations', 'clamped']);
	assert.equal(result.fps, 5);
});

test('a motion on its own figure has equal measures', () => {
	const { contacts, endEffectorError, jerkRatio, footSkateCm, penetrationMm, signFlips } =
		measure('demo:walk', 'humanoid');
	assert.deepEqual(contacts, { f1: 1, precision: 1, recall: 1 });
	assert.deepEqual([endEffectorError, jerkRatio, signFlips], [0, 1, 0]);
	assert.equal(footSkateCm.worn, footSkateCm.source);
	assert.equal(penetrationMm.worn, penetrationMm.source);
	assert.deepEqual(measure('demo:walk', 'humanoid', '--mirror').contacts, contacts);
});

test('lowered hips give the expected penetration', () => {
	// In "sit" the feet stay on the floor. Moving the hips down by a tenth more puts the feet
	// below the floor by that tenth, at most.
	const { frames, skeleton } = runJson(jointcast, 'retarget', 'demo:sit', 'humanoid', '--fps', '60');
	const drop = Math.max(...frames.map(({ hipsTranslation: [, y] }) =>
		skeleton.bones.hips.restWorldPosition[1] - y));
	const plain = measure('demo:sit', 'humanoid', '--fps', '60').penetrationMostMm.worn;
	const sunk = measure('demo:sit', 'humanoid', '--fps', '60', '--hips-scale', '1,1.1').penetrationMostMm;
	assert.ok(plain < 1, String(plain));
	assert.ok(Math.abs(sunk.worn - 100 * drop) < 1, `${sunk.worn} mm of ${drop} m`);
	assert.ok(sunk.source < 1);
});

test('a body below the floor is noticed, by the bone that is deepest', () => {
	// Three times as low, the hips of "sit" are below the floor, which the toes of the T-pose touch.
	const options = ['humanoid', '--fps', '20', '--hips-scale', '1,3'];
	const { frames, skeleton } = runJson(jointcast, 'retarget', 'demo:sit', ...options);
	const floor = skeleton.bones.leftToes.restWorldPosition[1];
	const lowest = frames.flatMap(({ bones }) => Object.entries(bones))
		.filter(([name]) => !/Foot|Toes/.test(name))
		.map(([name, { worldPosition }]) => ({ name, depth: 1000 * (floor - worldPosition[1]) }))
		.reduce((a, b) => (b.depth > a.depth ? b : a));
	const { bodyBelowMostMm, bodyBelowMm, deepestBone } = measure('demo:sit', ...options);
	assert.ok(lowest.depth > 100, `${lowest.depth} mm`);
	assert.ok(Math.abs(bodyBelowMostMm.worn - lowest.depth) < 0.01, `${bodyBelowMostMm.worn} mm`);
	assert.ok(bodyBelowMm.worn > 0 && bodyBelowMm.worn <= bodyBelowMostMm.worn);
	assert.deepEqual(deepestBone, { source: null, worn: lowest.name });
	assert.deepEqual([bodyBelowMm.source, bodyBelowMostMm.source], [0, 0]);
	assert.match(run(jointcast, 'measure', 'demo:sit', ...options).stdout, new RegExp(`mm, most: ${lowest.name}$`, 'm'));
});

test('the table has the same values, and a dash for missing ones', () => {
	const file = write(folder, 'bust.json', JSON.stringify({
		nodes: [{ translation: [0, 1, 0] }, { parent: 0, translation: [0, 0.6, 0] }],
		bones: { hips: 0, head: 1 } }));
	const { stdout } = run(jointcast, 'measure', 'demo:wave', file);
	assert.match(stdout, /^foot skate +- +-  cm a frame in contact$/m);
	assert.match(stdout, /^contact F1 +- +-$/m);
	assert.match(stdout, /^end effectors +\d+\.\d\d +-  % of height off$/m);
	assert.match(stdout, /^sign flips +0 +-$/m);
	const { footSkateCm, contacts, penetrationMm } = measure('demo:wave', file);
	assert.deepEqual([footSkateCm.worn, contacts.f1, penetrationMm.worn], [null, null, null]);
	assert.equal(typeof penetrationMm.source, 'number');
});

test('measures a motion of one pose as far as possible', () => {
	const still = write(folder, 'still.json', JSON.stringify(descriptor));
	const pose = write(folder, 'still.jsonl', `${JSON.stringify({ jointcast: 'body-frames',
		profile: 'webxr-spec', joints: ['hips', 'head'] })}\n${JSON.stringify({ t: 0,
		joints: [[0, 1, 0, 0, 0, 0, 1, 2], [0, 1.6, 0, 0, 0, 0, 1, 2]] })}\n`);
	const { frames, footSkateCm, jerkRatio } = measure(pose, still);
	assert.equal(frames, 1);
	assert.deepEqual([footSkateCm.worn, jerkRatio], [null, null]);
});

test('reports wrong inputs in one line', () => {
	assert.equal(failure(run(jointcast, 'measure', 'demo:walk', '/none'), 3, '/none'), '');
	assert.equal(failure(run(jointcast, 'measure', 'demo:walk'), 2, 'measure'), '');
	assert.equal(failure(run(jointcast, 'measure', 'demo:walk', 'humanoid', '--fps', '0'), 2, 'measure'), '');
});
