// EXT_skeleton_humanoid and KHR_virtual_transform in files, against values worked out by hand.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ProtocolError, describeFile, describeGltf, describeVrm } from '../index.js';
import { angle } from '../quat.js';
import { toGlb } from '../../../tests/e2e/support/glb.mjs';
import { REST, makeExt } from './ext-file.mjs';
import { parkMiller } from './random.mjs';

const QUARTER = [0, Math.SQRT1_2, 0, Math.SQRT1_2];

function assertRest(nodes, expected = REST) {
  assert.deepEqual(nodes.map(({ name, parent }) => [name, parent]), expected.map(({ name, parent }) => [name, parent]));
  expected.forEach(({ name, translation, rotation }, i) => {
    translation.forEach((value, k) => assert.ok(Math.abs(nodes[i].translation[k] - value) < 1e-6, `${name}: ${nodes[i].translation}`));
    nodes[i].scale.forEach((value) => assert.ok(Math.abs(value - 1) < 1e-6, `${name}: ${nodes[i].scale}`));
    assert.ok(angle(nodes[i].rotation, 0, rotation, 0) < 1e-6, `${name}: ${nodes[i].rotation}`);
  });
}

/** The document after a change, described. */
function described(change = () => {}, options = {}) {
  const { json, binary } = makeExt();
  change(json, json.extensions.EXT_skeleton_humanoid.humanoidSkeletons);
  return describeGltf(json, { binary, ...options });
}

const refuses = (change, message, options) => assert.throws(() => described(change, options),
  (error) => error instanceof ProtocolError && message.test(error.message), String(message));

test('the rest pose is the bind pose of the skins, whatever pose the nodes are in', () => {
  const { json, binary } = makeExt();
  const descriptor = describeFile(toGlb(json, binary));
  assertRest(descriptor.nodes);
  assert.deepEqual(descriptor.bones, { hips: 1, spine: 3, leftUpperArm: 4, rightUpperArm: 5 });
  assert.deepEqual([descriptor.name, descriptor.format, descriptor.facing, descriptor.floor],
    ['armature', 'gltf-ext', undefined, undefined]);
});

test('bones that the caller gives rest in the bind pose, too', () => {
  const bones = { hips: 1, spine: 3, leftUpperArm: 4, rightUpperArm: 5 };
  const descriptor = described((json) => { delete json.extensions; }, { bones, name: 'Ada', floor: -1 });
  assertRest(descriptor.nodes);
  assert.deepEqual([descriptor.name, descriptor.format, descriptor.floor], ['Ada', undefined, -1]);
});

test('buffers: data URIs, other files', () => {
  const { json, binary } = makeExt();
  json.buffers[0].uri = `data:application/octet-stream;base64,${Buffer.from(binary).toString('base64')}`;
  assertRest(describeGltf(json).nodes);
  assertRest(describeFile(new TextEncoder().encode(JSON.stringify(json))).nodes);
  json.buffers[0].uri = 'sub%20folder/a.bin';
  const asked = [];
  assertRest(describeGltf(json, { buffers: (path) => { asked.push(path); return binary.buffer; } }).nodes);
  assert.deepEqual(asked, ['sub%20folder/a.bin']);
  assert.throws(() => describeGltf(json), /buffers\[0\] is another file, 'sub%20folder\/a\.bin'/);
});

test('one of several humanoids, the one at the root of the published schema', () => {
  const two = (json, list) => list.push({ rootNode: 3, humanoidBones: { hips: 4 }, extras: { floor: 0.5 } });
  const second = described(two, { index: 1 });
  assert.deepEqual([second.name, second.floor, Object.keys(second.bones)], ['spine', 0.5, ['hips']]);
  assert.equal(Object.keys(described(two).bones).length, 4);
  refuses(two, /there is no humanoid 2: the file has 2/, { index: 2 });
  refuses(two, /there is no humanoid -1/, { index: -1 });
  const old = described((json, [skeleton]) => { json.extensions.EXT_skeleton_humanoid = skeleton; });
  assertRest(old.nodes);
});

test('the extension comes before VRM; an empty list is no skeleton', () => {
  const vrm = (json) => { json.extensions.VRMC_vrm = { humanoid: { humanBones: { head: { node: 7 } } } }; };
  assert.equal(described(vrm).format, 'gltf-ext');
  const emptied = (json, list) => { vrm(json); list.length = 0; };
  assert.deepEqual([described(emptied).format, described(emptied).bones], ['vrm-1.0', { head: 0 }]);
  refuses((json, list) => { list.length = 0; }, /humanoidSkeletons is empty/);
  refuses(emptied, /there is no humanoid 1: the file has one/, { index: 1 });
});

