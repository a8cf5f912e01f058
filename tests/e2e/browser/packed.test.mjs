// The npm archive in a plain page: installed beside three.js, found by an import map alone, no bundler.
// tests/package/vite.test.mjs does the same in a project with Vite and TypeScript.

import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { openViewer } from '../support/browser.mjs';
import { ROOT, scratch, startDaemon } from '../support/daemon.mjs';
import { pack, serve } from '../support/packed.mjs';
import { assertSame, placesOf, stopAndCompute } from '../support/still_sample.mjs';
import { until } from '../support/until.mjs';

const PAGE = `<!DOCTYPE html>
<link rel="icon" href="data:,">
<script type="importmap">
{ "imports": { "jointcast": "/node_modules/jointcast/index.js", "jointcast/three": "/node_modules/jointcast/three/index.js",
  "three": "/node_modules/three/build/three.module.js", "three/addons/": "/node_modules/three/examples/jsm/" } }
</script>
<script type="module">
import { PerspectiveCamera, Scene } from 'three';
import { connect } from 'jointcast';
import { Crowd } from 'jointcast/three';

const client = connect(new URLSearchParams(location.search).get('url'), { precision: 'fine' });
const crowd = new Crowd(client);
const scene = new Scene().add(crowd);
const camera = new PerspectiveCamera();
requestAnimationFrame(function draw() {
  crowd.update(camera);
  requestAnimationFrame(draw);
});
window.example = { client, crowd, scene };
</script>
`;

test('the archive shows bodies in a page without a bundler', { timeout: 120000 }, async (t) => {
  const folder = scratch(t);
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--no-package-lock', '--legacy-peer-deps', pack(folder)],
    { cwd: folder, stdio: 'pipe' });
  symlinkSync(path.join(ROOT, 'clients/js/node_modules/three'), path.join(folder, 'node_modules/three'));
  writeFileSync(path.join(folder, 'index.html'), PAGE);
  const daemon = await startDaemon(t, '--source', 'demo:walk?name=ada');
  const site = await serve(t, folder);
  const page = await openViewer(t, site, { width: 300, height: 300, query: `?url=${encodeURIComponent(daemon.url)}` });
  await until('a body is seen', () => page.viewer.evaluate(() =>
    [...(window.example?.crowd.members.values() ?? [])].some(({ seen }) => seen)));
  const computed = await stopAndCompute(page.viewer, folder, 'ada', 'humanoid');
  await page.draw(2);
  assertSame(await placesOf(page.viewer, 'ada'), computed, ['hips', 'head', 'leftHand', 'rightFoot']);
});
