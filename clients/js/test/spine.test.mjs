// Spines of H-Anim figures: each vertebra turns by its share of the bend, and what stands on the
// spine keeps its orientation.
import assert from 'node:assert/strict';
import test from 'node:test';
import { BONES, Figure, Payload, Skeleton, poseObjects, splitSpine } from '../index.js';
import { angle, multiply, rotate } from '../quat.js';

const s = Math.SQRT1_2;
const Z90 = [0, 0, s, s];
const aboutX = (radians) => [Math.sin(radians / 2), 0, 0, Math.cos(radians / 2)];
const SPINE = ['vl5', 'vl4', 'vl3', 'vl2', 'vl1',
  ...Array.from({ length: 12 }, (_, i) => `vt${12 - i}`), ...Array.from({ length: 7 }, (_, i) => `vc${7 - i}`)];
const MAPPED = { spine: 'vl5', chest: 'vl1', upperChest: 'vt6', neck: 'vc7', head: 'skullbase' };

/** HumanoidRoot, the vertebrae in `names`, skullbase, shoulders at `shoulders`; `at`: height of each. */
function humanoid({ names = SPINE, heights = () => 0.02, shoulders = 'vt1', format = 'h-anim', change = () => {} } = {}) {
  const nodes = [{ name: 'HumanoidRoot', translation: [0, 1, 0] }];
  [...names, 'skullbase'].forEach((name, i) =>
    nodes.push({ name, parent: i, translation: [0, i === 0 ? 0.05 : heights(names[i - 1]), 0] }));
  for (const side of [1, -1]) {
    nodes.push({ name: side > 0 ? 'l_shoulder' : 'r_shoulder', parent: nodes.findIndex(({ name }) => name === shoulders),
      translation: [0.2 * side, 0, 0] });
  }
  const index = (name) => nodes.findIndex((node) => node.name === name);
  const bones = { hips: 0, leftUpperArm: index('l_shoulder'), rightUpperArm: index('r_shoulder') };
  for (const [bone, name] of Object.entries(MAPPED)) {
    if (index(name) >= 0) {
      bones[bone] = index(name);
    }
  }
  const descriptor = { format, nodes, bones };
  change(descriptor);
  return new Skeleton('h', descriptor);
}

function bent(rotations) {
  const payload = new Payload();
  for (const [bone, q] of Object.entries(rotations)) {
    payload.rotations.set(q, 4 * BONES.indexOf(bone));
  }
  return payload;
}

const turnOf = (figure, name) => {
  const at = 4 * figure.skeleton.findNode(name);
  return figure.rotations.subarray(at, at + 4);
};
const worldOf = (figure, name) => {
  let q = [0, 0, 0, 1];
  for (let node = figure.skeleton.findNode(name); node >= 0; node = figure.skeleton.parents[node]) {
    q = multiply(figure.rotations, 4 * node, q, 0, [], 0);
  }
  return q;
};
const near = (q, expected, what) => assert.ok(angle(q, 0, expected, 0) < 1e-6, `${what}: [${[...q]}] is not [${expected}]`);

test('the shares of a full spine: 4, 7, 6 and 7 vertebrae', () => {
  const { spine } = humanoid();
  // The chest ends at vt7; the upper chest, which bears the shoulders, at vt1.
  assert.deepEqual(spine.map(({ bone, nodes }) => [BONES[bone], nodes.length]),
    [['spine', 4], ['chest', 7], ['upperChest', 6], ['neck', 7]]);
  for (const { weights } of spine) {
    assert.ok(Math.abs(weights.reduce((sum, weight) => sum + weight) - 1) < 1e-12);
    weights.forEach((weight) => assert.ok(Math.abs(weight - 1 / weights.length) < 1e-9));
  }
});

test('a bend is shared by the lengths of the segments', () => {
  const skeleton = humanoid({ heights: (name) => ({ vl5: 0.01, vl4: 0.02, vl3: 0.03, vl2: 0.04 })[name] ?? 0.02 });
  const figure = new Figure(skeleton).pose(bent({ spine: aboutX(1) }));
  for (const [name, share] of [['vl5', 0.1], ['vl4', 0.2], ['vl3', 0.3], ['vl2', 0.4], ['vl1', 0]]) {
    near(turnOf(figure, name), aboutX(share), name);
  }
  // Where four segments lead that turn by 0.1, 0.3, 0.6 and 1 in all.
  const y = 1.05 + 0.01 * Math.cos(0.1) + 0.02 * Math.cos(0.3) + 0.03 * Math.cos(0.6) + 0.04 * Math.cos(1);
  const z = 0.01 * Math.sin(0.1) + 0.02 * Math.sin(0.3) + 0.03 * Math.sin(0.6) + 0.04 * Math.sin(1);
  const [, py, pz] = figure.position(skeleton.findNode('vl1'), []);
  assert.ok(Math.abs(py - y) < 1e-6 && Math.abs(pz - z) < 1e-6, `vl1 at ${py}, ${pz}, not ${y}, ${z}`);
});

