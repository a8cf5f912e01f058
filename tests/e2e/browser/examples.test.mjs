// The programs of clients/examples: their output is that of `jointcast retarget`, of another
// decoder, and of the formulas in them.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import test, { after } from 'node:test';
import WebSocket from 'ws';
import { BONES, connect } from '../../../clients/js/index.js';
import { Client } from '../support/client.mjs';
import { BUILD, JOINTCAST, ROOT, scratch, start, writer } from '../support/daemon.mjs';
import { makeBvh, makeVrm } from '../support/fixtures.mjs';
import { angle, retarget } from '../support/retargeted.mjs';
import { until } from '../support/until.mjs';

const EXAMPLES = path.join(ROOT, 'clients/examples');
const built = (name) => path.join(BUILD, 'clients/examples/c', name);
const folder = scratch();
const write = writer(folder);
const avatar = write('avatar.vrm', makeVrm(0));
const motion = write('motion.bvh', makeBvh({ frames: 40 }));
// Two equal frames of the motion: a body that stands still in a pose.
const lines = makeBvh({ frames: 40 }).trim().split('\n');
const first = lines.findIndex((line) => line.startsWith('Frame Time')) + 1;
const still = write('still.bvh', [...lines.slice(0, first - 2), 'Frames: 2', lines[first - 1], lines[first + 9], lines[first + 9], ''].join('\n'));

const daemon = await start('--source', `file:${still}?loop&name=statue`, '--source', 'demo:walk?name=walker');
after(async () => assert.equal(await daemon.stop(), 0));
const address = `127.0.0.1:${daemon.port}`;
const [reference] = retarget(still, 'humanoid', [0]);

/** Runs a program until its output satisfies `ask`, then ends it; returns its lines. */
async function run(t, ask, command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const ended = once(child, 'close');
  let text = '';
  let errors = '';
  t.after(() => child.kill('SIGKILL'));
  child.stdout.on('data', (part) => { text += part; });
  child.stderr.on('data', (part) => { errors += part; });
  const whole = () => text.split('\n').slice(0, -1);
  await until(() => `output of ${command}: ${text}${errors}`, () => ask(whole()));
  child.kill('SIGINT');
  await ended;
  assert.equal(errors.replaceAll(/Traceback[^]*KeyboardInterrupt\n/g, ''), '');
  return whole();
}

test('retarget prints the node rotations that `jointcast retarget` prints', () => {
  const [heading, ...rows] = execFileSync(built('retarget'), [motion, avatar, '20'], { encoding: 'utf8' })
    .trim().split('\n');
  assert.equal(heading, 'time,node,qx,qy,qz,qw,x,y,z');
  const frames = retarget(motion, avatar, [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3]);
  const seen = new Set();
  for (const row of rows) {
    const [time, node, ...values] = row.split(',');
    const frame = frames[Math.round(Number(time) * 20)];
    const expected = frame.nodes[node] ?? { rotation: frame.bones.hips.rotation };
    assert.ok(angle(values.slice(0, 4).map(Number), expected.rotation) < 1e-4, row);
    seen.add(`${time} ${node}`);
  }
  assert.equal(seen.size, rows.length);
  for (const [i, { nodes }] of frames.entries())
    for (const node of Object.keys(nodes))
      assert.ok(seen.has(`${(i / 20).toFixed(4)} ${node}`), `frame ${i}, node ${node}`);
  const refused = spawnSync(built('retarget'), [avatar, avatar], { encoding: 'utf8' });
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /^retarget: .*avatar\.vrm: .+\n$/);
});

