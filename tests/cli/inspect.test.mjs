// Tests `jointcast inspect` with valid files.
import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyFrames } from './body_frames.mjs';
import { bvh, descriptor, glb, scratch, vrm, write } from './files.mjs';
import { failure, jointcast, run, runJson } from './tool.mjs';

const folder = scratch('inspect');
const inspect = (path) => runJson(jointcast, 'inspect', path);

test('lists bones, missing bones and virtual transforms of a descriptor', () => {
	const path = write(folder, 'skeleton.json', JSON.stringify(descriptor));
	const { file, skeletons, motions } = inspect(path);
	const [skeleton] = skeletons;
	assert.equal(file, path);
	assert.equal(motions.length, 0);
	assert.equal(skeletons.length, 1);
	assert.equal(skeleton.index, 0);
	assert.equal(skeleton.name, 'mannequin');
	assert.equal(skeleton.nodes, descriptor.nodes.length);
	assert.ok(Math.abs(skeleton.hipsHeight - 0.95) < 1e-6);
	assert.deepEqual(skeleton.facing, [0, 0, 0, 1]);
	assert.match(skeleton.hash, /^[0-9a-f]{64}$/);
	assert.deepEqual(skeleton.bones.leftUpperArm, { node: 4, name: 'Arm' });
	assert.equal(Object.keys(skeleton.bones).length + skeleton.missing.length, 55);
	assert.ok(skeleton.missing.includes('rightHand') && !skeleton.missing.includes('hips'));
	assert.deepEqual(skeleton.virtualTransforms.map(({ name, parent }) => [name, parent]),
		[['crown', 3], ['origin', null]]);
});

test('distinguishes VRM 0.x and 1.0 and their facing', () => {
	const one = inspect(write(folder, 'one.vrm', glb(vrm()))).skeletons[0];
	const zero = inspect(write(folder, 'zero.vrm', glb(vrm({ extensionsUsed: ['VRM'],
		extensions: { VRM: { specVersion: '0.0', meta: { title: 'stick' }, humanoid: { humanBones: [
			{ bone: 'hips', node: 0 }, { bone: 'spine', node: 1 }, { bone: 'head', node: 2 },
		] } } } })))).skeletons[0];
	assert.equal(one.format, 'vrm-1.0');
	assert.equal(one.name, 'stick');
	assert.deepEqual(one.facing.map(Math.abs), [0, 0, 0, 1]);
	assert.equal(zero.format, 'vrm-0.x');
	assert.deepEqual(zero.facing.map(Math.abs), [0, 1, 0, 0]);
});

test('equal skeletons have equal hashes, different ones have different hashes', () => {
	const hash = (content) => inspect(write(folder, 'hash.json', JSON.stringify(content)))
		.skeletons[0].hash;
	const nodes = descriptor.nodes.map((node) => ({ ...node }));
	assert.equal(hash(descriptor), hash({ ...descriptor, nodes }));
	nodes[2].translation = [0, 0.21, 0];
	assert.notEqual(hash(descriptor), hash({ ...descriptor, nodes }));
});

test('lists timing, units and bones of a BVH motion', () => {
	const { skeletons, motions: [motion] } = inspect(write(folder, 'motion.bvh', bvh));
	assert.deepEqual(skeletons, []);
	assert.equal(motion.format, 'bvh');
	assert.equal(motion.kind, 'poses');
	assert.equal(motion.frames, 5);
	assert.equal(motion.fps, 2);
	assert.equal(motion.duration, 2);
	assert.ok(Math.abs(motion.metresPerUnit - 0.01) < 1e-6, 'centimetres');
	assert.ok(motion.family !== '');
	assert.ok(['hips', 'spine', 'head', 'leftHand', 'rightFoot'].every((bone) =>
		motion.bones.includes(bone)));
	assert.equal(motion.bones.length + motion.missing.length, 55);
});

test('names the profile of body frames', () => {
	const { motions: [motion] } = inspect(write(folder, 'tracked.jsonl', bodyFrames(31)));
	assert.equal(motion.kind, 'body-frames');
	assert.equal(motion.family, 'webxr-spec');
	assert.equal(motion.frames, 31);
	assert.ok(Math.abs(motion.fps - 60) < 1e-3);
	assert.ok(Math.abs(motion.duration - 0.5) < 1e-6);
});

