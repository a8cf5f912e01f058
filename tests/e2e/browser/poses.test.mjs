// `jointcast watch --poses`: its lines have the poses that clients/js decodes from the same packets
// and those that `jointcast retarget` computes from the file; readers may be slow or leave.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { after } from 'node:test';
import WebSocket from 'ws';
import { BONES, Figure, connect } from '../../../clients/js/index.js';
import { JOINTCAST, ROOT, scratch, start } from '../support/daemon.mjs';
import { TABLE, makeBvh, makeVrm } from '../support/fixtures.mjs';
import { angle, retarget } from '../support/retargeted.mjs';
import { secret, token } from '../support/token.mjs';
import { until } from '../support/until.mjs';

const folder = scratch();
const file = (name, content) => {
  writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
};

// Two equal frames of a motion: a body that stands still in a pose.
const lines = makeBvh({ frames: 40 }).trim().split('\n');
const first = lines.findIndex((line) => line.startsWith('Frame Time')) + 1;
const still = file('still.bvh', [...lines.slice(0, first - 2), 'Frames: 2', lines[first - 1], lines[first + 9], lines[first + 9], ''].join('\n'));
const avatar = file('avatar.vrm', makeVrm(0)); // faces -Z

const daemon = await start('--source', `file:${still}?loop&name=statue`, '--source', 'demo:walk?name=walker', '--skeleton', avatar);
after(async () => assert.equal(await daemon.stop(), 0));

/** The running tool: its whole lines so far, and what it writes on standard error. */
function watch(t, url, options = [], env = {}) {
  const child = spawn(JOINTCAST, ['watch', url, '--poses', ...options],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const tool = { child, lines: [], rest: '', stderr: '' };
  t.after(() => child.kill('SIGKILL'));
  child.stderr.on('data', (text) => { tool.stderr += text; });
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const parts = (tool.rest + text).split('\n');
    tool.rest = parts.pop();
    tool.lines.push(...parts);
  });
  tool.ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  const parsed = [];
  tool.poses = (name) => {
    parsed.push(...tool.lines.slice(parsed.length).map((line) => JSON.parse(line)));
    return parsed.filter((pose) => pose.name === name);
  };
  tool.interrupt = async () => {
    child.kill('SIGINT');
    assert.equal(await tool.ended, 0, tool.stderr);
    assert.equal(tool.rest, '', 'the last line is whole');
    // On a busy machine this test is a slow reader.
    assert.match(tool.stderr, /^(jointcast: [^\n]*: \d+ poses were left out: standard output was read too slowly\n)?$/);
  };
  return tool;
}

// a * b of [x, y, z, w], and a vector turned by a quaternion.
const times = ([ax, ay, az, aw], [bx, by, bz, bw]) => [aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz];
const conjugate = ([x, y, z, w]) => [-x, -y, -z, w];
const turned = (q, v) => times(times(q, [...v, 0]), conjugate(q)).slice(0, 3);
const plus = (a, b) => a.map((x, i) => x + b[i]);
const minus = (a, b) => a.map((x, i) => x - b[i]);
const aboutY = (yaw) => [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)];
const assertNear = (a, b, metres, what) =>
  assert.ok(Math.hypot(...minus(a, b)) < metres, `${what}: ${a}, expected ${b}`);

const PLACES = { statue: { position: [2, 0.5, -3], yaw: 0.8 }, walker: { position: [-4, 0, 1], yaw: -2.1 } };

/** A subscriber with the JavaScript library, after the bodies have gone to their places. */
async function subscriber(t, options) {
  const client = connect(daemon.url, { WebSocket, precision: 'local', ...options });
  t.after(() => client.close());
  client.on('error', (error) => assert.fail(error));
  await until('a roster', () => client.state === 'live' && client.bodies.size === 2);
  for (const body of client.bodies.values())
    client.place(body, { ...PLACES[body.name], teleport: true });
  const newest = (body) => body.timeline.at(body.timeline.newest);
  await until('the places', () => [...client.bodies.values()].every((body) => newest(body)
    && Math.hypot(...minus([...newest(body).position], PLACES[body.name].position)) < 1e-3));
  return client;
}

/** The newest packet of a body, as clients/js decodes it: time, position and N of each bone. */
function decoded(body) {
  const { timeline, skeleton } = body;
  const sample = timeline.at(timeline.newest);
  const figure = new Figure(skeleton).pose(sample);
  const turn = times(aboutY(sample.yaw), conjugate([...skeleton.facing]));
  return { time: timeline.newest, bones: Object.fromEntries(BONES.map((bone, i) => [bone, skeleton.bones[i]])
    .filter(([, node]) => node >= 0).map(([bone, node]) => {
      const n = [...skeleton.normalizedRotation(BONES.indexOf(bone), sample.rotations, [0, 0, 0, 1])];
      return [bone, { rotation: bone === 'hips' ? times(aboutY(sample.yaw), n) : n,
        position: plus([...sample.position], turned(turn, figure.position(node, [0, 0, 0]))) }];
    })) };
}

