#!/usr/bin/env node
// Writes the corpus of fuzz_chain: the golden chains as its input has them, and
// the sections that are refused.
//
// usage: node tests/fuzz/generators/make_chain_corpus.mjs
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const SECTIONS = ['body', 'face', 'hands', 'hips', 'channels', 'virtual'];
const REJOIN = 0x8000;
const HOLD = 0x4000;

const golden = (name) => JSON.parse(readFileSync(new URL(`../../../proto/golden/${name}`, import.meta.url), 'utf8'));
const folder = new URL('../fuzz_chain.corpus/', import.meta.url);

function chunk(flags, hex) {
  const bytes = Buffer.from(hex, 'hex');
  const what = flags | bytes.length;
  return Buffer.concat([Buffer.of(what & 255, what >> 8), bytes]);
}

function write(name, section, chunks, coding = 2) {
  const file = `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.bin`;
  writeFileSync(new URL(file, folder), Buffer.concat([Buffer.of(SECTIONS.indexOf(section) + SECTIONS.length * (coding - 2)), ...chunks]));
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const { name, section, steps } of golden('chains.json')) {
  const flags = { rejoin: REJOIN, hold: HOLD, frame: 0 };
  write(name, section, steps.filter((step) => step.do !== 'start').map((step) => chunk(flags[step.do], step.hex)));
}
for (const { name, section, coding, steps } of golden('model-chains.json')) {
  const flags = { rejoin: REJOIN, hold: HOLD, frame: 0 };
  write(`model ${name}`, section, steps.filter((step) => step.do !== 'start').map((step) => chunk(flags[step.do], step.hex)), coding);
}
for (const { name, section, do: what, after, hex } of golden('broken-chains.json')) {
  write(name, section, what === 'frame' ? [chunk(REJOIN, after), chunk(0, hex)] : [chunk(REJOIN, hex)]);
}
