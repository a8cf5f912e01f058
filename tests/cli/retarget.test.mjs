// Tests the output of `jointcast retarget`: its fields, and numbers that were computed by hand.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import test from 'node:test';
import { bodyFrames } from './body_frames.mjs';
import { bvh, descriptor, glb, scratch, write } from './files.mjs';
import { degreesBetween, failure, jointcast, run, runJson } from './tool.mjs';

const folder = scratch('retarget');
const motion = write(folder, 'motion.bvh', bvh);
const skeleton = write(folder, 'skeleton.json', JSON.stringify(descriptor));
const retarget = (...parameters) => runJson(jointcast, 'retarget', ...parameters);

function assertNear(actual, expected, tolerance, message) {
	assert.equal(actual.length, expected.length, message);
	actual.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) <= tolerance,
		`${message ?? ''} ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`));
}

// A quaternion and its negative are one rotation.
function assertRotation(actual, expected, message) {
	const dot = actual.reduce((sum, value, i) => sum + value * expected[i], 0);
	assertNear(actual.map((value) => (dot < 0 ? -value : value)), expected, 2e-6, message);
}

const multiply = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
	aw * bx + ax * bw + ay * bz - az * by,
	aw * by - ax * bz + ay * bw + az * bx,
	aw * bz + ax * by - ay * bx + az * bw,
	aw * bw - ax * bx - ay * by - az * bz,
];
const turnY = (degrees) => {
	const half = (degrees * Math.PI) / 360;
	return [0, Math.sin(half), 0, Math.cos(half)];
};

// The help and the manual page list the columns.
test('the table has the numbers of the JSON, a row for each bone', () => {
	for (const figure of [skeleton, 'humanoid']) {
		const { stdout } = run(jointcast, 'retarget', motion, figure, '--times', '0.5,2');
		const tables = stdout.split('\nt = ').slice(1);
		const { skeleton: { bones: rest }, frames } = retarget(motion, figure, '--times', '0.5,2');
		assert.equal(tables.length, 2);
		tables.forEach((table, i) => {
			const [time, heading, ...rows] = table.trim().split('\n');
			assert.equal(Number(time.replace(' s', '')), frames[i].t);
			assert.match(heading, /^bone +node +local rotation x y z w +turned +world position x y z \(m\) +state$/);
			assert.deepEqual(rows.map((row) => row.split(/ +/)[0]), Object.keys(frames[i].bones));
			for (const row of rows) {
				const [name, node, ...cells] = row.split(/ +/);
				const bone = frames[i].bones[name];
				assert.equal(Number(node), bone.node);
				assertNear(cells.slice(0, 4).map(Number), bone.rotation, 1e-6, name);
				assertNear([parseFloat(cells[4])], [degreesBetween(bone.rotation, rest[name].restRotation)], 0.01, name);
				assertNear(cells.slice(5, 8).map(Number), bone.worldPosition, 1e-4, name);
				assert.equal(cells[8], bone.state);
			}
		});
	}
});

test('the JSON has exactly the fields of the manual page', () => {
	const result = retarget(motion, skeleton, '--times', '0');
	assert.deepEqual(Object.keys(result), ['skeleton', 'motion', 'frames']);
	assert.deepEqual(Object.keys(result.skeleton), ['format', 'index', 'hipsHeight', 'bones']);
	assert.deepEqual(Object.keys(result.skeleton.bones.head),
		['node', 'name', 'restRotation', 'restWorldRotation', 'restWorldPosition']);
	assert.deepEqual(Object.keys(result.motion), ['name', 'duration', 'fps', 'hipsHeight']);
	assert.deepEqual(Object.keys(result.frames[0]), ['t', 'bones', 'nodes', 'hipsTranslation',
		'virtualTransforms', 'channels', 'limits']);
	assert.deepEqual(Object.keys(result.frames[0].bones.head), ['node', 'rotation', 'relative',
		'normalized', 'worldPosition', 'worldRotation', 'state']);
	assert.deepEqual(result.frames[0].channels, {});
	assert.deepEqual(result.frames[0].limits, { violations: 0, clamped: 0 });
	assert.deepEqual(Object.keys(result.frames[0].virtualTransforms[0]),
		['index', 'name', 'parent', 'tags', 'translation', 'rotation', 'scale']);
});

