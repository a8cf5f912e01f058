// Judges one file: compares its joints, placed by forward kinematics, with the body that `jointcast`
// reads from it.
import { degreesBetween, minus, unit } from './affine.mjs';
import { byPosition, byTurn, compareLimbs, hinges, inverseOf, limbs, linear, retargeted, run }
	from './compare.mjs';
import { changed, findUp, frameOf, isBody, open, upAxes } from './figure.mjs';
import { judge, median, statureOf } from './verdicts.mjs';
import { judgeFigure } from './wearing.mjs';
import { turn } from '../figures/arithmetic.mjs';

// At most so many frames of a clip are retargeted; the verdicts on the file's own joints use all.
const most = 600;

// Differences below these are no defects.
const bounds = { limb: 1, upright: 0.2, share: 0.03, floor: 0.12, feet: 25, pitch: 15, fromOwn: 22,
	feetFromRest: 5, hips: 0.07 };

// The pitch of the feet of the built-in skeleton where they stand flat: 6.5 cm down over 13.5 cm.
const flat = (Math.atan2(0.065, 0.135) * 180) / Math.PI;

// The hips height of the built-in skeleton, in metres.
const figureHips = 0.945;

const evenly = (count) => Array.from({ length: Math.min(count, most) }, (_, i) =>
	(count <= most ? i : Math.round((i * (count - 1)) / (most - 1))));
const percent = (value) => `${Math.round(100 * value)} %`;

// H-Anim defines legs at rest as vertical, VRM and VRMA define the whole T-pose.
function directionsOf(file, clip, indices, frames) {
	const byPlace = byPosition(frames);
	if (!clip.maps || file.format === 'glTF') {
		return byPlace;
	}
	const turned = byTurn(file.bones, file.restMaps(), indices.map((i) => clip.maps(i)));
	return file.format === 'H-Anim' ? (i, limb) => (/Arm/.test(limb) ? byPlace : turned)(i, limb) : turned;
}

function worstLimb(angles) {
	const [limb, { mean, max }] = Object.entries(angles).sort((a, b) => b[1].mean - a[1].mean)[0];
	return { limb, mean, max: Math.max(max, ...Object.values(angles).map((each) => each.max)) };
}

// Lists differences between the file's own body and the body that `jointcast` reads from it.
function defectsOf(own, output, worst, bends) {
	const found = [];
	if (worst.mean > bounds.limb) {
		found.push(`${worst.limb} ${worst.mean.toFixed(1)} degrees off`);
	}
	if (own.restOff < 20 && Math.abs(own.upright - output.upright) > bounds.upright) {
		found.push(`upright in ${percent(output.upright)} of the frames, not ${percent(own.upright)}`);
	}
	for (const what of ['knees', 'trunk']) {
		if (output[what] < own[what] - bounds.share) {
			found.push(`${what} right in ${percent(output[what])}, not ${percent(own[what])}`);
		}
	}
	if (output.pitch < 70 && output.feet > 45 && output.feet > own.feet + bounds.feet) {
		found.push(`feet point ${output.feet.toFixed(0)} degrees aside, not ${own.feet.toFixed(0)}`);
	}
	if (Math.abs(output.pitch - flat) > bounds.pitch && output.pitch - own.pitch > bounds.fromOwn
		&& own.spread < 0.05 && own.upright > 0.9) {
		found.push(`standing feet point ${output.pitch.toFixed(0)} degrees down, not ${flat.toFixed(0)}`);
	}
	const aloft = Math.min(Math.abs(output.floor), Math.abs(output.floor - own.above));
	if (aloft > bounds.floor && own.spread < 0.05 && own.frames >= 30
		&& own.upright > 0.9) {
		found.push(`feet rest at ${(100 * output.floor).toFixed(0)} cm on a level floor`);
	}
	for (const [joint, { bent, wrong }] of Object.entries(bends)) {
		if (bent >= 10 && wrong > 0.05 * bent) {
			found.push(`${joint} bends backward in ${wrong} of ${bent} frames`);
		}
	}
	return found;
}

