// Publications: numbers, answers, lost connections, sent captures.
import assert from 'node:assert/strict';
import test from 'node:test';
import { BodyFrame, PoseFrame, TRACKED, decodeBodyFrame, decodePose } from '../body-frame.js';
import { connect } from '../client.js';
import { Publications } from '../publication.js';
import { body, live } from './fake-server.mjs';

/** Publications with a log of sent messages and bytes. */
function begin({ greeted = true } = {}) {
  const sent = [];
  const sentBytes = [];
  const bodies = new Map([[7, { name: 'Ada' }]]);
  const requests = [];
  const later = [];
  const send = ({ request, ...message }) => {
    sent.push(message);
    requests.push(...(request === undefined ? [] : [request]));
  };
  const publications = new Publications({ send, sendBytes: (bytes) => sentBytes.push(bytes), buffered: 42, after: (what, ms, then) => later.push(then) },
    bodies, () => {});
  if (greeted)
    publications.greet();
  const open = (name = 'Ada') => publications.open({ space: 'lobby', name, kind: 'body-frames' });
  return { publications, sent, sentBytes, requests, later, open };
}

/** Type and number of a message. */
const short = ({ type, publication }) => `${type} ${publication}`;

test('requests, opens, sends and removes a publication', () => {
  const { publications, sent, sentBytes, open } = begin();
  const publication = open();
  assert.deepEqual(sent, [{ type: 'publish', publication: 0, space: 'lobby', name: 'Ada',
    kind: 'body-frames' }]);
  assert.equal(publication.state, 'asking');
  assert.equal(publication.send(new BodyFrame()), 0);
  assert.equal(sentBytes.length, 0);

  publications.published({ publication: 0, space: 'lobby', body: 7 });
  assert.equal(publication.state, 'open');
  assert.equal(publication.body.name, 'Ada');
  assert.equal(publication.buffered, 42);
  const frame = new BodyFrame();
  frame.time = 123456;
  frame.states[3] = TRACKED;
  frame.positions.set([1, 2, 3], 9);
  frame.rotations[4 * 3 + 3] = 1;
  assert.equal(publication.send(frame), sentBytes[0].length);
  assert.deepEqual([...sentBytes[0].subarray(0, 2)], [0x21, 0]);
  const read = decodeBodyFrame(sentBytes[0].subarray(2), new BodyFrame());
  assert.equal(read.time, 123456);
  assert.deepEqual([...read.positions.subarray(9, 12)], [1, 2, 3]);

  publication.close();
  publication.close();
  assert.equal(publication.state, 'closed');
  assert.equal(publication.body, null);
  assert.equal(publication.send(frame), 0);
  assert.deepEqual(sent.map(short), ['publish 0', 'unpublish 0']);
});

test('poses are sent as poses', () => {
  const { publications, sentBytes } = begin();
  const publication = publications.open({ space: 'lobby', name: 'Ada', kind: 'poses' });
  publications.published({ publication: 0, body: 7 });
  const pose = new PoseFrame();
  pose.hips[1] = 0.5;
  publication.send(pose);
  assert.equal(decodePose(sentBytes[0].subarray(2), new PoseFrame()).hips[1], 0.5);
});

test('a number is free again after the server released it', () => {
  const { publications, sent, open } = begin();
  const first = open();
  open();
  publications.published({ publication: 0, body: 7 });
  publications.published({ publication: 1, body: 8 });
  first.close();
  open();
  publications.unpublished({ publication: 0 });
  open();
  assert.deepEqual(sent.map(short),
    ['publish 0', 'publish 1', 'unpublish 0', 'publish 2', 'publish 0']);
});

test('a refusal concerns the oldest unanswered request', () => {
  const { publications, sent, open } = begin();
  const first = open('first');
  const second = open('second');
  publications.refused({});
  publications.published({ publication: 1, body: 8 });
  assert.deepEqual([first.state, second.state], ['refused', 'open']);
  first.close();
  assert.deepEqual(sent.map(short), ['publish 0', 'publish 1'], 'nothing to take away');
  open();
  assert.equal(short(sent.at(-1)), 'publish 0');
});

test('the end of a refused publication leaves the one that has its number now', () => {
  const { publications, sent, open } = begin();
  const first = open('first');
  publications.refused({});
  const second = open('second');
  publications.published({ publication: 0, body: 8 });
  first.close();
  assert.deepEqual(sent.map(short), ['publish 0', 'publish 0']);
  assert.deepEqual([first.state, second.state, second.bodyId], ['closed', 'open', 8]);
  second.close();
  assert.deepEqual(sent.map(short), ['publish 0', 'publish 0', 'unpublish 0']);
});

