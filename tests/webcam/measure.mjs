// Measures the webcam against known motion: renders a film of a figure, plays it to the publishing page as the camera
// of a headless Chromium, and compares the joints that the page sends with the figure. ctest does not run it.
//
// usage: node tests/webcam/measure.mjs build/release/daemon/jointcastd --figure FILE.glb [--seconds 20] [--pictures 60] [--model full] [--shots FOLDER] [--keep FOLDER]
//   FILE: a glTF figure in a T-pose whose bones have Mixamo's names; a realistic one, stylised ones are not found;
//   shots: pictures of the page; keep: what was sent and the truth, as JSON

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { BodyFrame, JOINTS, TRACKED, decodeBodyFrame } from '../../clients/js/index.js';
import { rotate } from '../../clients/js/quat.js';
import { CAMERA, launch } from '../e2e/support/browser.mjs';
import { start } from '../e2e/support/daemon.mjs';
import { CODE, makeFilm } from './film.mjs';

const { values } = parseArgs({ allowPositionals: true, options: { figure: { type: 'string' }, seconds: { type: 'string', default: '20' },
  pictures: { type: 'string', default: '60' }, model: { type: 'string', default: 'full' }, shots: { type: 'string' }, keep: { type: 'string' } } });
if (!values.figure) {
  console.error('usage: node tests/webcam/measure.mjs build/release/daemon/jointcastd --figure FILE.glb [--seconds 20] [--pictures 60] [--model full] [--shots FOLDER]');
  process.exit(2);
}

const CAMERAS = { front: [0, 1.2, 3.1], 'left, 35 degrees': [1.78, 1.3, 2.54], 'right, 30 degrees, low': [-1.55, 0.8, 2.68] };
const LIMBS = { 'arm-upper': 'arm-lower', 'arm-lower': 'hand-wrist', 'upper-leg': 'lower-leg', 'lower-leg': 'foot-ankle' };
const DEGREES = 180 / Math.PI;

const sub = (a, b) => a.map((x, i) => x - b[i]);
const mean = (a, b) => a.map((x, i) => (x + b[i]) / 2);
const between = (a, b) => Math.acos(Math.min(1, Math.max(-1, a.reduce((s, x, i) => s + x * b[i], 0) / Math.hypot(...a) / Math.hypot(...b)))) * DEGREES;
const quantile = (list, q) => [...list].sort((a, b) => a - b)[Math.floor(q * (list.length - 1))] ?? NaN;
/** From the world to that of the camera, which faces the figure along its own -Z, without its pitch. */
const seenFrom = ([cx, , cz]) => {
  const yaw = Math.atan2(cx, cz);
  return ([x, y, z]) => [x * Math.cos(yaw) - z * Math.sin(yaw), y, x * Math.sin(yaw) + z * Math.cos(yaw)];
};

/** Reads the number in each picture and keeps what the page sends for it. */
const spy = (code) => {
  const canvas = new OffscreenCanvas(code.bits * code.size, code.size).getContext('2d', { willReadFrequently: true });
  window.seen = [];
  window.taken = 0;
  let number = -1;
  const make = window.createImageBitmap.bind(window);
  window.createImageBitmap = async (source, ...rest) => {
    const picture = await make(source, ...rest);
    if (source instanceof HTMLVideoElement) {
      canvas.drawImage(picture, 0, 0);
      number = 0;
      for (let bit = 0; bit < code.bits; bit++)
        number |= (canvas.getImageData((bit + 0.5) * code.size, code.size / 2, 1, 1).data[0] > 127 ? 1 : 0) << bit;
      window.taken++;
    }
    return picture;
  };
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    if (typeof data !== 'string' && number >= 0)
      window.seen.push([number, [...new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength)]]);
    return send.call(this, data);
  };
};

