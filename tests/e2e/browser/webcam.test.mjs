// The webcam of the publishing page: nothing loads before the visitor chooses it, a film without people gives an
// absent body, Stop ends the camera, and a program that cannot run is explained.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CAMERA, launch } from '../support/browser.mjs';
import { startDaemon } from '../support/daemon.mjs';
import { openPublisher, subscribe } from '../support/publisher.mjs';
import { until } from '../support/until.mjs';

const LIMIT = { timeout: 300000 };
const browser = await launch(CAMERA);
after(() => browser.close());

const isLive = () => document.getElementById('camera-view').srcObject?.getTracks().some(({ readyState }) => readyState === 'live') ?? false;

test('one page', LIMIT, async (t) => { // for all cases: to open it takes longer than most of them
  const daemon = await startDaemon(t);
  const { log } = subscribe(t, daemon);
  const page = await openPublisher(t, daemon, { browser, headset: false, width: 1000, height: 800, calm: true });
  const { viewer } = page;
  const loaded = [];
  viewer.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  const ofWebcam = () => loaded.filter((path) => path.startsWith('/webcam/'));
  const choose = async () => {
    await viewer.click('#webcam');
    await viewer.waitForSelector('#webcam-setup[open]');
    await viewer.fill('#webcam-height', '182');
    await viewer.selectOption('#webcam-model', 'lite');
  };

  await t.test('a film without people gives an absent body, and Stop ends the camera', async () => {
    assert.equal(await viewer.isDisabled('#webcam'), true, 'the webcam needs consent');
    await viewer.check('#may-show');
    await choose();
    await viewer.fill('#webcam-height', '20');
    assert.equal(await viewer.isDisabled('#webcam-begin'), true, 'nobody is that small');
    await viewer.fill('#webcam-height', '182');
    assert.deepEqual(ofWebcam(), [], 'nothing is loaded before the choice');
    assert.equal(await viewer.evaluate(isLive), false, 'the camera is off before the choice');
    await viewer.click('#webcam-begin');
    await until('the visitor reads that nobody is in the picture', async () =>
      /Nobody/.test(await page.text('camera-state')) && /^\d+\.\d pictures\/s · \d+ ms$/.test(await page.text('camera-figures')));
    assert.ok(ofWebcam().some((path) => path.endsWith('.tflite')) && ofWebcam().every((path) => !/heavy|full/.test(path)));
    assert.equal(await viewer.isVisible('#camera-view'), true);
    assert.equal(await viewer.isVisible('#stop'), true);
    assert.match(await viewer.evaluate(() => getComputedStyle(document.getElementById('camera-view')).transform), /^matrix\(-1,/, 'mirrored');
    await until('the body is published', () => page.says('publish').length === 1);
    const [asked] = page.says('publish');
    assert.deepEqual([asked.height, asked.smooth, asked.profile, asked.mayRecord], [1.82, true, 'webxr-spec', false]);
    await until('captures are sent', () => page.sent.captures.length > 2);
    // Kind, flags, time, confidence, a mask of joints without any, no values: 2 + 9 + 11 + 2 bytes.
    assert.ok(page.sent.captures.every((capture) => capture.length <= 24), 'captures without joints');
    assert.deepEqual(log, [], 'subscribers see no body');

    await viewer.click('#stop');
    await until('the publication ends', () => page.says('unpublish').length === 1);
    assert.equal(await viewer.evaluate(isLive), false, 'the camera is off');
    assert.equal(await viewer.isVisible('#camera'), false);
    page.done();
  });

  for (const [what, code, files, answer] of [
    ['files that the server lacks', /no files for the webcam/, '**/*.wasm', (route) => route.fulfill({ status: 404 })],
    ['a browser without WebAssembly', /WebAssembly/, '**/worker.js', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `delete self.WebAssembly;\n${await response.text()}` });
    }],
  ])
    await t.test(`the page explains ${what}`, async () => {
      await viewer.route(files, answer);
      await choose();
      await viewer.click('#webcam-begin');
      await until('the page explains', async () => code.test(await page.text('note')));
      assert.equal(await viewer.evaluate(isLive), false, 'the camera is off');
      assert.equal(await viewer.isVisible('#webcam'), true, 'it can be chosen again');
      assert.equal(page.says('publish').length, 1, 'nothing is published');
      page.done(/404/);
      await viewer.unroute(files);
    });
});

test('only the publishing page may use a camera, and its worker loads from this server only', LIMIT, async (t) => {
  const daemon = await startDaemon(t);
  const header = async (file, name) => (await fetch(`${daemon.page}${file}`)).headers.get(name);
  assert.equal(await header('publish.html', 'permissions-policy'), 'camera=(self)');
  assert.equal(await header('', 'permissions-policy'), 'camera=()');
  assert.match(await header('webcam/worker.js', 'content-security-policy'), /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'$/);
  assert.doesNotMatch(await header('publish.html', 'content-security-policy'), /'unsafe-eval'/);
});
