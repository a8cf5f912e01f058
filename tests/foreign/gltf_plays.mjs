// Do Blender and Godot 3 play what `jointcast convert` writes? Both import the file and show where
// each bone is at the frames of the motion; `jointcast retarget` says where it should be. Figures
// made by jointcast, avatars of our own making with --avatar, and the public ones.
//
// usage: gltf_plays.mjs JOINTCAST FOLDER [AVATAR…]     (files of our own go to FOLDER)
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataFiles, degreesBetween, run, runJson } from '../cli/tool.mjs';
import { writeRandomMotion } from '../oracle/random_motion.mjs';
import { makeFigures } from '../oracle/rested_figures.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const degreesAllowed = 0.01;
const metresAllowed = 1e-4; // Blender and Godot print six digits, and keep centimetres
const framesCompared = 20;
const longest = 120000; // milliseconds for one program; a quiet machine needs 3 seconds

// Runs a program until it ends, or until `isDone`, which gets what it printed: Godot's server often
// hangs when it should end. Returns what it printed.
async function runUntil(isDone, program, args, environment = {}) {
	const child = spawn(program, args, { env: { ...process.env, ...environment } });
	let text = '';
	const ended = new Promise((resolve, reject) => {
		child.on('error', ({ message }) => reject(new Error(`${program}: ${message}; tests/foreign/install.sh installs it`)));
		child.on('close', resolve);
	});
	[child.stdout, child.stderr].forEach((stream) => stream.on('data', (bytes) => { text += bytes; }));
	const started = Date.now();
	const timer = setInterval(() => (isDone(text) || Date.now() - started > longest) && child.kill('SIGKILL'), 100);
	await ended.finally(() => clearInterval(timer));
	return text;
}

async function findPoses(...command) {
	const text = await runUntil((printed) => /^poses .*\n/m.test(printed), ...command);
	const line = text.split('\n').find((candidate) => candidate.startsWith('poses '));
	return { poses: line && JSON.parse(line.slice(6)), text: text.slice(-500) };
}

function playInBlender(path, animation, times) {
	return findPoses('blender', ['-b', '--factory-startup', '-P', join(here, 'blender_poses.py'), '--', path, animation, times.join()]);
}

// Godot bakes an animation at a fixed rate when it imports it, 15 a second unless the project says
// otherwise, and then removes keys; here it bakes at the rate of the motion and keeps all.
async function playInGodot(path, animation, times, fps, folder) {
	const project = join(folder, 'godot');
	const home = { HOME: join(folder, 'home'), LC_ALL: 'C.UTF-8' };
	rmSync(project, { recursive: true, force: true });
	[project, home.HOME].forEach((name) => mkdirSync(name, { recursive: true }));
	cpSync(path, join(project, 'figure.glb'));
	cpSync(join(here, 'godot_poses.gd'), join(project, 'godot_poses.gd'));
	writeFileSync(join(project, 'project.godot'), `config_version=4
[importer_defaults]
scene={
"animation/fps": ${fps.toFixed(6)},
"animation/optimizer/enabled": false
}
`);
	const imported = join(project, '.import');
	await runUntil(() => existsSync(imported) && readdirSync(imported).some((name) => name.endsWith('.md5')),
		'godot3-server', ['--path', project, '--editor', '--quit'], home);
	return findPoses('godot3-server', ['--path', project, '-s', 'godot_poses.gd', animation, times.join()], home);
}

// Godot changes names: of bones left.Hand.01 becomes left_hand_1, of nodes leftHand01. A mesh may
// have nearly the same name as a bone.
const plain = (name) => name.toLowerCase().replace(/[^a-z0-9]/g, '').replace(/0+(?=[1-9])/g, '');
const shortened = (name) => name.replace(/[^A-Za-z0-9]/g, '');

function find(name, { bones, nodes }) {
	for (const group of [bones, nodes]) {
		const like = Object.keys(group).filter((other) => plain(other) === plain(name));
		const found = like.find((other) => other === name) ?? like.find((other) => shortened(other) === shortened(name)) ?? like[0];
		if (found) {
			return group[found];
		}
	}
	throw new Error(`no bone '${name}'`);
}

function compare({ frames, skeleton }, poses) {
	const names = Object.entries(skeleton.bones).map(([bone, { name }]) => [bone, name]);
	let [degrees, metres] = [0, 0];

	frames.forEach(({ bones }, i) => names.forEach(([bone, name]) => {
		const { worldRotation, worldPosition } = bones[bone];
		const node = find(name, poses[i]);
		degrees = Math.max(degrees, degreesBetween(worldRotation, node.rotation));
		metres = Math.max(metres, Math.hypot(...worldPosition.map((value, k) => value - node.position[k])));
	}));
	return { degrees, metres, compared: names.length };
}

function lastAnimation(path) {
	const file = readFileSync(path);
	return JSON.parse(file.toString('utf8', 20, 20 + file.readUInt32LE(12))).animations.at(-1).name;
}

async function play(jointcast, motion, options, skeleton, folder) {
	const path = join(folder, 'played.glb');
	const { status, stderr } = run(jointcast, 'convert', motion, path, ...options);
	if (status !== 0) {
		throw new Error(stderr);
	}
	const expected = runJson(jointcast, 'retarget', motion, skeleton ?? path);
	const { fps } = expected.motion;
	const step = Math.ceil(expected.frames.length / framesCompared);
	expected.frames = expected.frames.filter((_, i) => i % step === 0);
	const times = expected.frames.map(({ t }) => t);
	let good = true;
	for (const [name, { poses, text }] of [['Blender', await playInBlender(path, lastAnimation(path), times)],
		['Godot', await playInGodot(path, lastAnimation(path), times, fps, folder)]]) {
		const what = `${motion.startsWith('demo:') ? motion : basename(motion)} ${options.map((option) => basename(option)).join(' ')}`;
		if (!poses) {
			console.log(`FAILED ${name} ${what}: ${text}`);
			good = false;
			continue;
		}
		const { degrees, metres, compared } = compare(expected, poses);
		const agrees = degrees <= degreesAllowed && metres <= metresAllowed;
		console.log(`${agrees ? 'ok    ' : 'FAILED'} ${name.padEnd(7)} ${degrees.toExponential(1)} degrees, `
			+ `${metres.toExponential(1)} m, ${compared} bones  ${what}`);
		good &&= agrees;
	}
	return good;
}

async function main([jointcast, folder, ...files]) {
	mkdirSync(folder, { recursive: true });
	const random = join(folder, 'random.bvh');
	writeRandomMotion(random, framesCompared, 31);
	const avatars = (files.length ? files : [...makeFigures(folder), ...dataFiles('vrm', '.vrm'), ...dataFiles('gltf', '.glb')])
		.filter((path) => existsSync(path) && run(jointcast, 'retarget', 'demo:wave', path, '--times', '0').status === 0);
	const results = [];
	for (const [motion, ...options] of files.length ? [] : [['demo:walk'], ['demo:wave', '--bone-axes', 'child'], [random]]) {
		results.push(await play(jointcast, motion, options, null, folder));
	}
	for (const avatar of avatars) {
		results.push(await play(jointcast, random, ['--avatar', avatar], avatar, folder));
	}
	return results.every(Boolean) ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
