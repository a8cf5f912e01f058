// A crowd without a picture: who has a figure and an avatar, levels of detail, one download for many.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { PerspectiveCamera } from 'three';
import { Crowd, LEVELS } from '../../three/index.js';
import { chooseLevels } from '../../three/detail.js';
import { until } from '../../../../tests/e2e/support/until.mjs';
import { png } from '../../../../tests/e2e/support/avatar_files.mjs';
import { makeExt } from '../../../../tests/e2e/support/fixtures.mjs';
import { toGlb } from '../../../../tests/e2e/support/glb.mjs';
import { WELCOME, body, bundle, live, roster } from '../fake-server.mjs';

globalThis.self ??= globalThis; // GLTFLoader expects a browser

const FILE = makeExt();
const HASH = createHash('sha256').update(FILE).digest('hex');
const AVATAR = { hash: HASH, bytes: FILE.length, index: 0 };

/** A camera that many metres in front of the origin. */
function cameraAt(z) {
  const camera = new PerspectiveCamera();
  camera.position.set(0, 1, z);
  camera.updateMatrixWorld();
  return camera;
}

/** A live crowd of the bodies 1 and 2, both with motion. */
function crowd({ answer = () => new Response(FILE), ...options } = {}) {
  const asked = [];
  const { world, client } = live({ fetch: async (url) => {
    asked.push(url);
    return answer(url);
  } });
  const all = new Crowd(client, options);
  const events = [];
  for (const type of ['enter', 'leave', 'dress', 'undress', 'failure']) {
    all.addEventListener(type, ({ member }) => events.push(`${type} ${member.id}`));
  }
  let revision = 4;
  const change = (...entries) => world.say({ type: 'roster', space: 'lobby', revision: ++revision, changed: entries });
  const move = () => [1, 2].forEach((id) => world.cast(bundle(130, id, 0)));
  const update = (z = 3) => all.update(cameraAt(z), world.time);
  move();
  world.pass(200);
  update();
  return { world, client, all, events, asked, change, update, member: (id) => all.members.get(id) };
}

test('bodies that are there and those that come have figures; those that leave have none', () => {
  const { world, all, events } = crowd();
  assert.deepEqual([...all.members.keys()], [1, 2]);
  world.say({ type: 'roster', space: 'lobby', revision: 5, joined: [body(3)], left: [1] });
  assert.deepEqual(events, ['leave 1', 'enter 3']);
  assert.deepEqual([...all.members.keys()], [2, 3]);
  all.dispose();
  assert.equal(all.members.size, 0);
  world.say({ type: 'roster', space: 'lobby', revision: 6, joined: [body(4)] });
  assert.equal(all.members.size, 0);
});

test('bodies with the same avatar fetch it once and share its geometry; without it they are mannequins at once', async () => {
  const { events, asked, change, update, member } = crowd();
  change(body(1, { avatar: AVATAR }), body(2, { avatar: AVATAR }));
  update();
  assert.equal(member(1).avatar, null);
  assert.equal(member(1).figure.mesh.visible, true);
  await until('both have it', () => member(1).avatar && member(2).avatar);
  update();
  assert.deepEqual(asked, [`http://test/avatars/${HASH}`]);
  assert.deepEqual(events, ['dress 1', 'dress 2']);
  assert.equal(member(1).figure.mesh.visible, false);
  const meshes = [1, 2].map((id) => {
    let found;
    member(id).avatar.group.traverse((part) => { found = part.isSkinnedMesh ? part : found; });
    return found;
  });
  assert.notEqual(meshes[0], meshes[1]);
  assert.equal(meshes[0].geometry, meshes[1].geometry);
  assert.notEqual(meshes[0].skeleton, meshes[1].skeleton);
  change(body(1));
  assert.deepEqual(events, ['dress 1', 'dress 2', 'undress 1']);
  assert.equal(member(1).avatar, null);
  assert.equal(member(1).figure.mesh.visible, true);
  assert.ok(member(2).avatar);
});

test('an avatar that cannot be shown leaves the mannequin and a reason, and is not requested again', async () => {
  for (const [answer, reason] of [[() => new Response('gone', { status: 404 }), /^gone$/],
    [() => new Response('<html>'), /another file/]]) {
    const { events, asked, change, update, member } = crowd({ answer });
    change(body(1, { avatar: AVATAR }));
    update();
    await until('a reason', () => member(1).reason);
    update();
    assert.equal(member(1).isLoading, false);
    assert.deepEqual(events, ['failure 1']);
    assert.match(member(1).reason, reason);
    assert.equal(asked.length, 1);
    assert.equal(member(1).figure.mesh.visible, true);
  }
});

