// Recordings of A-Frame: head and controllers become a whole body in every command, and in the daemon.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { recording } from './aframe.mjs';
import { scratch, write } from './files.mjs';
import { dataFiles, failure, jointcast, run, runJson } from './tool.mjs';

const folder = scratch('aframe');
const file = write(folder, 'play.json', JSON.stringify(recording({ frames: 180 })));

test('inspect describes the frames and the tracked joints', () => {
	const [motion] = runJson(jointcast, 'inspect', file).motions;
	assert.equal(motion.format, 'a-frame');
	assert.equal(motion.kind, 'body-frames');
	assert.equal(motion.frames, 180);
	assert.ok(Math.abs(motion.duration - 179 / 90) < 1e-9);
	assert.deepEqual(motion.bones, ['head', 'leftHand', 'rightHand']);
});

test('convert writes the joints that were tracked with --as-tracked', () => {
	const out = `${folder}/play.jsonl`;
	assert.equal(run(jointcast, 'convert', file, out, '--as-tracked').status, 0);
	const [header, first] = readFileSync(out, 'utf8').split('\n').map((line) => line && JSON.parse(line));
	const present = header.joints.filter((_, i) => first.joints[i]?.[7] === 2);
	assert.ok(present.includes('head'), present.join());
});

test('head and hands are completed to a body that stands and reaches them', () => {
	const { frames } = runJson(jointcast, 'retarget', file, 'humanoid', '--times', '0,0.5,1,1.5');
	for (const { bones } of frames) {
		const at = (bone) => bones[bone].worldPosition;
		assert.equal(bones.head.state, 'tracked');
		assert.equal(bones.leftUpperLeg.state, 'estimated');
		assert.ok(at('head')[1] > 1.3 && at('head')[1] < 1.7, `head at ${at('head')}`);
		for (const foot of ['leftFoot', 'rightFoot'])
			assert.ok(at(foot)[1] > 0 && at(foot)[1] < 0.25, `${foot} at ${at(foot)}`);
		// The person looks to -Z: the left is at -X, the hands are in front.
		assert.ok(at('leftHand')[0] < -0.1 && at('rightHand')[0] > 0.1);
		for (const hand of ['leftHand', 'rightHand'])
			assert.ok(at(hand)[2] < at('hips')[2] - 0.05, `${hand} at ${at(hand)}`);
	}
});

test('a recording and other motion files can be made of it', () => {
	for (const ending of ['.mcap', '.bvh', '.glb']) {
		const out = `${folder}/out${ending}`;
		assert.equal(run(jointcast, 'convert', file, out).status, 0, ending);
		assert.equal(runJson(jointcast, 'inspect', out).motions[0].frames, 180, ending);
	}
});

test('the daemon accepts it as a source', () => {
	const config = write(folder, 'aframe.conf', '');
	const { status, stderr } = run(process.env.JOINTCASTD, '--config', config, '--listen', '127.0.0.1:0',
		'--source', `file:${file}`, '--check-config');
	assert.equal(status, 0, stderr);
});

test('public recordings stand and keep their hands in front', (t) => {
	const files = dataFiles('xr', '.json');
	if (files.length === 0)
		return t.skip('the public data is not there');
	for (const path of files) {
		const { motions } = runJson(jointcast, 'inspect', path);
		assert.deepEqual(motions[0].bones, ['head', 'leftHand', 'rightHand'], path);
		assert.deepEqual(motions[0].lint.filter(({ code }) => code === 'device-unused'), [], path);
	}
});

test('a damaged recording is one line', () => {
	const damaged = write(folder, 'damaged.json', '{"camera":{"poses":[{"position":{"x":0,"y":0}}]}}');
	const result = run(jointcast, 'inspect', damaged);
	assert.equal(failure(result, 1, damaged), '');
	assert.match(result.stderr, /not a number, camera\.poses\[0\]\.position\.z\n$/);
});
