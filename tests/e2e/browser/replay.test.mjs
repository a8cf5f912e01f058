// A recording in a real browser: playing, pausing, seeking, and jumping to markers.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { launch, openViewer, sub } from '../support/browser.mjs';
import { Client } from '../support/client.mjs';
import { JOINTCAST, scratch, startDaemon } from '../support/daemon.mjs';
import { until } from '../support/until.mjs';

const LIMIT = { timeout: 300000 };

const browser = await launch();
after(() => browser.close());

/** Records some seconds of a walking body with two markers; returns the file name. */
async function record(t, seconds) {
  const folder = scratch(t);
  writeFileSync(path.join(folder, 'conf'), `recording { folder = "${folder}" }`);
  const daemon = await startDaemon(t, '--config', path.join(folder, 'conf'), '--source', 'demo:walk');
  const line = await Client.greeted(daemon);
  const ask = async (message) => {
    line.send({ type: 'record', space: 'lobby', ...message });
    return line.take(({ type }) => type === 'recording');
  };
  await ask({ action: 'start', name: 'rehearsal' });
  for (const [share, label] of [[0.25, 'enter'], [0.75, 'a bow']]) {
    await until('time goes by', async () => (await ask({ action: 'state' })).captures > seconds * share * 60);
    await ask({ action: 'marker', label });
  }
  await until('time goes by', async () => (await ask({ action: 'state' })).captures > seconds * 60);
  await ask({ action: 'stop' });
  let file;
  await until('the file is there', () => (file = readdirSync(folder).find((name) => name.endsWith('.mcap'))));
  line.ws.close();
  await daemon.stop();
  return { folder, file };
}

/** A finger beside a marker, on the slider, reaches the marker. */
async function testFinger(t, daemon, browser) {
  const page = await openViewer(t, daemon.page, { width: 420, height: 700, browser, context: { hasTouch: true, isMobile: true }, calm: true });
  const { viewer } = page;
  await until('its line is there', async () => (await viewer.locator('.marks button').count()) === 2);
  const track = await viewer.locator('.track').boundingBox();
  const mark = await viewer.locator('.marks button').nth(1).boundingBox();
  await viewer.touchscreen.tap(mark.x + mark.width / 2 + 9, track.y + track.height - 8);
  const off = () => viewer.evaluate(() => {
    const { client } = window.jointcast;
    const [first] = client.replays.list;
    return first.time(client.clock.at(client.now())) - first.markers[1].time;
  });
  await until('it is at the marker', async () => Math.abs(await off()) < 1e-3);
  page.done();
  await viewer.close();
}

