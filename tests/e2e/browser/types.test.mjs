// Type declarations of the client library: they compile, for users too, and declare only
// exports of the modules. Exports that only other modules use are not declared.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { ROOT } from '../support/daemon.mjs';

const LIBRARY = path.join(ROOT, 'clients/js');
const USAGE = path.join(ROOT, 'tests/e2e/types/usage.ts');
const DECLARED = readdirSync(LIBRARY).filter((file) => file.endsWith('.d.ts'))
  .map((file) => file.slice(0, -'.d.ts'.length));

const program = ts.createProgram([USAGE, ...DECLARED.map((name) => `${LIBRARY}/${name}.d.ts`)],
  { strict: true, noEmit: true, exactOptionalPropertyTypes: true, types: ['webxr'],
    typeRoots: [path.join(ROOT, 'tests/e2e/node_modules/@types')],
    target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext });
const checker = program.getTypeChecker();

test('declarations and example code compile', () => {
  const complaints = ts.getPreEmitDiagnostics(program).map((diagnostic) =>
    ts.formatDiagnostic(diagnostic, { getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => ROOT, getNewLine: () => '\n' }));
  assert.deepEqual(complaints, []);
});

/** Values that a declaration exports, by name. */
function declaredValues(name) {
  const file = program.getSourceFile(`${LIBRARY}/${name}.d.ts`);
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(file) ?? file.symbol);
  const resolved = symbols.map((symbol) => [symbol.name,
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol]);
  return new Map(resolved.filter(([, symbol]) => symbol.flags & ts.SymbolFlags.Value));
}

for (const name of DECLARED)
  test(`${name}.d.ts declares what ${name}.js has`, async () => {
    const module = await import(`${LIBRARY}/${name}.js`);
    const declared = declaredValues(name);
    if (name === 'index')
      assert.deepEqual(Object.keys(module).filter((key) => !declared.has(key)), [],
        'exported, not declared');
    assert.deepEqual([...declared.keys()].filter((key) => !(key in module)), [],
      'declared, not exported');
    for (const [key, symbol] of declared) {
      if (!(symbol.flags & ts.SymbolFlags.Class))
        continue;
      const methods = [...symbol.members.values()]
        .filter(({ flags }) => flags & ts.SymbolFlags.Method).map((method) => method.name);
      assert.deepEqual(methods.filter((method) => !(method in module[key].prototype)), [],
        `methods of ${key} that are declared only`);
    }
  });
