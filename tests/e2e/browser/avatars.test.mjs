// Avatars that visitors drop on the viewer: VRM and EXT_skeleton_humanoid follow their body, their
// virtual transforms are shown, bad files are refused.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { describeFile } from '../../../clients/js/index.js';
import { angle, drop, launch, openViewer, sub, unit } from '../support/browser.mjs';
import { scratch, startDaemon } from '../support/daemon.mjs';
import { TABLE, makeExt, makeVrm, nodeOf } from '../support/fixtures.mjs';
import { avatarFile } from '../support/avatar_files.mjs';
import { toGlb } from '../support/glb.mjs';
import { until } from '../support/until.mjs';

const LIMIT = { timeout: 300000 };

const browser = await launch();
after(() => browser.close());

/** The JSON of a GLB, changed. */
function jsonOf(glb, change) {
  const json = JSON.parse(glb.subarray(20, 20 + glb.readUInt32LE(12)));
  change(json);
  return json;
}

/** A GLB whose JSON was changed. */
function rewritten(glb, change) {
  const end = 20 + glb.readUInt32LE(12);
  const text = Buffer.from(JSON.stringify(jsonOf(glb, change)));
  const padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, ' ')]);
  const head = Buffer.from(glb.subarray(0, 20));
  head.writeUInt32LE(glb.length - (end - 20) + padded.length, 8);
  head.writeUInt32LE(padded.length, 12);
  return Buffer.concat([head, padded, glb.subarray(end)]);
}

/** A GLB as .gltf text with its buffer inside. */
function asText(glb) {
  const binary = glb.subarray(28 + glb.readUInt32LE(12));
  return Buffer.from(JSON.stringify(jsonOf(glb, (json) => {
    json.buffers[0].uri = `data:application/octet-stream;base64,${binary.toString('base64')}`;
  })));
}

/** The avatar of the waving body moves as its mannequin, at nine tenths of the size. */
async function assertFollows(page) {
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
}

const noteOf = (viewer) => viewer.evaluate(() => document.getElementById('note').textContent);

for (const version of [1, 0])
  test(`a dropped VRM ${version} follows the body that wears it`, LIMIT, async (t) => {
    const daemon = await startDaemon(t, '--source', 'demo:wave');
    const page = await openViewer(t, daemon.page, { browser, width: 640, height: 480 });
    await page.bodies(1);
    await drop(page.viewer, 'fixture.vrm', makeVrm(version));
    await until('the avatar is worn', async () => (await page.positions()).wave.avatar);
    // The daemon fits the motion to the avatar's own skeleton, of which it has no mesh.
    await until('it is fitted', async () => (await page.positions()).wave.fitted);
    const { skeletons } = await (await fetch(`${daemon.page}skeletons`)).json();
    assert.deepEqual(skeletons.map(({ name, hash, worn }) => [name, hash, worn]),
      [['fixture.vrm', (await page.positions()).wave.fitted, true]]);
    await assertFollows(page);
    await page.shoot(`vrm${version}`);
    await page.viewer.keyboard.press('x');
    await until('the avatar is off', async () => !(await page.positions()).wave.avatar);
    page.done();
  });

for (const [kind, pack] of [['.glb', (glb) => glb], ['.gltf', asText]])
  test(`a dropped ${kind} with EXT_skeleton_humanoid follows the body, though its nodes are posed`, LIMIT, async (t) => {
    const daemon = await startDaemon(t, '--source', 'demo:wave');
    const page = await openViewer(t, daemon.page, { browser, width: 640, height: 480 });
    await page.bodies(1);
    await drop(page.viewer, `posed${kind}`, pack(makeExt({ degrees: 60 })));
    await until('the avatar is worn', async () => (await page.positions()).wave.avatar);
    await until('it is fitted', async () => (await page.positions()).wave.fitted);
    await assertFollows(page);
    await page.shoot('ext_front');
    await page.viewer.evaluate(() => window.jointcast.lookFrom(1, 0.12, 0));
    await page.draw(3);
    await page.shoot('ext_side');
    await page.viewer.keyboard.press('x');
    await until('the avatar is off', async () => !(await page.positions()).wave.avatar);
    page.done();
  });

/** A figure that no extension describes. */
const plain = (glb) => rewritten(glb, (json) => {
  delete json.extensions;
  delete json.extensionsUsed;
});

