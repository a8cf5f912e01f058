// Does `jointcast convert MOTION OUT --avatar FILE` keep the file and add the motion that
// `jointcast retarget MOTION FILE` prints? Every part of the document and every byte of its buffer
// views is there again, Khronos' validator finds no error or warning that the original does not
// have, and three's mixer plays the added animation: local rotations of all nodes that moved, the
// translation of the hips and the places of all bones agree. jointcast reads the motion back.
//
// usage: avatar_agrees.mjs JOINTCAST FOLDER     (files of our own go to FOLDER)
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import validator from 'gltf-validator';
import { AnimationMixer, LoopOnce, Texture, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { degreesBetween, minus } from './compare.mjs';
import { writePeople } from './ext_figures.mjs';
import { writeRandomMotion } from './random_motion.mjs';
import { makeFigures } from './rested_figures.mjs';
import { dataFiles, run, runJson } from '../cli/tool.mjs';

globalThis.self ??= globalThis; // GLTFLoader looks for its URL there
globalThis.ProgressEvent ??= class {}; // and reports what it reads from data URIs

const degreesAllowed = 0.01;
const allowed = 2e-5; // metres, of figures up to 2 m in single precision

// The document of a file, and the bytes of each of its buffer views.
function open(path) {
	const file = readFileSync(path);
	const isBinary = file.toString('latin1', 0, 4) === 'glTF';
	const length = isBinary ? file.readUInt32LE(12) : file.length;
	const document = JSON.parse(file.toString('utf8', isBinary ? 20 : 0, isBinary ? 20 + length : length));
	const buffers = (document.buffers ?? []).map(({ uri }) => (!uri ? file.subarray(28 + length)
		: uri.startsWith('data:') ? Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64')
			: readFileSync(join(dirname(path), decodeURIComponent(uri)))));
	return { document, views: (document.bufferViews ?? []).map(({ buffer, byteOffset = 0, byteLength }) =>
		buffers[buffer].subarray(byteOffset, byteOffset + byteLength)) };
}

const withoutPlace = (view) => ({ ...view, buffer: 0, byteOffset: 0 });

// Everything of the original; a node that got channels has no matrix any more.
function assertKept(path, out) {
	const [before, after] = [open(path), open(out)];
	const { accessors = [], animations = [], bufferViews = [], buffers, images = [], nodes, ...others } = before.document;
	const { nodes: nodesAfter, ...now } = after.document;
	for (const [name, value] of Object.entries(others)) {
		assert.deepEqual(now[name], value, `${path}: ${name}`);
	}
	assert.deepEqual(now.accessors.slice(0, accessors.length), accessors);
	assert.deepEqual(now.animations.slice(0, -1), animations);
	assert.deepEqual(now.bufferViews.slice(0, bufferViews.length).map(withoutPlace), bufferViews.map(withoutPlace));
	before.views.forEach((bytes, i) => assert.ok(bytes.equals(after.views[i]), `${path}: buffer view ${i}`));
	images.forEach(({ uri, ...image }, i) => {
		const { bufferView, mimeType, ...rest } = now.images[i];
		assert.deepEqual(uri && !uri.startsWith('data:') ? rest : now.images[i], uri?.startsWith('data:') ? { uri, ...image } : image);
		assert.ok(!uri || uri.startsWith('data:') || after.views[bufferView].equals(readFileSync(join(dirname(path), uri))));
	});
	nodes.forEach(({ matrix, ...node }, i) => {
		const { translation, rotation, scale, ...rest } = nodesAfter[i];
		assert.deepEqual(matrix && !nodesAfter[i].matrix ? rest : nodesAfter[i], matrix && nodesAfter[i].matrix ? { matrix, ...node } : node);
	});
}

// Codes of errors and warnings.
async function findIssues(path) {
	const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(path)), {
		ignoredIssues: ['UNSUPPORTED_EXTENSION'],
		externalResourceFunction: (uri) => Promise.resolve(new Uint8Array(readFileSync(join(dirname(path), uri)))) });
	return issues.messages.filter(({ severity }) => severity < 2).map(({ code }) => code);
}

