// Recordings that attack the reader. Each is refused with one line, and nothing above the limits of
// a recording is decompressed.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { scratch } from './files.mjs';
import { jointcast, run } from './tool.mjs';

const folder = scratch('hostile-recordings');
const whole = join(folder, 'whole.mcap');
assert.equal(run(jointcast, 'convert', 'demo:walk', whole).status, 0);

const CHUNK = 6;
const SIZE = 16; // offset of the uncompressed size in a chunk
const PACKED = SIZE + 8 + 4 + 4 + 'zstd'.length + 8;

/** The recording with every chunk changed in place. */
function changed(name, change) {
	const bytes = readFileSync(whole);
	let chunks = 0;
	for (let at = 8; at < bytes.length - 8;) {
		const length = Number(bytes.readBigUInt64LE(at + 1));
		if (bytes[at] === CHUNK) {
			change(bytes.subarray(at + 9, at + 9 + length));
			chunks++;
		}
		at += 9 + length;
	}
	assert.ok(chunks > 3);
	const path = join(folder, `${name}.mcap`);
	writeFileSync(path, bytes);
	return path;
}

/** A zstd frame of zeros without end: as many runs of 128 KiB as there is room for. */
function bomb(chunk, says) {
	chunk.writeBigUInt64LE(says, SIZE);
	chunk.writeUInt32LE(0, SIZE + 8); // no CRC
	const packed = chunk.subarray(PACKED);
	packed.fill(0);
	packed.set([0x28, 0xb5, 0x2f, 0xfd, 0xa0]);
	packed.writeUInt32LE(Number(says & 0xffffffffn), 5);
	for (let at = 9; at + 4 <= packed.length; at += 4)
		packed.set([0x02 | ((0x1ffff << 3) & 0xff), (0x1ffff >> 5) & 0xff, 0x0f, 0], at);
}

const MIB = 1n << 20n;
for (const [name, change, said] of [
	['says-a-tebibyte', (chunk) => chunk.writeBigUInt64LE(1n << 40n, SIZE), /a chunk of more than 64 MiB/],
	['says-more-than-it-has', (chunk) => chunk.writeBigUInt64LE(60n * MIB, SIZE), /chunk/],
	['bomb-of-what-may-be', (chunk) => bomb(chunk, 60n * MIB), /chunk|record/],
	['bomb-of-more', (chunk) => bomb(chunk, 1000n * MIB), /a chunk of more than 64 MiB/],
	['no-zstd', (chunk) => chunk.fill(0xff, PACKED), /chunk/],
])
	test(`refuses ${name} in one line`, () => {
		const path = changed(name, change);
		for (const parameters of [['inspect', path], ['convert', path, join(folder, 'out.bvh')],
			['retarget', path, 'humanoid', '--times', '0']]) {
			const { status, stdout, stderr } = run(jointcast, ...parameters);
			assert.equal(status, 1, stderr);
			assert.equal(stdout, '');
			assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
			assert.match(stderr, said);
		}
	});

test('loses only the contents of a damaged chunk', () => {
	let count = 0;
	const path = changed('one', (chunk) => {
		if (++count === 3)
			chunk.writeBigUInt64LE(1n << 40n, SIZE);
	});
	const { status, stdout, stderr } = run(jointcast, 'inspect', path);
	assert.equal(status, 0, stderr);
	assert.match(stdout, /1 part of the recording damaged, left out/);
	assert.match(stdout, /recording 'walk'/);
	const out = join(folder, 'rest.bvh');
	const converted = run(jointcast, 'convert', path, out);
	assert.equal(converted.status, 0);
	assert.equal(converted.stderr, `jointcast: ${path}: 1 part of the recording damaged, left out\n`);
	assert.match(readFileSync(out, 'utf8'), /^HIERARCHY/);
});
