// Skeletons against positions and rotations worked out by hand.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { BONES, BONE_PARENTS, Figure, Fitting, Payload, ProtocolError, Skeleton, VrmWearer, buildObjects, placeObject, poseObjects } from '../index.js';
import { angle, multiply, rotate } from '../quat.js';

const s = Math.SQRT1_2;
const X90 = [s, 0, 0, s], Y90 = [0, s, 0, s], Z90 = [0, 0, s, s], Y180 = [0, 1, 0, 0];
const bone = (name) => BONES.indexOf(name);

function assertNear(actual, expected, tolerance = 1e-6) {
  assert.equal(actual.length, expected.length);
  expected.forEach((value, i) => assert.ok(Math.abs(actual[i] - value) <= tolerance,
    `[${[...actual]}] is not [${expected}]`));
}

function assertSameRotation(actual, expected, tolerance = 1e-6) {
  assert.ok(angle(actual, 0, expected, 0) <= tolerance, `[${[...actual]}] is not [${expected}]`);
}

/** A payload with these rotations and hips. */
function payload(rotations = {}, hips = [0, 0, 0]) {
  const out = new Payload();
  for (const [name, q] of Object.entries(rotations)) {
    out.rotations.set(q, 4 * bone(name));
  }
  out.hips.set(hips);
  return out;
}

// Hips at 1 m, an arm along +X from a shoulder at 1.5 m: upper arm, a node that
// is no bone and is turned, lower arm, hand. Children stand before parents.
const armDescriptor = () => ({
  name: 'arm',
  nodes: [
    { name: 'hand', parent: 1, translation: [0.25, 0, 0] },
    { name: 'lowerArm', parent: 2, translation: [0, -0.2, 0], rotation: [0, 0, s, s] },
    { name: 'roll', parent: 3, translation: [0.1, 0, 0], rotation: [0, 0, -s, s] },
    { name: 'upperArm', parent: 4, translation: [0.2, 0.5, 0] },
    { name: 'hips', translation: [0, 1, 0] },
  ],
  bones: { hips: 4, leftUpperArm: 3, leftLowerArm: 1, leftHand: 0 },
});

test('computes rest transforms for any order of the nodes', () => {
  const skeleton = new Skeleton('h', armDescriptor());
  const figure = new Figure(skeleton);
  assertNear(figure.position(4, []), [0, 1, 0]);
  assertNear(figure.position(3, []), [0.2, 1.5, 0]);
  assertNear(figure.position(2, []), [0.3, 1.5, 0]);
  // the roll node turns -90 about Z: its -Y is -X of the world... (0,-0.2) -> (-0.2, 0)
  assertNear(figure.position(1, []), [0.1, 1.5, 0]);
  assertNear(figure.position(0, []), [0.35, 1.5, 0]);
  assert.deepEqual([...skeleton.order], [4, 3, 2, 1, 0]);
  assert.equal(skeleton.findNode('roll'), 2);
  assert.equal(skeleton.findNode('tail'), -1);
});

test('forward kinematics: an elbow and a shoulder bent by a quarter turn', () => {
  const figure = new Figure(new Skeleton('h', armDescriptor()));
  figure.pose(payload({ leftLowerArm: Z90 }));
  assertNear(figure.position(0, []), [0.1, 1.75, 0]);
  figure.pose(payload({ leftUpperArm: Z90 }));
  // everything past the shoulder at (0.2, 1.5) turns: (x, y) -> (-y, x)
  assertNear(figure.position(2, []), [0.2, 1.6, 0]);
  assertNear(figure.position(1, []), [0.2, 1.4, 0]);
  assertNear(figure.position(0, []), [0.2, 1.65, 0]);
  figure.pose(payload({}, [1, 2, 3]));
  assertNear(figure.position(4, []), [1, 3, 3]);
  assertNear(figure.position(0, []), [1.35, 3.5, 3]);
  figure.pose(payload());
  assertNear(figure.position(0, []), [0.35, 1.5, 0]);
});

