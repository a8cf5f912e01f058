// The viewer in a real browser: bodies are there, they move, they are people.

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { after, test } from 'node:test';
import { dot, facing, launch, openViewer, sub, unit } from '../support/browser.mjs';
import { sample, startDaemon } from '../support/daemon.mjs';
import { message } from '../support/osc.mjs';
import { until } from '../support/until.mjs';

const DEMOS = ['walk', 'wave', 'sit'].flatMap((name) => ['--source', `demo:${name}`]);
const LIMIT = { timeout: 300000 };
const SHARP = { query: '?sharp', seen: true };

const browser = await launch();
after(() => browser.close());

/** Checks that hold for a person in any everyday posture. */
function assertPerson(name, { positions: p }) {
  const lowest = Math.min(p.leftFoot[1], p.rightFoot[1], p.leftToes[1], p.rightToes[1]);
  assert.ok(p.head[1] > p.hips[1] + 0.3, `${name}: head over hips`);
  assert.ok(p.hips[1] > lowest + 0.2, `${name}: hips over feet`);
  assert.ok(lowest > -0.1 && lowest < 0.25, `${name}: lowest foot at ${lowest} m`);
  const ahead = facing(p);
  // Seen from behind, +X of a person who looks along +Z: the left is where y × forward points.
  const left = unit([ahead[2], 0, -ahead[0]]);
  for (const [l, r] of [['leftUpperLeg', 'rightUpperLeg'], ['leftUpperArm', 'rightUpperArm']])
    assert.ok(dot(sub(p[l], p[r]), left) > 0, `${name}: ${l} on the left`);
  // A foot that leaves the floor may hang down; then the other one stands.
  const toes = Math.max(dot(sub(p.leftToes, p.leftFoot), ahead),
    dot(sub(p.rightToes, p.rightFoot), ahead));
  assert.ok(toes > 0.04, `${name}: toes point ahead`);
}

/** Pixels of two screenshots that differ by more than noise: how many, in what share of tiles. */
function compare(viewer, a, b) {
  return viewer.evaluate(async (pictures) => {
    const [before, after] = await Promise.all(pictures.map(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    }));
    const tiles = new Set();
    let changed = 0;
    for (let i = 0; i < before.data.length; i += 4) {
      const d = Math.max(...[0, 1, 2].map((k) => Math.abs(before.data[i + k] - after.data[i + k])));
      if (d < 40)
        continue;
      changed++;
      const x = (i / 4) % before.width;
      const y = Math.floor(i / 4 / before.width);
      tiles.add(Math.floor(x / 32) + 1000 * Math.floor(y / 32));
    }
    const all = Math.ceil(before.width / 32) * Math.ceil(before.height / 32);
    return { changed, tiles: tiles.size / all };
  }, [a, b].map((picture) => picture.toString('base64')));
}

test('the demo bodies are visible, move and have human size', LIMIT, async (t) => {
  const daemon = await startDaemon(t, ...DEMOS);
  const page = await openViewer(t, daemon.page, { browser, ...SHARP });
  await page.bodies(3);
  await page.draw(10);

  const shots = [];
  const places = [];
  for (let i = 0; i < 3; i++) {
    places.push(await page.positions());
    shots.push(await page.shoot(`demo_front_${i}`));
    await new Promise((resolve) => setTimeout(resolve, 900));
  }
  assert.equal(Object.keys(places[0]).length, 3);
  for (const moment of places)
    for (const [name, body] of Object.entries(moment))
      assertPerson(name, body);
  for (const [name, { positions }] of Object.entries(places[0])) {
    const far = Math.max(...Object.keys(positions).map((bone) => Math.max(...places.slice(1).map(
      (later) => Math.hypot(...sub(later[name].positions[bone], positions[bone]))))));
    assert.ok(far > 0.02, `${name} does not move: ${far} m at most`);
  }
  const { changed, tiles } = await compare(page.viewer, shots[0], shots[2]);
  assert.ok(changed > 800, `only ${changed} pixels changed`);
  assert.ok(tiles < 0.6, `${100 * tiles} % of the picture changed: that is flicker, not motion`);

  await page.viewer.evaluate(() => window.jointcast.lookFrom(1, 0.12, 0));
  await page.draw(5);
  await page.shoot('demo_side');
  const { hz, bytesPerBodyFrame } = await page.viewer.evaluate(() => window.jointcast.stats);
  assert.ok(hz > 5, `${hz} bundles a second`);
  assert.ok(bytesPerBodyFrame > 1 && bytesPerBodyFrame < 60, `${bytesPerBodyFrame} bytes`);
  page.done();
});

test('bodies continue after the precision is changed on the page', LIMIT, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:walk');
  const said = [];
  const page = await openViewer(t, daemon.page, { browser, width: 1200, height: 500,
    prepare: async (viewer) => viewer.on('websocket', (socket) => socket.on('framesent',
      ({ payload }) => typeof payload === 'string' && said.push(JSON.parse(payload)))) });
  await page.bodies(1);
  await page.viewer.selectOption('#precision', 'coarse');
  await until('it is asked for', () => said.filter(({ type }) => type === 'subscribe')
    .map(({ precision }) => precision).join() === 'fine,coarse');
  const before = (await page.positions()).walk.positions.hips;
  await until('the walker gets on', async () =>
    Math.hypot(...sub((await page.positions()).walk.positions.hips, before)) > 0.5);
  assert.equal(await page.viewer.evaluate(() => window.jointcast.client.traffic.damaged), 0);
  page.done();
});

