// The publishing page in a real browser, with a headset that is emulated
// (emulated_xr.mjs): what the person agreed to decides, and what subscribers get is the
// body that the headset tracked, as the command line solves it.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { BONES, BodyFrame, JOINTS, decodeBodyFrame } from '../../../clients/js/index.js';
import { launch } from '../support/browser.mjs';
import { scratch, startDaemon } from '../support/daemon.mjs';
import { bodyFrames, openPublisher, subscribe } from '../support/publisher.mjs';
import { angle, retarget } from '../support/retargeted.mjs';
import { secret, token } from '../support/token.mjs';
import { until } from '../support/until.mjs';

const LIMIT = { timeout: 300000 };

const browser = await launch();
after(() => browser.close());
/** Degrees: precision 'fine', roundings of captures on a joint and those about it. */
const ROTATION_ERROR = 0.06 + 4 * 0.0046 + 0.005;
/** Metres: rounding of the hips in 'fine' and in a capture, for a body whose size is measured
 * again. */
const HIPS_ERROR = 0.004;

/** Joints that a capture has, by name. */
function jointsOf(message) {
  const { states } = decodeBodyFrame(message.subarray(2), new BodyFrame());
  return JOINTS.filter((name, i) => states[i] !== 0);
}

/** Differences from the result of the command line: degrees, their bone, metres. */
function difference(body, computed) {
  const { rotations, hips } = body.sample();
  const at = body.skeleton.hipsTranslation(hips, new Float64Array(3));
  const off = Object.entries(computed.bones).map(([bone, { relative }]) =>
    ({ bone, degrees: angle(relative, rotations, 4 * BONES.indexOf(bone)) }))
    .reduce((worst, one) => (one.degrees > worst.degrees ? one : worst));
  return { ...off, metres: Math.hypot(...computed.hipsTranslation.map((x, i) => x - at[i])) };
}

/** WebXR looks ahead along -Z, bodies of a space along +Z: half a turn about +Y. */
function turnAbout({ bones: { hips }, hipsTranslation: at }) {
  const [x, y, z, w] = hips.relative;
  hips.relative = [z, w, -x, -y];
  at[0] = -at[0];
  at[2] = -at[2];
}

for (const [name, profile, spelling] of [['wave', 'meta', 'metacarpal'],
  ['walk', 'webxr-spec', 'phalanx-metacarpal']])
  test(`a body in the headset, axes of ${profile}, is what subscribers see`, LIMIT, async (t) => {
    const motion = bodyFrames(t, name, profile);
    const daemon = await startDaemon(t);
    const { client, log, body } = subscribe(t, daemon);
    const page = await openPublisher(t, daemon, { browser, motion, width: 640, height: 700,
      rename: (joint) => joint.replace(/middle-(phalanx-)?metacarpal/, `middle-${spelling}`) });
    const { viewer } = page;
    if (profile === 'webxr-spec')
      await viewer.evaluate(() => Object.defineProperty(navigator, 'userAgent',
        { value: 'another browser' }));
    await viewer.fill('#name', 'Ada');
    await viewer.check('#may-show');
    await viewer.check('#may-record');
    await viewer.click('#enter');
    await until('Ada is there', () => log.includes('enter Ada'));
    await until('it was heard asking', () => page.says('publish').length === 1);
    const [{ publication, type, request, ...said }] = page.says('publish');
    assert.match(request, /^publish \d+$/);
    assert.deepEqual(said, { space: 'lobby', name: 'Ada', kind: 'body-frames', profile,
      mayRecord: true, mayRebroadcast: false });

    let moved = 0;
    let first = null;
    client.on('bundle', () => {
      const { rotations } = body()?.sample() ?? {};
      first ??= rotations?.slice();
      if (rotations)
        moved = Math.max(moved,
          ...BONES.map((_, i) => angle(rotations.subarray(4 * i), first, 4 * i)));
    });
    let worst = { degrees: 0 };
    for (const [from, to] of [[0, 100], [100, 210], [210, 290]]) {
      await viewer.evaluate(([a, b]) => window.headset.play(a, b), [from, to]);
      const [computed] = retarget(motion.file, 'humanoid', [motion.frames[to].t]);
      turnAbout(computed);
      let last;
      await until(() => `frame ${to} is seen: ${JSON.stringify(last)}`, () => {
        last = difference(body(), computed);
        return last.degrees < ROTATION_ERROR && last.metres < HIPS_ERROR;
      });
      if (last.degrees > worst.degrees)
        worst = last;
    }
    t.diagnostic(`at most ${worst.degrees.toFixed(4)} degrees apart (${worst.bone})`);
    assert.ok(moved > 20, `nothing moved: ${moved} degrees at most`);
    await until('a capture was heard', () => page.sent.captures.length > 0);
    assert.deepEqual(jointsOf(page.sent.captures.at(-1)), [...JOINTS]);
    // Capture times are server times of the capture, not of the display.
    const times = page.sent.captures.map((message) =>
      decodeBodyFrame(message.subarray(2), new BodyFrame()).time);
    assert.ok(times.every((time, i) => i === 0 || time > times[i - 1]), 'times rise');
    const now = client.clock.at(performance.now()) + 1000 * client.clock.roundTrip;
    assert.ok(times.at(-1) <= now, `${times.at(-1) - now} us from the future`);
    assert.ok(times[0] > client.welcome.time, 'times are of the server');
    await until('the joints are told', async () => await page.text('stat-joints') === '83 · body');

    const reflection = await viewer.evaluate(() => window.jointcast.reflection());
    assert.ok(reflection.head[1] > 1.2 && reflection.head[1] < 1.8, 'the mirror shows a person');
    await page.shoot(`publish_${profile}`);

    await viewer.evaluate(() => window.jointcast.stop());
    await until('Ada has left', () => log.at(-1) === 'leave Ada');
    page.done();
  });