test('the example of CORE.md, "A pose on a skeleton"', () => {
  const text = readFileSync(new URL('../../../proto/CORE.md', import.meta.url), 'utf8')
    .split('## A pose on a skeleton')[1].split('Example:')[1].split('\n')[0];
  const [hips, spine, turn, moved, position, ...expected] =
    [...text.matchAll(/\[[^\]]*\]/g)].map(([list]) => JSON.parse(list.replaceAll('−', '-')));
  const figure = new Figure(new Skeleton('h', { nodes: [{ name: 'hips', translation: hips },
    { name: 'spine', parent: 0, translation: spine }], bones: { hips: 0, spine: 1 } }));
  figure.pose(payload({ hips: turn }, moved));
  const model = [figure.position(0, []), figure.position(1, [])];
  const inSpace = model.map((point) => rotate(Y90, 0, point, 0, [], 0).map((x, i) => position[i] + x));
  assert.equal(expected.length, 4);
  [...model, ...inSpace].forEach((point, i) => assertNear(point, expected[i]));
});

test('the hips move in model space below a parent that is turned and scaled', () => {
  const skeleton = new Skeleton('h', {
    nodes: [
      { name: 'armature', rotation: [-s, 0, 0, s], scale: [0.01, 0.01, 0.01] },
      { name: 'hips', parent: 0, translation: [0, 0, 100] },
    ],
    bones: { hips: 1 },
    facing: [0, 1, 0, 0], // a figure that faces -Z
  });
  // -90 about X takes +Z up: rest at (0, 1, 0). Canonical (0.1, 0.2, 0.3) is
  // (-0.1, 0.2, -0.3) in this model.
  const figure = new Figure(skeleton).pose(payload({}, [0.1, 0.2, 0.3]));
  assertNear(figure.position(1, []), [-0.1, 1.2, -0.3]);
  // the inverse of the armature: (x, y, z) -> 100 (x, -z, y)
  assertNear(figure.translations.subarray(3, 6), [-10, 30, 120], 1e-4);
});

test('N is R for an identity rest, else P L R W^-1', () => {
  const skeleton = new Skeleton('h', armDescriptor());
  const r = payload({ leftUpperArm: X90, leftLowerArm: Y90 });
  assertSameRotation(skeleton.normalizedRotation(bone('leftUpperArm'), r.rotations, []), X90);
  // L of the lower arm is Z90, P (the roll node's) Z-90, so W is identity and N = R.
  assertSameRotation(skeleton.normalizedRotation(bone('leftLowerArm'), r.rotations, []), Y90);
  const turned = new Skeleton('h', { nodes: [{ rotation: Z90 }], bones: { hips: 0 } });
  // N = Z90 X90 Z-90: about the Y axis
  assertSameRotation(turned.normalizedRotation(0, payload({ hips: X90 }).rotations, []), Y90);
});

test('N includes the rotation from model to canonical space', () => {
  const skeleton = new Skeleton('h', { nodes: [{}], bones: { hips: 0 }, facing: Y180 });
  // VRM 0.x: (x, y, z, w) -> (-x, y, -z, w)
  const q = [0.1, 0.2, 0.3, Math.sqrt(1 - 0.14)];
  assertSameRotation(skeleton.normalizedRotation(0, q, []), [-0.1, 0.2, -0.3, q[3]]);
});

test('a correction turns the rest pose into the T-pose, also for child nodes', () => {
  // An I-pose arm: it hangs along -Y; K of the upper arm raises it to +X.
  const descriptor = {
    nodes: [
      { name: 'hips', translation: [0, 1, 0] },
      { name: 'upperArm', parent: 0, translation: [0.2, 0.5, 0] },
      { name: 'twist', parent: 1, translation: [0, -0.1, 0] },
      { name: 'lowerArm', parent: 2, translation: [0, -0.2, 0] },
    ],
    bones: { hips: 0, leftUpperArm: 1, leftLowerArm: 3 },
    corrections: { leftUpperArm: Z90, leftLowerArm: Z90 },
  };
  const skeleton = new Skeleton('h', descriptor);
  assertNear(skeleton.tPosePositions.subarray(9, 12), [0.5, 1.5, 0]);
  // At rest the upper arm is a quarter turn below its T-pose: N = P L W^-1 = Z-90.
  assertSameRotation(skeleton.normalizedRotation(bone('leftUpperArm'), payload().rotations, []), [0, 0, -s, s]);
  // The twist node follows its bone: P = Z90 = W, so the elbow is straight.
  assertSameRotation(skeleton.normalizedRotation(bone('leftLowerArm'), payload().rotations, []), [0, 0, 0, 1]);
});

