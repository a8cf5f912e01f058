#!/usr/bin/env node
// Trains the numbers of coding 3 on the motions of inputs.txt that are marked `train`, and writes them to
// proto/chain-table.json and to the tables in C and JavaScript.
//
// usage: train_model.mjs JC_TRAIN_MODEL CORPUS [ROUNDS]
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const proto = join(here, '..', '..', '..', 'proto');
const [program, corpus, rounds = '2'] = process.argv.slice(2);
if (!corpus) {
  console.error('usage: train_model.mjs JC_TRAIN_MODEL CORPUS [ROUNDS]');
  process.exit(2);
}
const inputs = readFileSync(join(here, 'inputs.txt'), 'utf8').split('\n').filter((line) => line.startsWith('train '))
  .map((line) => line.slice('train '.length));
const output = execFileSync(resolve(program), [rounds, ...inputs], { cwd: corpus, stdio: ['ignore', 'pipe', 'inherit'] });
const model = JSON.parse(output);
const { weights, momentum, doubt, missRate, surprise, rounding, paceRates } = model.predictor;

const file = join(proto, 'chain-table.json');
const text = readFileSync(file, 'utf8');
const row = (fields) => `{${Object.entries(fields).map(([name, value]) => `"${name}": ${value}`).join(', ')}}`;
writeFileSync(file, `${text.slice(0, text.indexOf('  "model": {'))}  "model": {
    "table": ${model.table},
    "predictor": {
      "weights": [${weights.join(', ')}],
      "momentum": [${momentum.join(', ')}],
      "doubt": ${doubt}, "missRate": ${missRate}, "surprise": ${surprise}, "rounding": ${rounding}, "paceRates": [${paceRates.join(', ')}]
    },
    "pass": [${model.pass.join(', ')}],
    "curl": ${model.curl},
    "bones": {
${Object.entries(model.bones).map(([name, fields]) => `      "${name}": ${row(fields)}`).join(',\n')}
    }
  }
}
`);
execFileSync(process.execPath, [join(proto, 'generate.mjs')], { stdio: 'inherit' });
