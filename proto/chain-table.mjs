// The numbers of codings 2 and 3 as C and as JS, from chain-table.json: what
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

/**
 * Formulas of the script for three of the tables (src/codec/training/parameters.c, with the parameters that the
 * training found); the lists would be a fifteenth of what a page loads. `s` is the width of the misses at a
 * scale; the sums over the even and the odd places of the trainer are hyperbolic cosines.
 */
const FORMULAS = {
  tail: [257, '16384 * (0.96 * Math.exp(-i / 16) + 0.04 * Math.exp((-0.753 * i) / 16))'],
  coset: [693, '14.128 * Math.log2(Math.cosh((1 - (i % 9) / 8) / s) / Math.cosh((i % 9) / 8 / s))',
    's = 0.3 + (4 + ((i / 9) & 3)) * 2 ** (((i / 36) | 0) - 8)'],
  odds: [255, '32768 / (1 + 2 ** ((127 - i) / 16))'],
};
const SCALES = 77; // rows of the script's coset: SCALE_MOST / 4 + 1 of chain-model.js

/**
 * The tables as the script has them: with the mirrored halves of coset and odds, and rows of zeros for large
 * scales. A look-up then takes the place of a branch.
 */
function scriptTables({ tail, coset, odds }) {
  const rows = Array.from({ length: SCALES }, (_, i) => coset[i] ?? [0, 0, 0, 0, 0]);
  return {
    tail,
    coset: rows.flatMap((row) => [...row, ...row.slice(0, -1).reverse().map((x) => -x)]),
    odds: [...odds.slice(1).reverse().map((x) => 32768 - x), ...odds],
  };
}

/** Engines may compute exp and powers with different last bits: no value is this near to a half. */
const MARGIN = 1e-6;

function checkFormula(list, [count, formula, scale], what) {
  const value = new Function('i', `${scale ? `const ${scale}; ` : ''}return ${formula}`);
  require(list.length === count && list.every((x, i) => Math.abs(value(i) - x) < 0.5 - MARGIN), `${what} is not what its formula in chain-table.mjs gives`);
}

/** Decoders compute with 32 bits: paces are below 2^15 and misses at most 6400. */
function checkPredictor(predictor, what) {
  checkList(predictor?.weights, 3, isWhole(0, 400), `weights of ${what}`);
  checkList(predictor.momentum, 16, isWhole(-512, 512), `momentum of ${what}`);
  require(isWhole(1, 6400)(predictor.doubt), `doubt of ${what} is out of range`);
  require(isWhole(1, 64)(predictor.missRate), `missRate of ${what} is out of range`);
  require(isWhole(0, 8)(predictor.surprise), `surprise of ${what} is out of range`);
  require(isWhole(0, 128)(predictor.rounding), `rounding of ${what} is out of range`);
  checkList(predictor.paceRates, 3, isWhole(1, 256), `paceRates of ${what}`);
}

/** Checks that decoders rely on: lengths, ranges, and tails that only fall. */
export function checkChainTable(table, allBones) {
  const bones = allBones.map(({ name }) => name);
  require(isWhole(1, 63)(table.table), 'table is not a number from 1 to 63');
  checkPredictor(table.predictor, 'predictor');
  checkList(table.tail, 257, isWhole(0, 16384), 'tail');
  require(table.tail.every((x, i) => i === 0 || x <= table.tail[i - 1]), 'tail grows');
  require(Array.isArray(table.coset) && table.coset.length === 40, 'coset has not 40 rows');
  table.coset.forEach((row) => checkList(row, 5, isSmall, 'a row of coset'));
  checkList(table.odds, 128, isProbability, 'odds');
  require(table.odds.every((x) => x > 0), 'odds has a zero');
  require(isByte(table.priorStep), 'priorStep is not a byte');
  Object.entries(scriptTables(table)).forEach(([name, list]) => checkFormula(list, FORMULAS[name], name));
  const names = Object.keys(table.priors);
  require(names.length === bones.length && bones.every((name) => table.priors[name]), 'priors are not those of the bones');
  for (const name of names) {
    checkList(table.priors[name].place, 3, isSmall, `the place of '${name}'`);
    checkList(table.priors[name].scale, 3, isByte, `the scale of '${name}'`);
  }
  checkModel(table.model, allBones);
}

