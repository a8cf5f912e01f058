// Tests convert: a motion is the same in every format, losses are reported, and files are replaced
// completely or not at all.
import assert from 'node:assert/strict';
import { chmodSync, closeSync, constants, existsSync, linkSync, mkdirSync, openSync, readFileSync, readdirSync, statSync, symlinkSync,
	lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { bvh, descriptor, scratch, write } from './files.mjs';
import { degreesBetween, failure, jointcast, run, runJson } from './tool.mjs';

const folder = scratch('convert');
const degreesAllowed = 0.01;

// Body frames lack the bones that the motion lacks; nothing is estimated.
function convert(from, name, ...options) {
	const to = join(folder, name);
	const { status, stdout, stderr } = run(jointcast, 'convert', from, to, '--as-tracked', ...options);
	assert.equal(status, 0, stderr);
	assert.equal(stdout, '');
	return { to, losses: stderr };
}

// Largest difference of the bones of the first motion at the keys. (Between keys formats differ:
// some interpolate bones, some joints in the world.)
function difference(a, b, skip = []) {
	const [left, right] = [a, b].map((motion) =>
		runJson(jointcast, 'retarget', motion, 'humanoid', '--as-tracked', '--times', '0,0.5,1,1.5,2').frames);
	let worst = 0;
	left.forEach(({ bones }, i) => {
		for (const [name, { normalized, state }] of Object.entries(bones)) {
			if (state !== 'absent' && !skip.includes(name)) {
				assert.notEqual(right[i].bones[name].state, 'absent', name);
				worst = Math.max(worst,
					degreesBetween(normalized, right[i].bones[name].normalized));
			}
		}
	});
	return worst;
}

const demos = ['demo:walk', 'demo:wave', 'demo:sit', 'demo:idle'];
const walk = write(folder, 'source.bvh', bvh);

test('body frames keep every bone that a joint drives', () => {
	for (const motion of [...demos, walk]) {
		const { to } = convert(motion, 'there.jsonl');
		const worst = difference(motion, to, ['leftEye', 'rightEye', 'jaw']);
		assert.ok(worst < degreesAllowed, `${motion}: ${worst} degrees`);
	}
});

test('BVH keeps every bone, in both directions and through body frames', () => {
	for (const motion of [...demos, walk]) {
		const { to } = convert(motion, 'there.bvh');
		assert.ok(difference(motion, to, []) < degreesAllowed, motion);
		const { to: frames } = convert(to, 'there-and.jsonl');
		const { to: back } = convert(frames, 'back.bvh');
		assert.ok(difference(to, back, ['leftEye', 'rightEye', 'jaw']) < degreesAllowed, motion);
	}
});

test('glTF keeps every bone and the movement of the hips, from any format and back', () => {
	const endings = ['.vrma', '.glb', '.gltf', '.bvh', '.jsonl'];
	const eyes = ['leftEye', 'rightEye', 'jaw'];
	for (const motion of ['demo:wave', walk]) {
		for (const there of ['.vrma', '.glb', '.gltf']) {
			const { to } = convert(motion, `gltf${there}`);
			assert.ok(difference(motion, to, there === '.vrma' ? eyes : []) < degreesAllowed, to);
			for (const over of endings) {
				const { to: middle } = convert(to, `over${over}`);
				const { to: back } = convert(middle, `back${there}`);
				const worst = difference(to, back, eyes);
				assert.ok(worst < degreesAllowed, `${there} over ${over}: ${worst} degrees`);
			}
		}
	}
});

// A skeleton with rotated rests, a node between bones, and missing bones, whose rotations go to
// other bones. It must move in the same way with the file as with the source.
test('--skeleton selects the bones and proportions of the file', () => {
	const skeleton = write(folder, 'mannequin.json', JSON.stringify(descriptor));
	const pose = (motion) => runJson(jointcast, 'retarget', motion, skeleton, '--times', '0,0.5,1,1.5').frames;
	const expected = pose('demo:walk');
	for (const ending of ['.vrma', '.glb']) {
		const { to, losses } = convert('demo:walk', `mannequin${ending}`, '--skeleton', skeleton);
		assert.match(losses, /bones not kept: [^\n]*rightUpperArm[^\n]*\n/);
		pose(to).forEach(({ bones, hipsTranslation }, i) => {
			for (const [name, { rotation }] of Object.entries(bones)) {
				const worst = degreesBetween(rotation, expected[i].bones[name].rotation);
				assert.ok(worst < degreesAllowed, `${name}: ${worst} degrees`);
			}
			hipsTranslation.forEach((v, k) =>
				assert.ok(Math.abs(v - expected[i].hipsTranslation[k]) < 1e-5));
		});
	}
	assert.equal(failure(run(jointcast, 'convert', 'demo:walk', join(folder, 'no.glb'),
		'--skeleton', `${skeleton}#7`), 1, skeleton), '');
});

test('keeps expressions and gaze in VRMA and reports their loss in other formats', () => {
	const times = new Float32Array([0, 1]);
	const smile = new Float32Array([0, 0, 0, 0.75, 0, 0]);
	const still = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1]);
	const half = Math.sin(Math.PI / 12);
	const gaze = new Float32Array([0, 0, 0, 1, 0, half, 0, Math.cos(Math.PI / 12)]);
	const bytes = Buffer.concat([times, smile, still, gaze].map(({ buffer }) => Buffer.from(buffer)));
	const accessor = (byteOffset, type) =>
		({ bufferView: 0, byteOffset, componentType: 5126, count: 2, type });
	const animation = write(folder, 'face.gltf', JSON.stringify({
		asset: { version: '2.0' },
		extensionsUsed: ['VRMC_vrm_animation'],
		extensions: { VRMC_vrm_animation: { specVersion: '1.0',
			humanoid: { humanBones: { hips: { node: 0 } } },
			expressions: { preset: { happy: { node: 1 } }, custom: { 'a "wink"': { node: 2 } } },
			lookAt: { node: 3 } } },
		nodes: [{ translation: [0, 1, 0] }, {}, {}, {}],
		buffers: [{ byteLength: bytes.length,
			uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
		bufferViews: [{ buffer: 0, byteLength: bytes.length }],
		accessors: [accessor(0, 'SCALAR'), accessor(8, 'VEC3'), accessor(32, 'VEC4'), accessor(64, 'VEC4')],
		animations: [{
			samplers: [{ input: 0, output: 1 }, { input: 0, output: 2 }, { input: 0, output: 3 }],
			channels: [[1, 0, 'translation'], [2, 0, 'translation'], [0, 1, 'rotation'], [3, 2, 'rotation']]
				.map(([node, sampler, path]) => ({ sampler, target: { node, path } })) }],
	}));
	const { to, losses } = convert(animation, 'face.vrma');
	assert.equal(losses, '');
	const { channels } = runJson(jointcast, 'retarget', to, 'humanoid', '--times', '1').frames[0];
	const flat = (value) => [value].flat();
	assert.ok(Math.abs(flat(channels['expression/happy'])[0] - 0.75) < 1e-6);
	assert.ok(Math.abs(flat(channels['expression/a "wink"'])[0] - 0.75) < 1e-6);
	assert.ok(Math.abs(flat(channels.lookAt)[1] - half) < 1e-6);
	assert.match(convert(animation, 'face.bvh').losses,
		/^jointcast: [^\n]*face\.bvh: 3 channels of expressions and gaze not kept\n$/);
});

test('a body-frame file has 83 joints and one line per frame', () => {
	const { to } = convert(walk, 'lines.jsonl');
	const [header, ...frames] = readFileSync(to, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
	assert.equal(header.jointcast, 'body-frames');
	assert.equal(header.profile, 'webxr-spec');
	assert.equal(header.joints.length, 83);
	assert.equal(frames.length, 5);
	assert.deepEqual(frames.map(({ t }) => t), [0, 0.5, 1, 1.5, 2]);
	const hips = frames[4].joints[header.joints.indexOf('hips')];
	const start = frames[0].joints[header.joints.indexOf('hips')];
	// The hips of the figure in the file are 100 cm above its soles, the end sites of its feet; those
	// of the built-in one are 94.5 cm above its toes, so it walks proportionally less than 40 cm.
	assert.ok(Math.abs(hips[2] - start[2] - (0.4 * 94.5) / 100) < 1e-5);
});

test('dropped joints are null and reported in one line', () => {
	const { to, losses } = convert('demo:walk', 'dropped.jsonl', '--drop', 'left-hand-wrist,right-foot-ball',
		'--profile', 'webxr-spec');
	const [header, frame] = readFileSync(to, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
	for (const name of ['left-hand-wrist', 'right-foot-ball']) {
		assert.equal(frame.joints[header.joints.indexOf(name)], null);
	}
	assert.match(losses, /^jointcast: [^\n]*dropped\.jsonl: bones not kept: [^\n]*leftHand[^\n]*rightToes[^\n]*\n$/);
});

const poses = (path) => runJson(jointcast, 'retarget', path, 'humanoid', '--times', '0.4,1').frames
	.map(({ bones }) => bones);
const profiles = ['webxr-spec', 'meta', 'pico', 'htc', 'slimevr'];

test('a motion gives the same pose in every profile', () => {
	const expected = poses('demo:wave');
	const seen = new Set();
	for (const profile of profiles) {
		const { to } = convert('demo:wave', `wave-${profile}.jsonl`, '--profile', profile);
		const [header, frame] = readFileSync(to, 'utf8').split('\n').map((line) => line && JSON.parse(line));
		assert.equal(header.profile, profile);
		seen.add(JSON.stringify(frame.joints[header.joints.indexOf('left-arm-upper')].slice(3, 7)));
		poses(to).forEach((bones, i) => {
			for (const name of Object.keys(expected[i])) {
				if (/Eye$|^jaw$/.test(name)) continue; // no joint has them
				const [a, b] = [expected[i][name].normalized, bones[name].normalized];
				const dot = Math.abs(a.reduce((sum, value, k) => sum + value * b[k], 0));
				assert.ok(dot > Math.cos((0.05 * Math.PI) / 180), `${profile}: ${name}`);
			}
		});
		const { motions: [motion] } = runJson(jointcast, 'inspect', to);
		assert.equal(motion.family, profile);
		assert.deepEqual(motion.lint, []);
	}
	assert.equal(seen.size, 4, 'pico and htc are the same');
});

test('inspect reports a wrong profile and names one that fits', () => {
	for (const [profile, declared, fitting] of [['meta', 'webxr-spec', 'meta'], ['slimevr', 'pico', 'slimevr'],
		['webxr-spec', 'htc', 'webxr-spec'], ['htc', 'meta', 'pico']]) {
		const { to } = convert('demo:walk', `declared-${profile}.jsonl`, '--profile', profile);
		const wrong = write(folder, `wrong-${profile}.jsonl`,
			readFileSync(to, 'utf8').replace(`"profile":"${profile}"`, `"profile":"${declared}"`));
		const { motions: [{ lint }] } = runJson(jointcast, 'inspect', wrong);
		assert.deepEqual(lint.map(({ code }) => code), ['profile-disagrees']);
		assert.match(lint[0].text, new RegExp(`'${declared}'.*'${fitting}' fits`));
	}
});

test('inspect reports a joint that jumps', () => {
	const { to } = convert('demo:idle', 'jump.jsonl', '--profile', 'pico');
	const lines = readFileSync(to, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
	const wrist = lines[0].joints.indexOf('left-hand-wrist');
	lines[20].joints[wrist][2] += 2000;
	const jump = write(folder, 'jump.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
	const { motions: [{ lint }] } = runJson(jointcast, 'inspect', jump);
	assert.deepEqual(lint.map(({ code }) => code), ['implausible-joints']);
	assert.match(lint[0].text, /1 distance/);
});

test('wrong use ends with status 2', () => {
	const there = join(folder, 'refused.jsonl');
	const misuses = [
		[], ['demo:walk'], ['demo:walk', there, 'more'], ['demo:walk', join(folder, 'refused.xyz')],
		['demo:walk', '.jsonl'],
		['demo:walk', there, '--profile', 'none'], ['demo:walk', there, '--drop', 'tail'],
		['demo:walk', there, '--drop', ''], ['demo:walk', there, '--motion-index', 'x'],
	];
	for (const parameters of misuses) {
		assert.equal(failure(run(jointcast, 'convert', ...parameters), 2, 'convert'), '',
			parameters.join(' '));
	}
	assert.ok(!existsSync(there));
});

/** Whether a file without a name can be made here: what is being written then has none. */
function hasNameless(path) {
	const O_TMPFILE = 0o20200000;
	try {
		closeSync(openSync(path, O_TMPFILE | constants.O_RDWR));
		return true;
	} catch {
		return false;
	}
}

// RLIMIT_FSIZE ends the process during a write, like a kill.
test('an interrupted write leaves no new file and keeps the old one', (t) => {
	const place = join(folder, 'ended');
	rmSync(place, { recursive: true, force: true });
	mkdirSync(place, { recursive: true });
	if (!hasNameless(place)) {
		t.skip('no files without a name here');
		return;
	}
	for (const before of [null, 'what was there']) {
		if (before) {
			write(place, 'out.gltf', before);
		}
		const { status } = run('/bin/sh', '-c', 'ulimit -c 0; ulimit -f 8; exec "$0" "$@"', jointcast, 'convert', 'demo:walk',
			join(place, 'out.gltf'));
		assert.equal(status, 'SIGXFSZ');
		assert.deepEqual(readdirSync(place), before ? ['out.gltf'] : []);
	}
	assert.equal(readFileSync(join(place, 'out.gltf'), 'utf8'), 'what was there');
	// The next run succeeds and keeps the old mode.
	chmodSync(join(place, 'out.gltf'), 0o640);
	assert.equal(run(jointcast, 'convert', 'demo:walk', join(place, 'out.gltf')).status, 0);
	assert.deepEqual([readdirSync(place), statSync(join(place, 'out.gltf')).mode & 0o777], [['out.gltf'], 0o640]);
});

test('never overwrites the input, under any name', () => {
	const { to } = convert(walk, 'itself.jsonl');
	const before = readFileSync(to);
	const hard = join(folder, 'hard.jsonl');
	const soft = join(folder, 'soft.jsonl');
	for (const path of [hard, soft]) {
		rmSync(path, { force: true });
	}
	linkSync(to, hard);
	symlinkSync(to, soft);
	for (const out of [to, hard, soft]) {
		assert.equal(failure(run(jointcast, 'convert', to, out), 2, 'convert'), '');
	}
	assert.deepEqual(readFileSync(to), before);
});

test('unusable input ends with status 1, an unwritable output with 3, without a file', () => {
	const place = join(folder, 'empty');
	rmSync(place, { recursive: true, force: true });
	mkdirSync(place);
	const broken = write(folder, 'broken.bvh', 'HIERARCHY\n');
	assert.equal(failure(run(jointcast, 'convert', broken, join(place, 'a.jsonl')), 1, broken), '');
	const nowhere = join(place, 'no', 'such', 'a.jsonl');
	assert.equal(failure(run(jointcast, 'convert', walk, nowhere), 3, nowhere), '');
	const directory = join(place, 'b.jsonl');
	mkdirSync(directory);
	assert.equal(failure(run(jointcast, 'convert', walk, directory), 3, directory), '');
	assert.deepEqual(readdirSync(place), ['b.jsonl']);
});

test('replaces the target of a link and keeps its mode', () => {
	const file = write(folder, 'kept.jsonl', 'old');
	const link = join(folder, 'link.jsonl');
	rmSync(link, { force: true });
	symlinkSync(file, link);
	chmodSync(file, 0o640);
	convert(walk, 'link.jsonl');
	assert.ok(lstatSync(link).isSymbolicLink());
	assert.equal(statSync(file).mode & 0o777, 0o640);
	assert.match(readFileSync(file, 'utf8'), /^\{"jointcast":"body-frames"/);
});

const attached = {
	...descriptor,
	virtualTransforms: [
		{ name: 'grip', parent: 1, tags: ['weapon_socket'] },
		{ name: 'screen', parent: 1, respectParentRotation: false },
		{ name: 'seat', translation: [0, 0.5, -0.2], tags: ['seating'] },
	],
};

test('glTF keeps virtual transforms, other formats name what they lose', () => {
	const skeleton = write(folder, 'attached.json', JSON.stringify(attached));
	const losses = (name) => convert('demo:idle', name, '--skeleton', skeleton).losses;
	assert.doesNotMatch(losses('attached.gltf'), /virtual/);
	const { extensions, extensionsUsed } = JSON.parse(readFileSync(join(folder, 'attached.gltf')));
	assert.deepEqual(extensionsUsed, ['EXT_skeleton_humanoid', 'KHR_virtual_transform']);
	assert.deepEqual(extensions.KHR_virtual_transform.virtualTransforms.map(({ name, parent, tags }) => [name, parent, tags]),
		[['grip', 0, ['weapon_socket']], ['screen', 0, undefined], ['seat', undefined, ['seating']]]);
	assert.match(losses('attached.bvh'), /virtual transforms not kept: 'grip', 'screen', 'seat'/);
	assert.match(losses('attached.vrma'), /virtual transforms not kept: 'grip', 'screen', 'seat'/);
	assert.match(losses('attached.wrl'), /which parts of their node virtual transforms respect: 'screen'/);
	assert.match(losses('attached.x3d'), /tags of virtual transforms not kept: 'grip', 'seat'/);
	const [figure] = runJson(jointcast, 'inspect', join(folder, 'attached.x3d')).skeletons;
	const parents = Object.fromEntries(figure.virtualTransforms.map(({ name, parent }) => [name, parent]));
	assert.equal(parents.seat_pt, 0); // the node of the humanoid
	assert.equal(parents.grip_pt, figure.bones.hips.node);
});

// Degrees between +Y of a node and each of its child nodes, by names, from the local transforms.
function axesOff(path) {
	const { nodes } = JSON.parse(readFileSync(path));
	return Object.fromEntries(nodes.flatMap(({ name, children = [] }) => children.map((child) => {
		const t = nodes[child].translation;
		return [`${name} ${nodes[child].name}`, (Math.atan2(Math.hypot(t[0], t[2]), t[1]) * 180) / Math.PI];
	})));
}

test('--bone-axes child directs +Y exactly to the child joint, and the motion stays the same', () => {
	const pairs = ['hips spine', 'spine chest', 'neck head', 'leftLowerLeg leftFoot', 'leftFoot leftToes', 'rightHand rightMiddleProximal'];
	const anatomic = axesOff(convert('demo:wave', 'anatomic.gltf').to);
	const { to } = convert('demo:wave', 'child.gltf', '--bone-axes', 'child');
	const child = axesOff(to);
	// The reference axes of the built-in figure, worked out from its joints.
	assert.deepEqual(pairs.map((pair) => anatomic[pair].toFixed(1)), ['6.3', '2.4', '12.5', '4.1', '25.7', '0.0']);
	pairs.forEach((pair) => assert.ok(child[pair] < 1e-4, `${pair} ${child[pair]}`));
	assert.ok(difference('demo:wave', to) < degreesAllowed);
	const { findings } = runJson(jointcast, 'lint', to);
	assert.deepEqual(findings.filter(({ code }) => code === 'bone-axes'), []);
	for (const [options, said] of [[['x.bvh', '--bone-axes', 'child'], /--bone-axes is for \.glb and \.gltf only/],
		[['x.glb', '--bone-axes', 'south'], /--bone-axes: 'south' is neither anatomic nor child/]]) {
		const { status, stderr } = run(jointcast, 'convert', 'demo:wave', ...options);
		assert.equal(status, 2);
		assert.match(stderr, said);
	}
	assert.match(run(jointcast, 'lint', 'humanoid', '--bone-axes', 'child').stderr, /--bone-axes needs --fix/);
});
