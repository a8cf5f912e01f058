// The frames that a publisher sends of a session.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ABSENT, BodyFrame, TRACKED } from '../body-frame.js';
import { Clock } from '../clock.js';
import { nativeProfile, publishBody } from '../publish.js';
import { JOINTS } from '../tables.js';
import { FakeFrame, FakeSession, space, turn, wholeBody } from './fake-xr.mjs';

/** The part of a client that publishers use; keeps copies of what is sent. */
class FakeClient {
  time = 1000;
  clock = new Clock();
  publications = [];

  now() {
    return this.time;
  }

  synchronize(serverTime = 5e6) {
    this.clock.add(this.time, this.time, serverTime);
  }

  publish(options) {
    const publication = { options, state: 'open', buffered: 0, body: null,
      sent: [], closed: false,
      send: (frame) => {
        publication.sent.push({ time: frame.time, cut: frame.cut, frame: structuredClone(frame),
          joints: frame.states.filter((state) => state !== ABSENT).length });
        return 900;
      },
      close: () => { publication.closed = true; } };
    this.publications.push(publication);
    return publication;
  }

  get publication() {
    return this.publications.at(-1);
  }
}

class Floor extends EventTarget {}

/** A publisher in a session whose person stands there. */
function begin(options) {
  const client = new FakeClient();
  client.synchronize();
  const publisher = publishBody(client, { name: 'Ada', profile: 'webxr-spec', ...options });
  const states = [];
  publisher.on('state', ({ state }) => states.push(state));
  const session = new FakeSession();
  const floor = new Floor();
  const body = wholeBody();
  /** One frame, 10 ms after the one before. */
  const show = (more = {}, on = floor) => {
    client.time += 10;
    return publisher.frame(session, new FakeFrame(session, { body, ...more }), on);
  };
  return { client, publisher, states, session, floor, body, show };
}

test('the body of a session is published once and sent frame by frame', () => {
  const { client, publisher, show, states } = begin({ mayRecord: true });
  assert.equal(publisher.state, 'idle');
  for (let i = 0; i < 3; i++)
    assert.equal(show(), true);
  assert.equal(client.publications.length, 1);
  assert.deepEqual(client.publication.options, { name: 'Ada', mayRecord: true,
    profile: 'webxr-spec', kind: 'body-frames' });
  assert.deepEqual(client.publication.sent.map(({ joints }) => joints), [83, 83, 83]);
  assert.deepEqual(states, ['live']);
  assert.deepEqual([publisher.kind, publisher.joints], ['body', 83]);
  assert.deepEqual(publisher.traffic, { frames: 3, bytes: 2700, dropped: 0 });
});

test('nothing is published before the first frame of a session', () => {
  const { client, publisher } = begin();
  // Calls of three.js outside of sessions:
  assert.equal(publisher.frame(null, undefined, null), false);
  assert.equal(publisher.frame(new FakeSession(), null, new Floor()), false);
  assert.equal(client.publications.length, 0);
});

test('capture times are server times at the reading of the frame', () => {
  const { client, show } = begin();
  show(); // 10 ms after the clock was set to 5 s
  show();
  assert.deepEqual(client.publication.sent.map(({ time }) => time), [5.01e6, 5.02e6]);
});

test('a frame with the same time is sent once', () => {
  const { client, publisher, show } = begin();
  show();
  client.time -= 10; // the page's clock is coarse
  assert.equal(show(), false);
  assert.equal(publisher.traffic.frames, 1);
  assert.equal(show(), true);
});

test('sends nothing before the server accepted and its clock is known', () => {
  const { client, publisher, show, states } = begin();
  client.clock.reset();
  assert.equal(show(), false);
  client.synchronize();
  client.publication.state = 'asking';
  assert.equal(show(), false);
  assert.equal(publisher.state, 'waiting');
  client.publication.state = 'open';
  assert.equal(show(), true);
  assert.deepEqual(states, ['waiting', 'live']);
});

test('does not send a refused body', () => {
  const { client, publisher, show } = begin();
  show();
  client.publication.state = 'refused';
  assert.equal(show(), false);
  assert.equal(publisher.state, 'refused');
});