test('decode finds the rotations of the motion in the bundles of a subscriber', async () => {
  const client = await Client.greeted(daemon, { codings: [2] }, { type: 'join', space: 'lobby' },
    { type: 'subscribe', space: 'lobby', skeleton: 'humanoid', precision: 'fine' });
  await until('bundles', () => client.bundles.length >= 20);
  client.ws.close();
  const input = client.bundles.map((bundle) => `${Buffer.from(bundle).toString('hex')}\n`).join('');
  const { status, stdout, stderr } = spawnSync(built('decode'), { input, encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.equal(status, 0);
  const rows = stdout.trim().split('\n').map((line) => line.split(' '));
  const moved = Object.fromEntries(rows.filter(([, body]) => body === '1').map(([, , bone, ...n]) => [bone, n.map(Number)]));
  let compared = 0;
  for (const [bone, { normalized }] of Object.entries(reference.bones).filter(([name]) => name !== 'hips')) {
    assert.ok(angle(moved[bone] ?? [0, 0, 0, 1], normalized) < 0.07, bone); // fine: 0.06
    compared += bone in moved;
  }
  assert.ok(compared > 10);
  assert.ok(new Set(rows.map(([tick]) => tick)).size >= 10, 'the walker moves in each tick');

  const damaged = spawnSync(built('decode'), { input: '11ff\n', encoding: 'utf8' });
  assert.equal(damaged.status, 1);
  assert.match(damaged.stderr, /^decode: a message is damaged: /);
});

/** The height of the statue's head, from the file. */
const HEAD = reference.bones.head.worldPosition[1];

test('subscribe prints the heads of the bodies', async (t) => {
  const rows = await run(t, (all) => ['statue', 'walker'].every((name) => all.some((row) => row.endsWith(name))),
    built('subscribe'), [address]);
  const statue = rows.find((row) => row.endsWith('statue')).split(' ').map(Number);
  assert.ok(Math.abs(statue[1] - HEAD) < 0.005, `${statue}, expected ${HEAD}`);
  for (const [args, status, pattern] of [[['127.0.0.1:1'], 1, /^cannot connect/],
    [[address, 'cellar'], 1, /^the daemon answers: no space of that name/], [['nonsense'], 2, /not HOST:PORT/]]) {
    const refused = spawnSync(built('subscribe'), args, { encoding: 'utf8' });
    assert.equal(refused.status, status, refused.stderr);
    assert.match(refused.stderr, pattern);
  }
});

test('publish sends a body that waves, without consent to recording', async (t) => {
  const client = connect(daemon.url, { WebSocket });
  t.after(() => client.close());
  client.on('error', (error) => assert.fail(error));
  const find = () => [...client.bodies.values()].find(({ name }) => name === 'waver');
  const elbows = new Set();
  let shoulder;
  let mayRecord;
  client.on('bundle', () => {
    const body = find();
    const sample = body?.skeleton && body.timeline.at(body.timeline.newest);
    const about = (bone) => {
      const [x, y, z, w] = body.skeleton.normalizedRotation(BONES.indexOf(bone), sample.rotations, [0, 0, 0, 1]);
      assert.ok(Math.hypot(x, y) < 0.005, `${bone} turns about z`);
      return 2 * Math.atan2(z, w);
    };
    if (sample && sample.states[BONES.indexOf('leftLowerArm')] === 2) {
      ({ mayRecord } = body);
      shoulder = about('leftUpperArm');
      elbows.add(about('leftLowerArm').toFixed(2));
    }
  });
  const [row] = await run(t, () => elbows.size > 10, built('publish'), [address, 'lobby', 'waver']);
  assert.equal(row, 'published');
  assert.ok(Math.abs(shoulder - 0.5) < 0.01, `${shoulder}`);
  const angles = [...elbows].map(Number);
  assert.ok(Math.min(...angles) > 0.38 && Math.max(...angles) < 1.22, `${angles}`);
  assert.ok(Math.max(...angles) - Math.min(...angles) > 0.1);
  assert.equal(mayRecord, false);
});

test('the examples for Node and Python print the heads', async (t) => {
  // The packages where npm installs them, and the tool as the examples call it.
  mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
  symlinkSync(path.join(ROOT, 'clients/js'), path.join(folder, 'node_modules/jointcast'));
  symlinkSync(path.join(ROOT, 'tests/e2e/node_modules/ws'), path.join(folder, 'node_modules/ws'));
  const script = path.join(folder, 'print-heads.mjs');
  copyFileSync(path.join(EXAMPLES, 'js/print-heads.mjs'), script);
  chmodSync(write('jointcast', `#!/bin/sh\nshift\nexec '${JOINTCAST}' watch ${daemon.url} "$@"\n`), 0o755);
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, PYTHONDONTWRITEBYTECODE: '1' };
  const statue = (rows) => rows.filter((row) => row.includes('statue')).at(0);
  const near = (height, what) => assert.ok(Math.abs(height - HEAD) < 0.005, `${what}: ${height}, expected ${HEAD}`);

  const fromNode = await run(t, statue, process.execPath, [script, daemon.url]);
  near(JSON.parse(statue(fromNode)).head[1], 'Node');
  const fromPython = await run(t, statue, '/usr/bin/python3', ['-u', path.join(EXAMPLES, 'python/heads.py')], { env });
  near(Number(statue(fromPython).match(/-?\d+\.\d+/g)[1]), 'Python');
  const [heading, ...rows] = await run(t, (all) => all.length > 200, '/usr/bin/python3', [path.join(EXAMPLES, 'python/table.py')], { env });
  const columns = heading.trim().split(',');
  assert.equal(columns.length, 2 + 3 * BONES.length);
  near(Number(statue(rows).split(',')[columns.indexOf('head.y')]), 'table');
});

test('a backend in Node or Python signs tokens with the keys that the tool makes', async (t) => {
  const script = path.join(folder, 'sign-token.mjs');
  mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
  symlinkSync(path.join(ROOT, 'tests/e2e/node_modules/jose'), path.join(folder, 'node_modules/jose'));
  copyFileSync(path.join(EXAMPLES, 'js/sign-token.mjs'), script);
  const signers = [[process.execPath, script], ['/usr/bin/python3', '-B', path.join(EXAMPLES, 'python/sign_token.py')]];
  const keys = ['HS256', 'ES256', 'RS256'].map((algorithm) => {
    const file = path.join(folder, algorithm);
    const section = execFileSync(JOINTCAST, ['token', '--new-key', file, '--algorithm', algorithm, '--kid', algorithm], { encoding: 'utf8' });
    return { algorithm, file, section: section.match(/key "[^]*?}/)[0] };
  });
  const guarded = await start('--config', write('guarded.conf',
    `auth { audience = "world" ${keys.map(({ section }) => section).join('\n')} }\nspace "attic" {}\n`));
  t.after(async () => assert.equal(await guarded.stop(), 0));

  for (const { algorithm, file } of keys) {
    for (const [command, ...args] of signers) {
      const user = `${algorithm} ${path.basename(command)}`;
      const token = execFileSync(command, [...args, file, algorithm, algorithm, 'world', 'lobby', user], { encoding: 'utf8' }).trim();
      const client = await Client.greeted(guarded, { token }, { type: 'join', space: 'lobby' });
      const expires = JSON.parse(Buffer.from(token.split('.')[1], 'base64url')).exp - Date.now() / 1000;
      assert.ok(expires > 500 && expires <= 600, `${user}: ${expires} s`);
      assert.deepEqual(client.welcome.spaces, ['lobby'], user);
      client.send(...[user, 'someone else'].map((name, publication) => ({ type: 'publish', space: 'lobby', publication, name, kind: 'poses' })));
      assert.equal((await client.find('published')).name, user);
      assert.equal((await client.find('error')).code, 'not-allowed');
      client.ws.close();
    }
  }
});
