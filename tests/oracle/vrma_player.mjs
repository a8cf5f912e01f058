// Plays a VRM animation on a VRM with three-vrm and returns the places of the bones.
import { readFileSync } from 'node:fs';
import { AnimationMixer, LoopOnce, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { VRMAnimationLoaderPlugin, createVRMAnimationClip } from '@pixiv/three-vrm-animation';
import { loadVrm } from './vrm_oracle.mjs';

async function loadAnimation(path) {
	const file = readFileSync(path);
	const loader = new GLTFLoader();
	loader.register((parser) => new VRMAnimationLoaderPlugin(parser));
	const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
	return (await loader.parseAsync(bytes, '')).userData.vrmAnimations[0];
}

/** Frames of places by bone at these times. */
export async function playWithThreeVrm(figure, animationPath, times) {
	const { vrm } = await loadVrm(figure);
	const mixer = new AnimationMixer(vrm.scene);
	const action = mixer.clipAction(createVRMAnimationClip(await loadAnimation(animationPath), vrm));
	action.setLoop(LoopOnce, 1);
	action.clampWhenFinished = true;
	action.play();
	const bones = Object.entries(vrm.humanoid.rawHumanBones).filter(([, bone]) => bone?.node);
	return times.map((t) => {
		action.paused = false;
		action.time = t;
		mixer.update(0);
		vrm.humanoid.update();
		vrm.scene.updateMatrixWorld(true);
		return Object.fromEntries(bones.map(([bone, { node }]) => [bone, node.getWorldPosition(new Vector3()).toArray()]));
	});
}