test('N carries any motion to a skeleton with another rest: both point alike', () => {
  // The same arm, its joints' axes turned at will; then forward kinematics must agree.
  const plain = new Skeleton('a', {
    nodes: [{}, { parent: 0, translation: [0.2, 0.5, 0] }, { parent: 1, translation: [0.3, 0, 0] }],
    bones: { hips: 0, leftUpperArm: 1, leftLowerArm: 2 },
  });
  const q = [0.5, -0.5, 0.5, 0.5]; // turns (0.3, 0, 0) from where it stands in the frame
  const inFrame = rotate([-0.5, 0.5, -0.5, 0.5], 0, [0.3, 0, 0], 0, [], 0);
  const turned = new Skeleton('b', {
    nodes: [{}, { parent: 0, translation: [0.2, 0.5, 0], rotation: q }, { parent: 1, translation: [...inFrame] }],
    bones: { hips: 0, leftUpperArm: 1, leftLowerArm: 2 },
  });
  const r = payload({ hips: [0.1, 0.2, 0.3, Math.sqrt(0.86)], leftUpperArm: [0.6, 0, -0.64, 0.48] });
  const n = new Payload();
  for (const b of [0, bone('leftUpperArm'), bone('leftLowerArm')]) {
    turned.normalizedRotation(b, r.rotations, n.rotations, 4 * b);
  }
  const a = new Figure(plain).pose(n); // its R is N
  const b = new Figure(turned).pose(r);
  assertNear(a.position(2, []), b.position(2, []), 1e-6);
});

test('offsets belong to their skeleton: N is without them', () => {
  // R of a bone at rest in the T-pose is N · O: a quarter about Y of one about Z
  const skeleton = new Skeleton('h', { nodes: [{}, { parent: 0 }],
    bones: { hips: 0, leftShoulder: 1 }, offsets: { leftShoulder: Z90, jaw: X90 } });
  const r = payload({ leftShoulder: multiply(Y90, 0, Z90, 0, [], 0), hips: X90 });
  assertSameRotation(skeleton.normalizedRotation(bone('leftShoulder'), r.rotations, []), Y90);
  assertSameRotation(skeleton.normalizedRotation(0, r.rotations, []), X90);
});

test('hips height: over the lowest foot, over the floor, by the leg, or one', () => {
  const nodes = [
    { translation: [0, 0.9, 0] },
    { parent: 0, translation: [0.1, -0.05, 0] },
    { parent: 1, translation: [0, -0.4, 0] },
    { parent: 2, translation: [0, -0.4, 0] },
  ];
  const bones = { hips: 0, leftUpperLeg: 1, leftLowerLeg: 2, leftFoot: 3 };
  const height = (descriptor) => new Skeleton('h', descriptor).hipsHeight;
  assertNear([height({ nodes, bones })], [0.85]);
  assertNear([height({ nodes, bones: { hips: 0 } })], [0.9]);
  // a bone missing between: nothing below counts as a foot, and no hips: by the leg
  assertNear([height({ nodes, bones: { leftUpperLeg: 1, leftLowerLeg: 2, leftFoot: 3 } })], [0.8]);
  assertNear([height({ nodes: [{}], bones: { hips: 0 } })], [1]);
  // the ground of the descriptor, unless the hips are not above it
  assertNear([height({ nodes, bones, floor: -0.1 })], [1]);
  assertNear([height({ nodes, bones, floor: 0.9 })], [0.85]);
  // hips are measured at the upper legs if these are higher: one alone is no middle
  const pelvis = (y) => [...nodes, { parent: 0, translation: [-0.1, y, 0] }];
  const both = { ...bones, rightUpperLeg: 4 };
  assertNear([height({ nodes: pelvis(0.17), bones: both })], [0.91]);
  assertNear([height({ nodes: pelvis(-0.07), bones: both })], [0.85]);
  assertNear([height({ format: 'h-anim', nodes: pelvis(0.17), bones: both, floor: -0.1 })], [1.06]);
  assertNear([height({ format: 'bvh', nodes: pelvis(0.17), bones: both, floor: -0.1 })], [1.06]);
  // over the floor of VRM, by the hips, as long as they are above it
  assertNear([height({ format: 'vrm-1.0', nodes: pelvis(0.17), bones: both, floor: 0 })], [0.9]);
  assertNear([height({ format: 'vrm-0.x', nodes: pelvis(0.17), bones: both, floor: 0.9 })], [0.91]);
});

