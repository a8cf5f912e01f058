// Motions as a tracker of three or six points sees them, made whole by the tool, against
// the motions themselves: places of bones on the built-in figure of 1.75 m.
//
// usage: node emulation.mjs JOINTCAST SCRATCH MOTION…
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const [jointcast, scratch, ...motions] = process.argv.slice(2);
const { joints } = JSON.parse(readFileSync(new URL('../../proto/joints.json', import.meta.url)));
const hz = 30;

// Constants were chosen by looking at these; the other clips were kept out of that.
const looked = ['boxing_toes_extra_line.bvh', 'cmu_12_01_walk.bvh', 'univrm_vrm10viewer_motion.bvh'];

const three = ['head', 'left-hand-wrist', 'right-hand-wrist'];
const six = [...three, 'hips', 'left-foot-ankle', 'right-foot-ankle'];

const side = (name) => [`left${name}`, `right${name}`];
const upper = ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head',
	...['Shoulder', 'UpperArm', 'LowerArm', 'Hand'].flatMap(side)];
const bones = [...upper, ...['UpperLeg', 'LowerLeg', 'Foot', 'Toes'].flatMap(side)];

const run = (...parameters) => execFileSync(jointcast, parameters,
	{ maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] });
const play = (path) => JSON.parse(run('retarget', path, 'humanoid', '--fps', String(hz), '--json'));

// With or without the T-pose of the tracked joints in the header, as the tool writes it.
function reduce(motion, kept, isTold) {
	const path = join(scratch, 'reduced.jsonl');
	run('convert', motion, path, '--drop',
		joints.map(({ name }) => name).filter((name) => !kept.includes(name)).join());
	if (!isTold) {
		const lines = readFileSync(path, 'utf8').split('\n');
		const { rest, ...header } = JSON.parse(lines[0]);
		writeFileSync(path, [JSON.stringify(header), ...lines.slice(1)].join('\n'));
	}
	return path;
}

const place = (frame, bone) => frame.bones[bone].worldPosition;
const distance = (a, b) => Math.hypot(...a.map((v, k) => v - b[k]));

// Mean distance in cm over bones and frames, and the frames.
function meanError(truth, seen, names) {
	let sum = 0;
	truth.frames.forEach((frame, i) => {
		for (const bone of names) {
			sum += distance(place(frame, bone), place(seen.frames[i], bone));
		}
	});
	return (100 * sum) / truth.frames.length / names.length;
}

function mostError(truth, seen, names) {
	return 1000 * Math.max(...truth.frames.flatMap((frame, i) =>
		names.map((bone) => distance(place(frame, bone), place(seen.frames[i], bone)))));
}

// Mean way along the ground, cm a frame, of feet and toes that are as low as where they
// stand in the T-pose plus 3 % of the hips' height, and slower than half of it a second.
function skate({ skeleton, frames }) {
	const least = 0.03 * skeleton.hipsHeight;
	const quickest = (0.5 * skeleton.hipsHeight) / hz;
	let sum = 0;
	let count = 0;
	for (const bone of ['leftFoot', 'rightFoot', 'leftToes', 'rightToes']) {
		const floor = skeleton.bones[bone].restWorldPosition[1] + least;
		for (let i = 1; i < frames.length; i++) {
			const [x, y, z] = place(frames[i], bone);
			const [x0, , z0] = place(frames[i - 1], bone);
			const way = Math.hypot(x - x0, z - z0);
			if (y < floor && way < quickest) {
				sum += way;
				count++;
			}
		}
	}
	return count > 0 ? (100 * sum) / count : 0;
}

// q v q^-1
function turn([x, y, z, w], [a, b, c]) {
	const [i, j, k] = [y * c - z * b, z * a - x * c, x * b - y * a].map((v) => 2 * v);
	return [a + w * i + y * k - z * j, b + w * j + z * i - x * k, c + w * k + x * j - y * i];
}

