// Checks the types of the library and writes its declarations, a .d.ts file beside each module.
// The types stand in the JSDoc comments of the sources; tsc reads them. Beyond tsc, this
// program leaves out members and types marked @internal, and removes from the comments the types,
// which the declarations state.
//
// usage: node tools/declarations.mjs FOLDER     exit status 1 if a type is wrong

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const COLUMNS = 90;
const LIBRARY = fileURLToPath(new URL('..', import.meta.url));

/** The program of tsconfig.json. */
export function createProgram(folder) {
  const { config } = ts.readConfigFile(path.join(LIBRARY, 'tsconfig.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, LIBRARY,
    { outDir: folder });
  return ts.createProgram(fileNames, options);
}

const isMarked = (comment) => comment?.tags?.some((tag) => tag.tagName.text === 'internal');

/** Whether the source of a declaration is marked @internal. */
function isInternal(declaration) {
  let source = ts.getOriginalNode(declaration);
  if (ts.isJSDocTypedefTag(source)) {
    return isMarked(source.parent);
  }
  // `this.name = …` in a constructor: the comment stands at the statement.
  while (ts.isPropertyAccessExpression(source) || ts.isBinaryExpression(source)) {
    source = source.parent;
  }
  return source.jsDoc?.some(isMarked);
}

function leaveOutInternals(context) {
  const { factory } = context;
  const visit = (node) => {
    if (!isInternal(node)) {
      return ts.isClassDeclaration(node) ? ts.visitEachChild(node, visit, context) : node;
    }
    // Without it, the class would have a public constructor without parameters.
    return ts.isConstructorDeclaration(node) ? factory.createConstructorDeclaration(
      [factory.createModifier(ts.SyntaxKind.PrivateKeyword)], [], undefined) : undefined;
  };
  return (file) => ts.visitEachChild(file, visit, context);
}

/** The text after a type in braces, which may be nested. */
function afterType(text) {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    depth += text[i] === '{' ? 1 : text[i] === '}' ? -1 : 0;
    if (depth === 0) {
      return text[0] === '{' ? text.slice(i + 1).trimStart() : text;
    }
  }
  return '';
}

/** The tags of a comment without types; [] for those that only state a type. */
function describe(tag) {
  const [, name, text] = /^@(\w+)\s*([\s\S]*)$/.exec(tag);
  if (name === 'throws') {
    return [tag];
  }
  const rest = afterType(text).trim();
  const hasMeaning = name === 'param' ? /\s/.test(rest) : name === 'returns' && rest !== '';
  return hasMeaning ? [`@${name} ${rest}`] : [];
}

/** A paragraph as lines. */
function wrap(text) {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = `${lines.at(-1)} ${word}`.trim();
    if (line.length > COLUMNS) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = line;
    }
  }
  return lines;
}

/** A comment of the sources as a comment of a declaration; empty if nothing is left. */
function rewrite(comment, indent) {
  const text = comment.slice(3, -2).replace(/^[ \t]*\* ?/gm, '').trim();
  if (/@typedef\b|@import\b/.test(text)) {
    return ''; // tsc repeats its description at the declaration
  }
  const [first, ...tags] = text.split(/(?:^|\s)(?=@(?:param|returns|throws|type|template|extends|readonly|protected|private|internal)\b)/);
  const [description, all] = first.startsWith('@') ? ['', [first, ...tags]] : [first, tags];
  const lines = [description.trim(), ...all.flatMap((tag) => describe(tag.trim()))]
    .filter(Boolean).flatMap(wrap);
  if (lines.length < 2) {
    return lines.length ? `${indent}/** ${lines[0]} */\n` : '';
  }
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

/** Declarations as tsc writes them, with comments for their readers, and for older versions of tsc. */
const tidy = (text) => text
  .replace(/^([ \t]*)(\/\*\*[\s\S]*?\*\/)\n/gm, (_, indent, comment) => rewrite(comment, indent))
  .replace(/(\w+Array)<ArrayBuffer(Like)?>/g, '$1'); // generic since TypeScript 5.7

/** Writes the declarations; returns errors. */
export function writeDeclarations(folder, write = ts.sys.writeFile) {
  const program = createProgram(folder);
  const errors = ts.getPreEmitDiagnostics(program);
  if (errors.length === 0) {
    program.emit(undefined, (file, text) => write(file, tidy(text)), undefined, true,
      { afterDeclarations: [leaveOutInternals] });
  }
  return errors;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const errors = writeDeclarations(path.resolve(process.argv[2]));
  process.stderr.write(ts.formatDiagnostics(errors, { getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => process.cwd(), getNewLine: () => '\n' }));
  process.exitCode = errors.length > 0 ? 1 : 0;
}
