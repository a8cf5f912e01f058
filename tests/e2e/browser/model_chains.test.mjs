// Streams of coding 3 from the daemon to clients/js, which uses it without being asked: bodies with moving
// fingers, streams without body or hands, two ticks in a message, subscribers that are skipped or lose
// bundles. Orientations in model space are compared with those that `jointcast retarget` computes.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { BONES, BONE_PARENTS, BONE_SECTIONS, Bundle, decodeBundle, readSections, splitBundles } from '../../../clients/js/index.js';
import { ROOT, scratch, startDaemon } from '../support/daemon.mjs';
import { makeBvh, makeVrm } from '../support/fixtures.mjs';
import { between, listen } from '../support/listener.mjs';
import { angle, findBegin, pairUp } from '../support/retargeted.mjs';
import { until } from '../support/until.mjs';

const FRAMES = 160;
const FRAME_TIME = 1 / 20;
/** Degrees by which the moment of a packet may be off, of each bone; see stream.test.mjs. */
const MOMENT_ERROR = 2 * 50e-6 * 60;
const CHAIN_MOST = 8; // bones from the hips to a hand
const PACKETS = 80;

const { model: { bones: LEVELS } } = JSON.parse(readFileSync(path.join(ROOT, 'proto/chain-table.json'), 'utf8'));
const DROPS = { fine: 0, standard: 33, coarse: 65 };
/** The bound of a bone, degrees: 4 asin(√β) with β = 1.25025004 u² (proto/SMALL-PACKETS.md, "Bounds"). */
const boundOf = (bone, precision) => (720 / Math.PI) * Math.asin(Math.sqrt(1.25025004) *
  0.00023410975632 * 2 ** (((LEVELS[bone].bound ?? LEVELS[bone].level) + DROPS[precision]) / 16)) + 7e-6;
const isFinger = (bone) => BONES.indexOf(bone) >= BONE_SECTIONS.hands.first;

const product = ([ax, ay, az, aw], [bx, by, bz, bw]) => [aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz];

/** Orientation in model space of each bone of the body, from N of each; a bone without one is at rest. */
function orientations(normal) {
  const worlds = [];
  for (let bone = 0; bone < BONE_SECTIONS.body.count; bone++)
    worlds.push(product(worlds[BONE_PARENTS[bone]] ?? [0, 0, 0, 1], normal(bone) ?? [0, 0, 0, 1]));
  return worlds;
}

/** By name, the most degrees by which a bone is off: fingers and `local` bones by N, others in model space. */
function errors({ client, packets }, begin, what, { names, local = false }) {
  const [{ skeleton }] = client.bodies.values();
  const most = Object.fromEntries(names.map((name) => [name, 0]));
  for (const [packet, computed] of pairUp(packets.slice(0, PACKETS), begin, what)) {
    const shown = (bone) => (skeleton.bones[bone] < 0 ? undefined : skeleton.normalizedRotation(bone, packet.rotations, [0, 0, 0, 0]));
    const truth = (bone) => computed.bones[BONES[bone]]?.normalized;
    const worlds = [orientations(shown), orientations(truth)];
    for (const name of names) {
      const bone = BONES.indexOf(name);
      const [a, b] = isFinger(name) || local ? [shown(bone), truth(bone)] : worlds.map((all) => all[bone]);
      most[name] = Math.max(most[name], angle(a, b));
    }
  }
  return most;
}

/** A listener that also keeps the codings of the sections of its packets with K. */
function hear(url, { receives = () => true, sends = (message, pass) => pass(), ...options } = {}) {
  const codings = new Set();
  const kept = { asked: 0 };
  const bundle = new Bundle();
  const heard = listen(url, { ...options, WebSocket: between({
    sends: (message, pass) => {
      kept.asked += message.type === 'keyframe';
      sends(message, pass);
    },
    receives: (data) => {
      if (typeof data !== 'string') {
        for (const bytes of splitBundles(new Uint8Array(data))) {
          decodeBundle(bytes, bundle);
          for (let i = 0; i < bundle.count; i++)
            if (!bundle.needsState[i])
              readSections(bytes, bundle.start[i], bundle.end[i], bundle.shape[i], (section, coding) => section <= 4 && codings.add(coding));
        }
      }
      return receives(data);
    } }) });
  return Object.assign(heard, { codings, kept });
}

