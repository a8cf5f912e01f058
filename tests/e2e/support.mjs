// What the end-to-end tests share: a daemon of their own, a browser, a clean end.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { until } from './until.mjs';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** What ctest hands over (CMakeLists.txt), or the release build. */
const BUILD = process.env.JC_BUILD ?? path.join(ROOT, 'build/release');
export const JOINTCASTD = path.join(BUILD, 'daemon/jointcastd');
export const JOINTCAST = path.join(BUILD, 'clients/cli/jointcast');
const WEB = path.join(BUILD, 'share/jointcast/web');
const SHOTS = path.join(BUILD, 'screenshots');
const CHROMIUM = process.env.JC_CHROMIUM ?? '/usr/bin/chromium';

const START_MS = 20000;
const STOP_MS = 5000;

/** A file of the folder of real motions beside the project; null where there is none. */
export function sample(name) {
  const folder = process.env.JOINTCAST_DATA ?? path.join(ROOT, '../shared/data');
  const file = path.join(folder, name);
  return existsSync(file) ? file : null;
}

/** A folder of the test's own, gone when it ends. */
export function scratch(t) {
  const folder = mkdtempSync(path.join(tmpdir(), 'jointcast-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Starts a daemon on a free port and stops it when the test ends; it must then
 * leave in order.
 * @returns {Promise<{port: number, url: string, page: string, admin: string, stop: () => Promise<void>}>}
 */
export async function startDaemon(t, ...options) {
  const child = spawn(JOINTCASTD, ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--web', WEB, ...options],
    { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  const ended = new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    const { code, signal } = await ended;
    clearTimeout(killer);
    assert.equal(code, 0, `jointcastd ended with ${code ?? signal}:\n${log}`);
  };
  t.after(stop);
  const port = await new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`jointcastd does not listen:\n${log}`)), START_MS);
    const read = (chunk) => {
      log += chunk;
      const found = /listening on \S+?:(\d+)/.exec(log);
      if (found) {
        clearTimeout(timer);
        resolve(Number(found[1]));
      }
    };
    child.on('error', reject);
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    ended.then(({ code }) => reject(new Error(`jointcastd ended with ${code}:\n${log}`)));
  });
  const [, admin] = /status and metrics on (\S+)/.exec(log);
  return { port, url: `ws://127.0.0.1:${port}/`, page: `http://127.0.0.1:${port}/`, admin: `http://${admin}/`, stop };
}

/**
 * The viewer in a browser of its own. Whatever the page logs as an error fails
 * the test when `done()` is called. `prepare` may add to the browser's page before
 * it loads anything.
 */
export async function openViewer(t, page,
  { width = 960, height = 600, query = '', prepare = async () => {} } = {}) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox',
    '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--use-gl=angle',
    '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
  t.after(() => browser.close());
  const viewer = await browser.newPage({ viewport: { width, height } });
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
  await prepare(viewer);
  await viewer.goto(page + query);
  return {
    viewer,
    /** Waits until so many bodies are seen. */
    bodies: (count) => until(`${count} bodies on the page`, () => viewer.evaluate(
      (least) => window.jointcast?.bodies().length >= least, count)),
    /** Bodies by name: place of each bone. */
    positions: () => viewer.evaluate(() => Object.fromEntries(
      window.jointcast.bodies().map(({ name, ...body }) => [name, body]))),
    shoot: async (name) => {
      mkdirSync(SHOTS, { recursive: true });
      return viewer.screenshot({ path: path.join(SHOTS, `${name}.png`) });
    },
    /** Lets the page draw so many pictures. */
    draw: (count) => viewer.evaluate((left) => new Promise((resolve) => {
      const next = () => (left-- > 0 ? requestAnimationFrame(next) : resolve());
      next();
    }), count),
    done: () => {
      assert.deepEqual(errors, [], 'the page logged errors');
      assert.deepEqual(strangers, [], 'the page asked other hosts');
    },
  };
}

export const sub = (a, b) => a.map((x, i) => x - b[i]);
export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0]];
export const length = (a) => Math.hypot(...a);
export const unit = (a) => a.map((x) => x / length(a));
/** Degrees between two directions. */
export const angle = (a, b) => Math.atan2(length(cross(a, b)), dot(a, b)) * (180 / Math.PI);

/** Where a body faces, from its hip joints and spine alone: neither head nor feet have a say. */
export function facing(positions) {
  const left = sub(positions.leftUpperLeg, positions.rightUpperLeg);
  const up = sub(positions.neck, positions.hips);
  return unit(cross(left, up));
}
