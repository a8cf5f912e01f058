// Cuts and turns BVH files: the same motion in a window of its frames, or with another axis up. A reader
// has to find the same body in each.
import { readFileSync, writeFileSync } from 'node:fs';

// Turns of the axes, each as where X, Y and Z go and with which sign. Files are turned by moving and
// negating numbers, so that nothing is rounded.
export const turns = {
	'+Y': [['X', 1], ['Y', 1], ['Z', 1]],
	'-Y': [['X', 1], ['Y', -1], ['Z', -1]],
	'+Z': [['Y', 1], ['Z', 1], ['X', 1]],
	'-Z': [['Y', -1], ['Z', -1], ['X', 1]],
	'+X': [['Z', 1], ['X', 1], ['Y', 1]],
	'-X': [['Z', -1], ['X', -1], ['Y', 1]],
};

const order = 'XYZ';

export function parts(path) {
	const lines = readFileSync(path, 'latin1').split(/\r\n|\n|\r/);
	const at = lines.findIndex((line) => /^\s*MOTION/i.test(line));
	const count = Number(lines[at + 1].split(':')[1]);
	return { hierarchy: lines.slice(0, at), step: lines[at + 2],
		frames: lines.slice(at + 3).filter((line) => line.trim()).slice(0, count) };
}

// The axes of all columns, in their order, and their signs after the turn.
function turnedHierarchy(hierarchy, turn) {
	const signs = [];
	const lines = hierarchy.map((line) => {
		const words = line.trim().split(/\s+/);
		if (/^OFFSET$/i.test(words[0])) {
			const from = words.slice(1, 4);
			const to = ['0', '0', '0'];
			turn.forEach(([axis, sign], i) => {
				to[order.indexOf(axis)] = sign < 0 ? String(-Number(from[i])) : from[i];
			});
			return `OFFSET ${to.join(' ')}`;
		}
		if (/^CHANNELS$/i.test(words[0])) {
			return [words[0], words[1], ...words.slice(2, 2 + Number(words[1])).map((word) => {
				const [axis, sign] = turn[order.indexOf(word[0].toUpperCase())];
				signs.push(sign);
				return axis + word.slice(1);
			})].join(' ');
		}
		return line;
	});
	return { lines, signs };
}

export function writeVariant(path, { hierarchy, step, frames }, up, from, count) {
	const { lines, signs } = turnedHierarchy(hierarchy, turns[up]);
	const window = frames.slice(from, from + count).map((line) => (signs.every((sign) => sign > 0) ? line
		: line.trim().split(/\s+/).map((number, i) => (signs[i] < 0 ? -Number(number) : number)).join(' ')));
	writeFileSync(path, [...lines, 'MOTION', `Frames: ${window.length}`, step, ...window, ''].join('\n'));
}