test('joints without inverse bind matrices keep the transforms of their nodes', () => {
  const kept = described((json) => { delete json.skins[0].inverseBindMatrices; });
  assert.deepEqual(kept.nodes[3].rotation, [0.5, 0.5, 0.5, 0.5]);
  const none = described((json) => { delete json.skins; });
  assert.deepEqual(none.nodes[4].translation, [0.3, 0.4, 0.5]);
});

test('a skin of something else in the file may be damaged, one of the bones may not', () => {
  const hat = (json) => json.skins.push({ joints: [7], inverseBindMatrices: 9 });
  assertRest(described(hat).nodes);
  for (const [change, message] of [
    [(json) => { json.skins[0].inverseBindMatrices = 9; }, /skins\[0\].*not a matrix of floats for each joint/],
    [(json) => { json.accessors[1].count = 1; }, /skins\[1\].*not a matrix of floats/],
    [(json) => { json.accessors[0].count = 1e9; }, /not a matrix of floats/],
    [(json) => { json.accessors[0].componentType = 5123; }, /not a matrix of floats/],
    [(json) => { json.accessors[0].byteOffset = 4; }, /bufferViews\[0\]: elements end past/],
    [(json) => { json.bufferViews[0].byteStride = 60; }, /elements end past/],
    [(json) => { json.bufferViews[1].byteOffset = 200; }, /bufferViews\[1\]: elements end past/],
    [(json) => { json.bufferViews[1].byteOffset = -4; }, /elements end past/],
    [(json) => { json.bufferViews[1].buffer = 3; }, /there is no buffer 3/],
    [(json) => { json.bufferViews[0].extensions = { EXT_meshopt_compression: {} }; }, /meshopt/],
    [(json) => { json.buffers[0].byteLength = 10; }, /elements end past/],
    [(json) => { json.buffers[0].uri = 'data:;base64,!'; }, /base64 is damaged/],
    [(json) => { json.buffers[0].uri = 'data:,abc'; }, /not base64/],
    [(json) => { json.buffers = null; }, /there is no buffer 0/],
    [(json) => { delete json.accessors[0].bufferView; json.accessors[0].sparse = {}; }, /sparse/],
  ]) {
    refuses(change, message);
  }
});

test('a sparse accessor replaces elements', () => {
  const { json, binary } = makeExt();
  const [first, second] = [binary.slice(0, 64), binary.slice(64, 128)];
  // The two matrices are exchanged in the view; the sparse part puts both back.
  const bytes = new Uint8Array(binary.length + 132);
  bytes.set(binary);
  bytes.set(second, 0);
  bytes.set(first, 64);
  bytes.set(first, binary.length + 4);
  bytes.set(second, binary.length + 68);
  bytes.set([0, 1], binary.length);
  json.buffers[0].byteLength = bytes.length;
  json.bufferViews.push({ buffer: 0, byteOffset: 256, byteLength: 4 }, { buffer: 0, byteOffset: 260, byteLength: 128 });
  json.accessors[0].sparse = { count: 2, indices: { bufferView: 2, componentType: 5121 }, values: { bufferView: 3 } };
  assertRest(describeGltf(json, { binary: bytes }).nodes);
  bytes[binary.length + 1] = 2;
  assert.throws(() => describeGltf(json, { binary: bytes }), /element 2 of 2 is replaced/);
});

test('skeletons that violate the extension are refused', () => {
  for (const [change, message] of [
    [(json, [first]) => { first.humanoidBones.head = 99; }, /humanoidBones\.head: not the index of a node/],
    [(json, [first]) => { first.humanoidBones.tail = 1.5; }, /humanoidBones\.tail/],
    [(json, [first]) => { first.rootNode = -1; }, /rootNode/],
    [(json, [first]) => { first.humanoidBones = {}; }, /no bone is mapped/],
    [(json, [first]) => { first.humanoidBones = [1]; }, /not a skeleton/],
    [(json, list) => { list[0] = null; }, /not a skeleton/],
    [(json, [first]) => { first.humanoidBones.head = 3; }, /bones\.head: its node already has another bone, spine/],
    // (parent) hips - chest - spine (child) is invalid
    [(json, [first]) => { first.humanoidBones = { hips: 1, chest: 3, spine: 4 }; }, /bones\.spine: its node is below the node of 'chest'/],
    [(json) => { json.extensions.EXT_skeleton_humanoid.humanoidSkeletons = {}; }, /not an array/],
  ]) {
    refuses(change, message);
  }
  const missing = described((json, [first]) => { first.humanoidBones = { hips: 1, leftUpperArm: 4, tail: 5 }; });
  assert.deepEqual(missing.bones, { hips: 1, leftUpperArm: 4 });
});

