// Measures the webcam against known motion: renders a film of a figure, shows it to the publishing page in a headless
// Chromium as the stream of its camera, picture by picture, and compares the joints that the page sends with the
// figure. ctest does not run it.
//
// usage: node tests/webcam/measure.mjs build/release/daemon/jointcastd --figure FILE.glb [--pictures 40] [--model full] [--keep FOLDER]
//   FILE: a glTF figure whose bones have Mixamo's names; a realistic one that faces +Z, stylised ones are not found;
//   keep: landmarks, what was sent and the truth, as JSON

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { BodyFrame, JOINTS, TRACKED, decodeBodyFrame } from '../../clients/js/index.js';
import { rotate } from '../../clients/js/quat.js';
import { launch } from '../e2e/support/browser.mjs';
import { start } from '../e2e/support/daemon.mjs';
import { makeFilm } from './film.mjs';

const USAGE = 'usage: node tests/webcam/measure.mjs build/release/daemon/jointcastd --figure FILE.glb [--pictures 40] [--model full] [--keep FOLDER]';
const { values } = parseArgs({ allowPositionals: true, options: { figure: { type: 'string' }, pictures: { type: 'string', default: '40' },
  model: { type: 'string', default: 'full' }, keep: { type: 'string' } } });
if (!values.figure) {
  console.error(USAGE);
  process.exit(2);
}

const CAMERAS = { front: [0, 1.2, 3.1], 'left, 35 degrees': [1.78, 1.3, 2.54], 'right, 30 degrees, low': [-1.55, 0.8, 2.68] };
const LIMBS = { 'arm-upper': 'arm-lower', 'arm-lower': 'hand-wrist', 'upper-leg': 'lower-leg', 'lower-leg': 'foot-ankle' };
const DEGREES = 180 / Math.PI;
/** Times that the camera shows the first picture, in which the figure is upright: the page measures twelve. */
const UPRIGHT = 14;

const sub = (a, b) => a.map((x, i) => x - b[i]);
const mean = (a, b) => a.map((x, i) => (x + b[i]) / 2);
const between = (a, b) => Math.acos(Math.min(1, Math.max(-1, a.reduce((s, x, i) => s + x * b[i], 0) / Math.hypot(...a) / Math.hypot(...b)))) * DEGREES;
const quantile = (list, q) => [...list].sort((a, b) => a - b)[Math.floor(q * (list.length - 1))] ?? NaN;
/** From the world to that of the camera, which faces the figure along its own -Z, without its pitch. */
const seenFrom = ([cx, , cz]) => {
  const yaw = Math.atan2(cx, cz);
  return ([x, y, z]) => [x * Math.cos(yaw) - z * Math.sin(yaw), y, x * Math.sin(yaw) + z * Math.cos(yaw)];
};

/** Makes a camera that shows pictures on request, and keeps what the page sends for them. */
const prepare = () => {
  const SIZE = 16; // of blocks along the upper edge with the bits of a picture's number, lowest first
  const BITS = 10;
  const open = (width, height) => Object.assign(document.createElement('canvas'), { width, height }).getContext('2d', { willReadFrequently: true });
  const camera = open(640, 480);
  const upper = open(BITS * SIZE, SIZE);
  const stream = camera.canvas.captureStream(0);
  navigator.mediaDevices.getUserMedia = async () => stream;
  let shown = 0;
  let looked = 0;
  /** Shows a picture; returns the frame that the page sends for it, and the milliseconds until then. */
  window.show = async (address) => {
    camera.drawImage(await make(await (await fetch(address)).blob()), 0, 0);
    shown++;
    for (let bit = 0; bit < BITS; bit++) {
      camera.fillStyle = (shown >> bit) & 1 ? '#fff' : '#000';
      camera.fillRect(bit * SIZE, 0, SIZE, SIZE);
    }
    const began = performance.now();
    const sent = new Promise((resolve) => { window.hear = resolve; });
    const [track] = stream.getVideoTracks();
    track.requestFrame();
    const again = setInterval(() => track.requestFrame(), 2000); // a frame may pass while the page looks at another one
    const data = await sent;
    clearInterval(again);
    return { took: performance.now() - began, landmarks: window.landmarks, bytes: [...new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength)] };
  };
  const make = window.createImageBitmap.bind(window);
  window.createImageBitmap = async (source, ...rest) => {
    const picture = await make(source, ...rest);
    upper.drawImage(picture, 0, 0);
    looked = 0;
    for (let bit = 0; bit < BITS; bit++)
      looked |= (upper.getImageData((bit + 0.5) * SIZE, SIZE / 2, 1, 1).data[0] > 127 ? 1 : 0) << bit;
    return picture;
  };
  window.Worker = class extends Worker {
    constructor(...options) {
      super(...options);
      this.addEventListener('message', ({ data }) => { window.landmarks = data; });
    }
  };
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    if (typeof data !== 'string' && looked === shown)
      window.hear?.(data);
    return send.call(this, data);
  };
  // No graphics processor draws the mirror, and nobody looks at it.
  Object.defineProperty(window, 'devicePixelRatio', { value: 0.1 });
  const request = window.requestAnimationFrame;
  window.requestAnimationFrame = (draw) => setTimeout(() => request(draw), 3000);
};

