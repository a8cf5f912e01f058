// Reads a VRM file with three-vrm and returns the bone map, the rest pose and, for normalised
// rotations, the positions of the bones. See README.md.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Quaternion, Texture, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { VRMLoaderPlugin } from '@pixiv/three-vrm';

globalThis.self ??= globalThis; // GLTFLoader looks for its URL there

// Images need a DOM; skeletons need no images.
function withoutTextures(parser) {
	parser.loadTexture = async () => new Texture();
	return { name: 'without-textures' };
}

export async function loadVrm(path) {
	const file = readFileSync(path);
	const loader = new GLTFLoader();
	loader.register(withoutTextures);
	loader.register((parser) => new VRMLoaderPlugin(parser));
	const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
	const gltf = await loader.parseAsync(bytes, '');
	const vrm = gltf.userData.vrm;
	if (!vrm) {
		throw new Error('three-vrm finds no humanoid');
	}
	vrm.scene.updateMatrixWorld(true);
	return { vrm, associations: gltf.parser.associations };
}

// VRM 0.x figures face -Z: half a turn about +Y between canonical space and theirs.
function toModel(vrm, [x, y, z]) {
	return vrm.meta.metaVersion === '0' ? [-x, y, -z] : [x, y, z];
}

function bonesOf(vrm) {
	return Object.entries(vrm.humanoid.rawHumanBones).filter(([, bone]) => bone?.node);
}

function worldOf(node) {
	return {
		worldPosition: node.getWorldPosition(new Vector3()).toArray(),
		worldRotation: node.getWorldQuaternion(new Quaternion()).toArray(),
	};
}

export function describeRest({ vrm, associations }) {
	const bones = {};
	for (const [name, { node }] of bonesOf(vrm)) {
		const world = worldOf(node);
		bones[name] = {
			node: associations.get(node).nodes,
			name: node.userData.name ?? node.name,
			restRotation: node.quaternion.toArray(),
			restWorldRotation: world.worldRotation,
			restWorldPosition: world.worldPosition,
		};
	}
	return { format: vrm.meta.metaVersion === '0' ? 'vrm-0.x' : 'vrm-1.0', bones };
}

export function applyFrame({ vrm }, frame) {
	const pose = {};
	for (const [name, bone] of Object.entries(frame.bones)) {
		const [x, y, z, w] = bone.normalized;
		pose[name] = { rotation: [...toModel(vrm, [x, y, z]), w] };
	}
	vrm.humanoid.resetNormalizedPose();
	if (frame.hipsDisplacement) {
		pose.hips = { ...pose.hips, position: toModel(vrm, frame.hipsDisplacement) };
	}
	vrm.humanoid.setNormalizedPose(pose);
	vrm.humanoid.update();
	vrm.scene.updateMatrixWorld(true);
}

function describeFrame(loaded, frame) {
	const bones = {};
	applyFrame(loaded, frame);
	for (const [name, { node }] of bonesOf(loaded.vrm)) {
		bones[name] = { rotation: node.quaternion.toArray(), ...worldOf(node) };
	}
	return { t: frame.t ?? 0, bones };
}

async function main([path, option, framesPath]) {
	if (!path || (option && (option !== '--frames' || !framesPath))) {
		console.error('usage: vrm_oracle.mjs FILE.vrm [--frames FRAMES.json]');
		return 2;
	}
	try {
		const loaded = await loadVrm(path);
		const result = { skeleton: describeRest(loaded) };
		if (option) {
			const { frames } = JSON.parse(readFileSync(framesPath, 'utf8'));
			result.frames = frames.map((frame) => describeFrame(loaded, frame));
		}
		console.log(JSON.stringify(result));
		return 0;
	} catch (error) {
		console.error(`${path}: ${error.message}`);
		return 1;
	}
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	process.exitCode = await main(process.argv.slice(2));
}
