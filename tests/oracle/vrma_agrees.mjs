// Does `jointcast retarget` make of a VRM animation what three-vrm-animation
// makes of it, at keys, between them and at both ends?
//
// usage: vrma_agrees.mjs JOINTCAST FOLDER     (files of our own go to FOLDER)
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AnimationClip, AnimationMixer, LoopOnce, Quaternion, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { VRMAnimationLoaderPlugin, createVRMAnimationHumanoidTracks } from '@pixiv/three-vrm-animation';
import { writeAnimations } from './animations.mjs';
import { degreesBetween, fold, minus } from './compare.mjs';
import { writeFigures } from './figures.mjs';
import { dataFiles, run, runJson } from '../cli/tool.mjs';
import { loadVrm } from './vrm_oracle.mjs';

const degreesAllowed = 0.01;
const positionAllowed = 1e-5; // of hips height
const timesCompared = 24;

// Whether the clip turns a node between two bones: below the hips, above another bone.
function turnsBetween({ nodes, animations, extensions }) {
	const bones = Object.values(extensions.VRMC_vrm_animation.humanoid.humanBones).map(({ node }) => node);
	const { hips } = extensions.VRMC_vrm_animation.humanoid.humanBones;
	const holdsBone = (node) => bones.includes(node) || (nodes[node].children ?? []).some(holdsBone);
	const isBelowHips = (node, from = hips?.node) => from !== undefined
		&& (nodes[from].children ?? []).some((child) => child === node || isBelowHips(node, child));
	return animations[0].channels.some(({ target: { node, path } }) => path === 'rotation'
		&& !bones.includes(node) && isBelowHips(node) && holdsBone(node));
}

async function loadAnimation(path) {
	const file = readFileSync(path);
	const loader = new GLTFLoader();
	loader.register((parser) => new VRMAnimationLoaderPlugin(parser));
	const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
	const { userData, parser } = await loader.parseAsync(bytes, '');
	const [animation] = userData.vrmAnimations;
	animation.turnsBetween = turnsBetween(parser.json);
	// three takes rounded quaternions for rotations that scale.
	for (const { values } of animation.humanoidTracks.rotation.values()) {
		for (let i = 0; i < values.length; i += 4) {
			values.set(new Quaternion().fromArray(values, i).normalize().toArray(), i);
		}
	}
	return animation;
}

// Keys of all tracks and the middles between them, thinned out evenly.
function timesOf({ humanoidTracks, duration }) {
	const keys = new Set([0, duration]);
	for (const tracks of [humanoidTracks.rotation, humanoidTracks.translation]) {
		for (const { times } of tracks.values()) {
			times.forEach((t) => keys.add(t));
		}
	}
	const sorted = [...keys].sort((a, b) => a - b);
	const all = sorted.flatMap((t, i) => (i ? [(sorted[i - 1] + t) / 2, t] : [t]));
	const step = Math.max(1, (all.length - 1) / (timesCompared - 1));
	const chosen = [];
	for (let at = 0; Math.round(at) < all.length; at += step) {
		chosen.push(all[Math.round(at)]);
	}
	return chosen;
}

class Player {
	constructor({ vrm }, animation) {
		const { rotation, translation } =
			createVRMAnimationHumanoidTracks(animation, vrm.humanoid, vrm.meta.metaVersion);
		const clip = new AnimationClip('clip', animation.duration,
			[...rotation.values(), ...translation.values()]);
		this.vrm = vrm;
		this.animation = animation;
		this.mixer = new AnimationMixer(vrm.scene);
		this.action = this.mixer.clipAction(clip);
		this.action.clampWhenFinished = true;
		// A clip that repeats has wrapped to its beginning at its end.
		this.action.setLoop(LoopOnce, 1);
		this.needsFolding = [...animation.humanoidTracks.rotation.keys()]
			.some((bone) => vrm.humanoid.getRawBoneNode(bone) === null);
	}

	show(t) {
		const { humanoid } = this.vrm;
		this.action.reset().play();
		this.mixer.setTime(t);
		if (this.needsFolding) {
			this.foldMissing(t);
		}
		humanoid.update();
		this.vrm.scene.updateMatrixWorld(true);
	}

	// three-vrm drops the rotation of a bone that the model lacks.
	foldMissing(t) {
		const { humanoid } = this.vrm;
		const bones = {};
		for (const [bone, track] of this.animation.humanoidTracks.rotation) {
			bones[bone] = { normalized: [...track.createInterpolant().evaluate(t)] };
		}
		const folded = fold(bones, (bone) => humanoid.getRawBoneNode(bone) !== null);
		for (const [bone, { normalized: [x, y, z, w] }] of Object.entries(folded)) {
			const turned = this.vrm.meta.metaVersion === '0' ? [-x, y, -z, w] : [x, y, z, w];
			humanoid.getNormalizedBoneNode(bone).quaternion.set(...turned);
		}
	}
}