test('prints the rest pose of the skeleton file', () => {
	const { skeleton: { index, hipsHeight, bones } } = retarget(motion, skeleton, '--times', '0');
	assert.equal(index, 0);
	assert.ok(Math.abs(hipsHeight - 0.95) < 1e-6, 'hips over the feet');
	assert.deepEqual(Object.keys(bones).sort(), Object.keys(descriptor.bones).sort());
	for (const [bone, { node, name }] of Object.entries(bones)) {
		assert.equal(node, descriptor.bones[bone]);
		assert.equal(name, descriptor.nodes[node].name);
	}
	assertNear(bones.leftUpperArm.restRotation, [0, 0, Math.SQRT1_2, Math.SQRT1_2], 1e-7);
	assertNear(bones.leftUpperArm.restWorldPosition, [0.2, 1.5, 0], 1e-6);
	// The arm's -Y and the twist node's +Z both lie along the model's +X.
	assertNear(bones.leftLowerArm.restWorldPosition, [0.2 + 0.1 + 0.2, 1.5, 0], 1e-6);
});

test('#N selects a humanoid like --skeleton-index', () => {
	const figure = (name, height) => `DEF ${name}_Humanoid Humanoid { name "${name}" humanoidBody [
		DEF ${name}_HumanoidRoot Joint { center 0 ${height} 0 } ] }`;
	const group = write(folder, 'group.wrl', `#VRML V2.0 utf8
		HumanoidGroup { children [ ${figure('ann', 1)} ${figure('bob', 1.5)} ] }`);
	const hips = (...parameters) => {
		const { skeleton: { index, bones } } = retarget(motion, ...parameters, '--times', '0');
		return [index, bones.hips.restWorldPosition];
	};
	assert.deepEqual(hips(group), [0, [0, 1, 0]]);
	assert.deepEqual(hips(`${group}#1`), [1, [0, 1.5, 0]]);
	assert.deepEqual(hips(group, '--skeleton-index', '1'), [1, [0, 1.5, 0]]);
	assert.deepEqual(hips(`${group}#0`, '--skeleton-index', '1'), [0, [0, 1, 0]]);
	assert.equal(failure(run(jointcast, 'retarget', motion, `${group}#2`), 1, group), '');
	assert.equal(failure(run(jointcast, 'measure', motion, `${group}#2`), 1, group), '');
});

test('prints the duration and size of the motion', () => {
	const { motion: told } = retarget(motion, 'humanoid', '--times', '0');
	assert.equal(told.duration, 2);
	assert.equal(told.fps, 2);
	assert.ok(told.hipsHeight > 0.9 && told.hipsHeight < 1.05, String(told.hipsHeight));
});

test('prints every frame of the motion by default', () => {
	const { frames } = retarget(motion, 'humanoid');
	assert.deepEqual(frames.map(({ t }) => t), [0, 0.5, 1, 1.5, 2]);
	frames.forEach(({ bones }, i) => assertRotation(bones.spine.normalized, turnY(10 * i)));
});

test('--fps samples evenly to the end, also between frames', () => {
	const { frames } = retarget(motion, 'humanoid', '--fps', '4');
	assert.deepEqual(frames.map(({ t }) => t), [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]);
	frames.forEach(({ bones }, i) => assertRotation(bones.spine.normalized, turnY(5 * i)));
	assert.equal(retarget(motion, 'humanoid', '--fps', '0.4').frames.length, 1);
});

test('--times outside the motion are clamped, with --loop they wrap', () => {
	const times = ['--times', '-1,0.5,2,2.5,7'];
	assert.deepEqual(retarget(motion, 'humanoid', ...times).frames.map(({ t }) => t),
		[0, 0.5, 2, 2, 2]);
	const looped = retarget(motion, 'humanoid', ...times, '--loop').frames;
	assert.deepEqual(looped.map(({ t }) => t), [1, 0.5, 2, 0.5, 1]);
	assertRotation(looped[0].bones.spine.normalized, turnY(20));
});

