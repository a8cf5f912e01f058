// Makes the corpus of fuzz_aframe: recordings of A-Frame's motion-capture components, and what is wrong in
// one way each. Usage: node make_aframe_corpus.mjs
import { mkdirSync, writeFileSync } from 'node:fs';
import { device, recording } from '../../cli/aframe.mjs';

const folder = new URL('../fuzz_aframe.corpus/', import.meta.url);
mkdirSync(folder, { recursive: true });
const write = (name, value) => writeFileSync(new URL(`${name}.json`, folder),
	typeof value === 'string' ? value : JSON.stringify(value));

const whole = recording({ frames: 6 });
write('hand-controls', whole);
write('vive-controls', recording({ frames: 4, roll: 0 }));
write('touch', recording({ frames: 4, model: (hand) => `Oculus Touch (${hand})` }));
write('webxr', recording({ frames: 4, model: () => undefined }));
write('unnamed', recording({ frames: 4, ids: ['c1', 'c2'] }));
write('camera-alone', { camera: whole.camera });
write('hands-alone', { left: whole.left, right: whole.right });
write('entity', { ...whole.left, gamepad: { id: 'OpenVR Gamepad', hand: 'left', index: 0 } });
write('many', Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`left${i}`, device('left', { frames: 2 })])));
const with_ = (change) => {
	const copy = structuredClone(whole);
	change(copy);
	return copy;
};
write('times-fall', with_(({ camera }) => camera.poses.reverse()));
write('times-equal', with_(({ camera }) => camera.poses.forEach((pose) => (pose.timestamp = 5))));
write('gap', with_(({ right }) => right.poses.forEach((pose, i) => (pose.timestamp += 900 * i))));
write('late', with_(({ right }) => right.poses.forEach((pose) => (pose.timestamp += 40))));
write('null', with_(({ left }) => (left.poses[1].position.y = null)));
write('null-pose', with_(({ left }) => (left.poses[1].rotation = null)));
write('text', with_(({ left }) => (left.poses[1].position.y = '1')));
write('missing', with_(({ left }) => delete left.poses[2].timestamp));
write('far', with_(({ camera }) => (camera.poses[1].position.x = 2000)));
write('large', with_(({ camera }) => (camera.poses[1].rotation.z = 1e300)));
write('empty', with_(({ camera }) => (camera.poses = [])));
write('others', { ...whole, cube: { events: [] }, floor: 7, stroke: { poses: {} } });
write('cut', JSON.stringify(whole).slice(0, -40));
