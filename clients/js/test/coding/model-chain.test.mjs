// Coding 3 against the golden vectors, number by number: its chains keep the state of the encoder.
import assert from 'node:assert/strict';
import test from 'node:test';
import { BONES, ChainDecoder, loadModelChains } from '../../index.js';
import { fromHex, golden } from '../golden.mjs';

const start = (vector) => {
  const chain = new ChainDecoder(vector.section);
  chain.readRejoin(fromHex(vector.steps.find((step) => step.do === 'rejoin').hex), 0, undefined, 3);
  return chain;
};

test('a chain of coding 3 is refused until its numbers are loaded', async () => {
  const [vector] = golden('model-chains.json');
  assert.throws(() => start(vector), { code: 'unsupported' });
  await loadModelChains();
  assert.ok(start(vector).started);
});

for (const vector of golden('model-chains.json')) {
  test(`coding 3 follows ${vector.name}`, async () => {
    await loadModelChains();
    const chain = new ChainDecoder(vector.section);
    vector.steps.forEach((step, i) => {
      const what = `step ${i}, ${step.do}`;
      if (step.do === 'rejoin') {
        const before = chain.started ? [...chain.state] : null;
        chain.readRejoin(fromHex(step.hex), 0, undefined, 3);
        assert.deepEqual([...chain.state], before ?? [...chain.state], what);
      } else if (chain.started && step.do === 'frame') {
        chain.decode(fromHex(step.hex));
      } else if (chain.started && step.do === 'hold') {
        chain.hold();
      }
      if (!chain.started || !step.state) {
        return;
      }
      assert.deepEqual([...chain.state.subarray(0, 12 * chain.count)], step.state.flat(), what);
      const turns = chain.rotations(new Float32Array(4 * BONES.length));
      for (const [name, q] of Object.entries(step.shown).filter(([each]) => BONES.includes(each) && vector.section !== 'hips')) {
        const at = 4 * BONES.indexOf(name);
        assert.deepEqual(Array.from(turns.subarray(at, at + 4), (v) => v + 0), q, `${what}: ${name}`);
      }
    });
  });
}
