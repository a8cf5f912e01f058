// Does a figure that `jointcast lint --fix` has brought into the reference pose
// still stand as it has to when it moves? Its nodes have other axes then, but the
// body's joints are where they were.
//
// usage: mended.mjs JOINTCAST FOLDER     (mended files go to FOLDER)
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, runJson } from '../cli/tool.mjs';

const files = join(dirname(fileURLToPath(import.meta.url)), 'files');
const metresAllowed = 2e-6;

// All figures but the one that leans, which is set upright.
const figures = ['folded.vrm', 'between.vrm', 'reference.gltf', 'a_pose.gltf', 'i_pose.x3dv',
	'tilted_above.vrm', 'scaled.vrm', 'vrm0_facing.vrm'];

function compare(jointcast, figure, mended) {
	const name = figure.replace(/\..*$/, '');
	const expected = JSON.parse(readFileSync(join(files, `${name}.expected.json`), 'utf8'));
	const { frames } = runJson(jointcast, 'retarget', join(files, 'motion.vrma'), mended,
		'--times', expected.map(({ t }) => t).join());
	let worst = 0;
	expected.forEach(({ bones }, i) => {
		const from = (all, bone) => all[bone].worldPosition.map((v, k) => v - all.hips.worldPosition[k]);
		for (const bone of Object.keys(bones)) {
			const theirs = from(bones, bone);
			worst = Math.max(worst,
				Math.hypot(...from(frames[i].bones, bone).map((v, k) => v - theirs[k])));
		}
	});
	return worst;
}

function main([jointcast, folder]) {
	let failed = false;
	mkdirSync(folder, { recursive: true });
	for (const [figure, axes] of figures.flatMap((name) => [[name, 'anatomic'], [name, 'child']])) {
		const mended = join(folder, `${figure}.${axes}.glb`);
		const { status, stderr } = run(jointcast, 'lint', join(files, figure), '--fix', mended, '--bone-axes', axes);
		if (status !== 0) {
			throw new Error(`${figure}: exit ${status}: ${stderr.trim()}`);
		}
		const metres = compare(jointcast, figure, mended);
		const good = metres <= metresAllowed;
		failed ||= !good;
		console.log(`${good ? 'ok    ' : 'FAILED'} ${figure.padEnd(17)} ${metres.toExponential(1)} m  ${axes}`);
	}
	return failed ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
