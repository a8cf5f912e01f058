// Puts the motion, in every format it is written in, on a figure, and holds what
// `jointcast retarget` prints against what was worked out for that figure.
//
// usage: retarget.mjs JOINTCAST FIGURE      (folded, between, …)
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { degreesBetween, runJson } from '../cli/tool.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'files');
// Limits of single precision: a rotation is exact to a few 1e-5 degrees, the measured direction
// of a thumb bone of 3 cm to 1e-4.
const degreesAllowed = 2e-4;
const metresAllowed = 2e-6;

// The file that moves bones by name has no hips displacement, and a BVH lacks the height of its
// floor: there positions are relative to the hips.
const motions = [
	{ name: 'motion.vrma', hips: true },
	{ name: 'i_pose.x3dv', hips: true },
	{ name: 'motion.gltf', hips: false },
	{ name: 'a_pose.bvh', hips: false },
	{ name: 'folded.bvh', hips: false, start: 0.5 }, // after a frame in the T-pose
	{ name: 'split.bvh', hips: false },
];

function compare(jointcast, motion, figure, expected) {
	const { skeleton, frames } = runJson(jointcast, 'retarget', join(folder, motion.name),
		join(folder, figure), '--times', expected.map(({ t }) => t + (motion.start ?? 0)).join());
	const worst = { degrees: 0, metres: 0, where: '' };
	const origin = ({ hips }) => (motion.hips ? [0, 0, 0] : hips.worldPosition);
	const missing = Object.keys(expected[0].bones).filter((name) => !skeleton.bones[name]);
	if (missing.length > 0) {
		throw new Error(`${figure} lacks ${missing}`);
	}
	if (Math.abs(skeleton.hipsHeight - expected[0].hipsHeight) > metresAllowed) {
		throw new Error(`${figure}: hips ${skeleton.hipsHeight} m high, not ${expected[0].hipsHeight}`);
	}
	expected.forEach(({ bones }, i) => {
		for (const [name, { rotation, worldPosition }] of Object.entries(bones)) {
			const ours = frames[i].bones[name];
			const degrees = degreesBetween(ours.rotation, rotation);
			if (degrees > worst.degrees) {
				Object.assign(worst, { degrees, where: `${name} at ${frames[i].t} s` });
			}
			worst.metres = Math.max(worst.metres, Math.hypot(...worldPosition.map((v, k) =>
				v - origin(bones)[k] - (ours.worldPosition[k] - origin(frames[i].bones)[k]))));
		}
	});
	return worst;
}

function main([jointcast, name]) {
	const figure = readdirSync(folder).find((file) =>
		file.startsWith(`${name}.`) && !/\.(bvh|expected\.json)$/.test(file));
	const expected = JSON.parse(readFileSync(join(folder, `${name}.expected.json`), 'utf8'));
	let failed = false;
	for (const motion of motions) {
		const { degrees, metres, where } = compare(jointcast, motion, figure, expected);
		const good = degrees <= degreesAllowed && metres <= metresAllowed;
		failed ||= !good;
		console.log(`${good ? 'ok    ' : 'FAILED'} ${figure.padEnd(17)} ${motion.name.padEnd(12)}`
			+ `${degrees.toExponential(1)} degrees (${where}), ${metres.toExponential(1)} m`);
	}
	return failed ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
