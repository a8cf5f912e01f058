// The numbers of coding 2 as C and as JS, from chain-table.json: what
// generate.mjs writes beside the tables of bones and joints.

const isWhole = (least, most) => (x) => Number.isInteger(x) && x >= least && x <= most;
const isSmall = isWhole(-32768, 32767);
const isProbability = isWhole(0, 32767);
const isByte = isWhole(0, 255);

function require(condition, what) {
  if (!condition) throw new Error(`proto/chain-table.json: ${what}`);
}

function checkList(list, count, isGood, what) {
  require(Array.isArray(list) && list.length === count, `${what} has not ${count} numbers`);
  require(list.every(isGood), `${what} has a number that cannot be`);
}

/** What decoders rely on: lengths, ranges, and tails that only fall. */
export function checkChainTable(table, bones) {
  require(isWhole(1, 63)(table.table), 'table is not a number from 1 to 63');
  checkList(table.weights, 3, isSmall, 'weights');
  checkList(table.momentum, 16, isSmall, 'momentum');
  checkList(table.tail, 257, isWhole(0, 16384), 'tail');
  require(table.tail.every((x, i) => i === 0 || x <= table.tail[i - 1]), 'tail grows');
  require(Array.isArray(table.coset) && table.coset.length === 40, 'coset has not 40 rows');
  table.coset.forEach((row) => checkList(row, 5, isSmall, 'a row of coset'));
  checkList(table.odds, 128, isProbability, 'odds');
  require(table.odds.every((x) => x > 0), 'odds has a zero');
  require(isByte(table.priorStep), 'priorStep is not a byte');
  const names = Object.keys(table.priors);
  require(names.length === bones.length && bones.every((name) => table.priors[name]), 'priors are not those of the bones');
  for (const name of names) {
    checkList(table.priors[name].place, 3, isSmall, `the place of '${name}'`);
    checkList(table.priors[name].scale, 3, isByte, `the scale of '${name}'`);
  }
}

/** Items with a separator between them, broken into lines. */
function fill(items, indent, width = 96) {
  const lines = [];
  let line = indent;
  for (const item of items) {
    if (line.length + String(item).length + 1 > width && line !== indent) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += `${item}, `;
  }
  return [...lines, line.trimEnd()].join('\n');
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;
const braced = (list) => `{ ${list.join(', ')} }`;

export function chainTableSource(table, bones, note) {
  const field = (name, items) => `	.${name} = {\n${fill(items, '\t\t')}\n	},`;
  return `/* ${note} */
/* clang-format off */
/* ${sentence(table.provenance)} */
#include "chain_model.h"

_Static_assert(JC_CHAIN_TABLE == ${table.table}, "chain.h and proto/chain-table.json name different tables");

const struct jc_chain_table jc_chain_table = {
	.weights = ${braced(table.weights)},
${field('momentum', table.momentum)}
${field('tail', table.tail)}
${field('coset', table.coset.map(braced))}
${field('odds', table.odds)}
${field('prior_place', bones.map((name) => braced(table.priors[name].place)))}
${field('prior_scale', bones.map((name) => braced(table.priors[name].scale)))}
	.prior_step = ${table.priorStep},
};
`;
}

export function chainTableScript(table, bones, note) {
  const list = (items) => `Int32Array.of(\n${fill(items, '  ').replace(/,$/, '')}\n)`;
  return `// ${note}
// ${sentence(table.provenance)}

/** Names these numbers; stands in every rejoin section. */
export const CHAIN_TABLE = ${table.table};

export const WEIGHTS = ${list(table.weights)};

export const MOMENTUM = ${list(table.momentum)};

export const TAIL = ${list(table.tail)};

/** Five numbers a scale. */
export const COSET = ${list(table.coset.flat())};

export const ODDS = ${list(table.odds)};

/** Three numbers a bone. */
export const PRIOR_PLACE = ${list(bones.flatMap((name) => table.priors[name].place))};

/** Three numbers a bone. */
export const PRIOR_SCALE = ${list(bones.flatMap((name) => table.priors[name].scale))};

export const PRIOR_STEP = ${table.priorStep};
`;
}
