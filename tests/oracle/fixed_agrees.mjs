// Does the figure that `jointcast lint --fix` writes look, move and lint as it
// should? Khronos' validator finds no error that
// the original does not have; three skins both files: the fixed
// one in its own rest, the original in the T-pose that `jointcast retarget`
// prints for it, and their vertices are in the same places, as they are at every
// time of every animation; a motion retargeted to either stands in the same
// places. Bones that --fix straightens, and what hangs on them, are left out of
// the comparison with the original: their new places are lint's to judge.
//
// usage: fixed_agrees.mjs JOINTCAST FOLDER     (files of our own go to FOLDER)
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import validator from 'gltf-validator';
import { AnimationMixer, Matrix4, SkinnedMesh, Texture, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { makeFigures } from './rested_figures.mjs';
import { writeRandomMotion } from './random_motion.mjs';
import { dataFiles, run, runJson } from '../cli/tool.mjs';

globalThis.self ??= globalThis; // GLTFLoader looks for its URL there
globalThis.ProgressEvent ??= class {}; // and reports what it reads from data URIs

// three rounds the sums of weights to the bytes they came in; here they are divided.
SkinnedMesh.prototype.normalizeSkinWeights = () => {};

const animationsPlayed = 12; // of a file that has many
const metresAllowed = 2e-5; // of figures up to 2 m in single precision
const withoutTextures = (parser) => {
	parser.loadTexture = async () => new Texture();
	return { name: 'without-textures' };
};

async function load(path) {
	const file = readFileSync(path);
	const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
	const { scene, animations, parser } =
		await new GLTFLoader().register(withoutTextures).parseAsync(bytes, '');
	const nodes = [];
	scene.traverse((object) => {
		const { nodes: index } = parser.associations.get(object) ?? {};
		if (index !== undefined) {
			nodes[index] ??= object;
		}
	});
	scene.updateMatrixWorld(true);
	return { scene, animations, nodes, associations: parser.associations };
}

// Where the joints have a vertex: three's matrices, weights to a sum of one.
function skin(mesh, matrices, i, point) {
	const { skinIndex, skinWeight } = mesh.geometry.attributes;
	const weights = [0, 1, 2, 3].map((k) => skinWeight.getComponent(i, k));
	const sum = weights.reduce((a, b) => a + b, 0);
	const moved = new Vector3();
	weights.forEach((weight, k) => weight > 0 && moved.addScaledVector(
		point.clone().applyMatrix4(matrices[skinIndex.getComponent(i, k)]), weight / sum));
	return moved;
}

// Vertices of every primitive in the world, by mesh and primitive; null for those
// that nodes hold which are left out or, where `single`, more than one joint.
function verticesOf({ scene, nodes, associations }, isLeftOut, single = false) {
	const found = [];
	const out = new Set(nodes.filter((node, index) => node && isLeftOut(index)));
	const isOut = (object) => object !== null && (out.has(object) || isOut(object.parent));
	scene.updateMatrixWorld(true);
	scene.traverse((mesh) => {
		if (!mesh.isMesh) {
			return;
		}
		const { meshes, primitives = 0 } = associations.get(mesh);
		let shown = mesh;
		while (associations.get(shown)?.nodes === undefined) {
			shown = shown.parent;
		}
		const { position, skinIndex, skinWeight } = mesh.geometry.attributes;
		const joints = mesh.skeleton?.bones.map(isOut);
		const matrices = mesh.skeleton?.bones.map((bone, j) =>
			new Matrix4().multiplyMatrices(bone.matrixWorld, mesh.skeleton.boneInverses[j]));
		const points = [];
		for (let i = 0; i < position.count; i++) {
			const vertex = new Vector3().fromBufferAttribute(position, i);
			let skip = !joints && isOut(mesh);
			if (joints) {
				skip ||= single && Math.max(...[0, 1, 2, 3].map((k) =>
					skinWeight.getComponent(i, k))) < 0.9999;
				for (let k = 0; k < 4; k++) {
					skip ||= skinWeight.getComponent(i, k) > 0
						&& joints[skinIndex.getComponent(i, k)];
				}
			}
			const placed = joints ? skin(mesh, matrices, i, vertex)
				: vertex.applyMatrix4(mesh.matrixWorld);
			points.push(skip ? null : placed);
		}
		found.push({ node: associations.get(shown).nodes, mesh: meshes, primitive: primitives, points });
	});
	return found;
}

// The same in canonical axes: files that face another way are turned.
const turnOf = (facing) => ([x, y, z]) => (Math.abs(facing[1]) > 0.5 ? [-x, y, -z] : [x, y, z]);

function largestDistance(before, after, turn) {
	let largest = 0;
	let compared = 0;
	for (const { node, mesh, primitive, points } of before) {
		const same = after.filter((other) => other.primitive === primitive);
		const others = (same.find((other) => other.node === node)
			?? same.find((other) => other.mesh === mesh))?.points; // moved to a node of its own
		if (others?.length !== points.length) {
			throw new Error(`mesh ${mesh} is not there any more`);
		}
		points.forEach((point, i) => {
			if (point && others[i]) {
				const [x, y, z] = turn(point.toArray());
				largest = Math.max(largest, others[i].distanceTo(new Vector3(x, y, z)));
				compared++;
			}
		});
	}
	return { largest, compared };
}

async function validate(path) {
	const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(path)),
		{ ignoredIssues: ['UNSUPPORTED_EXTENSION'] });
	return issues.messages.filter(({ severity }) => severity === 0);
}