async function load(path) {
	const file = readFileSync(path);
	// Pictures need a browser.
	const loader = new GLTFLoader().register((parser) => {
		parser.loadTexture = () => Promise.resolve(new Texture());
		return { name: 'without-textures' };
	});
	const { scene, animations, parser } = await loader.parseAsync(
		file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength), '');
	const nodes = [];
	parser.associations.forEach(({ nodes: index } = {}, object) => {
		if (index !== undefined && object.isObject3D) {
			nodes[index] ??= object;
		}
	});
	return { scene, clip: animations.at(-1), nodes };
}

// The largest differences between what three plays and the frames of retarget.
async function comparePlayed(out, { frames }) {
	const { scene, clip, nodes } = await load(out);
	const mixer = new AnimationMixer(scene);
	const action = mixer.clipAction(clip).setLoop(LoopOnce);
	let [degrees, distance] = [0, 0];

	action.clampWhenFinished = true;
	action.play();
	for (const { t, bones, nodes: moved = {}, hipsTranslation } of frames) {
		mixer.setTime(t);
		scene.updateMatrixWorld(true);
		for (const [node, { rotation }] of [...Object.values(bones).map((bone) => [bone.node, bone]), ...Object.entries(moved)]) {
			degrees = Math.max(degrees, degreesBetween(rotation, nodes[node].quaternion.toArray()));
		}
		const { node: hips } = bones.hips;
		const scale = nodes[hips].parent.getWorldScale(new Vector3()).length() / Math.sqrt(3);
		distance = Math.max(distance, scale * Math.hypot(...minus(hipsTranslation, nodes[hips].position.toArray())));
		for (const { node, worldPosition } of Object.values(bones)) {
			distance = Math.max(distance, Math.hypot(...minus(worldPosition, nodes[node].getWorldPosition(new Vector3()).toArray())));
		}
	}
	return { degrees, distance };
}

// N of each bone, from the file that was written: the last of its animations.
function readBack(jointcast, out, avatar, { frames }) {
	const { document: { animations } } = open(out);
	const again = runJson(jointcast, 'retarget', out, avatar, '--motion-index', `${animations.length - 1}`,
		'--times', frames.map(({ t }) => t).join());
	let degrees = 0;
	frames.forEach(({ bones }, i) => Object.entries(bones).forEach(([bone, { normalized, state }]) => {
		if (state !== 'absent') {
			degrees = Math.max(degrees, degreesBetween(normalized, again.frames[i].bones[bone].normalized));
		}
	}));
	return degrees;
}

async function compare(jointcast, motion, avatar, out) {
	const { status, stderr } = run(jointcast, 'convert', motion, out, '--avatar', avatar);
	assert.equal(status, 0, stderr);
	assertKept(avatar.replace(/#\d+$/, ''), out);
	const flaws = new Set(await findIssues(avatar.replace(/#\d+$/, '')));
	const issues = (await findIssues(out)).filter((code) => !flaws.has(code));
	const expected = runJson(jointcast, 'retarget', motion, avatar);
	const { degrees, distance } = await comparePlayed(out, expected);
	const back = avatar.includes('#') ? 0 : readBack(jointcast, out, avatar, expected);
	const good = !issues.length && degrees <= degreesAllowed && back <= degreesAllowed && distance <= allowed;
	console.log(`${good ? 'ok    ' : 'FAILED'} ${degrees.toExponential(1)} degrees, ${distance.toExponential(1)} m, `
		+ `read back ${back.toExponential(1)} degrees  ${basename(avatar)}${issues.length ? `: ${issues}` : ''}`);
	return good;
}

async function main([jointcast, folder]) {
	mkdirSync(folder, { recursive: true });
	const motion = join(folder, 'random.bvh');
	writeRandomMotion(motion, 6, 21);
	const files = [...makeFigures(folder), writePeople(folder).path, `${writePeople(folder).path}#1`,
		...dataFiles('vrm', '.vrm'), ...dataFiles('gltf', '.glb')]
		.filter((path) => run(jointcast, 'retarget', 'demo:wave', path, '--times', '0').status === 0);
	let good = true;
	for (const [i, avatar] of files.entries()) {
		good = await compare(jointcast, motion, avatar, join(folder, `avatar.${i % 4 ? 'glb' : 'gltf'}`)) && good;
	}
	return good ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