/** Shows a film to the publishing page; returns what the page sent and its figures. */
async function show(daemon, film, height, shot) {
  const browser = await launch([...CAMERA, `--use-file-for-fake-video-capture=${film}`]);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript(spy, CODE);
  await page.addInitScript(() => { // the mirror draws few pictures: this machine has no graphics processor
    const request = window.requestAnimationFrame;
    window.requestAnimationFrame = (draw) => setTimeout(() => request(draw), 500);
  });
  await page.goto(`http://127.0.0.1:${daemon.port}/publish.html`);
  await page.waitForSelector('#dot[data-state="open"]');
  await page.check('#may-show');
  await page.click('#webcam');
  await page.fill('#webcam-height', String(Math.round(height * 100)));
  await page.selectOption('#webcam-model', values.model);
  await page.click('#webcam-begin');
  await page.waitForFunction((least) => window.seen.length >= least, Number(values.pictures), { timeout: 1800000, polling: 500 });
  const result = await page.evaluate(() => ({ seen: window.seen, figures: window.jointcast.webcam }));
  if (values.shots)
    await page.screenshot({ path: path.join(values.shots, shot) });
  await browser.close();
  return result;
}

const at = (name) => JOINTS.indexOf(name);

/** The wrist from the middle of the hips, with the turns of the frame on the skeleton of the figure: what subscribers see. */
function wristOf(frame, side, places) {
  const along = (joint, axis) => [...rotate(frame.rotations, 4 * at(joint), axis, 0, new Float64Array(3), 0)];
  const apart = (a, b) => Math.hypot(...sub(a, b));
  const shoulders = apart(places['left-arm-upper'], places['right-arm-upper']) / 2;
  const trunk = apart(mean(places['left-arm-upper'], places['right-arm-upper']), mean(places['left-upper-leg'], places['right-upper-leg']));
  const parts = [[along('chest', [0, 0, -1]), trunk], [along('chest', [1, 0, 0]), side === 'left' ? shoulders : -shoulders],
    [along(`${side}-arm-upper`, [0, 0, -1]), apart(places[`${side}-arm-lower`], places[`${side}-arm-upper`])],
    [along(`${side}-arm-lower`, [0, 0, -1]), apart(places[`${side}-hand-wrist`], places[`${side}-arm-lower`])]];
  return parts.reduce((sum, [direction, length]) => sum.map((x, i) => x + direction[i] * length), [0, 0, 0]);
}

function compare(seen, truth, turn, all) {
  const frame = new BodyFrame();
  let found = 0;
  for (const [number, bytes] of seen) {
    if (number >= truth.length)
      continue;
    decodeBodyFrame(Uint8Array.from(bytes).subarray(2), frame);
    found += frame.states.some((state) => state !== 0) ? 1 : 0;
    const { places } = truth[number];
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
        all.wrists.push(100 * Math.hypot(...sub(wristOf(frame, side, places), sub(turn(places[`${side}-hand-wrist`]), root))));
    }
  }
  return { pictures: seen.length, found };
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'jointcast-film-'));
const daemon = await start();
try {
  for (const [name, camera] of Object.entries(CAMERAS)) {
    const film = path.join(folder, 'film.mjpeg');
    const studio = await launch();
    const { height, truth } = await makeFilm(studio, `http://127.0.0.1:${daemon.port}/`, { figure: values.figure, camera, seconds: Number(values.seconds), out: film });
    await studio.close();
    const { seen, figures } = await show(daemon, film, height, `webcam_${name.split(',')[0]}.png`);
    if (values.keep)
      writeFileSync(path.join(values.keep, `${name.split(',')[0]}.json`), JSON.stringify({ camera, height, truth, seen }));
    const all = { limbs: Object.fromEntries(Object.keys(LIMBS).map((part) => [part, []])), wrists: [] };
    const { pictures, found } = compare(seen, truth, seenFrom(camera), all);
    const limbs = Object.values(all.limbs).flat();
    console.log(`${name}: figure ${height.toFixed(2)} m, found in ${found} of ${pictures} pictures; limbs median ${quantile(limbs, 0.5).toFixed(1)}, 90 % ${quantile(limbs, 0.9).toFixed(1)} degrees (${
      Object.entries(all.limbs).map(([part, list]) => `${part} ${quantile(list, 0.5).toFixed(1)}`).join(', ')}); wrists median ${
      quantile(all.wrists, 0.5).toFixed(1)} cm; ${figures.rate.toFixed(1)} pictures/s, ${figures.delay.toFixed(0)} ms`);
  }
} finally {
  await daemon.stop();
  rmSync(folder, { recursive: true });
}
