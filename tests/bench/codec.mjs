// Measures cost and error of the codecs. The JavaScript decoder measures our own errors on
// packets of the C encoder, of each joint, in model space and at end points; the C decoder's
// figures must be equal.
//
// usage: codec.mjs JOINTCAST [--json] [--quick] [MOTION…]
//
// Without a motion, those of the public data that the tables were not trained
// on. Prints the rows of all clips as a table, or all of `jointcast bench codec
// --json` with `decode_js_us` in its times. --quick gives no usable
// times. Exit status 1 when C and JavaScript differ.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Bundle, decodeBundle, readSections } from '../../clients/js/bundle.js';
import { ChainDecoder, loadModelChains } from '../../clients/js/chain.js';
import { BONES, BONE_PARENTS, BONE_SECTIONS } from '../../clients/js/tables.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const testClips = ['cmu_01_01', 'univrm_vrm10viewer_motion', 'threejs_pirouette',
	'xsens_mvn_style_yxz', 'mixed_orders_fingers_zup'];

const SECTIONS = [null, 'body', 'face', 'hands', 'hips'];
const SAMPLE = 4 * BONES.length + 3;
const BATCHES = 101;
const WARM_UP = 50; // runs, for the compiler

// Arithmetic on quaternions in arrays, in double precision.
function unit(values, at) {
	const [x, y, z, w] = values.subarray(at, at + 4);
	const length = Math.sqrt(x * x + y * y + z * z + w * w);
	return [x / length, y / length, z / length, w / length];
}

function angle(a, b) {
	const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
	const chord = Math.sqrt(a.reduce((sum, value, i) => sum + (value - sign * b[i]) ** 2, 0));
	return (4 * Math.asin(chord / 2) * 180) / Math.PI;
}

function multiply([ax, ay, az, aw], [bx, by, bz, bw]) {
	return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
		aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz];
}

function rotate(q, [x, y, z]) {
	const [rx, ry, rz] = multiply(multiply(q, [x, y, z, 0]), [-q[0], -q[1], -q[2], q[3]]);
	return [rx, ry, rz];
}

const rests = JSON.parse(readFileSync(join(root, 'proto', 'joints.json'), 'utf8')).bones
	.map(({ rest }) => rest.map(Math.fround));
const ends = ['head', ...['left', 'right'].flatMap((side) => ['Hand', 'MiddleProximal', 'Foot', 'Toes',
	'ThumbDistal', 'IndexDistal', 'MiddleDistal', 'RingDistal', 'LittleDistal']
	.map((name) => side + name))].map((name) => BONES.indexOf(name));

// Of one row: whose turns in model space and whose places it has.
const joints = ['head', 'leftHand', 'rightHand', 'leftFoot', 'rightFoot', 'leftToes', 'rightToes']
	.map((name) => BONES.indexOf(name));
const turned = joints.slice(0, 5);
const fingers = ['left', 'right'].flatMap((side) => ['Thumb', 'Index', 'Middle', 'Ring', 'Little']
	.map((name) => BONES.indexOf(`${side}${name}Distal`)));

// Joint positions of the built-in figure, from its hips joint, and orientations in model space.
function pose(rotations) {
	const worlds = [], places = [];
	for (let bone = 0; bone < BONES.length; bone++) {
		const parent = BONE_PARENTS[bone];
		const own = unit(rotations, 4 * bone);
		if (parent < 0) {
			worlds.push(own);
			places.push([0, 0, 0]);
			continue;
		}
		const way = rotate(worlds[parent], rests[bone].map((v, i) => v - rests[parent][i]));
		worlds.push(multiply(worlds[parent], own));
		places.push(way.map((v, i) => v + places[parent][i]));
	}
	return { places, worlds };
}

// The end points of two poses: the most of all, millimetres of those of a row, degrees.
function compareEnds(a, b, bones) {
	const p = pose(a), q = pose(b);
	const away = (bone) => 1000 * Math.hypot(...p.places[bone].map((v, i) => v - q.places[bone][i]));
	return { most: Math.max(...ends.map(away)), points: (bones === 22 ? joints : fingers).map(away),
		turns: bones === 22 ? turned.map((bone) => angle(p.worlds[bone], q.worlds[bone])) : [] };
}

// The packets of one stream, followed by decoders of their own.
class Stream {
	constructor(folder, entry) {
		const file = readFileSync(join(folder, entry.packets));
		Object.assign(this, entry);
		this.messages = [];
		for (let at = 0; at < file.length;) {
			const length = file.readUInt32LE(at);
			this.messages.push(new Uint8Array(file.subarray(at + 4, at + 4 + length)));
			at += 4 + length;
		}
		const samples = readFileSync(join(folder, entry.samples));
		this.samples = new Float32Array(samples.buffer.slice(samples.byteOffset,
			samples.byteOffset + samples.length));
		this.bundle = new Bundle();
		this.rewind();
	}

