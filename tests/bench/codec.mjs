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
import { BONES, BONE_SECTIONS } from '../../clients/js/tables.js';
import { SAMPLE, Stream, angle, pose, unit } from './coded/motion.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const testClips = ['cmu_01_01', 'univrm_vrm10viewer_motion', 'threejs_pirouette',
	'xsens_mvn_style_yxz', 'mixed_orders_fingers_zup'];

const BATCHES = 101;
const WARM_UP = 50; // runs, for the compiler

// As in bench_accuracy.c.
const ends = ['head', ...['left', 'right'].flatMap((side) => ['Hand', 'MiddleProximal', 'Foot', 'Toes',
	'ThumbDistal', 'IndexDistal', 'MiddleDistal', 'RingDistal', 'LittleDistal']
	.map((name) => side + name))].map((name) => BONES.indexOf(name));

// What is looked at: the first five with their rotations in model space, in hands the last joints.
const side = (...names) => names.flatMap((name) => [`left${name}`, `right${name}`]);
const seen = { 22: ['head', ...side('Hand', 'Foot', 'Toes')],
	30: side('ThumbDistal', 'IndexDistal', 'MiddleDistal', 'RingDistal', 'LittleDistal') };
const TURNED = 5;

// Millimetres.
const distance = (a, b, bone) => 1000 * Math.hypot(...a.places[bone].map((v, i) => v - b.places[bone][i]));

// Errors of one stream in every frame: of every joint in local space, of what is looked at in places and in
// model space.
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
		const before = pose(original), after = pose(mixed);
		result.ends = Math.max(result.ends, ...ends.map((bone) => distance(before, after, bone)));
		seen[stream.bones].forEach((name, i) => {
			const bone = BONES.indexOf(name);
			result.points.push(distance(before, after, bone));
			if (stream.bones === 22 && i < TURNED) {
				result.turns.push(angle(before.worlds[bone], after.worlds[bone]));
			}
		});
		result.bytes += message.length;
	});
	return result;
}

function percentile(values, share) {
	const sorted = Float64Array.from(values).sort();
	return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

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

const greatest = (values) => values.reduce((most, value) => Math.max(most, value), 0);

// Mean, 99 % and most by the names of the rows.
function spread(values, name) {
	return values.length === 0 ? {} : {
		[`mean_${name}`]: values.reduce((sum, value) => sum + value, 0) / values.length,
		[`p99_${name}`]: percentile(values, 0.99),
		[`max_${name}`]: greatest(values),
	};
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
				sum[list] = sum[list].concat(one[list]);
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
			max_error_deg: greatest(sum.errors),
			p999_error_deg: percentile(sum.errors, 0.999),
			max_end_effector_mm: sum.ends,
			...spread(sum.points, 'end_mm'),
			...spread(sum.turns, 'model_error_deg'),
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

process.exitCode = main(process.argv.slice(2));
