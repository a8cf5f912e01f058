// What coding does to feet and to a body that stands: foot skate after decoding relative to before, and
// second differences of joints, each precision of codings 2 and 3, at 30 Hz, by the JavaScript decoder.
//
// usage: quality.mjs JOINTCAST [--each] [--motions FOLDER] MOTION…
//
// --each prints every motion. --motions writes what was encoded and what was decoded as VRM animations
// of the built-in figure, for pictures (tests/oracle/trembling_pictures.mjs) and `jointcast measure`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { BONES, BONE_PARENTS, BONE_SECTIONS } from '../../../clients/js/tables.js';
import { SAMPLE, Stream, angle, pose, rests, unit } from './motion.mjs';

const hz = 30;
const codecs = ['fine', 'standard', 'coarse'].flatMap((name) => [`jointcast ${name}`, `jointcast model ${name}`]);
const numbersOf = (...names) => names.flatMap((name) => [name, `left${name}`, `right${name}`])
	.map((name) => BONES.indexOf(name)).filter((bone) => bone >= 0);
const joints = { neck: numbersOf('neck'), shoulders: numbersOf('Shoulder', 'UpperArm'), wrists: numbersOf('Hand'),
	feet: numbersOf('Foot'), toes: numbersOf('Toes'), knuckles: numbersOf('MiddleProximal') };

// A frame on the figure: rotations, their poses, and places in metres above the floor.
function stand(rotations, hips) {
	const { worlds, places } = pose(rotations);
	const root = rests[0].map((value, c) => value + hips[c]);
	return { rotations, hips, worlds, places: places.map((place) => place.map((value, c) => value + root[c])) };
}

function framesOf(stream) {
	const first = BONE_SECTIONS.body;
	return stream.messages.map((message, i) => {
		const at = SAMPLE * i;
		const before = stream.samples.slice(at, at + 4 * BONES.length);
		const after = before.slice(), hips = new Float32Array(3), decoded = new Float32Array(4 * BONES.length);
		if (i > 0) {
			stream.follow(message);
		}
		stream.rotations(decoded);
		stream.translation(hips);
		after.set(decoded.subarray(0, 4 * first.count));
		return [stand(before, stream.samples.slice(at + 4 * BONES.length, at + SAMPLE)), stand(after, hips)];
	});
}

// The detector of `jointcast measure` on the motion before coding: joints of the feet at most 0.03 hips
// heights above their place in the T-pose, at most 0.5 of them a second.
function addSkate(frames, sum) {
	const height = rests[0][1];
	for (const bone of [...joints.feet, ...joints.toes]) {
		for (let i = 1; i < frames.length; i++) {
			const [here, there] = [frames[i - 1], frames[i]].map(([before]) => before.places[bone]);
			const way = Math.hypot(there[0] - here[0], there[2] - here[2]);
			if (there[1] <= rests[bone][1] + 0.03 * height && way * hz <= 0.5 * height) {
				const [a, b] = [frames[i - 1][1].places[bone], frames[i][1].places[bone]];
				sum.before += way;
				sum.after += Math.hypot(b[0] - a[0], b[2] - a[2]);
				sum.count++;
			}
		}
	}
}

// Sums of squares of second differences, which = 0 before, 1 after: of joint angles, of turns in model
// space (degrees, b against halfway from a to c) and of places (mm).
function addTremble(frames, which, sums) {
	const halfway = (a, c) => {
		const sign = a.reduce((sum, value, i) => sum + value * c[i], 0) < 0 ? -1 : 1;
		const middle = a.map((value, i) => value + sign * c[i]);
		return middle.map((value) => value / Math.hypot(...middle));
	};
	for (let i = 2; i < frames.length; i++) {
		const [a, b, c] = [i - 2, i - 1, i].map((k) => frames[k][which]);
		for (const [name, bones] of Object.entries(joints)) {
			const sum = sums[name] ??= { local: 0, model: 0, place: 0, count: 0 };
			for (const bone of bones) {
				const [p, q, r] = [a, b, c].map(({ rotations }) => unit(rotations, 4 * bone));
				sum.local += (2 * angle(q, halfway(p, r))) ** 2;
				sum.model += (2 * angle(b.worlds[bone], halfway(a.worlds[bone], c.worlds[bone]))) ** 2;
				sum.place += a.places[bone].reduce((square, value, k) =>
					square + (1000 * (value - 2 * b.places[bone][k] + c.places[bone][k])) ** 2, 0);
				sum.count++;
			}
		}
	}
}