	// The first packet has the state of every section.
	rewind() {
		this.decoders = SECTIONS.map(() => null);
		this.walk(this.messages[0], (section, coding, start, end) => {
			this.decoders[section] = new ChainDecoder(SECTIONS[section]);
			this.decoders[section].readRejoin(this.messages[0], start, end, coding);
		});
	}

	// Calls back for each chain in the message; false for a body without one.
	walk(message, take) {
		if (message.length === 0 || decodeBundle(message, this.bundle).count === 0) {
			return false;
		}
		const { start, end, shape } = this.bundle;
		readSections(message, start[0], end[0], shape[0], (section, coding, from, to) => {
			if (coding !== 1) {
				take(section, coding, from, to);
			}
		});
		return true;
	}

	follow(message) {
		let seen = 0;
		const told = this.walk(message, (section, coding, start, end) => {
			this.decoders[section].decode(message, start, end);
			seen |= 1 << section;
		});
		for (let section = 1; told && section < SECTIONS.length; section++) {
			if (!(seen >> section & 1)) {
				this.decoders[section]?.hold();
			}
		}
	}

	rotations(out) {
		for (const decoder of this.decoders) {
			decoder?.rotations(out);
		}
	}
}

// Errors of one stream: every joint in every frame, the most of the ends, places and turns of end points.
function measure(stream) {
	const { first, count } = stream.bones === 22 ? BONE_SECTIONS.body : BONE_SECTIONS.hands;
	const decoded = new Float32Array(4 * BONES.length), mixed = new Float32Array(4 * BONES.length);
	const result = { errors: [], points: [], turns: [], ends: 0, bytes: 0 };
	stream.messages.forEach((message, frame) => {
		const original = stream.samples.subarray(SAMPLE * frame, SAMPLE * frame + 4 * BONES.length);
		if (frame > 0) {
			stream.follow(message);
		}
		stream.rotations(decoded);
		mixed.set(original);
		mixed.set(decoded.subarray(4 * first, 4 * (first + count)), 4 * first);
		for (let bone = first; bone < first + count; bone++) {
			result.errors.push(angle(unit(original, 4 * bone), unit(mixed, 4 * bone)));
		}
		const { most, points, turns } = compareEnds(original, mixed, stream.bones);
		result.ends = Math.max(result.ends, most);
		result.points.push(...points);
		result.turns.push(...turns);
		result.bytes += message.length;
	});
	return result;
}