test('lists the assumptions of a reader', () => {
	const extra = write(folder, 'extra.bvh', `${bvh}${bvh.trimEnd().split('\n').at(-1)}\n`);
	const { motions: [motion] } = inspect(extra);
	assert.equal(motion.frames, 5);
	assert.ok(motion.lint.length > 0);
	for (const { severity, code, text } of motion.lint) {
		assert.match(severity, /^(note|warning)$/);
		assert.match(code, /^[a-z][a-z-]*$/);
		assert.match(text, /^[^\n]+$/);
	}
	assert.match(run(jointcast, 'inspect', extra).stdout, /^ {2}(note|warning) .*\[[a-z-]+\]$/m);
});

test('inspects built-in motions and skeletons like files', () => {
	const { skeletons: [humanoid] } = inspect('humanoid');
	assert.equal(Object.keys(humanoid.bones).length, 55);
	assert.deepEqual(humanoid.missing, []);
	for (const name of ['walk', 'wave', 'sit', 'idle']) {
		const { motions: [motion] } = inspect(`demo:${name}`);
		assert.equal(motion.format, 'demo');
		assert.ok(motion.duration > 1);
	}
});

test('the text has the file, the format, bones and missing bones', () => {
	const path = write(folder, 'skeleton.json', JSON.stringify(descriptor));
	const { status, stdout } = run(jointcast, 'inspect', path);
	assert.equal(status, 0);
	assert.ok(stdout.startsWith(`${path}\n`));
	assert.match(stdout, /^skeleton 0: \S+ 'mannequin'$/m);
	assert.match(stdout, /^ {2}axes +\+Y up, faces \+Z$/m);
	assert.match(stdout, /^ {2}bone +leftUpperArm +node 4 'Arm'$/m);
	assert.match(stdout, /^ {2}missing +46 of 55$/m);
	assert.doesNotMatch(stdout, /[ \t]$/m);
});

test('control and direction characters of a file do not reach the terminal', () => {
	const nodes = descriptor.nodes.map((node, i) =>
		(i === 3 ? { ...node, name: 'evil\u001b[2J\u009b\u202e\u2066\u200b' } : node));
	const path = write(folder, 'evil\u202e.json', JSON.stringify({ ...descriptor, nodes }));
	const { stdout } = run(jointcast, 'inspect', path);
	assert.match(stdout, /'evil\?\[2J\?{4}'/);
	assert.match(stdout, /^[^\n]*evil\?\.json\n/);
	assert.match(run(jointcast, 'inspect', `${path}\u2067`).stderr, /^jointcast: [ -~]*: [ -~]*\n$/);
});

// A shoulder that is lowered by a right angle also moves the arm.
test('a descriptor is a skeleton whose bones can be corrected with offsets', () => {
	const { status, stdout } = run(jointcast, 'inspect', 'humanoid#0', '--descriptor');
	assert.equal(status, 0);
	const file = write(folder, 'humanoid.json', stdout);
	assert.equal(runJson(jointcast, 'inspect', file).skeletons[0].hash,
		runJson(jointcast, 'inspect', 'humanoid').skeletons[0].hash);
	const offsets = { leftShoulder: [0, 0, -Math.SQRT1_2, Math.SQRT1_2] };
	const lowered = write(folder, 'lowered.json', JSON.stringify({ ...JSON.parse(stdout), offsets }));
	const posed = (skeleton) =>
		runJson(jointcast, 'retarget', 'demo:wave', skeleton, '--times', '1').frames[0].bones;
	const [plain, corrected] = [posed(file), posed(lowered)];
	assert.deepEqual(corrected.leftShoulder.normalized.map((v) => v.toFixed(5)),
		plain.leftShoulder.normalized.map((v) => v.toFixed(5)));
	assert.deepEqual(corrected.rightHand, plain.rightHand);
	const arm = ({ leftHand, leftShoulder }) =>
		leftHand.worldPosition.map((v, k) => v - leftShoulder.worldPosition[k]);
	// The chest hardly leans, so the children of the shoulder rotate about +Z.
	const [x, y, z] = arm(plain);
	arm(corrected).forEach((v, k) => assert.ok(Math.abs(v - [y, -x, z][k]) < 0.05, `${arm(corrected)}`));
	assert.equal(failure(run(jointcast, 'inspect', `${file}#3`, '--descriptor'), 1, file), '');
});

