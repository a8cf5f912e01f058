// Body frames and bone lengths stay in the daemon: two bodies with the same motion, one twice
// as tall as the other, are published as body frames, and every byte received by subscribers of
// all kinds of views is examined.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import WebSocket from 'ws';
import {
  Bundle, BodyFrame, JOINTS, decodeBundle, encodeBodyFrame,
} from '../../../clients/js/index.js';
import { captureMessage } from '../../../clients/js/body-frame.js';
import { JOINTCAST, scratch, startDaemon } from '../support/daemon.mjs';
import { makeVrm } from '../support/fixtures.mjs';
import { until } from '../support/until.mjs';

const HEIGHT = 0.875; // metres, of the smaller one
const PACKETS = 25; // at least, of each body in each view
const LENGTHS = [ // bones, each from joint to joint
  ['left-arm-upper', 'left-arm-lower'], ['left-arm-lower', 'left-hand-wrist-twist'],
  ['left-upper-leg', 'left-lower-leg'], ['left-lower-leg', 'left-foot-ankle'],
  ['neck', 'head'], ['hips', 'spine-lower'],
].map((names) => names.map((name) => JOINTS.indexOf(name)));

/** Everything that one subscriber gets. */
class Ear {
  text = [];
  binary = [];

  constructor(url, name, { codings = [2, 1], ...view }) {
    this.name = name;
    this.view = view;
    this.socket = new WebSocket(url, 'jointcast.v1');
    this.socket.on('message', (data, isBinary) => (isBinary ? this.binary : this.text).push(data));
    this.socket.on('open', () => this.say({ type: 'hello', codings }, { type: 'join', space: 'lobby' }));
  }

  say(...messages) {
    messages.forEach((message) => this.socket.send(JSON.stringify(message)));
  }

  find(type) {
    return this.text.map((data) => JSON.parse(data)).find((message) => message.type === type);
  }

  subscribe() {
    this.say({ type: 'subscribe', space: 'lobby', ...this.view });
  }

  /** Maps the id of each body to its packets, with their heads but without the id. */
  packets() {
    const bundle = new Bundle();
    const found = new Map();
    for (const data of this.binary) {
      decodeBundle(data, bundle);
      for (let i = 0; i < bundle.count; i++) {
        const { [i]: id } = bundle.body;
        const packet = [bundle.tick, bundle.sequence[i], bundle.shape[i], bundle.needsState[i],
          bundle.cut[i], bundle.age[i], data.subarray(bundle.start[i], bundle.end[i]).toString('hex')];
        found.set(id, [...found.get(id) ?? [], packet.join()]);
      }
    }
    return found;
  }
}

/**
 * Frames of the built-in walk at half size, in whole units of 0.0001 m: captures round to this
 * unit, and the body of double size must have no other rounding errors.
 */
function makeFrames(folder) {
  const file = path.join(folder, 'walk.jsonl');
  execFileSync(JOINTCAST, ['convert', 'demo:walk', file, '--profile', 'meta']);
  const [header, ...frames] = readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse);
  assert.deepEqual(header.joints, [...JOINTS]);
  return frames.map(({ joints }) => joints.map(([x, y, z, ...rest]) =>
    [x, y, z].map((at) => Math.round(at * 5000) / 10000).concat(rest)));
}

function makeFrame(joints, size, time) {
  const frame = new BodyFrame();
  frame.time = time;
  frame.confidence = 1;
  joints.forEach(([x, y, z, ...rest], i) => {
    frame.positions.set([x * size, y * size, z * size], 3 * i);
    frame.rotations.set(rest.slice(0, 4), 4 * i);
    frame.states[i] = rest[4];
  });
  return frame;
}

/** Confidential parts of a frame: [description, bytes]. */
function secretsOf(frame, capture) {
  const secrets = [];
  const add = (what, typed) => secrets.push([what, Buffer.from(typed.buffer)]);
  for (let at = 16; at + 12 < capture.length; at += 12)
    secrets.push(['a piece of a capture', Buffer.from(capture.subarray(at, at + 12))]);
  for (const joint of [0, 6, 10, 20, 70]) {
    const place = frame.positions.subarray(3 * joint, 3 * joint + 3);
    add('a position', Float32Array.from(place));
    add('a position', Float64Array.from(place));
    add('a position', Int32Array.from(place, (x) => Math.round(x * 10000)));
    add('a position', Int16Array.from(place, (x) => Math.round(x * 10000)));
  }
  for (const [a, b] of LENGTHS) {
    const length = Math.hypot(...[0, 1, 2].map((c) => frame.positions[3 * a + c] - frame.positions[3 * b + c]));
    add('a length', Float64Array.of(length));
    add('a length', Float32Array.of(length));
    secrets.push(['a length in figures', Buffer.from(length.toFixed(4))]);
  }
  return secrets;
}

