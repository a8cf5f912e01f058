// The session mode for bodies: both immersive modes are tested, VR is preferred.
import assert from 'node:assert/strict';
import test from 'node:test';
import { immersiveMode } from '../index.js';
import { FakeSystem } from './fake-xr.mjs';

test('VR where it is supported, AR where only AR is, null where neither is', async () => {
  for (const [modes, expected] of [[['immersive-vr', 'immersive-ar'], 'immersive-vr'], [['immersive-vr'], 'immersive-vr'],
    [['inline', 'immersive-ar'], 'immersive-ar'], [['inline'], null], [[], null]]) {
    const xr = new FakeSystem(modes);
    assert.equal(await immersiveMode(xr), expected);
    assert.deepEqual(xr.asked.sort(), ['immersive-ar', 'immersive-vr'], 'both are tested, inline is not');
  }
});

test('a mode whose test is refused counts as not supported', async () => {
  assert.equal(await immersiveMode(new FakeSystem(['immersive-ar'], ['immersive-vr'])), 'immersive-ar');
  assert.equal(await immersiveMode(new FakeSystem([], ['immersive-vr', 'immersive-ar'])), null);
});

test('null where there is no WebXR', async () => {
  assert.equal(await immersiveMode(undefined), null);
  assert.equal(await immersiveMode(null), null);
});
