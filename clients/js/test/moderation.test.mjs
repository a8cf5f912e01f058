// Moderation requests, their answers, and their effect on the affected client.
import assert from 'node:assert/strict';
import test from 'node:test';
import { loadCommands } from '../connection/commands-loader.js';
import { body, live } from './fake-server.mjs';

await loadCommands(); // commands are then sent at once

const answer = (action, more) => ({ type: 'moderated', space: 'lobby', action, concerned: 1, ...more });

const HASH = 'a'.repeat(64);

test('requests name a body, a subject, an address or a name, and are answered in order', async () => {
  const { world, client } = live();
  const { moderation } = client;
  const ban = moderation.ban(client.bodies.get(1), { seconds: 60, reason: 'spam' });
  const kick = moderation.kick({ address: '192.0.2.1' }, { seconds: 5 });
  const hide = moderation.hide({ name: 'walker' });
  const list = moderation.list();
  const lifted = [moderation.show({ name: 'walker' }), moderation.mute({ subject: 'a' }), moderation.unmute({ subject: 'a' }),
    moderation.unban({ subject: 'a' }), moderation.block(client.bodies.get(1), { reason: 'tall' }), moderation.unblock({ avatar: HASH })];
  const order = (rest) => ({ type: 'moderate', space: 'lobby', ...rest });
  assert.deepEqual(world.sent('moderate'), [
    order({ action: 'ban', body: 1, seconds: 60, reason: 'spam' }), order({ action: 'kick', address: '192.0.2.1' }),
    order({ action: 'hide', name: 'walker' }), order({ action: 'list' }), order({ action: 'show', name: 'walker' }),
    order({ action: 'mute', subject: 'a' }), order({ action: 'unmute', subject: 'a' }), order({ action: 'unban', subject: 'a' }),
    order({ action: 'block', body: 1, reason: 'tall' }), order({ action: 'unblock', avatar: HASH })]);
  world.say(answer('ban', { body: 1, subject: 'eve', until: 99 }));
  world.say({ type: 'error', code: 'not-allowed', message: 'no', ref: 'moderate' });
  world.say(answer('hide', { name: 'walker' }));
  world.say({ type: 'sanctions', space: 'lobby', sanctions: [{ kind: 'ban', subject: 'eve', by: 'subject mia', since: 1 }] });
  for (const action of ['show', 'mute', 'unmute', 'unban', 'block', 'unblock']) {
    world.say(answer(action));
  }
  assert.equal((await ban).subject, 'eve');
  await assert.rejects(kick, { code: 'not-allowed' });
  assert.equal((await hide).name, 'walker');
  assert.deepEqual((await list).map(({ subject }) => subject), ['eve']);
  assert.deepEqual((await Promise.all(lifted)).map(({ action }) => action), ['show', 'mute', 'unmute', 'unban', 'block', 'unblock']);
});

test('answers in another order reach the action whose request they repeat', async () => {
  const { world, client } = live();
  const [first, second, third] = ['a', 'b', 'c'].map((subject) => client.moderation.mute({ subject }));
  const [one, two, three] = world.socket.requests.slice(-3);
  world.say(answer('mute', { subject: 'c', request: three }));
  world.say({ type: 'error', code: 'too-many', message: 'no', ref: 'moderate', request: one });
  world.say(answer('mute', { subject: 'b', request: two }));
  await assert.rejects(first, { code: 'too-many' });
  assert.deepEqual([(await second).subject, (await third).subject], ['b', 'c']);
});

test('an administrator limits and closes a space, and receives the answer before leaving', async () => {
  const { world, client } = live();
  const limit = client.moderation.limit({ bodies: 8 });
  const close = client.moderation.close();
  const refused = client.moderation.limit({ subscribers: 0 });
  assert.deepEqual(world.sent('administer').map(({ action, bodies }) => [action, bodies]),
    [['limit', 8], ['close', undefined], ['limit', undefined]]);
  world.say({ type: 'administered', space: 'lobby', action: 'limit', bodies: 8, subscribers: 16 });
  world.say({ type: 'administered', space: 'lobby', action: 'close', bodies: 8, subscribers: 16 });
  world.say({ type: 'error', code: 'bad-field', message: 'no', ref: 'administer' });
  world.say({ type: 'moderated', space: 'lobby', action: 'close' });
  assert.equal((await limit).subscribers, 16);
  assert.equal((await close).action, 'close');
  await assert.rejects(refused, { code: 'bad-field' });
  assert.equal(client.state, 'closed');
});

