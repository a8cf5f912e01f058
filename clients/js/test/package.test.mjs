// The npm package, packed from the folder that the build makes: publint and attw find nothing, and
// a TypeScript program in a fresh folder compiles with it and runs.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Package, checkPackage } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const LIBRARY = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = process.env.JC_PACKAGE;
const folder = mkdtempSync(path.join(os.tmpdir(), 'jointcast-package-'));
after(() => rmSync(folder, { recursive: true }));

const tool = (name) => path.join(LIBRARY, 'node_modules/.bin', name);
const run = (program, ...args) => execFileSync(program, args,
  { cwd: folder, encoding: 'utf8', env: { ...process.env, npm_config_cache: path.join(folder, 'cache') } });

const [packed] = JSON.parse(run('npm', 'pack', PACKAGE, '--json', '--ignore-scripts'));
const tarball = path.join(folder, packed.filename);
const manifest = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'));

test('the archive has modules, declarations, licence and manual, and nothing else', () => {
  const files = packed.files.map((file) => file.path);
  for (const file of ['LICENSE', 'README.md', 'package.json', 'index.js', 'index.d.ts', 'connection/line.js']) {
    assert.ok(files.includes(file), file);
  }
  const modules = files.filter((file) => file.endsWith('.js'));
  assert.deepEqual(files.filter((file) => file.endsWith('.d.ts')).sort(),
    modules.map((file) => file.replace(/js$/, 'd.ts')).sort());
  assert.equal(files.length, 2 * modules.length + 3);
  const folders = readdirSync(LIBRARY, { withFileTypes: true }).filter((entry) => entry.isDirectory()
    && !['node_modules', 'test', 'tools'].includes(entry.name)).map(({ name }) => name);
  const sources = ['', ...folders].flatMap((name) =>
    readdirSync(path.join(LIBRARY, name)).filter((file) => file.endsWith('.js')).map((file) => path.join(name, file)));
  assert.deepEqual(modules.sort(), sources.sort());
  assert.equal(readFileSync(path.join(PACKAGE, 'LICENSE'), 'utf8'), readFileSync(path.join(LIBRARY, '../../LICENSE'), 'utf8'));
});

test('the description of the package is complete', () => {
  assert.equal(manifest.license, 'Apache-2.0');
  assert.ok(manifest.keywords.length > 5);
  for (const address of [manifest.homepage, manifest.repository.url.replace(/^git\+/, '')]) {
    assert.equal(new URL(address).protocol, 'https:');
  }
  assert.match(manifest.bugs.email, /@/);
});

test('publint finds nothing', async () => {
  const { messages } = await publint({ pkgDir: PACKAGE, level: 'suggestion', strict: true, pack: 'npm' });
  assert.deepEqual(messages.map((message) => formatMessage(message, manifest)), []);
});

test('attw finds no fault in the types', async () => {
  const files = Object.fromEntries(packed.files.map(({ path: name }) =>
    [`/node_modules/jointcast/${name}`, new Uint8Array(readFileSync(path.join(PACKAGE, name)))]));
  const { types, problems } = await checkPackage(new Package(files, 'jointcast', manifest.version));
  assert.equal(types.kind, 'included');
  // require() of a package of ES modules is an error, with types too.
  assert.deepEqual(problems.filter(({ resolutionKind }) => resolutionKind !== 'node16-cjs'), []);
});

const PROGRAM = `import { BONES, ConnectError, connect, type ConnectCode, type PresentBody } from 'jointcast';
import { Clock } from 'jointcast/clock.js';

const heard: ConnectCode[] = [];
class Closed {
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  constructor(readonly url: string, readonly protocol: string) {
    setTimeout(() => this.onclose?.({ code: 1006, reason: '' }));
  }
  close(): void {}
}
const client = connect('ws://127.0.0.1:9', { WebSocket: Closed, fetch: null });
client.on('enter', (body: PresentBody) => console.log(body.skeleton.name));
client.on('error', (error) => {
  if (error instanceof ConnectError) heard.push(error.code);
  client.close();
  console.log(BONES.length, new Clock().synchronized, heard.join());
});
`;

test('a program in a fresh folder compiles with the package and runs', () => {
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module", "private": true }');
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', tarball);
  writeFileSync(path.join(folder, 'program.ts'), PROGRAM);
  const compile = (...more) => run(tool('tsc'), '--strict', '--target', 'es2022', ...more, 'program.ts');
  compile('--module', 'esnext', '--moduleResolution', 'bundler', '--noEmit');
  compile('--module', 'nodenext');
  assert.equal(run(process.execPath, 'program.js'), '55 false unreachable\n');
});
