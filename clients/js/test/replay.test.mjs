// Replays: their state, their time, and requests.
import assert from 'node:assert/strict';
import test from 'node:test';
import { loadCommands } from '../connection/commands-loader.js';
import { ProtocolError } from '../index.js';
import { WELCOME, live } from './fake-server.mjs';

await loadCommands(); // commands are then sent at once

const TOLD = { id: 7, file: 'take.mcap', duration: 60, state: 'playing', time: 10, at: 5_000_000, speed: 2,
  loop: false, from: 0, until: 60 };
const say = (world, replays, more = {}) => world.say({ type: 'replaying', space: 'lobby', replays, ...more });
const asked = (world) => world.sent('replay');

test('a replay is reported and stays the same object', () => {
  const { world, client } = live();
  let changes = 0;
  client.on('replays', () => changes++);
  say(world, [{ ...TOLD, markers: [{ time: 4, text: 'a bow' }] }]);
  const [replay] = client.replays.list;
  assert.deepEqual([replay.id, replay.file, replay.markers], [7, 'take.mcap', [{ time: 4, text: 'a bow' }]]);
  say(world, [{ ...TOLD, state: 'paused' }]);
  assert.equal(client.replays.get(7), replay);
  assert.equal(replay.state, 'paused');
  // Without markers in the message, the earlier markers stay.
  assert.equal(replay.markers.length, 1);
  say(world, []);
  assert.deepEqual(client.replays.list, []);
  assert.equal(changes, 3);
});

test('the time advances with the speed and within the range between messages', () => {
  const { world, client } = live();
  const at = (told, seconds) => {
    say(world, [{ ...TOLD, ...told }]);
    return client.replays.get(7).time(5_000_000 + seconds * 1e6);
  };
  assert.equal(at({}, 3), 16);
  assert.equal(at({}, -3), 10);
  assert.equal(at({}, NaN), 10);
  assert.equal(at({}, 100), 60);
  assert.equal(at({ state: 'paused' }, 3), 10);
  assert.equal(at({ state: 'ended', time: 60 }, 3), 60);
  assert.equal(at({ loop: true, from: 8, until: 12 }, 2), 10); // 14 is 2 past the end
});

test('opening a recording returns its replay', async () => {
  const { world, client } = live();
  const opened = client.replays.open('take.mcap', { speed: 2, names: { walker: 'Ada' } });
  assert.deepEqual(asked(world), [{ type: 'replay', space: 'lobby', action: 'open', file: 'take.mcap', speed: 2,
    names: { walker: 'Ada' } }]);
  // Another's does not answer it.
  say(world, [{ ...TOLD, id: 6 }]);
  say(world, [{ ...TOLD, id: 6 }, TOLD], { answers: 'open', opened: 7 });
  assert.equal((await opened).id, 7);
});

test('sends only the last seek of a slider, at a limited rate', async () => {
  const { world, client } = live();
  say(world, [TOLD]);
  const replay = client.replays.get(7);
  const all = [1, 2, 3, 4].map((time) => client.replays.seek(replay, time));
  const loop = client.replays.setLoop(replay, true);
  assert.deepEqual(asked(world).map(({ time }) => time), [1]);
  say(world, [TOLD], { answers: 'seek' });
  assert.equal(asked(world).length, 1);
  world.pass(50);
  assert.deepEqual(asked(world).map(({ time }) => time), [1, 4]);
  say(world, [TOLD], { answers: 'seek' });
  world.pass(50);
  assert.deepEqual(asked(world).at(-1), { type: 'replay', space: 'lobby', action: 'loop', id: 7, loop: true });
  say(world, [TOLD], { answers: 'loop' });
  await Promise.all([...all, loop]);
});

test('lists the recordings', async () => {
  const { world, client } = live();
  const listed = client.replays.recordings();
  assert.deepEqual(asked(world), [{ type: 'replay', space: 'lobby', action: 'list' }]);
  say(world, [], { answers: 'list', recordings: [
    { file: 'take.mcap', space: 'lobby', duration: 61.25, bytes: 813544, changed: 1795276861 }, null, { file: 5 },
    { file: 'odd.mcap' }] });
  const [take, odd, ...rest] = await listed;
  assert.deepEqual(take, { file: 'take.mcap', space: 'lobby', duration: 61.25, bytes: 813544,
    changed: new Date('2026-11-21T16:01:01Z') });
  assert.deepEqual([odd.file, odd.space, odd.duration], ['odd.mcap', '', 0]);
  assert.deepEqual(rest, []);
  const none = client.replays.recordings();
  world.pass(50);
  say(world, [], { answers: 'list' });
  assert.deepEqual(await none, []);
});

test('rewind returns the name of the space', async () => {
  const { world, client } = live();
  const past = client.replays.rewind(10);
  assert.deepEqual(asked(world), [{ type: 'replay', space: 'lobby', action: 'rewind', seconds: 10 }]);
  say(world, [], { answers: 'rewind', past: 'lobby~3' });
  assert.equal(await past, 'lobby~3');
});

test('a refusal rejects, without an error event', async () => {
  const { world, client, log } = live();
  const bad = client.replays.open('nothing.mcap');
  world.say({ type: 'error', code: 'cannot-replay', message: 'No such file or directory', ref: 'replay' });
  await assert.rejects(bad, (error) => error instanceof ProtocolError && error.code === 'cannot-replay');
  assert.equal(log.filter((entry) => entry instanceof Error).length, 0);
});

test('a lost connection rejects the request in progress and keeps the others', async () => {
  const { world, client } = live();
  say(world, [TOLD]);
  const replay = client.replays.get(7);
  const pause = client.replays.pause(replay);
  const play = client.replays.play(replay);
  world.drop();
  await assert.rejects(pause, (error) => error.code === 'lost');
  world.pass(1000);
  world.open();
  assert.deepEqual(client.replays.list, []);
  world.say(WELCOME);
  assert.deepEqual(asked(world).map(({ action }) => action), ['play']);
  say(world, [TOLD], { answers: 'play' });
  await play;
});

test('tolerates invalid messages of a server', () => {
  const { world, client } = live();
  world.say({ type: 'replaying', space: 'lobby' });
  say(world, [null, 5, { id: 'x' }, { id: 3, duration: 'long', markers: [null, { time: 'now' }], speed: {} }]);
  const [replay] = client.replays.list;
  assert.deepEqual([replay.id, replay.duration, replay.speed, replay.markers], [3, 0, 1, []]);
  assert.equal(replay.time(1e6), 0);
});

test('closing the client rejects all requests', async () => {
  const { client } = live();
  const opened = client.replays.open('take.mcap');
  client.close();
  await assert.rejects(opened, (error) => error.code === 'lost');
  await assert.rejects(client.replays.open('take.mcap'), (error) => error.code === 'closed');
});
