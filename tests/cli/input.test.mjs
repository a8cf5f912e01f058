// Unusable inputs are refused with one line that names the file, without a crash.
import assert from 'node:assert/strict';
import { mkdirSync, openSync, ftruncateSync, closeSync, symlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { bodyFrames } from './body_frames.mjs';
import { bvh, descriptor, glb, scratch, vrm, write } from './files.mjs';
import { dataFiles, failure, jointcast, run } from './tool.mjs';

const folder = scratch('input');

function refused(name, content, status = 1) {
	const path = write(folder, name, content);
	assert.equal(failure(run(jointcast, 'inspect', path), status, path), '', name);
	assert.equal(failure(run(jointcast, 'retarget', 'demo:walk', path), status, path), '',
		`${name} as a skeleton`);
	assert.equal(failure(run(jointcast, 'retarget', path, 'humanoid'), status, path), '',
		`${name} as a motion`);
}

const accepted = (path) => {
	const { status, stderr } = run(jointcast, 'inspect', path);
	assert.equal(`${status} ${stderr}`, '0 ');
};

test('accepts the valid files from which the damaged ones are made', () => {
	accepted(write(folder, 'good.bvh', bvh));
	accepted(write(folder, 'good.jsonl', bodyFrames(3)));
	accepted(write(folder, 'good.json', JSON.stringify(descriptor)));
	accepted(write(folder, 'good.vrm', glb(vrm())));
	accepted(write(folder, 'good.gltf', JSON.stringify(vrm())));
});

test('missing and unreadable files end with status 3', () => {
	const missing = join(folder, 'missing.bvh');
	rmSync(missing, { force: true });
	mkdirSync(join(folder, 'folder.vrm'), { recursive: true });
	for (const path of [missing, join(folder, 'folder.vrm'), join(folder, 'good.bvh', 'below')]) {
		assert.equal(failure(run(jointcast, 'inspect', path), 3, path), '');
		assert.equal(failure(run(jointcast, 'retarget', path, 'humanoid'), 3, path), '');
		assert.equal(failure(run(jointcast, 'retarget', 'demo:walk', path), 3, path), '');
		assert.equal(failure(run(jointcast, 'bench', 'retarget', path), 3, path), '');
	}
});

test('refuses a file above the maximum size without reading it', () => {
	const path = join(folder, 'sparse.bvh');
	const file = openSync(path, 'w');
	ftruncateSync(file, 256 * 2 ** 20 + 1);
	closeSync(file);
	const result = run(jointcast, 'inspect', path);
	rmSync(path);
	assert.equal(failure(result, 1, path), '');
	assert.match(result.stderr, /larger than 256 MiB/);
});

test('refuses empty files and unknown formats', () => {
	refused('empty', '');
	refused('blank', ' \r\n\t \n');
	refused('bom', '\ufeff');
	refused('zeros', Buffer.alloc(4096));
	refused('text.txt', 'Lorem ipsum dolor sit amet\n');
	refused('bytes.bin', Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 167 + 13) % 256)));
});

test('refuses files truncated at any byte', () => {
	const text = JSON.stringify(descriptor);
	const frames = bodyFrames(3);
	const binary = glb(vrm());
	for (const part of [0.1, 0.3, 0.5, 0.7, 0.9, 0.97]) {
		refused(`cut_${part}.bvh`, bvh.slice(0, Math.floor(bvh.length * part)));
		refused(`cut_${part}.jsonl`, frames.slice(0, Math.floor(frames.length * part)));
		refused(`cut_${part}.json`, text.slice(0, Math.floor(text.length * part)));
		refused(`cut_${part}.vrm`, binary.subarray(0, Math.floor(binary.length * part)));
	}
	refused('head.vrm', binary.subarray(0, 12));
});

test('refuses containers with wrong lengths', () => {
	refused('long.vrm', glb(vrm(), { length: 0xffffffff }));
	refused('chunk.vrm', glb(vrm(), { chunkLength: 0xfffffffc }));
	refused('none.vrm', glb(vrm(), { chunkLength: 0 }));
	refused('version.vrm', glb(vrm(), { version: 7 }));
});