// The original in its T-pose, as our retargeter poses it.
function pose(original, { frames: [{ bones, nodes, hipsTranslation }] }) {
	for (const { node, rotation } of Object.values(bones)) {
		original.nodes[node].quaternion.set(...rotation);
	}
	for (const [node, { rotation }] of Object.entries(nodes ?? {})) {
		original.nodes[node].quaternion.set(...rotation);
	}
	if (hipsTranslation) {
		original.nodes[bones.hips.node].position.set(...hipsTranslation);
	}
	original.scene.updateMatrixWorld(true);
}

function comparePlayed(original, fixed, turn, isLeftOut) {
	let largest = 0;
	if (original.animations.length !== fixed.animations.length) {
		throw new Error('an animation is missing');
	}
	original.animations.slice(0, animationsPlayed).forEach((clip, index) => {
		const mixers = [original, fixed].map(({ scene, animations }) => {
			const mixer = new AnimationMixer(scene);
			mixer.clipAction(animations[index]).play();
			return mixer;
		});
		for (const part of [0, 0.1, 0.37, 0.5, 0.83, 0.99]) {
			mixers.forEach((mixer) => mixer.setTime(part * clip.duration));
			[original, fixed].forEach(({ scene }) => scene.updateMatrixWorld(true));
			largest = Math.max(largest, largestDistance(verticesOf(original, isLeftOut, true),
				verticesOf(fixed, () => false), turn).largest);
			original.nodes.forEach((node, i) => {
				const [x, y, z] = turn(node.getWorldPosition(new Vector3()).toArray());
				// Where the node of a skinned mesh is means nothing.
				const isSkinned = [node, ...node.children].some((part) => part.isSkinnedMesh);
				if (!isLeftOut(i) && !isSkinned) {
					largest = Math.max(largest, fixed.nodes[i]
						.getWorldPosition(new Vector3()).distanceTo(new Vector3(x, y, z)));
				}
			});
		}
		mixers.forEach((mixer) => mixer.stopAllAction());
	});
	return largest;
}

// World positions of bones under one motion on both files; without one, under the
// first that each of them has itself.
function compareRetargeted(jointcast, motion, path, out, turn, isLeftOut) {
	const [before, after] = [path, out].map((file) =>
		runJson(jointcast, 'retarget', motion ?? file, file));
	let largest = 0;
	before.frames.forEach(({ bones }, i) => {
		for (const [bone, { node, worldPosition }] of Object.entries(bones)) {
			const [x, y, z] = turn(worldPosition);
			const [u, v, w] = after.frames[i].bones[bone].worldPosition;
			if (!isLeftOut(node)) {
				largest = Math.max(largest, Math.hypot(x - u, y - v, z - w));
			}
		}
	});
	return largest;
}

// Nodes at and below bones that were straightened, and in a figure that was turned
// upright all of them.
function findLeftOut(report, original, { skeletons: [{ facing }] }, { skeletons: [fixed] }) {
	const turned = report.findings.some(({ code }) => code === 'facing' || code === 'tilted');
	const bent = Object.values(report.bones)
		.filter(({ tPoseDegrees, toleranceDegrees }) => tPoseDegrees > toleranceDegrees)
		.map(({ node }) => original.nodes[node]);
	const isBelow = (node) => node !== null && (bent.includes(node) || isBelow(node.parent));
	return { turn: turnOf(facing.map((v, i) => v - fixed.facing[i])), turned, bent: bent.length,
		isLeftOut: (index) => turned || isBelow(original.nodes[index]) };
}

// three stands the original on its nodes; of plain glTF the rest is the bind pose,
// which agrees with them as well as the exporter rounded, or not at all.
function vertexAllowance({ format, findings }) {
	if (findings.some(({ code }) => code === 'bind-pose')) {
		return 1e-3;
	}
	return format === 'gltf' ? 1e-4 : metresAllowed;
}