for (const skeleton of ['humanoid', 'own'])
  test(`lines on the skeleton '${skeleton}' have the poses that clients/js decodes`, async (t) => {
    const client = await subscriber(t, { skeleton });
    const body = [...client.bodies.values()].find(({ name }) => name === 'walker');
    const seen = new Map();
    client.on('bundle', () => seen.set(Math.round(body.timeline.newest), decoded(body)));
    const tool = watch(t, daemon.url, ['--skeleton', skeleton]);
    const at = (time) => seen.get(time) ?? seen.get(time + 1);
    const pairs = () => tool.poses('walker').map((pose) => [pose, at(pose.time)]).filter(([, other]) => other);
    await until('common packets', () => pairs().length >= 20);
    await tool.interrupt();
    for (const [{ bones }, expected] of pairs()) {
      assert.deepEqual(Object.keys(bones), Object.keys(expected.bones));
      for (const [bone, { rotation, position }] of Object.entries(bones)) {
        assert.ok(angle(rotation, expected.bones[bone].rotation) < 0.001, `${bone}: ${rotation}, expected ${expected.bones[bone].rotation}`);
        assertNear(position, expected.bones[bone].position, 5e-5, bone);
      }
    }
    const heights = pairs().map(([{ bones }]) => bones.hips.position[1]);
    assert.ok(Math.max(...heights) - Math.min(...heights) > 0.002, 'the body walks');
  });

test('a body that stands still has the pose that `jointcast retarget` computes', async (t) => {
  await subscriber(t, { skeleton: 'humanoid' });
  const tool = watch(t, daemon.url);
  await until('a line', () => tool.poses('statue').length > 0);
  await tool.interrupt();
  const { body, bones, mayRecord, ...rest } = tool.poses('statue').at(-1);
  assert.deepEqual(Object.keys(rest), ['time', 'name']);
  assert.equal(body, 1);
  assert.equal(mayRecord, true);
  assert.deepEqual(Object.keys(bones), BONES);
  const [frame] = retarget(still, 'humanoid', [0]);
  // The daemon turns and moves the motion on the ground, so that it begins at its place and looks
  // forward; height, inclination and shape stay.
  const turn = times(bones.hips.rotation, conjugate(frame.bones.hips.normalized));
  assert.ok(Math.hypot(turn[0], turn[2]) < 1e-3, `${turn}`);
  for (const [bone, { rotation, position: place }] of Object.entries(bones)) {
    const expected = frame.bones[bone];
    if (bone !== 'hips')
      assert.ok(angle(rotation, expected.normalized) < 0.07, bone);
    assertNear(minus(place, bones.hips.position),
      turned(turn, minus(expected.worldPosition, frame.bones.hips.worldPosition)), 0.005, bone);
  }
  const height = PLACES.statue.position[1] + frame.bones.hips.worldPosition[1];
  assert.ok(Math.abs(bones.hips.position[1] - height) < 0.001, `hips at ${bones.hips.position[1]}, expected ${height}`);
});

test('positions follow from the rotations and the T-pose, as the manual states', async (t) => {
  const tool = watch(t, daemon.url);
  await until('lines', () => tool.poses('walker').length >= 5);
  await tool.interrupt();
  const rest = Object.fromEntries(TABLE.map(({ name, rest: place }) => [name, place]));
  for (const { bones } of tool.poses('walker')) {
    const world = {};
    for (const { name, parent } of TABLE) {
      world[name] = parent ? times(world[parent], bones[name].rotation) : bones[name].rotation;
      if (parent)
        assertNear(bones[name].position, plus(bones[parent].position,
          turned(world[parent], minus(rest[name], rest[parent]))), 1e-4, name);
    }
  }
});

test('lines of a person who does not agree to recording say so', async (t) => {
  const player = spawn(JOINTCAST, ['play', 'demo:wave', '--to', daemon.url, '--loop', '--name', 'guest'], { stdio: 'ignore' });
  t.after(() => player.kill('SIGKILL'));
  const tool = watch(t, daemon.url);
  await until('a line', () => tool.poses('guest').length > 0);
  player.kill('SIGINT');
  await once(player, 'close');
  await tool.interrupt();
  assert.ok(tool.poses('guest').every(({ mayRecord }) => mayRecord === false));
  assert.ok(tool.poses('walker').every(({ mayRecord }) => mayRecord === true));
});

test('a reader that leaves ends the tool quietly', async (t) => {
  const tool = watch(t, daemon.url);
  await until('a line', () => tool.lines.length > 0);
  tool.child.stdout.destroy();
  assert.equal(await tool.ended, 0);
  assert.equal(tool.stderr, '');
});

