// Converts motions from each output format to each other one and back; the motion must stay the same.
// The table lists the losses of each format, and exactly these may be missing afterwards.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { descriptor, scratch, write } from './files.mjs';
import { dataFiles, degreesBetween, jointcast, run, runJson } from './tool.mjs';

const folder = scratch('roundtrips');
const degreesAllowed = 0.01;
const millimetresAllowed = 0.01;

const eyes = ['leftEye', 'rightEye'];

// By ending: bones that the format cannot hold, and whether it always uses the built-in figure.
const formats = {
	bvh: { lost: [] },
	vrma: { lost: eyes },
	glb: { lost: [] },
	gltf: { lost: [] },
	jsonl: { lost: [...eyes, 'jaw'], ownFigure: true },
	wrl: { lost: [] },
	x3d: { lost: [] },
	x3dv: { lost: [] },
	csv: { lost: [], ownFigure: true },
	// Quantised: rotations to 0.0046 degrees, positions to 0.1 mm.
	mcap: { lost: [], ownFigure: true, degrees: 0.02, millimetres: 0.3 },
};

const bones = Object.keys(
	runJson(jointcast, 'retarget', 'demo:idle', 'humanoid', '--times', '0').skeleton.bones);

// EXT_skeleton_humanoid: every bone rotates about its own axis by up to 25 degrees, the hips by 8 and
// by `yaw` about the vertical, and the hips move.
function everyBone(yaw = 0) {
	const frames = 6;
	const values = { times: [], way: [], turns: bones.map(() => []) };
	for (let frame = 0; frame < frames; frame++) {
		values.times.push(frame / 8);
		values.way.push(0.03 * frame, 0.02 * Math.sin(frame), 0.05 * frame);
		bones.forEach((bone, i) => {
			const half = ((bone === 'hips' ? 8 : 25) * Math.sin(frame + i) * Math.PI) / 360;
			const axis = [Math.sin(i), Math.cos(3 * i), 0.6];
			const sine = Math.sin(half) / Math.hypot(...axis);
			const [x, y, z] = axis.map((v) => v * sine);
			const w = Math.cos(half);
			const [s, c] = bone === 'hips'
				? [Math.sin((yaw * Math.PI) / 360), Math.cos((yaw * Math.PI) / 360)] : [0, 1];
			values.turns[i].push(c * x + s * z, c * y + s * w, c * z - s * x, c * w - s * y);
		});
	}
	const bytes = Buffer.from(Float32Array.from(
		[...values.times, ...values.way, ...values.turns.flat()]).buffer);
	const accessor = (bufferView, type, min) =>
		({ bufferView, componentType: 5126, type, count: frames, ...min });
	const view = (first, count) => ({ buffer: 0, byteOffset: 4 * first, byteLength: 4 * count });
	const target = (path, humanoidBoneName) =>
		({ path, extensions: { EXT_skeleton_humanoid: { humanoidBoneName } } });
	return JSON.stringify({ asset: { version: '2.0' }, extensionsUsed: ['EXT_skeleton_humanoid'],
		animations: [{
			samplers: ['way', ...bones].map((_, i) => ({ input: 0, output: i + 1 })),
			channels: [{ sampler: 0, target: target('translation', 'hips') },
				...bones.map((bone, i) => ({ sampler: i + 1, target: target('rotation', bone) }))],
		}],
		accessors: [accessor(0, 'SCALAR', { min: [0], max: [values.times.at(-1)] }),
			accessor(1, 'VEC3'), ...bones.map((_, i) => accessor(i + 2, 'VEC4'))],
		bufferViews: [view(0, frames), view(frames, 3 * frames),
			...bones.map((_, i) => view(frames * (4 + 4 * i), 4 * frames))],
		buffers: [{ byteLength: bytes.length,
			uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }] });
}

const every = write(folder, 'every.gltf', everyBone());

// Body frames lack the bones that the motion lacks; nothing is estimated.
function convert(from, name, ...options) {
	const to = join(folder, name);
	const { status, stderr } = run(jointcast, 'convert', from, to, '--as-tracked', ...options);
	assert.equal(status, 0, stderr);
	return { to, said: stderr };
}

// Times at the keys of a motion and, optionally, between them.
function pickTimes(path, isBetween = true) {
	const { duration, fps } = runJson(jointcast, 'retarget', path, 'humanoid', '--times', '0').motion;
	const last = Math.round(duration * fps);
	const keys = [...new Set([0, 0.1, 0.23, 0.35, 0.5, 0.61, 0.77, 0.9, 1]
		.map((part) => Math.round(part * last)))];
	return [...keys, ...keys.filter((key) => isBetween && key < last).map((key) => key + 0.4)]
		.map((key) => (fps > 0 ? key / fps : 0));
}

