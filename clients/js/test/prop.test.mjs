// Props of a space: seats and handles in the space, and messages about them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Prop, ProtocolError } from '../index.js';
import { live } from './fake-server.mjs';

const CHAIR = { name: 'chair', placement: { position: [1, 0, 2], yaw: Math.PI / 2 }, descriptor: {
  nodes: [{ name: 'seat', translation: [0, 0.45, 0.2] }], bones: {},
  virtualTransforms: [{ name: 'sit', parent: 0, tags: ['seating'] }] } };
const near = (a, b) => a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) < 1e-6, `${a}, not ${b}`));

test('a prop places its virtual transforms in the space', () => {
  const prop = new Prop(CHAIR);
  // A quarter about Y: +Z of the prop leads along +X.
  near(prop.virtualTransform(0).translation, [1.2, 0.45, 2]);
  near(prop.virtualTransform(0).rotation, [0, Math.SQRT1_2, 0, Math.SQRT1_2]);
  const { position, yaw, seat } = prop.seat(0);
  near([...position, yaw, seat.height], [1.62, 0, 2, Math.PI / 2, 0.45]);
  near(prop.seat(0, 1.89).position, [2.04, 0, 2]);
});

test('a client replaces its props with each message of its space', async () => {
  const { world, client, log } = live();
  const seen = [];
  client.on('props', (props) => seen.push([...props.keys()]));
  const say = (...props) => {
    world.say({ type: 'props', space: 'lobby', props });
    return setImmediate(); // the module of props is loaded on demand
  };
  await say(CHAIR, { ...CHAIR, name: 'stool' });
  await say({ ...CHAIR, name: 'stool' });
  world.say({ type: 'props', space: 'attic', props: [CHAIR] });
  assert.deepEqual(seen, [['chair', 'stool'], ['stool']]);
  assert.deepEqual([...client.props.keys()], ['stool']);
  for (const wrong of [null, 7, {}, { ...CHAIR, name: 3 }, { ...CHAIR, placement: { position: [0, 0], yaw: 0 } },
    { ...CHAIR, placement: null }, { ...CHAIR, descriptor: { nodes: [] } }]) {
    await say(wrong);
    assert.ok(log.at(-1) instanceof ProtocolError, JSON.stringify(wrong));
    assert.deepEqual([...client.props.keys()], ['stool']);
    log.push('next');
  }
  world.say({ type: 'props', space: 'lobby', props: {} });
  await setImmediate();
  assert.ok(log.at(-1) instanceof ProtocolError);
  await say();
  assert.equal(client.props.size, 0);
});
