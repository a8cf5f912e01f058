// The client of a space: sends hello, join, subscribe and acknowledgements, maintains the
// roster and the clock, and repeats the exchange after each reconnection.

import { Bundle, decodeBundle } from './bundle.js';
import { Clock } from './clock.js';
import { Emitter } from './emitter.js';
import { ProtocolError } from './error.js';
import { Line } from './line.js';
import { Moderation } from './moderation.js';
import { Presence } from './presence.js';
import { readProps } from './prop.js';
import { Publications } from './publication.js';
import { Registrations } from './registration.js';
import { Replays } from './replay.js';
import { Roster } from './roster.js';
import { View } from './view.js';

const SUBPROTOCOL = 'jointcast.v1';
const CODINGS = [2, 1];
const KEYFRAME_MS = 500; // between two requests
const ACK_MS = 100;
const PING_MS = 2000;
const FIRST_PINGS = 5; // in quick succession, for an early clock
const FIRST_PING_MS = 200;

/**
 * Connects to a space of a jointcast daemon.
 *
 * @param {string | URL} url ws: or wss: address of the daemon
 * @param {object} [options] see client.d.ts
 * @returns {Client}
 */
export function connect(url, options) {
  return new Client(url, options);
}

/** Returns a field if it is a string, otherwise an empty string. */
const text = (value) => (typeof value === 'string' ? value : '');

export class Client extends Emitter {
  #name;
  #credit;
  #codings;
  #line;
  #view;
  #roster;
  #bundle = new Bundle();
  #quiet = false; // the last bundle had no packet
  #head = { needsState: false, shape: 0, sequence: 0, incarnation: 0 };
  #presence;
  #publications;
  #registrations;
  #replays;
  #moderation;
  #newestTick = -1;
  #ackedTick = -1;
  #ackedAt = -Infinity;
  #askedAt = -Infinity;

