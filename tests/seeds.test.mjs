// Checks proto/SEEDS.md, the tables of the four specifications: each row has a status, a reason
// where the status demands one, and names tests and commands that exist.
//
// usage: seeds.test.mjs ROOT BUILD

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const [root, build] = process.argv.slice(2);
const HEADINGS = ['H-Anim 1.0', 'EXT_skeleton_humanoid', 'WebXR Body Tracking', 'KHR_virtual_transform'];
const STATUSES = ['implemented', 'deviation', 'not applicable'];
const COLUMNS = ['clause', 'statement', 'status', 'shown by', 'remark'];
const LEAST_ROWS = 20;

const read = (file) => readFileSync(path.join(root, file), 'utf8');
const files = spawnSync('git', ['-C', root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
	{ encoding: 'utf8', maxBuffer: 1 << 26 }).stdout.split('\0')
	.filter((file) => file && existsSync(path.join(root, file)));

// Names in the test files of a build folder. (ctest itself would empty the log of the ctest that
// runs this test.)
function registered(folder) {
	const file = path.join(folder, 'CTestTestfile.cmake');
	const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
	return [...[...text.matchAll(/^add_test\((?:\[=\[)?(\w+)/gm)].map(([, name]) => name),
		...[...text.matchAll(/^subdirs\("([^"]+)"\)/gm)].flatMap(([, below]) => registered(path.resolve(folder, below)))];
}

// Tests of this build, and those that another configuration adds.
const ctests = new Set([...registered(build),
	...files.filter((file) => path.basename(file) === 'CMakeLists.txt')
		.flatMap((file) => [...read(file).matchAll(/add_test\(NAME (\w+)/g)].map(([, name]) => name))]);
assert.ok(ctests.size > 100, `${build} has no tests`);

function findFile(suffix) {
	const found = files.filter((file) => `/${file}`.endsWith(`/${suffix}`));
	if (found.length !== 1)
		throw new Error(`${found.length} files are named '${suffix}'`);
	return found[0];
}

// Titles of JavaScript tests as patterns: ${…} of a template stands for anything; a template that
// says nothing else names no test.
function titlesOf(source) {
	const quoted = /\btest\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
	const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	return [...source.matchAll(quoted)].filter(([, , title]) => title.replace(/\$\{[^}]*\}/g, '').length > 8)
		.map(([, , title]) => new RegExp(`^${
		title.replace(/\\(.)/g, '$1').split(/\$\{[^}]*\}/).map(escaped).join('.+')}$`));
}

function findUnitTest(program, name) {
	if (!new RegExp(`cmocka_unit_test\\w*\\(\\s*${name}\\b`).test(read(findFile(`${program}.c`))))
		throw new Error(`'${program}' has no test '${name}'`);
}

function findTitle(file, title) {
	if (!titlesOf(read(findFile(file))).some((pattern) => pattern.test(title)))
		throw new Error(`'${file}' has no test '${title}'`);
}

// Throws where a reference names nothing.
function follow(reference) {
	const forms = [
		[/^(test_\w+): (\w+)$/, findUnitTest],
		[/^([\w./-]+\.mjs): (.+)$/, findTitle],
		[/^ctest (\w+)$/, (name) => assert.ok(ctests.has(name), `ctest has no test '${name}'`)],
		[/^jointcast (\w+)\b.*$/, (name) => findFile(`clients/cli/${name}_command.c`)],
	];
	for (const [form, find] of forms) {
		const match = form.exec(reference);
		if (match)
			return find(...match.slice(1));
	}
	throw new Error(`'${reference}' is neither a test nor a command`);
}

function checkRow(cells) {
	const [clause, statement, status, shown, remark] = cells;
	assert.ok(cells.length === COLUMNS.length, `${cells.length} cells`);
	assert.ok(clause && statement, 'the clause or the statement is missing');
	assert.ok(STATUSES.includes(status), `'${status}' is no status`);
	const references = [...shown.matchAll(/`([^`]+)`/g)].map(([, reference]) => reference);
	assert.ok(/^[\s,]*$/.test(shown.replace(/`[^`]+`/g, '')), `'${shown}' is more than references`);
	if (status === 'implemented')
		assert.ok(references.length > 0, 'nothing shows it');
	else
		assert.ok(remark.length > 0, 'the reason is missing');
	references.forEach(follow);
}

// The tables of a page: heading, and the cells of each row with its line.
function parse(page) {
	const tables = new Map();
	let rows;
	page.split('\n').forEach((line, i) => {
		const heading = /^## (.+)$/.exec(line);
		if (heading)
			tables.set(heading[1], rows = []);
		else if (line.startsWith('|') && rows)
			rows.push({ line: i + 1, cells: line.replace(/^\||\|$/g, '').split('|').map((cell) => cell.trim()) });
	});
	return tables;
}

// What is wrong with a page, one text for each row.
function faultsOf(page) {
	const faults = [];
	for (const [heading, [head, rule, ...rows]] of parse(page)) {
		if (!HEADINGS.includes(heading))
			continue;
		if (head?.cells.join() !== COLUMNS.join() || !rule?.cells.every((cell) => /^-+$/.test(cell)))
			faults.push(`${heading}: the table does not begin with ${COLUMNS.join(', ')}`);
		for (const { line, cells } of rows) {
			try {
				checkRow(cells);
			} catch (error) {
				faults.push(`line ${line}: ${error.message}`);
			}
		}
	}
	return faults;
}

test('each row of SEEDS.md has a status and names tests that exist', () => {
	assert.deepEqual(faultsOf(read('proto/SEEDS.md')), []);
});

test('SEEDS.md has a table for each of the four specifications', () => {
	const tables = parse(read('proto/SEEDS.md'));
	for (const heading of HEADINGS)
		assert.ok(tables.get(heading)?.length >= LEAST_ROWS + 2, heading);
});

test('a row is reported that names no test, has no status or gives no reason', () => {
	const page = (row) => `## H-Anim 1.0\n\n| ${COLUMNS.join(' | ')} |\n|---|---|---|---|---|\n| The Nodes | a | ${row} |\n`;
	const good = 'implemented | `test_ext_humanoid: selects_skeletons_by_index`, `ctest structure_layers` |';
	assert.deepEqual(faultsOf(page(good)), []);
	for (const [row, fault] of [
		['implemented | `test_ext_humanoid: selects_nothing` |', "'test_ext_humanoid' has no test 'selects_nothing'"],
		['implemented | `test_nothing: selects_nothing` |', "0 files are named 'test_nothing.c'"],
		['implemented | `cli/inspect.test.mjs: no such title` |', "'cli/inspect.test.mjs' has no test 'no such title'"],
		['implemented | `ctest no_such_test` |', "ctest has no test 'no_such_test'"],
		['implemented | `jointcast imagine FILE` |', "0 files are named 'clients/cli/imagine_command.c'"],
		['implemented | `make it so` |', "'make it so' is neither a test nor a command"],
		['implemented | it works |', "'it works' is more than references"],
		['implemented | | for sure', 'nothing shows it'],
		['deviation | |', 'the reason is missing'],
		['not applicable | |', 'the reason is missing'],
		['planned | | soon', "'planned' is no status"],
		['implemented | `ctest structure_layers`', '4 cells'],
	])
		assert.deepEqual(faultsOf(page(row)), [`line 5: ${fault}`]);
	assert.deepEqual(faultsOf(page(good).replace('shown by', 'proof')),
		[`H-Anim 1.0: the table does not begin with ${COLUMNS.join(', ')}`]);
});
