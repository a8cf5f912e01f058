// Tests `jointcast play`: subscribers receive the motion of the file, and the body enters and
// leaves with it.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import WebSocket from 'ws';
import { BONES, connect } from '../../../clients/js/index.js';
import { JOINTCAST, scratch, startDaemon } from '../support/daemon.mjs';
import { makeBvh } from '../support/fixtures.mjs';
import { angle, findBegin, pairUp } from '../support/retargeted.mjs';
import { isHeld, steady } from '../support/steady.mjs';
import { now, secret, sign } from '../support/token.mjs';
import { until } from '../support/until.mjs';

const FRAMES = 160;
const FRAME_TIME = 1 / 20;
/** See stream.test.mjs and captures.test.mjs. */
const MOMENT_ERROR = 4 * 50e-6 * 60;
const ERROR = 0.01 + 3 * 0.0046 + MOMENT_ERROR;

/** A subscriber of coding 1 that keeps every packet of a live body, by the body's name. */
async function openSubscriber(t, url) {
  const client = connect(url, { WebSocket, codings: [1] });
  t.after(() => client.close());
  const packets = new Map();
  const left = [];
  const errors = [];
  client.on('error', (error) => errors.push(error.message));
  client.on('leave', (body) => left.push(body.name));
  client.on('bundle', () => {
    for (const body of client.bodies.values()) {
      const slot = body.timeline.at(body.timeline.newest);
      if (!slot || body.state !== 'live') continue;
      const known = packets.get(body.name) ?? packets.set(body.name, []).get(body.name);
      if (isHeld(slot) && known.length > 0)
        known.at(-1).isHeld = true;
      else if (slot.time !== known.at(-1)?.time)
        known.push({ rotations: slot.rotations.slice(), time: slot.time, capture: slot.time / 1e6 });
    }
  });
  await new Promise((resolve) => client.on('roster', resolve));
  return { client, left, errors, packets: (name) => packets.get(name) ?? [] };
}

