// Tests that FBX files are read as their formula has it, and that a hostile one costs one line.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { about } from '../figures/arithmetic.mjs';
import { anyDegrees, body, fbxText, makeFigure, orders, poseAt, swing } from './fbx_files.mjs';
import { scratch, write } from './files.mjs';
import { degreesBetween, failure, jointcast, run, runJson } from './tool.mjs';

const folder = scratch('fbx');
const isBuilt = process.env.JOINTCAST_FBX === '1';
const skip = isBuilt ? false : 'built without libassimp (-DJC_FBX=OFF)';
const any = (salt, size) => (bone) => anyDegrees(bone, salt, size);
const anyOrder = (bone) => orders[bone.length % orders.length];
const distance = (a, b) => Math.hypot(...a.map((v, i) => v - b[i]));

// Retargets the motion of a file to the skeleton of the same file: every bone must stand where the
// formula places it. The pose of a motion has no lengths of bones, so a file whose pivots change
// them is compared by rotations.
function assertAgrees(name, change, { take = 0, places = true, bones } = {}) {
	const figure = makeFigure(change);
	const path = write(folder, `${name}.fbx`, fbxText(figure));
	const { rate, keys } = figure.takes[take];
	const times = [0, 1, keys >> 1, keys - 1].map((key) => key / rate);
	const result = runJson(jointcast, 'retarget', path, path, '--motion-index', `${take}`,
		'--times', times.join(), ...(bones ? ['--bones', bones, '--skeleton-bones', bones] : []));
	assert.equal(result.frames.length, times.length);
	result.frames.forEach((frame, i) => {
		const expected = poseAt(figure, figure.takes[take], times[i]);
		assert.deepEqual(Object.keys(frame.bones).sort(), Object.keys(expected).sort());
		for (const [bone, wanted] of Object.entries(expected)) {
			const found = frame.bones[bone];
			const where = `${name}: ${bone} at ${times[i]} s`;
			assert.ok(degreesBetween(found.rotation, wanted.rotation) < 1e-3, `${where}: local rotation`);
			assert.ok(degreesBetween(found.worldRotation, wanted.worldRotation) < 1e-3,
				`${where}: world rotation`);
			if (places) {
				assert.ok(distance(found.worldPosition, wanted.worldPosition) < 1e-5,
					`${where}: ${found.worldPosition} is not ${wanted.worldPosition}`);
			}
		}
	});
	return { path, result };
}

test('Mixamo: centimetres, +Y up, pre-rotations', { skip }, () => {
	const { path } = assertAgrees('mixamo', { pre: any(1, 70) });
	const { skeletons: [skeleton], motions: [motion] } = runJson(jointcast, 'inspect', path);
	assert.equal(skeleton.format, 'fbx');
	assert.equal(skeleton.family, 'mixamo');
	assert.equal(Object.keys(skeleton.bones).length, body.length);
	assert.ok(Math.abs(skeleton.hipsHeight - 0.9) < 1e-5, 'the hips are 90 cm above the toes');
	assert.equal(motion.format, 'fbx');
	assert.equal(motion.name, 'Take 001');
	assert.equal(motion.frames, 11);
	assert.ok(Math.abs(motion.fps - 30) < 1e-4);
	assert.match(run(jointcast, 'inspect', path).stdout, /^skeleton 0: fbx ''$/m);
});

test('3ds Max: inches, +Z up, every order of rotations, post-rotations', { skip }, () => {
	assertAgrees('inches', { unit: 2.54, up: [2, 1], front: [1, -1], axes: about([1, 0, 0], -90),
		pre: any(1, 70), post: any(2, 50), order: anyOrder });
});

test('the up axis +X, and metres', { skip }, () => {
	assertAgrees('x_up', { unit: 100, up: [0, 1], right: [1, -1], axes: about([0, 0, 1], 90),
		pre: any(4, 70) });
});