test('a slow reader gets recent poses, and none waits in memory', async (t) => {
  const crowd = await start(...Array.from({ length: 8 }, (_, i) => ['--source', `demo:walk?name=b${i}`]).flat());
  t.after(() => crowd.stop());
  const clock = connect(crowd.url, { WebSocket });
  t.after(() => clock.close());
  const tool = watch(t, crowd.url);
  await until('lines', () => tool.lines.length > 16);
  tool.child.stdout.pause();
  let bundles = 0;
  clock.on('bundle', () => { bundles++; });
  // 8 bodies at 60 Hz make 2.6 MB in this time.
  await until('a second of motion', () => bundles >= 60);
  const paused = [...clock.bodies.values()][0].timeline.newest;
  const before = tool.lines.length;
  tool.child.stdout.resume();
  await until('recent lines', () => tool.lines.slice(before).some((line) => JSON.parse(line).time > paused));
  const old = tool.lines.slice(before).filter((line) => JSON.parse(line).time <= paused);
  const bytes = old.reduce((sum, line) => sum + line.length, 0);
  // The socket between the processes holds 208 KiB, the stream of this test 64 KiB, the tool 8 lines.
  assert.ok(bytes < 400e3, `${bytes} bytes of old poses`);
  await tool.interrupt();
  assert.match(tool.stderr, /poses were left out/);
  const last = new Map();
  for (const { name, time } of tool.lines.map((line) => JSON.parse(line))) {
    assert.ok(time > (last.get(name) ?? 0), 'times of a body ascend');
    last.set(name, time);
  }
  assert.equal(last.size, 8);
});

test('the precision and the permits of a space apply', async (t) => {
  file('key', secret);
  const limited = await start('--config', file('conf', `
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${folder}/key" } }
space "lobby" { watch = {"role:watch"} watch_fine = {"role:moderate"} watch_standard = {"role:moderate"} }
source "statue" { uri = "file:${still}?loop" }
`));
  t.after(() => limited.stop());
  const refused = watch(t, limited.url);
  assert.equal(await refused.ended, 3);
  assert.match(refused.stderr, /refused/);
  assert.deepEqual(refused.lines, []);
  const tool = watch(t, limited.url, [], { JOINTCAST_TOKEN: token({ sub: 'wendy', roles: ['watch'] }) });
  await until('a line', () => tool.lines.length > 0);
  await tool.interrupt();
  const [frame] = retarget(still, 'humanoid', [0]);
  const [{ bones }] = tool.poses('statue');
  const errors = Object.entries(bones).filter(([bone]) => bone !== 'hips')
    .map(([bone, { rotation }]) => angle(rotation, frame.bones[bone].normalized));
  assert.ok(Math.max(...errors) > 0.25 && Math.max(...errors) < 2.02, `coarse: ${Math.max(...errors)} degrees`);
});

/** An example of the manual page: the lines after its heading. */
function example(heading) {
  const page = execFileSync('mandoc', ['-T', 'ascii', path.join(ROOT, 'clients/cli/man/jointcast-watch.1')], { encoding: 'utf8' })
    .replace(/.\x08/g, '').split('\n');
  const from = page.findIndex((line) => line.trim() === heading) + 1;
  assert.ok(from > 0, heading);
  const block = page.slice(from).join('\n').trimStart().split('\n\n')[0].split('\n');
  const indent = page.slice(from).find((line) => line.trim()).search(/\S/);
  return block.map((line, i) => (i === 0 ? line : line.slice(indent))).join('\n');
}

test('the examples of the manual page print positions', { timeout: 300000 }, async (t) => {
  // The examples name the default daemon.
  chmodSync(file('jointcast', `#!/bin/sh\nshift\nexec '${JOINTCAST}' watch ${daemon.url} "$@"\n`), 0o755);
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const python = example('Python:');
  assert.equal(python.split('\n').length, 5, python);
  for (const document of ['README.md', 'clients/examples/python/heads.py'])
    assert.ok(readFileSync(path.join(ROOT, document), 'utf8').includes(python), `${document} has the same example`);
  for (const [program, ...args] of [['/usr/bin/python3', '-uc', python], ['sh', '-c', example('Shell, with jq(1):')]]) {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    t.after(() => { try { process.kill(-child.pid, 'SIGKILL'); } catch { /* has ended */ } });
    let text = '';
    child.stdout.on('data', (part) => { text += part; });
    await until(`output of ${program}`, () => text.split('\n').length > 5);
    const line = text.split('\n').find((each) => each.includes('walker'));
    const numbers = line.match(/-?\d+\.\d+/g).map(Number);
    assert.equal(numbers.length, 3, line);
    assert.ok(numbers[1] > 1.3 && numbers[1] < 1.7, `height of the head: ${numbers[1]}`);
  }
});

test('--poses and --json exclude each other', async (t) => {
  const tool = watch(t, daemon.url, ['--json']);
  assert.equal(await tool.ended, 2);
  assert.match(tool.stderr, /--json and --poses exclude each other/);
});
