// Reading WebXR frames into body frames.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ABSENT, BodyFrame, ESTIMATED, TRACKED } from '../body-frame.js';
import { JOINTS } from '../tables.js';
import { XrBodyReader } from '../xr-body.js';
import { FakeFrame, FakeSession, HAND_NAMES, positionOf, rotationOf, space, turn, wholeBody }
  from './fake-xr.mjs';

const FLOOR = {};
const joint = (name) => {
  assert.ok(JOINTS.includes(name), name);
  return JOINTS.indexOf(name);
};

/** A frame of before: nothing of it may stay. */
function usedFrame() {
  const frame = new BodyFrame();
  frame.positions.fill(7);
  frame.rotations.fill(7);
  frame.states.fill(TRACKED);
  return frame;
}

/** Reads one frame with a new reader. */
function read(frame, profile = 'webxr-spec', reader = new XrBodyReader(profile)) {
  const out = usedFrame();
  const any = reader.read(frame, FLOOR, out);
  return { any, reader, states: [...out.states],
    position: (name) => [...out.positions.subarray(3 * joint(name), 3 * joint(name) + 3)],
    rotation: (name) => [...out.rotations.subarray(4 * joint(name), 4 * joint(name) + 4)] };
}

function near(actual, expected, what, tolerance = 1e-6) {
  actual.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) <= tolerance,
    `${what}: ${actual} instead of ${expected}`));
}

/** The same rotation, whichever of its two signs. */
function sameTurn(actual, expected, what, tolerance = 1e-6) {
  const dot = actual.reduce((sum, x, i) => sum + x * expected[i], 0);
  near(actual.map((x) => x * Math.sign(dot)), expected, what, tolerance);
}

function assertWhole({ states, position, rotation, reader }) {
  assert.deepEqual(states, Array(83).fill(TRACKED));
  assert.equal(reader.kind, 'body');
  assert.equal(reader.joints, 83);
  JOINTS.forEach((name, j) => {
    near(position(name), positionOf(j), `position of ${name}`);
    sameTurn(rotation(name), rotationOf(j), `rotation of ${name}`);
  });
}

for (const bulk of [true, false]) {
  const how = bulk ? 'fillPoses' : 'getPose';
  const frameOf = (body, more) => new FakeFrame(new FakeSession(), { body, bulk, ...more });

  test(`reads a whole body with ${how}`, () => {
    assertWhole(read(frameOf(wholeBody())));
  });

  test(`84 entries in any order are mapped by name, with ${how}`, () => {
    const entries = [...wholeBody()].reverse();
    entries.splice(40, 0, ['root', space([9, 9, 9])], ['third-eye', space([8, 8, 8])]);
    assertWhole(read(frameOf(new Map(entries))));
  });

  for (const odd of ['phalanx-metacarpal', 'metacarpal'])
    test(`the joint of two spellings is known as middle-${odd} on both hands, with ${how}`, () => {
      const body = wholeBody((name) => name.replace(/hand-middle-(phalanx-)?metacarpal/,
        `hand-middle-${odd}`));
      assert.ok(body.has(`left-hand-middle-${odd}`) && body.has(`right-hand-middle-${odd}`));
      assertWhole(read(frameOf(body)));
    });

  test(`only joints without a pose are absent, with ${how}`, () => {
    const body = wholeBody();
    for (const name of ['left-foot-ball', 'head'])
      body.get(name).at = null;
    body.get('neck').at.position = [0, NaN, 0];
    body.get('chest').at.rotation = [0, 0, 0, NaN];
    body.get('left-foot-ankle').at.position = [1e5, 0, 0];
    const { states, position, reader } = read(frameOf(body));
    for (const name of ['left-foot-ball', 'left-foot-ankle', 'head', 'neck', 'chest'])
      assert.equal(states[joint(name)], ABSENT, name);
    assert.equal(reader.joints, 78);
    near(position('hips'), positionOf(0), 'hips');
  });

  test(`a body without poses counts as absent, with ${how}`, () => {
    const body = wholeBody();
    body.forEach((at) => { at.at = null; });
    const { any, reader, states } = read(frameOf(body));
    assert.equal(any, false);
    assert.equal(reader.kind, null);
    assert.deepEqual(states, Array(83).fill(ABSENT));
  });

  test(`emulated positions are estimated, with ${how}`, () => {
    const body = wholeBody();
    body.forEach((at) => { at.at.emulatedPosition = true; });
    assert.deepEqual(read(frameOf(body)).states, Array(83).fill(ESTIMATED));
  });
}