// Frames and limbs whose forearm goes to the back of its upper arm or whose shin to the
// front of its thigh, by more than a degree past straight.
function countBackwards({ frames }) {
	const shin = [0, -0.42, -0.03].map((v) => v / Math.hypot(0.42, 0.03));
	const limits = [['leftLowerArm', [1, 0, 0], 1], ['rightLowerArm', [-1, 0, 0], 1],
		['leftLowerLeg', shin, -1], ['rightLowerLeg', shin, -1]];
	return frames.reduce((count, frame) => count + limits.filter(([bone, along, front]) =>
		turn(frame.bones[bone].normalized, along)[2] * front < -0.0175).length, 0);
}

const wrists = side('Hand');
const show = (value, digits, width) => value.toFixed(digits).padStart(width);
const rows = [];
console.log(`${''.padEnd(30)}${'head and wrists'.padStart(34)}${'six trackers'.padStart(28)}`
	+ `${'size not told'.padStart(16)}`);
console.log('motion'.padEnd(30), 'upper', '  all', 'wrist', 'skate (own)'.padStart(12), 'back',
	'  all', 'wrist', ' skate', 'back'.padStart(7), ' three', '  six', 'frames'.padStart(7));

function print(name, row) {
	const [t, s] = [row.three, row.six];
	console.log(name.padEnd(30), show(t.upper, 2, 5), show(t.all, 2, 5), show(t.wrist, 1, 5),
		`${show(t.skate, 2, 0)} (${show(row.own, 2, 0)})`.padStart(12), show(t.back, 0, 4),
		show(s.all, 2, 5), show(s.wrist, 1, 5), show(s.skate, 2, 6), show(s.back, 0, 7),
		show(row.learned.three, 2, 6), show(row.learned.six, 2, 5), show(row.frames, 0, 7));
}

function measure(truth, motion, kept) {
	const seen = play(reduce(motion, kept, true));
	return { upper: meanError(truth, seen, upper), all: meanError(truth, seen, bones),
		wrist: mostError(truth, seen, wrists), skate: skate(seen), back: countBackwards(seen) };
}

for (const motion of motions) {
	const truth = play(motion);
	const learned = (kept) => meanError(truth, play(reduce(motion, kept, false)), bones);
	const row = { frames: truth.frames.length, own: skate(truth),
		three: measure(truth, motion, three), six: measure(truth, motion, six),
		learned: { three: learned(three), six: learned(six) },
		group: motion.startsWith('demo:') ? 'built in'
			: looked.includes(basename(motion)) ? 'looked at' : 'kept out' };
	rows.push(row);
	print(basename(motion), row);
}

// All frames count once; of wrists the worst, of bends the sum.
function total(group) {
	const frames = group.reduce((sum, row) => sum + row.frames, 0);
	const mean = (value) => group.reduce((sum, row) => sum + value(row) * row.frames, 0) / frames;
	const one = (kind) => ({
		upper: mean((row) => row[kind].upper), all: mean((row) => row[kind].all),
		wrist: Math.max(...group.map((row) => row[kind].wrist)),
		skate: mean((row) => row[kind].skate),
		back: group.reduce((sum, row) => sum + row[kind].back, 0),
	});
	return { frames, own: mean((row) => row.own), three: one('three'), six: one('six'),
		learned: { three: mean((row) => row.learned.three), six: mean((row) => row.learned.six) } };
}

for (const group of ['looked at', 'kept out', 'built in']) {
	const own = rows.filter((row) => row.group === group);
	if (own.length > 0) {
		print(`frames ${group}`, total(own));
	}
}
const recorded = rows.filter((row) => row.group !== 'built in');
if (recorded.length > 0) {
	print('frames recorded', total(recorded));
}
console.log('\nMean distance from the truth, cm: of the upper 14 and of all 22 bones of the body. wrist: '
	+ 'largest\ndistance, mm. skate: cm a frame in contact. back: elbows and knees bent backwards.');