  constructor(url, options = {}) {
    super();
    const { space = 'lobby', client = 'jointcast.js', credit = true, codings = CODINGS } = options;
    this.#name = client;
    this.#credit = credit;
    this.#codings = codings;
    this.#line = new Line(String(url), SUBPROTOCOL, options, {
      connecting: () => this.#become('connecting'),
      open: (token) => this.#greet(token),
      message: (data) => this.#receive(data),
      dropped: () => this.#drop(),
      waiting: (detail) => this.#become('waiting', detail),
      error: (error) => this.emit('error', error),
      failed: () => this.close(),
    });
    this.#view = new View(space, options, {
      send: (message) => this.#line.send(message),
      after: (ms, run) => this.#line.after('viewpoint', ms, run),
    });
    this.space = space;
    /** @type {'connecting' | 'connected' | 'live' | 'waiting' | 'closed'} */
    this.state = 'connecting';
    this.clock = new Clock();
    this.#roster = new Roster(this.clock);
    this.#presence = new Presence(() => this.bodies, this.#view,
      (event, value) => this.emit(event, value));
    this.#publications = new Publications((message) => this.#line.send(message), {
      sendBytes: (bytes) => this.#line.sendBytes(bytes),
      buffered: () => this.#line.buffered,
      bodies: () => this.bodies,
      closed: (publication) => this.emit('unpublished', publication),
    });
    this.#registrations = new Registrations({
      send: (message) => this.#line.send(message),
      after: (ms, run) => this.#line.after('registration', ms, run),
      now: () => this.#line.now(),
      most: () => this.welcome?.limits?.message ?? Infinity,
    });
    this.#replays = new Replays(space, {
      send: (message) => this.#line.send(message),
      after: (ms, run) => this.#line.after('replay', ms, run),
      now: () => this.#line.now(),
    }, () => this.emit('replays', this.#replays));
    this.#moderation = new Moderation(space, (message) => this.#line.send(message));
    /** The server's last `welcome`, null before the first. */
    this.welcome = null;
    /** Props of the space by name. @type {Map<string, import('./prop.js').Prop>} */
    this.props = new Map();
    /** Totals received so far: messages and bytes of motion, packets in them, damaged packets. */
    this.traffic = { bundles: 0, bytes: 0, packets: 0, damaged: 0 };
  }

  /** Bodies in the space by id, including those whose skeleton has not arrived yet. */
  get bodies() {
    return this.#roster.bodies;
  }

  /** Skeletons that the server described, by hash. */
  get skeletons() {
    return this.#presence.skeletons;
  }

  /** Whether the server records the space. */
  get recording() {
    return this.#roster.recording;
  }

  /** Replays of the space, and the commands for them. */
  get replays() {
    return this.#replays;
  }

  /** Moderation of the space. */
  get moderation() {
    return this.#moderation;
  }

  /** The local time that `clock` maps to server time, milliseconds. */
  now() {
    return this.#line.now();
  }

  /**
   * Publishes a body in the space, now or as soon as there is a connection.
   *
   * @param {object} options see publication.d.ts
   * @returns {import('./publication.js').Publication}
   */
  publish(options) {
    return this.#publications.open({ space: this.space, ...options });
  }

  /**
   * Registers a skeleton for this client; `publish` and `subscribe` accept its hash.
   *
   * @param {string} name 1 to 63 bytes; replaces the skeleton of that name
   * @param {object} descriptor of describeVrm, describeFile, describeScene or your own
   * @returns {Promise<object>} name, hash, stored, lint; rejects with a ProtocolError
   */
  registerSkeleton(name, descriptor) {
    return this.#registrations.ask({ type: 'skeleton', name, descriptor });
  }

  /** Removes a skeleton; bodies on it keep it. */
  async unregisterSkeleton(name) {
    await this.#registrations.ask({ type: 'unregister', name });
  }

  /** @returns {Promise<object[]>} this client's skeletons: name, hash, bytes, worn */
  registeredSkeletons() {
    return this.#registrations.list();
  }

  /**
   * Changes the options of the subscription; omitted options stay unchanged.
   *
   * @param {object} options see client.d.ts, ViewOptions
   */
  subscribe(options) {
    this.#view.change(options);
    if (this.state === 'connected' || this.state === 'live') {
      this.#view.subscribe();
    }
  }

  /**
   * Sets the viewpoints: the server sends bodies near and in view in more detail. May be
   * called for every picture; an empty list removes the viewpoints.
   *
   * @param {object[]} viewpoints see client.d.ts, Viewpoint; at most four
   */
  setViewpoints(viewpoints) {
    this.#view.look(viewpoints);
  }

  /**
   * Sets the preferred bodies, for example a speaker; replaces earlier ones. The server sends
   * them in more detail and omits them last when the budget is too small.
   *
   * @param {Iterable<import('./body.js').Body>} bodies at most 64
   */
  setPriority(bodies) {
    this.#view.favour([...bodies].map(({ id }) => id));
  }

  /**
   * Ignores the publisher of a body, or stops that: neither side receives motion of the other.
   *
   * @param {import('./body.js').Body} body
   */
  ignore(body, ignore = true) {
    this.#view.ignore(body.id, ignore);
  }

  /**
   * Places a body elsewhere; needs the role `moderate`. For own bodies: Publication.place.
   *
   * @param {import('./body.js').Body} body
   * @param {object} placement see publication.d.ts, PlaceOptions
   */
  place(body, placement) {
    this.#line.send({ type: 'place', space: this.space, body: body.id, ...placement });
  }

  /**
   * Puts a body on stage (preferred for all subscribers) or ends that; needs the role `moderate`.
   *
   * @param {import('./body.js').Body} body
   */
  stage(body, stage = true) {
    this.#line.send({ type: 'stage', space: this.space, body: body.id, stage });
  }

  /** Sends a new token of the same subject before the current one expires. */
  renew(token) {
    this.#line.send({ type: 'token', token });
  }

  /** Ends the connection; the client does not reconnect. */
  close() {
    if (this.state === 'closed') {
      return;
    }
    this.#line.end();
    this.#publications.end();
    this.#registrations.end();
    this.#replays.end();
    this.#moderation.drop();
    this.#become('closed');
  }

  #become(state, detail = {}) {
    this.state = state;
    this.emit('state', { state, ...detail });
  }

  #greet(token) {
    this.#newestTick = this.#ackedTick = -1;
    this.#askedAt = -Infinity;
    this.#quiet = false;
    this.#bundle.reset();
    this.bodies.forEach((body) => body.stream.reset());
    this.clock.reset();
    this.#line.send({ type: 'hello', codings: this.#codings, credit: this.#credit, client: this.#name,
      token });
    this.#view.reset();
    this.#presence.reset();
    this.props = new Map();
    this.#join();
    this.#registrations.greet(() => {
      this.#view.subscribe();
      this.#publications.greet();
    });
    this.#replays.greet();
    this.#moderation.greet();
    this.#become('connected');
    this.#ping(FIRST_PINGS);
  }

  #join() {
    this.#line.send({ type: 'join', space: this.space });
  }

  // Requests in progress fail.
  #drop() {
    this.#publications.drop();
    this.#registrations.drop();
    this.#replays.drop();
    this.#moderation.drop();
  }

  #ping(quick) {
    this.#line.send({ type: 'ping', t: this.#line.now() });
    this.#line.after('ping', quick > 0 ? FIRST_PING_MS : PING_MS, () => this.#ping(quick - 1));
  }

  #receive(data) {
    try {
      if (typeof data === 'string') {
        this.#control(JSON.parse(data));
      } else {
        this.#motion(new Uint8Array(data));
      }
    } catch (error) {
      if (!(error instanceof ProtocolError) && !(error instanceof SyntaxError)) {
        throw error;
      }
      this.traffic.damaged++;
      this.emit('error', error);
    }
  }

  #control(message) {
    if (typeof message !== 'object' || message === null) {
      throw new ProtocolError('invalid', 'a control message is not an object');
    }
    switch (message.type) {
    case 'welcome':
      this.#welcomed(message);
      break;
    case 'roster':
      this.#enrol(message);
      break;
    case 'skeleton':
      this.#presence.dress(message);
      break;
    case 'worn':
      this.#presence.wear(message);
      break;
    case 'subscribed':
      if (this.#presence.grant(message)) {
        this.emit('subscribed', { precision: message.precision, virtual: message.virtual });
      }
      break;
    case 'props':
      if (message.space === this.space) {
        this.props = readProps(message);
        this.emit('props', this.props);
      }
      break;
    case 'pong':
      this.clock.add(message.t, this.#line.heardAt, message.time);
      break;
    case 'published':
      this.#publications.published(message);
      break;
    case 'unpublished':
      this.#publications.unpublished(message);
      break;
    case 'registered':
    case 'unregistered':
      this.#registrations.answered(message);
      break;
    case 'wardrobe':
      this.#registrations.listed(message);
      break;
    case 'replaying':
      this.#replays.told(message);
      break;
    case 'administered':
    case 'moderated':
    case 'sanctions':
      if (!this.#moderation.answered(message)) {
        this.#obey(message);
      }
      break;
    case 'renewed':
      this.emit('renewed', { expires: message.expires });
      break;
    case 'error':
      if (message.ref === 'publish') {
        this.#publications.refused();
      }
      if (!this.#registrations.refused(message) && !this.#replays.refused(message) &&
        !this.#moderation.refused(message)) {
        this.#fail(message);
      }
      break;
    case 'going_away':
      this.#line.returnAfter(
        Number.isFinite(message.retryAfter) ? Math.max(0, message.retryAfter) : null);
      break;
    default: // from a later version
      break;
    }
  }

  #fail(message) {
    this.emit('error', new ProtocolError(text(message.code), text(message.message)));
    // A retry does not help against a ban, or against a bad token without a source of new ones.
    if ((message.code === 'refused' && !this.#line.fetchesTokens) ||
      (message.code === 'banned' && message.ref === 'join')) {
      this.close();
    }
  }

  // A moderator acted on this client; a kick or a ban ends the connection.
  #obey({ space, action, body, until, reason }) {
    this.emit('moderated', { space, action, body, until, reason });
    if (space === this.space && ['kick', 'ban', 'close'].includes(action)) {
      this.close();
    }
  }

  #welcomed(message) {
    if (message.protocol !== SUBPROTOCOL) {
      this.emit('error', new ProtocolError('unsupported',
        `the server speaks '${text(message.protocol)}', not '${SUBPROTOCOL}'`));
      this.close();
      return;
    }
    this.welcome = message;
    this.emit('welcome', message);
  }

  #enrol(message) {
    if (message.space !== this.space) {
      return;
    }
    const { recording } = this;
    const changes = this.#roster.apply(message);
    if (!changes) {
      this.#join(); // a change is missing: request the whole roster
      return;
    }
    changes.left.forEach((body) => this.#presence.forget(body));
    [...changes.joined, ...changes.changed].forEach((body) => this.#presence.present(body));
    if (this.state === 'connected') {
      this.#view.remind(this.bodies);
      this.#become('live');
    }
    this.emit('roster', { bodies: this.bodies, ...changes });
    if (this.recording !== recording) {
      this.emit('recording', { recording: this.recording });
    }
  }

  #motion(message) {
    const bundle = decodeBundle(message, this.#bundle);
    if (bundle.space !== this.#roster.id) {
      return; // an epoch that has ended
    }
    const time = this.#roster.timeOf(bundle.tick);
    this.traffic.bundles++;
    this.traffic.bytes += message.length;
    for (let i = 0; i < bundle.count; i++) {
      const body = this.bodies.get(bundle.body[i]);
      if (body) {
        this.#move(body, message, bundle, i, time - bundle.age[i]);
      }
    }
    // A body that is missing in the bundle stands still, if its stream has packets in this tick.
    for (const body of this.bodies.values()) {
      if (body.tick !== bundle.tick && body.sent && body.stream.isFollowing &&
        bundle.tick % body.stream.pace === 0) {
        body.timeline.hold(time - body.age);
      }
    }
    this.#quiet = bundle.count === 0;
    this.#acknowledge(bundle.tick);
    this.emit('bundle', bundle);
  }

  #move(body, message, bundle, i, capture) {
    const { timeline, stream } = body;
    const head = this.#head;
    head.needsState = bundle.needsState[i] === 1;
    head.shape = bundle.shape[i];
    head.sequence = bundle.sequence[i];
    head.incarnation = bundle.incarnation[i];
    body.tick = bundle.tick;
    body.age = bundle.age[i];
    // The server sent nothing because all bodies stood still; no bundle is missing.
    if (this.#quiet && stream.isFollowing && stream.isNext(head.sequence, head.incarnation)) {
      timeline.hold(capture - (stream.pace * 1e6) / this.#roster.tickHz);
    }
    try {
      if (!stream.decode(message, bundle.start[i], bundle.end[i], head, body.packed,
        timeline.slot())) {
        this.#askKeyframe();
        return;
      }
    } catch (error) {
      this.#askKeyframe();
      throw error;
    }
    timeline.slot().virtualIndices = body.virtualIndices;
    body.fitting?.apply(timeline.slot());
    timeline.commit(capture, bundle.sequence[i], bundle.incarnation[i], bundle.cut[i] === 1,
      this.#line.heardAt, !head.needsState && stream.isFollowing);
    body.bytes += bundle.end[i] - bundle.start[i];
    this.traffic.packets++;
  }

  #askKeyframe() {
    if (this.#line.heardAt - this.#askedAt >= KEYFRAME_MS) {
      this.#askedAt = this.#line.heardAt;
      this.#line.send({ type: 'keyframe', space: this.space });
    }
  }

  // Acknowledges ten times a second, also once more when bundles stop because the credit is used
  // up; the first bundle after a pause at once.
  #acknowledge(tick) {
    this.#newestTick = Math.max(tick, this.#newestTick);
    if (this.#credit && !this.#line.awaits('ack')) {
      const wait = this.#ackedAt + ACK_MS - this.#line.heardAt;
      this.#line.after('ack', Math.max(wait, 0), () => this.#sendAck());
    }
  }

  #sendAck() {
    if (this.#newestTick !== this.#ackedTick) {
      this.#ackedTick = this.#newestTick;
      this.#ackedAt = this.#line.now();
      this.#line.send({ type: 'ack', space: this.space, tick: this.#newestTick });
    }
  }
}
