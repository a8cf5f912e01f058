// An avatar of the visitor's own on the publishing page: the mirror shows it, its descriptor alone
// leaves the page, and each disabled control gives its reason.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { cross, dot, drop, launch, sub } from '../support/browser.mjs';
import { scratch, startDaemon } from '../support/daemon.mjs';
import { makeExt, makeVrm } from '../support/fixtures.mjs';
import { bodyFrames, openPublisher, subscribe } from '../support/publisher.mjs';
import { retarget } from '../support/retargeted.mjs';
import { until } from '../support/until.mjs';

const LIMIT = { timeout: 300000 };

const browser = await launch();
after(() => browser.close());
/** Metres: precision 'fine' along an arm, captures, springs and smoothing of the hips. */
const NEAR = 0.012;

/** Metres in a mirror: left and right hand and head as seen from the hips, independent of heading. */
function shapeOf(positions, side) {
  const [left, right, head] = ['leftHand', 'rightHand', 'head']
    .map((bone) => sub(positions[bone], positions.hips));
  return [left[1], right[1], head[1], Math.hypot(...sub(left, right)),
    Math.cbrt(side * dot(cross(left, right), head))];
}

const worldOf = ({ bones }) => Object.fromEntries(
  Object.entries(bones).map(([bone, { worldPosition }]) => [bone, worldPosition]));

const reflection = (viewer) => viewer.evaluate(() => window.jointcast.reflection());

for (const [name, make] of [['own.vrm', () => makeVrm(0)], ['own.glb', () => makeExt()]])
  test(`the mirror shows ${name} as the command line poses it, and its mesh stays in the page`, LIMIT,
    async (t) => {
      const motion = bodyFrames(t, 'wave', 'meta');
      const file = path.join(scratch(t), name);
      writeFileSync(file, make());
      const daemon = await startDaemon(t);
      const { client, log, body } = subscribe(t, daemon);
      const page = await openPublisher(t, daemon, { browser, motion, width: 480, height: 700 });
      const { viewer } = page;
      const requests = [];
      viewer.on('request', (request) => requests.push(request.method()));
      await viewer.setInputFiles('#avatar-file', file);
      await until('the avatar stands in the mirror', () => reflection(viewer));
      await page.draw(2);
      const rest = await reflection(viewer);
      assert.ok(rest.leftHand[0] < -0.2 && rest.rightHand[0] > 0.2, 'left and right are not exchanged');
      assert.deepEqual(page.says('skeleton'), [], 'a descriptor left the page without consent');

      await viewer.check('#may-show');
      await viewer.click('#enter');
      await until('the body is there', () => log.includes('enter guest'));
      const [{ descriptor }] = page.says('skeleton');
      assert.deepEqual(Object.keys(descriptor).filter((key) =>
        !['name', 'format', 'facing', 'floor', 'bones', 'nodes', 'virtualTransforms'].includes(key)), []);
      assert.equal(page.says('publish')[0].skeleton, body().skeleton.hash);
      assert.equal(client.bodies.size, 1);

      await viewer.evaluate(() => window.headset.play(0, 100));
      const [computed] = retarget(motion.file, file, [motion.frames[100].t]);
      const expected = shapeOf(worldOf(computed), 1);
      let seen;
      await until(() => `the mirror shows frame 100, ${expected.map((x) => x.toFixed(3))}, not ${seen}`,
        async () => {
          seen = shapeOf(await reflection(viewer), -1);
          return seen.every((x, i) => Math.abs(x - expected[i]) < NEAR);
        });
      assert.ok(requests.every((method) => method === 'GET'), `the page sent files: ${requests}`);
      await page.shoot(`own_${name.replace('.', '_')}`);

      await viewer.evaluate(() => document.getElementById('avatar-remove').click()); // the emulated headset covers the page
      await until('the body has another skeleton', () => body() && body().skeleton.hash !== page.says('publish')[0].skeleton);
      page.done();
    });

/** Texts that a disabled control refers to, as people see them. */
const reasonOf = (viewer, id) => viewer.evaluate((of) => {
  const control = document.getElementById(of);
  return control.disabled ? control.getAttribute('aria-describedby').split(' ')
    .map((text) => document.getElementById(text)).filter((text) => text.checkVisibility())
    .map(({ textContent }) => textContent).join(' ') : null;
}, id);

test('each disabled control gives its reason, and a bad file leaves the avatar as it is', LIMIT, async (t) => {
  const daemon = await startDaemon(t);
  const page = await openPublisher(t, daemon, { browser, headset: false, width: 480, height: 700 });
  const { viewer } = page;
  await until('advice is given', async () => await page.text('advice') !== '');
  const has = async (reasons) => {
    for (const [id, reason] of Object.entries(reasons))
      if (reason === null)
        assert.equal(await reasonOf(viewer, id), null, id);
      else
        assert.match(await reasonOf(viewer, id), reason, id);
  };
  await has({ enter: /First switch on.+headset/, demo: /First switch on/, 'may-record': /first switch/,
    'may-rebroadcast': /first switch/, name: null });
  await viewer.check('#may-show');
  await has({ enter: /^[^“]*headset/, demo: null, 'may-record': null, 'may-rebroadcast': null });
  await drop(viewer, 'own.vrm', makeVrm(1));
  await until('the avatar stands in the mirror', () => reflection(viewer));
  await has({ 'avatar-share': /accepts no avatars/ });
  await drop(viewer, 'photo.vrm', Buffer.from('no avatar'));
  await until('the file is refused', async () => /^photo\.vrm: .+$/.test(await page.text('note')));
  assert.match(await page.text('avatar-state'), /^own\.vrm/);
  assert.ok(await reflection(viewer));
  await viewer.click('#demo');
  await until('it is live', async () => await page.state() === 'live');
  await has({ name: /Stop before/ });
  page.done();
});

