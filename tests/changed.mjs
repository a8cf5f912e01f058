// Prints the tests that depend on what differs from a branch, as a regular expression for ctest.
//
// usage: changed.mjs BUILD [BRANCH]     default: main
//
// The rule: a changed file selects the tests of the folders in the first line of RULES that
// matches its name; every test belongs to the folder of the CMakeLists.txt that adds it. A file
// that no line matches selects all tests. The structure tests always run.

import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const [build, branch = 'main'] = process.argv.slice(2);

// The folders of src from the lowest to the highest, each with the tests that link it and no
// lower folder's: a change also selects the tests of the folders after it.
const ROOMS = ['humanoid', 'format', 'skeleton', 'motion', 'retarget', 'codec', 'mcap', 'recording'];
const PROGRAMS = ['unit/memory', 'unit/daemon', 'unit/openxr', 'fuzz', 'cli', 'figures', 'oracle', 'e2e', 'conformance', 'openxr', 'service'];
const roomAndAbove = (room) => [...ROOMS.slice(ROOMS.indexOf(room)).map((name) => `unit/${name}`), ...PROGRAMS];

const RULES = [
	// Manuals, completions and README files: their tests compare them with the programs.
	[/\.(md|[1578])$|\/completions?\/|\.svg$|\.png$/, () => ['cli', 'service']],
	[/^tests\/(bench|live|package)\//, () => []],
	[/^tests\/(e2e\/support|unit\/[^/]+\.h)/, () => ['e2e', 'conformance', 'openxr', 'service', 'unit']],
	[/^tests\/(unit\/[^/]+|[^/]+)\//, (folder) => [folder]],
	[new RegExp(`^src/(${ROOMS.join('|')})/`), roomAndAbove],
	[/^daemon\//, () => ['unit/daemon', 'unit/openxr', 'unit/memory', 'fuzz', 'e2e', 'conformance', 'openxr', 'service', 'cli']],
	[/^clients\/cli\//, () => ['cli', 'figures', 'e2e', 'conformance']],
	[/^clients\/js\//, () => ['unit/js', 'oracle', 'e2e', 'conformance']],
	[/^clients\/(web|examples)\//, () => ['e2e']],
	[/^systemd\//, () => ['service', 'cli']],
];

const run = (program, ...args) => execFileSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
const lines = (text) => text.split('\n').filter(Boolean);

const base = run('git', 'merge-base', branch, 'HEAD').trim();
const changed = [...lines(run('git', 'diff', '--name-only', base)),
	...lines(run('git', 'ls-files', '--others', '--exclude-standard'))];

// The folders under tests whose tests a changed file selects; [''] stands for all.
function foldersFor(file) {
	for (const [pattern, folders] of RULES) {
		const match = pattern.exec(file);
		if (match)
			return folders(match[1]);
	}
	return [''];
}
const folders = new Set(changed.flatMap(foldersFor));

const { tests, backtraceGraph } = JSON.parse(run('ctest', '--test-dir', build, '--show-only=json-v1'));
// The folder under tests whose CMakeLists.txt adds the test.
function folderOf(test) {
	let node = backtraceGraph.nodes[test.backtrace];
	while (node.parent !== undefined)
		node = backtraceGraph.nodes[node.parent];
	return path.relative(path.join(root, 'tests'), path.dirname(backtraceGraph.files[node.file]));
}
const isSelected = (test) => test.name.startsWith('structure_')
	|| [...folders].some((folder) => folder === '' || `${folderOf(test)}/`.startsWith(`${folder}/`));
const selected = tests.filter(isSelected).map(({ name }) => name);
console.error(`${changed.length} files differ from ${branch}: ${selected.length} of ${tests.length} tests`);
console.log(`^(${selected.join('|')})$`);
