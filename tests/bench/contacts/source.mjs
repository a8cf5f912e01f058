// The figure of a motion itself, from its BVH file by the reader of tests/inspect.
import { join } from 'node:path';
import { length, minus } from '../../inspect/affine.mjs';
import { open } from '../../inspect/figure.mjs';
import { run, runJson } from '../../cli/tool.mjs';

const feet = ['leftFoot', 'rightFoot', 'leftToes', 'rightToes'];

/** What is measured needs of a figure where its joints are in the T-pose; floor undefined: under the feet. */
export function describe(rest, hipsHeight, floor) {
	const ground = Math.min(...feet.filter((joint) => rest[joint]).map((joint) => rest[joint][1]));
	return { rest, height: rest.head[1] - (floor ?? ground), hipsHeight, floor: floor ?? ground };
}

// Metres from the hips to the head joint of a straight trunk.
function trunkOf({ joints, bones }, places) {
	let sum = 0;
	for (let joint = bones.head; joint !== bones.hips && joint >= 0; joint = joints[joint].parent) {
		sum += length(minus(places[joint], places[joints[joint].parent]));
	}
	return sum;
}

/** { path, times, figure, frames }: at most `seconds` of a motion, about `rate` frames a second. The
 * file at `path` is the motion as a VRM animation. */
export async function readSource(jointcast, motion, scratch, seconds, rate) {
	const path = join(scratch, 'source.vrma');
	const { status, stderr } = run(jointcast, 'convert', motion, path);
	if (status !== 0) {
		throw new Error(stderr.trim());
	}
	const [{ hipsHeight, metresPerUnit }] = runJson(jointcast, 'inspect', motion).motions;
	const file = await open(motion);
	const [clip] = file.clips;
	const step = Math.max(1, Math.round(1 / (clip.times[1] * rate)));
	const indices = clip.times.flatMap((t, i) => (t <= seconds && i % step === 0 ? [i] : []));
	const frames = indices.map((i) => {
		const places = clip.pose(i).map((place) => place.map((v) => v * metresPerUnit));
		return { places, bones: Object.fromEntries(Object.entries(file.bones).map(([bone, joint]) => [bone, places[joint]])) };
	});
	return { path, times: indices.map((i) => clip.times[i]), seconds: step * clip.times[1], frames: frames.map(({ bones }) => bones),
		figure: { height: hipsHeight + trunkOf(file, frames[0].places), hipsHeight } };
}
