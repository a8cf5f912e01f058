// Expressions of an avatar from the values of a body: names in both spellings, and no movement twice.
import assert from 'node:assert/strict';
import test from 'node:test';
import { VrmExpressions } from '../face/expressions.js';
import { FACE_PRESETS, FACE_SHAPES } from '../face/face-table.js';

/** The values of an avatar with these expressions. */
function shown(names, values) {
  const weights = {};
  const manager = { setValue: (name, weight) => { weights[name] = weight; },
    getExpression: (name) => (names.includes(name) ? {} : null) };
  const expressions = new VrmExpressions(manager);
  expressions.show(values);
  return weights;
}

const near = (weights, wanted) => {
  assert.deepEqual(Object.keys(weights).sort(), Object.keys(wanted).sort());
  for (const [name, weight] of Object.entries(wanted)) {
    assert.ok(Math.abs(weights[name] - weight) < 1e-9, `${name}: ${weights[name]} and not ${weight}`);
  }
};

const face = (more) => ({ ...Object.fromEntries([...FACE_SHAPES, ...Object.keys(FACE_PRESETS)].map((name) => [name, 0])), ...more });

test('an avatar gets the expressions that it has', () => {
  near(shown(['happy', 'BrowDownLeft'], { happy: 0.5, sad: 0.25, browDownLeft: 0.75 }), { happy: 0.5, BrowDownLeft: 0.75 });
});

test('a manager that cannot tell its expressions gets all of them', () => {
  const weights = {};
  new VrmExpressions({ setValue: (name, weight) => { weights[name] = weight; } }).show({ happy: 0.5, sad: 0.25 });
  assert.deepEqual(weights, { happy: 0.5, sad: 0.25 });
});

test('a preset that the shapes of the avatar show is left out', () => {
  const values = face({ mouthSmileLeft: 0.6, mouthSmileRight: 0.4, happy: 0.5 });
  near(shown(['happy'], values), { happy: 0.5 });
  near(shown(['happy', 'mouthSmileLeft'], values), { happy: 0.5, mouthSmileLeft: 0.6 });
  near(shown(['happy', 'mouthSmileLeft', 'mouthSmileRight'], values), { happy: 0, mouthSmileLeft: 0.6, mouthSmileRight: 0.4 });
});

test('a preset that a sender adds to the shapes is shown beyond them', () => {
  const names = ['happy', 'mouthSmileLeft', 'mouthSmileRight'];
  near(shown(names, face({ mouthSmileLeft: 0.2, mouthSmileRight: 0.2, happy: 1 })), { happy: 0.8, mouthSmileLeft: 0.2, mouthSmileRight: 0.2 });
  near(shown(names, face({ happy: 1 })), { happy: 1, mouthSmileLeft: 0, mouthSmileRight: 0 });
});

test('a body without shapes shows its presets on any avatar', () => {
  near(shown(['blink', ...FACE_SHAPES], { blink: 1 }), { blink: 1 });
});

test('presets of presets: one eye of two that close is explained by both', () => {
  const names = ['blink', 'blinkLeft', 'eyeBlinkLeft', 'eyeBlinkRight'];
  near(shown(names, face({ eyeBlinkLeft: 0.9, eyeBlinkRight: 0.4, blink: 0.4, blinkLeft: 0.5 })),
    { blink: 0, blinkLeft: 0, eyeBlinkLeft: 0.9, eyeBlinkRight: 0.4 });
});
