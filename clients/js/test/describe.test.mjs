// Descriptors of figures: of files, of objects, of VRMs, each of the same small figure.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ProtocolError, Skeleton, buildObjects, describeFile, describeGltf, describeScene, describeVrm } from '../index.js';

// Half a turn about +Y, and a third of one about (1, 1, 1).
const HALF = [0, 1, 0, 0];
const THIRD = [0.5, 0.5, 0.5, 0.5];

/** Hips below an armature, a spine below the hips, and an unneeded ornament. */
const nodes = [
  { name: 'ornament' },
  { name: 'spine', translation: [0, 0.1, 0], rotation: THIRD },
  { name: 'armature', children: [3, 0], scale: [2, 2, 2] },
  { name: 'pelvis', translation: [0, 0.5, 0.25], children: [1] },
];
const vrm1 = { nodes, extensions: { VRMC_vrm: { meta: { name: 'Ada' },
  humanoid: { humanBones: { hips: { node: 3 }, spine: { node: 1 } } } } } };
const vrm0 = { nodes, extensions: { VRM: { meta: { title: 'Ada' },
  humanoid: { humanBones: [{ bone: 'leftThumbProximal', node: 1 }, { bone: 'hips', node: 3 }] } } } };

const DESCRIBED = [
  { name: 'armature', translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [2, 2, 2], parent: -1 },
  { name: 'pelvis', translation: [0, 0.5, 0.25], rotation: [0, 0, 0, 1], scale: [1, 1, 1], parent: 0 },
  { name: 'spine', translation: [0, 0.1, 0], rotation: THIRD, scale: [1, 1, 1], parent: 1 },
];

test('describes the bones of a VRM 1.0 and the nodes between them', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(describeGltf(vrm1))),
    { name: 'Ada', format: 'vrm-1.0', floor: 0, bones: { hips: 1, spine: 2 }, nodes: DESCRIBED });
});

test('describes a VRM 0.x with its facing and its thumb names', () => {
  const described = describeGltf(vrm0);
  assert.deepEqual([described.format, described.facing, described.name], ['vrm-0.x', HALF, 'Ada']);
  assert.deepEqual(Object.keys(described.bones).sort(), ['hips', 'leftThumbMetacarpal']);
});

test('accepts a bone map for a glTF file without one', () => {
  const described = describeGltf({ nodes }, { name: 'x', facing: HALF, bones: { hips: 3, tail: 0 } });
  assert.deepEqual(described.bones, { hips: 1 });
  assert.equal(described.nodes.length, 2);
});

test('matrices become translation, rotation and scale', () => {
  // x to y, y to z, z to x (THIRD), stretched twofold, threefold and, mirrored, fourfold.
  const matrix = [0, -2, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0, 5, 6, 7, 1];
  const [node] = describeGltf({ nodes: [{ matrix }] }, { bones: { hips: 0 } }).nodes;
  assert.deepEqual([node.translation, node.scale], [[5, 6, 7], [-2, 3, 4]]);
  node.rotation.forEach((value, i) => assert.ok(Math.abs(value - THIRD[i]) < 1e-12, node.rotation));
  for (const [rotation, turned] of [[[1, 0, 0, 0], [1, -1, -1]], [[0, 1, 0, 0], [-1, 1, -1]], [[0, 0, 1, 0], [-1, -1, 1]]]) {
    const [x, y, z] = turned;
    const half = [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1];
    assert.deepEqual(describeGltf({ nodes: [{ matrix: half }] }, { bones: { hips: 0 } }).nodes[0].rotation, rotation);
  }
});

test('reads .glb and JSON files and rejects others', () => {
  const json = new TextEncoder().encode(JSON.stringify(vrm1));
  const glb = new Uint8Array(20 + json.length);
  const view = new DataView(glb.buffer);
  [0x46546c67, 2, glb.length, json.length, 0x4e4f534a].forEach((value, i) => view.setUint32(4 * i, value, true));
  glb.set(json, 20);
  assert.deepEqual(describeFile(json), describeGltf(vrm1));
  assert.deepEqual(describeFile(glb.buffer), describeGltf(vrm1));
  const inside = new Uint8Array(glb.length + 3);
  inside.set(glb, 3);
  assert.deepEqual(describeFile(inside.subarray(3)), describeGltf(vrm1));
  for (const file of [new Uint8Array(0), glb.subarray(0, 100), new TextEncoder().encode('{}'), Uint8Array.of(1, 2, 3)]) {
    assert.throws(() => describeFile(file), ProtocolError);
  }
});

test('rejects a figure with a cycle or with missing bones', () => {
  const circle = [{ children: [1] }, { children: [0] }];
  assert.throws(() => describeGltf({ nodes: circle }, { bones: { hips: 0 } }), ProtocolError);
  assert.throws(() => describeGltf({ nodes: [] }, { bones: { hips: 0 } }), ProtocolError);
});

class Thing {
  position = { x: 0, y: 0, z: 0, set(x, y, z) { Object.assign(this, { x, y, z }); } };
  quaternion = { x: 0, y: 0, z: 0, w: 1, set(x, y, z, w) { Object.assign(this, { x, y, z, w }); } };
  scale = { x: 1, y: 1, z: 1, set(x, y, z) { Object.assign(this, { x, y, z }); } };
  parent = null;

  constructor(name) {
    this.name = name;
  }

  add(child) {
    child.parent = this;
  }
}

/** The same figure as objects below a root. */
function build() {
  const skeleton = new Skeleton('', describeGltf(vrm1));
  const objects = buildObjects(skeleton, (name) => new Thing(name));
  const root = new Thing('scene');
  root.position.set(9, 9, 9);
  root.add(objects[0]);
  return { root, objects };
}

test('describes a scene without the transform of its root\'s parents', () => {
  const { root, objects } = build();
  assert.deepEqual(describeScene(root, { hips: objects[1], spine: objects[2] }, { name: 'Ada' }),
    { name: 'Ada', bones: { hips: 1, spine: 2 }, nodes: DESCRIBED });
});

test('describes the rest pose of a posed VRM', () => {
  const { root, objects } = build();
  const bones = { hips: objects[1], spine: objects[2] };
  const rawRestPose = { hips: { position: [0, 0.5, 0.25], rotation: [0, 0, 0, 1] }, spine: { position: [0, 0.1, 0], rotation: THIRD } };
  objects[1].position.set(1, 2, 3);
  objects[2].quaternion.set(1, 0, 0, 0);
  const vrm = { scene: root, meta: { metaVersion: '1', name: 'Ada' },
    humanoid: { rawRestPose, getRawBoneNode: (name) => bones[name] ?? null } };
  assert.deepEqual(JSON.parse(JSON.stringify(describeVrm(vrm))), JSON.parse(JSON.stringify(describeGltf(vrm1))));
  assert.deepEqual(describeVrm({ ...vrm, meta: { metaVersion: '0', title: 'old' } }).facing, HALF);
});
