// Renames the joints of the humanoids of the public data at random. The bones must be found at the
// same joints by structure. Exceptions are listed here: an eye or a jaw is known only by its name,
// and a single finger may be any finger.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import test from 'node:test';
import { scratch, write } from './files.mjs';
import { dataFiles, jointcast, runJson } from './tool.mjs';

const bvhs = dataFiles('bvh', '.bvh');
const glbs = dataFiles('gltf', '.glb');
const skip = bvhs.length === 0 && 'the public data is not there';
const named = (path) => basename(path, extname(path));
const folder = scratch('renamed');
const thumbs = ['leftThumbMetacarpal', 'rightThumbMetacarpal'];
const eyes = ['leftEye', 'rightEye'];

// Bones that can be found only by name, by file.
const told = {
	boxing_toes_extra_line: [],
	cmu_01_01: thumbs,
	cmu_02_02_daz: eyes,
	cmu_12_01_walk: thumbs,
	geno_stance_lafan_fingers: [],
	makehuman_tpose: [...eyes, 'jaw'],
	makehuman_walk1: [...eyes, 'jaw'],
	mixed_orders_fingers_zup: [],
	pymo_AV_8Walk_Meredith: thumbs,
	threejs_pirouette: eyes,
	univrm_vrm10viewer_motion: [],
	walk01_24fps: [],
	xsens_mvn_style_yxz: [],
	CesiumMan: [],
	KayKit_Med_MovementBasic: [],
	godot_mannequiny: [],
};

// A linear congruential generator, and names of letters that mean nothing.
function makeNamer(seed) {
	let value = seed;
	return () => {
		let name = '';
		for (let i = 0; i < 8; i++) {
			value = (Math.imul(value, 1664525) + 1013904223) >>> 0;
			name += 'bkqvxz'[Math.floor((value / 2 ** 32) * 6)];
		}
		return name;
	};
}

function without(bones, missing) {
	return bones.filter((bone) => !missing.includes(bone)).sort();
}

test('finds BVH joints with any names', { skip }, () => {
	for (const path of bvhs.filter((file) => told[named(file)])) {
		const name = makeNamer(1);
		const renamed = write(folder, `${named(path)}.bvh`, readFileSync(path, 'latin1')
			.replace(/(ROOT|JOINT)([ \t]+)\S+/g, (_, kind, space) => `${kind}${space}${name()}`));
		const [motion, known] = [renamed, path].map((file) =>
			runJson(jointcast, 'inspect', file).motions[0]);
		assert.equal(motion.family, 'structure', named(path));
		assert.ok(motion.confidence > 0.8 && motion.confidence <= 0.9, named(path));
		assert.deepEqual([...motion.bones].sort(), without(known.bones, told[named(path)]), named(path));
		// The same joints: the same poses.
		const [poses, expected] = [renamed, path].map((file) => runJson(jointcast, 'retarget', file,
			'humanoid', '--times', '0,0.4').frames);
		poses.forEach(({ bones }, i) => motion.bones.forEach((bone) => {
			const [a, b] = [bones[bone].worldPosition, expected[i].bones[bone].worldPosition];
			const off = Math.hypot(...a.map((v, k) => v - b[k]));
			assert.ok(off < 0.01, `${named(path)}: ${bone} is ${off} m elsewhere`);
		}));
	}
});

test('finds glTF joints with any names', { skip }, () => {
	for (const path of glbs.filter((file) => told[named(file)])) {
		const name = makeNamer(2);
		const file = readFileSync(path);
		const length = file.readUInt32LE(12);
		const json = JSON.parse(file.subarray(20, 20 + length).toString());
		json.nodes.forEach((node) => { node.name = name(); });
		const text = Buffer.from(JSON.stringify(json));
		const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
		const head = Buffer.from(file.subarray(0, 20));
		head.writeUInt32LE(padded.length, 12);
		head.writeUInt32LE(file.length - length + padded.length, 8);
		const renamed = `${folder}/${named(path)}.glb`;
		writeFileSync(renamed, Buffer.concat([head, padded, file.subarray(20 + length)]));
		const [skeleton, known] = [renamed, path].map((at) =>
			runJson(jointcast, 'inspect', at).skeletons[0]);
		const nodes = ({ bones }) => Object.fromEntries(Object.entries(bones)
			.map(([bone, { node }]) => [bone, node]));
		assert.equal(skeleton.family, 'structure', named(path));
		assert.deepEqual(nodes(skeleton), nodes(known), named(path));
	}
});