test('hips below the hip joints: a body that lies down does so by its hip joints', () => {
  // hips at 0.3, hip joints at 0.5 and 0.05 ahead, of a figure whose hips height is 0.5
  const low = new Skeleton('low', { nodes: [
    { translation: [0, 0.3, 0] },
    { parent: 0, translation: [0.1, 0.2, 0.05] }, { parent: 0, translation: [-0.1, 0.2, 0.05] },
    { parent: 1, translation: [0, -0.5, 0] },
  ], bones: { hips: 0, leftUpperLeg: 1, rightUpperLeg: 2, leftFoot: 3 } });
  // the same with its hips at the height of the hip joints, twice as large
  const plain = new Skeleton('plain', { nodes: [
    { translation: [0, 1, 0.1] },
    { parent: 0, translation: [0.2, 0, 0] }, { parent: 0, translation: [-0.2, 0, 0] },
    { parent: 1, translation: [0, -1, 0] },
  ], bones: { hips: 0, leftUpperLeg: 1, rightUpperLeg: 2, leftFoot: 3 } });
  assertNear([low.hipsHeight, ...low.hipsPoint], [0.5, 0, 0.2, 0.05]);
  assertNear([plain.hipsHeight, ...plain.hipsPoint], [1, 0, 0, 0]);
  // a quarter about +X: from the hips, the hip joints are ahead by 0.2 and lower by 0.05
  const lying = payload({ hips: X90 }, [0, -0.8, 0]);
  new Fitting(plain, low).apply(lying);
  const figure = new Figure(low);
  figure.pose({ rotations: lying.rotations, hips: lying.hips });
  assertNear(figure.position(1, []), [0.1, 0.5 - 0.4, 0.05]);
  new Fitting(low, plain).apply(lying);
  assertNear([...lying.hips], [0, -0.8, 0]);
});

