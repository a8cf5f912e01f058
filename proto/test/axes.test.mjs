// The matrices and examples of AXES.md, worked out with rotation matrices and the directions that
// each engine calls forward, up and right.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const text = readFileSync(new URL('../AXES.md', import.meta.url), 'utf8');
const section = (heading) => text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
const rowsOf = (part, header) => part.slice(part.indexOf(header)).split('\n\n')[0].split('\n').slice(2)
  .map((line) => line.slice(2, -2).split(' | '));

const times = (a, b) => a.map((row) => b[0].map((_, j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));
const transposed = (a) => a[0].map((_, j) => a.map((row) => row[j]));
const apply = (a, v) => a.map((row) => row.reduce((sum, x, k) => sum + x * v[k], 0));
const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];

/** Rotation about an axis, by the formula of Rodrigues: no product of quaternions. */
function matrixOf([x, y, z, w]) {
  const sine = Math.hypot(x, y, z);
  const angle = 2 * Math.atan2(sine, w);
  const axis = [x, y, z].map((c) => (sine ? c / sine : 0));
  return [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((e, j) => {
    const around = cross(axis, e);
    const along = axis[j] * (1 - Math.cos(angle));
    return e.map((c, i) => c * Math.cos(angle) + around[i] * Math.sin(angle) + axis[i] * along);
  }).reduce((columns, column) => columns.map((row, i) => [...row, column[i]]), [[], [], []]);
}

function assertClose(actual, expected, what) {
  const far = actual.flat().map((x, i) => Math.abs(x - expected.flat()[i]));
  assert.ok(far.length === expected.flat().length && Math.max(...far) < 1e-6, `${what}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
}

/** The arguments of a constructor in the code of a section, for values of the variables. */
function evaluate(part, constructor, values) {
  const [, list] = part.match(new RegExp(`\\b${constructor}\\(([^)]*)\\)`));
  return list.split(',').map((term) => {
    const [, sign, factor, name] = term.trim().match(/^(-?)(?:(\d+) \* )?([xyzw])$/) ??
      term.trim().match(/^(-)(\d+) \* ([xyzw])$/);
    return (sign ? -1 : 1) * Number(factor ?? 1) * values[name];
  });
}

const ENGINES = {
  Unity: { forward: [0, 0, 1], up: [0, 1, 0], right: [1, 0, 0], metre: 1, vector: 'new Vector3', rotation: 'new Quaternion',
    heading: (yaw) => [Math.sin(yaw), 0, Math.cos(yaw)] },
  Unreal: { forward: [1, 0, 0], up: [0, 0, 1], right: [0, 1, 0], metre: 100, vector: 'return FVector', rotation: 'return FQuat',
    heading: (yaw) => [Math.cos(yaw), Math.sin(yaw), 0] },
};

for (const [name, engine] of Object.entries(ENGINES)) {
  const part = section(name);
  const M = rowsOf(part, '| M |').map(([, ...row]) => row.map(Number));
  const examples = Object.fromEntries(rowsOf(part, '| | protocol |').map(([what, ...cells]) => [what, cells.map((cell) => JSON.parse(cell))]));

  test(`${name}: forward, up and left of a body keep their meaning`, () => {
    assertClose(apply(M, [0, 0, 1]), engine.forward, 'forward');
    assertClose(apply(M, [0, 1, 0]), engine.up, 'up');
    assertClose(apply(M, [1, 0, 0]), engine.right.map((x) => -x), 'left');
  });

  test(`${name}: the example position, and the code for positions`, () => {
    const [[x, y, z], expected] = examples.position;
    assertClose(apply(M, [x, y, z]).map((c) => engine.metre * c), expected, 'table');
    assertClose(evaluate(part, engine.vector, { x, y, z }), expected, 'code');
  });

  test(`${name}: the example rotation turns converted vectors as the original turns vectors`, () => {
    const [[x, y, z, w], expected] = examples.rotation;
    assert.ok(Math.abs(Math.hypot(x, y, z, w) - 1) < 1e-6);
    assertClose(matrixOf(expected), times(times(M, matrixOf([x, y, z, w])), transposed(M)), 'table');
    assertClose(evaluate(part, engine.rotation, { x, y, z, w }), expected, 'code');
  });

  test(`${name}: the example yaw`, () => {
    const [yaw, degrees] = examples.yaw;
    assertClose(engine.heading((degrees * Math.PI) / 180), apply(M, [Math.sin(yaw), 0, Math.cos(yaw)]), 'heading');
  });
}

test('the example of a bent elbow points the forearm forward', () => {
  const lists = [...section('A figure of the engine').split('Example:')[1].matchAll(/\[[^\]]*\]/g)].map(([list]) => JSON.parse(list));
  const [rest, packet, result] = lists;
  const M = [[-1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const W = matrixOf(packet);
  assertClose(apply(W, [1, 0, 0]), [0, 0, 1], 'left arm');
  assertClose(times(times(times(M, W), M), matrixOf(rest)), matrixOf(result), 'relative to the root');
});
