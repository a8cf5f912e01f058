// Writes a motion as a VRM animation of the figure that moves.
import { body } from '../figures/body.mjs';
import { Buffers, documentOf } from '../figures/documents.mjs';
import { poseNodes } from '../figures/rig.mjs';
import { toGlb } from '../e2e/support/glb.mjs';
import { source } from './figures.mjs';
import { pose } from './limbs.mjs';

export const rate = 60;

/** The poses of a motion, one a frame: { turned, way, places }. */
export function posesOf(motion) {
	const count = Math.round(motion.seconds * rate) + 1;
	return Array.from({ length: count }, (_, i) => pose({ t: i / rate, ...motion.at(i / rate) }));
}

export function writeVrma(poses) {
	const { rig, nodes, bones } = source;
	const posed = poses.map((one) => poseNodes(rig, { nodes, bones }, one, source.at.hips[1]));
	const buffers = new Buffers();
	const input = buffers.add('SCALAR', poses.map((_, i) => i / rate), true);
	const outputs = [['hips', 'translation', 'VEC3'], ...body.filter(({ name }) => name in bones)
		.map(({ name }) => [name, 'rotation', 'VEC4'])].map(([name, path, type]) => ({
		target: { node: bones[name], path }, output: buffers.add(type, posed.map((one) => one[name][path])) }));
	return toGlb(documentOf(nodes, {
		animations: [{ channels: outputs.map(({ target }, sampler) => ({ sampler, target })),
			samplers: outputs.map(({ output }) => ({ input, output })) }],
		...buffers.members(), extensionsUsed: ['VRMC_vrm_animation'],
		extensions: { VRMC_vrm_animation: { specVersion: '1.0', humanoid: { humanBones:
			Object.fromEntries(Object.entries(bones).map(([bone, node]) => [bone, { node }])) } } },
	}), buffers.bytes());
}
