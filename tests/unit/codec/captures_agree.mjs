#!/usr/bin/env node
// Captures in C and in JavaScript: of random frames, good ones and damaged ones, both
// read every bit of every number alike, write the same bytes again, and refuse the
// others for the same reason.
//
// usage: captures_agree.mjs CAPTURE_SERVER [FRAMES]
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { BodyFrame, PoseFrame, decodeBodyFrame, decodePose, encodeBodyFrame, encodePose } from '../../../clients/js/body-frame.js';
import { ProtocolError } from '../../../clients/js/error.js';

const [server, frames = '4000'] = process.argv.slice(2);
/** enum jc_error */
const ERRORS = { truncated: -2, limit: -3, invalid: -4, unsupported: -5 };

let seed = 1789;
/** xorshift32, from -1 to 1. */
function random() {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return (seed | 0) / 2 ** 31;
}
const below = (n) => Math.floor(((random() + 1) / 2) * n) % n;

function turn(rotations, at) {
  const q = Array.from({ length: 4 }, random);
  const size = Math.hypot(...q) || 1;
  rotations.set(below(5) ? q.map((x) => x / size) : [0, 0, 0, 1], at);
}

function common(frame) {
  frame.time = below(2 ** 31) * (below(2) ? 1 : 131071);
  frame.cut = below(4) === 0;
  frame.values = Float32Array.from({ length: below(3) ? 0 : below(60) }, () => (below(2) ? 3 * random() : 0));
  const mood = below(3);
  frame.states.forEach((_, i) => {
    frame.states[i] = mood === 0 ? 2 : mood === 1 ? below(2) + 1 : below(3);
    turn(frame.rotations, 4 * i);
  });
  return frame;
}

function bodyFrame() {
  const frame = common(new BodyFrame());
  const reach = 10 ** (3 * random());
  frame.isRest = below(9) === 0;
  frame.confidence = below(1000) / 999;
  frame.positions.forEach((_, i) => { frame.positions[i] = reach * random(); });
  return frame;
}

function poseFrame() {
  const pose = common(new PoseFrame());
  pose.hips.forEach((_, i) => { pose.hips[i] = 4 * random(); });
  return pose;
}

/** As the server has it, or the number of the error. */
function read(kind, bytes) {
  const raw = (view) => Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  const numbers = (...values) => raw(Float32Array.from(values, (v) => v + 0));
  try {
    const frame = kind === 'P' ? decodePose(bytes, new PoseFrame()) : decodeBodyFrame(bytes, new BodyFrame());
    const { time, cut, isRest, values, states, rotations } = frame;
    const head = [raw(Float64Array.of(time)), Buffer.of(cut ? 1 : 0, isRest ? 1 : 0),
      raw(Uint32Array.of(values.length)), numbers(...values)];
    const items = kind === 'P'
      ? [numbers(...frame.hips), raw(states), numbers(...rotations)]
      : [numbers(frame.confidence), ...Array.from(states, (state, i) => Buffer.concat([Buffer.of(state),
        numbers(...frame.positions.subarray(3 * i, 3 * i + 3), ...rotations.subarray(4 * i, 4 * i + 4))]))];
    const again = kind === 'P' ? encodePose(frame) : encodeBodyFrame(frame);
    return Buffer.concat([raw(Int32Array.of(bytes.length)), ...head, ...items, raw(Int32Array.of(again.length)), again]);
  } catch (error) {
    assert.ok(error instanceof ProtocolError, error.stack);
    return raw(Int32Array.of(ERRORS[error.code]));
  }
}

const script = [];
const expected = [];
let refused = 0;
for (let n = 0; n < Number(frames); n++) {
  const kind = below(2) ? 'B' : 'P';
  let bytes = kind === 'B' ? encodeBodyFrame(bodyFrame()) : encodePose(poseFrame());
  if (n % 2) { // damaged
    bytes = bytes.slice(0, below(3) ? bytes.length : below(bytes.length));
    for (let k = below(3); k > 0 && bytes.length > 0; k--) {
      bytes[below(below(2) ? bytes.length : Math.min(bytes.length, 24))] = below(256);
    }
  }
  script.push(Buffer.of(kind.charCodeAt(0), bytes.length & 255, bytes.length >> 8), bytes);
  expected.push(read(kind, bytes));
  refused += expected.at(-1).length === 4 ? 1 : 0;
}
assert.ok(refused > frames / 10 && refused < frames / 2, `${refused} refused`);

const { status, stdout, stderr } = spawnSync(server, [], { input: Buffer.concat(script), maxBuffer: 2 ** 30 });
assert.equal(status, 0, `${stderr}`);
let at = 0;
expected.forEach((answer, n) => {
  assert.ok(stdout.subarray(at, at + answer.length).equals(answer), `capture ${n} is another in C`);
  at += answer.length;
});
assert.equal(at, stdout.length);
console.log(`${frames} captures, ${refused} of them refused: the same in both`);
