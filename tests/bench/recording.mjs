// Measures bytes on disk per minute of a body: our recordings beside the same frames as float32
// in MCAP with chunks of about a second, compressed with zstd at its default level by npm
// @mcap/core. Needs the packages of tests/oracle.
//
// usage: recording.mjs JOINTCAST MOTION…
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { plainBytes, readTable } from './plain_mcap.mjs';

const [jointcast, ...motions] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'jointcast-recording-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function convert(from, to) {
	const { status, stderr } = spawnSync(jointcast, ['convert', from, to, '--as-tracked'], { encoding: 'utf8' });
	if (status !== 0) {
		throw new Error(stderr);
	}
	return to;
}

// Rotations and hips of a table, positions and orientations of the joints of body
// frames: the numbers alone, not even which are known.
const readers = {
	poses: (path) => readTable(readFileSync(path, 'utf8')),
	'body frames'(path) {
		return readFileSync(path, 'utf8').trim().split('\n').slice(1).map((line) => {
			const { t, joints } = JSON.parse(line);
			return { t, values: Float32Array.from(joints.flatMap((joint) => joint?.slice(0, 7) ?? [])) };
		});
	},
};

for (const motion of motions) {
	for (const [kind, ending] of [['poses', 'csv'], ['body frames', 'jsonl']]) {
		const source = convert(motion, join(folder, `frames.${ending}`));
		const frames = readers[kind](source);
		const hz = (frames.length - 1) / (frames.at(-1).t - frames[0].t);
		const ours = statSync(convert(source, join(folder, 'recording.mcap'))).size;
		const plain = await plainBytes(frames, hz);
		const minute = (bytes) => ((bytes / frames.length) * hz * 60 / 1e6).toFixed(2);
		console.log(`${basename(motion)}, ${kind}: ${frames.length} at ${hz.toFixed(0)} Hz, `
			+ `${(ours / frames.length).toFixed(0)} B a frame, ${minute(ours)} MB a minute; float32 `
			+ `${(plain / frames.length).toFixed(0)} B, ${minute(plain)} MB; ${((100 * ours) / plain).toFixed(1)} %`);
	}
}