test('skins with the rotation and scale of an armature: the figure stands as its nodes do', () => {
  const { json, binary } = makeExt();
  // Bind space: centimetres, Z up. IBM · B, B a quarter about -X and 0.01.
  const numbers = new Float32Array(binary.buffer);
  const turn = (matrix) => [0, 1, 2, 3].flatMap((column) => {
    const b = [[0.01, 0, 0, 0], [0, 0, -0.01, 0], [0, 0.01, 0, 0], [0, 0, 0, 1]][column];
    return [0, 1, 2, 3].map((row) => b.reduce((sum, value, k) => sum + value * matrix[4 * k + row], 0));
  });
  for (let i = 0; i < 4; i++) {
    numbers.set(turn(numbers.slice(16 * i, 16 * i + 16)), 16 * i);
  }
  json.nodes[1].rotation = [0, 0, 0, 1]; // the hips stand as they are bound
  json.skins = [{ joints: [1, 3, 4, 5], inverseBindMatrices: 0 }];
  json.accessors[0].count = 4;
  json.bufferViews[0].byteLength = 256;
  assertRest(describeGltf(json, { binary }).nodes);
});

const point = { name: 'grip', parent: 6, translation: [0, 0.1, 0], rotation: [0, 0, 0, 1], scale: [1, 2, 1],
  respectParentPosition: true, respectParentRotation: false, respectParentScale: true, tags: ['weapon_socket'] };

test('virtual transforms are kept; their parents are nodes of the descriptor', () => {
  const { nodes, virtualTransforms } = described((json) => {
    json.extensions.KHR_virtual_transform = { virtualTransforms: [point, { name: 'root' }] };
    json.extensions.KHR_virtual_transforms = { virtualTransforms: [{ parent: 3, rotation: [0, 2e-3, 0, 1] }] };
  });
  assert.deepEqual(nodes.slice(0, 6).map(({ name }) => name), REST.map(({ name }) => name));
  assert.deepEqual([nodes[6].name, nodes[6].parent, nodes.length], ['socket', 4, 7]);
  assert.deepEqual(virtualTransforms.slice(0, 2), [point, { name: 'root', parent: -1, translation: [0, 0, 0],
    rotation: [0, 0, 0, 1], scale: [1, 1, 1], respectParentPosition: true, respectParentRotation: true,
    respectParentScale: true, tags: [] }]);
  assert.equal(virtualTransforms[2].parent, 3);
  assert.ok(Math.abs(Math.hypot(...virtualTransforms[2].rotation) - 1) < 1e-12, 'of unit length');
});

test('invalid virtual transforms are left out, and those beyond 256', () => {
  const keep = (list) => described((json) => { json.extensions.KHR_virtual_transform = { virtualTransforms: list }; })
    .virtualTransforms?.map(({ name }) => name);
  assert.deepEqual(keep([{ name: 'a' }, null, [], 'x', { parent: 8 }, { parent: -2 }, { parent: '1' }, { name: 7 },
    { name: 'é'.repeat(128) }, { translation: [1, 2] }, { translation: [1, 2, 1e7] }, { rotation: [0, 0, 0, 1.1] },
    { scale: ['1', 1, 1] }, { respectParentScale: 0 }, { tags: {} }, { tags: [null] }, { tags: ['y'.repeat(256)] },
    { tags: Array(17).fill('z') }, { name: 'b' }]), ['a', 'b']);
  assert.equal(keep(Array(300).fill({ name: 'a' })).length, 256);
  assert.equal(keep({}), undefined);
  assert.equal(keep([]), undefined);
});

