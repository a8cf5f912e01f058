// Prints a public header as Doxygen reads it: each comment becomes documentation of what it stands
// above or behind. A comment above adjacent declarations documents those that have none of their
// own; a comment behind several declarators documents each of them.
//
// usage: doxygen_filter.mjs HEADER
import { readFileSync } from 'node:fs';

const lines = readFileSync(process.argv[2], 'utf8').split('\n');
const out = [];
let isOpen = false;  // within a comment that began on an earlier line
let isAbove = false; // the comment before this line stands above something
let inGroup = false;

const ends = (line) => /\*\/\s*$/.test(line);

function closeGroup() {
	if (inGroup)
		out.push('/**@}*/');
	inGroup = false;
}

// "float x, y;" with a comment behind it as two declarations with the same comment.
function documented(code, comment) {
	const [, type, names] = code.match(/^(\s*(?:const |unsigned |struct |enum )*\w+ )([^;(]*,[^;(]*);$/) ?? [];
	return (names?.split(/,\s*/).map((name) => `${type}${name};`) ?? [code])
		.map((declaration) => `${declaration} /**<${comment}`).join(' ');
}

for (const [at, line] of lines.entries()) {
	if (isOpen) {
		out.push(line);
		isOpen = !ends(line);
		continue;
	}
	if (/^\s*\/\*/.test(line)) {
		closeGroup();
		out.push(line.replace('/*', at === 0 ? '/** @file\n *' : '/**'));
		isOpen = !ends(line);
		isAbove = true;
		continue;
	}
	// Neither preprocessor lines but macros, nor the ends of blocks.
	const isDeclaration = /\S/.test(line) && !/^\s*(}|#(?!define)|extern "C")/.test(line);
	if (!isDeclaration)
		closeGroup();
	if (isAbove && isDeclaration && !line.endsWith('{')) {
		out.push('/**@{*/');
		inGroup = true;
	}
	isAbove = false;
	const [, code, comment] = line.match(/^(.*\S)\s*\/\*(.*)$/) ?? [];
	isOpen = code !== undefined && !ends(line);
	out.push(code === undefined ? line : isOpen ? `${code} /**<${comment}` : documented(code, comment));
}
process.stdout.write(out.join('\n'));
