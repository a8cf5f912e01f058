// Do the drafts of `jointcast lint --fix --draft` say what the VRM in the same file says? Khronos'
// validator finds no error. three plays the animation of each expression, as the draft evaluates
// it, to the weights that three-vrm's expression of that name binds; the reference pose changes no
// node; the roles name three-vrm's bones; the look-at target is where three-vrm has the eyes.
//
// usage: draft_agrees.mjs JOINTCAST FOLDER     (files go to FOLDER)
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import validator from 'gltf-validator';
import { AnimationMixer, Texture, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { VRMLoaderPlugin } from '@pixiv/three-vrm';
import { makeFigures } from './rested_figures.mjs';
import { dataFiles, run } from '../cli/tool.mjs';

globalThis.self ??= globalThis; // GLTFLoader looks for its URL there
globalThis.ProgressEvent ??= class {}; // and reports what it reads from data URIs

const allowed = 1e-6; // of weights, metres and components of quaternions
const vrmRoles = /vrm-specification.*humanoid\.md$/;

async function load(path) {
	const file = readFileSync(path);
	const loader = new GLTFLoader();
	loader.register((parser) => {
		parser.loadTexture = async () => new Texture();
		return { name: 'without-textures' };
	});
	loader.register((parser) => new VRMLoaderPlugin(parser));
	const gltf = await loader.parseAsync(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength), '');
	const nodes = [];
	gltf.scene.traverse((object) => {
		const { nodes: node } = gltf.parser.associations.get(object) ?? {};
		if (node !== undefined) {
			nodes[node] ??= object;
		}
	});
	gltf.scene.updateMatrixWorld(true);
	return { ...gltf, nodes, json: gltf.parser.json, vrm: gltf.userData.vrm };
}

const morphsOf = ({ scene }) => {
	const list = [];
	scene.traverse((object) => object.morphTargetInfluences && list.push(object));
	return list;
};
const weightsOf = (loaded) => morphsOf(loaded).flatMap(({ morphTargetInfluences }) => [...morphTargetInfluences]);

const largest = (a, b) => {
	if (a.length !== b.length) {
		throw new Error(`${b.length} values instead of ${a.length}`);
	}
	return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
};

// e of the draft's evaluator is the driver, T the last key.
function respond({ animations, scene }, index, e) {
	const mixer = new AnimationMixer(scene);
	const clip = animations[index];
	const action = mixer.clipAction(clip);
	action.play();
	action.clampWhenFinished = true;
	action.setLoop(2200, 1); // LoopOnce
	mixer.setTime(e * clip.duration);
	return () => mixer.stopAllAction();
}

function compareExpressions(loaded) {
	const { expressions = [] } = loaded.json.extensions.KHR_character_expression ?? {};
	let worst = 0;
	for (const { expression: name, animation } of expressions) {
		for (const e of [0.25, 1]) {
			const expected = new Map(morphsOf(loaded).map((mesh) => [mesh, [...mesh.morphTargetInfluences]]));
			const { binds, isBinary } = loaded.vrm.expressionManager.getExpression(name);
			const share = isBinary ? Number(e > 0.5) : e;
			for (const { primitives, index, weight } of binds.filter((bind) => bind.primitives)) {
				for (const mesh of primitives) {
					expected.get(mesh)[index] += share * (weight - expected.get(mesh)[index]);
				}
			}
			const stop = respond(loaded, animation, e);
			worst = Math.max(worst, largest([...expected.values()].flat(), weightsOf(loaded)));
			stop();
		}
	}
	return { count: expressions.length, worst };
}

function comparePose(loaded) {
	const index = loaded.json.animations.findIndex(({ extensions }) => extensions?.KHR_character_reference_pose);
	const values = () => loaded.nodes.flatMap(({ position, quaternion }) => [...position.toArray(), ...quaternion.toArray()]);
	const before = values();
	const stop = respond(loaded, index, 0);
	const worst = largest(before, values());
	stop();
	return worst;
}

function compareRoles({ json, vrm, nodes }) {
	const { skeletalRigMappings: sets } = json.extensions.KHR_character_skeleton_mapping;
	const [roles] = Object.entries(sets).filter(([uri]) => vrmRoles.test(uri)).map(([, set]) => set);
	const bones = Object.keys(vrm.humanoid.humanBones).filter((bone) => vrm.humanoid.getRawBoneNode(bone));
	if (String(Object.keys(roles).sort()) !== String(bones.sort())
		|| bones.some((bone) => nodes[roles[bone].node] !== vrm.humanoid.getRawBoneNode(bone))) {
		throw new Error('the roles are not the bones');
	}
	return bones.length;
}

function compareTarget({ json, nodes, vrm }) {
	const index = json.nodes.findIndex(({ extensions }) => extensions?.KHR_node_lookat_target);
	return index < 0 || !vrm.lookAt ? 0 : nodes[index].getWorldPosition(new Vector3())
		.distanceTo(vrm.lookAt.getLookAtWorldPosition(new Vector3()));
}

async function compare(jointcast, path, out) {
	const { status, stderr } = run(jointcast, 'lint', path, '--fix', out, '--draft');
	if (status !== 0) {
		throw new Error(stderr);
	}
	const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(out)), { ignoredIssues: ['UNSUPPORTED_EXTENSION'] });
	const { issues: { messages } } = await validator.validateBytes(new Uint8Array(readFileSync(path)));
	const known = new Set(messages.map(({ code }) => code));
	const errors = issues.messages.filter(({ severity, code }) => severity === 0 && !known.has(code));
	const loaded = await load(out);
	const bones = compareRoles(loaded);
	const expressions = compareExpressions(loaded);
	const worst = Math.max(expressions.worst, comparePose(loaded), compareTarget(loaded));
	const good = worst <= allowed && errors.length === 0;
	console.log(`${good ? 'ok    ' : 'FAILED'} ${bones} roles, ${expressions.count} expressions, ${worst.toExponential(1)}  ${basename(path)}`
		+ `${errors.length ? ` ${JSON.stringify(errors.slice(0, 2))}` : ''}`);
	return good;
}

async function main([jointcast, folder]) {
	mkdirSync(folder, { recursive: true });
	const files = [...makeFigures(folder).filter((path) => !/_ext/.test(path)), ...dataFiles('vrm', '.vrm')]
		.filter((path) => run(jointcast, 'lint', path).status === 0);
	let good = true;
	for (const path of files) {
		good = await compare(jointcast, path, join(folder, `${basename(path, '.vrm')}.draft.vrm`)) && good;
	}
	return good ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