test('distinguishes one emulated joint when poses are read one by one', () => {
  const body = wholeBody();
  body.get('left-foot-ball').at.emulatedPosition = true;
  const { states } = read(new FakeFrame(new FakeSession(), { body, bulk: false }));
  assert.equal(states[joint('left-foot-ball')], ESTIMATED);
  assert.equal(states.filter((state) => state === TRACKED).length, 82);
});

test('fillPoses with missing poses gives no earlier poses', () => {
  const reader = new XrBodyReader('webxr-spec');
  const body = wholeBody();
  assert.equal(read(new FakeFrame(new FakeSession(), { body }), '', reader).any, true);
  const lazy = new FakeFrame(new FakeSession(), { body });
  lazy.fillPoses = () => false;
  assert.equal(read(lazy, '', reader).any, false);
});

test('matrices of zeros count as missing poses', () => {
  const frame = new FakeFrame(new FakeSession(), { body: wholeBody() });
  frame.fillPoses = (spaces, base, out) => { out.fill(0); };
  assert.equal(read(frame).any, false);
});

test('ignores an invalid rotation', () => {
  const body = wholeBody();
  body.get('head').at.rotation = [0, 0, 0, 0];
  const frame = new FakeFrame(new FakeSession(), { body, bulk: false });
  assert.equal(read(frame).states[joint('head')], ABSENT);
});

test('reuses its arrays in each frame', () => {
  const reader = new XrBodyReader('meta');
  const seen = new Set();
  const body = wholeBody();
  for (let i = 0; i < 5; i++) {
    const frame = new FakeFrame(new FakeSession(), { body });
    const { fillPoses } = frame;
    frame.fillPoses = (spaces, base, out) => {
      seen.add(spaces).add(out);
      return fillPoses.call(frame, spaces, base, out);
    };
    read(frame, '', reader);
    assert.deepEqual(frame.calls, { getPose: 1, fillPoses: 1 });
  }
  assert.equal(seen.size, 2);
});

test('a session with another body discards cached spaces', () => {
  const reader = new XrBodyReader('webxr-spec');
  read(new FakeFrame(new FakeSession(), { body: wholeBody() }), '', reader);
  const other = wholeBody();
  other.get('head').at.position = [1, 2, 3];
  near(read(new FakeFrame(new FakeSession(), { body: other }), '', reader).position('head'),
    [1, 2, 3], 'head');
});

// A T-pose: arms along X, palms down. In the draft's axes -Z is along the fingers, +Y is up.
const T_POSE = { left: turn(0, 1, 0, -Math.PI / 2), right: turn(0, 1, 0, Math.PI / 2) };

/** The hand of an XRInputSource: every joint of it at a place of its own. */
function handOf(side) {
  return new Map(HAND_NAMES.map((name, i) => [name,
    space([side === 'left' ? 0.7 : -0.7, 1.4, 0.01 * i], T_POSE[side])]));
}

function sessionWithHands(...sides) {
  const session = new FakeSession();
  session.inputSources = sides.map((side) => ({ handedness: side, hand: handOf(side),
    gripSpace: space([5, 5, 5]) }));
  return session;
}

const VIEWER = space([0, 1.63, 0]);
const FINGERS = ['thumb', 'index', 'middle', 'ring', 'little'];

for (const bulk of [true, false])
  test(`hands alone: 25 joints each, and the head, ${bulk ? 'fillPoses' : 'getJointPose'}`, () => {
    const frame = new FakeFrame(sessionWithHands('left', 'right'), { viewer: VIEWER, bulk });
    const { reader, states, position } = read(frame);
    assert.equal(reader.kind, 'hands');
    assert.equal(reader.joints, 51);
    const known = JOINTS.filter((name, j) => states[j] !== ABSENT);
    assert.deepEqual(known, JOINTS.filter((name) => name === 'head'
      || (/-hand-/.test(name) && !/palm|twist/.test(name))));
    HAND_NAMES.forEach((name, i) => {
      const [finger, ...part] = name.replace('-finger', '').replace('pinky', 'little').split('-');
      const odd = name === 'middle-finger-metacarpal' ? 'phalanx-' : '';
      const joined = [finger, ...part].join('-').replace('middle-m', `middle-${odd}m`);
      near(position(`left-hand-${joined}`), [0.7, 1.4, 0.01 * i], name);
    });
    assert.ok(FINGERS.every((finger) => known.some((name) => name.includes(finger))));
  });

