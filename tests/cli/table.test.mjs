// Tests tables of poses: each line is a record of RFC 4180, the first one names the columns, and
// positions are those of retarget. Tables with a comment line, as earlier versions wrote them, are
// read too.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { descriptor, scratch, write } from './files.mjs';
import { failure, jointcast, run, runJson } from './tool.mjs';

const folder = scratch('table');

// RFC 4180, section 2, with the line break of Unix: records of equally many fields, no comments, no
// spaces about fields, quotes only around a whole field. Returns the records.
function parse(text) {
	const records = [];
	const field = /"((?:[^"]|"")*)"|([^",\r\n]*)/y;
	let at = 0;
	while (at < text.length) {
		const record = [];
		for (;;) {
			field.lastIndex = at;
			const [whole, quoted, plain] = field.exec(text);
			record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
			at += whole.length;
			if (text[at] !== ',') {
				break;
			}
			at++;
		}
		assert.equal(text[at], '\n', `record ${records.length + 1}, byte ${at}`);
		at++;
		records.push(record);
		assert.equal(record.length, records[0].length, `fields of record ${records.length}`);
		assert.ok(record.every((cell) => cell.trim() === cell));
	}
	return records;
}

function convert(name, ...options) {
	const to = join(folder, name);
	const { status, stderr } = run(jointcast, 'convert', options[0], to, ...options.slice(1));
	assert.equal(status, 0, stderr);
	const [names, ...rows] = parse(readFileSync(to, 'utf8'));
	assert.equal(new Set(names).size, names.length, 'names are unique');
	// A number, or an empty field.
	assert.ok(rows.flat().every((cell) => cell === '' || /^-?\d+(\.\d+)?(e-?\d+)?$/.test(cell)));
	return { to, names, rows };
}

const frames = (motion, times, skeleton = 'humanoid') => runJson(jointcast, 'retarget', motion, skeleton,
	'--times', times.join(',')).frames;

test('a table is names and numbers only, and reads back', () => {
	const { to, names, rows } = convert('walk.csv', 'demo:walk');
	assert.deepEqual(names.slice(0, 5), ['time', 'hips.x', 'hips.y', 'hips.z', 'hips.qx']);
	assert.ok(!names.some((name) => /\.p[xyz]$/.test(name)));
	const { frames: count, duration } = runJson(jointcast, 'inspect', 'demo:walk').motions[0];
	assert.equal(rows.length, count);
	assert.equal(Number(rows.at(-1)[0]), duration);
	const [a, b] = [frames(to, [0, 1.5]), frames('demo:walk', [0, 1.5])];
	a.forEach(({ bones }, i) => Object.entries(bones).forEach(([name, { worldPosition }]) =>
		worldPosition.forEach((v, k) =>
			assert.ok(Math.abs(v - b[i].bones[name].worldPosition[k]) < 1e-6, name))));
});

test('--positions are those of retarget on the same skeleton, in metres', () => {
	const figure = write(folder, 'mannequin.json', JSON.stringify(descriptor));
	for (const skeleton of ['humanoid', figure]) {
		const options = skeleton === 'humanoid' ? [] : ['--skeleton', skeleton];
		const { to, names, rows } = convert('positions.csv', 'demo:wave', '--positions', ...options);
		const times = [0, 30, 60].map((row) => Number(rows[row][0]));
		frames('demo:wave', times, skeleton).forEach(({ bones }, i) => {
			const moved = Object.keys(bones).filter((name) => bones[name].state !== 'absent');
			assert.ok(moved.length >= 9);
			for (const name of moved) {
				bones[name].worldPosition.forEach((v, k) => {
					const column = names.indexOf(`${name}.p${'xyz'[k]}`);
					assert.ok(Math.abs(Number(rows[i * 30][column]) - v) < 1e-6, name);
				});
			}
		});
		// As a motion, the table is the same with and without positions.
		const plain = convert('plain.csv', 'demo:wave', ...options);
		assert.deepEqual(frames(to, times, skeleton), frames(plain.to, times, skeleton));
		assert.deepEqual(names.slice(0, plain.names.length), plain.names);
	}
});

test('an absent bone has empty fields', () => {
	const tracked = join(folder, 'handless.jsonl');
	assert.equal(run(jointcast, 'convert', 'demo:wave', tracked, '--fps', '5').status, 0);
	const lines = readFileSync(tracked, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
	lines[3].joints[lines[0].joints.indexOf('left-hand-wrist')] = null;
	write(folder, 'handless.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
	const { to, names, rows } = convert('handless.csv', tracked, '--as-tracked', '--positions');
	const hand = names.flatMap((name, i) => name.startsWith('leftHand.') ? [i] : []);
	assert.equal(hand.length, 7);
	rows.forEach((row, i) => hand.forEach((column) => assert.equal(row[column] === '', i === 2)));
	assert.equal(frames(to, [0.4])[0].bones.leftHand.state, 'absent');
});

test('reads tables with a comment line or quotes, and columns in any order', () => {
	const { to } = convert('source.csv', 'demo:sit', '--fps', '10');
	const text = readFileSync(to, 'utf8');
	const former = write(folder, 'former.csv', `# jointcast poses: time in seconds; hips moved\n${text}`);
	const reversed = write(folder, 'reversed.csv',
		text.split('\n').map((line) => line.split(',').reverse().join(',')).join('\n'));
	// As R's write.csv has it: names in quotes.
	const quoted = write(folder, 'quoted.csv', text.replace(/^.*/, (names) =>
		names.split(',').map((name) => `"${name}"`).reverse().join(', '))
		.replace(/\n.+/g, (row) => `\n${row.slice(1).split(',').reverse().join(',')}`));
	for (const other of [former, reversed, quoted]) {
		assert.deepEqual(frames(other, [0, 0.25]), frames(to, [0, 0.25]));
	}
	const comment = write(folder, 'comment.csv', `# of another program\n${text}`);
	assert.equal(failure(run(jointcast, 'inspect', comment), 1, comment), '');
});

test('--positions of another format is wrong use', () => {
	assert.equal(failure(run(jointcast, 'convert', 'demo:walk', join(folder, 'no.bvh'), '--positions'), 2,
		'convert'), '');
});
