// Compares the programs of another processor, under an emulator, with those of this one: results of
// retargeting in units in the last place of 1.0, written files by the byte, and a conversation.
//
// usage: programs.mjs NATIVE_BUILD EMULATED_FOLDER
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const [, , native, emulated] = process.argv;
const TOOLS = { native: path.resolve(native, 'clients/cli/jointcast'), emulated: path.resolve(emulated, 'jointcast') };
const DAEMONS = { native: path.resolve(native, 'daemon/jointcastd'), emulated: path.resolve(emulated, 'jointcastd') };
const FIGURES = fileURLToPath(new URL('../figures/files/', import.meta.url));
const files = readdirSync(FIGURES).filter((name) => !name.endsWith('.json'));
const motions = ['a_pose.bvh', 'motion.gltf', 'motion.vrma'];
const skeletons = files.filter((name) => !motions.includes(name));
const ULP = 2 ** -23; // of 1.0
/** Metres, or components of unit quaternions. */
const MOST_APART = 2e-6;

const folder = mkdtempSync(path.join(tmpdir(), 'jointcast-cross-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

function run(tool, ...args) {
	const { status, stdout, stderr } = spawnSync(TOOLS[tool], args, { cwd: FIGURES, encoding: 'utf8', maxBuffer: 1 << 28 });
	return { status, stdout, stderr };
}

/** Of a symmetric figure, the last bits decide which side a text names. */
const withoutSide = (value) => typeof value === 'string' ? value.replace(/\b(left|right)(?=[A-Z])/g, '') : value;

/** Compares two JSON values; numbers may differ by MOST_APART. */
function compare(one, other, sums, at = '') {
	if (typeof one === 'number' && typeof other === 'number') {
		const apart = Math.abs(one - other);
		assert.ok(apart <= MOST_APART, `${at}: ${one} and ${other}`);
		sums.numbers++;
		sums.different += one !== other;
		sums.most = Math.max(sums.most, apart);
	} else if (one && typeof one === 'object') {
		assert.deepEqual(Object.keys(one), Object.keys(other), at);
		for (const key of Object.keys(one))
			compare(one[key], other[key], sums, `${at}.${key}`);
	} else {
		assert.equal(withoutSide(one), withoutSide(other), at);
	}
}

const report = ({ numbers, different, most }) =>
	`${different} of ${numbers} numbers differ, by at most ${most.toExponential(1)}, ${(most / ULP).toFixed(1)} units in the last place of 1.0`;

test('both state the same version and the same help', () => {
	for (const option of ['--version', '--help'])
		assert.deepEqual(run('emulated', option), run('native', option));
});

test('inspect finds the same in every file', (t) => {
	const sums = { numbers: 0, different: 0, most: 0 };
	for (const name of files) {
		const [one, other] = ['native', 'emulated'].map((tool) => run(tool, 'inspect', name, '--json'));
		assert.equal(other.status, one.status, name);
		compare(JSON.parse(one.stdout), JSON.parse(other.stdout), sums, name);
	}
	t.diagnostic(report(sums));
});

test('retarget gives the same within a few units in the last place', (t) => {
	const sums = { numbers: 0, different: 0, most: 0 };
	for (const skeleton of skeletons)
		for (const motion of motions) {
			const [one, other] = ['native', 'emulated'].map((tool) => run(tool, 'retarget', motion, skeleton, '--fps', '10', '--json'));
			assert.equal(other.status, one.status, other.stderr);
			if (one.status === 0)
				compare(JSON.parse(one.stdout), JSON.parse(other.stdout), sums, `${motion} on ${skeleton}`);
		}
	assert.ok(sums.numbers > 50000);
	t.diagnostic(report(sums));
});

/** The cells of a line of a table: numbers, or names in its head. */
const cells = (line) => line.split(',').map((cell) => (Number.isFinite(Number(cell)) ? Number(cell) : cell));

test('converted files are read by the other processor, with the same motion', (t) => {
	const equal = [];
	for (const ending of ['mcap', 'bvh', 'vrma', 'glb', 'csv', 'jsonl', 'wrl', 'x3d']) {
		const [one, other] = ['native', 'emulated'].map((tool) => {
			const file = path.join(folder, `${tool}.${ending}`);
			const { status, stderr } = run(tool, 'convert', 'demo:walk', file);
			assert.equal(status, 0, stderr);
			return file;
		});
		if (readFileSync(one).equals(readFileSync(other)))
			equal.push(ending);
		const tables = [['emulated', one], ['native', other]].map(([tool, file]) => {
			const table = path.join(folder, `${tool}.table.csv`);
			const { status, stderr } = run(tool, 'convert', file, table);
			assert.equal(status, 0, `${ending}: ${stderr}`);
			return readFileSync(table, 'utf8').trim().split('\n');
		});
		assert.equal(tables[0].length, tables[1].length, ending);
		tables[0].forEach((line, i) => {
			const others = cells(tables[1][i]);
			for (const [k, value] of cells(line).entries())
				assert.ok(value === others[k] || Math.abs(value - others[k]) <= MOST_APART, `${ending}, line ${i + 1}`);
		});
	}
	t.diagnostic(`equal to the last byte: ${equal.join(' ') || 'none'}`);
});

/** Starts a daemon; resolves with its address once it listens. */
async function start(kind, ...options) {
	const child = spawn(DAEMONS[kind], ['--listen', '127.0.0.1:0', ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
	process.on('exit', () => child.kill('SIGKILL'));
	const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
	let url = null;
	for await (const line of createInterface({ input: child.stderr })) {
		url = /listening on (127\.0\.0\.1:\d+)$/.exec(line)?.[1];
		if (url)
			break;
	}
	assert.ok(url, 'the daemon does not listen');
	child.stderr.resume();
	return { url: `http://${url}`, stop: () => (child.kill('SIGTERM'), ended) };
}

/** The first poses that a tool of one processor receives from a daemon of the other. */
async function watch(tool, url, count) {
	const child = spawn(TOOLS[tool], ['watch', url, '--poses'], { stdio: ['ignore', 'pipe', 'inherit'] });
	const lines = [];
	for await (const line of createInterface({ input: child.stdout })) {
		if (lines.push(JSON.parse(line)) === count)
			break;
	}
	child.kill('SIGKILL');
	return lines;
}

for (const [kind, tool] of [['emulated', 'native'], ['native', 'emulated']])
	test(`a daemon (${kind}) records and sends a body to a tool (${tool})`, async () => {
		const recordings = mkdtempSync(path.join(folder, 'recordings-'));
		const daemon = await start(kind, '--source', 'demo:walk', '--record', recordings);
		const lines = await watch(tool, daemon.url, 20);
		assert.equal(lines.length, 20);
		assert.ok(lines.every((line) => JSON.stringify(line).includes('"hips"')));
		assert.equal(await daemon.stop(), 0);
		const [recording] = readdirSync(recordings).filter((name) => name.endsWith('.mcap'));
		const { status, stdout } = run(tool, 'inspect', path.join(recordings, recording), '--json');
		assert.equal(status, 0, stdout);
	});