test('pivots and offsets', { skip }, () => {
	assertAgrees('pivots', { pre: any(1, 70), post: any(2, 50), order: anyOrder,
		pivot: (bone) => ({ offset: any(4, 3)(bone), pivot: any(5, 6)(bone), scalingOffset: any(6, 2)(bone) }) },
	{ places: false });
});

test('several takes, one of which starts late; the hips travel', { skip }, () => {
	const takes = [
		{ name: 'Walk', start: 0, keys: 7, rate: 30, angles: swing, way: (s) => [40 * s, 0, 90 * s] },
		{ name: 'Turn', start: 12.5, keys: 13, rate: 24, angles: (bone, s) => swing(bone, s + 1),
			way: (s) => [0, 10 * s, -5 * s] },
	];
	assertAgrees('takes', { pre: any(1, 70), takes });
	const { result } = assertAgrees('takes', { pre: any(1, 70), takes }, { take: 1 });
	assert.equal(result.motion.name, 'Turn');
	assert.ok(Math.abs(result.motion.duration - 0.5) < 1e-6);
});

test('the bind pose of a mesh is the rest pose, in whatever pose the nodes stand', { skip }, () => {
	const { path, result } = assertAgrees('skin',
		{ pre: any(1, 70), order: anyOrder, skin: true, nodeRotation: any(9, 30) });
	for (const { name: bone, at } of body) {
		assert.ok(distance(result.skeleton.bones[bone].restWorldPosition, at) < 1e-5, bone);
	}
	assert.equal(runJson(jointcast, 'inspect', path).skeletons[0].name, 'Body');
});

test('angles without curves are those of the node', { skip }, () => {
	const angles = (bone, s) => swing(bone, s).map((d, i) => (i === bone.length % 3 ? d : any(9, 30)(bone)[i]));
	assertAgrees('sparse', { pre: any(1, 70), order: anyOrder, skin: true, nodeRotation: any(9, 30), isSparse: true,
		takes: [{ name: 'Sparse', start: 0, keys: 7, rate: 30, angles, way: () => [0, 0, 0] }] });
});

test('a bone map names joints that no family has', { skip }, () => {
	const change = { name: (bone) => `n${body.findIndex(({ name }) => name === bone)}`, pre: any(1, 70) };
	const lines = body.map(({ name }) => `${name} = ${change.name(name)}`);
	assertAgrees('mapped', change, { bones: write(folder, 'mapped.txt', lines.join('\n')) });
});

test('curves that turn further than half a circle between two keys', { skip }, () => {
	const figure = makeFigure({ takes: [{ name: 'Spin', start: 0, keys: 2, rate: 1,
		angles: (bone, s) => [0, bone === 'head' ? 720 * s : 0, 0], way: () => [0, 0, 0] }] });
	const path = write(folder, 'spin.fbx', fbxText(figure));
	const times = [0, 0.125, 0.25, 0.5, 0.625, 1];
	const { frames } = runJson(jointcast, 'retarget', path, path, '--times', times.join());
	frames.forEach((frame, i) => assert.ok(
		degreesBetween(frame.bones.head.rotation, about([0, 1, 0], 720 * times[i])) < 0.01, `${times[i]}`));
});

test('angles of frames that change their form keep the frame rate and the short way', { skip }, () => {
	const wrapped = (degrees) => ((degrees + 180) % 360) - 180;
	const figure = makeFigure({ pre: any(1, 70), takes: [{ name: 'Wrap', start: 0, keys: 31, rate: 30,
		angles: (bone, s) => [0, bone === 'head' ? wrapped(100 + 300 * s) : 10 * s, 0], way: () => [0, 0, 0] }] });
	const path = write(folder, 'wrap.fbx', fbxText(figure));
	const [motion] = runJson(jointcast, 'inspect', path).motions;
	assert.ok(Math.abs(motion.fps - 30) < 1e-3, `${motion.fps}`);
	assert.equal(motion.frames, 31);
	const { frames } = runJson(jointcast, 'retarget', path, path, '--times',
		Array.from({ length: 60 }, (_, i) => i / 60).join());
	frames.slice(1).forEach((frame, i) => {
		const step = degreesBetween(frame.bones.head.rotation, frames[i].bones.head.rotation);
		assert.ok(Math.abs(step - 5) < 0.05, `${i / 60} s: ${step}`);
	});
});