test('rotation, relative and normalized are consistent', () => {
	const { skeleton: { bones: rest }, frames } = retarget(motion, skeleton, '--times', '1');
	const { bones } = frames[0];
	for (const [bone, { rotation, relative }] of Object.entries(bones)) {
		assertRotation(multiply(rest[bone].restRotation, relative), rotation, bone);
	}
	assertRotation(bones.spine.normalized, turnY(20));
	assertRotation(bones.spine.worldRotation, turnY(20));
	assertRotation(bones.leftUpperArm.normalized, [0, 0, 0, 1]);
	assertRotation(bones.leftUpperArm.rotation, rest.leftUpperArm.restRotation);
	// The arm is 0.2 to the left of the spine, which has rotated by 20 degrees.
	const [, sine, , cosine] = turnY(40);
	assertNear(bones.leftUpperArm.worldPosition, [0.2 * cosine,
		bones.spine.worldPosition[1] + 0.3, bones.spine.worldPosition[2] - 0.2 * sine], 1e-5);
	assert.equal(bones.spine.state, 'tracked');
});

test('the hips move in units of their height', () => {
	const { skeleton: { bones, hipsHeight }, motion: source, frames } =
		retarget(motion, skeleton, '--times', '0,2');
	const [start, stop] = frames.map((frame) => frame.bones.hips.worldPosition);
	const travelled = (0.4 / source.hipsHeight) * hipsHeight;
	assertNear(stop.map((value, i) => value - start[i]), [0, 0, travelled], 1e-5);
	assert.equal(bones.hips.node, 1);
	assertNear(frames[1].hipsTranslation, stop, 1e-6, 'the node above stands still at the origin');
});

test('nodes contains exactly the nodes that have moved', () => {
	const { frames } = retarget(motion, skeleton, '--times', '0,1');
	assert.deepEqual(frames[0].nodes, {});
	assert.deepEqual(Object.keys(frames[1].nodes), ['2']);
	assert.equal(frames[1].nodes[2].name, 'Spine');
	assertRotation(frames[1].nodes[2].rotation, turnY(20));
});

test('virtual transforms follow their nodes', () => {
	const { frames } = retarget(motion, skeleton, '--times', '1');
	const [crown, origin] = frames[0].virtualTransforms;
	const head = frames[0].bones.head;
	assert.deepEqual([crown.index, crown.name, crown.parent, crown.tags],
		[0, 'crown', 3, ['hat', 'halo']]);
	assertNear(crown.translation, head.worldPosition.map((v, i) => v + (i === 1 ? 0.25 : 0)), 1e-6);
	assertRotation(crown.rotation, turnY(20));
	assertNear(crown.scale, [1, 1, 1], 1e-6);
	assert.deepEqual([origin.index, origin.parent, origin.translation], [1, null, [1, 2, 3]]);
});

// The shortest decimal number that reads back to the float.
const shortest = (value) => [6, 7, 8, 9].map((digits) => Number(value.toPrecision(digits)))
	.find((candidate) => Math.fround(candidate) === value);

test('numbers are the shortest that read back to the bits of a float', () => {
	const awkward = [1 / 3, Math.PI * 1e5, 1e-30].map(Math.fround);
	const path = write(folder, 'awkward.json', JSON.stringify({ ...descriptor,
		virtualTransforms: [{ name: 'origin', translation: awkward }] }));
	const [{ bones, virtualTransforms }] = retarget(motion, path, '--times', '0.3').frames;
	assert.deepEqual(virtualTransforms[0].translation.map(Math.fround), awkward);
	for (const { rotation, worldPosition } of [...Object.values(bones),
		{ rotation: [], worldPosition: virtualTransforms[0].translation }]) {
		for (const value of [...rotation, ...worldPosition]) {
			assert.equal(value, shortest(Math.fround(value)));
		}
	}
});

test('names of any bytes make valid JSON', () => {
	const name = 'quote " backslash \\ tab \t bell \u0007 é 漢 😀';
	const path = write(folder, 'names.json', JSON.stringify({ ...descriptor,
		nodes: descriptor.nodes.map((node, i) => (i === 3 ? { ...node, name } : node)) }));
	assert.equal(retarget('demo:walk', path, '--times', '0').skeleton.bones.head.name, name);
});

test('every demo motion fits the built-in skeleton', () => {
	for (const name of ['walk', 'wave', 'sit', 'idle']) {
		const { skeleton: { bones }, frames } = retarget(`demo:${name}`, 'humanoid', '--fps', '5');
		assert.equal(Object.keys(bones).length, 55);
		assert.ok(frames.length > 5, name);
	}
});