// Whether three-vrm can scale the way of the hips: it divides by their height
// over y = 0, above which some public files' hips do not stand.
const canScale = ({ vrm }, animation) => animation.restHipsPosition.y > 1e-4 &&
	vrm.humanoid.normalizedRestPose.hips.position[1] > 1e-4;

// The difference of our hips and three-vrm's by definition, metres in the model's space: it
// scales the whole distance from the model's origin, we the movement from the source's rest,
// added to the model's own rest. The difference is their offset beside the axis.
function definedApart({ vrm }, animation, ratio) {
	const [x, , z] = animation.restHipsPosition.toArray();
	const side = vrm.meta.metaVersion === '0' ? -ratio : ratio;
	const rest = vrm.humanoid.normalizedRestPose.hips.position;
	return animation.humanoidTracks.translation.has('hips')
		? [rest[0] - side * x, 0, rest[2] - side * z] : [0, 0, 0];
}

// Largest differences over some frames of an animation on one model.
async function compare(jointcast, path, model) {
	const animation = await loadAnimation(path);
	const loaded = await loadVrm(model);
	const player = new Player(loaded, animation);
	const times = timesOf(animation);
	const ours = runJson(jointcast, 'retarget', path, model, '--times', times.join(','));
	const raw = (bone) => loaded.vrm.humanoid.getRawBoneNode(bone);
	const ratio = ours.skeleton.hipsHeight / ours.motion.hipsHeight;
	const worst = { degrees: 0, position: 0, hips: 0, frames: ours.frames.length, times: times.length };
	const apart = canScale(loaded, animation) ? definedApart(loaded, animation, ratio) : null;
	worst.compared = !apart ? 'not' : Math.hypot(...apart) <= 1e-6 ? 'themselves' : 'less rest';

	ours.frames.forEach((frame, i) => {
		player.show(times[i]);
		const hips = raw('hips').getWorldPosition(new Vector3()).toArray();
		for (const [bone, mine] of Object.entries(frame.bones)) {
			const node = raw(bone);
			const theirs = node.getWorldPosition(new Vector3()).toArray();
			const moved = minus(minus(mine.worldPosition, frame.bones.hips.worldPosition),
				minus(theirs, hips));
			worst.degrees = Math.max(worst.degrees,
				degreesBetween(mine.rotation, node.quaternion.toArray()),
				degreesBetween(mine.worldRotation,
					node.getWorldQuaternion(new Quaternion()).toArray()));
			worst.position = Math.max(worst.position,
				Math.hypot(...moved) / ours.skeleton.hipsHeight);
		}
		if (apart) {
			const difference = minus(minus(frame.bones.hips.worldPosition, hips), apart);
			worst.hips = Math.max(worst.hips,
				Math.hypot(...difference) / ours.skeleton.hipsHeight);
		}
	});
	return worst;
}

async function main([jointcast, folder]) {
	const animations = writeAnimations(join(folder, 'animations'));
	const figures = writeFigures(join(folder, 'figures'));
	const models = dataFiles('vrm', '.vrm').filter((path) =>
		!basename(path).startsWith('broken') && run(jointcast, 'inspect', path).status === 0);
	const files = [...animations, ...dataFiles('vrma', '.vrma')];
	const tally = Object.fromEntries(['themselves', 'less rest', 'not']
		.map((compared) => [compared, { count: 0, hips: 0 }]));
	let failures = 0;

	if (models.length === 0) {
		console.log('public VRM and VRMA files are not there: skipped');
	}
	console.log('animation'.padEnd(30), 'model'.padEnd(38), 'times', 'rotation deg',
		'position/height', 'hips/height', 'compared');
	for (const path of files) {
		if ((await loadAnimation(path)).turnsBetween) {
			console.log(`${basename(path)}: turns nodes between bones, which three-vrm loses: left out`);
			continue;
		}
		for (const model of [...figures, ...models]) {
			const worst = await compare(jointcast, path, model);
			const good = worst.frames === worst.times && worst.degrees <= degreesAllowed &&
				worst.position <= positionAllowed && worst.hips <= positionAllowed;
			failures += good ? 0 : 1;
			tally[worst.compared].count++;
			tally[worst.compared].hips = Math.max(tally[worst.compared].hips, worst.hips);
			console.log(basename(path).padEnd(30), basename(model).padEnd(38),
				String(worst.frames).padStart(5), worst.degrees.toExponential(1).padStart(12),
				worst.position.toExponential(1).padStart(15),
				worst.hips.toExponential(1).padStart(11),
				worst.compared.padEnd(10), good ? 'ok' : 'NOT OK');
		}
	}
	for (const [compared, { count, hips }] of Object.entries(tally)) {
		console.log(`hips compared ${compared}: ${count} pairs, at most ${hips.toExponential(1)}`);
	}
	return failures > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