test('nothing is sent without consent or after its withdrawal', LIMIT, async (t) => {
  const motion = bodyFrames(t, 'wave', 'meta');
  const daemon = await startDaemon(t);
  const { log } = subscribe(t, daemon);
  const page = await openPublisher(t, daemon, { browser, motion, width: 480, height: 800 });
  const { viewer, sent } = page;
  assert.equal(await viewer.isDisabled('#enter'), true);
  assert.equal(await viewer.isDisabled('#demo'), true);
  assert.equal(await viewer.isChecked('#may-show'), false);
  assert.equal(await viewer.isDisabled('#may-record'), true);
  await viewer.evaluate(() => window.headset.play(0, 30));
  assert.deepEqual([page.says('publish').length, sent.captures.length], [0, 0]);

  await viewer.check('#may-show');
  await viewer.evaluate(() => window.headset.play(30, 60));
  assert.deepEqual([page.says('publish').length, sent.captures.length], [0, 0], 'not started');
  await viewer.click('#enter');
  await until('captures are sent', () => sent.captures.length > 20);
  await until('the body is there', () => log.includes('enter guest'));

  // Another answer is another publication, of the same session.
  const captures = sent.captures.length;
  await viewer.evaluate(() => document.getElementById('may-rebroadcast').click());
  await until('published anew', () => page.says('publish').length === 2);
  assert.deepEqual(page.says('publish').map(({ mayRecord, mayRebroadcast }) =>
    [mayRecord, mayRebroadcast]), [[false, false], [false, true]]);
  await until('captures go on', () => sent.captures.length > captures + 20);

  await viewer.evaluate(() => document.getElementById('may-show').click());
  await until('the body has left', () => log.at(-1) === 'leave guest');
  await viewer.evaluate(() => window.headset.play(60, 90)); // messages in flight arrive
  const last = sent.captures.length;
  await viewer.evaluate(() => window.headset.play(90, 150));
  assert.equal(sent.captures.length, last, 'captures after consent was taken back');
  assert.equal(await viewer.evaluate(() => window.headset.device.activeSession ?? null), null);
  page.done();
});

test('the end of a session removes its body, the next session adds another', LIMIT, async (t) => {
  const daemon = await startDaemon(t);
  const { log } = subscribe(t, daemon);
  const page = await openPublisher(t, daemon,
    { browser, motion: bodyFrames(t, 'wave', 'meta'), width: 480, height: 400 });
  const { viewer } = page;
  await viewer.check('#may-show');
  for (const round of [1, 2]) {
    await viewer.click('#enter');
    await until('the body is there', () => log.length === 2 * round - 1);
    await until('it is live', async () => await page.state() === 'live');
    await viewer.evaluate(() => window.headset.device.activeSession.end());
    await until('the body has left', () => log.length === 2 * round);
    assert.equal(await viewer.isVisible('#enter'), true);
  }
  assert.deepEqual(log, ['enter guest', 'leave guest', 'enter guest', 'leave guest']);
  page.done();
});

