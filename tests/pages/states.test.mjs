// The pages in every state: they explain it, axe finds no violation at the size of a desk in the dark
// theme and at that of a phone in the light one, and the keyboard reaches every control with a visible focus.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import { avatarFile } from '../e2e/support/avatar_files.mjs';
import { CAMERA, launch } from '../e2e/support/browser.mjs';
import { JOINTCAST, startDaemon } from '../e2e/support/daemon.mjs';
import { until } from '../e2e/support/until.mjs';
import { STATES, THEMES, reach, resize } from './states.mjs';

const LIMIT = { timeout: 300000 };
const AXE = readFileSync(createRequire(new URL('../e2e/package.json', import.meta.url)).resolve('axe-core/axe.min.js'), 'utf8');

const browser = await launch(CAMERA);
after(() => browser.close());

/** Draws few and coarse pictures: the tests look at controls. */
const slow = (page) => page.addInitScript(() => {
  window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 200);
  Object.defineProperty(window, 'devicePixelRatio', { value: 0.05 });
});
const at = (state) => ({ ...state, prepare: async (page) => {
  await slow(page);
  await page.emulateMedia({ reducedMotion: 'reduce' }); // colours change at once
  await state.prepare?.(page);
} });

async function violations(page) {
  await page.evaluate(AXE);
  const { violations: found } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

for (const [name, state] of Object.entries(STATES))
  test(`the state '${name}' explains itself and is accessible`, LIMIT, async (t) => {
    const page = await reach(t, browser, at(state));
    const words = (part) => page.evaluate((of) => document.querySelector(of).innerText, part);
    // A page that starts slowly may lose its first connection.
    if (state.heading)
      await until(`the heading '${state.heading}'`, async () => await words('#situation h2') === state.heading);
    if (state.says)
      assert.ok((await words('#situation')).includes(state.says), await words('#situation'));
    if (state.room)
      assert.equal(await words('#space'), state.room);
    if (state.dialog)
      assert.ok((await words('#door')).includes(state.dialog), await words('#door'));
    for (const size of ['desktop', 'phone']) {
      await resize(page, state, size);
      await page.waitForFunction((theme) => document.documentElement.dataset.theme === theme, THEMES[size], { polling: 50 });
      assert.deepEqual(await violations(page), [], size);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${size}: ${wide} pixels too wide`);
    }
  });

/** The controls that the Tab key reaches; each shows that it has the focus. */
async function tabThrough(page) {
  const reached = [];
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body)
        return null;
      const { outlineStyle, boxShadow } = getComputedStyle(element);
      return { name: element.id || element.textContent, shown: outlineStyle !== 'none' || boxShadow !== 'none' };
    });
    if (reached.some(({ name }) => name === focused?.name))
      break;
    // After the last control, the browser has the focus.
    reached.push(...(focused ? [focused] : []));
  }
  assert.deepEqual(reached.filter(({ shown }) => !shown), [], 'no visible focus');
  return reached.map(({ name }) => name).sort();
}

const controls = (page) => page.evaluate(() => [...document.querySelectorAll('button, a, input, select, summary, canvas')]
  .filter((element) => element.checkVisibility() && !element.disabled).map((element) => element.id || element.textContent).sort());

test('the keyboard reaches every control, and works the menu of a phone', LIMIT, async (t) => {
  const page = await reach(t, browser, at(STATES.names));
  assert.deepEqual(await tabThrough(page), await controls(page));
  await page.focus('#find-body');
  await page.keyboard.type('עדה');
  assert.deepEqual(await page.locator('#bodies li:visible').allTextContents(), ['עדה כהן']);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('#bodies button:visible').getAttribute('aria-pressed'), 'true');

  await resize(page, {}, 'phone');
  assert.equal(await page.locator('#tools').isVisible(), false);
  await page.focus('#menu');
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('#tools').isVisible(), true);
  assert.deepEqual(await tabThrough(page), await controls(page));
  const small = await page.evaluate(() => [...document.querySelectorAll('button, a, select, input')]
    .filter((element) => element.checkVisibility()).map((element) => [element.id, element.getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.width, box.height) < 44).map(([id]) => id));
  assert.deepEqual(small, [], 'smaller than a finger');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#tools').isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'menu');
});

test('the keyboard reaches every control of the publishing page and works its dialog', LIMIT, async (t) => {
  const page = await reach(t, browser, at(STATES['publish-avatar']));
  const names = (list) => list.filter((name) => name !== 'view'); // its picture has no keys
  assert.deepEqual(await tabThrough(page), names(await controls(page)));
  await page.focus('#may-show');
  await page.keyboard.press('Space');
  assert.deepEqual(await tabThrough(page), names(await controls(page)));
  await page.focus('#avatar-share');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#sharing[open]');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'avatar-share');
});

test('all bodies of a crowd stand in the part of the picture without controls', LIMIT, async (t) => {
  const page = await reach(t, browser, at(STATES.names));
  const check = async (size) => {
    await resize(page, {}, size);
    const covered = () => page.evaluate(() => {
      const controls = [...document.querySelectorAll('#bodies, #readout, #tools, header')].filter((control) => control.checkVisibility())
        .map((control) => [control, control.getBoundingClientRect()]);
      return window.jointcast.bodies().flatMap(({ name, picture }) => Object.entries(picture).flatMap(([bone, [x, y]]) => controls
        .filter(([, { left, right, top, bottom }]) => x > left && x < right && y > top && y < bottom)
        .map(([control]) => `${name}'s ${bone} behind ${control.id || 'header'}`)
        .concat(x < 0 || x > innerWidth || y < 0 || y > innerHeight ? `${name}'s ${bone} out of the picture` : [])));
    });
    let found;
    await until(() => `no body is covered, ${size}: ${found.slice(0, 3)}`, async () => {
      await page.evaluate(() => new Promise((resolve) => {
        window.jointcast.frame();
        requestAnimationFrame(() => requestAnimationFrame(resolve)); // drawn with the camera there
      }));
      found = await covered();
      return found.length === 0;
    });
  };
  for (const size of ['desktop', 'phone', 'landscape'])
    await check(size);
  // A row that leads away from the camera, as long as that of sixty bodies.
  await page.evaluate(() => {
    const { client } = window.jointcast;
    [...client.bodies.values()].forEach((body, i) => client.place(body, { position: [4 * (i % 3 - 1), 0, -9 * i], yaw: 0, teleport: true }));
  });
  await until('they are placed', () => page.evaluate(() => window.jointcast.bodies().some(({ positions }) => positions.hips[2] < -80)));
  await check('desktop');
});