test('each of two humanoids has its own virtual transforms', () => {
  const change = (json, list) => {
    list[0] = { rootNode: 4, humanoidBones: { hips: 4 } };
    list.push({ rootNode: 5, humanoidBones: { hips: 5 } });
    json.extensions.KHR_virtual_transform = { virtualTransforms: [4, 5, 6, 3, -1].map((parent) => ({ name: `at ${parent}`, parent })) };
  };
  const names = (index) => described(change, { index }).virtualTransforms.map(({ name }) => name);
  assert.deepEqual(names(0), ['at 4', 'at 6', 'at 3', 'at -1']);
  assert.deepEqual(names(1), ['at 5', 'at 3', 'at -1']);
});

/** An object of three.js, as far as it is read. */
class Thing {
  isObject3D = true;
  scale = { x: 1, y: 1, z: 1 };

  constructor(name, parent, [x, y, z] = [0, 0, 0]) {
    Object.assign(this, { name, parent, position: { x, y, z }, quaternion: { x: 0, y: 0, z: 0, w: 1 } });
  }
}

test('a loaded VRM has the virtual transforms of its file, on objects in any pose', () => {
  const scene = new Thing('scene', null);
  const hips = new Thing('hips', scene, [0, 5, 0]);
  const ribbon = new Thing('ribbon', hips, [9, 9, 9]); // moved by a spring
  const json = { nodes: [{ name: 'hips', children: [1] }, { name: 'ribbon', translation: [0, 0.5, 0], rotation: QUARTER }, {}],
    extensions: { VRMC_vrm: { humanoid: { humanBones: { hips: { node: 0 } } } },
      KHR_virtual_transform: { virtualTransforms: [{ name: 'bow', parent: 1, tags: ['ui'] }, { name: 'away', parent: 2 }, { name: 'floor' }] } } };
  const gltf = { parser: { json, associations: new Map([[hips, { nodes: 0 }], [ribbon, { nodes: 1 }], [{}, { materials: 0 }]]) } };
  const vrm = { scene, meta: { metaVersion: '1' }, humanoid: {
    rawRestPose: { hips: { position: [0, 1, 0], rotation: [0, 0, 0, 1] } }, getRawBoneNode: (bone) => (bone === 'hips' ? hips : null) } };
  const { nodes, virtualTransforms } = describeVrm(vrm, gltf);
  assert.deepEqual(nodes.map(({ name, translation, parent }) => [name, translation, parent]),
    [['hips', [0, 1, 0], -1], ['ribbon', [0, 0.5, 0], 0]]);
  assert.ok(angle(nodes[1].rotation, 0, QUARTER, 0) < 1e-9);
  assert.deepEqual(virtualTransforms.map(({ name, parent, tags }) => [name, parent, tags]),
    [['bow', 1, ['ui']], ['floor', -1, []]]);
  assert.equal(describeVrm(vrm).virtualTransforms, undefined);
  assert.deepEqual(describeGltf(json).virtualTransforms.map(({ name, parent }) => [name, parent]),
    [['bow', 1], ['away', 2], ['floor', -1]]);
});

test('damaged documents are described or refused with a ProtocolError', () => {
  const random = parkMiller(17);
  const values = [null, true, -1, 0.5, 3, 1e9, NaN, '', 'hips', [], {}, [null], [1e7], Array(20).fill(0)];
  const pick = (list) => list[Math.floor(random() * list.length)];
  let refused = 0;
  for (let i = 0; i < 3000; i++) {
    const { json, binary } = makeExt();
    json.extensions.KHR_virtual_transform = { virtualTransforms: [{ ...point }] };
    if (i % 3 === 0) {
      json.extensions = { VRMC_vrm: { humanoid: { humanBones: { hips: { node: 1 } } }, meta: { name: 'Ada' } } };
    }
    // Follows random keys down and replaces what is there, or an element deeper.
    let at = json;
    for (let depth = 0; ; depth++) {
      const key = pick(Object.keys(at));
      if (typeof at[key] !== 'object' || at[key] === null || Object.keys(at[key]).length === 0 || (depth > 0 && random() < 0.3)) {
        at[key] = pick(values);
        break;
      }
      at = at[key];
    }
    try {
      const { nodes, bones } = describeGltf(json, { binary });
      assert.ok(nodes.every(({ translation, rotation, scale }) => [...translation, ...rotation, ...scale].every(Number.isFinite)));
      assert.ok(Object.values(bones).every((node) => nodes[node]));
    } catch (error) {
      assert.ok(error instanceof ProtocolError, `${error.stack}\n${JSON.stringify(json)}`);
      refused++;
    }
  }
  assert.ok(refused > 300 && refused < 2700, `${refused} are refused`);
});