test('refuses invalid numbers', () => {
	for (const word of ['nan', 'NaN', 'inf', '-inf', '1e999', '0x10', 'ten']) {
		refused(`${word}.bvh`, bvh.replace('OFFSET 0 20 0', `OFFSET 0 ${word} 0`));
		refused(`${word}_data.bvh`, bvh.replace('\n0 100 0 ', `\n0 ${word} 0 `));
		const text = JSON.stringify(descriptor).replace('[0,0.2,0]', `[0,${word},0]`);
		refused(`${word}.json`, text);
		refused(`${word}.vrm`, glb(JSON.stringify(vrm()).replace('[0,0.2,0]', `[0,${word},0]`)));
	}
	for (const word of ['nan', '1e999', 'null', '1e7', '"1"']) {
		refused(`${word}.jsonl`, bodyFrames(3).replace('[0,0.96,0,', `[0,${word},0,`));
	}
	refused('negative.bvh', bvh.replace('Frames: 5', 'Frames: -5'));
	refused('many.bvh', bvh.replace('Frames: 5', 'Frames: 99999999999999999999'));
	refused('time.bvh', bvh.replace('Frame Time: 0.5', 'Frame Time: nan'));
});

test('refuses invalid hierarchies', () => {
	const nodes = (change) => ({ ...descriptor, nodes: descriptor.nodes.map(change) });
	refused('self.json', JSON.stringify(nodes((node, i) => (i === 2 ? { ...node, parent: 2 } : node))));
	refused('cycle.json', JSON.stringify(nodes((node, i) => (i === 0 ? { ...node, parent: 6 } : node))));
	refused('range.json', JSON.stringify(nodes((node, i) => (i === 3 ? { ...node, parent: 99 } : node))));
	const children = (index, list) => vrm({ nodes: vrm().nodes.map((node, i) =>
		(i === index ? { ...node, children: list } : node)) });
	refused('cycle.vrm', glb(children(2, [0])));
	refused('self.vrm', glb(children(2, [2])));
	refused('two_parents.vrm', glb(children(0, [1, 2])));
	refused('range.vrm', glb(children(2, [3])));
});

test('refuses unlimited nesting', () => {
	const depth = 200000;
	refused('deep.json', '{"nodes":'.repeat(depth));
	refused('deep_array.json', `{"nodes":${'['.repeat(depth)}${']'.repeat(depth)},"bones":{}}`);
	refused('deep.bvh', `HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 0\n${
		'JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 0\n'.repeat(depth)}`);
	const chain = Array.from({ length: 5000 }, (_, i) => (i < 4999 ? { children: [i + 1] } : {}));
	refused('chain.vrm', glb(vrm({ nodes: chain })));
});

test('refuses skeletons without a humanoid', () => {
	refused('plain.gltf', JSON.stringify({ asset: { version: '2.0' }, nodes: [{ name: 'cube' }] }));
	refused('boneless.json', JSON.stringify({ ...descriptor, bones: {} }));
	refused('object.json', '{}');
	const link = (inner) => `JOINT link\n{\nOFFSET 0 20 0\nCHANNELS 1 Xrotation\n${inner}}\n`;
	refused('robot.bvh', `HIERARCHY\nROOT base\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\n${
		link(link(link('End Site\n{\nOFFSET 0 5 0\n}\n')))}}\nMOTION\nFrames: 1\nFrame Time: 1\n0 0 0 0\n`);
	refused('twice.json', JSON.stringify({ ...descriptor, bones: { hips: 1, spine: 1 } }));
});

test('refuses a motion as skeleton and a skeleton as motion', () => {
	const motion = write(folder, 'motion.bvh', bvh);
	const skeleton = write(folder, 'skeleton.json', JSON.stringify(descriptor));
	assert.equal(failure(run(jointcast, 'retarget', skeleton, 'humanoid'), 1, skeleton), '');
	assert.equal(failure(run(jointcast, 'retarget', 'demo:walk', motion), 1, motion), '');
	for (const name of ['demo:', 'demo:fly', 'demo:../walk']) {
		assert.equal(failure(run(jointcast, 'retarget', name, 'humanoid'), 1, name), '');
	}
});

test('refuses an index beyond the last item of a file', () => {
	const motion = write(folder, 'motion.bvh', bvh);
	const skeleton = write(folder, 'skeleton.json', JSON.stringify(descriptor));
	const attempt = (name, ...parameters) =>
		assert.equal(failure(run(jointcast, 'retarget', ...parameters), 1, name), '');
	attempt(motion, motion, 'humanoid', '--motion-index', '1');
	attempt(skeleton, 'demo:walk', skeleton, '--skeleton-index', '1');
	attempt('demo:walk', 'demo:walk', 'humanoid', '--motion-index', '1');
	attempt('humanoid', 'demo:walk', 'humanoid', '--skeleton-index', '1');
});