// Lists unusual properties of the motion itself.
function remarksOf(own, floor) {
	const said = own.restOff < 20 ? []
		: [`its rest is no T-pose, as the format demands, but ${own.restOff.toFixed(0)} degrees off`];
	if (own.upright < 0.9) {
		said.push(`upright in ${percent(own.upright)} of its own frames`);
	}
	if (own.knees < 0.95) {
		said.push(`knees turned out in ${percent(1 - own.knees)} of the bends`);
	}
	if (own.feet > 45) {
		said.push(`its feet point ${own.feet.toFixed(0)} degrees aside`);
	}
	if (Math.abs(floor) > bounds.floor) {
		said.push(`feet rest at ${(100 * floor).toFixed(0)} cm`);
	}
	return said;
}

// How far the limbs of a VRM animation at rest are from the T-pose.
function restOff(file) {
	if (file.format !== 'VRMA') {
		return 0;
	}
	const rest = frameOf(file, file.rest());
	return Math.max(...Object.values(limbs).map(({ from, to, axis }) =>
		degreesBetween(minus(rest[to], rest[from]), axis)));
}

// How much more feet are tipped in the output than in a plain glTF file, which has a rest but does not
// define it: the median difference of their slopes, both from the rest.
function slopeDifference(file, clip, indices, frames) {
	if (file.format !== 'glTF') {
		return 0;
	}
	const rest = file.restMaps();
	const slope = (ahead) => (Math.asin(Math.max(-1, Math.min(1, ahead[1]))) * 180) / Math.PI;
	return median(indices.flatMap((at, i) => {
		const maps = clip.maps(at);
		return ['leftFoot', 'rightFoot'].filter((foot) => frames[i].turns[foot]).map((foot) => Math.abs(
			slope(unit(linear(maps[file.bones[foot]], inverseOf(rest[file.bones[foot]], [0, 0, 1]))))
			- slope(turn(frames[i].turns[foot], [0, 0, 1]))));
	}));
}

async function judgeClip(jointcast, path, file, clip, read) {
	const scale = file.isUpKnown ? 1 : read?.metresPerUnit ?? 1;
	const raw = clip.times.map((_, i) => frameOf(file, clip.pose(i)));
	const up = file.isUpKnown ? '+Y' : findUp(raw);
	const frames = raw.map((frame) => changed(frame, (p) => upAxes[up](p).map((v) => v * scale)));
	const indices = evenly(frames.length);
	const times = indices.map((i) => clip.times[i]);
	const output = retargeted(jointcast, path, 'humanoid', times, '--motion-index', String(clip.index));
	const own = judge(frames, clip.times);
	own.restOff = restOff(file);
	// Where a file has its floor at y = 0, feet may rest above it: those of a body that sits or floats.
	own.above = file.isUpKnown ? (own.floor * figureHips) / statureOf(frames).hips : 0;
	const result = { name: clip.name, up, own, frames };
	if (output.refused) {
		return { ...result, refused: output.refused, defects: [], remarks: [] };
	}
	const places = output.frames.map(({ positions }) =>
		({ ...positions, leftTip: positions.leftToes, rightTip: positions.rightToes }));
	const theirs = judge(places, times);
	const some = indices.map((i) => frames[i]);
	const { heading, angles } = compareLimbs(indices.length, directionsOf(file, clip, indices, some),
		output.frames.map(({ turns }) => turns));
	const bends = hinges(output.frames);
	const worst = worstLimb(angles);
	const defects = defectsOf({ ...own, ...judge(some, times) }, theirs, worst, bends);
	const sloped = slopeDifference(file, clip, indices, output.frames);
	if (sloped > bounds.feetFromRest) {
		defects.push(`feet ${sloped.toFixed(0)} degrees off`);
	}
	return { ...result, output: theirs, heading, worst, bends, defects, remarks: remarksOf(own, theirs.floor) };
}

