// Compares H-Anim figures with X_ITE. Public figures: joints with the rotations of
// `jointcast retarget`. Files of `jointcast convert`: loaded without a warning, with their own
// clock, joints at the positions of the motion; screenshots are left in the folder.
//
// usage: x_ite_agrees.mjs JOINTCAST FOLDER CHROMIUM
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { degreesBetween, minus } from './compare.mjs';
import { writeRandomMotion } from './random_motion.mjs';
import { openXite } from './x_ite_browser.mjs';
import { run, runJson } from '../cli/tool.mjs';

const degreesAllowed = 0.01;
const metresAllowed = 1e-5; // of a man's size, in single precision on either side
const posesCompared = 6;
const samplesCompared = 5;

const data = process.env.JOINTCAST_DATA
	?? join(dirname(fileURLToPath(import.meta.url)), '../../../shared/data');

function toAxisAngle([x, y, z, w]) {
	const sine = Math.hypot(x, y, z);
	return sine > 0 ? [x / sine, y / sine, z / sine, 2 * Math.atan2(sine, w)] : [0, 0, 1, 0];
}

// Joints of X_ITE against bones of ours; node i is joint i - 1 of the file.
function largest(joints, bones, into) {
	for (const [name, { node, worldPosition, worldRotation, state }] of Object.entries(bones)) {
		const joint = joints[node - 1];
		const [t, q, s] = [new Vector3(), new Quaternion(), new Vector3()];
		new Matrix4().fromArray(joint.matrix).decompose(t, q, s);
		if (state !== 'absent') {
			into.degrees = Math.max(into.degrees, degreesBetween(worldRotation, q.toArray()));
			into.metres = Math.max(into.metres, Math.hypot(...minus(worldPosition, joint.position)));
			into.bones.add(name);
		}
	}
}

const report = (what, { degrees, metres, bones }) => {
	const good = degrees <= degreesAllowed && metres <= metresAllowed && bones.size > 0;
	console.log(`${good ? 'ok    ' : 'FAILED'} ${degrees.toExponential(2)} degrees, `
		+ `${metres.toExponential(2)} m, ${bones.size} bones  ${what}`);
	return good;
};
const nothing = () => ({ degrees: 0, metres: 0, bones: new Set() });

const withNodes = (bones, skeleton) => Object.fromEntries(Object.entries(bones)
	.map(([name, bone]) => [name, { ...bone, node: skeleton.bones[name].node }]));

// (a) A figure of someone else, posed by our numbers.
async function comparePosed(xite, jointcast, motion, figure) {
	const { frames, skeleton } = runJson(jointcast, 'retarget', motion, figure);
	const result = nothing();
	await xite.load(figure);
	for (const { nodes, bones, hipsTranslation } of frames.slice(0, posesCompared)) {
		const rotations = {};
		for (const [node, { rotation }] of Object.entries(nodes)) {
			rotations[node - 1] = toAxisAngle(rotation);
		}
		largest(await xite.ask('pose', rotations, hipsTranslation), withNodes(bones, skeleton), result);
	}
	return result;
}

// (b) A file of ours, moved by its own clock where our reading goes from key to key
// too, and stopped on keys of the motion it was made of.
async function comparePlayed(xite, jointcast, motion, written, options) {
	const { status, stderr } = run(jointcast, 'convert', motion, written, ...options);
	if (status !== 0) {
		throw new Error(stderr);
	}
	const complaints = await xite.load(written);
	if (complaints.length > 0) {
		throw new Error(`${written}: X_ITE says: ${complaints.join('; ')}`);
	}
	const { motions: [{ name }] } = runJson(jointcast, 'inspect', written);
	const [theirs, ours] = [nothing(), nothing()];
	const compareAt = (source, samples, result) => {
		const { frames, skeleton } = runJson(jointcast, 'retarget', source, written,
			'--times', samples.map(({ t }) => t).join());
		frames.forEach(({ bones, virtualTransforms }, i) => {
			largest(samples[i].joints, withNodes(bones, skeleton), result);
			for (const { name: site, position } of samples[i].sites ?? []) {
				const { translation } = virtualTransforms.find((virtual) => virtual.name === site);
				result.metres = Math.max(result.metres, Math.hypot(...minus(translation, position)));
			}
		});
	};
	const running = [];
	for (let i = 0; i < samplesCompared; i++) {
		const { fraction, cycle, joints } = await xite.ask('sample', name, 130);
		running.push({ t: fraction * cycle, joints });
	}
	compareAt(written, running, ours);
	const { motion: { duration, fps } } = runJson(jointcast, 'retarget', motion, written, '--times', '0');
	const last = Math.round(duration * fps);
	const held = [];
	for (let i = 0; i < samplesCompared; i++) {
		const key = Math.floor(((i + 0.5) / samplesCompared) * last);
		held.push({ t: (duration * key) / last, joints: await xite.ask('hold', name, key / last), sites: await xite.ask('sites') });
	}
	compareAt(motion, held, theirs);
	return { theirs, ours };
}