for (const [name, skeletonFile] of [['the built-in skeleton', null], ['a VRM 0.x', 'figure.vrm']])
  test(`coding 3 on ${name} keeps the bounds in model space for every subscriber`, { timeout: 300000 }, async (t) => {
    const folder = scratch(t);
    const motion = path.join(folder, 'motion.bvh');
    writeFileSync(motion, makeBvh({ frames: FRAMES, frameTime: FRAME_TIME, hands: true }));
    const skeleton = skeletonFile ? path.join(folder, skeletonFile) : 'humanoid';
    if (skeletonFile)
      writeFileSync(skeleton, makeVrm(0));
    const daemon = await startDaemon(t, '--source', `file:${motion}?loop=1`, ...(skeletonFile ? ['--skeleton', skeleton] : []));
    const what = { motion, skeleton, frames: FRAMES, frameTime: FRAME_TIME };
    let bundles = 0;
    let held = null; // the newest acknowledgement of a client that sends them late

    const all = {
      exact: hear(daemon.url, { codings: [1] }),
      standard: hear(daemon.url),
      fine: hear(daemon.url, { precision: 'fine', rate: 2, sections: ['body', 'hips'] }),
      ...(skeletonFile ? {} : { hands: hear(daemon.url, { sections: ['hands'] }) }), // the VRM has no fingers
      pair: hear(daemon.url, { ticks: 2 }),
      local: hear(daemon.url, { precision: 'local' }),
      holed: hear(daemon.url, { receives: (data) => typeof data === 'string' || ++bundles % 30 !== 0 }),
      // Of a message with two ticks the server skips both.
      skipped: hear(daemon.url, { ticks: 2, sends: (message, pass) => {
        if (message.type === 'ack')
          held = pass;
        else
          pass();
      } }),
    };
    const releasing = setInterval(() => held?.(), 400);
    await until('enough packets', () => Object.values(all).every(({ packets }) => packets.length >= PACKETS) && all.holed.kept.asked >= 3);
    clearInterval(releasing);
    Object.values(all).forEach(({ client }) => client.close());
    Object.entries(all).forEach(([who, heard]) => assert.deepEqual(heard.errors, [], who));
    for (const [who, { codings }] of Object.entries(all))
      assert.deepEqual([...codings], [{ exact: 1, local: 2 }[who] ?? 3], who);

    const begin = findBegin(all.exact.packets.slice(0, 120), what);
    const [{ skeleton: { bones } }] = all.standard.client.bodies.values();
    const names = BONES.filter((_, bone) => bones[bone] >= 0);
    const [fingers, trunk] = [names.filter(isFinger), names.filter((one) => BONES.indexOf(one) < BONE_SECTIONS.body.count)];
    assert.ok(trunk.length > 20 && (skeletonFile || fingers.length === 30));
    for (const [who, precision, list] of [['standard', 'standard', [...trunk, ...fingers]], ['fine', 'fine', trunk],
      ...(skeletonFile ? [] : [['hands', 'standard', fingers]]), ['pair', 'standard', [...trunk, ...fingers]], ['holed', 'standard', [...trunk, ...fingers]],
      ['skipped', 'standard', [...trunk, ...fingers]]]) {
      const shares = Object.entries(errors(all[who], begin, what, { names: list }))
        .map(([bone, most]) => [most / (boundOf(bone, precision) + (isFinger(bone) ? 1 : CHAIN_MOST) * MOMENT_ERROR), bone]);
      for (const [share, bone] of shares)
        assert.ok(share <= 1, `${who}: ${bone} is off by ${share} of its bound`);
      const most = Math.max(...shares.map(([share]) => share));
      t.diagnostic(`${who}: ${most.toFixed(3)} of the bounds`);
      assert.ok(most > 0.3, `${who} is too exact for its precision`);
    }
    const local = errors(all.local, begin, what, { names: [...trunk, ...fingers], local: true });
    assert.ok(Object.values(local).every((most) => most <= 0.06 + MOMENT_ERROR), JSON.stringify(local));
    // What coding 3 is for: its local rotations are farther off than those of "local".
    assert.ok(Math.max(...Object.values(errors(all.fine, begin, what, { names: trunk, local: true }))) > 0.1);

    // All subscribers of a stream decode the same, also after a gap.
    const common = new Map(all.standard.packets.map((packet) => [packet.tick, packet]));
    for (const who of ['pair', 'holed', 'skipped']) {
      const both = all[who].packets.filter(({ tick }) => common.has(tick));
      assert.ok(both.length > PACKETS / 3, `${who}: ${both.length} packets of both`);
      for (const { tick, rotations } of both)
        assert.deepEqual(rotations, common.get(tick).rotations, `${who}, tick ${tick}`);
    }
    const gaps = ({ ticks }) => ticks.slice(1).filter((tick, i) => tick > ticks[i] + 2).length;
    assert.ok(gaps(all.skipped) >= 3, `${gaps(all.skipped)} gaps of the client that acknowledges late`);
    assert.equal(all.skipped.kept.asked, 0, 'the server sends the state after a gap that it made');
  });