test('every command reads it: convert, lint, measure', { skip }, () => {
	const path = write(folder, 'commands.fbx', fbxText(makeFigure({ pre: any(1, 70) })));
	const out = `${folder}/commands.bvh`;
	assert.equal(run(jointcast, 'convert', path, out).status, 0);
	const [a, b] = [path, out].map((file) => runJson(jointcast, 'retarget', file, 'humanoid', '--times', '0.2'));
	for (const [bone, { normalized }] of Object.entries(b.frames[0].bones)) {
		assert.ok(degreesBetween(normalized, a.frames[0].bones[bone].normalized) < 1e-3, bone);
	}
	const avatar = run(jointcast, 'convert', 'demo:walk', `${folder}/avatar.glb`, '--avatar', path);
	assert.equal(failure(avatar, 1, path), '');
	assert.equal(run(jointcast, 'lint', path, '--fix', `${folder}/fixed.glb`).status, 0);
	assert.equal(runJson(jointcast, 'inspect', `${folder}/fixed.glb`).skeletons.length, 1);
	assert.equal(run(jointcast, 'measure', path, 'humanoid').status, 0);
});

test('an FBX file without a figure is refused with what is missing', { skip }, () => {
	const text = fbxText(makeFigure({ name: (bone) => `part ${bone.length}${bone.charCodeAt(4)}` }))
		.replace(/C: "OO",(\d+),(?!0$)\d+$/gm, (line, id) => (id < 1100 ? `C: "OO",${id},0` : line));
	const path = write(folder, 'scene.fbx', text);
	const result = run(jointcast, 'inspect', path);
	assert.equal(failure(result, 1, path), '');
	assert.match(result.stderr, /no humanoid/);
	assert.doesNotMatch(result.stderr, /KHR_virtual_transform/);
});

test('two moved nodes of one name, a unit of zero and equal axes are refused', { skip }, () => {
	const text = fbxText(makeFigure({}));
	for (const [name, broken, reason] of [
		['twins', text.replaceAll('Model::mixamorig:RightHand"', 'Model::mixamorig:LeftHand"'),
			/moves two nodes with the name 'mixamorig:LeftHand'/],
		['no_unit', text.replace(/(UnitScaleFactor.*),1$/m, '$1,-1'), /UnitScaleFactor is -1/],
		['axes', text.replace(/("CoordAxis".*),0$/m, '$1,1'), /UpAxis and its CoordAxis/],
		['old', text.replace('FBXVersion: 7400', 'FBXVersion: 6100'), /libassimp: .*old format version/],
	]) {
		const path = write(folder, `${name}.fbx`, broken);
		const result = run(jointcast, 'inspect', path);
		assert.equal(failure(result, 1, path), '', name);
		assert.match(result.stderr, reason);
	}
});

test('a cut or damaged file ends with one line or is read', { skip }, () => {
	const text = Buffer.from(fbxText(makeFigure({ skin: true })));
	for (let i = 0; i < 16; i++) {
		const cut = text.subarray(0, Math.floor((text.length * (i + 0.5)) / 16));
		const damaged = Buffer.from(text);
		for (let k = 0; k < 40; k++) {
			damaged[(7919 * (i + 1) * (k + 3)) % damaged.length] = (31 * k + i) % 256;
		}
		for (const [name, bytes] of [['cut', cut], ['damaged', damaged]]) {
			const path = write(folder, `${name}${i}.fbx`, bytes);
			const result = run(jointcast, 'inspect', path);
			if (result.status !== 0) {
				assert.equal(failure(result, 1, path), '', `${name} ${i}`);
			}
		}
	}
});

