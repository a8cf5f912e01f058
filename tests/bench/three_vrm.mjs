// Measures the time in which three-vrm applies poses to a VRM: its normalised bones are set and
// humanoid.update() transfers them. Poses are read and bones looked up beforehand.
//
// usage: three_vrm.mjs MODEL.vrm FRAMES.json     prints microseconds per frame
// (processor time, the median of as many batches as jointcast bench takes)
import { readFileSync } from 'node:fs';
import { loadVrm } from '../oracle/vrm_oracle.mjs';

const batches = 101;
const calls = 2000;
const warmUp = 5000; // frames, for the compiler

function prepare(humanoid, { bones }) {
	return Object.entries(bones).map(([bone, { normalized }]) => [
		humanoid.getNormalizedBoneNode(bone), normalized]);
}

function play(humanoid, frames, count) {
	for (let call = 0; call < count; call++) {
		for (const [node, [x, y, z, w]] of frames[call % frames.length]) {
			node.quaternion.set(x, y, z, w);
		}
		humanoid.update();
	}
}

const [model, framesPath] = process.argv.slice(2);
const { vrm } = await loadVrm(model);
const frames = JSON.parse(readFileSync(framesPath, 'utf8')).frames
	.map((frame) => prepare(vrm.humanoid, frame));
const times = [];
play(vrm.humanoid, frames, warmUp);
for (let batch = 0; batch < batches; batch++) {
	const start = process.cpuUsage();
	play(vrm.humanoid, frames, calls);
	const { user, system } = process.cpuUsage(start);
	times.push((user + system) / calls);
}
console.log(times.sort((a, b) => a - b)[Math.floor(batches / 2)].toFixed(3));