/** A VRM 1.0 whose meta states other permissions. */
function permitting(meta) {
  const glb = makeVrm(1);
  const end = 20 + glb.readUInt32LE(12);
  const json = JSON.parse(glb.subarray(20, end));
  Object.assign(json.extensions.VRMC_vrm.meta, meta);
  const body = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([body, Buffer.alloc(-body.length & 3, ' ')]);
  const head = Buffer.from(glb.subarray(0, 20));
  head.writeUInt32LE(glb.length - (end - 20) + padded.length, 8);
  head.writeUInt32LE(padded.length, 12);
  return Buffer.concat([head, padded, glb.subarray(end)]);
}

/** The declarations that the dialog permits. */
const choices = (viewer) => viewer.evaluate(() => [...document.querySelectorAll('#sharing [name="rights"]')]
  .filter(({ disabled }) => !disabled).map(({ value }) => value));

test('only after consent, and with the rights that the file permits, viewers get the avatar', LIMIT, async (t) => {
  const folder = scratch(t);
  const conf = path.join(folder, 'conf');
  writeFileSync(conf, 'avatars { upload = "true" }\n');
  const daemon = await startDaemon(t, '--config', conf, '--state', path.join(folder, 'state'));
  const { client, log, body } = subscribe(t, daemon);
  const page = await openPublisher(t, daemon, { browser, headset: false, width: 480, height: 700 });
  const { viewer } = page;
  const uploads = [];
  viewer.on('request', (request) => request.method() !== 'GET' && uploads.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const open = async (bytes, name) => {
    await drop(viewer, name, bytes);
    await until('the avatar is read', async () => (await page.text('avatar-state')).startsWith(name));
    await viewer.click('#avatar-share');
    await until('the dialog is open', () => viewer.isVisible('#sharing'));
  };
  const cases = [[{ avatarPermission: 'onlyAuthor' }, ['author'], /author only/],
    [{ avatarPermission: 'onlySeparatelyLicensedPerson' }, ['author', 'licensed'], /licence of their own/],
    [{ avatarPermission: 'everyone', allowRedistribution: false }, ['author', 'licensed'], /redistribution/]];
  for (const [i, [meta, permitted, reason]] of cases.entries()) {
    await open(permitting(meta), `case${i}.vrm`);
    assert.deepEqual(await choices(viewer), permitted);
    assert.match(await page.text('rights-public-why'), reason);
    assert.match(await reasonOf(viewer, 'sharing-send'), /statements about your rights/);
    await viewer.click('#sharing-cancel');
    await until('the dialog is closed', async () => !await viewer.isVisible('#sharing'));
  }
  assert.deepEqual(uploads, [], 'a file was sent without consent');

  await open(permitting({ avatarPermission: 'everyone', allowRedistribution: true }), 'own.vrm');
  assert.deepEqual(await choices(viewer), ['author', 'licensed', 'public']);
  assert.equal(await viewer.inputValue('#sharing [name="licence"]'), 'VRM-1.0');
  await viewer.check('#sharing [value="public"]');
  await page.shoot('own_avatar_sharing');
  await viewer.click('#sharing-send');
  await until('the file is sent', async () => /Viewers see it/.test(await page.text('avatar-state')));
  assert.deepEqual(uploads, ['PUT /avatars']);
  await viewer.check('#may-show');
  await viewer.click('#demo');
  await until('the body wears it', () => log.includes('enter guest') && body()?.avatar);
  const { hash, bytes } = body().avatar;
  assert.equal((await client.fetchAvatar(hash)).byteLength, bytes);

  // Another client of the same owner removes it: the page reports that.
  await client.removeAvatar(hash);
  await until('the page reports the loss', async () => /no longer shows your avatar/.test(await page.text('note')));
  assert.match(await page.text('avatar-state'), /stays in this page/);
  await viewer.click('#avatar-share');
  await viewer.check('#sharing [value="author"]');
  await viewer.click('#sharing-send');
  await until('the body wears it again', () => body()?.avatar);

  await viewer.evaluate(() => document.getElementById('avatar-withdraw').click());
  await until('the file is taken back', async () => /stays in this page/.test(await page.text('avatar-state')));
  await until('the body wears it no longer', () => body() && !body().avatar);
  await assert.rejects(client.fetchAvatar(hash));
  assert.equal(uploads.at(-1), `DELETE /avatars/${hash}`);
  page.done();
});
