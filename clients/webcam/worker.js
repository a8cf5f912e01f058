// Finds the landmarks of a person in pictures. A worker of its own, which ends when the webcam stops: the model
// needs much memory, and its pictures are for nobody else. Loads its files from its own folder alone, sends
// nothing, and logs nothing.
//
// in:  { type: 'start', model: 'full' | 'lite' }, then { type: 'picture', id, time (ms), picture (ImageBitmap) }
// out: { type: 'ready', software }, { type: 'landmarks', id, world, image, left, right },
//      { type: 'failed', code: 'wasm' | 'webgl' | 'files' | 'model' }

'use strict';

/** A WebAssembly module with one SIMD instruction (i8x16.splat). */
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11]);
const FILES = ['holistic.js', 'holistic.binarypb', 'holistic_solution_packed_assets_loader.js',
  'holistic_solution_packed_assets.data', 'holistic_solution_simd_wasm_bin.js', 'holistic_solution_simd_wasm_bin.wasm'];
const COMPLEXITY = { lite: 0, full: 1 };
/** Where the numbers of world landmarks stand in the results of this version. */
const WORLD = 'za';

const fail = (code) => self.postMessage({ type: 'failed', code });

for (const name of ['debug', 'error', 'info', 'log', 'warn'])
  console[name] = () => {};

/**
 * The program expects a page: in a worker it leaves out its WebGL context. This is the part of a page that it uses.
 */
function pretendPage() {
  const load = (element) => {
    try {
      importScripts(element.src);
      element.heard.load?.();
    } catch {
      element.heard.error?.();
    }
  };
  const script = () => {
    const element = { src: '', heard: {}, setAttribute: (name, value) => { element[name] = value; },
      addEventListener: (name, listener) => { element.heard[name] = listener; } };
    return element;
  };
  self.window = self;
  self.document = { currentScript: null, body: { appendChild: load }, addEventListener() {}, querySelector: () => null,
    getElementById: () => null, createElement: (tag) => (tag === 'canvas' ? new OffscreenCanvas(1, 1) : script()) };
}

/** Whether WebGL is drawn by the processor, where the model is faster without it; null: there is no WebGL. */
function isSoftware() {
  const gl = typeof OffscreenCanvas === 'undefined' ? null : new OffscreenCanvas(1, 1).getContext('webgl2');
  if (!gl)
    return null;
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

let holistic = null;
let found = null;

const points = (list) => (list?.length ? list.map(({ x, y, z, visibility }) => ({ x, y, z, visibility })) : null);

async function start(model) {
  if (typeof WebAssembly !== 'object' || !WebAssembly.validate(SIMD))
    return fail('wasm');
  const software = isSoftware();
  if (software === null)
    return fail('webgl');
  const files = [...FILES, `pose_landmark_${model}.tflite`];
  const answers = await Promise.all(files.map((file) => fetch(file, { method: 'HEAD' }).catch(() => null)));
  if (!answers.every((answer) => answer?.ok))
    return fail('files');
  pretendPage();
  importScripts('holistic.js');
  holistic = new self.Holistic({ locateFile: (file) => new URL(file, self.location.href).pathname });
  holistic.setOptions({ modelComplexity: COMPLEXITY[model], smoothLandmarks: true, useCpuInference: software });
  holistic.onResults((results) => {
    results.image?.close?.();
    found = { world: points(results[WORLD]), image: points(results.poseLandmarks), left: points(results.leftHandLandmarks),
      right: points(results.rightHandLandmarks) };
  });
  await holistic.initialize();
  self.postMessage({ type: 'ready', software });
}

async function look({ id, time, picture }) {
  found = null;
  await holistic.send({ image: picture }, time);
  picture.close();
  self.postMessage({ type: 'landmarks', id, world: null, image: null, left: null, right: null, ...found });
}

self.addEventListener('unhandledrejection', () => fail('model'));
self.onmessage = async ({ data }) => {
  try {
    await (data.type === 'start' ? start(data.model) : look(data));
  } catch {
    fail('model');
  }
};
