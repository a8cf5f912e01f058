// The tables of faces as C and as JS, from face.json, which generate.mjs writes
// beside the tables of bones and joints.

const REGIONS = ['lower', 'upperLeft', 'upperRight', 'upperMiddle', 'lookLeft', 'lookRight'];
const RUNTIMES = ['fb', 'htc', 'android'];
/** Numbers of parameters by the headers of OpenXR. */
const COUNTS = {
  fb: 'XR_FACE_EXPRESSION2_COUNT_FB',
  htc: 'XR_FACIAL_EXPRESSION_EYE_COUNT_HTC + XR_FACIAL_EXPRESSION_LIP_COUNT_HTC',
  android: 'XR_FACE_PARAMETER_COUNT_ANDROID',
};

function require(condition, what) {
  if (!condition) throw new Error(`proto/face.json: ${what}`);
}

function checkNames(names, what) {
  require(names.every((name) => /^\w{1,40}$/.test(name)), `a name of ${what} cannot be`);
  require(new Set(names).size === names.length, `a name of ${what} occurs twice`);
}

function checkTerms(terms, known, what) {
  for (const [name, weight] of Object.entries(terms)) {
    require(known.includes(name), `${what} needs '${name}', which is not known`);
    require(Number.isFinite(weight) && Math.abs(weight) <= 1, `a weight of ${what} cannot be`);
  }
}

/** Checks counts and names; a sum may contain only parameters, shapes or earlier presets. */
export function checkFace({ parameters, shapes, presets }) {
  RUNTIMES.forEach((runtime) => checkNames(parameters[runtime], runtime));
  const known = shapes.map(({ name }) => name);
  checkNames([...known, ...presets.map(({ name }) => name)], 'channels');
  require(known.length === 52, 'there are not 52 shapes');
  for (const shape of shapes) {
    require(REGIONS.includes(shape.region), `'${shape.name}' has no region`);
    RUNTIMES.forEach((runtime) => checkTerms(shape[runtime], parameters[runtime], `'${shape.name}'`));
  }
  for (const { name, from } of presets) {
    checkTerms(from, known, `'${name}'`);
    known.push(name);
  }
}

const constant = (name) => `JC_XR_FACE_${name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()}`;
const real = (x) => `${Number.isInteger(x) ? `${x}.0` : x}f`;

/** The sums as lists of terms: the channel that a term adds to, its operand, its weight. */
function terms(sums, operands) {
  return sums.flatMap(([to, sum]) => Object.entries(sum).map(([name, weight]) =>
    `	{ ${to}, ${operands.indexOf(name)}, ${real(weight)} },`)).join('\n');
}

/** Names of the channels, and presets. */
export function faceTableSource({ shapes, presets }, note) {
  const names = [...shapes, ...presets].map(({ name }) => name);
  return `/* ${note} */
/* clang-format off */
#include "source/face/face_table.h"

const char *const jc_face_channel_names[JC_FACE_CHANNELS] = {
${names.map((name) => `	"expression/${name}",`).join('\n')}
};

static const struct jc_face_term presets[] = {
${terms(presets.map(({ from }, i) => [shapes.length + i, from]), names)}
};

const struct jc_face_sums jc_face_presets = { presets, sizeof(presets) / sizeof(*presets) };
_Static_assert(JC_FACE_CHANNELS == ${names.length}, "shapes and presets");
`;
}

/** Shapes from the parameters of runtimes. */
export function xrFaceTableSource({ parameters, shapes }, note) {
  return `/* ${note} */
/* clang-format off */
#include "source/openxr/face/xr_face_table.h"

#include "source/openxr/xr_declarations.h"

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

const enum jc_xr_face_region jc_xr_face_regions[JC_FACE_SHAPES] = {
${shapes.map(({ region }) => `	${constant(region)},`).join('\n')}
};

${RUNTIMES.map((runtime) => `static const struct jc_face_term ${runtime}[] = {
${terms(shapes.map((shape, i) => [i, shape[runtime]]), parameters[runtime])}
};
`).join('\n')}
${RUNTIMES.map((runtime) => `const struct jc_face_sums jc_xr_${runtime}_shapes = { ${runtime}, COUNT(${runtime}) };
_Static_assert(${COUNTS[runtime]} == ${parameters[runtime].length}, "parameters of ${runtime}");
`).join('')}`;
}

const weights = (from) => `{ ${Object.entries(from).map(([name, weight]) => `${name}: ${weight}`).join(', ')} }`;

export function faceTableScript({ shapes, presets }, note) {
  return `// ${note}

/** The 52 blend shapes of ARKit, which "perfect sync" avatars have as expressions. */
export const FACE_SHAPES = Object.freeze(${JSON.stringify(shapes.map(({ name }) => name), null, 2)});

/**
 * Presets of VRM 1.0 that a tracked face determines: each is the sum of shapes and earlier presets
 * with these weights, clamped to 0 to 1.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, number>>>>}
 */
export const FACE_PRESETS = Object.freeze({
${presets.map(({ name, from }) => `  ${name}: ${weights(from)},`).join('\n')}
});
`;
}
