// Compares size and layout of every struct of the public headers, and the value of every enum
// constant, with layouts.txt: proto/STABILITY.md promises that they stay. clang lists them; amd64 and
// arm64 have the same ones.
//
// usage: layouts.mjs [--update] [clang option…]      --update writes layouts.txt anew;
//        options such as --target=aarch64-linux-gnu --sysroot=FOLDER: of another processor
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const INCLUDES = fileURLToPath(new URL('../../include', import.meta.url));
const LIST = fileURLToPath(new URL('layouts.txt', import.meta.url));
const options = process.argv.slice(2).filter((option) => option !== '--update');
const SOURCE = '#include <jointcast/jointcast.h>\n';

const clang = (...dump) => execFileSync('clang', [...options, '-I', INCLUDES, '-x', 'c', '-fsyntax-only', ...dump.flatMap((flag) => ['-Xclang', flag]), '-'],
	{ input: SOURCE, encoding: 'utf8', maxBuffer: 1 << 28 });

/** Lines "offset | member" of each complete struct whose name begins with jc_, and its size. */
function structs() {
	const dump = clang('-fdump-record-layouts-complete', '-fdump-record-layouts');
	return dump.split('*** Dumping AST Record Layout\n').slice(1)
		.filter((text) => /^ +0 \| (struct|union) jc_\w+$/m.test(text.split('\n')[0]))
		.map((text) => text.split('\n').filter((line) => line.includes('|'))
			.map((line) => line.replace(/\bstruct jc_\w+::\(unnamed[^)]*\)/, 'struct').replace(/\((?:unnamed|anonymous) at [^)]*\)/g, '(unnamed)').trimEnd()).join('\n'));
}

/** "NAME = value" of each constant of enums whose names begin with JC_. */
function constants() {
	const root = JSON.parse(clang('-ast-dump=json'));
	return root.inner.filter(({ kind }) => kind === 'EnumDecl').flatMap(({ inner = [] }) => {
		let next = 0;
		return inner.filter(({ kind }) => kind === 'EnumConstantDecl').map(({ name, inner: value }) => {
			const constant = value?.find(({ kind }) => kind === 'ConstantExpr')?.value;
			const is = constant === undefined ? next : Number(constant);
			next = is + 1;
			return `${name} = ${is}`;
		});
	}).filter((line) => line.startsWith('JC_'));
}

const text = `${[...new Set(structs())].sort().join('\n\n')}\n\n${constants().join('\n')}\n`;

if (process.argv.includes('--update')) {
	writeFileSync(LIST, text);
} else {
	test('structs and constants of the public headers are those of layouts.txt', () => {
		assert.ok(text.split('\n').length > 500 && /^JC_ERROR_INVALID = -\d+$/m.test(text), 'clang lists them');
		assert.equal(text, readFileSync(LIST, 'utf8'),
			'programs built with the earlier headers break; raise JC_ABI where proto/STABILITY.md demands it, then run layouts.mjs --update');
	});
}