test('the page plays, pauses and seeks a recording', LIMIT, async (t) => {
  const { folder, file } = await record(t, 4);
  const daemon = await startDaemon(t, '--config', path.join(folder, 'conf'));
  const page = await openViewer(t, daemon.page, { browser, width: 1280, height: 720 });
  const { viewer } = page;
  const replay = () => viewer.evaluate(() => {
    const { client } = window.jointcast;
    const [first] = client.replays.list;
    return first && { state: first.state, speed: first.speed, loop: first.loop, duration: first.duration,
      time: first.time(client.clock.at(client.now())) };
  });
  const hips = async () => (await page.positions()).walk.positions.hips;
  await until('the page is live', () => viewer.evaluate(() => window.jointcast?.client.state === 'live'));
  assert.equal(await viewer.locator('.replay').count(), 0);
  await viewer.evaluate((name) => window.jointcast.client.replays.open(name, { paused: true }), file);
  await page.bodies(1);
  await until('it is listed', async () => (await viewer.locator('.replay').count()) === 1);
  assert.ok((await replay()).duration > 3.5);
  const markers = viewer.locator('.marks button');
  assert.deepEqual(await markers.evaluateAll((marks) => marks.map(({ title }) => title.replace(/^\S+ /, ''))),
    ['enter', 'a bow']);
  const said = await viewer.evaluate(() => window.jointcast.client.replays.list[0].markers.map(({ time }) => time));
  const shots = [];
  for (const [i, time] of said.entries()) {
    await markers.nth(i).click();
    await until(`it is at marker ${i}`, async () => Math.abs((await replay()).time - time) < 0.05);
    await page.draw(20);
    shots.push(await hips());
    await page.shoot(`replay_${i}`);
  }
  assert.ok(Math.hypot(...sub(shots[0], shots[1])) > 0.3, 'the walker has walked between the markers');
  // Paused nothing moves.
  const before = await hips();
  await page.draw(20);
  assert.ok(Math.hypot(...sub(await hips(), before)) < 0.005);
  // Dragged to a place, the same body stands there again.
  const slider = viewer.locator('.track input');
  const drag = (time) => slider.evaluate((element, value) => {
    element.value = String(value);
    element.dispatchEvent(new Event('input', { bubbles: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
  }, time);
  const places = [];
  for (const time of [0.5, 3, 0.5]) {
    await drag(time);
    await until(`it is at ${time} s`, async () => Math.abs((await replay()).time - time) < 0.05);
    await page.draw(20);
    places.push(await hips());
    await page.shoot(`replay_at_${places.length}`);
  }
  assert.ok(Math.hypot(...sub(places[0], places[1])) > 0.5);
  assert.ok(Math.hypot(...sub(places[0], places[2])) < 0.05);
  await viewer.selectOption('.replay select', '0.25');
  await until('it is slow', async () => (await replay()).speed === 0.25);
  await viewer.locator('.replay > button', { hasText: 'Loop' }).click();
  await until('it is looped', async () => (await replay()).loop);
  await viewer.locator('.play').click();
  await until('it plays', async () => (await replay()).state === 'playing');
  const { time: began } = await replay();
  await until('its time goes by', async () => (await replay()).time !== began);
  await viewer.keyboard.press('k');
  await until('it stands', async () => (await replay()).state === 'paused');
  await testFinger(t, daemon, page.browser);
  await viewer.locator('.replay > button', { hasText: '×' }).click();
  await until('it is gone', async () => (await viewer.locator('.replay').count()) === 0);
  page.done();
});

test('a recording is listed and plays', LIMIT, async (t) => {
  const { folder, file } = await record(t, 1);
  writeFileSync(path.join(folder, 'torn.mcap'), 'no recording');
  const daemon = await startDaemon(t, '--config', path.join(folder, 'conf'));
  const page = await openViewer(t, daemon.page, { browser, width: 1280, height: 720 });
  const { viewer } = page;
  await until('the page is live', () => viewer.evaluate(() => window.jointcast?.client.state === 'live'));
  await viewer.locator('#recordings').click();
  const items = viewer.locator('#shelf li button');
  await until('it is listed', async () => (await items.count()) === 1);
  assert.equal(await items.locator('.name').textContent(), file.replace('.mcap', ''));
  const { duration } = JSON.parse(execFileSync(JOINTCAST, ['inspect', path.join(folder, file), '--json'])).motions[0];
  const [minutes, seconds] = (await items.locator('.length').textContent()).split(':').map(Number);
  assert.ok(Math.abs(60 * minutes + seconds - duration) < 0.11, `${minutes}:${seconds}, not ${duration} s`);
  assert.match(await items.locator('.about').textContent(), /2\d{3}.*, \d\.\d MB$/);
  await page.shoot('shelf');
  await items.click();
  await page.bodies(1);
  await until('its line is there', async () => (await viewer.locator('.replay').count()) === 1);
  await until('the shelf is closed', async () => !(await viewer.locator('#shelf').evaluate(({ open }) => open)));
  await viewer.keyboard.press('o');
  await until('the shelf is open', () => viewer.locator('#shelf').evaluate(({ open }) => open));
  await viewer.locator('#shelf .close').click();
  page.done();
});

test('offers no recordings without a folder', LIMIT, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:walk');
  const page = await openViewer(t, daemon.page, { browser, width: 800, height: 500 });
  await page.bodies(1);
  assert.equal(await page.viewer.locator('#recordings').isVisible(), false);
  page.done();
});

test('a file from the command line has controls, also on a small screen', LIMIT, async (t) => {
  const folder = scratch(t);
  const file = path.join(folder, 'somebody who waves.mcap');
  const { status, stderr } = spawnSync(JOINTCAST, ['convert', 'demo:wave', file], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const daemon = await startDaemon(t, '--source', `replay:${file}?loop`, '--source', `replay:${file}?paused&prefix=other-`);
  const page = await openViewer(t, daemon.page, { browser, width: 420, height: 700 });
  await page.bodies(2);
  await until('both are listed', async () => (await page.viewer.locator('.replay').count()) === 2);
  const boxes = await page.viewer.locator('.replay').evaluateAll((lines) => lines.map((line) => {
    const { left, right, top, bottom } = line.getBoundingClientRect();
    return { left, right, top, bottom };
  }));
  for (const { left, right, top, bottom } of boxes)
    assert.ok(left >= 0 && right <= 420 && top >= 0 && bottom <= 700);
  assert.ok(boxes[0].bottom <= boxes[1].top);
  await page.draw(10);
  await page.shoot('replay_small');
  page.done();
});

test('a late viewer rewinds and returns to the present', LIMIT, async (t) => {
  const folder = scratch(t);
  writeFileSync(path.join(folder, 'conf'), 'limits { rewind_seconds = 60 }');
  const daemon = await startDaemon(t, '--config', path.join(folder, 'conf'), '--source', 'demo:walk');
  const page = await openViewer(t, daemon.page, { browser, width: 1280, height: 600 });
  const { viewer } = page;
  await page.bodies(1);
  await page.draw(20);
  await until('the page offers the past', async () => (await viewer.locator('#rewind').textContent()) === '−30 s');
  await viewer.locator('#rewind').click();
  await viewer.waitForURL(/space=lobby(~|%7E)\d+/);
  await page.bodies(1);
  await until('its line is there', async () => (await viewer.locator('.replay').count()) === 1);
  assert.deepEqual(Object.keys(await page.positions()), ['walk']);
  await page.draw(10);
  await page.shoot('rewind');
  await until('the page offers the present', async () => (await viewer.locator('#rewind').textContent()) === 'Live');
  await viewer.locator('#rewind').click();
  await viewer.waitForURL(/space=lobby$/);
  await page.bodies(1);
  await until('the line of the past is gone', async () => (await viewer.locator('.replay').count()) === 0);
  page.done();
});