test('an administrator is answered while a moderation request waits for the disk', async () => {
  const { world, client } = live();
  const ban = client.moderation.ban({ subject: 'eve' });
  const limit = client.moderation.limit({ bodies: 8 });
  const refused = client.moderation.limit({ bodies: 0 });
  world.say({ type: 'administered', space: 'lobby', action: 'limit', bodies: 8, subscribers: 16 });
  world.say({ type: 'error', code: 'bad-field', message: 'no', ref: 'administer' });
  world.say(answer('ban', { subject: 'eve', stored: false }));
  assert.equal((await limit).type, 'administered');
  await assert.rejects(refused, { code: 'bad-field' });
  assert.deepEqual(await ban, answer('ban', { subject: 'eve', stored: false }));
});

test('rejects requests without a connection and after a lost connection', async () => {
  const { world, client } = live();
  const kick = client.moderation.kick({ subject: 'a' });
  world.drop();
  await assert.rejects(kick, { code: 'lost' });
  await assert.rejects(client.moderation.list(), { code: 'lost' });
});

test('a muted client is notified and stays; a kicked client is notified and closed', () => {
  const { world, client } = live();
  const told = [];
  const publication = client.publish({ name: 'Ada', kind: 'poses' });
  client.on('moderated', (event) => told.push(event));
  world.say({ type: 'moderated', space: 'lobby', action: 'mute', body: 1, until: 5 });
  assert.equal(client.state, 'live');
  world.say({ type: 'moderated', space: 'attic', action: 'kick' });
  assert.equal(client.state, 'live', 'another space');
  world.say({ type: 'moderated', space: 'lobby', action: 'kick', reason: 'spam' });
  assert.equal(client.state, 'closed');
  assert.equal(publication.state, 'closed');
  assert.deepEqual(told.map(({ action, until, reason }) => [action, until, reason]),
    [['mute', 5, undefined], ['kick', undefined, undefined], ['kick', undefined, 'spam']]);
});

test('a banned client does not reconnect', () => {
  const { world, client, log } = live();
  world.say({ type: 'error', code: 'banned', message: 'out', ref: 'publish' });
  assert.equal(client.state, 'live', 'elsewhere');
  world.say({ type: 'error', code: 'banned', message: 'out', ref: 'join', until: 9 });
  assert.equal(client.state, 'closed');
  assert.deepEqual(log.filter(({ code }) => code).map(({ code }) => code), ['banned', 'banned']);
});

test('a hidden body leaves, and enters again when it is shown', () => {
  const { world, client, log } = live();
  log.length = 0;
  world.say({ type: 'roster', space: 'lobby', revision: 5, changed: [body(1, { hidden: true })] });
  assert.equal(client.bodies.get(1).hidden, true);
  world.say({ type: 'roster', space: 'lobby', revision: 6, changed: [body(1, { hidden: true, name: 'x' })] });
  world.say({ type: 'roster', space: 'lobby', revision: 7, changed: [body(1)] });
  assert.deepEqual(log, ['leave 1', 'enter 1']);
});

test('other fields of a roster entry are available as plain text', () => {
  const { world, client } = live();
  const said = { display: '<b>Ada</b>', meta: { team: 'blue', score: 3 }, muted: true, mayRecord: true, mayRebroadcast: true };
  world.say({ type: 'roster', space: 'lobby', revision: 5, changed: [body(1, said)] });
  const { display, meta, muted, mayRecord, mayRebroadcast } = client.bodies.get(1);
  assert.deepEqual({ display, meta, muted, mayRecord, mayRebroadcast }, said);
  const other = client.bodies.get(2);
  assert.deepEqual([other.display, other.meta, other.hidden, other.muted, other.mayRecord], ['', {}, false, false, false]);
  for (const bad of [{ display: 3 }, { meta: 'x' }, { meta: null }]) {
    world.say({ type: 'roster', space: 'lobby', revision: 6, changed: [body(1, bad)] });
    assert.equal(client.bodies.get(1).display, '<b>Ada</b>');
  }
});

test('a moderator places a body, and a renewed token is sent', () => {
  const { world, client } = live();
  const renewed = [];
  client.on('renewed', ({ expires }) => renewed.push(expires));
  client.place(client.bodies.get(2), { position: [1, 0, 2], yaw: 0.5, teleport: true });
  assert.deepEqual(world.sent('place'), [{ type: 'place', space: 'lobby', body: 2, position: [1, 0, 2], yaw: 0.5, teleport: true }]);
  client.renew('abc');
  world.say({ type: 'renewed', expires: 77 });
  assert.deepEqual([world.sent('token')[0].token, renewed], ['abc', [77]]);
});
