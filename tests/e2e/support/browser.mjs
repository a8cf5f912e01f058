// The viewer in a headless browser, and vectors to compare what it shows.

import assert from 'node:assert/strict';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { until } from './until.mjs';

/** Milliseconds between two pictures of a calm page, at least. */
const CALM_MS = 200;
/** Where pictures for people are kept; tests make them only on request. */
const SHOTS = process.env.JC_SHOTS;
/** Pixels of a picture for each of the page, where nothing looks at them. */
const COARSE = 0.1;
const CHROMIUM = process.env.JC_CHROMIUM ?? '/usr/bin/chromium';

/** Arguments of a browser with a camera that shows a clock, which pages may use without a question. */
export const CAMERA = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/** Starts a browser that draws without a graphics processor. */
export const launch = (args = []) => chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox',
  '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--use-gl=angle',
  '--use-angle=swiftshader', '--enable-unsafe-swiftshader', ...args] });

/**
 * The viewer in a page with a profile of its own. Errors that the page logs fail the test when `done()` is
 * called. `prepare` may add to the browser's page before it loads anything; `args` are further
 * options of a browser for this page alone, `context` of its page. `browser` is one that runs already,
 * which tests of a file share. `calm`: the page draws few pictures, for tests of controls. `seen`: the
 * test looks at pictures; in others, the page draws them coarsely.
 */
export async function openViewer(t, page,
  { width = 960, height = 600, query = '', prepare = async () => {}, args = [], context = {}, browser: running, calm = false, seen = false } = {}) {
  const browser = running ?? await launch(args);
  const viewer = await browser.newPage({ viewport: { width, height }, ...context });
  t.after(() => (running ? viewer : browser).close());
  const errors = [];
  const strangers = [];
  viewer.on('console', (message) => {
    if (message.type() === 'error')
      errors.push(message.text());
  });
  viewer.on('pageerror', (error) => errors.push(error.stack));
  viewer.on('request', (request) => {
    if (!request.url().startsWith(page) && !/^(data|blob):/.test(request.url()))
      strangers.push(request.url());
  });
  if (calm)
    await viewer.addInitScript((ms) => {
      const request = window.requestAnimationFrame;
      window.requestAnimationFrame = (draw) => setTimeout(() => request(draw), ms);
    }, CALM_MS);
  if (!seen && !SHOTS)
    await viewer.addInitScript((ratio) => Object.defineProperty(window, 'devicePixelRatio', { value: ratio }), COARSE);
  await prepare(viewer);
  await viewer.goto(page + query);
  return {
    viewer,
    browser,
    /** Waits until so many bodies are seen. */
    bodies: (count) => until(`${count} bodies on the page`, () => viewer.evaluate(
      (least) => window.jointcast?.bodies().length >= least, count)),
    /** Bodies by name: place of each bone. */
    positions: () => viewer.evaluate(() => Object.fromEntries(
      window.jointcast.bodies().map(({ name, ...body }) => [name, body]))),
    /** A picture: for a test that looks at it, and for people in the folder JC_SHOTS. */
    shoot: async (name) => (seen || SHOTS ? viewer.screenshot(SHOTS && { path: path.join(SHOTS, `${name}.png`) }) : null),
    /** Lets the page draw so many pictures. */
    draw: (count) => viewer.evaluate((left) => new Promise((resolve) => {
      const next = () => (left-- > 0 ? requestAnimationFrame(next) : resolve());
      next();
    }), count),
    /** `expected`: errors that the browser logs, such as refusals of the daemon. */
    done: (expected = /^$/) => {
      assert.deepEqual(errors.filter((error) => !expected.test(error)), [], 'the page logged errors');
      assert.deepEqual(strangers, [], 'the page asked other hosts');
    },
  };
}

/** Hands the page a file as a drop would. */
export const drop = (viewer, name, bytes) => dropAll(viewer, [[name, bytes]]);

/** Hands the page files as one drop would: pairs of name and bytes. */
export function dropAll(viewer, files) {
  return viewer.evaluate((all) => {
    const transfer = new DataTransfer();
    for (const [name, base64] of all)
      transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true,
      cancelable: true }));
  }, files.map(([name, bytes]) => [name, bytes.toString('base64')]));
}

export const sub = (a, b) => a.map((x, i) => x - b[i]);
export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0]];
export const length = (a) => Math.hypot(...a);
export const unit = (a) => a.map((x) => x / length(a));
/** Degrees between two directions. */
export const angle = (a, b) => Math.atan2(length(cross(a, b)), dot(a, b)) * (180 / Math.PI);

/** Where a body faces, from its hip joints and spine alone. */
export function facing(positions) {
  const left = sub(positions.leftUpperLeg, positions.rightUpperLeg);
  const up = sub(positions.neck, positions.hips);
  return unit(cross(left, up));
}
