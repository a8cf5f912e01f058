// Tests the independent reading of motions on files that this project makes: its readers against results
// worked out by hand, its verdicts on sound bodies and on bodies with one fault each, and the comparison
// with `jointcast` on a sound and on a wrong output.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { retargeted, run } from './compare.mjs';
import { changed, findUp, frameOf, open, upAxes } from './figure.mjs';
import { judgeFile } from './judgement.mjs';
import { countFingers, splitName } from './names.mjs';
import { parts, turns, writeVariant } from './variants.mjs';
import { judge, statureOf } from './verdicts.mjs';

const jointcast = process.env.JOINTCAST;
const files = join(process.env.JOINTCAST_ROOT, 'tests', 'figures', 'files');
const folder = process.env.JOINTCAST_SCRATCH;
mkdirSync(folder, { recursive: true });

function write(name, text) {
	const path = join(folder, name);
	writeFileSync(path, text);
	return path;
}

function made(name) {
	const path = join(folder, name);
	const { status, stderr } = run(jointcast, 'convert', 'demo:walk', path, '--until', '1.5');
	assert.equal(status, 0, stderr);
	return path;
}

function near(actual, expected) {
	assert.ok(actual.every((v, i) => Math.abs(v - expected[i]) < 1e-6), `${actual}, not ${expected}`);
}

// A chain of two bones along +Y: the first turned by 90 degrees about Z, the second by 90 about X. Z
// first brings +Y to -X; so the elbow lies at (-2, 10, 0), and the tip, which the second turn brings to
// +Z, at (-2, 10, 1).
test('BVH: rotations apply in the order of the channels', async () => {
	const path = write('chain.bvh', `HIERARCHY
ROOT a
{
OFFSET 7 7 7
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
JOINT b
{
OFFSET 0 2 0
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 1 0
}
}
}
MOTION
Frames: 1
Frame Time: 0.1
0 10 0 90 0 0 0 90 0
`);
	const [root, elbow, tip] = (await open(path)).clips[0].pose(0);
	near(root, [0, 10, 0]);
	near(elbow, [-2, 10, 0]);
	near(tip, [-2, 10, 1]);
});

// Half way between no turn and 180 degrees about Z: 90 degrees bring +Y to -X, twice as long because the
// parent scales by 2.
test('glTF: animations are interpolated, and parents scale', async () => {
	const floats = Buffer.from(new Float32Array([0, 2, 0, 0, 0, 1, 0, 0, 1, 0]).buffer);
	const path = write('half.gltf', JSON.stringify({ asset: { version: '2.0' },
		nodes: [{ name: 'a', scale: [2, 2, 2], children: [1] }, { name: 'b', children: [2] },
			{ name: 'c', translation: [0, 1, 0] }],
		buffers: [{ byteLength: 40, uri: `data:application/octet-stream;base64,${floats.toString('base64')}` }],
		bufferViews: [{ buffer: 0, byteLength: 8 }, { buffer: 0, byteOffset: 8, byteLength: 32 }],
		accessors: [{ bufferView: 0, componentType: 5126, count: 2, type: 'SCALAR' },
			{ bufferView: 1, componentType: 5126, count: 2, type: 'VEC4' }],
		animations: [{ samplers: [{ input: 0, output: 1 }],
			channels: [{ sampler: 0, target: { node: 1, path: 'rotation' } }] }] }));
	const { clips: [{ times, pose }] } = await open(path);
	assert.deepEqual([times.length, times[30]], [61, 1]);
	near(pose(30)[2], [-2, 0, 0]);
	near(pose(60)[2], [0, -2, 0]);
});

