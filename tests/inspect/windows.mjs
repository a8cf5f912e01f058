// Reads windows and turned copies of BVH files with `jointcast`, and compares the limbs with the forward
// kinematics of the whole file: a window must have the axis and the unit of the file from which it is cut.
//
// usage: node windows.mjs JOINTCAST FOLDER FILE…     FOLDER holds the cut files
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { byPosition, compareLimbs, retargeted, run } from './compare.mjs';
import { changed, findUp, frameOf, isBody, open, upAxes } from './figure.mjs';
import { parts, turns, writeVariant } from './variants.mjs';

const [jointcast, folder, ...files] = process.argv.slice(2);
const perSize = 6;
mkdirSync(folder, { recursive: true });

// The up axis of a file turned by `turn` whose own is `up`.
function turnedUp(up, turn) {
	const [axis, sign] = turns[turn]['XYZ'.indexOf(up[1])];
	return ((up[0] === '-') !== (sign < 0) ? '-' : '+') + axis;
}

function* cuts(count) {
	for (const up of Object.keys(turns)) {
		yield { up, from: 0, size: count };
	}
	for (const size of [1, 30, 60, 300].filter((frames) => frames < count)) {
		for (let i = 0; i < perSize; i++) {
			yield { up: i % 3 === 2 ? '+Z' : '+Y', from: Math.floor((i * (count - size)) / (perSize - 1)), size };
		}
	}
}

function evenly(count, most) {
	return Array.from({ length: Math.min(count, most) }, (_, i) =>
		(count <= most ? i : Math.round((i * (count - 1)) / (most - 1))));
}

const totals = { windows: 0, wrong: 0, silent: 0, scaled: 0, refused: 0 };
for (const path of files) {
	const whole = await open(path).catch(() => null);
	if (!whole || !isBody(whole)) {
		continue;
	}
	const pieces = parts(path);
	const clip = whole.clips[0];
	const up = findUp(evenly(clip.times.length, 200).map((i) => frameOf(whole, clip.pose(i))));
	const unit = JSON.parse(run(jointcast, 'inspect', path, '--json').stdout || '{}').motions?.[0].metresPerUnit;
	for (const { up: turn, from, size } of cuts(pieces.frames.length)) {
		const cut = join(folder, 'cut.bvh');
		writeVariant(cut, pieces, turn, from, size);
		const name = `${basename(path)} turned ${turn} from ${from} by ${size}`;
		totals.windows++;
		const file = await open(cut);
		const indices = evenly(file.clips[0].times.length, 12);
		const frames = indices.map((i) => changed(frameOf(file, file.clips[0].pose(i)), upAxes[turnedUp(up, turn)]));
		const read = retargeted(jointcast, cut, 'humanoid', indices.map((i) => file.clips[0].times[i]));
		if (read.refused) {
			totals.refused++;
			console.log(`${name}: refused: ${read.refused}`);
			continue;
		}
		const { angles } = compareLimbs(frames.length, byPosition(frames), read.frames.map((frame) => frame.turns));
		const worst = Math.max(...Object.values(angles).map(({ mean }) => mean));
		const { motions: [{ metresPerUnit, lint }] } = JSON.parse(run(jointcast, 'inspect', cut, '--json').stdout);
		const warned = lint.some(({ severity, code }) => severity === 'warning' && /axis|up|rest/.test(code));
		if (worst > 5) {
			totals.wrong++;
			totals.silent += warned ? 0 : 1;
			console.log(`${name}: limbs ${worst.toFixed(0)} degrees off${warned ? ', with a warning' : ', silently'}`);
		}
		if (unit && Math.abs(metresPerUnit / unit - 1) > 0.01) {
			totals.scaled++;
			console.log(`${name}: ${metresPerUnit} metres per unit, not ${unit}`);
		}
	}
}
console.log(JSON.stringify(totals));
process.exitCode = totals.silent > 0 || totals.scaled > 0 ? 1 : 0;