test('hands have the axes of the given profile', () => {
  const frame = new FakeFrame(sessionWithHands('left', 'right'));
  const spec = read(frame, 'webxr-spec');
  sameTurn(spec.rotation('left-hand-wrist'), T_POSE.left, 'left as it came');
  const meta = read(frame, 'meta');
  // Left: -X along the fingers, which are at +X, and -Y up. Right: +X along them, at -X, +Y up.
  sameTurn(meta.rotation('left-hand-wrist'), [0, 0, 1, 0], 'left wrist');
  sameTurn(meta.rotation('left-hand-index-phalanx-distal'), [0, 0, 1, 0], 'left index');
  sameTurn(meta.rotation('right-hand-wrist'), [0, 1, 0, 0], 'right wrist');
  sameTurn(meta.rotation('right-hand-little-tip'), [0, 1, 0, 0], 'right little');
});

/** Where three local axes point. */
function axesOf([x, y, z, w]) {
  return { x: [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    y: [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    z: [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)] };
}

// Upright fists in front of a person with view direction -Z: grip's -Z up, +Y to the person, +X right.
function sessionWithControllers(emulated = false) {
  const session = new FakeSession();
  const fist = turn(1, 0, 0, Math.PI / 2);
  session.inputSources = [
    { handedness: 'none', gripSpace: null },
    { handedness: 'left', gripSpace: space([-0.2, 1, -0.4], fist) },
    { handedness: 'right', gripSpace: space([0.2, 1.1, -0.4], fist, emulated) },
  ];
  return session;
}

test('head and controllers alone give the head and two wrists', () => {
  const frame = new FakeFrame(sessionWithControllers(true), { viewer: VIEWER });
  const { reader, states, position, rotation } = read(frame);
  assert.equal(reader.kind, 'devices');
  assert.equal(reader.joints, 3);
  assert.equal(states[joint('head')], TRACKED);
  assert.equal(states[joint('left-hand-wrist')], TRACKED);
  assert.equal(states[joint('right-hand-wrist')], ESTIMATED);

  // The neck carries the head under and behind the eyes.
  near(position('head'), [0, 1.56, 0.075], 'head');
  const head = axesOf(rotation('head'));
  near(head.z, [0, -1, 0], 'the head is along -Z, up');
  near(head.y, [0, 0, -1], 'the face is along +Y');

  // Wrists lie nearer to the person, and on the side of the back of the hand.
  near(position('left-hand-wrist'), [-0.23, 1, -0.32], 'left wrist');
  near(position('right-hand-wrist'), [0.23, 1.1, -0.32], 'right wrist');
  const left = axesOf(rotation('left-hand-wrist'));
  near(left.z, [0, 0, 1], 'left elbow');
  near(left.y, [-1, 0, 0], 'back of the left hand');
  const right = axesOf(rotation('right-hand-wrist'));
  near(right.z, [0, 0, 1], 'right elbow');
  near(right.y, [1, 0, 0], 'back of the right hand');
});

test('the head in the axes of Meta has -X up and +Y to the front', () => {
  const { rotation } = read(new FakeFrame(new FakeSession(), { viewer: VIEWER }), 'meta');
  const { x, y } = axesOf(rotation('head'));
  near(x, [0, -1, 0], 'down');
  near(y, [0, 0, -1], 'front');
});

test('takes only the joints that a body lacks from hands', () => {
  const body = wholeBody();
  for (const [name, at] of body)
    if (name.startsWith('left-hand-'))
      at.at = null;
  const frame = new FakeFrame(sessionWithHands('left', 'right'), { body, viewer: VIEWER });
  const { reader, states, position } = read(frame);
  assert.equal(reader.kind, 'body');
  assert.equal(reader.joints, 83 - 2); // twist and palm of the left hand have no source
  assert.equal(states[joint('left-hand-palm')], ABSENT);
  near(position('left-hand-wrist'), [0.7, 1.4, 0], 'left from the hand');
  near(position('right-hand-wrist'), positionOf(joint('right-hand-wrist')), 'right from the body');
  near(position('head'), positionOf(joint('head')), 'head from the body');
});

test('the controller gives the wrist of a lost hand', () => {
  const session = sessionWithHands('left');
  session.inputSources[0].hand.forEach((at) => { at.at = null; });
  const { reader, position } = read(new FakeFrame(session));
  assert.equal(reader.kind, 'devices');
  near(position('left-hand-wrist'), [4.97, 5.08, 5], 'wrist of the grip');
});

test('an unknown profile is refused', () => {
  assert.throws(() => new XrBodyReader('vive'), /unknown joint-frame profile 'vive'/);
});
