// Runs `jointcast inspect` on all public data. Every file of the manifest is either described, with
// the bones that this test finds in it independently (in the JSON of glTF and VRM, in the text of BVH
// and H-Anim), or refused with the reason. The table of results is inspect_data.md in the scratch
// folder.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { basename, join } from 'node:path';
import test from 'node:test';
import { scratch } from './files.mjs';
import { failure, jointcast, run } from './tool.mjs';

const data = process.env.JOINTCAST_DATA ?? join(process.env.JOINTCAST_ROOT, '..', 'shared', 'data');
const manifest = join(data, 'MANIFEST.csv');
const rows = [];

// Only the notes contain characters that need quoting.
const listed = existsSync(manifest)
	? readFileSync(manifest, 'utf8').split('\n').slice(1).filter((line) => /^[^,"]+,[^,"]+,/.test(line))
		.map((line) => ({ path: line.split(',')[0], kind: line.split(',')[1], line }))
	: [];

// Unusable files and the expected reason.
const refused = new Map(Object.entries({
	'bvh/perception_neuron_hierarchy_only.bvh': /Frames/,
	'bvh/rotation_first_root.bvh': /no humanoid.*legs/,
	'bvh/sinusoidal_4joint_nonhumanoid.bvh': /no humanoid/,
	'vrm/broken_empty.vrm': /no humanoid.*without any nodes/,
	'vrm/broken_extensions_required.vrm': /requires extension 'VRMC_vrm'/,
	'vrm/broken_human_bone.vrm': /12345.*humanBones\[0\]\.node/,
	'gltf/webxr_generic-hand_left.glb': /no humanoid/,
	'gltf/webxr_generic-hand_right.glb': /no humanoid/,
	'hanim/MotionCaptureROM_3dsmax_biped.wrl': /no Humanoid/,
	'hanim/openhrp3_sample1.wrl': /name of H-Anim.*'WAIST'/,
}));

function documentOf(path) {
	const file = readFileSync(path);
	return JSON.parse(file.toString('latin1', 0, 4) === 'glTF'
		? file.subarray(20, 20 + file.readUInt32LE(12)).toString() : file.toString());
}

// VRM 0.x numbers thumb bones like those of other fingers.
const thumbs = { ThumbProximal: 'ThumbMetacarpal', ThumbIntermediate: 'ThumbProximal' };
const newName = (bone) => bone.replace(/Thumb(Proximal|Intermediate)$/, (name) => thumbs[name]);

function checkVrm(path, { skeletons: [skeleton], motions }) {
	const { extensions, nodes, animations } = documentOf(path);
	const isNew = extensions.VRMC_vrm !== undefined;
	const bones = Object.fromEntries(isNew
		? Object.entries(extensions.VRMC_vrm.humanoid.humanBones).map(([bone, { node }]) => [bone, node])
		: extensions.VRM.humanoid.humanBones.filter(({ node }) => node >= 0)
			.map(({ bone, node }) => [newName(bone), node]));
	assert.equal(skeleton.format, isNew ? 'vrm-1.0' : 'vrm-0.x');
	assert.equal(skeleton.nodes, nodes.length);
	assert.deepEqual(Object.fromEntries(Object.entries(skeleton.bones)
		.map(([bone, { node }]) => [bone, node]).sort()), Object.fromEntries(Object.entries(bones).sort()));
	for (const { node, name } of Object.values(skeleton.bones)) {
		assert.equal(name, nodes[node].name ?? '');
	}
	assert.equal(motions.length, (animations ?? []).length);
	return [skeleton.format, Object.keys(bones).length, motions.length];
}

function checkVrma(path, { skeletons, motions: [motion, ...more] }) {
	const { extensions, animations: [{ channels, samplers }], accessors } = documentOf(path);
	const { humanBones } = extensions.VRMC_vrm_animation.humanoid;
	const named = new Map(Object.entries(humanBones).map(([bone, { node }]) => [node, bone]));
	const turned = new Set(channels.filter(({ target }) => target.path === 'rotation')
		.map(({ target }) => named.get(target.node)).filter(Boolean));
	const length = Math.max(...channels.map(({ sampler }) => accessors[samplers[sampler].input].max[0]));
	assert.equal(motion.format, 'vrma');
	assert.deepEqual([more, skeletons], [[], []]);
	assert.ok(motion.bones.every((bone) => bone in humanBones));
	assert.ok([...turned].filter((bone) => !bone.endsWith('Eye'))
		.every((bone) => motion.bones.includes(bone)));
	assert.ok(Math.abs(motion.duration - length) < 1e-4, `${motion.duration} s, not ${length}`);
	return ['vrma', motion.bones.length, 1];
}

