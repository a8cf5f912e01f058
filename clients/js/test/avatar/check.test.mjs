// Which files checkAvatar admits: those of the server's own test, and the caps of proto/AVATARS.md.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { AVATAR_CAPS, ProtocolError, checkAvatar } from '../../index.js';
import { avatarFile, hostile, png, servable, tooLarge } from '../../../../tests/e2e/support/avatar_files.mjs';

test('the caps are those of the document', () => {
  const document = readFileSync(new URL('../../../../proto/AVATARS.md', import.meta.url), 'utf8');
  const [, section] = /^## Caps$([\s\S]*?)^## /m.exec(document);
  const table = Object.fromEntries([...section.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, name, cap]) => [name, Number(cap)]));
  assert.deepEqual({ ...AVATAR_CAPS }, table);
});

for (const [what, bytes] of Object.entries(servable())) {
  test(`admits ${what}`, () => {
    assert.equal(checkAvatar(bytes).bytes, bytes.length);
  });
}

for (const [what, [bytes, reason]] of Object.entries({ ...hostile(), 'a file that is too large': [tooLarge(), /more than 33554432/] })) {
  test(`refuses ${what}`, () => {
    assert.throws(() => checkAvatar(bytes), (error) => error instanceof ProtocolError && reason.test(error.message) &&
      !error.message.includes('\n'), String(reason));
  });
}

test('counts what a file costs', () => {
  const file = avatarFile((document, _, at) => {
    at.image(png(300, 200));
    document.textures.push({ source: 0 }, { source: 0, sampler: 1 });
    document.samplers = [{}, {}];
    document.nodes.push({ mesh: 0, skin: 0 });
    const { attributes } = document.meshes[0].primitives[0];
    document.meshes[0].primitives[0].targets = [{ POSITION: attributes.POSITION }];
    document.extensions.VRMC_springBone = { colliderGroups: [{ colliders: [0, 1] }],
      springs: [{ joints: [{ node: 1 }, { node: 2 }, { node: 3 }], colliderGroups: [0] }] };
  });
  const plain = checkAvatar(avatarFile());
  const facts = checkAvatar(file);
  assert.deepEqual([plain.format, plain.isBinary, plain.isVrm, plain.primitives, plain.textures], ['vrm1', true, true, 1, 0]);
  assert.equal(plain.triangles % 12, 0, 'boxes have 12 triangles each');
  assert.equal(plain.baseVertices, plain.triangles / 12 * 8);
  assert.deepEqual([facts.primitives, facts.triangles, facts.vertices], [2, 2 * plain.triangles, 2 * plain.vertices]);
  assert.deepEqual([facts.images, facts.textures, facts.pixels, facts.side], [1, 3, 2 * 300 * 200, 300]);
  assert.equal(facts.springs, 3 * (1 + 2));
  assert.equal(facts.nodes, plain.nodes + 1);
});

test('reads the permissions of a VRM', () => {
  const metaOf = (version, meta) => {
    const { permission, modification, mayRedistribute, licence } = checkAvatar(avatarFile(undefined, { version, meta }));
    return [permission, modification, mayRedistribute, licence];
  };
  const url = 'https://vrm.dev/licenses/1.0/';
  assert.deepEqual(metaOf(1, { avatarPermission: 'everyone', allowRedistribution: true, modification: 'allowModification' }),
    ['everyone', 'allowed', true, url]);
  assert.deepEqual(metaOf(1, { avatarPermission: 'anybody', allowRedistribution: 'yes' }), ['onlyAuthor', 'prohibited', false, url]);
  assert.deepEqual(metaOf(0, { allowedUserName: 'Everyone', licenseName: 'CC_BY_ND' }), ['everyone', 'prohibited', true, 'CC_BY_ND']);
  assert.deepEqual(metaOf(0, { allowedUserName: 'ExplicitlyLicensedPerson', licenseName: 'Redistribution_Prohibited' }),
    ['licensed', 'prohibited', false, 'Redistribution_Prohibited']);
  assert.deepEqual(metaOf(0, {}), ['onlyAuthor', 'prohibited', false, '']);
});

test('no change of single bytes makes it fail in another way', () => {
  const file = avatarFile((_, __, at) => { at.image(png(8, 8)); });
  for (let i = 0; i < 600; i++) {
    const bytes = Buffer.from(file);
    bytes[(i * 7919) % bytes.length] ^= 1 << (i % 8);
    try {
      checkAvatar(bytes);
    } catch (error) {
      assert.ok(error instanceof ProtocolError, `byte ${(i * 7919) % bytes.length}: ${error.stack}`);
    }
  }
});
