// Virtual transforms against values worked out by hand, for all combinations of the flags.
import assert from 'node:assert/strict';
import test from 'node:test';
import { BONES, Figure, Payload, ProtocolError, Skeleton, evaluateVirtualTransform } from '../index.js';
import { angle, conjugate, multiply, rotate } from '../quat.js';
import { golden } from './golden.mjs';

const s = Math.SQRT1_2;
const X90 = [s, 0, 0, s], Z90 = [0, 0, s, s], NONE = [0, 0, 0, 1];

function assertNear(actual, expected, tolerance = 1e-6) {
  expected.forEach((value, i) => assert.ok(Math.abs(actual[i] - value) <= tolerance,
    `[${[...actual]}] is not [${expected}]`));
}

function assertTransform({ translation, rotation, scale }, expected, tolerance = 1e-6) {
  assertNear(translation, expected.translation, tolerance);
  assert.ok(angle(rotation, 0, expected.rotation, 0) <= tolerance, `[${rotation}] is not [${expected.rotation}]`);
  assertNear(scale, expected.scale, tolerance);
}

/** A figure whose only bone is turned, moved and stretched, with one virtual transform. */
function figureWith(virtual) {
  return new Figure(new Skeleton('h', {
    nodes: [{ translation: [1, 2, 3], scale: [2, 3, 4] }],
    bones: { hips: 0 },
    virtualTransforms: [{ name: 'point', parent: 0, translation: [1, 1, 1], rotation: X90, scale: [1, 2, 1], ...virtual }],
  }));
}

const pose = new Payload();
pose.rotations.set(Z90, 4 * BONES.indexOf('hips'));

// The parent: t = (1, 2, 3), R a quarter about Z, (x, y, z) -> (-y, x, z), S = (2, 3, 4).
const CASES = [
  // position, rotation, scale respected; then translation, rotation, scale
  [false, false, false, [1, 1, 1], X90, [1, 2, 1]],
  [true, false, false, [2, 3, 4], X90, [1, 2, 1]],
  [false, true, false, [-1, 1, 1], null, [1, 2, 1]],
  [false, false, true, [2, 3, 4], X90, [2, 6, 4]],
  [true, true, false, [0, 3, 4], null, [1, 2, 1]],
  [true, false, true, [3, 5, 7], X90, [2, 6, 4]],
  [false, true, true, [-3, 2, 4], null, [2, 6, 4]],
  // The matrix product: X90 takes y to z, so S stretches its y fourfold and its z threefold.
  [true, true, true, [-2, 4, 7], null, [2, 8, 3]],
];

for (const [position, rotation, scale, translation, q, size] of CASES) {
  test(`flags position ${position}, rotation ${rotation}, scale ${scale}`, () => {
    const figure = figureWith({ respectParentPosition: position, respectParentRotation: rotation,
      respectParentScale: scale }).pose(pose);
    assertTransform(figure.virtualTransform(0), { translation, scale: size,
      rotation: q ?? multiply(Z90, 0, X90, 0, [], 0) });
  });
}

test('a root stays where it is, whatever its flags', () => {
  const figure = figureWith({ parent: -1, respectParentPosition: false }).pose(pose);
  assertTransform(figure.virtualTransform(0), { translation: [1, 1, 1], rotation: X90, scale: [1, 2, 1] });
  const bare = new Skeleton('h', { nodes: [{}], bones: { hips: 0 }, virtualTransforms: [{}] });
  assert.deepEqual(bare.virtualTransforms, [{ name: '', parent: -1, translation: [0, 0, 0], rotation: NONE,
    scale: [1, 1, 1], respectParentPosition: true, respectParentRotation: true, respectParentScale: true, tags: [] }]);
});

test('a point follows the bone between two samples', () => {
  const figure = figureWith({ rotation: NONE, scale: [1, 1, 1] });
  assertNear(figure.virtualTransform(0).translation, [3, 5, 7]);
  assertNear(figure.pose(pose).virtualTransform(0).translation, [-2, 4, 7]);
  const moved = new Payload();
  moved.hips.set([0, 10, 0]);
  assertNear(figure.pose(moved).virtualTransform(0).translation, [3, 15, 7]);
});

