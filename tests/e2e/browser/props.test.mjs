// Props on the viewer: a box in place of the mesh, and their virtual transforms. Expected places are
// worked out by hand.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { launch, openViewer } from '../support/browser.mjs';
import { scratch, startDaemon, writer } from '../support/daemon.mjs';
import { until } from '../support/until.mjs';

const LIMIT = { timeout: 300000 };

const browser = await launch();
after(() => browser.close());
const near = (a, b) => a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) < 1e-4, `${a}, not ${b}`));

/* A chair turned by a quarter about Y: its +X leads along -Z, its +Z along +X. The cushion is 0.45 up
 * and 0.1 along its +X, and twice as wide. */
const CHAIR = JSON.stringify({ asset: { version: '2.0' },
  nodes: [{ name: 'chair', rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], children: [1] },
    { name: 'cushion', translation: [0.1, 0.45, 0], scale: [2, 1, 1] }],
  extensionsUsed: ['KHR_virtual_transform'], extensions: { KHR_virtual_transform: { virtualTransforms: [
    { name: 'sit', parent: 1, translation: [0.05, 0, 0.1], tags: ['seating'] },
    { name: 'handle', parent: 1, translation: [0, 0.5, 0], respectParentScale: false, tags: ['grab'] }] } } });

/** A daemon with the chair in its spaces; `configure` replaces the sections and reloads. */
async function startWithChair(t, sections, ...options) {
  const write = writer(scratch(t));
  const file = write('chair.gltf', CHAIR);
  const configure = (text) => write('conf', text.replaceAll('FILE', `file = "${file}"`));
  const daemon = await startDaemon(t, '--config', configure(sections), ...options);
  return { page: daemon.page, configure: (text) => {
    configure(text);
    daemon.reload();
  } };
}

/** The props of the page by name. */
const propsOf = ({ viewer }) => viewer.evaluate(() => Object.fromEntries(
  (window.jointcast?.props() ?? []).map(({ name, ...prop }) => [name, prop])));
const labelsOf = ({ viewer }, layer) => viewer.evaluate((id) =>
  [...document.querySelectorAll(`#${id} .label`)].map((label) => label.textContent), layer);

test('a prop is shown as a box with its virtual transforms, at its place', LIMIT, async (t) => {
  const { page: address, configure } = await startWithChair(t, 'prop "chair" { FILE place = "1 0 0.5 90" }\n', '--source', 'demo:idle');
  const page = await openViewer(t, address, { browser, width: 800, height: 500 });
  const { viewer } = page;
  await page.bodies(1);
  await until('the chair', async () => (await propsOf(page)).chair);
  // In the file the seat is at (0.1, 0.45, -0.2) and the handle at (0, 0.95, -0.1). The placement
  // turns x to -z and z to x. The box has 0.04 m more on each side.
  const { chair } = await propsOf(page);
  assert.deepEqual([chair.position, chair.virtualTransforms], [[1, 0, 0.5], {}]);
  near(chair.corners.flat(), [1 - 0.24, -0.04, 0.5 - 0.14, 1.04, 0.99, 0.54]);
  assert.ok((await labelsOf(page, 'labels')).includes('chair'));
  assert.deepEqual(await viewer.evaluate(() => [...document.getElementById('virtuals').options].map(({ text }) => text)),
    ['No points', 'All points', 'grab', 'seating']);
  await viewer.keyboard.press('t');
  await until('all are shown', async () => Object.keys((await propsOf(page)).chair.virtualTransforms).join() === 'sit,handle');
  const { sit, handle } = (await propsOf(page)).chair.virtualTransforms;
  near(sit, [1 - 0.2, 0.45, 0.5 - 0.1]);
  near(handle, [1 - 0.1, 0.95, 0.5]);
  for (const [side, ...from] of [['front', 0, 0.25, 1], ['side', 1, 0.25, 0]]) {
    await viewer.evaluate((direction) => window.jointcast.lookFrom(...direction), from);
    await page.draw(5);
    await page.shoot(`prop_${side}`);
  }
  await viewer.keyboard.press('t');
  await viewer.keyboard.press('t');
  await until('the seat is shown', async () => Object.keys((await propsOf(page)).chair.virtualTransforms).join() === 'sit');
  assert.deepEqual(await labelsOf(page, 'points'), ['sit']);
  // A reload moves it.
  configure('prop "chair" { FILE place = "-1 0 0" }\nprop "stool" { FILE place = "-1 0 1" }\n');
  await until('two props', async () => (await propsOf(page)).stool?.virtualTransforms.sit);
  const moved = await propsOf(page);
  near(moved.chair.virtualTransforms.sit, [-1 + 0.1, 0.45, -0.2]);
  near(moved.stool.virtualTransforms.sit, [-1 + 0.1, 0.45, 1 - 0.2]);
  configure('');
  await until('no props', async () => Object.keys(await propsOf(page)).length === 0);
  await page.draw(2);
  assert.deepEqual(await labelsOf(page, 'points'), []);
  assert.ok(!(await labelsOf(page, 'labels')).includes('chair'));
  assert.equal(await viewer.isVisible('#virtuals'), false);
  page.done();
});

test('the props of a space without bodies are in view', LIMIT, async (t) => {
  const { page: address } = await startWithChair(t, 'prop "stool" { FILE space = "attic" place = "40 1.5 0" }\n');
  const page = await openViewer(t, address, { browser, width: 640, height: 480, query: '?space=attic' });
  await until('the stool', async () => (await propsOf(page)).stool);
  // The label is hidden where the box is outside of the picture.
  await until('its label is in the picture', () => page.viewer.evaluate(() => {
    const { left, right, top, bottom } = document.querySelector('#labels .label').getBoundingClientRect();
    return right > left && left > 0 && right < innerWidth && top > 0 && bottom < innerHeight;
  }));
  await page.shoot('prop_alone');
  page.done();
});