// A VRM animation in one GLB.
function animationOf(frames, which) {
	const times = Float32Array.from(frames, (_, i) => i / hz);
	const tracks = BONES.map((_, bone) => Float32Array.from(frames.flatMap((frame) =>
		[...frame[which].rotations.subarray(4 * bone, 4 * bone + 4)])));
	const ways = Float32Array.from(frames.flatMap((frame) => [...frame[which].hips].map((value, c) => value + rests[0][c])));
	const arrays = [times, ...tracks, ways];
	let length = 0;
	const bufferViews = arrays.map(({ byteLength }) => {
		length += byteLength;
		return { buffer: 0, byteOffset: length - byteLength, byteLength };
	});
	const json = {
		asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], extensionsUsed: ['VRMC_vrm_animation'],
		nodes: BONES.map((name, bone) => ({ name,
			translation: rests[bone].map((value, c) => value - (bone > 0 ? rests[BONE_PARENTS[bone]][c] : 0)),
			...(BONE_PARENTS.includes(bone) && { children: BONE_PARENTS.flatMap((parent, child) => (parent === bone ? [child] : [])) }) })),
		extensions: { VRMC_vrm_animation: { specVersion: '1.0',
			humanoid: { humanBones: Object.fromEntries(BONES.map((name, node) => [name, { node }])) } } },
		buffers: [{ byteLength: length }], bufferViews,
		accessors: arrays.map((values, i) => ({ bufferView: i, componentType: 5126, count: frames.length,
			type: i === 0 ? 'SCALAR' : i === arrays.length - 1 ? 'VEC3' : 'VEC4',
			...(i === 0 && { min: [0], max: [times.at(-1)] }) })),
		animations: [{
			samplers: arrays.slice(1).map((_, i) => ({ input: 0, output: i + 1 })),
			channels: arrays.slice(1).map((_, i) => ({ sampler: i, target: i < BONES.length ? { node: i, path: 'rotation' }
				: { node: 0, path: 'translation' } })),
		}],
	};
	const padded = (bytes, fill) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3, fill)]);
	const chunk = (bytes, type) => Buffer.concat([Buffer.from(Uint32Array.of(bytes.length, type).buffer), bytes]);
	const chunks = Buffer.concat([chunk(padded(Buffer.from(JSON.stringify(json)), ' '), 0x4e4f534a),
		chunk(padded(Buffer.concat(arrays.map(({ buffer }) => Buffer.from(buffer))), 0), 0x004e4942)]);
	return Buffer.concat([Buffer.from(Uint32Array.of(0x46546c67, 2, 12 + chunks.length).buffer), chunks]);
}

const show = (value) => value.toFixed(3).padStart(8);

function printTremble(name, sums) {
	const cells = Object.values(sums).map(({ local, model, place, count }) =>
		[local, model, place].map((sum) => show(Math.sqrt(sum / count))).join(''));
	console.log(name.padEnd(30), cells.join(' |'));
}

const newResult = () => Object.fromEntries(['before', ...codecs].map((codec) =>
	[codec, { skate: { before: 0, after: 0, count: 0 }, tremble: {} }]));

function print(name, result) {
	console.log(`\n${name}: foot skate in contact, cm a frame, before coding ${
		(100 * result[codecs[0]].skate.before / result[codecs[0]].skate.count).toFixed(4)}; after, and relative:`);
	for (const codec of codecs) {
		const { before, after, count } = result[codec].skate;
		console.log(`  ${codec.padEnd(28)} ${(100 * after / count).toFixed(4)} cm ${(after / before).toFixed(3)}`);
	}
	console.log(`second differences, root of the mean square: joint angle and model space in degrees, place in mm\n${
		''.padEnd(30)} ${Object.keys(joints).map((joint) => joint.padStart(24)).join(' |')}`);
	for (const codec of ['before', ...codecs]) {
		printTremble(codec, result[codec].tremble);
	}
}

function main([jointcast, ...parameters]) {
	const isEach = parameters.includes('--each');
	const folderAt = parameters.indexOf('--motions');
	const out = folderAt < 0 ? undefined : parameters.splice(folderAt, 2)[1];
	const motions = parameters.filter((parameter) => parameter !== '--each');
	const all = newResult();
	if (motions.length === 0) {
		console.error('usage: quality.mjs JOINTCAST [--each] [--motions FOLDER] MOTION…');
		return 2;
	}
	if (out) {
		mkdirSync(out, { recursive: true });
	}
	for (const motion of motions) {
		const folder = mkdtempSync(join(tmpdir(), 'jointcast-quality-'));
		const own = newResult();
		try {
			execFileSync(jointcast, ['bench', 'codec', motion, '--json', '--dump', folder, '--iterations', '1'], { stdio: 'ignore' });
			const { streams } = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
			for (const entry of streams.filter((one) => one.bones === 22 && one.hz === hz && codecs.includes(one.codec))) {
				const frames = framesOf(new Stream(folder, entry));
				for (const result of [own, all]) {
					addSkate(frames, result[entry.codec].skate);
					addTremble(frames, 1, result[entry.codec].tremble);
					if (entry.codec === codecs[0]) {
						addTremble(frames, 0, result.before.tremble);
					}
				}
				if (out) {
					const name = join(out, basename(motion).replace(/\W/g, '_'));
					writeFileSync(`${name}.${entry.codec.replaceAll(' ', '_')}.vrma`, animationOf(frames, 1));
					writeFileSync(`${name}.before.vrma`, animationOf(frames, 0));
				}
			}
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
		if (isEach) {
			print(motion, own);
		}
	}
	print('all', all);
	return 0;
}

process.exitCode = main(process.argv.slice(2));
