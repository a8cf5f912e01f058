// Does `jointcast retarget` put the same rotations and positions on a VRM as
// three-vrm does when its normalised humanoid gets the same pose?
//
// usage: retarget_agrees.mjs JOINTCAST FOLDER     (files of our own go to FOLDER)
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Quaternion, Vector3 } from 'three';
import { degreesBetween, fold, minus } from './compare.mjs';
import { writeFigures } from './figures.mjs';
import { writeRandomMotion } from './random_motion.mjs';
import { dataFiles, run, runJson } from '../cli/tool.mjs';
import { applyFrame, loadVrm } from './vrm_oracle.mjs';

const degreesAllowed = 0.01;
const positionAllowed = 1e-5; // of hips height, or of the trunk of a figure that lies down

// Largest differences over all frames of a motion on one model.
async function compare(jointcast, motion, path) {
	const times = ['--fps', '10'];
	const poses = runJson(jointcast, 'retarget', motion, 'humanoid', ...times);
	const ours = runJson(jointcast, 'retarget', motion, path, ...times);
	const loaded = await loadVrm(path);
	const raw = (bone) => loaded.vrm.humanoid.getRawBoneNode(bone);
	const height = ours.skeleton.hipsHeight;
	const trunk = Math.hypot(...minus(ours.skeleton.bones.head.restWorldPosition,
		ours.skeleton.bones.hips.restWorldPosition));
	const size = Math.max(height, trunk);
	const worst = { degrees: 0, position: 0, hips: 0, frames: ours.frames.length };
	const hipsRest = raw('hips').getWorldPosition(new Vector3()).toArray();
	if (Object.keys(ours.skeleton.bones).some((bone) => !raw(bone))) {
		throw new Error(`${path}: three-vrm does not know all our bones`);
	}
	ours.frames.forEach((frame, i) => {
		const source = poses.frames[i].bones;
		const travelled = minus(source.hips.worldPosition, poses.skeleton.bones.hips.restWorldPosition)
			.map((value) => (value / poses.skeleton.hipsHeight) * height);
		applyFrame(loaded, { bones: fold(source, (bone) => raw(bone) !== null),
			hipsDisplacement: travelled });
		const hips = raw('hips').getWorldPosition(new Vector3()).toArray();
		for (const [bone, mine] of Object.entries(frame.bones)) {
			const node = raw(bone);
			const theirs = node.getWorldPosition(new Vector3()).toArray();
			const apart = minus(minus(mine.worldPosition, frame.bones.hips.worldPosition),
				minus(theirs, hips));
			worst.degrees = Math.max(worst.degrees,
				degreesBetween(mine.rotation, node.quaternion.toArray()),
				degreesBetween(mine.worldRotation,
					node.getWorldQuaternion(new Quaternion()).toArray()));
			worst.position = Math.max(worst.position, Math.hypot(...apart) / size);
		}
		const moved = minus(minus(frame.bones.hips.worldPosition,
			ours.skeleton.bones.hips.restWorldPosition), minus(hips, hipsRest));
		worst.hips = Math.max(worst.hips, Math.hypot(...moved) / size);
	});
	return worst;
}

// The random motion's poses are known without asking our own reader.
function checkPoses(jointcast, path, expected) {
	const { frames } = runJson(jointcast, 'retarget', path, 'humanoid');
	let worst = frames.length === expected.length ? 0 : 180;
	frames.forEach(({ bones }, i) => Object.entries(expected[i]).forEach(([bone, rotation]) => {
		worst = Math.max(worst, degreesBetween(bones[bone].normalized, rotation));
	}));
	return worst;
}

async function main([jointcast, folder]) {
	mkdirSync(folder, { recursive: true });
	const random = join(folder, 'random.bvh');
	const expected = writeRandomMotion(random, 24, 7);
	const figures = writeFigures(join(folder, 'figures'));
	const models = dataFiles('vrm', '.vrm').filter((path) => !basename(path).startsWith('broken'));
	let failures = 0;
	const verdict = (good) => {
		failures += good ? 0 : 1;
		return good ? 'ok' : 'NOT OK';
	};

	if (models.length === 0) {
		console.log('public VRM files are not there: skipped');
	}
	const off = checkPoses(jointcast, random, expected);
	console.log(`random.bvh as poses: ${off.toExponential(1)} degrees ${verdict(off <= degreesAllowed)}`);
	console.log('model'.padEnd(36), 'motion'.padEnd(12), 'frames', 'rotation deg',
		'position/size', 'hips/size');
	for (const path of [...figures, ...models]) {
		const { status, stderr } = run(jointcast, 'inspect', path);
		if (status !== 0) {
			console.log(`${basename(path)}: ${verdict(false)}: exit ${status}: ${stderr.trim()}`);
			continue;
		}
		for (const motion of [random, 'demo:wave', 'demo:walk', 'demo:sit']) {
			const worst = await compare(jointcast, motion, path);
			const good = worst.frames > 0 && worst.degrees <= degreesAllowed &&
				worst.position <= positionAllowed && worst.hips <= positionAllowed;
			console.log(basename(path).padEnd(36), basename(motion).padEnd(12),
				String(worst.frames).padStart(6), worst.degrees.toExponential(1).padStart(12),
				worst.position.toExponential(1).padStart(13),
				worst.hips.toExponential(1).padStart(9), verdict(good));
		}
	}
	return failures > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