test('solves body frames and reports the state of missing joints', () => {
	const states = { 'left-lower-leg': 1, 'right-arm-lower': null, 'right-hand-wrist': null };
	const path = write(folder, 'tracked.jsonl',
		bodyFrames(4, (name) => (name in states ? states[name] : 2)));
	const { frames } = retarget(path, 'humanoid', '--as-tracked');
	assert.equal(frames.length, 4);
	frames.forEach(({ bones }, i) => {
		assertRotation(bones.head.normalized, turnY(10 * i), 'head');
		assertRotation(bones.leftUpperArm.normalized, [0, 0, 0, 1], 'arm');
		assert.equal(bones.head.state, 'tracked');
		assert.equal(bones.leftLowerLeg.state, 'estimated');
		assert.equal(bones.rightLowerArm.state, 'absent');
		assert.deepEqual(bones.rightLowerArm.relative, [0, 0, 0, 1]);
	});
});

test('prints a line per bone and frame in the table', () => {
	const { status, stdout } = run(jointcast, 'retarget', motion, skeleton, '--times', '0,1');
	assert.equal(status, 0);
	assert.equal(stdout.match(/^t = /gm).length, 2);
	assert.equal(stdout.match(/^leftUpperArm +4 .*tracked$/gm).length, 2);
	assert.match(stdout, /^spine +2 .* 20\.00° /m);
});

test('ends without a message when the reader closes its pipe', () => {
	const command = `{ '${jointcast}' retarget demo:walk humanoid --fps 1000 --json; echo $? >&2; }` +
		' | head -c 100 >/dev/null';
	const { stderr } = run('/bin/sh', '-c', command);
	assert.equal(stderr, '3\n');
});

test('an output that cannot be written gives status 3 and one line', (t) => {
	if (!existsSync('/dev/full')) {
		t.skip('no /dev/full here');
		return;
	}
	for (const command of ['retarget demo:walk humanoid --json', 'inspect humanoid', '--help']) {
		const result = run('/bin/sh', '-c', `'${jointcast}' ${command} >/dev/full`);
		assert.equal(failure(result, 3, 'standard output'), '', command);
		assert.match(result.stderr, /No space left on device\n$/, command);
	}
});

test('prints expressions and gaze of a VRM animation as channels', () => {
	const path = write(folder, 'still.vrma', glb({
		asset: { version: '2.0' },
		nodes: [{ name: 'hips', translation: [0, 1, 0] }, { translation: [0.25, 0, 0] },
			{ rotation: [0, 1, 0, 0] }],
		animations: [{ samplers: [{ input: 0, output: 1 }],
			channels: [{ sampler: 0, target: { node: 0, path: 'rotation' } }] }],
		accessors: [{ componentType: 5126, type: 'SCALAR', count: 1 },
			{ componentType: 5126, type: 'VEC4', count: 1, bufferView: 0 }],
		buffers: [{ byteLength: 16,
			uri: `data:application/octet-stream;base64,${
				Buffer.from(Float32Array.of(0, 0, 0, 1).buffer).toString('base64')}` }],
		bufferViews: [{ buffer: 0, byteLength: 16 }],
		extensions: { VRMC_vrm_animation: { specVersion: '1.0',
			humanoid: { humanBones: { hips: { node: 0 } } },
			expressions: { preset: { happy: { node: 1 } } }, lookAt: { node: 2 } } },
	}));
	const { frames } = runJson(jointcast, 'retarget', path, 'humanoid');
	assert.deepEqual(frames.map(({ channels }) => channels),
		[{ 'expression/happy': 0.25, lookAt: [0, 1, 0, 0] }]);
});