test('the example of SKELETONS.md: 50 degrees over segments of 0.1, 0.2 and 0.2 m', () => {
  const skeleton = humanoid({ names: ['vl5', 'vl4', 'vl3', 'vl1'], shoulders: 'vl1',
    heights: (name) => ({ vl5: 0.1, vl4: 0.2, vl3: 0.2 })[name] ?? 0.1 });
  const degrees = Math.PI / 180;
  const figure = new Figure(skeleton).pose(bent({ spine: aboutX(50 * degrees) }));
  near(turnOf(figure, 'vl5'), aboutX(10 * degrees), 'vl5');
  near(turnOf(figure, 'vl4'), aboutX(20 * degrees), 'vl4');
  near(turnOf(figure, 'vl3'), aboutX(20 * degrees), 'vl3');
});

test('chest and neck on two branches: the bone below them is shared once', () => {
  const skeleton = humanoid({ names: ['vl5', 'vl4', 'vl1', 'vc7'], shoulders: 'vl1',
    change: ({ nodes }) => { nodes[4].parent = 2; } }); // vc7 on vl4
  const figure = new Figure(skeleton).pose(bent({ spine: aboutX(1) }));
  near(turnOf(figure, 'vl5'), aboutX(0.5), 'vl5');
  near(turnOf(figure, 'vl4'), aboutX(0.5), 'vl4');
});

test('bones above a split bone keep their orientation', () => {
  const rotations = { spine: aboutX(0.9), chest: [0, Math.sin(0.2), 0, Math.cos(0.2)], upperChest: aboutX(-0.4),
    neck: [0, 0, Math.sin(0.3), Math.cos(0.3)], head: aboutX(0.2), leftUpperArm: aboutX(0.5) };
  const figure = new Figure(humanoid()).pose(bent(rotations));
  const plain = new Figure(humanoid({ format: 'vrm-1.0' })).pose(bent(rotations));
  for (const name of ['vl1', 'vt6', 'vc7', 'skullbase', 'l_shoulder', 'r_shoulder']) {
    // The joint of a bone turns by its first share only; its parent by everything below.
    const parent = figure.skeleton.nodeNames[figure.skeleton.parents[figure.skeleton.findNode(name)]];
    near(worldOf(figure, parent), worldOf(plain, parent), name);
  }
  near(worldOf(figure, 'skullbase'), worldOf(plain, 'skullbase'), 'skullbase');
  assert.ok(angle(turnOf(figure, 'vl5'), 0, turnOf(plain, 'vl5'), 0) > 0.5);
});

test('shoulders on vt4: only joints up to the branch share', () => {
  const { spine } = humanoid({ shoulders: 'vt4' });
  const [, , upper] = spine;
  assert.deepEqual([upper.nodes.length, BONES[upper.bone]], [3, 'upperChest']); // vt6, vt5, vt4
  // The last segment ends at vt3, so that all are equal here.
  upper.weights.forEach((weight) => assert.ok(Math.abs(weight - 1 / 3) < 1e-9));
});

test('missing vertebrae, other formats and points without length share nothing', () => {
  assert.deepEqual(humanoid({ names: ['vl5', 'vl1', 'vt6', 'vt1', 'vc7'] }).spine.map(({ bone }) => BONES[bone]), ['upperChest']);
  assert.deepEqual(humanoid({ names: ['vl5', 'vl1', 'vt6', 'vc7'], shoulders: 'vt6' }).spine, []);
  assert.deepEqual(humanoid({ format: 'gltf' }).spine, []);
  assert.deepEqual(humanoid({ heights: () => 0 }).spine, []);
  assert.deepEqual(humanoid({ change: ({ nodes }) => nodes.forEach((node) => { node.name = `b${node.name}`; }) }).spine, []);
});

test('joints with a turned rest: the shares are about the axis of the motion', () => {
  const skeleton = humanoid({ names: ['vl5', 'vl4', 'vl1', 'vt6', 'vc7'], shoulders: 'vt6', change: ({ nodes }) => {
    nodes[2].rotation = Z90; // vl4, with what is above it turned back
    nodes[3].rotation = [0, 0, -s, s];
    nodes[3].translation = rotate([0, 0, -s, s], 0, [0, 0.02, 0], 0, [], 0);
  } });
  const figure = new Figure(skeleton).pose(bent({ spine: aboutX(0.8) }));
  near(turnOf(figure, 'vl5'), aboutX(0.4), 'vl5');
  near(worldOf(figure, 'vl4'), multiply(aboutX(0.8), 0, Z90, 0, [], 0), 'vl4');
  near(worldOf(figure, 'vl1'), aboutX(0.8), 'vl1');
});

test('objects of a scene bend at every vertebra', () => {
  const skeleton = humanoid();
  const sample = bent({ neck: aboutX(0.7) });
  const objects = skeleton.nodeNames.map(() => {
    const object = { position: { set() {} } };
    object.quaternion = { set: (...q) => { object.q = q; } };
    return object;
  });
  poseObjects(skeleton, sample, objects);
  for (const name of ['vc7', 'vc4', 'vc1']) {
    near(objects[skeleton.findNode(name)].q, aboutX(0.1), name);
  }
  assert.equal(objects[skeleton.findNode('HumanoidRoot')].q.length, 4);
  const rotations = Float64Array.from(skeleton.rotations);
  rotations.set(aboutX(0.7), 4 * skeleton.findNode('vc7'));
  near(splitSpine(skeleton, rotations).subarray(4 * skeleton.findNode('vc2')), aboutX(0.1), 'vc2');
});