test('a sheared parent: the rotation is the nearest one, the stretch that is left is symmetric', () => {
  const q = [0, 0, Math.sin(0.3), Math.cos(0.3)];
  const skeleton = new Skeleton('h', {
    nodes: [{ scale: [1, 3, 1] }, { parent: 0, rotation: q }], bones: { hips: 1 },
    virtualTransforms: [{ parent: 1 }, { parent: 1, respectParentPosition: false }] });
  const figure = new Figure(skeleton);
  const m = skeleton.restWorlds.subarray(16, 32);
  for (const index of [0, 1]) {
    const { rotation, scale } = figure.virtualTransform(index);
    const back = conjugate(rotation, 0, [], 0);
    const columns = [0, 4, 8].map((c) => rotate(back, 0, m, c, [], 0)); // R⁻¹ M
    for (let i = 0; i < 3; i++) {
      assert.ok(Math.abs(columns[i][i] - scale[i]) < 1e-6);
      for (let j = 0; j < i; j++) {
        assert.ok(Math.abs(columns[i][j] - columns[j][i]) < 1e-6, 'symmetric');
      }
    }
    assert.ok(Math.abs(columns[0][1]) > 0.1, 'there is a shear');
  }
});

test('mirrored and flattened parents', () => {
  const at = (scale, flags = {}) => evaluateVirtualTransform({ parent: 0, translation: [1, 1, 1], rotation: NONE,
    scale: [1, 1, 1], respectParentPosition: true, respectParentRotation: true, respectParentScale: true, ...flags },
  [scale[0], 0, 0, 0, 0, scale[1], 0, 0, 0, 0, scale[2], 0, 5, 6, 7, 1]);
  assertTransform(at([-2, 3, 4]), { translation: [3, 9, 11], rotation: NONE, scale: [-2, 3, 4] });
  // A mirror along another axis is one along x and half a turn.
  assertTransform(at([2, -3, 4]), { translation: [7, 3, 11], rotation: [0, 0, 1, 0], scale: [-2, 3, 4] });
  assertTransform(at([2, 0, 4]), { translation: [7, 6, 11], rotation: NONE, scale: [2, 0, 4] });
  assertTransform(at([0, 3, 4], { respectParentScale: false }),
    { translation: [6, 7, 8], rotation: NONE, scale: [1, 1, 1] });
});

test('chosen by tag', () => {
  const skeleton = new Skeleton('h', { nodes: [{}], bones: { hips: 0 }, virtualTransforms: [
    { tags: ['ui', 'seating'] }, { tags: [] }, { tags: ['seating'] }] });
  assert.deepEqual(skeleton.taggedVirtualTransforms('seating'), [0, 2]);
  assert.deepEqual(skeleton.taggedVirtualTransforms('grip'), []);
});

test('a descriptor with an invalid one is refused with its place', () => {
  const refused = (virtual, where) => assert.throws(
    () => new Skeleton('h', { nodes: [{}], bones: { hips: 0 }, virtualTransforms: [{}, virtual] }),
    (error) => error instanceof ProtocolError && error.message.includes(`'virtualTransforms[1]${where}'`), where);
  for (const [virtual, where] of [[null, ''], [[], ''], [{ parent: 1 }, '.parent'], [{ parent: 0.5 }, '.parent'],
    [{ name: 7 }, '.name'], [{ name: 'x'.repeat(256) }, '.name'], [{ translation: [0, 0] }, '.translation'],
    [{ translation: [0, 0, 2e6] }, '.translation'], [{ rotation: [0, 0, 0, 2] }, '.rotation'],
    [{ scale: [1, 1, null] }, '.scale'], [{ respectParentScale: 1 }, '.respectParentScale'],
    [{ tags: 'ui' }, '.tags'], [{ tags: [1] }, '.tags[0]'], [{ tags: Array(17).fill('a') }, '.tags']]) {
    refused(virtual, where);
  }
  assert.throws(() => new Skeleton('h', { nodes: [{}], bones: { hips: 0 }, virtualTransforms: Array(257).fill({}) }),
    /virtualTransforms/);
});

for (const { name, parent, transform, expected } of golden('virtual-transforms.json')) {
  test(`golden vector: ${name}`, () => {
    const figure = new Figure(new Skeleton('h', { nodes: [parent ?? {}], bones: { head: 0 },
      virtualTransforms: [{ ...transform, parent: parent ? 0 : -1 }] }));
    assertTransform(figure.virtualTransform(0), expected);
  });
}