test('an avatar that a busy server refuses is requested again: after Retry-After, else after a growing pause', async () => {
  const answers = [() => new Response('busy', { status: 503, headers: { 'Retry-After': '7' } }), () => new Response('', { status: 429 }),
    () => new Response(FILE)];
  const { world, events, asked, change, update, member } = crowd({ answer: () => answers.shift()() });
  change(body(1, { avatar: AVATAR }));
  const passTo = async (ms, count) => {
    world.pass(ms);
    update();
    await until('it is answered', () => !member(1).isLoading);
    assert.equal(asked.length, count, `requests after ${ms} ms more`);
    update();
  };
  await passTo(0, 1);
  assert.deepEqual([events, member(1).reason], [[], '']);
  await passTo(6900, 1);
  await passTo(100, 2);
  await passTo(900, 2); // the second pause: one to two seconds
  await passTo(1100, 3);
  assert.deepEqual(events, ['dress 1']);
});

test('sixty bodies at a busy server are two requests for each pause; a body alone gives up after six', async () => {
  const { world, all, events, asked, update } = crowd({ answer: () => new Response('', { status: 503 }) });
  const bodies = Array.from({ length: 60 }, (_, i) => body(i + 1, { avatar: { ...AVATAR, hash: String(i).padStart(64, '0') } }));
  world.say({ type: 'roster', space: 'lobby', revision: 5, changed: bodies.slice(0, 2), joined: bodies.slice(2) });
  bodies.forEach(({ id }) => world.cast(bundle(140, id, 1)));
  world.pass(200);
  const wait = () => until('all are answered', () => [...all.members.values()].every(({ isLoading }) => !isLoading));
  const run = async (seconds) => {
    for (let i = 0; i < seconds; i++) {
      update();
      await wait();
      world.pass(1000);
    }
  };
  await run(60);
  // Pauses of 0.5 to 1, 1 to 2, 2 to 4 seconds and so on; two requests after each.
  assert.ok(asked.length >= 8 && asked.length <= 16, `${asked.length} requests in a minute`);
  assert.deepEqual(events.filter((event) => event.startsWith('failure')), []);

  const { world: alone, events: reported, asked: few, change, update: draw, member } = crowd({ answer: () => new Response('', { status: 503 }) });
  change(body(1, { avatar: AVATAR }));
  for (let i = 0; i < 300; i++) {
    draw();
    await until('it is answered', () => !member(1).isLoading);
    alone.pass(1000);
  }
  assert.deepEqual([few.length, reported, member(1).reason], [6, ['failure 1'], 'the server answered with status 503']);
});

/** The file with images of so many megapixels, which nothing draws. */
function withImages(count, name) {
  const end = 20 + FILE.readUInt32LE(12);
  const document = JSON.parse(FILE.subarray(20, end));
  document.asset.generator = name;
  document.images = Array.from({ length: count }, () => ({ uri: `data:image/png;base64,${png(4096, 4096).toString('base64')}` }));
  return toGlb(document, FILE.subarray(end + 8));
}

test('an avatar without room for its textures is shown when another one leaves', async () => {
  const files = new Map(['a', 'b', 'c'].map((name) => withImages(4, name)) // each half of the room
    .map((bytes) => [createHash('sha256').update(bytes).digest('hex'), bytes]));
  const [a, b, c] = [...files].map(([hash, bytes]) => ({ hash, bytes: bytes.length, index: 0 }));
  const { world, events, asked, change, update, member } = crowd({ answer: (url) => new Response(files.get(url.slice(-64))) });
  world.say({ type: 'roster', space: 'lobby', revision: 5, joined: [body(3, { avatar: c }), body(4, { avatar: c })],
    changed: [body(1, { avatar: a }), body(2, { avatar: b })] });
  update();
  await until('two wear theirs', () => member(1).avatar && member(2).avatar);
  [3, 4].forEach((id) => world.cast(bundle(140, id, 0)));
  world.pass(200);
  update();
  update(); // their distance is known
  await until('the others are refused', () => member(3).reason && member(4).reason && !member(4).isLoading);
  assert.match(member(3).reason, /more textures/);
  const count = asked.length;
  update();
  update();
  assert.equal(asked.length, count, 'none is requested while there is no room');
  world.say({ type: 'roster', space: 'lobby', revision: 6, left: [1] });
  update();
  await until('one has room', () => member(3).avatar ?? member(4).avatar);
  update();
  await until('the other wears the same file', () => {
    update();
    return member(3).avatar && member(4).avatar;
  });
  assert.deepEqual(events.slice(-3).filter((event) => event.startsWith('dress')).sort(), ['dress 3', 'dress 4']);
});