// A joint turns about its centre: the wrist at height 1, turned with the elbow at height 2 by 90 degrees
// about Z, goes from below the elbow to its right, at x = 1.
test('H-Anim: joints turn about their centres, in both encodings', async () => {
	const classic = write('joint.x3dv', `#X3D V3.0 utf8
PROFILE Immersive
PROTO Unused [ field SFBool on TRUE ] { Group { children [ ] } }
DEF h HAnimHumanoid { name "h" skeleton [
	DEF hanim_l_elbow HAnimJoint { name "l_elbow" center 0 2 0 children [
		DEF hanim_l_wrist HAnimJoint { name "l_wrist" center 0 1 0 } ] } ] }
DEF clock TimeSensor { cycleInterval 2 }
DEF turn OrientationInterpolator { key [ 0 1 ] keyValue [ 0 0 1 0, 0 0 1 3.14159265 ] }
ROUTE clock.fraction_changed TO turn.set_fraction
ROUTE turn.value_changed TO hanim_l_elbow.set_rotation
`);
	const xml = write('joint.x3d', `<X3D><Scene><HAnimHumanoid name='h'>
<HAnimJoint DEF='hanim_l_elbow' name='l_elbow' center='0 2 0' containerField='skeleton'>
<!-- <HAnimJoint name='none'/> --><HAnimJoint DEF='hanim_l_wrist' name='l_wrist' center='0 1 0'/></HAnimJoint>
<HAnimMotion DEF='clip' channels='3 Xrotation Yrotation Zrotation' joints='l_elbow' values='0 0 0 0 0 90'/>
</HAnimHumanoid></Scene></X3D>`);
	const { clips: [timed] } = await open(classic);
	near(timed.pose(30)[1], [1, 2, 0]);
	const { clips: [stored] } = await open(xml);
	near(stored.pose(0)[1], [0, 1, 0]);
	near(stored.pose(1)[1], [1, 2, 0]);
});

test('names show side and part', () => {
	for (const [name, side, key] of [['mixamorig:LeftUpLeg', 'left', 'upleg'], ['lThumb1', 'left', 'thumb1'],
		['DEF-f_index.01.R', 'right', 'findex01'], ['RIGHT_KNEE#', 'right', 'knee'], ['head', '', 'head'],
		['upperarm_l', 'left', 'upperarm'], ['lowerleg01.L', 'left', 'lowerleg01'], ['r_hip', 'right', 'hip']]) {
		assert.deepEqual(splitName(name), { side, key }, name);
	}
	const joints = ['LeftHandIndex1', 'LeftHandIndex2', 'LeftHandIndex3', 'LeftHandIndex4', 'LeftHandThumb1',
		'rThumb1_end', 'LeftToe', 'r_midtarsal'].map((name) => ({ name, parent: -1 }));
	assert.equal(countFingers(joints), 4);
});

// Frames of the built-in walk with all that a verdict needs.
async function walk() {
	const file = await open(made('walk.bvh'));
	const [clip] = file.clips;
	return { times: clip.times, frames: clip.times.map((_, i) => changed(frameOf(file, clip.pose(i)),
		(p) => p.map((v) => v * 0.01))) };
}

test('a walk is upright, on its feet, and bends its knees forward', async () => {
	const { frames, times } = await walk();
	const sound = judge(frames, times);
	assert.deepEqual([sound.upright, sound.knees, sound.left, sound.trunk], [1, 1, 1, 1]);
	assert.ok(sound.bentKnees > 20 && Math.abs(sound.floor) < 0.06 && sound.feet < 15);
	const { height, hips } = statureOf(frames);
	assert.ok(height > 1.4 && height < 1.8 && hips > 0.85 && hips < 1, `${height} m, hips at ${hips} m`);
});

test('verdicts find a body that lies, looks back or is mirrored', async () => {
	const { frames, times } = await walk();
	const judged = (map) => judge(frames.map((frame) => changed(frame, map)), times);
	assert.equal(judged(upAxes['+Z']).upright, 0);
	const back = judged(([x, y, z]) => [x, y, -z]);
	assert.ok(back.knees < 0.05 && back.feet > 165 && back.left < 0.05, JSON.stringify(back));
	const swapped = judge(frames.map((frame) => ({ ...frame, leftUpperLeg: frame.rightUpperLeg,
		rightUpperLeg: frame.leftUpperLeg })), times);
	assert.ok(swapped.trunk < 0.05);
	assert.ok(judged(([x, y, z]) => [x, y + 0.3, z]).floor > 0.25);
});

test('the up axis is found in files turned any way, and jointcast agrees', async () => {
	const source = parts(join(folder, 'walk.bvh'));
	for (const up of Object.keys(turns)) {
		const path = join(folder, 'turned.bvh');
		writeVariant(path, source, up, 0, 40);
		const file = await open(path);
		assert.equal(findUp([0, 20, 39].map((i) => frameOf(file, file.clips[0].pose(i)))), up);
		assert.deepEqual((await judgeFile(jointcast, path)).defects, [], up);
	}
});

