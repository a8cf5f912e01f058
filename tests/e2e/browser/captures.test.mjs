// Compares what subscribers receive with what a publisher sent: body frames of a motion, sent
// as captures, arrive as the solver's result for the same frames on the command line; poses
// arrive unchanged.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import WebSocket from 'ws';
import { BodyFrame, PoseFrame, captureMessage, encodeBodyFrame, encodePose } from '../../../clients/js/body-frame.js';
import { BONES, Clock, connect } from '../../../clients/js/index.js';
import { JOINTS } from '../../../clients/js/tables.js';
import { JOINTCAST, sample, scratch, startDaemon } from '../support/daemon.mjs';
import { makeBvh } from '../support/fixtures.mjs';
import { angle, retarget } from '../support/retargeted.mjs';
import { isHeld, steady } from '../support/steady.mjs';

/** Degrees that coding 1 may be off, and a capture (proto/BUNDLES.md, "Smallest three"; proto/PUBLISHING.md, "Captures"). */
const CODING = 0.01;
const CAPTURE = 0.0046;
/** A bone is turned as its own joint and the one above are; the spine has one between. */
const SOLVED = CODING + 3 * CAPTURE;
/** Two captures are farther apart than the 50 us by which packets round their age. */
const SAME_US = 200;
const FRAME_US = 33000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A publisher made of a socket, and a clock that pings set. */
async function openPublisher(t, url) {
  const ws = new WebSocket(url, 'jointcast.v1');
  t.after(() => ws.close());
  const clock = new Clock();
  const waiting = new Map();
  const errors = [];
  ws.on('message', (data) => {
    const message = JSON.parse(data);
    if (message.type === 'pong')
      clock.add(message.t, performance.now(), message.time);
    if (message.type === 'error')
      errors.push(message);
    waiting.get(message.type)?.(message);
  });
  const ask = (message, answer) => new Promise((resolve) => {
    waiting.set(answer, resolve);
    ws.send(JSON.stringify(message));
  });
  await new Promise((resolve, reject) => ws.on('open', resolve).on('error', reject));
  await ask({ type: 'hello' }, 'welcome');
  for (let i = 0; i < 8; i++)
    await ask({ type: 'ping', t: performance.now() }, 'pong');
  return {
    ws, errors,
    // A little ago, so that no error of the clock makes it the future.
    now: () => Math.round(clock.at(performance.now())) - 2000,
    publish: async (publication, fields) => (await ask(
      { type: 'publish', space: 'lobby', publication, ...fields }, 'published')).body,
    send: (publication, capture) => ws.send(captureMessage(publication, capture)),
  };
}

/** A subscriber that keeps how a body stood at each capture time. */
async function openSubscriber(t, url) {
  const client = connect(url, { WebSocket, codings: [1] });
  t.after(() => client.close());
  const packets = new Map();
  const errors = [];
  client.on('error', (error) => errors.push(error.message));
  client.on('bundle', () => {
    for (const body of client.bodies.values()) {
      const slot = body.timeline.at(body.timeline.newest);
      if (slot && body.state === 'live') {
        const list = packets.get(body.id) ?? packets.set(body.id, []).get(body.id);
        list.push({ rotations: slot.rotations.slice(), hips: slot.hips.slice(), time: slot.time, isHeld: isHeld(slot) });
      }
    }
  });
  await new Promise((resolve) => client.on('roster', resolve));
  return { client, errors, packets: (id) => packets.get(id) ?? [] };
}

/** The frames of a file as captures; times are the file's, in seconds. */
function readFrames(file) {
  const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const fill = (frame, joints) => {
    joints.forEach((joint, i) => {
      const index = JOINTS.indexOf(head.joints[i]);
      if (joint) {
        frame.positions.set(joint.slice(0, 3), 3 * index);
        frame.rotations.set(joint.slice(3, 7), 4 * index);
        frame.states[index] = joint[7];
      }
    });
    return frame;
  };
  return {
    profile: head.profile,
    rest: head.rest ? Object.assign(fill(new BodyFrame(), head.rest.joints), { isRest: true }) : null,
    frames: lines.map(({ t, joints }) => ({ t, frame: fill(new BodyFrame(), joints) })),
  };
}