// Vertebrae 0.1 m apart between the anchors vl5 (spine) and vl1 (chest): three equal shares. At rest
// all joint frames are those of the humanoid, so W is the identity and the product of the shares is N.
test('distributes a bend evenly over the vertebrae of an H-Anim spine', () => {
	const joint = (name, y, children) =>
		`DEF hanim_${name} HAnimJoint { name "${name}" center 0 ${y} 0 children [ ${children} ] }`;
	const spine = joint('vl5', 1.0, joint('vl4', 1.1, joint('vl3', 1.2, joint('vl1', 1.3, joint('skullbase', 1.6, '')))));
	const file = write(folder, 'spine.wrl', `#VRML V2.0 utf8
HAnimHumanoid { name "column" version "1.0" skeleton [ ${joint('HumanoidRoot', 0.9, spine)} ] }`);
	const { skeleton: { bones }, frames: [frame] } = retarget('demo:sit', file, '--times', '2');
	const { node, normalized } = frame.bones.spine;
	const shares = ['vl5', 'vl4', 'vl3'].map((name) => {
		const found = Object.entries(frame.nodes).find(([, { name: own }]) => own.endsWith(name));
		assert.ok(found, `${name} moves`);
		return found[1].rotation;
	});
	const half = Math.acos(Math.min(1, Math.abs(normalized[3])));
	assert.ok(half > 0.02, 'the figure bends');
	assert.equal(bones.spine.node, node);
	shares.forEach((share) => assert.ok(Math.abs(Math.acos(Math.min(1, share[3])) - half / 3) < 1e-3));
	assertRotation(multiply(multiply(shares[0], shares[1]), shares[2]), normalized, 'the shares together');
	assertRotation(frame.bones.spine.relative, shares[0], 'its own share');
	assertRotation(frame.bones.spine.packet, normalized, 'the whole, as in packets: the figure rests without rotations');
	assert.ok(Object.entries(frame.bones).every(([bone, { packet }]) => bone === 'spine' || !packet), 'no other bone has vertebrae');
});

// A knee with a limit of one radian that bends by 1.2 about +X.
test('counts limits of H-Anim joints by default and clamps on request', () => {
	const joint = (name, y, fields, children = '') => `DEF hanim_${name} HAnimJoint {
		name "${name}" center 0 ${y} 0 ${fields} children [ ${children} ] }`;
	const file = write(folder, 'limits.wrl', `#VRML V2.0 utf8
PROTO HAnimJoint [ exposedField SFString name "" exposedField SFVec3f center 0 0 0
	exposedField SFRotation rotation 0 0 1 0 exposedField MFFloat ulimit [ 0 0 0 ]
	exposedField MFFloat llimit [ 0 0 0 ] exposedField MFNode children [ ] ]
{ Transform { center IS center rotation IS rotation children IS children } }
PROTO HAnimHumanoid [ exposedField SFString name "" exposedField MFNode skeleton [ ] ]
{ Group { children IS skeleton } }
DEF hanim_Humanoid HAnimHumanoid { name "hanim" skeleton [ ${joint('humanoid_root', 0.9, '',
		joint('l_hip', 0.85, '', joint('l_knee', 0.45, 'ulimit [ 1 0 0 ] llimit [ 0 0 0 ]',
			joint('l_ankle', 0.1, ''))))} ] }
DEF timer TimeSensor { cycleInterval 1 }
DEF bend OrientationInterpolator { key [ 0 1 ] keyValue [ 1 0 0 0, 1 0 0 1.2 ] }
ROUTE timer.fraction_changed TO bend.set_fraction
ROUTE bend.value_changed TO hanim_l_knee.set_rotation
`);
	const knee = ({ bones }) => 2 * Math.asin(bones.leftLowerLeg.rotation[0]);
	const at = (...options) => retarget(file, file, '--times', '0.5,1', ...options).frames;
	for (const options of [[], ['--limits', 'count']]) {
		const [within, past] = at(...options);
		assert.deepEqual([within.limits, past.limits],
			[{ violations: 0, clamped: 0 }, { violations: 1, clamped: 0 }]);
		assertNear([knee(within), knee(past)], [0.6, 1.2], 1e-5);
	}
	const [within, past] = at('--limits', 'clamp');
	assert.deepEqual([within.limits, past.limits],
		[{ violations: 0, clamped: 0 }, { violations: 1, clamped: 1 }]);
	assertNear([knee(within), knee(past)], [0.6, 1], 1e-5);
	assert.deepEqual(at('--limits', 'off')[1].limits, { violations: 0, clamped: 0 });
	assert.match(run(jointcast, 'retarget', file, file, '--times', '1').stdout,
		/\n1 of 1 joints past their limits, 0 turned back\n/);
});