// Names of left bones contain left, those of right bones contain right. CesiumMan numbers its joints
// instead.
const isLeft = /left|(^|[._ -])l([._ -]|\d*$)/i;
const isRight = /right|(^|[._ -])r([._ -]|\d*$)/i;

function checkPlain(path, { skeletons: [skeleton], motions }) {
	const { nodes, skins, animations } = documentOf(path);
	const joints = new Set(skins.flatMap((skin) => skin.joints));
	const bones = Object.entries(skeleton.bones);
	assert.equal(skeleton.format, 'gltf');
	assert.equal(skeleton.nodes, nodes.length);
	assert.equal(motions.length, animations.length);
	assert.equal(new Set(bones.map(([, { node }]) => node)).size, bones.length);
	for (const [bone, { node, name }] of bones) {
		assert.equal(name, nodes[node].name);
		assert.ok(joints.has(node), `${name} is no joint`);
		if (/^left/.test(bone) && !/^Skeleton_/.test(name)) {
			assert.ok(isLeft.test(name) && !isRight.test(name), `${bone} is ${name}`);
		} else if (/^right/.test(bone) && !/^Skeleton_/.test(name)) {
			assert.ok(isRight.test(name) && !isLeft.test(name), `${bone} is ${name}`);
		}
	}
	assert.ok(skeleton.bones.hips && skeleton.bones.head && bones.length <= joints.size);
	motions.forEach(({ name, index }, i) => {
		assert.equal(index, i);
		assert.equal(name, animations[i].name ?? '');
	});
	return ['gltf', bones.length, motions.length];
}

function checkBvh(path, { skeletons, motions: [motion] }) {
	const text = readFileSync(path, 'latin1');
	const joints = [...text.matchAll(/^\s*(?:ROOT|JOINT)\s+(\S.*?)\s*$/gm)].map(([, name]) => name);
	const [, frames] = text.match(/Frames:\s*(\d+)/);
	const [, seconds] = text.match(/Frame Time:\s*([0-9.eE+-]+)/);
	assert.deepEqual(skeletons, []);
	assert.equal(motion.format, 'bvh');
	assert.equal(motion.frames, Number(frames));
	if (motion.frames > 1) {
		assert.ok(Math.abs(motion.fps * Number(seconds) - 1) < 1e-6);
	}
	assert.ok(motion.bones.length <= joints.length, 'more bones than joints');
	// Each left bone has a right one, and a body has all limbs.
	for (const bone of motion.bones.filter((name) => name.startsWith('left'))) {
		assert.ok(motion.bones.includes(bone.replace('left', 'right')), `${bone} alone`);
	}
	for (const bone of ['hips', 'spine', 'head', 'leftUpperArm', 'leftLowerArm', 'leftHand',
		'leftUpperLeg', 'leftLowerLeg', 'leftFoot']) {
		assert.ok(motion.bones.includes(bone), `no ${bone} among ${joints}`);
	}
	assert.ok(motion.hipsHeight > 0.6 && motion.hipsHeight < 1.2, `hips at ${motion.hipsHeight} m`);
	return ['bvh', motion.bones.length, 1];
}

// Joints that correspond to the same bone in every version of H-Anim.
const anchors = { humanoid_root: 'hips', HumanoidRoot: 'hips', l_hip: 'leftUpperLeg',
	r_hip: 'rightUpperLeg', l_knee: 'leftLowerLeg', r_knee: 'rightLowerLeg', l_ankle: 'leftFoot',
	r_ankle: 'rightFoot', l_talocrural: 'leftFoot', r_talocrural: 'rightFoot',
	l_shoulder: 'leftUpperArm', r_shoulder: 'rightUpperArm', l_elbow: 'leftLowerArm',
	r_elbow: 'rightLowerArm', l_wrist: 'leftHand', r_wrist: 'rightHand', l_radiocarpal: 'leftHand',
	r_radiocarpal: 'rightHand', skullbase: 'head', vl5: 'spine' };

