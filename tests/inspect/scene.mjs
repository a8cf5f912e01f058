// Reads the node tree of VRML97, X3D Classic and X3D XML scenes: as much as figures need. A node is
// { type, def, fields, children }; fields are arrays of numbers and strings, children are the nodes of
// all fields. Bodies of PROTO are skipped: their nodes have the fields that their callers give them.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const scalars = (text) => (text.match(/"(?:[^"\\]|\\.)*"|[^\s,]+/g) ?? [])
	.map((word) => (word.startsWith('"') ? word.slice(1, -1) : Number.isNaN(Number(word)) ? word : Number(word)));

function readXml(text) {
	const root = { type: 'Scene', fields: {}, children: [] };
	const open = [root];
	const routes = [];
	const unescaped = (value) => value.replace(/&quot;/g, '"').replace(/&apos;/g, '\'').replace(/&lt;/g, '<')
		.replace(/&amp;/g, '&');
	for (const [, closing, type, attributes, single] of text.replace(/<!--.*?-->|<!\[CDATA\[.*?\]\]>/gs, '')
		.matchAll(/<(\/?)([A-Za-z][\w.]*)((?:\s+[\w:.-]+\s*=\s*(?:'[^']*'|"[^"]*"))*)\s*(\/?)>/g)) {
		if (closing) {
			open.pop();
			continue;
		}
		const values = Object.fromEntries([...attributes.matchAll(/([\w:.-]+)\s*=\s*(?:'([^']*)'|"([^"]*)")/g)]
			.map(([, name, a, b]) => [name, unescaped(a ?? b)]));
		if (type === 'ROUTE') {
			routes.push([values.fromNode, values.fromField, values.toNode, values.toField]);
		}
		const node = { type, def: values.DEF, use: values.USE, fields: Object.fromEntries(
			Object.entries(values).map(([name, value]) => [name, scalars(value)])), children: [] };
		open[open.length - 1].children.push(node);
		if (!single) {
			open.push(node);
		}
	}
	return { root, routes };
}

const isWord = (token) => /^[A-Za-z_]/.test(token) && token !== 'TRUE' && token !== 'FALSE' && token !== 'NULL';

// A cursor over the tokens of a text file of nodes.
class Tokens {
	constructor(text) {
		this.list = text.replace(/"(?:[^"\\]|\\.)*"|#[^\n\r]*/g, (part) => (part[0] === '#' ? ' ' : part))
			.match(/"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s,[\]{}"]+/g) ?? [];
		this.at = 0;
	}

	peek(ahead = 0) {
		return this.list[this.at + ahead];
	}

	next() {
		return this.list[this.at++];
	}

	// Passes a group in brackets.
	skipGroup() {
		let depth = 0;
		do {
			const token = this.next();
			depth += /^[[{]$/.test(token) ? 1 : /^[\]}]$/.test(token) ? -1 : 0;
		} while (depth > 0 && this.at < this.list.length);
	}
}

const startsNode = (tokens) => tokens.peek() === 'DEF' || tokens.peek() === 'USE'
	|| (isWord(tokens.peek()) && tokens.peek(1) === '{');

function readNode(tokens, routes) {
	if (tokens.peek() === 'USE') {
		tokens.next();
		return { type: 'USE', use: tokens.next(), fields: {}, children: [] };
	}
	const node = { fields: {}, children: [] };
	if (tokens.peek() === 'DEF') {
		tokens.next();
		node.def = tokens.next();
	}
	node.type = tokens.next();
	tokens.next();
	while (tokens.peek() !== '}' && tokens.peek() !== undefined) {
		if (!readStatement(tokens, routes, node)) {
			readField(tokens, routes, node);
		}
	}
	tokens.next();
	return node;
}

function readField(tokens, routes, node) {
	const name = tokens.next();
	const list = tokens.peek() === '[';
	const values = [];
	if (list) {
		tokens.next();
	}
	while (tokens.peek() !== undefined && tokens.peek() !== ']' && tokens.peek() !== '}') {
		if (startsNode(tokens)) {
			node.children.push(readNode(tokens, routes));
			if (!list) {
				break;
			}
		} else if (!list && isWord(tokens.peek()) && tokens.peek(-1) !== name) {
			break;
		} else {
			values.push(...scalars(tokens.next()));
		}
	}
	if (list) {
		tokens.next();
	}
	node.fields[name] = values;
}

// Statements that are no node: ROUTE and PROTO.
function readStatement(tokens, routes, node) {
	if (tokens.peek() === 'ROUTE') {
		const [from, to] = [tokens.peek(1).split('.'), tokens.peek(3).split('.')];
		routes.push([...from, ...to]);
		tokens.at += 4;
	} else if (tokens.peek() === 'PROTO') {
		tokens.at += 2;
		tokens.skipGroup();
		tokens.skipGroup();
	} else if (tokens.peek() === 'EXTERNPROTO') {
		tokens.at += 2;
		tokens.skipGroup();
		if (tokens.peek() === '[') {
			tokens.skipGroup();
		} else {
			tokens.next();
		}
	} else if (startsNode(tokens)) {
		node.children.push(readNode(tokens, routes));
	} else {
		return false;
	}
	return true;
}

export function readScene(path) {
	const bytes = readFileSync(path);
	const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8');
	if (/^\s*</.test(text)) {
		return readXml(text);
	}
	const tokens = new Tokens(text);
	const [root, routes] = [{ type: 'Scene', fields: {}, children: [] }, []];
	while (tokens.peek() !== undefined) {
		if (!readStatement(tokens, routes, root)) {
			tokens.next();
		}
	}
	return { root, routes };
}

export function* allNodes(node) {
	yield node;
	for (const child of node.children) {
		yield* allNodes(child);
	}
}