test('a paused or hidden body is stale until it resumes', LIMIT, async (t) => {
  const daemon = await startDaemon(t);
  const { body } = subscribe(t, daemon);
  const page = await openPublisher(t, daemon,
    { browser, motion: bodyFrames(t, 'wave', 'meta'), width: 480, height: 400 });
  const { viewer } = page;
  await viewer.check('#may-show');
  await viewer.click('#enter');
  await until('the body is live', () => body()?.state === 'live');
  await viewer.evaluate(() => window.jointcast.publisher.pause());
  await until('the body is stale', () => body().state === 'stale');
  assert.equal(await page.state(), 'paused');
  await viewer.evaluate(() => window.jointcast.publisher.resume());
  await until('the body is live again', () => body().state === 'live');
  await viewer.evaluate(() => window.headset.device.updateVisibilityState('hidden'));
  await until('the body is stale again', () => body().state === 'stale');
  await viewer.evaluate(() => window.headset.device.updateVisibilityState('visible'));
  await until('the body is live at last', () => body().state === 'live');
  page.done();
});

for (const [mode, count, shown] of [['hand', 51, '51 · hands'],
  ['controller', 3, '3 · head, controllers']])
  test(`a headset without body tracking publishes its head and hands: ${mode}`, LIMIT, async (t) => {
    const daemon = await startDaemon(t);
    const { log, body } = subscribe(t, daemon);
    const page = await openPublisher(t, daemon, { browser, width: 480, height: 800 });
    const { viewer, sent } = page;
    await viewer.evaluate((input) => { window.headset.device.primaryInputMode = input; }, mode);
    await viewer.check('#may-show');
    await viewer.click('#enter');
    await until('the body is there', () => log.includes('enter guest'));
    await until('the joints are told', async () => await page.text('stat-joints') === shown);
    await until('a capture was heard',
      () => sent.captures.length > 0 && jointsOf(sent.captures.at(-1)).length === count);

    // Complete for subscribers, and its head is where the headset is.
    await until('a pose has come', () => body().sample());
    await until('the mirror shows it', () => viewer.evaluate(() => window.jointcast.reflection()));
    const { head, leftFoot, rightFoot } = await viewer.evaluate(
      () => window.jointcast.reflection());
    assert.ok(head[1] > 1.3 && head[1] < 1.75, `head at ${head[1]} m`);
    assert.ok(Math.min(leftFoot[1], rightFoot[1]) < 0.2, 'a foot on the floor');
    await page.shoot(`publish_${mode}`);
    page.done();
  });

// WebXR Body Tracking, "Privacy & Security Considerations": immersive-vr or immersive-ar.
test('where the browser offers AR only, the page enters AR and publishes the whole body', LIMIT, async (t) => {
  const daemon = await startDaemon(t);
  const { log, body } = subscribe(t, daemon);
  const page = await openPublisher(t, daemon, { browser, motion: bodyFrames(t, 'wave', 'meta'),
    modes: ['inline', 'immersive-ar'], width: 480, height: 760 });
  const { viewer, sent } = page;
  await until('AR is offered', async () => await page.text('enter') === 'Enter AR');
  await viewer.evaluate(() => {
    const request = navigator.xr.requestSession.bind(navigator.xr);
    navigator.xr.requestSession = (mode, init) => {
      window.requested = { mode, ...init };
      return request(mode, init);
    };
  });
  await viewer.check('#may-show');
  await viewer.click('#enter');
  await until('the body is there', () => log.includes('enter guest'));
  const { mode, optionalFeatures } = await viewer.evaluate(() => window.requested);
  assert.deepEqual([mode, optionalFeatures.includes('body-tracking')], ['immersive-ar', true]);
  await until('a capture was heard', () => sent.captures.length > 0);
  assert.deepEqual(jointsOf(sent.captures.at(-1)), [...JOINTS]);
  await until('a pose has come', () => body().sample());
  await page.draw(5);
  await page.shoot('publish_ar');
  await viewer.evaluate(() => window.headset.device.activeSession.end());
  await until('the body has left', () => log.at(-1) === 'leave guest');
  assert.equal(await page.text('enter'), 'Enter AR');
  page.done();
});

test('where the browser offers neither VR nor AR, the page reports both', LIMIT, async (t) => {
  const daemon = await startDaemon(t);
  const page = await openPublisher(t, daemon, { browser, modes: ['inline'], width: 480, height: 400 });
  const { viewer } = page;
  await until('advice is given', async () => /neither VR nor AR/.test(await page.text('advice')));
  await viewer.check('#may-show');
  assert.equal(await viewer.isDisabled('#enter'), true);
  assert.equal(await viewer.isDisabled('#demo'), false);
  page.done();
});