const fingerPattern = /Thumb|Index|Middle|Ring|Little/;
const countOf = (bones) => bones.filter((bone) => fingerPattern.test(bone)).length;

// Returns the motions and skeletons that `jointcast inspect` lists, or the reason for its refusal.
function inspected(jointcast, path) {
	const { status, stdout, stderr } = run(jointcast, 'inspect', path, '--json');
	return status === 0 ? JSON.parse(stdout)
		: { refused: stderr.trim().replace(`jointcast: ${path}: `, ''), motions: [], skeletons: [] };
}

// The file as the tests' own reader sees it, or why it cannot be read.
async function own(path) {
	try {
		return await open(path);
	} catch (error) {
		return { format: '', problem: error.message, joints: [], bones: {}, clips: [], fingers: 0 };
	}
}

// Height of body and hips, at rest where the file has a rest, else in its first clip.
function measured(file, clips) {
	if (!isBody(file) || (!file.rest && !clips.length)) {
		return undefined;
	}
	return file.rest ? statureOf([frameOf(file, file.rest())])
		: statureOf(clips[0].frames);
}

// VRM measures the node of the hips over y = 0. Elsewhere it is the joint of the hips or the hip joints.
function hipsDefect(file, stature, motion) {
	const said = motion?.hipsHeight;
	if (!said || !stature) {
		return [];
	}
	const expected = file.format === 'VRMA' ? [file.rest()[file.bones.hips][1]] : [stature.hips, stature.joints];
	return expected[0] > 0 && expected.every((height) => Math.abs(said / height - 1) > bounds.hips)
		? [`hips at ${said.toFixed(2)} m, not ${expected[0].toFixed(2)}`] : [];
}

function figureDefects(figure) {
	if (!figure || figure.refused) {
		return [];
	}
	const { worst, distance } = figure;
	return [...(worst.angle > bounds.limb ? [`worn: ${worst.limb} ${worst.angle.toFixed(1)} degrees off`] : []),
		...(distance > 1e-4 ? [`worn: bones ${(100 * distance).toFixed(1)} cm from where their nodes are`] : [])];
}

export async function judgeFile(jointcast, path) {
	const file = await own(path);
	const said = inspected(jointcast, path);
	const [motion] = said.motions;
	const [skeleton] = said.skeletons;
	const bones = motion?.bones ?? Object.keys(skeleton?.bones ?? {});
	const judged = { format: file.format, refused: said.refused, problem: file.problem, isBody: isBody(file),
		bones: bones.length, fingers: countOf(bones), ownFingers: file.fingers, unit: motion?.metresPerUnit,
		hasFigure: Boolean(skeleton), clips: [] };
	if (judged.isBody && !said.refused) {
		for (const clip of file.clips) {
			judged.clips.push(await judgeClip(jointcast, path, file, clip, said.motions[clip.index]));
		}
	}
	if (judged.hasFigure && file.rest && judged.isBody) {
		judged.figure = judgeFigure(jointcast, path, file);
	}
	judged.stature = measured(file, judged.clips);
	judged.defects = [...new Set([
		...(judged.isBody && said.refused ? ['a body, but refused'] : []),
		...(!said.refused && judged.fingers < judged.ownFingers
			? [`${judged.ownFingers - judged.fingers} of ${judged.ownFingers} finger joints are lost`] : []),
		...hipsDefect(file, judged.stature, motion), ...figureDefects(judged.figure),
		...judged.clips.flatMap(({ name, defects }) => defects.map((what) => (name ? `${name}: ${what}` : what))),
	])];
	judged.remarks = [...new Set(judged.clips.flatMap(({ name, remarks }) =>
		remarks.map((what) => (name ? `${name}: ${what}` : what))))];
	return judged;
}
