// The height of head, hair and hat above the joint of the head, which keeps the tops of avatars in view.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bone, BoxGeometry, BufferAttribute, Group, Mesh, Skeleton, SkinnedMesh } from 'three';
import { headroomOf } from '../../three/avatar.js';

/** A box with its bottom `y` metres above its origin. */
const box = (height, y) => new BoxGeometry(0.2, height, 0.2).translate(0, y + height / 2, 0);

/** A box that moves with one of the bones of a skeleton. */
function skinned(geometry, skeleton, bone) {
  const { count } = geometry.attributes.position;
  geometry.setAttribute('skinIndex', new BufferAttribute(new Uint16Array(4 * count).map((_, i) => (i % 4 ? 0 : bone)), 4));
  geometry.setAttribute('skinWeight', new BufferAttribute(new Float32Array(4 * count).map((_, i) => (i % 4 ? 0 : 1)), 4));
  const mesh = new SkinnedMesh(geometry, undefined);
  mesh.bind(skeleton);
  return mesh;
}

/** A figure of twice its size with a head 0.3 m high at 1.5 m, and a hand that is raised to 3 m. */
function makeFigure() {
  const root = new Group();
  const [hips, head, hair] = [new Bone(), new Bone(), new Bone()];
  hips.position.y = 1;
  head.position.y = 0.5;
  hair.position.y = 0.3;
  head.add(hair);
  hips.add(head);
  root.add(hips);
  root.updateMatrixWorld(true);
  const skeleton = new Skeleton([hips, head, hair]);
  root.add(skinned(box(0.3, 1.5), skeleton, 1), skinned(box(2, 1), skeleton, 0));
  root.scale.setScalar(2);
  return { root, head, hair, skeleton };
}

test('the mesh of the head counts in the size of the figure, a raised hand does not', () => {
  const { root, head } = makeFigure();
  assert.ok(Math.abs(headroomOf(root, head) - 0.6) < 1e-6);
});

test('hair on a bone of the head and a rigid hat count', () => {
  const { root, head, hair, skeleton } = makeFigure();
  root.add(skinned(box(0.2, 1.7), skeleton, 2));
  assert.ok(Math.abs(headroomOf(root, head) - 0.8) < 1e-6);
  hair.add(new Mesh(box(0.5, 0)));
  assert.ok(Math.abs(headroomOf(root, head) - 1.6) < 1e-6);
});

test('a figure without a head, or with one that has no mesh, has none', () => {
  const { root } = makeFigure();
  const bald = new Bone();
  root.add(bald);
  assert.equal(headroomOf(root, null), 0);
  assert.equal(headroomOf(root, bald), 0);
});