test('rejects invalid descriptors and reports the place', () => {
  const bad = [
    [null, 'descriptor'],
    [{}, 'nodes'],
    [{ nodes: [], bones: {} }, 'nodes'],
    [{ nodes: Array(8193).fill({}), bones: {} }, 'nodes'],
    [{ nodes: [{}, null], bones: {} }, 'nodes[1]'],
    [{ nodes: [{ parent: 1 }], bones: {} }, 'nodes[0].parent'],
    [{ nodes: [{ parent: 0.5 }], bones: {} }, 'nodes[0].parent'],
    [{ nodes: [{ parent: 0 }], bones: {} }, 'nodes'],
    [{ nodes: [{ parent: 1 }, { parent: 0 }], bones: {} }, 'nodes'],
    [{ nodes: [{ translation: [0, 0] }], bones: {} }, 'nodes[0].translation'],
    [{ nodes: [{ translation: [0, 0, '1'] }], bones: {} }, 'nodes[0].translation'],
    [{ nodes: [{ translation: [0, 0, 2e6] }], bones: {} }, 'nodes[0].translation'],
    [{ nodes: [{ rotation: [0, 0, 0, 2] }], bones: {} }, 'nodes[0].rotation'],
    [{ nodes: [{ rotation: [0, 0, 0, 0] }], bones: {} }, 'nodes[0].rotation'],
    [{ nodes: [{}], bones: null }, 'bones'],
    [{ nodes: [{}], bones: { hips: 1 } }, 'bones.hips'],
    [{ nodes: [{}], bones: { hips: 0, spine: 0 } }, 'bones.spine'],
    [{ nodes: [{}], bones: { hips: 0 }, facing: [1] }, 'facing'],
    [{ nodes: [{}], bones: { hips: 0 }, offsets: { hips: [0, 0, 0, 2] } }, 'offsets.hips'],
    [{ nodes: [{}], bones: { hips: 0 }, floor: '0' }, 'floor'],
    [{ nodes: [{}], bones: { hips: 0 }, floor: 2e6 }, 'floor'],
    [{ nodes: [{}], bones: { hips: 0 }, corrections: { hips: 7 } }, 'corrections.hips'],
    [{ nodes: [{ scale: [0, 0, 0] }, { parent: 0 }], bones: { hips: 1 } }, 'bones.hips'],
  ];
  for (const [descriptor, where] of bad) {
    assert.throws(() => new Skeleton('h', descriptor),
      (error) => error instanceof ProtocolError && error.message.includes(`'${where}'`), where);
  }
});

test('unknown bones and fields are ignored', () => {
  const skeleton = new Skeleton('h', { nodes: [{ mood: 'fine' }], bones: { hips: 0, tail: 0 }, later: 1 });
  assert.equal(skeleton.bones[0], 0);
});

/** Records the values that an adapter writes into an object like Object3D. */
function fakeObject() {
  const object = {};
  object.position = { set: (...v) => { object.at = v; } };
  object.quaternion = { set: (...q) => { object.turned = q; } };
  return object;
}

test('buildObjects creates the hierarchy in the rest pose', () => {
  const skeleton = new Skeleton('h', armDescriptor());
  const objects = buildObjects(skeleton, (name) => {
    const object = { ...fakeObject(), name, children: [], add: (child) => object.children.push(child) };
    object.position.set = (...v) => { object.at = v; };
    object.quaternion.set = (...q) => { object.turned = q; };
    object.scale = { set: (...v) => { object.scaled = v; } };
    return object;
  });
  assert.deepEqual(objects.map(({ name }) => name), ['hand', 'lowerArm', 'roll', 'upperArm', 'hips']);
  assert.deepEqual(objects.map(({ children }) => children.map(({ name }) => name)),
    [[], ['hand'], ['lowerArm'], ['roll'], ['upperArm']]);
  assert.deepEqual(objects[3].at, [0.2, 0.5, 0]);
  assertSameRotation(objects[2].turned, [0, 0, -s, s]);
  assert.deepEqual(objects[0].scaled, [1, 1, 1]);
});

test('poseObjects changes only bones and hips', () => {
  const skeleton = new Skeleton('h', armDescriptor());
  const objects = [fakeObject(), fakeObject(), fakeObject(), undefined, fakeObject()];
  poseObjects(skeleton, payload({ leftLowerArm: X90 }, [0, 0.5, 0]), objects);
  assertSameRotation(objects[1].turned, multiply(Z90, 0, X90, 0, [], 0));
  assert.deepEqual(objects[0].turned, [0, 0, 0, 1]);
  assert.equal(objects[2].turned, undefined);
  assertNear(objects[4].at, [0, 1.5, 0]);
  assert.equal(objects[0].at, undefined);
});

test('placeObject applies the placement for both facings of a file', () => {
  const skeleton = new Skeleton('h', { nodes: [{}], bones: { hips: 0 }, facing: Y180 });
  const object = fakeObject();
  placeObject(skeleton, { position: [1, 2, 3], yaw: Math.PI / 2 }, object);
  assert.deepEqual(object.at, [1, 2, 3]);
  // the file's forward, -Z, must come to canonical +Z turned by 90 degrees: +X
  assertNear(rotate(object.turned, 0, [0, 0, -1], 0, [], 0), [1, 0, 0]);
});

