// Reads every BVH and glTF of the public data. Files with a humanoid are upright, of human size, with
// left on the left; the others are refused with one line. The expected numbers of bones were counted
// in the files. The test prints a table.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import test from 'node:test';
import { scratch, write } from './files.mjs';
import { dataFiles, failure, jointcast, run, runJson } from './tool.mjs';

const files = [...dataFiles('bvh', '.bvh'), ...dataFiles('gltf', '.glb')];
const skip = files.length === 0 && 'the public data is not there';
const named = (path) => basename(path, extname(path));
const fileOf = (name) => files.find((path) => named(path) === name);

// Family and number of bones.
const playable = {
	boxing_toes_extra_line: ['biovision', 21],
	cmu_01_01: ['cmu', 24],
	cmu_02_02_daz: ['daz', 41],
	cmu_12_01_walk: ['cmu', 24],
	geno_stance_lafan_fingers: ['lafan', 52],
	makehuman_tpose: ['makehuman', 53], // five toes a foot, so none
	makehuman_walk1: ['makehuman', 55],
	mixed_orders_fingers_zup: ['motionbuilder', 52],
	pymo_AV_8Walk_Meredith: ['motionbuilder', 21],
	threejs_pirouette: ['daz', 41],
	univrm_vrm10viewer_motion: ['motionbuilder', 21],
	walk01_24fps: ['motionbuilder', 19],
	xsens_mvn_style_yxz: ['xsens', 22],
};
const figures = {
	CesiumMan: ['structure', 19],
	KayKit_Knight: ['common', 18],
	KayKit_Med_MovementBasic: ['common', 18],
	RobotExpressive: ['common', 34],
	godot_mannequiny: ['unreal', 45],
	hubs_DefaultAvatar_upperbody: ['motionbuilder', 38],
};
const unusable = {
	perception_neuron_hierarchy_only: /Frames is due/,
	rotation_first_root: /no humanoid: .*missing: both legs, both feet, both arms, both hands/,
	sinusoidal_4joint_nonhumanoid: /no humanoid: .*missing: hips, spine, head, both legs/,
	'webxr_generic-hand_left': /no humanoid: .*missing: hips/,
	'webxr_generic-hand_right': /no humanoid: .*missing: hips/,
};

function median(values) {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)];
}

// The movement of the built-in figure, hips 0.945 m high, with a motion of a file.
function measure(path, index = 0) {
	const { frames } = runJson(jointcast, 'retarget', path, 'humanoid', '--fps', '10',
		'--motion-index', `${index}`);
	const of = (bone) => frames.map(({ bones }) => bones[bone].worldPosition);
	const heights = (bone) => of(bone).map(([, y]) => y);
	const [hips, head] = [heights('hips'), heights('head')];
	const feet = ['leftFoot', 'rightFoot', 'leftToes', 'rightToes'].map(heights);
	const sides = (bone) => of(`left${bone}`).map(([x], i) => x - of(`right${bone}`)[i][0]);
	return {
		upright: median(head.map((y, i) => y - hips[i])),
		floor: median(hips.map((_, i) => Math.min(...feet.map((foot) => foot[i])))),
		// In the first second bodies face +Z, with their left at +X.
		left: median(sides('UpperLeg').slice(0, 10)),
		// A knee bends about the body's +X. The opposite direction would mean exchanged front
		// and back, or left and right.
		knees: median(frames.flatMap(({ bones }) => ['leftLowerLeg', 'rightLowerLeg'].map((bone) => {
			const [x, , , w] = bones[bone].normalized;
			return 2 * Math.atan2(x * Math.sign(w), Math.abs(w));
		}))),
	};
}

function describe(name, result) {
	const values = [['upright', 2], ['floor', 3], ['left', 2], ['knees', 2]]
		.map(([key, digits]) => `${key} ${result[key].toFixed(digits)}`);
	return `${name}: ${values.join(', ')}`;
}

test('BVH motions are upright, on the floor, of human size, with left on the left', { skip }, () => {
	for (const [name, [family, bones]] of Object.entries(playable)) {
		const { motions: [motion] } = runJson(jointcast, 'inspect', fileOf(name));
		assert.equal(motion.family, family, name);
		assert.equal(motion.bones.length, bones, `${name}: bones`);
		assert.ok(motion.confidence >= 0.9 && motion.confidence <= 1, `${name}: confidence`);
		assert.ok(motion.hipsHeight > 0.6 && motion.hipsHeight < 1.3, `${name}: size`);
		const result = measure(fileOf(name));
		console.log(`# ${describe(name, result)}`);
		assert.ok(result.upright > 0.35 && result.upright < 0.8, `${name}: upright`);
		assert.ok(result.floor > -0.1 && result.floor < 0.2, `${name}: on the floor`);
		assert.ok(result.left > 0.05, `${name}: left on the left`);
		assert.ok(result.knees > -0.1, `${name}: knees bend backwards`);
	}
});