/** The lattices of coding 3: level n has the unit UNIT · RATIO^n, by n products in double precision. */
const UNIT = 0.00023410975632;
const RATIO = 1.0442737824274138; // 2^(1/16)
const SHARE = 1.25025004; // bound over the square of the unit: 5/4 with the slack of coding 2
const LEVELS = 128;
const DROPS = [0, 33, 65]; // of the precisions
const MOST_DROP = DROPS[2];

function levelRows() {
  let unit = UNIT;
  return Array.from({ length: LEVELS }, () => {
    const row = { unit, bound: SHARE * unit * unit, usual: Math.round(1 / (16 * unit)) };
    unit *= RATIO;
    return row;
  });
}

function checkModel({ table, predictor, pass, curl, bones: rows }, bones) {
  checkPredictor(predictor, 'predictor of the model');
  require(isWhole(1, 63)(table), 'the table of the model is not a number from 1 to 63');
  // A rounding fits the five bits of a rejoin section.
  checkList(pass, 20, isWhole(0, 240), 'pass');
  require(predictor.rounding > 0, 'rounding of the model is zero');
  require(isWhole(0, 256)(curl), 'curl is out of range');
  for (const { name, section } of bones) {
    require(isWhole(0, LEVELS - 1 - MOST_DROP)(rows[name]?.level), `the level of '${name}' is out of range`);
    const { level, bound = level, finer = 0 } = rows[name];
    require(isWhole(level, LEVELS - 1 - MOST_DROP)(bound), `the bound of '${name}' is out of range`);
    require(section === 'body' ? isWhole(0, 16)(finer) : finer === 0, `finer of '${name}' is out of range`);
  }
}