test('the theme follows the system until the visitor chooses one', LIMIT, async (t) => {
  const page = await reach(t, browser, at(STATES.empty));
  const is = (name, ground) => until(`the theme is ${name}`, async () => await page.evaluate(() =>
    [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor].join(' ')) === `${name} ${ground}`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await is('dark', 'rgb(11, 15, 23)');
  await page.emulateMedia({ colorScheme: 'light' });
  await is('light', 'rgb(238, 242, 248)');
  await page.selectOption('#theme', 'dark');
  await is('dark', 'rgb(11, 15, 23)');
  await page.reload();
  await is('dark', 'rgb(11, 15, 23)');
});

test('latency is unknown or positive from the first picture on, also while the page starts slowly', LIMIT, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:walk');
  const page = await browser.newPage();
  t.after(() => page.close());
  // The page is busy for 300 ms at a time, so that answers to pings wait for it.
  await page.addInitScript(() => setInterval(() => {
    const until = performance.now() + 300;
    while (performance.now() < until);
  }, 400));
  await page.goto(daemon.page);
  const seen = [];
  await until('five values', async () => {
    const { latencyMs } = await page.evaluate(() => window.jointcast?.stats ?? { latencyMs: NaN });
    if (Number.isFinite(latencyMs))
      seen.push(latencyMs);
    return seen.length >= 5;
  });
  assert.ok(Math.min(...seen) >= 0, `${seen}`);
});

test('a picture for another program has no controls and no background, follows a body, and dresses it', LIMIT, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:walk', '--source', 'demo:wave');
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(`${daemon.page}?clean&transparent&follow=wave&avatar=no-such-file.vrm`);
  await page.waitForFunction(() => window.jointcast?.bodies().length === 2);
  assert.deepEqual(await page.evaluate(() => [...document.body.children].filter((element) => element.checkVisibility())
    .map(({ localName }) => localName)), ['main']);
  await page.waitForFunction(() => document.getElementById('note').textContent.includes('no-such-file.vrm, 404'));
  // Where nothing stands, the picture is transparent.
  const corner = async () => {
    const png = await page.screenshot({ omitBackground: true });
    return page.evaluate(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const opaque = data.filter((_, i) => i % 4 === 3).reduce((sum, alpha) => sum + (alpha > 200), 0);
      return { alpha: data[3], opaque: opaque / (image.width * image.height) };
    }, png.toString('base64'));
  };
  await until('the camera is at the body', async () => (await corner()).opaque > 0.03);
  assert.equal((await corner()).alpha, 0);
});

test('a body that comes back wears the avatar of the address again, also after a failure to load it', LIMIT, async (t) => {
  const daemon = await startDaemon(t);
  const page = await browser.newPage();
  t.after(() => page.close());
  await slow(page);
  let answers = 0;
  await page.route('**/own.vrm', (route) => route.fulfill(answers++ ? { body: avatarFile() } : { status: 503 }));
  await page.goto(`${daemon.page}?clean&avatar=own.vrm`);
  /** A body that comes and, after `act`, leaves. */
  const visit = async (act) => {
    const player = spawn(JOINTCAST, ['play', 'demo:wave', '--to', daemon.url, '--loop'], { stdio: 'ignore' });
    t.after(() => player.kill());
    await act();
    player.kill();
    await until('the body has left', () => page.evaluate(() => window.jointcast.bodies().length === 0));
  };
  const wears = () => until('the body wears the avatar', () => page.evaluate(() => window.jointcast?.bodies()[0]?.avatar));
  await visit(() => page.waitForFunction(() => document.getElementById('note').textContent.includes('own.vrm, 503'), null, { polling: 200 }));
  await visit(wears);
  await visit(wears);
});