test('sends after a reconnection to a server with an earlier clock', () => {
  const { client, show } = begin();
  show();
  client.publication.state = 'asking';
  client.clock.reset();
  show();
  client.publication.state = 'open';
  client.synchronize(1000);
  assert.equal(show(), true);
  assert.deepEqual(client.publication.sent.map(({ time }) => time), [5.01e6, 11000]);
});

test('drops frames while the socket is full, then sends the newest', () => {
  const { client, publisher, show } = begin();
  show();
  client.publication.buffered = 100000;
  for (let i = 0; i < 5; i++)
    assert.equal(show(), false);
  client.publication.buffered = 0;
  assert.equal(show(), true);
  assert.deepEqual(publisher.traffic, { frames: 2, bytes: 1800, dropped: 5 });
  assert.deepEqual(client.publication.sent.map(({ time }) => time), [5.01e6, 5.07e6]);
});

test('does not query the device for dropped frames', () => {
  const { client, session, publisher, floor, body } = begin();
  client.publish = (options) => Object.assign(FakeClient.prototype.publish.call(client, options),
    { buffered: 100000 });
  const frame = new FakeFrame(session, { body });
  publisher.frame(session, frame, floor);
  assert.deepEqual(frame.calls, { getPose: 0, fillPoses: 0 });
});

test('a session without tracking sends nothing and reports it', () => {
  const { client, publisher, show } = begin();
  assert.equal(show({ body: null }), false);
  assert.equal(publisher.state, 'untracked');
  assert.equal(publisher.kind, null);
  assert.equal(client.publication.sent.length, 0);
  assert.equal(show(), true);
  assert.equal(publisher.state, 'live');
});

test('a publisher that is paused at the start does not publish', () => {
  const { client, publisher, show } = begin();
  publisher.pause();
  assert.equal(show(), false);
  assert.equal(client.publications.length, 0);
  publisher.resume();
  assert.equal(show(), true);
});

test('a paused publisher sends nothing until it resumes', () => {
  const { client, publisher, show, states } = begin();
  show();
  publisher.pause();
  assert.equal(show(), false);
  publisher.resume();
  assert.equal(show(), true);
  assert.equal(client.publications.length, 1);
  assert.equal(client.publication.sent.length, 2);
  assert.deepEqual(states, ['live', 'paused', 'waiting', 'live']);
});

test('a hidden session sends nothing, a blurred one does', () => {
  const { publisher, session, show, states } = begin();
  show();
  session.become('hidden');
  assert.equal(publisher.state, 'hidden');
  assert.equal(show(), false);
  session.become('visible-blurred');
  assert.equal(show(), true);
  assert.deepEqual(states, ['live', 'hidden', 'live']);
});

test('the end of a session removes the body; another session publishes another', () => {
  const { client, publisher, session, body, floor, show } = begin();
  show();
  session.end();
  assert.equal(client.publication.closed, true);
  assert.equal(publisher.state, 'idle');
  const next = new FakeSession();
  client.time += 10;
  assert.equal(publisher.frame(next, new FakeFrame(next, { body }), floor), true);
  assert.equal(client.publications.length, 2);
  session.end(); // of no more concern
  session.become('hidden');
  assert.equal(client.publication.closed, false);
  assert.equal(publisher.state, 'live');
});

test('a closed publisher sends nothing', () => {
  const { client, publisher, session, show } = begin();
  show();
  publisher.close();
  assert.equal(client.publication.closed, true);
  assert.equal(publisher.state, 'closed');
  assert.equal(show(), false);
  assert.equal(publisher.send(new BodyFrame()), false);
  publisher.resume();
  session.end();
  assert.equal(publisher.state, 'closed');
  assert.equal(client.publications.length, 1);
});

test('only the first frame is a cut', () => {
  const { client, show } = begin();
  show();
  show();
  assert.deepEqual(client.publication.sent.map(({ cut }) => cut), [true, false]);
});

