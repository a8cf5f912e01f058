#!/usr/bin/env node
// Rejoin packets that a decoder in C made from its state, read by the decoder in
// JavaScript: it shows the same as one that followed every packet, and goes on
// with the next packets to the bit.
//
// usage: rejoins_agree.mjs REJOIN_SERVER
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { Payload, StreamDecoder } from '../../../clients/js/index.js';

const [server] = process.argv.slice(2);

/** A decoder and what it shows. */
class Reader {
  decoder = new StreamDecoder();
  payload = new Payload();

  read(bytes, head) {
    assert.ok(this.decoder.decode(bytes, 0, bytes.length, head, null, this.payload));
  }

  /** All that a client shows of the state. */
  get shown() {
    const { rotations, hips, states, values, valueCount, virtualRotations, virtualPositions, virtualCount } = this.payload;
    const { pace, sequence, incarnation } = this.decoder;
    return { rotations, hips, states, values, valueCount, virtualRotations, virtualPositions, virtualCount,
      pace, sequence, incarnation };
  }
}

let first, late;
let packets = 0;
let placement = new Float32Array(4);
for (const line of execFileSync(server, { encoding: 'utf8', maxBuffer: 2 ** 26 }).trimEnd().split('\n')) {
  if (line === 'stream') {
    [first, late] = [new Reader(), null];
    placement = new Float32Array(4);
    continue;
  }
  const [needsState, shape, sequence, incarnation, packet, rejoin] = line.split(' ');
  const [bytes, whole] = [packet, rejoin].map((text) => Uint8Array.from(Buffer.from(text.slice(1), 'hex')));
  const head = { needsState: needsState === '1', shape: Number(shape), sequence: Number(sequence), incarnation: Number(incarnation) };
  first.read(bytes, head);
  if (first.payload.hasPlacement) {
    placement = first.payload.placement.slice();
  }
  if (late) {
    late.read(bytes, head);
    assert.deepEqual(late.shown, first.shown, `packet ${packets}: after a rejoin earlier`);
  }
  const now = new Reader();
  now.read(whole, { ...head, needsState: false, shape: 0 });
  assert.deepEqual(now.shown, first.shown, `packet ${packets}: after a rejoin`);
  if (now.payload.hasPlacement) {
    assert.deepEqual(now.payload.placement, placement);
  }
  late = packets % 5 === 0 ? now : late;
  packets++;
}
assert.equal(packets, 6 * 200);
console.log(`${packets} packets and rejoins agree`);
