// The npm archive in a fresh project with Vite and TypeScript: npm installs it with its peers from the
// registry, tsc --strict finds no fault, Vite builds the page, and the page shows bodies in Chromium.
// Needs the registry and a minute: not part of ./check.
//
// usage: JC_BUILD=build/release node --test tests/package/vite.test.mjs     after the build

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { openViewer } from '../e2e/support/browser.mjs';
import { scratch, startDaemon } from '../e2e/support/daemon.mjs';
import { pack, serve } from '../e2e/support/packed.mjs';
import { assertSame, placesOf, stopAndCompute } from '../e2e/support/still_sample.mjs';
import { until } from '../e2e/support/until.mjs';

const PROJECT = {
  'package.json': JSON.stringify({ name: 'fresh', private: true, type: 'module' }),
  'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, noEmit: true, target: 'ES2022', module: 'ESNext',
    moduleResolution: 'bundler', lib: ['ES2022', 'DOM', 'DOM.Iterable'], jsx: 'react-jsx', exactOptionalPropertyTypes: true,
    types: ['@webgpu/types'] },
  include: ['src'] }),
  'index.html': '<!DOCTYPE html><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/src/main.ts"></script>\n',
  'src/main.ts': `import { PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { connect, type Client } from 'jointcast';
import { Crowd } from 'jointcast/three';

declare global {
  interface Window { example: { client: Client; crowd: Crowd } }
}
const client = connect(new URLSearchParams(location.search).get('url') ?? '', { precision: 'fine' });
const crowd = new Crowd(client);
const scene = new Scene().add(crowd);
const camera = new PerspectiveCamera(40, 1, 0.1, 50);
const renderer = new WebGLRenderer();
document.body.append(renderer.domElement);
renderer.setAnimationLoop(() => {
  crowd.update(camera);
  renderer.render(scene, camera);
});
window.example = { client, crowd };
`,
  // Compiled, not opened: types of the other entry points.
  'src/others.tsx': `import { Canvas } from '@react-three/fiber';
import { Bodies, useBodies } from 'jointcast/react';
import { Humanoids } from 'jointcast/x3d';

export function Room() {
  const { client, bodies } = useBodies('wss://room.example/', { space: 'lobby' });
  return <Canvas>{client && <Bodies url="wss://room.example/" client={client} name={bodies[0]?.name} />}</Canvas>;
}
export { Humanoids };
`,
};

test('a fresh project with Vite and TypeScript shows bodies', { timeout: 600000 }, async (t) => {
  const folder = scratch(t);
  mkdirSync(path.join(folder, 'src'));
  Object.entries(PROJECT).forEach(([name, text]) => writeFileSync(path.join(folder, name), text));
  const run = (program, ...args) => execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  run('npm', 'install', '--no-audit', '--no-fund', pack(folder), 'three@0.180.0', '@types/three@0.180.0', '@webgpu/types', 'vite@6', 'typescript@5.9',
    'react@19', 'react-dom@19', '@types/react@19', '@react-three/fiber@9', '@pixiv/three-vrm@3');
  run('npx', 'tsc', '-p', '.');
  const built = run('npx', 'vite', 'build');
  assert.match(built, /built in/);

  const daemon = await startDaemon(t, '--source', 'demo:walk?name=ada');
  const site = await serve(t, path.join(folder, 'dist'));
  const page = await openViewer(t, site, { width: 400, height: 400, query: `?url=${encodeURIComponent(daemon.url)}` });
  await until('a body is seen', () => page.viewer.evaluate(() =>
    [...(window.example?.crowd.members.values() ?? [])].some(({ seen }) => seen)));
  const computed = await stopAndCompute(page.viewer, folder, 'ada', 'humanoid');
  await page.draw(2);
  assertSame(await placesOf(page.viewer, 'ada'), computed, ['hips', 'head', 'leftHand', 'rightFoot']);
});