test('a dropped figure without an extension is worn with the bones that the daemon recognises', LIMIT, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:wave');
  const page = await openViewer(t, daemon.page, { browser, width: 640, height: 480 });
  await page.bodies(1);
  await drop(page.viewer, 'plain.glb', plain(makeExt()));
  await until('the avatar is worn', async () => (await page.positions()).wave.avatar);
  await until('it is fitted', async () => (await page.positions()).wave.fitted);
  await assertFollows(page);
  await page.shoot('plain_gltf');
  page.done();
});

test('of two files dropped quickly the body wears the last one, also if the first one is read more slowly', LIMIT, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:wave');
  const page = await openViewer(t, daemon.page, { width: 640, height: 480, calm: true });
  await page.bodies(1);
  let answer;
  await page.viewer.route(/skeletons\/slow/, async (route) => {
    if (route.request().method() === 'PUT')
      await new Promise((resolve) => { answer = resolve; });
    await route.continue();
  });
  const answered = page.viewer.waitForResponse((response) => /skeletons\/slow/.test(response.url()) && response.request().method() === 'GET');
  await drop(page.viewer, 'slow.glb', plain(makeExt()));
  await until('the daemon is asked for its bones', () => answer);
  await drop(page.viewer, 'quick.vrm', makeVrm(1));
  await until('the quick one is worn', async () => /quick\.vrm/.test(await noteOf(page.viewer)) && (await page.positions()).wave.avatar);
  answer();
  await answered;
  await page.draw(10);
  assert.match(await noteOf(page.viewer), /^wave wears quick\.vrm/);
  page.done();
});

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
/** A VRM 0.x with a texture that three-vrm transforms. */
const textured = avatarFile((document, _, at) => {
  document.materials[0].pbrMetallicRoughness.baseColorTexture = { index: at.image(PIXEL), extensions: { KHR_texture_transform: { scale: [2, 2] } } };
  document.extensionsUsed.push('KHR_texture_transform');
}, { version: 0 });
const SERVED = { vrm1: makeVrm(1), vrm0: textured, ext: makeExt(), plain: plain(makeExt()) };

test('served avatars are shown by themselves, each on two bodies, with their bones where the library puts them', LIMIT, async (t) => {
  const folder = scratch(t);
  const config = Object.entries(SERVED).map(([name, bytes]) => {
    writeFileSync(path.join(folder, `${name}.glb`), bytes);
    return `skeleton "${name}" { file = "${folder}/${name}.glb" serve = "true" }
      source "${name}" { uri = "demo:wave?name=${name}" skeleton = "${name}" }
      source "${name} 2" { uri = "demo:wave?name=${name}-2" skeleton = "${name}" }\n`;
  }).join('');
  writeFileSync(path.join(folder, 'jointcastd.conf'), config);
  const daemon = await startDaemon(t, '--config', path.join(folder, 'jointcastd.conf'));
  const page = await openViewer(t, daemon.page, { browser, width: 640, height: 480 });
  await until('all avatars', async () => Object.values(await page.positions()).filter(({ avatar }) => avatar).length === 8);
  for (let i = 0; i < 4; i++) {
    // The mannequin stands on the skeleton that the library made of the file.
    for (const [name, { positions, avatar }] of Object.entries(await page.positions())) {
      for (const [bone, at] of Object.entries(avatar))
        assert.ok(Math.hypot(...sub(at, positions[bone])) < 2e-3, `${name}, ${bone}: ${at}, not ${positions[bone]}`);
      assert.equal(Object.keys(avatar).length, Object.keys(positions).length);
    }
    await page.draw(3);
  }
  await page.shoot('served_avatars');

  // The operator withdraws one of the files from the pages that show it.
  writeFileSync(path.join(folder, 'jointcastd.conf'), config.replace('serve = "true"', 'serve = "false"'));
  daemon.reload();
  const others = Object.keys(SERVED).slice(1).flatMap((name) => [name, `${name} 2`]).sort();
  await until('the bodies of this file are mannequins', async () => {
    const all = Object.entries(await page.positions());
    return all.length === 8 && all.filter(([, { avatar }]) => avatar).map(([name]) => name).sort().join() === others.join();
  });
  await page.draw(3);
  await page.shoot('withdrawn_avatar');
  page.done();
});