test('--mirror exchanges sides, --hips-scale affects the hips only', () => {
	const at = (...options) => retarget('demo:wave', 'humanoid', '--times', '0.9', ...options).frames[0];
	const [plain, mirrored] = [at(), at('--mirror')];
	const other = (bone) => bone.replace(/^(left|right)/, (side) => (side === 'left' ? 'right' : 'left'));
	for (const [bone, { normalized: [x, y, z, w], worldPosition: [px, py, pz] }] of
		Object.entries(plain.bones)) {
		assertRotation(mirrored.bones[other(bone)].normalized, [x, -y, -z, w], bone);
		assertNear(mirrored.bones[other(bone)].worldPosition, [-px, py, pz], 1e-6, bone);
	}
	const rest = retarget('demo:wave', 'humanoid', '--times', '0').skeleton.bones.hips.restWorldPosition;
	const way = (frame, k) => frame.hipsTranslation[k] - rest[k];
	for (const [option, horizontal, vertical] of [['2', 2, 2], ['0,1', 0, 1], ['0.5,3', 0.5, 3]]) {
		const scaled = at('--hips-scale', option);
		assertNear([0, 1, 2].map((k) => way(scaled, k)),
			[horizontal * way(plain, 0), vertical * way(plain, 1), horizontal * way(plain, 2)], 1e-6);
		assert.deepEqual(scaled.bones.leftHand.rotation, plain.bones.leftHand.rotation);
	}
});

// The built-in figure from the hips down, with short legs.
function shortLegs() {
	const { skeleton: { bones } } = retarget('demo:walk', 'humanoid', '--times', '0');
	const names = ['hips', 'leftUpperLeg', 'leftLowerLeg', 'leftFoot', 'leftToes', 'rightUpperLeg',
		'rightLowerLeg', 'rightFoot', 'rightToes'];
	const nodes = names.map((name, i) => {
		const at = bones[name].restWorldPosition;
		if (i === 0) {
			return { name, translation: at };
		}
		const parent = name.endsWith('UpperLeg') ? 0 : i - 1;
		const from = bones[names[parent]].restWorldPosition;
		const size = /LowerLeg|Foot/.test(name) ? 0.5 : 1;
		return { name, parent, translation: at.map((x, k) => size * (x - from[k])) };
	});
	return write(folder, 'short.json', JSON.stringify({ name: 'short', nodes,
		bones: Object.fromEntries(names.map((name, i) => [name, i])) }));
}

test('--contacts on holds standing feet, off is the exact motion', () => {
	const at = (figure, ...options) => retarget('demo:walk', figure, '--fps', '60', ...options);
	const figure = shortLegs();
	const [source, plain, off, on] = [at('humanoid'), at(figure), at(figure, '--contacts', 'off'),
		at(figure, '--contacts', 'on')];
	const step = ({ frames }, i) => {
		const [a, b] = [i - 1, i].map((k) => frames[k].bones.leftToes.worldPosition);
		return Math.hypot(b[0] - a[0], b[2] - a[2]);
	};
	const stands = source.frames.map((_, i) => i).filter((i) => i > 0 && step(source, i) < 1e-3);
	const slide = (result) => stands.reduce((sum, i) => sum + step(result, i), 0);
	assert.deepEqual(off, plain);
	assert.equal(plain.contacts, undefined);
	assert.deepEqual(Object.keys(on.contacts), ['stride']);
	assert.ok(stands.length > 100);
	assert.ok(slide(on) < 0.3 * slide(plain), `${slide(on)}, without contacts ${slide(plain)}`);
	assert.equal(failure(run(jointcast, 'retarget', 'demo:walk', figure, '--contacts', 'yes'), 2, 'retarget'), '');
});

test('--twist moves a share of the twist of hands to the lower arms', () => {
	const at = (...options) =>
		retarget('demo:sit', 'humanoid', '--times', '0.3', ...options).frames[0].bones;
	const [plain, shared] = [at(), at('--twist', '0.5')];
	for (const side of ['left', 'right']) {
		const [hand, lower] = [`${side}Hand`, `${side}LowerArm`];
		assertRotation(shared[hand].worldRotation, plain[hand].worldRotation);
		assertNear(shared[hand].worldPosition, plain[hand].worldPosition, 1e-6);
		const [x, , , w] = plain[hand].normalized;
		const quarter = Math.atan2(x, w) / 2; // half of the twist, as a half angle
		assertRotation(shared[lower].normalized, multiply(plain[lower].normalized,
			[Math.sin(quarter), 0, 0, Math.cos(quarter)]));
	}
	assert.deepEqual(shared.head, plain.head);
});