test('a refusal concerns the publication whose request it repeats', () => {
  const { publications, requests, open } = begin();
  const [first, second, third] = ['first', 'second', 'third'].map(open);
  publications.refused({ request: requests[1] });
  publications.refused({ request: 'of another program' });
  publications.published({ publication: 2, body: 8, request: requests[2] });
  assert.deepEqual([first.state, second.state, third.state], ['asking', 'refused', 'open']);
  publications.published({ publication: 0, body: 7, request: requests[0] });
  assert.equal(first.state, 'open');
});

test('a request that failed is repeated later, unless the publication is closed meanwhile', () => {
  const { publications, sent, requests, later, open } = begin();
  const [ada, bo] = [open(), open('Bo')];
  for (const request of [...requests])
    publications.refused({ code: 'failed', ref: 'publish', request });
  assert.deepEqual([ada.state, bo.state, sent.length], ['asking', 'asking', 2]);
  bo.close();
  later.forEach((then) => then());
  assert.deepEqual(sent.slice(2).map(({ type, name }) => `${type} ${name}`), ['publish Ada']);
  publications.published({ publication: sent[2].publication, space: 'lobby', body: 7, request: requests[2] });
  assert.equal(ada.state, 'open');
});

test('a publication that was open waits for its space, a new one is refused', () => {
  const { publications, sent, requests, later, open } = begin();
  const ada = open();
  publications.published({ publication: 0, body: 7, request: requests[0] });
  publications.drop();
  publications.greet();
  const bo = open('Bo');
  for (const request of requests.slice(1))
    publications.refused({ code: 'unknown-space', ref: 'publish', request });
  assert.deepEqual([ada.state, bo.state], ['asking', 'refused']);
  later.forEach((then) => then());
  assert.deepEqual(sent.slice(3).map(({ type, name }) => `${type} ${name}`), ['publish Ada']);
});

test('removes a publication after the answer if it was closed before', () => {
  const { publications, sent, open } = begin();
  const publication = open();
  publication.close();
  assert.deepEqual(sent.map(short), ['publish 0']);
  publications.published({ publication: 0, body: 7 });
  assert.deepEqual(sent.map(short), ['publish 0', 'unpublish 0']);
  assert.equal(publication.state, 'closed');

  const other = open();
  other.close();
  publications.refused({});
  assert.deepEqual(sent.map(short), ['publish 0', 'unpublish 0', 'publish 1']);
});

test('requests all publications on each connection, with numbers from 0', () => {
  const { publications, sent, open } = begin({ greeted: false });
  const first = open('first');
  const second = open('second');
  assert.equal(sent.length, 0);
  publications.greet();
  publications.published({ publication: 0, body: 7 });
  publications.drop();
  assert.deepEqual([first.state, first.bodyId], ['asking', -1]);
  first.close(); // nothing is sent without a connection
  publications.greet();
  assert.deepEqual(sent.map(short), ['publish 0', 'publish 1', 'publish 0']);
  publications.published({ publication: 0, body: 9 });
  assert.deepEqual([second.state, second.bodyId], ['open', 9]);
});

test('ignores answers without a request', () => {
  const { publications, open } = begin();
  publications.refused({});
  publications.published({ publication: 0, body: 1 });
  publications.unpublished({ publication: 200 });
  const publication = open();
  publications.published({ publication: 5, body: 1 });
  assert.equal(publication.state, 'asking');
});

test('opens at most 256 publications at a time', () => {
  const { sent, open } = begin();
  const all = Array.from({ length: 257 }, () => open());
  assert.deepEqual(all.map(({ state }) => state).filter((state) => state === 'refused').length, 1);
  assert.equal(sent.length, 256);
});