test('plain glTF figures are read as skeletons with their clips', { skip }, () => {
	for (const [name, [family, bones]] of Object.entries(figures)) {
		const { skeletons, motions } = runJson(jointcast, 'inspect', fileOf(name));
		assert.equal(skeletons.length, 1, name);
		const [skeleton] = skeletons;
		assert.equal(skeleton.format, 'gltf', name);
		assert.equal(skeleton.family, family, name);
		assert.equal(Object.keys(skeleton.bones).length, bones, `${name}: bones`);
		assert.equal(skeleton.missing.length, 55 - bones, `${name}: missing`);
		assert.equal(motions.length, JSON.parse(jsonOf(fileOf(name))).animations.length, name);
		for (const motion of motions) {
			assert.equal(motion.format, 'gltf', name);
			assert.equal(motion.bones.length, bones, name);
		}
		if (!skeleton.bones.leftUpperLeg) {
			continue;
		}
		const standing = Math.max(0, motions.findIndex((motion) => /walk|stand|idle|run/i.test(motion.name)));
		const result = measure(fileOf(name), standing);
		console.log(`# ${describe(`${name} ${motions[standing].name}`, result)}`);
		assert.ok(result.upright > 0.35 && result.upright < 0.8, `${name}: upright`);
		assert.ok(result.left > 0.05, `${name}: left on the left`);
		assert.ok(result.knees > -0.1, `${name}: knees bend backwards`);
	}
});

// The JSON of a GLB.
function jsonOf(path) {
	const file = readFileSync(path);
	return file.subarray(20, 20 + file.readUInt32LE(12)).toString();
}

test('the nodes of bones are those that their names state', { skip }, () => {
	const chosen = {
		CesiumMan: { hips: 'Skeleton_torso_joint_1', leftUpperArm: 'Skeleton_arm_joint_L__4_',
			rightUpperArm: 'Skeleton_arm_joint_R', rightFoot: 'leg_joint_R_3' },
		KayKit_Knight: { hips: 'hips', leftHand: 'wrist.l', rightFoot: 'foot.r', leftToes: 'toes.l' },
		RobotExpressive: { hips: 'Body', spine: 'Hips', leftFoot: 'Foot.L', rightIndexProximal: 'Index.R' },
		godot_mannequiny: { hips: 'pelvis', leftShoulder: 'clavicle.l', rightToes: 'ball.r' },
		hubs_DefaultAvatar_upperbody: { hips: 'Hips', leftHand: 'LeftHand', rightEye: 'RightEye' },
	};
	for (const [name, bones] of Object.entries(chosen)) {
		const { skeleton } = runJson(jointcast, 'retarget', 'demo:idle', fileOf(name), '--times', '0');
		for (const [bone, node] of Object.entries(bones)) {
			assert.equal(skeleton.bones[bone]?.name, node, `${name}: ${bone}`);
		}
	}
});

test('any motion fits onto a plain glTF figure', { skip }, () => {
	for (const name of ['CesiumMan', 'KayKit_Knight', 'godot_mannequiny']) {
		const at = (skeleton) => runJson(jointcast, 'retarget', 'demo:wave', skeleton, '--times', '1')
			.frames[0].bones;
		const [theirs, ours] = [at(fileOf(name)), at('humanoid')];
		const along = (bones, from, to) => {
			const way = bones[to].worldPosition.map((v, i) => v - bones[from].worldPosition[i]);
			return way.map((v) => v / Math.hypot(...way));
		};
		for (const side of ['left', 'right']) {
			for (const [from, to] of [['UpperArm', 'LowerArm'], ['LowerArm', 'Hand'], ['UpperLeg', 'LowerLeg']]) {
				const [a, b] = [along(theirs, side + from, side + to), along(ours, side + from, side + to)];
				const off = Math.hypot(...a.map((v, i) => v - b[i]));
				assert.ok(off < 1e-4, `${name}: ${side}${from} points ${off} elsewhere`);
			}
		}
	}
});

test('refuses files without a humanoid', { skip }, () => {
	for (const [name, reason] of Object.entries(unusable)) {
		const use = fileOf(name).endsWith('.bvh')
			? ['retarget', fileOf(name), 'humanoid'] : ['retarget', 'demo:idle', fileOf(name)];
		for (const parameters of [['inspect', fileOf(name)], use]) {
			const result = run(jointcast, ...parameters);
			console.log(`# ${result.stderr.trim()}`);
			assert.equal(failure(result, 1, fileOf(name)), '');
			assert.match(result.stderr, reason);
		}
	}
});

test('an extra line of frames is a warning', { skip }, () => {
	const { motions: [{ lint, frames }] } = runJson(jointcast, 'inspect', fileOf('boxing_toes_extra_line'));
	assert.equal(frames, 3069);
	assert.equal(lint.find(({ code }) => code === 'extra-frames')?.severity, 'warning');
});