/**
 * Packets with the index of the frame that they were captured from. A packet of another time shows a body that
 * the daemon held, because this machine stood still.
 */
function match(packets, times) {
  const indexOf = ({ time }) => times.findIndex((sent) => Math.abs(sent - time) < SAME_US);
  const marked = packets.map((packet) => ({ ...packet, isHeld: packet.isHeld || indexOf(packet) < 0 }));
  return steady(marked, FRAME_US).map((packet) => [packet, indexOf(packet)]).filter(([, index]) => index >= 0);
}

/**
 * Sends the frames thirty times a second, from the first again on a machine so busy that less
 * than half of them arrive. Returns packets, each with the index of its frame.
 */
async function play(publisher, frames, encode, packets) {
  const times = [];
  const arrived = new Set();
  for (let pass = 0; pass < 8; pass++) {
    for (const frame of frames) {
      frame.time = publisher.now();
      times.push(frame.time);
      publisher.send(0, encode(frame));
      await sleep(FRAME_US / 1000);
    }
    await sleep(100);
    assert.deepEqual(publisher.errors, []);
    const found = match(packets(), times).map(([packet, i]) => [packet, i % frames.length]);
    found.forEach(([, index]) => arrived.add(index));
    if (arrived.size > frames.length / 2)
      return found;
  }
  return assert.fail(`${arrived.size} of ${frames.length} frames arrived`);
}

async function comparesWithTheSolver(t, motion, profile, every, least) {
  const folder = scratch(t);
  const file = path.join(folder, 'frames.jsonl');
  execFileSync(JOINTCAST, ['convert', motion, file, '--profile', profile]);
  const { rest, frames: all } = readFrames(file);
  // A capture of the studio begins with a T-pose, far from its next frame.
  const frames = all.slice(every).filter((_, i) => i % every === 0).slice(0, 60);
  const daemon = await startDaemon(t);
  const subscriber = await openSubscriber(t, daemon.url);
  const publisher = await openPublisher(t, daemon.url);
  const id = await publisher.publish(0, { name: 'figure', kind: 'body-frames', profile });
  if (rest)
    publisher.send(0, encodeBodyFrame(rest));
  const found = await play(publisher, frames.map(({ frame }) => frame), encodeBodyFrame,
    () => subscriber.packets(id));
  const computed = retarget(file, 'humanoid', frames.map(({ t: moment }) => moment));
  let compared = 0;
  for (const [{ rotations }, index] of found) {
    for (const [bone, { relative, state }] of Object.entries(computed[index].bones)) {
      if (state !== 'tracked')
        continue; // made up for the body, there as here
      const off = angle(relative, rotations, 4 * BONES.indexOf(bone));
      assert.ok(off < SOLVED, `${bone} is off by ${off} degrees in frame ${index}`);
      compared++;
    }
  }
  assert.ok(compared > least, `${compared} rotations compared`);
  assert.deepEqual(subscriber.errors, []);
}

for (const profile of ['webxr-spec', 'meta'])
  test(`subscribers receive the solved poses of profile ${profile}`, { timeout: 300000 }, (t) => {
    const motion = path.join(scratch(t), 'motion.bvh');
    writeFileSync(motion, makeBvh({ frames: 60, frameTime: 1 / 30 }));
    return comparesWithTheSolver(t, motion, profile, 1, 500);
  });

const walk = sample('bvh/cmu_01_01.bvh');
test('subscribers receive the solved poses of a captured motion',
  { timeout: 300000, skip: walk ? false : 'no folder of real motions' },
  (t) => comparesWithTheSolver(t, walk, 'meta', 4, 500));

