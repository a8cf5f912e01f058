// react-three-fiber without a picture: which changes of properties connect again, make another crowd, or
// change it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { act, createRoot } from '@react-three/fiber';
import { createElement } from 'react';
import { PerspectiveCamera } from 'three';
import { Bodies, useBodies } from '../react/index.js';
import { LEVELS } from '../three/index.js';
import { World, bundle, live } from './fake-server.mjs';

globalThis.IS_REACT_ACT_ENVIRONMENT = true;

/** A root that draws nothing. */
async function makeRoot(t) {
  const canvas = { addEventListener() {}, removeEventListener() {}, style: {} };
  const root = createRoot(canvas);
  await root.configure({ gl: () => ({ render() {}, setPixelRatio() {}, setSize() {}, shadowMap: {}, xr: { addEventListener() {}, removeEventListener() {} } }),
    frameloop: 'never', size: { width: 100, height: 100, top: 0, left: 0 } });
  t.after(() => act(async () => root.unmount()));
  return (component, properties) => act(async () => root.render(createElement(component, properties)));
}

const settle = async (world) => {
  await new Promise(setImmediate);
  await act(async () => world.pass(0));
};

test('a changed token function gives the token of the next connection; other options connect again', async (t) => {
  const render = await makeRoot(t);
  const world = new World();
  const environment = world.options();
  const Space = (options) => {
    useBodies('ws://test', options);
    return null;
  };
  const show = (more) => render(Space, { ...environment, ...more });
  await show({ token: () => 'one' });
  await settle(world);
  await settle(world);
  world.open();
  assert.equal(world.sent('hello')[0].token, 'one');
  await show({ token: () => 'two' });
  assert.equal(world.sockets.length, 1);
  await act(async () => world.drop());
  world.pass(1000);
  await settle(world);
  world.open();
  assert.equal(world.sent('hello')[0].token, 'two');
  assert.equal(world.sockets.length, 2);

  await show({ token: 'three' });
  await settle(world);
  world.open();
  assert.deepEqual([world.sockets.length, world.sent('hello')[0].token], [3, 'three']);
  await show({ token: 'three', precision: 'fine' });
  await settle(world);
  assert.equal(world.sockets.length, 4);
});

test('changed options of a crowd count', async (t) => {
  const render = await makeRoot(t);
  const { world, client } = live();
  let crowd = null;
  const show = (options) => render(Bodies, { client, crowd: options, ref: (made) => { crowd = made ?? crowd; } });
  const camera = new PerspectiveCamera();
  camera.position.set(0, 1, 8);
  camera.updateMatrixWorld();
  const levelOf = () => {
    crowd.update(camera, world.time);
    crowd.update(camera, world.time);
    return crowd.members.get(1).level;
  };
  await show({ avatars: false });
  world.cast(bundle(130, 1, 0));
  world.pass(200);
  const first = crowd;
  assert.equal(levelOf(), LEVELS.whole);
  assert.equal(first.members.get(1).figure.mesh.castShadow, true);
  await show({ avatars: false, shadows: false, whole: { most: 1, metres: 2 } });
  assert.equal(levelOf(), LEVELS.plain);
  await show({ avatars: false, shadows: false });
  assert.equal(levelOf(), LEVELS.whole);
  assert.equal(first.members.get(1).figure.mesh.castShadow, false);
  assert.equal(crowd, first);
  await show({ avatars: false, contact: false });
  assert.notEqual(crowd, first);
  assert.deepEqual([first.members.size, crowd.members.size], [0, 2]);
  await show(undefined);
  assert.equal(levelOf(), LEVELS.whole);
});