test('the hierarchy of Perception Neuron can be used once it has a frame', { skip }, () => {
	const hierarchy = readFileSync(fileOf('perception_neuron_hierarchy_only'), 'latin1')
		.replace(/MOTION[^]*$/, '').trimEnd();
	// Position channels repeat the OFFSETs, as Axis Neuron writes them.
	const offsets = [...hierarchy.matchAll(/(ROOT|JOINT|End)[^{]*\{\s*OFFSET\s+(\S+)\s+(\S+)\s+(\S+)/g)]
		.filter(([, kind]) => kind !== 'End');
	const values = offsets.flatMap(([, , ...offset]) => [...offset, 0, 0, 0]);
	const path = write(scratch('families'), 'neuron.bvh',
		`${hierarchy}\nMOTION\nFrames: 1\nFrame Time: 0.01\n${values.join(' ')}\n`);
	const { motions: [motion] } = runJson(jointcast, 'inspect', path);
	assert.equal(motion.family, 'perception-neuron');
	assert.equal(motion.bones.length, 50); // 6 of the trunk, 8 of arms, 6 of legs, 30 of fingers
	assert.ok(motion.hipsHeight > 0.8 && motion.hipsHeight < 1.1);
	const { upright, left } = measure(path);
	assert.ok(upright > 0.35 && left > 0.05);
});

test('every file of the public data is in the table', { skip }, () => {
	const tried = [playable, figures, unusable].flatMap((table) => Object.keys(table));
	assert.deepEqual([...tried].sort(), files.map(named).sort());
});

// A BVH from [name, offset, ...children]; a joint without children ends with an end site, which has
// the offset alone. One frame of rotations that are all zero for each height of the root.
function bvhOf(root, heights) {
	const lines = ['HIERARCHY'];
	let rotations = 0;
	const put = ([name, offset, ...children], kind) => {
		rotations += 3;
		lines.push(`${kind} ${name}`, '{', `OFFSET ${offset.join(' ')}`, kind === 'ROOT'
			? 'CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation'
			: 'CHANNELS 3 Zrotation Xrotation Yrotation');
		for (const child of children) {
			if (typeof child[0] === 'string') {
				put(child, 'JOINT');
			} else {
				lines.push('End Site', '{', `OFFSET ${child[0].join(' ')}`, '}');
			}
		}
		lines.push('}');
	};
	put(root, 'ROOT');
	const frames = heights.map((y) => [0, y, 0, ...new Array(rotations).fill(0)].join(' '));
	return `${[...lines, 'MOTION', `Frames: ${frames.length}`, 'Frame Time: 0.04', ...frames].join('\n')}\n`;
}

// As OpenNI's recorders write it: millimetres, a joint without offset at the torso for each limb.
const both = (make) => [make('LEFT', 1), make('RIGHT', -1)];
const tracked = ['TORSO#', [0, 0, 0],
	...both((side, x) => [`T${side[0]}S`, [0, 0, 0],
		[`${side}_SHOULDER#`, [125 * x, 185, 0],
			[`${side}_ELBOW`, [15 * x, -215, -10], [`${side}_HAND`, [10 * x, -250, 60], [[0, 0, 0]]]]]]),
	...both((side, x) => [`T${side[0]}H`, [0, 0, 0],
		[`${side}_HIP#`, [80 * x, -185, 0],
			[`${side}_KNEE`, [0, -420, 20], [`${side}_FOOT`, [0, -400, -20], [[0, 0, 0]]]]]]),
	['TN', [0, 0, 0], ['NECK#', [0, 185, 0], ['HEAD', [0, 220, 20], [[0, 0, 0]]]]]];

test('a camera tracker, whose torso carries all limbs, is read by names and without them', () => {
	const text = bvhOf(tracked, [1005, 1010, 1005]);
	let count = 0;
	const texts = { openni: text, structure: text.replace(/(ROOT|JOINT) \S+/g, (_, kind) => `${kind} q${count++}`) };
	for (const [family, content] of Object.entries(texts)) {
		const path = write(scratch('families'), `${family}.bvh`, content);
		const { motions: [motion] } = runJson(jointcast, 'inspect', path);
		assert.equal(motion.family, family);
		assert.equal(motion.metresPerUnit, 0.001, family);
		for (const bone of ['UpperArm', 'LowerArm', 'Hand', 'UpperLeg', 'LowerLeg', 'Foot']) {
			assert.ok(motion.bones.includes(`left${bone}`) && motion.bones.includes(`right${bone}`), bone);
		}
		const { upright, left } = measure(path);
		assert.ok(upright > 0.35 && left > 0.05, family);
	}
});

test('an animal with human names is refused', () => {
	const leg = (side, [upper, lower], x, z) => [`${side}${upper}`, [5 * x, -4, z],
		[`${side}${lower}`, [0, -18, 3], [[0, -20, -4]]]];
	const path = write(scratch('families'), 'dog.bvh', bvhOf(['Hips', [0, 0, 0],
		['Spine', [0, 2, 30], ['Neck', [0, 8, 30], ['Head', [0, 8, 15], [[0, 0, 12]]]],
			...both((side, x) => leg(side, ['Arm', 'ForeArm'], x, 25))],
		...both((side, x) => leg(side, ['UpLeg', 'Leg'], x, 0))], [45, 46]));
	const result = run(jointcast, 'inspect', path);
	assert.equal(failure(result, 1, path), '');
	assert.match(result.stderr, /no humanoid: arms, legs and trunk are those of an animal\n$/);
});
