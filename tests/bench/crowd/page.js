// The page of crowd.mjs: a crowd on the viewer's stage, whose pictures are counted and timed.

import { PerspectiveCamera, Vector3 } from 'three';
import { connect } from 'jointcast';
import { Crowd } from 'jointcast/three';
import { Stage } from './stage.js';

const EVERYTHING = { most: 1000, metres: 1000 };
const OPTIONS = {
  mannequins: { avatars: false, whole: EVERYTHING, plain: EVERYTHING },
  'mannequins-levels': { avatars: false },
  avatars: { whole: EVERYTHING, plain: EVERYTHING },
  levels: {},
};

const query = new URLSearchParams(location.search);
/** Levels of a mode such as 12/12-32/30: the most whole bodies and their metres, the same of plain ones. */
function levelsOf(mode) {
  const [whole, plain] = mode.split('-').map((reach) => reach.split('/').map(Number)).map(([most, metres]) => ({ most, metres }));
  return { whole, plain };
}
const url = new URL('..', location.href);
url.protocol = 'ws:';
const stage = new Stage(document.getElementById('view'), true);
const camera = new PerspectiveCamera(50, 16 / 9, 0.05, 200);
const client = connect(url, { client: 'crowd' });
const crowd = new Crowd(client, OPTIONS[query.get('mode')] ?? levelsOf(query.get('mode')));
stage.scene.add(crowd);
stage.renderer.info.autoReset = false;

const COLUMNS = 10;
const APART = 1.3;

/** Looks at the bodies from the front edge, at the height of eyes. */
function stand() {
  camera.position.set(0, 1.7, 3.5);
  camera.lookAt(0, 1, -4);
  camera.updateMatrixWorld();
  stage.light(new Vector3(0, 0, -4), 9);
}

window.crowd = {
  count: () => [...crowd.members.values()].filter(({ seen }) => seen).length,
  /** Places the bodies in rows before the camera. */
  arrange() {
    [...client.bodies.values()].forEach((body, i) => client.place(body, { yaw: 0, teleport: true,
      position: [(i % COLUMNS - (COLUMNS - 1) / 2) * APART, 0, -2 * APART * Math.floor(i / COLUMNS)] }));
    stand();
  },
  update() {
    stage.fit(camera);
    crowd.update(camera);
  },
  /** Avatars shown and failed, and those still to come. */
  state: () => ({ shown: [...crowd.members.values()].filter(({ avatar }) => avatar?.group.visible).length,
    failed: [...crowd.members.values()].filter(({ reason }) => reason).map(({ reason }) => reason),
    pending: [...crowd.members.values()].filter((member) => member.wanted && !member.avatar && !member.reason && member.level < 2).length,
    levels: [0, 1, 2].map((level) => [...crowd.members.values()].filter((member) => member.level === level).length) }),
  /** Milliseconds of so many pictures, in update and in all, until the picture is finished. */
  measure(count) {
    const gl = stage.renderer.getContext();
    const pixel = new Uint8Array(4);
    const times = [];
    for (let i = 0; i < count; i++) {
      const began = performance.now();
      stage.renderer.info.reset();
      crowd.update(camera);
      const updated = performance.now();
      stage.render(camera);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      times.push([updated - began, performance.now() - began]);
    }
    const { render, memory } = stage.renderer.info;
    return { times, calls: render.calls, triangles: render.triangles, ...memory,
      bytes: performance.getEntriesByType('resource').filter(({ name }) => name.includes('/avatars/')).reduce((sum, { transferSize }) => sum + transferSize, 0),
      requests: performance.getEntriesByType('resource').filter(({ name }) => name.includes('/avatars/')).length };
  },
};