/** The same humanoid a second time, a metre aside, on another skin. */
function addTwin(json) {
  const shift = json.nodes.length;
  const twin = json.nodes.map(({ children, skin, ...node }) => ({ ...node,
    ...(children && { children: children.map((child) => child + shift) }), ...(skin !== undefined && { skin: 1 }) }));
  twin[0].translation = [1, ...twin[0].translation.slice(1)];
  json.nodes.push(...twin);
  json.scenes[0].nodes.push(...json.scenes[0].nodes.map((node) => node + shift));
  json.skins.push({ ...json.skins[0], joints: json.skins[0].joints.map((joint) => joint + shift) });
  const { humanoidSkeletons } = json.extensions.EXT_skeleton_humanoid;
  humanoidSkeletons.push({ rootNode: shift, humanoidBones: Object.fromEntries(
    Object.entries(humanoidSkeletons[0].humanoidBones).map(([bone, node]) => [bone, node + shift])) });
}

test('of several humanoids in a file the body wears the first one; the page reports it', LIMIT, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:wave');
  const page = await openViewer(t, daemon.page, { browser, width: 640, height: 480 });
  await page.bodies(1);
  await drop(page.viewer, 'two.glb', rewritten(makeExt(), addTwin));
  await until('the avatar is worn', async () => (await page.positions()).wave.avatar);
  assert.equal(await noteOf(page.viewer), 'wave wears the first of 2 humanoids in two.glb. X takes it off.');
  await assertFollows(page);
  await page.shoot('ext_two');
  page.done();
});

const restOf = (bone) => TABLE.find(({ name }) => name === bone).rest;
/** From the elbow to the wrist at rest, where nodes are not turned. */
const ALONG = unit(sub(restOf('rightHand'), restOf('rightLowerArm')));
const POINTS = [
  { name: 'grip', parent: nodeOf('rightLowerArm'), translation: ALONG.map((x) => 0.1 * x), tags: ['weapon_socket'] },
  { name: 'gaze', parent: nodeOf('head'), translation: [0, 0, 0.35], tags: ['look_at', 'ui'] },
  { name: 'sign', parent: nodeOf('head'), translation: [0, 0.3, 0], respectParentRotation: false, tags: ['ui'] },
  { name: 'lost', parent: 999 },
];

for (const [kind, make] of [['VRM', () => makeVrm(1, 0.9, POINTS)], ['EXT_skeleton_humanoid', () => makeExt({ virtualTransforms: POINTS })]])
  test(`virtual transforms of a dropped ${kind} are shown by tag and follow the body`, LIMIT, async (t) => {
    const daemon = await startDaemon(t, '--source', 'demo:wave');
    const page = await openViewer(t, daemon.page, { browser, width: 800, height: 500 });
    const { viewer } = page;
    await page.bodies(1);
    assert.equal(await viewer.isVisible('#virtuals'), false);
    await drop(viewer, 'points.glb', make());
    await until('the avatar is worn', async () => (await page.positions()).wave.avatar);
    assert.deepEqual(await viewer.evaluate(() => [...document.getElementById('virtuals').options].map(({ text }) => text)),
      ['No points', 'All points', 'look_at', 'ui', 'weapon_socket']);
    const shown = async () => (await page.positions()).wave;
    assert.deepEqual((await shown()).virtualTransforms, {});
    await viewer.selectOption('#virtuals', '*');
    await until('all are shown', async () => Object.keys((await shown()).virtualTransforms).join() === 'grip,gaze,sign');
    // Bones of the avatar and its points are of one picture.
    for (let i = 0; i < 3; i++) {
      const { avatar, virtualTransforms: { grip, gaze, sign } } = await shown();
      const near = (what, a, b) => assert.ok(Math.hypot(...sub(a, b)) < 2e-3, `${what}: ${a}, not ${b}`);
      const along = unit(sub(avatar.rightHand, avatar.rightLowerArm));
      near('grip', grip, avatar.rightLowerArm.map((x, k) => x + 0.1 * along[k]));
      near('sign', sign, [avatar.head[0], avatar.head[1] + 0.3, avatar.head[2]]);
      assert.ok(Math.abs(Math.hypot(...sub(gaze, avatar.head)) - 0.35) < 2e-3);
      await page.draw(3);
    }
    await page.shoot(`points_${kind === 'VRM' ? 'vrm' : 'ext'}`);
    await viewer.keyboard.press('t'); // the next: look_at
    await until('one is shown', async () => Object.keys((await shown()).virtualTransforms).join() === 'gaze');
    await viewer.selectOption('#virtuals', 'ui');
    await until('two are shown', async () => Object.keys((await shown()).virtualTransforms).join() === 'gaze,sign');
    assert.deepEqual(await viewer.evaluate(() => [...document.querySelectorAll('#points .label')].map((label) => label.textContent)),
      ['gaze', 'sign']);
    await viewer.keyboard.press('x');
    await until('they are gone', async () => Object.keys((await shown()).virtualTransforms).length === 0);
    assert.equal(await viewer.isVisible('#virtuals'), false);
    assert.equal(await viewer.evaluate(() => document.querySelectorAll('#points .label').length), 0);
    page.done();
  });

