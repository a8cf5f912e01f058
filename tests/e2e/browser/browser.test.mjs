// The viewer in a real browser: bodies are there, they move, they are people,
// and a VRM dropped on the page follows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { angle, dot, facing, openViewer, sub, unit } from '../support/browser.mjs';
import { sample, startDaemon } from '../support/daemon.mjs';
import { makeVrm } from '../support/fixtures.mjs';
import { until } from '../support/until.mjs';

const DEMOS = ['walk', 'wave', 'sit'].flatMap((name) => ['--source', `demo:${name}`]);
const LIMIT = { timeout: 60000 };
/** For pictures that people look at. */
const SHARP = { query: '?sharp' };

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
  const page = await openViewer(t, daemon.page, SHARP);
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
  const page = await openViewer(t, daemon.page, { width: 1200, height: 500,
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
  const page = await openViewer(t, daemon.page, { width: 420, height: 600 });
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

/** Hands the page a file as a drop would. */
function drop(viewer, name, bytes) {
  return viewer.evaluate(([fileName, base64]) => {
    const data = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([data], fileName));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true,
      cancelable: true }));
  }, [name, bytes.toString('base64')]);
}

/** A GLB whose JSON was changed. */
function rewritten(glb, change) {
  const end = 20 + glb.readUInt32LE(12);
  const json = JSON.parse(glb.subarray(20, end));
  change(json);
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, ' ')]);
  const head = Buffer.from(glb.subarray(0, 20));
  head.writeUInt32LE(glb.length - (end - 20) + padded.length, 8);
  head.writeUInt32LE(padded.length, 12);
  return Buffer.concat([head, padded, glb.subarray(end)]);
}

const noteOf = (viewer) => viewer.evaluate(() => document.getElementById('note').textContent);

for (const version of [1, 0])
  test(`a dropped VRM ${version} follows the body that wears it`, LIMIT, async (t) => {
    const daemon = await startDaemon(t, '--source', 'demo:wave');
    const page = await openViewer(t, daemon.page, { width: 640, height: 480 });
    await page.bodies(1);
    await drop(page.viewer, 'fixture.vrm', makeVrm(version));
    await until('the avatar is worn', async () => (await page.positions()).wave.avatar);
    // The daemon fits the motion to the avatar's own skeleton, of which it has no mesh.
    await until('it is fitted', async () => (await page.positions()).wave.fitted);
    const { skeletons } = await (await fetch(`${daemon.page}skeletons`)).json();
    assert.deepEqual(skeletons.map(({ name, hash, worn }) => [name, hash, worn]),
      [['fixture.vrm', (await page.positions()).wave.fitted, true]]);
    await page.draw(3);
    for (let i = 0; i < 4; i++) {
      let positions, avatar, worst;
      // A machine that is busy has one of the two lines late now and then.
      await until(() => `the avatar is as the body, not ${worst} degrees off`, async () => {
        ({ positions, avatar } = (await page.positions()).wave);
        worst = Math.max(...['head', 'leftHand', 'rightHand', 'rightLowerArm', 'leftFoot', 'rightFoot'].map(
          (bone) => angle(sub(positions[bone], positions.hips), sub(avatar[bone], avatar.hips))));
        return worst < 2;
      });
      assert.ok(Math.abs(avatar.hips[1] / positions.hips[1] - 0.9) < 0.02,
        `hips at ${avatar.hips[1]} and ${positions.hips[1]} m`);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    await page.shoot(`vrm${version}`);
    await page.viewer.keyboard.press('x');
    await until('the avatar is off', async () => !(await page.positions()).wave.avatar);
    page.done();
  });

test('rejects a bad file in one line without a change', LIMIT, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:idle');
  const page = await openViewer(t, daemon.page, { width: 480, height: 360 });
  await page.bodies(1);
  const good = makeVrm(1);
  const noHumanoid = Buffer.from(good);
  noHumanoid.write('VRMC_vrX', noHumanoid.indexOf('"VRMC_vrm":{') + 1, 'latin1');
  const strayBone = Buffer.from(good);
  strayBone.write('"hips":{"nodX"', strayBone.indexOf('"hips":{"node"'), 'latin1');
  // Draco beside meshes that need none; the loader takes it for necessary.
  const draco = rewritten(good, (json) => {
    json.extensionsUsed.push('KHR_draco_mesh_compression');
  });
  for (const [name, bytes, expected] of [
    ['stray.vrm', strayBone, /^stray\.vrm: its bone 'hips' is not a node of the file/],
    ['empty.vrm', Buffer.alloc(0), /^empty\.vrm: it is not a VRM/],
    ['text.vrm', Buffer.from('no such thing, whatever its name'), /^text\.vrm: it is not a VRM/],
    ['cut.vrm', good.subarray(0, 2000), /^cut\.vrm: the file is truncated/],
    ['plain.glb', noHumanoid, /^plain\.glb: it is a glTF, but has no VRM humanoid/],
    ['packed.vrm', draco, /^packed\.vrm: it needs KHR_draco_mesh_compression, which this page does not support/],
  ]) {
    await drop(page.viewer, name, bytes);
    await until(`a note on ${name}`, async () => expected.test(await noteOf(page.viewer)));
    assert.ok(!(await noteOf(page.viewer)).includes('\n'));
    assert.equal((await page.positions()).idle.avatar, null);
  }
  page.done();
});

test('a page of an unknown space reports it, and keeps reporting it', LIMIT, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:idle');
  const { viewer } = await openViewer(t, `${daemon.page}?space=cellar`, { width: 480, height: 360 });
  await until('the banner', () => viewer.evaluate(() => {
    const { hidden, textContent } = document.getElementById('banner');
    return !hidden && textContent === 'cellar: no space of that name';
  }));
});

test('a page that lost its daemon reports it and reconnects', LIMIT, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:idle');
  const { viewer, bodies } = await openViewer(t, daemon.page, { width: 480, height: 360 });
  await bodies(1);
  const banner = () => viewer.evaluate(() => {
    const { hidden, textContent } = document.getElementById('banner');
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
  const page = await openViewer(t, daemon.page, SHARP);
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