test('a file name with control characters does not break the line', () => {
	const path = join(folder, 'two\nlines\u001b[31m');
	const { status, stderr } = run(jointcast, 'inspect', path);
	assert.equal(status, 3);
	assert.match(stderr, /^jointcast: [^\n\u001b]*two\?lines\?\[31m: [^\n\u001b]*\n$/);
});

test('reads a pipe like a file', () => {
	const path = write(folder, 'piped.bvh', bvh);
	const { status, stdout } = run('/bin/sh', '-c', `cat '${path}' | '${jointcast}' inspect /dev/stdin`);
	assert.equal(status, 0);
	assert.match(stdout, /motion 0: bvh/);
});

test('reads a recording from a pipe', () => {
	const path = join(folder, 'piped.mcap');
	const through = (command) => run('/bin/sh', '-c', `cat '${path}' | '${jointcast}' ${command}`);
	assert.equal(run(jointcast, 'convert', 'demo:walk', path).status, 0);
	assert.match(through('inspect /dev/stdin').stdout, /motion 0: recording 'walk'/);
	const poses = through(`retarget /dev/stdin humanoid --times 0.5 --json`);
	assert.equal(poses.status, 0, poses.stderr);
	assert.equal(poses.stdout, run(jointcast, 'retarget', path, 'humanoid', '--times', '0.5', '--json').stdout);
});

// The inverse bind matrices of a skin are in an external buffer. If the tool must not read the
// buffer, they are treated as missing.
test('reads external buffers only from the folder of the file', () => {
	const inner = join(folder, 'gltf');
	mkdirSync(join(inner, 'sub'), { recursive: true });
	const bytes = Buffer.alloc(3 * 64);
	for (let joint = 0; joint < 3; joint++) {
		[0, 5, 10, 15].forEach((i) => bytes.writeFloatLE(1, 64 * joint + 4 * i));
	}
	write(inner, 'here.bin', bytes);
	write(join(inner, 'sub'), 'below.bin', bytes);
	const outside = write(folder, 'outside.bin', bytes);
	rmSync(join(inner, 'link.bin'), { force: true });
	symlinkSync(outside, join(inner, 'link.bin'));
	const lint = (uri) => {
		const path = write(inner, 'model.gltf', JSON.stringify(vrm({
			buffers: [{ uri, byteLength: bytes.length }],
			bufferViews: [{ buffer: 0, byteLength: bytes.length }],
			accessors: [{ bufferView: 0, componentType: 5126, type: 'MAT4', count: 3 }],
			skins: [{ joints: [0, 1, 2], inverseBindMatrices: 0 }],
		})));
		const { status, stdout, stderr } = run(jointcast, 'inspect', path, '--json');
		assert.equal(`${status} ${stderr}`, '0 ', uri);
		return JSON.parse(stdout).skeletons[0].lint.map(({ code }) => code).sort().join();
	};
	const read = lint('here.bin');
	const unread = lint('nowhere.bin');
	assert.notEqual(read, unread, 'the reader tells buffers that are missing');
	assert.equal(lint('sub/below.bin'), read);
	assert.equal(lint('./here.bin'), read);
	for (const uri of ['../outside.bin', 'sub/../../outside.bin', outside, `file://${outside}`,
		'link.bin', 'sub', '..', '%2e%2e/outside.bin', 'sub/..%2f..%2foutside.bin', '.\\here.bin']) {
		assert.equal(lint(uri), unread, uri);
	}
});

test('refuses the damaged files of the public data', (t) => {
	const broken = dataFiles('vrm', '.vrm').filter((path) => path.includes('broken_'));
	if (broken.length === 0) {
		t.skip('the public data is not there');
		return;
	}
	for (const path of broken) {
		const result = run(jointcast, 'inspect', path);
		if (result.status !== 0) {
			assert.equal(failure(result, 1, path), '');
		}
	}
	assert.notEqual(run(jointcast, 'inspect', broken.find((path) => path.includes('empty'))).status, 0);
});
