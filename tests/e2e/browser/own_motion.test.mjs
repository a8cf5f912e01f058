// Motion files that a visitor drops on the viewer: they play for this visitor alone, on the avatar that
// the visitor dropped before, and the visitor returns to the live space.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drop, dropAll, openViewer } from '../support/browser.mjs';
import { startDaemon } from '../support/daemon.mjs';
import { makeBvh, makeVrm } from '../support/fixtures.mjs';
import { until } from '../support/until.mjs';

test('a dropped motion plays for its visitor alone, on the avatar dropped before', { timeout: 300000 }, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:wave');
  const page = await openViewer(t, daemon.page);
  const { viewer } = page;
  const bodies = () => viewer.evaluate(() => window.jointcast?.bodies() ?? []).catch(() => []);
  await page.bodies(1);
  const refused = () => viewer.evaluate(() => document.getElementById('note').textContent);
  await drop(viewer, 'walk.bvh', Buffer.from('HIERARCHY'));
  await until('the file is refused', async () => /^walk\.bvh: .+$/.test(await refused()));
  assert.equal(new URL(viewer.url()).search, '');
  await drop(viewer, 'own.vrm', makeVrm(1));
  await until('the avatar is worn', async () => (await bodies())[0]?.avatar);
  await drop(viewer, 'photo.vrm', Buffer.from('no avatar'));
  await until('the other file is refused', async () => /^photo\.vrm: .+$/.test(await refused()));

  await drop(viewer, 'walk.bvh', Buffer.from(makeBvh()));
  await until('the private space is open', () => /space=lobby(~|%7E)\d+$/.test(viewer.url()));
  await until('the body of the file wears the avatar', async () => (await bodies())[0]?.avatar);
  const [{ name }] = await bodies();
  assert.equal(name, 'walk');
  const replay = () => viewer.evaluate(() => window.jointcast.client.replays.list.map(({ file, loop, state }) => [file, loop, state]));
  await until('the replay is listed', async () => (await replay()).length > 0); // its module is loaded on demand
  assert.deepEqual(await replay(), [['walk.bvh', true, 'playing']]);
  assert.equal(await viewer.isVisible('#replays .play'), true);
  await page.draw(3);
  await page.shoot('own_motion');

  await viewer.click('#rewind');
  await until('the live space is back', async () => (await bodies()).some((body) => body.name === 'wave'));
  assert.match(viewer.url(), /space=lobby$/);

  // Together, in any order; of several of a kind the first one counts.
  const note = () => viewer.evaluate(() => document.getElementById('note').textContent);
  await dropAll(viewer, [['a.vrm', makeVrm(1)], ['b.vrm', makeVrm(1)], ['c.vrm', makeVrm(1)]]);
  await until('the note names those left out', async () =>
    await note() === 'wave wears a.vrm. X takes it off. One motion and one avatar are taken at a time; left out: b.vrm, c.vrm');
  await viewer.keyboard.press('x');
  await dropAll(viewer, [['own.vrm', makeVrm(1)], ['walk.bvh', Buffer.from(makeBvh())], ['run.bvh', Buffer.from(makeBvh())]]);
  await until('another private space is open', () => /space=lobby(~|%7E)\d+$/.test(viewer.url()));
  await until('the body of the motion wears the avatar', async () => (await bodies())[0]?.avatar && (await bodies())[0].name === 'walk');
  await viewer.reload();
  await until('the note is gone', async () => !/left out/.test(await note()));
});