/** Shows a film to the publishing page; returns what the page sent for each picture. */
async function show(site, film, height) {
  const browser = await launch();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, bypassCSP: true });
  page.setDefaultTimeout(0); // a busy machine takes its time
  await page.addInitScript(prepare);
  await page.goto(`${site}publish.html`);
  await page.waitForSelector('#dot[data-state="open"]');
  await page.check('#may-show');
  await page.click('#webcam');
  await page.fill('#webcam-height', String(Math.round(height * 100)));
  await page.selectOption('#webcam-model', values.model);
  await page.click('#webcam-begin');
  const looks = [];
  for (const { picture } of [...Array(UPRIGHT).fill(film[0]), ...film])
    looks.push(await page.evaluate((address) => window.show(address), picture));
  await browser.close();
  return looks.slice(UPRIGHT);
}

const at = (name) => JOINTS.indexOf(name);

/**
 * The wrist from the middle of the hips, with the turns of the frame on the skeleton of the figure: what subscribers
 * see. `upright`: places of the figure with an upright trunk that faces +Z.
 */
function wristOf(frame, side, upright) {
  const along = (joint, axis) => [...rotate(frame.rotations, 4 * at(joint), axis, 0, new Float64Array(3), 0)];
  const apart = (a, b) => Math.hypot(...sub(upright[`${side}-${a}`], upright[`${side}-${b}`]));
  const [x, y, z] = sub(upright[`${side}-arm-upper`], mean(upright['left-upper-leg'], upright['right-upper-leg']));
  const parts = [[along('chest', [1, 0, 0]), x], [along('chest', [0, 0, -1]), y], [along('chest', [0, 1, 0]), z],
    [along(`${side}-arm-upper`, [0, 0, -1]), apart('arm-lower', 'arm-upper')],
    [along(`${side}-arm-lower`, [0, 0, -1]), apart('hand-wrist', 'arm-lower')]];
  return parts.reduce((sum, [direction, length]) => sum.map((v, i) => v + direction[i] * length), [0, 0, 0]);
}

/** Adds the errors of each picture to `all`; returns the number of pictures in which the figure was found. */
function compare(looks, film, turn, all) {
  const frame = new BodyFrame();
  let found = 0;
  for (const [i, { bytes }] of looks.entries()) {
    decodeBodyFrame(Uint8Array.from(bytes).subarray(2), frame);
    found += frame.states.some((state) => state !== 0) ? 1 : 0;
    const { places } = film[i];
    const root = turn(mean(places['left-upper-leg'], places['right-upper-leg']));
    for (const side of ['left', 'right']) {
      for (const [part, next] of Object.entries(LIMBS)) {
        const joint = at(`${side}-${part}`);
        if (frame.states[joint] !== TRACKED)
          continue;
        const along = [...rotate(frame.rotations, 4 * joint, [0, 0, -1], 0, new Float64Array(3), 0)];
        all.limbs[part].push(between(along, turn(sub(places[`${side}-${next}`], places[`${side}-${part}`]))));
      }
      if (frame.states[at(`${side}-hand-wrist`)] === TRACKED)
        all.wrists.push(100 * Math.hypot(...sub(wristOf(frame, side, film[0].places), sub(turn(places[`${side}-hand-wrist`]), root))));
    }
  }
  return found;
}

const daemon = await start();
const site = `http://127.0.0.1:${daemon.port}/`;
try {
  for (const [name, camera] of Object.entries(CAMERAS)) {
    const studio = await launch();
    const { height, film } = await makeFilm(studio, site, { figure: values.figure, camera, pictures: Number(values.pictures) });
    await studio.close();
    const looks = await show(site, film, height);
    if (values.keep)
      writeFileSync(path.join(values.keep, `${name.split(',')[0]}.json`), JSON.stringify({ camera, height, looks, places: film.map(({ places }) => places) }));
    const all = { limbs: Object.fromEntries(Object.keys(LIMBS).map((part) => [part, []])), wrists: [] };
    const found = compare(looks, film, seenFrom(camera), all);
    const typical = (list, digits) => `median ${quantile(list, 0.5).toFixed(digits)}, 90 % ${quantile(list, 0.9).toFixed(digits)}`;
    console.log(`${name}: figure ${height.toFixed(2)} m, found in ${found} of ${film.length} pictures; limbs ${typical(Object.values(all.limbs).flat(), 1)} degrees (${
      Object.entries(all.limbs).map(([part, list]) => `${part} ${quantile(list, 0.5).toFixed(1)}`).join(', ')}); wrists ${
      typical(all.wrists, 1)} cm; time for a picture ${typical(looks.map(({ took }) => took), 0)} ms`);
  }
} finally {
  await daemon.stop();
}