/** The tool at work. */
function play(...args) {
  const child = spawn(JOINTCAST, ['play', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const result = { child, stderr: '' };
  child.stderr.on('data', (text) => { result.stderr += text; });
  result.ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  return result;
}

async function arrives(t, motion) {
  const daemon = await startDaemon(t);
  const subscriber = await openSubscriber(t, daemon.url);
  const player = play(motion, '--to', daemon.url, '--name', 'Bödy');
  assert.equal(await player.ended, 0, player.stderr);
  // No progress without a terminal; a machine that stood still is reported.
  assert.match(player.stderr, /^(jointcast: \S+: \d+ of \d+ captures were not sent: the connection is slow\n)?$/);
  await until('that it left', () => subscriber.left.includes('Bödy'));
  assert.deepEqual(subscriber.errors, []);
  const packets = steady(subscriber.packets('Bödy').slice(1), 1e6 * FRAME_TIME);
  assert.ok(packets.length > 50, `${packets.length} packets`);
  const what = { motion, skeleton: 'humanoid', frames: FRAMES, frameTime: FRAME_TIME };
  let worst = 0;
  for (const [packet, computed] of pairUp(packets, findBegin(packets, what), what)) {
    for (const [bone, { relative, state }] of Object.entries(computed.bones)) {
      if (state === 'tracked')
        worst = Math.max(worst, angle(relative, packet.rotations, 4 * BONES.indexOf(bone)));
    }
  }
  assert.ok(worst < ERROR, `${worst} degrees off`);
}

test('a motion of bones arrives unchanged and leaves at its end', { timeout: 300000 }, (t) => {
  const motion = path.join(scratch(t), 'motion.bvh');
  writeFileSync(motion, makeBvh({ frames: FRAMES, frameTime: FRAME_TIME }));
  return arrives(t, motion);
});

test('a motion of body frames arrives as solved poses', { timeout: 300000 }, (t) => {
  const folder = scratch(t);
  const motion = path.join(folder, 'motion.bvh');
  const frames = path.join(folder, 'frames.jsonl');
  writeFileSync(motion, makeBvh({ frames: FRAMES, frameTime: FRAME_TIME }));
  execFileSync(JOINTCAST, ['convert', motion, frames, '--profile', 'meta']);
  return arrives(t, frames);
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  test(`${signal} ends a loop in order`, { timeout: 300000 }, async (t) => {
    const daemon = await startDaemon(t);
    const subscriber = await openSubscriber(t, daemon.url);
    const player = play('demo:wave', '--to', daemon.url, '--loop', '--speed', '20');
    // Ten seconds of motion at twenty times the speed: the motion has restarted by now.
    await until('a hundred packets', () => subscriber.packets('wave').length > 100);
    player.child.kill(signal);
    assert.equal(await player.ended, 0, player.stderr);
    await until('that it left', () => subscriber.left.includes('wave'));
    assert.deepEqual(subscriber.errors, []);
  });

test('a part of a motion is played', { timeout: 300000 }, async (t) => {
  const daemon = await startDaemon(t);
  const subscriber = await openSubscriber(t, daemon.url);
  const whole = play('demo:walk', '--to', daemon.url, '--from', '1', '--until', '1.5');
  assert.equal(await whole.ended, 0, whole.stderr);
  const packets = subscriber.packets('walk');
  const span = packets.at(-1).capture - packets[0].capture;
  assert.ok(span > 0.3 && span < 0.7, `${span} s of half a second`);
});

test('failures are reported in one line', { timeout: 300000 }, async (t) => {
  const daemon = await startDaemon(t);
  for (const [code, pattern, ...args] of [
    [1, /contains nothing from 99 to 4e\+09 s/, 'demo:walk', '--to', daemon.url, '--from', '99'],
    [3, /refused: no space of that name/, 'demo:walk', '--to', daemon.url, '--space', 'cellar'],
    [3, /cannot connect/, 'demo:walk', '--to', 'ws://127.0.0.1:1'],
    [3, /No such file/, 'nowhere.bvh', '--to', daemon.url],
    [2, /not the address of a daemon/, 'demo:walk', '--to', 'ftp://here'],
    [2, /--speed '0' is not a number from 0.01 to 100/, 'demo:walk', '--speed', '0'],
    [2, /takes one MOTION/],
  ]) {
    const player = play(...args);
    assert.equal(await player.ended, code, player.stderr);
    assert.match(player.stderr, pattern);
    assert.equal(player.stderr.trim().split('\n').length, 1, player.stderr);
  }
});

test('a daemon that ends is reported', { timeout: 300000 }, async (t) => {
  const daemon = await startDaemon(t);
  const subscriber = await openSubscriber(t, daemon.url);
  const player = play('demo:wave', '--to', daemon.url, '--loop');
  await until('packets', () => subscriber.packets('wave').length > 3);
  subscriber.client.close();
  await daemon.stop();
  assert.equal(await player.ended, 3);
  assert.match(player.stderr, /^jointcast: ws:\S+: the daemon is shutting down\n$/);
});

test('a token of the environment is sent to a daemon that requires one', { timeout: 300000 }, async (t) => {
  const folder = scratch(t);
  const [key, config] = [path.join(folder, 'key'), path.join(folder, 'jointcastd.conf')];
  writeFileSync(key, secret, { mode: 0o600 });
  writeFileSync(config, `auth {\n\taudience = "world"\n\tkey "one" { algorithm = "HS256" file = "${key}" }\n}\n`);
  const token = sign({ alg: 'HS256', kid: 'one' }, { sub: 'ada', aud: 'world', exp: now() + 600, roles: ['publish'],
    spaces: ['lobby'], bodies: ['walk'] }, secret);
  const daemon = await startDaemon(t, '--config', config);
  const stranger = play('demo:walk', '--to', daemon.url, '--until', '0.2');
  assert.equal(await stranger.ended, 3);
  assert.match(stranger.stderr, /^jointcast: ws:\S+: refused: .*\n$/);
  process.env.JOINTCAST_TOKEN = token;
  t.after(() => delete process.env.JOINTCAST_TOKEN);
  for (const [code, name] of [[0, 'walk'], [3, 'run']]) {
    const player = play('demo:walk', '--to', daemon.url, '--until', '0.2', '--name', name);
    assert.equal(await player.ended, code, player.stderr);
  }
});