// A body that stands with bent knees in its zero pose, and in its only frame.
function standing() {
	const leg = (side, x) => ({ name: `${side}UpLeg`, offset: [x, 0, 0], children: [{ name: `${side}Leg`,
		offset: [0, -42, 9], children: [{ name: `${side}Foot`, offset: [0, -40, -12], children: [{
			name: `${side}ToeBase`, offset: [0, -6, 13], children: [] }] }] }] });
	const arm = (side, sign) => ({ name: `${side}Shoulder`, offset: [3 * sign, 15, 0], children: [{
		name: `${side}Arm`, offset: [15 * sign, 0, 0], children: [{ name: `${side}ForeArm`,
			offset: [28 * sign, 0, 0], children: [{ name: `${side}Hand`, offset: [25 * sign, 0, 0], children: [] }] }] }] });
	const body = { name: 'Hips', offset: [0, 0, 0], children: [leg('Left', 9), leg('Right', -9),
		{ name: 'Spine', offset: [0, 10, 0], children: [{ name: 'Chest', offset: [0, 20, 0], children: [
			arm('Left', 1), arm('Right', -1), { name: 'Neck', offset: [0, 20, 0], children: [
				{ name: 'Head', offset: [0, 10, 0], children: [] }] }] }] }] };
	let columns = 3;
	const lines = (joint, root) => {
		columns += 3;
		return [`${root ? 'ROOT' : 'JOINT'} ${joint.name}`, '{', `OFFSET ${joint.offset.join(' ')}`,
			`CHANNELS ${root ? '6 Xposition Yposition Zposition' : '3'} Zrotation Xrotation Yrotation`,
			...joint.children.flatMap((child) => lines(child, false)),
			...(joint.children.length ? [] : ['End Site', '{', `OFFSET ${/Toe/.test(joint.name) ? '0 -1 6'
				: joint.offset.map((v) => v / 2).join(' ')}`, '}']), '}'];
	};
	const hierarchy = ['HIERARCHY', ...lines(body, true)];
	return [...hierarchy, 'MOTION', 'Frames: 1', 'Frame Time: 0.1',
		['0', '90', '0', ...new Array(columns - 3).fill('0')].join(' '), ''].join('\n');
}

test('feet that stand flat at rest stand flat, also below leaning shins', () => {
	const { frames: [{ turns: { leftFoot, rightFoot, leftToes } }] }
		= retargeted(jointcast, write('standing.bvh', standing()), 'humanoid', [0]);
	for (const turn of [leftFoot, rightFoot, leftToes]) {
		near(turn, [0, 0, 0, 1]);
	}
});

for (const name of ['walk.bvh', 'walk.vrma', 'walk.glb', 'walk.x3dv', 'walk.mcap']) {
	test(`jointcast reads ${name} as its own joints show it`, async () => {
		const judged = await judgeFile(jointcast, made(name));
		assert.deepEqual(judged.defects, []);
		assert.equal(judged.clips.length, 1);
		assert.ok(judged.clips[0].worst.mean < 0.02 && judged.fingers === 30);
		assert.equal(judged.clips[0].output.upright, 1);
	});
}

test('jointcast reads a recording of body frames as its joints show it', async () => {
	const path = join(folder, 'frames.mcap');
	assert.equal(run(jointcast, 'convert', made('walk.jsonl'), path).status, 0);
	const judged = await judgeFile(jointcast, path);
	assert.deepEqual([judged.format, judged.defects], ['body frames', []]);
});

for (const name of ['folded.bvh', 'a_pose.gltf', 'reference.gltf', 'between.vrm', 'folded.vrm', 'scaled.vrm',
	'tilted.vrm', 'tilted_above.vrm', 'vrm0_facing.vrm']) {
	test(`the figure ${name} is read and worn as its own joints show it`, async () => {
		const judged = await judgeFile(jointcast, join(files, name));
		assert.deepEqual(judged.defects, []);
		assert.ok(judged.clips.length + (judged.figure ? 1 : 0) === 1);
	});
}

test('a wrong output is found', async () => {
	const wrong = write('mirrored.sh', `#!/bin/sh
case $1 in retarget) exec "${jointcast}" "$@" --mirror ;; esac
exec "${jointcast}" "$@"
`);
	chmodSync(wrong, 0o755);
	const { defects } = await judgeFile(wrong, join(folder, 'walk.bvh'));
	assert.ok(defects.some((what) => /(Arm|Leg) [\d.]+ degrees off/.test(what)), defects.join('; '));
});