function percentile(values, share) {
	const sorted = Float64Array.from(values).sort();
	return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

const mostOf = (values) => values.reduce((most, value) => Math.max(most, value), 0);
const summary = (what, values) => ({
	[`mean_${what}`]: values.reduce((sum, value) => sum + value, 0) / values.length,
	[`p99_${what}`]: percentile(values, 0.99),
	[`max_${what}`]: mostOf(values),
});

// Median microseconds a frame, heads and rotations included.
function time(stream, warmUp, batches) {
	const decoded = new Float32Array(4 * BONES.length), times = [];
	for (let run = 0; run < warmUp + batches; run++) {
		stream.rewind();
		const start = process.cpuUsage();
		for (let frame = 1; frame < stream.messages.length; frame++) {
			stream.follow(stream.messages[frame]);
			stream.rotations(decoded);
		}
		const { user, system } = process.cpuUsage(start);
		times.push((user + system) / (stream.messages.length - 1));
	}
	return times.slice(warmUp).sort((a, b) => a - b)[batches >> 1];
}

const key = ({ codec, clip, bones, hz }) => [codec, clip, bones, hz].join(' | ');

// Errors by row, those of all clips too; and the complaints.
function check(result, folder, isQuick) {
	const { streams } = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
	const measured = new Map();
	const complaints = [];
	for (const entry of streams) {
		const stream = new Stream(folder, entry);
		if (stream.messages.length !== entry.frames) {
			complaints.push(`${key(entry)}: ${stream.messages.length} of ${entry.frames} packets`);
		}
		if (entry.bones === BONES.length) {
			result.times.find(({ codec }) => codec === entry.codec).decode_js_us =
				isQuick ? time(stream, 0, 1) : time(stream, WARM_UP, BATCHES);
			continue;
		}
		const one = measure(stream);
		for (const name of [key(entry), key({ ...entry, clip: 'all' })]) {
			const sum = measured.get(name) ?? { errors: [], points: [], turns: [], ends: 0, bytes: 0, frames: 0 };
			for (const list of ['errors', 'points', 'turns']) {
				for (const error of one[list]) {
					sum[list].push(error);
				}
			}
			sum.ends = Math.max(sum.ends, one.ends);
			sum.bytes += one.bytes;
			sum.frames += entry.frames;
			measured.set(name, sum);
		}
	}
	const dumped = new Set(streams.map(({ codec }) => codec));
	for (const row of result.rows.filter(({ codec }) => dumped.has(codec))) {
		const sum = measured.get(key(row));
		const ours = sum && {
			frames: sum.frames,
			packet_bytes_mean: sum.bytes / sum.frames,
			max_error_deg: mostOf(sum.errors),
			p999_error_deg: percentile(sum.errors, 0.999),
			max_end_effector_mm: sum.ends,
			...summary('end_mm', sum.points),
			...(sum.turns.length > 0 ? summary('model_error_deg', sum.turns) : {}),
		};
		for (const [name, value] of Object.entries(ours ?? { stream: NaN })) {
			if (!(Math.abs(value - row[name]) <= 1e-9 * (1 + Math.abs(value)))) {
				complaints.push(`${key(row)}: ${name} is ${row[name]} in C, ${value} in JavaScript`);
			}
		}
	}
	return { complaints, compared: measured.size };
}

function print({ rows, left_out: left, times }) {
	const show = (value, digits) => (value === undefined ? '' : value.toFixed(digits));
	console.log('| bones | Hz | codec | rotations, B | 99 % | payload, B | message, B | 99 % | kbit/s '
		+ '| most, degrees | 99.9 % | ends, mm | mean | 99 % | model space, degrees | 99 % | rejoin, B | most |');
	console.log(`|${'---|'.repeat(18)}`);
	for (const row of rows.filter(({ clip }) => clip === 'all')) {
		const ball = row.max_ball_error_deg;
		console.log(`| ${[row.bones, row.hz, row.codec, show(row.rotation_bytes_mean, 1),
			row.rotation_bytes_p99, show(row.payload_bytes_mean, 1), show(row.packet_bytes_mean, 1),
			row.packet_bytes_p99, show(row.packet_kbit_s, 1),
			show(row.max_error_deg, 4) + (ball === undefined ? '' : ` (balls ${show(ball, 3)})`),
			show(row.p999_error_deg, 4), show(row.max_end_effector_mm, 2),
			show(row.mean_end_mm, 3), show(row.p99_end_mm, 2), show(row.max_model_error_deg, 3), show(row.p99_model_error_deg, 3),
			show(row.rejoin_bytes_mean, 1), show(row.rejoin_bytes_max, 0)].join(' | ')} |`);
	}
	const frames = new Map();
	for (const { clip, bones, hz, frames: count } of rows.filter(({ clip }) => clip !== 'all')) {
		frames.set(`${basename(clip, '.bvh')}, ${bones} bones`,
			{ ...frames.get(`${basename(clip, '.bvh')}, ${bones} bones`), [hz]: count });
	}
	for (const [clip, counts] of frames) {
		console.log(`${clip}: ${Object.entries(counts).map(([hz, n]) => `${n} frames at ${hz} Hz`).join(', ')}`);
	}
	for (const { clip, hz, fps } of left) {
		console.log(`${basename(clip, '.bvh')}: captured at ${fps}, left out at ${hz} Hz`);
	}
	for (const row of times) {
		console.log(`${row.codec}, ${row.bones} bones: encoded in ${show(row.encode_us, 2)} us, `
			+ `decoded in ${show(row.decode_us, 2)} us, in Node ${show(row.decode_js_us, 2)} us`);
	}
}

function main([jointcast, ...parameters]) {
	const asJson = parameters.includes('--json'), isQuick = parameters.includes('--quick');
	let motions = parameters.filter((parameter) => !parameter.startsWith('--'));
	if (!jointcast) {
		console.error('usage: codec.mjs JOINTCAST [--json] [--quick] [MOTION…]');
		return 2;
	}
	if (motions.length === 0) {
		const data = process.env.JOINTCAST_DATA ?? join(root, '..', 'shared', 'data');
		motions = testClips.map((name) => join(data, 'bvh', `${name}.bvh`)).filter(existsSync);
		if (motions.length < testClips.length) {
			console.error('codec.mjs: the public motions are not there: set JOINTCAST_DATA');
			return 1;
		}
	}
	const folder = mkdtempSync(join(tmpdir(), 'jointcast-codec-'));
	try {
		const result = JSON.parse(execFileSync(jointcast,
			['bench', 'codec', ...motions, '--json', '--dump', folder,
				...(isQuick ? ['--iterations', '1'] : [])], { maxBuffer: 1 << 28 }));
		const { complaints, compared } = check(result, folder, isQuick);
		if (asJson) {
			console.log(JSON.stringify(result, null, '\t'));
		} else {
			print(result);
		}
		complaints.forEach((complaint) => console.error(`codec.mjs: ${complaint}`));
		console.error(`codec.mjs: ${compared} rows decoded in JavaScript, ${complaints.length} differences`);
		return complaints.length > 0 || compared === 0 ? 1 : 0;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

await loadModelChains();
process.exitCode = main(process.argv.slice(2));
