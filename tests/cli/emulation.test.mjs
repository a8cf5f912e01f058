// Tests that missing joints of motions are estimated, except with --as-tracked.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { scratch } from './files.mjs';
import { jointcast, run, runJson } from './tool.mjs';

const folder = scratch('emulation');
const { joints } = JSON.parse(readFileSync(
	join(process.env.JOINTCAST_ROOT, 'proto', 'joints.json'), 'utf8'));
const three = ['head', 'left-hand-wrist', 'right-hand-wrist'];

function convert(from, name, ...options) {
	const to = join(folder, name);
	const { status, stderr } = run(jointcast, 'convert', from, to, ...options);
	assert.equal(status, 0, stderr);
	return to;
}

const drop = joints.map(({ name }) => name).filter((name) => !three.includes(name)).join();
const partial = convert('demo:walk', 'partial.jsonl', '--drop', drop);
const look = (path, ...options) => runJson(jointcast, 'retarget', path, 'humanoid', ...options).frames;
const distance = (a, b) => Math.hypot(...a.map((v, k) => v - b[k]));

test('estimates a whole body from head and wrists that walks the same path', () => {
	const truth = look('demo:walk');
	look(partial).forEach(({ bones }, i) => {
		for (const bone of ['leftHand', 'rightHand', 'head']) {
			assert.equal(bones[bone].state, 'tracked');
			const off = distance(bones[bone].worldPosition, truth[i].bones[bone].worldPosition);
			assert.ok(off < 0.005, `${bone}: ${off} m`);
		}
		for (const bone of ['hips', 'leftLowerArm', 'rightLowerLeg', 'leftToes', 'rightIndexDistal']) {
			assert.equal(bones[bone].state, 'estimated', bone);
		}
		const hips = distance(bones.hips.worldPosition, truth[i].bones.hips.worldPosition);
		assert.ok(hips < 0.15, `hips: ${hips} m`);
	});
});

test('a time gives the same body after any earlier time', () => {
	const [first, , second] = look(partial, '--times', '3.217,0.5,3.217');
	const [alone] = look(partial, '--times', '3.217');
	assert.deepEqual(first, second);
	assert.deepEqual(first, alone);
});

test('--as-tracked keeps absent joints absent', () => {
	for (const { bones } of look(partial, '--as-tracked', '--times', '0,1')) {
		const there = Object.keys(bones).filter((bone) => bones[bone].state !== 'absent');
		assert.deepEqual(there.sort(), ['head', 'leftHand', 'rightHand']);
	}
	const { status, stderr } = run(jointcast, 'convert', 'demo:walk', join(folder, 'x.bvh'),
		'--as-tracked=1');
	assert.equal(status, 2, stderr);
});

test('a converted file has every joint with its state', () => {
	const whole = convert(partial, 'whole.jsonl', '--profile', 'meta');
	const [header, ...frames] = readFileSync(whole, 'utf8').trim().split('\n').map((l) => JSON.parse(l));
	assert.equal(frames.length, 505);
	for (const frame of frames) {
		frame.joints.forEach((joint, i) => {
			assert.equal(joint[7], three.includes(header.joints[i]) ? 2 : 1, header.joints[i]);
		});
	}
});

test('estimates missing joints before mirroring', () => {
	const [plain] = look(partial, '--times', '2');
	const [mirrored] = look(partial, '--mirror', '--times', '2');
	const [x, y, z] = plain.bones.leftFoot.worldPosition;
	assert.ok(distance([-x, y, z], mirrored.bones.rightFoot.worldPosition) < 1e-4);
});