async function compare(jointcast, path, out, motions, tPose, axes = 'anatomic') {
	const complaints = [];
	const { status, stderr } = run(jointcast, 'lint', path, '--fix', out, '--bone-axes', axes);
	if (status !== 0) {
		throw new Error(stderr);
	}
	const flaws = new Set((await validate(path)).map(({ code }) => code)); // of the original
	const errors = (await validate(out)).filter(({ code }) => !flaws.has(code));
	if (errors.length) {
		complaints.push(`validator: ${JSON.stringify(errors.slice(0, 3))}`);
	}
	const report = runJson(jointcast, 'lint', path);
	// Nodes of bones have no rotation in VRM 0.x.
	const codes = runJson(jointcast, 'lint', out).findings.map(({ code }) => code)
		.filter((code) => /^rest-|^bone-axes$|^facing$|^tilted$|^not-a-joint$|^outside-root$/.test(code)
			&& !(report.format === 'vrm-0.x' && code === 'bone-axes'));
	if (codes.length) {
		complaints.push(`lint still finds ${codes}`);
	}
	const [original, fixed] = [await load(path), await load(out)];
	const { turn, turned, bent, isLeftOut } =
		findLeftOut(report, original, ...[path, out].map((file) => runJson(jointcast, 'inspect', file)));
	const played = turned ? 0 : comparePlayed(original, fixed, turn, isLeftOut);
	const [again, still] = [await load(path), await load(out)];
	pose(again, runJson(jointcast, 'retarget', tPose, path, '--times', '0'));
	const { largest, compared } =
		largestDistance(verticesOf(again, isLeftOut), verticesOf(still, () => false), turn);
	const own = original.animations.length && !/unevenly/.test(stderr) ? [null] : [];
	const moved = turned ? 0 : Math.max(...[...motions, ...own].map((motion) =>
		compareRetargeted(jointcast, motion, path, out, turn, isLeftOut)));
	// Expected finding: a scale along axes that the new rest does not have.
	const playedAllowed = /animations scale nodes unevenly/.test(stderr) ? 0.05 : metresAllowed;
	const vertexAllowed = vertexAllowance(report);
	if (!(largest <= vertexAllowed && moved <= metresAllowed && played <= playedAllowed)) {
		complaints.push('too far apart');
	}
	console.log(`${complaints.length ? 'FAILED' : 'ok    '} vertices ${largest.toExponential(1)} m `
		+ `(${compared}), ${original.animations.length} animations ${played.toExponential(1)} m, `
		+ `motions ${moved.toExponential(1)} m, ${bent} bones straightened${turned ? ', turned' : ''}`
		+ `  ${basename(path)} ${axes}${complaints.length ? `: ${complaints.join('; ')}` : ''}`);
	return complaints.length === 0;
}

// A frame in which no bone is turned.
function writeTPose(path) {
	writeFileSync(path, `${[
		'HIERARCHY', 'ROOT Hips', '{', 'OFFSET 0 100 0',
		'CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation',
		...['Left', 'Right'].flatMap((side) => [
			`JOINT ${side}UpLeg`, '{', `OFFSET ${side === 'Left' ? 10 : -10} -5 0`,
			'CHANNELS 3 Zrotation Xrotation Yrotation',
			`JOINT ${side}Leg`, '{', 'OFFSET 0 -45 0', 'CHANNELS 3 Zrotation Xrotation Yrotation',
			`JOINT ${side}Foot`, '{', 'OFFSET 0 -45 0', 'CHANNELS 3 Zrotation Xrotation Yrotation',
			'End Site', '{', 'OFFSET 0 -5 12', '}', '}', '}', '}']),
		'JOINT Spine', '{', 'OFFSET 0 20 0', 'CHANNELS 3 Zrotation Xrotation Yrotation',
		'JOINT Head', '{', 'OFFSET 0 50 0', 'CHANNELS 3 Zrotation Xrotation Yrotation',
		'End Site', '{', 'OFFSET 0 15 0', '}', '}', '}', '}',
		'MOTION', 'Frames: 1', 'Frame Time: 0.1', ['0 100 0', ...Array(27).fill(0)].join(' '),
	].join('\n')}\n`);
}

async function main([jointcast, folder]) {
	mkdirSync(folder, { recursive: true });
	const random = join(folder, 'random.bvh');
	const tPose = join(folder, 't-pose.bvh');
	writeRandomMotion(random, 20, 11);
	writeTPose(tPose);
	const own = makeFigures(folder);
	const files = [...own, ...dataFiles('vrm', '.vrm'), ...dataFiles('gltf', '.glb')]
		.filter((path) => run(jointcast, 'lint', path).status === 0);
	let good = true;
	for (const [i, path] of files.entries()) {
		const out = join(folder, `${basename(path)}.fixed.${i % 2 ? 'gltf' : 'glb'}`);
		good = await compare(jointcast, path, out, [random, 'demo:walk'], tPose) && good;
	}
	for (const path of own.filter((name) => files.includes(name))) {
		const out = join(folder, `${basename(path)}.child.glb`);
		good = await compare(jointcast, path, out, [random, 'demo:walk'], tPose, 'child') && good;
	}
	if (!dataFiles('vrm', '.vrm').length) {
		console.log('the public figures are not at hand; only those made here were compared');
	}
	return good ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
