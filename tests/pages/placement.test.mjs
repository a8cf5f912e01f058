// Places of labels and of bodies: over no other label, no control and no border, also in a crowd; the more
// important label wins.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parkMiller } from '../../clients/js/test/random.mjs';

const { placeLabels } = await import(path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../clients/web/placement.js'));
const { freePart } = await import(path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../clients/web/controls/places.js'));
const PICTURE = { width: 800, height: 500 };
const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

test('a single label stands above its point, in the middle', () => {
  assert.deepEqual(placeLabels([{ x: 400, y: 200, width: 60, height: 20 }], [], PICTURE),
    [{ left: 370, right: 430, top: 174, bottom: 194, step: 0 }]);
});

test('no label covers another one or a control, or leaves the picture', () => {
  const random = parkMiller(7);
  const controls = [{ left: 0, top: 0, right: 800, bottom: 60 }, { left: 0, top: 60, right: 150, bottom: 400 },
    { left: 0, top: 440, right: 800, bottom: 500 }];
  for (let round = 0; round < 200; round++) {
    const labels = Array.from({ length: 40 }, () => ({ x: 800 * random(), y: 500 * random(), width: 30 + 120 * random(), height: 22 }));
    const places = placeLabels(labels, controls, PICTURE);
    const placed = places.filter(Boolean);
    assert.ok(placed.length > 5);
    for (const [i, place] of placed.entries()) {
      assert.ok(place.left >= 0 && place.right <= 800 && place.top >= 0 && place.bottom <= 500);
      for (const other of [...controls, ...placed.slice(i + 1)])
        assert.ok(!overlap(place, other));
    }
  }
});

test('the first of two labels at one point keeps its place; a third finds one beside', () => {
  const label = { x: 400, y: 200, width: 60, height: 20 };
  const [first, second, third] = placeLabels([label, label, label], [], PICTURE);
  assert.equal(first.step, 0);
  assert.ok(second.step > 0 && third.step > 0);
});

test('a label keeps its last place while that is free', () => {
  const label = { x: 400, y: 200, width: 60, height: 20, last: 4 };
  assert.equal(placeLabels([label], [], PICTURE)[0].step, 4);
});

test('a label without a free place has none', () => {
  const wall = { left: 0, top: 0, right: 800, bottom: 500 };
  assert.deepEqual(placeLabels([{ x: 400, y: 200, width: 60, height: 20 }], [wall], PICTURE), [null]);
});

test('the part of the picture that is free for bodies is all of it, unless a control covers them', () => {
  const all = { left: 0, right: 800, top: 0, bottom: 500 };
  const list = { left: 0, right: 200, top: 60, bottom: 450 };
  const readout = { left: 0, right: 400, top: 440, bottom: 490 };
  assert.deepEqual(freePart([], PICTURE, 2), all);
  assert.deepEqual(freePart([list, readout], PICTURE, 0.5), { ...all, bottom: 432 }, 'a high body is above the statistics');
  assert.deepEqual(freePart([list, readout], PICTURE, 3), { ...all, left: 208 }, 'a row of bodies is beside the list');
  assert.deepEqual(freePart([{ left: 0, right: 800, top: 100, bottom: 400 }], PICTURE, 2), all, 'no part is large enough');
  const random = parkMiller(11);
  for (let i = 0; i < 500; i++) {
    const top = 400 * random();
    const control = { left: 0, right: 50 + 250 * random(), top, bottom: top + 100 * random() };
    const aspect = 0.3 + 4 * random();
    const free = freePart([control], PICTURE, aspect);
    const [width, height] = [free.right - free.left, free.bottom - free.top];
    assert.ok(free.left >= 0 && free.right <= 800 && free.top >= 0 && free.bottom <= 500 && width >= 320 && height >= 200);
    const tall = Math.min(height, width / aspect);
    const [x, y] = [(free.left + free.right) / 2, (free.top + free.bottom) / 2];
    assert.ok(!overlap(control, { left: x - aspect * tall / 2, right: x + aspect * tall / 2, top: y - tall / 2, bottom: y + tall / 2 }));
  }
});