test('subscribers receive neither joints nor body sizes', { timeout: 300000 }, async (t) => {
  const folder = scratch(t);
  const figure = path.join(folder, 'figure.vrm');
  writeFileSync(figure, makeVrm(1));
  const frames = makeFrames(folder);
  const daemon = await startDaemon(t, '--source', 'demo:idle', '--skeleton', figure);
  const hand = new Ear(daemon.url, 'the publisher', {});
  t.after(() => hand.socket.close());
  await until('the roster', () => hand.find('roster'));
  [HEIGHT, 2 * HEIGHT].forEach((height, publication) => hand.say({ type: 'publish', space: 'lobby',
    publication, name: `person ${publication}`, kind: 'body-frames', profile: 'meta', height }));
  const published = () => hand.text.map((data) => JSON.parse(data))
    .filter(({ type }) => type === 'published').map(({ body }) => body);
  await until('both bodies', () => published().length === 2);

  // Both captures are sent in one write, so that no tick falls between them.
  const offset = hand.find('welcome').time - performance.now() * 1000;
  const secrets = [];
  let count = 0;
  const send = () => {
    const joints = frames[count++ % frames.length];
    const time = Math.floor(performance.now() * 1000 + offset);
    hand.socket._socket.cork();
    [1, 2].forEach((size, publication) => {
      const frame = makeFrame(joints, size, time);
      const capture = encodeBodyFrame(frame);
      if (count % 16 === 0)
        secrets.push(...secretsOf(frame, capture));
      hand.socket.send(captureMessage(publication, capture));
    });
    hand.socket._socket.uncork();
  };
  const timer = setInterval(send, 1000 / 60);
  t.after(() => clearInterval(timer));
  const skeleton = hand.find('roster').bodies[0].skeleton;
  const far = [{ position: [0, 0, 500] }];
  const ears = [
    ['fine', { precision: 'fine' }], ['every fourth tick', { rate: 4 }],
    ['coding 1', { codings: [1] }], ['virtual transforms', { sections: ['body', 'hips', 'virtual'] }],
    ['named', { bodies: published() }], ['on humanoid', { skeleton: 'humanoid' }],
    ['on another skeleton', { skeleton }], ['from afar', { viewpoints: far }],
    ['coding 1 on another skeleton', { codings: [1], skeleton }],
    // In a coding of its own: a body that it gets at another level has a packet for the other
    // subscribers of that stream too, even where nothing changed.
    ['a budget', { codings: [3], budget: 3000 }],
  ].map(([name, view]) => new Ear(daemon.url, name, view));
  t.after(() => ears.forEach(({ socket }) => socket.close()));
  await until('all to be there', () => ears.every((ear) => ear.find('roster')));
  const live = () => new Set(hand.text.map((data) => JSON.parse(data))
    .flatMap(({ joined, changed }) => [...joined ?? [], ...changed ?? []])
    .filter(({ id, state }) => state === 'live' && published().includes(id)).map(({ id }) => id));
  await until('both to move', () => live().size === 2);
  ears.forEach((ear) => ear.subscribe());
  const [small, tall] = published();
  await until('enough packets and captures', () => secrets.length > 200
    && ears.every((ear) => ear.view.budget || ear.packets().get(small)?.length >= PACKETS));

  for (const ear of ears) {
    const packets = ear.packets();
    // Importance decides which body gets the lowest level; it differs between the two.
    if (!ear.view.budget) {
      const [a, b] = [packets.get(small) ?? [], packets.get(tall) ?? []];
      assert.ok(a.length >= PACKETS, `${ear.name}: ${a.length} packets`);
      assert.ok(new Set(a.map((packet) => packet.split(',').at(-1))).size > PACKETS / 2,
        `${ear.name}: nothing moves`);
      assert.deepEqual(a, b, `${ear.name}: their size shows`);
    }
    const all = Buffer.concat([...ear.text, ...ear.binary]);
    // The numbers in skeleton messages can equal a length by chance: these descriptors are
    // configured, not measured on a person.
    const text = Buffer.concat(ear.text.filter((data) => JSON.parse(data).type !== 'skeleton'));
    assert.ok(all.length > 1000, `${ear.name}: ${all.length} bytes`);
    for (const [what, bytes] of secrets)
      assert.ok(!(what === 'a length in figures' ? text : all).includes(bytes),
        `${ear.name}: ${what}, ${bytes.toString('hex')}`);
  }
  assert.ok(secrets.length > 200, `${secrets.length} secrets`);
});