test('a client publishes after hello, and again after a reconnection', async () => {
  const sockets = [];
  class FakeWebSocket {
    constructor() {
      Object.assign(this, { readyState: 1, bufferedAmount: 5, sent: [] });
      sockets.push(this);
      queueMicrotask(() => this.onopen({}));
    }
    send(data) {
      this.sent.push(data);
    }
    close() {}
  }
  const client = connect('ws://test', { WebSocket: FakeWebSocket, random: () => 0 });
  const publication = client.publish({ name: 'Ada', kind: 'body-frames' });
  const refusals = [];
  client.on('error', ({ code }) => refusals.push(code));
  const asked = () => sockets.at(-1).sent.filter((data) => typeof data === 'string')
    .map((data) => JSON.parse(data)).filter(({ type }) => type === 'publish');
  const turn = () => new Promise((resolve) => setTimeout(resolve, 1));
  while (sockets.length < 1 || asked().length < 1)
    await turn();
  assert.deepEqual(asked(), [{ type: 'publish', publication: 0, space: 'lobby', name: 'Ada',
    kind: 'body-frames', request: 'publish 1' }]);
  sockets[0].onmessage({ data: JSON.stringify({ type: 'published', publication: 0, body: 3 }) });
  assert.equal(publication.state, 'open');
  assert.equal(publication.buffered, 5);
  publication.send(new BodyFrame());
  assert.ok(sockets[0].sent.at(-1) instanceof Uint8Array);

  sockets[0].onclose({ code: 1006, reason: '' });
  assert.equal(publication.state, 'asking');
  while (sockets.length < 2 || asked().length < 1)
    await turn();
  sockets[1].onmessage({ data: JSON.stringify({ type: 'error', code: 'too-many',
    message: 'the space is full', ref: 'publish' }) });
  assert.equal(publication.state, 'refused');
  assert.deepEqual(refusals, ['too-many']);
  client.close();
});

test('sends changes of a body at once, and with the request on each connection', () => {
  const { publications, sent, open } = begin();
  const publication = open();
  publications.published({ publication: 0, space: 'lobby', body: 7, name: 'Ada (2)' });
  assert.equal(publication.name, 'Ada (2)');
  publication.amend({ display: 'A', meta: { n: 1 } });
  publication.consent({ mayRecord: 'raw' });
  publication.place({ position: [1, 0, 2], yaw: 0.5, teleport: true });
  assert.deepEqual(JSON.parse(JSON.stringify(sent.slice(1))), [
    { type: 'amend', publication: 0, display: 'A', meta: { n: 1 } },
    { type: 'consent', publication: 0, mayRecord: 'raw', mayRebroadcast: false },
    { type: 'place', space: 'lobby', body: 7, position: [1, 0, 2], yaw: 0.5, teleport: true }]);
  publications.drop();
  publication.amend({ display: 'B' });
  publications.greet();
  assert.deepEqual(JSON.parse(JSON.stringify(sent.slice(4))), [{ type: 'publish', publication: 0, space: 'lobby', name: 'Ada', kind: 'body-frames',
    display: 'B', meta: { n: 1 }, mayRecord: 'raw', mayRebroadcast: false, placement: { position: [1, 0, 2], yaw: 0.5 } }]);
});

test('sends changes between request and answer after the answer', () => {
  const { publications, sent, open } = begin();
  const publication = open();
  const other = open('Bob');
  publication.place({ position: [1, 0, 2], yaw: 0 });
  other.amend({ display: 'B' });
  assert.deepEqual(sent.map(short), ['publish 0', 'publish 1']);
  publications.published({ publication: 0, space: 'lobby', body: 7 });
  assert.deepEqual(sent.slice(2).map(({ type, body }) => [type, body]), [['place', 7]]);
  publications.published({ publication: 1, space: 'lobby', body: 8 });
  assert.deepEqual(sent.slice(3).map(short), ['amend 1']);
});

test('a body that the server removes is closed, with an event', () => {
  const closed = [];
  const sent = [];
  const publications = new Publications({ send: (message) => sent.push(message), sendBytes: () => {}, buffered: 0 },
    new Map(), (publication) => closed.push(publication));
  publications.greet();
  const publication = publications.open({ space: 'lobby', name: 'Ada', kind: 'poses' });
  publications.published({ publication: 0, space: 'lobby', body: 7 });
  publications.unpublished({ publication: 0 });
  assert.equal(publication.state, 'closed');
  assert.equal(publication.bodyId, -1);
  assert.deepEqual(closed, [publication]);
  publications.drop();
  publications.greet();
  assert.deepEqual(sent.map(short), ['publish 0'], 'it is not asked for again');
  assert.equal(publication.send(new PoseFrame()), 0);
});

for (const isFirst of [true, false]) {
  test(`the answer may come ${isFirst ? 'before' : 'after'} the roster that has the body`, () => {
    const { world, client, log } = live();
    const publication = client.publish({ name: 'Ada', kind: 'poses' });
    log.length = 0;
    const messages = [{ type: 'published', publication: 0, space: 'lobby', body: 7, name: 'Ada' },
      { type: 'roster', space: 'lobby', revision: 5, joined: [body(7, { name: 'Ada' })] }];
    for (const message of isFirst ? messages : messages.reverse()) {
      assert.equal(publication.body, null);
      world.say(message);
    }
    assert.equal(publication.state, 'open');
    assert.equal(publication.body, client.bodies.get(7));
    assert.deepEqual(log, ['enter 7']);
  });
}