// Runs inspect with another library in place of libassimp.
function inspectWith(library, path, environment = {}, limits = '') {
	const { status, signal, stdout, stderr } = spawnSync('sh',
		['-c', `${limits} exec "$0" inspect "$1"`, jointcast, path],
		{ encoding: 'utf8', env: { ...process.env, LD_LIBRARY_PATH: library, ...environment } });
	return { status: status ?? signal, stdout, stderr };
}

const deedFile = (deed) => write(folder, `${deed}.fbx`, `; FBX 7.4.0 project file\n; DEED ${deed}\n`);
const other = process.env.JOINTCAST_OTHER_ASSIMP;

test('without the library one line names its package', { skip }, () => {
	mkdirSync(`${folder}/none`, { recursive: true });
	writeFileSync(`${folder}/none/libassimp.so.5`, '');
	const path = deedFile('nothing');
	const result = inspectWith(`${folder}/none`, path);
	assert.equal(failure(result, 1, path), '');
	assert.match(result.stderr, /: FBX files need libassimp: apt install libassimp5$/m);
});

test('a library of another version, whose structs differ, is not used', { skip }, () => {
	const path = deedFile('nothing');
	const result = inspectWith(other, path, { OTHER_MINOR: '1' });
	assert.equal(failure(result, 1, path), '');
	assert.match(result.stderr, /with libassimp 5\.\d+, and 5\.99 is installed/);
});

test('the child of a program that ignores SIGCHLD has an exit status', { skip }, () => {
	const path = deedFile('exhaust');
	const result = inspectWith(other, path, {}, "trap '' CHLD;");
	assert.equal(failure(result, 1, path), '');
	assert.match(result.stderr, /needs more than 2048 MiB of memory/);
});

test('the child may crash, spin, flood and lie', { skip }, () => {
	for (const [deed, reason, limits] of [
		['abort', /libassimp stopped with signal \d+/],
		['spin', /seconds of processor time/, 'ulimit -S -t 1;'],
		['exhaust', /needs more than 2048 MiB of memory/],
		['flood', /larger than 256 MiB/],
		['garbage', /glTF|GLB|chunk|length/i],
		['silence', /empty/],
		['lines', /: first line\?second \?\[31mline$/m],
	]) {
		const path = deedFile(deed);
		const result = inspectWith(other, path, {}, limits);
		assert.equal(failure(result, 1, path), '', deed);
		assert.match(result.stderr, reason, deed);
	}
});

const hasFilter = ['x64', 'arm64', 'riscv64'].includes(process.arch);
test('the child cannot wait: it uses processor time until it is ended',
	{ skip: skip || (hasFilter ? false : 'no filter of system calls for this processor') }, () => {
		const path = deedFile('wait');
		const result = inspectWith(other, path, {}, 'ulimit -S -t 1;');
		assert.equal(failure(result, 1, path), '');
		assert.match(result.stderr, /seconds of processor time/);
	});

test('the child opens nothing, starts nothing and signals nobody',
	{ skip: skip || (hasFilter ? false : 'no filter of system calls for this processor') }, () => {
		const result = inspectWith(other, deedFile('reach'));
		assert.match(result.stderr, /: libassimp: could:$/m);
	});

test('the child has 2 GiB of memory',
	{ skip: skip || (process.env.JOINTCAST_SANITIZE ? 'sanitizers reserve terabytes' : false) }, () => {
		const result = inspectWith(other, deedFile('allocate'));
		assert.match(result.stderr, /: libassimp: allocated 2 GiB at most$/m);
	});

test('a program built without libassimp refuses FBX files in one line',
	{ skip: isBuilt ? 'built with libassimp' : false }, () => {
		const path = deedFile('nothing');
		const result = run(jointcast, 'inspect', path);
		assert.equal(failure(result, 1, path), '');
		assert.match(result.stderr, /built without FBX/);
	});
