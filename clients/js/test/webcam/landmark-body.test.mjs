// Landmarks of a computed humanoid become the joints from which they were computed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ABSENT, BodyFrame, ESTIMATED, TRACKED } from '../../body-frame.js';
import { angle, multiply } from '../../quat.js';
import { JOINTS } from '../../tables.js';
import { LandmarkBody } from '../../webcam/index.js';
import { LEFT, POSTURES, RIGHT, about, handOf, placesOf, seen, turnsOf } from './person.mjs';

const HEIGHT = 1.8;
const DEGREES = 180 / Math.PI;
const H = Math.SQRT1_2;
/** Orientations of joints in the T-pose: -Z along the bone, +Y up or ahead, written by hand. */
const REST = { trunk: [H, 0, 0, H], leg: [0, H, H, 0], foot: [0, 1, 0, 0], left: [0, -H, 0, H], right: [0, H, 0, H] };

const at = (name) => JOINTS.indexOf(name);
const restOf = (name) => (/^(hips|chest|head)$/.test(name) ? REST.trunk : /leg$/.test(name) ? REST.leg
  : /foot/.test(name) ? REST.foot : REST[name.split('-')[0]]);

/** The largest error of orientations, degrees, and its joint. */
function worstTurn(frame, turns) {
  return Object.entries(turns).filter(([name]) => frame.states[at(name)] !== ABSENT).map(([name, turn]) => ({ name,
    degrees: angle(multiply(turn, 0, restOf(name), 0, [0, 0, 0, 1], 0), 0, frame.rotations, 4 * at(name)) * DEGREES }))
    .reduce((a, b) => (b.degrees > a.degrees ? b : a));
}

const read = (landmarks, options = {}) => {
  const frame = new BodyFrame();
  const isThere = new LandmarkBody({ height: HEIGHT, ...options }).read(landmarks, frame);
  return { frame, isThere, state: (name) => frame.states[at(name)], place: (name) => [...frame.positions.slice(3 * at(name), 3 * at(name) + 3)] };
};

for (const [name, posture] of Object.entries(POSTURES))
  test(`exact landmarks give the turns from which they were computed: ${name}`, () => {
    const turns = turnsOf(posture);
    const points = placesOf(turns, HEIGHT);
    for (const [size, aside] of [[1, 0.4], [0.83, -1.1]]) {
      const { frame, place } = read(seen(points, { size, aside }));
      const worst = worstTurn(frame, turns);
      assert.ok(worst.degrees < 0.01, `${worst.name} is ${worst.degrees} degrees off`);
      // Places: those of the person, aside, the lowest sole at the floor.
      const floor = Math.min(...[LEFT, RIGHT].flatMap(({ heel, toe }) => [points[heel][1], points[toe][1]]));
      for (const [joint, landmark] of [['left-hand-wrist', LEFT.wrist], ['right-lower-leg', RIGHT.knee]])
        place(joint).forEach((x, i) => assert.ok(Math.abs(x - (points[landmark][i] + [aside, -floor, 0][i])) < 1e-3, `${joint} ${i}`));
    }
  });

test('landmarks of a camera with another lens still give the posture', () => {
  for (const lens of [40, 60])
    for (const [name, posture] of Object.entries(POSTURES)) {
      const turns = turnsOf(posture);
      const worst = worstTurn(read(seen(placesOf(turns, HEIGHT), { lens, aside: 0.4 })).frame, turns);
      assert.ok(worst.degrees < 10, `${name}, ${lens} degrees: ${worst.name} is ${worst.degrees} degrees off`);
    }
});

const UPRIGHT = turnsOf({ leftKnee: 0, rightKnee: 0, leftElbow: 0, rightElbow: 0, leftArm: about([0, 0, -1], 80), rightArm: about([0, 0, 1], 80) });

/** A reader that has measured an upright person. */
function calibrated() {
  const body = new LandmarkBody({ height: HEIGHT });
  body.calibrate();
  while (body.calibrating)
    body.read(seen(placesOf(UPRIGHT, HEIGHT)), new BodyFrame());
  return body;
}

test('exact landmarks stay exact with measured bones, at another distance too', () => {
  const body = calibrated();
  for (const posture of Object.values(POSTURES))
    for (const aside of [0, 0.7]) {
      const turns = turnsOf(posture);
      const frame = new BodyFrame();
      body.read(seen(placesOf(turns, HEIGHT), { aside }), frame);
      const worst = worstTurn(frame, turns);
      assert.ok(worst.degrees < 0.01, `${worst.name} is ${worst.degrees} degrees off`);
    }
});

test('measured bones correct depths that the model finds too flat', () => {
  const turns = turnsOf({ pelvis: about([0, 1, 0], 20), leftArm: about([0, 1, 0], -50), rightArm: about([0, 0, 1], 70), leftElbow: 20 });
  const landmarks = seen(placesOf(turns, HEIGHT));
  const { wrist, elbow } = LEFT;
  const flat = (share) => landmarks.world.map((p, i) => ([wrist, elbow].includes(i) ? { ...p, z: p.z * share } : p));
  const errorOf = (body) => {
    const frame = new BodyFrame();
    body.read({ ...landmarks, world: flat(0.6) }, frame);
    return worstTurn(frame, { 'left-arm-lower': turns['left-arm-lower'], 'left-arm-upper': turns['left-arm-upper'] }).degrees;
  };
  const [without, fitted] = [errorOf(new LandmarkBody({ height: HEIGHT })), errorOf(calibrated())];
  assert.ok(fitted < without / 2, `${fitted} instead of ${without} degrees`);
});