const look = (path, times) => runJson(jointcast, 'retarget', path, 'humanoid', '--as-tracked', '--times', times.join());

// The differences after a round trip: the largest rotation of bones that are not lost, the bones that
// no longer move, and the displacement of the hips.
function difference(there, back, lost) {
	const worst = { degrees: 0, millimetres: 0, rested: new Set() };
	there.frames.forEach((frame, i) => {
		for (const [name, bone] of Object.entries(frame.bones)) {
			const other = back.frames[i].bones[name];
			const still = degreesBetween(other.normalized, [0, 0, 0, 1]);
			if (lost.includes(name) || bone.state === 'absent') {
				assert.ok(still < degreesAllowed, `${name} is no more, yet turns by ${still}`);
				if (degreesBetween(bone.normalized, other.normalized) > 1) {
					worst.rested.add(name);
				}
				continue;
			}
			assert.notEqual(other.state, 'absent', name);
			worst.degrees = Math.max(worst.degrees, degreesBetween(bone.normalized, other.normalized),
				degreesBetween(bone.worldRotation, other.worldRotation));
		}
		const way = frame.bones.hips.worldPosition.map((v, k) =>
			v - back.frames[i].bones.hips.worldPosition[k]);
		worst.millimetres = Math.max(worst.millimetres, 1000 * Math.hypot(...way));
	});
	return worst;
}

// Converts from every format to every format and back, or only if one of them is `hub`, and passes the
// result to `sees`.
function tripAll(motion, sees, hub) {
	for (const [a, own] of Object.entries(formats)) {
		const { to: start } = convert(motion, `start.${a}`);
		const whole = pickTimes(start);
		const wholeThere = look(start, whole);
		for (const [b, { lost }] of Object.entries(formats)) {
			if (hub && a !== hub && b !== hub) {
				continue;
			}
			// Between keys, poses interpolate bones, body frames interpolate joints in the world. A
			// recording holds either.
			const isSameKind = a !== 'mcap' || b !== 'jsonl';
			const times = isSameKind ? whole : pickTimes(start, false);
			const there = isSameKind ? wholeThere : look(start, times);
			const { to: middle, said } = convert(start, `middle.${b}`);
			const { to: end } = convert(middle, `end.${a}`);
			const back = look(end, times);
			const name = `${motion}: ${a} over ${b}`;
			const gone = [...new Set([...lost, ...own.lost])];
			const worst = difference(there, back, gone);
			const coarse = formats[b].degrees ? formats[b] : own;
			assert.ok(worst.degrees < (coarse.degrees ?? degreesAllowed),
				`${name}: ${worst.degrees} degrees`);
			assert.ok(worst.millimetres < (coarse.millimetres ?? millimetresAllowed),
				`${name}: ${worst.millimetres} mm`);
			assert.ok(Math.abs(there.motion.duration - back.motion.duration) < 1e-6, name);
			assert.ok(Math.abs(there.motion.fps - back.motion.fps) < 1e-3, name);
			sees({ a, b, said, lost: lost.filter((bone) => !own.lost.includes(bone)), worst });
		}
	}
}

function report(t, rows) {
	for (const [pair, { degrees, millimetres }] of rows) {
		t.diagnostic(`${pair.padEnd(14)} ${degrees.toExponential(1)} degrees, `
			+ `${millimetres.toExponential(1)} mm`);
	}
}

// The largest differences of several motions, by pair of formats.
const outcomes = new Map();

function keep({ a, b, worst }) {
	const pair = `${a} ${b} ${a}`;
	const before = outcomes.get(pair) ?? { degrees: 0, millimetres: 0 };
	outcomes.set(pair, Object.fromEntries(
		Object.keys(before).map((key) => [key, Math.max(before[key], worst[key])])));
}

test('every bone survives, except those that the format cannot hold', () => {
	tripAll(every, (trip) => {
		const { a, b, said, lost, worst } = trip;
		keep(trip);
		// The reported bones are lost, and no others.
		assert.deepEqual([...worst.rested].sort(), [...lost].sort(), `${a} over ${b}`);
		const names = /bones not kept: (.*)/.exec(said)?.[1] ?? '';
		assert.deepEqual(names.split(', ').filter(Boolean).sort(), [...lost].sort(), said);
	});
});

test('built-in motions survive every round trip', () => {
	for (const motion of ['demo:walk', 'demo:sit']) {
		tripAll(motion, keep, 'glb');
	}
});

