// Measures the cost of a WebXR frame in a page until it is in the socket, without the
// browser's own part: node --expose-gc --max-semi-space-size=256 tests/bench/publish.mjs

import { BodyFrame, encodeBodyFrame } from '../../clients/js/body-frame.js';
import { FakeFrame, FakeSession, matrixOf, wholeBody } from '../../clients/js/test/fake-xr.mjs';
import { XrBodyReader } from '../../clients/js/xr-body.js';

const ROUNDS = 100000;

const body = wholeBody();
const poses = Float32Array.from([...body.values()].flatMap(
  ({ at }) => matrixOf(at.position, at.rotation)));
const frame = new FakeFrame(new FakeSession(), { body });
const hips = frame.getPose(body.get('hips'));
frame.fillPoses = (spaces, base, out) => out.set(poses);
frame.getPose = () => hips;

/** Microseconds and bytes of garbage a call, once the engine has warmed up. */
function measure(run) {
  for (let i = 0; i < ROUNDS / 4; i++)
    run();
  globalThis.gc();
  const { heapUsed } = process.memoryUsage();
  const began = performance.now();
  for (let i = 0; i < ROUNDS; i++)
    run();
  const us = ((performance.now() - began) * 1000) / ROUNDS;
  return { us: us.toFixed(1),
    garbage: Math.round((process.memoryUsage().heapUsed - heapUsed) / ROUNDS) };
}

const reader = new XrBodyReader('meta');
const out = new BodyFrame();
console.log('read', measure(() => reader.read(frame, null, out)));
console.log('encode', measure(() => encodeBodyFrame(out)));
console.log('bytes of a message', 2 + encodeBodyFrame(out).length);