test('without a headset the page reports it and publishes a demo body', LIMIT, async (t) => {
  const daemon = await startDaemon(t);
  const { log, body } = subscribe(t, daemon);
  const page = await openPublisher(t, daemon, { browser, headset: false, width: 1180, height: 760 });
  const { viewer } = page;
  await until('advice is given', async () => /headset|WebXR/.test(await page.text('advice')));
  await viewer.fill('#name', 'Walker');
  await viewer.check('#may-show');
  assert.equal(await viewer.isDisabled('#enter'), true);
  await viewer.click('#demo');
  await until('the walker is there', () => log.includes('enter Walker'));
  await until('the walker walks', () => body().sample());
  const from = [...body().sample().hips];
  await until('the walker gets on', () =>
    Math.hypot(...body().sample().hips.map((x, i) => x - from[i])) > 0.3);
  await until('the mirror shows it', () => viewer.evaluate(() => window.jointcast.reflection()));
  await page.draw(10);
  await page.shoot('publish_demo');
  await viewer.setViewportSize({ width: 400, height: 860 });
  await page.draw(4);
  await page.shoot('publish_demo_narrow');
  await viewer.click('#stop');
  await until('the walker has left', () => log.at(-1) === 'leave Walker');
  page.done();
});

test('a kicked publisher stops, shows the reason, and can start again', LIMIT, async (t) => {
  const daemon = await startDaemon(t);
  const { client, log, body } = subscribe(t, daemon);
  const { viewer, state, text } = await openPublisher(t, daemon, { browser, headset: false });
  await viewer.check('#may-show');
  await viewer.click('#demo');
  await until('the body is there', () => log.includes('enter guest'));
  await client.moderation.kick(body(), { reason: 'too loud' });
  await until('the body is gone', () => log.includes('leave guest'));
  await until('the page has stopped', async () => await state() === null);
  assert.match(await text('note'), /kick, too loud/);
});

test('publishes the body again after a restart of the daemon', LIMIT, async (t) => {
  const daemon = await startDaemon(t);
  const page = await openPublisher(t, daemon, { browser, headset: false, width: 480, height: 400 });
  const { viewer } = page;
  await viewer.check('#may-show');
  await viewer.click('#demo');
  await until('it is live', async () => await page.state() === 'live');
  await daemon.stop();
  await until('it waits', async () => await page.state() === 'waiting');
  const next = await startDaemon(t, '--listen', `127.0.0.1:${daemon.port}`);
  const { body } = subscribe(t, next);
  await until('the body is live again', () => body()?.state === 'live');
  assert.equal(await page.state(), 'live');
});

/** A daemon that requires tokens, and a function that makes them (proto/PROTOCOL.md, "Security"). */
async function startGuarded(t) {
  const folder = scratch(t);
  writeFileSync(path.join(folder, 'key'), secret);
  writeFileSync(path.join(folder, 'daemon.conf'), `auth {
    audience = "world"
    key "shared" { algorithm = "HS256" file = "${path.join(folder, 'key')}" }
  }\n`);
  const daemon = await startDaemon(t, '--config', path.join(folder, 'daemon.conf'));
  return { daemon, token: (...roles) => token({ sub: 'ada', roles, spaces: ['lobby'] }) };
}

test('on a daemon with keys the page asks for a token and reports missing permissions', LIMIT,
  async (t) => {
    const { daemon, token } = await startGuarded(t);
    const page = await openPublisher(t, daemon, { browser, headset: false, width: 480, height: 800,
      open: false });
    const { viewer } = page;
    const show = async (...roles) => {
      await until('a token is asked for', () => viewer.isVisible('#door-token'));
      await viewer.fill('#door-token', token(...roles));
      await viewer.press('#door-token', 'Enter');
      await until('the page is let in', () => viewer.evaluate(
        () => document.getElementById('dot').dataset.state === 'open'));
      await viewer.check('#may-show');
      await viewer.click('#demo');
    };
    await show('watch');
    await until('it says that it may not publish',
      async () => /role/.test(await page.text('note')));
    await until('its body is refused', async () => await page.state() === 'refused');
    await viewer.click('#stop');
    await viewer.reload(); // a typed token is not stored
    await show('watch', 'publish');
    await until('it is live', async () => await page.state() === 'live');
    page.done();
  });
