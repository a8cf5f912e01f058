// Tests convert --scene: all of a recording is kept, the scene is added or replaced, and anything
// else is refused.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { scratch, write } from './files.mjs';
import { readMessages } from '../e2e/support/mcap_messages.mjs';
import { failure, jointcast, run, runJson } from './tool.mjs';

const folder = scratch('scene');
const walk = join(folder, 'walk.mcap');
assert.equal(run(jointcast, 'convert', 'demo:walk', walk).status, 0);

test('the copy has the same motion, and the same scene as a new recording', async () => {
	const copy = join(folder, 'copy.mcap');
	const { status, stdout, stderr } = run(jointcast, 'convert', walk, copy, '--scene');
	assert.deepEqual([status, stdout, stderr], [0, '', '']);
	assert.deepEqual(await readMessages(copy), await readMessages(walk));
	const frames = (file) => runJson(jointcast, 'retarget', file, 'humanoid', '--fps', '2').frames;
	assert.deepEqual(frames(copy), frames(walk));
});

test('a recording that is damaged or was not closed is refused without an output', () => {
	const bytes = readFileSync(walk);
	const to = join(folder, 'no.mcap');
	const torn = write(folder, 'torn.mcap', bytes.subarray(0, bytes.length / 2));
	const hurt = write(folder, 'hurt.mcap', Buffer.from(bytes).fill(0x55, bytes.length / 2, bytes.length / 2 + 100));
	const table = write(folder, 'table.csv', 'time,head.qx,head.qy,head.qz,head.qw\n0,0,0,0,1\n');
	for (const file of [torn, hurt, table]) {
		assert.equal(failure(run(jointcast, 'convert', file, to, '--scene'), 1, file), '');
	}
	assert.ok(!existsSync(to));
});

test('other options and other endings are wrong use', () => {
	const to = join(folder, 'kept.mcap');
	writeFileSync(to, 'kept');
	for (const parameters of [[walk, join(folder, 'no.csv'), '--scene'], [walk, to, '--scene', '--mirror'],
		[walk, to, '--scene', '--from', '1'], [walk, walk, '--scene']]) {
		assert.equal(failure(run(jointcast, 'convert', ...parameters), 2, 'convert'), '');
	}
	assert.equal(readFileSync(to, 'utf8'), 'kept');
});