/** The ratios of the bones of the body, at each precision: whole numbers, far from the next half. */
function ratiosOf(body, rows) {
  const units = levelRows().map(({ unit }) => unit);
  return DROPS.map((drop, precision) => {
    const unitOf = (name) => units[rows[name].level + drop - precision * (rows[name].finer ?? 0)];
    return body.map(({ name, parent }) => {
      const ratio = parent ? (256 * unitOf(parent)) / unitOf(name) : 0;
      require(Math.abs((ratio % 1) - 0.5) > MARGIN, `the ratio of '${name}' is between two numbers`);
      return Math.round(ratio);
    });
  });
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

/** The lattices of coding 3 as C. */
export function chainLevelsSource(note) {
  const row = ({ unit, bound, usual }) => `	{ { ${unit}, ${bound} }, ${usual} },`;
  return `/* ${note} */
/* clang-format off */
#include "chain_private.h"

const struct jc_chain_level jc_chain_levels[JC_CHAIN_LEVELS] = {
${levelRows().map(row).join('\n')}
};
`;
}

const predictorSource = (name, predictor) => `	.${name} = {
		.weights = ${braced(predictor.weights)},
		.momentum = {
${fill(predictor.momentum, '\t\t\t')}
		},
		.doubt = ${predictor.doubt},
		.miss_rate = ${predictor.missRate},
		.surprise = ${predictor.surprise},
		.rounding = ${predictor.rounding},
		.pace_rate = ${braced(predictor.paceRates)},
	},`;

/** As JS: one object, so that a chain holds the predictor of its coding. */
const predictorScript = ({ weights, momentum, ...numbers }) => `/** @type {import('./chain-model.js').Predictor} */
export const PREDICTOR = {
  weights: [${weights.join(', ')}],
  momentum: [
${fill(momentum, '    ').replace(/,$/, '')}
  ],
${Object.entries(numbers).map(([name, value]) => `  ${name}: ${Array.isArray(value) ? `[${value.join(', ')}]` : value}`).join(',\n')}
};`;

export function chainTableSource(table, allBones, note) {
  const bones = allBones.map(({ name }) => name);
  const body = allBones.filter(({ section }) => section === 'body');
  const field = (name, items) => `	.${name} = {\n${fill(items, '\t\t')}\n	},`;
  return `/* ${note} */
/* clang-format off */
/* ${sentence(table.provenance)} */
#include "chain_model.h"

_Static_assert(JC_CHAIN_TABLE == ${table.table} && JC_MODEL_CHAIN_TABLE == ${table.model.table},
	"chain.h and proto/chain-table.json name different tables");

JC_CHAIN_TABLE_CONST struct jc_chain_table jc_chain_table = {
${predictorSource('predictor', table.predictor)}
${predictorSource('model_predictor', table.model.predictor)}
${field('tail', table.tail)}
${field('coset', table.coset.map(braced))}
${field('odds', table.odds)}
${field('prior_place', bones.map((name) => braced(table.priors[name].place)))}
${field('prior_scale', bones.map((name) => braced(table.priors[name].scale)))}
	.prior_step = ${table.priorStep},
${field('levels', bones.map((name) => table.model.bones[name].level))}
${field('bounds', bones.map((name) => table.model.bones[name].bound ?? table.model.bones[name].level))}
${field('finer', body.map(({ name }) => table.model.bones[name].finer ?? 0))}
${field('pass', table.model.pass)}
	.curl = ${table.model.curl},
${field('parents', body.map(({ parent }) => bones.indexOf(parent)))}
	.ratios = {
${ratiosOf(body, table.model.bones).map((row) => `		{
${fill(row, '\t\t\t')}
		},`).join('\n')}
	},
};
`;
}

export function chainTableScript(table, bones, note) {
  const list = (items) => `Int32Array.of(\n${fill(items, '  ').replace(/,$/, '')}\n)`;
  const computed = ([count, formula, scale]) => (scale
    ? `Int32Array.from({ length: ${count} }, (_, i) => {\n  const ${scale};\n  return Math.round(${formula});\n})`
    : `Int32Array.from({ length: ${count} }, (_, i) =>\n  Math.round(${formula}))`);
  return `// ${note}
// ${sentence(table.provenance)}

/** Names these numbers; stands in every rejoin section. */
export const CHAIN_TABLE = ${table.table};

${predictorScript(table.predictor)}

export const TAIL = ${computed(FORMULAS.tail)};

/** Nine numbers a scale. */
export const COSET = ${computed(FORMULAS.coset)};

/** By sums of -127 to 127. */
export const ODDS = ${computed(FORMULAS.odds)};

/** Three numbers a bone. */
export const PRIOR_PLACE = ${list(bones.flatMap((name) => table.priors[name].place))};

/** Three numbers a bone. */
export const PRIOR_SCALE = ${list(bones.flatMap((name) => table.priors[name].scale))};

export const PRIOR_STEP = ${table.priorStep};
`;
}

/** The numbers of coding 3 as JS. */
export function modelTableScript({ model }, bones, note) {
  const list = (items) => `Int32Array.of(\n${fill(items, '  ').replace(/,$/, '')}\n)`;
  const body = bones.filter(({ section }) => section === 'body');
  return `// ${note}

/** Names these numbers; stands in every rejoin section of coding 3. */
export const MODEL_TABLE = ${model.table};

${predictorScript(model.predictor)}

/** Of the lattice of a bone at fine precision. */
export const LEVELS = ${list(bones.map(({ name }) => model.bones[name].level))};

/** For bones of the body: how much lower that level is for each precision coarser than fine. */
export const FINER = ${list(body.map(({ name }) => model.bones[name].finer ?? 0))};

/** How much of its miss a bone passes on, 1/256, by half octaves of the miss that was expected. */
export const PASS = ${list(model.pass)};

/** How much of the miss of a finger bone its followers repeat, 1/256. */
export const CURL = ${model.curl};

/** From one level to the next. */
export const LEVEL_RATIO = ${RATIO};
`;
}