test('motions of the public data survive every round trip', (t) => {
	const files = [['bvh', 'cmu_12_01_walk.bvh'], ['vrma', 'chatvrm_idle_loop.vrma'],
		['hanim', 'JoeKick.x3d']].flatMap(([kind, name]) =>
		dataFiles(kind, name));
	if (files.length === 0) {
		t.skip('the public data is not there');
		return;
	}
	files.forEach((motion) => tripAll(motion, keep, 'glb'));
});

// Rotations of missing bones go to the bones above. This is exact at the keys only, because two
// interpolated rotations are not one.
test('bones of a figure keep their positions, missing ones are reported', () => {
	const figure = join(process.env.JOINTCAST_ROOT, 'tests', 'figures', 'files', 'folded.vrm');
	const has = Object.keys(
		runJson(jointcast, 'retarget', every, figure, '--times', '0').skeleton.bones);
	const times = pickTimes(every, false);
	const there = look(every, times);
	for (const [ending, { lost, ownFigure }] of Object.entries(formats)) {
		if (ownFigure) {
			continue;
		}
		const { to, said } = convert(every, `folded.${ending}`, '--skeleton', figure);
		const back = look(to, times);
		const missing = bones.filter((bone) => !has.includes(bone) || lost.includes(bone));
		const [, first, more] = /bones not kept: (.*?)(?: and (\d+) more)?\n/.exec(said);
		assert.deepEqual(first.split(', '), missing.slice(0, first.split(', ').length), ending);
		assert.equal(Number(more ?? 0), missing.length - first.split(', ').length, ending);
		there.frames.forEach(({ bones: posed }, i) => {
			for (const bone of has.filter((name) => !lost.includes(name))) {
				const worst = degreesBetween(posed[bone].worldRotation,
					back.frames[i].bones[bone].worldRotation);
				assert.ok(worst < degreesAllowed, `${ending}: ${bone}: ${worst} degrees`);
			}
		});
	}
});

// Leaning figures, figures without a spine, eyes in front of the head: readers must not mistake the
// zero pose for another one.
test('a BVH reads back for every figure of the public data', (t) => {
	const files = [['vrm', '.vrm'], ['hanim', '.wrl'], ['hanim', '.x3d'], ['gltf', '.glb']]
		.flatMap(([kind, ending]) => dataFiles(kind, ending))
		// Files without a figure, and damaged ones.
		.filter((path) => !/broken_|biped|openhrp|generic-hand/.test(path));
	if (files.length === 0) {
		t.skip('the public data is not there');
		return;
	}
	const times = pickTimes('demo:wave', false);
	const there = look('demo:wave', times);
	for (const figure of files) {
		const { to } = convert('demo:wave', 'figure.bvh', '--skeleton', figure);
		look(to, times).frames.forEach(({ bones: posed }, i) => {
			for (const [bone, { worldRotation, state }] of Object.entries(posed)) {
				const { worldRotation: expected, state: before } = there.frames[i].bones[bone];
				const worst = degreesBetween(worldRotation, expected);
				assert.ok(state === 'absent' || before === 'absent' || worst < degreesAllowed,
					`${figure}: ${bone}: ${worst} degrees`);
			}
		});
	}
});

// Readers turn a BVH of another program by quarters to begin facing +Z, put it on its floor, and take
// a figure of 0.7 m for one in inches.
test('a BVH keeps its facing, its floor and its unit', () => {
	const motion = write(folder, 'turned.gltf', everyBone(90));
	const times = pickTimes(motion);
	const { to, said } = convert(motion, 'turned.bvh');
	assert.equal(said, '');
	const worst = difference(look(motion, times), look(to, times), []);
	assert.ok(worst.degrees < degreesAllowed, `${worst.degrees} degrees`);
	assert.ok(worst.millimetres < millimetresAllowed, `${worst.millimetres} mm`);
	const small = write(folder, 'small.json', JSON.stringify({ ...descriptor,
		nodes: descriptor.nodes.map((node) => ({ ...node, translation: node.translation?.map((v) => 0.4 * v) })) }));
	const { to: reduced } = convert('demo:walk', 'small.bvh', '--skeleton', small);
	const wear = (path) => runJson(jointcast, 'retarget', path, small, '--times', '0,0.5,1').frames;
	const back = wear(reduced);
	wear('demo:walk').forEach(({ bones: { hips } }, i) => {
		const way = hips.worldPosition.map((v, k) => v - back[i].bones.hips.worldPosition[k]);
		assert.ok(1000 * Math.hypot(...way) < millimetresAllowed, way);
	});
	assert.equal(runJson(jointcast, 'inspect', reduced).motions[0].metresPerUnit, 0.01);
});

test('reports the largest differences', (t) => report(t, outcomes));