test('subscribers receive the published poses of two publishers', { timeout: 300000 }, async (t) => {
  const daemon = await startDaemon(t);
  const subscriber = await openSubscriber(t, daemon.url);
  const publishers = await Promise.all([openPublisher(t, daemon.url), openPublisher(t, daemon.url)]);
  const sent = await Promise.all(publishers.map(async (publisher, which) => {
    const id = await publisher.publish(0, { name: `puppet ${which}`, kind: 'poses', channels: ['expression/aa', 'lookAt'] });
    const poses = Array.from({ length: 45 }, (_, n) => {
      const pose = new PoseFrame();
      pose.values = Float32Array.of(0.5, 0, 0, 0, 1);
      pose.hips.set([0.001 * n, 0.002 * n, -0.003 * n * (which + 1)]);
      BONES.forEach((_name, bone) => {
        const half = 0.3 * Math.sin(0.1 * n * (which + 1) + bone);
        pose.states[bone] = 2;
        pose.rotations.fill(0, 4 * bone, 4 * bone + 3);
        pose.rotations[4 * bone + (bone % 3)] = Math.sin(half);
        pose.rotations[4 * bone + 3] = Math.cos(half);
      });
      return pose;
    });
    return { id, poses, found: await play(publisher, poses, encodePose, () => subscriber.packets(id)) };
  }));
  assert.deepEqual(subscriber.errors, []);
  for (const { id, poses, found } of sent) {
    const { skeleton } = subscriber.client.bodies.get(id);
    for (const [{ rotations, hips }, index] of found) {
      BONES.forEach((bone, b) => {
        const off = angle(poses[index].rotations.subarray(4 * b, 4 * b + 4), rotations, 4 * b);
        assert.ok(off < CODING + CAPTURE, `${bone} is off by ${off} degrees in pose ${index}`);
      });
      for (let c = 0; c < 3; c++) {
        const off = Math.abs(poses[index].hips[c] * skeleton.hipsHeight - hips[c]);
        assert.ok(off < 0.0005 + 0.00011, `the hips are off by ${off} m in pose ${index}`);
      }
    }
  }
});

test('captures of other times count as now, or as 150 ms ago', { timeout: 300000 }, async (t) => {
  const daemon = await startDaemon(t);
  const subscriber = await openSubscriber(t, daemon.url);
  const publisher = await openPublisher(t, daemon.url);
  const pose = new PoseFrame();
  pose.states.fill(2);
  for (const [publication, shift, least, most] of [[0, 3e6, -40000, 40000], [1, -3e6, 110000, 200000]]) {
    const id = await publisher.publish(publication, { name: `clock ${shift}`, kind: 'poses' });
    const ages = [];
    for (let n = 0; n < 20; n++) {
      const now = publisher.now();
      pose.time = Math.max(0, now + shift);
      publisher.send(publication, encodePose(pose));
      const before = subscriber.packets(id).length;
      await sleep(40);
      const packet = subscriber.packets(id)[before];
      if (packet)
        ages.push(now - packet.time);
    }
    ages.sort((a, b) => a - b);
    const middle = ages[ages.length >> 1];
    assert.ok(ages.length > 5 && middle > least && middle < most, `${middle} us old, of ${ages.length}`);
  }
  assert.deepEqual(publisher.errors, []);
});

test('subscribers receive channels by name', { timeout: 300000 }, async (t) => {
  const daemon = await startDaemon(t);
  const client = connect(daemon.url, { WebSocket, precision: 'fine' });
  t.after(() => client.close());
  const publisher = await openPublisher(t, daemon.url);
  const id = await publisher.publish(0, { name: 'face', kind: 'poses',
    channels: ['expression/aa', 'lookAt', 'expression/blink'] });
  const gaze = [0, Math.sin(0.2), 0, Math.cos(0.2)];
  const pose = new PoseFrame();
  pose.states.fill(2);
  pose.values = Float32Array.of(0.75, ...gaze, 0.125);
  for (let n = 0; n < 200; n++) {
    pose.time = publisher.now();
    publisher.send(0, encodePose(pose));
    await sleep(33);
    const body = client.bodies.get(id);
    const seen = body?.sample();
    const values = seen && body.channels.map((name) => body.channel(name, seen));
    const near = (a, b) => Math.abs(a - b) < 0.01;
    if (values?.length === 3 && near(values[0], 0.75) && near(values[2], 0.125)
        && values[1].every((x, i) => near(x, gaze[i])))
      return;
  }
  assert.fail(`heard of ${JSON.stringify(client.bodies.get(id)?.channels)}`);
});
