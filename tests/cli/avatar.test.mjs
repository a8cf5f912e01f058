// Tests convert --avatar: the avatar's file with one more animation. tests/oracle/avatar_agrees.mjs
// compares the animation with three.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { bvh, scratch, write } from './files.mjs';
import { failure, jointcast, run } from './tool.mjs';

const folder = scratch('avatar');
const walk = write(folder, 'source.bvh', bvh);
const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex');

// A figure in centimetres below a root with a matrix. Its buffer and one of its images are other
// files; an extension that jointcast does not know refers to a buffer view in its own way.
function writeFigure(place, changes = {}) {
	const node = (name, translation, children) => ({ name, translation, ...(children && { children }) });
	mkdirSync(join(place, 'my pictures'), { recursive: true });
	write(place, 'numbers.bin', Buffer.concat([Buffer.from(new Float32Array([0, 1, 0, 0, 0, 1, 0, 0, 1, 0]).buffer), Buffer.from('left alone..')]));
	write(join(place, 'my pictures'), 'skin.png', png);
	return write(place, 'figure.gltf', JSON.stringify({
		asset: { version: '2.0', generator: 'hand' }, scene: 0, scenes: [{ nodes: [0] }],
		nodes: [
			{ name: 'root', matrix: [0.01, 0, 0, 0, 0, 0.01, 0, 0, 0, 0, 0.01, 0, 0, 0, 0, 1], children: [1] },
			{ name: 'Hips', matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 100, 0, 1], children: [2, 5, 8] },
			node('Spine', [0, 20, 0], [3, 11, 14]), node('Neck', [0, 40, 0], [4]), node('Head', [0, 10, 0]),
			node('LeftUpLeg', [10, -5, 0], [6]), node('LeftLeg', [0, -45, 0], [7]), node('LeftFoot', [0, -45, 0], [17]),
			node('RightUpLeg', [-10, -5, 0], [9]), node('RightLeg', [0, -45, 0], [10]), node('RightFoot', [0, -45, 0], [18]),
			node('LeftArm', [20, 30, 0], [12]), node('LeftForeArm', [30, 0, 0], [13]), node('LeftHand', [25, 0, 0]),
			node('RightArm', [-20, 30, 0], [15]), node('RightForeArm', [-30, 0, 0], [16]), node('RightHand', [-25, 0, 0]),
			node('LeftToeBase', [0, -5, 12]), node('RightToeBase', [0, -5, 12]),
		],
		animations: [{ name: 'motion', samplers: [{ input: 0, output: 1 }], channels: [{ sampler: 0, target: { node: 4, path: 'rotation' } }] }],
		accessors: [{ bufferView: 0, componentType: 5126, type: 'SCALAR', count: 2, min: [0], max: [1] },
			{ bufferView: 1, componentType: 5126, type: 'VEC4', count: 2 }],
		bufferViews: [{ buffer: 0, byteLength: 8 }, { buffer: 0, byteOffset: 8, byteLength: 32 }, { buffer: 0, byteOffset: 40, byteLength: 12 }],
		buffers: [{ uri: 'numbers.bin', byteLength: 52 }],
		images: [{ uri: 'my%20pictures/skin.png', name: 'skin' }, { uri: 'gone.jpg' }],
		extensionsUsed: ['EXAMPLE_notes'], extensions: { EXAMPLE_notes: { table: 2 } }, ...changes }));
}

const figure = writeFigure(folder);
const open = (path) => JSON.parse(readFileSync(path));
const bytesOf = ({ buffers: [{ uri }], bufferViews }, view) => Buffer.from(uri.split(',')[1], 'base64')
	.subarray(bufferViews[view].byteOffset, bufferViews[view].byteOffset + bufferViews[view].byteLength);

test('--avatar keeps the file and adds an animation with a name of its own', () => {
	const out = join(scratch('avatar/elsewhere'), 'out.gltf');
	const { status, stdout, stderr } = run(jointcast, 'convert', walk, out, '--avatar', figure);
	assert.deepEqual([status, stdout], [0, '']);
	const [before, after] = [open(figure), open(out)];

	assert.deepEqual(after.animations.map(({ name }) => name), ['motion', 'motion 2']);
	assert.deepEqual(after.animations[0], before.animations[0]);
	assert.deepEqual(after.accessors.slice(0, 2), before.accessors);
	assert.deepEqual([after.asset, after.extensions], [before.asset, before.extensions]);
	assert.equal(bytesOf(after, 2).toString(), 'left alone..');
	// The buffer and the image that can be read are inside; the other image is reported.
	assert.match(after.buffers[0].uri, /^data:/);
	assert.deepEqual([after.images[0].name, after.images[0].mimeType, after.images[0].uri], ['skin', 'image/png', undefined]);
	assert.ok(bytesOf(after, after.images[0].bufferView).equals(png));
	assert.deepEqual(after.images[1], { uri: 'gone.jpg' });
	assert.equal(stderr, `jointcast: ${out}: the image 'gone.jpg' cannot be read and stays a file of its own\n`);
	// Only a node that moves gives up its matrix.
	assert.deepEqual(after.nodes[0], before.nodes[0]);
	assert.deepEqual(after.nodes[1], { name: 'Hips', children: [2, 5, 8], translation: [0, 100, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] });
});