test('virtual transforms of the skeleton of a body are shown on its mannequin', LIMIT, async (t) => {
  const file = path.join(scratch(t), 'figure.json'); // a descriptor has no mesh to serve
  writeFileSync(file, JSON.stringify(describeFile(makeExt({ virtualTransforms: POINTS }))));
  const daemon = await startDaemon(t, '--source', 'demo:wave', '--skeleton', file);
  const page = await openViewer(t, daemon.page, { browser, width: 800, height: 500 });
  await page.bodies(1);
  await page.viewer.selectOption('#virtuals', 'ui');
  const shown = async () => (await page.positions()).wave;
  await until('two are shown', async () => Object.keys((await shown()).virtualTransforms).join() === 'gaze,sign');
  for (let i = 0; i < 3; i++) {
    const { positions, avatar, virtualTransforms: { gaze, sign } } = await shown();
    assert.equal(avatar, null);
    const [x, y, z] = positions.head;
    assert.ok(Math.hypot(...sub(sign, [x, y + 0.3, z])) < 2e-3, `sign: ${sign}, head: ${positions.head}`);
    assert.ok(Math.abs(Math.hypot(...sub(gaze, positions.head)) - 0.35) < 2e-3);
    await page.draw(3);
  }
  await page.shoot('points_mannequin');
  page.done();
});

test('rejects a bad file in one line without a change', LIMIT, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:idle');
  const page = await openViewer(t, daemon.page, { browser, width: 480, height: 360 });
  await page.bodies(1);
  const good = makeVrm(1);
  const noHumanoid = toGlb({ asset: { version: '2.0' }, nodes: [{ name: 'box' }], scenes: [{ nodes: [0] }] });
  const strayBone = Buffer.from(good);
  strayBone.write('"hips":{"nodX"', strayBone.indexOf('"hips":{"node"'), 'latin1');
  // Draco beside meshes that need none; the loader takes it for necessary.
  const draco = rewritten(good, (json) => {
    json.extensionsUsed.push('KHR_draco_mesh_compression');
  });
  const damaged = rewritten(makeExt(), (json) => { json.accessors[4].count = 1; });
  const apart = Buffer.from(JSON.stringify(jsonOf(makeExt(), (json) => { json.buffers[0].uri = 'a.bin'; })));
  for (const [name, bytes, expected] of [
    ['stray.vrm', strayBone, /^stray\.vrm: its bone 'hips' is not a node of the file/],
    ['empty.vrm', Buffer.alloc(0), /^empty\.vrm: not a glTF file/],
    ['text.vrm', Buffer.from('no such thing, whatever its name'), /^text\.vrm: not a glTF file/],
    ['cut.vrm', good.subarray(0, 2000), /^cut\.vrm: GLB header: length in the header is \d+ bytes, the file has 2000/],
    ['plain.glb', noHumanoid, /^plain\.glb: .*no humanoid/],
    ['damaged.glb', damaged, /^damaged\.glb: skins\[0\]: its inverse bind matrices cannot be used/],
    ['apart.gltf', apart, /^apart\.gltf: buffers\[0\]: refers to another file/],
    ['packed.vrm', draco, /^packed\.vrm: it needs KHR_draco_mesh_compression, which this page does not support/],
  ]) {
    await drop(page.viewer, name, bytes);
    await until(`a note on ${name}`, async () => expected.test(await noteOf(page.viewer)));
    assert.ok(!(await noteOf(page.viewer)).includes('\n'));
    assert.equal((await page.positions()).idle.avatar, null);
  }
  page.done(/the server responded with a status of 4/); // to plain.glb
});