test('straight arms and legs have the roll of the trunk', () => {
  const turns = turnsOf({ leftElbow: 0, rightElbow: 0, leftKnee: 0, rightKnee: 0, leftArm: about([0, 0, -1], 75), rightArm: about([0, 0, 1], 75) });
  assert.ok(worstTurn(read(seen(placesOf(turns, HEIGHT))).frame, turns).degrees < 0.01);
});

test('fingers bend as their landmarks do', () => {
  const turns = turnsOf(POSTURES['elbows and knees bent']);
  const frame = new BodyFrame();
  const left = handOf(turns['left-hand-wrist'], LEFT, 30);
  const right = handOf(turns['right-hand-wrist'], RIGHT, 30);
  new LandmarkBody({ height: HEIGHT }).read({ ...seen(placesOf(turns, HEIGHT)), left, right }, frame);
  for (const side of [LEFT, RIGHT]) {
    let bend = 30;
    for (const part of ['proximal', 'intermediate', 'distal']) {
      const turn = multiply(turns[`${side.name}-hand-wrist`], 0, about([0, 0, -side.sign], bend), 0, [0, 0, 0, 1], 0);
      const error = worstTurn(frame, { [`${side.name}-hand-middle-phalanx-${part}`]: turn });
      assert.ok(error.degrees < 0.01, `${error.name} is ${error.degrees} degrees off`);
      bend += 30;
    }
  }
});

test('a tilted camera is measured while the person is upright', () => {
  const standing = turnsOf({ leftKnee: 4, rightKnee: 4, leftArm: about([0, 0, -1], 70), rightArm: about([0, 0, 1], 70) });
  const body = new LandmarkBody({ height: HEIGHT });
  const frame = new BodyFrame();
  body.calibrate();
  for (let i = 0; i < 40; i++)
    body.read(seen(placesOf(standing, HEIGHT), { tilt: 20 }), frame);
  assert.equal(body.calibrating, false);
  const turns = turnsOf(POSTURES['a step with turned palms']);
  body.read(seen(placesOf(turns, HEIGHT), { tilt: 20 }), frame);
  const { head, ...others } = turns;
  const worst = worstTurn(frame, others);
  assert.ok(worst.degrees < 1.5, `${worst.name} is ${worst.degrees} degrees off`); // the bent knees of the calibration
});

test('states follow the visibility of landmarks', () => {
  const points = placesOf(turnsOf({}), HEIGHT);
  const without = (...hidden) => read(seen(points, { visibility: (i) => (hidden.includes(i) ? 0.1 : i === LEFT.elbow ? 0.5 : 0.9) }));
  const { state } = without(RIGHT.wrist, RIGHT.knee);
  assert.equal(state('right-arm-upper'), TRACKED);
  assert.equal(state('right-arm-lower'), ABSENT);
  assert.equal(state('right-hand-wrist'), ABSENT);
  assert.equal(state('left-arm-upper'), ESTIMATED);
  assert.equal(state('left-arm-lower'), ESTIMATED);
  assert.equal(state('right-upper-leg'), ABSENT);
  assert.equal(state('left-upper-leg'), TRACKED);
  assert.equal(without(LEFT.hip).state('hips'), ESTIMATED);
});

test('a sitting person whose legs are hidden sits', () => {
  const legs = [LEFT, RIGHT].flatMap(({ hip, knee, ankle, heel, toe }) => [hip, knee, ankle, heel, toe]);
  const turns = turnsOf({ pelvis: about([0, 1, 0], 15), twist: 0 });
  const { frame, state, place } = read(seen(placesOf(turns, HEIGHT), { visibility: (i) => (legs.includes(i) ? 0.05 : 0.95) }), { seated: true });
  for (const name of ['hips', 'left-upper-leg', 'right-lower-leg', 'left-foot-ankle'])
    assert.equal(state(name), ESTIMATED, name);
  const [, knee, ahead] = place('left-lower-leg');
  const [, hip, behind] = place('left-upper-leg');
  assert.ok(Math.abs(knee - hip) < 0.01 && ahead - behind > 0.35, 'the thigh is level');
  assert.ok(Math.abs(place('left-foot-ankle')[1] - 0.039 * HEIGHT) < 0.01, 'the foot stands on the floor');
  const arms = Object.fromEntries(Object.entries(turns).filter(([name]) => /arm|wrist|chest|hips/.test(name)));
  assert.ok(worstTurn(frame, arms).degrees < 0.01);
});

test('nobody and broken landmarks give an absent body', () => {
  const points = placesOf(turnsOf({}), HEIGHT);
  const one = seen(points);
  for (const landmarks of [{ world: null }, { world: [] }, { ...one, world: one.world.map((p) => ({ ...p, y: NaN })) },
    seen(points, { visibility: () => 0 })]) {
    const { frame, isThere } = read(landmarks);
    assert.equal(isThere, false);
    assert.ok(frame.states.every((state) => state === ABSENT));
  }
  // All points in one place are no person, but no crash either, and nothing that cannot be sent.
  const { frame } = read({ ...one, world: one.world.map(() => ({ x: 0, y: 0, z: 0 })), left: Array(21).fill({ x: 0, y: 0, z: 0 }) });
  assert.ok(frame.encode().length > 0);
  assert.throws(() => new LandmarkBody({ height: 9 }), RangeError);
});
