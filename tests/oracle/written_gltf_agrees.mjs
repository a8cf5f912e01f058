// Do others read from what `jointcast convert` writes the motion that `jointcast
// retarget` prints? Khronos' validator finds no error or warning; a VRM
// animation is read by three-vrm-animation; EXT_skeleton_humanoid by three, with
// the extension's own formula done here on its matrices, and three's mixer, which does not
// know the extension, plays the nodes.
//
// usage: written_gltf_agrees.mjs JOINTCAST FOLDER     (files of our own go to FOLDER)
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import validator from 'gltf-validator';
import { AnimationMixer, LoopOnce, Matrix4, Quaternion, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { VRMAnimationLoaderPlugin } from '@pixiv/three-vrm-animation';
import { BONES, BONE_PARENTS } from '../../clients/js/tables.js';
import { degreesBetween, minus } from './compare.mjs';
import { writeRandomMotion } from './random_motion.mjs';
import { run, runJson } from '../cli/tool.mjs';

globalThis.self ??= globalThis; // GLTFLoader looks for its URL there
globalThis.ProgressEvent ??= class {}; // and reports what it reads from data URIs

const degreesAllowed = 0.01;
const metresAllowed = 1e-5;
const framesCompared = 40;
const framesOf = (frames) => frames.map((frame, i) => [frame, i])
	.filter((_, i) => i % Math.max(1, Math.floor(frames.length / framesCompared)) === 0);

async function load(path, register) {
	const file = readFileSync(path);
	const loader = new GLTFLoader();
	if (register) {
		loader.register(register);
	}
	return loader.parseAsync(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength), '');
}

async function validate(path) {
	const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(path)));
	if (issues.numErrors || issues.numWarnings) {
		throw new Error(`${path}: ${JSON.stringify(issues.messages.filter(({ severity }) => severity < 2))}`);
	}
}

// The largest differences of what `seen(bone, frame)` and `hips(frame)` give.
function largest(frames, rest, seen, hips) {
	let degrees = 0;
	let metres = 0;
	let compared = 0;
	for (const [{ bones }, i] of framesOf(frames)) {
		for (const [name, { normalized, state }] of Object.entries(bones)) {
			const theirs = seen(name, i);
			if (state !== 'absent' && theirs) {
				degrees = Math.max(degrees, degreesBetween(normalized, theirs));
				compared++;
			}
		}
		const way = minus(bones.hips.worldPosition, rest.hips.restWorldPosition);
		metres = Math.max(metres, Math.hypot(...minus(way, hips(i))));
	}
	if (compared < 15 * framesOf(frames).length) {
		throw new Error('too few bones to compare');
	}
	return { degrees, metres };
}

async function compareVrma(path, { frames, skeleton: { bones: rest } }) {
	const { userData: { vrmAnimations: [animation] } } =
		await load(path, (parser) => new VRMAnimationLoaderPlugin(parser));
	const { rotation, translation } = animation.humanoidTracks;
	const at = (values, i, width) => Array.from(values.slice(i * width, (i + 1) * width));
	return largest(frames, rest,
		(bone, i) => rotation.has(bone) && at(rotation.get(bone).values, i, 4),
		(i) => minus(at(translation.get('hips').values, i, 3), animation.restHipsPosition.toArray()));
}

// "Transform Calculation" of KHR_virtual_transform, on matrices of three.
function virtualPlaces({ nodes, extensions }, bones, worlds) {
	const parentOf = (node) => nodes.findIndex(({ children = [] }) => children.includes(node));
	const worldOf = (node) => {
		const bone = Object.keys(bones).find((name) => bones[name] === node);
		const { translation: t, rotation: r, scale: s } = nodes[node];
		const above = parentOf(node);
		const local = () => new Matrix4().compose(new Vector3(...t), new Quaternion(...r), new Vector3(...s));
		return bone ? worlds[bone] : above < 0 ? local() : local().premultiply(worldOf(above));
	};
	return extensions.KHR_virtual_transform.virtualTransforms.map((virtual) => {
		const [t, q, s] = [new Vector3(), new Quaternion(), new Vector3(1, 1, 1)];
		if (virtual.parent !== undefined) {
			worldOf(virtual.parent).decompose(t, q, s);
		}
		const at = new Vector3(...virtual.translation ?? [0, 0, 0]);
		at.multiply(virtual.respectParentScale ? s : new Vector3(1, 1, 1));
		at.applyQuaternion(virtual.respectParentRotation ? q : new Quaternion());
		return at.add(virtual.respectParentPosition ? t : new Vector3()).toArray();
	});
}

// Every combination of flags on a hand, on a node below it with a scale, and on no node.
function writeAttached(jointcast, path) {
	const figure = JSON.parse(run(jointcast, 'inspect', 'humanoid', '--descriptor').stdout);
	figure.nodes.push({ name: 'tool', parent: figure.bones.leftHand, translation: [0.1, 0.2, 0], rotation: [0, 0.6, 0, 0.8], scale: [2, 3, 4] });
	figure.virtualTransforms = [figure.bones.leftHand, figure.nodes.length - 1, -1].flatMap((parent) =>
		Array.from({ length: 8 }, (_, flags) => ({ name: `v${parent}.${flags}`, parent, translation: [0.1, -0.2, 0.3], rotation: [0.8, 0, 0.6, 0],
			respectParentPosition: !!(flags & 1), respectParentRotation: !!(flags & 2), respectParentScale: !!(flags & 4) })));
	writeFileSync(path, JSON.stringify(figure));
	return path;
}