test('a file of the page is worn in place of the avatar of the roster until it is taken off', async () => {
  const { all, events, asked, change, update, member } = crowd();
  await all.wear(1, FILE.buffer.slice(FILE.byteOffset, FILE.byteOffset + FILE.length));
  change(body(1, { avatar: AVATAR }));
  update();
  assert.deepEqual([events.join(), asked.length, member(1).isLoading], ['dress 1', 0, false]);
  all.unwear(1);
  assert.equal(member(1).avatar, null);
  update();
  await until('that of the roster', () => member(1).avatar);
  assert.deepEqual([events.join(), asked.length], ['dress 1,undress 1,dress 1', 1]);
  all.unwear(1); // that of the roster, too
  update();
  assert.deepEqual([member(1).avatar, member(1).isLoading], [null, false]);
  await assert.rejects(all.wear(9, FILE), /no such body/);
  await assert.rejects(all.wear(1, new Blob(['glTF?'])), /GLB header|not a glTF/);
});

test('an avatar that the server could not be asked for is requested again with the next connection', async () => {
  let isDown = true;
  const { world, events, change, update, member } = crowd({ answer: () => {
    if (isDown) throw new TypeError('fetch failed');
    return new Response(FILE);
  } });
  change(body(1, { avatar: AVATAR }));
  update();
  await until('it failed', () => member(1).reason);
  assert.deepEqual(events, ['failure 1']);
  isDown = false;
  world.drop();
  world.pass(1000);
  world.open();
  world.say(WELCOME);
  world.say(roster({ revision: 6, bodies: [body(1, { avatar: AVATAR }), body(2)] }));
  assert.equal(member(1).reason, '');
  update();
  await until('it is worn', () => member(1).avatar);
});

test('of several choices for a body the last one counts, whichever file is read first', async () => {
  const answers = [];
  const { all, member } = crowd({ answer: () => new Promise((resolve) => answers.push(() => resolve(new Response(FILE)))) });
  const slow = all.wear(1, HASH);
  await all.wear(1, FILE.slice().buffer);
  const { avatar } = member(1);
  await until('the first choice is requested', () => answers.length > 0);
  answers.shift()();
  await assert.rejects(slow, /another avatar was chosen/);
  assert.equal(member(1).avatar, avatar);
  const late = all.wear(1, HASH);
  all.unwear(1);
  await until('it is requested again', () => answers.length > 0);
  answers.shift()();
  await assert.rejects(late, /another avatar was chosen/);
  assert.equal(member(1).avatar, null);
});

test('an avatar is not fetched for a body that is far away, and hidden when it goes there', async () => {
  const { asked, change, update, member } = crowd({ whole: { most: 8, metres: 5 }, plain: { most: 8, metres: 10 } });
  change(body(1, { avatar: AVATAR }));
  update(40);
  assert.deepEqual([asked.length, member(1).isLoading, member(1).level], [0, false, LEVELS.figure]);
  update(8);
  await until('it is worn', () => member(1).avatar);
  update(8);
  assert.deepEqual([asked.length, member(1).level, member(1).avatar.group.visible], [1, LEVELS.plain, true]);
  assert.equal(member(1).figure.mesh.castShadow, false);
  update(40);
  assert.deepEqual([member(1).avatar.group.visible, member(1).figure.mesh.visible], [false, true]);
});

test('the nearest have the best level, and none changes back and forth', () => {
  const members = Array.from({ length: 30 }, (_, i) => ({ distance: i + 1, level: LEVELS.figure }));
  const whole = { most: 4, metres: 10 };
  const plain = { most: 12, metres: 8.5 };
  chooseLevels(members, whole, plain);
  assert.deepEqual(members.map(({ level }) => level).join(''), '0000' + '1111' + '2'.repeat(22));
  members[3].distance = 5.2; // a little behind the next, which is at 5
  chooseLevels(members, whole, plain);
  assert.equal(members[3].level, LEVELS.whole);
  members[3].distance = 7;
  chooseLevels(members, whole, plain);
  assert.deepEqual([members[3].level, members[4].level], [LEVELS.plain, LEVELS.whole]);
});