// (c) Limits, segments and info of a figure, and its sites, which X_ITE finds where we do.
const bodied = `#VRML V2.0 utf8
HAnimHumanoid { name "b" info [ "authorName=nobody" "copyright=c" ] skeleton [
 HAnimJoint { name "HumanoidRoot" center 0 0.9 0 children [
  HAnimJoint { name "l_hip" center 0.1 0.88 0 llimit [ -0.5 0 -0.25 ] ulimit [ 1.5 0 0.25 ] stiffness [ 0 0.5 1 ] children [
   HAnimSegment { name "l_thigh" mass 7.5 centerOfMass 0.1 0.7 0.01 momentsOfInertia [ 1 2 3 4 5 6 7 8 9 ]
    children [ HAnimSite { name "pocket_pt" translation 0.15 0.8 0 } ] }
   HAnimJoint { name "l_knee" center 0.1 0.5 0 children [ HAnimJoint { name "l_ankle" center 0.1 0.1 0 } ] } ] }
  HAnimJoint { name "vl5" center 0 1 0 children [ HAnimJoint { name "skullbase" center 0 1.6 0 } ] } ] }
 HAnimSite { name "seat_pt" translation 0 0.5 -0.3 } ] sites [ HAnimSite { name "door_pt" translation 1 0 1 } ] }
`;

async function compareBody(xite, jointcast, folder, figure, ending) {
	const written = join(folder, `body${ending}`);
	const { theirs } = await comparePlayed(xite, jointcast, 'demo:walk', written, ['--skeleton', figure]);
	const { info, limits, segments } = await xite.ask('body');
	const near = (a, b) => a.length === b.length && a.every((v, k) => Math.abs(v - b[k]) < 1e-5);
	const [hip, thigh] = [limits.l_hip, segments.l_thigh];
	const sites = (await xite.ask('sites')).map(({ name }) => name).sort().join();
	const good = info.includes('authorName=nobody') && info.includes('copyright=c')
		&& near(hip.lower, [-0.5, 0, -0.25]) && near(hip.upper, [1.5, 0, 0.25]) && near(hip.stiffness, [0, 0.5, 1])
		&& Math.abs(thigh.mass - 7.5) < 1e-6 && near(thigh.center, [0.1, 0.7, 0.01]) && near(thigh.inertia, [1, 2, 3, 4, 5, 6, 7, 8, 9])
		&& /door_pt,pocket_pt,seat_pt$/.test(sites);
	console.log(`${good ? 'ok    ' : 'FAILED'} body of ${written}: ${JSON.stringify({ hip, thigh, info, sites })}`);
	return report(`body${ending} and its sites`, theirs) && good;
}

async function shoot(xite, folder, written) {
	for (const view of ['FrontView', 'SideView']) {
		await xite.ask('view', view);
		const share = await xite.share(await xite.shoot(join(folder, `${written}_${view}.png`)));
		if (!(share > 0.01 && share < 0.5)) {
			console.log(`FAILED ${written} from ${view}: ${share} of the picture is not background`);
			return false;
		}
	}
	return true;
}

function checkViews(descriptions, names) {
	const good = descriptions.every((description, i) => description === names[i]);
	if (!good) {
		console.log(`FAILED viewpoints are described as ${descriptions}`);
	}
	return good;
}

const publicFigures = ['DiamondManLOA-0.wrl', 'BoxManC.x3d', 'JoeKick.x3d', 'KoreanCharacter02Chul.x3d',
	'KoreanCharacterMotionAnnexC01Jin.x3d', 'KoreanCharacterMotionAnnexD01Jin.x3d'];
const views = ['FrontView', 'SideView', 'TopView', 'InclinedView', 'hanim_LeftEyeView', 'hanim_RightEyeView',
	'hanim_CyclopeanView', 'hanim_FaceView', 'hanim_FaceLeft', 'hanim_FaceRight'];

async function compareAll(xite, jointcast, folder) {
	const random = join(folder, 'random.bvh');
	let good = true;
	writeRandomMotion(random, posesCompared, 7);
	for (const name of publicFigures) {
		const path = join(data, 'hanim', name);
		if (existsSync(path)) {
			good = report(`posed ${name}`, await comparePosed(xite, jointcast, random, path)) && good;
		} else {
			console.log(`skipped: ${name} is not at hand`);
		}
	}
	console.log('left out: JinLOA4_x3djsail.wrl, whose native nodes under a VRML 2.0 header X_ITE does not load');
	const detailed = join(data, 'hanim/JinLOA4_x3djsail.wrl');
	const jobs = [...['.wrl', '.x3d', '.x3dv'].flatMap((ending) => [
		['demo:wave', ending, []], ['demo:walk', ending, []]]),
	...(existsSync(detailed) ? [['demo:sit', '.x3d', ['--skeleton', detailed]],
		['demo:sit', '.wrl', ['--skeleton', detailed]]] : [])];
	const figure = join(folder, 'bodied.wrl');
	writeFileSync(figure, bodied);
	for (const ending of ['.wrl', '.x3d', '.x3dv']) {
		good = await compareBody(xite, jointcast, folder, figure, ending) && good;
	}
	for (const [motion, ending, options] of jobs) {
		const name = `${motion.slice(5)}${options.length ? '_detailed' : ''}${ending}`;
		const { theirs, ours } = await comparePlayed(xite, jointcast, motion, join(folder, name), options);
		good = report(`${name} played against ${motion}`, theirs) && good;
		good = report(`${name} played against our reading`, ours) && good;
		good = checkViews(await xite.ask('describeViews', views), views) && good;
		good = (motion !== 'demo:wave' || await shoot(xite, folder, name)) && good;
	}
	return good;
}

async function main([jointcast, folder, chromium]) {
	if (!chromium || !existsSync(chromium)) {
		console.log('skipped: no Chromium');
		return 0;
	}
	mkdirSync(folder, { recursive: true });
	const xite = await openXite(chromium);
	try {
		return await compareAll(xite, jointcast, folder) ? 0 : 1;
	} finally {
		await xite.close();
	}
}

process.exitCode = await main(process.argv.slice(2));