// "Animation remapping": animated = parentInverseBind * bindWorld * relative.
async function compareHumanoid(path, { frames, skeleton: { bones: rest } }) {
	const { parser } = await load(path);
	const { json } = parser;
	const bones = json.extensions.EXT_skeleton_humanoid.humanoidSkeletons[0].humanoidBones;
	const [{ joints, inverseBindMatrices }] = json.skins;
	const { array } = await parser.getDependency('accessor', inverseBindMatrices);
	const inverseBind = (bone) => new Matrix4().fromArray(array, 16 * joints.indexOf(bones[bone]));
	const [{ channels, samplers }] = json.animations;
	const named = channels.filter(({ target }) => target.extensions);
	const tracks = new Map(await Promise.all(named.map(async ({ sampler, target }) => [
		`${target.extensions.EXT_skeleton_humanoid.humanoidBoneName} ${target.path}`,
		(await parser.getDependency('accessor', samplers[sampler].output)).array])));
	const poses = new Map();
	function pose(i) {
		const worlds = {};
		BONES.forEach((bone, index) => {
			const above = BONES[BONE_PARENTS[index]];
			const relative = new Matrix4();
			const r = tracks.get(`${bone} rotation`);
			const t = tracks.get(`${bone} translation`);
			if (r) {
				relative.makeRotationFromQuaternion(new Quaternion().fromArray(r, 4 * i));
			}
			if (t) {
				relative.setPosition(new Vector3().fromArray(t, 3 * i));
			}
			const local = inverseBind(bone).invert();
			if (above) {
				local.premultiply(inverseBind(above));
			}
			worlds[bone] = local.multiply(relative);
			if (above) {
				worlds[bone].premultiply(worlds[above]);
			}
		});
		return worlds;
	}
	const at = (i) => poses.get(i) ?? poses.set(i, pose(i)).get(i);
	// D = world * bind^-1, and N between a bone and the one above.
	const turned = (bone, i) => new Quaternion().setFromRotationMatrix(
		at(i)[bone].clone().multiply(inverseBind(bone)));
	const place = (matrix) => new Vector3().setFromMatrixPosition(matrix).toArray();
	const apart = framesOf(frames).flatMap(([{ virtualTransforms }, i]) => virtualTransforms.length === 0 ? []
		: virtualPlaces(json, bones, at(i)).map((seen, v) => Math.hypot(...minus(seen, virtualTransforms[v].translation))));
	const result = largest(frames, rest, (bone, i) => {
		const above = BONES[BONE_PARENTS[BONES.indexOf(bone)]];
		const d = turned(bone, i);
		return (above ? turned(above, i).invert().multiply(d) : d).toArray();
	}, (i) => minus(place(at(i).hips), place(inverseBind('hips').invert())));
	return { ...result, metres: Math.max(result.metres, ...apart) };
}

// Local transforms of nodes that three's mixer plays, against those that retarget computes for the
// skeleton of the written file.
async function comparePlayed(jointcast, motion, path) {
	const { frames } = runJson(jointcast, 'retarget', motion, path);
	const { scene, animations: [clip], parser } = await load(path);
	const mixer = new AnimationMixer(scene);
	const nodes = new Map();
	let degrees = 0;
	let metres = 0;

	parser.associations.forEach(({ nodes: node }, object) => node !== undefined && nodes.set(node, object));
	if (clip.tracks.length < 15) {
		throw new Error(`${path}: three finds ${clip.tracks.length} tracks`);
	}
	const action = mixer.clipAction(clip).setLoop(LoopOnce);
	action.clampWhenFinished = true;
	action.play();
	for (const [{ t, bones }] of framesOf(frames)) {
		mixer.setTime(t);
		scene.updateMatrixWorld(true);
		for (const { node, rotation, state } of Object.values(bones)) {
			if (state !== 'absent') {
				degrees = Math.max(degrees, degreesBetween(rotation, nodes.get(node).quaternion.toArray()));
			}
		}
		const hips = new Vector3().setFromMatrixPosition(nodes.get(bones.hips.node).matrixWorld);
		metres = Math.max(metres, Math.hypot(...minus(bones.hips.worldPosition, hips.toArray())));
	}
	return { degrees, metres };
}

async function main([jointcast, folder]) {
	mkdirSync(folder, { recursive: true });
	const random = join(folder, 'random.bvh');
	writeRandomMotion(random, framesCompared, 5);
	let failed = false;
	const attached = writeAttached(jointcast, join(folder, 'attached.json'));
	for (const [motion, figure] of [['demo:walk', 'humanoid'], ['demo:wave', attached], ['demo:sit', 'humanoid'], [random, attached]]) {
		const expected = runJson(jointcast, 'retarget', motion, figure);
		for (const [ending, compare, ...options] of [['vrma', compareVrma], ['glb', compareHumanoid],
			['gltf', compareHumanoid], ['glb', compareHumanoid, '--bone-axes', 'child']]) {
			const path = join(folder, `written.${ending}`);
			const { status, stderr } = run(jointcast, 'convert', motion, path, '--skeleton', figure, ...options);
			if (status !== 0) {
				throw new Error(stderr);
			}
			await validate(path);
			const results = [['', await compare(path, expected)]];
			if (ending === 'glb') {
				results.push([', played', await comparePlayed(jointcast, motion, path)]);
			}
			for (const [how, { degrees, metres }] of results) {
				const good = degrees <= degreesAllowed && metres <= metresAllowed;
				failed ||= !good;
				console.log(`${good ? 'ok    ' : 'FAILED'} ${degrees.toExponential(2)} degrees, `
					+ `${metres.toExponential(2)} m  ${motion} as .${ending}${how} ${options.join(' ')}`);
			}
		}
	}
	return failed ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
