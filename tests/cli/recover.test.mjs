// Tests recover: a recording that ends anywhere is repaired, an unrecoverable one is refused without
// an output, and losses are reported in seconds.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { scratch, write } from './files.mjs';
import { smallMcap } from './mcap.mjs';
import { dataFiles, failure, jointcast, run } from './tool.mjs';

const folder = scratch('recover');
const out = join(folder, 'out.mcap');
// Two chunks of one second: messages at 0, 0.1, … 1.9 s.
const { bytes, chunks } = smallMcap();

function recover(path, ...options) {
	rmSync(out, { force: true });
	return run(jointcast, 'recover', path, '-o', out, ...options);
}

test('an undamaged file loses nothing', () => {
	const { status, stdout } = recover(write(folder, 'whole.mcap', bytes));
	assert.equal(status, 0);
	assert.equal(stdout, 'kept  1.900 s, 20 messages\nlost  nothing\n');
});

test('a repaired file is complete, and repairing it again changes nothing', () => {
	assert.equal(recover(write(folder, 'torn.mcap', bytes.subarray(0, chunks[1].end - 1))).status, 0);
	const mended = readFileSync(out);
	const { status, stdout } = recover(write(folder, 'mended.mcap', mended));
	assert.equal(status, 0);
	assert.match(stdout, /\nlost {2}nothing\n$/);
});

test('repairs or refuses a file truncated at any byte', () => {
	for (let length = 0; length < bytes.length; length += 7) {
		const path = write(folder, 'cut.mcap', bytes.subarray(0, length));
		const result = recover(path, '--json');
		if (length < chunks[0].begin) {
			assert.equal(failure(result, 1, path), '', `${length} bytes`);
			assert.ok(!existsSync(out));
			continue;
		}
		if (result.status === 1 && length < chunks[0].end) {
			assert.ok(!existsSync(out));
			continue;
		}
		assert.equal(result.status, 0, result.stderr);
		const report = JSON.parse(result.stdout);
		const whole = chunks.filter(({ end }) => end <= length).length * 10;
		assert.ok(report.messages >= whole && report.messages <= whole + 9 + (whole === 20));
		assert.equal(report.closed, length >= chunks.dataEnd);
	}
});

test('reports the lost seconds', () => {
	const broken = Buffer.from(bytes);
	broken[chunks[0].end - 5] ^= 1;
	const { status, stdout } = recover(write(folder, 'broken.mcap', broken));
	assert.equal(status, 0);
	// From the start of the lost chunk to the first message after it.
	assert.match(stdout, /^kept {2}0\.900 s, 10 messages\nlost {2}1\.000 s in 1 damaged place of \d+ bytes; the first at byte \d+: a chunk whose CRC does not match\n$/);
});

test('refuses a file that is not a recording', () => {
	for (const [name, content] of [['empty.mcap', ''], ['text.mcap', 'no recording at all']]) {
		const path = write(folder, name, content);
		assert.equal(failure(recover(path), 1, path), '');
		assert.ok(!existsSync(out));
	}
	assert.equal(failure(recover(join(folder, 'absent.mcap')), 3, join(folder, 'absent.mcap')), '');
});

test('never overwrites its input', () => {
	const path = write(folder, 'same.mcap', bytes);
	assert.equal(run(jointcast, 'recover', path, '-o', path).status, 2);
	assert.deepEqual(readFileSync(path), Buffer.from(bytes));
});

const recordings = dataFiles('mcap/rosbag2', '.mcap');
test('reads recordings of rosbag2 as undamaged', { skip: recordings.length === 0 && 'no recordings at hand' }, () => {
	for (const path of recordings) {
		const { status, stdout, stderr } = recover(path);
		assert.equal(status, 0, stderr);
		assert.match(stdout, /\nlost {2}nothing\n$/, path);
	}
});