function checkHanim(path, { skeletons: [skeleton, ...more], motions }) {
	const bytes = readFileSync(path);
	const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8');
	// A Joint node, in either encoding, up to its name; USE repeats one.
	const joints = new Set([...text.matchAll(
		/<HAnimJoint\b(?![^>]*\bUSE=)[^>]*\bname=['"]([^'"]+)['"]|\b(?:HAnim)?Joint\s*\{\s*(?:(?!\bchildren\b)[^{}])*?\bname\s+"([^"]+)"/g)]
		.map(([, xml, vrml]) => (xml ?? vrml).replace(/^hanim_/, '')));
	const found = Object.fromEntries(Object.entries(skeleton.bones).map(([bone, { name }]) => [bone, name]));
	assert.equal(skeleton.format, 'h-anim');
	assert.deepEqual(more, []);
	assert.ok(joints.size >= 15, `the scan finds ${joints.size} joints`);
	for (const name of [...joints].filter((joint) => joint in anchors)) {
		assert.ok(anchors[name] in skeleton.bones, `${name} is no ${anchors[name]}`);
	}
	for (const [bone, name] of Object.entries(found)) {
		assert.ok([...joints].some((joint) => joint.toLowerCase() === name.toLowerCase())
			|| new RegExp(`DEF=['"]\\w+_${name}['"]`).test(text),
		`${bone} is '${name}', which the scan does not know`);
	}
	assert.ok(Object.keys(found).length <= joints.size);
	const timers = new Set([...text.matchAll(/(?:DEF|name)=['"](\w*)['"]|DEF\s+(\w+)\s+(?:TimeSensor|HAnimMotion)/g)]
		.map(([, xml, vrml]) => xml ?? vrml));
	assert.ok(motions.every(({ name, format }) => format === 'h-anim'
		&& (name === '' || timers.has(name) || timers.has(`hanim_${name}`))));
	return ['h-anim', Object.keys(found).length, motions.length];
}

/** A frame for each pose of the camera. */
function checkAframe(path, { skeletons, motions }) {
	const { camera: { poses }, ...hands } = documentOf(path);

	assert.deepEqual([skeletons.length, motions.length], [0, 1]);
	assert.deepEqual(motions[0].bones, ['head', 'leftHand', 'rightHand']);
	assert.deepEqual(Object.keys(hands).sort(), ['left', 'right']);
	assert.equal(motions[0].frames, poses.length);
	assert.ok(Math.abs(motions[0].duration - (poses.at(-1).timestamp - poses[0].timestamp) / 1000) < 1e-6);
	return [motions[0].format, motions[0].bones.length, 1];
}

const checks = { vrm: checkVrm, vrma: checkVrma, gltf: checkPlain, bvh: checkBvh, hanim: checkHanim };

function note(path, format, bones, motions, remark) {
	rows.push(`| ${path} | ${format} | ${bones} | ${motions} | ${remark} |`);
}

test('the public data exists', { skip: listed.length ? false : 'not at hand' }, () => {
	assert.ok(listed.length > 200);
});

for (const { path, kind, line } of listed) {
	test(path, () => {
		const file = join(data, path);
		const result = run(jointcast, 'inspect', file, '--json');
		const check = path.startsWith('xr/aframe_') ? checkAframe : checks[kind];
		if (!check || refused.has(path)) {
			assert.equal(failure(result, 1, file), '');
			assert.match(result.stderr, refused.get(path) ?? /./);
			note(path, '', '', '', result.stderr.slice(`jointcast: ${file}: `.length).trim());
			return;
		}
		assert.equal(result.status, 0, result.stderr);
		const [format, bones, motions] = check(file, JSON.parse(result.stdout));
		const [, said] = line.match(/humanbones=(\d+)/) ?? [];
		if (said && kind === 'vrm') {
			assert.equal(bones, Number(said), 'the manifest counts otherwise');
		}
		assert.equal(run(jointcast, 'inspect', file).status, 0);
		note(path, format, bones, motions, '');
	});
}

test('refuses folders', { skip: listed.length ? false : 'not at hand' }, () => {
	for (const folder of new Set(listed.map(({ path }) => join(data, path, '..')))) {
		assert.equal(failure(run(jointcast, 'inspect', folder), 3, folder), '', basename(folder));
	}
});

test('writes the table of results', () => {
	writeFileSync(join(scratch('inspect_data'), 'inspect_data.md'), [
		'| file | format | bones | motions | refused because |', '|---|---|---|---|---|', ...rows, '',
	].join('\n'));
});
