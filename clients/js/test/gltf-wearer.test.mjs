// A glTF figure that a loader made objects of: it leaves the pose of its file, and follows bodies on
// other skeletons.
import assert from 'node:assert/strict';
import test from 'node:test';
import { BONES, GltfWearer, Payload, Skeleton, readGltfFigure } from '../index.js';
import { angle, multiply, rotate } from '../quat.js';
import { REST, makeExt } from './ext-file.mjs';

const s = Math.SQRT1_2;
const Z90 = [0, 0, s, s];

/** Records the values that are written, like an Object3D. */
class Thing {
  isObject3D = true;
  position = { set: (...v) => { this.at = v; } };
  quaternion = { set: (...q) => { this.turned = q; } };
  scale = { set: (...v) => { this.scaled = v; } };
}

function load() {
  const { json, binary } = makeExt();
  const objects = json.nodes.map(() => new Thing());
  const gltf = { parser: { json, associations: new Map([[{}, { materials: 0 }],
    ...objects.map((object, nodes) => [object, { nodes }])]) } };
  return { objects, gltf, figure: readGltfFigure(json, { binary }) };
}

/** A body whose arms turn as those of the figure do: no joint is turned at rest. */
const body = new Skeleton('h', { nodes: [{ translation: [0, 2, 0] }, { parent: 0 }, { parent: 1 }, { parent: 1 }],
  bones: { hips: 0, spine: 1, leftUpperArm: 2, rightUpperArm: 3 } });

function near(actual, expected) {
  expected.forEach((value, i) => assert.ok(Math.abs(actual[i] - value) < 1e-6, `[${actual}] is not [${expected}]`));
}

test('the figure stands in its bind pose first, with the nodes that no bone needs', () => {
  const { objects, gltf, figure } = load();
  const { skeleton } = new GltfWearer(gltf, figure, body);
  REST.forEach(({ translation, rotation }, i) => {
    near(objects[i].at, translation);
    assert.ok(angle(objects[i].turned, 0, rotation, 0) < 1e-6);
    near(objects[i].scaled, [1, 1, 1]);
  });
  assert.deepEqual([figure.nodes, figure.rest.length], [[0, 1, 2, 3, 4, 5], 8]);
  near(objects[6].at, [0.1, 0, 0]); // 'socket', no joint
  assert.equal(skeleton.bones[BONES.indexOf('spine')], 3);
});

test('it wears the motion of a body on another skeleton', () => {
  const { objects, gltf, figure } = load();
  const wearer = new GltfWearer(gltf, figure, body);
  const sample = new Payload();
  sample.rotations.set(Z90, 4 * BONES.indexOf('leftUpperArm'));
  sample.rotations.set(Z90, 4 * BONES.indexOf('spine'));
  sample.hips.set([0, 1, 0]);
  wearer.wear(sample);
  assert.deepEqual([...sample.hips], [0, 1, 0], 'the sample is not changed');
  near(objects[1].at, [0, 1.5, 0]); // half as high as the body: half of its way
  // In space the spine turns by a quarter about Z, the arm by another one; turned rests included.
  const spine = multiply(Z90, 0, objects[3].turned, 0, [], 0); // 'between' is turned by Z90
  near(rotate(spine, 0, [0, 0, 1], 0, [], 0), rotate(multiply(Z90, 0, [0, s, 0, s], 0, [], 0), 0, [0, 0, 1], 0, [], 0));
  const arm = multiply(spine, 0, objects[4].turned, 0, [], 0);
  near(rotate(arm, 0, [1, 0, 0], 0, [], 0), [-1, 0, 0]);
  near(rotate(multiply(spine, 0, objects[5].turned, 0, [], 0), 0, [1, 0, 0], 0, [], 0), [0, 1, 0]);
  assert.equal(wearer.objects[4], objects[4]);
});
