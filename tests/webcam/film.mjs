// Renders a film of a figure in known motion, with the places of its joints.

import { readFileSync } from 'node:fs';
import { about, turnsOf } from '../../clients/js/test/webcam/person.mjs';
import { multiply, normalize } from '../../clients/js/quat.js';

/** Seconds of motion. */
const SECONDS = 20;

const wave = (t, period, phase = 0) => 0.5 - 0.5 * Math.cos(2 * Math.PI * (t / period + phase));
const blend = (a, b, t) => normalize(a.map((x, i) => x + t * (b[i] * Math.sign(a.reduce((s, y, j) => s + y * b[j], 0) || 1) - x)), 0, [0, 0, 0, 1], 0);
const down = (sign) => about([0, 0, -sign], 68);

/** The posture at a time in seconds: upright for three seconds, then arms, trunk, legs. */
export function postureAt(t) {
  const w = Math.min(1, Math.max(0, t - 3));
  const raise = w * wave(t - 3, 5);
  const other = w * wave(t - 3, 6.5, 0.2);
  return {
    pelvis: about([0, 1, 0], 18 * w * Math.sin((t - 3) / 1.7)),
    twist: 10 * w * Math.sin((t - 3) / 1.3),
    head: about([0, 1, 0], 18 * w * Math.sin((t - 3) / 1.7)),
    leftArm: blend(down(1), multiply(about([0, 1, 0], -35), 0, about([0, 0, 1], 25), 0, [0, 0, 0, 1], 0), raise),
    rightArm: blend(down(-1), multiply(about([0, 1, 0], 40), 0, about([0, 0, -1], 15), 0, [0, 0, 0, 1], 0), other),
    leftElbow: 8 + 75 * w * wave(t - 3, 3.5),
    rightElbow: 8 + 85 * w * wave(t - 3, 4.5),
    leftLeg: about([-1, 0, 0.15], 2 + 45 * w * wave(t - 3, 6)),
    rightLeg: about([-1, 0, -0.15], 2 + 28 * w * wave(t - 3, 7, 0.3)),
    leftKnee: 4 + 60 * w * wave(t - 3, 6),
    rightKnee: 4 + 45 * w * wave(t - 3, 7, 0.3),
  };
}

const HTML = `<!doctype html><body>
<script type="importmap">{"imports":{"three":"./vendor/three/three.module.min.js","three/addons/":"./vendor/three/addons/"}}</script>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
const BONES = { hips: 'Hips', chest: 'Spine', head: 'Head', 'arm-upper': 'Arm', 'arm-lower': 'ForeArm', 'hand-wrist': 'Hand',
  'upper-leg': 'UpLeg', 'lower-leg': 'Leg', 'foot-ankle': 'Foot' };
const scene = new THREE.Scene();
scene.background = new THREE.Color(0xa9b0b4);
scene.add(new THREE.HemisphereLight(0xffffff, 0x665544, 2.2));
const sun = new THREE.DirectionalLight(0xffffff, 2);
sun.position.set(1, 3, 3);
sun.castShadow = true;
scene.add(sun);
const floor = new THREE.Mesh(new THREE.PlaneGeometry(9, 9), new THREE.MeshStandardMaterial({ color: 0x7a6a58 }));
floor.rotation.x = -Math.PI / 2;
floor.receiveShadow = true;
scene.add(floor);
const wall = new THREE.Mesh(new THREE.BoxGeometry(1.2, 0.9, 0.4), new THREE.MeshStandardMaterial({ color: 0x51606e }));
wall.position.set(-1.6, 0.45, -1.4);
scene.add(wall);
const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(640, 480, false);
renderer.shadowMap.enabled = true;
const camera = new THREE.PerspectiveCamera(50, 4 / 3, 0.1, 50);
let figure = null;
const binds = new Map();
const boneOf = (joint) => {
  const [, side, part] = /^(?:(left|right)-)?(.*)$/.exec(joint);
  const name = (side ? side[0].toUpperCase() + side.slice(1) : '') + BONES[part];
  return figure.getObjectByName(name) ?? figure.getObjectByName('mixamorig' + name);
};
const placeOf = (node) => node.getWorldPosition(new THREE.Vector3());
const turnOf = (node) => node.getWorldQuaternion(new THREE.Quaternion());
/** Turns a bone in the world before what it has. */
const turnBone = (bone, world) => {
  bone.parent.updateWorldMatrix(true, false);
  bone.quaternion.copy(turnOf(bone.parent).invert().multiply(world));
  bone.updateWorldMatrix(false, true);
};
/** Brings an arm or a leg of a figure in another rest pose into the T-pose. */
const straighten = (joint, next, direction) => {
  const bone = boneOf(joint);
  const swing = new THREE.Quaternion().setFromUnitVectors(placeOf(boneOf(next)).sub(placeOf(bone)).normalize(), direction);
  turnBone(bone, swing.multiply(turnOf(bone)));
};
window.load = async () => {
  const { scene: model } = await new GLTFLoader().loadAsync('figure.glb');
  figure = model;
  scene.add(model);
  model.traverse((node) => { node.castShadow = node.isMesh; node.frustumCulled = false; });
  model.updateMatrixWorld(true);
  for (const [side, sign] of [['left', 1], ['right', -1]]) {
    const out = new THREE.Vector3(sign, 0, 0);
    const down = new THREE.Vector3(0, -1, 0);
    straighten(side + '-arm-upper', side + '-arm-lower', out);
    straighten(side + '-arm-lower', side + '-hand-wrist', out);
    straighten(side + '-upper-leg', side + '-lower-leg', down);
    straighten(side + '-lower-leg', side + '-foot-ankle', down);
  }
  model.traverse((node) => binds.set(node.uuid, turnOf(node)));
  return new THREE.Box3().setFromObject(model, true).max.y;
};
window.look = ([x, y, z]) => {
  camera.position.set(x, y, z);
  camera.lookAt(0, 0.9, 0);
};
window.shoot = (turns) => {
  for (const [joint, q] of Object.entries(turns)) {
    const bone = boneOf(joint);
    turnBone(bone, new THREE.Quaternion(...q).multiply(binds.get(bone.uuid)));
  }
  figure.updateMatrixWorld(true);
  renderer.render(scene, camera);
  const places = Object.fromEntries(Object.keys(turns).map((joint) => [joint, placeOf(boneOf(joint)).toArray()]));
  return { picture: renderer.domElement.toDataURL('image/jpeg', 0.9), places };
};
window.isReady = true;
</script>`;

/**
 * Renders a film.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} site of the daemon, which serves three.js
 * @param {object} options figure: a glTF file with Mixamo's names of bones; camera: [x, y, z]; pictures:
 *   their number
 * @returns {Promise<{ height: number, film: { picture: string, places: object }[] }>} pictures as data: addresses
 */
export async function makeFilm(browser, site, { figure, camera, pictures }) {
  const page = await browser.newPage({ viewport: { width: 640, height: 480 } });
  page.setDefaultTimeout(0);
  await page.route('**/film.html', (route) => route.fulfill({ contentType: 'text/html', body: HTML }));
  await page.route('**/figure.glb', (route) => route.fulfill({ contentType: 'model/gltf-binary', body: readFileSync(figure) }));
  await page.goto(`${site}film.html`);
  await page.waitForFunction(() => window.isReady);
  const height = await page.evaluate(() => window.load());
  await page.evaluate((at) => window.look(at), camera);
  const film = [];
  for (let i = 0; i < pictures; i++)
    film.push(await page.evaluate((turns) => window.shoot(turns), turnsOf(postureAt((SECONDS * i) / pictures))));
  await page.close();
  return { height, film };
}
