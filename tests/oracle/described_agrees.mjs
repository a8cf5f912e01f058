// Is a VRM that clients/js describes (as a file, as three-vrm loaded it in some pose, as
// objects of three) the same figure to `jointcast` as the file with its mesh is?
//
// usage: described_agrees.mjs JOINTCAST FOLDER     (files of our own go to FOLDER)
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describeFile, describeScene, describeVrm } from '../../clients/js/index.js';
import { degreesBetween, minus } from './compare.mjs';
import { writeFigures } from './figures.mjs';
import { makeRandom, randomRotation } from './random.mjs';
import { dataFiles, run, runJson } from '../cli/tool.mjs';
import { applyFrame, loadVrm } from './vrm_oracle.mjs';

const degreesAllowed = 0.001;
const positionAllowed = 2e-6; // of hips height, or of the trunk
const HALF = [0, 1, 0, 0];

function worstBetween(file, described) {
	const names = Object.keys(file.skeleton.bones);
	if (names.sort().join() !== Object.keys(described.skeleton.bones).sort().join())
		throw new Error(`bones are ${Object.keys(described.skeleton.bones)}, not ${names}`);
	const { hips, head } = file.skeleton.bones;
	const size = Math.max(file.skeleton.hipsHeight,
		Math.hypot(...minus(head?.restWorldPosition ?? hips.restWorldPosition, hips.restWorldPosition)));
	const worst = { degrees: 0, position: Math.abs(file.skeleton.hipsHeight - described.skeleton.hipsHeight) / size };
	file.frames.forEach((frame, i) => {
		const other = described.frames[i].bones;
		for (const name of names) {
			const mine = frame.bones[name];
			for (const kind of ['rotation', 'relative', 'worldRotation'])
				worst.degrees = Math.max(worst.degrees, degreesBetween(mine[kind], other[name][kind]));
			worst.position = Math.max(worst.position,
				Math.hypot(...minus(mine.worldPosition, other[name].worldPosition)) / size);
		}
	});
	return worst;
}

/** The same figure in three forms; the second one with moved nodes. */
async function describeAll(path, random) {
	const loaded = await loadVrm(path);
	const { vrm } = loaded;
	const bones = Object.fromEntries(Object.entries(vrm.humanoid.rawHumanBones)
		.flatMap(([name, bone]) => (bone?.node ? [[name, bone.node]] : [])));
	const isOld = vrm.meta.metaVersion === '0';
	const scene = describeScene(vrm.scene, bones, { floor: 0, ...(isOld && { facing: HALF }) });
	applyFrame(loaded, { hipsDisplacement: [0.3, -0.2, 0.1], bones: Object.fromEntries(Object.keys(bones)
		.map((name) => [name, { normalized: randomRotation(random) }])) });
	return { file: describeFile(readFileSync(path)), 'three-vrm': describeVrm(vrm), scene };
}

async function main([jointcast, folder]) {
	mkdirSync(folder, { recursive: true });
	const random = makeRandom(7);
	const files = [...writeFigures(folder), ...dataFiles('vrm', '.vrm')];
	let failed = 0;
	let compared = 0;
	for (const path of files) {
		if (run(jointcast, 'inspect', path).status !== 0)
			continue; // no figure to us, which others test
		const retargeted = (figure) => runJson(jointcast, 'retarget', 'demo:walk', figure, '--fps', '5');
		const whole = retargeted(path);
		for (const [way, descriptor] of Object.entries(await describeAll(path, random))) {
			const text = join(folder, 'described.json');
			writeFileSync(text, JSON.stringify(descriptor));
			const { degrees, position } = worstBetween(whole, retargeted(text));
			const good = degrees <= degreesAllowed && position <= positionAllowed;
			console.log(`${good ? 'ok' : 'NOT OK'} ${basename(path)} ${way}: ${degrees.toExponential(1)} degrees, ${
				position.toExponential(1)} of its height, ${JSON.stringify(descriptor).length} bytes`);
			failed += !good;
			compared++;
		}
	}
	console.log(`${compared} descriptions of ${files.length} files, ${failed} differ`);
	return failed > 0 || compared === 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
