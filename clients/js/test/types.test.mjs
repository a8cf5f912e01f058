// The types of the library: they are right, its declarations serve TypeScript programs, and all
// code in the README files compiles.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { writeDeclarations } from '../tools/declarations.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const LIBRARY = path.dirname(HERE);
const READMES = [path.join(LIBRARY, 'README.md'), path.join(LIBRARY, '../../README.md')];
const folder = mkdtempSync(path.join(os.tmpdir(), 'jointcast-types-'));
const installed = path.join(folder, 'node_modules/jointcast');
after(() => rmSync(folder, { recursive: true }));

/** The code blocks of a README in JavaScript or TypeScript, with the line on which each begins. */
function snippetsOf(file) {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^```(?:js|ts)\n([\s\S]*?)^```$/gm)].map(({ index, 1: code }) => (
    { code, line: text.slice(0, index).split('\n').length }));
}

const render = (diagnostics) => diagnostics.map((diagnostic) => ts.formatDiagnostic(diagnostic,
  { getCanonicalFileName: (name) => name, getCurrentDirectory: () => folder, getNewLine: () => '\n' }));

let program;
let index;

before(() => {
  // As npm would install it, with the packages of the programs beside it.
  mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
  for (const name of ['@types', '@pixiv']) {
    symlinkSync(path.join(LIBRARY, 'node_modules', name), path.join(folder, 'node_modules', name));
  }
  if (process.env.JC_PACKAGE) { // the build has checked the sources and written them
    symlinkSync(process.env.JC_PACKAGE, installed);
  } else {
    assert.deepEqual(render(writeDeclarations(installed)), [], 'types of the sources');
    copyFileSync(path.join(LIBRARY, 'package.json'), path.join(installed, 'package.json'));
  }
  const files = ['usage.ts', 'readme.d.ts'].map((name) => {
    copyFileSync(path.join(HERE, name), path.join(folder, name));
    return path.join(folder, name);
  });
  for (const readme of READMES) {
    for (const { code, line } of snippetsOf(readme)) {
      const name = `${path.relative(path.join(LIBRARY, '../..'), readme).replace(/\W/g, '-')}-${line}.ts`;
      writeFileSync(path.join(folder, name), `${code}\nexport {};\n`);
      files.push(path.join(folder, name));
    }
  }
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  program = ts.createProgram(files, { strict: true, noEmit: true, exactOptionalPropertyTypes: true,
    types: ['webxr'], typeRoots: [path.join(folder, 'node_modules/@types')], preserveSymlinks: true, target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler });
  index = program.getSourceFile(path.join(installed, 'index.d.ts'));
});

test('declarations, programs and all code in README files compile', () => {
  const ours = program.getSourceFiles().filter(({ fileName }) =>
    !fileName.includes('/node_modules/') || fileName.startsWith(installed));
  const errors = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics(),
    ...ours.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])];
  assert.deepEqual(render(errors), []);
  const [own, root] = READMES.map((readme) => snippetsOf(readme).length);
  assert.ok(own >= 10 && root >= 1, `found ${own} and ${root} pieces of code`);
});

test('the index declares what the module exports', async () => {
  const module = await import('../index.js');
  const checker = program.getTypeChecker();
  const values = checker.getExportsOfModule(index.symbol).filter((symbol) =>
    symbol.flags & ts.SymbolFlags.Alias && checker.getAliasedSymbol(symbol).flags & ts.SymbolFlags.Value)
    .map(({ name }) => name);
  assert.deepEqual(values.sort(), Object.keys(module).sort());
});

test('functions, classes, their members and types have a description', () => {
  const checker = program.getTypeChecker();
  const bare = [];
  const look = (name, symbol) => {
    if (symbol.getDocumentationComment(checker).length === 0) {
      bare.push(name);
    }
  };
  for (const symbol of checker.getExportsOfModule(index.symbol)) {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const type = checker.getDeclaredTypeOfSymbol(target);
    if (!(target.flags & ts.SymbolFlags.TypeAlias) || type.aliasSymbol) { // not: another name of string
      look(symbol.name, type.aliasSymbol ?? target);
    }
    if (target.flags & ts.SymbolFlags.Class) {
      for (const member of target.members.values()) {
        if (member.flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Accessor | ts.SymbolFlags.Property) &&
          member.name !== '#private') {
          look(`${symbol.name}.${member.name}`, member);
        }
      }
    }
  }
  assert.deepEqual(bare, []);
});
