// Motions as live trackers deliver them: head and hands, or six trackers, with the noise that filters of
// trackers leave, as body-frame files. `jc_measure` and `jointcast bench codec` read them, make the body
// whole and solve it as the daemon does.
//
// usage: live_streams.mjs JOINTCAST OUT MOTION…   prints the names of the files, one a line
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const [jointcast, out, ...motions] = process.argv.slice(2);
if (motions.length === 0) {
	console.error('usage: live_streams.mjs JOINTCAST OUT MOTION…');
	process.exit(2);
}
const { joints } = JSON.parse(readFileSync(new URL('../../../proto/joints.json', import.meta.url)));

const three = ['head', 'left-hand-wrist', 'right-hand-wrist'];
const kinds = { three, six: [...three, 'hips', 'left-foot-ankle', 'right-foot-ankle'] };

// Of a tracker at rest, root of the mean square about each axis: 0.4 mm and 0.08 degrees, and a time
// constant of 50 ms, about what head sets and strapped-on trackers show.
const metres = 0.0004;
const radians = (0.08 * Math.PI) / 180;
const seconds = 0.05;

// Numerical Recipes' generator; sums of twelve are nearly normal, with deviation 1.
function normals(seed) {
	let state = seed >>> 0;
	return () => {
		let sum = -6;
		for (let i = 0; i < 12; i++) {
			state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
			sum += state / 2 ** 32;
		}
		return sum;
	};
}

function multiply([ax, ay, az, aw], [bx, by, bz, bw]) {
	return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
		aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz];
}

function turned(rotation, [x, y, z]) {
	const q = multiply(rotation, [x / 2, y / 2, z / 2, 1]);
	const length = Math.hypot(...q);
	return q.map((value) => value / length);
}

// Adds noise of six numbers a joint to each frame.
function addNoise(lines) {
	const next = normals(2026);
	const noises = [];
	let before = 0;
	return lines.map((line) => {
		const frame = JSON.parse(line);
		const keep = Math.exp(-(frame.t - before) / seconds);
		before = frame.t;
		frame.joints = frame.joints.map((joint, j) => {
			const noise = noises[j] ??= Array.from({ length: 6 }, next);
			noise.forEach((value, i) => {
				noise[i] = keep * value + Math.sqrt(1 - keep * keep) * next();
			});
			return joint && [...joint.slice(0, 3).map((value, i) => value + metres * noise[i]),
				...turned(joint.slice(3, 7), noise.slice(3).map((value) => radians * value)), ...joint.slice(7)];
		});
		return JSON.stringify(frame);
	});
}

mkdirSync(out, { recursive: true });
for (const motion of motions) {
	for (const [kind, kept] of Object.entries(kinds)) {
		const name = basename(motion).replace(/\.\w+$/, '').replace(/\W/g, '_');
		const still = join(out, `${name}.${kind}.jsonl`);
		execFileSync(jointcast, ['convert', motion, still, '--drop',
			joints.map((joint) => joint.name).filter((joint) => !kept.includes(joint)).join()], { stdio: 'ignore' });
		const [header, ...frames] = readFileSync(still, 'utf8').trimEnd().split('\n');
		const noisy = join(out, `${name}.${kind}.noise.jsonl`);
		writeFileSync(noisy, `${[header, ...addNoise(frames)].join('\n')}\n`);
		console.log(`${still}\n${noisy}`);
	}
}
