// The module of the commands cannot be loaded at first: what waits for it fails, and later commands load it.
import assert from 'node:assert/strict';
import { register } from 'node:module';
import test from 'node:test';
import { until } from '../../../../tests/e2e/support/until.mjs';
import { live } from '../fake-server.mjs';

/** So many times the module is not found. */
const FAILURES = 2;
register(`data:text/javascript,${encodeURIComponent(`let left = ${FAILURES};
export async function resolve(name, context, next) {
  if (name === './commands.js' && left-- > 0)
    throw new Error('not found');
  return next(name, context);
}`)}`);

const PLAYING = { id: 7, file: 'take.mcap', duration: 60, state: 'playing', time: 10, at: 0, speed: 1, loop: false, from: 0, until: 60 };

test('without their module commands and messages fail, until it can be loaded', async () => {
  const { world, client, log } = live();
  const errors = () => log.filter((entry) => entry instanceof Error).map(({ code }) => code);
  const failed = { code: 'unreachable', message: 'a module of jointcast cannot be loaded', remedy: 'Check the network.' };
  const calls = [client.moderation.hide({ name: 'a' }), client.registeredSkeletons()];
  for (const { status, reason } of await Promise.allSettled(calls)) {
    assert.equal(status, 'rejected');
    assert.deepEqual({ ...failed, ...reason }, { ...reason, ...failed });
    assert.match(reason.cause.message, /not found/);
  }
  assert.deepEqual([world.sent('moderate'), errors()], [[], []]);

  const say = (state) => world.say({ type: 'replaying', space: 'lobby', replays: [{ ...PLAYING, state }] });
  say('playing');
  await until('the client reports it', () => errors().length > 0);
  assert.deepEqual([errors(), client.state, client.replays.list], [['unreachable'], 'live', []]);

  say('paused');
  await until('the next message counts', () => client.replays.list.length > 0);
  assert.equal(client.replays.list[0].state, 'paused', 'the message that failed is gone');
  client.moderation.hide({ name: 'a' }).catch(() => {}); // nobody answers
  assert.equal(world.sent('moderate').length, 1);
  assert.deepEqual(errors(), ['unreachable']);
  client.close();
});