test('reports that a list ended at its maximum', () => {
	const crowd = (count) => write(folder, `crowd_${count}.wrl`, '#VRML V2.0 utf8\n'
		+ 'Humanoid { humanoidBody [ Joint { name "HumanoidRoot" } ] }\n'.repeat(count));
	const few = runJson(jointcast, 'inspect', crowd(3));
	assert.equal(few.skeletons.length, 3);
	assert.equal(few.cut, false);
	const many = runJson(jointcast, 'inspect', crowd(300));
	assert.equal(many.skeletons.length, 256);
	assert.equal(many.cut, true);
	assert.match(run(jointcast, 'inspect', crowd(300)).stdout, /\nthe search in one file ends at this number/);
	assert.doesNotMatch(run(jointcast, 'inspect', crowd(3)).stdout, /the search in one file ends/);
});

test('lists version, mass and info of an H-Anim figure', () => {
	const joint = 'skeleton HAnimJoint { name "HumanoidRoot" children [ '
		+ 'HAnimSegment { mass 2.5 } HAnimSegment { mass 4 } ] }';
	const figure = (fields) => write(folder, 'facts.wrl', `#VRML V2.0 utf8\nHAnimHumanoid { ${fields} }\n`);
	const info = ['humanoidVersion=2.0', 'authorName=a\u001b[31m'];
	const told = figure(`info [ ${info.map((text) => `"${text}"`).join(' ')} ] ${joint}`);
	const [skeleton] = inspect(told).skeletons;
	assert.deepEqual([skeleton.version, skeleton.mass, skeleton.info, skeleton.infoDropped],
		['2.0', 6.5, info, 0]);
	const { stdout } = run(jointcast, 'inspect', told);
	assert.match(stdout, /\n {2}version +2\.0\n {2}mass +6\.5 kg\n {2}info +humanoidVersion=2\.0\n {2}info +authorName=a\?\[31m\n/);
	const [silent] = inspect(figure('skeleton HAnimJoint { name "HumanoidRoot" }')).skeletons;
	assert.deepEqual([silent.version, silent.mass, silent.info, silent.infoDropped], ['', null, [], 0]);
	const many = figure(`version "1.1" info [ ${'"a=b" '.repeat(70)} ] ${joint}`);
	assert.equal(inspect(many).skeletons[0].infoDropped, 6);
	assert.match(run(jointcast, 'inspect', many).stdout, /version +1\.1\n[^]*info +6 more\n/);
});

// "The application may also need to retrieve information about such things as joint limits and
// segment masses": the joint is at (0.1, 0.5, 0), the center of mass 0.25 below it.
test('lists limits and segments of an H-Anim figure', () => {
	const path = write(folder, 'limits.wrl', `#VRML V2.0 utf8
HAnimHumanoid { skeleton [ HAnimJoint { name "HumanoidRoot" center 0 1 0 stiffness [ 0 0 1 ] children [
 HAnimJoint { name "l_knee" center 0.1 0.5 0 llimit [ -0.5 0 0 ] ulimit [ 2 0 0.25 ] limitOrientation 0 0 1 3.14159265 children [
  HAnimSegment { name "l_calf" mass 3.5 centerOfMass 0.1 0.25 0 momentsOfInertia [ 1 2 3 4 5 6 7 8 9 ] }
  HAnimSegment { name "empty" } HAnimSegment { name "sock" centerOfMass 0.1 0.5 1 } ] } ] } ] }\n`);
	const [{ limits, segments, mass }] = inspect(path).skeletons;
	assert.deepEqual(limits.map(({ orientation, ...limit }) => limit), [
		{ node: 1, name: 'HumanoidRoot', lower: null, upper: null, stiffness: [0, 0, 1] },
		{ node: 2, name: 'l_knee', lower: [-0.5, 0, 0], upper: [2, 0, 0.25], stiffness: [0, 0, 0] },
	]);
	assert.deepEqual(limits[1].orientation.map((v) => Math.round(v * 1e6) + 0), [0, 0, 1e6, 0]);
	assert.deepEqual(segments.map(({ centerOfMass, ...segment }) => segment), [
		{ name: 'l_calf', node: 2, nodeName: 'l_knee', mass: 3.5, momentsOfInertia: [1, 2, 3, 4, 5, 6, 7, 8, 9] },
		{ name: 'sock', node: 2, nodeName: 'l_knee', mass: null, momentsOfInertia: null },
	]);
	assert.deepEqual(segments.map(({ centerOfMass }) => centerOfMass.map((v) => Math.round(v * 1e6) / 1e6 + 0)), [[0, -0.25, 0], [0, 0, 1]]);
	assert.equal(mass, 3.5);
	assert.match(run(jointcast, 'inspect', path).stdout, /limits +2 joints\n {2}segments +2 with mass/);
	const [plain] = inspect('humanoid').skeletons;
	assert.deepEqual([plain.limits, plain.segments], [[], []]);
});