function fakeVrm(metaVersion) {
  const rest = { hips: { position: [0.01, 2, 0.02] }, leftUpperLeg: { position: [0.1, -0.1, 0] },
    leftLowerLeg: { position: [0, -0.8, 0] }, leftFoot: { position: [0, -0.9, 0] }, head: { position: [0, 1, 0] } };
  const nodes = Object.fromEntries(Object.keys(rest).map((name) => [name, fakeObject()]));
  return { nodes, meta: { metaVersion }, humanoid: {
    normalizedRestPose: rest, getNormalizedBoneNode: (name) => nodes[name] ?? null } };
}

test('applies N to a VRM, with hips moved in proportion to its hips height', () => {
  // hips 0.9 m over a foot at 0.1 m; the VRM's 2 m over the ground: 2 / 0.8
  const skeleton = new Skeleton('h', {
    nodes: [{ translation: [0, 0.9, 0], rotation: Z90 }, { parent: 0, translation: [-0.8, 0, 0] }, { parent: 0 }],
    bones: { hips: 0, leftFoot: 1, jaw: 2 } });
  const r = payload({ hips: X90 }, [0.1, -0.2, 0.4]);
  const vrm = fakeVrm('1');
  new VrmWearer(vrm, skeleton).wear(r);
  assertSameRotation(vrm.nodes.hips.turned, Y90); // Z90 X90 Z-90
  assertNear(vrm.nodes.hips.at, [0.01 + 0.25, 2 - 0.5, 0.02 + 1]);
  assert.equal(vrm.nodes.head.turned, undefined); // not in the skeleton
  const old = fakeVrm('0');
  const tilted = payload({ hips: [0.1, 0.2, 0.3, Math.sqrt(0.86)] }, [0.1, -0.2, 0.4]);
  new VrmWearer(old, skeleton).wear(tilted);
  const n = skeleton.normalizedRotation(0, tilted.rotations, []);
  assertSameRotation(old.nodes.hips.turned, [-n[0], n[1], -n[2], n[3]]);
  assertNear(old.nodes.hips.at, [0.01 - 0.25, 2 - 0.5, 0.02 - 1]);
  // hips in the origin stand over their feet, 1.8 m below
  const hung = fakeVrm('1');
  hung.humanoid.normalizedRestPose.hips.position = [0, 0, 0];
  new VrmWearer(hung, skeleton).wear(r);
  assertNear(hung.nodes.hips.at, [0.225, -0.45, 0.9]);
});

test('a bone that the VRM lacks turns the bones below it', () => {
  const skeleton = new Skeleton('h', {
    nodes: [{}, { parent: 0 }, { parent: 1 }, { parent: 2 }, { parent: 0 }],
    bones: { hips: 0, spine: 1, neck: 2, head: 3, leftLowerLeg: 4 } });
  const vrm = fakeVrm('1'); // no spine, no neck
  new VrmWearer(vrm, skeleton).wear(payload({ spine: X90, neck: Y90, head: Z90, leftLowerLeg: X90 }, [0, 0, 0]));
  // By hand, the last factor first: Z90 takes x to y, Y90 leaves it, X90 takes y to z.
  const product = multiply(multiply(X90, 0, Y90, 0, [], 0), 0, Z90, 0, [], 0);
  assertSameRotation(vrm.nodes.head.turned, product);
  assertNear(rotate(vrm.nodes.head.turned, 0, [1, 0, 0], 0, [], 0), [0, 0, 1]);
  assertSameRotation(vrm.nodes.leftLowerLeg.turned, X90);
  assert.equal(vrm.nodes.leftUpperLeg.turned, undefined); // neither it nor what is above it moves
});

test('the bone table is a tree with the root first', () => {
  assert.equal(BONES.length, 55);
  assert.equal(BONE_PARENTS[0], -1);
  BONE_PARENTS.slice(1).forEach((parent, i) => assert.ok(parent >= 0 && parent <= i));
});
