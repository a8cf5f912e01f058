// Plain glTF animations of figures that no extension describes: where jointcast
// puts the bones of a figure that wears its own motion, and where three's
// AnimationMixer puts the same nodes. Recognition, the T-pose measured from the
// bind pose and the corrections on both ways have to cancel out.
//
// The hips are compared where they are, every other bone by the way to it from the
// bone that it hangs on. A humanoid's bones keep their length, so a bone that the
// clip carries away from its place at rest, or that hangs on a joint that it
// scales, is left out.
//
// usage: plain_gltf_agrees.mjs JOINTCAST
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { AnimationMixer, LoopOnce, Quaternion, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { degreesBetween, minus } from './compare.mjs';
import { dataFiles, runJson } from '../cli/tool.mjs';

globalThis.self ??= globalThis; // GLTFLoader looks for its URL there

const allowed = 1e-4; // of the figure's height
const degreesAllowed = 0.01;
const timesCompared = 8;
const files = ['CesiumMan', 'KayKit_Knight', 'KayKit_Med_MovementBasic', 'RobotExpressive',
	'godot_mannequiny', 'hubs_DefaultAvatar_upperbody'];
const clipsCompared = 6;

async function load(path) {
	const file = readFileSync(path);
	const loader = new GLTFLoader();
	// Pictures are of no interest and need a browser.
	loader.register(() => ({ name: 'no pictures', loadTexture: () => Promise.resolve(null) }));
	return loader.parseAsync(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength), '');
}

// three's objects by the file's node indices.
function nodesOf({ parser }) {
	const nodes = [];
	for (const [object, { nodes: index } = {}] of parser.associations) {
		if (index !== undefined && object.isObject3D) {
			nodes[index] ??= object;
		}
	}
	return nodes;
}

function pose(gltf, clip, t) {
	const mixer = new AnimationMixer(gltf.scene);
	const action = mixer.clipAction(clip);
	action.setLoop(LoopOnce);
	action.clampWhenFinished = true;
	action.play();
	mixer.setTime(t);
	gltf.scene.updateMatrixWorld(true);
	return mixer;
}

const place = (object) => object.getWorldPosition(new Vector3()).toArray();
const turn = (object) => object.getWorldQuaternion(new Quaternion());

// Movements of a clip that no body makes, by node: joints translated from their rest, scaled
// joints, and whether this reaches a bone.
function findStretched(json, animation, bones, rest) {
	const isBone = new Set(Object.values(bones).map(({ node }) => node));
	const parents = [];
	json.nodes.forEach(({ children = [] }, i) => children.forEach((child) => { parents[child] = i; }));
	const carried = new Set();
	const scaled = new Set();
	for (const { channel, values, width } of animation) {
		const { node, path } = channel.target;
		if (path === 'rotation') {
			if (!isBone.has(node)) {
				carried.add(node); // turns what hangs on it about
			}
			continue;
		}
		const still = rest[node]?.[path];
		if (!still) {
			continue; // a mesh's weights
		}
		for (let i = 0; i < values.length; i += width) {
			const way = Math.hypot(...Array.from(values.slice(i, i + width)).map((v, k) => v - still[k]));
			if (way > 3e-5 * Math.max(1, Math.hypot(...still))) {
				(path === 'scale' ? scaled : carried).add(node);
			}
		}
	}
	const boneAbove = (node) => {
		for (let at = parents[node]; at !== undefined; at = parents[at]) {
			if (isBone.has(at)) {
				return at;
			}
		}
		return undefined;
	};
	const isScaled = (node) => node !== undefined && (scaled.has(node) || isScaled(parents[node]));
	const isCarried = (node, top) => node !== top && (carried.has(node) || isCarried(parents[node], top));
	return { boneAbove, isScaled, isStretched: (node) => isScaled(parents[node])
		|| isCarried(node, boneAbove(node)) };
}

async function compareClip(jointcast, path, gltf, index, skeleton) {
	const { json } = gltf.parser;
	const clip = gltf.animations[index];
	const nodes = nodesOf(gltf);
	const rest = nodes.map((object) => object && { translation: object.position.toArray(),
		scale: object.scale.toArray() });
	const animation = await Promise.all(json.animations[index].channels.map(async (channel) => {
		const accessor = json.animations[index].samplers[channel.sampler].output;
		const { array, itemSize } = await gltf.parser.getDependency('accessor', accessor);
		return { channel, values: array, width: itemSize };
	}));
	const { boneAbove, isScaled, isStretched } = findStretched(json, animation, skeleton.bones, rest);
	const start = Math.min(0, ...clip.tracks.map(({ times }) => times[0]));
	const times = Array.from({ length: timesCompared }, (_, i) => (i / timesCompared) * clip.duration);
	const { frames } = runJson(jointcast, 'retarget', path, path, '--motion-index', `${index}`,
		'--times', times.map((t) => (t - start).toFixed(9)).join(','));
	const result = { bones: 0, metres: 0, degrees: 0, worst: '', turned: '' };
	for (const [i, { bones }] of frames.entries()) {
		const mixer = pose(gltf, clip, times[i]);
		const ours = new Map(Object.values(bones).map(({ node, worldPosition }) => [node, worldPosition]));
		for (const [name, { node, worldRotation, worldPosition }] of Object.entries(bones)) {
			const above = boneAbove(node);
			const degrees = isScaled(node) ? 0 : degreesBetween(turn(nodes[node]).toArray(), worldRotation);
			if (degrees > result.degrees) {
				Object.assign(result, { degrees, turned: name });
			}
			if (name !== 'hips' && (above === undefined || isStretched(node))) {
				continue;
			}
			const off = name === 'hips' ? minus(worldPosition, place(nodes[node]))
				: minus(minus(worldPosition, ours.get(above)),
					minus(place(nodes[node]), place(nodes[above])));
			result.bones++;
			if (Math.hypot(...off) > result.metres) {
				Object.assign(result, { metres: Math.hypot(...off), worst: name });
			}
		}
		mixer.stopAllAction();
		mixer.uncacheRoot(gltf.scene);
	}
	return result;
}

function heightOf({ bones }) {
	const heights = Object.values(bones).map(({ restWorldPosition }) => restWorldPosition[1]);
	return Math.max(...heights) - Math.min(...heights);
}

// As CMakeLists.txt has it.
const skipped = 77;

async function main([jointcast]) {
	const paths = dataFiles('gltf', '.glb').filter((path) => files.includes(basename(path, '.glb')));
	let failed = false;
	if (paths.length === 0) {
		console.log('skipped: the public data is not there');
		return skipped;
	}
	for (const path of paths) {
		const gltf = await load(path);
		const { skeleton } = runJson(jointcast, 'retarget', path, path, '--times', '0');
		const height = heightOf(skeleton);
		const step = Math.max(1, Math.floor(gltf.animations.length / clipsCompared));
		for (let index = 0; index < gltf.animations.length; index += step) {
			const { bones, metres, degrees, worst, turned } =
				await compareClip(jointcast, path, gltf, index, skeleton);
			const good = bones > 0 && metres <= allowed * height && degrees <= degreesAllowed;
			failed ||= !good;
			console.log(`${good ? 'ok    ' : 'FAILED'} ${(metres / height).toExponential(2)} of height ${worst}, `
				+ `${degrees.toExponential(2)} degrees ${turned}, ${bones} places  ${basename(path)} `
				+ `${gltf.animations[index].name}`);
		}
	}
	return failed ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
