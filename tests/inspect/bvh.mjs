// Reads BVH: the joints, and their positions in every frame by forward kinematics. An end site is a
// joint with the name of its parent and ".end".
import { readFileSync } from 'node:fs';
import { aboutAxis, identity, length, minus, moved, place, times } from './affine.mjs';

const axes = { X: 0, Y: 1, Z: 2 };

// The joints in the order of the file: { name, parent, offset, channels, from }, where `from` is the
// column of the first channel.
function readHierarchy(lines) {
	const joints = [];
	const open = [];
	let columns = 0;
	for (const line of lines) {
		const words = line.trim().split(/\s+/);
		const keyword = words[0].toUpperCase();
		if (keyword === 'ROOT' || keyword === 'JOINT' || keyword === 'END') {
			const parent = open.length ? open[open.length - 1] : -1;
			joints.push({ name: keyword === 'END' ? `${joints[parent].name}.end`
				: words.slice(1).join(' '), parent, offset: [0, 0, 0], channels: [], from: 0 });
		} else if (keyword === '{') {
			open.push(joints.length - 1);
		} else if (keyword === '}') {
			open.pop();
		} else if (keyword === 'OFFSET') {
			joints[joints.length - 1].offset = words.slice(1, 4).map(Number);
		} else if (keyword === 'CHANNELS') {
			const channels = words.slice(2, 2 + Number(words[1]))
				.map((word) => ({ axis: axes[word[0].toUpperCase()], moves: /position/i.test(word) }));
			Object.assign(joints[joints.length - 1], { channels, from: columns });
			columns += channels.length;
		}
	}
	return { joints, columns };
}

// Position channels of joints below the root replace the offset in some exporters and add to it in
// others. They replace it where their values in the first frame are like the offsets.
function offsetsStay(joints, frame) {
	let [replacing, adding] = [0, 0];
	for (const { parent, offset, channels, from } of joints) {
		if (parent >= 0 && channels.some(({ moves }) => moves)) {
			const value = [0, 0, 0];
			channels.forEach(({ axis, moves }, i) => {
				value[axis] += moves ? frame[from + i] : 0;
			});
			replacing += length(minus(value, offset));
			adding += length(value);
		}
	}
	return adding < replacing;
}

function localOf({ parent, offset, channels, from }, frame, stays) {
	const position = [...offset];
	let turns = identity;
	const moving = channels.some(({ moves }) => moves);
	if (moving && (parent < 0 || !stays)) {
		position.fill(0);
	}
	channels.forEach(({ axis, moves }, i) => {
		if (moves) {
			position[axis] += frame[from + i];
		} else {
			turns = times(turns, aboutAxis(axis, frame[from + i]));
		}
	});
	return times(moved(position), turns);
}

export function readBvh(path) {
	const lines = readFileSync(path, 'latin1').split(/\r\n|\n|\r/);
	const motion = lines.findIndex((line) => /^\s*MOTION/i.test(line));
	if (motion < 0 || lines.length < motion + 4) {
		throw new Error('the file ends before its frames');
	}
	const { joints, columns } = readHierarchy(lines.slice(0, motion));
	const count = Number(lines[motion + 1].split(':')[1]);
	const step = Number(lines[motion + 2].split(':')[1]);
	const numbers = lines.slice(motion + 3).join(' ').trim().split(/\s+/).map(Number);
	const frames = Math.min(count, Math.floor(numbers.length / columns));
	if (frames === 0) {
		throw new Error('the file has no frame');
	}
	const frameOf = (i) => numbers.slice(i * columns, (i + 1) * columns);
	const stays = offsetsStay(joints, frameOf(0));
	const pose = (i) => {
		const frame = frameOf(i);
		const worlds = [];
		for (const joint of joints) {
			const local = localOf(joint, frame, stays);
			worlds.push(joint.parent < 0 ? local : times(worlds[joint.parent], local));
		}
		return worlds.map(place);
	};
	return { format: 'BVH', isUpKnown: false, joints,
		clips: [{ name: '', index: 0, times: Array.from({ length: frames }, (_, i) => i * step), pose }] };
}