test('a teleport is a cut, small steps of the space are not', () => {
  const { client, body, show } = begin();
  const head = body.get('head').at;
  show();
  head.position = [head.position[0] + 0.1, head.position[1], head.position[2]];
  show({}, new Floor()); // one step
  head.position = [head.position[0] + 2, head.position[1], head.position[2]];
  show({}, new Floor()); // far away
  head.rotation = turn(0, 1, 0, 1);
  show({}, new Floor()); // on the spot, 30 degrees or more about
  assert.deepEqual(client.publication.sent.map(({ cut }) => cut), [true, false, true, true]);
});

test('recentring the space is a cut, a jump of the person is not', () => {
  const { client, body, floor, show } = begin();
  const head = body.get('head').at;
  show();
  head.position = [3, 1.5, 0];
  show();
  floor.dispatchEvent(new Event('reset'));
  head.position = [0, 1.5, 0];
  show();
  show();
  assert.deepEqual(client.publication.sent.map(({ cut }) => cut), [true, false, true, false]);
});

test('marks a cut in the next frame if its own frame was not sent', () => {
  const { client, body, show } = begin();
  const other = new Floor();
  show();
  client.publication.buffered = 100000;
  body.get('head').at.position = [5, 1.5, 5];
  show({}, other);
  client.publication.buffered = 0;
  show({}, other);
  show({}, other);
  assert.deepEqual(client.publication.sent.map(({ cut }) => cut), [true, true, false]);
});

test('sends a body from another tracking system unchanged, with the current time', () => {
  const { client, publisher } = begin();
  const frame = new BodyFrame();
  frame.states[JOINTS.indexOf('head')] = TRACKED;
  frame.rotations[4 * JOINTS.indexOf('head') + 3] = 1;
  client.time += 10;
  assert.equal(publisher.send(frame), true);
  const [{ time, cut, joints, frame: sent }] = client.publication.sent;
  assert.deepEqual([time, cut, joints], [5.01e6, false, 1]);
  assert.deepEqual(sent.rotations, frame.rotations);
  assert.deepEqual([publisher.kind, publisher.joints], [null, 1]);
});

test('turns the forward direction of WebXR to that of bodies', () => {
  const { client, session, show } = begin();
  session.inputSources = [{ handedness: 'left', gripSpace: space([-0.2, 1, -0.4],
    turn(1, 0, 0, Math.PI / 2)) }];
  show({ body: null, viewer: space([0.1, 1.6, -0.3]) });
  const [{ frame }] = client.publication.sent;
  const at = (array, size, name) => [...array.subarray(size * JOINTS.indexOf(name),
    size * JOINTS.indexOf(name) + size)];
  const near = (actual, expected) => actual.forEach((x, i) =>
    assert.ok(Math.abs(x - expected[i]) < 1e-6, `${actual} instead of ${expected}`));
  near(at(frame.positions, 3, 'head'), [-0.1, 1.53, 0.225]);
  near(at(frame.positions, 3, 'left-hand-wrist'), [0.23, 1, 0.32]);
  // The head has -Z up and +Y to the front: a quarter about +X takes -Z up, +Y to +Z.
  const head = at(frame.rotations, 4, 'head');
  near(head.map((x) => x * Math.sign(head[0])), [Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
});

test('hands and controllers are published like bodies', () => {
  const { client, session, publisher, show } = begin();
  session.inputSources = [{ handedness: 'left', gripSpace: space([0, 1, 0]) }];
  show({ body: null, viewer: space([0, 1.6, 0]) });
  assert.equal(client.publication.sent[0].joints, 2);
  assert.equal(publisher.kind, 'devices');
});

test('Meta\'s browser has the axes of its runtime, others the draft\'s', () => {
  assert.equal(nativeProfile('Mozilla/5.0 (X11; Linux x86_64; Quest 3) AppleWebKit/537.36 '
    + '(KHTML, like Gecko) OculusBrowser/38.0 Chrome/134.0 VR Safari/537.36'), 'meta');
  assert.equal(nativeProfile('Mozilla/5.0 (X11; Linux x86_64) Chrome/134.0 Safari/537.36'),
    'webxr-spec');
  assert.equal(nativeProfile(''), 'webxr-spec');
});