test('labels of close bodies do not overlap', LIMIT, async (t) => {
  const daemon = await startDaemon(t, ...DEMOS, ...DEMOS.map((word, i) =>
    (i % 2 ? `${word}?name=${word.slice(5)}-somewhat-longer` : word)));
  const page = await openViewer(t, daemon.page, { browser, width: 420, height: 600 });
  await page.bodies(6);
  await page.viewer.evaluate(() => window.jointcast.lookFrom(1, 0.05, 0));
  // How much of each label the others cover, and how far it is lifted off its place at most.
  const overlaps = () => page.viewer.evaluate(() => {
    const boxes = [...document.querySelectorAll('.label')].map((e) => e.getBoundingClientRect());
    return boxes.flatMap((a, i) => boxes.slice(i + 1).map((b) =>
      Math.min(Math.min(a.right, b.right) - Math.max(a.left, b.left),
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)))).filter((depth) => depth > 1.5);
  });
  await until('no label is covered', async () => (await overlaps()).length === 0);
  await page.shoot('labels');
  page.done();
});

test('a page of an unknown space reports it, and keeps reporting it', LIMIT, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:idle');
  const { viewer } = await openViewer(t, `${daemon.page}?space=cellar`, { browser, width: 480, height: 360 });
  await until('the page names the space, and links to another', () => viewer.evaluate(() => {
    const { hidden, textContent } = document.getElementById('situation');
    return !hidden && textContent.includes('There is no space cellar') && textContent.includes('lobby');
  }));
  await viewer.click('#situation a');
  await until('the page is in the other space', () => viewer.evaluate(() =>
    window.jointcast?.client.space === 'lobby' && window.jointcast.bodies().length === 1));
});

test('the page names a source without a body, and shows the body with its first motion', LIMIT, async (t) => {
  const daemon = await startDaemon(t, '--source', 'vmc:0?name=Ada');
  const { viewer, bodies, positions, done } = await openViewer(t, daemon.page, { browser, width: 480, height: 360 });
  const waiting = () => viewer.evaluate(() => {
    const { hidden, innerText } = document.getElementById('waiting');
    return hidden ? '' : innerText;
  });
  await until('the source', async () => await waiting() === 'waiting for vmc: no motion arrives');
  assert.deepEqual(await positions(), {});
  assert.equal(await viewer.locator('#bodies button').count(), 0);

  const hips = message('/VMC/Ext/Bone/Pos', 'sfffffff', 'Hips', 0, 0, 0, 0, 0, 0, 1);
  const { spaces } = await (await fetch(`${daemon.admin}status`)).json();
  const [, port] = /^port (\d+)/.exec(spaces[0].waiting[0].source.detail);
  const socket = createSocket('udp4');
  const timer = setInterval(() => socket.send(hips, Number(port), '127.0.0.1'), 16);
  t.after(() => {
    clearInterval(timer);
    socket.close();
  });
  await bodies(1);
  assert.deepEqual(Object.keys(await positions()), ['Ada']);
  await until('no source waits', async () => await waiting() === '');
  done();
});

test('a page that lost its daemon reports it and reconnects', LIMIT, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:idle');
  const { viewer, bodies } = await openViewer(t, daemon.page, { browser, width: 480, height: 360 });
  await bodies(1);
  const banner = () => viewer.evaluate(() => {
    const { hidden, textContent } = document.getElementById('situation');
    return hidden ? '' : textContent;
  });
  assert.equal(await banner(), '');
  await daemon.stop();
  await until('the banner', async () => /connection is lost/.test(await banner()));
  await startDaemon(t, '--listen', `127.0.0.1:${daemon.port}`, '--source', 'demo:walk');
  await until('the new body alone', () => viewer.evaluate(() =>
    window.jointcast.bodies().map(({ name }) => name).join() === 'walk'));
  assert.equal(await banner(), '');
});

test('a captured walk is upright, on the floor, and goes where it faces', LIMIT, async (t) => {
  const file = sample('bvh/cmu_12_01_walk.bvh');
  if (!file) {
    t.skip('no folder of real motions (JOINTCAST_DATA)');
    return;
  }
  const daemon = await startDaemon(t, '--source', `file:${file}?name=cmu`);
  const page = await openViewer(t, daemon.page, { browser, ...SHARP });
  await page.bodies(1);
  let last = (await page.positions()).cmu;
  let walked = 0;
  let ahead = 0;
  // Checks every picture, because the motion restarts in between.
  await until(() => `it has walked a metre, not ${walked} m`, async () => {
    const moment = (await page.positions()).cmu;
    assertPerson('cmu', moment);
    const step = sub(moment.positions.hips, last.positions.hips);
    last = moment;
    if (Math.hypot(step[0], step[2]) <= 0.6) {
      walked += Math.hypot(step[0], step[2]);
      ahead += dot(step, facing(moment.positions));
    }
    return walked > 1;
  });
  assert.ok(ahead > 0.8 * walked, `of ${walked} m ${ahead} m the way it faces`);
  await page.shoot('cmu_front');
  await page.viewer.evaluate(() => window.jointcast.lookFrom(1, 0.12, 0));
  await page.draw(3);
  await page.shoot('cmu_side');
  page.done();
});