test('the new name is the first that is free, also among very many', { timeout: 60000 }, () => {
	const names = ['motion 02', 'motion 3', 'motion 4 ', 'motion -2', 'motion', 'motion 18446744073709551618'];
	for (const [list, expected] of [[names, 'motion 2'], [[...names, 'motion 2'], 'motion 4'],
		[Array.from({ length: 150000 }, (_, i) => `motion${i ? ` ${i + 1}` : ''}`), 'motion 150001']]) {
		const path = writeFigure(scratch('avatar/names'), { animations: list.map((name) => ({ name, samplers: [], channels: [] })) });
		const out = join(folder, 'names.gltf');
		const { status, stderr } = run(jointcast, 'convert', walk, out, '--avatar', path);
		assert.equal(status, 0, stderr);
		assert.equal(open(out).animations.at(-1).name, expected);
	}
});

// source.bvh turns the spine by 0, 10, … 40 degrees about Y and moves the hips by 10 cm in each of
// its frames, half a second apart. The hips of both figures are 1 m over the soles: the
// end sites of the motion's feet, the toes of the avatar.
test('the animation holds a key for each frame of the motion, in the units of the avatar', () => {
	const out = join(folder, 'keys.gltf');
	assert.equal(run(jointcast, 'convert', walk, out, '--avatar', figure).status, 0);
	const document = open(out);
	const { channels, samplers } = document.animations[1];
	const values = (accessor) => {
		const bytes = bytesOf(document, document.accessors[accessor].bufferView);
		return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));
	};
	const keysOf = (node, path) => samplers[channels.find(({ target }) => target.node === node && target.path === path).sampler];
	const near = (seen, expected) => seen.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 1e-4, `${seen}`));

	near(values(keysOf(2, 'rotation').input), [0, 0.5, 1, 1.5, 2]);
	near(values(keysOf(2, 'rotation').output), [0, 1, 2, 3, 4].flatMap((i) => [0, Math.sin((i * Math.PI) / 36), 0, Math.cos((i * Math.PI) / 36)]));
	const hips = values(keysOf(1, 'translation').output);
	near([3, 6, 9, 12].map((i) => hips[i + 2] - hips[2]), [10, 20, 30, 40]);
	assert.ok(channels.every(({ target }) => target.node !== undefined && !target.extensions));
	assert.equal(new Set(channels.map(({ sampler }) => sampler)).size, samplers.length);
});

// Compressed bytes are nothing that jointcast reads: they are copied.
test('buffer views that are compressed with meshopt stay so', () => {
	const place = scratch('avatar/meshopt');
	const packed = (byteOffset, byteLength) => ({ EXT_meshopt_compression: { buffer: 0, byteOffset, byteLength, byteStride: 4, count: 8, mode: 'ATTRIBUTES' } });
	const compressed = writeFigure(place, {
		bufferViews: [{ buffer: 0, byteLength: 8 }, { buffer: 0, byteOffset: 8, byteLength: 32 },
			{ buffer: 1, byteLength: 30, extensions: packed(40, 4) }, { buffer: 1, byteOffset: 32, byteLength: 32, extensions: packed(44, 7) }],
		buffers: [{ uri: 'numbers.bin', byteLength: 52 }, { byteLength: 64, extensions: { EXT_meshopt_compression: { fallback: true } } }],
		extensionsUsed: ['EXT_meshopt_compression'], extensionsRequired: ['EXT_meshopt_compression'] });
	const out = join(place, 'out.gltf');
	assert.equal(run(jointcast, 'convert', walk, out, '--avatar', compressed).status, 0);
	const { buffers, bufferViews } = open(out);
	const bytes = Buffer.from(buffers[0].uri.split(',')[1], 'base64');

	assert.deepEqual(buffers[1], { byteLength: 64, extensions: { EXT_meshopt_compression: { fallback: true } } });
	assert.deepEqual([2, 3].map((i) => [bufferViews[i].buffer, bufferViews[i].byteOffset, bufferViews[i].byteLength]), [[1, 0, 30], [1, 32, 32]]);
	assert.deepEqual([2, 3].map((i) => {
		const { buffer, byteOffset, byteLength, ...others } = bufferViews[i].extensions.EXT_meshopt_compression;
		assert.deepEqual([buffer, others], [0, { byteStride: 4, count: 8, mode: 'ATTRIBUTES' }]);
		return bytes.toString('latin1', byteOffset, byteOffset + byteLength);
	}), ['left', ' alone.']);
});

test('a wrong use and an unusable avatar are one line', () => {
	for (const [options, line] of [[['x.bvh'], /--avatar is for \.glb and \.gltf only/],
		[['x.glb', '--skeleton', 'humanoid'], /--avatar and --skeleton exclude each other/],
		[['x.glb', '--bone-axes', 'child'], /--avatar and --bone-axes exclude each other/],
		[[figure], /would overwrite its own input/]]) {
		const { status, stderr } = run(jointcast, 'convert', walk, ...options, '--avatar', figure);
		assert.equal(status, 2);
		assert.match(stderr, line);
	}
	const out = join(folder, 'no.glb');
	const broken = writeFigure(scratch('avatar/broken'), { buffers: [{ uri: 'absent.bin', byteLength: 52 }] });
	const empty = write(folder, 'empty.gltf', '{"asset":{"version":"2.0"},"nodes":[{}]}');
	for (const avatar of [broken, empty, walk, `${figure}#1`]) {
		assert.equal(failure(run(jointcast, 'convert', walk, out, '--avatar', avatar), 1, avatar.replace(/#\d$/, '')), '', avatar);
	}
	assert.equal(failure(run(jointcast, 'convert', walk, out, '--avatar', 'absent.glb'), 3, 'absent.glb'), '');
	assert.throws(() => readFileSync(out));
});
