// The example pages of three.js, react-three-fiber, A-Frame and X_ITE, which the daemon serves, show
// bodies where the C library computes them.

import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { BUILD, scratch, startDaemon } from '../support/daemon.mjs';
import { openViewer } from '../support/browser.mjs';
import { assertSame, placesOf, stopAndCompute } from '../support/still_sample.mjs';
import { until } from '../support/until.mjs';
import { install } from '../../oracle/x_ite_browser.mjs';

const LIMIT = { timeout: 300000 };
const WINDOW = { width: 480, height: 480, seen: true };
const FIGURE = path.join(BUILD, 'share/jointcast/web/examples/figure.x3d');
/** Bones of a built-in figure that an H-Anim figure has, too. */
const LEAST = ['hips', 'chest', 'head', 'leftUpperArm', 'leftHand', 'rightHand', 'leftFoot', 'rightFoot', 'leftIndexDistal'];

/** The share of a picture that differs from its first pixel. */
const share = (viewer, png) => viewer.evaluate(async (data) => {
  const image = new Image();
  image.src = `data:image/png;base64,${data}`;
  await image.decode();
  const context = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height }).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
  let count = 0;
  for (let i = 0; i < pixels.length; i += 4)
    count += [0, 1, 2].some((c) => Math.abs(pixels[i + c] - pixels[c]) > 24);
  return count / (pixels.length / 4);
}, png.toString('base64'));

/** Opens an example page; returns when it shows both bodies at the places that the C library computes for one. */
async function compare(page, site, name, prepare = () => true) {
  const { viewer } = page;
  await viewer.goto(`${site}examples/${name}.html`);
  await until('the page', () => viewer.evaluate(prepare));
  await until('both bodies are seen', () => viewer.evaluate(() =>
    [...(window.example?.crowd?.members.values() ?? [])].filter(({ seen }) => seen).length === 2));
  const computed = await stopAndCompute(viewer, scratch(), 'bob', 'humanoid');
  await page.draw(3);
  assertSame(await placesOf(viewer, 'bob'), computed, LEAST);
  assert.ok(await share(viewer, await page.shoot(`example_${name}`)) > 0.02, 'the bodies are in the picture');
}

async function testThree(page, site) {
  await compare(page, site, 'three');
  assert.equal(await page.viewer.evaluate(() => {
    window.example.crowd.dispose();
    return window.example.crowd.members.size;
  }), 0, 'the bodies left the scene');
}

async function testReact(page, site) {
  await compare(page, site, 'react');
  // The hook lists the bodies.
  await until('the title', async () => /^(ada, bob|bob, ada) in lobby$/.test(await page.viewer.title()));
}

async function testAframe(page, site) {
  await compare(page, site, 'aframe', () => {
    const component = document.querySelector('[jointcast]')?.components?.jointcast;
    window.example = component;
    return Boolean(component?.crowd);
  });
  const state = await page.viewer.evaluate(() => {
    const { client } = window.example;
    document.querySelector('[jointcast]').removeAttribute('jointcast');
    return client.state;
  });
  assert.equal(state, 'closed', 'the entity without the attribute has no connection');
}

async function testXite(page, site) {
  const { viewer } = page;
  await viewer.goto(`${site}examples/x3d.html`);
  await until('a body moves the figure', () => viewer.evaluate(() =>
    [...(window.example?.humanoids.worn.keys() ?? [])].some((body) => body.sample())));
  await viewer.evaluate(() => { window.X3D = window.example.X3D; });
  await viewer.evaluate(install);
  const { name, nodes } = await viewer.evaluate(() => {
    const [body] = window.example.humanoids.worn.keys();
    const { nodeNames, descriptor } = body.skeleton;
    return { name: body.name, nodes: Object.entries(descriptor.bones).map(([bone, node]) => [bone, nodeNames[node]]) };
  });
  const computed = await stopAndCompute(viewer, scratch(), name, FIGURE);
  await page.draw(3);
  const joints = new Map((await viewer.evaluate(() => window.oracle.joints())).map(({ name: joint, position }) => [joint, position]));
  assertSame(Object.fromEntries(nodes.map(([bone, joint]) => [bone, joints.get(joint)])), computed, LEAST);
  assert.ok(await share(viewer, await page.shoot('example_x3d')) > 0.02, 'the figure is in the picture');

  // The figure continues its own motion when the body no longer moves it.
  const routes = () => viewer.evaluate(() => document.querySelector('x3d-canvas').browser.currentScene.routes.length);
  const before = await routes();
  await viewer.evaluate(() => window.example.humanoids.dispose());
  assert.ok(await routes() > before + 20, 'the routes of the file are back');
}

test('the example pages show bodies where the C library computes them', LIMIT, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:wave?name=ada', '--source', 'demo:walk?name=bob');
  const page = await openViewer(t, daemon.page, { ...WINDOW, query: 'examples/three.html' });
  await t.test('three.js: bodies enter the scene, and leave it', () => testThree(page, daemon.page));
  await t.test('react-three-fiber: the component shows bodies, the hook lists them', () => testReact(page, daemon.page));
  await t.test('A-Frame: bodies stand below the entity with the attribute', () => testAframe(page, daemon.page));
  await t.test('X_ITE: a body moves the H-Anim figure of a running scene', () => testXite(page, daemon.page));
  page.done();
});
